"""Plots over a number: histograms, curves, and the chance to win in the course of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from hardmode.reports.plots import style
from hardmode.reports.plots.style import COLORS, Range, Rows, plot_in_style

DASHES = {"b": "--", "c": "-.", "d": ":"}  # of lines, by color role
MAX_POINTS = 40  # of a curve: a longer one has no markers and tooltips
TURN = 20  # pixels from number to number of turning points
MAX_ROUNDS = 12  # that are numbered below the chance to win


@plot_in_style
def plot_histogram(
    ax: Axes, x: Sequence[int], width: int, series: Rows, axis: str, height: str
) -> Axes:
    """Plot one or several histograms over the same values, stacked.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        x: Smallest value of each bar.
        width: Number of values of each bar.
        series: Histograms with name, color role and shares (y).
        axis: Label of the horizontal axis.
        height: Label of the vertical axis.
    """
    more = width - 1
    labels = [f"{axis} {first} to {first + more}" if more else f"{axis} {first}" for first in x]
    ax.set(xlabel=axis, ylabel=f"{height}, %")
    style.stack_bars(ax.bar, np.array(x) + more / 2, 0.86 * width, series, labels)
    ax.locator_params(axis="x", integer=True, min_n_ticks=1)
    return ax


@plot_in_style
def plot_curves(
    ax: Axes,
    series: Rows,
    axis: str,
    height: str,
    share: bool = False,
    mark: float | None = None,
    mark_text: str = "",
    mark_ends: Range = (0, 0),
    rounds: Sequence[Any] = (),
    turns: Sequence[Any] = (),
) -> Axes:
    """Plot curves with bands of their intervals, such as the chance to win in a game.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        series: Curves with name, color role, x and estimates.
        axis: Label of the horizontal axis.
        height: Label of the vertical axis.
        share: Whether the values are shares of 1.
        mark: Position of a vertical line.
        mark_text: Explanation of that line.
        mark_ends: Interval around that line.
        rounds: Positions with a label: the steps of a game at which its rounds begin.
        turns: Position, value and number of each turning point.
    """
    kind, scale = ("rate", 100) if share else ("mean", 1)
    ax.set(xlabel=axis, ylabel=height + (", %" if share else ""))
    ax.axhline(0)  # so that the axis begins at zero
    ax.locator_params(axis="x", integer=True, min_n_ticks=1)
    if mark:
        ax.axvspan(*mark_ends)
        ax.axvline(mark, label=mark_text)
    for curve in series:
        role, found = curve["role"], curve["estimates"]
        ends = np.array([(e.value, e.low, e.high) for e in found])
        values, low, high = scale * ends.T
        ax.fill_between(curve["x"], low, high, facecolor=COLORS[role], alpha=0.22)
        line = {"color": COLORS[role], "linestyle": DASHES.get(role), "label": curve["name"]}
        ax.plot(curve["x"], values, **line)
        if len(found) > MAX_POINTS:
            continue
        for x, y, e in zip(curve["x"], values, found, strict=True):
            label = f"{curve['name'] or height}, {axis} {x:g}"
            tooltip = style.format_tooltip(label, e, kind)
            ax.plot(x, y, ".", color=COLORS[role], gid=tooltip)
    if rounds:
        ticks = dict(rounds[:: 1 + len(rounds) // MAX_ROUNDS])
        ax.set_xticks(list(ticks), list(ticks.values()))
    dark, light = COLORS["ink"], COLORS["paper"]
    circle, leader = {"boxstyle": "circle", "color": dark}, {"arrowstyle": "-", "color": dark}
    for i, (x, value, number) in enumerate(sorted(turns)):
        up = TURN * (1 + i % 3) * (1 if value < 0.5 else -1)  # so that none is over another
        note: Any = {"bbox": circle, "arrowprops": leader, "color": light, "ha": "center"}
        ax.annotate(number, (x, 100 * value), (0, up), textcoords="offset points", **note)
    return ax
