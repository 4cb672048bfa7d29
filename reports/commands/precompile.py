"""The command `precompile`: compile games ahead of time."""

from __future__ import annotations

from typing import Annotated

import typer

from hardmode.reports.commands.common import print_json
from hardmode.reports.commands.options import JsonOption


def precompile_games(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME]...", help="The games to compile. Without any, all are compiled."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compile games with all their strategies ahead of time.

    After that no command waits for the compiler, unless you change a rule or write a strategy. It
    is meant for the evening before, and for images and caches of CI. All cores are used.

    Example: [bold]hardmode precompile woodlands[/bold]
    """
    from hardmode.reports.console import list_games
    from hardmode.reports.progress_bar import show_progress
    from hardmode.sim.files.cache_folder import find_cache_root
    from hardmode.studies.core import precompile

    with show_progress("compiling") as step:
        compiled = precompile.precompile_games(list_games.resolve_games(games or []), step)
    cache = find_cache_root()
    if as_json:
        from hardmode.reports.json.precompile import build_precompile_answer

        print_json("warm", build_precompile_answer(compiled, cache))
        return
    for counts in compiled:
        game, n, seconds = counts["game"], counts["compiled"], counts["seconds"]
        if n:
            print(f"{game}: {n} parts were compiled in {seconds} s of work")
        else:
            print(f"{game}: everything was already compiled")
    if cache:
        print(f"the compiled code is in {cache}")
    else:
        print("no compiled code is kept, because HARDMODE_CACHE is off")
