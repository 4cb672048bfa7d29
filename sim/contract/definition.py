"""The contract of a game: five rules, four record types, and their names.

A game is a state machine that stops at each decision. Engine, strategies for any game, replay and
tests know a game by its `Game` object only, which is `GAME` in the game's package.

    setup(box, table, hidden, luck)
        Deal the first position and go on to the first decision.
    options(box, table, hidden, options) -> n
        Write the n legal options of the present decision.
    take(box, table, hidden, luck, option)
        Apply one option and go on to the next decision or the ending.
    redeal(box, table, own, hidden, luck)
        Fill `hidden` anew with all that the seat cannot know.
    outcome(box, table, row)
        Write the row by name: row.ending, .rounds, .winners, .scores and a field for each measure.
    label(box, table, own, option) -> number
        Return what kind of option one is, for studies of choices.

The engine passes records that are all zero to `setup`. An option is one int64, which the game
packs and unpacks. Where only one option is legal it is taken without asking. A strategy,
`choose`, sees the box, the open table and the own part of its seat, and never `hidden`.

A game whose seats hide something from each other may have a sixth rule, for odds from a fixed
point of view:

    redeal_for(box, table, view, hidden, luck)
        Deal anew in `hidden` what seat `view` cannot know, whichever seat is to decide; for -1,
        what all seats cannot know together.

Without it, odds are what the seat that decides can know.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hardmode.sim.compile import safe_import, source_location
from hardmode.sim.contract.discovery import GameNotFoundError, find_rules_module
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.pieces import Over, Piece
from hardmode.sim.records import blank, readable, rule

# The fields with which every table begins.
TABLE_HEAD: list[tuple] = [
    ("ending", "i8"),  # the number of the ending; -1 while the game goes on
    ("round", "i8"),  # from 1
    ("seat", "i8"),  # the seat that decides now
    ("kind", "i8"),  # the kind of decision, as numbered by `list GAME --options`
    ("seats", "i8"),  # the number of seats that play
]

# Columns of a row. Then follow one score per seat, and the measures of the game in their order.
ENDING, ROUNDS, WINNERS, SCORES = 0, 1, 2, 3

WORDS = ("option", "state", "face", "tell", "picture")  # the functions of a game's words

CAP = "cap reached"  # ending of a game that reached the limit on decisions; always the last ending


@dataclass(frozen=True)
class Measure:
    """One integer that a game writes into its row.

    Attributes:
        name: The name that is printed.
        help: What it measures.
        labels: The names of its values, from 0.
        factor: Whether results are grouped by it (boss, hero, first mummy). A factor is known from
            the start or sets the game apart; that of an empty seat is -1.
        per_seat: Whether it has one column per seat.
        curve: Whether it is also recorded at the end of every round.
        names: The part of the box whose names are its labels, where a box may change them.
        field: Its name in the row. Measures of one name that follow each other share an array.
    """

    name: str
    help: str = ""
    labels: tuple[str, ...] = ()
    factor: bool = False
    per_seat: bool = False
    curve: bool = False
    names: str = ""
    field: str = ""

    def with_labels(self, names: Sequence[str], printed: Sequence[str]) -> tuple[str, ...]:
        """Return its labels after some names of the box changed.

        Args:
            names: The names in the box; those beyond `printed` are added.
            printed: The names in the printed box, which the labels stand for.
        """
        if not self.labels:
            return tuple(names)
        labels = list(self.labels)
        for name, old in zip(names, printed, strict=False):
            if name != old:
                old_label = old if old in self.labels else _as_label(old)
                labels[self.labels.index(old_label)] = _as_label(name)
        return (*labels, *map(_as_label, names[len(printed) :]))

    @property
    def row_field(self) -> str:
        """The name of its field in the row."""
        return self.field or re.sub(r"\W+", "_", self.name)


@dataclass(frozen=True)
class Source:
    """One source of chance, with the names of the three numbers of its addresses."""

    name: str
    address: tuple[str, str, str] = ("", "", "")


@rule
def unlabelled(box: Any, table: Any, own: Any, option: int) -> int:
    """Return 0, the label of all options in a game that does not distinguish them."""
    return 0


@dataclass(frozen=True)
class Content:
    """A part of the box whose entries have names, which rules read in the order of the box.

    Attributes:
        most: The largest possible number of entries.
        named_by: The choices at set-up that name one of the entries.
        called: Returns the name by which these choices call an entry.
    """

    most: int
    named_by: tuple[str, ...] = ()
    called: Callable[[str], str] = str


@dataclass(frozen=True)
class Game:
    """All that the rest of hardmode knows of a game."""

    name: str
    title: str
    version: int  # rises whenever the same seed can give another result
    seats: int  # the largest number of seats
    box: np.dtype
    table: np.dtype
    hidden: np.dtype  # has a field `own`: one record per seat
    own: np.dtype
    setup: Callable
    options: Callable
    take: Callable
    redeal: Callable
    outcome: Callable
    fill: Callable[[Any, Values], None]  # writes the box record from the numbers of a scenario
    max_options: int
    max_decisions: int
    max_rounds: int  # up to which curves are recorded
    endings: tuple[str, ...]  # without the cap, which the engine adds as the last
    kinds: tuple[str, ...]  # of decisions
    sources: tuple[Source, ...]
    measures: tuple[Measure, ...]
    words: str  # the module of the game's words, imported when they are needed
    competitive: bool = False
    scored: bool = False  # the score is a result of its own, not only a margin
    redeal_for: Callable | None = None
    unit: str = "rounds"
    standard: str = "standard"  # the shipped scenario that shows the game as most people play it
    limits: tuple[str, ...] = field(default=())  # what is not simulated, printed in every report
    # Parts of the box to which a user's box may add entries, by path; `*` stands for any entry.
    content: Mapping[str, Content] = field(default_factory=dict, hash=False)
    named: str = ""  # the part of the box whose names occur in those of endings and measures
    # Endings, winners ("seat 2 wins") and measures that no shipped variant brings about or
    # varies, and why.
    unreached: Mapping[str, str] = field(default_factory=dict, hash=False)
    label: Callable = unlabelled  # the kind of an option (fight, cooperate, ...), below `labels`
    labels: int = 0  # how many kinds of options there are; 0 if they are not distinguished
    # For studies of what a component of the box is worth: what takes out components that no
    # number counts, and of each component in a finished game, by name, whether it was used.
    pieces: Callable[[Values], Iterable[Piece]] | None = None
    fates: Callable[[Over], Iterator[tuple[str, bool]]] | None = None

    @property
    def all_endings(self) -> tuple[str, ...]:
        """The names of all endings, with the cap as the last."""
        return (*self.endings, CAP)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the row's entries, per-seat ones numbered from 1."""
        seats = range(1, self.seats + 1)
        names = ["ending", "rounds", "winners", *(f"score {seat}" for seat in seats)]
        for m in self.measures:
            names += [f"{m.name} {seat}" for seat in seats] if m.per_seat else [m.name]
        return tuple(names)

    @cached_property
    def row(self) -> np.dtype:
        """The record type of a row: int64 fields in the order of the columns."""
        fields: list[tuple] = [
            ("ending", "i8"),
            ("rounds", "i8"),
            ("winners", "i8"),
            ("scores", "i8", (self.seats,)),
        ]
        for name, group in groupby(self.measures, lambda m: m.row_field):
            measures = list(group)
            shape: tuple[int, ...] = (len(measures),) if measures[0].field else ()
            if measures[0].per_seat:
                shape += (self.seats,)
            fields.append((name, "i8", shape) if shape else (name, "i8"))
        return np.dtype(fields, align=True)

    def fill_box(self, numbers: Mapping[str, Any], reader: Values | None = None) -> FilledBox:
        """Return the box filled with numbers, as a record that remembers them.

        Args:
            numbers: The numbers of a scenario by path.
            reader: Reads them instead of a new `Values`, so that the caller knows which were read.

        Raises:
            BadValue: If the game cannot use a number.
        """
        box = blank(self.box).view(FilledBox)
        self.fill(readable(box), reader or Values(numbers))
        box.numbers = numbers
        return box

    def with_box_names(
        self, names: Callable[[str], Sequence[str]], printed: Callable[[str], Sequence[str]]
    ) -> Game:
        """Return the game with the names of another box in its endings and measures.

        Args:
            names: Returns the names in a part of that box.
            printed: Returns the names in the same part of the printed box.
        """
        renamed: dict[str, str] = {}
        if self.named:
            for new, old in zip(names(self.named), printed(self.named), strict=False):
                if new != old:
                    renamed[old] = _as_label(new)
        measures = []
        for m in self.measures:
            labels = m.with_labels(names(m.names), printed(m.names)) if m.names else m.labels
            name = _replace_words(m.name, renamed)
            explanation = _replace_words(m.help, renamed)
            measures.append(replace(m, name=name, help=explanation, labels=labels))
        endings = tuple(_replace_words(ending, renamed) for ending in self.endings)
        if tuple(measures) == self.measures and endings == self.endings:
            return self
        return replace(self, measures=tuple(measures), endings=endings)

    def load_words(self) -> ModuleType:
        """Return the module of the game's words.

        Raises:
            RulesError: If it cannot be imported or lacks a function.
        """
        try:
            words = safe_import.import_module_quietly(self.words)
        except Exception as error:
            file = source_location.find_definition(self.setup)[0]
            line = source_location.find_keyword_line(file, "Game", "words")
            place, message = _describe_import_error(error, file, line)
            raise RulesError(
                f"{place}: {self.name}: its words cannot be read: {message}"
            ) from error
        required = (*WORDS, "label") if self.labels else WORDS
        missing = [name for name in required if not callable(getattr(words, name, None))]
        if missing:
            file = Path(words.__file__ or self.words)
            message = f"{self.name}: its words lack {', '.join(missing)}"
            raise RulesError(f"{shorten_path(file)}: {message}")
        return words


def _as_label(name: str) -> str:
    return name.replace("_", " ")


def _replace_words(text: str, renamed: Mapping[str, str]) -> str:
    """Return the text with words replaced, all at once: two may have swapped their names."""
    return re.sub(r"\w+", lambda word: renamed.get(word[0], word[0]), text)


def _describe_import_error(error: BaseException, file: Path, line: int = 1) -> tuple[str, str]:
    """Return the place at which an import failed, as text, and why."""
    location = source_location.locate_import_error(error, file, line)
    return source_location.format_location(location), source_location.describe_exception(error)


class FilledBox(np.ndarray):
    """Record of a box that remembers the numbers with which it was filled."""

    numbers: Mapping[str, Any] | None = None


class Values:
    """Numbers of a scenario by path, as `fill` reads them; remembers which were read."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)
        self.read: set[str] = set()

    def __getitem__(self, path: str) -> Any:
        self.read.add(path)
        try:
            return self._values[path]
        except KeyError:
            raise BadValue(path, "is missing from the box") from None

    def __contains__(self, path: str) -> bool:
        return path in self._values

    def names(self, path: str) -> list[str]:
        """Return the names one step below a path, in the order of the box."""
        return list(_find_names_below(tuple(self._values)).get(path, ()))

    def choice(self, path: str, names: tuple[str, ...] | list[str]) -> int:
        """Return the index, in `names`, of the name at a path.

        Raises:
            BadValue: If it is none of these names.
        """
        value = self[path]
        if value not in names:
            raise BadValue(path, f"is {value!r}; it must be one of {', '.join(names)}")
        return list(names).index(value)

    @property
    def unread(self) -> list[str]:
        """The paths that were not read."""
        return [path for path in self._values if path not in self.read]


@lru_cache(8)
def _find_names_below(paths: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the names one step below each path; cached, since boxes of a game share paths."""
    below: dict[str, dict[str, None]] = {}
    for path in paths:
        names = path.split(".")
        for i in range(1, len(names)):
            below.setdefault(".".join(names[:i]), {})[names[i]] = None
    return {path: list(names) for path, names in below.items()}


class BadValue(ValueError):  # noqa: N818  (authors of games raise it by this name)
    """A number of a scenario that the game cannot use.

    Args:
        path: The path of the number.
        message: What is wrong with it, to follow the path in a sentence.
    """

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path} {message}")
        self.path = path
        self.message = message


class RulesError(Exception):
    """Raised when a game's rules, words or declarations are wrong."""


def load_game(name: str) -> Game:
    """Return the game of a name.

    Raises:
        GameNotFoundError: If there is no such game, or its package has no `GAME`.
        RulesError: If its package cannot be imported; names the line.
    """
    module = find_rules_module(name)
    try:
        game = getattr(safe_import.import_module_quietly(module), "GAME", None)
    except (Exception, SystemExit) as error:
        spec = importlib.util.find_spec(module)
        file = Path(spec.origin if spec and spec.origin else module)
        place, message = _describe_import_error(error, file)
        raise RulesError(f"{place}: {name}: {message}") from error
    if not isinstance(game, Game):
        package = sys.modules[module].__file__
        raise GameNotFoundError(f"{module} holds the box of a game, but no GAME ({package})")
    return game
