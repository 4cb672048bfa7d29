"""Where drawn boxes are played: each box a few games in two halves, whose luck has nothing in common.

What two halves agree on is the box's, what they differ in is chance: a product of one half with the other is on average
free of the noise of the games. All boxes of a row play the same games, so that what differs between them is small.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

import numpy as np

from hardmode.scenarios.change import apply
from hardmode.scenarios.load import ScenarioError, Variant
from hardmode.scenarios.variant import UNUSABLE
from hardmode.sim.contract import WINNERS, Values
from hardmode.sim.engine import Desk, Engine, Player, columns
from hardmode.sim.records import blank, readable
from hardmode.sim.run import Runner
from hardmode.studies.play import Effort, engine
from hardmode.studies.unknowns import Drawn, values

FEWEST, MOST = 12, 200  # games of a half
TRIED = 100  # games that the pace is judged by
REPAID = 1  # a half is played for so many times as long as its box takes to fill

Filled = np.ndarray
T = TypeVar("T")
R = TypeVar("R")


class Seated(NamedTuple):
    """A cell, and who plays it."""

    cell: Variant
    players: Sequence[Player]


class BoxCells:
    """Some cells that share a box, filled with what is drawn, and played."""

    def __init__(self, seated: Sequence[Seated], effort: Effort, half: int = 0) -> None:
        self.seated, self.seed = seated, effort.seed
        runner = Runner(engine(seated[0].cell, seated[0].players), effort.seed, threads=effort.threads)
        self.threads = runner.threads
        self.desks: SimpleQueue[Desk] = SimpleQueue()
        for _ in range(self.threads):
            self.desks.put(Desk(seated[0].cell.game))
        self.half = half or self._sensible()

    def _sensible(self) -> int:
        """As many games as repay the filling of a box."""
        begun = time.perf_counter()
        box = self.filled({})
        filling, begun = time.perf_counter() - begun, time.perf_counter()
        assert box is not None
        self._won(0, box, 0, TRIED)
        return int(np.clip(REPAID * filling * TRIED / (time.perf_counter() - begun), FEWEST, MOST))

    def filled(self, drawn: Drawn, cell: int = 0) -> Filled | None:
        """The box of a cell with what is drawn, and what the cell changes in it; none where that is no game."""
        one = self.seated[cell].cell
        numbers, box = values(one.leaves, drawn), blank(one.game.box)
        try:
            for change in one.changes:
                apply(numbers, change, one.leaves)
            one.game.fill(readable(box), Values(numbers))
        except (*UNUSABLE, ScenarioError):
            return None
        return box

    def halves(self, cell: int, box: Filled, row: int) -> np.ndarray:
        """The share of games won in each half of a row."""
        lo, mid, hi = (self.half * n for n in (2 * row, 2 * row + 1, 2 * row + 2))
        won = self._won(cell, box, lo, hi)
        return np.array([won[:mid - lo].mean(), won[mid - lo:].mean()])

    def _won(self, cell: int, box: Filled, lo: int, hi: int) -> np.ndarray:
        one, players = self.seated[cell]
        rows, desk = columns(one.game, hi - lo), self.desks.get()
        try:
            Engine(one.game, box, players).play(desk, self.seed, lo, hi, rows)
        finally:
            self.desks.put(desk)
        winners = np.asarray(rows)[WINNERS]
        return np.asarray((winners & 1 if one.game.competitive else winners) != 0, float)

    def all(self, work: Callable[[T], R], jobs: Sequence[T]) -> list[R]:
        """The answers of all jobs, done side by side."""
        with ThreadPoolExecutor(self.threads) as pool:
            waiting = [pool.submit(work, job) for job in jobs]
            try:
                return [one.result() for one in waiting]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
