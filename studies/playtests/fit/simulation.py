"""Simulated games on a grid of levels of play and plausible boxes, kept as sums.

A level is the mistake rate of the best player trained for the game; where seats compete, it is the
rate of the first seat. All points of the grid are played with common random numbers, so they differ
only by level and box. Between the simulated levels, the sums are interpolated linearly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from hardmode.scenarios.filling import BOX_ERRORS
from hardmode.scenarios.load import ScenarioError, StrategySpec, Variant
from hardmode.scenarios.overrides import apply_change
from hardmode.sim.contract import ENDING, FilledBox
from hardmode.sim.play.backends import GameBatch, current_backend
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.strategies.mistakes import MistakeModel
from hardmode.studies.core.budget import Stopwatch
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.reference_players import with_trained
from hardmode.studies.core.run import Effort, make_player
from hardmode.studies.uncertainty.priors import Prior, Priors, SampledValues

# Mistake rates: those that are simulated; those between which the fit distinguishes; those at which
# boxes of the prior are compared.
SIMULATED_LEVELS = np.array([0.0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.27, 0.35, 0.45, 0.6, 0.8, 1.0])
FINE_LEVELS = np.linspace(0, 1, 101)
COARSE_LEVELS = np.array([0.0, 0.15, 0.35, 0.6])
MIN_BOXES = 12  # if anything is unknown
MAX_BOXES = 48
MAX_SAMPLED_BOXES = 500  # after which no more playable boxes are searched for
FILLING_SHARE = 0.3  # of the time, for filling boxes
MIN_GAMES = 60  # of a point
MAX_GAMES = 2000
MAX_KEPT_ROWS = 400  # games of a point whose rows are kept
MIN_NUMBER_VARIANCE = 1e-9  # below which a number is constant
TRIAL_LEVELS = (0.0, 0.3)  # at which the pace is measured
TRIAL_GAMES = 40  # at each of them
Deal = tuple[tuple[int, int], ...]  # columns that were fixed at set-up, and their values


def get_base_strategy(cell: Variant) -> StrategySpec:
    """Return the strategy whose mistake rate is the level: the first seat's, by default trained."""
    return replace(with_trained(cell).strategies[0], mistakes=None)


def seat_players_at_level(
    cell: Variant, level: float, base: StrategySpec | None = None
) -> list[Player]:
    """Return the players of a level: at all seats, or at the first where seats compete.

    Args:
        cell: The variant to play.
        level: Mistake rate.
        base: Strategy that makes the mistakes; by default that of `get_base_strategy`.
    """
    own = replace(base or get_base_strategy(cell), mistakes=MistakeModel(level))
    seats = cell.seat_plan.assign(own, cell.strategies)
    return [make_player(cell.game.name, spec) for spec in seats]


def fill_box(cell: Variant, values: SampledValues) -> FilledBox | None:
    """Return the box of a variant with sampled values, or None if the game rejects it."""
    numbers = {path: parameter.value for path, parameter in cell.parameters.items()}
    numbers.update(values)
    try:
        for change in cell.changes:
            apply_change(numbers, change, cell.parameters)
        return cell.game.fill_box(numbers)
    except (*BOX_ERRORS, ScenarioError):
        return None


@dataclass(frozen=True)
class SimulatedGames:
    """Sums over the simulated games of one variant, by box and level.

    Shapes are given in terms of b boxes, s simulated levels, 2 sides (lost, won), e endings and k
    numbers.
    """

    cell: Variant
    endings: np.ndarray  # games, (b, s, e)
    wins: np.ndarray  # (b, s)
    side_games: np.ndarray  # (b, s, 2)
    totals: np.ndarray  # sums of numbers, (b, s, 2, k)
    products: np.ndarray  # sums of products of numbers, (b, s, 2, k, k)
    extremes: np.ndarray  # smallest and largest value of each number in any game, (2, k)
    winning: frozenset[int]  # endings of games that were won
    losing: frozenset[int]  # endings of games that were lost
    by_deal: tuple[SimulatedGames, ...] = ()  # games of each requested deal
    rows: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = field(
        default_factory=dict, repr=False
    )  # by point, of the first games: the numbers (game, number), and whether each was won
    cache: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)  # moments

    @classmethod
    def zeros(cls, cell: Variant, boxes: int, levels: int, numbers: int) -> SimulatedGames:
        """Return the sums over no games."""
        points = boxes, levels
        return cls(
            cell,
            np.zeros((*points, len(cell.game.all_endings))),
            np.zeros(points),
            np.zeros((*points, 2)),
            np.zeros((*points, 2, numbers)),
            np.zeros((*points, 2, numbers, numbers)),
            np.outer([np.inf, -np.inf], np.ones(numbers)),
            frozenset(),
            frozenset(),
        )

    @cached_property
    def games(self) -> np.ndarray:
        """Games by box and level."""
        return self.endings.sum(axis=-1)

    @cached_property
    def fine_endings(self) -> np.ndarray:
        """Games by box, fine level and ending."""
        return interpolate_levels(self.endings)

    @cached_property
    def fine_wins(self) -> np.ndarray:
        """Games won by box and fine level."""
        return interpolate_levels(self.wins)

    @cached_property
    def fine_games(self) -> np.ndarray:
        """Games by box and fine level."""
        return interpolate_levels(self.games)

    @cached_property
    def win_rates(self) -> np.ndarray:
        """Share of games won by box and fine level."""
        return (self.fine_wins + 0.5) / (self.fine_games + 1)

    def get_rows(self, box: int, fine_level: int, side: int) -> np.ndarray:
        """Return the numbers of some games near a fine level, (game, number).

        Args:
            box: Index of the box.
            fine_level: Index of the fine level.
            side: 0 for lost games, 1 for won games, anything else for all games.
        """
        gaps = np.abs(SIMULATED_LEVELS - FINE_LEVELS[fine_level])
        point = box, int(np.argmin(gaps))
        if point not in self.rows:
            return np.zeros((0, self.totals.shape[-1]))
        values, won = self.rows[point]
        return values[won == bool(side)] if side in (0, 1) else values

    def varies(self, side: int, number: int) -> bool:
        """Return whether a number differs between simulated games with the same result.

        Args:
            side: 0 for lost games, 1 for won games, anything else for all games.
            number: Index of the number.
        """
        chosen = [side] if side in (0, 1) else [0, 1]
        n = self.side_games[..., chosen].sum()
        total = self.totals[:, :, chosen, number].sum()
        square = self.products[:, :, chosen, number, number].sum()
        return bool(n and square / n - (total / n) ** 2 > MIN_NUMBER_VARIANCE)

    def add_rows(
        self, point: tuple[int, int], rows: np.ndarray, won: np.ndarray, numbers: Sequence[int]
    ) -> None:
        """Add all games of a point.

        Args:
            point: Indices of the box and the level.
            rows: Rows of the games, one column each.
            won: Whether each game was won.
            numbers: Columns of the numbers to sum.
        """
        values = rows[list(numbers)].T.astype(float)
        self.rows[point] = values[:MAX_KEPT_ROWS], won[:MAX_KEPT_ROWS]
        self.endings[point] = np.bincount(rows[ENDING], minlength=self.endings.shape[-1])
        self.wins[point] = won.sum()
        if values.size:
            self.extremes[0] = np.minimum(self.extremes[0], values.min(axis=0))
            self.extremes[1] = np.maximum(self.extremes[1], values.max(axis=0))
        for side in (0, 1):
            side_values = values[won == bool(side)]
            self.side_games[point][side] = len(side_values)
            self.totals[point][side] = side_values.sum(axis=0)
            self.products[point][side] = side_values.T @ side_values


def interpolate_levels(values: np.ndarray) -> np.ndarray:
    """Interpolate values at the simulated levels, (b, s, ...), linearly to the fine levels."""
    right = np.searchsorted(SIMULATED_LEVELS, FINE_LEVELS, side="left")
    right = np.clip(right, 1, len(SIMULATED_LEVELS) - 1)
    left_level = SIMULATED_LEVELS[right - 1]
    right_level = SIMULATED_LEVELS[right]
    weight = (FINE_LEVELS - left_level) / (right_level - left_level)
    weight = weight.reshape(1, -1, *([1] * (values.ndim - 2)))
    return (1 - weight) * values[:, right - 1] + weight * values[:, right]


class Simulator:
    """Simulation of variants of a scenario at each level in each box.

    Args:
        cells: Variants that share a box.
        numbers: Columns of the row whose sums are wanted.
        effort: Seed and threads.
        games: Games of a point, or None to play as many as `seconds` allow.
        seconds: Time to spend.
        free: Paths of the numbers that differ between boxes; by default all that are unknown.
        levels: Mistake rates to simulate.
    """

    def __init__(
        self,
        cells: Sequence[Variant],
        numbers: Sequence[int],
        effort: Effort,
        games: int | None,
        seconds: float,
        free: Sequence[str] | None = None,
        levels: np.ndarray = SIMULATED_LEVELS,
    ) -> None:
        self.cells = cells
        self.numbers = list(numbers)
        self.effort = effort
        self.games = games
        self.seconds = seconds
        self.levels = levels
        self.backend = current_backend(effort.threads)
        self.priors = Priors(cells if free is None else [])
        self.priors.entries += [Prior(cells[0].parameters[path]) for path in free or ()]
        self.boxes: list[SampledValues] = self._sample_boxes()

    def _sample_boxes(self) -> list[SampledValues]:
        """Return boxes that every variant accepts; just the assumed one if nothing is unknown."""
        if not self.priors.entries:
            return [{}]
        boxes: list[SampledValues] = []
        wanted = self._count_affordable_boxes()
        for values in islice(self.priors.generate_boxes(self.effort.seed), MAX_SAMPLED_BOXES):
            if all(fill_box(cell, values) is not None for cell in self.cells):
                boxes.append(values)
            if len(boxes) == wanted:
                break
        return boxes or [{}]

    def _count_affordable_boxes(self) -> int:
        """Return how many boxes can be filled twice (to be checked and played) in time."""
        if self.games:
            return MAX_BOXES
        stopwatch = Stopwatch()
        fill_box(self.cells[0], {})
        seconds_per_box = 2 * len(self.cells) * max(stopwatch.elapsed, 1e-9)
        return int(np.clip(FILLING_SHARE * self.seconds / seconds_per_box, MIN_BOXES, MAX_BOXES))

    @cached_property
    def games_per_point(self) -> int:
        """Number of games at each point; without a fixed number, as many as the time allows."""
        if self.games:
            return self.games
        cell = self.cells[0]
        box = fill_box(self.cells[0], self.boxes[0])
        assert box is not None
        batches = []
        for level in TRIAL_LEVELS:
            engine = Engine(cell.game, box, seat_players_at_level(cell, level))
            batches.append(GameBatch(engine, self.effort.seed, 0, TRIAL_GAMES))
        stopwatch = Stopwatch()
        for _ in self.backend.run_batches(batches):
            pass
        games = len(batches) * TRIAL_GAMES
        pace = games / max(stopwatch.elapsed, 1e-6) * self.backend.workers
        points = len(self.cells) * self.n_points
        return int(np.clip(self.seconds * pace / points, MIN_GAMES, MAX_GAMES))

    @property
    def n_points(self) -> int:
        """Number of pairs of box and level."""
        return len(self.boxes) * len(self.levels)

    def simulate(
        self, progress: Progress = ignore_progress, deals: Sequence[Sequence[Deal]] = ()
    ) -> list[SimulatedGames]:
        """Play all points and return the sums of each variant.

        Args:
            progress: Called after each point.
            deals: For each variant, the deals whose games are also summed separately.
        """
        simulated = []
        for v, cell in enumerate(self.cells):
            simulated.append(self._simulate_cell(v, cell, deals[v] if deals else (), progress))
        return simulated

    def _generate_batches(self, cell: Variant, games: int) -> Iterator[GameBatch]:
        """Yield the games of each point, box by box, so that few boxes are held at a time."""
        base = get_base_strategy(cell)
        players = [seat_players_at_level(cell, float(level), base) for level in self.levels]
        for b, values in enumerate(self.boxes):
            box = fill_box(cell, values)
            assert box is not None
            for s, seats in enumerate(players):
                engine = Engine(cell.game, box, seats)
                yield GameBatch(engine, self.effort.seed, 0, games, tag=(b, s))

    def _simulate_cell(
        self, v: int, cell: Variant, deals: Sequence[Deal], progress: Progress
    ) -> SimulatedGames:
        shape = len(self.boxes), len(self.levels), len(self.numbers)
        whole = SimulatedGames.zeros(cell, *shape)
        by_deal = [SimulatedGames.zeros(cell, *shape) for _ in deals]
        endings_by_side: list[set[int]] = [set(), set()]
        batches = self._generate_batches(cell, self.games_per_point)
        for i, result in enumerate(self.backend.run_batches(batches)):
            rows = result.rows
            won = is_won(cell.game, result.rows)
            whole.add_rows(result.batch.tag, rows, won, self.numbers)
            for games, deal in zip(by_deal, deals, strict=True):
                has_deal = np.all([rows[column] == value for column, value in deal], axis=0)
                games.add_rows(result.batch.tag, rows[:, has_deal], won[has_deal], self.numbers)
            for side in (0, 1):
                endings_by_side[side].update(np.unique(rows[ENDING][won == bool(side)]).tolist())
            progress(
                cell.label_text or "every level",
                (v + (i + 1) / self.n_points) / len(self.cells),
                self.games_per_point / max(result.seconds, 1e-9),
            )
        losing, winning = map(frozenset, endings_by_side)
        parts = [replace(games, winning=winning, losing=losing) for games in by_deal]
        return replace(whole, winning=winning, losing=losing, by_deal=tuple(parts))
