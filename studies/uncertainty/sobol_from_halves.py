"""Shares of the variance between boxes, the noise of the games taken out of it; and the band over them.

Shares are as in `shares`, but a square there is here the product of two halves of games whose luck has nothing in
common, which on average is what the boxes alone make of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.sobol import GROUPS, Share, jackknife

PERCENTILES = (5, 50, 95)
FINE = 10**6  # a share as a whole number
DRAWS = 500  # of what the halves of boxes leave open
WIDEST = 0.85  # a band as wide as this says nothing

Mix = tuple[np.ndarray, np.ndarray] | None


def product(x: np.ndarray, y: np.ndarray) -> float:
    """What two differences have in common, each of one half times the other of the other half."""
    return float(x[0] * y[1] + x[1] * y[0]) / 2


class Frozen:
    """Sums over rows: two boxes, and for each part the two with that part exchanged; none where that is no game."""

    def __init__(self, parts: int) -> None:
        self.n = parts
        self.rows = 0
        self.sums = np.zeros((GROUPS, 3 * parts + 2))

    def add(self, a: np.ndarray, b: np.ndarray, mixes: Sequence[Mix]) -> None:
        row = np.zeros(3 * self.n + 2)
        gaps = [product(a - b, a - b)]
        for i, mix in enumerate(mixes):
            if mix:
                ab, ba = mix
                row[i :: self.n][:3] = [
                    product(a - ab, ba - b),
                    (product(a - ab, a - ab) + product(b - ba, b - ba)) / 2,
                    1,
                ]
                gaps.append(product(ab - ba, ab - ba))
        row[-2:] = np.mean(gaps), 1
        self.sums[self.rows % GROUPS] += row
        self.rows += 1

    def shares(self, confidence: float) -> list[Share]:
        found = jackknife(self.sums, self._statistic, confidence, self.rows)
        return [Share.of(*(found[k * self.n + i] for k in range(3))) for i in range(self.n)]

    def _statistic(self, sums: np.ndarray) -> np.ndarray:
        whole = sums[-2] / sums[-1]
        first, total, rows = (sums[k * self.n : (k + 1) * self.n] for k in range(3))
        first, total = first / rows / whole, total / rows / whole
        return np.array([*first, *total, *(total - first)])


@dataclass(frozen=True)
class DoubtBand:
    """What a headline takes over all that is not known: percentiles over boxes, each with its interval."""

    at: dict[int, Estimate]
    boxes: int

    @property
    def low(self) -> float:
        return self.at[5].value

    @property
    def high(self) -> float:
        return self.at[95].value

    @property
    def covers_everything(self) -> bool:
        return self.high - self.low >= WIDEST

    def narrowed(self, known: float) -> dict[int, float]:
        """The band as it is left, on average, when what holds this share of the variance alone is known."""
        middle = self.at[50].value
        return {p: middle + (e.value - middle) * sqrt(1 - known) for p, e in self.at.items()}


def without_noise(halves: np.ndarray) -> np.ndarray:
    """The value of each box, from its two halves: drawn together until they vary as much as the boxes do."""
    means = halves.mean(axis=1)
    observed = means.var()
    boxes = np.cov(halves.T)[0, 1]
    return means.mean() + (means - means.mean()) * sqrt(
        np.clip(boxes / observed, 0, 1) if observed else 0
    )


def band(halves: np.ndarray, confidence: float) -> DoubtBand:
    """The band over boxes, from the shares of games won in their halves."""
    values = np.clip(without_noise(halves), 0, 1) if len(halves) > 1 else halves.mean(axis=1)
    whole, counts = np.unique(np.rint(values * FINE).astype(int), return_counts=True)
    histogram = dict(zip(whole.tolist(), counts.tolist(), strict=True))
    return DoubtBand(
        {p: _within(estimates.quantile(histogram, p / 100, confidence)) for p in PERCENTILES},
        len(values),
    )


def _within(e: Estimate) -> Estimate:
    return Estimate(
        e.value / FINE, max(0.0, e.low / FINE), min(1.0, e.high / FINE), e.n, e.confidence
    )


def sign_holds(halves: np.ndarray, confidence: float) -> Estimate:
    """The share of boxes in which a difference, told by its two halves, is above zero.

    What few games tell of a box leaves open how much the boxes differ, and with it whether what holds on average holds
    in all. So the variance between boxes is drawn from all that the halves allow, and the mean, too."""
    from scipy.stats import beta, norm, truncnorm

    n, means = len(halves), halves.mean(axis=1)
    observed, together = means.var(), np.prod(halves - halves.mean(axis=0), axis=1)
    unsure = together.std() / sqrt(n)
    if not unsure:
        return estimates.rate(int((means > 0).sum()), n, confidence)
    at, dice = (np.arange(DRAWS) + 0.5) / DRAWS, np.random.default_rng(n)
    boxes = truncnorm.ppf(at, -together.mean() / unsure, np.inf, together.mean(), unsure)
    middle = means.mean() + norm.ppf(dice.permutation(at)) * means.std() / sqrt(n)
    spread = np.sqrt(np.minimum(boxes / observed, 1))
    holds = (middle[:, None] + spread[:, None] * (means - means.mean()) > 0).mean(axis=1)
    drawn = beta.ppf(dice.permutation(at), n * holds + 0.5, n * (1 - holds) + 0.5)
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Estimate(
        float(holds.mean()), min(low, holds.mean()), max(high, holds.mean()), n, confidence
    )
