"""One variant of a game: a filled box, its seats and their strategies; and how it is made."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import sim.contract
from scenarios.box import BOX, Leaf, folder, implausible, said
from scenarios.box import leaves as leaves_of
from scenarios.change import Change, apply
from scenarios.errors import Place, ScenarioError, shown
from sim.contract import BadValue, Game, Values
from sim.records import blank, readable

PLAYERS = "setup.players"


@dataclass(frozen=True)
class StrategySpec:
    """Who plays a seat: a strategy by name, its changed weights, or a search on top of it."""

    name: str
    weights: dict[str, float] = field(default_factory=dict)
    playouts: int | None = None
    search: bool = False
    file: Path | None = None  # a user's own file, `path/to/mine.py:name`

    def __str__(self) -> str:
        name = f"{self.file.name}:{self.name}" if self.file else self.name
        name = f"search on {name}" + (f", {self.playouts} playouts" if self.playouts else "") if self.search else name
        weights = ", ".join(f"{k} {v:g}" for k, v in self.weights.items())
        return f"{name} ({weights})" if weights else name


DEFAULT = StrategySpec("steady")


class Assumed(NamedTuple):
    """How much rests on assumption: assumed leaves still at their default, all assumed ones, all leaves."""

    standing: int
    assumed: int
    leaves: int


@dataclass(frozen=True)
class Variant:
    game: Game
    title: str
    label: dict[str, Any]  # what distinguishes this cell of a sweep: path -> value
    values: dict[str, Any]  # every number, by path
    box: np.ndarray  # one filled record
    players: int
    strategies: tuple[StrategySpec, ...]  # one per seat
    expect: Any
    changed: dict[str, tuple[Any, Any]]  # path -> (default, value)
    leaves: dict[str, Leaf]
    warnings: tuple[str, ...]

    @property
    def label_text(self) -> str:
        """The label in a few words: "boss snake, 2 players"."""
        return ", ".join(_short(path, value) for path, value in self.label.items())

    @property
    def assumed(self) -> Assumed:
        assumed = [path for path, leaf in self.leaves.items() if leaf.assumed]
        return Assumed(sum(path not in self.changed for path in assumed), len(assumed), len(self.leaves))

    @cached_property
    def digests(self) -> dict[str, str]:
        """`box`: every number; `scenario`: those, and who plays."""
        box = digest([self.game.name, sorted(self.values.items())])
        who = [[str(spec), spec.search, spec.playouts, sorted(spec.weights.items())] for spec in self.strategies]
        return {"box": box, "scenario": digest([box, self.players, who])}


def digest(what: Any) -> str:
    return hashlib.sha256(json.dumps(what, separators=(",", ":")).encode()).hexdigest()[:16]


def _short(path: str, value: Any) -> str:
    if path == PLAYERS:
        return f"{value} player{'s' if value != 1 else ''}"
    if path == "strategies":
        return " and ".join(dict.fromkeys(map(str, value)))
    name = re.sub(r".*\.", "", path).replace("_", " ")
    if isinstance(value, bool):
        return f"{name} {'on' if value else 'off'}"
    return f"{name} {said(value)}"


def game_of(name: str, place: Place = Place()) -> Game:  # noqa: B008 (immutable)
    folder(name, place)
    return sim.contract.game(name)


def build(name: str, changes: Sequence[Change] = (), strategies: Sequence[StrategySpec] = (DEFAULT,), *,
          title: str = "", label: dict[str, Any] | None = None, expect: Any = None,
          place: Place = Place()) -> Variant:  # noqa: B008 (immutable)
    """The variant that the changes, applied in their order, make of a game's box."""
    game, leaves = game_of(name, place), leaves_of(name)
    values = {path: leaf.value for path, leaf in leaves.items()}
    last: dict[str, Change] = {}
    for change in changes:
        last[apply(values, change, leaves).path] = change
    changed = {p: (leaves[p].value, values[p]) for p in last if values[p] != leaves[p].value}
    box = filled(game, values, leaves, last, place)
    players = values.get(PLAYERS, game.seats)
    return Variant(game, title or game.title, label or {}, values, box, players,
                   seated(strategies, players, place), expect, changed, leaves,
                   tuple(_warnings(leaves, values, last)))


def _warnings(leaves: dict[str, Leaf], values: dict[str, Any], last: dict[str, Change]) -> Iterable[str]:
    for path, change in last.items():
        items = values[path] if isinstance(values[path], list) else [values[path]]
        problem = next(filter(None, (implausible(leaves[path], item) for item in items)), "")
        if problem:
            yield f"{change.place}: {path} {problem}" if str(change.place) else f"{path} {problem}"


def seated(strategies: Sequence[StrategySpec], players: int, place: Place) -> tuple[StrategySpec, ...]:
    if len(strategies) == 1:
        return tuple(strategies) * players
    if len(strategies) != players:
        raise ScenarioError(place, "strategies", f"there are {len(strategies)} strategies for {players} seats; "
                            "give one for all, or one per seat")
    return tuple(strategies)


def filled(game: Game, values: dict[str, Any], leaves: dict[str, Leaf], last: dict[str, Change],
           place: Place) -> np.ndarray:
    """The box record; a value the game refuses is laid at the door of the change that brought it."""
    cells, reader = blank(game.box), Values(values)
    try:
        game.fill(readable(cells), reader)
    except BadValue as why:
        raise _blamed(game, why, leaves, last, place) from why
    except (ArithmeticError, LookupError, TypeError, ValueError) as why:
        if not last:  # the box as it is printed: the game itself is at fault
            raise
        raise ScenarioError(place, ", ".join(last), f"the game cannot use this: {why}") from why
    if reader.unread:
        path = reader.unread[0]
        more = f" (nor {len(reader.unread) - 1} more)" if reader.unread[1:] else ""
        raise ScenarioError(box_place(game.name, leaves.get(path)), path, f"the game does not read this number{more}")
    return cells


def _blamed(game: Game, why: BadValue, leaves: dict[str, Leaf], last: dict[str, Change], place: Place) -> ScenarioError:
    path = re.sub(r"\[\d+\]$", "", why.path)
    if path in last:
        return last[path].wrong(why.message)
    if not last:
        place = box_place(game.name, leaves.get(path))
    return ScenarioError(place, why.path, why.message)


def box_place(game: str, leaf: Leaf | None) -> Place:
    return Place(shown(folder(game) / BOX), leaf.line if leaf else None)
