"""Colors of plots by role, and what all plots share: style, size, tooltips and legend.

`hardmode.mplstyle` has fonts, lines and spacing. Colors are those of the light scheme; the page
replaces each by the CSS variable of its role, so every role has a color of its own.
"""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from math import ceil
from pathlib import Path
from typing import Any, cast

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from hardmode.reports.console import wording
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

Rows = Sequence[Mapping[str, Any]]
Range = tuple[float, float]

# Palette for color-blind readers, after Okabe and Ito; lines also differ by their dashes, areas by
# their order. Values, games won and effects that raise a value are "a"; games lost and effects that
# lower it are "b".
COLORS = {
    "ink": "#1b2530",
    "muted": "#5c6a79",
    "line": "#dde3ea",
    "paper": "#ffffff",
    "band": "#dcebdf",
    "heat": "#0a679f",
    "frame": "#1c7a3e",
    "a": "#0a679e",
    "a2": "#5aa6d2",
    "b": "#cf5a06",
    "c": "#dca21b",
    "d": "#a85c90",
    "e": "#2c8f6e",
    "f": "#86603c",
    "g": "#b9a3cf",
    "h": "#7a8794",
    "other": "#c3cbd4",
    "on-deep": "#fffffe",
    "on-pale": "#101820",
}
WIDE, BROAD = 440, 920  # width in pixels of a plot in one column, and of one across the page
HEIGHT = 236  # pixels, unless a plot says otherwise
LETTER, LEGEND_LINE = 7, 19  # pixels: about the width of a letter, and the height of a line
TOOLTIP = "tooltip: "  # at the start of the gid of an artist that has one
PATH = Path(__file__).with_name("hardmode.mplstyle")
STYLE: Any = mpl.rc_params_from_file(PATH, use_default_template=False)


@contextmanager
def prepare_saving(salt: str = "hardmode") -> Iterator[None]:
    """Set what matplotlib needs to save a plot; `salt` makes the ids in an SVG unique."""
    with mpl.rc_context({**STYLE, "svg.hashsalt": salt}), warnings.catch_warnings():
        # browsers have glyphs that the fonts of matplotlib lack
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        yield


def save_svg(figure: Figure, salt: str = "hardmode") -> str:
    """Return a figure as SVG with text as text; `Figure.savefig` would lay it out twice."""
    content = io.StringIO()
    with prepare_saving(salt):
        FigureCanvasSVG(figure).print_svg(content)
    return content.getvalue()


class PlotAxes(Axes):
    """Axes of a plot with a figure of its own, which a notebook shows."""

    def _repr_svg_(self) -> str:
        return save_svg(get_figure(self))


def get_figure(ax: Axes) -> Figure:
    """Return the figure that axes belong to."""
    return cast(Figure, ax.figure)


def create_axes(width: float = WIDE) -> Axes:
    """Return axes with a figure of its own, of a width in pixels."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width / 72, HEIGHT / 72))
        return figure.add_subplot(axes_class=PlotAxes)


def set_height(ax: Axes, pixels: float) -> None:
    """Set the height of a plot with a figure of its own, without its legend."""
    if isinstance(ax, PlotAxes):
        get_figure(ax).set_figheight(pixels / 72)


def plot_in_style(draw: Callable[..., Axes]) -> Callable[..., Axes]:
    """Return a function that draws a plot in the style of hardmode, with a legend.

    Args:
        draw: Function that draws into the axes which are its first argument. The function that is
            returned also takes None for axes with a figure of its own.
    """

    @wraps(draw)
    def plot(ax: Axes | None, *args: Any, **options: Any) -> Axes:
        with mpl.rc_context(STYLE):
            axes = draw(ax or create_axes(), *args, **options)
            add_legend(axes)
            return axes

    return plot


def add_legend(ax: Axes) -> None:
    """Add a legend above a plot, and make room for it in a figure of its own."""
    handles, names = ax.get_legend_handles_labels()
    entries = dict(zip(names, handles, strict=True))  # one for all artists of a name
    if not isinstance(ax, PlotAxes):
        ax.legend(entries.values(), entries)
        return
    figure, longest = get_figure(ax), max(map(len, entries), default=0)
    n_columns = int(72 * figure.get_figwidth() / (32 + LETTER * longest)) or 1
    legend = figure.legend(entries.values(), entries, ncols=n_columns, loc="outside upper left")
    legend.set_alignment("left")
    height = LEGEND_LINE * ceil(len(entries) / n_columns)
    figure.set_figheight(figure.get_figheight() + height / 72)


def format_tooltip(label: str, e: Estimate, kind: str, decimals: int | None = None) -> str:
    """Return the gid of an artist whose tooltip is a label, an estimate and its number of games."""
    text = formatting.format_with_interval(e, kind, decimals)
    games = f", from {wording.format_games(e.n)}" if e.n else ""
    return f"{TOOLTIP}{label}: {text}{games}"


def stack_bars(draw: Any, places: Any, size: float, parts: Rows, labels: Sequence[str]) -> None:
    """Draw stacked bars with tooltips.

    Args:
        draw: `Axes.bar` or `Axes.barh`.
        places: Place of each bar.
        size: Thickness of the bars.
        parts: Parts of the bars: their name, color role and shares (y).
        labels: Label of each bar.
    """
    bottom = np.zeros(len(labels))
    for part in parts:
        name, shares = part["name"], 100 * np.array(part["y"])
        bars = draw(places, shares, size, bottom, color=COLORS[part["role"]], label=name)
        bottom += shares
        for bar, label, share in zip(bars, labels, shares, strict=True):
            bar.set_gid(f"{TOOLTIP}{label}, {name}: {share:.1f} % of games")


def wrap_names(names: Sequence[Any], max_letters: int) -> list[str]:
    """Return names in lines of limited length."""
    return [textwrap.fill(str(name), max_letters) for name in names]
