"""Practice turns: one kind of turn played many times, outside of any game.

What a table can log (how turns end, seconds, clues, guesses) for a list length, a way of trapping
and a way of speaking: for calibration, and to hold the model of a turn to its figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numba
import numpy as np

from hardmode.sim.compile.cache import compile_cached
from hardmode.sim.draws import LUCK, game_key, lucky
from hardmode.sim.games.trapwords.names import A, B, Cause, Kind
from hardmode.sim.games.trapwords.records import Box, Hidden, Table
from hardmode.sim.games.trapwords.round import what_holds
from hardmode.sim.games.trapwords.turn import play_turn
from hardmode.sim.records import PLAIN, Cells, blank, readable

_ENTRY: list[Any] = []


class Logged(IntEnum):
    """What is noted of a turn."""

    CAUSE, TENTHS, CLUES, GUESSES = range(4)


def turns(boxes, tables, hiddens, lucks, seed, giver, length, out):
    """Play the turn that is laid out on the table once for every column of `out`."""
    box, table, hidden, luck = boxes[0], tables[0], hiddens[0], lucks[0]
    what_holds(box, table, A)
    if length > 0:
        table.length[A] = length
    for i in range(out.shape[1]):
        lucky(luck, game_key(seed, i))
        cause = play_turn(box, table, hidden, luck, A, giver)
        out[Logged.CAUSE, i] = cause
        out[Logged.TENTHS, i] = int(table.seconds[A] * 10)
        out[Logged.CLUES, i] = table.clues[A]
        out[Logged.GUESSES, i] = table.wrong[A] + (cause == Cause.SUCCESS)


def _compiled() -> Any:
    if not _ENTRY:
        i8 = numba.int64
        records = [numba.from_dtype(d)[::1] for d in (Box, Table, Hidden, LUCK)]
        signature = numba.types.void(*records, i8, i8, i8, numba.int32[:, ::1])
        _ENTRY.append(compile_cached(turns, signature, name="trapwords practice turns"))
    return _ENTRY[0]


@dataclass(frozen=True)
class Practice:
    """What came of many turns of one kind."""

    rows: np.ndarray

    @property
    def n(self) -> int:
        return self.rows.shape[1]

    def share(self, cause: int = Cause.SUCCESS) -> float:
        return float(np.mean(self.rows[Logged.CAUSE] == cause))

    @property
    def causes(self) -> dict[str, float]:
        return {name: self.share(i) for i, name in enumerate(Cause.labels())}

    @property
    def success_seconds(self) -> np.ndarray:
        return self.rows[Logged.TENTHS, self.rows[Logged.CAUSE] == Cause.SUCCESS] / 10

    @property
    def guesses(self) -> float:
        return float(self.rows[Logged.GUESSES].mean())


def practise(box: np.ndarray, room: int, trappers: int, giver: int, n: int, *, seed: int = 1, curse: int = -1,
             monster: bool = False, length: int = 0) -> Practice:
    """n turns of team A in a room (by its place in the dungeon), cursed or before the box's monster.

    The list is as long as the room and the cards say, unless `length` says otherwise.
    The player's own skill is left out: everybody is as good as the average.
    """
    tables, hiddens, lucks = blank(Table), blank(Hidden), blank(LUCK)
    boxes = box.view(Cells) if PLAIN else box
    table, hidden, printed = readable(tables), readable(hiddens), readable(box)
    table.kind, table.round, table.seats = Kind.CLUES, 1, 2
    table.monster, table.starred = printed.monster, printed.starred
    table.position[A] = room
    table.faces[A] = int(monster)
    table.active[A] = 0 if curse < 0 else 1 << curse
    hidden.own[B].list = trappers
    hidden.skill[:] = 1.0
    rows = np.zeros((4, n), np.int32)
    _compiled()(boxes, tables, hiddens, lucks, seed, giver, length, rows)
    return Practice(rows)
