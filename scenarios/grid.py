"""The cells of a scenario: its changes, the axes of its sweep, and what the command line adds.

Changes apply in this order, each to what stands there: the scenario's own, the sweep's, the command
line's. A `--set` of a plain value on a swept path settles it and takes the axis out of the grid; a
relative one shifts every cell.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardmode.scenarios.change import ANY_NAME, Change, split
from hardmode.scenarios.errors import Place, ScenarioError
from hardmode.scenarios.leaf import Leaf, yaml_text
from hardmode.scenarios.read import Document, Where, read_text
from hardmode.scenarios.schema import dotted
from hardmode.scenarios.strategy import StrategySpec, spec
from hardmode.scenarios.variant import PLAYERS, STRATEGIES

MOST_CELLS = 10_000
ANY = "any"  # drawn at random in each game: no value of its own in a sweep


@dataclass(frozen=True)
class Axis:
    """One swept path, with the changes (or the line-ups of strategies) that its cells make."""

    path: str
    steps: tuple[Any, ...]
    place: Place


def changes(document: Document) -> list[Change]:
    """What a scenario file itself changes: `players`, `setup` and `rules`."""
    keys = (("players", PLAYERS), ("setup", "setup"), ("rules", ""))
    return _agreed(change for key, path in keys for _, change in flat(document, (key,), path))


def flat(document: Document, where: Where, path: str) -> Iterator[tuple[Where, Change]]:
    """The changes below a key: `{hero: {life: 4}}` says the same as `{hero.life: 4}`."""
    value: Any = document.data
    for step in where:
        value = value.get(step, {})
    if not isinstance(value, dict) or (not value and len(where) > 1):
        yield where, Change(path, value, document.place(*where), dotted(where))
        return
    for key in value:
        yield from flat(document, (*where, key), f"{path}.{key}" if path else key)


def _agreed(found: Iterable[Change]) -> list[Change]:
    seen: dict[str, Change] = {}
    for change in found:
        first = seen.setdefault(change.path, change)
        if first.value != change.value:
            line = f" on line {first.place.line}" if first.place.line else ""
            raise change.wrong(f"is {yaml_text(change.value)}, but {first.written} is {yaml_text(first.value)}{line}")
    return list(seen.values())


def axes(document: Document, leaves: Mapping[str, Leaf], folder: Path) -> list[Axis]:
    """The axes of a scenario's sweep, in the order of the file; files of strategies are looked for in the folder."""
    sweep = dict(document.data.get("sweep", {}))
    found = []
    for key in sweep:
        where = ("sweep", key)
        if key == STRATEGIES:
            found.append(_line_ups(document, sweep[key], folder))
        else:
            path = PLAYERS if key == "players" else key
            found += [_axis(document, *swept, leaves) for swept in flat(document, where, path)]
    count = math.prod(len(axis.steps) for axis in found)
    if count > MOST_CELLS:
        too_many = f"has {count:,} cells; the most is {MOST_CELLS:,}"
        raise ScenarioError(document.place("sweep"), "sweep", too_many)
    return found


def _axis(document: Document, where: Where, swept: Change, leaves: Mapping[str, Leaf]) -> Axis:
    if ANY_NAME in swept.path:
        raise swept.wrong("is swept number by number; * is for `rules:` and --set")
    leaf, item = split(swept, leaves)
    values = swept.value
    if values == "all":
        if isinstance(leaf.value, list) and item is None:
            raise swept.wrong("is a list, so `all` says nothing; write out the lists to try")
        values = [choice for choice in leaf.choices if choice != ANY]
        if not values:
            raise swept.wrong("has no choices, so `all` says nothing; write out the values, as in [1, 2, 3]")
    if not isinstance(values, list) or not values:
        raise swept.wrong("must be `all` or a list of the values to try")
    steps = (Change(swept.path, value, document.place(*where, i), swept.written)
             for i, value in enumerate(values))
    return Axis(swept.path, tuple(steps), swept.place)


def _line_ups(document: Document, written: Any, folder: Path) -> Axis:
    where = ("sweep", STRATEGIES)
    if not isinstance(written, list) or not written:
        raise ScenarioError(document.place(*where), dotted(where), "must be a list of strategies to try")
    steps = (line_up(one if isinstance(one, list) else [one], document, (*where, i), folder)
             for i, one in enumerate(written))
    return Axis(STRATEGIES, tuple(steps), document.place(*where))


def line_up(written: Sequence[Any], document: Document, where: tuple[str | int, ...],
            folder: Path | None) -> tuple[StrategySpec, ...]:
    """The strategies of a list, or the first that is none."""
    if not written:
        raise ScenarioError(document.place(*where), dotted(where), "names no strategy")
    found = []
    for i, one in enumerate(written):
        try:
            found.append(spec(one, folder))
        except ValueError as why:
            raise ScenarioError(document.place(*where, i), dotted((*where, i)), str(why)) from None
    return tuple(found)


def flag(text: str, name: str = "--set") -> Change:
    """A change from the command line: `path=value`, the value as in a scenario."""
    path, sign, value = (part.strip() for part in text.partition("="))
    place = Place(name)
    if not sign or not path:
        raise ScenarioError(place, text, "is not path=value, such as boss.hp=+1")
    if path == STRATEGIES:
        raise ScenarioError(place, path, "who plays is said with --strategy")
    path = PLAYERS if path == "players" else path
    try:
        data = read_text(value, name).data
    except ScenarioError as why:
        raise ScenarioError(place, path, f"cannot read the value {value!r}: {why.message}") from None
    if data is None:
        raise ScenarioError(place, path, "has no value; write path=value")
    return Change(path, data, place)


@dataclass(frozen=True)
class Cell:
    changes: tuple[Change, ...]
    strategies: tuple[StrategySpec, ...]
    strategies_place: Place


def cells(base: Sequence[Change], grid: Sequence[Axis], flags: Sequence[Change],
          strategies: tuple[StrategySpec, ...], strategies_place: Place) -> list[Cell]:
    """The product of the axes, the last turning fastest."""
    swept = next((axis.place for axis in grid if axis.path == STRATEGIES), strategies_place)
    found = []
    for steps in itertools.product(*(axis.steps for axis in grid)):
        chosen = [step for step in steps if isinstance(step, Change)]
        who = next((step for step in steps if not isinstance(step, Change)), strategies)
        found.append(Cell((*base, *chosen, *flags), who, swept))
    return found
