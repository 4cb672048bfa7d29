"""The command `reproduce`: play a result again and compare."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.commands.common import print_json
from hardmode.reports.commands.options import JsonOption, ThreadsOption
from hardmode.reports.exit_codes import ANSWER_IS_NO


def reproduce_result(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A result file.")],
    trust: Annotated[
        bool,
        typer.Option("--trust", help="Run the code files of strategies that the result names."),
    ] = False,
    threads: ThreadsOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Play the games of a result again, and check that they end the same way.

    The exit code is 1 if they do not.

    Example: [bold]hardmode reproduce night.json[/bold]
    """
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.core.saved_results import reproduce_result_file

    with show_progress(f"reproducing {file.name}") as step:
        reproductions = reproduce_result_file(file, threads, step, trust=trust)
    if as_json:
        from hardmode.reports.json.reproduce import build_reproduce_answer

        print_json("reproduce", build_reproduce_answer(reproductions))
    else:
        from hardmode.reports.console.reproduce import print_reproductions

        print_reproductions(reproductions)
    if not all(cell.is_same for cell in reproductions):
        raise typer.Exit(ANSWER_IS_NO)
