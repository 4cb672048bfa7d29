"""Figures of the page: each kind with the function that plots it, and their SVG and PNG files."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import matplotlib.figure

from hardmode.reports.page.model import Figure
from hardmode.reports.plots import curves, files, maps, rows, style
from hardmode.sim.play.cores import count_cores

PLOTS: dict[str, Callable[..., Any]] = {
    "dots": rows.plot_estimates,
    "stacked": rows.plot_shares,
    "tornado": rows.plot_tornado,
    "bars": curves.plot_histogram,
    "lines": curves.plot_curves,
    "odds": curves.plot_win_chance,
    "heat": maps.plot_heat_map,
    "trade": maps.plot_trade_off,
}  # by kind of figure; the data of a figure are the arguments of its function

MIN_FIGURES = 6  # for a process of its own: starting it takes as long as drawing these
DRAW_PNGS = (
    "import pickle, sys; from hardmode.reports.plots.figures import draw_png; "
    "wanted = pickle.load(sys.stdin.buffer); "
    "sys.stdout.buffer.write(pickle.dumps([draw_png(*one) for one in wanted]))"
)


class Drawing(NamedTuple):
    """A figure as SVG for the page, and as an SVG file."""

    inline: str
    file: str


def plot_figure(figure: Figure, width: float = style.WIDE) -> matplotlib.figure.Figure:
    """Return a figure of the page as a figure of matplotlib."""
    data = dict(style.clean_text(figure.data))
    if figure.kind == "bars":
        data["bin_width"] = data.pop("width")
    plotted: matplotlib.figure.Figure = PLOTS[figure.kind](None, **data, width=width).figure
    return plotted


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
    drawn = [b""] * len(wanted)
    with ThreadPoolExecutor(n_processes) as pool:
        parts = pool.map(_draw_in_process, [wanted[i::n_processes] for i in range(n_processes)])
        for i, part in enumerate(parts):
            drawn[i::n_processes] = part
    return drawn


def _draw_in_process(wanted: Sequence[tuple[Figure, float]]) -> list[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command, data = [sys.executable, "-c", DRAW_PNGS], pickle.dumps(wanted)
    process = subprocess.run(command, input=data, capture_output=True, env=environment, check=True)
    drawn: list[bytes] = pickle.loads(process.stdout)
    return drawn
