"""Differences of rates where there is little or nothing to compare."""

from math import isnan

import pytest

from hardmode.studies.stats.estimates import newcombe_difference, newcombe_paired_difference, wilson_rate


@pytest.mark.parametrize("games", [(0, 0, 5, 9), (3, 7, 0, 0), (0, 0, 0, 0)])
def test_without_games_on_one_side_a_difference_may_be_anything(games):
    found = newcombe_difference(*games, confidence=0.9)
    assert isnan(found.value) and (found.low, found.high) == (-1.0, 1.0)
    assert (found.n, found.confidence) == (games[1] + games[3], 0.9)


def test_without_pairs_a_difference_may_be_anything():
    found = newcombe_paired_difference(0, 0, 0, 0)
    assert isnan(found.value) and (found.low, found.high, found.n) == (-1.0, 1.0, 0)


@pytest.mark.parametrize("table", [(40, 10, 0, 0), (0, 0, 10, 40), (30, 0, 10, 0), (0, 10, 0, 30)])
def test_a_side_that_always_wins_or_loses_tells_nothing_about_how_pairs_go_together(table):
    """The interval is then that of independent games."""
    both, only_a, only_b, _ = table
    n = sum(table)
    paired = newcombe_paired_difference(*table)
    apart = newcombe_difference(both + only_a, n, both + only_b, n)
    assert (paired.value, paired.low, paired.high) == pytest.approx((apart.value, apart.low, apart.high))
    assert paired.n == n and paired.low < paired.value < paired.high


@pytest.mark.parametrize("k, n", [(-1, 5), (6, 5)])
def test_more_successes_than_games_are_no_rate(k, n):
    with pytest.raises(ValueError, match=f"{k} of {n} is not a rate"):
        wilson_rate(k, n)
