"""Plots as files: SVG for the page and for files, and PNG.

matplotlib writes the SVG with the colors of the light scheme. For the page, each is replaced by the
CSS variable of its role, and all that a browser does not need is left out. Text stays text.
"""

from __future__ import annotations

import html
import io
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import imsave
from matplotlib.text import Text

from hardmode.reports.plots.style import COLORS, TOOLTIP, use_style

NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
NAMESPACE = re.compile(r"\{[^}]*\}")
FONT = "-apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, Liberation Sans, sans-serif"
VARIABLES = {color: f"var(--{role})" for role, color in COLORS.items()}
BLOCK = "lines: "  # at the start of the gid of a text of several lines
SIDES = {"left": "start", "center": "middle", "right": "end"}  # anchors of SVG, by alignment
DEFAULTS = ("text-anchor: start", "")
TRANSFORM = re.compile(r"(translate|rotate)\(([^)]*)\)")
HEX = re.compile("#[0-9a-f]{6}")
SHAPES = 'pointer-events="none" stroke-linejoin="round"'  # but for tooltips
DENSITY = 2  # pixels of a PNG to one of the page
PNG_DPI = 96 * DENSITY  # that the file states, so that it is printed in the size of the page
TITLE_SIZE, TITLE_LINE = 14, 18  # pixels


@contextmanager
def prepare_saving(salt: str) -> Iterator[None]:
    """Set what matplotlib needs to save a plot; `salt` makes the ids in an SVG unique."""
    with use_style(), mpl.rc_context({"svg.hashsalt": salt}), warnings.catch_warnings():
        # browsers have glyphs that the fonts of matplotlib lack
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        yield


def save_svg(figure: Figure, salt: str = "hardmode") -> str:
    """Return a figure as matplotlib writes it as SVG, with text as text and without a date."""
    content = io.StringIO()
    with prepare_saving(salt):
        figure.savefig(content, format="svg", metadata=NO_METADATA, transparent=True)
    return content.getvalue()


def render_svg_body(figure: Figure, salt: str) -> str:
    """Return the elements of a figure as SVG, compact, with tooltips, in light colors."""
    # matplotlib writes the lines of a text as texts of their own, without the anchor
    blocks = [text for text in figure.findobj(Text) if "\n" in text.get_text()]
    for i, text in enumerate(blocks):
        text.set_gid(f"{BLOCK}{i}")
    root = ElementTree.fromstring(save_svg(figure, salt))
    anchors = {str(text.get_gid()): _find_anchor(text) for text in blocks}
    return "\n".join(_iterate_shapes(root, "", anchors))


class Anchor(NamedTuple):
    """Side of a text that stays in place whatever the font, and where it is."""

    side: str
    x: float


def _find_anchor(text: Text) -> Anchor:
    x, _ = text.get_transform().transform(text.get_unitless_position())
    return Anchor(SIDES[text.get_horizontalalignment()], x)


def _iterate_shapes(
    group: ElementTree.Element, gid: str, anchors: Mapping[str, Anchor]
) -> Iterator[str]:
    """Yield all that is drawn inside a group; groups, clipping and styles are left out.

    Args:
        group: The group.
        gid: Its id, or that of the group around it.
        anchors: Anchors of texts of several lines, by id.
    """
    for element in group:
        tag = NAMESPACE.sub("", element.tag)
        style = _shorten_style(element)
        if tag == "g":
            inner = element.get("id", "")
            is_named = inner.startswith((TOOLTIP, BLOCK))
            yield from _iterate_shapes(element, inner if is_named else gid, anchors)
        elif tag == "defs":
            for path in element:
                if path.tag.endswith("path"):
                    yield f'<defs><path id="{path.get("id")}" d="{_shorten_path(path)}"/></defs>'
        elif tag == "path" and element.get("d"):
            shape = f'd="{_shorten_path(element)}" style="{style}"'
            title = f"<title>{html.escape(gid.removeprefix(TOOLTIP))}</title>"
            yield f'<path class="tip" {shape}>{title}</path>' if gid else f"<path {shape}/>"
        elif tag == "use":
            [link] = [value for name, value in element.items() if name.endswith("href")]
            place = f'x="{_round(element.get("x"))}" y="{_round(element.get("y"))}"'
            yield f'<use href="{link}" {place} style="{style}"/>'
        elif tag == "text":
            yield _shorten_text(element, style, anchors.get(gid))


def _shorten_path(path: ElementTree.Element) -> str:
    numbers = re.sub(r"-?\d+\.\d+", lambda found: _round(found[0]), path.get("d", ""))
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", numbers).strip().replace("\n", " ")


def _round(number: str | float | None) -> str:
    text = f"{float(number or 0):.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _shorten_style(element: ElementTree.Element) -> str:
    """Return the style of an element without its font, which the page chooses."""
    parts = element.get("style", "").split("; ")
    kept = [part for part in parts if not part.startswith("font-family") and part not in DEFAULTS]
    return ";".join(kept).replace(": ", ":")


def _shorten_text(element: ElementTree.Element, style: str, anchor: Anchor | None) -> str:
    angle, place = 0.0, (element.get("x", ""), element.get("y", ""))
    for name, numbers in TRANSFORM.findall(element.get("transform", "")):
        if name == "translate":
            x, y = numbers.split(" ")
            place = (x, y)
        else:
            angle = float(numbers.split(" ")[0])
    x, y = _round(anchor.x if anchor else place[0]), _round(place[1])
    style += f";text-anchor:{anchor.side}" if anchor else ""
    turn = f' transform="rotate({_round(angle)} {x} {y})"' if angle else ""
    text = html.escape(element.text or "")
    return f'<text x="{x}" y="{y}"{turn} style="{style}">{text}</text>'


def render_inline_svg(figure: Figure, body: str, alt: str) -> str:
    """Return a figure as SVG for the page, in colors that follow its light or dark scheme.

    Args:
        figure: The figure.
        body: Its elements.
        alt: Alternative text.
    """
    width, height = _measure(figure)
    size = f'viewBox="0 0 {width} {height}" width="{width}" {SHAPES}'
    colored = HEX.sub(lambda found: VARIABLES.get(found[0], found[0]), body)
    return f'<svg {size} role="img" aria-label="{html.escape(alt)}">\n{colored}\n</svg>'


def render_svg_file(figure: Figure, body: str, title: list[str], alt: str) -> str:
    """Return a figure as an SVG file with its title above.

    Args:
        figure: The figure.
        body: Its elements.
        title: Lines of the title.
        alt: Alternative text.
    """
    width, height = _measure(figure)
    above = TITLE_LINE * len(title) + 8
    heading = []
    for i, line in enumerate(title):
        y = TITLE_LINE * (i - len(title)) + TITLE_SIZE - 4
        heading.append(f'<text x="6" y="{y}" class="title">{html.escape(line)}</text>')
    size = (
        f'width="{width}" height="{height + above}" viewBox="0 {-above} {width} {height + above}"'
    )
    css = (
        f".tip{{pointer-events:all}}.title{{font:bold {TITLE_SIZE}px {FONT};fill:{COLORS['ink']}}}"
    )
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}" {SHAPES}>',
        f"<title>{html.escape(' '.join(title))}</title><desc>{html.escape(alt)}</desc>",
        f"<style>{css}</style>",
        *heading,
        body,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _measure(figure: Figure) -> tuple[int, int]:
    """Return width and height of a figure in pixels of the page."""
    width, height = figure.get_size_inches()
    return round(72 * width), round(72 * height)


def render_png(figure: Figure, title: list[str]) -> bytes:
    """Return a figure as PNG on white with its title above."""
    width, _ = _measure(figure)
    heading = Figure(figsize=(width / 72, (TITLE_LINE * len(title) + 8) / 72))
    options: Any = {"weight": "bold", "size": TITLE_SIZE, "color": COLORS["ink"]}
    text = "\n".join(title)
    heading.text(6 / width, 0.5, text, va="center", linespacing=1.2, **options)
    content = io.BytesIO()
    with prepare_saving(""):
        pixels = np.vstack([_paint(heading), _paint(figure)])
        metadata = {"Title": " ".join(title)}
        imsave(content, pixels, format="png", dpi=PNG_DPI, metadata=metadata)
    return content.getvalue()


def _paint(figure: Figure) -> Any:
    figure.set_dpi(72 * DENSITY)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())
