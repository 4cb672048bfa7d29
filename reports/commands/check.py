"""The command `check`: compare scenarios with their baselines and expectations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hardmode.reports.cli_types import number_between, parse_game_count, parse_precision
from hardmode.reports.commands.common import print_json, print_notes
from hardmode.reports.commands.options import (
    BoxOption,
    DetailsOption,
    JsonOption,
    MarginOption,
    ThreadsOption,
)
from hardmode.reports.exit_codes import DONE, WRONG_INPUT

if TYPE_CHECKING:
    from hardmode.studies.gate.run import GateRun


def check_scenarios(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCENARIO]...",
            help="Scenario files or shipped names. Without any, all shipped baselines are checked.",
        ),
    ] = None,
    plan: Annotated[
        bool,
        typer.Option(
            "--plan",
            help="Play nothing. Print what the check will do, and how likely each verdict is.",
        ),
    ] = False,
    margin: MarginOption = None,
    alpha: Annotated[
        float,
        typer.Option(
            help="The chance that a check fails although nothing changed.",
            parser=number_between(1e-6, 0.49),
            metavar="SHARE",
        ),
    ] = 0.01,
    beta: Annotated[
        float,
        typer.Option(
            help="The chance that a change beyond the margin passes.",
            parser=number_between(1e-6, 0.49),
            metavar="SHARE",
        ),
    ] = 0.05,
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The largest number of games of a cell. (default: as many as the baseline has)",
        ),
    ] = None,
    flips: Annotated[
        float,
        typer.Option(
            parser=parse_precision,
            metavar="SHARE",
            help="For --plan, the share of games whose outcome a change flips.",
        ),
    ] = "10%",  # type: ignore[assignment]
    expectations: Annotated[
        bool,
        typer.Option(
            "--expect-only", help="Check only the expectations (expect:), without baselines."
        ),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print a line for every cell of a grid.")
    ] = False,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the verdicts as JUnit XML.")
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the verdicts as Markdown, as for the step summary of a workflow.",
        ),
    ] = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Check whether a change moved the game: compare scenarios with baselines and expectations.

    The exit code is 0 if all is fine, 1 if a game changed or an expectation was missed, 2 if an
    input is broken, and 3 if the games played do not settle it.

    Example: [bold]hardmode check --junit check.xml[/bold]
    """
    from hardmode.reports.gate import ci_files, verdicts
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.gate.prepare import prepare_run
    from hardmode.studies.gate.run import GateConfig

    config = GateConfig(alpha, beta, margin, games, expectations, threads, box)
    prepared = prepare_run(files or [], config)
    print_notes(*(checks.scenario for checks in prepared.scenarios))
    if plan:
        print_plan(prepared, flips, as_json)
        raise typer.Exit(WRONG_INPUT if prepared.refused else DONE)
    ci_files.check_output_paths(junit, summary)
    with show_progress("check") as step:
        report = verdicts.run_checks(prepared, step)
    if as_json:
        from hardmode.reports.json.check import build_check_answer

        print_json("check", build_check_answer(report))
    else:
        from hardmode.reports.console.check import print_check_report

        print_check_report(report, verbose, details)
    ci_files.write_ci_files(report, junit, summary)
    raise typer.Exit(report.exit_code)


def print_plan(prepared: GateRun, flips: float, as_json: bool) -> None:
    """Print what a check will do, and how likely each verdict is."""
    from hardmode.studies.gate.power import forecast_power

    forecast = forecast_power(prepared, flips)
    if as_json:
        from hardmode.reports.json.check_plan import build_check_plan_answer

        print_json("check-plan", build_check_plan_answer(forecast))
    else:
        from hardmode.reports.console.check_plan import print_check_plan

        print_check_plan(forecast)
