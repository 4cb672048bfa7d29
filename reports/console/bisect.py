"""Output of `bisect`."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from hardmode.reports.console.history import format_cell_and_seat
from hardmode.reports.console.terminal import out
from hardmode.reports.console.wording import format_games
from hardmode.studies.gate.checks import format_difference
from hardmode.studies.history.bisect import SKIPPED, BisectSearch, CommitVerdict


def print_search(search: BisectSearch) -> None:
    """Print the verdict on each commit that was played, and the answer in words."""
    title = escape(f"{search.scenario}, compared with {search.good}")
    table = Table(header_style="bold", title=title, title_justify="left")
    for header in ("commit", "verdict", "variant", "won, %", "difference"):
        table.add_column(header)
    for step in sorted(search.steps, key=lambda step: search.commits.index(step.commit)):
        commit, side = escape(str(step.commit)), escape(format_cell_and_seat(step))
        table.add_row(commit, step.verdict, side, *_format_change(step))
    out.print(table)
    for line in describe_search(search):
        out.print(escape(line))


def _format_change(step: CommitVerdict) -> tuple[str, str]:
    """Return the win rates before and after, and their difference or the reason for its lack."""
    if step.difference is None:
        return "", escape(step.reason)
    difference = f"{format_difference(step.difference)}, {format_games(step.difference.n)}"
    return f"{100 * step.rate_before:.1f} -> {100 * step.rate_after:.1f}", difference


def describe_search(search: BisectSearch) -> list[str]:
    """Return the answer in words."""
    if search.culprit:
        step = next(step for step in search.steps if step.commit == search.culprit)
        rates, difference = _format_change(step)
        return [f"{search.culprit} changed it: {rates} % won, {difference}"]
    if search.has_moved:
        return [
            f"one of {len(search.suspects)} commits changed it; those between could not be judged:",
            *(f"  {commit}" for commit in search.suspects),
        ]
    last = search.steps[0]
    if last.verdict == SKIPPED:
        return [f"{last.commit} cannot play it: {last.reason}"]
    difference = _format_change(last)[1]
    return [f"{last.commit} does not differ significantly from {search.good}: {difference}"]
