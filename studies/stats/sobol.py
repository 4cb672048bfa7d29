"""Shares of a variance: what falls away when a part of the luck is swapped, with jackknife intervals.

Each game is played with two lucks, A and B, that have nothing in common, and for each part of the luck twice more
with that part swapped: A with the part from B, and B with the part from A. Of these four outcomes

    A and A with B's part    differ in the part alone:     half their mean squared difference is the part's total share
    A and B with A's part    have the part alone in common: what they have in common is its share alone (first order)
    A and B                  have nothing in common:        half their mean squared difference is all of the variance,
                                                            and so it is of the two that were swapped

so that both shares are ratios of the same kind of mean (Jansen 1999; Saltelli and others 2010; Owen 2013 for the first
order, whose errors vanish with the share). A part that counts for nothing has exactly 0, one that is all there is
exactly 1, and the total is never below the first order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan

import numpy as np

from hardmode.studies.stats.estimates import CONFIDENCE, Estimate, rate

GROUPS = 40  # of games, each of which the jackknife leaves out once


@dataclass(frozen=True)
class Share:
    """What one part of the luck holds: alone, and with all in which it has a hand."""

    first: Estimate
    total: Estimate
    overlap: Estimate  # total less first: what it holds only together with other parts

    @classmethod
    def of(cls, first: Estimate, total: Estimate, overlap: Estimate) -> Share:
        """The overlap is told as the difference of what is told: a first order below 0 is cut off at 0."""
        return cls(first, total, replace(overlap, value=total.value - first.value))


@dataclass(frozen=True)
class Shares:
    """The shares of all parts; `first`, together, of those that do not contain each other, and what is left."""

    parts: list[Share]
    together: Estimate
    overlap: Estimate
    games: int
    differ: float  # how often two games that have nothing in common differ

    @property
    def known(self) -> bool:
        """Whether games end in more than one way, so that there is anything to share."""
        return self.differ > 0


class Swaps:
    """Sums over games of what swapping each part of the luck did to one outcome."""

    def __init__(self, parts: int, apart: Sequence[int]) -> None:
        """`apart`: the parts that do not contain each other and together are all of the luck."""
        self.n, self.apart = parts, list(apart)
        self.sums = np.zeros((GROUPS, 2 * parts + 3))

    def add(
        self,
        first: int,
        a: np.ndarray,
        b: np.ndarray,
        swapped: Sequence[tuple[np.ndarray, np.ndarray]],
    ) -> None:
        """Games from number `first` on: played with A, with B, and for each part with it swapped."""
        rows = [(a - ab) * (ba - b) for ab, ba in swapped]
        rows += [((a - ab) ** 2 + (b - ba) ** 2) / 2 for ab, ba in swapped]
        gap = np.mean(
            [(a - b) ** 2, np.mean([(ab - ba) ** 2 for ab, ba in swapped], axis=0)], axis=0
        )
        unlike = np.mean([a != b, np.mean([ab != ba for ab, ba in swapped], axis=0)], axis=0)
        rows += [gap, unlike, np.ones(len(a))]
        np.add.at(self.sums, (first + np.arange(len(a))) % GROUPS, np.column_stack(rows))

    def shares(self, confidence: float = CONFIDENCE) -> Shares:
        total = self.sums.sum(axis=0)
        games, differ = int(total[-1]), total[-2] / max(1.0, total[-1])
        # A change that no game has shown may still come once in so many; no interval is narrower than that.
        unseen = rate(0, games, confidence).high / differ if differ else 1.0
        *found, together, overlap = jackknife(self.sums, self._statistic, confidence, games, unseen)
        parts = [Share.of(*(found[k * self.n + i] for k in range(3))) for i in range(self.n)]
        return Shares(parts, together, overlap, games, differ)

    def _statistic(self, sums: np.ndarray) -> np.ndarray:
        whole = sums[-3] or np.nan
        first, total = sums[: self.n] / whole, sums[self.n : 2 * self.n] / whole
        together = first[self.apart].sum()
        return np.array([*first, *total, *(total - first), together, 1 - together])


@dataclass(frozen=True)
class LevelShares:
    """How the variance over players of several levels, all equally likely, divides."""

    means: list[Estimate]
    between: Estimate  # by who plays
    luck: Estimate  # by the luck, whoever plays
    both: Estimate  # by luck that only some of them can use
    games: int


class Ladder:
    """Sums over games that players of several levels played with the same luck."""

    def __init__(self, levels: int) -> None:
        self.n = levels
        self.sums = np.zeros((GROUPS, levels + levels * levels + 1))

    def add(self, first: int, outcomes: Sequence[np.ndarray]) -> None:
        """Games from number `first` on, an array of outcomes for each level."""
        rows = [*outcomes, *(x * y for x in outcomes for y in outcomes), np.ones(len(outcomes[0]))]
        np.add.at(self.sums, (first + np.arange(len(outcomes[0]))) % GROUPS, np.column_stack(rows))

    def levels(self, confidence: float = CONFIDENCE) -> LevelShares:
        games = int(self.sums[:, -1].sum())
        means = jackknife(self.sums, lambda s: s[: self.n] / s[-1], confidence, games, shares=False)
        unseen = rate(0, games, confidence).high
        between, luck, both = jackknife(self.sums, self._statistic, confidence, games, unseen)
        return LevelShares(means, between, luck, both, games)

    def _statistic(self, sums: np.ndarray) -> np.ndarray:
        """Of a table of levels and games, the variance by rows, by columns and of the rest, as shares."""
        n, k = sums[-1], self.n
        means = sums[:k] / n
        spread = (sums[k:-1].reshape(k, k) / n - np.outer(means, means)) * n / (n - 1)
        within, luck = np.trace(spread) / k, spread.sum() / k**2
        between = means.var() - (within - luck) / n
        return np.array([between, luck, within - luck]) / (between + within)


def jackknife(
    sums: np.ndarray,
    statistic: Callable[[np.ndarray], np.ndarray],
    confidence: float,
    games: int,
    least: float = 0.0,
    shares: bool = True,
) -> list[Estimate]:
    """Statistics of sums over groups of games, with intervals from leaving out one group at a time.

    No half of an interval is narrower than `least`; shares, whose estimates may stray, are held within 0 and 1.
    """
    from scipy.special import stdtrit

    filled = sums[sums[:, -1] > 0]
    n = len(filled)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = statistic(filled.sum(axis=0))
        without = np.array([statistic(filled.sum(axis=0) - group) for group in filled])
        error = np.sqrt((n - 1) / n * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
        halves = np.nan_to_num(stdtrit(n - 1, (1 + confidence) / 2) * error, nan=np.inf)
    within = _within if shares else float
    return [
        Estimate(
            within(value),
            within(min(value - half, within(value) - least)),
            within(max(value + half, within(value) + least)),
            games,
            confidence,
        )
        for value, half in zip(values.tolist(), halves.tolist(), strict=True)
    ]


def _within(share: float) -> float:
    return share if isnan(share) else min(max(share, 0.0), 1.0)
