"""Records of games played by people: the columns of a table of plays and their validation.

A row records one game: whether it was won, how it ended, rounds, scores and any measure of the game
by its name. It also records what was played: the number of players, other choices at set-up, and
changed numbers of the box by their paths. Cells that were not recorded are left empty.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from hardmode.scenarios.labels import PLAYERS_PATH
from hardmode.scenarios.load import Variant
from hardmode.scenarios.parameter import SETUP, Parameter, format_yaml_value
from hardmode.sim.contract import ROUNDS, SCORES
from hardmode.sim.files.text import parse_number, shorten_value
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError, find_nearest_names
from hardmode.studies.playtests.csv_file import TableRow, read_record_table

WON = "won"
SEAT = "seat"
SCORE = "score"
DATE = "date"
GROUP = "group"
ROUNDS_NAME = "rounds"
ENDING_NAME = "ending"
IGNORED = ("note", "notes", "comment", "place", "seed", "hints", "scenario", "game")
YES = {"yes", "true", "1", "won", "win", "y", "x"}
NO = {"no", "false", "0", "lost", "loss", "n", "-"}
NO_LABEL = "-1"  # in rows of games, where a measure with named values has none
MAX_LISTED_NAMES = 12  # in a message
MINUS_SIGNS = ("-", "\N{MINUS SIGN}")


@dataclass(frozen=True)
class PlayRecord:
    """One game played by people."""

    place: Location
    won: bool | None = None  # by the first seat where seats compete
    ending: int | None = None  # number of the ending
    numbers: Mapping[int, float] = field(default_factory=dict)  # by column of the row
    factors: Mapping[int, int] = field(default_factory=dict)  # by column of the row
    settings: tuple[tuple[str, Any], ...] = ()  # values of the box by path
    group: str = ""
    day: date | None = None


class ColumnKind(NamedTuple):
    """Meaning of a column."""

    name: str  # key of CELL_PARSERS
    target: Any = None  # column of the row or parameter of the box


class RecordColumns:
    """Columns that a table of plays may have for a variant."""

    def __init__(self, cell: Variant) -> None:
        self.cell = cell
        self.game = cell.game
        self.parameters = cell.parameters

    @cached_property
    def column_kinds(self) -> dict[str, ColumnKind]:
        """Meaning of each column by its normalized name."""
        game = self.game
        kinds = {name: ColumnKind("ignored") for name in IGNORED}
        for path, parameter in self.parameters.items():
            kinds[_normalize(path)] = ColumnKind("setting", parameter)
        kinds |= self.row_column_kinds
        for path, parameter in self.parameters.items():
            if path.startswith(SETUP):
                kinds[_normalize(path.removeprefix(SETUP))] = ColumnKind("setting", parameter)
        kinds |= {name: ColumnKind(name) for name in (WON, DATE, GROUP, SEAT, ENDING_NAME)}
        kinds[ROUNDS_NAME] = kinds[_normalize(game.unit)] = ColumnKind("number", ROUNDS)
        kinds.setdefault(SCORE, ColumnKind("number", SCORES))
        return kinds

    @cached_property
    def row_column_kinds(self) -> dict[str, ColumnKind]:
        """Meaning of each column of the rows of games, by its normalized name."""
        kinds = {}
        factors = [m.name for m in self.game.measures if m.factor]
        for i, name in enumerate(self.game.columns):
            measure_name = name.rpartition(" ")[0] if self.find_seat(i) else name
            kind = "factor" if measure_name in factors else "number"
            kinds[_normalize(name)] = ColumnKind(kind, i)
        kinds[ENDING_NAME] = ColumnKind(ENDING_NAME)
        kinds["winners"] = ColumnKind("ignored")
        return kinds

    @property
    def header(self) -> list[str]:
        """Columns of a new table of plays."""
        seats = [seat + 1 for seat in range(self.cell.players)]
        names = [DATE, GROUP, WON, ENDING_NAME, ROUNDS_NAME, SCORE]
        if self.game.competitive:
            names[2:2] = [SEAT]
            names[-1:] = [f"score {seat}" for seat in seats]
        names += [path.removeprefix(SETUP) for path in self.parameters if path.startswith(SETUP)]
        for measure in self.game.measures:
            if measure.per_seat and measure.factor:
                names += [f"{measure.name} {seat}" for seat in seats]
        for measure in self.game.measures:
            if not measure.per_seat and not measure.factor:
                names.append(measure.name)
        return list(dict.fromkeys(names))

    def find_seat(self, column: int) -> int | None:
        """Return the seat, from 1, that a column of the row belongs to, or None."""
        name, _, seat = self.game.columns[column].rpartition(" ")
        is_per_seat = any(m.per_seat and m.name == name for m in self.game.measures)
        return int(seat) if name == SCORE or is_per_seat else None

    def format_game(self, row: Any, seat: int) -> dict[str, str]:
        """Return the cells of a finished game by column.

        Args:
            row: The row of the game.
            seat: Seat of the person, from 0.
        """
        game = self.game
        values = dict(zip(game.columns, map(int, row), strict=True))
        winners = values["winners"]
        won = winners >> seat & 1 if game.competitive else winners
        cells = {
            WON: "yes" if won else "no",
            ENDING_NAME: game.all_endings[values["ending"]],
            ROUNDS_NAME: str(values["rounds"]),
        }
        if game.competitive:
            cells[SEAT] = str(seat + 1)
        else:
            cells[SCORE] = str(values["score 1"])
        for name in self.header:
            kind, target = self.column_kinds[_normalize(name)]
            if name in cells:
                continue
            if kind == "setting":
                cells[name] = _format_setting(self.cell.values[target.path])
            elif kind in ("number", "factor"):
                labels = self.get_labels(target)
                value = values[game.columns[target]]
                cells[name] = labels[value] if 0 <= value < len(labels) else str(value)
        return cells

    def get_labels(self, column: int) -> tuple[str, ...]:
        """Return the names of the values of a column; empty if it has plain numbers."""
        name = self.game.columns[column]
        for m in self.game.measures:
            if m.name == name or (m.per_seat and name.rpartition(" ")[0] == m.name):
                return m.labels
        return ()

    # -- reading ----------------------------------------------------------------------------------

    def resolve_columns(
        self, names: Sequence[str], place: Location
    ) -> tuple[dict[str, ColumnKind], list[str]]:
        """Return the meaning of each column, and notes on columns that are ignored.

        Args:
            names: Names of the columns.
            place: Place of the names, for messages.

        Raises:
            ScenarioError: A name is unknown, and similar to a known one.
        """
        kinds: dict[str, ColumnKind] = {}
        notes: list[str] = []
        for name in names:
            if _normalize(name) in self.column_kinds:
                kinds[name] = self.column_kinds[_normalize(name)]
                continue
            label = f"column {shorten_value(name)}"
            nearest = find_nearest_names(_normalize(name), self.column_kinds)
            first_seat = f"{_normalize(name)} 1"
            if first_seat in self.column_kinds:  # each seat has a value of this name
                nearest = [first_seat]
            if nearest:
                raise ScenarioError(place, label, "no such column", nearest)
            notes.append(f"{place}: {label} is ignored: {self.game.title} has nothing of this name")
        return kinds, notes

    def parse_row(self, row: TableRow, kinds: Mapping[str, ColumnKind]) -> PlayRecord:
        """Return the record of a row.

        Args:
            row: The row.
            kinds: Meaning of the columns; others are ignored.

        Raises:
            ScenarioError: A value is not possible.
        """
        values = _RowValues()
        for name, text in row.cells.items():
            kind = kinds.get(name)
            try:
                if kind:
                    CELL_PARSERS[kind.name](self, values, kind.target, text)
            except ValueError as error:
                nearest = getattr(error, "nearest", ())
                raise ScenarioError(row.place, name, str(error), nearest) from None
        if values.seat != 1 and any(_normalize(name) == SCORE for name in row.cells):
            message = f"is that of seat 1; say whose it is, as in score {values.seat}"
            raise ScenarioError(row.place, SCORE, message)
        players = int(values.settings.get(PLAYERS_PATH, self.cell.players))
        self._check_empty_seats(row.place, values, players)
        return PlayRecord(
            row.place,
            self._find_first_seat_result(row.place, values, players),
            values.ending,
            values.numbers,
            values.factors,
            tuple(values.settings.items()),
            values.group,
            values.day,
        )

    def _check_empty_seats(self, place: Location, values: _RowValues, players: int) -> None:
        """Refuse values of empty seats; a number may be 0 there, and a factor -1."""
        recorded = [(column, value, 1) for column, value in values.numbers.items()]
        recorded += [(column, value, 0) for column, value in values.factors.items()]
        for column, value, least in recorded:
            seat = self.find_seat(column)
            if seat and seat > players and value >= least:
                message = f"seat {seat} is empty in a game of {_count_players(players)}"
                raise ScenarioError(place, self.game.columns[column], message)

    def _find_first_seat_result(
        self, place: Location, values: _RowValues, players: int
    ) -> bool | None:
        """Return whether the first seat won, also if the record is of another seat."""
        if values.seat > players:
            message = f"'{values.seat}' is not a seat from 1 to {players}"
            raise ScenarioError(place, SEAT, message)
        if not self.game.competitive or values.won is None or values.seat == 1:
            return values.won
        if players != 2:
            message = (
                "with more than two players, `won` must be the result of seat 1: "
                "leave this empty, or record the ending"
            )
            raise ScenarioError(place, SEAT, message)
        return not values.won


def _count_players(players: int) -> str:
    return f"{players} player{'' if players == 1 else 's'}"


class UnknownLabelError(ValueError):
    """A label is not known; `nearest` lists similar ones."""

    def __init__(self, text: str, labels: Sequence[str]) -> None:
        self.nearest = find_nearest_names(text, labels)
        message = f"there is no {shorten_value(text)}"
        if not self.nearest:
            more = " ..." if len(labels) > MAX_LISTED_NAMES else ""
            message += f"; there are {', '.join(labels[:MAX_LISTED_NAMES])}{more}"
        super().__init__(message)


def _normalize(name: str) -> str:
    """Return a name in lower case with single spaces."""
    return re.sub(r"[\s_]+", " ", name.strip().casefold())


def _format_setting(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else format_yaml_value(value)


# -- cells ----------------------------------------------------------------------------------------


@dataclass
class _RowValues:
    """Values of a row as they are parsed."""

    won: bool | None = None
    seat: int = 1
    ending: int | None = None
    numbers: dict[int, float] = field(default_factory=dict)
    factors: dict[int, int] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    group: str = ""
    day: date | None = None
    given: dict[str, Any] = field(default_factory=dict)  # those of these fields that a column gives


def _find_label(text: str, labels: Sequence[str]) -> int:
    for i, label in enumerate(labels):
        if _normalize(label) == _normalize(text):
            return i
    raise UnknownLabelError(text, labels)


def _parse_signed_number(text: str) -> float:
    sign = 1
    digits = text.removeprefix("+")
    if text.startswith(MINUS_SIGNS):
        sign = -1
        digits = text[1:]
    value = parse_number(digits.strip())
    if value is None or not math.isfinite(value):
        raise ValueError(f"{shorten_value(text)} is not a number")
    return sign * value


def _require_integer(value: float, text: str) -> None:
    if value != int(value):
        raise ValueError(f"{shorten_value(text)} is not a whole number")


def _parse_yes_or_no(text: str) -> bool:
    if _normalize(text) not in YES | NO:
        raise ValueError(f"{shorten_value(text)} is neither yes nor no")
    return _normalize(text) in YES


def _parse_won(columns: RecordColumns, values: _RowValues, target: Any, text: str) -> None:
    number = parse_number(_normalize(text))
    won = bool(number) if number in (0.0, 1.0) else _parse_yes_or_no(text)
    _set_field(values, "won", won, text)


def _parse_ending(columns: RecordColumns, values: _RowValues, target: Any, text: str) -> None:
    """Set the ending by its name, or by its number as `run --rows` writes it."""
    names = columns.game.all_endings
    number = parse_number(text)
    is_number = number is not None and number in range(len(names))
    ending = int(number or 0) if is_number else _find_label(text, names)
    _set_field(values, "ending", ending, text)


def _parse_number(columns: RecordColumns, values: _RowValues, column: int, text: str) -> None:
    labels = columns.get_labels(column)
    game = columns.game
    if labels and text == NO_LABEL:
        return
    if labels and parse_number(text) is None:
        _set_once(values.numbers, column, float(_find_label(text, labels)), text)
        return
    value = _parse_signed_number(text)
    if column == ROUNDS and not (0 <= value <= game.max_decisions and value == int(value)):
        limit = f"from 0 to {game.max_decisions:,}"
        raise ValueError(f"{shorten_value(text)} is not a number of {game.unit} {limit}")
    _require_integer(value, text)
    if labels and not 0 <= value < len(labels):
        raise UnknownLabelError(text, labels)
    _set_once(values.numbers, column, value, text)


def _parse_factor(columns: RecordColumns, values: _RowValues, column: int, text: str) -> None:
    labels = columns.get_labels(column)
    if labels and text == NO_LABEL:
        return
    if labels and parse_number(text) is None:
        value = _find_label(text, labels)
    else:
        value = int(_parse_signed_number(text))
    if labels and not 0 <= value < len(labels):
        raise UnknownLabelError(text, labels)
    _set_once(values.factors, column, value, text)


def _parse_setting(
    columns: RecordColumns, values: _RowValues, parameter: Parameter, text: str
) -> None:
    _set_once(values.settings, parameter.path, parse_value(parameter, text), text)


def _set_once(values: dict[Any, Any], key: Any, value: Any, text: str) -> None:
    """Set a value that two columns may give, if they agree."""
    if values.setdefault(key, value) != value:
        raise ValueError(f"{shorten_value(text)} contradicts another column of the same meaning")


def _set_field(values: _RowValues, field: str, value: Any, text: str) -> None:
    """Set a field that two columns may give, if they agree."""
    _set_once(values.given, field, value, text)
    setattr(values, field, value)


def _parse_day(columns: RecordColumns, values: _RowValues, target: Any, text: str) -> None:
    try:
        day = date.fromisoformat(text.strip().split("T")[0].split(" ")[0])
    except ValueError:
        message = f"{shorten_value(text)} is not a date; write for example 2026-01-31"
        raise ValueError(message) from None
    _set_field(values, "day", day, text)


def _parse_group(columns: RecordColumns, values: _RowValues, target: Any, text: str) -> None:
    _set_field(values, "group", text.strip(), text)


def _parse_seat(columns: RecordColumns, values: _RowValues, target: Any, text: str) -> None:
    seat = _parse_signed_number(text)
    if seat not in range(1, columns.game.seats + 1):
        raise ValueError(f"{shorten_value(text)} is not a seat from 1 to {columns.game.seats}")
    if seat != 1 and not columns.game.competitive:
        raise ValueError("all seats win together in this game; leave this column out")
    _set_field(values, "seat", int(seat), text)


def _ignore_cell(columns: RecordColumns, values: _RowValues, target: Any, text: str) -> None:
    """Do nothing: the column is for people."""


CELL_PARSERS: dict[str, Callable[[RecordColumns, _RowValues, Any, str], None]] = {
    WON: _parse_won,
    ENDING_NAME: _parse_ending,
    "number": _parse_number,
    "factor": _parse_factor,
    "setting": _parse_setting,
    DATE: _parse_day,
    GROUP: _parse_group,
    SEAT: _parse_seat,
    "ignored": _ignore_cell,
}


def parse_value(parameter: Parameter, text: str) -> Any:
    """Return the value of a parameter that a cell records.

    Items of lists are separated by commas, semicolons or spaces.

    Raises:
        ValueError: The parameter cannot have this value.
    """
    if isinstance(parameter.value, list):
        parts = re.split(r"[,;\s]+", text.strip())
        return [_parse_item(parameter, part) for part in parts if part]
    return _parse_item(parameter, text.strip())


def _parse_item(parameter: Parameter, text: str) -> Any:
    if parameter.type is bool:
        return _parse_yes_or_no(text)
    if parameter.type is str:
        choices = parameter.choices
        return choices[_find_label(text, list(map(str, choices)))] if choices else text
    value = _parse_signed_number(text)
    low = -math.inf if parameter.min is None else parameter.min
    high = math.inf if parameter.max is None else parameter.max
    if not low <= value <= high or (parameter.choices and value not in parameter.choices):
        allowed = ", ".join(map(str, parameter.choices or ())) or f"{low:g} to {high:g}"
        raise ValueError(f"{shorten_value(text)} is not possible: {allowed}")
    if parameter.type is not int:
        return value
    _require_integer(value, text)
    return int(value)


# -- tables ---------------------------------------------------------------------------------------


def group_by_settings(
    plays: Sequence[PlayRecord],
) -> dict[tuple[tuple[str, Any], ...], list[PlayRecord]]:
    """Return the plays by their settings, with lists as tuples."""
    groups: dict[tuple[tuple[str, Any], ...], list[PlayRecord]] = {}
    for play in plays:
        key = tuple((path, tuple(v) if isinstance(v, list) else v) for path, v in play.settings)
        groups.setdefault(key, []).append(play)
    return groups


def list_groups(plays: Sequence[PlayRecord]) -> list[str]:
    """Return the names of the groups in the order of their first plays."""
    return list(dict.fromkeys(play.group for play in plays))


def load_play_records(path: Path, cell: Variant) -> tuple[list[PlayRecord], list[str]]:
    """Return the plays of a file, and notes on columns that are ignored.

    Args:
        path: The file.
        cell: The variant that was played, where the records do not say otherwise.

    Raises:
        ScenarioError: The file contains impossible values, or no play.
    """
    columns = RecordColumns(cell)
    table = read_record_table(path)
    if table.game not in ("", columns.game.name):
        message = f"holds games of {table.game}, not of {columns.game.name}"
        raise ScenarioError(table.header_place, "", message)
    kinds, notes = columns.resolve_columns(table.columns, table.header_place)
    if table.game:
        # a column that is named like a choice at set-up is still a measure
        kinds |= {
            name: columns.row_column_kinds[_normalize(name)]
            for name in table.columns
            if _normalize(name) in columns.row_column_kinds
        }
    plays = []
    for row in table.rows:
        play = columns.parse_row(row, kinds)
        if play.won is not None or play.ending is not None or play.numbers:
            plays.append(play)
    if not plays:
        message = "contains no played game: no row records a result, an ending or a measure"
        raise ScenarioError(table.header_place, "", message)
    return plays, notes


def order_by_date(plays: Sequence[PlayRecord]) -> Iterator[tuple[PlayRecord, float]]:
    """Yield the dated plays of each group by date.

    Each comes with its position between the first (0) and the last (1) play of its group.
    """
    for group in list_groups(plays):
        dated = [play for play in plays if play.group == group and play.day]
        dated.sort(key=lambda play: (play.day or date.min, play.place.line or 0))
        for i, play in enumerate(dated):
            yield play, i / max(1, len(dated) - 1)
