"""Plots of results for notebooks, as `hardmode.plot`.

Each function returns matplotlib `Axes`: `ax.set_title("...")`, `ax.figure.savefig("...")` and all
else that matplotlib offers work as usual.

    results = hardmode.play("run_run_run/standard")
    ax = hardmode.plot.endings(results)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

from matplotlib.axes import Axes

from hardmode.reports.plots.curves import plot_histogram
from hardmode.reports.plots.rows import plot_estimates, plot_shares
from hardmode.scenarios.labels import format_label
from hardmode.sim.results.result import Result
from hardmode.studies.comparison.compare import Comparison
from hardmode.studies.core.frames import list_cells
from hardmode.studies.stats.estimates import DEFAULT_CONFIDENCE


def win_rates(
    results: Sequence[Result], ax: Axes | None = None, confidence: float = DEFAULT_CONFIDENCE
) -> Axes:
    """Plot the win rate of each cell with its interval.

    Args:
        results: Results of the cells.
        ax: Axes to draw in, or None for a figure of its own.
        confidence: Confidence of all intervals together.
    """
    rows = []
    for result, cell in zip(results, list_cells(results, confidence), strict=True):
        rows.append({"label": name_cell(result), "estimate": cell["win_rate"]})
    return plot_estimates(ax, rows, "rate", "win rate")


def name_cell(result: Result) -> str:
    """Return the label of a cell, or the title of a scenario of one cell."""
    return format_label(result.label) or result.title


def endings(results: Sequence[Result], ax: Axes | None = None) -> Axes:
    """Plot how often the games of each cell end in each way.

    Args:
        results: Results of the cells.
        ax: Axes to draw in, or None for a figure of its own.
    """
    rows = [{"label": name_cell(result)} for result in results]
    counts = [result.tally.count_endings() for result in results]
    series = []
    names = results[0].game.all_endings
    for name, role in zip_longest(names, "abcdefgh"[: len(names)], fillvalue="other"):
        shares = [count[name] / max(1, sum(count.values())) for count in counts]
        series.append({"name": name, "role": role, "y": shares})
    return plot_shares(ax, rows, series)


def lengths(results: Sequence[Result], ax: Axes | None = None) -> Axes:
    """Plot the length of the games of all cells together.

    Args:
        results: Results of the cells.
        ax: Axes to draw in, or None for a figure of its own.
    """
    games: Counter[int] = Counter()
    for result in results:
        games.update(result.tally.count_values("rounds"))
    rounds = range(min(games), max(games) + 1)
    shares = [games[number] / games.total() for number in rounds]
    series = [{"name": "all games", "role": "a", "y": shares}]
    return plot_histogram(ax, rounds, 1, series, results[0].game.unit, "share of games")


def differences(comparisons: Sequence[Comparison], ax: Axes | None = None) -> Axes:
    """Plot the difference between two variants in each cell of a comparison.

    Args:
        comparisons: Comparisons, as `hardmode.compare` returns them.
        ax: Axes to draw in, or None for a figure of its own.
    """
    rows = []
    for comparison in comparisons:
        label = comparison.a.label_text or "B less A"
        rows.append({"label": label, "estimate": comparison.difference})
    return plot_estimates(ax, rows, "points", "difference of the win rates, in points")
