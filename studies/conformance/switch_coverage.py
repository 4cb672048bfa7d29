"""Coverage of switches: in how many games each value of each switch comes into play.

A switch is a parameter of the box in the section `switches`. The same games (same draws, same
players) are played with its default and with another value. A game diverges if the two differ in a
draw or its result, in a decision (the number of options, the option taken), or in the row with all
measures. The value comes into play in every game that diverges, and in those in which only the
table or the hidden state at the end differ: it was applied, but nothing came of it. If the game
refuses the default, the value allows what is played, and every game diverges. Where no game
diverges, nothing that was played says anything about the value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.dependencies import find_unmet_needs
from hardmode.scenarios.load import Variant, create_variant, list_scenario_files, load_scenario
from hardmode.scenarios.parameter import Parameter
from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.contract import Game
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.sim.play.workspace import REAL, Workspace, allocate_rows
from hardmode.sim.replay import logged
from hardmode.studies.conformance.game_under_test import SEED
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import make_players
from hardmode.studies.sensitivity.unused_parameters import generate_other_values

STAGES = (20, 200, 2000)  # games of each scenario; values with diverging games need no more
MIN_GAMES_PER_CELL = 10
MAX_LISTED_NUMBERS = 10  # a number with at most so many values is tried with all of them


@dataclass(frozen=True)
class ScenarioCount:
    """In how many games of one scenario a value came into play.

    Attributes:
        scenario: The name of the scenario; empty for the box as it is.
        games: The number of games that were played with the value and with the default.
        affected: The number of games in which the value came into play.
        diverged: The number of those whose draws, decisions or rows differ.
    """

    scenario: str
    games: int
    affected: int
    diverged: int


@dataclass(frozen=True)
class ValueCoverage:
    """In how many games one value of a switch came into play.

    Attributes:
        switch: The switch; its value is the default.
        value: The other value.
        counts: The counts of the scenarios in which the value can matter; a scenario whose cells
            do not fulfil what the switch needs, or in which the game refuses the value, is left
            out.
    """

    switch: Parameter
    value: Any
    counts: tuple[ScenarioCount, ...]

    @property
    def games(self) -> int:
        """The number of games of all scenarios."""
        return sum(count.games for count in self.counts)

    @property
    def affected(self) -> int:
        """The number of games of all scenarios in which the value came into play."""
        return sum(count.affected for count in self.counts)

    @property
    def diverged(self) -> int:
        """The number of those whose draws, decisions or rows differ."""
        return sum(count.diverged for count in self.counts)

    @property
    def best(self) -> ScenarioCount | None:
        """The scenario whose games diverged in the largest share of games."""
        return max(self.counts, key=lambda count: count.diverged / count.games, default=None)


@dataclass(frozen=True)
class SwitchCoverage:
    """How often the values of the switches of a game came into play.

    Attributes:
        game: The name of the game.
        games: The most games of each scenario that were played for a value.
        values: The coverage of each value but the defaults, in the order of the box.
    """

    game: str
    games: int
    values: list[ValueCoverage]

    @property
    def untested(self) -> list[ValueCoverage]:
        """The values with which no game diverged."""
        return [value for value in self.values if not value.diverged]


class Signature(NamedTuple):
    """Digests of one game.

    Attributes:
        course: The digest of the draws, the decisions and the row.
        state: The digest of the table and the hidden state at the end.
    """

    course: bytes
    state: bytes


@dataclass
class _Cells:
    """The cells of a scenario with their players, and the signatures of games played in them."""

    game: Game
    name: str
    variants: Sequence[Variant]
    players: Sequence[Sequence[Player]]
    defaults: dict[tuple[int, int, int], list[Signature]] = field(default_factory=dict)

    @cached_property
    def workspace(self) -> Workspace:
        """The buffers in which all games are played."""
        return Workspace(self.game)

    def count(self, parameter: Parameter, value: Any, start: int, stop: int) -> ScenarioCount:
        """Play some games with the default and with another value, and compare them.

        Args:
            parameter: The switch.
            value: Its other value.
            start: The first game of the scenario; the games are shared among its cells.
            stop: The game after the last.
        """
        games = affected = diverged = 0
        for cell, first, last in self._share_games(start, stop):
            variant = self.variants[cell]
            if find_unmet_needs(parameter, variant.values):
                continue
            try:
                changed = self._record(
                    cell, variant.with_values({parameter.path: value}), first, last
                )
            except ScenarioError:  # the game refuses the value here
                continue
            default = self._record_default(cell, parameter, first, last)
            games += len(changed)
            if not default:
                default = [Signature(b"", b"")] * len(changed)
            pairs = list(zip(changed, default, strict=True))
            affected += sum(a != b for a, b in pairs)
            diverged += sum(a.course != b.course for a, b in pairs)
        return ScenarioCount(self.name, games, affected, diverged)

    def _share_games(self, start: int, stop: int) -> Iterator[tuple[int, int, int]]:
        """Yield cells, evenly spaced if there are many, and the games to play in each."""
        n_cells = len(self.variants)
        n_used = max(1, min(n_cells, (stop - start) // MIN_GAMES_PER_CELL))
        ends = np.linspace(start, stop, n_used + 1).astype(int)
        for i in range(n_used):
            yield i * n_cells // n_used, int(ends[i]), int(ends[i + 1])

    def _record_default(
        self, cell: int, parameter: Parameter, first: int, last: int
    ) -> list[Signature]:
        """Return the signatures of games with the default, or none if the game refuses it here.

        The games of the cell itself are kept for other switches.
        """
        variant = self.variants[cell]
        if variant.values[parameter.path] != parameter.value:
            try:
                default = variant.with_values({parameter.path: parameter.value})
            except ScenarioError:
                return []
            return self._record(cell, default, first, last)
        key = (cell, first, last)
        if key not in self.defaults:
            self.defaults[key] = self._record(cell, variant, first, last)
        return self.defaults[key]

    def _record(self, cell: int, variant: Variant, first: int, last: int) -> list[Signature]:
        engine = Engine(variant.game, variant.box, self.players[cell])
        return [compute_signature(engine, self.workspace, game) for game in range(first, last)]


def compute_signature(engine: Engine, workspace: Workspace, game: int) -> Signature:
    """Play a game and return its digests."""
    row = allocate_rows(engine.game, 1)
    engine.play(workspace, SEED, game, game + 1, row, log=True)
    states = workspace.tables[REAL : REAL + 1], workspace.hiddens[REAL : REAL + 1]
    return Signature(_hash_arrays(logged(workspace), row), _hash_arrays(*states))


def _hash_arrays(*arrays: Any) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for array in arrays:
        digest.update(np.asarray(array).tobytes())
    return digest.digest()


def measure_switch_coverage(
    name: str, games: int, progress: Progress, only: str = ""
) -> SwitchCoverage:
    """Return in how many games of the shipped scenarios each value of each switch comes into play.

    Few games are played first; only values with which none diverged get more.

    Args:
        name: The name of the game.
        games: The most games of each scenario.
        progress: Receives the progress.
        only: Part of the paths of the switches to examine.

    Raises:
        ScenarioError: There is no such game.
    """
    game = load_labeled_game(name)
    scenarios = list(_load_scenarios(game))
    switches = [parameter for parameter in load_parameters(name).values() if parameter.is_switch]
    if only:
        switches = [switch for switch in switches if only in switch.path]
    pairs = [(switch, value) for switch in switches for value in list_values(switch)]
    counts: dict[int, list[ScenarioCount]] = {number: [] for number in range(len(pairs))}
    start = 0
    for stop in [*(stage for stage in STAGES if stage < games), games]:
        wanted = [n for n, found in counts.items() if not any(count.diverged for count in found)]
        for done, scenario in enumerate(scenarios):
            for place, number in enumerate(wanted):
                share = (done + place / len(wanted)) / len(scenarios)
                progress(f"{stop} games of {scenario.name}", share)
                counts[number].append(scenario.count(*pairs[number], start, stop))
            scenario.defaults.clear()
        start = stop
    values = []
    for number, (switch, value) in enumerate(pairs):
        values.append(ValueCoverage(switch, value, _merge_counts(counts[number])))
    return SwitchCoverage(game.name, games, values)


def list_values(switch: Parameter) -> list[Any]:
    """Return the values of a switch other than its default."""
    is_number = switch.type is int and not switch.choices and not isinstance(switch.value, list)
    if is_number and switch.min is not None and switch.max is not None:
        numbers = range(int(switch.min), int(switch.max) + 1)
        if len(numbers) <= MAX_LISTED_NUMBERS:
            return [number for number in numbers if number != switch.value]
    if switch.type is bool and not isinstance(switch.value, list):
        return [not switch.value]
    return list(generate_other_values(switch, switch.value))


def _load_scenarios(game: Game) -> Iterator[_Cells]:
    """Yield the shipped scenarios without search, which plays slowly; if none, the box itself."""
    found = False
    for name in list_scenario_files(game.name):
        scenario = _select_cells(game, name, load_scenario(name).cells)
        if scenario.variants:
            found = True
            yield scenario
    if not found:
        yield _select_cells(game, "", [create_variant(game.name)])


def _select_cells(game: Game, name: str, variants: Sequence[Variant]) -> _Cells:
    """Return the cells whose players do not search."""
    players_by_specs: dict[str, list[Player]] = {}
    selected = []
    players = []
    for variant in variants:
        key = str(variant.strategies)
        if key not in players_by_specs:
            players_by_specs[key] = make_players(variant)
        if not any(player.rollout_budget for player in players_by_specs[key]):
            selected.append(variant)
            players.append(players_by_specs[key])
    return _Cells(game, name, selected, players)


def _merge_counts(counts: Sequence[ScenarioCount]) -> tuple[ScenarioCount, ...]:
    """Return the counts added up by scenario, without those of no game."""
    merged: dict[str, ScenarioCount] = {}
    for count in counts:
        before = merged.get(count.scenario, ScenarioCount(count.scenario, 0, 0, 0))
        merged[count.scenario] = ScenarioCount(
            count.scenario,
            before.games + count.games,
            before.affected + count.affected,
            before.diverged + count.diverged,
        )
    return tuple(count for count in merged.values() if count.games)
