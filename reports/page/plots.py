"""The plots: one drawing function for each kind of figure, in one style, as SVG for the page and as files.

Every colour stands for a role. In the page the roles become CSS variables, so that the plots follow
light and dark; in the files they keep the colours of paper. Titles are cut off where the page has its own.
"""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil, isfinite
from typing import Any

from hardmode.reports import wording
from hardmode.reports.page import numbers_plots
from hardmode.reports.page.style import DASHES, DEEPEST, FONT, MARKS, PALE, ROLES, STYLE, TITLE, WIDE
from hardmode.reports.page.views import Figure
from hardmode.studies import estimate_text
from hardmode.studies.estimates import Estimate


def draw(figure: Figure, prefix: str = "") -> tuple[str, str, bytes]:
    """A figure as SVG for the page (where names begin with the prefix), as an SVG file and as a PNG file."""
    from matplotlib.figure import Figure as Canvas

    with _style():
        width, height = SIZE[figure.kind](figure.data)
        title = textwrap.wrap(figure.title, max(30, width // 9))
        top = TITLE + 16 * (len(title) - 1)
        columns, lines = _key_shape(figure.data, width)
        key = 18 * lines + 4 * bool(lines)
        whole = height + key + top
        canvas = Canvas(figsize=(width / 96, whole / 96), dpi=96)
        canvas.set_layout_engine("constrained", rect=(0, 0, 1, height / whole), w_pad=0.02, h_pad=0.02)
        canvas.text(6 / width, 1 - 8 / whole, "\n".join(title), va="top", fontsize=10.5, weight="bold", gid="title")
        DRAW[figure.kind](canvas, figure.data)
        if lines:
            handles = _across([_sample(k) for k in _keys(figure.data)], columns)
            canvas.legend(handles=handles, ncols=columns, loc="upper left", borderaxespad=0,
                          borderpad=0, bbox_to_anchor=(6 / width, 1 - top / whole), **KEY).set_in_layout(False)
        canvas.draw_without_rendering()
        canvas.set_layout_engine("none")
        png, svg = io.BytesIO(), io.BytesIO()
        canvas.savefig(svg, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
        canvas.savefig(png, format="png", dpi=192, facecolor="white", metadata={"Title": _clean(figure.title)})
    text = svg.getvalue().decode()
    return inlined(text, figure, top, f"{prefix}-{figure.name}-"), _filed(text, figure), png.getvalue()


KEY = {"handlelength": 1.4, "handleheight": 0.9, "columnspacing": 1.4, "handletextpad": 0.5}


def _keys(data: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """What a plot must explain: the name, the role of its colour, and how it is drawn."""
    named = [(wording.cut(s["name"], 40), s["role"], "line" if "estimates" in s else "area")
             for s in data.get("series", ()) if s["name"]]
    keys = named if len(named) > 1 else []
    if data.get("band") and data["band_text"]:
        keys.append((data["band_text"], "band", "area"))
    if data.get("mark_text") and "rows" in data:
        keys.append((data["mark_text"], "muted", "rule"))
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
    if drawn == "rule":
        return Line2D([], [], color=ROLES[role], lw=1, label=name)
    return Line2D([], [], color=ROLES[role], ls=DASHES.get(role, "-"), marker=MARKS.get(role, "o"), label=name)


@contextmanager
def _style() -> Iterator[None]:
    import matplotlib as mpl

    with mpl.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # other scripts are drawn by the browser
        yield


# -- SVG --------------------------------------------------------------------------------------------


def inlined(text: str, figure: Figure, top: int, prefix: str) -> str:
    """The SVG as it stands in the page: colours by role, no title, names of its own, words for those who cannot see."""
    body = text[text.index("<svg"):]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.S)
    body = re.sub(r'<g id="title">.*?</g>', "", body, flags=re.S)
    width, height = (float(x) for x in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', body).groups())  # type: ignore[union-attr]
    cut = top * 0.75
    head = (f'<svg viewBox="0 {cut:g} {width:g} {height - cut:g}" width="{width / 0.75:.0f}" role="img" '
            f'aria-label="{_escaped(figure.alt)}">')
    body = head + body[body.index(">") + 1:]
    for role, colour in ROLES.items():
        body = body.replace(colour, f"var(--{role})")
    body = _fonts(body, "var(--sans)").replace("xlink:href", "href")
    kept = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', body))
    kept_names = {a or b for a, b in kept}
    body = re.sub(r' id="([^"]+)"', lambda m: f' id="{prefix}{m[1]}"' if m[1] in kept_names else "", body)
    body = re.sub(r'(url\(#|href="#)', rf"\1{prefix}", body)
    return re.sub(r"\n\s*", "\n", re.sub(r"<!--.*?-->", "", body, flags=re.S))


def _filed(text: str, figure: Figure) -> str:
    """The SVG as a file of its own, with its words and fonts that every machine has."""
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    start = text.index(">", text.index("<svg")) + 1
    told = f"<title>{_escaped(figure.title)}</title><desc>{_escaped(figure.alt)}</desc>"
    return _fonts(text[:start] + told + text[start:], FONT)


def _fonts(text: str, family: str) -> str:
    return re.sub(r"(font-family: )[^;\"]+", rf"\1{family}", text)


def _escaped(text: str) -> str:
    import html

    return html.escape(_clean(text))


def _clean(text: str) -> str:
    """Without the control characters that XML forbids."""
    return "".join(c for c in text if c >= " " or c in "\t\n")


# -- values with intervals --------------------------------------------------------------------------


def _dots_size(data: Mapping[str, Any]) -> tuple[int, int]:
    return WIDE, 26 * len(_with_groups(data["rows"])) + 46


def _with_groups(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, Estimate | None]]:
    """The lines of the plot: a heading before each group, then its rows."""
    out: list[tuple[str, Estimate | None]] = []
    seen = None
    for row in rows:
        if row.get("group") and row["group"] != seen:
            seen = row["group"]
            out.append((seen, None))
        out.append((row["label"], row["estimate"]))
    return out


def _dots(canvas: Any, data: Mapping[str, Any]) -> None:
    axes, kind = canvas.subplots(), data["kind"]
    scale = 100 if kind in ("rate", "points") else 1
    found = _with_groups(data["rows"])
    low, high = _span(data, scale)
    if data["band"]:
        axes.axvspan(*(scale * x for x in data["band"]), color=ROLES["band"], lw=0, zorder=0)
    if data["mark"] is not None:
        axes.axvline(scale * data["mark"], color=ROLES["muted"], lw=1, zorder=1)
    for y, (_, e) in enumerate(found):
        if e is None or not isfinite(e.value):
            continue
        ends = max(scale * e.low, low), min(scale * e.high, high)
        axes.plot(ends, (y, y), color=ROLES["a"], lw=2.4, solid_capstyle="butt", zorder=2)
        axes.plot([scale * e.value], [y], "o", color=ROLES["a"], zorder=3, clip_on=False)
    axes.set(xlim=(low, high), ylim=(len(found) - 0.4, -0.6), xlabel=data["axis"] + (", %" if kind == "rate" else ""))
    axes.set_yticks(range(len(found)), [wording.cut(label, 30) for label, _ in found])
    for tick, (_, e) in zip(axes.get_yticklabels(), found, strict=True):
        tick.set_weight("bold" if e is None else "normal")
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    beside = axes.secondary_yaxis("right")
    beside.set_yticks(range(len(found)), ["" if e is None else estimate_text.with_interval(e, kind) for _, e in found])
    beside.spines["right"].set_visible(False)
    beside.tick_params(labelcolor=ROLES["muted"], length=0)


def _span(data: Mapping[str, Any], scale: float) -> tuple[float, float]:
    """From where to where the axis goes: rates from 0 to 100 unless all are small."""
    ends = [scale * x for r in data["rows"] for x in (r["estimate"].low, r["estimate"].high) if isfinite(x)]
    if data["kind"] == "rate":
        most = max([*ends, *(scale * x for x in data["band"] or ())], default=100)
        end = 100.0 if most > 40 else 50.0 if most > 18 else 20.0 if most > 9 else 10.0
        return -0.02 * end, 1.02 * end  # so that a mark at the very end is whole
    least, most = min([*ends, 0.0]), max([*ends, 0.0])
    room = 0.06 * (most - least or 1)
    return least - room, most + room


# -- heat maps --------------------------------------------------------------------------------------


def _heat_grid(data: Mapping[str, Any]) -> tuple[int, int]:
    """How many panels stand side by side and one above the other."""
    across = 1 if len(data["panels"]) == 1 or len(data["panels"][0]["columns"]) > 5 else 2
    return across, ceil(len(data["panels"]) / across)


def _heat_size(data: Mapping[str, Any]) -> tuple[int, int]:
    across, down = _heat_grid(data)
    panel = data["panels"][0]
    gutter = 40 + 6.2 * max(len(wording.cut(str(r), 22)) for r in panel["rows"])
    width = gutter + across * (84 * len(panel["columns"]) + 14)
    return int(max(width, 300)), int(down * (38 * len(panel["rows"]) + 30 + 18 * (len(data["panels"]) > 1)) + 36)


def _heat(canvas: Any, data: Mapping[str, Any]) -> None:
    across, down = _heat_grid(data)
    values = [e.value for p in data["panels"] for line in p["cells"] for e in line if e and isfinite(e.value)]
    high = max(values)
    low = min(values)
    if data["kind"] == "rate":  # a small difference must not look like a large one
        low = max(0.0, 2 * low - high)
    grid = canvas.subplots(down, across, squeeze=False, sharex=True, sharey=True)
    for axes, panel in zip(grid.flat, data["panels"], strict=False):
        _heat_panel(axes, panel, data["kind"], lambda v: (v - low) / ((high - low) or 1))
    for axes in list(grid.flat)[len(data["panels"]):]:
        axes.set_visible(False)
    for line in grid:
        line[0].set_ylabel(data["rows"])
    for axes in grid[-1]:
        axes.set_xlabel(data["columns"])


def _heat_panel(axes: Any, panel: Mapping[str, Any], kind: str, depth: Callable[[float], float]) -> None:
    """One field for each pair of values: the deeper the colour, the higher the value."""
    from matplotlib.patches import Rectangle

    for y, line in enumerate(panel["cells"]):
        for x, e in enumerate(line):
            if e is None or not isfinite(e.value):
                axes.text(x, y, "–", ha="center", va="center", color=ROLES["muted"])
                continue
            deep = 0.04 + (DEEPEST - 0.04) * depth(e.value)
            axes.add_patch(Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=ROLES["heat"], alpha=deep, lw=0))
            axes.text(x, y - 0.04, estimate_text.VALUE[kind](e), ha="center", va="bottom", fontsize=9)
            axes.text(x, y + 0.04, estimate_text.SPAN[kind](e), ha="center", va="top", fontsize=7.2)
    axes.set(xlim=(-0.5, len(panel["columns"]) - 0.5), ylim=(len(panel["rows"]) - 0.5, -0.5))
    names = [wording.cut(str(c), 13) for c in panel["columns"]]
    axes.set_xticks(range(len(names)), names, color=ROLES["ink"])
    axes.set_yticks(range(len(panel["rows"])), [wording.cut(str(r), 22) for r in panel["rows"]])
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    if panel["title"]:
        axes.set_title(panel["title"], fontsize=9, loc="left", color=ROLES["ink"])


# -- shares that add up -----------------------------------------------------------------------------


def _stacked_size(data: Mapping[str, Any]) -> tuple[int, int]:
    return WIDE, 27 * len(data["rows"]) + 44


def _stacked(canvas: Any, data: Mapping[str, Any]) -> None:
    axes, rows = canvas.subplots(), data["rows"]
    left = [0.0] * len(rows)
    for i, s in enumerate(data["series"]):
        widths = [100 * r["shares"][i] for r in rows]
        axes.barh(range(len(rows)), widths, left=left, height=0.72, color=ROLES[s["role"]], edgecolor=ROLES["paper"],
                  lw=0.8)
        for y, w in enumerate(widths):
            if w >= 8:
                axes.text(left[y] + w / 2, y, f"{w:.0f}", ha="center", va="center", fontsize=8,
                          color=ROLES["on-pale" if s["role"] in PALE else "on-deep"])
        left = [a + w for a, w in zip(left, widths, strict=True)]
    axes.set(xlim=(0, 100), ylim=(len(rows) - 0.45, -0.55), xlabel="share of games, %")
    axes.set_yticks(range(len(rows)), [wording.cut(r["label"], 34) for r in rows])
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)


# -- histograms and curves --------------------------------------------------------------------------


def _plain_size(data: Mapping[str, Any]) -> tuple[int, int]:
    return WIDE, 236


def _bars(canvas: Any, data: Mapping[str, Any]) -> None:
    axes, width = canvas.subplots(), data["width"]
    middles = [x + (width - 1) / 2 for x in data["x"]]
    floor = [0.0] * len(middles)
    for s in data["series"]:
        heights = [100 * y for y in s["y"]]
        axes.bar(middles, heights, width=0.86 * width, bottom=floor, color=ROLES[s["role"]])
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
        axes.axvline(data["mark"], color=ROLES["muted"], lw=1)
        axes.annotate(data["mark_text"], (data["mark"], 1), xycoords=("data", "axes fraction"), xytext=(4, -2),
                      textcoords="offset points", va="top", color=ROLES["muted"], fontsize=8)
    axes.set(xlabel=data["axis"], ylabel=data["height"] + (", %" if data["share"] else ""))
    if data["share"]:
        axes.set_ylim(0, 102)
    _finish(axes)


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

    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=9))
    axes.tick_params(labelcolor=ROLES["muted"])
    axes.grid(axis="x", visible=False)


DRAW = {"dots": _dots, "heat": _heat, "stacked": _stacked, "bars": _bars, "lines": _lines, "odds": _odds,
        **numbers_plots.DRAW}
SIZE = {"dots": _dots_size, "heat": _heat_size, "stacked": _stacked_size, "bars": _plain_size, "lines": _plain_size,
        "odds": _plain_size, **numbers_plots.SIZE}
