"""The files of a report: tables as CSV, Parquet and Markdown, plots as SVG and PNG, and result.json.gz."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hardmode.reports.page.model import ESTIMATES, Chapter, Column, Table, plain
from hardmode.sim.files import gzip_members
from hardmode.sim.results.result import Result
from hardmode.sim.results.result_file import SCHEMA_VERSION
from hardmode.studies.stats import formatting
from hardmode.studies.stats.estimates import Estimate

FORMULA = tuple("=+-@\t\r")  # what a formula begins with
NUMBER = re.compile(r"[-+]?[0-9.]+%?")


def table(made: Table) -> dict[str, str | bytes]:
    """One table in its three forms, by their file names. An estimate takes three columns: value, low and high."""
    import polars as pl

    data: dict[str, list[Any]] = {}
    for column in made.columns:
        data.update(spread(column, [row[column.key] for row in made.rows]))
    frame, packed = pl.DataFrame(data, strict=False), io.BytesIO()
    frame.write_parquet(packed)
    return {
        f"{made.name}.csv": pl.DataFrame(_harmless(data), strict=False).write_csv(),
        f"{made.name}.parquet": packed.getvalue(),
        f"{made.name}.md": markdown(made),
    }


def _harmless(data: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """The columns for a file that spreadsheets open: a text that one would take for a formula begins with a quote."""
    return {
        _quoted(name): [_quoted(v) if isinstance(v, str) else v for v in values]
        for name, values in data.items()
    }


def _quoted(text: str) -> str:
    return f"'{text}" if text[:1] in FORMULA and not NUMBER.fullmatch(text) else text


def spread(column: Column, values: Sequence[Any]) -> dict[str, list[Any]]:
    """A column as files have it, by head: an estimate in three."""
    if column.kind in ESTIMATES:
        parts = {"": "value", " low": "low", " high": "high"}
        return {
            column.label + end: [plain(getattr(v, name)) if v else None for v in values]
            for end, name in parts.items()
        }
    if column.kind == "count" or all(isinstance(v, (int, float)) for v in values):
        return {column.label: list(values)}
    return {column.label: [str(v) for v in values]}


def markdown(made: Table) -> str:
    """The table as a reader sees it."""
    lines = [
        "| " + " | ".join(_cell(c.label) for c in made.columns) + " |",
        "|"
        + "|".join(
            "---:" if c.kind == "count" or c.kind in ESTIMATES else "---" for c in made.columns
        )
        + "|",
    ]
    lines += [
        "| " + " | ".join(_cell(_as_read(row[c.key], c.kind)) for c in made.columns) + " |"
        for row in made.rows
    ]
    note = [made.note, ""] if made.note else []
    return "\n".join([f"**{_cell(made.title)}**", "", *lines, "", *note])


def _as_read(value: Any, kind: str) -> str:
    if isinstance(value, Estimate):
        return formatting.format_with_interval(value, kind)
    if kind == "count":
        return f"{value:,}"
    return f"`{value}`" if kind == "code" else "–" if value is None else str(value)


def _cell(text: str) -> str:
    text = " ".join(text.split())
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def result(chapters: Sequence[Chapter], results: Sequence[Result], how: Mapping[str, Any]) -> bytes:
    """Everything as one file: a result file of every variant that was played, and what the page says of them."""
    told = plain([replace(c, explorer=None) for c in chapters])
    return gzip_members.compress_member(
        json.dumps(
            {
                "hardmode": "result",
                "schema": SCHEMA_VERSION,
                "cells": [r.to_dict() for r in results],
                "report": {**how, "chapters": told},
            },
            ensure_ascii=False,
            allow_nan=False,
        ).encode("utf-8", "replace")
    )
