"""Sobol indices and bands over sampled boxes, free of the noise of the games.

The indices are those of `studies.stats.sobol`, but each square is replaced by the product of two
half-samples with independent random draws. Its expectation is the square that exact win rates of
the boxes would give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, sqrt

import numpy as np

from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.sobol import JACKKNIFE_GROUPS, SobolIndex, jackknife_estimates

PERCENTILES = (5, 50, 95)
SHARE_UNITS = 10**6  # shares are rounded to this fraction, to count equal ones
VARIANCE_SAMPLES = 500  # samples of the unknown variance between boxes
WIDEST_BAND = 0.85  # a band as wide as this is reported as covering everything

# Win rates (half) of box A with one group from B, and of B with that group from A.
SwappedPair = tuple[np.ndarray, np.ndarray] | None


def compute_cross_product(x: np.ndarray, y: np.ndarray) -> float:
    """Return the product of two differences of win rates without the noise of the games.

    The unbiased product averages the two cross products between independent half-samples.

    Args:
        x: Differences of win rates in both halves.
        y: Other differences in both halves.

    Example:
        >>> compute_cross_product(np.array([0.1, 0.3]), np.array([0.2, 0.4]))
        0.05
    """
    return float(x[0] * y[1] + x[1] * y[0]) / 2


class SobolSums:
    """Sums over pairs of boxes for the Jansen and Owen estimators of Sobol indices.

    Args:
        groups: Number of groups of parameters that are swapped.
    """

    def __init__(self, groups: int) -> None:
        self.groups = groups
        self.pairs = 0
        # Columns: products for the first-order and the total index of each group, the number of
        # swaps of each group, products for the whole variance, and the number of pairs.
        self.sums = np.zeros((JACKKNIFE_GROUPS, 3 * groups + 2))

    def add(
        self,
        a: np.ndarray,
        b: np.ndarray,
        swaps: Sequence[SwappedPair],
    ) -> None:
        """Add a pair of boxes.

        Args:
            a: Win rates of both halves of box A.
            b: Win rates of both halves of box B.
            swaps: Win rates after swapping each group, or None if the game rejects the swap.
        """
        row = np.zeros(3 * self.groups + 2)
        variances = [compute_cross_product(a - b, a - b)]
        for i, swap in enumerate(swaps):
            if not swap:
                continue
            ab, ba = swap
            first = compute_cross_product(a - ab, ba - b)
            total_a = compute_cross_product(a - ab, a - ab)
            total_b = compute_cross_product(b - ba, b - ba)
            row[i :: self.groups][:3] = [first, (total_a + total_b) / 2, 1]
            variances.append(compute_cross_product(ab - ba, ab - ba))
        row[-2:] = np.mean(variances), 1
        self.sums[self.pairs % JACKKNIFE_GROUPS] += row
        self.pairs += 1

    def estimate_indices(self, confidence: float) -> list[SobolIndex]:
        """Return the indices of all groups, with jackknife intervals."""
        n = self.groups
        found = jackknife_estimates(
            self.sums,
            self._compute_ratios,
            confidence,
            self.pairs,
        )
        indices = []
        for i in range(n):
            indices.append(SobolIndex.from_estimates(found[i], found[n + i], found[2 * n + i]))
        return indices

    def _compute_ratios(self, sums: np.ndarray) -> np.ndarray:
        """Return first-order and total indices, and their differences."""
        n = self.groups
        variance = sums[-2] / sums[-1]
        swaps = sums[2 * n : 3 * n]
        first = sums[:n] / swaps / variance
        total = sums[n : 2 * n] / swaps / variance
        return np.concatenate([first, total, total - first])


@dataclass(frozen=True)
class UncertaintyBand:
    """Percentiles of the win rate over all plausible boxes, each with its interval."""

    percentiles: dict[int, Estimate]
    box_count: int

    @property
    def low(self) -> float:
        """The 5th percentile."""
        return self.percentiles[5].value

    @property
    def high(self) -> float:
        """The 95th percentile."""
        return self.percentiles[95].value

    @property
    def covers_everything(self) -> bool:
        """True if the band is so wide that it says nothing."""
        return self.high - self.low >= WIDEST_BAND

    def narrow(self, known_share: float) -> dict[int, float]:
        """Return the mean percentiles that remain if a share of the variance were known.

        Args:
            known_share: First-order index of what becomes known. If it is nan, because no box
                won more often than another, nothing is narrowed.
        """
        median = self.percentiles[50].value
        scale = 1.0 if isnan(known_share) else sqrt(1 - known_share)
        narrowed = {}
        for percentile, estimate in self.percentiles.items():
            narrowed[percentile] = median + (estimate.value - median) * scale
        return narrowed


def denoise(halves: np.ndarray) -> np.ndarray:
    """Return the win rates of boxes, shrunk to their mean until they vary as the boxes do.

    Args:
        halves: Win rates, an array (box, half).
    """
    means = halves.mean(axis=1)
    observed = means.var()
    between_boxes = np.cov(halves.T)[0, 1]
    reliability = np.clip(between_boxes / observed, 0, 1) if observed else 0
    return means.mean() + (means - means.mean()) * sqrt(reliability)


def estimate_band(halves: np.ndarray, confidence: float) -> UncertaintyBand:
    """Return the band over boxes from the win rates of their halves, an array (box, half)."""
    values = np.clip(denoise(halves), 0, 1) if len(halves) > 1 else halves.mean(axis=1)
    units = np.rint(values * SHARE_UNITS).astype(int)
    levels, counts = np.unique(units, return_counts=True)
    histogram = dict(zip(levels.tolist(), counts.tolist(), strict=True))
    percentiles = {}
    for percentile in PERCENTILES:
        quantile = estimates.order_statistic_quantile(histogram, percentile / 100, confidence)
        percentiles[percentile] = Estimate(
            quantile.value / SHARE_UNITS,
            max(0.0, quantile.low / SHARE_UNITS),
            min(1.0, quantile.high / SHARE_UNITS),
            quantile.n,
            quantile.confidence,
        )
    return UncertaintyBand(percentiles, len(values))


def estimate_sign_share(halves: np.ndarray, confidence: float) -> Estimate:
    """Return the share of boxes in which a difference is above zero.

    A few games per box do not tell how much the boxes differ, and so whether what holds on average
    holds in every box. Therefore the variance between boxes and the mean are sampled from all that
    the halves allow.

    Args:
        halves: Differences of win rates, an array (box, half).
        confidence: Confidence of the interval.
    """
    from scipy.stats import beta, norm, truncnorm

    n, means = len(halves), halves.mean(axis=1)
    observed = means.var()
    products = np.prod(halves - halves.mean(axis=0), axis=1)
    standard_error = products.std() / sqrt(n)
    if not standard_error:
        return estimates.wilson_rate(int((means > 0).sum()), n, confidence)
    u = (np.arange(VARIANCE_SAMPLES) + 0.5) / VARIANCE_SAMPLES
    rng = np.random.default_rng(n)
    least = -products.mean() / standard_error  # a variance of 0
    variances = truncnorm.ppf(
        u,
        least,
        np.inf,
        products.mean(),
        standard_error,
    )
    centers = means.mean() + norm.ppf(rng.permutation(u)) * means.std() / sqrt(n)
    scales = np.sqrt(np.minimum(variances / observed, 1))
    values = centers[:, None] + scales[:, None] * (means - means.mean())
    shares = (values > 0).mean(axis=1)
    posterior = beta.ppf(rng.permutation(u), n * shares + 0.5, n * (1 - shares) + 0.5)
    low, high = np.quantile(posterior, [(1 - confidence) / 2, (1 + confidence) / 2])
    value = float(shares.mean())
    return Estimate(
        value,
        min(low, shares.mean()),
        max(high, shares.mean()),
        n,
        confidence,
    )
