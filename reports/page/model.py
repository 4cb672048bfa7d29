"""Content of a report as plain data: chapters of sections with sentences, figures and tables.

This module does not depend on the layout of pages and plots. Estimates keep their intervals.
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

MAX_VALUES_IN_ALT_TEXT = 12  # that an alternative text lists


@dataclass(frozen=True)
class Column:
    """Column of a table.

    Attributes:
        key: Key of its values in the rows.
        label: Its head.
        kind: "text", "count", "code", or a kind of estimate (one of `ESTIMATES`).
        name_in_files: Name of the column in data files, where others read it; its head if empty.
    """

    key: str
    label: str
    kind: str = "text"
    name_in_files: str = ""


@dataclass(frozen=True)
class ReportTable:
    """Rows under columns; columns without any value are left out."""

    name: str  # of its files
    title: str
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Any]]
    note: str = ""
    page_rows: int | None = None  # rows that the page shows; its files have all of them

    def __post_init__(self) -> None:
        columns = [column for column in self.columns if self._has_values(column)]
        object.__setattr__(self, "columns", columns or list(self.columns))

    def _has_values(self, column: Column) -> bool:
        return any(row[column.key] not in ("", None) for row in self.rows)

    @property
    def shown_rows(self) -> Sequence[Mapping[str, Any]]:
        """The rows that the page shows."""
        return self.rows[: self.page_rows]


@dataclass(frozen=True)
class Figure:
    """Plot: its kind (a key of `plots.figures.PLOTS`) and the data that is drawn."""

    name: str  # of its files
    kind: str
    title: str
    alt: str
    data: Mapping[str, Any]
    note: str = ""


@dataclass(frozen=True)
class GameNarrative:
    """One game step by step, shortened to fit on a page."""

    title: str
    summary: str
    lines: Sequence[str]
    command: str
    left_out: int = 0  # lines in the middle that are not shown


@dataclass(frozen=True)
class ShareBar:
    """Bar that is divided in two parts, which add up to 1."""

    title: str
    parts: Sequence[tuple[str, float]]  # name and share
    note: str = ""


@dataclass(frozen=True)
class Proposal:
    """Change that a designer can make."""

    title: str
    effects: Sequence[tuple[str, Estimate]]  # each step, and how it changes the win rate
    command: str  # tries other values
    note: str = ""


@dataclass(frozen=True)
class Brief:
    """Part of a section in the short edition: its first sentences, and some figures."""

    sentences: int = 1
    figures: Sequence[str] = ()


@dataclass(frozen=True)
class Section:
    """Section of a chapter: the answer to one question.

    A folded section shows only its title until it is opened.
    """

    name: str
    title: str
    sentences: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[ReportTable] = ()
    stories: Sequence[GameNarrative] = ()
    notes: Sequence[tuple[str, Sequence[str]]] = ()  # lists with their titles
    hints: Sequence[tuple[str, str]] = ()  # a purpose, and the command for it
    brief: Brief | None = None  # None: not in the short edition
    is_folded: bool = False
    bar: ShareBar | None = None
    proposals: Sequence[Proposal] = ()
    related: Sequence[str] = ()  # names of sections with more on the same


@dataclass(frozen=True)
class Chapter:
    """The report on one scenario."""

    name: str
    game: str
    title: str
    description: str
    verdict: Sequence[str]  # the first is one to quote
    facts: Sequence[tuple[str, str, str]]  # name, figure, and explanation
    sections: Sequence[Section]
    # the row of the chapter in a report on several scenarios
    overview: Mapping[str, Any] = field(default_factory=dict)
    # details as on the side of a game box: players, length, author, version
    box: Sequence[tuple[str, str]] = ()
    # the cells of a grid, for the comparison of two of them in the page
    explorer: Mapping[str, Any] | None = None
    # the panel in which the reader plays the game
    play: Mapping[str, Any] | None = None

    @property
    def slug(self) -> str:
        """Name of the chapter in file names and links."""
        return make_slug(self.name)

    @property
    def screens(self) -> list[Section]:
        """The sections that are read first."""
        return [section for section in self.sections if not section.is_folded]

    @property
    def details(self) -> list[Section]:
        """The folded sections."""
        return [section for section in self.sections if section.is_folded]

    def get_related(self, section: Section) -> list[Section]:
        """Return the folded sections of this chapter that a section refers to."""
        return [other for other in self.details if other.name in section.related]


def make_dot_plot(
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
    """Return a plot of values with their intervals, in one row each.

    Args:
        name: Name of the files of the figure.
        title: Title of the figure.
        rows: Rows with the keys label and estimate, and optionally group.
        kind: Kind of the estimates.
        axis: Label of the axis.
        note: Note below the figure.
        band: Range of values that is shaded.
        band_text: Explanation of that range.
        mark: Value at which a line is drawn.
        mark_text: Explanation of that line.
    """
    values = []
    for row in rows:
        estimate = formatting.format_with_interval(row["estimate"], kind)
        values.append(f"{_name_row(row)} {estimate}")
    alt = f"{title}. {axis[:1].upper()}{axis[1:]}: {_join_values(values)}."
    return Figure(
        make_slug(name),
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


def _name_row(row: Mapping[str, Any]) -> str:
    return f"{row['group']} {row['label']}" if row.get("group") else str(row["label"])


def make_heat_map(
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
    """Return a heat map of values over two choices, in one or several panels.

    Args:
        name: Name of the files of the figure.
        title: Title of the figure.
        panels: Mappings with the keys title, rows, columns and cells (estimates or None).
        kind: Kind of the estimates.
        rows: Name of the choice on the rows.
        columns: Name of the choice on the columns.
        axis: Name of the values.
        note: Note below the figure.
        band: Range of values that is marked.
        band_text: Explanation of that range.
    """
    known = []
    for panel in panels:
        end = f", {panel['title']}" if panel["title"] else ""
        for row, line in zip(panel["rows"], panel["cells"], strict=True):
            for column, e in zip(panel["columns"], line, strict=True):
                if e and isfinite(e.value):
                    known.append((e, f"{row} and {column}{end}"))
    ends = []
    for label, choose in (("lowest", min), ("highest", max)):
        e, where = choose(known, key=lambda cell: cell[0].value)
        ends.append(f"{label} {formatting.format_with_interval(e, kind)} with {where}")
    alt = f"{title}. {axis} by {rows} and {columns}: {', '.join(ends)}."
    return Figure(
        make_slug(name),
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


def make_stacked_bars(
    name: str,
    title: str,
    rows: Sequence[Mapping[str, Any]],
    series: Sequence[Mapping[str, str]],
    note: str = "",
) -> Figure:
    """Return a plot of shares that add up to 1.

    Args:
        name: Name of the files of the figure.
        title: Title of the figure.
        rows: Bars with the keys label, games and shares.
        series: Name and color role of each share.
        note: Note below the figure.
    """
    bars = []
    for row in rows:
        parts = zip(series, row["shares"], strict=True)
        shares = [f"{s['name']} {100 * x:.0f} %" for s, x in parts if x >= 0.005]
        bars.append(f"{_name_row(row)}: {wording.join_names(shares)}")
    stacked = []
    for i, part in enumerate(series):
        stacked.append({**part, "y": [row["shares"][i] for row in rows]})
    alt = f"{title}. {_join_values(bars, '; ')}."
    return Figure(
        make_slug(name), "stacked", title, alt, {"rows": list(rows), "series": stacked}, note
    )


def make_tornado_plot(
    name: str, title: str, rows: Sequence[Mapping[str, Any]], axis: str, note: str = ""
) -> Figure:
    """Return a tornado plot of the effects of steps.

    Args:
        name: Name of the files of the figure.
        title: Title of the figure.
        rows: Mappings with the keys label and steps, which are pairs of a text and an estimate.
        axis: Label of the axis.
        note: Note below the figure.
    """
    effects = []
    for row in rows:
        for text, e in row["steps"]:
            effects.append(f"{row['label']} {text} {formatting.format_with_interval(e, 'points')}")
    return Figure(
        make_slug(name),
        "tornado",
        title,
        f"{title}. {axis}: {_join_values(effects)}.",
        {"rows": list(rows), "axis": axis},
        note,
    )


def make_trade_off_plot(
    name: str,
    title: str,
    points: Sequence[Mapping[str, Any]],
    axes: tuple[str, str],
    bands: Sequence[tuple[float, float]],
) -> Figure:
    """Return a plot of two values against each other.

    Args:
        name: Name of the files of the figure.
        title: Title of the figure.
        points: Mappings with the keys label, at (both values) and best (on the Pareto front).
        axes: Names of the two values.
        bands: Target range of each value.
    """
    best = []
    for point in points:
        if point["best"]:
            x, y = point["at"]
            best.append(f"{point['label']} {x:.1f} and {y:.1f}")
    return Figure(
        make_slug(name),
        "trade",
        title,
        f"{title}. {axes[0]} and {axes[1]}: {_join_values(best)}.",
        {
            "points": list(points),
            "axes": axes,
            "bands": list(bands),
        },
    )


def make_histogram(
    name: str,
    title: str,
    x: Sequence[float],
    series: Sequence[Mapping[str, Any]],
    axis: str,
    alt: str,
    note: str = "",
    width: int = 1,
) -> Figure:
    """Return one or several histograms over the same values; `width` values form a bar."""
    return Figure(
        make_slug(name),
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


def make_line_plot(
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
    """Return a plot of curves with bands.

    Args:
        name: Name of the files of the figure.
        title: Title of the figure.
        series: Curves with the keys name, role, x and estimates.
        axis: Label of the horizontal axis.
        height: Label of the vertical axis.
        alt: Alternative text.
        share: Whether the values are shares of 1.
        note: Note below the figure.
        mark: Position of a vertical line.
        mark_text: Explanation of that line.
        mark_ends: Interval around that line.
    """
    return Figure(
        make_slug(name),
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


def make_win_chance_plot(
    name: str,
    title: str,
    series: Sequence[Mapping[str, Any]],
    rounds: Sequence[tuple[int, str]],
    turns: Sequence[tuple[int, float, str]],
    axis: str,
    alt: str,
    note: str = "",
) -> Figure:
    """Return the chance to win over the steps of a game, with its rounds and turning points."""
    return Figure(
        make_slug(name),
        "odds",
        title,
        alt,
        {
            "series": list(series),
            "rounds": list(rounds),
            "turns": list(turns),
            "axis": axis,
            "height": "chance to win",
            "share": True,
        },
        note,
    )


def _join_values(values: Sequence[str], separator: str = ", ") -> str:
    shown = list(values[:MAX_VALUES_IN_ALT_TEXT])
    if len(values) > len(shown):
        shown.append(f"and {len(values) - len(shown)} more")
    return separator.join(shown)


def make_slug(name: str) -> str:
    """Return a name that is allowed in file names and links."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "it"


def convert_to_json(what: Any) -> Any:
    """Return a value as JSON has it: lists for tuples, None for infinite numbers and NaN."""
    if isinstance(what, Estimate):
        return {k: convert_to_json(getattr(what, k)) for k in ("value", "low", "high", "n")}
    if is_dataclass(what):
        return {f.name: convert_to_json(getattr(what, f.name)) for f in fields(what)}
    if isinstance(what, Mapping):
        return {str(k): convert_to_json(v) for k, v in what.items()}
    if isinstance(what, (list, tuple)):
        return [convert_to_json(v) for v in what]
    if isinstance(what, float) and not isfinite(what):
        return None
    return what
