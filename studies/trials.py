"""Candidates for a seat on the same games: what training and its final measurement play."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.contract import SCORES, WINNERS
from hardmode.sim.engine import Desk, Engine, Player, columns
from hardmode.sim.kernel import DECISIONS
from hardmode.studies.play import engine, player

SPAN = 50  # games that a thread plays before it looks up

Weights = tuple[float, ...]


class Interrupted(Exception):
    """Somebody asked to stop while trials were played."""


class Outcomes(NamedTuple):
    """By candidate, cell and game: whether the seat won, and its score."""

    won: np.ndarray
    score: np.ndarray

    @property
    def wins(self) -> np.ndarray:
        return self.won.sum(axis=(1, 2), dtype=np.int64)

    @property
    def points(self) -> np.ndarray:
        return self.score.sum(axis=(1, 2), dtype=np.int64)


@dataclass(frozen=True)
class Place:
    """A cell with its players, and at which seats the candidate sits."""

    cell: Variant
    made: Engine
    seats: tuple[int, ...]

    @property
    def judged(self) -> int:
        return self.seats[0]

    def seating(self, weights: Weights) -> Engine:
        who = [replace(p, weights=weights) if s in self.seats else p for s, p in enumerate(self.made.players)]
        return Engine(self.cell.game, self.made.box, who)


class Trials:
    """Plays candidates for the same seats of the same cells, on the same games."""

    def __init__(self, places: Sequence[Place], threads: int = 0) -> None:
        self.places, self.game = places, places[0].cell.game
        self.threads = threads or os.cpu_count() or 1
        self._desks: SimpleQueue[Desk] = SimpleQueue()
        for _ in range(self.threads):
            self._desks.put(Desk(self.game))
        self.decisions = 0

    def play(self, candidates: Sequence[Weights], seed: int, lo: int, hi: int,
             asked: threading.Event | None = None) -> Outcomes:
        """Games lo..hi-1 of every cell with every candidate."""
        shape = len(candidates), len(self.places), hi - lo
        found = Outcomes(np.zeros(shape, np.uint8), np.zeros(shape, np.int32))
        engines = [[place.seating(weights) for place in self.places] for weights in candidates]
        spans = [(at, min(at + SPAN, hi)) for at in range(lo, hi, SPAN)]

        def one(job: tuple[int, int, tuple[int, int]]) -> int:
            i, j, (first, last) = job
            if asked and asked.is_set():
                return 0
            rows, decisions = self._rows(engines[i][j], seed, first, last)
            at, seat = slice(first - lo, last - lo), self.places[j].judged
            found.won[i, j, at] = (rows[WINNERS] >> seat) & 1
            found.score[i, j, at] = rows[SCORES + seat] if self.game.scored else 0
            return decisions

        with ThreadPoolExecutor(self.threads) as pool:
            self.decisions += sum(pool.map(one, product(range(shape[0]), range(shape[1]), spans)))
        if asked and asked.is_set():
            raise Interrupted
        return found

    def _rows(self, made: Engine, seed: int, lo: int, hi: int) -> tuple[np.ndarray, int]:
        desk, out = self._desks.get(), columns(self.game, hi - lo)
        try:
            desk.totals[:] = 0
            made.play(desk, seed, lo, hi, out)
            return np.asarray(out), int(desk.totals[DECISIONS])
        finally:
            self._desks.put(desk)


def seated(cell: Variant, who: Player, seats: tuple[int, ...]) -> Place:
    """A cell with a player at these seats, and those of the scenario at the others."""
    line_up = [who if s in seats else player(cell.game.name, spec) for s, spec in enumerate(cell.strategies)]
    return Place(cell, engine(cell, line_up), seats)
