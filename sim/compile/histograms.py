"""Compiled counting of blocks of games: histograms of all columns, and sums by group.

Both count in a flat array of bins: for each value (or pair of values) from the lowest on, one bin
for each ending.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from hardmode.sim.compile.cache import compile_cached
from hardmode.sim.contract import ENDING, ROUNDS, WINNERS

SUM_NAMES = ("games", "wins", "rounds", "rounds_squared", "score", "score_squared")
NO_COLUMN = -1  # instead of a column that a group lacks; also the value of an empty seat


class GroupSpec(NamedTuple):
    """How to group games, and what to sum.

    Attributes:
        factor: Column by whose values games are grouped.
        other_factor: Second such column, or NO_COLUMN.
        score_column: Column of the score that is summed.
        winner_mask: Bits of the seats of which one must have won for a win.
        taken_column: Column that is NO_COLUMN where the seat is empty and the game does not count;
            NO_COLUMN if all games count.
    """

    factor: int
    other_factor: int
    score_column: int
    winner_mask: int
    taken_column: int = NO_COLUMN


@dataclass(frozen=True)
class ValueRange:
    """Lowest value (`low`) and number of values (`width`) of each column."""

    low: np.ndarray
    width: np.ndarray

    @classmethod
    def from_blocks(cls, blocks: Sequence[np.ndarray]) -> ValueRange:
        """Return the range of the values in blocks of shape (columns, games)."""
        low = np.min([rows.min(axis=1) for rows in blocks], axis=0).astype(np.int64)
        high = np.max([rows.max(axis=1) for rows in blocks], axis=0)
        return cls(low, high - low + 1)


def count_column_values(
    blocks: Sequence[np.ndarray], value_range: ValueRange, n_endings: int
) -> tuple[np.ndarray, ...]:
    """Count how often each value of each column came with each ending.

    Returns:
        Four arrays: column, value, ending and number of games of each combination that came.
    """
    starts = _find_starts(value_range.width * n_endings)
    bins = np.zeros(starts[-1], np.int64)
    for rows in blocks:
        _compile_loops().count_values(rows, value_range.low, starts, n_endings, bins)
    used = np.flatnonzero(bins)
    column = np.searchsorted(starts, used, side="right") - 1
    offset = used - starts[column]
    value = value_range.low[column] + offset // n_endings
    return column, value, offset % n_endings, bins[used]


def sum_by_group(
    blocks: Sequence[np.ndarray],
    value_range: ValueRange,
    n_endings: int,
    groups: Sequence[GroupSpec],
) -> tuple[np.ndarray, ...]:
    """Sum games, wins, rounds and scores by the values of each group's factors and by ending.

    Returns:
        Five arrays: index of the group, value of its factor, value of its other factor (0 without
        one), ending, and the sums (a row each, columns as in SUM_NAMES).
    """
    specs = np.array(groups, np.int64).reshape(-1, len(GroupSpec._fields))
    factor, other = specs[:, 0], specs[:, 1]
    other_width = np.where(other == NO_COLUMN, 1, value_range.width[other])
    other_low = np.where(other == NO_COLUMN, 0, value_range.low[other])
    starts = _find_starts(value_range.width[factor] * other_width * n_endings)
    bins = np.zeros((starts[-1], len(SUM_NAMES)), np.int64)
    low, width = value_range.low, value_range.width
    for rows in blocks:
        _compile_loops().sum_groups(rows, low, width, specs, starts, n_endings, bins)
    used = np.flatnonzero(bins[:, 0])
    group = np.searchsorted(starts, used, side="right") - 1
    offset = used - starts[group]
    pair = offset // n_endings
    value = low[factor[group]] + pair // other_width[group]
    other_value = other_low[group] + pair % other_width[group]
    return group, value, other_value, offset % n_endings, bins[used]


def _find_starts(sizes: np.ndarray) -> np.ndarray:
    """Return where parts of these sizes start one after another, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes)])


class _Loops(NamedTuple):
    count_values: Any
    sum_groups: Any


@cache
def _compile_loops() -> _Loops:
    rows = types.Array(types.int32, 2, "C", readonly=False)
    array, table = types.int64[::1], types.int64[:, ::1]
    count_signature = types.void(rows, array, array, types.int64, array)
    sum_signature = types.void(rows, array, array, table, array, types.int64, table)
    return _Loops(
        compile_cached(_count_values, count_signature, name="tally values"),
        compile_cached(_sum_groups, sum_signature, name="tally sums"),
    )


def _count_values(rows: Any, low: Any, starts: Any, n_endings: int, bins: Any) -> None:
    for column in range(rows.shape[0]):
        start = starts[column]
        for game in range(rows.shape[1]):
            value = rows[column, game] - low[column]
            bins[start + value * n_endings + rows[ENDING, game]] += 1


def _sum_groups(
    rows: Any, low: Any, width: Any, groups: Any, starts: Any, n_endings: int, bins: Any
) -> None:
    # to find all bins first and to sum afterwards is twice as fast as both in one loop
    bin_of = np.empty(rows.shape[1], np.int64)
    for g in range(len(groups)):
        factor, other = groups[g, 0], groups[g, 1]
        score, winners, taken = groups[g, 2], groups[g, 3], groups[g, 4]
        step = n_endings if other == NO_COLUMN else n_endings * width[other]
        for game in range(rows.shape[1]):
            value = rows[factor, game] - low[factor]
            bin_of[game] = starts[g] + value * step + rows[ENDING, game]
        if other != NO_COLUMN:
            for game in range(rows.shape[1]):
                bin_of[game] += (rows[other, game] - low[other]) * n_endings
        for game in range(rows.shape[1]):
            if taken != NO_COLUMN and rows[taken, game] == NO_COLUMN:
                continue
            index = np.uint64(bin_of[game])
            rounds, points = np.int64(rows[ROUNDS, game]), np.int64(rows[score, game])
            bins[index, 0] += 1
            bins[index, 1] += np.int64(rows[WINNERS, game] & winners != 0)
            bins[index, 2] += rounds
            bins[index, 3] += rounds * rounds
            bins[index, 4] += points
            bins[index, 5] += points * points
