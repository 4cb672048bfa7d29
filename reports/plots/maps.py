"""Plots over two values: heat maps, and trade-offs between two targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from hardmode.reports.plots import style
from hardmode.reports.plots.style import COLORS, Range, Rows, plot_in_style
from hardmode.studies.stats import formatting

DEEPEST = 0.6  # opacity of the highest cell: its text can still be read
CELL = 38  # pixels: height of a cell
MAX_LETTERS = 12  # in a line of a name


@plot_in_style
def plot_heat_map(
    ax: Axes,
    panels: Rows,
    kind: str,
    rows: str,
    columns: str,
    axis: str,
    band: Range | None = None,
    band_text: str = "",
) -> Axes:
    """Plot a value over two choices as a heat map, in a panel for each value of other choices.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        panels: Mappings with the keys title, rows, columns and cells (estimates or None). All have
            the same rows and columns.
        kind: Kind of the estimates.
        rows: Name of the choice on the rows.
        columns: Name of the choice on the columns.
        axis: Name of the values.
        band: Range of values; cells whose interval lies in it have a frame.
        band_text: Explanation of that range.
    """
    cells = np.array([panel["cells"] for panel in panels])
    known = [e for e in cells.flat if e]
    highest = np.nanmax([0, *(e.value for e in known)]) or 1
    decimals = formatting.choose_common_decimals(known, kind)
    row_names, column_names = panels[0]["rows"], []
    for panel in panels:
        column_names += [f"{name} {panel['title']}".strip() for name in panel["columns"]]
    style.set_height(ax, CELL * len(row_names) + 90)
    ax.set(xlabel=columns, ylabel=rows)
    ax.set_xticks(range(len(column_names)), style.wrap_names(column_names, MAX_LETTERS))
    ax.set_yticks(range(len(row_names)), style.wrap_names(row_names, MAX_LETTERS))
    ax.invert_yaxis()
    ax.grid(False)
    for (i, y, column), e in np.ndenumerate(cells):
        x = i * cells.shape[2] + column
        if not e:
            continue
        label = f"{axis}, {row_names[y]}, {column_names[x]}"
        tooltip = style.format_tooltip(label, e, kind, decimals)
        color = (COLORS["heat"], DEEPEST * max(0, e.value / highest))
        cell: Any = {"color": color, "gid": tooltip}
        if band and band[0] <= e.low and e.high <= band[1]:
            cell |= {"edgecolor": COLORS["frame"], "label": band_text}
        ax.barh(y, 0.96, 0.92, x - 0.48, **cell)
        text = formatting.format_with_interval(e, kind, decimals).replace(" (", "\n(")
        ax.text(x, y, text, ha="center", va="center", size="small")
    return ax


@plot_in_style
def plot_trade_off(
    ax: Axes,
    points: Rows,
    axes: tuple[str, str],
    bands: Sequence[Range],
) -> Axes:
    """Plot settings by two values that both have a target.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        points: Mappings with the keys label, at (both values) and best (on the Pareto front).
        axes: Names of the two values.
        bands: Target range of each value.
    """
    ax.set(xlabel=axes[0], ylabel=axes[1])
    ax.axvspan(*bands[0], label="target")
    ax.axhspan(*bands[1])
    for point in points:
        x, y = point["at"]
        ax.plot(x, y, "o", color=COLORS["a" if point["best"] else "other"])
        if point["best"]:
            ax.text(x, y, f"  {point['label']}")
    return ax
