"""Plots with a row for each item: values with intervals, stacked shares, and effects of steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import isfinite, nan
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from hardmode.reports.console import wording
from hardmode.reports.plots import style
from hardmode.reports.plots.style import COLORS
from hardmode.studies.stats import estimates, formatting
from hardmode.studies.stats.estimates import Estimate

MAX_STEP_LETTERS = 34  # at the end of a bar of a tornado plot
STEP_SHARE = 0.32  # of the width that these take on each side at most
MIN_LABELED_SHARE = 8  # percent: narrower parts of a bar have no number


def plot_estimates(
    ax: Axes | None,
    rows: Sequence[Mapping[str, Any]],
    kind: str,
    axis: str,
    band: tuple[float, float] | None = None,
    band_text: str = "",
    mark: float | None = None,
    mark_text: str = "",
    width: float = style.WIDE,
) -> Axes:
    """Plot values with their intervals, in one row each.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        rows: Rows with the keys label and estimate, and optionally group.
        kind: Kind of the estimates, such as "rate".
        axis: Label of the axis.
        band: Range of values that is shaded.
        band_text: Explanation of that range.
        mark: Value at which a line is drawn.
        mark_text: Explanation of that line.
        width: Width of a figure of its own in pixels.
    """
    scale, lines = formatting.SCALES[kind], _insert_headings(rows)
    decimals = formatting.choose_common_decimals([row["estimate"] for row in rows], kind)
    with style.use_style():
        axes = style.create_axes(ax, width)
        names = style.wrap_labels([label for label, _ in lines], style.measure_width(axes))
        style.set_rows(axes, range(len(names)), names, len(names) - 0.4)
        style.make_bold(axes, [i for i, (_, e) in enumerate(lines) if e is None])
        low, high = _choose_ends(rows, kind, band)
        axes.set_xlim(low, high)
        axes.grid(axis="x")
        axes.set_xlabel(f"{axis}, %" if kind == "rate" else axis)
        if band:
            ends = [min(max(scale * end, low), high) for end in band]
            axes.axvspan(*ends, color=COLORS["band"], zorder=0.5, label=band_text)
        if mark is not None:
            color = COLORS["muted"]
            axes.axvline(scale * mark, color=color, linewidth=style.THIN, label=mark_text)
        known = [(y, e) for y, (_, e) in enumerate(lines) if e and isfinite(e.value)]
        bars = []
        for y, e in known:
            bars += [(max(scale * e.low, low), y), (min(scale * e.high, high), y), (nan, y)]
        _plot_points(axes, bars, linewidth=3.2)
        _plot_points(axes, [(scale * e.value, y) for y, e in known], marker="o", linestyle="")
        for y, (label, estimate) in enumerate(lines):
            if estimate:
                text = formatting.format_with_interval(estimate, kind, decimals)
                _add_row_text(axes, y, text if isfinite(estimate.value) else formatting.UNKNOWN)
                tooltip = style.format_tooltip(label, estimate, kind, decimals)
                style.set_tooltip(axes.axhspan(y - 0.5, y + 0.5, facecolor="none"), tooltip)
        height = style.compute_row_height(26, names) * len(names) + 46
        return style.finish_plot(axes, ax is None, height)


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


def _plot_points(ax: Axes, points: Sequence[tuple[float, float]], **options: Any) -> None:
    x, y = zip(*points, strict=True) if points else ((), ())
    ax.plot(x, y, color=COLORS["a"], clip_on=False, **options)


def _add_row_text(ax: Axes, y: float, text: str) -> None:
    """Write a text to the right of a row."""
    ax.annotate(
        text,
        (1, y),
        (7, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        va="center_baseline",
        color=COLORS["muted"],
    )


def _choose_ends(
    rows: Sequence[Mapping[str, Any]], kind: str, band: tuple[float, float] | None
) -> tuple[float, float]:
    """Return the ends of the axis: for rates 0 and 100, unless all are small."""
    scale = formatting.SCALES[kind]
    found = [end for row in rows for end in (row["estimate"].low, row["estimate"].high)]
    ends = [scale * end for end in found if isfinite(end)]
    if kind == "rate":
        ends += [scale * end for end in band or () if isfinite(end)]
        highest = max(ends, default=100)
        end = next((limit for limit in (10, 20, 50) if highest <= 0.9 * limit), 100)
        return -0.02 * end, 1.02 * end  # so that a dot at the very end is whole
    low, high = min([*ends, 0.0]), max([*ends, 0.0])
    room = 0.06 * (high - low or 1)
    return low - room, high + room


def plot_shares(
    ax: Axes | None,
    rows: Sequence[Mapping[str, Any]],
    series: Sequence[Mapping[str, str]],
    width: float = style.WIDE,
) -> Axes:
    """Plot shares of games as stacked bars.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        rows: Bars with the keys label, games and shares.
        series: Name and color role of each share.
        width: Width of a figure of its own in pixels.
    """
    with style.use_style():
        axes = style.create_axes(ax, width)
        labels = [row["label"] for row in rows]
        names = style.wrap_labels(labels, style.measure_width(axes))
        style.set_rows(axes, range(len(rows)), names, len(rows) - 0.45)
        axes.set_xlim(0, 100)
        axes.set_xlabel("share of games, %")
        legend, left = [], [0.0] * len(rows)
        for i, part in enumerate(series):
            shares = [100 * row["shares"][i] for row in rows]
            color, edge = COLORS[part["role"]], COLORS["paper"]
            legend.append(Patch(color=color, label=part["name"]))
            options: Any = {"facecolor": color, "edgecolor": edge, "linewidth": 1}
            bars = axes.barh(range(len(rows)), shares, 0.72, left, **options)
            for y, row in enumerate(rows):
                if not shares[y]:
                    bars[y].remove()
                    continue
                share = estimates.wilson_rate(round(row["shares"][i] * row["games"]), row["games"])
                label = f"{row['label']}, {part['name']}"
                style.set_tooltip(bars[y], style.format_tooltip(label, share, "rate"))
                if shares[y] >= MIN_LABELED_SHARE:
                    _add_bar_text(axes, left[y] + shares[y] / 2, y, shares[y], part["role"])
            left = [start + share for start, share in zip(left, shares, strict=True)]
        height = style.compute_row_height(27, names) * len(rows) + 44
        return style.finish_plot(axes, ax is None, height, legend)


def _add_bar_text(ax: Axes, x: float, y: float, share: float, role: str) -> None:
    color = COLORS["on-pale" if role in style.PALE_ROLES else "on-deep"]
    ax.text(x, y, f"{share:.0f}", ha="center", va="center", color=color, size=style.SMALL)


def plot_tornado(
    ax: Axes | None,
    rows: Sequence[Mapping[str, Any]],
    axis: str,
    width: float = style.WIDE,
) -> Axes:
    """Plot the effects of steps, with a bar for each step of each row.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        rows: Rows with the keys label and steps, which are pairs of a text and an estimate.
        axis: Label of the axis.
        width: Width of a figure of its own in pixels.
    """
    effects = [e for row in rows for _, e in row["steps"]]
    decimals = formatting.choose_common_decimals(effects, "points")
    with style.use_style():
        axes = style.create_axes(ax, width)
        total = style.measure_width(axes)
        names = style.wrap_labels([row["label"] for row in rows], total)
        tops = [0, *accumulate(max(1, *map(len, _split_steps(row))) for row in rows)]
        style.set_rows(axes, tops[:-1], names, tops[-1] - 0.4)
        longest = max((len(line) for name in names for line in name.split("\n")), default=0)
        room = total - style.LETTER * longest - 30
        bars = list(_iterate_bars(rows, tops, decimals, int(STEP_SHARE * room / style.LETTER)))
        axes.set_xlim(*_make_room_for_texts(bars, room))
        axes.grid(axis="x")
        axes.set_xlabel(axis)
        axes.axvline(0, color=COLORS["muted"], linewidth=style.THIN)
        for y, side, label, text, e in bars:
            role = "a" if side > 0 else "b"
            [bar] = axes.barh(y, 100 * e.value, 0.62, color=COLORS[role], alpha=0.75)
            style.set_tooltip(bar, style.format_tooltip(label, e, "points", decimals))
            ends = [100 * e.low, 100 * e.high]
            axes.plot(ends, [y, y], color=COLORS["ink"], linewidth=style.THIN)
            axes.annotate(
                text,
                (ends[side > 0], y),
                (6 * side, 0),
                textcoords="offset points",
                ha="left" if side > 0 else "right",
                va="center",
                color=COLORS["muted"],
                size=style.SMALL,
            )
        height = style.compute_row_height(28, names) * tops[-1] + 46
        return style.finish_plot(axes, ax is None, height)


def _split_steps(row: Mapping[str, Any]) -> list[list[tuple[str, Estimate]]]:
    """Return the steps of a row with negative effects, and those with positive effects."""
    steps = [step for step in row["steps"] if isfinite(step[1].value)]
    return [[s for s in steps if s[1].value < 0], [s for s in steps if s[1].value >= 0]]


Bar = tuple[int, int, str, str, Estimate]  # row, side, tooltip, text and effect


def _iterate_bars(
    rows: Sequence[Mapping[str, Any]], tops: Sequence[int], decimals: int, max_letters: int
) -> Iterator[Bar]:
    for top, row in zip(tops, rows, strict=False):
        for side, steps in zip((-1, 1), _split_steps(row), strict=True):
            for lane, (step, e) in enumerate(steps):
                effect = formatting.format_points(e, decimals)
                letters = min(MAX_STEP_LETTERS, max_letters) - len(effect) - 2
                text = f"{wording.truncate(step, max(8, letters))}: {effect}"
                yield top + lane, side, f"{row['label']}, {step}", text, e


def _make_room_for_texts(bars: Sequence[Bar], room: float) -> tuple[float, float]:
    """Return the ends of the axis with room for the texts at the ends of the bars.

    Args:
        bars: The bars.
        room: Width of the axis in pixels.
    """
    low = high = 0.0
    for _ in range(20):  # each text takes the same pixels, so the wider the axis, the more of it
        pixel = (high - low) / room
        for _, side, _, text, e in bars:
            taken = pixel * (style.LETTER * len(text) + 12)
            low = min(low, 100 * e.low - taken * (side < 0))
            high = max(high, 100 * e.high + taken * (side > 0))
    return (low, high) if high > low else (-1.0, 1.0)
