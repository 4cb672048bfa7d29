"""Search for better weights by CMA-ES.

All candidates of a generation play the same games, and each generation plays games that none before
it has played. Where seats compete, the rivals come from a pool of the scenario's players, the
start, `steady` and earlier winners; each generation meets one of them, in turn.

Reference: N. Hansen, The CMA evolution strategy: a tutorial, arXiv:1604.00772. After a search
stagnates, another begins with twice as many candidates, as in A. Auger and N. Hansen, A restart CMA
evolution strategy with increasing population size, CEC 2005.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario
from hardmode.sim.draws import mix64
from hardmode.sim.play.player import Player
from hardmode.sim.play.values import DEFAULT_TRIALS
from hardmode.strategies import registry
from hardmode.studies.core.budget import Stopwatch
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.skill_levels import STEADY
from hardmode.studies.stats import estimates
from hardmode.studies.training.evaluation import (
    MEAN,
    WIN_RATE,
    WORST,
    CandidateEvaluator,
    Outcomes,
    SeatAssignment,
    TrainingInterruptedError,
    Weights,
    assign_seats,
)
from hardmode.studies.training.replay_log import ReplayLog
from hardmode.studies.training.search_space import SearchSpace, TrainingError

GAMES = 400  # of each candidate in a generation
SECONDS = 60.0
INITIAL_STEP = 0.3  # standard deviation of the first candidates, in scales of the weights
MIN_POPULATION = 10  # candidates of a generation
# In units of the games of a candidate in a generation:
FINAL_FACTOR = 20  # games by which the result is measured
SELECTION_FACTOR = 5  # games by which finalists are compared, and progress is measured
FINAL_COST = 5 * SELECTION_FACTOR + 2 * FINAL_FACTOR  # all games after the last generation
PROGRESS_INTERVAL = 5  # generations between two measurements of progress
RECRUIT_INTERVAL = 10  # generations after which a winner joins the pool
MAX_POOL = 6  # rivals: those of the scenario, the start, and the latest winners
FLAT_GENERATIONS = 3  # without any difference, after which training gives up
UNUSED_DIVISOR = 4  # a weight is unused if it changes nothing in a 4th of the games
PILOT_GAMES, PILOT_SECONDS = 4, 0.1  # by which the pace is measured at first
WEIGHTS, VALUES = METHODS = ("weights", "values")  # what is learned
TRAIN, CHOOSE, MEASURE, LOOK = 1, 2, 3, 4  # purposes of games, each with a seed of its own


class TooLittleTimeError(TrainingError):
    """Raised when not even one generation fits into the time.

    Args:
        needed_seconds: About how long one generation and the final evaluation take.
        message: What to tell the user.
    """

    def __init__(self, needed_seconds: float, message: str) -> None:
        super().__init__(message)
        self.needed_seconds = needed_seconds


@dataclass(frozen=True)
class TrainingTerms:
    """What the user asked of a training.

    The names of the attributes are part of the digest of a training.

    Attributes:
        seconds: Upper limit of the time, or None.
        generations: Number of generations, or None.
        games: Games of each candidate in a generation.
        seed: Seed of the training.
        seat: The seat that is trained, from 1 on, where seats compete.
        only: Weights that may change, with their ranges; if empty, all.
        goal: One of `evaluation.GOALS`.
        over: Whether the mean of all cells counts, or the worst cell.
        threads: Number of threads; 0 for all cores.
        confidence: Confidence of each interval.
        method: One of `METHODS`.
        trials: Trials of a player with values, at each decision.
        rounds: Rounds for which rollouts go on before a player with values judges positions; 0
            without rollouts.
    """

    seconds: float | None = None
    generations: int | None = None
    games: int = GAMES
    seed: int = 1
    seat: int = 1
    only: Mapping[str, tuple[float, float] | None] = field(default_factory=dict)
    goal: str = WIN_RATE
    over: str = MEAN
    threads: int = 0
    confidence: float = estimates.DEFAULT_CONFIDENCE
    method: str = WEIGHTS
    trials: int = DEFAULT_TRIALS
    rounds: int = 0

    @property
    def time_limit(self) -> float | None:
        """Upper limit of the seconds; None if the generations alone are limited."""
        return SECONDS if self.seconds is None and self.generations is None else self.seconds


def derive_seed(seed: int, purpose: int) -> int:
    """Return the seed of the games for a purpose, which no other command uses by chance.

    Args:
        seed: Seed of the training.
        purpose: One of `TRAIN`, `CHOOSE`, `MEASURE`, `LOOK`.
    """
    with np.errstate(over="ignore"):
        return int(mix64(mix64(np.uint64(seed)) + np.uint64(purpose))) >> 1


@dataclass(frozen=True)
class TrainingTask:
    """Who is trained, and at which seats of each cell."""

    scenario: Scenario
    player: Player
    seats: Sequence[tuple[int, ...]]

    @cached_property
    def has_rivals(self) -> bool:
        """True if others play against the trained seats."""
        cells = zip(self.scenario.cells, self.seats, strict=True)
        return self.scenario.game.competitive and any(
            cell.players > len(seats) for cell, seats in cells
        )

    def assign_seats(self, rival: Player | None = None) -> list[SeatAssignment]:
        """Return all cells with a rival at the other seats; by default, those of the scenario."""
        cells = zip(self.scenario.cells, self.seats, strict=True)
        return [assign_seats(cell, self.player, seats, rival) for cell, seats in cells]

    def with_weights(self, weights: Weights) -> Player:
        """Return the trained player with other weights."""
        return replace(self.player, weights=weights)

    @cached_property
    def steady(self) -> Player | None:
        """The player `steady` of the game, if it has one."""
        game = self.scenario.game.name
        if STEADY not in registry.list_strategies(game):
            return None
        return registry.create_player(game, STEADY)


class TrainingRun:
    """One training: searches until the budget is spent, each with twice as many candidates.

    Attributes:
        own: The cells, with the scenario's own players at the other seats.
        pool: The cells by the rivals that generations meet.
        games_per_cell: Games of a candidate in each cell.
        generations: Number of generations so far.
        games: Number of games of all generations so far.
        curve: Share won in games that are not trained on, by generation.
    """

    def __init__(
        self,
        task: TrainingTask,
        space: SearchSpace,
        terms: TrainingTerms,
        progress: Progress,
        interrupted: threading.Event,
        log: ReplayLog,
    ) -> None:
        self.task, self.space, self.terms, self.progress = task, space, terms, progress
        self.interrupted, self.log = interrupted, log
        self.evaluator = CandidateEvaluator(task.scenario.game, terms.threads)
        self.own = task.assign_seats()
        self.pool: list[list[SeatAssignment]] = [self.own, *self._list_first_rivals()]
        self.games_per_cell = max(1, -(-terms.games // len(self.own)))
        self.generations = self.games = 0
        self.curve: dict[int, float] = {}
        self._can_be_interrupted = False
        self._is_flat = True  # no two candidates have differed so far
        self._seconds_per_game = 0.0  # for a game in every cell
        self._ends: list[np.ndarray] = []  # where the searches before this one ended
        self._means: list[np.ndarray] = []  # of the generations of this search

    @property
    def start(self) -> Weights:
        """The weights before training."""
        return self.space.start

    def _list_first_rivals(self) -> list[list[SeatAssignment]]:
        """Return the cells with the rivals that the pool begins with, besides the scenario's."""
        if not self.task.has_rivals:
            return []
        rivals = (self.task.with_weights(self.space.start), self.task.steady)
        return [self.task.assign_seats(rival) for rival in rivals if rival]

    def run(self) -> None:
        """Search until the budget is spent or the user interrupts."""
        self._can_be_interrupted = True
        try:
            self._seconds_per_game = self._measure_pace()
            for population in self._iterate_population_sizes():
                self._search(population)
                if self._is_budget_spent(population):
                    break
        except TrainingInterruptedError:
            pass
        self._can_be_interrupted = False  # the final evaluation is completed in any case

    def play(
        self,
        candidates: Sequence[Weights],
        purpose: int,
        start: int,
        stop: int,
        places: Sequence[SeatAssignment] | None = None,
    ) -> Outcomes:
        """Play games of every cell, by default against the scenario's own players.

        Args:
            candidates: The weights of each candidate.
            purpose: What the games are for.
            start: Number of the first game.
            stop: Number after that of the last.
            places: The cells and seats; by default, `own`.
        """
        return self.evaluator.play_candidates(
            places or self.own,
            candidates,
            derive_seed(self.terms.seed, purpose),
            start,
            stop,
            self.interrupted if self._can_be_interrupted else None,
        )

    def _measure_pace(self) -> float:
        """Return the seconds of a game of every cell, once everything is compiled.

        Raises:
            TrainingError: The game has no decisions, or the time is too short.
        """
        self.play([self.space.start], TRAIN, 0, PILOT_GAMES)
        if not self.evaluator.decisions:
            raise TrainingError(
                f"{self.evaluator.game.title} asks for no decision in the games tried: nothing "
                "can be learnt"
            )
        games, elapsed = PILOT_GAMES, 0.0
        while elapsed < PILOT_SECONDS and games < self.games_per_cell:
            games, stopwatch = min(self.games_per_cell, 4 * games), Stopwatch()
            self.play([self.space.start], TRAIN, 0, games)
            elapsed = stopwatch.elapsed
        self.log.start_clock()
        seconds_per_game, population = elapsed / games, next(self._iterate_population_sizes())
        needed = (population + FINAL_COST) * self.games_per_cell * seconds_per_game
        limit = self.terms.time_limit
        if limit is not None and needed > 2 * limit:
            raise TooLittleTimeError(
                needed,
                f"{limit:g} seconds are too few: one generation of {population} candidates and the "
                f"final evaluation take about {needed:.0f}; give more seconds or fewer games",
            )
        return seconds_per_game

    def _iterate_population_sizes(self) -> Iterator[int]:
        size = max(MIN_POPULATION, 4 + int(3 * np.log(len(self.space.free))))
        while True:
            yield size
            size *= 2

    def _is_budget_spent(self, population: int) -> bool:
        """Return whether there is no budget for another generation and the final evaluation."""
        terms = self.terms
        if terms.generations is not None and self.generations >= terms.generations:
            return True
        if terms.time_limit is None or not self.generations or self.log.has_next:
            return False
        spent = self.log.seconds
        self._seconds_per_game = spent * len(self.own) / self.games
        games = (population + FINAL_COST) * self.games_per_cell
        return spent + games * self._seconds_per_game > terms.time_limit

    def _search(self, population: int) -> None:
        """Run CMA-ES from the end of the last search, until it stagnates or the budget is spent."""
        from cmaes import CMA

        optimizer = CMA(
            mean=self._ends[-1] if self._ends else np.zeros(len(self.space.free)),
            sigma=INITIAL_STEP,
            bounds=self.space.bounds,
            population_size=population,
            seed=derive_seed(self.terms.seed, TRAIN + 16 * (1 + len(self._ends))) % 2**32,
        )
        self._means = []
        while not self._is_budget_spent(population) and not optimizer.should_stop():
            points = [optimizer.ask() for _ in range(population)]
            optimizer.tell(list(zip(points, self._rank(points), strict=True)))
            self._means.append(optimizer.mean)
            self._finish_generation()
        self._ends += self._find_finalists()[-1:]

    def _rank(self, points: Sequence[np.ndarray]) -> list[float]:
        """Return the ranks of candidates, 1 for the best, in games that none has played before."""
        candidates = [self.space.compute_weights(point) for point in points]
        result = self.log.get_or_compute(lambda: self._play_generation(candidates))
        self.generations += 1
        self.games += self.games_per_cell * len(self.own) * len(points)
        self._is_flat = self._is_flat and result["flat"]
        if self._is_flat and self.generations in (FLAT_GENERATIONS, self.terms.generations):
            same_score = " with the same score" if self.evaluator.game.scored else ""
            raise TrainingError(
                f"no candidate plays better than another: each wins {100 * result['won']:.3g} % of "
                f"the games{same_score}; nothing can be learnt"
            )
        self._report_progress(result["won"])
        return [float(rank) for rank in result["ranks"]]

    def _play_generation(self, candidates: Sequence[Weights]) -> dict[str, Any]:
        """Play one generation; return what the replay log keeps of it."""
        from scipy.stats import rankdata

        start = self.generations * self.games_per_cell
        places = self.pool[self.generations % len(self.pool)]
        outcomes = self.play(candidates, TRAIN, start, start + self.games_per_cell, places)
        keys = outcomes.compute_ranking_keys(self.terms.goal, self.terms.over)
        _, order = np.unique(keys, axis=0, return_inverse=True)
        return {
            "ranks": rankdata(-order.ravel()).tolist(),
            "flat": bool(np.ptp(order) == 0),
            "won": float(outcomes.won.mean()),
        }

    def _finish_generation(self) -> None:
        """Every few generations, measure the mean's progress, and let it join the pool."""
        weights = self.space.compute_weights(self._means[-1])
        if self.generations % PROGRESS_INTERVAL == 0:
            self.curve[self.generations] = self.log.get_or_compute(
                lambda: self._measure_progress(weights)
            )
        if self.task.has_rivals and self.generations % RECRUIT_INTERVAL == 0:
            n_fixed = len(self._list_first_rivals()) + 1
            winner = self.task.assign_seats(self.task.with_weights(weights))
            winners = [*self.pool[n_fixed:], winner]
            self.pool = [*self.pool[:n_fixed], *winners[n_fixed - MAX_POOL :]]

    def _measure_progress(self, weights: Weights) -> float:
        """Return the share won in games that are not trained on."""
        games = self.games_per_cell * SELECTION_FACTOR
        by_cell = self.play([weights], LOOK, 0, games).won[0].mean(axis=1)
        return float(by_cell.min() if self.terms.over == WORST else by_cell.mean())

    def _report_progress(self, won: float) -> None:
        seconds = self.log.seconds
        share = seconds / (self.terms.time_limit or 1)
        if self.terms.generations is not None:
            share = self.generations / self.terms.generations
        label = f"generation {self.generations}: {100 * won:.1f} % won"
        if self.curve:
            label += f"; {100 * list(self.curve.values())[-1]:.1f} % in games not trained on"
        self.progress(label, 0.9 * min(1.0, share), self.games / max(seconds, 1e-9))

    def _find_finalists(self) -> list[np.ndarray]:
        """Return the last mean of a search, and the average of the means of its second half."""
        late = self._means[len(self._means) // 2 :]
        return [late[-1], np.mean(late, axis=0)] if late else []

    def select_best(self) -> Weights:
        """Return the best of the points where searches ended, by games that none has played."""
        points = [*self._ends, *self._find_finalists()]
        candidates = list(dict.fromkeys(self.space.compute_weights(point) for point in points))
        if not candidates:
            return self.space.start
        if len(candidates) == 1:
            return candidates[0]
        outcomes = self.play(candidates, CHOOSE, 0, self.games_per_cell * SELECTION_FACTOR)
        keys = outcomes.compute_ranking_keys(self.terms.goal, self.terms.over)
        return candidates[int(np.lexsort(keys.T[::-1])[-1])]
