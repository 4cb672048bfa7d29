"""What games say of an amount (rounds, scores), in bounds that hold for any distribution: means and quantiles.

A mean is bounded by betting (Waudby-Smith and Ramdas, 2023): who bets game by game that it is greater than m, and
starts with 1, has 1/level at some time in at most a share `level` of runs if it is not. So a few huge scores do no
harm; the price is that the amount must have a range. A quantile needs none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, log

import numpy as np

from hardmode.studies.stats.bounds import Bounded
from hardmode.studies.stats.estimates import quantile_value

STAKE = 0.75  # of what a bettor has, at most
REACH = 10  # where no range is known: no amount is so many times the greatest seen
SEEN = 2_000  # games by which the greatest is judged
HALVINGS = 24


@dataclass(frozen=True)
class Mean:
    """A mean, from the amounts of the games in their order; `low` and `high` are the least and the most there can be.

    An end that is not known is taken to lie at 0, or at REACH times the greatest amount seen in no fewer than SEEN
    games; before that nothing is known of it.
    """

    values: np.ndarray
    low: float = -inf
    high: float = inf

    @property
    def games(self) -> int:
        return len(self.values)

    @cached_property
    def value(self) -> float:
        return float(self.values.mean())

    @property
    def _sides(self) -> tuple[_Bettor, _Bettor]:
        """Who bets that it is greater, and who bets that it is less."""
        return _Bettor(self.values, self.low), _Bettor(-self.values, -self.high)

    def bounds(self, level: float) -> tuple[float, float]:
        more, less = self._sides
        return more.least(level), -less.least(level)

    def within(self, low: float, high: float, level: float) -> bool:
        more, less = self._sides
        return more.leaves(low, level) and less.leaves(-high, level)

    def outside(self, low: float, high: float, level: float) -> bool:
        more, less = self._sides
        return more.beats(high, level) or less.beats(-low, level)


class _Bettor:
    """Bets game by game that the mean of values is greater than m, none of which is less than `end`."""

    def __init__(self, values: np.ndarray, end: float) -> None:
        self.end = end if end > -inf else _end(values)
        self.over = values - self.end
        self.mean = float(self.over.mean())

    def leaves(self, m: float, level: float) -> bool:
        """Whether the mean is shown to be m or more."""
        return m <= self.end or self.beats(m, level)

    def beats(self, m: float, level: float) -> bool:
        """Whether the mean is shown to be more than m."""
        if self.end == -inf or m - self.end >= self.mean:
            return False
        return m <= self.end or self._wins(m - self.end, self._bets(level), level)

    def least(self, level: float) -> float:
        """The least mean against which no bet is won."""
        low, high = 0.0, self.mean
        if self.end == -inf or not high:
            return self.end
        bets = self._bets(level)
        for _ in range(HALVINGS):
            m = (low + high) / 2
            low, high = (m, high) if self._wins(m, bets, level) else (low, m)
        return self.end + low

    def _wins(self, m: float, bets: np.ndarray, level: float) -> bool:
        money = np.log1p(np.minimum(bets, STAKE / m) * (self.over - m)).cumsum()
        return bool(money.max() >= log(1 / level))

    def _bets(self, level: float) -> np.ndarray:
        """How much to bet on each game, judged by those before it: the less they vary, the more."""
        over, n = self.over, np.arange(1, len(self.over) + 1)
        spread = 1 + ((over - over.cumsum() / n) ** 2).cumsum()
        before = np.append(1.0, spread[:-1]) / n
        return np.sqrt(2 * log(1 / level) / (len(over) * before))


def _end(values: np.ndarray) -> float:
    """What no amount lies below, judged by those seen."""
    if len(values) < SEEN:
        return -inf
    return 0.0 if values.min() >= 0 else -REACH * float(np.abs(values).max())


@dataclass(frozen=True)
class Quantile(Bounded):
    """The smallest amount that at least a share q of the games do not exceed, from how often each came.

    Its bounds are order statistics, exact for any distribution; one for which the games are too few is infinite.
    """

    counts: Mapping[int, int]
    q: float

    @cached_property
    def games(self) -> int:  # type: ignore[override]
        return sum(self.counts.values())

    @cached_property
    def value(self) -> float:  # type: ignore[override]
        return quantile_value(self.counts, self.q)

    def bounds(self, level: float) -> tuple[float, float]:
        from scipy.stats import binom

        amounts, n = sorted(self.counts), self.games
        ranks = np.cumsum([self.counts[a] for a in amounts])
        below = int(
            binom.ppf(level, n, self.q)
        )  # so many games or fewer come up to it with a chance of level
        below -= binom.cdf(below, n, self.q) > level
        above = int(
            binom.isf(level, n, self.q)
        )  # more than so many lie below it with a chance of level
        low = amounts[int(np.searchsorted(ranks, below + 1))] if below >= 0 else -inf
        high = amounts[int(np.searchsorted(ranks, above + 1))] if above < n else inf
        return low, high
