"""Rows of two plausible boxes, drawn and played; and the boxes between them, with a part of one in the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from hardmode.sim.contract import Filled
from hardmode.studies.clock import Limit
from hardmode.studies.doubt_shares import Mix
from hardmode.studies.doubt_tables import BoxCells, Job
from hardmode.studies.unknowns import Drawn, Unknowns, mixed

MOST_ROWS, LEAST_ROWS, LEAST_EXCHANGED = 1000, 24, 8  # a band of fewer boxes says little
TOGETHER = 8  # rows that are played side by side
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
            some = [(self._possible(0), self._possible(1)) for _ in range(TOGETHER)]
            first, self.number = self.number, self.number + len(some)
            won = self._everywhere([(first + i, *box) for i, row in enumerate(some) for box in row], cells)
            for i, ((a, _), (b, _)) in enumerate(some):
                yield BoxPair(first + i, a, b, won[2 * i], won[2 * i + 1])

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

    def exchanged(self, row: BoxPair, parts: Sequence[Sequence[str]]) -> list[Mix]:
        """The boxes of a row with each part of one in the other."""
        mixes = [mixed(x, y, part) for part in parts for x, y in ((row.a, row.b), (row.b, row.a))]
        won = self.table.halves([Job(0, row.number, drawn) for drawn in mixes])
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

    def _everywhere(self, boxes: Sequence[tuple[int, Drawn, Filled]], cells: int) -> list[np.ndarray]:
        """Boxes of a row each in the first cell, for which they are filled already, and in others; what is no game
        there is not a number."""
        jobs = [Job(cell, row, drawn, None if cell else box) for row, drawn, box in boxes for cell in range(cells)]
        nothing = np.full(2, np.nan)
        won = [nothing if one is None else one for one in self.table.halves(jobs)]
        return [np.column_stack(won[at:at + cells]) for at in range(0, len(won), cells)]


def of_cell(rows: Sequence[BoxPair], cell: int) -> np.ndarray:
    """(box, half)"""
    return np.array([won[:, cell] for row in rows for won in (row.won_a, row.won_b)])
