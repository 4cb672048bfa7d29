"""Plots over a number: histograms, curves, and the chance to win in the course of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil, isfinite
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from hardmode.reports.plots import style
from hardmode.reports.plots.style import COLORS
from hardmode.studies.stats import formatting

HEIGHT = 236  # pixels
MAX_MARKED = 25  # points of a curve: a longer one has no markers
MAX_ROUNDS = 12  # that are numbered below the chance to win


def plot_histogram(
    ax: Axes | None,
    x: Sequence[float],
    series: Sequence[Mapping[str, Any]],
    axis: str,
    height: str = "share of games",
    bin_width: int = 1,
    width: float = style.WIDE,
) -> Axes:
    """Plot one or several histograms over the same values, stacked.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        x: Smallest value of each bar.
        series: Histograms with the keys name, role and y (shares of 1).
        axis: Label of the horizontal axis.
        height: Label of the vertical axis.
        bin_width: Number of values of each bar.
        width: Width of a figure of its own in pixels.
    """
    middles = [value + (bin_width - 1) / 2 for value in x]
    room = 0.43 * bin_width + 0.05 * (middles[-1] - middles[0])
    with style.use_style():
        axes = style.create_axes(ax, width)
        axes.set_xlim(middles[0] - room, middles[-1] + room)
        axes.set_xlabel(axis)
        axes.set_ylabel(f"{height}, %")
        axes.grid(axis="y")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, **style.ROUND_STEPS))
        legend, bottom = [], [0.0] * len(middles)
        for one in series:
            shares = [100 * share for share in one["y"]]
            color = COLORS[one["role"]]
            legend.append(Patch(color=color, label=one["name"]))
            bars = axes.bar(middles, shares, 0.86 * bin_width, bottom, color=color)
            for value, bar, share in zip(x, bars, shares, strict=True):
                if not share:
                    bar.remove()
                    continue
                last = value + bin_width - 1
                values = f"{value:g} to {last:g}" if bin_width > 1 else f"{value:g}"
                tooltip = f"{axis} {values}, {one['name']}: {share:.1f} % of games"
                style.set_tooltip(bar, tooltip)
            bottom = [start + share for start, share in zip(bottom, shares, strict=True)]
        axes.set_ylim(0, 1.05 * max(bottom, default=0) or 1)
        return style.finish_plot(axes, ax is None, HEIGHT, legend if len(series) > 1 else [])


def plot_curves(
    ax: Axes | None,
    series: Sequence[Mapping[str, Any]],
    axis: str,
    height: str,
    share: bool = False,
    mark: float | None = None,
    mark_text: str = "",
    mark_ends: tuple[float, float] = (0, 0),
    width: float = style.WIDE,
) -> Axes:
    """Plot curves with bands of their intervals.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        series: Curves with the keys name, role, x and estimates.
        axis: Label of the horizontal axis.
        height: Label of the vertical axis.
        share: Whether the values are shares of 1.
        mark: Position of a vertical line.
        mark_text: Explanation of that line.
        mark_ends: Interval around that line.
        width: Width of a figure of its own in pixels.
    """
    places = sorted({x for one in series for x in one["x"]})
    room = 0.02 * (places[-1] - places[0]) or 0.5
    left, right = places[0] - room, places[-1] + room
    with style.use_style():
        axes = style.create_axes(ax, width)
        axes.set_xlim(left, right)
        axes.set_ylim(*((0, 102) if share else _choose_heights(series)))
        axes.set_xlabel(axis)
        axes.set_ylabel(f"{height}, %" if share else height)
        axes.grid(axis="y")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, **style.ROUND_STEPS))
        if mark is not None:
            color = COLORS["muted"]
            ends = [min(max(end, left), right) for end in mark_ends]
            axes.axvspan(*ends, color=color, alpha=0.16, zorder=0.5)
            axes.axvline(mark, color=color, linewidth=style.THIN)
            is_left = mark < (left + right) / 2
            axes.annotate(
                mark_text,
                (mark, 1),
                (5 if is_left else -5, -8),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                ha="left" if is_left else "right",
                va="center",
                color=color,
                size=style.SMALL,
            )
        for one in series:
            marker = style.MARKERS.get(one["role"], "o") if len(one["x"]) <= MAX_MARKED else ""
            label = one["name"] if len(series) > 1 else ""
            _plot_curve(axes, one, 100 if share else 1, label=label, marker=marker)
        _add_column_tooltips(axes, series, places, f"{axis} ", height, "rate" if share else "mean")
        return style.finish_plot(axes, ax is None, HEIGHT)


def _choose_heights(series: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    known = [e for one in series for e in one["estimates"]]
    ends = [end for e in known for end in (e.low, e.value, e.high) if isfinite(end)] or [0.0]
    room = 0.05 * (max(ends) - min(ends)) or 0.5
    return min(ends) - room, max(ends) + room


def _plot_curve(ax: Axes, curve: Mapping[str, Any], scale: float, **options: Any) -> None:
    """Draw values and, behind them, the band of their intervals."""
    found = zip(curve["x"], curve["estimates"], strict=True)
    points = [(x, e) for x, e in found if isfinite(e.value)]
    x, color = [x for x, _ in points], COLORS[curve["role"]]
    bounded = [(x, e) for x, e in points if isfinite(e.half_width)]
    band = [(x, scale * e.low) for x, e in bounded]
    band += [(x, scale * e.high) for x, e in reversed(bounded)]
    if band:
        ax.fill(*zip(*band, strict=True), color=color, alpha=0.22)
    dashes = style.DASHES.get(curve["role"], "-")
    values = [scale * e.value for _, e in points]
    options |= {"markersize": 5.6, "zorder": 3}  # above the spines
    ax.plot(x, values, color=color, linestyle=dashes, clip_on=False, **options)


def _add_column_tooltips(
    ax: Axes,
    series: Sequence[Mapping[str, Any]],
    places: Sequence[float],
    prefix: str,
    height: str,
    kind: str,
) -> None:
    """Add a tooltip with the values of all curves at each position of the axis."""
    decimals = formatting.choose_common_decimals([e for s in series for e in s["estimates"]], kind)
    texts: dict[float, list[str]] = {place: [] for place in places}
    for one in series:
        for x, e in zip(one["x"], one["estimates"], strict=True):
            text = style.format_tooltip(one["name"] or height, e, kind, decimals)
            texts[x].append(text)
    left, right = ax.get_xlim()
    edges = [left, *((a + b) / 2 for a, b in pairwise(places)), right]
    for x, (start, end) in zip(places, pairwise(edges), strict=True):
        column = ax.axvspan(start, end, facecolor="none")
        style.set_tooltip(column, f"{prefix}{x:g}: {'; '.join(texts[x])}")


def plot_win_chance(
    ax: Axes | None,
    series: Sequence[Mapping[str, Any]],
    rounds: Sequence[tuple[int, str]],
    turns: Sequence[tuple[int, float, str]],
    axis: str,
    width: float = style.BROAD,
) -> Axes:
    """Plot the chance to win over the steps of a game.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        series: Curves with the keys name, role, x (steps) and estimates (shares of 1).
        rounds: Step at which each round begins, and its label.
        turns: Step, chance and number of each turning point.
        axis: Label of the horizontal axis.
        width: Width of a figure of its own in pixels.
    """
    last = max(1, series[0]["x"][-1])
    every = max(1, ceil(len(rounds) / MAX_ROUNDS))
    with style.use_style():
        axes = style.create_axes(ax, width)
        axes.set_xlim(0, last)
        axes.set_ylim(-2, 102)
        axes.set_xticks([x for x, _ in rounds[::every]], [label for _, label in rounds[::every]])
        axes.set_xlabel(axis)
        axes.set_ylabel("chance to win, %")
        axes.grid()
        for one in series:
            _plot_curve(axes, one, 100, label=one["name"] if len(series) > 1 else "")
        room = 17 * last / (style.measure_width(axes) - 60)
        in_order = sorted(turns)
        places = _spread([x for x, _, _ in in_order], room, last)
        for x, (_, chance, number) in zip(places, in_order, strict=True):
            axes.plot(x, 100 * chance, "o", markersize=16, color=COLORS["ink"], clip_on=False)
            options: Any = {"size": style.SMALL, "weight": "bold", "color": COLORS["on-deep"]}
            axes.text(x, 100 * chance, number, ha="center", va="center_baseline", **options)
        return style.finish_plot(axes, ax is None, HEIGHT)


def _spread(places: Sequence[float], room: float, last: float) -> list[float]:
    """Return positions that are at least `room` apart, none above `last`."""
    found: list[float] = []
    for x in places:
        found.append(max(x, found[-1] + room if found else x))
    for i in range(len(found) - 1, -1, -1):
        found[i] = min(found[i], last)
        last = found[i] - room
    return found
