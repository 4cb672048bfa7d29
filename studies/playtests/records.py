"""Games that people played, as rows of a table: what its columns mean, and what is impossible in them.

A row says what somebody wrote down of one game: whether it was won, how it ended, rounds, scores, any measure of the
game by its name; and of what was played: players, other choices at set-up, changed numbers of the box by their paths.
What was not written down is left empty.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from hardmode.scenarios.load import Variant
from hardmode.scenarios.parameter import Leaf, yaml_text
from hardmode.scenarios.variant import PLAYERS
from hardmode.sim.contract import ENDING, ROUNDS, SCORES
from hardmode.sim.files.text import brief, number
from hardmode.sim.files.yaml_io.errors import Place, ScenarioError, nearest
from hardmode.studies.playtests.csv_file import Row, rows

SETUP = "setup."
WON, SEAT, DATE, GROUP, ROUNDS_NAME, ENDING_NAME = (
    "won",
    "seat",
    "date",
    "group",
    "rounds",
    "ending",
)
IGNORED = ("note", "notes", "comment", "place", "seed", "hints", "scenario")
YES, NO = (
    {"yes", "true", "1", "won", "win", "y", "x"},
    {"no", "false", "0", "lost", "loss", "n", "-"},
)


@dataclass(frozen=True)
class Play:
    """One played game."""

    place: Place
    won: bool | None = None
    ending: int | None = None  # its number
    numbers: Mapping[int, float] = field(default_factory=dict)  # by the column of the game's row
    factors: Mapping[int, int] = field(default_factory=dict)  # what set the game apart, likewise
    sets: tuple[tuple[str, Any], ...] = ()  # what was played: numbers of the box by path
    group: str = ""
    day: date | None = None


class Columns:
    """What the columns of a table of plays may be called, for one game."""

    def __init__(self, cell: Variant) -> None:
        self.cell, self.game, self.leaves = cell, cell.game, cell.leaves

    @cached_property
    def known(self) -> dict[str, tuple[str, Any]]:
        """Names as they are compared, and what each means: a kind, and what it is about."""
        game = self.game
        found: dict[str, tuple[str, Any]] = {name: ("ignored", None) for name in IGNORED}
        for path, leaf in self.leaves.items():
            found[_same(path)] = ("set", leaf)
        for i, name in enumerate(game.columns):
            found[_same(name)] = ("number", i)
        for m in game.measures:
            if not m.per_seat:
                found[_same(m.name)] = (
                    "factor" if m.factor else "number",
                    game.columns.index(m.name),
                )
            for s in range(game.seats if m.per_seat else 0):
                found[_same(f"{m.name} {s + 1}")] = (
                    "factor" if m.factor else "number",
                    game.columns.index(f"{m.name} {s + 1}"),
                )
        for path, leaf in self.leaves.items():
            if path.startswith(SETUP):
                found[_same(path.removeprefix(SETUP))] = ("set", leaf)
        found |= {
            WON: (WON, None),
            "winners": ("ignored", None),
            DATE: (DATE, None),
            GROUP: (GROUP, None),
            SEAT: (SEAT, None),
            ENDING_NAME: (ENDING_NAME, ENDING),
            ROUNDS_NAME: ("number", ROUNDS),
            _same(game.unit): ("number", ROUNDS),
        }
        if "score" not in found:
            found["score"] = ("number", SCORES)
        return found

    @property
    def header(self) -> list[str]:
        """The columns that a new table of plays has."""
        game, seats = self.game, range(self.cell.players)
        scores = [f"score {s + 1}" for s in seats] if game.competitive else ["score"]
        setup = [path.removeprefix(SETUP) for path in self.leaves if path.startswith(SETUP)]
        whole = [m.name for m in game.measures if not m.per_seat and not m.factor]
        heroes = [
            f"{m.name} {s + 1}" for m in game.measures if m.per_seat and m.factor for s in seats
        ]
        names = [
            DATE,
            GROUP,
            *([SEAT] if game.competitive else []),
            WON,
            ENDING_NAME,
            ROUNDS_NAME,
            *scores,
            *setup,
            *heroes,
            *whole,
        ]
        return list(dict.fromkeys(names))

    def seat_of(self, column: int) -> int | None:
        """The seat whose column of the row it is, from 1."""
        name, _, seat = self.game.columns[column].rpartition(" ")
        own = name == "score" or any(m.per_seat and m.name == name for m in self.game.measures)
        return int(seat) if own else None

    def of_game(self, row: Any, seat: int) -> dict[str, str]:
        """A finished game as cells, by column."""
        game = self.game
        values = dict(zip(game.columns, (int(v) for v in row), strict=True))
        winners = values["winners"]
        told = {
            WON: "yes" if (winners >> seat & 1 if game.competitive else winners) else "no",
            ENDING_NAME: game.all_endings[values["ending"]],
            ROUNDS_NAME: str(values["rounds"]),
            **({SEAT: str(seat + 1)} if game.competitive else {"score": str(values["score 1"])}),
        }
        for name in self.header:
            kind, at = self.known[_same(name)]
            if kind == "set" and name not in told:
                told[name] = _written(self.cell.values[at.path])
            elif name not in told and kind in ("number", "factor"):
                labels = self.labels(at)
                value = values[game.columns[at]]
                told[name] = labels[value] if 0 <= value < len(labels) else str(value)
        return told

    def labels(self, column: int) -> tuple[str, ...]:
        """The names of the values of a column, where they have some."""
        name = self.game.columns[column]
        return next(
            (
                m.labels
                for m in self.game.measures
                if m.name == name or (m.per_seat and name.rpartition(" ")[0] == m.name)
            ),
            (),
        )

    # -- reading ----------------------------------------------------------------------------------

    def meant(
        self, names: Sequence[str], place: Place
    ) -> tuple[dict[str, tuple[str, Any]], list[str]]:
        """What each column means; and what is said of those that mean nothing."""
        meant: dict[str, tuple[str, Any]] = {}
        unread: list[str] = []
        for name in names:
            if _same(name) in self.known:
                meant[name] = self.known[_same(name)]
                continue
            close = nearest(_same(name), self.known)
            if close:
                raise ScenarioError(place, f"column {brief(name)}", "no such column", close)
            unread.append(
                f"{place}: column {brief(name)} is not read: nothing of {self.game.title} is called so"
            )
        return meant, unread

    def play(self, row: Row, meant: Mapping[str, tuple[str, Any]]) -> Play:
        """What a row says; what is impossible is refused where it stands."""
        found: dict[str, Any] = {"numbers": {}, "factors": {}, "sets": {}}
        for name, text in row.cells.items():
            kind, at = meant.get(name, ("ignored", None))
            try:
                READ[kind](self, found, at, text)
            except ValueError as why:
                raise ScenarioError(
                    row.place, name, str(why), getattr(why, "nearest", ())
                ) from None
        players = int(found["sets"].get(PLAYERS, self.cell.players))
        self._refuse_empty_seats(row.place, found, players)
        won = self._won_by_first(row.place, found.pop(WON, None), found.pop(SEAT, 1), players)
        return Play(row.place, won, sets=tuple(found.pop("sets").items()), **found)

    def _refuse_empty_seats(self, place: Place, found: Mapping[str, Any], players: int) -> None:
        """Refuse what is said of a seat where nobody sat."""
        for column, value in (*found["numbers"].items(), *found["factors"].items()):
            seat, least = (
                self.seat_of(column),
                0 if column in found["factors"] else 1,
            )  # that is more than nothing
            if seat and seat > players and value >= least:
                raise ScenarioError(
                    place,
                    self.game.columns[column],
                    f"nobody sits at seat {seat}: {players} play{'s' if players == 1 else ''}",
                )

    def _won_by_first(self, place: Place, won: bool | None, seat: int, players: int) -> bool | None:
        """Whether the first seat won, where another may have written it down."""
        if seat > players:
            raise ScenarioError(place, SEAT, f"'{seat}' is not a seat from 1 to {players}")
        if not self.game.competitive or won is None or seat == 1:
            return won
        if players != 2:
            raise ScenarioError(
                place,
                SEAT,
                "where more than two compete, won is the first seat's: leave "
                "this empty, or give the ending",
            )
        return not won


class Unlike(ValueError):
    """A name that there is not, and those that look like it."""

    def __init__(self, text: str, known: Sequence[str]) -> None:
        self.nearest = nearest(text, known)
        more = (
            ""
            if self.nearest
            else f"; there are {', '.join(known[:12])}{' ...' if len(known) > 12 else ''}"
        )
        super().__init__(f"there is no {brief(text)}{more}")


def _same(name: str) -> str:
    return re.sub(r"[\s_]+", " ", name.strip().casefold())


def _written(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else yaml_text(value)


def _label(text: str, labels: Sequence[str]) -> int:
    found = [i for i, label in enumerate(labels) if _same(label) == _same(text)]
    if not found:
        raise Unlike(text, labels)
    return found[0]


def _signed(text: str) -> float:
    sign, figure = (
        (-1, text[1:]) if text[:1] in ("-", "\N{MINUS SIGN}") else (1, text.removeprefix("+"))
    )
    value = number(figure.strip())
    if value is None or not math.isfinite(value):
        raise ValueError(f"{brief(text)} is not a number")
    return sign * value


def _won(columns: Columns, found: dict[str, Any], at: Any, text: str) -> None:
    said = _same(text)
    if said not in YES | NO and number(said) not in (0.0, 1.0):
        raise ValueError(f"{brief(text)} is neither yes nor no")
    found["won"] = said in YES or number(said) == 1.0


def _ending(columns: Columns, found: dict[str, Any], at: Any, text: str) -> None:
    found["ending"] = _label(text, columns.game.all_endings)


def _number(columns: Columns, found: dict[str, Any], at: int, text: str) -> None:
    labels, game = columns.labels(at), columns.game
    if labels and number(text) is None:
        _put(found["numbers"], at, float(_label(text, labels)), text)
        return
    value = _signed(text)
    if at == ROUNDS and not (0 <= value <= game.max_decisions and value == int(value)):
        raise ValueError(
            f"{brief(text)} is not a number of {game.unit} from 0 to {game.max_decisions:,}"
        )
    if value != int(value):
        raise ValueError(f"{brief(text)} is not a whole number")
    if labels and not 0 <= value < len(labels):
        raise Unlike(text, labels)
    _put(found["numbers"], at, value, text)


def _factor(columns: Columns, found: dict[str, Any], at: int, text: str) -> None:
    labels = columns.labels(at)
    value = _label(text, labels) if labels and number(text) is None else int(_signed(text))
    if labels and not -1 <= value < len(labels):
        raise Unlike(text, labels)
    _put(found["factors"], at, value, text)


def _set(columns: Columns, found: dict[str, Any], leaf: Leaf, text: str) -> None:
    _put(found["sets"], leaf.path, value_of(leaf, text), text)


def _put(of: dict[Any, Any], at: Any, value: Any, text: str) -> None:
    """Two columns may mean the same, and must then say the same."""
    if of.setdefault(at, value) != value:
        raise ValueError(f"{brief(text)} is not what another column says that means the same")


def _day(columns: Columns, found: dict[str, Any], at: Any, text: str) -> None:
    try:
        found["day"] = date.fromisoformat(text.strip().split("T")[0].split(" ")[0])
    except ValueError:
        raise ValueError(f"{brief(text)} is not a date; write for example 2026-01-31") from None


def _group(columns: Columns, found: dict[str, Any], at: Any, text: str) -> None:
    found["group"] = text.strip()


def _seat(columns: Columns, found: dict[str, Any], at: Any, text: str) -> None:
    value = _signed(text)
    if value not in range(1, columns.game.seats + 1):
        raise ValueError(f"{brief(text)} is not a seat from 1 to {columns.game.seats}")
    found[SEAT] = int(value)


def _ignored(columns: Columns, found: dict[str, Any], at: Any, text: str) -> None:
    """Columns for people."""


READ: dict[str, Callable[[Columns, dict[str, Any], Any, str], None]] = {
    WON: _won,
    ENDING_NAME: _ending,
    "number": _number,
    "factor": _factor,
    "set": _set,
    DATE: _day,
    GROUP: _group,
    SEAT: _seat,
    "ignored": _ignored,
}


def value_of(leaf: Leaf, text: str) -> Any:
    """What a cell says for a number of the box; lists are parted by commas or blanks."""
    if isinstance(leaf.value, list):
        return [_one(leaf, part) for part in re.split(r"[,;\s]+", text.strip()) if part]
    return _one(leaf, text.strip())


def _one(leaf: Leaf, text: str) -> Any:
    if leaf.type is bool:
        if _same(text) not in YES | NO:
            raise ValueError(f"{brief(text)} is neither yes nor no")
        return _same(text) in YES
    if leaf.choices and leaf.type is str:
        return leaf.choices[_label(text, list(map(str, leaf.choices)))]
    if leaf.type is str:
        return text
    value = _signed(text)
    low, high = (
        (-math.inf if leaf.min is None else leaf.min),
        (math.inf if leaf.max is None else leaf.max),
    )
    if not low <= value <= high or (leaf.choices and value not in leaf.choices):
        allowed = ", ".join(map(str, leaf.choices)) if leaf.choices else f"{low:g} to {high:g}"
        raise ValueError(f"{brief(text)} is not possible: {allowed}")
    if leaf.type is int and value != int(value):
        raise ValueError(f"{brief(text)} is not a whole number")
    return int(value) if leaf.type is int else value


def variants_of(plays: Sequence[Play]) -> dict[tuple[tuple[str, Any], ...], list[Play]]:
    """The plays by what was played."""
    found: dict[tuple[tuple[str, Any], ...], list[Play]] = {}
    for play in plays:
        key = tuple((path, tuple(v) if isinstance(v, list) else v) for path, v in play.sets)
        found.setdefault(key, []).append(play)
    return found


def groups_of(plays: Sequence[Play]) -> list[str]:
    return list(dict.fromkeys(play.group for play in plays))


def read(path: Path, cell: Variant) -> tuple[list[Play], list[str]]:
    """The plays of a file, and what is said of it."""
    columns, found = Columns(cell), rows(path)
    meant, unread = columns.meant(found.names, found.head)
    plays = [columns.play(row, meant) for row in found.rows if row.cells]
    plays = [p for p in plays if p.won is not None or p.ending is not None or p.numbers]
    if not plays:
        raise ScenarioError(
            found.head,
            "",
            "holds no played game: no row says whether it was won, how it ended or "
            "what was counted",
        )
    return plays, unread


def ordered(plays: Sequence[Play]) -> Iterator[tuple[Play, float]]:
    """Plays that have a date, and where each stands between the first and the last of its group."""
    for group in groups_of(plays):
        own = sorted(
            (p for p in plays if p.group == group and p.day),
            key=lambda p: (p.day or date.min, p.place.line or 0),
        )
        for i, play in enumerate(own):
            yield play, i / max(1, len(own) - 1)
