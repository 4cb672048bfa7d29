"""Plots of studies of numbers: effects of steps, and trade-offs between two targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import isfinite
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page.axes import Axes, Scale, Tick, choose_fitting_labels
from hardmode.reports.page.row_plots import compute_extra_height, format_value_label, wrap_label
from hardmode.reports.page.sheet import SMALL, Box, Sheet, widest
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

Step = tuple[str, Estimate]  # what it is, and what it does

LETTER = 6.5  # pixels of a letter at the end of a bar
MOST, FEWEST = 34, 8  # letters at the end of a bar
NAMED = 8  # points of a front that are named
TEXTS = 0.65  # the share of the plot that these take at most, on both sides together


def _tornado_size(data: Mapping[str, Any], width: int) -> tuple[int, int]:
    return width, (28 + compute_extra_height([r["label"] for r in data["rows"]], width)) * sum(
        map(_lanes, data["rows"])
    ) + 46


def _sides(row: Mapping[str, Any]) -> tuple[list[Step], list[Step]]:
    """Return the steps with negative and with positive effects."""
    return [s for s in row["steps"] if s[1].value < 0], [s for s in row["steps"] if s[1].value >= 0]


def _lanes(row: Mapping[str, Any]) -> int:
    return max(map(len, _sides(row)))


def _tornado(sheet: Sheet, outer: Box, data: Mapping[str, Any]) -> None:
    """Draw a row for each number with bars for the effects of its steps, and their intervals."""
    rows = data["rows"]
    tops, labels = (
        [0, *accumulate(map(_lanes, rows))],
        wrap_label([row["label"] for row in rows], sheet.width),
    )
    found: list[Estimate] = [e for row in rows for _, e in row["steps"]]
    least, most = (
        100 * end([0.0, *(getattr(e, k) for e in found)])
        for end, k in ((min, "low"), (max, "high"))
    )
    whole = (sheet.width - 16 - widest(labels)) / LETTER
    letters = _letters(rows, whole)
    free = whole - sum(letters)
    each = (most - least) / free or 1.0  # what a letter is as wide as
    names = [Tick(top, label) for top, label in zip(tops, labels, strict=False)]
    axes = Axes(
        sheet,
        outer,
        Scale(
            least - (1 + letters[0]) * each,
            most + (1 + letters[1]) * each,
            choose_fitting_labels(Scale(least, most), LETTER * free),
            data["axis"],
        ),
        Scale(tops[-1] - 0.4, -0.6, names, role="ink", grid=False, line=False),
    )
    axes.frame()
    for top, row in zip(tops, rows, strict=False):
        for side, steps in zip((-1, 1), _sides(row), strict=True):
            for lane, step in enumerate(steps):
                free = most - 100 * step[1].high if side > 0 else 100 * step[1].low - least
                _arm(
                    axes, top + lane, side, row["label"], step, letters[side > 0] + int(free / each)
                )
    axes.across(0, "muted")


def _letters(rows: Sequence[Mapping[str, Any]], whole: float) -> tuple[int, int]:
    """Return how many letters fit at the ends of the longest bars, on the left and right."""
    left, right = (
        max((len(_end(*step, MOST)) for row in rows for step in _sides(row)[i]), default=0)
        for i in (0, 1)
    )
    room = int(TEXTS * whole)
    if left + right <= room:
        return left, right
    return min(left, max(room // 2, room - right)), min(right, max(room // 2, room - left))


def _end(text: str, e: Estimate, letters: int) -> str:
    """Return the label at the end of a bar: the step and its effect."""
    points = formatting.format_points(e)
    return f"{wording.truncate(text, max(FEWEST, letters - len(points) - 2))}: {points}"


def _arm(axes: Axes, y: int, side: int, label: str, step: Step, letters: int) -> None:
    text, e = step
    box = axes.box(0, y - 0.31, 100 * e.value, y + 0.31)
    axes.sheet.area(box.corners, "a" if side > 0 else "b", alpha=0.75)
    axes.sheet.add_tooltip(box, format_value_label(f"{label}, {text}", e, "points"))
    axes.line([(100 * e.low, y), (100 * e.high, y)], "ink", width=1.3)
    x, height = axes.at(100 * (e.high if side > 0 else e.low), y)
    axes.sheet.add_words(
        x + 6 * side,
        height,
        _end(text, e, letters),
        SMALL,
        role="muted",
        anchor="start" if side > 0 else "end",
    )


def _trade_size(data: Mapping[str, Any], width: int) -> tuple[int, int]:
    return width, 330


def _trade(sheet: Sheet, outer: Box, data: Mapping[str, Any]) -> None:
    """Draw all settings by two targets, with the target ranges and a line through the best."""
    x, y = (
        Scale(*_ends([p["at"][i] for p in data["points"]], data["bands"][i]), name=data["axes"][i])
        for i in (0, 1)
    )
    axes = Axes(sheet, outer, x, y)
    for box in (
        axes.box(data["bands"][0][0], y.first, data["bands"][0][1], y.last),
        axes.box(x.first, data["bands"][1][0], x.last, data["bands"][1][1]),
    ):
        sheet.area(box.corners, "band")
    axes.frame()
    front = sorted((p for p in data["points"] if p["best"]), key=lambda p: p["at"])
    axes.line([p["at"] for p in front], "b", width=1.3, alpha=0.6)
    for point in sorted(data["points"], key=lambda p: p["best"]):
        best = point["best"]
        sheet.dot(axes.at(*point["at"]), "b" if best else "h", radius=3.6 if best else 2)
    for i, point in enumerate(front[:: max(1, -(-len(front) // NAMED))]):
        left, height = axes.at(*point["at"])
        inwards = 1 if left < axes.inner.middle[0] else -1  # where there is room
        sheet.add_words(
            left + 8 * inwards,
            height - 10 if i % 2 else height + 10,
            wording.truncate(point["label"], 34),
            10,
            role="muted",
            anchor="start" if inwards > 0 else "end",
        )


def _ends(values: Sequence[float], band: tuple[float, float]) -> tuple[float, float]:
    """Return the ends of an axis with room for all values and the target."""
    every = [*values, *filter(isfinite, band)]
    room = 0.12 * (max(every) - min(every)) or 0.5
    return min(every) - room, max(every) + room


DRAW = {"tornado": _tornado, "trade": _trade}
SIZE = {"tornado": _tornado_size, "trade": _trade_size}
