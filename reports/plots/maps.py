"""Plots over two values: heat maps, and trade-offs between two targets."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from math import ceil, isfinite
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from hardmode.reports.console import wording
from hardmode.reports.plots import style
from hardmode.reports.plots.style import COLORS
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

DEEPEST = 0.6  # opacity of the highest cell: its text can still be read
MAX_NAMED = 8  # settings of a trade-off whose names are shown


class CellShape(NamedTuple):
    """Width of a cell in pixels, and letters of a line of the name of a column and of a row."""

    width: int
    column: int
    row: int


WIDE_CELLS, NARROW_CELLS, CELL_HEIGHT = CellShape(84, 13, 20), CellShape(62, 10, 10), 38


def plot_heat_map(
    ax: Axes | None,
    panels: Sequence[Mapping[str, Any]],
    kind: str,
    rows: str,
    columns: str,
    axis: str,
    band: tuple[float, float] | None = None,
    band_text: str = "",
    width: float = style.WIDE,
) -> Axes:
    """Plot a value over two choices as a heat map, in a panel for each value of other choices.

    Args:
        ax: Axes to draw in if there is one panel, or None for a figure of its own.
        panels: Mappings with the keys title, rows, columns and cells (estimates or None).
        kind: Kind of the estimates, such as "rate".
        rows: Name of the choice on the rows.
        columns: Name of the choice on the columns.
        axis: Name of the values.
        band: Range of values; cells whose interval lies inside have a frame.
        band_text: Explanation of the frame.
        width: Width of a figure of its own in pixels, at least.

    Returns:
        The axes of the first panel.
    """
    if ax is not None and len(panels) > 1:
        raise ValueError("a heat map of several panels needs a figure of its own: pass ax=None")
    cells = [e for panel in panels for line in panel["cells"] for e in line if _is_known(e)]
    values = [e.value for e in cells]
    lowest, highest = min(values, default=0), max(values, default=1)
    if kind == "rate":  # a small difference must not look like a large one
        lowest = max(0.0, 2 * lowest - highest)
    across, down, shape = choose_grid(panels, kind)
    with style.use_style():
        if ax is None:
            size = (measure_heat_map(panels, kind, width) / 72, 1)
            figure = Figure(figsize=size)
            axes_class = {"axes_class": style.PlotAxes}
            grid = figure.subplots(down, across, squeeze=False, subplot_kw=axes_class)
            all_axes = list(grid.flat)
        else:
            all_axes = [ax]
        for unused in all_axes[len(panels) :]:
            unused.remove()
        decimals = formatting.choose_common_decimals(cells, kind)
        for axes, panel in zip(all_axes, panels, strict=False):
            _set_names(axes, panel, shape)
            axes.set(xlabel=columns, ylabel=rows, title=panel["title"])
            where = f"{panel['title']}, " if panel["title"] else ""
            for y, line in enumerate(panel["cells"]):
                for x, e in enumerate(line):
                    if not _is_known(e):
                        axes.text(x, y, "–", ha="center", va="center", color=COLORS["muted"])
                        continue
                    depth = (e.value - lowest) / ((highest - lowest) or 1)
                    cell = _add_cell(axes, x, y, e, kind, decimals, depth)
                    name = f"{rows} {panel['rows'][y]}, {columns} {panel['columns'][x]}"
                    tooltip = style.format_tooltip(where + name, e, kind, decimals)
                    style.set_tooltip(cell, tooltip)
                    if band and band[0] <= e.low and e.high <= band[1]:
                        _add_frame(axes, x, y)
        names = max(len(wrap_name(c, shape.column)) for c in panels[0]["columns"])
        height = CELL_HEIGHT * len(panels[0]["rows"]) + 34 + 13 * names + 22 * (len(panels) > 1)
        frame = Patch(facecolor="none", edgecolor=COLORS["frame"], linewidth=2, label=band_text)
        legend = [frame] if band and band_text else []
        return style.finish_plot(all_axes[0], ax is None, down * height + 10, legend)


def _is_known(e: Estimate | None) -> bool:
    return e is not None and isfinite(e.value)


def _set_names(ax: Axes, panel: Mapping[str, Any], shape: CellShape) -> None:
    columns = ["\n".join(wrap_name(name, shape.column)) for name in panel["columns"]]
    ax.set_xticks(range(len(columns)), columns)
    ax.set_xlim(-0.5, len(columns) - 0.5)
    rows = ["\n".join(wrap_name(name, shape.row)) for name in panel["rows"]]
    style.set_rows(ax, range(len(rows)), rows, len(rows) - 0.5)
    ax.set_ylim(top=-0.5)
    ax.tick_params(axis="x", labelcolor=COLORS["ink"])
    ax.spines["bottom"].set_visible(False)


def _add_cell(
    ax: Axes, x: int, y: int, e: Estimate, kind: str, decimals: int, depth: float
) -> Rectangle:
    alpha = 0.04 + (DEEPEST - 0.04) * depth
    cell = Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, color=COLORS["heat"], alpha=alpha)
    ax.add_patch(cell)
    value = formatting.VALUE_FORMATTERS[kind](e, decimals)
    interval = formatting.INTERVAL_FORMATTERS[kind](e, decimals)
    ax.text(x, y - 0.18, value, ha="center", va="center")
    ax.text(x, y + 0.2, interval, ha="center", va="center", size=9.6)
    return cell


def _add_frame(ax: Axes, x: int, y: int) -> None:
    options: Any = {"fill": False, "edgecolor": COLORS["frame"], "linewidth": 2}
    ax.add_patch(Rectangle((x - 0.47, y - 0.44), 0.94, 0.88, **options))


def wrap_name(name: Any, letters: int) -> list[str]:
    """Return the lines of the name of a row or column."""
    return textwrap.wrap(str(name), letters) or [""]


def choose_grid(panels: Sequence[Mapping[str, Any]], kind: str) -> tuple[int, int, CellShape]:
    """Return columns and rows of panels, and the shape of their cells.

    Cells are narrow if this saves a row of panels and their texts still fit.
    """
    grids = []
    for shape in [WIDE_CELLS, NARROW_CELLS] if kind == "rate" else [WIDE_CELLS]:
        fitting = int(style.BROAD // _measure_panel(panels[0], shape))
        across = max(1, min(len(panels), fitting))
        grids.append((across, ceil(len(panels) / across), shape))
    return min(grids, key=lambda grid: grid[1])


def _measure_panel(panel: Mapping[str, Any], shape: CellShape) -> float:
    names = [line for name in panel["rows"] for line in wrap_name(name, shape.row)]
    longest = max(len(line) for line in names)
    return 58 + 6.2 * longest + shape.width * len(panel["columns"])


def measure_heat_map(panels: Sequence[Mapping[str, Any]], kind: str, width: float) -> int:
    """Return the width of a heat map in pixels: what its texts need, or more if there is room."""
    across, _, shape = choose_grid(panels, kind)
    natural = max(across * _measure_panel(panels[0], shape), 300)
    return int(max(natural, min(width, 1.7 * natural) if width > style.WIDE else 0))


def plot_trade_off(
    ax: Axes | None,
    points: Sequence[Mapping[str, Any]],
    axes: tuple[str, str],
    bands: Sequence[tuple[float, float]],
    width: float = style.WIDE,
) -> Axes:
    """Plot settings by two values that both have a target.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        points: Settings with the keys label, at (both values) and best (on the Pareto front).
        axes: Names of the two values.
        bands: Target range of each value.
        width: Width of a figure of its own in pixels.
    """
    with style.use_style():
        plot = style.create_axes(ax, width)
        limits = []
        for i, band in enumerate(bands):
            limits.append(_choose_ends([point["at"][i] for point in points], band))
        plot.set(xlabel=axes[0], ylabel=axes[1], xlim=limits[0], ylim=limits[1])
        plot.grid()
        spans: Any = {"color": COLORS["band"], "zorder": 0.5}
        plot.axvspan(*_clip(bands[0], limits[0]), label="target", **spans)
        plot.axhspan(*_clip(bands[1], limits[1]), **spans)
        others = [point["at"] for point in points if not point["best"]]
        if others:
            plot.plot(*zip(*others, strict=True), "o", markersize=4, color=COLORS["h"])
        front = sorted((p for p in points if p["best"]), key=lambda point: point["at"])
        options: Any = {"marker": "o", "linewidth": style.THIN, "clip_on": False}
        values = zip(*(point["at"] for point in front), strict=True) if front else ((), ())
        label = "no setting is closer to both"
        plot.plot(*values, color=COLORS["b"], label=label, **options)
        middle = sum(limits[0]) / 2
        for i, point in enumerate(front[:: max(1, ceil(len(front) / MAX_NAMED))]):
            side = 1 if point["at"][0] < middle else -1  # where there is room
            plot.annotate(
                wording.truncate(point["label"], 34),
                point["at"],
                (8 * side, 10 if i % 2 else -10),
                textcoords="offset points",
                ha="left" if side > 0 else "right",
                va="center",
                color=COLORS["muted"],
                size=10,
            )
        return style.finish_plot(plot, ax is None, 330)


def _choose_ends(values: Sequence[float], band: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of an axis with room for all values and the target."""
    found = [value for value in (*values, *band) if isfinite(value)]
    low, high = min(found, default=0), max(found, default=0)
    room = 0.12 * (high - low) or 0.5
    return low - room, high + room


def _clip(band: tuple[float, float], ends: tuple[float, float]) -> tuple[float, float]:
    return max(band[0], ends[0]), min(band[1], ends[1])
