"""Figures of the page: each kind with the function that plots it, and their SVG and PNG files."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, NamedTuple

import matplotlib.figure
from matplotlib.axes import Axes

from hardmode.reports.page.model import Figure
from hardmode.reports.plots import curves, files, maps, rows, style
from hardmode.sim.play.cores import count_cores

PLOTS: dict[str, Callable[[Axes | None, Mapping[str, Any], float], Axes]] = {
    "dots": rows.plot_estimates,
    "stacked": rows.plot_shares,
    "tornado": rows.plot_tornado,
    "bars": curves.plot_histogram,
    "lines": curves.plot_curves,
    "odds": curves.plot_win_chance,
    "heat": maps.plot_heat_map,
    "trade": maps.plot_trade_off,
}  # by kind of figure; see `reports.page.model` for the data of each

MIN_FIGURES = 15  # for a process of its own: starting it takes as long as drawing about twelve


class Drawing(NamedTuple):
    """A figure as SVG for the page, and as an SVG file."""

    inline: str
    file: str


def plot_figure(figure: Figure, width: float = style.WIDE) -> matplotlib.figure.Figure:
    """Return a figure of the page as a figure of matplotlib."""
    axes = PLOTS[figure.kind](None, style.clean_text(figure.data), width)
    return style.get_figure(axes)


def draw_svg(figure: Figure, width: float = style.WIDE, salt: str = "") -> Drawing:
    """Return a figure as SVG.

    Args:
        figure: The figure.
        width: Its width in pixels.
        salt: Text that no other drawing on the same page has.
    """
    plot = plot_figure(figure, width)
    body, alt = files.render_svg_body(plot, salt), style.clean_text(figure.alt)
    title = wrap_title(figure.title, width)
    return Drawing(
        files.render_inline_svg(plot, body, alt), files.render_svg_file(plot, body, title, alt)
    )


def draw_png(figure: Figure, width: float = style.WIDE) -> bytes:
    """Return a figure as a PNG file."""
    return files.render_png(plot_figure(figure, width), wrap_title(figure.title, width))


def wrap_title(title: str, width: float) -> list[str]:
    """Return the lines of a title above a figure."""
    return textwrap.wrap(style.clean_text(title), max(30, int(width // 9)))


def draw_pngs(wanted: Sequence[tuple[Figure, float]]) -> list[bytes]:
    """Return figures as PNG files, drawn by as many processes as there are cores.

    Args:
        wanted: Figures with their widths in pixels.
    """
    n_processes = min(count_cores(), len(wanted) // MIN_FIGURES)
    if n_processes < 2:
        return [draw_png(figure, width) for figure, width in wanted]
    figures, widths = zip(*wanted, strict=True)
    with ProcessPoolExecutor(n_processes, get_context("spawn")) as pool:
        return list(pool.map(draw_png, figures, widths, chunksize=4))
