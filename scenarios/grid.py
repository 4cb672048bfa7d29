"""The cells of a scenario: its changes, the axes of its sweep, and what the command line adds.

Changes apply in this order, each to the values that it finds: those of the scenario, of the sweep,
of the command line. A `--set` of a plain value on a swept path takes its axis out of the grid; a
relative one shifts every cell.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from hardmode.scenarios.labels import (
    MISTAKES_KEY,
    MISTAKES_LABEL,
    OLD_MISTAKES_KEY,
    PLAYERS_PATH,
    STRATEGIES_LABEL,
)
from hardmode.scenarios.overrides import ANY_NAME, Change, resolve_change
from hardmode.scenarios.parameter import Parameter, format_yaml_value
from hardmode.scenarios.seats import SeatPlan
from hardmode.scenarios.strategy import StrategySpec, parse_strategy, parse_strategy_mistakes
from hardmode.sim.files.text import shorten_value
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError
from hardmode.sim.files.yaml_io.model import format_key_path
from hardmode.sim.files.yaml_io.read import Document, KeyPath, parse_yaml
from hardmode.strategies.mistakes import MistakeModel

MAX_CELLS = 10_000
ANY = "any"  # a choice that is drawn in each game, and so no value to sweep over

# The keys whose values belong to seats: how one is parsed, and the label of a sweep over them.
STRATEGIES_KEY = "strategies"
PARSERS: dict[str, Callable[[Any, Path | None], Any]] = {
    STRATEGIES_KEY: parse_strategy,
    MISTAKES_KEY: parse_strategy_mistakes,
}
SEAT_LABELS = {STRATEGIES_KEY: STRATEGIES_LABEL, MISTAKES_KEY: MISTAKES_LABEL}


@dataclass(frozen=True)
class SweepAxis:
    """One swept path.

    Attributes:
        path: The path, as the label of a cell has it.
        settings: A change for each value; or a tuple of strategies or of mistakes.
        place: Where the axis is written.
    """

    path: str
    settings: tuple[Any, ...]
    place: Location


def get_axis_path(key: str) -> str:
    """Return the path of an axis that is written as this key of `sweep`."""
    return PLAYERS_PATH if key == "players" else SEAT_LABELS.get(key, key)


def read_changes(document: Document) -> list[Change]:
    """Return the changes of a scenario file: its `players`, `setup` and `rules`.

    Raises:
        ScenarioError: A path is given twice in a file, or has two different values.
    """
    first_changes: dict[str, Change] = {}
    for _, change in iterate_scenario_changes(document):
        first = first_changes.setdefault(change.path, change)
        line = f" on line {first.place.line}" if first.place.line else ""
        is_in_same_file = first.place.file == change.place.file
        if first is not change and first.value == change.value and is_in_same_file:
            raise change.make_error(f"is given twice (first{line})")
        if first.value != change.value:
            raise change.make_error(
                f"is {format_yaml_value(change.value)}, but {first.written_path} is "
                f"{format_yaml_value(first.value)}{line}"
            )
    return list(first_changes.values())


def iterate_scenario_changes(document: Document) -> Iterator[tuple[KeyPath, Change]]:
    """Yield where each change of a scenario is written, and the change."""
    yield from flatten_changes(document, ("players",), PLAYERS_PATH)
    yield from flatten_changes(document, ("setup",), "setup")
    yield from flatten_changes(document, ("rules",), "")


def flatten_changes(
    document: Document, where: KeyPath, path: str
) -> Iterator[tuple[KeyPath, Change]]:
    """Yield the changes below a key: `{hero: {life: 4}}` means the same as `{hero.life: 4}`.

    Args:
        document: The scenario.
        where: The keys that lead to the value.
        path: The path in the box that they stand for.
    """
    value: Any = document.data
    for step in where:
        value = value.get(step, {})
    if not isinstance(value, dict) or (not value and len(where) > 1):
        yield where, Change(path, value, document.locate(*where), format_key_path(where))
        return
    for key in value:
        below = f"{path}.{key}" if path else key
        yield from flatten_changes(document, (*where, key), below)


def read_axes(
    document: Document, parameters: Mapping[str, Parameter], find_folder: Callable[..., Path]
) -> list[SweepAxis]:
    """Return the axes of a scenario's sweep, in the order of the file.

    Args:
        document: The scenario.
        parameters: The parameters of its box.
        find_folder: Returns the folder of the file in which the value at given keys is written.

    Raises:
        ScenarioError: An axis is invalid, or there are too many cells.
    """
    axes: list[SweepAxis] = []
    for key, value in document.data.get("sweep", {}).items():
        where = ("sweep", key)
        if key in PARSERS:
            axes.append(_read_seat_axis(key, document, value, find_folder(*where)))
            continue
        for location, change in flatten_changes(document, where, get_axis_path(key)):
            first = next((axis for axis in axes if axis.path == change.path), None)
            if first is not None:
                raise change.make_error(f"is given twice (first on line {first.place.line})")
            axes.append(_read_axis(document, location, change, parameters))
    n_cells = math.prod(len(axis.settings) for axis in axes)
    if n_cells > MAX_CELLS:
        message = f"has {n_cells:,} cells; the most is {MAX_CELLS:,}"
        raise ScenarioError(document.locate("sweep"), "sweep", message)
    return axes


def _read_axis(
    document: Document, where: KeyPath, swept: Change, parameters: Mapping[str, Parameter]
) -> SweepAxis:
    if ANY_NAME in swept.path:
        raise swept.make_error("is swept number by number; * is for `rules:` and --set")
    parameter, index = resolve_change(swept, parameters)
    values = swept.value
    if values == "all":
        if isinstance(parameter.value, list) and index is None:
            raise swept.make_error("is a list, so `all` says nothing; write out the lists to try")
        values = [choice for choice in parameter.choices if choice != ANY]
        if not values:
            message = "has no choices, so `all` says nothing; write out the values, as in [1, 2, 3]"
            raise swept.make_error(message)
    if not isinstance(values, list) or not values:
        raise swept.make_error("must be `all` or a list of the values to try")
    changes = [
        Change(swept.path, value, document.locate(*where, i), swept.written_path)
        for i, value in enumerate(values)
    ]
    return SweepAxis(swept.path, tuple(changes), swept.place)


def _read_seat_axis(key: str, document: Document, written: Any, folder: Path) -> SweepAxis:
    where = ("sweep", key)
    place = document.locate(*where)
    if not isinstance(written, list) or not written:
        path = format_key_path(where)
        raise ScenarioError(place, path, f"must be a list of {key} to try")
    settings = []
    for i, item in enumerate(written):
        seats = item if isinstance(item, list) else [item]
        settings.append(parse_seat_settings(key, seats, document, (*where, i), folder))
    return SweepAxis(get_axis_path(key), tuple(settings), place)


def parse_seat_settings(
    key: str,
    written: Sequence[Any],
    document: Document,
    where: KeyPath,
    folder: Path | None,
) -> tuple[Any, ...]:
    """Return the strategies or the mistakes of a list, one for all seats or one per seat.

    Args:
        key: A key of `PARSERS`.
        written: The list.
        document: The file that holds it, for errors.
        where: The keys that lead to it.
        folder: The folder in which files of strategies are looked for.

    Raises:
        ScenarioError: The list is empty, or an item of it is invalid.
    """
    if not written:
        message = "names no strategy" if key == STRATEGIES_KEY else "names no share"
        raise ScenarioError(document.locate(*where), format_key_path(where), message)
    settings = []
    for i, item in enumerate(written):
        try:
            settings.append(PARSERS[key](item, folder))
        except ValueError as error:
            path = format_key_path((*where, i))
            raise ScenarioError(document.locate(*where, i), path, str(error)) from None
    return tuple(settings)


def parse_set_option(text: str, option: str = "--set") -> Change:
    """Return the change of a `--set` option: `path=value`, the value as in a scenario.

    Args:
        text: The argument of the option.
        option: The name of the option, for errors.
    """
    path, sign, value = (part.strip() for part in text.partition("="))
    place = Location(option)
    if not sign or not path:
        raise ScenarioError(place, text, "is not path=value, such as boss.hp=+1")
    if path == STRATEGIES_KEY:
        raise ScenarioError(place, path, "cannot be set; use --strategy to say who plays")
    if path in (MISTAKES_KEY, OLD_MISTAKES_KEY):
        raise ScenarioError(place, path, "cannot be set; use --mistakes")
    try:
        data = parse_yaml(value, option).data
    except ScenarioError as error:
        message = f"cannot read the value {shorten_value(value)}: {error.message}"
        raise ScenarioError(place, path, message) from None
    if data is None:
        raise ScenarioError(place, path, "has no value; write path=value")
    return Change(PLAYERS_PATH if path == "players" else path, data, place)


class SeatSettings(NamedTuple):
    """The strategies or the mistakes of seats.

    Attributes:
        each: One for all seats, or one per seat; empty if nothing is set.
        place: Where they are written.
        path: The key or option that sets them.
    """

    each: tuple[Any, ...]
    place: Location
    path: str


@dataclass(frozen=True)
class GridCell:
    """One cell of a scenario: its changes to the box, and its strategies."""

    changes: tuple[Change, ...]
    strategies: SeatSettings


def build_grid(
    base: Sequence[Change],
    axes: Sequence[SweepAxis],
    set_options: Sequence[Change],
    strategies: SeatSettings,
    mistakes: SeatSettings,
    mistakes_option: SeatSettings,
) -> list[GridCell]:
    """Return the product of the axes, the last varying fastest.

    Args:
        base: The changes of the scenario.
        axes: The axes of its sweep.
        set_options: The changes of the command line.
        strategies: The strategies of seats, unless they are swept.
        mistakes: The mistakes of strategies that have none of their own.
        mistakes_option: The mistakes that the command line sets for all.
    """
    cells: list[GridCell] = []
    for settings in itertools.product(*(axis.settings for axis in axes)):
        changes: list[Change] = []
        swept: dict[str, SeatSettings] = {}
        for axis, setting in zip(axes, settings, strict=True):
            if isinstance(setting, Change):
                changes.append(setting)
            else:
                key = MISTAKES_KEY if axis.path == MISTAKES_LABEL else axis.path
                swept[axis.path] = SeatSettings(setting, axis.place, key)
        seats = swept.get(STRATEGIES_LABEL, strategies)
        seats = _apply_mistakes(seats, mistakes, override=False)
        if MISTAKES_LABEL in swept:
            seats = _apply_mistakes(seats, swept[MISTAKES_LABEL], override=True)
        seats = _apply_mistakes(seats, mistakes_option, override=True)
        cells.append(GridCell((*base, *changes, *set_options), seats))
    return cells


def _apply_mistakes(
    strategies: SeatSettings, mistakes: SeatSettings, *, override: bool
) -> SeatSettings:
    """Return the strategies with mistakes; without `override`, they keep mistakes of their own."""
    if not mistakes.each:
        return strategies
    longer = max(strategies, mistakes, key=lambda seats: len(seats.each))
    n_seats = len(longer.each)
    try:
        models = SeatPlan.fill(mistakes.each, n_seats)
        specs = SeatPlan.fill(strategies.each, n_seats)
    except ValueError as error:
        n_given, n_strategies = len(mistakes.each), len(strategies.each)
        message = f"there are {n_given} mistakes for {n_strategies} strategies; {error}"
        raise ScenarioError(mistakes.place, MISTAKES_KEY, message) from None
    each = [_set_mistakes(spec, model, override) for spec, model in zip(specs, models, strict=True)]
    return SeatSettings(tuple(each), longer.place, longer.path)


def _set_mistakes(spec: StrategySpec, model: MistakeModel, override: bool) -> StrategySpec:
    if spec.mistakes is not None and not override:
        return spec
    return replace(spec, mistakes=model)
