"""Figures of the page: each kind with the function that plots it, and their SVG and PNG files."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

import matplotlib.figure
from matplotlib.font_manager import FontProperties

from hardmode.reports.page.model import Figure
from hardmode.reports.plots import curves, maps, rows, style
from hardmode.sim.files import text
from hardmode.sim.play.cores import count_cores

PLOTS = {
    "dots": rows.plot_estimates,
    "stacked": rows.plot_shares,
    "tornado": rows.plot_tornado,
    "bars": curves.plot_histogram,
    "lines": curves.plot_curves,
    "odds": curves.plot_curves,
    "heat": maps.plot_heat_map,
    "trade": maps.plot_trade_off,
}  # by kind of figure; the data of a figure are the arguments of its function

SVG = """<svg{0} viewBox="0 {1} {2:g} {3:g}" width="{2:g}" role="img" aria-label="{4}">
{5}
</svg>
"""
OF_FILES = (  # attributes that a page has itself
    ' xmlns="http://www.w3.org/2000/svg" pointer-events="none" font-family="-apple-system, '
    'Segoe UI, Roboto, Helvetica Neue, Arial, Liberation Sans, sans-serif"'
)
REPLACEMENTS = {
    # elements, ids of groups, clipping, fonts and rotations that a browser does not need
    r"(?s).*?</defs>(.*)</svg>": r"\1",
    r"(?s)<!--.*?-->|<clipPath.*?</clipPath>": "",
    r'(?<=<g) id="(?!tooltip: |title)[^"]*"| clip-path="[^"]*"|font-family: [^;"]*;? ?': "",
    r'; text-anchor: start| transform="rotate\(-?0 [^"]*"|xlink:(?=href)': "",
    r'<g id="tooltip: ([^"]*)">': r'<g class="tip" pointer-events="all"><title>\1</title>',
    # decimals of coordinates, which styles do not have, and space
    r"(?<!: )(?<![\d.])(-?\d+\.\d)\d+(?=[^<>]*>)": r"\1",
    r"\s*\n\s*": "\n",
}
TITLE = re.compile('<g id="title">.*?</g>', re.DOTALL)
LINE_HEIGHT = 10 / 7  # of a title, in units of its size


class Drawing(NamedTuple):
    """A figure as SVG for the page, and as an SVG file."""

    inline: str
    file: str


def plot_figure(figure: Figure, width: float = style.WIDE) -> matplotlib.figure.Figure:
    """Return a figure of the page as a figure of matplotlib, with its title above the legend."""
    axes = style.create_axes(width)
    PLOTS[figure.kind](axes, **figure.data)
    plot = style.get_figure(axes)
    height = compute_title_height(figure, width)
    font = FontProperties(weight="bold", size=height / LINE_HEIGHT)
    plot.legends[0].set_title(figure.title, font)
    plot.legends[0].get_title().set_gid("title")
    plot.set_figheight(plot.get_figheight() + height / 72)
    return plot


def compute_title_height(figure: Figure, width: float) -> float:
    """Return the height of a title in one line, in pixels: a longer one is smaller."""
    return LINE_HEIGHT * min(14, 1.4 * width / len(figure.title))


def draw_svg(figure: Figure, width: float = style.WIDE, salt: str = "") -> Drawing:
    """Return a figure as SVG, compact, with tooltips.

    matplotlib writes the colors of the light scheme, which a file keeps. In the page, they are
    those of its light or dark scheme: CSS variables that have the names of their roles.

    Args:
        figure: The figure.
        width: Its width in pixels.
        salt: Text that no other drawing on the same page has.
    """
    plot = plot_figure(figure, width)
    height, top = 72 * plot.get_figheight(), compute_title_height(figure, width)
    alt = html.escape(text.escape_control_chars(figure.alt))
    body = text.escape_control_chars(style.save_svg(plot, salt))
    for pattern, replacement in REPLACEMENTS.items():
        body = re.sub(pattern, replacement, body)
    page = TITLE.sub("", body)
    for role, color in style.COLORS.items():
        page = page.replace(color, f"var(--{role})")
    inline = SVG.format("", f"{top:.1f}", width, height - top, alt, page)
    return Drawing(inline, SVG.format(OF_FILES, 0, width, height, alt, body))


def draw_png(figure: Figure, width: float = style.WIDE) -> bytes:
    """Return a figure as a PNG file."""
    content = io.BytesIO()
    plot = plot_figure(figure, width)
    with style.prepare_saving():
        plot.savefig(content, dpi=144, metadata={"Title": figure.title})
    return content.getvalue()


def draw_pngs(wanted: Sequence[tuple[Figure, float]]) -> list[bytes]:
    """Return figures as PNG files, drawn by as many processes as there are cores.

    Args:
        wanted: Figures with their widths in pixels.
    """
    with ProcessPoolExecutor(count_cores(), get_context("spawn")) as pool:
        return list(pool.map(draw_png, *zip(*wanted, strict=True), chunksize=4))
