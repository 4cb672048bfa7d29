"""Output of `accept`."""

from __future__ import annotations

from rich.markup import escape

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_games
from hardmode.sim.files.paths import shorten_path
from hardmode.studies.gate.accept import AcceptResult

STATUS_WIDTH = 14  # characters


def print_accepted_baseline(result: AcceptResult) -> None:
    """Print which baseline was recorded, and the win rates that differ from the one before."""
    before, after = result.before, result.after
    games = format_games(after.games)
    if len(after.cells) > 1:
        games += f" in each of {len(after.cells)} cells"
    if after.box:
        games += f", with the box {after.box}"
    text = f"{result.scenario}  {games}; {shorten_path(result.path)}"
    out.print(f"{result.status.ljust(STATUS_WIDTH)} {escape(text)}", soft_wrap=True)
    old_percents = {cell.cell: cell.win_percent for cell in before.cells} if before else {}
    for cell in after.cells:
        old = old_percents.get(cell.cell)
        if old is not None and old != cell.win_percent:
            name = f"{escape(cell.cell)}: " if cell.cell else ""
            out.print(f"  {name}{old:.2f} % -> {cell.win_percent:.2f} %", soft_wrap=True)
