"""Heat maps: a value over two choices, in a panel for each value of the others."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from math import ceil, isfinite
from typing import Any, NamedTuple

from hardmode.reports.page.row_plots import said
from hardmode.reports.page.style import BROAD, DEEPEST, ROLES, WIDE, told
from hardmode.studies import estimate_text
from hardmode.studies.estimates import Estimate


class Shape(NamedTuple):
    """CSS pixels of a field, and letters of the name of a column and of a row."""

    wide: int
    column: int
    row: int


BROADLY, CLOSELY, TALL = Shape(84, 13, 20), Shape(62, 10, 10), 38


def _panel_width(panel: Mapping[str, Any], shape: Shape) -> float:
    longest = max(len(line) for name in panel["rows"] for line in _lines(name, shape.row))
    return 58 + 6.2 * longest + shape.wide * len(panel["columns"])


def _lines(name: Any, letters: int) -> list[str]:
    return textwrap.wrap(str(name), letters) or [""]


def _heat_grid(data: Mapping[str, Any]) -> tuple[int, int, Shape]:
    """How many panels stand side by side and one above the other, and in which shape: closely, where that saves a row
    of panels and there is room for what stands in a field."""
    shapes = [BROADLY, CLOSELY] if data["kind"] == "rate" else [BROADLY]
    found = []
    for shape in shapes:
        across = max(1, min(len(data["panels"]), int(BROAD // _panel_width(data["panels"][0], shape))))
        found.append((across, ceil(len(data["panels"]) / across), shape))
    return min(found, key=lambda one: one[1])


def _heat_size(data: Mapping[str, Any], width: int) -> tuple[int, int]:
    """Its own width, and more where there is room: fields are never so small that what stands in them is not read."""
    across, down, shape = _heat_grid(data)
    panel = data["panels"][0]
    names = max(len(_lines(c, shape.column)) for c in panel["columns"])
    tall = (TALL * len(panel["rows"]) + 34 + 13 * names + 22 * (len(data["panels"]) > 1))
    natural = max(across * _panel_width(panel, shape), 300)
    return int(max(natural, min(width, 1.7 * natural) if width > WIDE else 0)), int(down * tall + 10)


def _heat(canvas: Any, data: Mapping[str, Any]) -> None:
    across, down, shape = _heat_grid(data)
    values = [e.value for p in data["panels"] for line in p["cells"] for e in line if e and isfinite(e.value)]
    high = max(values)
    low = min(values)
    if data["kind"] == "rate":  # a small difference must not look like a large one
        low = max(0.0, 2 * low - high)
    grid = canvas.subplots(down, across, squeeze=False)
    for axes, panel in zip(grid.flat, data["panels"], strict=False):
        _heat_panel(canvas, axes, panel, data, lambda v: (v - low) / ((high - low) or 1))
        _named(axes, panel["rows"], panel["columns"], shape)
    for axes in list(grid.flat)[len(data["panels"]):]:
        axes.set_visible(False)


def _heat_panel(canvas: Any, axes: Any, panel: Mapping[str, Any], data: Mapping[str, Any],
                depth: Callable[[float], float]) -> None:
    """One field for each pair of values: the deeper the colour, the higher; framed where the target is met."""
    for y, line in enumerate(panel["cells"]):
        for x, e in enumerate(line):
            if e is None or not isfinite(e.value):
                axes.text(x, y, "–", ha="center", va="center", color=ROLES["muted"])
                continue
            where = [panel["title"], f"{data['rows']} {panel['rows'][y]}", f"{data['columns']} {panel['columns'][x]}"]
            _field(canvas, axes, x, y, e, data, depth(e.value), ", ".join(filter(None, where)))
    axes.set(xlim=(-0.5, len(panel["columns"]) - 0.5), ylim=(len(panel["rows"]) - 0.5, -0.5))
    axes.set_ylabel(data["rows"])
    axes.set_xlabel(data["columns"])
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    if panel["title"]:
        axes.set_title(panel["title"], fontsize=9, loc="left", color=ROLES["ink"])


def _named(axes: Any, rows: Sequence[Any], columns: Sequence[Any], shape: Shape) -> None:
    axes.set_xticks(range(len(columns)), ["\n".join(_lines(c, shape.column)) for c in columns], color=ROLES["ink"])
    axes.set_yticks(range(len(rows)), ["\n".join(_lines(r, shape.row)) for r in rows])


def _field(canvas: Any, axes: Any, x: int, y: int, e: Estimate, data: Mapping[str, Any], depth: float,
           where: str) -> None:
    from matplotlib.patches import Rectangle

    kind, band = data["kind"], data["band"]
    deep = 0.04 + (DEEPEST - 0.04) * depth
    axes.add_patch(Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=ROLES["heat"], alpha=deep, lw=0))
    axes.text(x, y - 0.04, estimate_text.VALUE[kind](e), ha="center", va="bottom", fontsize=9)
    axes.text(x, y + 0.04, estimate_text.SPAN[kind](e), ha="center", va="top", fontsize=7.2)
    inside = band and band[0] <= e.low and e.high <= band[1]
    frame = Rectangle((x - 0.465, y - 0.44), 0.93, 0.88, facecolor="none", lw=1.6 if inside else 0,
                      edgecolor=ROLES["frame"] if inside else "none", zorder=4)
    told(canvas, axes.add_patch(frame), said(where, e, kind))


DRAW = {"heat": _heat}
SIZE = {"heat": _heat_size}
