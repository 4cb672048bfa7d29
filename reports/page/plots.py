"""Plots: one drawing function for each kind of figure, as SVG for the page and as files.

Every color has a role. In the page, roles are CSS variables, so that plots follow the light or dark
scheme; files have fixed colors. Only files contain the title, because the page has its own. A plot
without a neighbor takes the whole width, and is drawn once more for a narrow screen.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from math import ceil
from typing import Any

from hardmode.reports.page import heat_plot, numbers_plots, png, row_plots, svg
from hardmode.reports.page.axes import Axes, Scale, Tick
from hardmode.reports.page.model import Figure
from hardmode.reports.page.row_plots import format_value_label
from hardmode.reports.page.sheet import SMALL, Box, Sheet, widest, width
from hardmode.reports.page.style import DASHES, MARKS, WIDE

KEY, SAMPLE = 18, 22  # CSS pixels: the height of an explanation, and what is shown before its words


def draw_figure(figure: Figure, wanted: int = WIDE) -> tuple[str, str, bytes]:
    """Return a figure as SVG for the page, as an SVG file and as a PNG file."""
    with _disable_font_hinting():
        sheet = lay_out_figure(figure, wanted)
        return (
            svg.render_inline_svg(sheet, figure),
            svg.render_svg_file(sheet, figure),
            png.render_png(sheet, figure.title),
        )


def draw_narrow_figure(figure: Figure) -> str:
    """Return a figure as SVG for a narrow screen."""
    with _disable_font_hinting():
        return svg.render_inline_svg(lay_out_figure(figure, WIDE), figure)


@contextmanager
def _disable_font_hinting() -> Iterator[None]:
    """Turn off the hinting of fonts, because browsers use other fonts anyway."""
    import matplotlib as mpl

    with mpl.rc_context({"text.hinting": "none"}):
        yield


def lay_out_figure(figure: Figure, wanted: int) -> Sheet:
    """Return a sheet with all marks and texts of a figure."""
    wide, tall = SIZE[figure.kind](figure.data, wanted)
    keys = _keys(figure.data)
    columns, each = _key_shape(keys, wide)
    key = KEY * ceil(len(keys) / columns) + 4 * bool(keys)
    sheet = Sheet(wide, tall + key, textwrap.wrap(figure.title, max(30, wide // 9)))
    for i, (name, role, drawn) in enumerate(keys):
        line, column = divmod(i, columns)
        _explain(sheet, 6 + column * each, KEY * (line + 0.5), name, role, drawn)
    DRAW[figure.kind](sheet, Box(0, key, wide, tall + key), figure.data)
    return sheet


def _keys(data: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return name, color role and form of each entry of the legend."""
    named = [
        (s["name"], s["role"], "line" if "estimates" in s else "area")
        for s in data.get("series", ())
        if s["name"]
    ]
    keys = named if len(named) > 1 else []
    if data.get("band") and data["band_text"]:
        keys.append(
            (data["band_text"], *(("frame", "frame") if "panels" in data else ("band", "area")))
        )
    if data.get("mark_text") and "rows" in data:
        keys.append((data["mark_text"], "muted", "rule"))
    keys += data.get("keys", ())
    return keys


def _key_shape(keys: list[tuple[str, str, str]], wide: float) -> tuple[int, float]:
    """Return the number of columns of the legend, and their width."""
    each = SAMPLE + widest([name for name, _, _ in keys]) + 14
    return max(1, min(len(keys), int((wide - 6) // each))), each


def _explain(sheet: Sheet, x: float, y: float, name: str, role: str, drawn: str) -> None:
    box = Box(x, y - 5, x + 17, y + 5)
    if drawn == "area":
        sheet.area(box.corners, role)
    elif drawn == "frame":
        sheet.area(box.corners, edge=role, width=2)
    else:
        rule = drawn == "rule"
        sheet.line(
            [(x, y), (x + 17, y)],
            role,
            width=1.3 if rule else 2.1,
            dashes=() if rule else DASHES.get(role, ()),
        )
        if not rule:
            sheet.dot((x + 8.5, y), role, form=MARKS.get(role, "o"))
    sheet.add_words(x + SAMPLE, y, name)


# Histograms and curves


def _plain_size(data: Mapping[str, Any], wide: int) -> tuple[int, int]:
    return wide, 236


def _bars(sheet: Sheet, outer: Box, data: Mapping[str, Any]) -> None:
    each, series = data["width"], data["series"]
    middles = [x + (each - 1) / 2 for x in data["x"]]
    highest = max(100 * sum(parts) for parts in zip(*(s["y"] for s in series), strict=True))
    room = 0.43 * each + 0.05 * (middles[-1] - middles[0])
    axes = Axes(
        sheet,
        outer,
        Scale(middles[0] - room, middles[-1] + room, name=data["axis"], whole=True, grid=False),
        Scale(0, 1.05 * highest or 1.0, name=data["height"] + ", %"),
    )
    axes.frame()
    floor = [0.0] * len(middles)
    for s in series:
        for i, (x, share) in enumerate(zip(data["x"], s["y"], strict=True)):
            box = axes.box(
                middles[i] - 0.43 * each, floor[i], middles[i] + 0.43 * each, floor[i] + 100 * share
            )
            floor[i] += 100 * share
            value = f"{x:g}" if each == 1 else f"{x:g} to {x + each - 1:g}"
            if share:
                sheet.area(box.corners, s["role"])
                sheet.add_tooltip(
                    box, f"{data['axis']} {value}, {s['name']}: {100 * share:.1f} % of games"
                )


def _lines(sheet: Sheet, outer: Box, data: Mapping[str, Any]) -> None:
    scale = 100 if data["share"] else 1
    places = sorted({x for s in data["series"] for x in s["x"]})
    room = 0.02 * (places[-1] - places[0])  # so that no tick stands where nothing can be
    axes = Axes(
        sheet,
        outer,
        Scale(places[0] - room, places[-1] + room, name=data["axis"], whole=True, grid=False),
        Scale(*_heights(data), name=data["height"] + (", %" if data["share"] else "")),
    )
    if data["mark"] is not None:
        low, high = data["mark_ends"]
        sheet.area(axes.box(low, axes.y.first, high, axes.y.last).corners, "muted", alpha=0.16)
    axes.frame()
    for s in data["series"]:
        _curve(axes, s, scale)
        if len(s["x"]) <= 25:
            for x, e in zip(s["x"], s["estimates"], strict=True):
                sheet.dot(
                    axes.at(x, scale * e.value),
                    s["role"],
                    radius=2.8,
                    form=MARKS.get(s["role"], "o"),
                )
    if data["mark"] is not None:
        _mark(axes, data["mark"], data["mark_text"])
    _columns(axes, data, places)


def _heights(data: Mapping[str, Any]) -> tuple[float, float]:
    if data["share"]:
        return 0, 102
    ends = [x for s in data["series"] for e in s["estimates"] for x in (e.low, e.value, e.high)]
    room = 0.05 * (max(ends) - min(ends)) or 0.5
    return min(ends) - room, max(ends) + room


def _curve(axes: Axes, s: Mapping[str, Any], scale: float) -> None:
    """Draw values and their intervals."""
    low, middle, high = (
        [axes.at(x, scale * getattr(e, k)) for x, e in zip(s["x"], s["estimates"], strict=True)]
        for k in ("low", "value", "high")
    )
    axes.sheet.area([*low, *reversed(high)], s["role"], alpha=0.22)
    axes.sheet.line(middle, s["role"], dashes=DASHES.get(s["role"], ()))


def _mark(axes: Axes, value: float, text: str) -> None:
    """Draw a line at a value, with its name on the side with more room."""
    axes.across(value, "muted")
    x, _ = axes.at(value, 0)
    right = x + 6 + width(text, SMALL) <= axes.outer.right
    axes.sheet.add_words(
        x + 5 if right else x - 5,
        axes.inner.top + 8,
        text,
        SMALL,
        role="muted",
        anchor="start" if right else "end",
    )


def _columns(axes: Axes, data: Mapping[str, Any], places: list[float]) -> None:
    """Add a tooltip with the values of all curves at every position of the axis."""
    found: dict[float, list[str]] = {}
    for s in data["series"]:
        for x, e in zip(s["x"], s["estimates"], strict=True):
            found.setdefault(x, []).append(
                format_value_label(
                    s["name"] or data["height"], e, "rate" if data["share"] else "mean"
                )
            )
    edges = [axes.x.first, *((a + b) / 2 for a, b in pairwise(places)), axes.x.last]
    for x, low, high in zip(places, edges, edges[1:], strict=False):
        axes.sheet.add_tooltip(
            axes.box(low, axes.y.first, high, axes.y.last),
            f"{data['axis']} {x:g}: {'; '.join(found[x])}",
        )


def _odds(sheet: Sheet, outer: Box, data: Mapping[str, Any]) -> None:
    """Draw curves with bands over steps, with rounds and numbered turning points."""
    last, every = data["series"][0]["x"][-1], ceil(len(data["rounds"]) / 12)
    ticks = [Tick(x, label) for i, (x, label) in enumerate(data["rounds"]) if i % every == 0]
    axes = Axes(
        sheet,
        outer,
        Scale(0, max(1, last), ticks, data["axis"]),
        Scale(-2, 102, name="chance to win, %"),
    )
    axes.frame()
    for s in data["series"]:
        _curve(axes, s, 100)
    turns = sorted(data["turns"])
    places = [axes.at(step, 100 * value) for step, value, _ in turns]
    across = _apart([x for x, _ in places], 17, outer.right - 9)
    for x, (_, y), (_, _, number) in zip(across, places, turns, strict=True):
        sheet.dot((x, y), "ink", radius=8)
        sheet.add_words(x, y, number, SMALL, role="on-deep", anchor="middle", bold=True)


def _apart(places: list[float], room: float, most: float) -> list[float]:
    """Return positions moved apart by at least `room`, and at most `most`."""
    found: list[float] = []
    for x in places:
        found.append(max(x, found[-1] + room if found else x))
    for i in range(len(found) - 1, -1, -1):
        found[i] = min(found[i], most)
        most = found[i] - room
    return found


DRAW = {
    **row_plots.DRAW,
    **heat_plot.DRAW,
    "bars": _bars,
    "lines": _lines,
    "odds": _odds,
    **numbers_plots.DRAW,
}
SIZE = {
    **row_plots.SIZE,
    **heat_plot.SIZE,
    "bars": _plain_size,
    "lines": _plain_size,
    "odds": _plain_size,
    **numbers_plots.SIZE,
}
