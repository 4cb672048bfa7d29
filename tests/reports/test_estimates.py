"""Estimates against published values, statsmodels, and their own coverage computed exactly."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats import contingency_tables, proportion

from hardmode.studies.stats import estimates as e

COUNTS = st.integers(0, 400)


def ends(estimate):
    return pytest.approx((estimate.low, estimate.high), abs=5e-10)


def ends_of(estimate):
    return estimate.low, estimate.high


# Rates


def test_wilson_published():
    assert ends(e.wilson_rate(412_345, 1_000_000)) == (0.411380533, 0.413310140)


@given(k=st.integers(0, 5000), more=st.integers(0, 5000), confidence=st.floats(0.5, 0.9999))
def test_wilson_is_statsmodels(k, more, confidence):
    n = k + more
    if n:
        theirs = proportion.proportion_confint(k, n, alpha=1 - confidence, method="wilson")
        assert ends_of(e.wilson_rate(k, n, confidence)) == pytest.approx(theirs, abs=1e-12)


def test_a_rate_at_its_ends_and_without_games():
    assert e.wilson_rate(0, 50).low == 0.0 and e.wilson_rate(50, 50).high == 1.0
    nothing = e.wilson_rate(0, 0)
    assert math.isnan(nothing.value) and (nothing.low, nothing.high) == (0, 1)
    with pytest.raises(ValueError, match="5 of 4"):
        e.wilson_rate(5, 4)
    with pytest.raises(ValueError, match="confidence"):
        e.wilson_rate(1, 4, 95)


def test_simultaneous_shares_hold_together():
    counts, draw = np.array([0.5, 0.3, 0.15, 0.05]), np.random.default_rng(5)
    held = sum(
        all(s.low <= p <= s.high for s, p in zip(e.clopper_pearson_shares(seen.tolist()), counts, strict=True))
        for seen in draw.multinomial(400, counts, 4000)
    )
    assert stats.binom.cdf(held, 4000, 0.945) > 1e-4  # Wilson's own coverage wavers by half a per cent
    assert e.bonferroni_level(0.95, 10) == pytest.approx(0.995)
    assert e.clopper_pearson_shares([3, 7])[0].confidence == 0.95


def holding(draw, truth, intervals, runs):
    """How often all intervals hold the truth together."""
    return sum(all(i.low <= p <= i.high for i, p in zip(intervals(seen), truth, strict=True)) for seen in draw) / runs


@pytest.mark.parametrize("rare", [0.0, 0.00008, 0.0001, 0.0005])
def test_all_endings_of_a_table_hold_together_rare_ones_too(rare):
    truth = np.array([0.41, 0.3, 0.2, 0.05, *[rare] * 6, 0.04 - 6 * rare])
    seen = np.random.default_rng(11).multinomial(1000, truth, 1500)
    assert holding(seen, truth, lambda counts: e.clopper_pearson_shares(counts.tolist()), 1500) >= 0.94
    by_themselves = holding(seen, truth, lambda counts: [e.wilson_rate(k, 1000) for k in counts.tolist()], 1500)
    assert by_themselves < 0.9


def test_all_factor_rows_of_a_table_hold_together():
    won = np.array([[0.3, 0.35, 0.5], [0.2, 0.8, 0.02], [0.6, 0.001, 0.999]]).ravel()
    draw = np.random.default_rng(12)
    met = np.hstack([draw.multinomial(3000, [0.5, 0.3, 0.2], 1500) for _ in range(3)])
    seen = np.stack([draw.binomial(met, won), met], axis=2)
    assert holding(seen, won, lambda rows: e.clopper_pearson_rates([tuple(r) for r in rows.tolist()]), 1500) >= 0.94


@given(k=st.integers(0, 300), more=st.integers(0, 300), confidence=st.floats(0.5, 0.9999))
def test_exact_rates_are_statsmodels(k, more, confidence):
    if k + more:
        theirs = proportion.proportion_confint(k, k + more, alpha=1 - confidence, method="beta")
        assert ends_of(e.clopper_pearson_rate(k, k + more, confidence)) == pytest.approx(theirs, abs=1e-9)


# Differences of rates


def test_newcombe_independent_published():
    assert ends(e.newcombe_difference(56, 70, 48, 80)) == (0.052431472, 0.333872654)


@given(a=COUNTS, b=COUNTS, c=COUNTS, d=COUNTS)
def test_newcombe_independent_is_statsmodels(a, b, c, d):
    if a + b and c + d:
        ours = e.newcombe_difference(a, a + b, c, c + d)
        theirs = proportion.confint_proportions_2indep(a, a + b, c, c + d, method="newcomb")
        assert (ours.low, ours.high) == pytest.approx(theirs, abs=1e-10)


@pytest.mark.parametrize(
    ("table", "value", "low", "high"),
    [
        ((1, 1, 7, 12), -0.2857, -0.507, -0.026),  # Bentur et al. (2009), in Fagerland et al. (2014)
        ((59, 6, 16, 80), -0.0621, -0.1186, -0.0046),  # Cavo et al. (2012), R's contingencytables
    ],
)
def test_newcombe_paired_published(table, value, low, high):
    found = e.newcombe_paired_difference(*table)
    digits = 3 if table[0] == 1 else 4
    assert round(found.value, 4) == value
    assert (round(found.low, digits), round(found.high, digits)) == (low, high)


@given(a=COUNTS, b=COUNTS, c=COUNTS, d=COUNTS)
def test_paired_difference_turns_its_sign_with_the_sides(a, b, c, d):
    here, there = e.newcombe_paired_difference(a, b, c, d), e.newcombe_paired_difference(a, c, b, d)
    if here.n:
        assert (here.low, here.high) == pytest.approx((-there.high, -there.low), abs=1e-12)
        assert -1 - 1e-9 <= here.low <= here.value + 1e-12 and here.value <= here.high + 1e-12


def test_the_same_luck_narrows_the_interval():
    paired, apart = e.newcombe_paired_difference(4800, 250, 50, 4900), e.newcombe_difference(5050, 10_000, 4850, 10_000)
    assert paired.value == pytest.approx(apart.value) == pytest.approx(0.02)
    assert paired.half_width < 0.3 * apart.half_width
    assert paired.excludes(0.0) and e.newcombe_paired_difference(4900, 100, 100, 4900).value == 0


def test_paired_coverage_computed_exactly():
    """Over all outcomes of 60 games: the mean coverage over many truths lies near 95 %, none far below."""
    n, coverage = 60, []
    gained, lost = np.mgrid[0 : n + 1, 0 : n + 1]
    for p in ((0.1, 0.1), (0.2, 0.1), (0.3, 0.1), (0.1, 0.05), (0.3, 0.3)):
        both, chance = (1 - sum(p)) / 2, 0.0
        for b in range(n + 1):
            seen = (gained + lost + b) <= n
            g, k = gained[seen], lost[seen]
            mass = stats.multinomial.pmf(np.stack([np.full_like(g, b), g, k, n - b - g - k], 1), n, [both, *p, both])
            for i in np.flatnonzero(mass > 1e-5):
                found = e.newcombe_paired_difference(b, int(g[i]), int(k[i]), int(n - b - g[i] - k[i]))
                chance += mass[i] * (found.low <= p[0] - p[1] <= found.high)
        coverage.append(chance)
    assert min(coverage) > 0.93 and 0.945 < np.mean(coverage) < 0.975


def test_mcnemar_published():
    assert e.mcnemar_p_value(25, 40) == pytest.approx(0.081681534, abs=5e-10)
    assert round(e.mcnemar_p_value(6, 16), 6) == 0.052479 and round(e.mcnemar_p_value(6, 16, mid_p=True), 6) == 0.034690


@given(a=COUNTS, b=COUNTS)
def test_mcnemar_is_statsmodels(a, b):
    theirs = contingency_tables.mcnemar([[0, a], [b, 0]], exact=True).pvalue
    assert e.mcnemar_p_value(a, b) == pytest.approx(theirs, abs=1e-12)
    assert e.mcnemar_p_value(a, b, mid_p=True) <= e.mcnemar_p_value(a, b)


def test_effects_of_a_factor():
    found = e.estimate_level_effects({"snake": (300, 1000), "bear": (500, 1000), "owl": (510, 1000)})
    assert found["snake"].value == pytest.approx(0.3 - 0.505) and found["snake"].high < 0
    assert not found["owl"].excludes(found["owl"].value)
    assert found["bear"].half_width > e.newcombe_difference(500, 1000, 810, 2000).half_width  # they hold together


# Means and quantiles


def test_mean_is_scipy():
    x = np.random.default_rng(1).integers(0, 40, 37)
    found = e.student_t_mean(37, int(x.sum()), int((x**2).sum()), 0.9)
    theirs = stats.ttest_1samp(x, 0).confidence_interval(0.9)
    assert ends_of(found) == pytest.approx((theirs.low, theirs.high))


def test_mean_of_huge_numbers_loses_nothing():
    x = [10**12 + i for i in (0, 1, 2)]
    assert e.sample_variance(3, sum(x), sum(v * v for v in x)) == 1.0


def test_independent_means_are_scipy():
    draw = np.random.default_rng(2)
    a = draw.integers(0, 30, 50)
    b = a + draw.integers(-2, 4, 50)
    sums = [int(v) for v in (a.sum(), b.sum(), (a * a).sum(), (b * b).sum())]
    welch = stats.ttest_ind(a, b, equal_var=False).confidence_interval()
    found = e.welch_difference(50, sums[0], sums[2], 50, sums[1], sums[3])
    assert ends_of(found) == pytest.approx((welch.low, welch.high))


def test_one_game_has_no_interval():
    assert ends_of(e.student_t_mean(1, 5, 25)) == (-math.inf, math.inf) and math.isnan(e.student_t_mean(0, 0, 0).value)


@pytest.mark.parametrize("q", [0.05, 0.5, 0.9])
def test_quantile_interval_holds_whatever_the_distribution(q):
    """On few distinct values, where intervals for continuous ones would do worse."""
    values, chances = np.arange(6), np.array([0.1, 0.2, 0.3, 0.2, 0.15, 0.05])
    truth = values[np.searchsorted(chances.cumsum(), q - 1e-12)]
    draw, held = np.random.default_rng(3), 0
    for counts in draw.multinomial(80, chances, 1500):
        found = e.order_statistic_quantile(counts.tolist(), q)
        held += found.low <= truth <= found.high
    assert stats.binom.cdf(held, 1500, 0.95) > 1e-4


def test_quantile_of_a_histogram():
    rounds = {7: 10, 8: 30, 9: 40, 12: 20}
    assert [e.order_statistic_quantile(rounds, q).value for q in (0.1, 0.11, 0.4, 0.5, 1.0)] == [7, 8, 8, 9, 12]
    assert ends_of(e.order_statistic_quantile(rounds, 0.5)) == (8, 9)
    assert e.order_statistic_quantile(rounds, 0.99).high == math.inf and math.isnan(
        e.order_statistic_quantile({}, 0.5).value
    )


@pytest.mark.parametrize("n", [1, 2, 7, 59, 1000, 123_457, 10**7])
def test_the_ranks_of_a_quantile_are_scipys(n):
    for p in (0.001, 0.05, 0.5, 0.9, 0.99, 1.0):
        for chance in (0.0005, 0.025, 0.2, 0.8, 0.975, 0.9995):
            assert e.binomial_ppf(chance, n, p) == stats.binom.ppf(chance, n, p), (n, p, chance)


# How many games


@pytest.mark.parametrize(("half", "p"), [(0.002, 0.5), (0.01, 0.4), (0.05, 0.02)])
def test_games_for_a_half_width_is_the_fewest(half, p):
    n = e.plan_games_for_precision(half, p)
    theirs = [proportion.proportion_confint(p * m, m, method="wilson") for m in (n, n - 1)]
    assert (theirs[0][1] - theirs[0][0]) / 2 <= half < (theirs[1][1] - theirs[1][0]) / 2
    assert e.plan_games_for_precision(0.002) == 240_088


def test_games_needed_is_statsmodels():
    theirs = proportion.samplesize_proportions_2indep_onetail(-0.02, 0.42, 0.9, ratio=1, alpha=0.05)
    assert e.plan_unpaired_games(0.40, 0.42) == math.ceil(theirs)
    assert e.plan_unpaired_games(0.4, 0.4) == 0


def test_pairs_needed_give_the_power_they_promise():
    n = e.plan_paired_games(350, 150, 10_000)
    assert n == 1310 and e.plan_paired_games(5, 5, 100) == 0
    draw = np.random.default_rng(4)
    gained, lost, _ = draw.multinomial(n, [0.035, 0.015, 0.95], 4000).T
    found = sum(e.mcnemar_p_value(int(g), int(k)) < 0.05 for g, k in zip(gained, lost, strict=True))
    assert 0.86 < found / 4000 < 0.92  # the exact test is a little more cautious than the formula
    assert e.plan_unpaired_games(0.42, 0.40) > 9 * n  # what the same luck saves


def test_a_rate_needs_no_scipy():
    code = """if True:
        import sys
        from hardmode.studies.stats.estimates import newcombe_difference, wilson_rate
        wilson_rate(1, 2), newcombe_difference(1, 2, 1, 3)
        print([m for m in ("scipy", "statsmodels") if m in sys.modules])
    """
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
