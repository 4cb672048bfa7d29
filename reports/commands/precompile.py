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
    """Compile games with all their strategies ahead of time, for images and caches of CI.

    Example: [bold]hardmode precompile woodlands[/bold]
    """
    from hardmode.reports.console import list_games
    from hardmode.reports.progress_bar import show_progress
    from hardmode.sim.files.cache_folder import find_cache_root
    from hardmode.studies.core import precompile

    compiled = []
    for game in list_games.resolve_games(games or []):
        with show_progress(f"compiling {game}") as step:
            counts = precompile.precompile_game(game, step)
        compiled.append(counts)
        if as_json:
            continue
        if counts["compiled"]:
            print(f"{game}: {counts['compiled']} parts were compiled in {counts['seconds']} s")
        else:
            print(f"{game}: everything was already compiled")
    cache = find_cache_root()
    if as_json:
        from hardmode.reports.json.precompile import build_precompile_answer

        print_json("warm", build_precompile_answer(compiled, cache))
    elif cache:
        print(f"the compiled code is in {cache}")
    else:
        print("no compiled code is kept, because HARDMODE_CACHE is off")
