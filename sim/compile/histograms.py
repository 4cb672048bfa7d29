"""Compiled counting of blocks of games: histograms of all columns, and sums by group.

Both count in a flat array of bins. A column, or a group, has a row of bins: one for each of its
values (or pairs of values) and each ending.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from hardmode.sim.compile.cache import compile_cached
from hardmode.sim.contract import ENDING, ROUNDS, WINNERS
from hardmode.sim.records import blank, rule

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


# How to group games, and where the bins of a group are: `step` and `other_step` bins lie between
# one value of a factor and the next.
_LAYOUT_FIELDS = ("start", "stop", "low", "step", "other_low", "other_width", "other_step")
_GROUP_FIELDS = (*GroupSpec._fields, *_LAYOUT_FIELDS)
_GROUP = np.dtype([(name, "i8") for name in _GROUP_FIELDS])
_SUMS = np.dtype([(name, "i8") for name in SUM_NAMES])


def _lay_out_bins(
    value_range: ValueRange,
    n_endings: int,
    specs: Sequence[GroupSpec],
) -> np.ndarray:
    """Return a record of each group that says where its bins are."""
    groups = blank(_GROUP, len(specs))
    columns = np.array(specs).reshape(-1, len(GroupSpec._fields))
    for i, name in enumerate(GroupSpec._fields):
        groups[name] = columns[:, i]
    low, width = value_range.low, value_range.width
    factor = groups["factor"]
    other = groups["other_factor"]
    is_pair = other != NO_COLUMN
    groups["low"] = low[factor]
    groups["other_low"] = np.where(is_pair, low[other], 0)
    groups["other_width"] = np.where(is_pair, width[other], 1)
    groups["other_step"] = np.where(is_pair, n_endings, 0)
    groups["other_factor"] = np.where(is_pair, other, factor)
    groups["step"] = groups["other_width"] * n_endings
    sizes = width[factor] * groups["step"]
    groups["stop"] = np.cumsum(sizes)
    groups["start"] = groups["stop"] - sizes
    return groups


def count_column_values(
    blocks: Sequence[np.ndarray], value_range: ValueRange, n_endings: int
) -> tuple[np.ndarray, ...]:
    """Count how often each value of each column came with each ending.

    Returns:
        Four arrays: column, value, ending and number of games of each combination that came.
    """
    low = value_range.low
    sizes = value_range.width * n_endings
    stops = np.cumsum(sizes)
    starts = stops - sizes
    bins = np.zeros(stops[-1], np.int64)
    count_values = _compile_count()
    for rows in blocks:
        count_values(rows, low, starts, n_endings, bins)
    used = np.flatnonzero(bins)
    column = np.searchsorted(stops, used, side="right")
    value, ending = np.divmod(used - starts[column], n_endings)
    value += low[column]
    return column, value, ending, bins[used]


def sum_by_group(
    blocks: Sequence[np.ndarray],
    value_range: ValueRange,
    n_endings: int,
    specs: Sequence[GroupSpec],
) -> tuple[np.ndarray, ...]:
    """Sum games, wins, rounds and scores by the values of each group's factors and by ending.

    Returns:
        Five arrays: index of the group, value of its factor, value of its other factor (0 without
        one), ending, and the sums (a row each, columns as in SUM_NAMES).
    """
    groups = _lay_out_bins(value_range, n_endings, specs)
    bins = blank(_SUMS, groups["stop"].max(initial=0))
    sum_groups = _compile_sum()
    for rows in blocks:
        sum_groups(rows, groups, bins)
    used = np.flatnonzero(bins["games"])
    index = np.searchsorted(groups["stop"], used, side="right")
    group = groups[index]
    pair, ending = np.divmod(used - group["start"], n_endings)
    value, other_value = np.divmod(pair, group["other_width"])
    value += group["low"]
    other_value += group["other_low"]
    sums = bins[used].view(np.int64)
    return index, value, other_value, ending, sums.reshape(-1, len(SUM_NAMES))


@cache
def _compile_count() -> Any:
    rows = types.int32[:, ::1]
    array = types.int64[::1]
    signature = types.void(rows, array, array, types.int64, array)
    return compile_cached(_count_values, signature, name="tally values")


@cache
def _compile_sum() -> Any:
    rows = types.int32[:, ::1]
    groups = numba.from_dtype(_GROUP)[::1]
    bins = numba.from_dtype(_SUMS)[::1]
    signature = types.void(rows, groups, bins)
    return compile_cached(_sum_groups, signature, name="tally sums")


def _count_values(rows, low, starts, n_endings, bins):
    endings = rows[ENDING]
    for column in range(len(rows)):
        values = rows[column]
        lowest = low[column]
        start = starts[column]
        for game in range(len(values)):
            offset = (values[game] - lowest) * n_endings
            bins[start + offset + endings[game]] += 1


def _sum_groups(rows, groups, bins):
    bin_of = np.empty(rows.shape[1], np.uint64)
    for i in range(len(groups)):
        # to find all bins first and to sum afterwards is twice as fast as both in one loop
        _find_bins(rows, groups[i], bin_of)
        _add_games(rows, groups[i], bin_of, bins)


@rule
def _find_bins(rows, group, bin_of):
    """Write the number of each game's bin."""
    start = group.start
    low = group.low
    step = group.step
    other_low = group.other_low
    other_step = group.other_step
    factors = rows[group.factor]
    others = rows[group.other_factor]
    endings = rows[ENDING]
    for game in range(len(bin_of)):
        offset = (factors[game] - low) * step
        offset += (others[game] - other_low) * other_step
        bin_of[game] = start + offset + endings[game]


@rule
def _add_games(rows, group, bin_of, bins):
    """Add each game that counts to its bin."""
    seats = group.winner_mask
    winners = rows[WINNERS]
    rounds = rows[ROUNDS]
    scores = rows[group.score_column]
    taken = rows[max(group.taken_column, 0)]
    all_count = group.taken_column == NO_COLUMN
    for game in range(len(bin_of)):
        if all_count or taken[game] != NO_COLUMN:
            n_rounds = np.int64(rounds[game])
            score = np.int64(scores[game])
            sums = bins[bin_of[game]]
            sums.games += 1
            sums.wins += winners[game] & seats != 0
            sums.rounds += n_rounds
            sums.rounds_squared += n_rounds * n_rounds
            sums.score += score
            sums.score_squared += score * score
