"""The counting of blocks of games, compiled: how often each value came, and sums over each group of games.

Both count in bins, one after another in a flat array: values (or pairs of values) from the lowest on, and for
each of them every ending.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from hardmode.sim.compile.cache import entry
from hardmode.sim.contract import ENDING, ROUNDS, WINNERS

SUMS = ("games", "wins", "rounds", "rounds_squared", "score", "score_squared")
NONE = -1  # no second factor; a seat that nobody took


class Group(NamedTuple):
    """By which columns games are grouped, whose score is summed, and whose win counts."""

    factor: int
    other: int
    score: int
    winners: int  # a bit for each seat
    taken: int = NONE  # a column that is NONE where this seat is empty, or no column


@dataclass(frozen=True)
class Spread:
    """Lowest value and number of values of each column of some blocks."""

    low: np.ndarray
    width: np.ndarray

    @classmethod
    def of(cls, blocks: Sequence[np.ndarray]) -> Spread:
        low = np.min([rows.min(axis=1) for rows in blocks], axis=0).astype(np.int64)
        return cls(low, np.max([rows.max(axis=1) for rows in blocks], axis=0) - low + 1)


def values(blocks: Sequence[np.ndarray], spread: Spread, endings: int) -> tuple[np.ndarray, ...]:
    """Column, value, ending and number of games, for all that came."""
    starts = _starts(spread.width * endings)
    bins = np.zeros(starts[-1], np.int64)
    for rows in blocks:
        _compiled().values(rows, spread.low, starts, endings, bins)
    busy = np.flatnonzero(bins)
    column = np.searchsorted(starts, busy, side="right") - 1
    inside = busy - starts[column]
    return column, spread.low[column] + inside // endings, inside % endings, bins[busy]


def sums(
    blocks: Sequence[np.ndarray], spread: Spread, endings: int, groups: Sequence[Group]
) -> tuple[np.ndarray, ...]:
    """Group, its value, the other's value, ending and the six sums, for all that came."""
    asked = np.array(groups, np.int64).reshape(-1, len(Group._fields))
    factor, other = asked[:, 0], asked[:, 1]
    width = np.where(other == NONE, 1, spread.width[other])
    low = np.where(other == NONE, 0, spread.low[other])
    starts = _starts(spread.width[factor] * width * endings)
    bins = np.zeros((starts[-1], len(SUMS)), np.int64)
    for rows in blocks:
        _compiled().sums(rows, spread.low, spread.width, asked, starts, endings, bins)
    busy = np.flatnonzero(bins[:, 0])
    group = np.searchsorted(starts, busy, side="right") - 1
    inside = busy - starts[group]
    pair = inside // endings
    return (
        group,
        spread.low[factor[group]] + pair // width[group],
        low[group] + pair % width[group],
        inside % endings,
        bins[busy],
    )


def _starts(sizes: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes)])


class _Loops(NamedTuple):
    values: Any
    sums: Any


@cache
def _compiled() -> _Loops:
    rows, line = types.Array(types.int32, 2, "C", readonly=False), types.int64[::1]
    table = types.int64[:, ::1]
    return _Loops(
        entry(_values, types.void(rows, line, line, types.int64, line), name="tally values"),
        entry(
            _sums, types.void(rows, line, line, table, line, types.int64, table), name="tally sums"
        ),
    )


def _values(rows: Any, low: Any, starts: Any, endings: int, bins: Any) -> None:
    for column in range(rows.shape[0]):
        start = starts[column]
        for game in range(rows.shape[1]):
            bins[start + (rows[column, game] - low[column]) * endings + rows[ENDING, game]] += 1


def _sums(
    rows: Any, low: Any, width: Any, groups: Any, starts: Any, endings: int, bins: Any
) -> None:
    bin_of = np.empty(
        rows.shape[1], np.int64
    )  # found first and summed afterwards: twice as fast as both at once
    for g in range(len(groups)):
        factor, other, score, winners, taken = (
            groups[g, 0],
            groups[g, 1],
            groups[g, 2],
            groups[g, 3],
            groups[g, 4],
        )
        step = endings if other == NONE else endings * width[other]
        for game in range(rows.shape[1]):
            bin_of[game] = (
                starts[g] + (rows[factor, game] - low[factor]) * step + rows[ENDING, game]
            )
        if other != NONE:
            for game in range(rows.shape[1]):
                bin_of[game] += (rows[other, game] - low[other]) * endings
        for game in range(rows.shape[1]):
            if taken != NONE and rows[taken, game] == NONE:
                continue
            at = np.uint64(bin_of[game])
            rounds, scored = np.int64(rows[ROUNDS, game]), np.int64(rows[score, game])
            bins[at, 0] += 1
            bins[at, 1] += np.int64(rows[WINNERS, game] & winners != 0)
            bins[at, 2] += rounds
            bins[at, 3] += rounds * rounds
            bins[at, 4] += scored
            bins[at, 5] += scored * scored
