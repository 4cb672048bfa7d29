"""The plots: one drawing function for each kind of figure, in one style, as SVG for the page and as files.

Every colour stands for a role. In the page the roles become CSS variables, so that the plots follow light and dark; in
the files they keep the colours of paper. Titles are cut off where the page has its own. A plot that stands alone takes
the whole width, and is drawn once more for a narrow screen.
"""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from math import ceil
from typing import Any

from hardmode.reports.page import heat_plot, numbers_plots, row_plots, svg
from hardmode.reports.page.row_plots import said
from hardmode.reports.page.style import DASHES, MARKS, ROLES, STYLE, TITLE, WIDE, told
from hardmode.reports.page.views import Figure


def draw(figure: Figure, prefix: str = "", width: int = WIDE) -> tuple[str, str, bytes]:
    """A figure as SVG for the page (where names begin with the prefix), as an SVG file and as a PNG file."""
    with _drawn(figure, width) as (canvas, top):
        text, png = _svg(canvas), io.BytesIO()
        canvas.savefig(png, format="png", dpi=192, facecolor="white", metadata={"Title": svg.clean(figure.title)})
        return (svg.inlined(text, figure, top, f"{prefix}-{figure.name}-", canvas.tips),
                svg.filed(text, figure, canvas.tips), png.getvalue())


def narrow(figure: Figure, prefix: str) -> str:
    """A figure as SVG for a narrow screen."""
    with _drawn(figure, WIDE) as (canvas, top):
        return svg.inlined(_svg(canvas), figure, top, f"{prefix}-{figure.name}-narrow-", canvas.tips)


def _svg(canvas: Any) -> str:
    text = io.BytesIO()
    canvas.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return text.getvalue().decode()


@contextmanager
def _drawn(figure: Figure, wanted: int) -> Iterator[tuple[Any, int]]:
    """The figure on a canvas, and the pixels that its title takes."""
    from matplotlib.figure import Figure as Canvas

    with _style():
        width, height = SIZE[figure.kind](figure.data, wanted)
        title = textwrap.wrap(figure.title, max(30, width // 9))
        top = TITLE + 16 * (len(title) - 1)
        columns, lines = _key_shape(figure.data, width)
        key = 18 * lines + 4 * bool(lines)
        whole = height + key + top
        canvas: Any = Canvas(figsize=(width / 96, whole / 96), dpi=96)
        canvas.tips = []
        canvas.set_layout_engine("constrained", rect=(0, 0, 1, height / whole), w_pad=0.02, h_pad=0.02)
        canvas.text(6 / width, 1 - 8 / whole, "\n".join(title), va="top", fontsize=10.5, weight="bold", gid="title")
        DRAW[figure.kind](canvas, figure.data)
        if lines:
            handles = _across([_sample(k) for k in _keys(figure.data)], columns)
            canvas.legend(handles=handles, ncols=columns, loc="upper left", borderaxespad=0,
                          borderpad=0, bbox_to_anchor=(6 / width, 1 - top / whole), **KEY).set_in_layout(False)
        canvas.draw_without_rendering()
        canvas.set_layout_engine("none")
        yield canvas, top


KEY = {"handlelength": 1.4, "handleheight": 0.9, "columnspacing": 1.4, "handletextpad": 0.5}


def _keys(data: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """What a plot must explain: the name, the role of its colour, and how it is drawn."""
    named = [(s["name"], s["role"], "line" if "estimates" in s else "area")
             for s in data.get("series", ()) if s["name"]]
    keys = named if len(named) > 1 else []
    if data.get("band") and data["band_text"]:
        keys.append((data["band_text"], *(("frame", "frame") if "panels" in data else ("band", "area"))))
    if data.get("mark_text") and "rows" in data:
        keys.append((data["mark_text"], "muted", "rule"))
    keys += data.get("keys", ())
    return keys


def _key_shape(data: Mapping[str, Any], width: int) -> tuple[int, int]:
    """Columns and lines of the explanations above a plot."""
    keys = _keys(data)
    columns = max(1, min(len(keys), width // (32 + 6 * max((len(name) for name, _, _ in keys), default=1))))
    return columns, ceil(len(keys) / columns)


def _across(handles: list[Any], columns: int) -> list[Any]:
    """In the order in which a legend, that is filled column by column, reads line by line."""
    full, rest = divmod(len(handles), columns)
    where = [(line, column) for column in range(columns) for line in range(full + (column < rest))]
    return [handles[line * columns + column] for line, column in where]


def _sample(key: tuple[str, str, str]) -> Any:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    name, role, drawn = key
    if drawn == "area":
        return Patch(color=ROLES[role], label=name)
    if drawn == "frame":
        return Patch(facecolor="none", edgecolor=ROLES[role], lw=1.6, label=name)
    if drawn == "rule":
        return Line2D([], [], color=ROLES[role], lw=1, label=name)
    return Line2D([], [], color=ROLES[role], ls=DASHES.get(role, "-"), marker=MARKS.get(role, "o"), label=name)


@contextmanager
def _style() -> Iterator[None]:
    import matplotlib as mpl

    with mpl.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # other scripts are drawn by the browser
        yield


# -- histograms and curves --------------------------------------------------------------------------


def _plain_size(data: Mapping[str, Any], width: int) -> tuple[int, int]:
    return width, 236


def _bars(canvas: Any, data: Mapping[str, Any]) -> None:
    axes, width = canvas.subplots(), data["width"]
    middles = [x + (width - 1) / 2 for x in data["x"]]
    floor = [0.0] * len(middles)
    for s in data["series"]:
        heights = [100 * y for y in s["y"]]
        bars = axes.bar(middles, heights, width=0.86 * width, bottom=floor, color=ROLES[s["role"]])
        for bar, x, height in zip(bars, data["x"], heights, strict=True):
            value = f"{x:g}" if width == 1 else f"{x:g} to {x + width - 1:g}"
            told(canvas, bar, f"{data['axis']} {value}, {s['name']}: {height:.1f} % of games")
        floor = [a + b for a, b in zip(floor, heights, strict=True)]
    axes.set(xlabel=data["axis"], ylabel=data["height"] + ", %")
    _finish(axes)


def _lines(canvas: Any, data: Mapping[str, Any]) -> None:
    axes, scale = canvas.subplots(), 100 if data["share"] else 1
    for s in data["series"]:
        colour = ROLES[s["role"]]
        low, middle, high = ([scale * getattr(e, k) for e in s["estimates"]] for k in ("low", "value", "high"))
        axes.fill_between(s["x"], low, high, color=colour, alpha=0.22, lw=0)
        dense = len(s["x"]) > 25
        axes.plot(s["x"], middle, color=colour, ls=DASHES.get(s["role"], "-"),
                  marker="" if dense else MARKS.get(s["role"], "o"), markersize=3.5)
    if data["mark"] is not None:
        axes.axvspan(*data["mark_ends"], color=ROLES["muted"], alpha=0.16, lw=0)
        axes.axvline(data["mark"], color=ROLES["muted"], lw=1)
        axes.annotate(data["mark_text"], (data["mark"], 1), xycoords=("data", "axes fraction"), xytext=(4, -2),
                      textcoords="offset points", va="top", color=ROLES["muted"], fontsize=8)
    axes.set(xlabel=data["axis"], ylabel=data["height"] + (", %" if data["share"] else ""))
    axes.margins(x=0.02)  # so that no tick stands where nothing can be
    if data["share"]:
        axes.set_ylim(0, 102)
    _finish(axes)
    _columns(canvas, axes, data)


def _columns(canvas: Any, axes: Any, data: Mapping[str, Any]) -> None:
    """Over every place of the axis a column that tells what all curves are there."""
    found: dict[float, list[str]] = {}
    for s in data["series"]:
        for x, e in zip(s["x"], s["estimates"], strict=True):
            found.setdefault(x, []).append(said(s["name"] or data["height"], e, "rate" if data["share"] else "mean"))
    places = sorted(found)
    middles = [places[0], *((a + b) / 2 for a, b in pairwise(places)), places[-1]]
    for x, low, high in zip(places, middles, middles[1:], strict=False):
        told(canvas, axes.axvspan(low, high, facecolor="none", lw=0, zorder=5),
             f"{data['axis']} {x:g}: {'; '.join(found[x])}")


def _odds(canvas: Any, data: Mapping[str, Any]) -> None:
    """Curves with bands over steps; rounds are told under them, turning points by their numbers."""
    axes = canvas.subplots()
    for s in data["series"]:
        low, middle, high = ([100 * getattr(e, k) for e in s["estimates"]] for k in ("low", "value", "high"))
        axes.fill_between(s["x"], low, high, color=ROLES[s["role"]], alpha=0.22, lw=0)
        axes.plot(s["x"], middle, color=ROLES[s["role"]], ls=DASHES.get(s["role"], "-"))
    last, free = data["series"][0]["x"][-1], 0.0
    for x, y, number in sorted(data["turns"]):
        free = max(x, free)  # side by side where they are near to each other
        axes.plot([free], [100 * y], "o", color=ROLES["ink"], markersize=11, clip_on=False, zorder=4)
        axes.text(free, 100 * y - 0.4, number, color=ROLES["on-deep"], ha="center", va="center", fontsize=8,
                  weight="bold", zorder=5)
        free += 0.032 * last
    every = ceil(len(data["rounds"]) / 12)
    ticks = [r for i, r in enumerate(data["rounds"]) if i % every == 0]
    axes.set(xlabel=data["axis"], ylabel="chance to win, %", ylim=(-2, 102), xlim=(0, max(1, last)))
    axes.set_xticks([x for x, _ in ticks], [label for _, label in ticks])
    axes.tick_params(labelcolor=ROLES["muted"])


def _finish(axes: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=9, steps=[1, 2, 5, 10]))
    axes.tick_params(labelcolor=ROLES["muted"])
    axes.grid(axis="x", visible=False)


DRAW = {**row_plots.DRAW, **heat_plot.DRAW, "bars": _bars, "lines": _lines, "odds": _odds, **numbers_plots.DRAW}
SIZE = {**row_plots.SIZE, **heat_plot.SIZE, "bars": _plain_size, "lines": _plain_size, "odds": _plain_size,
        **numbers_plots.SIZE}
