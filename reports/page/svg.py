"""Rendering of a sheet as SVG: in the page, with its light or dark colors, or as a file.

Tooltips are SVG titles, so they work without scripts.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence

from hardmode.reports.page.model import Figure
from hardmode.reports.page.sheet import Area, Dot, Line, Point, Sheet, Words, clean
from hardmode.reports.page.style import FONT, ROLES

Colours = Callable[[str], str]  # by role
BASELINE = 0.36  # of the size of letters: from the middle of a line down to what they stand on


def render_inline_svg(sheet: Sheet, figure: Figure) -> str:
    """Return a sheet as SVG for the page, without the title."""
    body = _body(sheet, sheet.words, lambda role: f"var(--{role})")
    view_box, label = f"0 0 {_n(sheet.width)} {_n(sheet.height)}", escape_svg_text(figure.alt)
    size = f'viewBox="{view_box}" width="{sheet.width:.0f}"'
    return f'<svg {size} role="img" aria-label="{label}">\n{body}\n</svg>'


def render_svg_file(sheet: Sheet, figure: Figure) -> str:
    """Return a sheet as an SVG file with the title, an alternative text and common fonts."""
    wide, tall = _n(sheet.width), _n(sheet.height + sheet.above)
    view_box = f"0 {_n(-sheet.above)} {wide} {tall}"
    size = f'width="{wide}" height="{tall}" viewBox="{view_box}"'
    body = _body(sheet, [*sheet.heading, *sheet.words], ROLES.__getitem__)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">'
        f"<title>{escape_svg_text(figure.title)}</title>"
        f"<desc>{escape_svg_text(figure.alt)}</desc>\n{body}\n</svg>\n"
    )


def _body(sheet: Sheet, words: Sequence[Words], colours: Colours) -> str:
    return "\n".join(
        [
            *(_mark(mark, colours) for mark in sheet.marks),
            *(_words(one, colours) for one in words),
            *_tips(sheet),
        ]
    )


def _mark(mark: Area | Line | Dot, colours: Colours) -> str:
    if isinstance(mark, Area):
        edge = (
            f"; stroke: {colours(mark.edge)}; stroke-width: {_n(mark.width)}" if mark.edge else ""
        )
        deep = f"; fill-opacity: {mark.alpha:.3g}" if mark.alpha < 1 else ""
        fill = colours(mark.fill) if mark.fill else "none"
        return f'<path d="{_path(mark.points)}z" style="fill: {fill}{deep}{edge}"/>'
    if isinstance(mark, Line):
        dashes = f"; stroke-dasharray: {' '.join(map(_n, mark.dashes))}" if mark.dashes else ""
        deep = f"; stroke-opacity: {mark.alpha:.3g}" if mark.alpha < 1 else ""
        return (
            f'<path d="{_path(mark.points)}" style="fill: none; stroke: {colours(mark.role)}; '
            f'stroke-width: {_n(mark.width)}{dashes}{deep}"/>'
        )
    style = f'style="fill: {colours(mark.role)}"'
    if mark.form == "o":
        return (
            f'<circle cx="{_n(mark.at[0])}" cy="{_n(mark.at[1])}" r="{_n(mark.radius)}" {style}/>'
        )
    return f'<path d="{_path(mark.corners)}z" {style}/>'


def _words(one: Words, colours: Colours) -> str:
    down = BASELINE * one.size
    x, y = (one.x + down, one.y) if one.turned else (one.x, one.y + down)
    anchor = "" if one.anchor == "start" else f' text-anchor="{one.anchor}"'
    bold = ' font-weight="bold"' if one.bold else ""
    turn = f' transform="rotate(-90 {_n(x)} {_n(y)})"' if one.turned else ""
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(one.size)}"{anchor}{bold}{turn} '
        f'style="fill: {colours(one.role)}">{escape_svg_text(one.text)}</text>'
    )


def _tips(sheet: Sheet) -> Iterator[str]:
    for box, words in sheet.tips:
        title = f"<title>{escape_svg_text(words)}</title>"
        yield f'<path class="tip" d="{_path(box.corners)}z" style="fill: none">{title}</path>'


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)


def _n(number: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")


def escape_svg_text(text: str) -> str:
    """Return a text for SVG, without forbidden characters."""
    return html.escape(clean(text))
