"""Rows of two plausible boxes, drawn and played; and the boxes between them, with a part of one in the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from hardmode.studies.clock import Clock
from hardmode.studies.doubt_shares import Mix
from hardmode.studies.doubt_tables import BoxCells, Filled
from hardmode.studies.unknowns import Drawn, Unknowns, mixed

MOST_ROWS, LEAST_ROWS = 1000, 2
HOPELESS = 2000  # boxes without a single game


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
        self.table, self.unknowns = table, unknowns
        self.streams = [unknowns.boxes(seed), unknowns.boxes(seed + 1)]
        self.impossible = self.number = 0
        self.interrupted = False

    def played(self, everywhere: bool = True) -> Iterator[BoxPair]:
        """Rows whose boxes are played, some at a time: in every cell, or in the first alone."""
        cells = len(self.table.seated) if everywhere else 1
        while True:
            some = [(self._possible(0), self._possible(1)) for _ in range(2 * self.table.threads)]
            first, self.number = self.number, self.number + len(some)
            jobs = [(cells, first + i, *box) for i, row in enumerate(some) for box in row]
            won = self.table.all(lambda job: self._cells(*job), jobs)
            for i, ((a, _), (b, _)) in enumerate(some):
                yield BoxPair(first + i, a, b, won[2 * i], won[2 * i + 1])

    def until(self, clock: Clock, what: str, share: float) -> list[BoxPair]:
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

    def exchanged(self, row: BoxPair, parts: Sequence[Sequence[str]]) -> list[Mix]:
        """The boxes of a row with each part of one in the other."""
        mixes = [mixed(x, y, part) for part in parts for x, y in ((row.a, row.b), (row.b, row.a))]
        won = self.table.all(lambda drawn: self._one(row.number, drawn), mixes)
        return [None if ab is None or ba is None else (ab, ba) for ab, ba in zip(won[::2], won[1::2], strict=True)]

    def _possible(self, stream: int) -> tuple[Drawn, Filled]:
        for n, drawn in enumerate(self.streams[stream]):
            box = self.table.filled(drawn)
            if box is not None:
                return drawn, box
            self.impossible += 1
            if n == HOPELESS:
                break
        raise DoubtsError(f"of {HOPELESS:,} boxes drawn from the plausible ranges none is a game")

    def _cells(self, cells: int, number: int, drawn: Drawn, box: Filled) -> np.ndarray:
        """The first cell, which is filled already, and the others; what is no game there is not a number."""
        others = [self._one(number, drawn, cell) for cell in range(1, cells)]
        nothing = np.full(2, np.nan)
        return np.column_stack([self.table.halves(0, box, number),
                                *(nothing if won is None else won for won in others)])

    def _one(self, number: int, drawn: Drawn, cell: int = 0) -> np.ndarray | None:
        box = self.table.filled(drawn, cell)
        return None if box is None else self.table.halves(cell, box, number)


def of_cell(rows: Sequence[BoxPair], cell: int) -> np.ndarray:
    """(box, half)"""
    return np.array([won[:, cell] for row in rows for won in (row.won_a, row.won_b)])
