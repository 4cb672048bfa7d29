"""Train a value function by expert iteration, and measure the player that searches with it.

Generations alternate: the player of the last generation plays games, and the network is fitted to
their positions (Anthony, Tian and Barber, Thinking fast and slow with deep learning and tree
search, NeurIPS 2017). In the first generation the strategy below plays alone.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from hardmode.sim.contract import ROUNDS, WINNERS
from hardmode.sim.play.backends import JobArguments
from hardmode.sim.play.player import Player
from hardmode.sim.play.value_network import Network, select_fields
from hardmode.sim.play.value_samples import sample_positions
from hardmode.sim.play.values import ValueFunction, make_layout
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.strategies import registry
from hardmode.studies.core.progress import Progress
from hardmode.studies.training.evaluation import (
    SCORE,
    CandidateEvaluator,
    Outcomes,
    SeatAssignment,
    TrainingInterruptedError,
)
from hardmode.studies.training.optimizer import TRAIN, TrainingTask, TrainingTerms, derive_seed
from hardmode.studies.training.replay_log import ReplayLog
from hardmode.studies.training.search_space import TrainingError

GAMES = 1500  # of a generation
FIRST_FACTOR = 40  # times as many are played in the first generation
MEASURED_SHARE = 20  # of these games are a unit of the final evaluation
EVALUATION_COST = 3  # of the final evaluation and one more generation, in generations
TRIALS, TRIALS_DIVISOR = 32, 8  # of a decision in training: at least, and beside those in play
EXPLORATION, FIRST_EXPLORATION = 0.05, 0.15  # shares of random decisions
FIRST_TRACE, LAST_TRACE = 0.95, 0.75  # shares of what games brought, beside what search expected
TRACE_GENERATIONS = 20  # after which the share is halfway from the first to the last
SHARE_GENERATIONS = 3  # after which the latest network is half of the average
USES = 1_500_000  # positions used in a fit, with repetitions
MAX_EPOCHS = 10.0
# Of samples whose targets searches found: in so many parts, between which targets are renewed.
SEARCHED_EPOCHS, SWEEPS = 100.0, 4
MAX_POSITIONS = 400_000  # of a generation
MAX_NUMBERS = 32_000_000  # of all these positions
MAX_KEPT_NUMBERS = 2_000_000  # of positions of earlier generations that are used again
CHUNKS = 16  # of the games of a generation, each played by one thread
PILOT_GAMES, PILOT_POSITIONS, LONG_GAME = 20, 4000, 50
LONG_DISCOUNT = 0.95  # a round, in games for points of more than `LONG_GAME` rounds
LONG_TRACE = 0.5  # by which the share of what games brought is multiplied there
SCORE_WEIGHT = 1e-4  # of a point beside a win


class Sample(NamedTuple):
    """Positions of the games of a generation.

    Attributes:
        positions: The fields of each position in a row.
        rests: What is gained from each position on, without what is gained from the next on if the
            next follows.
        follows: 1 for each position whose target depends on the value of the next.
    """

    positions: np.ndarray
    rests: np.ndarray
    follows: np.ndarray

    def compute_targets(self, network: Network, factor: float = 1.0) -> np.ndarray:
        """Return the rests with a multiple of the values that a network gives to what follows."""
        places = np.flatnonzero(self.follows)
        targets = self.rests.copy()
        if places.size:
            targets[places] += factor * network.predict(self.positions[places + 1])
        return targets


class ValueTraining:
    """One training of a value function.

    Attributes:
        generations: Number of generations so far.
        games: Number of games asked for so far.
        network: The average of the networks of the latest generations, by which the player
            searches.
    """

    def __init__(
        self,
        task: TrainingTask,
        terms: TrainingTerms,
        progress: Progress,
        interrupted: threading.Event,
        log: ReplayLog,
    ) -> None:
        self.task, self.terms, self.progress = task, terms, progress
        self.interrupted, self.log = interrupted, log
        self.game = task.scenario.game
        self.evaluator = CandidateEvaluator(self.game, terms.threads)
        self.own = task.assign_seats()
        self.pool = [self.own]
        self.games_per_cell = max(1, terms.games // (MEASURED_SHARE * len(self.own)))
        self.generations = self.games = 0
        self.curve: dict[int, float] = {}
        self.network: Network | None = None
        self._latest: Network | None = None  # as it was fitted last
        self._kept: list[Sample] = []  # of the last generations
        self._seed = derive_seed(terms.seed, TRAIN)
        self._kind = self._choose_kind()

    @property
    def start(self) -> Player:
        """The player before training."""
        return self.task.player

    def run(self) -> None:
        """Train until the budget is spent or the user interrupts."""
        self.log.start_clock()
        try:
            while not self._is_budget_spent():
                self._run_generation()
        except TrainingInterruptedError:
            pass

    def _is_budget_spent(self) -> bool:
        """Return whether there is no budget for another generation and the final evaluation."""
        terms = self.terms
        if terms.generations is not None:
            return self.generations >= terms.generations
        if terms.time_limit is None or self.log.has_next or self.generations < 2:
            return False
        spent = self.log.seconds
        return spent + EVALUATION_COST * spent / self.generations > terms.time_limit

    def play(
        self,
        candidates: Sequence[Player],
        purpose: int,
        start: int,
        stop: int,
        places: Sequence[SeatAssignment] | None = None,
    ) -> Outcomes:
        """Play games of every cell, by default against the scenario's own players.

        Args:
            candidates: The players.
            purpose: What the games are for.
            start: Number of the first game.
            stop: Number after that of the last.
            places: The cells and seats; by default, `own`.
        """
        places = places or self.own
        engines = [[place.seat_player(player) for place in places] for player in candidates]
        seed = derive_seed(self.terms.seed, purpose)
        return self.evaluator.play_engines(places, engines, seed, start, stop)

    def _choose_kind(self) -> ValueFunction:
        """Return a value function without a network, with the utilities and the turn of all."""
        engine = self.own[0].engine
        rows = allocate_rows(self.game, PILOT_GAMES)
        engine.play(Workspace(self.game), self._seed, 0, PILOT_GAMES, rows)
        winners, rounds = np.asarray(rows)[[WINNERS, ROUNDS]]
        is_for_points = self.terms.goal == SCORE or bool((winners == winners[0]).all())
        is_long = is_for_points and rounds.mean() > LONG_GAME
        discount = LONG_DISCOUNT if is_long and self.game.scored else 1.0
        win_weight = 1.0
        score_weight = SCORE_WEIGHT if self.game.scored else 0.0
        if self.terms.goal == SCORE:
            win_weight, score_weight = 0.0, 1.0
        return ValueFunction(
            (),
            b"",
            win_weight,
            score_weight,
            discount,
            tuple(registry.list_turn_fields(self.game.name)),
            tuple(registry.list_judged_kinds(self.game.name)),
            self.terms.rounds,
        )

    def _make_layout(self, names: Sequence[str]) -> np.ndarray:
        """Return what says which fields of positions are recorded."""
        knots = tuple((name, ()) for name in names)
        return make_layout(self.game, replace(self._kind, knots=knots))

    def make_player(self, trials: int) -> Player:
        """Return the player that searches with the values so far."""
        if not self.network:
            return self.task.player
        values = self.network.make_values(self._kind)
        return replace(self.task.player, values=values, rollout_budget=trials)

    def _run_generation(self) -> None:
        """Play games, and fit the network to their positions."""
        *texts, positions, rests, follows = self.log.get_or_compute(self._compute_generation)
        self._latest, self.network = map(Network.from_text, texts)
        shape = -1, len(self.network.names)
        numbers = _decode(positions, "<i4").reshape(shape)
        self._keep(Sample(numbers, _decode(rests, "<f8"), _decode(follows, "<i8")))
        self.games += self.terms.games * (1 if self.generations else FIRST_FACTOR)
        self.generations += 1
        seconds = self.log.seconds
        share = seconds / (self.terms.time_limit or 1)
        if self.terms.generations is not None:
            share = self.generations / self.terms.generations
        pace = self.games / max(seconds, 1e-9)
        self.progress(f"generation {self.generations}", 0.9 * min(1.0, share), pace)

    def _keep(self, sample: Sample) -> None:
        """Keep a sample for the next generations, and drop the oldest ones.

        Where nothing follows, the first half of the generations is not used again, whose players
        were weaker. What is too large for the log is not kept.
        """
        self._kept.append(sample)
        is_stale = not sample.follows.any()
        size = sum(kept.positions.size for kept in self._kept)
        while self._kept and (
            size > MAX_KEPT_NUMBERS or (is_stale and 2 * len(self._kept) > self.generations)
        ):
            size -= self._kept.pop(0).positions.size

    def _compute_generation(self) -> list[str]:
        """Return the network that is fitted to new games, the average, and the sample, as text."""
        names = self.network.names if self.network else self._select_fields()
        sample = self._sample(names)
        joined = Sample(*map(np.concatenate, zip(*self._kept, sample, strict=True)))
        if self.network and self._latest:
            latest, average = self._latest, self.network
            latest.place_knots_anew(joined.positions)
            average.place_knots_anew(joined.positions)
        else:
            latest = Network.begin(names, joined.positions, joined.rests)
            average = Network.from_text(latest.to_text())
        has_followers = bool(sample.follows.any())
        sweeps = SWEEPS if has_followers else 1
        most = SEARCHED_EPOCHS if has_followers else MAX_EPOCHS
        epochs = min(most, USES / joined.rests.size) / sweeps
        for sweep in range(sweeps):
            targets = joined.compute_targets(latest)
            seed = self._seed + sweeps * self.generations + sweep
            latest.fit(joined.positions, targets, epochs, self.generations, seed)
        share = 1.0 if has_followers else 1 / (1 + self.generations / SHARE_GENERATIONS)
        average.mix_in(latest, share)
        is_kept = self.generations > 0 and sample.positions.size <= MAX_KEPT_NUMBERS
        texts = [_encode(part if is_kept else part[:0]) for part in sample]
        return [latest.to_text(), average.to_text(), *texts]

    def _select_fields(self) -> list[str]:
        names = registry.list_value_fields(self.game.name)
        places = self.own
        layout = self._make_layout(names)
        games = self._seed, 0, self.terms.games
        how = layout, games, PILOT_POSITIONS, 1.0, FIRST_EXPLORATION
        jobs = [(place.engine, (place.seats, *how)) for place in places]
        keep_constant = self._kind.rounds > 0  # they tell which games the values are learned for
        return select_fields(names, self._run_jobs(jobs).positions, keep_constant)

    def _sample(self, names: list[str]) -> Sample:
        """Play the games of a generation, and return their positions."""
        player = self.make_player(max(TRIALS, self.terms.trials // TRIALS_DIVISOR))
        engines = [place.seat_player(player) for place in self.own]
        layout = self._make_layout(names)
        n_jobs = CHUNKS * len(engines)
        capacity = min(MAX_POSITIONS, MAX_NUMBERS // len(names)) // n_jobs
        n_games = max(1, self.terms.games // n_jobs)
        exploration = EXPLORATION
        trace_share = LAST_TRACE + (FIRST_TRACE - LAST_TRACE) / (
            1 + self.generations / TRACE_GENERATIONS
        )
        if self._kind.discount < 1 or self._kind.turn_fields:
            trace_share *= LONG_TRACE
        if not self.network:  # without search games are fast
            n_games *= FIRST_FACTOR
            exploration = FIRST_EXPLORATION
        if self._kind.rounds:  # rollouts lead to positions as they are in play
            exploration, trace_share = 0.0, 1.0
        jobs = []
        for c in range(CHUNKS):
            first = ((self.generations + FIRST_FACTOR) * CHUNKS + c) * n_games
            games = self._seed, first, first + n_games
            for engine, place in zip(engines, self.own, strict=True):
                values = place.seats, layout, games, capacity, trace_share, exploration
                jobs.append((engine, values))
        sample = self._run_jobs(jobs)
        if not self.network:
            return sample
        return sample._replace(rests=sample.compute_targets(self.network, -1.0))

    def _run_jobs(self, jobs: Sequence[JobArguments]) -> Sample:
        """Return the positions of all jobs, with whole targets in place of rests.

        Raises:
            TrainingError: No position was met.
            TrainingInterruptedError: The user interrupted.
        """
        parts = []
        for part in self.evaluator.backend.map_jobs(sample_positions, jobs):
            if self.interrupted.is_set():
                raise TrainingInterruptedError
            parts.append(part)
        sample = Sample(*map(np.concatenate, zip(*parts, strict=True)))
        if not sample.rests.size:
            raise TrainingError(
                f"{self.game.title} asks for no decision in the games tried: nothing can be learnt"
            )
        return sample


def _encode(array: np.ndarray) -> str:
    """Return the numbers of an array as text."""
    return base64.b64encode(array.tobytes()).decode()


def _decode(text: str, dtype: str) -> np.ndarray:
    """Return the array that a text of `_encode` stands for."""
    return np.frombuffer(base64.b64decode(text), dtype)
