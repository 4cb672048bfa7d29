"""The plots of studies of numbers: what each step does, and what is had of one target for what of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from hardmode.reports import wording
from hardmode.reports.page.row_plots import said, taller, wrapped
from hardmode.reports.page.style import ROLES, told
from hardmode.studies import estimate_text
from hardmode.studies.estimates import Estimate

Step = tuple[str, Estimate]  # what it is, and what it does

LETTER, WIDE = 6.5, 6.9  # pixels of a letter, at the end of a bar and of a label
MOST, FEWEST = 34, 8  # letters at the end of a bar
NAMED = 8  # points of a front that are named
TEXTS = 0.65  # the share of the plot that these take at most, on both sides together


def _tornado_size(data: Mapping[str, Any], width: int) -> tuple[int, int]:
    return width, (28 + taller([r["label"] for r in data["rows"]], width)) * sum(map(_lanes, data["rows"])) + 46


def _sides(row: Mapping[str, Any]) -> tuple[list[Step], list[Step]]:
    """The steps that cost, and those that gain."""
    return [s for s in row["steps"] if s[1].value < 0], [s for s in row["steps"] if s[1].value >= 0]


def _lanes(row: Mapping[str, Any]) -> int:
    return max(map(len, _sides(row)))


def _tornado(canvas: Any, data: Mapping[str, Any]) -> None:
    """A row a number: bars to each side for what its steps do, with intervals; at its end stands what the step is."""
    from matplotlib.ticker import MaxNLocator

    axes, rows = canvas.subplots(), data["rows"]
    tops, wide = [0, *accumulate(map(_lanes, rows))], canvas.get_figwidth() * 96
    labels = wrapped([row["label"] for row in rows], wide)
    found: list[Estimate] = [e for row in rows for _, e in row["steps"]]
    least, most = (100 * end([0.0, *(getattr(e, k) for e in found)]) for end, k in ((min, "low"), (max, "high")))
    whole = (wide - 16 - WIDE * max(len(line) for label in labels for line in label.split("\n"))) / LETTER
    letters = _letters(rows, whole)
    each = (most - least) / (whole - sum(letters)) or 1.0  # what a letter is as wide as
    for top, row in zip(tops, rows, strict=False):
        for side, steps in zip((-1, 1), _sides(row), strict=True):
            for lane, step in enumerate(steps):
                free = most - 100 * step[1].high if side > 0 else 100 * step[1].low - least
                _arm(canvas, axes, top + lane, side, row["label"], step, letters[side > 0] + int(free / each))
    axes.axvline(0, color=ROLES["muted"], lw=1)
    axes.set(xlim=(least - (1 + letters[0]) * each, most + (1 + letters[1]) * each), ylim=(tops[-1] - 0.4, -0.6),
             xlabel=data["axis"])
    axes.set_xticks([x for x in MaxNLocator(4).tick_values(least, most) if least <= x <= most])
    axes.set_yticks(tops[:-1], labels)
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)


def _letters(rows: Sequence[Mapping[str, Any]], whole: float) -> tuple[int, int]:
    """Letters at the ends of the longest bars, to the left and to the right, as many as there is room for."""
    left, right = (max((len(_end(*step, MOST)) for row in rows for step in _sides(row)[i]), default=0) for i in (0, 1))
    room = int(TEXTS * whole)
    if left + right <= room:
        return left, right
    return min(left, max(room // 2, room - right)), min(right, max(room // 2, room - left))


def _end(text: str, e: Estimate, letters: int) -> str:
    """What stands at the end of a bar: the step, and what it does."""
    points = estimate_text.points(e)
    return f"{wording.cut(text, max(FEWEST, letters - len(points) - 2))}: {points}"


def _arm(canvas: Any, axes: Any, y: int, side: int, label: str, step: Step, letters: int) -> None:
    text, e = step
    bar, = axes.barh(y, 100 * e.value, height=0.62, color=ROLES["a" if side > 0 else "b"], alpha=0.75, lw=0)
    told(canvas, bar, said(f"{label}, {text}", e, "points"))
    axes.plot((100 * e.low, 100 * e.high), (y, y), color=ROLES["ink"], lw=1.0)
    axes.annotate(_end(text, e, letters), (100 * (e.high if side > 0 else e.low), y), xytext=(5 * side, 0),
                  textcoords="offset points", va="center", fontsize=8, ha="left" if side > 0 else "right",
                  color=ROLES["muted"]).set_in_layout(False)


def _trade_size(data: Mapping[str, Any], width: int) -> tuple[int, int]:
    return width, 330


def _trade(canvas: Any, data: Mapping[str, Any]) -> None:
    """Two targets against each other: what is wanted, all that was tried, and the best of it joined by a line."""
    axes = canvas.subplots()
    for span, axis in zip(data["bands"], (axes.axvspan, axes.axhspan), strict=True):
        axis(*span, color=ROLES["band"], lw=0, zorder=0)
    for point in data["points"]:
        best = point["best"]
        axes.plot(*point["at"], "o" if best else ".", color=ROLES["b" if best else "h"], zorder=3 if best else 2)
    front = [p for p in data["points"] if p["best"]]
    front.sort(key=lambda p: p["at"])
    axes.plot([p["at"][0] for p in front], [p["at"][1] for p in front], color=ROLES["b"], lw=1, alpha=0.6)
    axes.set(xlabel=data["axes"][0], ylabel=data["axes"][1])
    axes.margins(x=0.12, y=0.12)
    middle = sum(axes.get_xlim()) / 2
    for i, point in enumerate(front[::max(1, -(-len(front) // NAMED))]):
        side = 1 if point["at"][0] < middle else -1  # inwards, where there is room
        axes.annotate(wording.cut(point["label"], 34), point["at"], xytext=(6 * side, 6 if i % 2 else -10),
                      ha="left" if side > 0 else "right", fontsize=7.5, textcoords="offset points",
                      color=ROLES["muted"], annotation_clip=False)
    axes.tick_params(labelcolor=ROLES["muted"])


DRAW = {"tornado": _tornado, "trade": _trade}
SIZE = {"tornado": _tornado_size, "trade": _trade_size}
