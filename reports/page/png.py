"""A sheet as PNG, on white, at twice the pixels of a page: marks are drawn twice as large again, so that edges come out
smooth, and words over them."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import cycle, pairwise
from math import hypot
from typing import Any

from hardmode.reports.page import svg
from hardmode.reports.page.sheet import Area, Dot, Line, Point, Sheet, Words, font
from hardmode.reports.page.style import ROLES

DENSE, FINER = 2, 2  # pixels of the file to one of the page; and how much finer marks are drawn
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}  # where on the line that letters stand on
PACKED = 3  # of 9: the next steps take twice the time for a tenth of the size


def drawn(sheet: Sheet, title: str) -> bytes:
    from PIL import Image, ImageDraw, PngImagePlugin

    scale, above = DENSE * FINER, sheet.above
    size = round(scale / FINER * sheet.width) * FINER, round(scale / FINER * (sheet.height + above)) * FINER
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image, "RGBA")
    for mark in sheet.marks:
        _mark(pen, mark, lambda points: [(scale * x, scale * (y + above)) for x, y in points], scale)
    image = image.reduce(FINER)
    for words in (*sheet.heading, *sheet.words):
        _words(image, words, above)
    info, out = PngImagePlugin.PngInfo(), io.BytesIO()
    info.add_text("Title", svg.clean(title))
    image.save(out, "png", compress_level=PACKED, pnginfo=info, dpi=(96 * DENSE, 96 * DENSE))
    return out.getvalue()


def _colour(role: str, alpha: float = 1.0) -> tuple[int, ...]:
    return *bytes.fromhex(ROLES[role][1:]), round(255 * alpha)


def _mark(pen: Any, mark: Area | Line | Dot, placed: Any, scale: float) -> None:
    if isinstance(mark, Area):
        points = placed(mark.points)
        if mark.fill:
            pen.polygon(points, fill=_colour(mark.fill, mark.alpha))
        if mark.edge:
            pen.line([*points, *points[:2]], _colour(mark.edge), round(scale * mark.width), joint="curve")
    elif isinstance(mark, Line):
        for piece in _pieces(mark.points, mark.dashes):
            pen.line(placed(piece), _colour(mark.role, mark.alpha), max(1, round(scale * mark.width)), joint="curve")
    elif mark.form == "o":
        [(x, y)], r = placed([mark.at]), scale * mark.radius
        pen.ellipse((x - r, y - r, x + r, y + r), fill=_colour(mark.role))
    else:
        pen.polygon(placed(mark.corners), fill=_colour(mark.role))


def _pieces(points: Sequence[Point], dashes: Sequence[float]) -> Iterator[list[Point]]:
    """A line as it is dashed."""
    if not dashes:
        yield list(points)
        return
    lengths = cycle(dashes)
    left, seen, piece = next(lengths), True, [points[0]]
    for (x, y), (to_x, to_y) in pairwise(points):
        whole = hypot(to_x - x, to_y - y)
        done = 0.0
        while whole - done > left:
            done += left
            at = x + (to_x - x) * done / whole, y + (to_y - y) * done / whole
            if seen:
                yield [*piece, at]
            piece, seen, left = [at], not seen, next(lengths)
        left -= whole - done
        piece.append((to_x, to_y))
    if seen:
        yield piece


def _words(image: Any, words: Words, above: float) -> None:
    from PIL import Image, ImageDraw

    letters, colour, text = font(DENSE * words.size, words.bold), _colour(words.role)[:3], svg.clean(words.text)
    x, y = DENSE * words.x, DENSE * (words.y + above)
    down = svg.BASELINE * DENSE * words.size
    if not words.turned:
        ImageDraw.Draw(image).text((x, y + down), text, colour, letters, ANCHORS[words.anchor])
        return
    box = words.box
    strip = Image.new("L", (round(DENSE * box.height) + 2, round(2 * DENSE * words.size)))
    ImageDraw.Draw(strip).text((1, DENSE * words.size + down), text, 255, letters, "ls")
    turned = strip.transpose(Image.Transpose.ROTATE_90)
    image.paste(colour, (round(x - DENSE * words.size), round(DENSE * (box.top + above)) - 1), turned)
