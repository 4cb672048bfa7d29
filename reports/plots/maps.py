"""Plots over two values: heat maps, and trade-offs between two targets."""

from __future__ import annotations

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
CELL_HEIGHT = 38  # pixels
MAX_NAMED = 8  # settings of a trade-off whose names are shown


class CellShape(NamedTuple):
    """Width of a cell in pixels, and letters of a line of the name of a column and of a row."""

    width: int
    column: int
    row: int


WIDE_CELLS, NARROW_CELLS = CellShape(84, 13, 20), CellShape(62, 10, 10)


def plot_heat_map(ax: Axes | None, data: Mapping[str, Any], width: float = style.WIDE) -> Axes:
    """Plot a value over two choices as a heat map, in a panel for each value of other choices.

    Args:
        ax: Axes to draw in if there is one panel, or None for a figure of its own.
        data: Data of `model.make_heat_map`: panels with the keys title, rows, columns and cells
            (estimates or None), the kind of the estimates, and the names of the choices. Cells
            whose interval lies in the band have a frame.
        width: Width of a figure of its own in pixels, at least.

    Returns:
        The axes of the first panel.
    """
    panels, band = data["panels"], data.get("band")
    if ax is not None and len(panels) > 1:
        raise ValueError("a heat map of several panels needs a figure of its own: pass ax=None")
    columns = count_columns(data)
    n_rows = ceil(len(panels) / columns)
    with style.use_style():
        if ax is not None:
            grid = [ax]
        else:
            figure = Figure(figsize=(measure_heat_map(data, width) / 72, 1))
            kind = {"axes_class": style.PlotAxes}
            grid = list(figure.subplots(n_rows, columns, squeeze=False, subplot_kw=kind).flat)
        for unused in grid[len(panels) :]:
            unused.remove()
        for axes, panel in zip(grid, panels, strict=False):
            _plot_panel(axes, panel, data)
        letters = choose_shape(data).column
        lines = max(len(style.wrap_label(c, letters)) for c in panels[0]["columns"])
        height = CELL_HEIGHT * len(panels[0]["rows"]) + 34 + 13 * lines + 22 * (len(panels) > 1)
        frame = Patch(facecolor="none", edgecolor=COLORS["frame"], linewidth=2)
        frame.set_label(data.get("band_text"))
        return style.finish_plot(grid[0], ax is None, n_rows * height + 10, [frame] if band else ())


def _list_known(data: Mapping[str, Any]) -> list[Estimate]:
    cells = [e for panel in data["panels"] for line in panel["cells"] for e in line]
    return [e for e in cells if e and isfinite(e.value)]


def choose_shape(data: Mapping[str, Any]) -> CellShape:
    """Return the shape of cells: narrow if there are several panels and rates, which are short."""
    return NARROW_CELLS if len(data["panels"]) > 1 and data["kind"] == "rate" else WIDE_CELLS


def count_columns(data: Mapping[str, Any]) -> int:
    """Return how many panels stand side by side."""
    return max(1, min(len(data["panels"]), int(style.BROAD // _measure_panel(data))))


def _measure_panel(data: Mapping[str, Any]) -> float:
    """Return the width of a panel in pixels."""
    panel, shape = data["panels"][0], choose_shape(data)
    lines = [line for name in panel["rows"] for line in style.wrap_label(name, shape.row)]
    return 52 + 6.2 * max(map(len, lines)) + shape.width * len(panel["columns"])


def measure_heat_map(data: Mapping[str, Any], width: float) -> int:
    """Return the width of a heat map in pixels: what its texts need, or more if there is room."""
    natural = max(count_columns(data) * _measure_panel(data), 300)
    return int(max(natural, min(width, 1.7 * natural) if width > style.WIDE else 0))


def _plot_panel(ax: Axes, panel: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    rows, columns, kind, band = panel["rows"], panel["columns"], data["kind"], data.get("band")
    known = _list_known(data)
    values, decimals = [e.value for e in known], formatting.choose_common_decimals(known, kind)
    low, high = min(values, default=0), max(values, default=1)
    if kind == "rate":  # a small difference must not look like a large one
        low = max(0.0, 2 * low - high)
    shape = choose_shape(data)
    names = [style.wrap_label(name, shape.row) for name in rows]
    style.set_rows(ax, names, range(len(rows)), CELL_HEIGHT)
    lines = ["\n".join(style.wrap_label(name, shape.column)) for name in columns]
    ax.set_xticks(range(len(columns)), lines, color=COLORS["ink"])
    ax.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))
    ax.set(xlabel=data["columns"], ylabel=data["rows"], title=panel["title"])
    ax.spines["bottom"].set_visible(False)
    for y, line in enumerate(panel["cells"]):
        for x, e in enumerate(line):
            if e is None or not isfinite(e.value):
                ax.text(x, y, "–", color=COLORS["muted"], **style.CENTERED)
                continue
            name = f"{data['rows']} {rows[y]}, {data['columns']} {columns[x]}"
            label = f"{panel['title']}, {name}" if panel["title"] else name
            alpha = 0.04 + (DEEPEST - 0.04) * (e.value - low) / ((high - low) or 1)
            cell = Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, color=COLORS["heat"], alpha=alpha)
            style.set_tooltip(ax.add_patch(cell), style.format_tooltip(label, e, kind, decimals))
            value = formatting.VALUE_FORMATTERS[kind](e, decimals)
            interval = formatting.INTERVAL_FORMATTERS[kind](e, decimals)
            ax.text(x, y - 0.18, value, **style.CENTERED)
            ax.text(x, y + 0.2, interval, size=9.6, **style.CENTERED)
            if band and band[0] <= e.low and e.high <= band[1]:
                frame: Any = {"fill": False, "edgecolor": COLORS["frame"], "linewidth": 2}
                ax.add_patch(Rectangle((x - 0.47, y - 0.44), 0.94, 0.88, **frame))


def plot_trade_off(ax: Axes | None, data: Mapping[str, Any], width: float = style.WIDE) -> Axes:
    """Plot settings by two values that both have a target.

    Args:
        ax: Axes to draw in, or None for a figure of its own.
        data: Data of `model.make_trade_off_plot`: points with the keys label, at (both values) and
            best (on the Pareto front), and the names (axes) and targets (bands) of the values.
        width: Width of a figure of its own in pixels.
    """
    points = data["points"]
    with style.use_style():
        axes = style.create_axes(ax, width)
        values = list(zip(*(point["at"] for point in points), strict=True))
        x_ends, y_ends = map(_choose_ends, values, data["bands"])
        axes.set(xlabel=data["axes"][0], ylabel=data["axes"][1], xlim=x_ends, ylim=y_ends)
        axes.grid()
        color: Any = {"color": COLORS["band"], "zorder": 0.5}
        axes.axvspan(*_clip(data["bands"][0], x_ends), label="target", **color)
        axes.axhspan(*_clip(data["bands"][1], y_ends), **color)
        axes.plot(*values, "o", markersize=4, color=COLORS["h"])
        front = sorted((p for p in points if p["best"]), key=lambda point: point["at"])
        line: Any = {"color": COLORS["b"], "marker": "o", "linewidth": style.THIN}
        label = "no setting is closer to both"
        axes.plot(*zip(*(p["at"] for p in front), strict=True), label=label, **line)
        for i, point in enumerate(front[:: max(1, ceil(len(front) / MAX_NAMED))]):
            side = 8 if point["at"][0] < sum(x_ends) / 2 else -8  # where there is room
            offset = (side, 10 if i % 2 else -10)
            text = wording.truncate(point["label"], 34)
            style.add_note(axes, text, point["at"], side, xytext=offset, size=10)
        return style.finish_plot(axes, ax is None, 330)


def _choose_ends(values: Sequence[float], band: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of an axis with room for all values and the target."""
    found = [value for value in (*values, *band) if isfinite(value)]
    room = 0.12 * (max(found) - min(found)) or 0.5
    return min(found) - room, max(found) + room


def _clip(band: tuple[float, float], ends: tuple[float, float]) -> tuple[float, float]:
    return max(band[0], ends[0]), min(band[1], ends[1])
