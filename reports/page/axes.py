"""Plot area with two scales and the labels around it; drawing uses data values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from hardmode.reports.page.sheet import LEADING, TEXT, Box, Point, Sheet, widest, width

EDGE, GAP, NAME = (
    3,
    7,
    17,
)  # CSS pixels: at the edge of the sheet, beside a label, for the name of a scale
UP, ACROSS, APART = (
    26,
    20,
    9,
)  # for each value of a scale, at least; between labels that stand side by side
THIN = 1.0


class Tick(NamedTuple):
    """Value on an axis with its label."""

    at: float
    label: str
    bold: bool = False


class Scale(NamedTuple):
    """Ends of an axis, from left to right or from bottom to top, and its ticks."""

    first: float
    last: float
    ticks: Sequence[Tick] | None = None  # none: round values
    name: str = ""
    role: str = "muted"  # of its labels
    grid: bool = True
    whole: bool = False  # its values are numbers that one counts
    line: bool = True  # along the edge

    def share(self, value: float) -> float:
        """Return the position of a value between the ends of the axis, from 0 to 1."""
        return (value - self.first) / ((self.last - self.first) or 1.0)


class Axes:
    """Plot area with two scales; `beside` are labels on its right, by their heights."""

    def __init__(
        self, sheet: Sheet, outer: Box, x: Scale, y: Scale, beside: Sequence[tuple[float, str]] = ()
    ) -> None:
        bottom = outer.bottom - EDGE - (NAME if x.name else 0)
        if x.ticks is None:
            bottom -= LEADING * TEXT + GAP - 1
        elif x.ticks:
            bottom -= LEADING * TEXT * max(t.label.count("\n") + 1 for t in x.ticks) + GAP - 1
        y = y._replace(
            ticks=make_round_scale(y, int((bottom - outer.top) // UP))
            if y.ticks is None
            else y.ticks
        )
        names = max(
            widest([t.label for t in y.ticks or () if t.bold == bold], bold)
            for bold in (False, True)
        )
        left = outer.left + EDGE + (NAME if y.name else 0) + _room(names)
        right = outer.right - EDGE - _room(widest([text for _, text in beside]))
        x = x._replace(ticks=choose_fitting_labels(x, right - left) if x.ticks is None else x.ticks)
        if x.ticks:
            last = x.ticks[-1]
            right = min(
                right,
                outer.right
                - EDGE
                - widest([last.label]) / 2
                + (1 - x.share(last.at)) * (right - left),
            )
        self.sheet, self.outer, self.x, self.y, self.beside = sheet, outer, x, y, beside
        self.inner = Box(left, outer.top + GAP, right, bottom)

    def at(self, x: float, y: float) -> Point:
        """Return the pixel of a pair of values."""
        box = self.inner
        return box.left + self.x.share(x) * box.width, box.bottom - self.y.share(y) * box.height

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """Return the rectangle between two points, clipped to the plot area."""
        (left, bottom), (right, top) = self.at(x0, y0), self.at(x1, y1)
        box = self.inner
        held = [
            min(max(v, lo), hi)
            for v, lo, hi in (
                (left, box.left, box.right),
                (top, box.top, box.bottom),
                (right, box.left, box.right),
                (bottom, box.top, box.bottom),
            )
        ]
        return Box(
            min(held[0], held[2]),
            min(held[1], held[3]),
            max(held[0], held[2]),
            max(held[1], held[3]),
        )

    def line(self, points: Sequence[Point], role: str, **how: object) -> None:
        """Draw a line through points given in values."""
        self.sheet.line([self.at(*point) for point in points], role, **how)

    def across(self, value: float, role: str) -> None:
        """Draw a vertical line."""
        (x, _), box = self.at(value, 0), self.inner
        self.sheet.line([(x, box.top), (x, box.bottom)], role, width=1.3)

    def frame(self) -> None:
        """Draw the grid, the edges and the labels."""
        box, sheet = self.inner, self.sheet
        for tick in self.x.ticks or ():
            x, _ = self.at(tick.at, 0)
            if self.x.grid:
                sheet.line([(x, box.top), (x, box.bottom)], "line", width=THIN)
            tall = LEADING * TEXT * (tick.label.count("\n") + 1)
            sheet.add_words(
                x, box.bottom + GAP - 2 + tall / 2, tick.label, role=self.x.role, anchor="middle"
            )
        for tick in self.y.ticks or ():
            _, y = self.at(0, tick.at)
            if self.y.grid:
                sheet.line([(box.left, y), (box.right, y)], "line", width=THIN)
            sheet.add_words(
                box.left - GAP, y, tick.label, role=self.y.role, anchor="end", bold=tick.bold
            )
        for height, text in self.beside:
            sheet.add_words(box.right + GAP, self.at(0, height)[1], text, role="muted")
        if self.x.line:
            sheet.line([(box.left, box.bottom), (box.right, box.bottom)], "line", width=THIN)
        if self.y.line:
            sheet.line([(box.left, box.top), (box.left, box.bottom)], "line", width=THIN)
        self._names()

    def _names(self) -> None:
        (x, y), sheet, outer = self.inner.middle, self.sheet, self.outer
        if self.x.name:
            half = width(self.x.name) / 2
            sheet.add_words(
                max(half + EDGE, min(x, sheet.width - half - EDGE)),
                outer.bottom - NAME / 2 - 1,
                self.x.name,
                role="muted",
                anchor="middle",
            )
        if self.y.name:
            half = width(self.y.name) / 2
            sheet.add_words(
                outer.left + EDGE + NAME / 2 - 2,
                max(half + EDGE, min(y, sheet.height - half - EDGE)),
                self.y.name,
                role="muted",
                anchor="middle",
                turned=True,
            )


def _room(labels: float) -> float:
    """Return the width of labels with the gap to the axis."""
    return labels + GAP if labels else 0


def choose_fitting_labels(scale: Scale, room: float) -> list[Tick]:
    """Return as many round values as fit side by side."""
    found: list[Tick] = []
    for step in _steps(scale, int(room // ACROSS)):
        found = _at(scale, step)
        if all(
            (scale.share(b.at) - scale.share(a.at)) * room
            >= (width(a.label) + width(b.label)) / 2 + APART
            for a, b in pairwise(found)
        ):
            break
    return found


def make_round_scale(scale: Scale, most: int) -> list[Tick]:
    """Return ticks at round values, with at most `most` steps."""
    return _at(scale, next(_steps(scale, most)))


def _steps(scale: Scale, most: int) -> Iterator[float]:
    """Yield round steps of which at most `most` fit on the scale."""
    least = (abs(scale.last - scale.first) or 1.0) / max(1, most)
    if scale.whole:
        least = max(1.0, least)
    power = 10.0 ** floor(log10(least))
    steps = (k * power for k in (1, 2, 2.5, 5, 10, 20, 25, 50, 100))
    return (s for s in steps if s >= least * (1 - 1e-9) and not (scale.whole and s % 1))


def _at(scale: Scale, step: float) -> list[Tick]:
    """Return ticks at all multiples of a step on the scale."""
    low, high = sorted((scale.first, scale.last))
    places = len(f"{step:.9f}".rstrip("0").partition(".")[2])
    values = [i * step for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
    return [Tick(v, f"{v:,.{places}f}".replace("-", "\N{MINUS SIGN}")) for v in values]
