"""The cells of a scenario: its changes, the axes of its sweep, and what the command line adds.

Changes apply in this order, each to what stands there: the scenario's own, the sweep's, the command
line's. A `--set` of a plain value on a swept path settles it and takes the axis out of the grid; a
relative one shifts every cell.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from hardmode.scenarios.overrides import ANY_NAME, Change, split
from hardmode.scenarios.parameter import Leaf, yaml_text
from hardmode.scenarios.strategy import StrategySpec, slips, spec
from hardmode.scenarios.variant import PLAYERS, SLIPS, STRATEGIES
from hardmode.sim.files.text import brief
from hardmode.sim.files.yaml_io.errors import Place, ScenarioError
from hardmode.sim.files.yaml_io.model import dotted
from hardmode.sim.files.yaml_io.read import Document, Where, read_text
from hardmode.strategies.mistakes import Slips

MOST_CELLS = 10_000
ANY = "any"  # drawn at random in each game: no value of its own in a sweep


@dataclass(frozen=True)
class Axis:
    """One swept path, with the changes (or the strategies, or the slips) that its cells make."""

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
            raise change.wrong(
                f"is {yaml_text(change.value)}, but {first.written} is {yaml_text(first.value)}{line}"
            )
    return list(seen.values())


def axes(document: Document, leaves: Mapping[str, Leaf], home: Callable[..., Path]) -> list[Axis]:
    """The axes of a scenario's sweep, in the order of the file; `home` is the folder of the file that says it."""
    sweep = dict(document.data.get("sweep", {}))
    found = []
    for key in sweep:
        where = ("sweep", key)
        if key in FORMS:
            found.append(_line_ups(key, document, sweep[key], home(*where)))
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
            raise swept.wrong(
                "has no choices, so `all` says nothing; write out the values, as in [1, 2, 3]"
            )
    if not isinstance(values, list) or not values:
        raise swept.wrong("must be `all` or a list of the values to try")
    steps = (
        Change(swept.path, value, document.place(*where, i), swept.written)
        for i, value in enumerate(values)
    )
    return Axis(swept.path, tuple(steps), swept.place)


def _line_ups(key: str, document: Document, written: Any, folder: Path) -> Axis:
    where = ("sweep", key)
    if not isinstance(written, list) or not written:
        raise ScenarioError(
            document.place(*where), dotted(where), f"must be a list of {key} to try"
        )
    steps = (
        line_up(key, one if isinstance(one, list) else [one], document, (*where, i), folder)
        for i, one in enumerate(written)
    )
    return Axis(key, tuple(steps), document.place(*where))


FORMS: dict[str, Callable[[Any, Path | None], Any]] = {
    STRATEGIES: spec,
    SLIPS: slips,
}  # one for all, or one per seat


def line_up(
    key: str,
    written: Sequence[Any],
    document: Document,
    where: tuple[str | int, ...],
    folder: Path | None,
) -> tuple[Any, ...]:
    """The strategies or the slips of a list, or the first that is none."""
    if not written:
        raise ScenarioError(
            document.place(*where),
            dotted(where),
            "names no strategy" if key == STRATEGIES else "names no share",
        )
    found = []
    for i, one in enumerate(written):
        try:
            found.append(FORMS[key](one, folder))
        except ValueError as why:
            raise ScenarioError(document.place(*where, i), dotted((*where, i)), str(why)) from None
    return tuple(found)


def flag(text: str, name: str = "--set") -> Change:
    """A change from the command line: `path=value`, the value as in a scenario."""
    path, sign, value = (part.strip() for part in text.partition("="))
    place = Place(name)
    if not sign or not path:
        raise ScenarioError(place, text, "is not path=value, such as boss.hp=+1")
    if path in FORMS:
        message = (
            "who plays is said with --strategy" if path == STRATEGIES else "is said with --slips"
        )
        raise ScenarioError(place, path, message)
    path = PLAYERS if path == "players" else path
    try:
        data = read_text(value, name).data
    except ScenarioError as why:
        raise ScenarioError(
            place, path, f"cannot read the value {brief(value)}: {why.message}"
        ) from None
    if data is None:
        raise ScenarioError(place, path, "has no value; write path=value")
    return Change(path, data, place)


class Seats(NamedTuple):
    """Who plays, or how they slip: one for all or one per seat, and where that is written."""

    each: tuple[Any, ...]
    place: Place
    path: str


@dataclass(frozen=True)
class Cell:
    changes: tuple[Change, ...]
    strategies: Seats


def cells(
    base: Sequence[Change],
    grid: Sequence[Axis],
    flags: Sequence[Change],
    strategies: Seats,
    slips: Seats,
    settled: Seats,
) -> list[Cell]:
    """The product of the axes, the last turning fastest. `slips` are those of players who say nothing else; what is
    settled on the command line holds for all."""
    found = []
    for steps in itertools.product(*(axis.steps for axis in grid)):
        chosen = [step for step in steps if isinstance(step, Change)]
        seats = {
            axis.path: Seats(step, axis.place, axis.path)
            for axis, step in zip(grid, steps, strict=True)
            if axis.path in FORMS
        }
        who = _slip(seats.get(STRATEGIES, strategies), slips, always=False)
        for slipping in (seats.get(SLIPS), settled):
            who = _slip(who, slipping, always=True) if slipping else who
        found.append(Cell((*base, *chosen, *flags), who))
    return found


def _slip(who: Seats, slipping: Seats, *, always: bool) -> Seats:
    """The players with these slips; without `always`, those who have slips of their own keep them."""
    if not slipping.each:
        return who
    most = max(len(who.each), len(slipping.each))
    longer = slipping if len(slipping.each) > len(who.each) else who
    if not {len(who.each), len(slipping.each)} <= {1, most}:
        raise ScenarioError(
            slipping.place,
            SLIPS,
            f"there are {len(slipping.each)} slips for {len(who.each)} "
            "strategies; give one for all, or one per seat",
        )
    seats = [seat.each * most if len(seat.each) == 1 else seat.each for seat in (who, slipping)]
    each = tuple(_slipping(one, slips, always) for one, slips in zip(*seats, strict=True))
    return Seats(each, longer.place, longer.path)


def _slipping(one: StrategySpec, slips: Slips, always: bool) -> StrategySpec:
    return replace(one, slips=slips) if always or one.slips is None else one
