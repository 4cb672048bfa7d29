"""One variant of a game: a filled box, its seats and their strategies; and how it is made."""

from __future__ import annotations

import hashlib
import json
import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from hardmode.scenarios import dependencies
from hardmode.scenarios.box import box_file, folder
from hardmode.scenarios.box import leaves as leaves_of
from hardmode.scenarios.box_overlay import OwnBox
from hardmode.scenarios.dependencies import lacking
from hardmode.scenarios.overrides import Change, apply, at, spread
from hardmode.scenarios.parameter import Leaf, implausible, yaml_text
from hardmode.scenarios.schema import Expect
from hardmode.scenarios.strategy import StrategySpec
from hardmode.sim import contract
from hardmode.sim.contract import BadValue, Filled, Game, Values
from hardmode.sim.files.yaml_io.errors import NOWHERE, Place, ScenarioError
from hardmode.sim.records import blank, readable
from hardmode.strategies.mistakes import CARELESS, Slips

UNUSABLE = (
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
)  # what a list of a wrong length comes to
PLAYERS, STRATEGIES, SLIPS = "setup.players", "strategies", "slips"
DEFAULT = StrategySpec("steady")
_latest: list[Any] = []  # the box that was filled last, while it is held


class Assumed(NamedTuple):
    """How much rests on assumption: assumed leaves still at their default, all assumed ones, all leaves."""

    standing: int
    assumed: int
    leaves: int


@contextmanager
def holding_latest() -> Iterator[None]:
    """While this lasts, the box that was filled last is held: for who makes variants one by one, and plays each."""
    _latest.append(None)
    try:
        yield
    finally:
        _latest.pop()


def _held(values: Mapping[str, Any]) -> Filled | None:
    """The box that was filled last, if it was with these."""
    return next((box for box in _latest if box is not None and box.numbers is values), None)


@dataclass(frozen=True, eq=False)
class Variant:
    game: Game
    title: str
    label: dict[
        str, Any
    ]  # what distinguishes this cell of a sweep: path -> value, strategies as text
    values: dict[str, Any]  # every number, by path
    players: int
    strategies: tuple[StrategySpec, ...]  # one per seat
    expect: Expect | None
    changed: dict[
        str, tuple[Any, Any]
    ]  # path -> (default, value); the defaults are those of its box
    leaves: dict[str, Leaf]  # of its box: the shipped one, or one's own laid over it
    warnings: tuple[str, ...]
    own: OwnBox | None = None
    changes: tuple[Change, ...] = ()  # what the scenario changes in that box, in order
    _box: list[weakref.ref[Filled]] = field(default_factory=list, init=False, repr=False)

    @property
    def box(self) -> Filled:
        """The numbers as one record, tens of megabytes in some games: filled when it is asked for, and given back
        when nobody holds it any more, so that a grid takes no more memory than the cell that is played."""
        filled = self._box[0]() if self._box else _held(self.values)
        return self.hold(self.game.filled(self.values) if filled is None else filled)

    def hold(self, filled: Filled) -> Filled:
        """Know a box that these numbers fill, as long as it is there."""
        self._box[:] = [weakref.ref(filled)]
        _latest[:] = [filled] * len(_latest)
        return filled

    @property
    def label_text(self) -> str:
        """The label in a few words: `boss snake, 2 players`."""
        return label_text(self.label)

    @property
    def with_box(self) -> str:
        """What is told of a box of one's own beside who plays."""
        return f", {self.own.text}" if self.own else ""

    @property
    def idle(self) -> dict[str, str]:
        """What is changed without effect here, and what it would need in order to matter."""
        found = {path: lacking(self.leaves[path], self.values) for path in self.changed}
        return {path: dependencies.text(lacks) for path, lacks in found.items() if lacks}

    @property
    def assumed(self) -> Assumed:
        assumed = [path for path, leaf in self.leaves.items() if leaf.assumed]
        return Assumed(
            sum(path not in self.changed for path in assumed), len(assumed), len(self.leaves)
        )

    @property
    def numbers(self) -> dict[str, Any]:
        """Every number that differs from the shipped box, and what was added to it: with these the same games need no
        box of one's own."""
        printed, own = leaves_of(self.game.name), self.own.changes if self.own else {}
        return {
            **(self.own.added if self.own else {}),
            **{
                p: self.values[p]
                for p in dict.fromkeys([*own, *self.changed])
                if p not in printed or self.values[p] != printed[p].value
            },
        }

    @property
    def provenance(self) -> dict[str, Any] | None:
        """What a result says of a box of one's own: its file, and the digest of its numbers and their sources."""
        if not self.own:
            return None
        told = [
            (leaf.path, leaf.value, leaf.source, leaf.from_)
            for leaf in self.leaves.values()
            if leaf.file
        ]
        return {
            "file": self.own.file,
            "numbers": len(self.own.changes),
            "added": len(self.own.added),
            "digest": digest(told),
        }

    @cached_property
    def digests(self) -> dict[str, str]:
        """`box`: every number; `scenario`: those, and who plays."""
        box = digest([self.game.name, sorted(self.values.items())])
        return {"box": box, "scenario": digest([box, [spec.canonical for spec in self.strategies]])}


def digest(what: Any) -> str:
    return hashlib.sha256(json.dumps(what, separators=(",", ":")).encode()).hexdigest()[:16]


def label_text(label: Mapping[str, Any]) -> str:
    """What distinguishes a cell, in a few words: `boss snake, 2 players`."""
    last = [path.rpartition(".")[2] for path in label]
    return ", ".join(
        _short(path, value, 1 if last.count(name) == 1 else 2)
        for (path, value), name in zip(label.items(), last, strict=True)
    )


def _short(path: str, value: Any, words: int) -> str:
    if path == PLAYERS:
        return f"{value} player{'s' if value != 1 else ''}"
    if path == STRATEGIES:
        return str(value)
    if path == SLIPS:
        return f"{Slips(value) if isinstance(value, float) else value} slips"
    name = " ".join(path.split(".")[-words:]).replace("_", " ")
    if isinstance(value, bool):
        return f"{name} {'on' if value else 'off'}"
    said = yaml_text(value)
    return said if said.startswith(name) else f"{name} {said}"  # and not `boss boss10`


def value_text(value: Any) -> str:
    """A value of a label as one word; the cells of an order are compared by it."""
    if isinstance(value, tuple):
        return " and ".join(dict.fromkeys(map(str, value)))
    return yaml_text(value)


def game_of(name: str, place: Place = NOWHERE) -> Game:
    """The game of a box, its labels as the box names them."""
    folder(name, place)
    return _labelled(contract.game(name), box_file(name))


@cache
def _labelled(game: Game, box: Path) -> Game:
    return game.labelled(_names(leaves_of(game.name)), _names(leaves_of(game.name)))


@cache
def _renamed(name: str, own: OwnBox) -> Game:
    """The game with the names of the content that a box of one's own adds."""
    return contract.game(name).labelled(_names(own.leaves), _names(leaves_of(name)))


def _names(leaves: Mapping[str, Leaf]) -> Callable[[str], Sequence[str]]:
    return Values({path: leaf.value for path, leaf in leaves.items()}).names


def build(
    name: str,
    changes: Sequence[Change] = (),
    strategies: Sequence[StrategySpec] = (DEFAULT,),
    *,
    title: str = "",
    label: Sequence[str] = (),
    expect: Expect | None = None,
    place: Place = NOWHERE,
    seats_place: Place = NOWHERE,
    seats_path: str = STRATEGIES,
    own: OwnBox | None = None,
) -> Variant:
    """The variant that the changes, applied in their order, make of a game's box, or of one's own."""
    game = _renamed(name, own) if own and own.added else game_of(name, place)
    printed = leaves_of(name)
    leaves = own.leaves if own else printed
    values: dict[str, Any] = {path: leaf.value for path, leaf in leaves.items()}
    laid = own.changes if own else {}
    last: dict[str, Change] = dict(laid)
    changes = spread(changes, leaves)
    for change in changes:
        last[apply(values, change, leaves).path] = change
    changed = {p: (leaves[p].value, values[p]) for p in last if values[p] != leaves[p].value}
    below = {
        **leaves,
        **{path: printed[path] for path in laid if last[path] is laid[path] and path in printed},
    }
    filled = check(game, values, below, last, place)
    players = int(values.get(PLAYERS, game.seats))
    seats = seated(strategies, players, seats_place, seats_path)
    played = {
        STRATEGIES: value_text(
            tuple(replace(s, slips=None) for s in seats) if SLIPS in label else seats
        ),
        SLIPS: slips_label([s.slips or Slips() for s in seats]),
    }
    apart = {path: played[path] if path in played else at(values, path) for path in label}
    made = Variant(
        game,
        title or game.title,
        apart,
        values,
        players,
        seats,
        expect,
        changed,
        leaves,
        tuple(_warnings(leaves, values, last)),
        own,
        tuple(changes),
    )
    made.hold(filled)
    return made


def _warnings(
    leaves: dict[str, Leaf], values: dict[str, Any], last: dict[str, Change]
) -> Iterable[str]:
    for path, change in last.items():
        items = values[path] if isinstance(values[path], list) else [values[path]]
        problem = next(filter(None, (implausible(leaves[path], item) for item in items)), "")
        if problem:
            yield f"{change.place}: {path} {problem}" if str(change.place) else f"{path} {problem}"


def slips_label(slips: Sequence[Slips]) -> float | str:
    """What tells the slips of a cell from those of another: a share, or in words what differs between seats."""
    if len(set(slips)) == 1 and slips[0].by == CARELESS:
        return slips[0].share
    return value_text(tuple(slips))


def seated(
    strategies: Sequence[StrategySpec], players: int, place: Place, path: str
) -> tuple[StrategySpec, ...]:
    if len(strategies) == 1:
        return tuple(strategies) * players
    if len(strategies) != players:
        seats = f"{players} seat{'s' if players != 1 else ''}"
        raise ScenarioError(
            place,
            path,
            f"there are {len(strategies)} {path} for {seats}; give one for all, or one per seat",
        )
    return tuple(strategies)


def check(
    game: Game,
    values: dict[str, Any],
    leaves: dict[str, Leaf],
    last: dict[str, Change],
    place: Place,
) -> Filled:
    """The box, filled; what the game refuses is laid at the door of the change that brought it.

    `leaves` are what the last change of each path was made to."""
    reader = Values(values)
    try:
        filled = game.filled(values, reader)
    except UNUSABLE as why:
        if not (last or isinstance(why, BadValue) or any(leaf.file for leaf in leaves.values())):
            raise  # the box as it is printed: the game itself is at fault
        raise _refused(game, why, values, leaves, last, place) from why
    if reader.unread:
        path = reader.unread[0]
        more = f" (nor {len(reader.unread) - 1} more)" if reader.unread[1:] else ""
        raise ScenarioError(
            _printed(game, leaves.get(path)), path, f"the game does not read this number{more}"
        )
    return filled


def _refused(
    game: Game,
    why: Exception,
    values: dict[str, Any],
    leaves: dict[str, Leaf],
    last: dict[str, Change],
    place: Place,
) -> ScenarioError:
    """The game's own words, on the path that it names or on the change without which it is content."""
    culprit = next(
        (c for path, c in last.items() if _fits(game, {**values, path: leaves[path].value})), None
    )
    path = re.sub(r"\[\d+\]$", "", why.path) if isinstance(why, BadValue) else ""
    added = _nearest(path, [leaf for leaf in leaves.values() if leaf.file])
    if culprit:
        place = culprit.place
    elif added or not last:
        place = _printed(game, added or leaves.get(path))
    if not isinstance(why, BadValue):
        path = culprit.written or culprit.path if culprit else ", ".join(last) or "the box"
        return ScenarioError(place, path, f"the game cannot use this: {why}")
    return (
        last[path].wrong(why.message)
        if path in last
        else ScenarioError(place, why.path, why.message)
    )


def _nearest(path: str, leaves: Sequence[Leaf]) -> Leaf | None:
    """The one that has most names of the path in common with it."""
    names = path.split(".")
    return max(
        leaves,
        default=None,
        key=lambda leaf: sum(
            1
            for _ in takewhile(
                lambda pair: pair[0] == pair[1], zip(leaf.path.split("."), names, strict=False)
            )
        ),
    )


def _fits(game: Game, values: dict[str, Any]) -> bool:
    try:
        game.fill(readable(blank(game.box)), Values(values))
    except UNUSABLE:
        return False
    return True


def _printed(game: Game, leaf: Leaf | None) -> Place:
    return (
        Place(leaf.file or box_file(game.name), leaf.line) if leaf else Place(box_file(game.name))
    )
