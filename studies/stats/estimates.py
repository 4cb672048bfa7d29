"""Estimates: every number the product shows, with the interval it belongs in.

Pure functions of integers (counts, sums, sums of squares, histograms), because that is what tallies
hold; nothing is rounded or averaged before it comes here. Rates have Wilson's interval, differences of
rates Newcombe's square-and-add interval of two Wilson intervals (independent games, or the same games
under two variants): right on average over what the true rate may be. The bounds on which verdicts rest
(`reports.evidence`) are a little wider: right whatever it is. scipy is imported where it is used: most
of this needs none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import ceil, exp, expm1, hypot, inf, lgamma, log, nan, sqrt
from statistics import NormalDist

CONFIDENCE = 0.95
Histogram = Mapping[int, int] | Sequence[int]


@dataclass(frozen=True)
class Estimate:
    """A value, the interval it lies in with the stated confidence, and the games it rests on."""

    value: float
    low: float
    high: float
    n: int
    confidence: float = CONFIDENCE

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        return value < self.low or value > self.high


def z_two_sided(confidence: float) -> float:
    """How many standard deviations to each side hold this share of a normal distribution."""
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, not {confidence}")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def simultaneous(confidence: float, cells: int) -> float:
    """The confidence each of `cells` intervals needs so that all of them hold together (Bonferroni).

    It holds however the cells depend on each other; for independent ones nothing noticeable is gained
    by anything finer (0.95 over 10 cells: 0.99500, exactly 0.99488).
    """
    return 1 - (1 - confidence) / cells


# Rates


def rate(k: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """The share k of n with Wilson's score interval; without games nothing is known: 0 to 1."""
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is not a rate")
    if n == 0:
        return Estimate(nan, 0.0, 1.0, 0, confidence)
    z = z_two_sided(confidence)
    centre = (k + z * z / 2) / (n + z * z)
    half = _wilson_half(k / n, n, z)
    # At k = 0 and k = n an end is 0 or 1 by algebra, which rounding would miss.
    low = 0.0 if k == 0 else centre - half
    high = 1.0 if k == n else centre + half
    return Estimate(k / n, low, high, n, confidence)


def _wilson_half(p: float, n: float, z: float) -> float:
    return z * sqrt(p * (1 - p) * n + z * z / 4) / (n + z * z)


def exact_rate(k: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """The share k of n with Clopper and Pearson's interval: a little wider, and right whatever the rate is."""
    tail, whole = (1 - confidence) / 2, rate(k, n, confidence)
    if k in (0, n):  # both ends by algebra
        rare = log(tail) / n if n else -inf
        return replace(whole, low=exp(rare) if k else 0.0, high=1.0 if k else -expm1(rare))
    from scipy.special import betaincinv

    return replace(
        whole,
        low=float(betaincinv(k, n - k + 1, tail)),
        high=float(betaincinv(k + 1, n - k, 1 - tail)),
    )


def rates(rows: Sequence[tuple[int, int]], confidence: float = CONFIDENCE) -> list[Estimate]:
    """The rates k of n of the rows of a table, with intervals that hold all together.

    They are exact: among many rows there are rare ones, where Wilson's would miss too often.
    """
    each = simultaneous(confidence, max(1, len(rows)))
    return [replace(exact_rate(k, n, each), confidence=confidence) for k, n in rows]


def shares(counts: Sequence[int], confidence: float = CONFIDENCE) -> list[Estimate]:
    """The shares of several endings (or seats), with intervals that hold all together."""
    return rates([(k, sum(counts)) for k in counts], confidence)


# Differences of rates


def paired_difference(
    both: int, only_a: int, only_b: int, neither: int, confidence: float = CONFIDENCE
) -> Estimate:
    """Rate of A minus rate of B when both played the same games: Newcombe's method 10 (1998).

    `both`, `only_a`, `only_b`, `neither` count the games won under both, one or none.
    """
    n = both + only_a + only_b + neither
    a, b = rate(both + only_a, n, confidence), rate(both + only_b, n, confidence)
    if n == 0:
        return Estimate(nan, -1.0, 1.0, 0, confidence)
    return _square_and_add(a, b, (only_a - only_b) / n, _phi(both, only_a, only_b, neither), n)


def _phi(both: int, only_a: int, only_b: int, neither: int) -> float:
    """The correlation of the two outcomes, continuity-corrected where it is positive (Newcombe)."""
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    if margins == 0:
        return 0.0
    n = both + only_a + only_b + neither
    surplus = both * neither - only_a * only_b
    corrected = max(surplus - n / 2, 0) if surplus > 0 else surplus
    return corrected / sqrt(margins)


def difference(k_a: int, n_a: int, k_b: int, n_b: int, confidence: float = CONFIDENCE) -> Estimate:
    """Rate of A minus rate of B in games that have nothing to do with each other: Newcombe's hybrid."""
    if n_a == 0 or n_b == 0:
        return Estimate(nan, -1.0, 1.0, n_a + n_b, confidence)
    a, b = rate(k_a, n_a, confidence), rate(k_b, n_b, confidence)
    return _square_and_add(a, b, a.value - b.value, 0.0, n_a + n_b)


def less(a: Estimate, b: Estimate) -> Estimate:
    """One value less another, whatever they measure, from games that have nothing to do with each other."""
    return _square_and_add(a, b, a.value - b.value, 0.0, a.n + b.n)


def _square_and_add(a: Estimate, b: Estimate, value: float, phi: float, n: int) -> Estimate:
    """Two intervals make one of the difference: their half widths add as the sides of a triangle."""

    def side(x: float, y: float) -> float:
        return sqrt(max(x * x - 2 * phi * x * y + y * y, 0.0))

    low = value - side(a.value - a.low, b.high - b.value)
    high = value + side(a.high - a.value, b.value - b.low)
    return Estimate(value, low, high, n, a.confidence)


def mcnemar(only_a: int, only_b: int, mid: bool = False) -> float:
    """The chance of a split as uneven as this among the games that differ, if neither variant is better.

    Exact; `mid` counts the split itself by half (mid-p: nearer to the nominal size, not guaranteed).
    """
    n, k = only_a + only_b, min(only_a, only_b)
    here = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2)) if mid else 0.0
    return min(1.0, 2 * binomial_cdf(k, n, 0.5) - here)


def binomial_cdf(k: int, n: int, p: float) -> float:
    """The chance of k or fewer of n: as scipy.stats has it, which takes half a second to load."""
    from scipy.special import betainc

    return 1.0 if k >= n else float(betainc(n - k, k + 1, 1 - p)) if k >= 0 else 0.0


def effects(
    levels: Mapping[str, tuple[int, int]], confidence: float = CONFIDENCE
) -> dict[str, Estimate]:
    """What each level of a factor (each boss, each hero) does: its rate minus the rate of all the rest.

    `levels` maps a name to (wins, games). The intervals hold all together.
    """
    wins, games = (sum(column) for column in zip(*levels.values(), strict=True))
    each = simultaneous(confidence, len(levels))
    return {
        name: replace(difference(k, n, wins - k, games - n, each), confidence=confidence)
        for name, (k, n) in levels.items()
    }


def stratified_difference(
    strata: Sequence[tuple[int, int, int, int]], confidence: float = CONFIDENCE
) -> Estimate:
    """Rate of A minus rate of B within strata (wins_a, games_a, wins_b, games_b), then averaged.

    So a hero who happened to meet the easy boss more often gets no credit for it. Weights are
    Mantel-Haenszel's; strata in which one side has no games say nothing and are left out.
    """
    told = [s for s in strata if s[1] and s[3]]
    games = sum(s[1] + s[3] for s in told)
    if not told:
        return Estimate(nan, -1.0, 1.0, 0, confidence)
    weights = [s[1] * s[3] / (s[1] + s[3]) for s in told]
    parts = [difference(*s, confidence) for s in told]
    shares_of = [w / sum(weights) for w in weights]
    value = sum(w * p.value for w, p in zip(shares_of, parts, strict=True))
    low = hypot(*(w * (p.value - p.low) for w, p in zip(shares_of, parts, strict=True)))
    high = hypot(*(w * (p.high - p.value) for w, p in zip(shares_of, parts, strict=True)))
    return Estimate(value, value - low, value + high, games, confidence)


# Means and quantiles


def mean(n: int, total: int, total_sq: int, confidence: float = CONFIDENCE) -> Estimate:
    """A mean from count, sum and sum of squares, with Student's interval.

    The sums are integers, so the variance is exact however large the mean. One game has no interval.
    """
    if n == 0:
        return Estimate(nan, -inf, inf, 0, confidence)
    half = _t(confidence, n - 1) * sqrt(variance(n, total, total_sq) / n) if n > 1 else inf
    return Estimate(total / n, total / n - half, total / n + half, n, confidence)


def variance(n: int, total: int, total_sq: int) -> float:
    """The unbiased variance of n numbers (n > 1), exact until the last division."""
    return (n * total_sq - total * total) / (n * (n - 1))


def _t(confidence: float, freedom: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + confidence) / 2))


def paired_means(
    n: int, a: int, b: int, aa: int, bb: int, ab: int, confidence: float = CONFIDENCE
) -> Estimate:
    """Mean of A minus mean of B over the same games, from the sums of a, b, a², b² and a·b."""
    return mean(n, a - b, aa + bb - 2 * ab, confidence)


def means(
    n_a: int, a: int, aa: int, n_b: int, b: int, bb: int, confidence: float = CONFIDENCE
) -> Estimate:
    """Mean of A minus mean of B in games that have nothing to do with each other: Welch's interval."""
    if min(n_a, n_b) < 2:
        value = a / n_a - b / n_b if n_a and n_b else nan
        return Estimate(value, -inf, inf, n_a + n_b, confidence)
    value, u, v = a / n_a - b / n_b, variance(n_a, a, aa) / n_a, variance(n_b, b, bb) / n_b
    if u + v == 0:
        return Estimate(value, value, value, n_a + n_b, confidence)
    freedom = (u + v) ** 2 / (u * u / (n_a - 1) + v * v / (n_b - 1))
    half = _t(confidence, freedom) * sqrt(u + v)
    return Estimate(value, value - half, value + half, n_a + n_b, confidence)


def quantile(histogram: Histogram, q: float, confidence: float = CONFIDENCE) -> Estimate:
    """The smallest value that at least a share q of the games do not exceed.

    The interval runs between two order statistics and holds for any distribution; an end for which the
    games are too few is infinite (no 99th percentile can be bounded by 100 games).
    """
    counts = _counts(histogram)
    n, tail = sum(counts.values()), (1 - confidence) / 2
    if n == 0:
        return Estimate(nan, -inf, inf, 0, confidence)
    lower, upper = _at_most(tail, n, q), _at_most(1 - tail, n, q) + 1
    low, high = (_order(counts, n, rank) for rank in (lower, upper))
    return Estimate(quantile_value(histogram, q), low, high, n, confidence)


def _at_most(chance: float, n: int, p: float) -> int:
    """The fewest hits in n tries that are not exceeded with this chance: `scipy.stats.binom.ppf`, and scipy.stats takes
    half a second to load."""
    from scipy.special import bdtr, bdtrik

    hits = ceil(bdtrik(chance, n, p))
    return hits - 1 if hits and bdtr(hits - 1, n, p) >= chance else hits


def quantile_value(histogram: Histogram, q: float) -> float:
    """The same value without its interval, for which a library that is slow to load is needed."""
    counts = _counts(histogram)
    n = sum(counts.values())
    return _order(counts, n, max(1, ceil(q * n - 1e-9)))


def _counts(histogram: Histogram) -> dict[int, int]:
    pairs = histogram.items() if isinstance(histogram, Mapping) else enumerate(histogram)
    return dict(sorted((value, count) for value, count in pairs if count))


def _order(counts: dict[int, int], n: int, rank: int) -> float:
    """The rank-th smallest of n values; beyond both ends nothing is known."""
    if not 1 <= rank <= n:
        return -inf if rank < 1 else inf
    ranks = zip(counts, accumulate(counts.values()), strict=True)
    return next(value for value, last in ranks if rank <= last)


# How many games


def games_for(half_width: float, p: float = 0.5, confidence: float = CONFIDENCE) -> int:
    """The fewest games after which a rate near p is known to within +- half_width (Wilson)."""
    z, low, high = z_two_sided(confidence), 0, 1
    while _wilson_half(p, high, z) > half_width:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _wilson_half(p, middle, z) > half_width else (low, middle)
    return high


def games_needed(p_a: float, p_b: float, confidence: float = CONFIDENCE, power: float = 0.9) -> int:
    """Independent games under each of two variants so that p_a is told from p_b with this chance; 0 when
    they are equal, since no number of games would do."""
    if p_a == p_b:
        return 0
    z, z_power, mid = z_two_sided(confidence), NormalDist().inv_cdf(power), (p_a + p_b) / 2
    spread = z * sqrt(2 * mid * (1 - mid)) + z_power * sqrt(p_a * (1 - p_a) + p_b * (1 - p_b))
    return ceil((spread / (p_a - p_b)) ** 2)


def pairs_needed(
    only_a: int, only_b: int, n: int, confidence: float = CONFIDENCE, power: float = 0.9
) -> int:
    """Games played under both variants so that a difference as large as the one seen is told from none
    with this chance; 0 when none is seen. What counts is how many games differ: `only_a + only_b` of n."""
    if only_a == only_b:
        return 0
    discordance, seen = (only_a + only_b) / n, (only_a - only_b) / n
    z, z_power = z_two_sided(confidence), NormalDist().inv_cdf(power)
    return ceil(((z * sqrt(discordance) + z_power * sqrt(discordance - seen**2)) / seen) ** 2)
