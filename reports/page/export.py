"""Files of a report: tables as CSV, Parquet and Markdown, and result.json.gz."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hardmode.reports.page.model import ESTIMATES, Chapter, Column, ReportTable, convert_to_json
from hardmode.sim.files import gzip_members
from hardmode.sim.results.result import Result
from hardmode.sim.results.result_file import SCHEMA_VERSION
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

FORMULA_STARTS = tuple("=+-@\t\r")
NUMBER = re.compile(r"[-+]?[0-9.]+%?")


def export_table(table: ReportTable) -> dict[str, str | bytes]:
    """Return a table as CSV, Parquet and Markdown, by file name."""
    import polars as pl

    data: dict[str, list[Any]] = {}
    for column in table.columns:
        data.update(spread_column(column, [row[column.key] for row in table.rows]))
    frame, packed = pl.DataFrame(data, strict=False), io.BytesIO()
    frame.write_parquet(packed)
    return {
        f"{table.name}.csv": pl.DataFrame(_quote_formulas(data), strict=False).write_csv(),
        f"{table.name}.parquet": packed.getvalue(),
        f"{table.name}.md": format_markdown_table(table),
    }


def _quote_formulas(data: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """Return columns for spreadsheets, with a quote before texts that look like formulas."""
    return {
        _quote_formula(name): [_quote_formula(v) if isinstance(v, str) else v for v in values]
        for name, values in data.items()
    }


def _quote_formula(text: str) -> str:
    return f"'{text}" if text[:1] in FORMULA_STARTS and not NUMBER.fullmatch(text) else text


def spread_column(column: Column, values: Sequence[Any]) -> dict[str, list[Any]]:
    """Return the values of a column by header; estimates make three columns."""
    header = column.name_in_files or column.label
    if column.kind in ESTIMATES:
        parts = {"": "value", " low": "low", " high": "high"}
        return {
            header + end: [convert_to_json(getattr(v, name)) if v else None for v in values]
            for end, name in parts.items()
        }
    if column.kind == "count" or all(isinstance(v, (int, float)) for v in values):
        return {header: list(values)}
    return {header: [str(v) for v in values]}


def format_markdown_table(table: ReportTable) -> str:
    """Return a table as Markdown, with rounded values."""
    kinds = [column.kind for column in table.columns]
    rules = ["---:" if kind == "count" or kind in ESTIMATES else "---" for kind in kinds]
    lines = [_join_cells([column.label for column in table.columns]), f"|{'|'.join(rules)}|"]
    for row in table.rows:
        lines.append(_join_cells([_format_value(row[c.key], c.kind) for c in table.columns]))
    note = [table.note, ""] if table.note else []
    return "\n".join([f"**{_escape_cell(table.title)}**", "", *lines, "", *note])


def _join_cells(texts: Sequence[str]) -> str:
    return f"| {' | '.join(_escape_cell(text) for text in texts)} |"


def _format_value(value: Any, kind: str) -> str:
    if isinstance(value, Estimate):
        return formatting.format_with_interval(value, kind)
    if kind == "count":
        return f"{value:,}"
    if kind == "code":
        return f"`{value}`"
    return "–" if value is None else str(value)


def _escape_cell(text: str) -> str:
    text = " ".join(text.split())
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def export_result(
    chapters: Sequence[Chapter], results: Sequence[Result], settings: Mapping[str, Any]
) -> bytes:
    """Return the result file: the results of all variants that were played, and the page as data.

    Args:
        chapters: Chapters of the page.
        results: Results of all variants.
        settings: Seeds and confidence of the report.
    """
    page = convert_to_json([replace(c, explorer=None, play=None) for c in chapters])
    return gzip_members.compress_member(
        json.dumps(
            {
                "hardmode": "result",
                "schema": SCHEMA_VERSION,
                "cells": [r.to_dict() for r in results],
                "report": {**settings, "chapters": page},
            },
            ensure_ascii=False,
            allow_nan=False,
        ).encode("utf-8", "replace")
    )
