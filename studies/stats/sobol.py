"""Sobol indices of sources of luck by pick-freeze sampling, with jackknife intervals.

Each game is played with two independent sets of random draws, A and B, and for each source twice
more with that source swapped: A with the source from B, and B with the source from A. Of these
four outcomes,

    A and A with B's source   differ in the source alone: half their mean squared difference is the
                              total index of the source;
    A and B with A's source   share the source alone: what they have in common is its first-order
                              index;
    A and B                   are independent: half their mean squared difference is the whole
                              variance, and so is that of the two swapped outcomes.

So both indices are ratios of means of the same kind. A source without effect has exactly 0, one
that decides everything exactly 1, and the total index is never below the first-order one.

References:
    Jansen (1999), Analysis of variance designs for model output.
    Saltelli and others (2010), Variance based sensitivity analysis of model output.
    Owen (2013), Better estimation of small Sobol' sensitivity indices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan

import numpy as np

from hardmode.studies.stats.estimates import DEFAULT_CONFIDENCE, Estimate, wilson_rate

JACKKNIFE_GROUPS = 40  # groups of games; the jackknife leaves out one at a time


@dataclass(frozen=True)
class SobolIndex:
    """Shares of the variance that one source explains.

    Attributes:
        first: First-order index: explained by the source alone.
        total: Total index: explained by the source with all its interactions.
        interaction: `total` minus `first`.
    """

    first: Estimate
    total: Estimate
    interaction: Estimate

    @classmethod
    def from_estimates(cls, first: Estimate, total: Estimate, interaction: Estimate) -> SobolIndex:
        """Return an index whose interaction is the difference of the two values as shown.

        The first-order index is shown as 0 where its estimate is negative.

        Args:
            first: The first-order index.
            total: The total index.
            interaction: The interaction, of which only the interval is kept.
        """
        return cls(first, total, replace(interaction, value=total.value - first.value))


@dataclass(frozen=True)
class SobolIndices:
    """Sobol indices of all sources of one outcome.

    Attributes:
        indices: The index of each source.
        first_order_sum: Sum of the first-order indices of disjoint sources.
        interaction: 1 minus that sum.
        games: Number of games.
        difference_rate: Share of pairs of independent games whose outcomes differ.
    """

    indices: list[SobolIndex]
    first_order_sum: Estimate
    interaction: Estimate
    games: int
    difference_rate: float

    @property
    def has_variance(self) -> bool:
        """True if the games do not all have the same outcome."""
        return self.difference_rate > 0


class PickFreezeSums:
    """Sums over games from which the Sobol indices of one outcome follow.

    Args:
        parts: Number of sources.
        disjoint: Numbers of sources that do not overlap and together are all of the luck.
    """

    def __init__(self, parts: int, disjoint: Sequence[int]) -> None:
        self.n = parts
        self.disjoint = list(disjoint)
        self.sums = np.zeros((JACKKNIFE_GROUPS, 2 * parts + 3))

    def add(
        self,
        first: int,
        a: np.ndarray,
        b: np.ndarray,
        swapped: Sequence[tuple[np.ndarray, np.ndarray]],
    ) -> None:
        """Add the outcomes of consecutive games.

        Args:
            first: Number of the first game.
            a: Outcomes with draws A.
            b: Outcomes with draws B.
            swapped: For each source the outcomes with A and the source from B, and the reverse.
        """
        first_order = [(a - ab) * (ba - b) for ab, ba in swapped]
        total = [((a - ab) ** 2 + (b - ba) ** 2) / 2 for ab, ba in swapped]
        swapped_gaps = np.mean([(ab - ba) ** 2 for ab, ba in swapped], axis=0)
        swapped_differ = np.mean([ab != ba for ab, ba in swapped], axis=0)
        gap = np.mean([(a - b) ** 2, swapped_gaps], axis=0)
        differ = np.mean([a != b, swapped_differ], axis=0)
        rows = np.column_stack([*first_order, *total, gap, differ, np.ones(len(a))])
        np.add.at(self.sums, (first + np.arange(len(a))) % JACKKNIFE_GROUPS, rows)

    def estimate_indices(self, confidence: float = DEFAULT_CONFIDENCE) -> SobolIndices:
        """Return the Sobol indices of all sources."""
        total = self.sums.sum(axis=0)
        games = int(total[-1])
        difference_rate = total[-2] / total[-1]
        # A change that no game shows may still be as frequent as the upper bound of 0 of n games;
        # no interval is narrower than that.
        unseen = 1.0
        if difference_rate:
            unseen = wilson_rate(0, games, confidence).high / difference_rate
        *shares, first_order_sum, interaction = jackknife_estimates(
            self.sums, self._compute_shares, confidence, games, unseen
        )
        indices = []
        for i in range(self.n):
            first, total_index, shared = shares[i :: self.n]
            indices.append(SobolIndex.from_estimates(first, total_index, shared))
        return SobolIndices(indices, first_order_sum, interaction, games, difference_rate)

    def _compute_shares(self, sums: np.ndarray) -> np.ndarray:
        variance = sums[-3] or np.nan
        first = sums[: self.n] / variance
        total = sums[self.n : 2 * self.n] / variance
        first_order_sum = first[self.disjoint].sum()
        return np.array([*first, *total, *(total - first), first_order_sum, 1 - first_order_sum])


@dataclass(frozen=True)
class LevelVariance:
    """Variance over players of several skill levels, all equally likely, divided in shares.

    Attributes:
        means: The mean outcome of each level.
        players: Share explained by the players.
        luck: Share explained by luck that all levels have in common.
        interaction: Share explained by luck that only some levels can use.
        games: Number of games.
    """

    means: list[Estimate]
    players: Estimate
    luck: Estimate
    interaction: Estimate
    games: int


class LevelVarianceSums:
    """Sums over games that players of several levels played with the same random draws.

    Args:
        levels: Number of levels.
    """

    def __init__(self, levels: int) -> None:
        self.n = levels
        self.sums = np.zeros((JACKKNIFE_GROUPS, levels + levels * levels + 1))

    def add(self, first: int, outcomes: Sequence[np.ndarray]) -> None:
        """Add the outcomes of consecutive games.

        Args:
            first: Number of the first game.
            outcomes: Outcomes of the games for each level.
        """
        games = len(outcomes[0])
        products = [x * y for x in outcomes for y in outcomes]
        rows = np.column_stack([*outcomes, *products, np.ones(games)])
        np.add.at(self.sums, (first + np.arange(games)) % JACKKNIFE_GROUPS, rows)

    def estimate_variance(self, confidence: float = DEFAULT_CONFIDENCE) -> LevelVariance:
        """Return the shares of the variance."""
        games = int(self.sums[:, -1].sum())
        means = jackknife_estimates(self.sums, self._compute_means, confidence, games, clip=False)
        unseen = wilson_rate(0, games, confidence).high
        players, luck, interaction = jackknife_estimates(
            self.sums, self._compute_shares, confidence, games, unseen
        )
        return LevelVariance(means, players, luck, interaction, games)

    def _compute_means(self, sums: np.ndarray) -> np.ndarray:
        return sums[: self.n] / sums[-1]

    def _compute_shares(self, sums: np.ndarray) -> np.ndarray:
        """Return a two-way analysis of variance of levels (rows) and games (columns), as shares."""
        n = sums[-1]
        k = self.n
        means = self._compute_means(sums)
        covariance = (sums[k:-1].reshape(k, k) / n - np.outer(means, means)) * n / (n - 1)
        within = np.trace(covariance) / k
        luck = covariance.sum() / k**2
        between = means.var() - (within - luck) / n
        return np.array([between, luck, within - luck]) / (between + within)


def jackknife_estimates(
    sums: np.ndarray,
    statistic: Callable[[np.ndarray], np.ndarray],
    confidence: float,
    games: int,
    min_half_width: float = 0.0,
    clip: bool = True,
) -> list[Estimate]:
    """Return statistics of sums over groups of games with delete-a-group jackknife intervals.

    Args:
        sums: A row for each group; the last column holds the number of games.
        statistic: Returns the statistics of the sum of some rows.
        confidence: Confidence of each interval.
        games: Number of games.
        min_half_width: No half of an interval is narrower than this.
        clip: Keep values and intervals within 0 and 1, as shares are.
    """
    from scipy.special import stdtrit

    filled = sums[sums[:, -1] > 0]
    n = len(filled)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = statistic(filled.sum(axis=0))
        without = np.array([statistic(filled.sum(axis=0) - group) for group in filled])
        error = np.sqrt((n - 1) / n * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
        halves = np.nan_to_num(stdtrit(n - 1, (1 + confidence) / 2) * error, nan=np.inf)
    limit = _clip_share if clip else float
    estimates = []
    for value, half in zip(values.tolist(), halves.tolist(), strict=True):
        shown = limit(value)
        low = limit(min(value - half, shown - min_half_width))
        high = limit(max(value + half, shown + min_half_width))
        estimates.append(Estimate(shown, low, high, games, confidence))
    return estimates


def _clip_share(share: float) -> float:
    return share if isnan(share) else min(max(share, 0.0), 1.0)
