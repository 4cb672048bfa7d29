"""Plots of results for notebooks, as `hardmode.plot`.

Each function returns matplotlib `Axes`: `ax.set_title("...")`, `ax.figure.savefig("...")` and all
else that matplotlib offers work as usual.

    results = hardmode.play("run_run_run/standard")
    ax = hardmode.plot.endings(results)
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from hardmode.reports.plots.curves import plot_histogram
from hardmode.reports.plots.rows import plot_estimates, plot_shares
from hardmode.scenarios.labels import format_label
from hardmode.sim.results.result import Result
from hardmode.studies.comparison.compare import Comparison
from hardmode.studies.core.frames import list_cells
from hardmode.studies.stats.estimates import DEFAULT_CONFIDENCE

ROLES = ("a", "b", "c", "d", "e", "f", "g", "h")


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
    return plot_estimates(ax, {"rows": rows, "kind": "rate", "axis": "win rate"})


def name_cell(result: Result) -> str:
    """Return the label of a cell, or the title of a scenario of one cell."""
    return format_label(result.label) or result.title


def endings(results: Sequence[Result], ax: Axes | None = None) -> Axes:
    """Plot how often the games of each cell end in each way.

    Args:
        results: Results of the cells.
        ax: Axes to draw in, or None for a figure of its own.
    """
    counts = [result.tally.count_endings() for result in results]
    names = [name for name in counts[0] if any(count[name] for count in counts)]
    series = [{"name": n, "role": r} for n, r in zip(names, _list_roles(len(names)), strict=True)]
    rows = []
    for result, count in zip(results, counts, strict=True):
        shares = [count[name] / max(1, result.games) for name in names]
        rows.append({"label": name_cell(result), "games": result.games, "shares": shares})
    return plot_shares(ax, {"rows": rows, "series": series})


def _list_roles(n: int) -> list[str]:
    return [*ROLES[:n], *["other"] * (n - len(ROLES))]


def lengths(results: Sequence[Result], ax: Axes | None = None) -> Axes:
    """Plot the length of the games of all cells together.

    Args:
        results: Results of the cells.
        ax: Axes to draw in, or None for a figure of its own.
    """
    games: dict[int, int] = {}
    for result in results:
        for length, n in result.tally.count_values("rounds").items():
            games[length] = games.get(length, 0) + n
    rounds, total = range(min(games), max(games) + 1), sum(games.values())
    shares = [games.get(value, 0) / total for value in rounds]
    series = [{"name": "all games", "role": "a", "y": shares}]
    axis = {"axis": results[0].game.unit, "height": "share of games"}
    return plot_histogram(ax, {"x": rounds, "width": 1, "series": series, **axis})


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
    axis = "difference of the win rates, in points"
    marked = {"mark": 0.0, "mark_text": ""}
    return plot_estimates(ax, {"rows": rows, "kind": "points", "axis": axis, **marked})
