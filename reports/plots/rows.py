"""Plots with a row for each item: values with intervals, stacked shares, and effects of steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import isfinite, nan
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from hardmode.reports.console import wording
from hardmode.reports.plots import style
from hardmode.reports.plots.style import COLORS
from hardmode.studies.stats import estimates, formatting
from hardmode.studies.stats.estimates import Estimate

STEP_SHARE = 0.32  # of the width that texts at the ends of bars take on each side at most
MIN_LABELED_SHARE = 8  # percent: narrower parts of a bar have no number


def plot_estimates(ax: Axes | None, data: Mapping[str, Any], width: float = style.WIDE) -> Axes:
    """Plot values with their intervals, in one row each.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        data: Data of `model.make_dot_plot`: rows with the keys label and estimate, and optionally
            group; the kind of the estimates; the label of the axis; a band and a mark.
        width: Width of a figure of its own in pixels.
    """
    kind, band, mark = data["kind"], data.get("band"), data.get("mark")
    scale, lines = formatting.SCALES[kind], _insert_headings(data["rows"])
    known = [e for _, e in lines if e]
    decimals = formatting.choose_common_decimals(known, kind)
    with style.use_style():
        axes = style.create_axes(ax, width)
        names = style.wrap_labels([label for label, _ in lines], style.measure_width(axes))
        height = style.compute_row_height(26, names)
        style.set_rows(axes, names, range(len(names)), height)
        low, high = _choose_ends(known, kind, band or ())
        axes.set(xlim=(low, high), ylim=(len(names) - 0.4, -0.6))
        axes.set_xlabel(data["axis"] + (", %" if kind == "rate" else ""))
        axes.grid(axis="x")
        if band:
            ends = [min(max(scale * end, low), high) for end in band]
            axes.axvspan(*ends, color=COLORS["band"], zorder=0.5, label=data["band_text"])
        if mark is not None:
            line: Any = {"color": COLORS["muted"], "linewidth": style.THIN}
            axes.axvline(scale * mark, label=data["mark_text"], **line)
        intervals, values = [], []
        for y, (label, e) in enumerate(lines):
            if e is None:
                _make_bold(axes, names[y])
                continue
            if isfinite(e.value):
                intervals += [(max(scale * e.low, low), y), (min(scale * e.high, high), y)]
                intervals.append((nan, y))
                values.append((scale * e.value, y))
            text = formatting.format_with_interval(e, kind, decimals)
            style.add_note(axes, text, (1, y), 7, xycoords=axes.get_yaxis_transform(), size=12)
            row = axes.axhspan(y - 0.5, y + 0.5, facecolor="none")
            style.set_tooltip(row, style.format_tooltip(label, e, kind, decimals))
        if values:
            axes.plot(*zip(*intervals, strict=True), color=COLORS["a"], linewidth=3.2)
            axes.plot(*zip(*values, strict=True), "o", color=COLORS["a"])
        return style.finish_plot(axes, ax is None, height * len(names) + 46)


def _insert_headings(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, Estimate | None]]:
    """Return labels and estimates, with a heading without an estimate before each group."""
    lines: list[tuple[str, Estimate | None]] = []
    group = None
    for row in rows:
        if row.get("group") and row["group"] != group:
            group = row["group"]
            lines.append((group, None))
        lines.append((row["label"], row["estimate"]))
    return lines


def _make_bold(ax: Axes, lines: Sequence[str]) -> None:
    for label in ax.get_yticklabels():
        if label.get_text() in (*lines, "\n".join(lines)):
            label.set_fontweight("bold")


def _choose_ends(
    found: Sequence[Estimate], kind: str, band: Sequence[float]
) -> tuple[float, float]:
    """Return the ends of the axis: for rates 0 and 100, unless all are small."""
    values = [end for e in found for end in (e.low, e.high)]
    if kind == "rate":
        highest = max([100 * end for end in (*values, *band) if isfinite(end)], default=100)
        end = next((limit for limit in (10, 20, 50) if highest <= 0.9 * limit), 100)
        return -0.02 * end, 1.02 * end  # so that a dot at the very end is whole
    ends = [formatting.SCALES[kind] * end for end in values if isfinite(end)]
    low, high = min([*ends, 0.0]), max([*ends, 0.0])
    room = 0.06 * (high - low or 1)
    return low - room, high + room


def plot_shares(ax: Axes | None, data: Mapping[str, Any], width: float = style.WIDE) -> Axes:
    """Plot shares of games as stacked bars.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        data: Data of `model.make_stacked_bars`: rows with the keys label, games and shares, and
            name and color role of each series.
        width: Width of a figure of its own in pixels.
    """
    rows = data["rows"]
    with style.use_style():
        axes = style.create_axes(ax, width)
        names = style.wrap_labels([row["label"] for row in rows], style.measure_width(axes))
        height = style.compute_row_height(27, names)
        style.set_rows(axes, names, range(len(rows)), height)
        axes.set(xlim=(0, 100), ylim=(len(rows) - 0.45, -0.55), xlabel="share of games, %")
        for y, row in enumerate(rows):
            left = 0.0
            for part, share in zip(data["series"], row["shares"], strict=True):
                if share:
                    label = f"{row['label']}, {part['name']}"
                    rate = estimates.wilson_rate(round(share * row["games"]), row["games"])
                    tooltip = style.format_tooltip(label, rate, "rate")
                    _add_part(axes, y, left, 100 * share, part["role"], tooltip)
                left += 100 * share
        legend = [Patch(color=COLORS[s["role"]], label=s["name"]) for s in data["series"]]
        return style.finish_plot(axes, ax is None, height * len(rows) + 44, legend)


def _add_part(ax: Axes, y: float, left: float, share: float, role: str, tooltip: str) -> None:
    colors: Any = {"facecolor": COLORS[role], "edgecolor": COLORS["paper"], "linewidth": 1}
    style.set_tooltip(ax.add_patch(Rectangle((left, y - 0.36), share, 0.72, **colors)), tooltip)
    if share >= MIN_LABELED_SHARE:
        text: Any = {"size": style.SMALL, **style.CENTERED}
        color = COLORS["on-pale" if role in style.PALE_ROLES else "on-deep"]
        ax.text(left + share / 2, y, f"{share:.0f}", color=color, **text)


def plot_tornado(ax: Axes | None, data: Mapping[str, Any], width: float = style.WIDE) -> Axes:
    """Plot the effects of steps, with a bar for each step of each row.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        data: Data of `model.make_tornado_plot`: rows with the keys label and steps, which are
            pairs of a text and an estimate, and the label of the axis.
        width: Width of a figure of its own in pixels.
    """
    rows = data["rows"]
    with style.use_style():
        axes = style.create_axes(ax, width)
        total = style.measure_width(axes)
        names = style.wrap_labels([row["label"] for row in rows], total)
        height = style.compute_row_height(28, names)
        *tops, n_lanes = accumulate((max(1, *map(len, _split(row))) for row in rows), initial=0)
        style.set_rows(axes, names, tops, height)
        longest = max((len(line) for lines in names for line in lines), default=0)
        room = total - style.LETTER * longest - 30
        bars = list(_iterate_bars(rows, tops, int(STEP_SHARE * room / style.LETTER)))
        axes.set(xlim=_make_room(bars, room), ylim=(n_lanes - 0.4, -0.6), xlabel=data["axis"])
        axes.grid(axis="x")
        axes.axvline(0, color=COLORS["muted"], linewidth=style.THIN)
        for bar in bars:
            color = COLORS["a" if bar.side > 0 else "b"]
            corner, effect = (0, bar.y - 0.31), 100 * bar.e.value
            shape = Rectangle(corner, effect, 0.62, color=color, alpha=0.75)
            style.set_tooltip(axes.add_patch(shape), bar.tooltip)
            ends = [100 * bar.e.low, 100 * bar.e.high]
            axes.plot(ends, [bar.y, bar.y], color=COLORS["ink"], linewidth=style.THIN)
            style.add_note(axes, bar.text, (ends[bar.side > 0], bar.y), 6 * bar.side)
        return style.finish_plot(axes, ax is None, height * n_lanes + 46)


class Bar(NamedTuple):
    """Effect of one step in a tornado plot; `side` is -1 or 1."""

    y: int
    side: int
    e: Estimate
    text: str
    tooltip: str


def _split(row: Mapping[str, Any]) -> list[list[tuple[str, Estimate]]]:
    """Return the steps of a row with negative effects, and those with positive effects."""
    steps = [step for step in row["steps"] if isfinite(step[1].value)]
    return [[s for s in steps if s[1].value < 0], [s for s in steps if s[1].value >= 0]]


def _iterate_bars(
    rows: Sequence[Mapping[str, Any]], tops: Sequence[int], max_letters: int
) -> Iterator[Bar]:
    """Yield the bars of all rows, with texts of limited length."""
    effects = [e for row in rows for _, e in row["steps"]]
    decimals = formatting.choose_common_decimals(effects, "points")
    for top, row in zip(tops, rows, strict=True):
        for side, steps in zip((-1, 1), _split(row), strict=True):
            for lane, (step, e) in enumerate(steps):
                effect = formatting.format_points(e, decimals)
                letters = max(8, min(34, max_letters) - len(effect) - 2)
                text = f"{wording.truncate(step, letters)}: {effect}"
                label = f"{row['label']}, {step}"
                tooltip = style.format_tooltip(label, e, "points", decimals)
                yield Bar(top + lane, side, e, text, tooltip)


def _make_room(bars: Sequence[Bar], room: float) -> tuple[float, float]:
    """Return the ends of an axis of a width in pixels, with room for the texts of the bars."""
    low = high = 0.0
    for _ in range(20):  # each text takes the same pixels: the wider the axis, the more of it
        pixel = (high - low) / room
        for bar in bars:
            taken = pixel * (style.LETTER * len(bar.text) + 12)
            low = min(low, 100 * bar.e.low - taken * (bar.side < 0))
            high = max(high, 100 * bar.e.high + taken * (bar.side > 0))
    return (low, high) if high > low else (-1.0, 1.0)
