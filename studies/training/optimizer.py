"""One run of training: generations by CMA-ES, every candidate of one on the same games, none of them played before.

Where seats compete the rivals come from a pool, which holds those of the scenario, the start and earlier winners;
each generation meets one of them, in turn.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario
from hardmode.sim.draws import mix64
from hardmode.sim.play.engine import Player
from hardmode.strategies import registry
from hardmode.studies.core.progress import Progress
from hardmode.studies.stats import estimates
from hardmode.studies.training.evaluation import (
    MEAN,
    WIN_RATE,
    WORST,
    Interrupted,
    Lineup,
    Outcomes,
    Trials,
    Weights,
    seated,
)
from hardmode.studies.training.replay_log import Journal
from hardmode.studies.training.search_space import Space, TrainingError

GAMES = 400  # of each candidate in a generation
SECONDS = 60.0
STEP = 0.3  # how far the first candidates stray, in large steps of each weight
MEASURED = 20  # so many times the games of a candidate are played in the end, with the start and with what was found
CHOSEN = 5  # and so many times to choose among the places where the searches ended, or to say how it goes meanwhile
LOOKED = 5  # generations between two looks at luck that is not trained on
RECRUITED = 10  # generations after which a winner joins the pool
POOL = 6  # players at most: beside the scenario's and the start, the latest winners
FLAT = 3  # generations without any difference after which there is none
STEADY = "steady"
SMALLEST = 10  # candidates of a generation
SHORT = 4  # a part of the games of a candidate in which a weight that matters makes a difference
FINAL = 5 * CHOSEN + 2 * MEASURED  # what choosing and measuring take, in the games of a candidate
PILOT, PATIENCE = (
    4,
    0.1,
)  # the games of each cell by which the pace is judged at first, and how many seconds of them
TRAIN, CHOOSE, MEASURE, LOOK = 1, 2, 3, 4  # what luck is for


@dataclass(frozen=True)
class TrainingTerms:
    """How training is to go."""

    seconds: float | None = None
    generations: int | None = None
    games: int = GAMES
    seed: int = 1
    seat: int = 1
    only: Mapping[str, tuple[float, float] | None] = field(
        default_factory=dict
    )  # weights, with ranges where given
    goal: str = WIN_RATE
    over: str = MEAN
    threads: int = 0
    confidence: float = estimates.CONFIDENCE

    @property
    def budget(self) -> float | None:
        return SECONDS if self.seconds is None and self.generations is None else self.seconds


def luck(seed: int, purpose: int) -> int:
    """A seed that nobody writes down, so that no game of another command is one that was trained on."""
    with np.errstate(over="ignore"):
        return int(mix64(mix64(np.uint64(seed)) + np.uint64(purpose))) >> 1


@dataclass(frozen=True)
class Trainees:
    """Who is trained, and where: the seats of each cell."""

    scenario: Scenario
    who: Player
    seats: Sequence[tuple[int, ...]]

    @cached_property
    def contested(self) -> bool:
        """Whether there is anybody to play against."""
        cells = zip(self.scenario.cells, self.seats, strict=True)
        return self.scenario.game.competitive and any(
            cell.players > len(seats) for cell, seats in cells
        )

    def places(self, rival: Player | None = None) -> list[Lineup]:
        """Every cell, with a rival at all other seats, or with those of the scenario."""
        cells = zip(self.scenario.cells, self.seats, strict=True)
        return [seated(cell, self.who, seats, rival) for cell, seats in cells]

    def rival(self, weights: Weights) -> Player:
        return replace(self.who, weights=weights)

    @cached_property
    def steady(self) -> Player | None:
        """Against whom a player is judged where seats compete; none in a game without one."""
        game = self.scenario.game.name
        return registry.player(game, STEADY) if STEADY in registry.names(game) else None


class TrainingRun:
    """Generations until the budget is spent, with a larger population after each stagnation."""

    def __init__(
        self,
        table: Trainees,
        space: Space,
        asked: TrainingTerms,
        progress: Progress,
        interrupted: threading.Event,
        journal: Journal,
    ) -> None:
        self.table, self.space, self.asked, self.progress = table, space, asked, progress
        self.interrupted, self.journal = interrupted, journal
        self.trials = Trials(table.scenario.game, asked.threads)
        self.own = table.places()  # with the scenario's own players at the other seats
        self.pool: list[list[Lineup]] = [self.own, *self._starters()]
        self.each = max(1, -(-asked.games // len(self.own)))  # games of a candidate in each cell
        self.generations = self.games = 0
        self.curve: dict[int, float] = {}  # the share won on luck not trained on, by generation
        self._running = False
        self._flat, self._pace = (
            True,
            0.0,
        )  # whether no candidate ever differed; seconds for a game in every cell
        self._ends: list[np.ndarray] = []  # where the searches before this one came to
        self._means: list[np.ndarray] = []

    def _starters(self) -> list[list[Lineup]]:
        """The rivals with which the pool begins, beside the scenario's: the start, and `steady` if they are others."""
        if not self.table.contested:
            return []
        return [
            self.table.places(rival)
            for rival in (self.table.rival(self.space.start), self.table.steady)
            if rival
        ]

    def run(self) -> None:
        self._running = True
        try:
            self._pace = self._paced()
            for size in self._sizes():
                self._search(size)
                if self._spent(size):
                    break
        except Interrupted:
            pass
        self._running = False  # what is measured in the end is measured whole

    def play(
        self,
        candidates: Sequence[Weights],
        purpose: int,
        lo: int,
        hi: int,
        places: Sequence[Lineup] | None = None,
    ) -> Outcomes:
        """Games of every cell, by default against the scenario's own players."""
        return self.trials.play(
            places or self.own,
            candidates,
            luck(self.asked.seed, purpose),
            lo,
            hi,
            self.interrupted if self._running else None,
        )

    def _paced(self) -> float:
        """Seconds for a game, once the machine code is there; refuses what cannot be trained in the time."""
        self.play([self.space.start], TRAIN, 0, PILOT)
        if not self.trials.decisions:
            raise TrainingError(
                f"{self.trials.game.title} asks for no decision in the games tried: nothing can be "
                "learnt"
            )
        games, took = PILOT, 0.0
        while took < PATIENCE and games < self.each:
            games, begun = min(self.each, 4 * games), time.perf_counter()
            self.play([self.space.start], TRAIN, 0, games)
            took = time.perf_counter() - begun
        self.journal.begin()
        pace, size = took / games, next(self._sizes())
        needed = (size + FINAL) * self.each * pace
        if self.asked.budget is not None and needed > 2 * self.asked.budget:
            raise TrainingError(
                f"{self.asked.budget:g} seconds are too few: a generation of {size} candidates, and "
                f"measuring what it found, take about {needed:.0f}; give more seconds or fewer games"
            )
        return pace

    def _sizes(self) -> Iterator[int]:
        size = max(SMALLEST, 4 + int(3 * np.log(len(self.space.free))))
        while True:
            yield size
            size *= 2

    def _spent(self, size: int) -> bool:
        if self.asked.generations is not None and self.generations >= self.asked.generations:
            return True
        if self.asked.budget is None or not self.generations or self.journal.remembers:
            return False
        spent = self.journal.seconds
        self._pace = spent * len(self.own) / self.games
        return spent + (size + FINAL) * self.each * self._pace > self.asked.budget

    def _search(self, size: int) -> None:
        """One search by CMA-ES, from the best known so far until it stagnates or the budget is spent."""
        from cmaes import CMA

        origin = self._ends[-1] if self._ends else np.zeros(len(self.space.free))
        made = CMA(
            mean=origin,
            sigma=STEP,
            bounds=self.space.bounds,
            population_size=size,
            seed=luck(self.asked.seed, TRAIN + 16 * (1 + len(self._ends))) % 2**32,
        )
        self._means = []
        while not self._spent(size) and not made.should_stop():
            points = [made.ask() for _ in range(size)]
            made.tell(list(zip(points, self._ranks(points), strict=True)))
            self._means.append(made.mean)
            self._look()
        self._ends += self._finalists()[-1:]

    def _ranks(self, points: Sequence[np.ndarray]) -> list[float]:
        """The candidates by their worth, the best first; on games that none has played before."""
        candidates = [self.space.weights(x) for x in points]
        answer = self.journal.answer(lambda: self._generation(candidates))
        self.generations, self._flat = self.generations + 1, self._flat and answer["flat"]
        self.games += self.each * len(self.own) * len(points)
        if self._flat and self.generations in (FLAT, self.asked.generations):
            raise TrainingError(
                f"no candidate plays better than another: each wins {100 * answer['won']:.3g} % of the "
                f"games{' with the same score' if self.trials.game.scored else ''}; nothing can be "
                "learnt"
            )
        self._tell(answer["won"])
        return [float(rank) for rank in answer["ranks"]]

    def _generation(self, candidates: Sequence[Weights]) -> dict[str, Any]:
        from scipy.stats import rankdata

        lo = self.generations * self.each
        found = self.play(
            candidates, TRAIN, lo, lo + self.each, self.pool[self.generations % len(self.pool)]
        )
        _, order = np.unique(
            found.keys(self.asked.goal, self.asked.over), axis=0, return_inverse=True
        )
        return {
            "ranks": rankdata(-order.ravel()).tolist(),
            "flat": bool(np.ptp(order) == 0),
            "won": float(found.won.mean()),
        }

    def _look(self) -> None:
        """Every few generations: how the mean does on luck not trained on; and whether it joins the pool."""
        now = self.space.weights(self._means[-1])
        if self.generations % LOOKED == 0:
            self.curve[self.generations] = self.journal.answer(lambda: self._held_out(now))
        if self.table.contested and self.generations % RECRUITED == 0:
            fixed = len(self._starters()) + 1
            latest = [*self.pool[fixed:], self.table.places(self.table.rival(now))]
            self.pool = [*self.pool[:fixed], *latest[fixed - POOL :]]

    def _held_out(self, weights: Weights) -> float:
        """The share won on luck not trained on: over all cells, as many games of each, or in the worst."""
        cells = self.play([weights], LOOK, 0, self.each * CHOSEN).won[0].mean(axis=1)
        return float(cells.min() if self.asked.over == WORST else cells.mean())

    def _tell(self, won: float) -> None:
        seconds = self.journal.seconds
        share = (
            self.generations / self.asked.generations
            if self.asked.generations is not None
            else seconds / (self.asked.budget or 1)
        )
        held = (
            f"; {100 * [*self.curve.values()][-1]:.1f} % on luck not trained on"
            if self.curve
            else ""
        )
        self.progress(
            f"generation {self.generations}: {100 * won:.1f} % won{held}",
            0.9 * min(1.0, share),
            self.games / max(seconds, 1e-9),
        )

    def _finalists(self) -> list[np.ndarray]:
        """Where a search stands: its last mean, and what its means came to in its second half, which jitters less."""
        late = self._means[len(self._means) // 2 :]
        return [late[-1], np.mean(late, axis=0)] if late else []

    def best(self) -> Weights:
        """The best of where the searches came to, told apart on luck that none of them has seen."""
        points = [*self._ends, *self._finalists()]
        candidates = list(dict.fromkeys(self.space.weights(x) for x in points)) or [
            self.space.start
        ]
        if len(candidates) == 1:
            return candidates[0]
        keys = self.play(candidates, CHOOSE, 0, self.each * CHOSEN).keys(
            self.asked.goal, self.asked.over
        )
        return candidates[int(np.lexsort(keys.T[::-1])[-1])]
