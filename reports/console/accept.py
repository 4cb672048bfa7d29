"""Output of `accept`."""

from __future__ import annotations

from rich.markup import escape

from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_games
from hardmode.sim.files.paths import shorten_path
from hardmode.studies.gate.accept import AcceptResult
from hardmode.studies.gate.baselines import Baseline

STATUS_WIDTH = 14  # characters


def print_accepted_baseline(result: AcceptResult) -> None:
    """Print which baseline was recorded, and the win rates that differ from the one before."""
    status = result.status.ljust(STATUS_WIDTH)
    games = escape(_describe_games(result.after))
    path = escape(str(shorten_path(result.path)))
    out.print(f"{status} {escape(result.scenario)}  {games}; {path}", soft_wrap=True)
    if result.before:
        for line in _describe_changes(result.before, result.after):
            out.print(f"  {escape(line)}", soft_wrap=True)


def _describe_games(baseline: Baseline) -> str:
    text = format_games(baseline.games)
    if len(baseline.cells) > 1:
        text += f" in each of {len(baseline.cells)} cells"
    if baseline.box:
        text += f", with the box {baseline.box}"
    return text


def _describe_changes(before: Baseline, after: Baseline) -> list[str]:
    """Return the win rates that differ, one line for each cell."""
    old_percents = {cell.cell: cell.win_percent for cell in before.cells}
    lines = []
    for cell in after.cells:
        old = old_percents.get(cell.cell)
        if old is None or old == cell.win_percent:
            continue
        change = f"{old:.2f} % -> {cell.win_percent:.2f} %"
        lines.append(f"{cell.cell}: {change}" if cell.cell else change)
    return lines
