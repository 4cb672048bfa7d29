"""Confidence bounds that hold for every true value, on which the verdicts of the gate rest.

Each bound is one-sided: it is wrong with at most the probability `level`, whatever the true rates
are. Counts may also be numpy arrays, since the plan of a gate judges many tallies at once; results
are then arrays, too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np

BISECTIONS = 50  # halvings of -1 .. 1, down to the precision of a float


class ValueBounds(Protocol):
    """Observed games that bound one value."""

    @property
    def games(self) -> int:
        """Number of games observed."""
        ...

    @property
    def value(self) -> Any:
        """Observed value."""
        ...

    def bounds(self, level: float) -> tuple[Any, Any]:
        """Return the lower and the upper bound, each wrong with at most probability `level`."""
        ...

    def is_within(self, low: float, high: float, level: float) -> Any:
        """Return whether the value is shown to lie in low .. high."""
        ...

    def is_outside(self, low: float, high: float, level: float) -> Any:
        """Return whether the value is shown not to lie in low .. high."""
        ...


@dataclass(frozen=True)
class PairedBounds:
    """Difference of two win rates on the same games: new build minus baseline.

    The bounds are those of Tango's score test for paired data (1998), with corrections for
    continuity and skewness so that they hold for every share of games that differ. The tests
    compute their exact error over that share.

    Attributes:
        games: Number of games.
        gained: Games won by the new build alone.
        lost: Games won by the baseline alone.
        games_changed: Games whose whole outcome differs, if known.
    """

    games: int
    gained: Any
    lost: Any
    games_changed: Any = None

    @property
    def value(self) -> Any:
        """Observed difference of the rates."""
        return (self.gained - self.lost) / self.games

    @property
    def identical(self) -> bool:
        """True if no game differs in any way."""
        return not (self.gained or self.lost or self.games_changed)

    def is_within(self, low: float, high: float, level: float) -> Any:
        """Return whether the difference is shown to lie in low .. high."""
        return self._is_above(low, level) & self._mirrored._is_above(-high, level)

    def is_outside(self, low: float, high: float, level: float) -> Any:
        """Return whether the difference is shown not to lie in low .. high."""
        return self._is_above(high, level) | self._mirrored._is_above(-low, level)

    def bounds(self, level: float) -> tuple[Any, Any]:
        """Return the lower and the upper bound, each wrong with at most probability `level`."""
        return self._lower_bound(level), -self._mirrored._lower_bound(level)

    @property
    def _mirrored(self) -> PairedBounds:
        """Baseline minus new build."""
        return PairedBounds(self.games, self.lost, self.gained)

    def _is_above(self, x: Any, level: float) -> Any:
        """Return whether the difference is shown to be more than x.

        The correction for continuity is a whole game and not half of one: where every game differs,
        `gained - lost` moves in steps of two.
        """
        if np.ndim(x) == 0 and abs(x) >= 1:
            return np.bool_(x <= -1)
        z = max(-NormalDist().inv_cdf(level), 1.0)
        discordance = self._likeliest_discordance(x)
        spread = np.maximum(discordance - x * x, 1e-300)
        skewness = np.maximum(x * (1 - 3 * discordance + 2 * x * x) / spread, 0)
        excess = self.gained - self.lost - self.games * x - 1 - skewness * (z * z - 1) / 6
        return excess >= z * np.sqrt(self.games * spread)

    def _likeliest_discordance(self, x: Any) -> Any:
        """Return the maximum-likelihood share of games that differ, if the difference were x."""
        n = self.games
        gained = self.gained
        lost = self.lost
        b = (2 * n - gained + lost) * x - gained - lost
        root = np.sqrt(np.maximum(b * b + 8.0 * n * lost * x * (1 - x), 0))
        return (root - b) / (2 * n) + x

    def _lower_bound(self, level: float) -> Any:
        low = np.full(np.shape(self.gained), -1.0)
        high = np.full(np.shape(self.gained), 1.0)
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            above = self._is_above(middle, level)
            low = np.where(above, middle, low)
            high = np.where(above, high, middle)
        return low[()]


class IntervalBounds(ABC):
    """Base of bounds whose statements follow from their interval."""

    @abstractmethod
    def bounds(self, level: float) -> tuple[Any, Any]:
        """Return the lower and the upper bound, each wrong with at most probability `level`."""

    def is_within(self, low: float, high: float, level: float) -> Any:
        """Return whether the value is shown to lie in low .. high."""
        lower, upper = self.bounds(level)
        return (lower >= low) & (upper <= high)

    def is_outside(self, low: float, high: float, level: float) -> Any:
        """Return whether the value is shown not to lie in low .. high."""
        lower, upper = self.bounds(level)
        return (lower > high) | (upper < low)


@dataclass(frozen=True)
class RateBounds(IntervalBounds):
    """Exact bounds of a rate by Clopper and Pearson (1934)."""

    wins: Any
    games: int

    @property
    def value(self) -> Any:
        """Observed rate."""
        return self.wins / self.games

    def bounds(self, level: float) -> tuple[Any, Any]:
        """Return the lower and the upper bound, each wrong with at most probability `level`."""
        from scipy.special import betaincinv

        k = self.wins
        n = self.games
        low = np.where(k > 0, betaincinv(np.maximum(k, 1), n - k + 1, level), 0.0)
        high = np.where(k < n, betaincinv(k + 1, np.maximum(n - k, 1), 1 - level), 1.0)
        return low[()], high[()]

    def longer_arm(self, level: float) -> Any:
        """Return the larger distance of a bound from the observed rate."""
        low, high = self.bounds(level)
        return np.maximum(high - self.value, self.value - low)


@dataclass(frozen=True)
class UnpairedBounds(IntervalBounds):
    """Difference of two win rates on independent games: new build minus baseline.

    The exact bounds of both rates, each widened to its longer arm, add as the sides of a triangle.
    So the uncertainty of the baseline is part of the verdict. The tests compute the exact error.
    """

    wins: Any
    games: int
    base_wins: Any
    base_games: int

    identical = False  # independent games are never known to be the same

    @property
    def value(self) -> Any:
        """Observed difference of the rates."""
        return self.wins / self.games - self.base_wins / self.base_games

    def bounds(self, level: float) -> tuple[Any, Any]:
        """Return the lower and the upper bound, each wrong with at most probability `level`."""
        new = RateBounds(self.wins, self.games)
        base = RateBounds(self.base_wins, self.base_games)
        arm = np.hypot(new.longer_arm(level), base.longer_arm(level))
        return np.maximum(self.value - arm, -1.0), np.minimum(self.value + arm, 1.0)
