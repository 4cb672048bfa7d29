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
            "proportion to it. With --switches, the most games of each scenario.",
        ),
    ] = "2000",  # type: ignore[assignment]
    quick: Annotated[
        bool, typer.Option("--quick", help="Play a tenth of the default number of games.")
    ] = False,
    only: Annotated[
        str,
        typer.Option(
            metavar="WORDS",
            help="Run only checks with these words in their name, or examine only switches with "
            "them in theirs.",
        ),
    ] = "",
    switches: Annotated[
        bool,
        typer.Option(
            "--switches",
            help="Count instead in how many games of the shipped scenarios each value of each "
            "switch comes into play.",
        ),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check the rules, the words and the strategies of a game against the contract, by playing.

    The exit code is 0 if the game is sound, 1 if a check failed, and 2 if an input is broken.
    With --switches it is 1 if a value of a switch makes no difference in any game.

    Example: [bold]hardmode check-game woodlands --quick[/bold]
    """
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.conformance import checks

    games = QUICK_GAMES if quick else games
    if switches:
        raise typer.Exit(_check_switches(names or [], games, only, as_json))
    selected = checks.select_checks(names or [], games, only)
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


def _check_switches(names: list[str], games: int, only: str, as_json: bool) -> int:
    """Print how often the values of switches come into play, and return the exit code."""
    from hardmode.reports.console.switch_coverage import print_switch_coverage
    from hardmode.reports.json.switch_coverage import build_switch_coverage_answer
    from hardmode.reports.progress_bar import show_progress
    from hardmode.scenarios.box import find_box_folders
    from hardmode.studies.conformance.switch_coverage import measure_switch_coverage

    measured = []
    for name in names or find_box_folders():
        with show_progress(f"switches of {name}") as progress:
            measured.append(measure_switch_coverage(name, games, progress, only))
        if not as_json:
            print_switch_coverage(measured[-1])
    if as_json:
        print_json("check-switches", build_switch_coverage_answer(measured))
    return ANSWER_IS_NO if any(coverage.untested for coverage in measured) else DONE
