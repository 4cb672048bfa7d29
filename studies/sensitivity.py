"""Which numbers matter: each of the box one plausible step up and down, on the luck of the scenario itself.

First every number gets a few games. Those whose change alters no outcome are set aside; of the rest, again and
again the half with the widest intervals is played on. Only the width decides, never the sign or the
size of an effect, so the intervals stay honest; and up and down are rows of their own, so nothing cancels.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from hardmode.scenarios.load import ScenarioError, Variant
from hardmode.sim.contract import ENDING, ROUNDS, Game
from hardmode.sim.crew import Answer, Order
from hardmode.sim.engine import Engine
from hardmode.sim.run import Runner
from hardmode.studies import estimates
from hardmode.studies.altered import altered
from hardmode.studies.estimates import Estimate
from hardmode.studies.gate.evidence import Pairs
from hardmode.studies.headline import won
from hardmode.studies.play import Effort, engine
from hardmode.studies.progress import Progress, silent
from hardmode.studies.steps import neighbours
from hardmode.studies.who import BESIDE, by_steady

SECONDS = 45.0
MOST = 200_000  # games of one number
SCREEN, FEWEST = 1000, 60  # games of the first pass
SCREEN_TIME = 0.3  # the share of the time that it should take
PATIENCE = 2  # so many times the time is the most it may take
GROWTH = 4  # so many times as many games has a number that is played on
BLOCK = 2048
TRY = 200  # games from which the pace is judged
LEADING = 10  # numbers that are shown first, and beside which `steady` is shown


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
    length: list[int] = field(default_factory=lambda: [0, 0])  # sum of differences, of their squares
    endings: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))  # how much more often each came
    read: bool = True  # whether the filled box is another one
    refused: str = ""
    won: int = 0  # of the same games, as they are
    changes: Mapping[str, Any] | None = None  # what is changed, where it is more than one number

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


@dataclass
class Sensitivity:
    cell: Variant
    seed: int
    confidence: float
    numbers: list[Number]  # what could be played
    refused: list[Number] = field(default_factory=list)
    unvaried: list[str] = field(default_factory=list)  # names and lists of names: there is no step
    games: int = 0  # of the scenario itself
    interrupted: bool = False
    steady: dict[tuple[str, str], Number] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        return self.cell.game

    @cached_property
    def level(self) -> float:
        return estimates.simultaneous(self.confidence, max(1, len(self.numbers)))

    def difference(self, number: Number) -> Estimate:
        """What the step does to the win rate, in an interval that holds together with those of all others."""
        if not number.read:
            return Estimate(0.0, 0.0, 0.0, self.games, self.confidence)
        if not number.games:
            return Estimate(float("nan"), -1.0, 1.0, 0, self.confidence)
        low, high = Pairs(number.games, number.gained, number.lost).bounds((1 - self.level) / 2)
        return Estimate(number.value, float(low), float(high), number.games, self.confidence)

    def by_steady(self, number: Number) -> Estimate | None:
        """What the step does where `steady` plays, if that was played."""
        other = self.steady.get((number.path, str(number.after)))
        return self.difference(other) if other else None

    def length(self, number: Number) -> Estimate:
        total, squares = number.length
        return estimates.mean(number.games, total, squares, self.level)

    @cached_property
    def matters(self) -> list[Number]:
        """Those of which at most one in twenty does nothing (Benjamini and Hochberg), the strongest first."""
        from statsmodels.stats.multitest import multipletests

        if not self.numbers:
            return []
        found = multipletests([n.p for n in self.numbers], 1 - self.confidence, method="fdr_bh")[0]
        return sorted((n for n, one in zip(self.numbers, found, strict=True) if one), key=lambda n: -abs(n.value))

    @cached_property
    def unread(self) -> list[str]:
        """Numbers whose steps leave the box that is played as it was."""
        return self._all(lambda n: not n.read)

    @cached_property
    def silent(self) -> list[str]:
        """Numbers that reach the box, and none of whose steps changed a game that was played."""
        return [p for p in self._all(lambda n: not n.read or (n.games > 0 and not n.differing)) if p not in self.unread]

    @property
    def dead(self) -> list[str]:
        return [*self.unread, *self.silent]

    @property
    def unresolved(self) -> list[Number]:
        """Changes that alter games, but not so that a difference of the win rate is shown; the widest first."""
        gone, shown = set(self.dead), {id(n) for n in self.matters}
        return sorted((n for n in self.numbers if n.path not in gone and id(n) not in shown and n.read),
                      key=lambda n: -self.bound(n))

    def bound(self, number: Number) -> float:
        found = self.difference(number)
        return max(-found.low, found.high)

    def _all(self, holds: Any) -> list[str]:
        paths = dict.fromkeys(n.path for n in self.numbers)
        return [p for p in paths if all(holds(n) for n in self.numbers if n.path == p)]


def sensitivity(cell: Variant, effort: Effort, seconds: float | None = SECONDS,
                progress: Progress = silent, total: int | None = None) -> Sensitivity:
    """Play every number of the cell one step away, each on at most `effort.games` games, for about `seconds`; or on
    so many in `total`, and then nothing depends on the machine."""
    numbers, unvaried = _numbers(cell)
    effort = effort.on(None)
    other = by_steady(cell)
    lead = 1 - BESIDE if other else 1.0
    table = Table(cell, effort, seconds * lead if seconds else None, progress, _part(total, lead))
    table.play(numbers)
    made = Sensitivity(cell, effort.seed, effort.confidence, [n for n in numbers if not n.refused],
                       [n for n in numbers if n.refused], unvaried, table.games, table.interrupted)
    if other and not table.interrupted:
        made.steady = _leading(made, Table(other, effort, seconds * (1 - lead) if seconds else None, progress,
                                            _part(total, 1 - lead)))
    return made


def _part(total: int | None, share: float) -> int | None:
    return None if total is None else int(total * share)


def _numbers(cell: Variant) -> tuple[list[Number], list[str]]:
    found = {path: neighbours(leaf, cell.values[path]) for path, leaf in cell.leaves.items()}
    return ([Number(path, cell.values[path], there) for path, others in found.items() for there in others],
            [path for path, others in found.items() if not others])


def _leading(made: Sensitivity, table: Table) -> dict[tuple[str, str], Number]:
    """The leading numbers once more, played by somebody else."""
    numbers = [Number(n.path, n.before, n.after) for n in made.matters[:LEADING]]
    table.play(numbers)
    return {(n.path, str(n.after)): n for n in numbers if n.games}


class Table:
    """Where all changes of one cell are played against the cell itself."""

    block = BLOCK  # games that are played at once

    def __init__(self, cell: Variant, effort: Effort, seconds: float | None, progress: Progress,
                 total: int | None = None) -> None:
        self.cell, self.effort, self.progress, self.seconds, self.total = cell, effort, progress, seconds, total
        self.own = engine(cell)
        self.runner = Runner(self.own, effort.seed, threads=effort.threads)
        self.begun, self.interrupted = time.perf_counter(), False
        self.rows, self.marks = self.runner.marked(0, min(TRY, effort.games))
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
        self._stage([(n, self._screen(len(numbers))) for n in numbers], screening=True)
        live = [n for n in numbers if n.differing]
        while not self._over():
            going = sorted((n for n in live if n.games < self.effort.games), key=lambda n: -n.width)
            jobs = [(n, min(GROWTH * n.games, self.effort.games)) for n in going[:(len(going) + 1) // 2]]
            jobs = self._borne(jobs, sum(n.games for n in numbers))
            if not jobs:
                break
            self._stage(jobs)

    def _borne(self, jobs: list[tuple[Number, int]], spent: int) -> list[tuple[Number, int]]:
        """The first of these, as many as the games that are left bear."""
        if self.total is None:
            return jobs
        more = np.cumsum([upto - n.games for n, upto in jobs])
        return jobs[:int(np.searchsorted(more, self.total - spent, side="right"))]

    def _screen(self, count: int) -> int:
        games = self.total if self.seconds is None else self.seconds * self.pace
        wanted = SCREEN if games is None else SCREEN_TIME * games / max(1, count)
        return int(min(self.effort.games, max(FEWEST, min(SCREEN, wanted))))

    def _stage(self, jobs: Sequence[tuple[Number, int]], screening: bool = False) -> None:
        """Play each number on to so many games; the first pass is whole if it can be, later ones end with the time."""
        self._base(max((upto for _, upto in jobs), default=0))
        for answer in self.runner.crew.rows(self._orders(jobs, screening)):
            at, number = answer.order.about
            self._count(number, answer)
            self._tell(at / len(jobs), screening)

    def _orders(self, jobs: Sequence[tuple[Number, int]], screening: bool) -> Iterator[Order]:
        patience = PATIENCE if screening else 1
        for i, (number, upto) in enumerate(jobs):
            made, lo = None if self._over(patience) else self.changed(number), number.games
            while made and lo < upto and not self._over(patience):
                hi = min(upto, lo + self.block)
                yield Order(made, self.effort.seed, lo, hi, about=(i, number))
                lo = hi

    def _tell(self, stage: float, screening: bool) -> None:
        share = (time.perf_counter() - self.begun) / self.seconds if self.seconds else stage
        self.progress("first pass" if screening else "what changes games", min(share, 0.99))

    def _over(self, patience: float = 1) -> bool:
        return self.seconds is not None and time.perf_counter() - self.begun > patience * self.seconds

    def _base(self, upto: int) -> None:
        if upto > self.games:
            rows, marks = self.runner.marked(self.games, upto)
            self.rows, self.marks = np.concatenate([self.rows, rows], axis=1), np.concatenate([self.marks, marks])

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
        return Engine(cell.game, box, self.own.players) if cell.players == self.cell.players else engine(cell)

    def _count(self, number: Number, answer: Answer) -> None:
        lo, hi, game = answer.order.lo, answer.order.hi, self.cell.game
        now, before = answer.rows, self.rows[:, lo:hi]
        has, had = (won(game, part) for part in (now, before))
        number.won += int(had.sum())
        number.gained += int((has & ~had).sum())
        number.lost += int((had & ~has).sum())
        number.differing += int((answer.marks != self.marks[lo:hi]).sum())
        longer = now[ROUNDS].astype(np.int64) - before[ROUNDS]
        number.length = [number.length[0] + int(longer.sum()), number.length[1] + int((longer * longer).sum())]
        kinds = len(game.all_endings)
        more = np.bincount(now[ENDING], minlength=kinds) - np.bincount(before[ENDING], minlength=kinds)
        number.endings = number.endings + more if number.endings.size else more
        number.games = hi


def _bytes(box: np.ndarray) -> np.ndarray:
    return box.view(np.ndarray).view(np.uint8)


def by_path(numbers: Iterable[Number]) -> dict[str, list[Number]]:
    """The steps of each number together, in the order of the first of them."""
    found: dict[str, list[Number]] = {}
    for number in numbers:
        found.setdefault(number.path, []).append(number)
    return found
