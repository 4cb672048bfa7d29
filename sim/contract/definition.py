"""What a game is to everything else: five rules, four records, and their names.

A game is a state machine that stops at each decision. The engine, the strategies that play any
game, replay and the tests know a game by its `Game` alone, found as `GAME` in the game's package.

    setup(box, table, hidden, luck)            deals the first position, up to the first decision
    options(box, table, hidden, options) -> n  writes the n legal options of the present decision
    take(box, table, hidden, luck, option)     applies one, runs on to the next decision or the ending
    redeal(box, table, own, hidden, luck)      fills hidden afresh with all that the seat cannot know
    outcome(box, table, row)                   writes the row by name: row.ending, .rounds, .winners, .scores
                                               and a field for every measure
    label(box, table, own, option) -> number   what kind of option one is, for those who study choices

The engine hands `setup` records that are all zero. An option is one int64 that the game packs and
unpacks. Where only one option is legal it is taken without asking. `choose`, the strategy, sees
the box, the open table and its own seat's part of hidden, and never hidden itself.

A game whose seats hold something from each other may give a sixth rule, for odds from one fixed point of view:

    redeal_for(box, table, view, hidden, luck) deals afresh in `hidden` what seat `view` cannot know, whoever is
                                               to decide; -1: what all seats cannot know together

Without it, odds are those that the seat which decides can know.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import groupby, zip_longest
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hardmode.sim.compile import safe_import, source_location
from hardmode.sim.contract import discovery
from hardmode.sim.files.paths import short_path
from hardmode.sim.pieces import Over, Piece
from hardmode.sim.records import blank, readable, rule

TABLE_HEAD: list[tuple] = [
    # the fields that every table begins with
    # ending: how the game ended, -1 while it goes on; round: the number of the round, from 1; seat: who decides now
    # kind: what is decided, as `list GAME --options` numbers it; seats: how many play
    ("ending", "i8"),
    ("round", "i8"),
    ("seat", "i8"),
    ("kind", "i8"),
    ("seats", "i8"),
]

# Where things stand in a row: then one score per seat, then the game's measures in their order.
ENDING, ROUNDS, WINNERS, SCORES = 0, 1, 2, 3

WORDS = ("option", "state", "face", "tell", "picture")  # the functions of a game's words

CAP = "cap reached"  # the ending of a game that was stopped by the limit on decisions; always the last


@dataclass(frozen=True)
class Measure:
    """One integer that a game writes into its row.

    A `factor` is known from the start or sets the game apart (boss, hero, first mummy): results are
    grouped by it and `labels` name its values. A `per_seat` measure takes one column per seat; a factor of
    an empty seat is -1.
    A `curve` is also recorded at the end of every round.
    """

    name: str
    help: str = ""
    labels: tuple[str, ...] = ()
    factor: bool = False
    per_seat: bool = False
    curve: bool = False
    names: str = (
        ""  # the part of the box whose names are the labels, where a box may name them otherwise
    )
    field: str = (
        ""  # its name in the row; measures of one name that follow each other share an array
    )

    def labelled(self, names: Sequence[str], printed: Sequence[str]) -> tuple[str, ...]:
        """Its labels where a part of the box holds these names: each in the place of the printed one, others behind."""
        made = list(self.labels)
        for name, old in zip_longest(names, printed[: len(names)] if made else ()):
            if old is None:
                made.append(name.replace("_", " ") if self.labels else name)
            elif name != old:
                at = self.labels.index(old if old in self.labels else old.replace("_", " "))
                made[at] = name.replace("_", " ")
        return tuple(made)

    @property
    def in_row(self) -> str:
        return self.field or re.sub(r"\W+", "_", self.name)


@dataclass(frozen=True)
class Source:
    """One source of chance, with the words for its address and for its results."""

    name: str
    address: tuple[str, str, str] = ("", "", "")


@rule
def unlabelled(box: Any, table: Any, own: Any, option: int) -> int:
    """For a game that does not tell one kind of option from another."""
    return 0


@dataclass(frozen=True)
class Content:
    """A part of the box whose entries have names of their own, which the rules read in the order of the box: how many
    there may be, the choices that name one of them, and what they call it."""

    most: int
    named_by: tuple[str, ...] = ()
    called: Callable[[str], str] = str


@dataclass(frozen=True)
class Game:
    name: str
    title: str
    version: int  # rises whenever the same seed can give another result
    seats: int  # the most seats there can be
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
    max_rounds: int  # curves are kept up to this round
    endings: tuple[str, ...]  # without the cap, which the engine adds as the last
    kinds: tuple[str, ...]
    sources: tuple[Source, ...]
    measures: tuple[Measure, ...]
    words: str  # module of the game's words, imported when something is told
    competitive: bool = False
    scored: bool = False  # the score is itself a result, not only a margin
    redeal_for: Callable | None = None  # where seats hold something from each other
    unit: str = "rounds"
    standard: str = "standard"  # the shipped scenario that shows the game as most people play it
    limits: tuple[str, ...] = field(default=())  # what is not simulated, said in every report
    # Parts of the box to which a box of one's own may add entries, by path; `*` stands for any entry above.
    content: Mapping[str, Content] = field(default_factory=dict, hash=False)
    named: str = ""  # the part of the box whose names stand in those of endings and measures, too
    # Endings, winners ("seat 2 wins") and measures that no shipped variant brings about or varies -> why.
    unreached: Mapping[str, str] = field(default_factory=dict, hash=False)
    label: Callable = (
        unlabelled  # the kind of option that one is (fight, cooperate, this skill): 0 to labels - 1
    )
    labels: int = (
        0  # the names of which `label(box, number)` of the words gives; 0 where none are told apart
    )
    # For those who ask what a piece of the box is worth: what takes out those that no number counts, and what became of
    # each in a game that is over, by its name: that it came into play, and whether it was used.
    pieces: Callable[[Values], Iterable[Piece]] | None = None
    fates: Callable[[Over], Iterator[tuple[str, bool]]] | None = None

    @property
    def all_endings(self) -> tuple[str, ...]:
        return (*self.endings, CAP)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the row's entries, per-seat ones numbered from 1."""
        names = ["ending", "rounds", "winners", *(f"score {s + 1}" for s in range(self.seats))]
        for m in self.measures:
            names += [f"{m.name} {s + 1}" for s in range(self.seats)] if m.per_seat else [m.name]
        return tuple(names)

    @cached_property
    def row(self) -> np.dtype:
        """The record of a row, all of whose fields are whole numbers, in the order of the columns."""
        fields: list[tuple] = [
            ("ending", "i8"),
            ("rounds", "i8"),
            ("winners", "i8"),
            ("scores", "i8", (self.seats,)),
        ]
        for name, together in groupby(self.measures, lambda m: m.in_row):
            of = list(together)
            shape = ((len(of),) if of[0].field else ()) + ((self.seats,) if of[0].per_seat else ())
            fields.append((name, "i8", shape) if shape else (name, "i8"))
        return np.dtype(fields, align=True)

    def filled(self, numbers: Mapping[str, Any], reader: Values | None = None) -> Filled:
        """The box with these numbers, as one record that remembers them; a reader of one's own knows which were read."""
        box = blank(self.box).view(Filled)
        self.fill(readable(box), reader or Values(numbers))
        box.numbers = numbers
        return box

    def labelled(
        self, names: Callable[[str], Sequence[str]], printed: Callable[[str], Sequence[str]]
    ) -> Game:
        """The game with the names that a box gives: each tells the names of a part of it, or of the printed box."""
        others = (
            {
                old: new.replace("_", " ")
                for new, old in zip(names(self.named), printed(self.named), strict=False)
                if new != old
            }
            if self.named
            else {}
        )
        measures = tuple(
            replace(
                m,
                name=_renamed(m.name, others),
                help=_renamed(m.help, others),
                labels=m.labelled(names(m.names), printed(m.names)) if m.names else m.labels,
            )
            for m in self.measures
        )
        endings = tuple(_renamed(ending, others) for ending in self.endings)
        same = measures == self.measures and endings == self.endings
        return self if same else replace(self, measures=measures, endings=endings)

    def tell(self) -> ModuleType:
        """The game's words."""
        try:
            words = safe_import.imported(self.words)
        except Exception as why:
            file = source_location.start(self.setup)[0]
            at = source_location.reading(why, file, source_location.keyword(file, "Game", "words"))
            raise RulesError(
                f"{source_location.text(at)}: {self.name}: its words cannot be read: {source_location.spoken(why)}"
            ) from why
        wanted = (*WORDS, "label") if self.labels else WORDS
        missing = [name for name in wanted if not callable(getattr(words, name, None))]
        if missing:
            raise RulesError(
                f"{short_path(Path(words.__file__ or self.words))}: {self.name}: its words lack "
                f"{', '.join(missing)}"
            )
        return words


def _renamed(text: str, others: Mapping[str, str]) -> str:
    """The same with other names, all at once: two may have changed places."""
    return re.sub(r"\w+", lambda word: others.get(word[0], word[0]), text)


class Filled(np.ndarray):
    """The record of a box, which remembers the numbers that it was filled with."""

    numbers: Mapping[str, Any] | None = None


class Values:
    """What `fill` reads: the numbers of a scenario by path, remembering which were read."""

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
        """The names one step below a path, in the order of the box."""
        return list(_below(tuple(self._values)).get(path, ()))

    def choice(self, path: str, names: tuple[str, ...] | list[str]) -> int:
        """The number of the named alternative that stands at a path."""
        value = self[path]
        if value not in names:
            raise BadValue(path, f"is {value!r}; it must be one of {', '.join(names)}")
        return list(names).index(value)

    @property
    def unread(self) -> list[str]:
        return [p for p in self._values if p not in self.read]


@lru_cache(8)
def _below(paths: tuple[str, ...]) -> dict[str, list[str]]:
    """The names one step below each path. Boxes of one game have the same paths, so this is read once."""
    found: dict[str, dict[str, None]] = {}
    for path in paths:
        names = path.split(".")
        for i in range(1, len(names)):
            found.setdefault(".".join(names[:i]), {})[names[i]] = None
    return {path: list(names) for path, names in found.items()}


class BadValue(ValueError):
    """A number of a scenario that the game cannot use, by its path."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path} {message}")
        self.path, self.message = path, message


class RulesError(Exception):
    """A game's rules, or what it declares, are at fault."""


def game(name: str) -> Game:
    module = discovery.rules_module(name)
    try:
        found = getattr(safe_import.imported(module), "GAME", None)
    except (Exception, SystemExit) as why:
        spec = importlib.util.find_spec(module)
        at = source_location.reading(why, Path(spec.origin if spec and spec.origin else module))
        raise RulesError(f"{source_location.text(at)}: {name}: {source_location.spoken(why)}") from why
    if not isinstance(found, Game):
        raise discovery.GameNotFound(
            f"{module} holds the box of a game, but no GAME ({sys.modules[module].__file__})"
        )
    return found
