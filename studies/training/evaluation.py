"""Play candidates at the same seats of the same games, for training and for its evaluation."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.scenarios.seats import SeatPlan
from hardmode.sim.contract import SCORES, WINNERS, Game
from hardmode.sim.play.backends import GameBatch, current_backend
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.studies.core.run import make_engine, make_players

BATCH_GAMES = 50  # after which an interruption is noticed
WIN_VALUE = 840  # of a game, where winners share it: up to eight winners divide it evenly
WIN_RATE, SCORE, SEAT_SHARE = GOALS = ("win_rate", "score", "seat_share")
MEAN, WORST = OVER = ("mean", "worst")  # of the cells

Weights = tuple[float, ...]


class TrainingInterruptedError(Exception):
    """Raised when the user interrupts while candidates are played."""


@dataclass(frozen=True)
class Outcomes:
    """Outcomes by candidate, cell and game.

    Attributes:
        winners: Number of winning seats.
        won: 1 where the candidate's first seat won.
        score: Score of that seat.
        outcome_hashes: Hash of everything that came of the game.
    """

    winners: np.ndarray
    won: np.ndarray
    score: np.ndarray
    outcome_hashes: np.ndarray

    def compute_goal_values(self, goal: str) -> np.ndarray:
        """Return the value of each game for a goal, as whole numbers."""
        if goal == SCORE:
            return self.score.astype(np.int64)
        if goal == SEAT_SHARE:
            return self.won * (WIN_VALUE // np.maximum(self.winners, 1).astype(np.int64))
        return self.won.astype(np.int64)

    def compute_ranking_keys(self, goal: str, over: str) -> np.ndarray:
        """Return the keys by which candidates are ranked, one row for each.

        Args:
            goal: One of `GOALS`.
            over: Whether the mean of all cells counts, or the worst cell.

        Returns:
            The goal over the cells, then its sum, then wins, then score.
        """
        by_cell = self.compute_goal_values(goal).sum(axis=2)
        total = by_cell.sum(axis=1)
        first = by_cell.min(axis=1) if over == WORST else total
        wins = self.won.sum(axis=(1, 2), dtype=np.int64)
        score = self.score.sum(axis=(1, 2), dtype=np.int64)
        return np.stack([first, total, wins, score], axis=1)


@dataclass(frozen=True)
class SeatAssignment:
    """A cell with its players, and the seats of the candidate."""

    cell: Variant
    engine: Engine
    seats: tuple[int, ...]

    def make_engine(self, weights: Weights) -> Engine:
        """Return the engine with other weights at the candidate's seats."""
        return self.seat_player(replace(self.engine.players[self.seats[0]], weights=weights))

    def seat_player(self, candidate: Player) -> Engine:
        """Return the engine with another player at the candidate's seats."""
        players = [
            candidate if seat in self.seats else player
            for seat, player in enumerate(self.engine.players)
        ]
        return Engine(self.cell.game, self.engine.filled_box, players)


class CandidateEvaluator:
    """Plays candidates on the same games.

    Attributes:
        decisions: Number of decisions of all games so far.
    """

    def __init__(self, game: Game, threads: int = 0) -> None:
        self.game, self.backend, self.decisions = game, current_backend(threads), 0

    def play_candidates(
        self,
        places: Sequence[SeatAssignment],
        candidates: Sequence[Weights],
        seed: int,
        start: int,
        stop: int,
        interrupted: threading.Event | None = None,
    ) -> Outcomes:
        """Play games start..stop-1 of every cell with every candidate.

        Args:
            places: The cells, with the seats of the candidate.
            candidates: The weights of each.
            seed: Seed of the games.
            start: Number of the first game.
            stop: Number after that of the last.
            interrupted: Set by the user's interruption.

        Raises:
            TrainingInterruptedError: The user interrupted.
        """
        engines = [[place.make_engine(weights) for place in places] for weights in candidates]
        return self.play_engines(places, engines, seed, start, stop, interrupted)

    def play_engines(
        self,
        places: Sequence[SeatAssignment],
        engines: Sequence[Sequence[Engine]],
        seed: int,
        start: int,
        stop: int,
        interrupted: threading.Event | None = None,
    ) -> Outcomes:
        """Play games start..stop-1 of every cell with engines that seat the candidates.

        Args:
            places: The cells, with the seats of the candidate.
            engines: The engine of each cell, by candidate.
            seed: Seed of the games.
            start: Number of the first game.
            stop: Number after that of the last.
            interrupted: Set by the user's interruption.

        Raises:
            TrainingInterruptedError: The user interrupted.
        """
        shape = len(engines), len(places), stop - start
        outcomes = Outcomes(
            np.zeros(shape, np.uint8),
            np.zeros(shape, np.uint8),
            np.zeros(shape, np.int32),
            np.zeros(shape, np.uint64),
        )

        def iterate_batches() -> Iterator[GameBatch]:
            for i, row in enumerate(engines):
                for j, engine in enumerate(row):
                    for first in range(start, stop, BATCH_GAMES):
                        if interrupted and interrupted.is_set():
                            return
                        last = min(first + BATCH_GAMES, stop)
                        yield GameBatch(engine, seed, first, last, tag=(i, j))

        for result in self.backend.run_batches(iterate_batches()):
            batch, rows = result.batch, result.rows
            i, j = batch.tag
            place = i, j, slice(batch.start - start, batch.stop - start)
            seat = places[j].seats[0]
            outcomes.won[place] = (rows[WINNERS] >> seat) & 1
            outcomes.winners[place] = np.bitwise_count(rows[WINNERS])
            outcomes.score[place] = rows[SCORES + seat] if self.game.scored else 0
            outcomes.outcome_hashes[place] = result.outcome_hashes
            self.decisions += result.decisions
        if interrupted and interrupted.is_set():
            raise TrainingInterruptedError
        return outcomes


def assign_seats(
    cell: Variant, player: Player, seats: tuple[int, ...], rival: Player | None = None
) -> SeatAssignment:
    """Return a cell with a player at some seats.

    Args:
        cell: The cell.
        player: The player under study.
        seats: Its seats, numbered from 0.
        rival: The player at all other seats; by default, those of the scenario.
    """
    others = [rival] * cell.players if rival else make_players(cell)
    players = SeatPlan(cell.players, seats).assign(player, others)
    return SeatAssignment(cell, make_engine(cell, players), seats)
