"""Coverage of switches: in how many games each value of each switch comes into play.

A switch is a parameter of the box in the section `switches`. The same games (same draws, same
players) are played with its default and with another value. The value comes into play in a game
whose records of the two differ: the draws with their results, the decisions with the number of
options and the option taken, the row with all measures, or the table and the hidden state at the
end. It also does if the game refuses the default: the value then allows what is played. A value
that never comes into play is one of which nothing that was played says anything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.dependencies import find_unmet_needs
from hardmode.scenarios.load import Variant, create_variant, list_scenario_files, load_scenario
from hardmode.scenarios.parameter import Parameter
from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.contract import Game
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import REAL, Workspace, allocate_rows
from hardmode.sim.replay import logged
from hardmode.studies.conformance.game_under_test import SEED
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import make_player
from hardmode.studies.sensitivity.unused_parameters import generate_other_values

SECTION = "switches"
STAGES = (100, 1000)  # games of each scenario; values that came into play need no more
MIN_GAMES_PER_CELL = 10
MAX_LISTED_NUMBERS = 10  # a number with at most so many values is tried with all of them


@dataclass(frozen=True)
class ScenarioCount:
    """In how many games of one scenario a value came into play.

    Attributes:
        scenario: The name of the scenario; empty for the box as it is.
        games: The number of games that were played with the value and with the default.
        affected: The number of games that differ.
    """

    scenario: str
    games: int
    affected: int


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
    def best(self) -> ScenarioCount | None:
        """The scenario in which the value came into play in the largest share of games."""
        played = [count for count in self.counts if count.games]
        return max(played, key=lambda count: count.affected / count.games, default=None)


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
    def absent(self) -> list[ValueCoverage]:
        """The values that never came into play."""
        return [value for value in self.values if not value.affected]


@dataclass
class _Cells:
    """The cells of a scenario, and the signatures of games that were played in them."""

    game: Game
    name: str
    variants: Sequence[Variant]
    defaults: dict[tuple[int, int, int], list[bytes]] = field(default_factory=dict)

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
        games = affected = 0
        for cell, first, last in self._share_games(start, stop):
            variant = self.variants[cell]
            if find_unmet_needs(parameter, variant.values):
                continue
            try:
                changed = self._record(variant.with_values({parameter.path: value}), first, last)
            except ScenarioError:  # the game refuses the value here
                continue
            default = self._record_default(cell, parameter, first, last)
            games += len(changed)
            affected += _count_differences(changed, default)
        return ScenarioCount(self.name, games, affected)

    def _share_games(self, start: int, stop: int) -> Iterator[tuple[int, int, int]]:
        """Yield cells, evenly spaced if there are many, and the games to play in each."""
        n_cells = len(self.variants)
        n_used = max(1, min(n_cells, (stop - start) // MIN_GAMES_PER_CELL))
        ends = np.linspace(start, stop, n_used + 1).astype(int)
        for i in range(n_used):
            yield i * n_cells // n_used, int(ends[i]), int(ends[i + 1])

    def _record_default(
        self, cell: int, parameter: Parameter, first: int, last: int
    ) -> list[bytes]:
        """Return the signatures of games with the default, or none if the game refuses it here.

        The games of the cell itself are kept for other switches.
        """
        variant = self.variants[cell]
        if variant.values[parameter.path] != parameter.value:
            try:
                default = variant.with_values({parameter.path: parameter.value})
            except ScenarioError:
                return []
            return self._record(default, first, last)
        key = (cell, first, last)
        if key not in self.defaults:
            self.defaults[key] = self._record(variant, first, last)
        return self.defaults[key]

    def _record(self, variant: Variant, first: int, last: int) -> list[bytes]:
        players = [make_player(self.game.name, spec) for spec in variant.strategies]
        engine = Engine(variant.game, variant.box, players)
        return [compute_signature(engine, self.workspace, game) for game in range(first, last)]


def _count_differences(changed: list[bytes], default: list[bytes]) -> int:
    """Return how many games differ: all of them if the default allows none of them."""
    if not default:
        return len(changed)
    return sum(a != b for a, b in zip(changed, default, strict=True))


def compute_signature(engine: Engine, workspace: Workspace, game: int) -> bytes:
    """Return a digest of the draws, decisions, row and final state of a game."""
    row = allocate_rows(engine.game, 1)
    engine.play(workspace, SEED, game, game + 1, row, log=True)
    digest = hashlib.blake2b(logged(workspace).tobytes(), digest_size=16)
    for state in (row, workspace.tables[REAL : REAL + 1], workspace.hiddens[REAL : REAL + 1]):
        digest.update(np.asarray(state).tobytes())
    return digest.digest()


def measure_switch_coverage(
    name: str, games: int, progress: Progress, only: str = ""
) -> SwitchCoverage:
    """Return in how many games of the shipped scenarios each value of each switch comes into play.

    Few games are played first; only values that did not come into play get more.

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
    parameters = load_parameters(name)
    switches = [p for path, p in parameters.items() if path.startswith(f"{SECTION}.")]
    if only:
        switches = [switch for switch in switches if only in switch.path]
    pairs = [(switch, value) for switch in switches for value in list_values(switch)]
    counts: dict[int, list[ScenarioCount]] = {number: [] for number in range(len(pairs))}
    start = 0
    for stop in [*(stage for stage in STAGES if stage < games), games]:
        wanted = [n for n, found in counts.items() if not any(count.affected for count in found)]
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
        cells = []
        for cell in load_scenario(name).cells:
            players = [make_player(game.name, spec) for spec in cell.strategies]
            if not any(player.rollout_budget for player in players):
                cells.append(cell)
        if cells:
            found = True
            yield _Cells(game, name, cells)
    if not found:
        yield _Cells(game, "", [create_variant(game.name)])


def _merge_counts(counts: Sequence[ScenarioCount]) -> tuple[ScenarioCount, ...]:
    """Return the counts added up by scenario, without those of no game."""
    merged: dict[str, ScenarioCount] = {}
    for count in counts:
        before = merged.get(count.scenario, ScenarioCount(count.scenario, 0, 0))
        merged[count.scenario] = ScenarioCount(
            count.scenario, before.games + count.games, before.affected + count.affected
        )
    return tuple(count for count in merged.values() if count.games)
