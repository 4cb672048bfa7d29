"""`run` and `compare` with `--fit`: forecasts for the people whose games were fitted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hardmode.reports.commands.common import print_json
from hardmode.reports.exit_codes import print_message

if TYPE_CHECKING:
    from hardmode.scenarios.load import Scenario
    from hardmode.studies.core.run import Effort


def refuse_other_options(**options: Any) -> None:
    """Refuse options that contradict `--fit`, or that forecasts do not have.

    Raises:
        typer.BadParameter: One of the options was given.
    """
    for name, value in options.items():
        if value:
            raise typer.BadParameter(
                f"--{name.replace('_', '-')} cannot be combined with --fit, which says who plays "
                "and plays for everything that the fit found plausible"
            )


def run_with_fit(
    scenario: Scenario,
    fit: Path,
    effort: Effort,
    xlsx: Path | None,
    as_json: bool,
    details: bool = False,
) -> None:
    """Forecast how the fitted players would fare in each cell of a scenario, and print it."""
    from hardmode.reports import workbook
    from hardmode.reports.console import fit as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.playtests.fit import fit_file
    from hardmode.studies.playtests.fit.posterior_predictive import forecast_scenario

    file = fit_file.read_fit(fit, scenario)
    with show_progress(scenario.title) as step:
        forecasts = forecast_scenario(scenario, file.beliefs, effort, step)
    if xlsx:
        about = console.describe_forecast_inputs(forecasts, file, effort.seed)
        workbook.write_workbook(xlsx, console.make_forecast_tables(forecasts), about)
        print_message(str(xlsx))
    if as_json:
        from hardmode.reports.json.fitted_players import build_forecast_answer

        print_json("run-as", build_forecast_answer(forecasts, file, scenario.name))
    else:
        console.print_forecast(forecasts, file, details)


def compare_with_fit(
    a: Scenario, b: Scenario, fit: Path, effort: Effort, xlsx: Path | None, as_json: bool
) -> None:
    """Forecast how the fitted players would fare under A and under B, and print the difference.

    Raises:
        typer.BadParameter: A and B have different numbers of cells.
    """
    from hardmode.reports import workbook
    from hardmode.reports.console import fit as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.core.progress import subprogress
    from hardmode.studies.playtests.fit import fit_file, posterior_predictive

    if len(a.cells) != len(b.cells):
        raise typer.BadParameter(
            f"A has {len(a.cells)} cells and B has {len(b.cells)}; "
            "they cannot be compared cell by cell"
        )
    file = fit_file.read_fit(fit, a)
    for cell in b.cells:
        file.check_matches(cell)
    forecasts = []
    with show_progress(f"{a.title} against {b.title}") as step:
        for i, scenario in enumerate((a, b)):
            progress = subprogress(step, i, 2)
            forecasts.append(
                posterior_predictive.forecast_scenario(scenario, file.beliefs, effort, progress)
            )
    differences = posterior_predictive.compare_forecasts(*forecasts)
    if xlsx:
        about = console.describe_forecast_inputs(forecasts[0], file, effort.seed)
        workbook.write_workbook(xlsx, console.make_difference_tables(differences), about)
        print_message(str(xlsx))
    if as_json:
        from hardmode.reports.json.fitted_players import build_forecast_comparison_answer

        print_json("compare-as", build_forecast_comparison_answer(differences, file))
    else:
        console.print_forecast_difference(differences, file)
