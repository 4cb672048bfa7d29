"""Tables as an Excel workbook, one sheet for each table.

Estimates take three columns (value, low and high), rates are percentages, and no text is a formula.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from hardmode.reports.page.export import spread_column
from hardmode.reports.page.model import ESTIMATES, Column, ReportTable
from hardmode.sim.extras import explain_missing_extra
from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.text import escape_control_chars
from hardmode.studies.stats.formatting import MINUS

ABOUT_SHEET = "about"
NUMBER_FORMATS = {
    "rate": "0.0%",
    "points": "+0.0%;-0.0%;0.0%",
    "mean": "0.00",
    "change": "+0.00;-0.00;0.00",
    "count": "#,##0",
}  # of cells, by the kind of the column
PERCENT = re.compile(r"[0-9]+(?:\.([0-9]+))? ?%")  # a share, as pages print it
INTERVAL = re.compile(
    r"([-+]?[0-9.,]+)( %)? \(([-+]?[0-9.,]+) \.\. ([-+]?[0-9.,]+)\)"
)  # an estimate with its interval, as pages print it
MAX_EXACT_INTEGER = 1 << 53  # spreadsheets round larger whole numbers
MAX_CELL_CHARS = 32_767
MAX_ROWS = 1_048_575  # of a sheet, below its header
MAX_SHEET_NAME = 31  # characters
MIN_COLUMN_WIDTH, MAX_COLUMN_WIDTH = 9, 60  # characters
# This part is first and not compressed, so that files of hardmode can be recognized.
FIRST_PART = "docProps/app.xml"
FIRST_PART_XML = (
    '<?xml version="1.0"?><Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/'
    'extended-properties"><Application>hardmode</Application></Properties>'
)


class WorkbookSheet(NamedTuple):
    """A table, and the name of its sheet."""

    name: str
    table: ReportTable


def check_workbook_path(path: Path | None) -> None:
    """Refuse a path where no workbook can be written, before any game is played.

    Raises:
        OutputError: The name does not end in .xlsx, the file cannot be written, or openpyxl is not
            installed.
    """
    if not path:
        return
    if find_spec("openpyxl") is None:
        reason = explain_missing_extra("to write a workbook", "openpyxl", "xlsx")
        raise OutputError(f"{path}: {reason}")
    if path.suffix.lower() != ".xlsx":
        raise OutputError(f"{path}: the name of a workbook ends in .xlsx")
    atomic_files.check_writable(path, atomic_files.WORKBOOK)


def write_workbook(path: Path, tables: Sequence[ReportTable], about: Mapping[str, Any]) -> None:
    """Write tables to a workbook.

    Args:
        path: The file.
        tables: The tables. Empty ones are left out.
        about: Facts about the tables for the first sheet, which also lists the others.

    Raises:
        OutputError: A table has too many rows, or the file cannot be written.
    """
    sheets = name_sheets(tables)
    rows = [*about.items(), ("hardmode", version("hardmode")), ("", ""), ("sheet", "what it shows")]
    for sheet in sheets:
        texts = (sheet.table.title, sheet.table.note)
        rows.append((sheet.name, " ".join(text for text in texts if text)))
    atomic_files.write_atomically(path, _mark_workbook(_render_workbook(rows, sheets)))


def name_sheets(tables: Sequence[ReportTable]) -> list[WorkbookSheet]:
    """Return the tables that are not empty, with unique names regardless of their case."""
    taken, sheets = {ABOUT_SHEET}, []
    for table in tables:
        if not table.rows:
            continue
        plain = re.sub(r"[\[\]:*?/\\']+", " ", escape_control_chars(table.name)).strip()
        plain = plain[:MAX_SHEET_NAME] or "table"
        name, n = plain, 1
        while name.lower() in taken:
            n += 1
            name = f"{plain[: MAX_SHEET_NAME - len(str(n)) - 1]} {n}"
        taken.add(name.lower())
        sheets.append(WorkbookSheet(name, table))
    return sheets


def _render_workbook(about: Sequence[tuple[str, Any]], sheets: Sequence[WorkbookSheet]) -> bytes:
    import pandas as pd

    content = io.BytesIO()
    with pd.ExcelWriter(content, engine="openpyxl") as workbook:
        columns = {"what": [name for name, _ in about], "value": [value for _, value in about]}
        _add_sheet(workbook, ABOUT_SHEET, columns, ["", ""])
        for name, table in sheets:
            if len(table.rows) > MAX_ROWS:
                raise OutputError(
                    f"{table.title}: {len(table.rows):,} rows are more than a workbook can hold"
                )
            _add_sheet(workbook, name, *_split_columns(table))
    return content.getvalue()


def _split_columns(table: ReportTable) -> tuple[dict[str, list[Any]], list[str]]:
    """Return the columns of a table by header, three for an estimate, and the kind of each."""
    columns: dict[str, list[Any]] = {}
    kinds: list[str] = []
    for column in table.columns:
        values = [row[column.key] for row in table.rows]
        parts = _split_intervals(column.label, values) or spread_column(column, values)
        for header, part in parts.items():
            columns[f"{header} " if header in columns else header] = part
        kinds += [_get_cell_kind(column)] * len(parts)
    return columns, kinds


def _get_cell_kind(column: Column) -> str:
    return column.kind if column.kind in ESTIMATES or column.kind == "count" else ""


def _split_intervals(header: str, values: Sequence[Any]) -> dict[str, list[Any]]:
    """Return three columns for texts such as `31 % (18 .. 46)`, or none if no value is such."""
    columns: dict[str, list[Any]] = {header: [], f"{header} low": [], f"{header} high": []}
    is_interval = False
    for value in values:
        text = value.replace(MINUS, "-") if isinstance(value, str) else ""
        match = INTERVAL.fullmatch(text)
        cells = [value, None, None]
        if match:
            is_interval = True
            cells = [_parse_number(match[i], is_percent=bool(match[2])) for i in (1, 3, 4)]
        for column, cell in zip(columns.values(), cells, strict=True):
            column.append(cell)
    return columns if is_interval else {}


def _parse_number(text: str, is_percent: bool) -> float:
    return float(text.replace(",", "")) / (100 if is_percent else 1)


def _add_sheet(
    workbook: Any, name: str, columns: Mapping[str, Sequence[Any]], kinds: Sequence[str]
) -> None:
    import pandas as pd

    series = {}
    for header, values in columns.items():
        cells = [_make_cell_value(value) for value in values]
        series[escape_control_chars(header)] = pd.Series(cells, dtype=object)
    pd.DataFrame(series).to_excel(workbook, sheet_name=name, index=False)
    sheet = workbook.sheets[name]
    sheet.freeze_panes = "A2"
    for column, kind in zip(sheet.columns, kinds, strict=True):
        width = 0
        for cell in column:
            _format_cell(cell, kind)
            width = max(width, *map(len, str(cell.value or "").split("\n")))
        limited = min(MAX_COLUMN_WIDTH, max(MIN_COLUMN_WIDTH, width + 2))
        sheet.column_dimensions[column[0].column_letter].width = limited


def _make_cell_value(value: Any) -> Any:
    """Return a value that a cell can hold: percentages as numbers, large integers as text."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > MAX_EXACT_INTEGER:
        return str(value)
    if not isinstance(value, str):
        return value
    if PERCENT.fullmatch(value):
        return float(value.rstrip(" %")) / 100
    return escape_control_chars(value)[:MAX_CELL_CHARS]


def _format_cell(cell: Any, kind: str) -> None:
    """Keep texts from becoming formulas, and show numbers as the kind of their column."""
    if isinstance(cell.value, str):
        cell.data_type, cell.quotePrefix = "s", cell.value[:1] in "=+-@"
    elif kind:
        cell.number_format = NUMBER_FORMATS[kind]
    elif isinstance(cell.value, float) and 0 <= cell.value <= 1:
        cell.number_format = NUMBER_FORMATS["rate"]


def _mark_workbook(workbook: bytes) -> bytes:
    """Return a workbook whose first part says that hardmode wrote it."""
    content = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook)) as before,
        zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as after,
    ):
        after.writestr(zipfile.ZipInfo(FIRST_PART), FIRST_PART_XML, zipfile.ZIP_STORED)
        for name in before.namelist():
            if name != FIRST_PART:
                after.writestr(zipfile.ZipInfo(name), before.read(name), zipfile.ZIP_DEFLATED)
    return content.getvalue()
