"""Variants: one cell of a scenario with all values of its box and its strategies, ready to play."""

from __future__ import annotations

import hashlib
import json
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from hardmode.scenarios.box import find_box_folder, load_parameters
from hardmode.scenarios.box_overlay import BoxOverlay
from hardmode.scenarios.dependencies import find_unmet_needs, join_needs
from hardmode.scenarios.filling import fill_checked_box
from hardmode.scenarios.labels import (
    MISTAKES_LABEL,
    PLAYERS_PATH,
    STRATEGIES_LABEL,
    format_label,
    format_label_value,
    format_readable_label,
    label_mistakes,
)
from hardmode.scenarios.overrides import Change, apply_change, expand_wildcards, get_value
from hardmode.scenarios.parameter import Parameter, explain_implausible_value
from hardmode.scenarios.schema import Expect
from hardmode.scenarios.seats import SeatPlan
from hardmode.scenarios.strategy import StrategySpec
from hardmode.sim import contract
from hardmode.sim.contract import FilledBox, Game, Values
from hardmode.sim.files.yaml_io.errors import UNKNOWN_LOCATION, Location, ScenarioError
from hardmode.strategies.mistakes import MistakeModel

DEFAULT_STRATEGY = StrategySpec("steady")


class AssumptionCount(NamedTuple):
    """The number of parameters of a box that are assumptions.

    Attributes:
        unchanged: Assumed parameters that still have their assumed value.
        assumed: All assumed parameters.
        parameters: All parameters.
    """

    unchanged: int
    assumed: int
    parameters: int


@dataclass(frozen=True, eq=False)
class Variant:
    """One cell of a scenario, ready to play.

    Attributes:
        game: The game, its labels as its box names them.
        title: One line that names the scenario.
        label: The values in which this cell of a sweep differs from others, by path.
        values: All values of the box by path.
        players: The number of seats that are taken.
        strategies: The strategy of each seat.
        expect: The expectations that the scenario is held to.
        changed_values: The values that differ from the box, by path: (value of the box, value).
        parameters: The parameters of the box: the shipped one, or an overlay on it.
        warnings: Values outside their plausible range, in words.
        overlay: The box of the user's own, or None.
        changes: The changes that the scenario makes to the box, in order.
    """

    game: Game
    title: str
    label: dict[str, Any]
    values: dict[str, Any]
    players: int
    strategies: tuple[StrategySpec, ...]
    expect: Expect | None
    changed_values: dict[str, tuple[Any, Any]]
    parameters: dict[str, Parameter]
    warnings: tuple[str, ...]
    overlay: BoxOverlay | None = None
    changes: tuple[Change, ...] = ()
    _box_reference: list[weakref.ref[FilledBox]] = field(
        default_factory=list, init=False, repr=False
    )

    @property
    def box(self) -> FilledBox:
        """The values as one record, filled on demand.

        A box takes tens of megabytes in some games. It is shared while it is in use and freed
        afterwards, so a sweep takes no more memory than the cell that is played.
        """
        box = self._box_reference[0]() if self._box_reference else None
        if box is None:
            box = self.game.fill_box(self.values)
            self._box_reference[:] = [weakref.ref(box)]
        return box

    @property
    def seats_compete(self) -> bool:
        """True if several seats play against one another."""
        return self.game.competitive and self.players > 1

    @property
    def seat_plan(self) -> SeatPlan:
        """The seats of the player under study: all, or the first where seats compete."""
        return SeatPlan.for_game(self.game, self.players)

    @property
    def label_text(self) -> str:
        """The label in a few words: `boss snake, 2 players`."""
        return format_label(self.label)

    @property
    def readable_label(self) -> str:
        """The label for readers, without the signs of paths."""
        return format_readable_label(self.label)

    @property
    def overlay_suffix(self) -> str:
        """A note on the overlay that follows the players in a text, or ""."""
        return f", {self.overlay.description}" if self.overlay else ""

    @property
    def ineffective_changes(self) -> dict[str, str]:
        """The changed paths that have no effect here, and what each would need to have one."""
        ineffective = {}
        for path in self.changed_values:
            needs = find_unmet_needs(self.parameters[path], self.values)
            if needs:
                ineffective[path] = join_needs(needs)
        return ineffective

    @property
    def assumption_count(self) -> AssumptionCount:
        """The number of parameters that are assumptions."""
        assumed = {path for path, parameter in self.parameters.items() if parameter.is_assumed}
        unchanged = assumed - self.changed_values.keys()
        return AssumptionCount(len(unchanged), len(assumed), len(self.parameters))

    @property
    def changes_to_shipped_box(self) -> dict[str, Any]:
        """The values that differ from the shipped box, and the content that was added to it.

        The same games can be played with these alone, without the file of an overlay.
        """
        shipped = load_parameters(self.game.name)
        changes: dict[str, Any] = {}
        paths: list[str] = []
        if self.overlay:
            changes |= self.overlay.added_content
            paths += self.overlay.changes
        paths += self.changed_values
        for path in paths:
            value = self.values[path]
            if path not in shipped or value != shipped[path].value:
                changes[path] = value
        return changes

    @property
    def overlay_provenance(self) -> dict[str, Any] | None:
        """The file of an overlay and the digest of its values and sources, for results."""
        if not self.overlay:
            return None
        overlaid = [p for p in self.parameters.values() if p.file]
        return {
            "file": self.overlay.file,
            "numbers": len(self.overlay.changes),
            "added": len(self.overlay.added_content),
            "digest": compute_digest([(p.path, p.value, p.source, p.from_) for p in overlaid]),
        }

    @cached_property
    def digests(self) -> dict[str, str]:
        """The digests of all values (`box`), and of those and the strategies (`scenario`)."""
        values = sorted(self.values.items())
        box = compute_digest([self.game.name, values])
        strategies = [strategy.canonical_form for strategy in self.strategies]
        scenario = compute_digest([box, strategies])
        return {"box": box, "scenario": scenario}

    def with_values(
        self,
        values: Mapping[str, Any],
        strategies: Sequence[StrategySpec] = (),
        label: Mapping[str, Any] | None = None,
    ) -> Variant:
        """Return this variant with other values of some parameters.

        Args:
            values: The other values by path, all absolute.
            strategies: The strategies, one for all or one per seat; by default the same.
            label: What is added to the label; by default `values`.

        Raises:
            ScenarioError: The game cannot use the values.
        """
        strategies = strategies or self.strategies
        if all(strategy == strategies[0] for strategy in strategies):
            strategies = strategies[:1]  # the number of players may change
        values_by_path = {path: value for path, (_, value) in self.changed_values.items()}
        values_by_path |= values
        changes = [Change(path, value) for path, value in values_by_path.items()]
        variant = build_variant(
            self.game.name, changes, strategies, title=self.title, overlay=self.overlay
        )
        added_label = values if label is None else label
        return replace(variant, label={**self.label, **added_label})


def compute_digest(data: Any) -> str:
    """Return 16 hexadecimal digits of the SHA-256 digest of JSON data."""
    text = json.dumps(data, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def load_labeled_game(name: str, place: Location = UNKNOWN_LOCATION) -> Game:
    """Return a game with its labels as the shipped box names them.

    Raises:
        ScenarioError: There is no such game; at `place`.
    """
    folder = find_box_folder(name, place)
    return _label_by_shipped_box(contract.load_game(name), folder)


@cache
def _label_by_shipped_box(game: Game, folder: Path) -> Game:
    """Return a game with the names of its box; the folder of the box is part of the cache key."""
    names = _make_name_reader(load_parameters(game.name))
    return game.with_box_names(names, names)


@cache
def _label_by_overlay(name: str, overlay: BoxOverlay) -> Game:
    """Return a game with the names of the content that an overlay adds."""
    shipped = _make_name_reader(load_parameters(name))
    return contract.load_game(name).with_box_names(_make_name_reader(overlay.parameters), shipped)


def _make_name_reader(parameters: Mapping[str, Parameter]) -> Callable[[str], Sequence[str]]:
    values = {path: parameter.value for path, parameter in parameters.items()}
    return Values(values).names


def build_variant(
    name: str,
    changes: Sequence[Change] = (),
    strategies: Sequence[StrategySpec] = (DEFAULT_STRATEGY,),
    *,
    title: str = "",
    label: Sequence[str] = (),
    expect: Expect | None = None,
    place: Location = UNKNOWN_LOCATION,
    seats_place: Location = UNKNOWN_LOCATION,
    seats_path: str = STRATEGIES_LABEL,
    overlay: BoxOverlay | None = None,
) -> Variant:
    """Return the variant that changes make of the box of a game.

    Args:
        name: The game.
        changes: The changes, applied in this order.
        strategies: One for all seats, or one per seat.
        title: One line that names the scenario; by default the title of the game.
        label: The paths whose values make up the label.
        expect: The expectations that the scenario is held to.
        place: The place of the scenario, for errors.
        seats_place: The place of the strategies, for errors.
        seats_path: The path of the strategies, for errors.
        overlay: A box of the user's own, laid over the shipped one.

    Raises:
        ScenarioError: A change is invalid, or the game cannot use the values.
    """
    has_added_content = overlay is not None and bool(overlay.added_content)
    game = _label_by_overlay(name, overlay) if has_added_content else load_labeled_game(name, place)
    parameters = overlay.parameters if overlay else load_parameters(name)
    changes = expand_wildcards(changes, parameters)
    values: dict[str, Any] = {path: p.value for path, p in parameters.items()}
    last_changes: dict[str, Change] = dict(overlay.changes) if overlay else {}
    for change in changes:
        last_changes[apply_change(values, change, parameters).path] = change
    changed_values = {
        path: (parameters[path].value, values[path])
        for path in last_changes
        if values[path] != parameters[path].value
    }
    changed_parameters = _find_changed_parameters(name, parameters, overlay, last_changes)
    fill_checked_box(game, values, changed_parameters, last_changes, place)
    players = int(values.get(PLAYERS_PATH, game.seats))
    seats = _fill_seats(strategies, players, seats_place, seats_path)
    return Variant(
        game,
        title or game.title,
        {path: _get_label_value(path, values, seats, label) for path in label},
        values,
        players,
        seats,
        expect,
        changed_values,
        parameters,
        tuple(_warn_of_implausible_values(parameters, values, last_changes)),
        overlay,
        tuple(changes),
    )


def _find_changed_parameters(
    name: str,
    parameters: dict[str, Parameter],
    overlay: BoxOverlay | None,
    last_changes: Mapping[str, Change],
) -> dict[str, Parameter]:
    """Return the parameters as they were before the last change of each path.

    The last change of a path may be that of the overlay, which was made to the shipped box.
    """
    if not overlay:
        return parameters
    before, shipped = dict(parameters), load_parameters(name)
    for path, change in overlay.changes.items():
        if last_changes[path] is change and path in shipped:
            before[path] = shipped[path]
    return before


def _get_label_value(
    path: str, values: dict[str, Any], seats: tuple[StrategySpec, ...], label: Sequence[str]
) -> Any:
    """Return the value of one path of the label."""
    if path == MISTAKES_LABEL:
        return label_mistakes([seat.mistakes or MistakeModel() for seat in seats])
    if path == STRATEGIES_LABEL:
        if MISTAKES_LABEL in label:
            seats = tuple(replace(seat, mistakes=None) for seat in seats)
        return format_label_value(seats)
    return get_value(values, path)


def _warn_of_implausible_values(
    parameters: dict[str, Parameter], values: dict[str, Any], last_changes: dict[str, Change]
) -> Iterator[str]:
    for path, change in last_changes.items():
        value = values[path]
        for item in value if isinstance(value, list) else [value]:
            problem = explain_implausible_value(parameters[path], item)
            if problem:
                warning = f"{path} {problem}"
                place = str(change.place)
                yield f"{place}: {warning}" if place else warning
                break


def _fill_seats(
    strategies: Sequence[StrategySpec], players: int, place: Location, path: str
) -> tuple[StrategySpec, ...]:
    try:
        return SeatPlan.fill(strategies, players)
    except ValueError as error:
        seats = f"{players} seat{'s' if players != 1 else ''}"
        message = f"there are {len(strategies)} {path} for {seats}; {error}"
        raise ScenarioError(place, path, message) from None
