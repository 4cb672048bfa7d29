"""Plots over a number: histograms, curves, and the chance to win in the course of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import ceil, isfinite
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator

from hardmode.reports.plots import style
from hardmode.reports.plots.style import COLORS
from hardmode.studies.stats import formatting

HEIGHT = 236  # pixels
MAX_MARKED = 25  # points of a curve: a longer one has no markers
MAX_ROUNDS = 12  # that are numbered below the chance to win


def plot_histogram(ax: Axes | None, data: Mapping[str, Any], width: float = style.WIDE) -> Axes:
    """Plot one or several histograms over the same values, stacked.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        data: Data of `model.make_histogram`: the smallest value of each bar (x), the number of its
            values (width), series with name, color role and shares (y), and the axes' labels.
        width: Width of a figure of its own in pixels.
    """
    axis, each, series = data["axis"], data["width"], data["series"]
    middles = [x + (each - 1) / 2 for x in data["x"]]
    room = 0.43 * each + 0.05 * (middles[-1] - middles[0])
    with style.use_style():
        axes = style.create_axes(ax, width)
        axes.set(xlabel=axis, ylabel=f"{data['height']}, %")
        axes.set_xlim(middles[0] - room, middles[-1] + room)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1, **style.ROUND_STEPS))
        axes.grid(axis="y")
        highest = 1.0
        for i, (x, middle) in enumerate(zip(data["x"], middles, strict=True)):
            bottom, values = 0.0, f"{x:g}" if each == 1 else f"{x:g} to {x + each - 1:g}"
            for one in series:
                share, color = 100 * one["y"][i], COLORS[one["role"]]
                if share:
                    corner = (middle - 0.43 * each, bottom)
                    bar = axes.add_patch(Rectangle(corner, 0.86 * each, share, color=color))
                    shown = f"{axis} {values}, {one['name']}: {share:.1f} % of games"
                    style.set_tooltip(bar, shown)
                bottom += share
            highest = max(highest, 1.05 * bottom)
        axes.set_ylim(0, highest)
        legend = [Patch(color=COLORS[one["role"]], label=one["name"]) for one in series]
        return style.finish_plot(axes, ax is None, HEIGHT, legend if len(series) > 1 else ())


def plot_curves(ax: Axes | None, data: Mapping[str, Any], width: float = style.WIDE) -> Axes:
    """Plot curves with bands of their intervals.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        data: Data of `model.make_line_plot`: series with name, color role, x and estimates; the
            axes' labels; whether the values are shares; a mark with its interval.
        width: Width of a figure of its own in pixels.
    """
    series, mark = data["series"], data.get("mark")
    places = sorted({x for one in series for x in one["x"]})
    room = 0.02 * (places[-1] - places[0]) or 0.5
    left, right = places[0] - room, places[-1] + room
    with style.use_style():
        axes = style.create_axes(ax, width)
        heights = (0, 102) if data["share"] else _choose_heights(series)
        axes.set(xlim=(left, right), ylim=heights, xlabel=data["axis"])
        axes.set_ylabel(data["height"] + (", %" if data["share"] else ""))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1, **style.ROUND_STEPS))
        axes.grid(axis="y")
        if mark is not None:
            color, ends = COLORS["muted"], [max(left, min(x, right)) for x in data["mark_ends"]]
            axes.axvspan(*ends, color=color, alpha=0.16, zorder=0.5)
            axes.axvline(mark, color=color, linewidth=style.THIN)
            side = 5 if mark < (left + right) / 2 else -5
            place: Any = {"xycoords": axes.get_xaxis_transform(), "xytext": (side, -8)}
            style.add_note(axes, data["mark_text"], (mark, 1), side, **place)
        for one in series:
            marker = style.MARKERS.get(one["role"], "o") if len(one["x"]) <= MAX_MARKED else ""
            _plot_curve(axes, one, len(series) > 1, 100 if data["share"] else 1, marker)
        _add_column_tooltips(axes, data, places)
        return style.finish_plot(axes, ax is None, HEIGHT)


def _choose_heights(series: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    known = [e for one in series for e in one["estimates"]]
    ends = [end for e in known for end in (e.low, e.value, e.high) if isfinite(end)] or [0.0]
    room = 0.05 * (max(ends) - min(ends)) or 0.5
    return min(ends) - room, max(ends) + room


def _plot_curve(
    ax: Axes, curve: Mapping[str, Any], is_named: bool, scale: float, marker: str = ""
) -> None:
    """Draw values and, behind them, the band of their intervals."""
    color, role = COLORS[curve["role"]], curve["role"]
    found = zip(curve["x"], curve["estimates"], strict=True)
    points = [(x, e) for x, e in found if isfinite(e.value)]
    bounded = [(x, e) for x, e in points if isfinite(e.half_width)]
    lower, upper = ([scale * getattr(e, end) for _, e in bounded] for end in ("low", "high"))
    x = [x for x, _ in bounded]
    ax.fill([*x, *reversed(x)], [*lower, *reversed(upper)], color=color, alpha=0.22)
    line: Any = {"linestyle": style.DASHES.get(role, "-"), "marker": marker, "markersize": 5.6}
    label = curve["name"] if is_named else ""
    values = [scale * e.value for _, e in points]
    ax.plot([x for x, _ in points], values, color=color, label=label, zorder=3, **line)


def _add_column_tooltips(ax: Axes, data: Mapping[str, Any], places: Sequence[float]) -> None:
    """Add a tooltip with the values of all curves at each position of the axis."""
    series, kind = data["series"], "rate" if data["share"] else "mean"
    decimals = formatting.choose_common_decimals([e for s in series for e in s["estimates"]], kind)
    texts: dict[float, list[str]] = {place: [] for place in places}
    for one in series:
        for x, e in zip(one["x"], one["estimates"], strict=True):
            label = one["name"] or data["height"]
            texts[x].append(style.format_tooltip(label, e, kind, decimals))
    left, right = ax.get_xlim()
    edges = [left, *((a + b) / 2 for a, b in pairwise(places)), right]
    for x, ends in zip(places, pairwise(edges), strict=True):
        column = ax.axvspan(*ends, facecolor="none")
        style.set_tooltip(column, f"{data['axis']} {x:g}: {'; '.join(texts[x])}")


def plot_win_chance(ax: Axes | None, data: Mapping[str, Any], width: float = style.BROAD) -> Axes:
    """Plot the chance to win over the steps of a game.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        data: Data of `model.make_win_chance_plot`: series with name, color role, x (steps) and
            estimates; the step at which each round begins, and its label; step, chance and number
            of each turning point; the label of the axis.
        width: Width of a figure of its own in pixels.
    """
    series, last = data["series"], max(1, data["series"][0]["x"][-1])
    rounds = data["rounds"][:: max(1, ceil(len(data["rounds"]) / MAX_ROUNDS))]
    with style.use_style():
        axes = style.create_axes(ax, width)
        axes.set(xlim=(0, last), ylim=(-2, 102), xlabel=data["axis"], ylabel="chance to win, %")
        axes.set_xticks([x for x, _ in rounds], [label for _, label in rounds])
        axes.grid()
        for one in series:
            _plot_curve(axes, one, len(series) > 1, 100)
        turns, room = sorted(data["turns"]), 17 * last / (style.measure_width(axes) - 60)
        text: Any = {"size": style.SMALL, "weight": "bold", "color": COLORS["on-deep"]}
        for x, turn in zip(_spread([turn[0] for turn in turns], room, last), turns, strict=True):
            y = 100 * turn[1]
            axes.plot(x, y, "o", markersize=16, color=COLORS["ink"], clip_on=False, zorder=4)
            axes.text(x, y, turn[2], zorder=5, **text, **style.CENTERED)
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
