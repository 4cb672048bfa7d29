"""Differences of rates where there is little or nothing to compare."""

from math import inf, isnan

import pytest
from scipy import special, stats

from hardmode.studies.stats.estimates import (
    binomial_ppf,
    newcombe_difference,
    newcombe_paired_difference,
    sample_quantile,
    student_t_mean,
    welch_difference,
    wilson_rate,
)


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


def test_a_mean_of_no_game_is_unknown_and_one_of_a_single_game_has_no_ends():
    none, one = student_t_mean(0, 0, 0), student_t_mean(1, 7, 49)
    assert isnan(none.value) and (none.low, none.high, none.n) == (-inf, inf, 0)
    assert (one.value, one.low, one.high, one.n) == (7.0, -inf, inf, 1)


def test_a_mean_lies_in_the_middle_of_its_interval():
    values = [3, 5, 10, 2]
    found = student_t_mean(4, sum(values), sum(x * x for x in values))
    assert found.value == 5.0 and found.value - found.low == pytest.approx(found.high - found.value)


def test_two_games_on_each_side_are_enough_for_a_difference_of_means():
    a, b = [1, 3], [2, 7]
    sums = [(len(x), sum(x), sum(v * v for v in x)) for x in (a, b)]
    found = welch_difference(*sums[0], *sums[1])
    reference = stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    assert (found.value, found.low, found.high) == pytest.approx((-2.5, reference.low, reference.high))
    lone = welch_difference(1, 4, 16, *sums[1])
    assert (lone.value, lone.low, lone.high) == (-0.5, -inf, inf)


def test_the_least_quantile_is_the_least_value():
    assert sample_quantile({5: 1, 9: 3}, 0.01) == 5 and sample_quantile({5: 1, 9: 3}, 0.0) == 5


def test_the_quantile_of_a_binomial_law_turns_back_what_its_distribution_says():
    for n in (1, 7, 60, 500):
        for p in (0.05, 0.5, 0.9):
            hits = [k for k in range(n) if 1e-9 < stats.binom.cdf(k, n, p) < 1 - 1e-9]
            assert [binomial_ppf(float(special.bdtr(k, n, p)), n, p) for k in hits] == hits
