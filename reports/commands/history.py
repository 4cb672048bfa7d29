"""The command `history`: how win rates changed from commit to commit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.commands.common import print_json
from hardmode.reports.commands.options import ConfidenceOption, JsonOption


def show_past_win_rates(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCENARIO]...",
            help="Scenario files, shipped names or result files. Without any, all shipped "
            "scenarios are shown.",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "-o", metavar="FILE", help="Draw the history of one scenario, as .svg or .png."
        ),
    ] = None,
    confidence: ConfidenceOption = 0.95,
    as_json: JsonOption = False,
) -> None:
    """Show what baselines and results held in each commit of the repository.

    Example: [bold]hardmode history mine.yaml -o history.svg[/bold]
    """
    from hardmode.reports.console import history as console
    from hardmode.studies.history.history import load_history

    if picture:
        console.check_picture_path(picture)
        if len(names or []) != 1:
            raise typer.BadParameter("a picture shows one scenario; give its name", param_hint="-o")
    histories = load_history(names or [], confidence)
    if picture:
        console.draw_history(histories[0], picture)
    if as_json:
        from hardmode.reports.json.history import build_history_answer

        print_json("history", build_history_answer(histories))
    else:
        console.print_history(histories)
