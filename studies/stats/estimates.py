"""Estimates with confidence intervals: rates, differences of rates, means and quantiles.

All functions take integers (counts, sums, sums of squares, histograms), which is what tallies hold;
nothing is rounded before. Each function is named after its method. The intervals here have the
stated coverage on average over the true value; the bounds that the gate's verdicts rest on
(`studies.stats.bounds`) are a little wider and hold for every true value.

scipy is imported inside the functions that need it, because loading it takes long.

References:
    Wilson (1927), Probable inference, the law of succession, and statistical inference.
    Newcombe (1998), Interval estimation for the difference between independent proportions:
    comparison of eleven methods; and Improved confidence intervals for the difference between
    binomial proportions based on paired data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import ceil, exp, expm1, inf, lgamma, log, nan, sqrt
from statistics import NormalDist

DEFAULT_CONFIDENCE = 0.95
Histogram = Mapping[int, int] | Sequence[int]  # how often each value occurs


@dataclass(frozen=True)
class Estimate:
    """A value with its confidence interval.

    Attributes:
        value: The estimate; nan if nothing is known.
        low: Lower end of the interval.
        high: Upper end of the interval.
        n: Number of games that it rests on.
        confidence: Confidence of the interval.
    """

    value: float
    low: float
    high: float
    n: int
    confidence: float = DEFAULT_CONFIDENCE

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        """Return whether a value lies outside the interval."""
        return value < self.low or value > self.high


def two_sided_z(confidence: float) -> float:
    """Return the z for which a standard normal variable lies in -z .. z with this probability.

    Example:
        >>> round(two_sided_z(0.95), 3)
        1.96
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, not {confidence}")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def bonferroni_level(confidence: float, intervals: int) -> float:
    """Return the confidence of each of several intervals that hold together (Bonferroni).

    This is valid however the intervals depend on each other. For independent ones the exact value
    hardly differs: 0.95 over 10 intervals gives 0.99500, exactly 0.99488.

    Args:
        confidence: Confidence of all intervals together.
        intervals: Number of intervals.
    """
    return 1 - (1 - confidence) / intervals


# Rates


def wilson_rate(k: int, n: int, confidence: float = DEFAULT_CONFIDENCE) -> Estimate:
    """Return the rate k / n with Wilson's score interval (1927); 0 to 1 without games.

    Args:
        k: Number of successes.
        n: Number of games.
        confidence: Confidence of the interval.

    Raises:
        ValueError: k is not in 0 .. n.
    """
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is not a rate")
    if n == 0:
        return Estimate(nan, 0.0, 1.0, 0, confidence)
    z = two_sided_z(confidence)
    center = (k + z * z / 2) / (n + z * z)
    half = _wilson_half_width(k / n, n, z)
    # At k = 0 and k = n one end is exactly 0 or 1, which rounding would miss.
    low = 0.0 if k == 0 else center - half
    high = 1.0 if k == n else center + half
    return Estimate(k / n, low, high, n, confidence)


def _wilson_half_width(p: float, n: float, z: float) -> float:
    return z * sqrt(p * (1 - p) * n + z * z / 4) / (n + z * z)


def clopper_pearson_rate(k: int, n: int, confidence: float = DEFAULT_CONFIDENCE) -> Estimate:
    """Return the rate k / n with the exact interval of Clopper and Pearson (1934).

    It is a little wider than Wilson's and covers every true rate with the stated confidence.

    Args:
        k: Number of successes.
        n: Number of games.
        confidence: Confidence of the interval.
    """
    tail = (1 - confidence) / 2
    estimate = wilson_rate(k, n, confidence)
    if k in (0, n):  # closed form of both ends
        log_tail = log(tail) / n if n else -inf
        low = exp(log_tail) if k else 0.0
        high = 1.0 if k else -expm1(log_tail)
        return replace(estimate, low=low, high=high)
    from scipy.special import betaincinv

    return replace(
        estimate,
        low=float(betaincinv(k, n - k + 1, tail)),
        high=float(betaincinv(k + 1, n - k, 1 - tail)),
    )


def clopper_pearson_rates(
    rows: Sequence[tuple[int, int]], confidence: float = DEFAULT_CONFIDENCE
) -> list[Estimate]:
    """Return the rates k / n of a table, with intervals that hold together (Bonferroni).

    The intervals are exact, since a table of many rows has rare ones, where Wilson's interval
    misses too often.

    Args:
        rows: The successes and the games of each row.
        confidence: Confidence of all intervals together.
    """
    level = bonferroni_level(confidence, max(1, len(rows)))
    return [replace(clopper_pearson_rate(k, n, level), confidence=confidence) for k, n in rows]


def clopper_pearson_shares(
    counts: Sequence[int], confidence: float = DEFAULT_CONFIDENCE
) -> list[Estimate]:
    """Return the share of each count in their sum, with intervals that hold together.

    Args:
        counts: Number of games with each ending, or won by each seat.
        confidence: Confidence of all intervals together.
    """
    n = sum(counts)
    return clopper_pearson_rates([(k, n) for k in counts], confidence)


# Differences of rates


def newcombe_paired_difference(
    both: int, only_a: int, only_b: int, neither: int, confidence: float = DEFAULT_CONFIDENCE
) -> Estimate:
    """Return rate A minus rate B on the same games: Newcombe's method 10 for paired data (1998).

    Args:
        both: Games won under A and B.
        only_a: Games won under A alone.
        only_b: Games won under B alone.
        neither: Games won under neither.
        confidence: Confidence of the interval.
    """
    n = both + only_a + only_b + neither
    if n == 0:
        return Estimate(nan, -1.0, 1.0, 0, confidence)
    a = wilson_rate(both + only_a, n, confidence)
    b = wilson_rate(both + only_b, n, confidence)
    phi = _phi_coefficient(both, only_a, only_b, neither)
    return _square_and_add(a, b, (only_a - only_b) / n, phi, n)


def _phi_coefficient(both: int, only_a: int, only_b: int, neither: int) -> float:
    """Return the correlation of two outcomes, continuity-corrected if positive (Newcombe 1998)."""
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    if margins == 0:
        return 0.0
    n = both + only_a + only_b + neither
    surplus = both * neither - only_a * only_b
    corrected = max(surplus - n / 2, min(surplus, 0))
    return corrected / sqrt(margins)


def newcombe_difference(
    k_a: int, n_a: int, k_b: int, n_b: int, confidence: float = DEFAULT_CONFIDENCE
) -> Estimate:
    """Return rate A minus rate B of independent games: Newcombe's hybrid score interval (1998).

    Args:
        k_a: Games won under A.
        n_a: Games played under A.
        k_b: Games won under B.
        n_b: Games played under B.
        confidence: Confidence of the interval.
    """
    if n_a == 0 or n_b == 0:
        return Estimate(nan, -1.0, 1.0, n_a + n_b, confidence)
    return unpaired_difference(wilson_rate(k_a, n_a, confidence), wilson_rate(k_b, n_b, confidence))


def unpaired_difference(a: Estimate, b: Estimate) -> Estimate:
    """Return the difference of independent estimates by the square-and-add method.

    The half widths add as the sides of a right triangle.

    Args:
        a: The estimate from which the other is subtracted.
        b: The estimate that is subtracted.
    """
    return _square_and_add(a, b, a.value - b.value, 0.0, a.n + b.n)


def _square_and_add(a: Estimate, b: Estimate, value: float, phi: float, n: int) -> Estimate:
    """Return a difference whose half widths follow from those of a and b and their correlation."""

    def combine(x: float, y: float) -> float:
        return sqrt(max(x * x - 2 * phi * x * y + y * y, 0.0))

    low = value - combine(a.value - a.low, b.high - b.value)
    high = value + combine(a.high - a.value, b.value - b.low)
    return Estimate(value, low, high, n, a.confidence)


def mcnemar_p_value(only_a: int, only_b: int, mid_p: bool = False) -> float:
    """Return the two-sided p-value of McNemar's exact test that A and B win equally often.

    Args:
        only_a: Games won under A alone.
        only_b: Games won under B alone.
        mid_p: Count the observed split by half: nearer to the nominal size, without guarantee.
    """
    n = only_a + only_b
    k = min(only_a, only_b)
    p_value = 2 * binomial_cdf(k, n, 0.5)
    if mid_p:
        p_value -= exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2))
    return min(1.0, p_value)


def binomial_cdf(k: int, n: int, p: float) -> float:
    """Return the probability of k or fewer successes in n trials.

    The same as `scipy.stats.binom.cdf`, whose module takes half a second to load.

    Args:
        k: Number of successes.
        n: Number of trials.
        p: Probability of a success.
    """
    from scipy.special import betainc

    if k < 0:
        return 0.0
    return 1.0 if k >= n else float(betainc(n - k, k + 1, 1 - p))


def estimate_level_effects(
    levels: Mapping[str, tuple[int, int]], confidence: float = DEFAULT_CONFIDENCE
) -> dict[str, Estimate]:
    """Return for each level of a factor its win rate minus the win rate of all other levels.

    Args:
        levels: Wins and games of each level, such as each boss, by name.
        confidence: Confidence of all intervals together.
    """
    wins = sum(k for k, _ in levels.values())
    games = sum(n for _, n in levels.values())
    level = bonferroni_level(confidence, len(levels))
    effects = {}
    for name, (k, n) in levels.items():
        effect = newcombe_difference(k, n, wins - k, games - n, level)
        effects[name] = replace(effect, confidence=confidence)
    return effects


# Means and quantiles


def student_t_mean(
    n: int, total: int, squares: int, confidence: float = DEFAULT_CONFIDENCE
) -> Estimate:
    """Return a mean with Student's t interval, from the number, sum and sum of squares.

    The sums are integers, so the variance is exact however large the mean. The interval of a
    single game is infinite.

    Args:
        n: Number of games.
        total: Sum of the values.
        squares: Sum of their squares.
        confidence: Confidence of the interval.
    """
    if n == 0:
        return Estimate(nan, -inf, inf, 0, confidence)
    half = inf
    if n > 1:
        half = _student_t(confidence, n - 1) * sqrt(sample_variance(n, total, squares) / n)
    return Estimate(total / n, total / n - half, total / n + half, n, confidence)


def sample_variance(n: int, total: int, squares: int) -> float:
    """Return the unbiased variance of n > 1 integers, exact until the last division."""
    return (n * squares - total * total) / (n * (n - 1))


def _student_t(confidence: float, freedom: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + confidence) / 2))


def welch_difference(
    n_a: int, a: int, aa: int, n_b: int, b: int, bb: int, confidence: float = DEFAULT_CONFIDENCE
) -> Estimate:
    """Return mean A minus mean B of independent games, with Welch's interval (1947).

    Args:
        n_a: Number of games under A.
        a: Sum of the values under A.
        aa: Sum of the squares under A.
        n_b: Number of games under B.
        b: Sum of the values under B.
        bb: Sum of the squares under B.
        confidence: Confidence of the interval.
    """
    n = n_a + n_b
    value = a / n_a - b / n_b if n_a and n_b else nan
    if min(n_a, n_b) < 2:
        return Estimate(value, -inf, inf, n, confidence)
    u = sample_variance(n_a, a, aa) / n_a
    v = sample_variance(n_b, b, bb) / n_b
    if u + v == 0:
        return Estimate(value, value, value, n, confidence)
    freedom = (u + v) ** 2 / (u * u / (n_a - 1) + v * v / (n_b - 1))
    half = _student_t(confidence, freedom) * sqrt(u + v)
    return Estimate(value, value - half, value + half, n, confidence)


def order_statistic_quantile(
    histogram: Histogram, q: float, confidence: float = DEFAULT_CONFIDENCE
) -> Estimate:
    """Return the smallest value that at least a share q of the games does not exceed.

    The interval lies between two order statistics and is valid for any distribution. An end for
    which there are too few games is infinite: 100 games cannot bound the 99th percentile.

    Args:
        histogram: How often each value occurs.
        q: The share.
        confidence: Confidence of the interval.
    """
    counts = _sort_counts(histogram)
    n = sum(counts.values())
    tail = (1 - confidence) / 2
    if n == 0:
        return Estimate(nan, -inf, inf, 0, confidence)
    low = _order_statistic(counts, n, binomial_ppf(tail, n, q))
    high = _order_statistic(counts, n, binomial_ppf(1 - tail, n, q) + 1)
    return Estimate(sample_quantile(histogram, q), low, high, n, confidence)


def binomial_ppf(probability: float, n: int, p: float) -> int:
    """Return the smallest number of successes that is not exceeded with this probability.

    The same as `scipy.stats.binom.ppf`, whose module takes half a second to load.

    Args:
        probability: The probability.
        n: Number of trials.
        p: Probability of a success.
    """
    from scipy.special import bdtr, bdtrik

    hits = ceil(bdtrik(probability, n, p))
    return hits - 1 if hits and bdtr(hits - 1, n, p) >= probability else hits


def sample_quantile(histogram: Histogram, q: float) -> float:
    """Return the value of `order_statistic_quantile` without its interval and without scipy.

    Example:
        >>> sample_quantile({1: 5, 2: 4, 9: 1}, 0.5)
        1
    """
    counts = _sort_counts(histogram)
    n = sum(counts.values())
    return _order_statistic(counts, n, max(1, ceil(q * n - 1e-9)))


def _sort_counts(histogram: Histogram) -> dict[int, int]:
    pairs = histogram.items() if isinstance(histogram, Mapping) else enumerate(histogram)
    return dict(sorted((value, count) for value, count in pairs if count))


def _order_statistic(counts: dict[int, int], n: int, rank: int) -> float:
    """Return the rank-th smallest of n values; infinite beyond the ends."""
    if not 1 <= rank <= n:
        return -inf if rank < 1 else inf
    last_ranks = zip(counts, accumulate(counts.values()), strict=True)
    return next(value for value, last in last_ranks if rank <= last)


# Numbers of games to plan for


def plan_games_for_precision(
    half_width: float, p: float = 0.5, confidence: float = DEFAULT_CONFIDENCE
) -> int:
    """Return the fewest games after which Wilson's interval of a rate is this narrow.

    Args:
        half_width: Half the width of the interval.
        p: The true rate.
        confidence: Confidence of the interval.
    """
    z = two_sided_z(confidence)
    low = 0
    high = 1
    while _wilson_half_width(p, high, z) > half_width:
        low = high
        high = 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _wilson_half_width(p, middle, z) > half_width:
            low = middle
        else:
            high = middle
    return high


def plan_unpaired_games(
    p_a: float, p_b: float, confidence: float = DEFAULT_CONFIDENCE, power: float = 0.9
) -> int:
    """Return the games of each variant with which a test of two independent rates has this power.

    Args:
        p_a: True rate of A.
        p_b: True rate of B.
        confidence: 1 minus the permitted rate of false positives.
        power: Probability that the difference is detected.

    Returns:
        The number of games of each variant, or 0 if the rates are equal.
    """
    if p_a == p_b:
        return 0
    z = two_sided_z(confidence)
    z_power = NormalDist().inv_cdf(power)
    mid = (p_a + p_b) / 2
    spread = z * sqrt(2 * mid * (1 - mid)) + z_power * sqrt(p_a * (1 - p_a) + p_b * (1 - p_b))
    return ceil((spread / (p_a - p_b)) ** 2)


def plan_paired_games(
    only_a: int, only_b: int, n: int, confidence: float = DEFAULT_CONFIDENCE, power: float = 0.9
) -> int:
    """Return the games, played under A and B, with which McNemar's test has this power.

    The true difference is taken to be the one observed: what counts is how many games differ.

    Args:
        only_a: Games won under A alone, of n.
        only_b: Games won under B alone, of n.
        n: Number of games observed.
        confidence: 1 minus the permitted rate of false positives.
        power: Probability that the difference is detected.

    Returns:
        The number of games, or 0 if no difference was observed.
    """
    if only_a == only_b:
        return 0
    discordance = (only_a + only_b) / n
    difference = (only_a - only_b) / n
    z = two_sided_z(confidence)
    z_power = NormalDist().inv_cdf(power)
    spread = z * sqrt(discordance) + z_power * sqrt(discordance - difference**2)
    return ceil((spread / difference) ** 2)
