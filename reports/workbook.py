"""Tables as a workbook: a sheet for each, estimates in three columns, rates as percentages, and no text a formula."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from hardmode.reports.page.export import spread
from hardmode.reports.page.model import ESTIMATES, Table
from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.text import visible
from hardmode.studies.stats.formatting import MINUS

ABOUT = "about"
FORMATS = {
    "rate": "0.0%",
    "points": "+0.0%;-0.0%;0.0%",
    "mean": "0.00",
    "change": "+0.00;-0.00;0.00",
    "count": "#,##0",
}
PERCENT = re.compile(r"[0-9]+(?:\.([0-9]+))? ?%")  # a share as a page says it
TOLD = re.compile(
    r"([-+]?[0-9.,]+)( %)? \(([-+]?[0-9.,]+) \.\. ([-+]?[0-9.,]+)\)"
)  # an interval as a page says it
EXACT = 1 << 53  # whole numbers beyond this are rounded by spreadsheets
LONGEST, WIDEST, LEAST_WIDE = 32_767, 60, 9  # characters: of a cell, of a column that is shown
MOST_ROWS = 1_048_575  # of a sheet, below its head
NAME = 31  # characters of the name of a sheet
FIRST = (
    "docProps/app.xml"  # stands first and unpacked, so that a workbook of hardmode is known again
)
MADE_BY = (
    '<?xml version="1.0"?><Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/'
    'extended-properties"><Application>hardmode</Application></Properties>'
)


class Sheet(NamedTuple):
    """A table, and the name of its sheet."""

    name: str
    table: Table


def ready(path: Path | None) -> None:
    """Refuse a place where no workbook can be written, before anything is played."""
    if path and path.suffix.lower() != ".xlsx":
        raise OutputError(f"{path}: a workbook is called .xlsx")
    if path:
        atomic_files.ready(path, atomic_files.WORKBOOK)


def write(path: Path, tables: Sequence[Table], about: Mapping[str, Any]) -> None:
    """Write tables, and first of all a sheet that says what they are of."""
    sheets = named(tables)
    told = [
        *about.items(),
        ("hardmode", version("hardmode")),
        ("", ""),
        ("sheet", "what it shows"),
        *((s.name, " ".join(filter(None, (s.table.title, s.table.note)))) for s in sheets),
    ]
    atomic_files.write(path, _marked(_written(told, sheets)))


def named(tables: Sequence[Table]) -> list[Sheet]:
    """The sheets of tables that are not empty, whose names differ whatever their case."""
    taken, found = {ABOUT}, []
    for table in tables:
        if not table.rows:
            continue
        plain = re.sub(r"[\[\]:*?/\\']+", " ", visible(table.name)).strip()[:NAME] or "table"
        name, n = plain, 1
        while name.lower() in taken:
            n += 1
            name = f"{plain[: NAME - len(str(n)) - 1]} {n}"
        taken.add(name.lower())
        found.append(Sheet(name, table))
    return found


def _written(told: Sequence[tuple[str, Any]], sheets: Sequence[Sheet]) -> bytes:
    import pandas as pd

    made = io.BytesIO()
    with pd.ExcelWriter(made, engine="openpyxl") as book:
        _sheet(
            book,
            ABOUT,
            {"what": [name for name, _ in told], "value": [value for _, value in told]},
            [""] * 2,
        )
        for name, table in sheets:
            if len(table.rows) > MOST_ROWS:
                raise OutputError(
                    f"{table.title}: {len(table.rows):,} rows are more than a workbook can hold"
                )
            columns, kinds = _columns(table)
            _sheet(book, name, columns, kinds)
    return made.getvalue()


def _columns(table: Table) -> tuple[dict[str, list[Any]], list[str]]:
    """The columns of a table by their heads, and their kinds: an estimate takes three."""
    columns: dict[str, list[Any]] = {}
    kinds: list[str] = []
    for one in table.columns:
        values = [row[one.key] for row in table.rows]
        found = _apart(one.label, values) or spread(one, values)
        columns.update(
            {head if head not in columns else f"{head} ": values for head, values in found.items()}
        )
        kinds += [one.kind if one.kind in ESTIMATES or one.kind == "count" else ""] * len(found)
    return columns, kinds


def _apart(head: str, values: Sequence[Any]) -> dict[str, list[Any]]:
    """The three columns of values that are told with their intervals; nothing where none is."""
    told = [TOLD.fullmatch(v.replace(MINUS, "-")) if isinstance(v, str) else None for v in values]
    if not any(told):
        return {}
    parts = [
        [_number(t[i], bool(t[2])) for i in (1, 3, 4)] if t else [v, None, None]
        for t, v in zip(told, values, strict=True)
    ]
    return {head + end: [part[i] for part in parts] for i, end in enumerate(("", " low", " high"))}


def _number(text: str, percent: bool) -> float:
    return float(text.replace(",", "")) / (100 if percent else 1)


def _sheet(
    book: Any, name: str, columns: Mapping[str, Sequence[Any]], kinds: Sequence[str]
) -> None:
    import pandas as pd

    plain = {visible(head): [_plain(value) for value in values] for head, values in columns.items()}
    frame = pd.DataFrame({head: pd.Series(values, dtype=object) for head, values in plain.items()})
    frame.to_excel(book, sheet_name=name, index=False)
    sheet = book.sheets[name]
    sheet.freeze_panes = "A2"
    for cells, kind in zip(sheet.columns, kinds, strict=True):
        for cell in cells:
            _formatted(cell, kind)
        shown = max(len(text) for cell in cells for text in str(cell.value or "").split("\n"))
        sheet.column_dimensions[cells[0].column_letter].width = min(
            WIDEST, max(LEAST_WIDE, shown + 2)
        )


def _plain(value: Any) -> Any:
    """A value as a cell can hold it."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > EXACT:
        return str(value)
    if not isinstance(value, str):
        return value
    percent = PERCENT.fullmatch(value)
    return float(value.rstrip(" %")) / 100 if percent else visible(value)[:LONGEST]


def _formatted(cell: Any, kind: str) -> None:
    """A text is a text, whatever it begins with; a number is shown as its kind is."""
    if isinstance(cell.value, str):
        cell.data_type, cell.quotePrefix = "s", cell.value[:1] in "=+-@"
    elif kind:
        cell.number_format = FORMATS[kind]
    elif isinstance(cell.value, float) and 0 <= cell.value <= 1:
        cell.number_format = FORMATS["rate"]


def _marked(book: bytes) -> bytes:
    """The workbook with what tells who wrote it at its very beginning."""
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(book)) as before,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as after,
    ):
        after.writestr(zipfile.ZipInfo(FIRST), MADE_BY, zipfile.ZIP_STORED)
        for name in _others(before):
            after.writestr(zipfile.ZipInfo(name), before.read(name), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _others(book: zipfile.ZipFile) -> Iterator[str]:
    return (name for name in book.namelist() if name != FIRST)
