"""Candidates for a seat on the same games: what training and its final measurement play."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from queue import SimpleQueue

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.contract import SCORES, WINNERS, Game
from hardmode.sim.desks import DECISIONS
from hardmode.sim.engine import Desk, Engine, Player, columns
from hardmode.studies.play import engine, player

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
        return np.stack([first, cells.sum(axis=1), *(x.sum(axis=(1, 2), dtype=np.int64) for x in (
            self.won, self.score))], axis=1)


@dataclass(frozen=True)
class Lineup:
    """A cell with its players, and at which seats the candidate sits."""

    cell: Variant
    made: Engine
    seats: tuple[int, ...]

    def seating(self, weights: Weights) -> Engine:
        who = [replace(p, weights=weights) if s in self.seats else p for s, p in enumerate(self.made.players)]
        return Engine(self.cell.game, self.made.box, who)


class Trials:
    """Plays candidates for the same seats of the same cells, on the same games."""

    def __init__(self, game: Game, threads: int = 0) -> None:
        self.game, self.threads, self.decisions = game, threads or os.cpu_count() or 1, 0
        self._desks: SimpleQueue[Desk] = SimpleQueue()
        for _ in range(self.threads):
            self._desks.put(Desk(game))

    def play(self, places: Sequence[Lineup], candidates: Sequence[Weights], seed: int, lo: int, hi: int,
             asked: threading.Event | None = None) -> Outcomes:
        """Games lo..hi-1 of every cell with every candidate."""
        shape = len(candidates), len(places), hi - lo
        found = Outcomes(np.zeros(shape, np.uint8), np.zeros(shape, np.uint8), np.zeros(shape, np.int32),
                         np.zeros(shape, np.uint64))
        engines = [[place.seating(weights) for place in places] for weights in candidates]
        spans = [(at, min(at + SPAN, hi)) for at in range(lo, hi, SPAN)]

        def one(job: tuple[int, int, tuple[int, int]]) -> int:
            i, j, (first, last) = job
            if asked and asked.is_set():
                return 0
            at, seat = (i, j, slice(first - lo, last - lo)), places[j].seats[0]
            rows, decisions = self._rows(engines[i][j], seed, first, last, found.mark[at])
            found.won[at] = (rows[WINNERS] >> seat) & 1
            found.winners[at] = np.bitwise_count(rows[WINNERS])
            found.score[at] = rows[SCORES + seat] if self.game.scored else 0
            return decisions

        with ThreadPoolExecutor(self.threads) as pool:
            self.decisions += sum(pool.map(one, product(range(shape[0]), range(shape[1]), spans)))
        if asked and asked.is_set():
            raise Interrupted
        return found

    def _rows(self, made: Engine, seed: int, lo: int, hi: int, marks: np.ndarray) -> tuple[np.ndarray, int]:
        desk, out = self._desks.get(), columns(self.game, hi - lo)
        try:
            desk.totals[:] = 0
            made.play(desk, seed, lo, hi, out, marks=marks)
            return np.asarray(out), int(desk.totals[DECISIONS])
        finally:
            self._desks.put(desk)


def seated(cell: Variant, who: Player, seats: tuple[int, ...], rival: Player | None = None) -> Lineup:
    """A cell with a player at these seats; at the others a rival, or those of the scenario."""
    line_up = [who if s in seats else rival or player(cell.game.name, spec) for s, spec in enumerate(cell.strategies)]
    return Lineup(cell, engine(cell, line_up), seats)
