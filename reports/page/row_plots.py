"""Plots with a line for each thing: values with their intervals, and shares that add up."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from hardmode.reports import wording
from hardmode.reports.page.style import PALE, ROLES, told
from hardmode.studies import estimate_text, estimates
from hardmode.studies.estimates import Estimate

LETTER, LINE = 6.1, 14  # CSS pixels of a letter, and of another line of a label
LABELS = 0.34  # of the width, at most


def wrapped(labels: Sequence[str], width: float) -> list[str]:
    """Labels on as many lines as they need in that width: none is cut, so none becomes like another."""
    most = max(12, int(LABELS * width / LETTER))
    return ["\n".join(_lines(label, most)) for label in labels]


def _lines(label: str, most: int) -> list[str]:
    """Broken between words, and a path behind one of its parts; inside of one only where it is longer than a line."""
    lines = [""]
    for part in re.split(r"(?<=\s)|(?<=[._])(?=[a-z])", label):
        if lines[-1] and len(lines[-1] + part.rstrip()) > most:
            lines.append("")
        lines[-1] += part
    return [piece for line in lines for piece in textwrap.wrap(line, most)] or [""]


def taller(labels: Sequence[str], width: float) -> int:
    """What the longest label adds to the height of every row."""
    return LINE * max((text.count("\n") for text in wrapped(labels, width)), default=0)


# -- values with intervals --------------------------------------------------------------------------


def _dots_size(data: Mapping[str, Any], width: int) -> tuple[int, int]:
    found = _with_groups(data["rows"])
    return width, (26 + taller([label for label, _ in found], width)) * len(found) + 46


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
    for y, (label, e) in enumerate(found):
        if e is None or not isfinite(e.value):
            continue
        ends = max(scale * e.low, low), min(scale * e.high, high)
        axes.plot(ends, (y, y), color=ROLES["a"], lw=2.4, solid_capstyle="butt", zorder=2)
        axes.plot([scale * e.value], [y], "o", color=ROLES["a"], zorder=3, clip_on=False)
        told(canvas, axes.axhspan(y - 0.5, y + 0.5, facecolor="none", lw=0, zorder=5), said(label, e, kind))
    axes.set(xlim=(low, high), ylim=(len(found) - 0.4, -0.6), xlabel=data["axis"] + (", %" if kind == "rate" else ""))
    axes.set_yticks(range(len(found)), wrapped([label for label, _ in found], canvas.get_figwidth() * 96))
    for tick, (_, e) in zip(axes.get_yticklabels(), found, strict=True):
        tick.set_weight("bold" if e is None else "normal")
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    beside = axes.secondary_yaxis("right")
    beside.set_yticks(range(len(found)), ["" if e is None else estimate_text.with_interval(e, kind) for _, e in found])
    beside.spines["right"].set_visible(False)
    beside.tick_params(labelcolor=ROLES["muted"], length=0)


def said(label: str, e: Estimate, kind: str) -> str:
    """A value with its interval, and what it rests on."""
    games = f", from {wording.games(e.n)}" if e.n > 1 else ""
    return f"{label}: {estimate_text.with_interval(e, kind)}{games}"


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


# -- shares that add up -----------------------------------------------------------------------------


def _stacked_size(data: Mapping[str, Any], width: int) -> tuple[int, int]:
    return width, (27 + taller([r["label"] for r in data["rows"]], width)) * len(data["rows"]) + 44


def _stacked(canvas: Any, data: Mapping[str, Any]) -> None:
    axes, rows = canvas.subplots(), data["rows"]
    left = [0.0] * len(rows)
    for i, s in enumerate(data["series"]):
        widths = [100 * r["shares"][i] for r in rows]
        bars = axes.barh(range(len(rows)), widths, left=left, height=0.72, color=ROLES[s["role"]],
                         edgecolor=ROLES["paper"], lw=0.8)
        for y, (w, row, bar) in enumerate(zip(widths, rows, bars, strict=True)):
            if w:
                share = estimates.rate(round(w / 100 * row["games"]), row["games"])
                told(canvas, bar, said(f"{row['label']}, {s['name']}", share, "rate"))
            if w >= 8:
                axes.text(left[y] + w / 2, y, f"{w:.0f}", ha="center", va="center", fontsize=8,
                          color=ROLES["on-pale" if s["role"] in PALE else "on-deep"])
        left = [a + w for a, w in zip(left, widths, strict=True)]
    axes.set(xlim=(0, 100), ylim=(len(rows) - 0.45, -0.55), xlabel="share of games, %")
    axes.set_yticks(range(len(rows)), wrapped([r["label"] for r in rows], canvas.get_figwidth() * 96))
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)


DRAW = {"dots": _dots, "stacked": _stacked}
SIZE = {"dots": _dots_size, "stacked": _stacked_size}
