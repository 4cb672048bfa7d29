"""Output of `reproduce`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_games
from hardmode.studies.core.saved_results import Reproduction


def print_reproductions(reproductions: Sequence[Reproduction]) -> None:
    """Print for each cell whether its games end as they did."""
    for cell in reproductions:
        verdict = "[green]the same[/green]" if cell.is_same else "[red]not the same[/red]"
        changed = ""
        if cell.changed_inputs:
            changed = f"; changed since: {', '.join(cell.changed_inputs)}"
        out.print(
            f"{escape(cell.name)}: {format_games(cell.games)}, {verdict} "
            f"({cell.saved_digest}, now {cell.new_digest}){changed}"
        )
