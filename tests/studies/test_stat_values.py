"""Estimates, bounds, tests and indices on numbers small enough to be worked out by hand, or by a plain loop."""

import doctest
import itertools
import math
from math import inf, isnan, nan, sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from scipy.stats import qmc

from hardmode.scenarios.expect import ExpectedRange
from hardmode.sim.results import ranges
from hardmode.studies.gate import checks
from hardmode.studies.solve.design_variables import DesignVariable
from hardmode.studies.solve.targets import Target
from hardmode.studies.stats import (
    betting_bounds,
    formatting,
    multiple_testing,
    regression,
    response_surface,
    sequential,
    sobol,
    verdict_chances,
)
from hardmode.studies.stats import estimates as e
from hardmode.studies.stats.betting_bounds import MIN_GAMES_FOR_RANGE, RANGE_FACTOR, MeanBounds, QuantileBounds
from hardmode.studies.stats.bounds import PairedBounds, RateBounds, UnpairedBounds
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.multiple_testing import benjamini_hochberg
from hardmode.studies.stats.regression import fit_logistic_regression, fit_weighted_least_squares
from hardmode.studies.stats.response_surface import ResponseSurface
from hardmode.studies.stats.sequential import Gate, Verdict, judge_until_settled, plan_looks

T_975_OF_1 = 12.706204736  # published tables of Student's t
Z_975 = 1.959963985


def ends(estimate):
    return estimate.low, estimate.high


EXAMPLES = (e, formatting, multiple_testing, regression, sequential, checks, ranges)


@pytest.mark.parametrize("module", EXAMPLES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_the_examples_of_the_docstrings_hold(module):
    found = doctest.testmod(module)
    assert found.attempted and not found.failed


# Estimates


def test_an_interval_holds_its_ends():
    found = Estimate(0.5, 0.4, 0.7, 10)
    assert not found.excludes(0.4) and not found.excludes(0.7) and found.excludes(0.39) and found.excludes(0.71)
    assert found.half_width == pytest.approx(0.15) and found.confidence == 0.95


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95])
def test_a_confidence_lies_between_0_and_1(confidence):
    with pytest.raises(ValueError, match="between 0 and 1"):
        e.two_sided_z(confidence)


def test_the_z_of_a_confidence_is_that_of_the_tables():
    assert e.two_sided_z(0.95) == pytest.approx(Z_975) and e.two_sided_z(0.5) == pytest.approx(0.674489750)


def test_wilsons_interval_by_hand():
    """Of 4 games 1 is won; z = 2 gives the centre (1 + 2) / 8 and half a width of 2 sqrt(0.75 + 1) / 8."""
    confidence = 2 * stats.norm.cdf(2) - 1
    found = e.wilson_rate(1, 4, confidence)
    assert (found.value, found.n, found.confidence) == (0.25, 4, confidence)
    assert ends(found) == pytest.approx((3 / 8 - sqrt(1.75) / 4, 3 / 8 + sqrt(1.75) / 4))
    assert ends(e.wilson_rate(0, 4, confidence)) == pytest.approx((0, 0.5))
    assert ends(e.wilson_rate(4, 4, confidence)) == pytest.approx((0.5, 1))
    unknown = e.wilson_rate(0, 0, 0.9)
    assert isnan(unknown.value) and (*ends(unknown), unknown.n, unknown.confidence) == (0, 1, 0, 0.9)
    for wins, games in ((-1, 4), (5, 4), (0, -1)):
        with pytest.raises(ValueError, match="is not a rate"):
            e.wilson_rate(wins, games)


def test_exact_rates_at_the_ends_and_without_games():
    assert ends(e.clopper_pearson_rate(0, 10)) == pytest.approx((0, 1 - 0.025**0.1))
    assert ends(e.clopper_pearson_rate(10, 10)) == pytest.approx((0.025**0.1, 1))
    assert ends(e.clopper_pearson_rate(0, 0)) == (0, 1)


def test_an_exact_rate_leaves_half_of_the_error_on_each_side():
    found = e.clopper_pearson_rate(3, 10, 0.9)
    assert stats.binom.sf(2, 10, found.low) == pytest.approx(0.05)
    assert stats.binom.cdf(3, 10, found.high) == pytest.approx(0.05)
    assert (found.value, found.n, found.confidence) == (0.3, 10, 0.9)


def test_rates_of_a_table_share_the_error():
    assert e.bonferroni_level(0.95, 1) == pytest.approx(0.95) and e.bonferroni_level(0.9, 4) == pytest.approx(0.975)
    found = e.clopper_pearson_rates([(3, 10), (7, 20)], 0.9)
    for one, (k, n) in zip(found, [(3, 10), (7, 20)], strict=True):
        assert ends(one) == pytest.approx(ends(e.clopper_pearson_rate(k, n, 0.95))) and one.confidence == 0.9
    assert e.clopper_pearson_rates([]) == []
    assert [(x.value, x.n) for x in e.clopper_pearson_shares([1, 3, 4])] == [(0.125, 8), (0.375, 8), (0.5, 8)]


def test_a_paired_difference_by_hand():
    """Newcombe's method 10 written out for 30, 12, 4, 54: phi is corrected by half a game each."""
    a, b = e.wilson_rate(42, 100), e.wilson_rate(34, 100)
    phi = (30 * 54 - 12 * 4 - 50) / sqrt(42 * 58 * 34 * 66)
    below, above = (0.42 - a.low, b.high - 0.34), (a.high - 0.42, 0.34 - b.low)
    low = 0.08 - sqrt(below[0] ** 2 - 2 * phi * below[0] * below[1] + below[1] ** 2)
    high = 0.08 + sqrt(above[0] ** 2 - 2 * phi * above[0] * above[1] + above[1] ** 2)
    found = e.newcombe_paired_difference(30, 12, 4, 54)
    assert (found.value, *ends(found)) == pytest.approx((0.08, low, high)) and found.n == 100


def test_a_negative_correlation_is_not_corrected_and_a_tiny_one_is_none():
    negative = (4 * 6 - 20 * 10) / sqrt(24 * 16 * 14 * 26)
    a, b = e.wilson_rate(24, 40), e.wilson_rate(14, 40)
    below = 0.6 - a.low, b.high - 0.35
    low = 0.25 - sqrt(below[0] ** 2 - 2 * negative * below[0] * below[1] + below[1] ** 2)
    assert e.newcombe_paired_difference(4, 20, 10, 6).low == pytest.approx(low)
    assert e._phi_coefficient(5, 5, 5, 6) == 0.0  # 30 - 25 is less than half of 21 games
    assert e._phi_coefficient(0, 3, 0, 4) == 0.0


def test_the_correlation_of_two_outcomes_against_numpy():
    """Without its correction it is Pearson's; the correction takes half of the games from a surplus."""
    for both, only_a, only_b, neither in itertools.product((1, 2, 9), repeat=4):
        outcomes = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], (both, only_a, only_b, neither), axis=0)
        found = e._phi_coefficient(both, only_a, only_b, neither)
        pearson = np.corrcoef(outcomes.T)[0, 1]
        spread = len(outcomes) ** 2 * outcomes[:, 0].std() * outcomes[:, 1].std()
        correction = min(max(pearson, 0), len(outcomes) / 2 / spread)
        assert found == pytest.approx(pearson - correction, abs=1e-12)


def test_differences_without_games_are_unknown():
    for found in (e.newcombe_paired_difference(0, 0, 0, 0, 0.9), e.newcombe_difference(0, 0, 0, 0, 0.9)):
        assert isnan(found.value) and (*ends(found), found.n, found.confidence) == (-1, 1, 0, 0.9)
    for found in (e.newcombe_difference(3, 7, 0, 0), e.newcombe_difference(0, 0, 3, 7)):
        assert isnan(found.value) and (*ends(found), found.n) == (-1, 1, 7)


def test_an_unpaired_difference_adds_squares():
    a, b = Estimate(0.5, 0.47, 0.56, 30, 0.9), Estimate(0.2, 0.12, 0.24, 40, 0.9)
    found = e.unpaired_difference(a, b)
    assert (found.value, *ends(found)) == pytest.approx((0.3, 0.3 - 0.05, 0.3 + 0.1))
    assert (found.n, found.confidence) == (70, 0.9)


def test_mcnemar_by_hand():
    """Of 4 games that differ one is B's: 5 of 16 sequences are as uneven on each side."""
    assert e.mcnemar_p_value(3, 1) == pytest.approx(10 / 16) == e.mcnemar_p_value(1, 3)
    assert e.mcnemar_p_value(3, 1, mid_p=True) == pytest.approx(10 / 16 - 4 / 16)
    assert e.mcnemar_p_value(2, 2) == e.mcnemar_p_value(0, 0) == 1.0


def test_the_binomial_law():
    assert [e.binomial_cdf(k, 3, 0.5) for k in (-1, 0, 1, 2, 3, 4)] == pytest.approx([0, 1 / 8, 4 / 8, 7 / 8, 1, 1])
    assert e.binomial_cdf(1, 3, 0.25) == pytest.approx(27 / 64 + 27 / 64)
    for n, p in itertools.product((1, 2, 7, 30), (0.03, 0.25, 0.5, 0.9)):
        found = [e.binomial_cdf(k, n, p) for k in range(n + 1)]
        assert found == pytest.approx(stats.binom.cdf(range(n + 1), n, p), abs=1e-12)
        for probability in (1e-6, 0.025, 0.3, 0.47, 0.975, 1 - 1e-6):  # none that a count has exactly
            assert e.binomial_ppf(probability, n, p) == stats.binom.ppf(probability, n, p)


def test_the_effect_of_a_level_is_that_against_all_others():
    found = e.estimate_level_effects({"a": (30, 100), "b": (50, 150)}, 0.9)
    apart = e.newcombe_difference(30, 100, 50, 150, 0.95)
    assert (found["a"].value, *ends(found["a"])) == pytest.approx((apart.value, *ends(apart)))
    assert found["b"].value == -found["a"].value and found["a"].confidence == 0.9 and found["a"].n == 250


def test_the_mean_of_two_games():
    """1 and 3: the mean is 2 with a standard error of 1."""
    found = e.student_t_mean(2, 4, 10)
    assert (found.value, *ends(found)) == pytest.approx((2, 2 - T_975_OF_1, 2 + T_975_OF_1))
    assert (found.n, found.confidence) == (2, 0.95) and e.sample_variance(2, 4, 10) == 2
    assert ends(e.student_t_mean(3, 9, 27)) == (3, 3)


def test_a_difference_of_means_by_welch():
    """1, 3 against 2, 4, 9: standard errors 1 and sqrt(13 / 3), hence 27.75 / 10.3889 degrees of freedom."""
    found = e.welch_difference(2, 4, 10, 3, 15, 101)
    u, v = 1.0, 13 / 3
    half = stats.t.ppf(0.975, (u + v) ** 2 / (u**2 / 1 + v**2 / 2)) * sqrt(u + v)
    assert (found.value, *ends(found)) == pytest.approx((-3, -3 - half, -3 + half))
    assert (found.n, found.confidence) == (5, 0.95)
    still = e.welch_difference(2, 4, 8, 3, 15, 75, 0.9)
    assert (still.value, *ends(still), still.n, still.confidence) == (-3, -3, -3, 5, 0.9)
    unknown = e.welch_difference(0, 0, 0, 3, 15, 101)
    assert isnan(unknown.value) and ends(unknown) == (-inf, inf) and unknown.n == 3
    alike = e.welch_difference(2, 4, 10, 2, 6, 20)  # 1, 3 against 2, 4: two degrees of freedom
    assert ends(alike) == pytest.approx((-1 - 4.302652730 * sqrt(2), -1 + 4.302652730 * sqrt(2)))
    single = e.welch_difference(1, 4, 16, 3, 15, 101, 0.9)
    assert (single.value, *ends(single), single.n, single.confidence) == (-1, -inf, inf, 4, 0.9)


def test_means_and_their_differences_against_scipy():
    draw = np.random.default_rng(5)
    for size_a, size_b in ((2, 2), (3, 9), (40, 25)):
        a, b = draw.integers(-9, 30, size_a), draw.integers(0, 12, size_b)
        sums_a, sums_b = (size_a, int(a.sum()), int((a * a).sum())), (size_b, int(b.sum()), int((b * b).sum()))
        assert ends(e.student_t_mean(*sums_a, 0.9)) == pytest.approx(
            stats.t.interval(0.9, size_a - 1, a.mean(), stats.sem(a))
        )
        wanted = stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.9)
        assert ends(e.welch_difference(*sums_a, *sums_b, 0.9)) == pytest.approx((wanted.low, wanted.high))
    none, one = e.student_t_mean(0, 0, 0, 0.9), e.student_t_mean(1, 7, 49)
    assert isnan(none.value) and (*ends(none), none.n, none.confidence) == (-inf, inf, 0, 0.9)
    assert (one.value, *ends(one), one.n) == (7, -inf, inf, 1)


def test_order_statistics_by_hand():
    """Of 6 games the median lies between the first and the last with 1 - 2 / 64, and between the next ones not."""
    games = [0, 1, 1, 1, 1, 1, 1]
    found = e.order_statistic_quantile(games, 0.5)
    assert (found.value, *ends(found), found.n, found.confidence) == (3, 1, 6, 6, 0.95)
    assert ends(e.order_statistic_quantile(games, 0.5, 0.97)) == (-inf, inf)
    assert ends(e.order_statistic_quantile(games, 0.5, 0.7)) == (2, 5)
    single, none = e.order_statistic_quantile({4: 1}, 0.5), e.order_statistic_quantile({}, 0.5, 0.9)
    assert (single.value, *ends(single), single.n) == (4, -inf, inf, 1)
    assert isnan(none.value) and (*ends(none), none.n, none.confidence) == (-inf, inf, 0, 0.9)


def test_the_rank_of_a_share_is_not_raised_by_rounding():
    """0.1 * 30 is 3.0000000000000004 for a computer."""
    assert e.sample_quantile({1: 3, 2: 27}, 0.1) == 1 and e.sample_quantile({1: 3, 2: 27}, 0.101) == 2
    assert e.sample_quantile([0, 3, 1], 0.75) == 1 and e.sample_quantile([0, 3, 1], 0.76) == 2


def test_the_fewest_games_for_a_precision():
    """With z = 2 and a rate of 0.5, n games have a half width of 1 / sqrt(n + 4)."""
    confidence = 2 * stats.norm.cdf(2) - 1
    found = [e.plan_games_for_precision(1 / sqrt(n + 4) + 1e-9, 0.5, confidence) for n in (1, 2, 3, 5, 12, 96, 9996)]
    assert found == [1, 2, 3, 5, 12, 96, 9996]
    assert e.plan_games_for_precision(0.01) == math.ceil(Z_975**2 / 0.0004 - Z_975**2) == 9600


def test_games_for_a_power_by_the_formula_of_the_books():
    """Fleiss (1981): rates 0.6 and 0.5, 5 % and 90 %."""
    spread = Z_975 * sqrt(2 * 0.55 * 0.45) + 1.281551566 * sqrt(0.6 * 0.4 + 0.5 * 0.5)
    assert e.plan_unpaired_games(0.6, 0.5) == math.ceil(spread**2 / 0.01) == e.plan_unpaired_games(0.5, 0.6)
    paired = Z_975 * sqrt(0.3) + 1.281551566 * sqrt(0.3 - 0.1**2)
    assert e.plan_paired_games(40, 20, 200) == math.ceil(paired**2 / 0.01) == e.plan_paired_games(20, 40, 200)
    weaker = Z_975 * sqrt(0.3) + 0.524400513 * sqrt(0.3 - 0.1**2)
    assert e.plan_paired_games(40, 20, 200, power=0.7) == math.ceil(weaker**2 / 0.01)


# Text


DECIMALS = {2.5: 0, 2.49: 1, 0.05: 1, 0.049: 2, 0.0: 2, inf: 0, nan: 0}


@pytest.mark.parametrize("half_width", DECIMALS)
def test_decimals_are_those_that_an_interval_supports(half_width):
    assert formatting.choose_decimals(half_width) == DECIMALS[half_width]
    assert formatting.choose_decimals(half_width, 1) == min(1, DECIMALS[half_width])


def around(value, half_width):
    return Estimate(value, value - half_width, value + half_width, 100)


@pytest.mark.parametrize(
    "halves, decimals",
    [
        ((), 0),
        ((inf,), 0),
        ((3,), 0),
        ((0.3,), 1),
        ((0.03,), 2),
        ((0.03, 0.03), 2),
        ((0.03, 0.3), 1),
        ((0.03, 3), 1),
        ((3, 0.3), 1),
        ((3, 4), 0),
        ((0.03, inf), 2),
        ((nan, 3), 0),
    ],
)
def test_estimates_side_by_side_have_the_same_decimals(halves, decimals):
    for kind, scale in (("mean", 1), ("change", 1), ("rate", 100), ("points", 100)):
        estimates = [around(0.5, half / scale) for half in halves]
        assert formatting.choose_common_decimals(estimates, kind) == decimals


@pytest.mark.parametrize(
    "x, decimals, text",
    [(3.21, 1, "+3.2"), (-3.21, 1, "−3.2"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"), (-0.06, 1, "−0.1"), (0, 0, "0")],
)
def test_a_sign_stands_before_what_is_not_zero(x, decimals, text):
    assert formatting.format_signed(x, decimals) == text


UNKNOWN_VALUE, NO_ENDS = Estimate(nan, nan, nan, 0), Estimate(0.4, -inf, inf, 3)
TEXTS = {  # kind: the value of an estimate and its interval; an interval of 40 % +- 0.4 points, and 2 % less
    "rate": ("40.0 %", "39.6 .. 40.4"),
    "points": ("+40.0", "+39.6 .. +40.4"),
    "mean": ("0.40", "0.40 .. 0.40"),
    "change": ("+0.40", "+0.40 .. +0.40"),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_an_estimate_in_words(kind):
    value, interval = formatting.VALUE_FORMATTERS[kind], formatting.INTERVAL_FORMATTERS[kind]
    assert (value(around(0.4, 0.004)), interval(around(0.4, 0.004))) == TEXTS[kind]
    assert formatting.format_with_interval(around(0.4, 0.004), kind) == "{} ({})".format(*TEXTS[kind])
    assert value(UNKNOWN_VALUE) == interval(UNKNOWN_VALUE) == "unknown"
    assert formatting.format_with_interval(UNKNOWN_VALUE, kind) == "unknown" == interval(NO_ENDS)
    assert value(Estimate(inf, 0, inf, 3)) == "unknown"
    scaled = 40 if kind in ("rate", "points") else 0
    assert value(NO_ENDS) == {"rate": "40 %", "points": "+40", "mean": "0", "change": "0"}[kind], scaled
    assert formatting.format_with_interval(NO_ENDS, kind) == f"{value(NO_ENDS)} (unknown)"
    negative = formatting.format_with_interval(around(-0.4, 0.004), kind, 3)
    assert (
        negative
        == {
            "rate": "-40.000 % (-40.400 .. -39.600)",
            "points": "−40.000 (−40.400 .. −39.600)",
            "mean": "−0.400 (−0.404 .. −0.396)",
            "change": "−0.400 (−0.404 .. −0.396)",
        }[kind]
    )


@pytest.mark.parametrize("kind", TEXTS)
def test_the_decimals_of_a_kind_are_those_of_its_unit(kind):
    """Points and percent are hundredths."""
    scale = 100 if kind in ("rate", "points") else 1
    value = formatting.VALUE_FORMATTERS[kind]
    for half, decimals in ((0.0497, 2), (0.0503, 1), (2.49, 1), (2.51, 0)):
        assert value(around(0.4, half / scale)) == value(around(0.4, 0.5), decimals)


def test_a_value_or_an_interval_alone_is_told():
    assert formatting.format_with_interval(Estimate(nan, 0.0, 1.0, 0), "rate") == "unknown (0 .. 100)"
    assert formatting.format_with_interval(Estimate(0.4, nan, nan, 0), "rate") == "40 % (unknown)"


def test_the_mean_of_a_single_game_has_no_interval_in_words():
    assert formatting.format_number_interval(Estimate(4, -inf, inf, 1)) == "one game only"
    assert formatting.format_number_interval(Estimate(4, -inf, inf, 2)) == "unknown"
    assert formatting.format_rate(around(0.423, 0.004)) == "42.3 % (41.9 .. 42.7)"


@pytest.mark.parametrize(
    "share, text",
    [
        (0.1, "10.0 %"),
        (0.0999, "9.99 %"),
        (0.9, "90.0 %"),
        (0.9001, "90.01 %"),
        (0.5, "50.0 %"),
        (nan, "unknown"),
        (inf, "unknown"),
    ],
)
def test_a_share_near_0_or_1_has_one_decimal_more(share, text):
    assert formatting.format_share(share) == text
    assert formatting.format_share(0.0423, 3) == "4.230 %" and formatting.format_share(0.423, 0) == "42 %"


def test_a_share_with_a_narrow_interval_has_one_decimal_more():
    assert formatting.format_share_interval(0.01, 0.0, 0.02) == "1.0 % (0.0 .. 2.0)"
    assert formatting.format_share_interval(0.01, 0.0, 0.0199) == "1.00 % (0.00 .. 1.99)"
    assert formatting.format_share_interval(0.423, 0.418, 0.428) == "42.30 % (41.80 .. 42.80)"
    assert formatting.format_share_interval(0.42, 0.4, 0.45, 0) == "42 % (40 .. 45)"
    assert formatting.format_share_interval(0.42, 0.4, inf) == "unknown"


# Bounds


def test_nothing_is_outside_of_what_a_difference_can_be():
    for seen in (PairedBounds(50, 50, 0), PairedBounds(50, 0, 50), PairedBounds(50, 0, 0)):
        assert seen.is_within(-1, 1, 0.01) and not seen.is_outside(-1, 1, 0.01)
        assert seen.is_within(-2, 2, 0.01) and not seen.is_outside(-2, 2, 0.01)
    everything = PairedBounds(50, 50, 0)
    assert everything.value == 1 and -1 < everything.bounds(0.01)[0] < 1 == pytest.approx(everything.bounds(0.01)[1])


def test_pairs_are_identical_only_if_no_game_differs():
    assert PairedBounds(9, 0, 0, 0).identical and PairedBounds(9, 0, 0).identical
    for seen in (PairedBounds(9, 1, 0), PairedBounds(9, 0, 1), PairedBounds(9, 0, 0, 1)):
        assert not seen.identical
    assert UnpairedBounds(1, 2, 1, 2).identical is False


def test_bounds_of_pairs_that_never_differ_are_those_of_the_score_test():
    """If no game differs, the likeliest discordance at x is x. For z = 1 there is no correction for skewness."""
    low, high = PairedBounds(100, 0, 0).bounds(stats.norm.cdf(-1))
    # 100 x - 1 = sqrt(100 x (1 - x)), so 10100 x^2 - 300 x + 1 = 0
    root = (300 + sqrt(300**2 - 4 * 10100)) / (2 * 10100)
    assert (low, high) == pytest.approx((-root, root), abs=1e-9)
    assert PairedBounds(100, 0, 0).bounds(0.4)[1] == pytest.approx(root, abs=1e-9)  # no level above that of z = 1


def test_bounds_of_many_pairs_at_once_are_those_of_each():
    gained, lost = np.array([[0, 3, 40], [100, 0, 7]]), np.array([[0, 9, 2], [0, 100, 7]])
    many = PairedBounds(100, gained, lost)
    for place in np.ndindex(gained.shape):
        single = PairedBounds(100, int(gained[place]), int(lost[place]))
        assert [end[place] for end in many.bounds(0.02)] == pytest.approx(single.bounds(0.02), abs=1e-12)
        assert many.is_within(-0.1, 0.2, 0.02)[place] == single.is_within(-0.1, 0.2, 0.02)
        assert many.is_outside(-0.1, 0.2, 0.02)[place] == single.is_outside(-0.1, 0.2, 0.02)


def test_the_bounds_of_pairs_are_where_a_difference_is_no_longer_shown():
    for gained, lost in ((0, 0), (12, 3), (3, 12), (60, 40), (100, 0), (0, 100)):
        seen = PairedBounds(100, gained, lost)
        low, high = seen.bounds(0.02)
        assert seen.is_outside(-inf, low - 1e-9, 0.02) and not seen.is_outside(-inf, low + 1e-9, 0.02)
        assert seen.is_outside(high + 1e-9, inf, 0.02) and not seen.is_outside(high - 1e-9, inf, 0.02)


def test_the_arms_of_two_rates_add_as_squares():
    new, base = RateBounds(30, 100), RateBounds(10, 50)
    low, high = new.bounds(0.05)
    other_low, other_high = base.bounds(0.05)
    arm = math.hypot(max(high - 0.3, 0.3 - low), max(other_high - 0.2, 0.2 - other_low))
    seen = UnpairedBounds(30, 100, 10, 50)
    assert seen.value == pytest.approx(0.1) and seen.bounds(0.05) == pytest.approx((0.1 - arm, 0.1 + arm))
    assert UnpairedBounds(5, 5, 0, 5).bounds(0.01)[1] == 1 and UnpairedBounds(0, 5, 5, 5).bounds(0.01)[0] == -1


def test_a_rate_lies_within_or_outside_a_band_as_its_bounds_do():
    seen = RateBounds(50, 100)
    low, high = seen.bounds(0.05)
    assert seen.is_within(low, high, 0.05) and not seen.is_outside(low, high, 0.05)
    assert not seen.is_within(low + 1e-9, 1, 0.05) and not seen.is_within(0, high - 1e-9, 0.05)
    assert not seen.is_outside(high, 1, 0.05)
    assert not seen.is_outside(low, 1, 0.05) and seen.is_outside(high + 1e-9, 1, 0.05)
    assert not seen.is_outside(0, low, 0.05) and seen.is_outside(0, low - 1e-9, 0.05)
    assert seen.value == 0.5 and seen.longer_arm(0.05) == pytest.approx(max(high - 0.5, 0.5 - low))
    assert RateBounds(0, 4).bounds(0.05) == pytest.approx((0, 1 - 0.05**0.25))
    assert RateBounds(4, 4).bounds(0.05) == pytest.approx((0.05**0.25, 1))


def gambler_wins(values, least, m, level):
    """The gambler of Waudby-Smith and Ramdas game by game, who bets that the mean is greater than m."""
    money, total, squares, spread = 1.0, 0.0, 1.0, 1.0
    for t, value in enumerate(values, 1):
        x = value - least
        bet = min(sqrt(2 * math.log(1 / level) / (len(values) * spread / t)), 0.75 / (m - least))
        money *= 1 + bet * (x - (m - least))
        if money >= 1 / level:
            return True
        total += x
        squares += (x - total / t) ** 2
        spread = squares
    return False


@pytest.mark.parametrize("seed, level", [(1, 0.05), (2, 0.01), (3, 0.2)])
def test_a_mean_is_bounded_where_a_gambler_stops_winning(seed, level):
    values = np.random.default_rng(seed).integers(3, 40, 300)
    seen = MeanBounds(values, 3, 39)
    low, high = seen.bounds(level)
    for m in np.linspace(3.5, values.mean() - 0.01, 40):
        assert gambler_wins(values.tolist(), 3, m, level) == (m < low) == seen.is_outside(-inf, m, level)
        assert seen.is_within(m, inf, level) == (m < low)
    for m in np.linspace(values.mean() + 0.01, 38.5, 40):
        assert gambler_wins((-values).tolist(), -39, -m, level) == (m > high) == seen.is_outside(m, inf, level)
    assert low == pytest.approx(betting_bounds._Gambler(values, 3).lower_bound(level)) and seen.games == 300
    played, turned = values.tolist(), (-values).tolist()
    assert gambler_wins(played, 3, low - 1e-4, level) and not gambler_wins(played, 3, low + 1e-4, level)
    assert gambler_wins(turned, -39, -high - 1e-4, level) and not gambler_wins(turned, -39, -high + 1e-4, level)


def test_a_mean_at_the_end_of_its_range_is_shown_by_the_range():
    seen = MeanBounds(np.array([4, 5, 6]), 4, 6)
    assert seen.is_within(4, 6, 0.01) and not seen.is_within(4.1, 6, 0.01) and not seen.is_within(4, 5.9, 0.01)
    assert not seen.is_outside(4, 6, 0.01) and not seen.is_outside(5.1, 9, 0.01) and not seen.is_outside(0, 4.9, 0.01)
    assert seen.is_outside(-inf, 3.9, 0.01) and seen.is_outside(6.1, inf, 0.01)
    low = MeanBounds(np.zeros(30, int), 0, 9)
    assert low.bounds(0.01)[0] == 0 and low.value == 0 and not low.is_outside(-inf, 0, 0.01)


def test_a_range_is_guessed_from_enough_games_only():
    many = np.resize([0, 7], MIN_GAMES_FOR_RANGE)
    assert betting_bounds._guess_least(many) == 0 and betting_bounds._guess_least(many[:-1]) == -inf
    assert betting_bounds._guess_least(-many) == -7 * RANGE_FACTOR == -70
    assert (
        MeanBounds(many[:-1]).is_outside(8, 9, 0.01) is False and MeanBounds(many[:-1]).is_within(-1, 8, 0.01) is False
    )
    with np.errstate(invalid="raise"):
        assert MeanBounds(many[:-1]).bounds(0.01) == (-inf, inf)
    assert MeanBounds(many).bounds(0.01) == MeanBounds(many, 0, 70).bounds(0.01)
    mixed = np.resize([-2, 7, 7], MIN_GAMES_FOR_RANGE)
    assert MeanBounds(mixed).bounds(0.01) == MeanBounds(mixed, -70, 70).bounds(0.01)
    assert MeanBounds(mixed, low=-2).bounds(0.01) == MeanBounds(mixed, -2, 70).bounds(0.01)


def test_the_bounds_of_a_quantile_are_order_statistics():
    """Of 6 games the median is below the first with 1 / 64 and below the second with 7 / 64."""
    counts = {value: 1 for value in range(1, 7)}
    seen = QuantileBounds(counts, 0.5)
    assert (seen.games, seen.value) == (6, 3)
    assert seen.bounds(1 / 64 + 1e-9) == (1, 6) and seen.bounds(1 / 64 - 1e-9) == (-inf, inf)
    assert seen.bounds(7 / 64 + 1e-9) == (2, 5) and seen.bounds(7 / 64 - 1e-9) == (1, 6)
    assert QuantileBounds({1: 3, 4: 3}, 0.5).bounds(7 / 64 + 1e-9) == (1, 4)


# Many tests at once, regressions


def test_hypotheses_up_to_the_last_that_meets_its_step_are_rejected():
    assert benjamini_hochberg([0.04, 0.01, 0.5, 0.03], 0.04) == [False, True, False, False]
    assert benjamini_hochberg([0.02, 0.5, 0.019], 0.04) == [True, False, True]
    assert benjamini_hochberg([0.025, 0.05], 0.05) == [True, True] and benjamini_hochberg([], 0.05) == []
    assert benjamini_hochberg([0.0501], 0.05) == [False] and benjamini_hochberg([0.0, 1.0], 0.05) == [True, False]


def test_a_weighted_mean():
    assert fit_weighted_least_squares(np.ones((2, 1)), np.array([0.0, 10.0]), np.array([3.0, 1.0])) == pytest.approx(
        [2.5]
    )


def test_log_odds_of_two_groups_are_found():
    x = np.array([[1.0, 0.0], [1.0, 1.0]])
    found = fit_logistic_regression(x, np.array([3.0, 80.0]), np.array([700.0, 20.0]))
    assert found == pytest.approx([math.log(3 / 700), math.log(4) - math.log(3 / 700)], abs=1e-9)


def test_log_odds_without_a_maximum_stay_finite():
    found = fit_logistic_regression(np.ones((1, 1)), np.array([0.0]), np.array([5.0]))
    assert -50 < found[0] < -20
    found = fit_logistic_regression(np.ones((1, 1)), np.array([5.0]), np.array([0.0]))
    assert 20 < found[0] < 50


def test_log_odds_are_sought_from_those_observed_until_nothing_changes(monkeypatch):
    x, wins, losses = np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([3.0, 80.0]), np.array([700.0, 20.0])
    steps = []

    def count_step(*what):
        steps.append(what)
        return fit_weighted_least_squares(*what)

    monkeypatch.setattr(regression, "fit_weighted_least_squares", count_step)
    fit_logistic_regression(x, wins, losses)
    assert 3 <= len(steps) <= 8
    monkeypatch.setattr(regression, "MAX_ITERATIONS", 1)
    first, change = fit_logistic_regression(x, wins, losses)
    start, games = np.log((wins + 0.5) / (losses + 0.5)), wins + losses
    rate = (wins + 0.5) / (games + 1)
    once = start + (wins - games * rate) / (games * rate * (1 - rate))
    assert [first, first + change] == pytest.approx(once)


def test_robust_errors_of_two_groups_are_those_of_their_own_variances():
    """With a constant and a group, HC2 gives the error of each mean from its own group."""
    first, second = np.array([1.0, 3.0, 4.0, 8.0]), np.array([2.0, 2.0, 5.0])
    x = np.column_stack([np.ones(7), np.repeat([0.0, 1.0], (4, 3))])
    coefficients, errors = regression.fit_least_squares_hc2(x, np.concatenate([first, second]))
    assert coefficients == pytest.approx([4.0, -1.0])
    variances = first.var(ddof=1) / 4, second.var(ddof=1) / 3
    assert errors == pytest.approx([sqrt(variances[0]), sqrt(sum(variances))])


# Response surfaces


def variable(path, current, values):
    return DesignVariable(path, current, values, ((path, current),), False)


def target(name, low, high, is_rate):
    return Target(name, name, ExpectedRange(low, high), is_rate, "")


def test_the_first_settings_change_one_variable_each_and_fill_the_space():
    surface = ResponseSurface([variable("a", 3, tuple(range(11))), variable("b", "x", ("x", "y"))], [])
    found = surface.make_design(8, 1)
    single = [(value, "x") for value in (0, 4, 7, 10)]  # of 0 .. 10 without 3: the ends, and two between
    assert found[:5] == [*single, (3, "y")] and len(found) == len(set(found)) <= 13
    more = surface.make_design(64, 1)
    assert {b for _, b in more} == {"x", "y"} and {a for a, _ in more} == set(range(11))
    assert surface.make_design(8, 1) == found
    points = qmc.Sobol(2, seed=2**40).random(8)
    drawn = [(int(11 * a), "xy"[int(2 * b)]) for a, b in points]
    assert surface.make_design(8, 2**40) == list(dict.fromkeys([*single, (3, "y"), *drawn]))


def test_a_surface_has_a_constant_variables_squares_and_products():
    surface = ResponseSurface(
        [variable("a", 0, (0, 1, 2)), variable("b", 0, (0, 4)), variable("c", "x", ("x", "y", "z"))], []
    )
    terms = surface._make_terms([(2, 0, "x"), (0, 4, "z")])
    # 1, a, b, c is y, c is z, a * a, a * b, a * y, a * z, b * y, b * z
    assert terms.tolist() == [[1, 1, -1, 0, 0, 1, -1, 0, 0, 0, 0], [1, -1, 1, 0, 1, 1, -1, 0, -1, 0, 1]]


def surface_of(rate, mean):
    """A surface of one variable 0 .. 10 for a rate and a mean, fitted to all values."""
    surface = ResponseSurface(
        [variable("a", 5, tuple(range(11)))], [target("rate", 0.35, 0.55, True), target("mean", 4.0, 6.0, False)]
    )
    played = []
    for a in range(11):
        estimates = {"rate": around(rate(a), 0.01), "mean": around(mean(a), 0.1)}
        played.append(((a,), 10_000, estimates))
    surface.fit(played)
    return surface


def test_a_surface_predicts_what_is_quadratic():
    surface = surface_of(lambda a: 1 / (1 + math.exp(5 - a)), lambda a: 3 + 0.1 * a * a)
    settings = [(a,) for a in range(11)]
    terms = surface._make_terms(settings)
    logits, means = (terms @ c for c in surface.coefficients)
    assert means == pytest.approx([3 + 0.1 * a * a for a in range(11)])
    assert logits == pytest.approx([a - 5 for a in range(11)], abs=0.02)
    wanted = [
        sum(
            t.compute_violation(v, response_surface.TARGET_MARGIN)
            for t, v in zip(surface.targets, (1 / (1 + math.exp(5 - a)), 3 + 0.1 * a * a), strict=True)
        )
        for a in range(11)
    ]
    assert surface._predict_violations(settings) == pytest.approx(wanted, rel=0.02, abs=0.02)
    once = [coefficients.tolist() for coefficients in surface.coefficients]
    estimates = {"rate": around(0.5, 0.01), "mean": around(5.0, 0.1)}
    surface.fit([((a,), 10_000, estimates) for a in range(11)])
    assert len(surface.coefficients) == 2 and surface.coefficients[1].tolist() != once[1]
    assert surface._predict_violations(settings) == pytest.approx([0] * 11, abs=1e-6)


def test_half_a_game_is_added_to_wins_and_to_losses():
    for wins, games in ((0, 10), (10, 10), (3, 10), (70, 100)):
        found = response_surface._fit_model(np.ones((1, 1)), np.array([wins / games]), np.array([games]), True)
        assert found == pytest.approx([math.log((wins + 0.5) / (games - wins + 0.5))])


def test_the_smallest_changes_that_reach_the_targets_are_proposed_and_then_the_nearest():
    surface = surface_of(lambda a: 0.5, lambda a: 5 if a != 9 else 50)
    candidates = [(a,) for a in range(11)]
    found = surface.propose(candidates, {(5,)}, 4)
    assert len(found) == len(set(found)) == 4 and (5,) not in found
    assert surface.propose(candidates, set(candidates), 4) == []
    missed = {0: 0.5, 1: 0.2, 2: 0.1, 6: 0.1, 8: 0.2}
    surface._predict_violations = lambda settings: np.array([missed.get(a, 0) for (a,) in settings])
    wanted = [(a,) for a in (4, 3, 7, 9, 10, 6, 2, 8, 1, 0)]  # those that miss nothing, the nearest to 5 first
    for count in range(11):
        assert surface.propose(candidates, {(5,)}, count) == wanted[:count]
    assert surface.propose([(0,), (4,)], set(), 4) == [(4,), (0,)]


def test_one_large_change_is_smaller_than_two_small_ones():
    surface = ResponseSurface(
        [variable("a", 0, tuple(range(11))), variable("b", "x", ("x", "y")), variable("c", 5, (0, 5, 20))], []
    )
    costs = {values: surface._compute_cost(values) for values in [(0, "x", 5), (9, "x", 5), (1, "x", 0), (0, "y", 5)]}
    assert list(costs.values()) == [(0, 0.0), (1, 0.9), (2, pytest.approx(0.35)), (1, 1.0)]
    assert surface.propose(list(costs), set(), 4) == [(0, "x", 5), (9, "x", 5), (0, "y", 5), (1, "x", 0)]


# Sobol indices


def test_a_jackknife_of_means_is_students_interval_of_group_means():
    means = np.array([1.0, 4.0, 2.0, 5.0, 3.0])
    sums = np.column_stack([means * 10, np.full(5, 10.0)])
    sums = np.vstack([sums, [[0.0, 0.0]]])  # a group without games does not count
    (found,) = sobol.jackknife_estimates(sums, lambda s: s[:1] / s[-1], 0.9, 50, clip=False)
    half = stats.t.ppf(0.95, 4) * means.std(ddof=1) / sqrt(5)
    assert (found.value, *ends(found)) == pytest.approx((3, 3 - half, 3 + half))
    assert (found.n, found.confidence) == (50, 0.9)
    (wide,) = sobol.jackknife_estimates(sums, lambda s: s[:1] / s[-1], 0.9, 50, 7.0, clip=False)
    assert (wide.value, *ends(wide)) == pytest.approx((3, -4, 10))


def test_shares_and_their_intervals_stay_between_0_and_1():
    sums = np.column_stack([[1.0, 2.0, 3.0], np.ones(3)])
    low, high, middle = sobol.jackknife_estimates(
        sums, lambda s: np.array([-s[0], s[0], 0.5 + 0 * s[0]]) / s[-1] * s[-1] / 3, 0.95, 3, 0.01
    )
    assert (low.value, low.low, high.value, high.high) == (0, 0, 1, 1)
    assert ends(low)[1] >= 0.01 and ends(high)[0] <= 0.99 and middle.value == pytest.approx(0.5 / 3)
    (nothing,) = sobol.jackknife_estimates(sums, lambda s: s[:1] * np.nan, 0.95, 3)
    assert isnan(nothing.value)


def test_an_index_shows_the_difference_of_the_values_that_it_shows():
    index = sobol.SobolIndex.from_estimates(around(0.25, 0.1), around(0.75, 0.2), Estimate(0.4, 0.3, 0.6, 50, 0.9))
    assert index.interaction == Estimate(0.5, 0.3, 0.6, 50, 0.9)
    assert (index.first, index.total) == (around(0.25, 0.1), around(0.75, 0.2))


SIGNS = list(itertools.product((-1, 1), repeat=3))
SOURCES = ((0,), (1,), (2,), (0, 2))  # of which the last is no source of its own


def outcome_of(signs):
    """Three sources of luck, of which two act together: the variance is 1 + 4 + 4."""
    x, y, z = signs
    return x + 2 * y + 2 * x * z


def swap_source(own, other, source):
    return [other[i] if i in source else own[i] for i in range(3)]


def pick_freeze_games():
    """The outcomes of all pairs of draws A and B, and with each source swapped."""
    pairs = list(itertools.product(SIGNS, SIGNS))
    a, b = (np.array([outcome_of(pair[i]) for pair in pairs], float) for i in (0, 1))
    swapped = [
        tuple(np.array([outcome_of(swap_source(p[i], p[1 - i], source)) for p in pairs], float) for i in (0, 1))
        for source in SOURCES
    ]
    return a, b, swapped


def test_indices_of_all_games_there_are_follow_from_the_terms():
    a, b, swapped = pick_freeze_games()
    sums = sobol.PickFreezeSums(4, [0, 1, 2])
    sums.add(0, a[:50], b[:50], [(x[:50], y[:50]) for x, y in swapped])
    sums.add(50, a[50:], b[50:], [(x[50:], y[50:]) for x, y in swapped])
    found = sums.estimate_indices(0.9)
    assert [i.first.value for i in found.indices] == pytest.approx([1 / 9, 4 / 9, 0, 5 / 9])
    assert [i.total.value for i in found.indices] == pytest.approx([5 / 9, 4 / 9, 4 / 9, 5 / 9])
    assert [i.interaction.value for i in found.indices] == pytest.approx([4 / 9, 0, 4 / 9, 0])
    assert (found.first_order_sum.value, found.interaction.value) == pytest.approx((5 / 9, 4 / 9))
    assert (found.games, found.difference_rate) == (64, pytest.approx((a != b).mean()))


def test_intervals_of_indices_are_those_of_a_jackknife_of_forty_groups():
    a, b, swapped = pick_freeze_games()
    sums = sobol.PickFreezeSums(4, [0, 1, 2])
    sums.add(0, a, b, swapped)
    found = sums.estimate_indices(0.9)

    def share_without(group):
        kept = np.arange(64) % 40 != group
        gaps = np.mean([((x - y)[kept] ** 2).mean() for x, y in swapped])
        variance = (((a - b)[kept] ** 2).mean() + gaps) / 4
        ab, ba = swapped[1]
        return ((a - ab) * (ba - b))[kept].mean() / 2 / variance

    shares = np.array([share_without(group) for group in range(40)])
    half = stats.t.ppf(0.95, 39) * sqrt(39 / 40 * ((shares - shares.mean()) ** 2).sum())
    unseen = e.wilson_rate(0, 64, 0.9).high / found.difference_rate
    assert half > unseen
    assert ends(found.indices[1].first) == pytest.approx((4 / 9 - half, 4 / 9 + half))
    assert found.indices[1].first.confidence == 0.9 and found.indices[1].first.n == 64


def test_players_who_decide_everything_leave_nothing_to_luck():
    sums = sobol.LevelVarianceSums(2)
    sums.add(0, [np.zeros(80), np.ones(80)])
    found = sums.estimate_variance(0.9)
    unseen = e.wilson_rate(0, 80, 0.9).high
    assert (found.players.value, *ends(found.players)) == pytest.approx((1, 1 - unseen, 1))
    for share in (found.luck, found.interaction):
        assert (share.value, *ends(share)) == pytest.approx((0, 0, unseen))
    assert [(mean.value, *ends(mean)) for mean in found.means] == [(0, 0, 0), (1, 1, 1)]


def test_games_that_all_end_alike_have_no_variance():
    same = np.ones(80)
    sums = sobol.PickFreezeSums(1, [0])
    sums.add(0, same, same, [(same, same)])
    found = sums.estimate_indices()
    assert not found.has_variance and found.difference_rate == 0 and isnan(found.indices[0].total.value)


def test_pick_freeze_sums_are_those_of_the_definition():
    """Two sources; in each game the outcomes with draws A, B, and with each source swapped."""
    a, b = np.array([1.0, 4.0, 0.0]), np.array([3.0, 4.0, 2.0])
    swapped = [
        (np.array([2.0, 4.0, 1.0]), np.array([5.0, 1.0, 2.0])),
        (np.array([1.0, 0.0, 0.0]), np.array([3.0, 2.0, 6.0])),
    ]
    sums = sobol.PickFreezeSums(2, [0, 1])
    sums.add(39, a, b, swapped)
    rows = sums.sums
    assert rows[[39, 0, 1]][:, -1].tolist() == [1, 1, 1] and rows[2:39].sum() == 0
    # first orders (a - ab)(ba - b), totals ((a - ab)^2 + (b - ba)^2) / 2, mean squared gap, share that differs, games
    assert rows[39].tolist() == [-1 * 2, 0 * 0, (1 + 4) / 2, 0, (4 + (9 + 4) / 2) / 2, (1 + 1) / 2, 1]
    assert rows[0].tolist() == [0 * -3, 4 * -2, 9 / 2, (16 + 4) / 2, (0 + (9 + 4) / 2) / 2, (0 + 1) / 2, 1]


def test_the_interval_of_an_index_is_no_narrower_than_changes_that_no_game_showed():
    a, b = np.array([0.0, 1.0] * 40), np.array([1.0, 1.0] * 40)
    sums = sobol.PickFreezeSums(1, [0])
    sums.add(0, a, b, [(b, a)])
    found = sums.estimate_indices(0.9)
    unseen = e.wilson_rate(0, 80, 0.9).high / 0.5
    assert found.games == 80 and found.difference_rate == 0.5 and found.has_variance
    assert found.indices[0].total.value == found.indices[0].first.value == found.first_order_sum.value == 1
    assert found.indices[0].total.low == pytest.approx(1 - unseen) and found.interaction.high == pytest.approx(unseen)


def test_shares_of_the_variance_over_levels_are_those_of_an_analysis_of_variance():
    outcomes = np.random.default_rng(4).integers(0, 5, (3, 90)).astype(float)
    outcomes[2] += outcomes[1]
    sums = sobol.LevelVarianceSums(3)
    sums.add(7, list(outcomes))
    found = sums.estimate_variance(0.9)
    covariance = np.cov(outcomes)
    within, luck = covariance.trace() / 3, covariance.mean()
    between = outcomes.mean(axis=1).var() - (within - luck) / 90
    shares = np.array([between, luck, within - luck]) / (between + within)
    assert [found.players.value, found.luck.value, found.interaction.value] == pytest.approx(shares)
    assert [m.value for m in found.means] == pytest.approx(outcomes.mean(axis=1)) and found.games == 90
    assert (
        min(found.luck.high - found.luck.value, found.players.high - found.players.value)
        >= e.wilson_rate(0, 90, 0.9).high - 1e-12
    )


# Gates


def test_looks_grow_from_the_first_to_the_budget():
    assert plan_looks(1125, 500, 1.5) == (500, 750, 1125) and plan_looks(1124, 500, 1.5) == (749, 1124)
    assert plan_looks(3, 1, 1.5) == (1, 2, 3) and plan_looks(400) == (400,) and plan_looks(3, 1, 1.2) == (2, 3)
    assert plan_looks(750) == (500, 750) and plan_looks(749) == (749,)


def test_errors_of_looks_grow_with_their_number():
    gate = Gate(alpha=0.06, beta=0.12, looks=(10, 20, 30), cells=2)
    assert [gate.error_levels(look) for look in range(3)] == [
        pytest.approx(levels) for levels in ((0.005, 0.02), (0.01, 0.04), (0.015, 0.06))
    ]
    assert Gate() == Gate(0.01, 0.05, 0.01, plan_looks(100_000), 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"alpha": 0},
        {"alpha": 0.5},
        {"beta": 0},
        {"beta": 0.5},
        {"margin": 0},
        {"margin": 1},
        {"cells": 0},
        {"looks": ()},
        {"looks": (0, 5)},
        {"looks": (5, 5)},
        {"looks": (5, 4)},
    ],
)
def test_what_no_gate_can_be_is_refused(wrong):
    with pytest.raises(ValueError):
        Gate(**wrong)
    assert Gate(alpha=0.49, beta=0.49, margin=0.99, looks=(1, 2), cells=1)


class Fixed:
    """A value with the same bounds at every level, which are noted."""

    games = 77

    def __init__(self, value, low, high):
        self.value, self.ends, self.levels = value, (low, high), []

    def bounds(self, level):
        self.levels.append(level)
        return self.ends

    def is_within(self, low, high, level):
        self.levels.append(level)
        return low <= self.ends[0] and self.ends[1] <= high

    def is_outside(self, low, high, level):
        self.levels.append(level)
        return self.ends[0] > high or self.ends[1] < low


GATE = Gate(alpha=0.06, beta=0.12, margin=0.1, looks=(10, 20, 30), cells=2)


def test_a_verdict_shows_the_interval_that_it_rests_on():
    met, missed = Fixed(0.5, 0.45, 0.55), Fixed(0.8, 0.7, 0.9)
    found = GATE.judge_band(1, met, 0.4, 0.6)
    assert (found.decision, found.look, found.games, ends(found.estimate)) == ("MET", 1, 77, (0.45, 0.55))
    assert found.estimate.confidence == pytest.approx(1 - 0.24) and met.levels == pytest.approx([0.04, 0.04])
    found = GATE.judge_band(1, missed, 0.4, 0.6)
    assert (found.decision, ends(found.estimate)) == ("MISSED", (0.7, 0.9)) and found.estimate.value == 0.8
    assert found.estimate.confidence == pytest.approx(0.94) and missed.levels == pytest.approx([0.04, 0.005, 0.005])


def test_a_band_may_be_open_on_either_side():
    assert (
        GATE.judge_band(0, Fixed(5, 4, 6), low=4).decision
        == "MET"
        == GATE.judge_band(0, Fixed(5, 4, 6), high=6).decision
    )
    assert GATE.judge_band(0, Fixed(5, 4, 6), low=6.1).decision == "MISSED"
    assert GATE.judge_band(0, Fixed(5, 4, 6), high=3.9).decision == "MISSED"
    assert GATE.judge_band(0, Fixed(5, 4, 6)).decision == "MET"


def test_without_a_decision_one_plays_on_to_the_last_look():
    open_ = Fixed(0.5, 0.3, 0.7)
    assert [GATE.judge_band(look, open_, 0.4, 0.6) for look in (0, 1)] == [None, None]
    found = GATE.judge_band(2, open_, 0.4, 0.6)
    assert found.decision == "INCONCLUSIVE" and found.estimate.confidence == pytest.approx(0.94)


def test_an_order_is_met_by_all_steps_and_missed_by_one():
    up, down, flat = Fixed(0.3, 0.1, 0.5), Fixed(-0.2, -0.3, -0.1), Fixed(0.1, -0.1, 0.2)
    assert (GATE.judge_order(0, [up, up]).decision, GATE.judge_order(0, [up, down]).decision) == ("MET", "MISSED")
    assert GATE.judge_order(0, [up, flat]) is None and GATE.judge_order(2, [up, flat]).decision == "INCONCLUSIVE"
    assert GATE.judge_order(2, [up, flat]).estimate.value == 0.1
    assert flat.levels[-1] == pytest.approx(0.015 / 4)
    assert GATE.judge_order(0, [up, Fixed(0.05, 0.0, 0.2)]).estimate.value == 0.05
    down.levels.clear()
    GATE.judge_order(1, [up, down])
    assert down.levels == pytest.approx([0.04, 0.01 / 4, 0.01 / 4])  # alpha is shared by two steps and two sides
    up.levels.clear()
    GATE.judge_order(1, [up])
    assert up.levels == pytest.approx([0.04, 0.04])


def test_a_difference_is_judged_by_its_zones():
    same = PairedBounds(20_000, 0, 0)
    gate = Gate(looks=(20_000,))
    assert gate.judge_difference(0, same).decision == "IDENTICAL"
    assert gate.judge_difference(0, same).estimate.confidence == pytest.approx(0.9)
    changed = gate.judge_difference(0, PairedBounds(20_000, 900, 100))
    assert (changed.decision, changed.estimate.value) == ("CHANGED", 0.04) and changed.estimate.confidence == 0.99
    within, outside = gate.check_zones(0, PairedBounds(20_000, 500, 100))
    assert (bool(within), bool(outside)) == (False, True)


def test_every_difference_has_the_verdict_of_its_bounds():
    for low, high, identical, decision in (
        (-0.1, 0.1, False, "EQUIVALENT"),
        (0.02, 0.1, False, "EQUIVALENT"),  # real, but within the margin
        (0.0, 0.0, True, "IDENTICAL"),
        (0.02, 0.11, False, "CHANGED"),
        (-0.3, -0.02, False, "CHANGED"),
        (-0.11, 0.05, False, None),
        (-0.05, 0.11, False, None),
    ):
        seen = Fixed((low + high) / 2, low, high)
        seen.identical = identical
        found = GATE.judge_difference(1, seen)
        assert (found.decision if found else None) == decision
        assert GATE.judge_difference(2, seen).decision == (decision or "INCONCLUSIVE")
        if found:
            passed = decision != "CHANGED"
            assert (found.look, found.games, ends(found.estimate)) == (1, 77, (low, high))
            assert found.estimate.confidence == pytest.approx(0.76 if passed else 0.94)
            assert seen.levels[:3] == pytest.approx([0.04, 0.01 / 2, 0.04 if passed else 0.01 / 2])
    open_ = Fixed(0.0, -0.2, 0.2)
    open_.identical = False
    assert [GATE.judge_difference(look, open_) for look in (0, 1)] == [None, None]
    found = GATE.judge_difference(2, open_)
    assert (found.decision, found.look, found.estimate.confidence) == ("INCONCLUSIVE", 2, pytest.approx(0.94))
    assert open_.levels[-3:] == pytest.approx([0.06, 0.015 / 2, 0.015 / 2])


def test_cells_keep_their_first_verdict_and_those_without_games_have_none():
    asked = []

    def judge(look, bounds):
        return Verdict(f"look {look}", Estimate(0, 0, 0, bounds.games), look) if bounds.games >= bounds.needs else None

    def bounds_of(games):
        asked.append(games)
        return {
            "a": SimpleNamespace(games=games, needs=10),
            "b": SimpleNamespace(games=games, needs=25),
            **({"none": SimpleNamespace(games=0, needs=0)} if len(asked) < 3 else {}),
        }

    found = judge_until_settled((10, 20, 30, 40), judge, bounds_of)
    assert {name: v.decision for name, v in found.items()} == {"a": "look 0", "b": "look 2"} and asked == [10, 20, 30]


def test_the_chances_of_a_band_are_the_sum_over_all_games():
    """A small gate against every number of wins that there is."""
    gate, p = Gate(alpha=0.2, beta=0.2, looks=(5, 12, 20)), 0.6
    open_, met, missed, games, before = {0: 1.0}, 0.0, 0.0, 0.0, 0
    for look, n in enumerate(gate.looks):
        games += sum(open_.values()) * (n - before)
        after = {}
        for wins, chance in open_.items():
            for more in range(n - before + 1):
                after[wins + more] = after.get(wins + more, 0) + chance * stats.binom.pmf(more, n - before, p)
        open_, before = {}, n
        for wins, chance in after.items():
            verdict = gate.judge_band(look, RateBounds(wins, n), 0.5, 0.9)
            if verdict and verdict.decision == "MET":
                met += chance
            elif verdict and verdict.decision == "MISSED":
                missed += chance
            else:
                open_[wins] = chance
    found = verdict_chances.compute_band_chances(gate, 0.5, 0.9, p)
    assert found == pytest.approx((met, missed, games), abs=1e-9) and met > 0.01 and missed > 0.0001


@pytest.mark.parametrize(("low", "high"), [(0.65, 0.9), (0.2, 0.57), (0.55, 0.66)])
def test_the_chances_of_a_band_with_hundreds_of_games(low, high):
    gate, p = Gate(alpha=0.2, beta=0.2, looks=(400, 1000)), 0.6
    first, new = stats.binom.pmf(range(401), 400, p), stats.binom.pmf(range(601), 600, p)

    def split(look, mass):
        """The chances of MET and of MISSED, and what is still open; nearly impossible counts are open."""
        found, open_ = {"MET": 0.0, "MISSED": 0.0, "INCONCLUSIVE": 0.0}, mass.copy()
        for wins in np.flatnonzero(mass > 1e-12).tolist():
            verdict = gate.judge_band(look, RateBounds(wins, len(mass) - 1), low, high)
            if verdict:
                found[verdict.decision] += mass[wins]
                open_[wins] = 0
        return found, open_

    early, open_ = split(0, first)
    late, _ = split(1, np.convolve(open_, new))
    found = verdict_chances.compute_band_chances(gate, low, high, p)
    met, missed = (early[decision] + late[decision] for decision in ("MET", "MISSED"))
    assert found == pytest.approx((met, missed, 400 + 600 * open_.sum()), abs=1e-8)


def test_the_chances_of_a_difference_are_the_sum_over_all_games():
    gate, gained, lost = Gate(alpha=0.3, beta=0.3, margin=0.3, looks=(6, 15)), 0.35, 0.15
    open_, chances, games, before = {(0, 0): 1.0}, {"CHANGED": 0.0, "EQUIVALENT": 0.0}, 0.0, 0
    for look, n in enumerate(gate.looks):
        new, after = n - before, {}
        games += sum(open_.values()) * new
        for ((g, k), chance), a, b in itertools.product(open_.items(), range(new + 1), range(new + 1)):
            if a + b <= new:
                law = stats.multinomial.pmf([a, b, new - a - b], new, [gained, lost, 1 - gained - lost])
                after[g + a, k + b] = after.get((g + a, k + b), 0) + chance * law
        open_, before = {}, n
        for (g, k), chance in after.items():
            verdict = gate.judge_difference(look, PairedBounds(n, g, k))
            if verdict is None or verdict.decision == "INCONCLUSIVE":
                open_[g, k] = chance
            else:
                chances["CHANGED" if verdict.decision == "CHANGED" else "EQUIVALENT"] += chance
    (row,) = verdict_chances.compute_verdict_chances(gate, [gained - lost], discordance=gained + lost)
    assert (row.changed, row.equivalent, row.games) == pytest.approx((chances["CHANGED"], chances["EQUIVALENT"], games))
    assert row.inconclusive == pytest.approx(sum(open_.values()))
    assert (row.difference, row.largest, row.error) == (gained - lost, 15, 0.0)
    simulated = verdict_chances._simulate_stops(gate, gained, lost, 40_000, np.random.default_rng(3))
    guess = verdict_chances.summarize_stops(gate, 0.2, simulated, 40_000)
    assert (guess.changed, guess.equivalent) == pytest.approx((row.changed, row.equivalent), abs=0.012)
    assert guess.games == pytest.approx(row.games, abs=0.2) and 0.002 < guess.error < 0.01
    widest = max(
        e.wilson_rate(round(c * 40_000), 40_000, 0.99).half_width
        for c in (guess.changed, guess.equivalent, guess.inconclusive)
    )
    assert guess.error == pytest.approx(widest)


def test_a_difference_needs_games_that_differ():
    with pytest.raises(ValueError, match=r"a difference of -0.2 needs more games that differ than 10.00%"):
        verdict_chances.compute_verdict_chances(GATE, [-0.2], discordance=0.1)
    (all_gained,) = verdict_chances.compute_verdict_chances(GATE, [1.0], discordance=1.0)
    assert all_gained.changed == pytest.approx(1) and all_gained.games >= 10


def test_a_lattice_that_is_too_large_is_simulated(monkeypatch):
    assert verdict_chances._estimate_lattice_size(100, 0.25, 0.16) == (16 * 5 + 30) * (16 * 4 + 30)
    monkeypatch.setattr(verdict_chances, "MAX_LATTICE_SIZE", 0)
    one, again = (
        verdict_chances.compute_verdict_chances(GATE, [0.0, 0.1, -0.1], discordance=0.3, simulated=500)
        for _ in range(2)
    )
    assert one == again and one[0].error > 0 and one[0] != one[1]


def test_the_size_of_the_lattice_is_that_of_the_last_look():
    """15 % gained and as many lost: (16 sqrt(0.15 n) + 30) squared is two million at 49,952 games."""
    for last, is_exact in ((2_000, True), (52_000, False)):
        gate = Gate(looks=(1_000, last))
        (row,) = verdict_chances.compute_verdict_chances(gate, [0.0], discordance=0.3, simulated=50)
        assert (row.error == 0) == is_exact and row.largest == last


def test_trinomial_chances_and_rims():
    chances, corner = verdict_chances._compute_trinomial(5, 0.5, 0.2)
    assert corner.tolist() == [0, 0] and chances.shape == (6, 6) and chances.sum() == pytest.approx(1)
    assert chances[2, 1] == pytest.approx(30 * 0.5**2 * 0.2 * 0.3**2) and chances[3, 3] == 0
    surely, _ = verdict_chances._compute_trinomial(4, 0.75, 0.25)
    assert surely[3, 1] == pytest.approx(4 * 0.75**3 * 0.25) and surely[1, 1] == 0
    mass = np.zeros((5, 6))
    mass[1, 2], mass[3, 4], mass[0, 0] = 0.5, 0.25, 1e-15
    inner, moved = verdict_chances._trim_rims(mass, np.array((10, 20)))
    assert inner.shape == (3, 3) and moved.tolist() == [11, 22] and inner[0, 0] == 0.5 and inner[2, 2] == 0.25
    nothing, moved = verdict_chances._trim_rims(np.zeros((4, 4)), np.array((10, 20)))
    assert nothing.shape == (1, 1) and not nothing.any() and moved.tolist() == [10, 20]
    for shape in ((1, 50), (50, 1)):  # together more than next to nothing, but no single count
        spread, moved = verdict_chances._trim_rims(np.full(shape, 5e-16), np.array((10, 20)))
        assert spread.shape == (1, 1) and not spread.any() and moved.tolist() == [10, 20]
