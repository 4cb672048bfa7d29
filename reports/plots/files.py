"""Plots as files: SVG for the page and for files, and PNG.

matplotlib writes the SVG with the colors of the light scheme. For the page, each is replaced by the
CSS variable of its role, and all that a browser does not need is left out. Text stays text.
"""

from __future__ import annotations

import html
import io
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.image import imsave

from hardmode.reports.plots.style import COLORS, TOOLTIP, prepare_saving, save_svg

FONT = "-apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, Liberation Sans, sans-serif"
ROLES = {color: role for role, color in COLORS.items()}
HEADING = f"font-weight:bold;font-size:14px;fill:{COLORS['ink']}"
HEADING_LINE = 18  # pixels
NOT_NEEDED = re.compile(  # ids of groups, clipping, fonts, and turning by 0 degrees
    r'(?<=<g) id="(?!tooltip: )[^"]*"| clip-path="[^"]*"|<!--.*?-->|font-family: [^;"]*;? ?'
    r'|; text-anchor: start|<clipPath.*?</clipPath>| transform="rotate\(-?0 [^"]*"',
    re.DOTALL,
)
SHAPE = re.compile(r"<(?:path|use|text)[^>]*>")
NUMBER = re.compile(r"(?<!: )(?<![\d.])-?\d+\.\d+")  # coordinates, but not the values of styles
SPACE = re.compile(r"\s*\n\s*|(?<=[;:MLCQz]) | (?=[MLCQz])")
TOOLTIP_GROUP = re.compile(f'<g id="{TOOLTIP}([^"]*)">')
DENSITY = 2  # pixels of a PNG to one of the page
PNG_DPI = 96 * DENSITY  # that the file states, so that it is printed in the size of the page


def render_svg_body(figure: Figure, salt: str) -> str:
    """Return the elements of a figure as SVG, compact, with tooltips, in light colors."""
    for background in (figure.patch, *(axes.patch for axes in figure.axes)):
        background.set_visible(False)
    body = save_svg(figure, salt).partition("</defs>")[2].rpartition("</svg>")[0]
    body = NOT_NEEDED.sub("", body).replace("xlink:href", "href")
    body = SHAPE.sub(lambda tag: _shorten(tag[0]), body)
    body = TOOLTIP_GROUP.sub(r'<g class="tip"><title>\1</title>', body)
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"<defs>\s*</defs>", "", body)).strip()


def _shorten(tag: str) -> str:
    rounded = NUMBER.sub(lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), tag)
    return SPACE.sub("", rounded)


def render_inline_svg(figure: Figure, body: str, alt: str) -> str:
    """Return a figure as SVG for the page, in colors that follow its light or dark scheme.

    Args:
        figure: The figure.
        body: Its elements.
        alt: Alternative text.
    """
    width, height = measure_figure(figure)
    size = f'viewBox="0 0 {width} {height}" width="{width}"'
    colored = re.sub("|".join(ROLES), lambda color: f"var(--{ROLES[color[0]]})", body)
    return f'<svg {size} role="img" aria-label="{html.escape(alt)}">\n{colored}\n</svg>'


def render_svg_file(figure: Figure, body: str, title: Sequence[str], alt: str) -> str:
    """Return a figure as an SVG file with its title above.

    Args:
        figure: The figure.
        body: Its elements.
        title: Lines of the title.
        alt: Alternative text.
    """
    width, height = measure_figure(figure)
    above = HEADING_LINE * len(title) + 8
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + above}"'
        f' viewBox="0 {-above} {width} {height + above}" font-family="{FONT}">',
        f"<title>{html.escape(' '.join(title))}</title><desc>{html.escape(alt)}</desc>",
        "<style>*{pointer-events:none}.tip *{pointer-events:all}</style>",
    ]
    for i, line in enumerate(title):
        y = HEADING_LINE * (i - len(title)) + 10
        lines.append(f'<text x="6" y="{y}" style="{HEADING}">{html.escape(line)}</text>')
    return "\n".join([*lines, body, "</svg>\n"])


def measure_figure(figure: Figure) -> tuple[int, int]:
    """Return width and height of a figure in pixels of the page."""
    width, height = figure.get_size_inches()
    return round(72 * width), round(72 * height)


def render_png(figure: Figure, title: Sequence[str]) -> bytes:
    """Return a figure as PNG on white with its title above."""
    width, _ = measure_figure(figure)
    heading = Figure(figsize=(width / 72, (HEADING_LINE * len(title) + 8) / 72))
    text: Any = {"weight": "bold", "size": 14, "color": COLORS["ink"], "va": "center"}
    content = io.BytesIO()
    with prepare_saving(""):
        heading.text(6 / width, 0.5, "\n".join(title), **text)
        pixels = np.vstack([_paint(heading), _paint(figure)])
        metadata = {"Title": " ".join(title)}
        imsave(content, pixels, format="png", dpi=PNG_DPI, metadata=metadata)
    return content.getvalue()


def _paint(figure: Figure) -> Any:
    figure.set_dpi(72 * DENSITY)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())
