"""Where drawn boxes are played: each box a few games in two halves, whose luck has nothing in common.

What two halves agree on is the box's, what they differ in is chance: a product of one half with the other is on average
free of the noise of the games. All boxes of a row play the same games, so that what differs between them is small.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from hardmode.scenarios.change import apply
from hardmode.scenarios.load import ScenarioError, Variant
from hardmode.scenarios.variant import UNUSABLE
from hardmode.sim.contract import WINNERS, Filled
from hardmode.sim.crew import Order, Threads, crew
from hardmode.sim.engine import Engine, Player
from hardmode.studies.play import Effort, engine
from hardmode.studies.unknowns import Drawn, values

FEWEST, MOST = 12, 200  # games of a half
TRIED = 100  # games that the pace is judged by
REPAID = 1  # a half is played for so many times as long as its box takes to fill


class Job(NamedTuple):
    """A drawn box that is to play the games of a row in one of the cells; filled, where it is already."""

    cell: int
    row: int
    drawn: Drawn
    box: Filled | None = None


class Seated(NamedTuple):
    """A cell, and who plays it."""

    cell: Variant
    players: Sequence[Player]


class BoxCells:
    """Some cells that share a box, filled with what is drawn, and played."""

    def __init__(self, seated: Sequence[Seated], effort: Effort, half: int = 0) -> None:
        self.seated, self.effort, self.seed = seated, effort, effort.seed
        self.crew = crew(effort.threads)
        engine(seated[0].cell, seated[0].players)  # compiles what is not there yet
        self.half = half or self._sensible()

    def _sensible(self) -> int:
        """As many games as repay the filling of a box."""
        begun = time.perf_counter()
        box = self.filled({})
        filling = time.perf_counter() - begun
        assert box is not None
        tried = Threads(1).answer(self._order(0, box, 0, TRIED))
        return int(np.clip(REPAID * filling * TRIED / tried.seconds, FEWEST, MOST))

    def filled(self, drawn: Drawn, cell: int = 0) -> Filled | None:
        """The box of a cell with what is drawn, and what the cell changes in it; none where that is no game."""
        one = self.seated[cell].cell
        numbers = values(one.leaves, drawn)
        try:
            for change in one.changes:
                apply(numbers, change, one.leaves)
            return one.game.filled(numbers)
        except (*UNUSABLE, ScenarioError):
            return None

    def halves(self, jobs: Sequence[Job]) -> list[np.ndarray | None]:
        """The share of games won in each half of the row of each job; none where its box is no game."""
        found: list[np.ndarray | None] = [None] * len(jobs)
        for order, rows, *_ in self.crew.rows(self._orders(jobs)):
            won = np.asarray((rows[WINNERS] & 1 if order.made.game.competitive else rows[WINNERS]) != 0, float)
            found[order.about] = np.array([won[:self.half].mean(), won[self.half:].mean()])
        return found

    def _orders(self, jobs: Sequence[Job]) -> Iterator[Order]:
        for i, job in enumerate(jobs):
            box = self.filled(job.drawn, job.cell) if job.box is None else job.box
            if box is not None:
                lo = 2 * self.half * job.row
                yield self._order(job.cell, box, lo, lo + 2 * self.half, i)

    def _order(self, cell: int, box: Filled, lo: int, hi: int, about: int = 0) -> Order:
        one, players = self.seated[cell]
        return Order(Engine(one.game, box, players), self.seed, lo, hi, about=about)
