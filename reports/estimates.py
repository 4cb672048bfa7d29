"""Estimates: every number the product shows, with the interval it belongs in.

Pure functions of integers (counts, sums, sums of squares, histograms), because that is what tallies
hold; nothing is rounded or averaged before it comes here. Rates have Wilson's interval, differences of
rates Newcombe's square-and-add interval of two Wilson intervals (independent games, or the same games
under two variants): right on average over what the true rate may be. The bounds on which verdicts rest
are a little wider: right whatever it is. scipy is imported where it is used: most of this needs none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import ceil, hypot, inf, nan, sqrt
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np

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
        raise ValueError(f"{k} of {n} is no rate")
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


def shares(counts: Sequence[int], confidence: float = CONFIDENCE) -> list[Estimate]:
    """The shares of several endings (or seats), with intervals that hold all together."""
    each = simultaneous(confidence, len(counts))
    return [replace(rate(k, sum(counts), each), confidence=confidence) for k in counts]


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
    from scipy.stats import binom

    n, k = only_a + only_b, min(only_a, only_b)
    tail = float(binom.cdf(k, n, 0.5)) - (float(binom.pmf(k, n, 0.5)) / 2 if mid else 0.0)
    return min(1.0, 2 * tail)


def effects(levels: Mapping[str, tuple[int, int]], confidence: float = CONFIDENCE) -> dict[str, Estimate]:
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


def means(n_a: int, a: int, aa: int, n_b: int, b: int, bb: int, confidence: float = CONFIDENCE) -> Estimate:
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
    from scipy.stats import binom

    counts = _counts(histogram)
    n, tail = sum(counts.values()), (1 - confidence) / 2
    if n == 0:
        return Estimate(nan, -inf, inf, 0, confidence)
    lower, upper = int(binom.ppf(tail, n, q)), int(binom.ppf(1 - tail, n, q)) + 1
    low, high = (_order(counts, n, rank) for rank in (lower, upper))
    return Estimate(quantile_value(histogram, q), low, high, n, confidence)


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


def pairs_needed(only_a: int, only_b: int, n: int, confidence: float = CONFIDENCE, power: float = 0.9) -> int:
    """Games played under both variants so that a difference as large as the one seen is told from none
    with this chance; 0 when none is seen. What counts is how many games differ: `only_a + only_b` of n."""
    if only_a == only_b:
        return 0
    discordance, seen = (only_a + only_b) / n, (only_a - only_b) / n
    z, z_power = z_two_sided(confidence), NormalDist().inv_cdf(power)
    return ceil(((z * sqrt(discordance) + z_power * sqrt(discordance - seen**2)) / seen) ** 2)


# Bounds that hold whatever the true rates: what verdicts rest on


class Evidence(Protocol):
    """What games say of one value. Each end of `bounds` is wrong with at most the chance `level`;
    `within` and `outside` say whether the bounds leave no doubt of it.

    Counts may be numpy arrays as well: a plan judges many tallies at once.
    """

    @property
    def games(self) -> int: ...
    @property
    def value(self) -> Any: ...
    def bounds(self, level: float) -> tuple[Any, Any]: ...
    def within(self, low: float, high: float, level: float) -> Any: ...
    def outside(self, low: float, high: float, level: float) -> Any: ...


@dataclass(frozen=True)
class Pairs:
    """New build minus baseline on the same games: won only by the one, won only by the other.

    `differing` counts the games whose whole outcome is not the same, where that is known.
    """

    games: int
    gained: Any
    lost: Any
    differing: Any = None

    @property
    def value(self) -> Any:
        return (self.gained - self.lost) / self.games

    @property
    def identical(self) -> bool:
        return not (self.gained or self.lost or self.differing)

    def within(self, low: float, high: float, level: float) -> Any:
        return self._above(low, level) & self._mirrored._above(-high, level)

    def outside(self, low: float, high: float, level: float) -> Any:
        return self._above(high, level) | self._mirrored._above(-low, level)

    def bounds(self, level: float) -> tuple[float, float]:
        return self._lower(level), -self._mirrored._lower(level)

    @property
    def _mirrored(self) -> Pairs:
        return Pairs(self.games, self.lost, self.gained)

    def _above(self, x: float, level: float) -> Any:
        """Whether the difference is shown to be more than x: Tango's score test (1998) with corrections
        for continuity and skewness, so that it holds for every share of differing games (the tests
        compute its exact error over them). The correction is a whole game, not half of one: where every
        game differs, the surplus moves in steps of two.
        """
        if abs(x) >= 1:
            return np.bool_(x <= -1)
        z = max(-NormalDist().inv_cdf(level), 1.0)
        discordance = self._discordance(x)
        spread = np.maximum(discordance - x * x, 1e-300)
        skewness = np.maximum(x * (1 - 3 * discordance + 2 * x * x) / spread, 0)
        excess = self.gained - self.lost - self.games * x - 1 - skewness * (z * z - 1) / 6
        return excess >= z * np.sqrt(self.games * spread)

    def _discordance(self, x: float) -> Any:
        """The likeliest share of differing games if the difference were x."""
        n, gained, lost = self.games, self.gained, self.lost
        b = (2 * n - gained + lost) * x - gained - lost
        root = np.sqrt(np.maximum(b * b + 8.0 * n * lost * x * (1 - x), 0))
        return (root - b) / (2 * n) + x

    def _lower(self, level: float) -> float:
        low, high = -1.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if self._above(middle, level) else (low, middle)
        return low


class _Bounded:
    """Evidence whose statements follow from its bounds."""

    def bounds(self, level: float) -> tuple[Any, Any]:
        raise NotImplementedError

    def within(self, low: float, high: float, level: float) -> Any:
        lower, upper = self.bounds(level)
        return (lower >= low) & (upper <= high)

    def outside(self, low: float, high: float, level: float) -> Any:
        lower, upper = self.bounds(level)
        return (lower > high) | (upper < low)


@dataclass(frozen=True)
class Rate(_Bounded):
    """A rate by itself: Clopper and Pearson's exact bounds."""

    wins: Any
    games: int

    @property
    def value(self) -> Any:
        return self.wins / self.games

    def bounds(self, level: float) -> tuple[Any, Any]:
        from scipy.special import betaincinv

        k, n = self.wins, self.games
        low = np.where(k > 0, betaincinv(np.maximum(k, 1), n - k + 1, level), 0.0)
        high = np.where(k < n, betaincinv(k + 1, np.maximum(n - k, 1), 1 - level), 1.0)
        return low[()], high[()]

    def reach(self, level: float) -> Any:
        """The longer arm of the two bounds."""
        low, high = self.bounds(level)
        return np.maximum(high - self.value, self.value - low)


@dataclass(frozen=True)
class Against(_Bounded):
    """New build minus baseline, of which only the tally is known: games that have nothing in common.

    The exact bounds of both rates, each taken to both sides by its longer arm, add as the sides of a
    triangle: the baseline's own uncertainty is part of the verdict. The tests compute the exact error.
    """

    wins: Any
    games: int
    base_wins: Any
    base_games: int

    identical = False

    @property
    def value(self) -> Any:
        return self.wins / self.games - self.base_wins / self.base_games

    def bounds(self, level: float) -> tuple[Any, Any]:
        new, base = Rate(self.wins, self.games), Rate(self.base_wins, self.base_games)
        reach = np.hypot(new.reach(level), base.reach(level))
        return np.maximum(self.value - reach, -1.0), np.minimum(self.value + reach, 1.0)


@dataclass(frozen=True)
class Mean(_Bounded):
    """A mean (of scores, of rounds; or of differences game by game): Student's bounds, approximate."""

    games: int
    total: int
    total_sq: int

    @property
    def value(self) -> float:
        return self.total / self.games

    def bounds(self, level: float) -> tuple[float, float]:
        known = mean(self.games, self.total, self.total_sq, 1 - 2 * level)
        return known.low, known.high
