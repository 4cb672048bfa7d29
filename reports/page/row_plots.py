"""Plots with a row for each item: values with intervals, and stacked shares."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Mapping, Sequence
from math import isfinite
from typing import Any

from hardmode.reports.console import wording
from hardmode.reports.page.axes import Axes, Scale, Tick
from hardmode.reports.page.sheet import SMALL, Box, Sheet
from hardmode.reports.page.style import PALE
from hardmode.studies.stats import estimates, formatting
from hardmode.studies.stats.estimates import Estimate

LETTER, LINE = 6.1, 14  # CSS pixels of a letter, and of another line of a label
LABELS = 0.34  # of the width, at most


def wrap_label(labels: Sequence[str], width: float) -> list[str]:
    """Return labels with line breaks to fit a width; they are never cut, so they stay unique."""
    most = max(12, int(LABELS * width / LETTER))
    return ["\n".join(_lines(label, most)) for label in labels]


def _lines(label: str, most: int) -> list[str]:
    """Return the lines of a label, broken between words or parts of a path if possible."""
    lines = [""]
    for part in re.split(r"(?<=\s)|(?<=[._])(?=[a-z])", label):
        if lines[-1] and len(lines[-1] + part.rstrip()) > most:
            lines.append("")
        lines[-1] += part
    return [piece for line in lines for piece in textwrap.wrap(line, most)] or [""]


def compute_extra_height(labels: Sequence[str], width: float) -> int:
    """Return the height that the longest label adds to every row."""
    return LINE * max((text.count("\n") for text in wrap_label(labels, width)), default=0)


# Values with intervals


def _dots_size(data: Mapping[str, Any], width: int) -> tuple[int, int]:
    found = _with_groups(data["rows"])
    return width, (26 + compute_extra_height([label for label, _ in found], width)) * len(
        found
    ) + 46


def _with_groups(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, Estimate | None]]:
    """Return the rows of the plot with a heading before each group."""
    out: list[tuple[str, Estimate | None]] = []
    seen = None
    for row in rows:
        if row.get("group") and row["group"] != seen:
            seen = row["group"]
            out.append((seen, None))
        out.append((row["label"], row["estimate"]))
    return out


def _dots(sheet: Sheet, outer: Box, data: Mapping[str, Any]) -> None:
    kind = data["kind"]
    scale = 100 if kind in ("rate", "points") else 1
    found = _with_groups(data["rows"])
    low, high = _span(data, scale)
    names = wrap_label([label for label, _ in found], sheet.width)
    axes = Axes(
        sheet,
        outer,
        Scale(low, high, name=data["axis"] + (", %" if kind == "rate" else "")),
        _rows(names, bold={y for y, (_, e) in enumerate(found) if e is None}),
        [(y, formatting.format_with_interval(e, kind)) for y, (_, e) in enumerate(found) if e],
    )
    if data["band"]:
        least, most = (scale * x for x in data["band"])
        sheet.area(axes.box(least, axes.y.first, most, axes.y.last).corners, "band")
    axes.frame()
    if data["mark"] is not None:
        axes.across(scale * data["mark"], "muted")
    for y, (label, e) in enumerate(found):
        if e is None or not isfinite(e.value):
            continue
        axes.line([(max(scale * e.low, low), y), (min(scale * e.high, high), y)], "a", width=3.2)
        sheet.dot(axes.at(scale * e.value, y), "a")
        sheet.add_tooltip(axes.box(low, y - 0.5, high, y + 0.5), format_value_label(label, e, kind))


def _rows(names: Sequence[str], end: float = 0.4, bold: Collection[int] = ()) -> Scale:
    """Return a scale with a row for each name, from the top downwards."""
    return Scale(
        len(names) - end,
        end - 1,
        [Tick(y, name, y in bold) for y, name in enumerate(names)],
        role="ink",
        grid=False,
        line=False,
    )


def format_value_label(label: str, e: Estimate, kind: str) -> str:
    """Return a label with its value, interval and number of games."""
    games = f", from {wording.format_games(e.n)}" if e.n > 1 else ""
    return f"{label}: {formatting.format_with_interval(e, kind)}{games}"


def _span(data: Mapping[str, Any], scale: float) -> tuple[float, float]:
    """Return the ends of the axis: for rates 0 to 100 unless all are small."""
    ends = [
        scale * x
        for r in data["rows"]
        for x in (r["estimate"].low, r["estimate"].high)
        if isfinite(x)
    ]
    if data["kind"] == "rate":
        most = max([*ends, *(scale * x for x in data["band"] or ())], default=100)
        end = 100.0 if most > 40 else 50.0 if most > 18 else 20.0 if most > 9 else 10.0
        return -0.02 * end, 1.02 * end  # so that a mark at the very end is whole
    least, most = min([*ends, 0.0]), max([*ends, 0.0])
    room = 0.06 * (most - least or 1)
    return least - room, most + room


# Stacked shares


def _stacked_size(data: Mapping[str, Any], width: int) -> tuple[int, int]:
    return width, (27 + compute_extra_height([r["label"] for r in data["rows"]], width)) * len(
        data["rows"]
    ) + 44


def _stacked(sheet: Sheet, outer: Box, data: Mapping[str, Any]) -> None:
    rows = data["rows"]
    axes = Axes(
        sheet,
        outer,
        Scale(0, 100, name="share of games, %", grid=False),
        _rows(wrap_label([r["label"] for r in rows], sheet.width), 0.45),
    )
    axes.frame()
    for y, row in enumerate(rows):
        left = 0.0
        for s, part in zip(data["series"], row["shares"], strict=True):
            if part:
                box = axes.box(left, y - 0.36, left + 100 * part, y + 0.36)
                _part(sheet, box, s["role"], 100 * part)
                share = estimates.wilson_rate(round(part * row["games"]), row["games"])
                sheet.add_tooltip(
                    box, format_value_label(f"{row['label']}, {s['name']}", share, "rate")
                )
            left += 100 * part


def _part(sheet: Sheet, box: Box, role: str, share: float) -> None:
    sheet.area(box.corners, role, edge="paper")
    if share >= 8:
        sheet.add_words(
            *box.middle,
            f"{share:.0f}",
            SMALL,
            role="on-pale" if role in PALE else "on-deep",
            anchor="middle",
        )


DRAW = {"dots": _dots, "stacked": _stacked}
SIZE = {"dots": _dots_size, "stacked": _stacked_size}
