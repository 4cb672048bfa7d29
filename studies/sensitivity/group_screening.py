"""What steps do amid one another: whole boxes in which each number has taken one of its steps or none, by lot.

Every game then tells of every number: the shares of games won in all boxes are fitted by all steps at once. Lots have
nothing to do with each other, so what wins games hides nothing that loses some. What comes out is what a step does on
average over such boxes: near to what it does alone, but not the same, so it sets aside, and is never believed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from hardmode.scenarios.load import ScenarioError
from hardmode.scenarios.variant import UNUSABLE
from hardmode.sim.play.engine import Desk, Engine, columns
from hardmode.sim.play.run import Runner
from hardmode.studies.core.metric import won

AT_FIRST, TOGETHER = (
    30,
    90,
)  # steps that are taken in a box, on average: while strong ones are among them, and then
TAKEN, MOVED = (
    0.12,
    0.5,
)  # the most boxes in which one step is taken, and in which a number is moved
FEWEST, MOST, USUAL = 12, 200, 25  # games of a box
LEAST, LEAST_BOXES = 2, 1000  # boxes before anything is told: for each step, and in all
OFTEN = 5  # in so many boxes a step must have been taken
ROUND = 250  # boxes that are drawn together
STRONG = 4.5  # standard errors at which a step is known well enough, and leaves the others nearer to the box as it is


@dataclass(frozen=True)
class Effect:
    """What a step does amid others, its standard error, and in how many games it was taken."""

    value: float
    error: float
    games: int

    @property
    def p(self) -> float:
        """The chance of as much if it does nothing."""
        from scipy.special import ndtr

        return 2 * float(ndtr(-abs(self.value) / self.error))

    @property
    def strong(self) -> bool:
        return abs(self.value) > STRONG * self.error

    def little(self, most: float, errors: float) -> bool:
        """Whether it is less than so much, by so many standard errors."""
        return abs(self.value) + errors * self.error < most


class Company:
    """Steps of many numbers, taken by lot; played on luck that begins at `first`, so many games of each box."""

    def __init__(
        self, runner: Runner, steps: Sequence[tuple[str, Any]], first: int, games: int
    ) -> None:
        self.runner, self.steps, self.first, self.games = runner, steps, first, games
        self.rng = np.random.default_rng(runner.seed)
        self.taking = np.ones(len(steps), bool)
        self.boxes, self.least = 0, least(len(steps))
        self.taken, self.won = np.zeros((0, len(steps)), np.int8), np.zeros(0)

    def play(self, known: Callable[[Effect], bool], over: Callable[[], bool]) -> None:
        """Draw boxes and play them, until it is over. What is known, or strong, is taken no more."""
        judged = self.least
        while not over():
            self._round()
            if self.won.size >= judged:
                self.taking &= [not (e and (known(e) or e.strong)) for e in self.effects()]
                judged += LEAST_BOXES

    def effects(self) -> list[Effect | None]:
        """What each step does; none where too few boxes were played."""
        if self.won.size < self.least:
            return [None] * len(self.steps)
        games = self.taken.sum(axis=0, dtype=int) * self.games
        told = zip(*(column.tolist() for column in (*self._fit(), games)), strict=True)
        return [Effect(*one) if isfinite(one[1]) else None for one in told]

    def _round(self) -> None:
        lots = self._lots()
        boxes = (
            {path: after for (path, after), there in zip(self.steps, lot, strict=True) if there}
            for lot in lots
        )
        asked = (
            (
                self.runner.engine,
                (self.runner.seed, self.first + (self.boxes + i) * self.games, self.games, box),
            )
            for i, box in enumerate(boxes)
        )
        found = list(self.runner.crew.each(games_won, asked))
        self.boxes += len(lots)
        fits = [i for i, one in enumerate(found) if one is not None]
        self.taken = np.concatenate([self.taken, lots[fits]])
        self.won = np.concatenate([self.won, [found[i] / self.games for i in fits]])

    def _lots(self) -> np.ndarray:
        """Which steps are taken in each of some boxes: of one number one at most."""
        lots = np.zeros((ROUND, len(self.steps)), np.int8)
        together = AT_FIRST if self.won.size < self.least else TOGETHER
        share = min(TAKEN, together / max(1, self.taking.sum()))
        for steps in self._numbers():
            which = (self.rng.random(ROUND) / min(share, MOVED / len(steps))).astype(int)
            there = which < len(steps)
            lots[there, steps[which[there]]] = 1
        return lots

    def _numbers(self) -> list[np.ndarray]:
        """The steps of each number that are still taken."""
        found: dict[str, list[int]] = {}
        for i in np.flatnonzero(self.taking).tolist():
            found.setdefault(self.steps[i][0], []).append(i)
        return [np.array(steps) for steps in found.values()]

    def _fit(self) -> tuple[np.ndarray, np.ndarray]:
        """Least squares, with standard errors that hold whatever the spread of each box is (MacKinnon and White)."""
        from scipy.linalg import inv

        value, error = np.zeros(len(self.steps)), np.full(len(self.steps), np.inf)
        often = np.flatnonzero(self.taken.sum(axis=0, dtype=int) >= OFTEN)
        taken = np.column_stack([np.ones(self.won.size, np.int8), self.taken[:, often]]).astype(
            np.float32
        )
        each = taken @ inv((taken.T @ taken).astype(float)).astype(np.float32)
        fit = self.won @ each
        left = (self.won - taken @ fit) ** 2 / (1 - np.einsum("ij,ij->i", each, taken))
        value[often], error[often] = fit[1:], np.sqrt(np.einsum("i,ij,ij->j", left, each, each))[1:]
        return value, error


def least(steps: int) -> int:
    """The boxes before anything is told of so many steps."""
    return max(LEAST_BOXES, LEAST * steps)


def games_won(
    made: Engine, desk: Desk, seed: int, lo: int, games: int, numbers: Mapping[str, Any]
) -> int | None:
    """How many games are won with other numbers in the box; none where that is no game."""
    try:
        box = made.game.filled({**made.numbers, **numbers})
    except (*UNUSABLE, ScenarioError):
        return None
    out = columns(made.game, games)
    Engine(made.game, box, made.players).play(desk, seed, lo, lo + games, out)
    return int(won(made.game, np.asarray(out)).sum())
