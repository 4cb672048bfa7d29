"""Files of played games: CSV, workbooks, Parquet and YAML, read as text with the line of each row; and added to."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.paths import short_path, unfit
from hardmode.sim.files.text import brief
from hardmode.sim.files.yaml_io.errors import Place, ScenarioError
from hardmode.sim.files.yaml_io.read import read_file

MOST_BYTES = 50_000_000


class Row(NamedTuple):
    """A row as it was read: where it stands, and its cells as text by column, empty ones left out."""

    place: Place
    cells: Mapping[str, str]


class Table(NamedTuple):
    """What a file holds: its columns, the place of their names, and its rows."""

    names: list[str]
    head: Place
    rows: list[Row]


def rows(path: Path) -> Table:
    """The rows of a file, by its kind."""
    kind = path.suffix.lower()
    readers = {
        ".csv": _csv,
        ".tsv": _csv,
        ".xlsx": _frame,
        ".parquet": _frame,
        ".yaml": _yaml,
        ".yml": _yaml,
    }
    if kind not in readers:
        raise ScenarioError(
            Place(short_path(path)),
            "",
            "is no file of plays: they are kept as .csv, .xlsx, .parquet or .yaml",
        )
    why = unfit(path, MOST_BYTES) if path.exists() else "no such file"
    if why:
        raise ScenarioError(Place(short_path(path)), "", why)
    return readers[kind](path)


def _csv(path: Path) -> Table:
    """Commas, semicolons or tabs, as the first line has most of them."""
    place = Place(short_path(path))
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ScenarioError(place, "", "is not a text file in UTF-8") from None
    first = next((line for line in text.splitlines() if line.strip()), "")
    reader = csv.reader(io.StringIO(text), delimiter=max(",;\t", key=first.count))
    names: list[str] = []
    head, found = place, []
    try:
        before = 0
        for cells in reader:
            at, before = Place(place.file, before + 1), reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names, head = _names(cells, at), at
                continue
            if len(cells) > len(names) and any(cell.strip() for cell in cells[len(names) :]):
                raise ScenarioError(
                    at, "", f"holds {len(cells)} cells; there are {len(names)} columns"
                )
            found.append(_row(at, zip(names, cells, strict=False)))
    except csv.Error as why:
        raise ScenarioError(Place(place.file, reader.line_num), "", f"is not CSV: {why}") from None
    return Table(names, head, found)


def _frame(path: Path) -> Table:
    """A workbook's first sheet, or Parquet."""
    import pandas as pd

    place = Place(short_path(path))
    try:
        frame = (
            pd.read_excel(path, dtype=object, header=None)
            if path.suffix.lower() == ".xlsx"
            else pd.read_parquet(path)
        )
    except Exception as why:
        said = str(why).splitlines() or [type(why).__name__]
        raise ScenarioError(place, "", f"cannot be read: {brief(said[0])}") from None
    if path.suffix.lower() == ".parquet":
        names = _names(list(map(str, frame.columns)), place)
        return Table(
            names,
            place,
            [
                _row(Place(place.file, i + 1), zip(names, map(_text, row), strict=True))
                for i, row in enumerate(frame.itertuples(index=False))
            ],
        )
    lines = [
        (i + 1, [_text(v) for v in row]) for i, row in enumerate(frame.itertuples(index=False))
    ]
    lines = [(i, cells) for i, cells in lines if any(cells)]
    if not lines:
        return Table([], place, [])
    head = Place(place.file, lines[0][0])
    names = _names(lines[0][1], head)
    return Table(
        names,
        head,
        [_row(Place(place.file, i), zip(names, cells, strict=False)) for i, cells in lines[1:]],
    )


def _yaml(path: Path) -> Table:
    """A list of plays, each a mapping; it may stand under `plays`."""
    document = read_file(path, signs=True)
    data: Any = document.data
    where: tuple[str, ...] = ()
    if isinstance(data, dict) and "plays" in data:
        data, where = data["plays"], ("plays",)
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise ScenarioError(
            document.place(*where), "", "must be a list of plays, such as - {won: yes, rounds: 12}"
        )
    names = list(dict.fromkeys(name for one in data for name in one))
    return Table(
        names,
        document.place(*where),
        [
            _row(document.place(*where, i), ((name, _text(value)) for name, value in one.items()))
            for i, one in enumerate(data)
        ],
    )


def _names(cells: Sequence[str], place: Place) -> list[str]:
    names = [cell.strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    twice = next((n for i, n in enumerate(names) if n and n in names[:i]), None)
    if twice:
        raise ScenarioError(place, f"column {brief(twice)}", "is there twice")
    return names


def _row(place: Place, cells: Any) -> Row:
    return Row(place, {name: value.strip() for name, value in cells if name and value.strip()})


def _text(value: Any) -> str:
    """A value as somebody would write it in a cell."""
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) and value == int(value) else str(value)


# -- adding a play --------------------------------------------------------------------------------


def ready(path: Path | None) -> None:
    """Refuse a place to which no play can be added."""
    if path is None:
        return
    if path.suffix.lower() != ".csv":
        raise OutputError(f"{short_path(path)}: plays are added to a .csv file")
    if path.exists() and path.stat().st_size:
        if not rows(path).names:
            raise OutputError(f"{short_path(path)} has no line that names its columns")
        atomic_files.add(path, b"")
    else:
        atomic_files.try_folder(path.absolute().parent)


def add(path: Path, header: Sequence[str], play: Mapping[str, str]) -> None:
    """Add a play as a row, under the columns that the file has; a new file gets all."""
    there = path.exists() and path.stat().st_size > 0
    names = rows(path).names if there else list(header)
    text = path.read_bytes().decode("utf-8-sig") if there else ""
    first = next((line for line in text.splitlines() if line.strip()), "")
    made = io.StringIO()
    writer = csv.writer(made, delimiter=max(",;\t", key=first.count), lineterminator="\n")
    if there and not text.endswith("\n"):
        made.write("\n")
    if not there:
        writer.writerow(names)
    writer.writerow([play.get(name, "") for name in names])
    if there:
        atomic_files.add(path, made.getvalue().encode())
    else:
        atomic_files.write(path, made.getvalue())
