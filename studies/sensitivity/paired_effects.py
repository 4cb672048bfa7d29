"""Changes of one cell, each played against the cell itself on the same luck; whose interval is widest gets more games.

Only the width decides, never the sign or the size of an effect, so the intervals stay honest.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hardmode.scenarios.load import ScenarioError, Variant
from hardmode.sim.contract import ENDING, ROUNDS, SCORES
from hardmode.sim.play.backends import Answer, Order
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import Runner
from hardmode.studies.core.altered import altered
from hardmode.studies.core.metric import won
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import Effort, engine
from hardmode.studies.sensitivity.group_screening import Effect
from hardmode.studies.stats import estimates

SCREEN = 1000  # games of the first pass, at most
PATIENCE = 2  # so many times the time is the most it may take
GROWTH = 4  # so many times as many games has a number that is played on
BLOCK, STRETCH = (
    2048,
    32_768,
)  # games that are asked for at a time, of a change and of the cell itself
TRY = 200  # games from which the pace is judged
KEPT = 256 * 2**20  # bytes of boxes that are filled once, and not anew for each stage


@dataclass
class Number:
    """One number, one step away, and what that did to the games."""

    path: str
    before: Any
    after: Any
    games: int = 0
    gained: int = 0
    lost: int = 0
    differing: int = 0  # games whose outcome is not the same
    length: list[int] = field(
        default_factory=lambda: [0, 0]
    )  # sum of differences, of their squares
    endings: np.ndarray = field(
        default_factory=lambda: np.zeros(0, np.int64)
    )  # how much more often each came
    read: bool = True  # whether the filled box is another one
    refused: str = ""
    won: int = 0  # of the same games, as they are
    changes: Mapping[str, Any] | None = None  # what is changed, where it is more than one number
    amid: Effect | None = None  # what it does amid steps of other numbers, if that was played

    @property
    def sets(self) -> Mapping[str, Any]:
        """All numbers that are changed."""
        return self.changes or {self.path: self.after}

    @property
    def value(self) -> float:
        return (self.gained - self.lost) / self.games if self.games else 0.0

    @property
    def p(self) -> float:
        """The chance of flips as uneven as these if the change does nothing: McNemar's exact test."""
        return estimates.mcnemar(self.gained, self.lost) if self.gained + self.lost else 1.0

    @property
    def width(self) -> float:
        """How wide the interval is, up to a factor that all have in common."""
        return float(np.sqrt(self.gained + self.lost + 1) / max(self.games, 1))


class Table:
    """Where all changes of one cell are played against the cell itself."""

    block = BLOCK  # games that are played at once
    screening, fewest = (
        0.3,
        60,
    )  # the share of the time that the first pass should take, and its fewest games

    def __init__(
        self,
        cell: Variant,
        effort: Effort,
        seconds: float | None,
        progress: Progress,
        total: int | None = None,
    ) -> None:
        self.cell, self.effort, self.progress, self.seconds, self.total = (
            cell,
            effort,
            progress,
            seconds,
            total,
        )
        self.own = engine(cell)
        self.runner = Runner(self.own, effort.seed, threads=effort.threads)
        self.begun, self.interrupted, self.spent = time.perf_counter(), False, 0
        self._filled: dict[
            int, tuple[Number, Engine]
        ] = {}  # by what they are known by, which must not be given anew
        self.rows, self.marks = (
            np.zeros((SCORES, 0), np.int32),
            np.zeros(0, np.uint64),
        )  # of a row only its head
        self._base(min(TRY, effort.games))
        begun = time.perf_counter()
        self._base(min(2 * TRY, effort.games))
        self.pace = TRY / max(time.perf_counter() - begun, 1e-4)

    @property
    def games(self) -> int:
        return self.marks.size

    def play(self, numbers: Sequence[Number]) -> None:
        try:
            self._all(numbers)
        except KeyboardInterrupt:
            self.interrupted = True

    def _all(self, numbers: Sequence[Number]) -> None:
        self._stage([(n, self._screen(len(numbers))) for n in numbers], "first pass", PATIENCE)
        self._by_width([n for n in numbers if n.differing])

    def _by_width(self, live: Sequence[Number]) -> None:
        """Again and again the half with the widest intervals is played on."""
        while not self._over():
            going = sorted((n for n in live if n.games < self.effort.games), key=lambda n: -n.width)
            if not self._played_on(going[: (len(going) + 1) // 2], GROWTH):
                break

    def _played_on(self, going: Sequence[Number], growth: int) -> bool:
        """Whether any of these were played on to so many times as many games."""
        jobs = self._borne([(n, min(growth * n.games, self.effort.games)) for n in going])
        self._stage(jobs)
        return bool(jobs)

    def _borne(self, jobs: list[tuple[Number, int]]) -> list[tuple[Number, int]]:
        """The first of these, as many as the games that are left bear."""
        if self.total is None:
            return jobs
        more = np.cumsum([upto - n.games for n, upto in jobs])
        return jobs[: int(np.searchsorted(more, self.total - self.spent, side="right"))]

    def _screen(self, count: int) -> int:
        games = self.total if self.seconds is None else self.seconds * self.pace
        wanted = SCREEN if games is None else self.screening * games / max(1, count)
        return int(min(self.effort.games, max(self.fewest, min(SCREEN, wanted))))

    def _stage(
        self,
        jobs: Sequence[tuple[Number, int]],
        what: str = "what changes games",
        patience: float = 1,
    ) -> None:
        """Play each number on to so many games, or until so many times the time is over: the first pass is whole if it
        can be."""
        self._base(max((upto for _, upto in jobs), default=0))
        for answer in self.runner.crew.rows(self._orders(jobs, patience)):
            at, number = answer.order.about
            self._count(number, answer)
            self._tell(what, at / len(jobs))

    def _orders(self, jobs: Sequence[tuple[Number, int]], patience: float) -> Iterator[Order]:
        for i, (number, upto) in enumerate(jobs):
            made, lo = None if self._over(patience) else self._made(number), number.games
            while made and lo < upto and not self._over(patience):
                hi = min(upto, lo + self.block)
                yield Order(made, self.effort.seed, lo, hi, about=(i, number))
                lo = hi

    def _tell(self, what: str, stage: float) -> None:
        share = (time.perf_counter() - self.begun) / self.seconds if self.seconds else stage
        self.progress(what, min(share, 0.99))

    def _past(self, share: float, more: int) -> bool:
        """Whether so large a share of all is played, these games too."""
        return self._over(share) if self.total is None else self.spent + more >= share * self.total

    def _games_left(self) -> float:
        if self.total is not None:
            return self.total - self.spent
        return self.pace * (self.begun + (self.seconds or 0) - time.perf_counter())

    def _over(self, patience: float = 1) -> bool:
        return (
            self.seconds is not None and time.perf_counter() - self.begun > patience * self.seconds
        )

    def _base(self, upto: int) -> None:
        while self.games < upto:
            rows, marks = self.runner.marked(self.games, min(upto, self.games + STRETCH))
            self.rows = np.concatenate([self.rows, rows[:SCORES]], axis=1)
            self.marks = np.concatenate([self.marks, marks])

    def _made(self, number: Number) -> Engine | None:
        """The game with the change, which is made once while there is room to keep it."""
        if id(number) in self._filled:
            return self._filled[id(number)][1]
        made = self.changed(number)
        if made and (len(self._filled) + 1) * made.filled.nbytes <= KEPT:
            self._filled[id(number)] = number, made
        return made

    def changed(self, number: Number) -> Engine | None:
        """The game with the change; none where it is refused, or leaves the box as it was."""
        try:
            cell = altered(self.cell, number.sets)
        except ScenarioError as why:
            number.refused = str(why)
            return None
        box = cell.box
        if np.array_equal(_bytes(box), _bytes(self.own.box)) and cell.players == self.cell.players:
            number.read = False
            return None
        return (
            Engine(cell.game, box, self.own.players)
            if cell.players == self.cell.players
            else engine(cell)
        )

    def _count(self, number: Number, answer: Answer) -> None:
        lo, hi, game = answer.order.lo, answer.order.hi, self.cell.game
        now, before = answer.rows, self.rows[:, lo:hi]
        has, had = (won(game, part) for part in (now, before))
        number.won += int(had.sum())
        number.gained += int((has & ~had).sum())
        number.lost += int((had & ~has).sum())
        number.differing += int((answer.marks != self.marks[lo:hi]).sum())
        longer = now[ROUNDS].astype(np.int64) - before[ROUNDS]
        number.length = [
            number.length[0] + int(longer.sum()),
            number.length[1] + int((longer * longer).sum()),
        ]
        kinds = len(game.all_endings)
        more = np.bincount(now[ENDING], minlength=kinds) - np.bincount(
            before[ENDING], minlength=kinds
        )
        number.endings = number.endings + more if number.endings.size else more
        number.games, self.spent = hi, self.spent + hi - lo


def _bytes(box: np.ndarray) -> np.ndarray:
    return box.view(np.ndarray).view(np.uint8)


def by_path(numbers: Iterable[Number]) -> dict[str, list[Number]]:
    """The steps of each number together, in the order of the first of them."""
    found: dict[str, list[Number]] = {}
    for number in numbers:
        found.setdefault(number.path, []).append(number)
    return found
