"""The command `check-game`: test that a game keeps the contract of games."""

from __future__ import annotations

from typing import Annotated

import typer

from hardmode.reports.cli_types import parse_game_count
from hardmode.reports.commands.common import print_json
from hardmode.reports.commands.options import JsonOption
from hardmode.reports.exit_codes import ANSWER_IS_NO, DONE
from hardmode.sim.files.text import escape_control_chars

QUICK_GAMES = 200


def check_games(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME]...", help="The games to check. Without any, all games are checked."
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The number of random games for the check of bounds. The other checks play in "
            "proportion to it.",
        ),
    ] = "2000",  # type: ignore[assignment]
    quick: Annotated[
        bool, typer.Option("--quick", help="Play a tenth of the default number of games.")
    ] = False,
    only: Annotated[
        str, typer.Option(metavar="WORDS", help="Run only checks with these words in their name.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Check the rules, the words and the strategies of a game against the contract, by playing.

    The exit code is 0 if the game is sound, 1 if a check failed, and 2 if an input is broken.

    Example: [bold]hardmode check-game woodlands --quick[/bold]
    """
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.conformance import checks

    selected = checks.select_checks(names or [], QUICK_GAMES if quick else games, only)
    checked = []
    for game in selected.games:
        with show_progress(f"check {game.name}") as step:
            checked.append(selected.check_game(game, step))
        if not as_json:
            print(escape_control_chars("\n".join(checked[-1].format_lines())))
    if as_json:
        from hardmode.reports.json.check_game import build_check_game_answer

        print_json("check-game", build_check_game_answer(checked))
    raise typer.Exit(DONE if all(game.is_sound for game in checked) else ANSWER_IS_NO)
