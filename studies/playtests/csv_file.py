"""Files of played games: read CSV, Excel, Parquet and YAML as text cells; append to CSV.

Folders of rows (`run --rows`) and replayed games (`replay --json`) are read, too. Every row keeps
the place where it was read, for error messages.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from hardmode.sim.extras import explain_missing_extra
from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.paths import explain_unreadable, shorten_path
from hardmode.sim.files.text import shorten_value
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError
from hardmode.sim.files.yaml_io.read import read_yaml_file
from hardmode.sim.results.rows import PROVENANCE_FILE, ROW_FILE_PATTERN

MAX_FILE_BYTES = 50_000_000
DELIMITERS = ",;\t"


class TableRow(NamedTuple):
    """A row: where it was read, and its cells as text by column, without empty ones."""

    place: Location
    cells: Mapping[str, str]


class RecordTable(NamedTuple):
    """Content of a file: columns, the place of their names, rows, and the game if it is named."""

    columns: list[str]
    header_place: Location
    rows: list[TableRow]
    game: str = ""


def read_record_table(path: Path) -> RecordTable:
    """Read a file of played games, in the format that its extension names, or a folder of rows.

    Raises:
        ScenarioError: The file cannot be read, or its extension is not known.
    """
    readers = {
        ".csv": _read_csv,
        ".tsv": _read_csv,
        ".xlsx": _read_workbook,
        ".parquet": _read_parquet,
        ".yaml": _read_yaml,
        ".yml": _read_yaml,
        ".json": _read_replay,
    }
    place = Location(shorten_path(path))
    if path.is_dir():
        return _read_row_folder(path)
    if ROW_FILE_PATTERN.fullmatch(path.name):
        return _read_row_files([path], place)
    extension = path.suffix.lower()
    if extension not in readers:
        message = (
            "is not a file of played games; these are .csv, .xlsx, .parquet or .yaml, the folder "
            "of `run --rows`, or the .json of `replay --json`"
        )
        raise ScenarioError(place, "", message)
    problem = explain_unreadable(path, MAX_FILE_BYTES) if path.exists() else "no such file"
    if problem:
        raise ScenarioError(place, "", problem)
    return readers[extension](path)


def _find_delimiter(text: str) -> str:
    """Return the delimiter that occurs most often in the first line that is not empty."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(DELIMITERS, key=first.count)


def _read_csv(path: Path) -> RecordTable:
    place = Location(shorten_path(path))
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ScenarioError(place, "", "is not a text file in UTF-8") from None
    reader = csv.reader(io.StringIO(text), delimiter=_find_delimiter(text))
    lines: list[tuple[Location, list[str]]] = []
    try:
        last_line = 0
        for cells in reader:
            first_line = last_line + 1
            last_line = reader.line_num
            lines.append((Location(place.file, first_line), cells))
    except csv.Error as error:
        error_place = Location(place.file, reader.line_num)
        raise ScenarioError(error_place, "", f"is not valid CSV: {error}") from None
    return _make_table(lines, place)


def _read_workbook(path: Path) -> RecordTable:
    """Read the first sheet of an Excel workbook."""
    import pandas as pd

    place = Location(shorten_path(path))
    if find_spec("openpyxl") is None:
        reason = explain_missing_extra("to read a workbook", "openpyxl", "xlsx")
        raise ScenarioError(place, "", reason)
    frame = _read_frame(path, lambda: pd.read_excel(path, dtype=object, header=None))
    lines = []
    for i, values in enumerate(frame.itertuples(index=False)):
        lines.append((Location(place.file, i + 1), [_format_cell(value) for value in values]))
    return _make_table(lines, place, allow_extra_cells=True)


def _read_parquet(path: Path) -> RecordTable:
    import polars as pl

    place = Location(shorten_path(path))
    frame = _read_frame(path, lambda: pl.read_parquet(path))
    columns = _parse_header(frame.columns, place)
    rows = []
    for i, values in enumerate(frame.iter_rows()):
        cells = map(_format_cell, values)
        rows.append(_make_row(Location(place.file, i + 1), zip(columns, cells, strict=True)))
    return RecordTable(columns, place, rows)


def _read_frame(path: Path, read: Any) -> Any:
    """Return `read()`, with any error of pandas and its engines as a ScenarioError."""
    try:
        return read()
    except Exception as error:
        first_line = (str(error).splitlines() or [type(error).__name__])[0]
        message = f"cannot be read: {shorten_value(first_line)}"
        raise ScenarioError(Location(shorten_path(path)), "", message) from None


def _read_yaml(path: Path) -> RecordTable:
    """Read a list of mappings, either the whole file or its key `plays`."""
    document = read_yaml_file(path, signed_numbers=True)
    data: Any = document.data
    key_path: tuple[str, ...] = ()
    if isinstance(data, dict) and "plays" in data:
        data = data["plays"]
        key_path = ("plays",)
    place = document.locate(*key_path)
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        message = "must be a list of plays, such as - {won: yes, rounds: 12}"
        raise ScenarioError(place, "", message)
    columns = dict[str, None]()
    rows = []
    for i, item in enumerate(data):
        columns.update(dict.fromkeys(item))
        cells = [(name, _format_cell(value)) for name, value in item.items()]
        rows.append(_make_row(document.locate(*key_path, i), cells))
    return RecordTable(list(columns), place, rows)


def _read_row_folder(path: Path) -> RecordTable:
    """Read all games of the folder of a variant that `run --rows` has written."""
    place = Location(shorten_path(path))
    files = sorted(file for file in path.iterdir() if ROW_FILE_PATTERN.fullmatch(file.name))
    if not files:
        message = (
            "holds no rows of games; give the folder of one variant that `run --rows` has written"
        )
        raise ScenarioError(place, "", message)
    return _read_row_files(files, place)


def _read_row_files(files: Sequence[Path], place: Location) -> RecordTable:
    """Read rows of games, with the changed numbers of the box as columns.

    Args:
        files: Files of one folder.
        place: Their place, for messages.
    """
    import polars as pl

    provenance = _read_provenance(files[0].parent / PROVENANCE_FILE)
    changed = {name: _format_cell(value) for name, value in provenance["changed"].items()}
    columns = {**changed, "won": ""}
    rows = []
    for file in files:
        frame = _read_frame(file, lambda file=file: pl.read_parquet(file))
        columns.update(dict.fromkeys(frame.columns))
        for i, values in enumerate(frame.iter_rows(named=True)):
            cells = {name: _format_cell(value) for name, value in values.items()}
            cells["won"] = _format_cell(bool(values["winners"] & 1))
            file_place = Location(shorten_path(file), i + 1)
            rows.append(_make_row(file_place, {**changed, **cells}.items()))
    return RecordTable(list(columns), place, rows, provenance["game"])


def _read_provenance(path: Path) -> dict[str, Any]:
    """Return what the file beside the rows says of their game and the changed numbers."""
    try:
        provenance = json.loads(path.read_text().splitlines()[1])
        return {"game": str(provenance["game"]), "changed": dict(provenance["changed"])}
    except (OSError, ValueError, LookupError, TypeError):
        message = "is missing or damaged: it says which game the rows beside it are from"
        raise ScenarioError(Location(shorten_path(path)), "", message) from None


def _read_replay(path: Path) -> RecordTable:
    """Read the game that `replay --json` prints: its last step is the ending."""
    place = Location(shorten_path(path))
    try:
        ending = json.loads(path.read_text())[-1]
        cells = {
            "ending": ending["ending"],
            "rounds": ending["rounds"],
            "won": 1 in ending["winners"],
            **_number_seats("score", ending["scores"]),
        }
        for name, value in ending["measures"].items():
            cells |= _number_seats(name, value) if isinstance(value, list) else {name: value}
    except (OSError, ValueError, LookupError, TypeError):
        message = "is not a whole game as `hardmode replay --json` prints it"
        raise ScenarioError(place, "", message) from None
    row = _make_row(place, [(name, _format_cell(value)) for name, value in cells.items()])
    return RecordTable(list(cells), place, [row])


def _number_seats(name: str, values: Sequence[Any]) -> dict[str, Any]:
    """Return the values of all seats by the names of their columns."""
    return {f"{name} {seat}": value for seat, value in enumerate(values, start=1)}


def _make_table(
    lines: Iterable[tuple[Location, Sequence[str]]],
    place: Location,
    allow_extra_cells: bool = False,
) -> RecordTable:
    """Return a table whose first line that is not empty names the columns.

    Args:
        lines: The place and the cells of each line.
        place: The place of the header if there is none.
        allow_extra_cells: Ignore cells without a column instead of refusing them.
    """
    columns: list[str] = []
    header_place = place
    rows = []
    for line_place, cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        if not columns:
            columns = _parse_header(cells, line_place)
            header_place = line_place
            continue
        if not allow_extra_cells and any(cell.strip() for cell in cells[len(columns) :]):
            message = f"has {len(cells)} cells, but the header has {len(columns)}"
            raise ScenarioError(line_place, "", message)
        rows.append(_make_row(line_place, zip(columns, cells, strict=False)))
    return RecordTable(columns, header_place, rows)


def _parse_header(cells: Sequence[str], place: Location) -> list[str]:
    columns = [cell.strip() for cell in cells]
    while columns and not columns[-1]:
        columns.pop()
    for i, name in enumerate(columns):
        if name and name in columns[:i]:
            raise ScenarioError(place, f"column {shorten_value(name)}", "occurs twice")
    return columns


def _make_row(place: Location, cells: Iterable[tuple[str, str]]) -> TableRow:
    stripped = {name: value.strip() for name, value in cells if name}
    return TableRow(place, {name: value for name, value in stripped.items() if value})


def _format_cell(value: Any) -> str:
    """Return a value as a person would write it in a cell."""
    if value is None or value != value:  # NaN
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value))
    if isinstance(value, float) and value.is_integer():
        return f"{value:g}"
    return str(value)


# -- appending ------------------------------------------------------------------------------------


def check_appendable(path: Path | None) -> None:
    """Refuse a file to which no play can be appended, if one is given.

    Raises:
        OutputError: It is not a CSV file with named columns, or cannot be written.
    """
    if path is None:
        return
    if path.suffix.lower() != ".csv":
        raise OutputError(f"{shorten_path(path)}: plays can only be added to a .csv file")
    if not _has_content(path):
        atomic_files.check_folder_writable(path.absolute().parent)
        return
    if not read_record_table(path).columns:
        raise OutputError(f"{shorten_path(path)} has no line that names its columns")
    atomic_files.append_bytes(path, b"")


def append_record(path: Path, header: Sequence[str], record: Mapping[str, str]) -> None:
    """Append a play to a CSV file.

    Args:
        path: The file. If it is new or empty, it first gets the header.
        header: Columns of a new file; an existing one keeps its own.
        record: Cells by column; others are left empty.
    """
    exists = _has_content(path)
    columns = read_record_table(path).columns if exists else list(header)
    text = path.read_bytes().decode("utf-8-sig") if exists else ""
    lines = io.StringIO()
    writer = csv.writer(lines, delimiter=_find_delimiter(text), lineterminator="\n")
    if not exists:
        writer.writerow(columns)
    elif not text.endswith("\n"):
        lines.write("\n")
    writer.writerow([record.get(name, "") for name in columns])
    if exists:
        atomic_files.append_bytes(path, lines.getvalue().encode())
    else:
        atomic_files.write_atomically(path, lines.getvalue())


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0
