"""Candidates for a seat on the same games: what training and its final measurement play."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product, takewhile

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.contract import SCORES, WINNERS, Game
from hardmode.sim.play.backends import Order, crew
from hardmode.sim.play.engine import Engine, Player
from hardmode.studies.core.run import engine, player

SPAN = 50  # games that a thread plays before it looks up
WHOLE = 840  # a won game, where a share of it is what counts: up to eight winners share it without remainder
WIN_RATE, SCORE, SEAT_SHARE = GOALS = ("win_rate", "score", "seat_share")
MEAN, WORST = OVER = ("mean", "worst")

Weights = tuple[float, ...]


class Interrupted(Exception):
    """Somebody asked to stop while trials were played."""


@dataclass(frozen=True)
class Outcomes:
    """By candidate, cell and game: how many won when the seat won, or the other way round; its score; the hash of
    all that came out."""

    winners: np.ndarray
    won: np.ndarray
    score: np.ndarray
    mark: np.ndarray

    def value(self, goal: str) -> np.ndarray:
        """What each game was worth, as a whole number."""
        if goal == SCORE:
            return self.score.astype(np.int64)
        if goal == SEAT_SHARE:
            return self.won * (WHOLE // np.maximum(self.winners, 1).astype(np.int64))
        return self.won.astype(np.int64)

    def keys(self, goal: str, over: str) -> np.ndarray:
        """By what each candidate is judged: the goal over all cells or in the worst, then wins, then score."""
        cells = self.value(goal).sum(axis=2)
        first = cells.min(axis=1) if over == WORST else cells.sum(axis=1)
        return np.stack(
            [
                first,
                cells.sum(axis=1),
                *(x.sum(axis=(1, 2), dtype=np.int64) for x in (self.won, self.score)),
            ],
            axis=1,
        )


@dataclass(frozen=True)
class Lineup:
    """A cell with its players, and at which seats the candidate sits."""

    cell: Variant
    made: Engine
    seats: tuple[int, ...]

    def seating(self, weights: Weights) -> Engine:
        who = [
            replace(p, weights=weights) if s in self.seats else p
            for s, p in enumerate(self.made.players)
        ]
        return Engine(self.cell.game, self.made.filled, who)


class Trials:
    """Plays candidates for the same seats of the same cells, on the same games."""

    def __init__(self, game: Game, threads: int = 0) -> None:
        self.game, self.crew, self.decisions = game, crew(threads), 0

    def play(
        self,
        places: Sequence[Lineup],
        candidates: Sequence[Weights],
        seed: int,
        lo: int,
        hi: int,
        asked: threading.Event | None = None,
    ) -> Outcomes:
        """Games lo..hi-1 of every cell with every candidate."""
        shape = len(candidates), len(places), hi - lo
        found = Outcomes(
            np.zeros(shape, np.uint8),
            np.zeros(shape, np.uint8),
            np.zeros(shape, np.int32),
            np.zeros(shape, np.uint64),
        )
        engines = [[place.seating(weights) for place in places] for weights in candidates]
        spans = [(at, min(at + SPAN, hi)) for at in range(lo, hi, SPAN)]
        orders = (
            Order(engines[i][j], seed, *span, about=(i, j))
            for i, j, span in product(range(shape[0]), range(shape[1]), spans)
        )
        for order, rows, marks, decisions, _ in self.crew.rows(
            takewhile(lambda _: not (asked and asked.is_set()), orders)
        ):
            i, j = order.about
            at, seat = (i, j, slice(order.lo - lo, order.hi - lo)), places[j].seats[0]
            found.won[at] = (rows[WINNERS] >> seat) & 1
            found.winners[at] = np.bitwise_count(rows[WINNERS])
            found.score[at] = rows[SCORES + seat] if self.game.scored else 0
            found.mark[at] = marks
            self.decisions += decisions
        if asked and asked.is_set():
            raise Interrupted
        return found


def seated(
    cell: Variant, who: Player, seats: tuple[int, ...], rival: Player | None = None
) -> Lineup:
    """A cell with a player at these seats; at the others a rival, or those of the scenario."""
    line_up = [
        who if s in seats else rival or player(cell.game.name, spec)
        for s, spec in enumerate(cell.strategies)
    ]
    return Lineup(cell, engine(cell, line_up), seats)
