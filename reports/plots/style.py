"""Colors of plots by role, and what all plots share: style, size, labels, tooltips and legend.

`hardmode.mplstyle` has fonts, lines and spacing. Colors are those of the light scheme; the page
replaces each by the CSS variable of its role, so every role has a color of its own.
"""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any, cast

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.ticker import MaxNLocator

from hardmode.reports.console import wording
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

# Palette for color-blind readers, after Okabe and Ito; lines also differ by their markers, areas by
# their order.
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
PALE_ROLES = ("c", "g", "other", "a2")  # on which text is dark
MARKERS = {"a": "o", "b": "s", "c": "^", "d": "D"}
DASHES = {"b": (0, (8, 3.5)), "c": (0, (9, 3, 2, 3)), "d": (0, (2, 3))}
WIDE, BROAD = 440, 920  # width in pixels of a plot in one column, and of one across the page
SMALL = 10.7  # pixels: size of text inside a plot
LETTER = 6.1  # pixels: about the width of a letter
LABEL_SHARE = 0.34  # of the width that labels of rows take at most
CENTERED: Any = {"ha": "center", "va": "center"}
LEGEND_LINE = 19  # pixels
LINE = 14.4  # pixels from line to line of a label
THIN = 1.3  # pixels: lines that mark a value, and intervals over bars
FONTS = ("Liberation Sans", "Arial", "DejaVu Sans")
ROUND_STEPS: Any = {"nbins": "auto", "steps": [1, 2, 2.5, 5, 10]}  # of a `MaxNLocator`
TOOLTIP = "tooltip: "  # at the start of the gid of an artist that has one
NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))  # of an SVG
STYLE = Path(__file__).with_name("hardmode.mplstyle")


def use_style() -> AbstractContextManager[None]:
    """Return a context in which matplotlib draws in the style of hardmode."""
    return mpl.rc_context(_load_style())


@cache
def _load_style() -> Any:
    style: Any = mpl.rc_params_from_file(STYLE, use_default_template=False)
    installed = fontManager.get_font_names()
    return {**style, "font.family": [name for name in FONTS if name in installed]}


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


class PlotAxes(Axes):
    """Axes of a plot with a figure of its own, which a notebook shows."""

    def _repr_svg_(self) -> str:
        return save_svg(get_figure(self))


def create_axes(ax: Axes | None, width: float) -> Axes:
    """Return given axes, or those of a new figure of a width in pixels."""
    if ax is None:
        ax = Figure(figsize=(width / 72, width / 144)).add_subplot(axes_class=PlotAxes)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(**ROUND_STEPS))
    return ax


def get_figure(ax: Axes) -> Figure:
    """Return the figure that axes belong to."""
    return cast(Figure, ax.get_figure(root=True))


def measure_width(ax: Axes) -> float:
    """Return about how many pixels a plot and its labels have from left to right."""
    return 72 * ax.get_window_extent().width / get_figure(ax).dpi / 0.775


def finish_plot(ax: Axes, is_own: bool, height: float, legend: Sequence[Artist] = ()) -> Axes:
    """Add a legend for all artists with a label, and set the height of a plot of its own.

    Args:
        ax: Axes of the plot.
        is_own: Whether the plot has a figure of its own.
        height: Height of that figure in pixels, without the legend.
        legend: More entries of the legend.
    """
    handles = [*ax.get_legend_handles_labels()[0], *legend]
    longest = max((len(str(handle.get_label())) for handle in handles), default=0)
    fitting = int(measure_width(ax) / (32 + (LETTER + 0.9) * longest))
    n_columns = min(max(1, fitting), max(1, len(handles)))
    # matplotlib fills a legend column by column
    order = [handle for i in range(n_columns) for handle in handles[i::n_columns]]
    if is_own:
        figure = get_figure(ax)
        if handles:
            figure.legend(handles=order, loc="outside upper left", ncols=n_columns)
        height += LEGEND_LINE * ceil(len(handles) / n_columns)
        figure.set_size_inches(figure.get_figwidth(), ceil(height) / 72)
    elif handles:
        ax.legend(handles=order, loc="lower left", bbox_to_anchor=(0, 1), ncols=n_columns)
    return ax


def set_tooltip(artist: Artist, text: str) -> None:
    """Give an artist a text that the page shows under the pointer."""
    artist.set_gid(TOOLTIP + text)


def format_tooltip(label: str, e: Estimate, kind: str, decimals: int | None = None) -> str:
    """Return a label with its value, interval and number of games."""
    games = f", from {wording.format_games(e.n)}" if e.n > 1 else ""
    return f"{label}: {formatting.format_with_interval(e, kind, decimals)}{games}"


def add_note(ax: Axes, text: str, at: tuple[float, float], dx: float, **options: Any) -> None:
    """Write a muted text beside a point.

    Args:
        ax: Axes of the plot.
        text: The text.
        at: The point.
        dx: Distance from the point in pixels; the text is on its left if this is negative.
        options: Options of `Axes.annotate`.
    """
    options = {"xytext": (dx, 0), "va": "center_baseline", "size": SMALL, **options}
    side = "left" if dx > 0 else "right"
    ax.annotate(text, at, textcoords="offset points", ha=side, color=COLORS["muted"], **options)


def set_rows(ax: Axes, names: Sequence[list[str]], places: Sequence[float], height: float) -> None:
    """Give a plot rows from the top downwards.

    In a plot of its own, each line of a name is a tick label: browsers have other fonts than
    matplotlib, and only labels of one line stay aligned.

    Args:
        ax: Axes of the plot.
        names: Lines of the name of each row.
        places: Position of each row.
        height: Height of a row in pixels.
    """
    ticks = {}
    for place, name in zip(places, names, strict=True):
        lines = name if isinstance(ax, PlotAxes) else ["\n".join(name)]
        for i, line in enumerate(lines):
            ticks[place + (i - (len(lines) - 1) / 2) * LINE / height] = line
    ax.set_yticks(list(ticks), list(ticks.values()))
    ax.tick_params(axis="y", labelcolor=COLORS["ink"], length=0)
    ax.spines["left"].set_visible(False)


def wrap_label(label: str, max_letters: int) -> list[str]:
    """Return the lines of a label, broken between words or parts of a path if possible.

    Labels are never cut, so they stay unique.
    """
    lines = [""]
    for part in re.split(r"(?<=\s)|(?<=[._])(?=[a-z])", str(label)):
        if lines[-1] and len(lines[-1] + part.rstrip()) > max_letters:
            lines.append("")
        lines[-1] += part
    return [piece for line in lines for piece in textwrap.wrap(line, max_letters)] or [""]


def wrap_labels(labels: Sequence[str], width: float) -> list[list[str]]:
    """Return the lines of the labels of rows, in a plot of a width in pixels."""
    max_letters = max(12, int(LABEL_SHARE * width / LETTER))
    return [wrap_label(label, max_letters) for label in labels]


def compute_row_height(row: float, names: Sequence[list[str]]) -> float:
    """Return the height of every row in pixels, so that the name with most lines fits."""
    return row + LINE * (max(map(len, names), default=1) - 1)


def clean_text(data: Any) -> Any:
    """Return data without the control characters and lone surrogates that XML forbids."""
    if isinstance(data, str):
        text = data.encode("utf-8", "replace").decode()
        return re.sub(r"[\0-\x08\x0b-\x1f\ufffe\uffff]", "", text)
    if isinstance(data, Mapping):
        return {clean_text(key): clean_text(value) for key, value in data.items()}
    return list(map(clean_text, data)) if isinstance(data, (list, tuple)) else data
