"""Rows of two plausible boxes, drawn and played; and the boxes between them, with a part of one in the other."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from hardmode.studies.core.budget import Limit
from hardmode.studies.uncertainty.box_evaluator import BoxCells, Job
from hardmode.studies.uncertainty.priors import Drawn, Unknowns, mixed
from hardmode.studies.uncertainty.sobol_from_halves import Mix

MOST_ROWS, LEAST_ROWS, LEAST_EXCHANGED = 1000, 24, 8  # a band of fewer boxes says little
TOGETHER = 8  # rows that are played side by side, at least
HOPELESS = 2000  # boxes without a single game

At = tuple[int, int]  # the number of a row, and which of its boxes


class DoubtsError(ValueError):
    """What is not known of a scenario cannot be weighed; says why."""


class BoxPair(NamedTuple):
    """Two boxes, and how each was won in every cell: (half, cell)."""

    number: int
    a: Drawn
    b: Drawn
    won_a: np.ndarray
    won_b: np.ndarray


class BoxPairs:
    """Rows of two plausible boxes, without end; those that are no games are drawn again and counted."""

    def __init__(self, table: BoxCells, unknowns: Unknowns, seed: int) -> None:
        self.table, self.unknowns, self.seed = table, unknowns, seed
        self.streams = [unknowns.boxes(seed), unknowns.boxes(seed + 1)]
        self.impossible = self.number = 0
        self.interrupted = False
        self._ahead = deque[tuple[BoxPair, int]]()  # with how many boxes were no games

    def played(self, everywhere: bool = True) -> Iterator[BoxPair]:
        """Rows whose boxes are played: in every cell, or in the first alone. Some are played ahead, as many as keep
        all who play busy; which row has which boxes does not hang on how many."""
        while True:
            if not self._ahead:
                self._ahead.extend(self._more(len(self.table.seated) if everywhere else 1))
            row, impossible = self._ahead.popleft()
            self.impossible += impossible
            yield row

    def until(self, clock: Limit, what: str, share: float) -> list[BoxPair]:
        """Rows played in every cell, until a part of the time is over or somebody stops it."""
        found: list[BoxPair] = []
        try:
            for row in islice(self.played(), MOST_ROWS):
                found.append(row)
                if clock.over(what, share) and len(found) >= LEAST_ROWS:
                    break
        except KeyboardInterrupt:
            self.interrupted = True
        return found

    def exchanged(
        self, rows: Iterable[BoxPair], parts: Sequence[Sequence[str]]
    ) -> Iterator[tuple[BoxPair, list[Mix]]]:
        """Rows with the boxes that have each part of one in the other; as many at a time as keep all busy."""
        left, abreast = iter(rows), max(1, self.table.crew.size // (2 * len(parts)))
        while some := list(islice(left, abreast)):
            won = iter(
                self.table.halves(
                    [
                        Job(0, row.number, mixed(x, y, part))
                        for row in some
                        for part in parts
                        for x, y in ((row.a, row.b), (row.b, row.a))
                    ]
                )
            )
            for row in some:
                pairs = [(next(won), next(won)) for _ in parts]
                yield row, [None if ab is None or ba is None else (ab, ba) for ab, ba in pairs]

    def _more(self, cells: int) -> Iterator[tuple[BoxPair, int]]:
        rows = range(self.number, self.number + max(TOGETHER, self.table.crew.size))
        self.number = rows.stop
        drawn = {(row, side): next(self.streams[side]) for row in rows for side in (0, 1)}
        won, missed = self._possible(drawn)
        jobs = [Job(cell, row, drawn[row, side]) for row, side in drawn for cell in range(1, cells)]
        nothing = np.full(2, np.nan)
        others = iter([nothing if one is None else one for one in self.table.halves(jobs)])
        for at in drawn:
            won[at] = np.column_stack([won[at], *islice(others, cells - 1)])
        for row in rows:
            yield BoxPair(row, drawn[row, 0], drawn[row, 1], won[row, 0], won[row, 1]), missed[row]

    def _possible(self, drawn: dict[At, Drawn]) -> tuple[dict[At, np.ndarray], Counter[int]]:
        """How boxes are won in the first cell. What is no game there is drawn again, with luck of its own."""
        luck, won, missed = dict[At, np.random.Generator](), dict[At, np.ndarray](), Counter[int]()
        while left := [at for at in drawn if at not in won]:
            found = self.table.halves([Job(0, at[0], drawn[at]) for at in left])
            for at, one in zip(left, found, strict=True):
                if one is not None:
                    won[at] = one
                    continue
                missed[at[0]] += 1
                dice = luck.setdefault(at, np.random.default_rng([self.seed, *at]))
                drawn[at] = self.unknowns.box(dice.random(self.unknowns.ends[-1]))
            if not won and missed.total() > HOPELESS:
                raise DoubtsError(
                    f"of {HOPELESS:,} boxes drawn from the plausible ranges none is a game"
                )
        return won, missed


def of_cell(rows: Sequence[BoxPair], cell: int) -> np.ndarray:
    """(box, half)"""
    return np.array([won[:, cell] for row in rows for won in (row.won_a, row.won_b)])
