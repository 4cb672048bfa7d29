"""Bounds of means by betting, and of quantiles, that hold for any distribution.

A mean is bounded by betting (Waudby-Smith and Ramdas 2023, Estimating means of bounded random
variables by betting): a gambler starts with 1 and bets, game by game, that the mean is greater than
m. If it is not, the money reaches 1 / level at any time in at most a share `level` of runs. A few
huge scores do no harm, but the values must have a known range. A quantile needs none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, log

import numpy as np

from hardmode.studies.stats.bounds import IntervalBounds
from hardmode.studies.stats.estimates import sample_quantile

MAX_STAKE = 0.75  # largest share of the money that is bet on one game
RANGE_FACTOR = 10  # an unknown end of the range lies at so many times the greatest value seen
MIN_GAMES_FOR_RANGE = 2_000  # games after which an unknown end of the range is guessed
BISECTION_STEPS = 24  # halvings of 0 .. mean: seven digits of the bound


@dataclass(frozen=True)
class MeanBounds:
    """Bounds of a mean by betting.

    Attributes:
        values: The value of each game, in the order of the games.
        low: Least possible value.
        high: Greatest possible value.

    An infinite end is unknown: it is taken to be 0, or `RANGE_FACTOR` times the greatest absolute
    value of at least `MIN_GAMES_FOR_RANGE` games. With fewer games that side has no bound.
    """

    values: np.ndarray
    low: float = -inf
    high: float = inf

    @property
    def games(self) -> int:
        """Number of games observed."""
        return len(self.values)

    @cached_property
    def value(self) -> float:
        """Observed mean."""
        return float(self.values.mean())

    @property
    def _gamblers(self) -> tuple[_Gambler, _Gambler]:
        """One who bets that the mean is greater, and one that its negative is."""
        return _Gambler(self.values, self.low), _Gambler(-self.values, -self.high)

    def bounds(self, level: float) -> tuple[float, float]:
        """Return the lower and the upper bound, each wrong with at most probability `level`."""
        for_more, for_less = self._gamblers
        return for_more.lower_bound(level), -for_less.lower_bound(level)

    def is_within(self, low: float, high: float, level: float) -> bool:
        """Return whether the mean is shown to lie in low .. high."""
        for_more, for_less = self._gamblers
        return for_more.shows_at_least(low, level) and for_less.shows_at_least(-high, level)

    def is_outside(self, low: float, high: float, level: float) -> bool:
        """Return whether the mean is shown not to lie in low .. high."""
        for_more, for_less = self._gamblers
        return for_more.shows_more_than(high, level) or for_less.shows_more_than(-low, level)


class _Gambler:
    """Gambler who bets, game by game, that a mean is greater than m.

    Args:
        values: The value of each game.
        least: Least possible value, or -inf if unknown.
    """

    def __init__(self, values: np.ndarray, least: float) -> None:
        self.least = least if least > -inf else _guess_least(values)
        self.excess = values - self.least
        self.mean = float(self.excess.mean())

    def shows_at_least(self, m: float, level: float) -> bool:
        """Return whether the mean is shown to be m or more."""
        return m <= self.least or self.shows_more_than(m, level)

    def shows_more_than(self, m: float, level: float) -> bool:
        """Return whether the mean is shown to be more than m."""
        if self.least == -inf or m - self.least >= self.mean:
            return False
        return m <= self.least or self._wins(m - self.least, self._choose_bets(level), level)

    def lower_bound(self, level: float) -> float:
        """Return the largest mean, up to rounding, that is shown to be exceeded."""
        if self.least == -inf or not self.mean:
            return self.least
        bets = self._choose_bets(level)
        low = 0.0
        high = self.mean
        for _ in range(BISECTION_STEPS):
            m = (low + high) / 2
            if self._wins(m, bets, level):
                low = m
            else:
                high = m
        return self.least + low

    def _wins(self, m: float, bets: np.ndarray, level: float) -> bool:
        """Return whether the money reaches 1 / level by betting against a mean excess of m."""
        log_money = np.log1p(np.minimum(bets, MAX_STAKE / m) * (self.excess - m)).cumsum()
        return bool(log_money.max() >= log(1 / level))

    def _choose_bets(self, level: float) -> np.ndarray:
        """Return the bet on each game: the larger, the less the games before it varied."""
        n = np.arange(1, len(self.excess) + 1)
        running_mean = self.excess.cumsum() / n
        spread = 1 + ((self.excess - running_mean) ** 2).cumsum()
        variance_before = np.append(1.0, spread[:-1]) / n
        return np.sqrt(2 * log(1 / level) / (len(self.excess) * variance_before))


def _guess_least(values: np.ndarray) -> float:
    """Return a value below which no game is thought to lie, or -inf with too few games."""
    if len(values) < MIN_GAMES_FOR_RANGE:
        return -inf
    return 0.0 if values.min() >= 0 else -RANGE_FACTOR * float(np.abs(values).max())


@dataclass(frozen=True)
class QuantileBounds(IntervalBounds):
    """Bounds of a quantile by order statistics, exact for any distribution.

    The quantile is the smallest value that at least a share q of the games does not exceed. A bound
    for which there are too few games is infinite.

    Attributes:
        counts: How often each value occurred.
        q: The share.
    """

    counts: Mapping[int, int]
    q: float

    @cached_property
    def games(self) -> int:  # type: ignore[override]
        """Number of games observed."""
        return sum(self.counts.values())

    @cached_property
    def value(self) -> float:  # type: ignore[override]
        """Observed quantile."""
        return sample_quantile(self.counts, self.q)

    def bounds(self, level: float) -> tuple[float, float]:
        """Return the lower and the upper bound, each wrong with at most probability `level`."""
        from scipy.stats import binom

        values = sorted(self.counts)
        n = self.games
        ranks = np.cumsum([self.counts[value] for value in values])
        # At most `rank_below` games lie below the quantile with probability `level` or less, and
        # more than `rank_above` with probability `level` or less.
        rank_below = int(binom.ppf(level, n, self.q))
        rank_below -= binom.cdf(rank_below, n, self.q) > level
        rank_above = int(binom.isf(level, n, self.q))
        low = -inf
        high = inf
        if rank_below >= 0:
            low = values[int(np.searchsorted(ranks, rank_below + 1))]
        if rank_above < n:
            high = values[int(np.searchsorted(ranks, rank_above + 1))]
        return low, high
