"""Where drawn boxes are played: each box a few games in two halves, whose luck has nothing in common.

What two halves agree on is the box's, what they differ in is chance: a product of one half with the other is on average
free of the noise of the games. All boxes of a row play the same games, so that what differs between them is small.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hardmode.scenarios.load import ScenarioError, Variant
from hardmode.scenarios.overrides import apply, split
from hardmode.scenarios.variant import UNUSABLE
from hardmode.sim.contract import WINNERS
from hardmode.sim.play.backends import Order, Threads, crew
from hardmode.sim.play.engine import Desk, Engine, Player, columns
from hardmode.studies.core.run import Effort, engine
from hardmode.studies.uncertainty.priors import Drawn, values

FEWEST, MOST = 12, 200  # games of a half
TRIED = 100  # games that the pace is judged by
REPAID = 1  # a half is played for so many times as long as its box takes to fill


class Job(NamedTuple):
    """A drawn box that is to play the games of a row in one of the cells."""

    cell: int
    row: int
    drawn: Drawn


class Seated(NamedTuple):
    """A cell, and who plays it."""

    cell: Variant
    players: Sequence[Player]


class BoxCells:
    """Some cells that share a box, filled with what is drawn, and played."""

    def __init__(self, seated: Sequence[Seated], effort: Effort, half: int = 0) -> None:
        self.effort, self.crew = effort, crew(effort.threads)
        self.seated = seated
        self.made = [engine(*one) for one in seated]
        self.changed = [
            {split(change, cell.leaves)[0].path for change in cell.changes} for cell, _ in seated
        ]
        self.half = half or self._sensible()

    def _sensible(self) -> int:
        """As many games as repay the filling of a box."""
        made, begun = self.made[0], time.perf_counter()
        made.game.filled(made.numbers)
        filling = time.perf_counter() - begun
        tried = Threads(1).answer(Order(made, self.effort.seed, 0, TRIED))
        return int(np.clip(REPAID * filling * TRIED / tried.seconds, FEWEST, MOST))

    def numbers(self, drawn: Drawn, cell: int = 0) -> Drawn | None:
        """The numbers of a cell that a drawn box may have others of; none where what the cell changes does not fit."""
        one = self.seated[cell].cell
        found = values(
            {
                path: one.leaves[path]
                for path in {*drawn, *self.changed[cell]}
                if path in one.leaves
            },
            drawn,
        )
        try:
            for change in one.changes:
                apply(found, change, one.leaves)
        except (*UNUSABLE, ScenarioError):
            return None
        return found

    def halves(self, jobs: Sequence[Job]) -> list[np.ndarray | None]:
        """The share of games won in each half of the row of each job; none where its box is no game."""
        boxes = [self.numbers(job.drawn, job.cell) for job in jobs]
        asked = (
            (self.made[job.cell], (self.effort.seed, 2 * self.half * job.row, self.half, box))
            for job, box in zip(jobs, boxes, strict=True)
            if box is not None
        )
        found = iter(
            list(self.crew.each(halves, asked))
        )  # to the end: Ctrl-C is lost on what is only let go of
        return [
            None if box is None or (won := next(found)) is None else np.array(won) for box in boxes
        ]


def halves(
    made: Engine, desk: Desk, seed: int, lo: int, half: int, numbers: Drawn
) -> tuple[float, float] | None:
    """The share of games won in each of two halves, with other numbers in the box; none where that is no game."""
    try:
        box = made.game.filled({**made.numbers, **numbers})
    except (*UNUSABLE, ScenarioError):
        return None
    out = columns(made.game, 2 * half)
    Engine(made.game, box, made.players).play(desk, seed, lo, lo + 2 * half, out)
    rows = np.asarray(out)
    won = (rows[WINNERS] & 1 if made.game.competitive else rows[WINNERS]) != 0
    return float(won[:half].mean()), float(won[half:].mean())
