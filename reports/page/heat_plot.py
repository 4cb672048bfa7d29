"""Heat maps: a value over two choices, in a panel for each value of the others."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from math import ceil, isfinite
from typing import Any, NamedTuple

from hardmode.reports.page.axes import Axes, Scale, Tick
from hardmode.reports.page.row_plots import format_value_label
from hardmode.reports.page.sheet import Box, Sheet
from hardmode.reports.page.style import BROAD, DEEPEST, WIDE
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate


class Shape(NamedTuple):
    """CSS pixels of a cell, and letters of the name of a column and of a row."""

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
    """Return columns and rows of panels, and the shape of their cells.

    Cells are narrow if this saves a row of panels and their texts still fit.
    """
    shapes = [BROADLY, CLOSELY] if data["kind"] == "rate" else [BROADLY]
    found = []
    for shape in shapes:
        across = max(
            1, min(len(data["panels"]), int(BROAD // _panel_width(data["panels"][0], shape)))
        )
        found.append((across, ceil(len(data["panels"]) / across), shape))
    return min(found, key=lambda one: one[1])


def _heat_size(data: Mapping[str, Any], width: int) -> tuple[int, int]:
    """Return width and height, with cells large enough for their texts."""
    across, down, shape = _heat_grid(data)
    panel = data["panels"][0]
    names = max(len(_lines(c, shape.column)) for c in panel["columns"])
    tall = TALL * len(panel["rows"]) + 34 + 13 * names + 22 * (len(data["panels"]) > 1)
    natural = max(across * _panel_width(panel, shape), 300)
    return int(max(natural, min(width, 1.7 * natural) if width > WIDE else 0)), int(
        down * tall + 10
    )


def _heat(sheet: Sheet, outer: Box, data: Mapping[str, Any]) -> None:
    across, down, shape = _heat_grid(data)
    values = [
        e.value
        for p in data["panels"]
        for line in p["cells"]
        for e in line
        if e and isfinite(e.value)
    ]
    high = max(values)
    low = min(values)
    if data["kind"] == "rate":  # a small difference must not look like a large one
        low = max(0.0, 2 * low - high)
    wide, tall = outer.width / across, outer.height / down
    for i, panel in enumerate(data["panels"]):
        left, top = outer.left + i % across * wide, outer.top + i // across * tall
        _heat_panel(
            sheet,
            Box(left, top, left + wide, top + tall),
            panel,
            data,
            shape,
            lambda v: (v - low) / ((high - low) or 1),
        )


def _heat_panel(
    sheet: Sheet,
    outer: Box,
    panel: Mapping[str, Any],
    data: Mapping[str, Any],
    shape: Shape,
    depth: Callable[[float], float],
) -> None:
    """Draw a cell for each pair of values; a frame marks those that meet the target."""
    rows, columns = panel["rows"], panel["columns"]
    ticks = [
        [Tick(i, "\n".join(_lines(name, letters))) for i, name in enumerate(names)]
        for names, letters in ((columns, shape.column), (rows, shape.row))
    ]
    head = 20 if panel["title"] else 0
    axes = Axes(
        sheet,
        outer._replace(top=outer.top + head),
        Scale(
            -0.5, len(columns) - 0.5, ticks[0], data["columns"], role="ink", grid=False, line=False
        ),
        Scale(len(rows) - 0.5, -0.5, ticks[1], data["rows"], role="ink", grid=False, line=False),
    )
    axes.frame()
    sheet.add_words(axes.inner.left, outer.top + 14, panel["title"])
    for y, line in enumerate(panel["cells"]):
        for x, e in enumerate(line):
            if e is None or not isfinite(e.value):
                sheet.add_words(*axes.at(x, y), "–", role="muted", anchor="middle")
                continue
            where = [panel["title"], f"{data['rows']} {rows[y]}", f"{data['columns']} {columns[x]}"]
            box = axes.box(x - 0.48, y - 0.46, x + 0.48, y + 0.46)
            _field(sheet, box, e, data, depth(e.value))
            sheet.add_tooltip(
                box, format_value_label(", ".join(filter(None, where)), e, data["kind"])
            )


def _field(sheet: Sheet, box: Box, e: Estimate, data: Mapping[str, Any], depth: float) -> None:
    kind, band, (x, y) = data["kind"], data["band"], box.middle
    sheet.area(box.corners, "heat", alpha=0.04 + (DEEPEST - 0.04) * depth)
    sheet.add_words(x, y - 7, formatting.VALUE_FORMATTERS[kind](e), anchor="middle")
    sheet.add_words(x, y + 7, formatting.INTERVAL_FORMATTERS[kind](e), 9.6, anchor="middle")
    if band and band[0] <= e.low and e.high <= band[1]:
        inside = Box(box.left + 1, box.top + 1, box.right - 1, box.bottom - 1)
        sheet.area(inside.corners, edge="frame", width=2)


DRAW = {"heat": _heat}
SIZE = {"heat": _heat_size}
