"""What games say of one value, in bounds that hold whatever the true rates are: what verdicts rest on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np


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

    def bounds(self, level: float) -> tuple[Any, Any]:
        return self._lower(level), -self._mirrored._lower(level)

    @property
    def _mirrored(self) -> Pairs:
        return Pairs(self.games, self.lost, self.gained)

    def _above(self, x: Any, level: float) -> Any:
        """Whether the difference is shown to be more than x: Tango's score test (1998) with corrections
        for continuity and skewness, so that it holds for every share of differing games (the tests
        compute its exact error over them). The correction is a whole game, not half of one: where every
        game differs, the surplus moves in steps of two.
        """
        if np.ndim(x) == 0 and abs(x) >= 1:
            return np.bool_(x <= -1)
        z = max(-NormalDist().inv_cdf(level), 1.0)
        discordance = self._discordance(x)
        spread = np.maximum(discordance - x * x, 1e-300)
        skewness = np.maximum(x * (1 - 3 * discordance + 2 * x * x) / spread, 0)
        excess = self.gained - self.lost - self.games * x - 1 - skewness * (z * z - 1) / 6
        return excess >= z * np.sqrt(self.games * spread)

    def _discordance(self, x: Any) -> Any:
        """The likeliest share of differing games if the difference were x."""
        n, gained, lost = self.games, self.gained, self.lost
        b = (2 * n - gained + lost) * x - gained - lost
        root = np.sqrt(np.maximum(b * b + 8.0 * n * lost * x * (1 - x), 0))
        return (root - b) / (2 * n) + x

    def _lower(self, level: float) -> Any:
        low, high = np.full(np.shape(self.gained), -1.0), np.full(np.shape(self.gained), 1.0)
        for _ in range(50):
            middle = (low + high) / 2
            above = self._above(middle, level)
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return low[()]


class Bounded(ABC):
    """Evidence whose statements follow from its bounds."""

    @abstractmethod
    def bounds(self, level: float) -> tuple[Any, Any]: ...

    def within(self, low: float, high: float, level: float) -> Any:
        lower, upper = self.bounds(level)
        return (lower >= low) & (upper <= high)

    def outside(self, low: float, high: float, level: float) -> Any:
        lower, upper = self.bounds(level)
        return (lower > high) | (upper < low)


@dataclass(frozen=True)
class Rate(Bounded):
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
class Against(Bounded):
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
