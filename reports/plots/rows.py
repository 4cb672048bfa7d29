"""Plots with a row for each item: values with intervals, effects of steps, shares of games."""

from __future__ import annotations

from itertools import chain, groupby
from math import inf
from typing import Any, cast

import numpy as np
from matplotlib.axes import Axes

from hardmode.reports.console import wording
from hardmode.reports.plots import style
from hardmode.reports.plots.style import COLORS, Range, Rows, plot_in_style
from hardmode.studies.stats import formatting

LINE = 15  # pixels from line to line of a label, and from bar to bar of a row
ROW_SPACE = 11  # pixels between rows
LETTERS, STEP_LETTERS = 4.2, 2.4  # of labels and steps, for each inch of the figure's width
PALE_ROLES = ("c", "g", "other", "a2")  # on which text is dark
MIN_LABELED_SHARE = 8  # percent: narrower parts of a bar have no number


def set_rows(ax: Axes, rows: Rows) -> np.ndarray:
    """Give a plot rows from the top downwards, and return their middles in pixels.

    Args:
        ax: Axes of the plot.
        rows: Rows with the key label, and steps if they have several bars.
    """
    max_letters = int(LETTERS * style.get_figure(ax).get_figwidth())
    names = style.wrap_names([row["label"] for row in rows], max_letters)
    n_lines = [name.count("\n") + 1 for name in names]
    n_bars = [len(row.get("steps", "")) for row in rows]
    heights = ROW_SPACE + LINE * np.maximum(n_lines, n_bars)
    middles, total = np.cumsum(heights) - heights / 2, max(LINE, heights.sum())
    ax.set_yticks(middles, names)
    ax.set_ylim(total, 0)
    style.set_height(ax, total + 46)
    return middles


def add_estimates(ax: Axes, rows: Rows, kind: str) -> np.ndarray:
    """Write the estimates of rows beside them.

    Args:
        ax: Axes of the plot.
        rows: Rows with the keys label and steps: pairs of a text and an estimate, none in headings.
        kind: Kind of the estimates.

    Returns:
        Places, values, lower and upper ends of the estimates.
    """
    found = [e for _, e in chain.from_iterable(row["steps"] for row in rows)]
    scale, decimals = formatting.SCALES[kind], formatting.choose_common_decimals(found, kind)
    max_letters = int(STEP_LETTERS * style.get_figure(ax).get_figwidth())
    bars = []
    for y, name, row in zip(set_rows(ax, rows), ax.get_yticklabels(), rows, strict=True):
        name.set_fontweight("normal" if row["steps"] else "bold")
        y -= LINE * (len(row["steps"]) - 1) / 2
        for step, e in row["steps"]:
            text = formatting.format_with_interval(e, kind, decimals)
            text = f"{wording.truncate(step, max_letters)} {text}".lstrip()
            ax.text(1.02, y, text, transform=ax.get_yaxis_transform(), va="center")
            tooltip = style.format_tooltip(f"{row['label']} {step}".strip(), e, kind, decimals)
            ax.axhspan(y - LINE / 2, y + LINE / 2, facecolor="none", gid=tooltip)
            bars.append((y, scale * e.value, scale * e.low, scale * e.high))
            y += LINE
    ax.axvline(0)  # so that the axis begins at zero
    return np.reshape(bars, (-1, 4)).T


@plot_in_style
def plot_estimates(
    ax: Axes,
    rows: Rows,
    kind: str,
    axis: str,
    band: Range | None = None,
    band_text: str = "",
    mark: float | None = None,
    mark_text: str = "",
) -> Axes:
    """Plot values with their intervals, in one row each.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        rows: Rows with the keys label and estimate, and optionally group.
        kind: Kind of the estimates.
        axis: Label of the axis.
        band: Range of values that is shaded.
        band_text: Explanation of that range.
        mark: Value at which a line is drawn.
        mark_text: Explanation of that line.
    """
    scale = formatting.SCALES[kind]
    lines = []
    for group, members in groupby(rows, lambda row: row.get("group")):
        lines += [{"label": group, "steps": []}] if group else []
        lines += [{**row, "steps": [("", row["estimate"])]} for row in members]
    places, values, low, high = add_estimates(ax, lines, kind)
    ax.set_xlabel(axis + (", %" if kind == "rate" else ""))
    if band:
        ax.axvspan(scale * band[0], scale * band[1], label=band_text)
    if mark:
        ax.axvline(scale * mark, label=mark_text)
    errors = (values - low, high - values)
    ax.errorbar(values, places, xerr=errors, fmt="o", elinewidth=3, clip_on=False)
    return ax


@plot_in_style
def plot_tornado(ax: Axes, rows: Rows, axis: str) -> Axes:
    """Plot the effects of steps, with a bar for each step of each row.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        rows: Mappings with the keys label and steps, which are pairs of a text and an estimate.
        axis: Label of the axis.
    """
    places, values, low, high = add_estimates(ax, rows, "points")
    ax.set_xlabel(axis)
    for color, label, ends in (("C0", "higher", (0, inf)), ("C1", "lower", (-inf, 0))):
        ax.barh(places, np.clip(values, *ends), LINE - 3, color=color, alpha=0.75, label=label)
    ax.hlines(places, low, high, color=COLORS["ink"], label="confidence interval")
    return ax


@plot_in_style
def plot_shares(ax: Axes, rows: Rows, series: Rows) -> Axes:
    """Plot shares of games as stacked bars.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        rows: Bars with the key label.
        series: Name, color role and shares of the bars (y) of each part.
    """
    labels = [row["label"] for row in rows]
    ax.set_xlabel("share of games, %")
    style.stack_bars(ax.barh, set_rows(ax, rows), LINE, series, labels)
    for part, bars in zip(series, cast(Any, ax.containers), strict=True):
        ink = COLORS["on-pale" if part["role"] in PALE_ROLES else "on-deep"]
        ax.bar_label(bars, fmt=format_large_share, label_type="center", color=ink)
    return ax


def format_large_share(share: float) -> str:
    """Return a share in percent, or no text if its bar is too short for it."""
    return f"{share:.0f}" if share >= MIN_LABELED_SHARE else ""
