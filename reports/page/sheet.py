"""Elements of a plot: areas, lines, dots and texts in CSS pixels, each with a color role.

Texts are measured with the font of PNG files. See svg.py and png.py for the conversion to files.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

Point = tuple[float, float]
TEXT, SMALL = 12.0, 10.7  # CSS pixels: the size of letters
LEADING = 1.2  # from line to line, in letters
FONTS = ("Liberation Sans", "Arial", "DejaVu Sans")
DENSE = 2  # pixels of a PNG to one of the page
DPI = 96 * DENSE
POINTS = 0.75  # of a pixel of the page, in which matplotlib is told what is wide or high


class Box(NamedTuple):
    """Rectangle, from its upper left to its lower right corner."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Width in pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.bottom - self.top

    @property
    def middle(self) -> Point:
        """Center."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def corners(self) -> tuple[Point, ...]:
        """Corners."""
        return (
            (self.left, self.top),
            (self.right, self.top),
            (self.right, self.bottom),
            (self.left, self.bottom),
        )


class Area(NamedTuple):
    """Filled polygon."""

    points: Sequence[Point]
    fill: str = ""  # the role of its colour; "": it is not filled
    alpha: float = 1.0
    edge: str = ""
    width: float = 1.0


class Line(NamedTuple):
    """Line through some points."""

    points: Sequence[Point]
    role: str
    width: float = 2.1
    dashes: Sequence[float] = ()
    alpha: float = 1.0


class Dot(NamedTuple):
    """Marker at a point."""

    at: Point
    role: str
    radius: float = 3.6
    form: str = "o"

    @property
    def corners(self) -> list[Point]:
        """Return the corners of a marker that is not round."""
        x, y, r = *self.at, self.radius
        around = {
            "s": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
            "^": ((0, -1.1), (1, 0.9), (-1, 0.9)),
            "D": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
        }[self.form]
        return [(x + r * across, y + r * down) for across, down in around]


class Words(NamedTuple):
    """Line of text with its middle at `y`; turned text runs upwards."""

    x: float
    y: float
    text: str
    size: float = TEXT
    role: str = "ink"
    anchor: str = "start"  # or middle, or end
    bold: bool = False
    turned: bool = False

    @property
    def box(self) -> Box:
        """Bounding box."""
        wide, half = width(self.text, self.size, self.bold), 0.6 * self.size
        before = {"start": 0.0, "middle": wide / 2, "end": wide}[self.anchor]
        if self.turned:
            return Box(self.x - half, self.y + before - wide, self.x + half, self.y + before)
        return Box(self.x - before, self.y - half, self.x - before + wide, self.y + half)


@dataclass
class Sheet:
    """Marks in drawing order, texts above them, and rectangles with tooltips.

    The title stands above the sheet, and only where the plot is a file of its own.
    """

    width: float
    height: float
    title: Sequence[str] = ()
    marks: list[Area | Line | Dot] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    tips: list[tuple[Box, str]] = field(default_factory=list)

    @property
    def heading(self) -> list[Words]:
        """Title lines above the sheet."""
        lines = len(self.title)
        return [
            Words(6, 16 * (i - lines) - 4, text, 14, bold=True) for i, text in enumerate(self.title)
        ]

    @property
    def above(self) -> float:
        """Height of the title."""
        return 18 + 16 * len(self.title)

    def area(self, points: Sequence[Point], fill: str = "", **how: Any) -> None:
        """Add a filled polygon."""
        self.marks.append(Area(points, fill, **how))

    def line(self, points: Sequence[Point], role: str, **how: Any) -> None:
        """Add a line."""
        self.marks.append(Line(points, role, **how))

    def dot(self, at: Point, role: str, **how: Any) -> None:
        """Add a marker."""
        self.marks.append(Dot(at, role, **how))

    def add_words(self, x: float, y: float, text: str, size: float = TEXT, **how: Any) -> None:
        """Add a text of one or several lines around a point."""
        lines = text.split("\n")
        first = y - (len(lines) - 1) / 2 * LEADING * size
        self.words += [
            Words(x, first + i * LEADING * size, line, size, **how)
            for i, line in enumerate(lines)
            if line
        ]

    def add_tooltip(self, box: Box, words: str) -> None:
        """Add a tooltip for a rectangle."""
        self.tips.append((box, words))


def widest(texts: Sequence[str], bold: bool = False) -> float:
    """Return the width of the widest line of some texts."""
    lines = chain.from_iterable(text.split("\n") for text in texts)
    return max((width(line, TEXT, bold) for line in lines), default=0.0)


@cache
def width(text: str, size: float = TEXT, bold: bool = False) -> float:
    """Return the width of a line of text."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        wide, _, _ = _measure().get_text_width_height_descent(
            clean(text), letters(size, bold), ismath=False
        )
        return float(wide) / DENSE


@cache
def _measure() -> Any:
    from matplotlib.backends.backend_agg import RendererAgg

    return RendererAgg(1, 1, DPI)


@cache
def letters(size: float, bold: bool) -> Any:
    """Return the fonts of a size in pixels; the last one comes with matplotlib."""
    from matplotlib.font_manager import FontProperties, fontManager

    there = set(fontManager.get_font_names())
    weight = "bold" if bold else "normal"
    return FontProperties(
        family=[name for name in FONTS if name in there], size=POINTS * size, weight=weight
    )


def clean(text: str) -> str:
    """Return a text without the control characters and lone surrogates that XML forbids."""
    if text.isprintable():
        return text
    return "".join(c for c in text.encode("utf-8", "replace").decode() if c >= " " or c in "\t\n")
