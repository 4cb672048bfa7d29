"""Sums by keys, against counting by hand; and as a frame of polars adds them up."""

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardmode.sim.results.group_table import GroupTable, TableColumns

COLUMNS = TableColumns(("who", "value"), frozenset({"who"}), ("games", "wins"))
VALUES = st.integers(-3, 3) | st.sampled_from([-2**63, 2**62, 2**63 - 1])  # as no game has; a damaged file may
ROWS = st.lists(st.tuples(st.sampled_from("bac"), VALUES, st.integers(0, 9), st.integers(0, 2**62)),
                max_size=12)


def of(rows):
    names = (*COLUMNS.keys, *COLUMNS.sums)
    return GroupTable.from_columns(COLUMNS, {name: [row[i] for row in rows] for i, name in enumerate(names)})


def by_hand(rows, key):
    games, wins = Counter(), Counter()
    for row in rows:
        games[key(row)] += row[2]
        wins[key(row)] += row[3] % 2**40
    return {k: (games[k], wins[k]) for k in sorted(games)}


@given(ROWS, ROWS)
def test_sums_are_what_one_counts_by_hand(some, more):
    some, more = ([(*row[:3], row[3] % 2**40) for row in rows] for rows in (some, more))
    table = of(some).combine_with(of(more)).to_columns()
    assert dict(zip(zip(table["who"], table["value"], strict=True),
                    zip(table["games"], table["wins"], strict=True), strict=True)) \
        == by_hand(some + more, lambda row: row[:2])
    keys = list(zip(table["who"], table["value"], strict=True))
    assert keys == sorted(keys)
    alone = of(some).where_name("who", "a").group_by("value")
    assert dict(zip(alone["value"].tolist(), alone["wins"].tolist(), strict=True)) \
        == {k: wins for k, (_, wins) in by_hand([r for r in some if r[0] == "a"], lambda row: row[1]).items()}
    assert of(some).list_names("who") == sorted({row[0] for row in some})


def test_polars_adds_up_alike():
    rows = [("b", 1, 2, 3), ("a", 1, 5, 1), ("b", 1, 1, 1), ("b", -1, 7, 0)]
    frame = pl.DataFrame(rows, schema=["who", "value", "games", "wins"], orient="row")
    summed = frame.group_by("who", "value").agg(pl.col("games", "wins").sum()).sort("who", "value")
    assert of(rows).to_columns() == summed.to_dict(as_series=False)


@pytest.mark.parametrize("broken", [
    {"who": ["a"], "value": [1.5], "games": [1], "wins": [1]},
    {"who": ["a"], "value": [1], "games": [True], "wins": [1]},
    {"who": [3], "value": [1], "games": [1], "wins": [1]}, {"who": ["a"], "value": [1, 2], "games": [1], "wins": [1]},
    {"who": ["a"], "value": [2**80], "games": [1], "wins": [1]}, {"who": ["a"], "value": [1], "games": [1]},
    {"who": ["a"], "value": ["1"], "games": [1], "wins": [1]}])
def test_what_is_no_table_of_whole_numbers_is_refused(broken):
    with pytest.raises((ValueError, TypeError, LookupError)):
        GroupTable.from_columns(COLUMNS, broken)
