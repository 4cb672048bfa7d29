"""What `run` and `compare` do with --as: those who played stand in the place of a strategy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hardmode.reports.commands.common import print_json
from hardmode.reports.exit_codes import say

if TYPE_CHECKING:
    from hardmode.scenarios.load import Scenario
    from hardmode.studies.core.run import Effort


def alone(**others: Any) -> None:
    """Refuse what a fit says already, and what forecasts have not."""
    for name, value in others.items():
        if value:
            raise typer.BadParameter(
                f"--{name.replace('_', '-')} does not go with --as, which says who plays and "
                "plays for all that is believed"
            )


def run(found: Scenario, fit: Path, effort: Effort, xlsx: Path | None, as_json: bool) -> None:
    from hardmode.reports import workbook
    from hardmode.reports.console import fit as console_fit
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.playtests.fit import fit_file
    from hardmode.studies.playtests.fit.posterior_predictive import forecast

    file = fit_file.load(fit, found)
    with progress_bar(found.title) as step:
        made = forecast(found, file.beliefs, effort, step)
    if xlsx:
        workbook.write(xlsx, console_fit.forecast_tables(made), console_fit.about(made, file, effort.seed))
        say(str(xlsx))
    print_json(
        "run-as", console_fit.forecast_dict(made, file, found.name)
    ) if as_json else console_fit.show_forecast(made, file)


def compare(
    a: Scenario, b: Scenario, fit: Path, effort: Effort, xlsx: Path | None, as_json: bool
) -> None:
    from hardmode.reports import workbook
    from hardmode.reports.console import fit as console_fit
    from hardmode.reports.progress_bar import progress_bar
    from hardmode.studies.core.progress import part
    from hardmode.studies.playtests.fit import fit_file
    from hardmode.studies.playtests.fit.posterior_predictive import difference, forecast

    if len(a.cells) != len(b.cells):
        raise typer.BadParameter(
            f"A has {len(a.cells)} cells and B {len(b.cells)}: they cannot be compared"
        )
    file = fit_file.load(fit, a)
    for cell in b.cells:
        file.check(cell)
    with progress_bar(f"{a.title} against {b.title}") as step:
        sides = [
            forecast(one, file.beliefs, effort, part(step, i, 2)) for i, one in enumerate((a, b))
        ]
    found = difference(*sides)
    if xlsx:
        workbook.write(
            xlsx, console_fit.difference_tables(found), console_fit.about(sides[0], file, effort.seed)
        )
        say(str(xlsx))
    print_json(
        "compare-as", console_fit.difference_dict(found, file)
    ) if as_json else console_fit.show_difference(found, file)
