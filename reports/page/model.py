"""What a report shows, as plain data: chapters of sections, and these of sentences, figures and tables.

Nothing here knows how a page or a plot looks. Estimates stay whole until they are written down.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from math import isfinite
from typing import Any

from hardmode.reports.console import wording
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

ESTIMATES = ("rate", "points", "mean", "change")  # kinds of columns that hold estimates

MOST_TOLD = 12  # values that an alternative text tells one by one


@dataclass(frozen=True)
class Column:
    """One column of a table. Kinds: text, count, code, and those of estimates (see estimate_text.VALUE)."""

    key: str
    label: str
    kind: str = "text"


@dataclass(frozen=True)
class Table:
    """Rows under columns; a column in which nothing stands is left out."""

    name: str  # of its files
    title: str
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Any]]
    note: str = ""

    def __post_init__(self) -> None:
        told = [c for c in self.columns if any(row[c.key] not in ("", None) for row in self.rows)]
        object.__setattr__(self, "columns", told or list(self.columns))


@dataclass(frozen=True)
class Figure:
    """A plot by its kind (see plots.DRAW) and what it is drawn from."""

    name: str  # of its files
    kind: str
    title: str
    alt: str
    data: Mapping[str, Any]
    note: str = ""


@dataclass(frozen=True)
class ToldGame:
    """One game step by step, as far as a page has room for it."""

    title: str
    summary: str
    lines: Sequence[str]
    command: str
    left_out: int = 0  # lines in the middle that are not shown


@dataclass(frozen=True)
class Brief:
    """What of a section stands in the short edition: its first sentences, and these figures."""

    sentences: int = 1
    figures: Sequence[str] = ()


@dataclass(frozen=True)
class Section:
    name: str
    title: str
    sentences: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    stories: Sequence[ToldGame] = ()
    notes: Sequence[tuple[str, Sequence[str]]] = ()  # lists with their titles
    hints: Sequence[tuple[str, str]] = ()  # what would tell more, and the command that does it
    brief: Brief | None = None  # none: the short edition does without it


@dataclass(frozen=True)
class Chapter:
    """The report on one scenario."""

    name: str
    game: str
    title: str
    description: str
    verdict: Sequence[str]  # the first is one to quote
    facts: Sequence[tuple[str, str, str]]  # what, the figure, and what stands under it
    sections: Sequence[Section]
    overview: Mapping[str, Any] = field(
        default_factory=dict
    )  # its row in a report on several scenarios
    box: Sequence[
        tuple[str, str]
    ] = ()  # what a box says on its side: players, length, and who says so
    explorer: Mapping[str, Any] | None = (
        None  # the cells of a grid, for a reader who lays two side by side
    )

    @property
    def slug(self) -> str:
        return slug(self.name)


def dots(
    name: str,
    title: str,
    rows: Sequence[Mapping[str, Any]],
    kind: str,
    axis: str,
    *,
    note: str = "",
    band: tuple[float, float] | None = None,
    band_text: str = "",
    mark: float | None = None,
    mark_text: str = "",
) -> Figure:
    """Values with their intervals, a row each. A row has label, estimate and, where rows belong together, group."""
    told = [f"{_named(r)} {formatting.format_with_interval(r['estimate'], kind)}" for r in rows]
    alt = f"{title}. {axis[:1].upper()}{axis[1:]}: {_some(told)}."
    return Figure(
        slug(name),
        "dots",
        title,
        alt,
        {
            "rows": list(rows),
            "kind": kind,
            "axis": axis,
            "band": band,
            "band_text": band_text,
            "mark": mark,
            "mark_text": mark_text,
        },
        note,
    )


def _named(row: Mapping[str, Any]) -> str:
    return f"{row['group']} {row['label']}" if row.get("group") else str(row["label"])


def heat(
    name: str,
    title: str,
    panels: Sequence[Mapping[str, Any]],
    kind: str,
    rows: str,
    columns: str,
    axis: str,
    note: str = "",
    *,
    band: tuple[float, float] | None = None,
    band_text: str = "",
) -> Figure:
    """Values over two choices. A panel has title, rows, columns and cells: an estimate each, or nothing."""
    known = [
        (f"{r} and {c}{', ' + p['title'] if p['title'] else ''}", e)
        for p in panels
        for r, line in zip(p["rows"], p["cells"], strict=True)
        for c, e in zip(p["columns"], line, strict=True)
        if e and isfinite(e.value)
    ]
    low, high = (pick(known, key=lambda k: k[1].value) for pick in (min, max))
    ends = [
        f"{end} {formatting.format_with_interval(e, kind)} with {where}"
        for end, (where, e) in (("lowest", low), ("highest", high))
    ]
    alt = f"{title}. {axis} by {rows} and {columns}: {', '.join(ends)}."
    return Figure(
        slug(name),
        "heat",
        title,
        alt,
        {
            "panels": list(panels),
            "kind": kind,
            "rows": rows,
            "columns": columns,
            "axis": axis,
            "band": band,
            "band_text": band_text,
        },
        note,
    )


def stacked(
    name: str,
    title: str,
    rows: Sequence[Mapping[str, Any]],
    series: Sequence[Mapping[str, str]],
    note: str = "",
) -> Figure:
    """Shares that add up to all games. A row has label, games and shares; a series has name and role."""
    told = []
    for row in rows:
        parts = zip(series, row["shares"], strict=True)
        shares = [f"{s['name']} {100 * x:.0f} %" for s, x in parts if x >= 0.005]
        told.append(f"{_named(row)}: {wording.listed(shares)}")
    alt = f"{title}. {_some(told, '; ')}."
    return Figure(
        slug(name), "stacked", title, alt, {"rows": list(rows), "series": list(series)}, note
    )


def tornado(
    name: str, title: str, rows: Sequence[Mapping[str, Any]], axis: str, note: str = ""
) -> Figure:
    """What steps of numbers do. A row has label and steps: what each is, and an estimate in shares of 1."""
    told = [
        f"{r['label']} {text} {formatting.format_with_interval(e, 'points')}"
        for r in rows
        for text, e in r["steps"]
    ]
    return Figure(
        slug(name),
        "tornado",
        title,
        f"{title}. {axis}: {_some(told)}.",
        {"rows": list(rows), "axis": axis},
        note,
    )


def trade(
    name: str,
    title: str,
    points: Sequence[Mapping[str, Any]],
    axes: tuple[str, str],
    bands: Sequence[tuple[float, float]],
) -> Figure:
    """Two values against each other. A point has label, at and best: whether none is better in both."""
    told = [f"{p['label']} {p['at'][0]:.1f} and {p['at'][1]:.1f}" for p in points if p["best"]]
    return Figure(
        slug(name),
        "trade",
        title,
        f"{title}. {axes[0]} and {axes[1]}: {_some(told)}.",
        {
            "points": list(points),
            "axes": axes,
            "bands": list(bands),
            "keys": [("target", "band", "area"), ("none comes nearer to both", "b", "line")],
        },
    )


def bars(
    name: str,
    title: str,
    x: Sequence[float],
    series: Sequence[Mapping[str, Any]],
    axis: str,
    alt: str,
    note: str = "",
    width: int = 1,
) -> Figure:
    """How often each value came: one or several histograms over the same values."""
    return Figure(
        slug(name),
        "bars",
        title,
        alt,
        {
            "x": list(x),
            "width": width,
            "series": list(series),
            "axis": axis,
            "height": "share of games",
        },
        note,
    )


def lines(
    name: str,
    title: str,
    series: Sequence[Mapping[str, Any]],
    axis: str,
    height: str,
    alt: str,
    *,
    share: bool = False,
    note: str = "",
    mark: float | None = None,
    mark_text: str = "",
    mark_ends: tuple[float, float] = (0, 0),
) -> Figure:
    """Curves with bands. A series has name, role, x and estimates."""
    return Figure(
        slug(name),
        "lines",
        title,
        alt,
        {
            "series": list(series),
            "axis": axis,
            "height": height,
            "share": share,
            "mark": mark,
            "mark_text": mark_text,
            "mark_ends": mark_ends,
        },
        note,
    )


def odds(
    name: str,
    title: str,
    series: Sequence[Mapping[str, Any]],
    rounds: Sequence[tuple[int, str]],
    turns: Sequence[tuple[int, float, str]],
    axis: str,
    alt: str,
    note: str = "",
) -> Figure:
    """The chance to win over the steps of a game, with the steps at which rounds begin, and the turning points."""
    return Figure(
        slug(name),
        "odds",
        title,
        alt,
        {"series": list(series), "rounds": list(rounds), "turns": list(turns), "axis": axis},
        note,
    )


def _some(told: Sequence[str], between: str = ", ") -> str:
    rest = len(told) - MOST_TOLD
    return between.join([*told[:MOST_TOLD], *([f"and {rest} more"] if rest > 0 else [])])


def slug(name: str) -> str:
    """A name that files and links can have."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "it"


def plain(what: Any) -> Any:
    """The same as JSON has it: no tuples, no numbers that are none."""
    if isinstance(what, Estimate):
        return {k: plain(getattr(what, k)) for k in ("value", "low", "high", "n")}
    if is_dataclass(what):
        return {f.name: plain(getattr(what, f.name)) for f in fields(what)}
    if isinstance(what, Mapping):
        return {str(k): plain(v) for k, v in what.items()}
    if isinstance(what, (list, tuple)):
        return [plain(v) for v in what]
    if isinstance(what, float) and not isfinite(what):
        return None
    return what
