"""Tables of estimates for notebooks: as HTML with small plots, and as frames of data."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl

from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

if TYPE_CHECKING:
    import pandas as pd

Row = Mapping[str, Any]
PLOT_WIDTH, PLOT_HEIGHT = 140, 14  # pixels
MAX_ROWS, MAX_COLUMNS = 100, 8  # of a table in HTML
NUMBER_STYLE = "text-align: right; white-space: nowrap"


class NotebookTable:
    """Mixin of what is shown as a table: one row for each item, with an estimate.

    Attributes:
        estimate_kind: Kind of the estimates, a key of `formatting.VALUE_FORMATTERS`.
    """

    estimate_kind: ClassVar[str] = "rate"

    def list_rows(self) -> Iterable[Row]:
        """Return the rows: values by column, some of them an `Estimate`."""
        raise NotImplementedError

    def to_polars(self) -> pl.DataFrame:
        """Return the rows as a frame of polars; an estimate makes three columns."""
        return make_frame(self.list_rows())

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a frame of pandas; an estimate makes three columns."""
        return convert_to_pandas(self.to_polars())

    def _repr_html_(self) -> str:
        return render_html(list(self.list_rows()), self.estimate_kind)


def make_frame(rows: Iterable[Row]) -> pl.DataFrame:
    """Return rows as a frame; an estimate makes columns for value, low and high."""
    return pl.DataFrame([_spread_row(row) for row in rows], infer_schema_length=None)


def _spread_row(row: Row) -> dict[str, Any]:
    spread: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Estimate):
            spread |= {name: value.value, "low": value.low, "high": value.high}
        else:
            spread[name] = value
    return spread


def convert_to_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    """Return a frame of pandas with the same content, without the help of pyarrow."""
    import pandas as pd

    return pd.DataFrame(frame.to_dict(as_series=False), columns=frame.columns)


def render_html(rows: Sequence[Row], kind: str) -> str:
    """Return the first rows and columns as an HTML table, with a small plot of each estimate.

    Args:
        rows: The rows.
        kind: Kind of the estimates.
    """
    if not rows:
        return "<p>nothing was played</p>"
    columns = list(rows[0])[:MAX_COLUMNS]
    found = [value for row in rows for value in row.values() if isinstance(value, Estimate)]
    decimals = formatting.choose_common_decimals(found, kind)
    ends = _choose_ends(found, kind)
    lines = [_render_cells("th", list(map(html.escape, columns)))]
    for row in rows[:MAX_ROWS]:
        cells = []
        for value in (row[column] for column in columns):
            if isinstance(value, Estimate):
                text = html.escape(formatting.format_with_interval(value, kind, decimals))
                cells.append(f"{text} {_draw_interval(value, *ends)}")
            else:
                cells.append(html.escape(_format_value(value)))
        lines.append(_render_cells("td", cells))
    more = [f"<p>and {len(rows) - MAX_ROWS:,} more rows</p>"] if len(rows) > MAX_ROWS else []
    return f"<table>{''.join(lines)}</table>{''.join(more)}"


def _render_cells(tag: str, cells: Sequence[str]) -> str:
    inner = "".join(f'<{tag} style="{NUMBER_STYLE}">{cell}</{tag}>' for cell in cells)
    return f"<tr>{inner}</tr>"


def _format_value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if type(value) is int else str(value)


def _choose_ends(found: Sequence[Estimate], kind: str) -> tuple[float, float]:
    """Return the ends of the small plots: for rates 0 and 1."""
    if kind == "rate":
        return 0.0, 1.0
    ends = [end for e in found for end in (e.low, e.high) if isfinite(end)]
    return min([*ends, 0.0]), max([*ends, 0.0])


def _draw_interval(e: Estimate, first: float, last: float) -> str:
    """Return an interval as a line with a dot, in the color of the text around it."""
    if not isfinite(e.value):
        return ""
    low, value, high = (
        4 + (PLOT_WIDTH - 8) * (min(max(x, first), last) - first) / ((last - first) or 1)
        for x in (e.low, e.value, e.high)
    )
    y = PLOT_HEIGHT / 2
    return (
        f'<svg width="{PLOT_WIDTH}" height="{PLOT_HEIGHT}" style="vertical-align: middle">'
        f'<path d="M0 {y}H{PLOT_WIDTH}" stroke="currentColor" stroke-opacity="0.15"/>'
        f'<path d="M{low:.1f} {y}H{high:.1f}" stroke="currentColor" stroke-width="3"/>'
        f'<circle cx="{value:.1f}" cy="{y}" r="4" fill="currentColor"/></svg>'
    )
