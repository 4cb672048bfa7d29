"""Band of the win rate over plausible boxes: percentiles with intervals, free of games' noise.

A win rate of a few games varies more than the box itself does, so percentiles of such rates lie too
far out. That bias is proportional to 1 / games in first order. Percentiles of half as many games
have twice the bias, and extrapolating from both removes it. Where the games vary nearly as much as
the boxes do, or more, the rates are shrunk to the variance of the boxes instead.
docs/how/uncertainty.md states both.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, isnan, sqrt

import numpy as np

from hardmode.studies.stats.estimates import Estimate, wilson_rate

PERCENTILES = (5, 50, 95)
RESAMPLES = 500  # bootstrap samples of the boxes
# Standard error of an end at which three seeds agree within three points: the range of three normal
# values exceeds 4.3 standard errors once in 160 times (the studentized range), so that both ends in
# four games do so once in 20.
AGREEMENT = 0.03
SEEDS_RANGE = 4.3
MAX_END_ERROR = AGREEMENT / SEEDS_RANGE
WIDEST_BAND = 0.85  # a band as wide as this is reported as covering everything
LEAST_RELIABILITY = 0.7  # share of the variance that is due to boxes, for extrapolation
EASY_END, HARD_END = 0.75, 0.25  # shares of boxes that are won less often than the shipped one


@dataclass(frozen=True)
class UncertaintyBand:
    """Percentiles of the win rate over all plausible boxes, each with its interval.

    Attributes:
        percentiles: The percentiles 5, 50 and 95.
        box_count: Number of boxes.
        share_below_headline: Share of the boxes that are won less often than the shipped box.
        end_error: The larger standard error of both ends.
    """

    percentiles: dict[int, Estimate]
    box_count: int
    share_below_headline: Estimate | None = None
    end_error: float = 0.0

    @property
    def low(self) -> float:
        """The 5th percentile."""
        return self.percentiles[5].value

    @property
    def high(self) -> float:
        """The 95th percentile."""
        return self.percentiles[95].value

    @property
    def is_reproducible(self) -> bool:
        """True if bands of other seeds agree with it within `AGREEMENT` at both ends."""
        return self.end_error <= MAX_END_ERROR

    @property
    def seeds_range(self) -> float:
        """How far an end may move over three seeds."""
        return SEEDS_RANGE * self.end_error

    @property
    def missing_boxes(self) -> int:
        """Number of further boxes after which the band is about reproducible."""
        if self.is_reproducible:
            return 0
        return ceil(self.box_count * ((self.end_error / MAX_END_ERROR) ** 2 - 1))

    @property
    def covers_everything(self) -> bool:
        """True if the band is so wide that it says nothing."""
        return self.high - self.low >= WIDEST_BAND

    def contains(self, rate: float) -> bool:
        """Return whether a win rate lies in the band."""
        return self.low <= rate <= self.high

    def narrow(self, known_share: float) -> dict[int, float]:
        """Return the mean percentiles that remain if a share of the variance were known.

        Args:
            known_share: First-order index of what becomes known. If it is nan, because no box is
                won more often than another, nothing is narrowed.
        """
        median = self.percentiles[50].value
        scale = 1.0 if isnan(known_share) else sqrt(1 - known_share)
        narrowed = {}
        for percentile, estimate in self.percentiles.items():
            narrowed[percentile] = median + (estimate.value - median) * scale
        return narrowed


def estimate_band(
    halves: np.ndarray,
    half_games: int,
    confidence: float,
    headline: float | None = None,
) -> UncertaintyBand:
    """Return the band over boxes.

    The intervals are percentile bootstrap intervals over boxes. Each is as wide as one game allows
    where many boxes tie, as at a win rate of 0.

    Args:
        halves: Win rates, an array (box, half).
        half_games: Games of a half.
        confidence: Confidence of the intervals.
        headline: Win rate of the shipped box.
    """
    rng = np.random.default_rng(len(halves))
    spread = _break_ties(halves, half_games, rng)
    is_reliable = _compute_reliability(halves) >= LEAST_RELIABILITY
    estimate = _extrapolate if is_reliable else _shrink
    values = estimate(spread)
    resampled = np.empty((RESAMPLES, len(PERCENTILES)))
    for i in range(RESAMPLES):
        chosen = rng.integers(0, len(halves), len(halves))
        resampled[i] = estimate(spread[chosen])
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    lows, highs = np.quantile(resampled, tails, axis=0)
    percentiles = {}
    for i, percentile in enumerate(PERCENTILES):
        value = float(values[i])
        interval = (min(float(lows[i]), value), max(float(highs[i]), value))
        if interval[0] == interval[1]:
            interval = _bound_ties(halves, half_games, value, confidence)
        percentiles[percentile] = Estimate(value, *interval, len(halves), confidence)
    share = None
    if headline is not None:
        below = int((spread.mean(axis=1) < headline).sum())
        share = wilson_rate(below, len(halves), confidence)
    end_error = float(resampled.std(axis=0)[[0, -1]].max())
    return UncertaintyBand(percentiles, len(halves), share, end_error)


def _break_ties(halves: np.ndarray, half_games: int, rng: np.random.Generator) -> np.ndarray:
    """Return the rates spread evenly over the step of one game, so that percentiles are smooth.

    Rates of 0 and 1 stay, as boxes may indeed be never or always won.
    """
    steps = rng.random(halves.shape) - 0.5
    steps[(halves == 0) | (halves == 1)] = 0
    spread: np.ndarray = halves + steps / half_games
    return spread


def _extrapolate(spread: np.ndarray) -> np.ndarray:
    """Return the percentiles that boxes played without end would have."""
    shares = np.array(PERCENTILES) / 100
    of_all_games = np.quantile(spread.mean(axis=1), shares)
    of_halves = np.quantile(spread, shares, axis=0).mean(axis=1)
    clipped = np.clip(2 * of_all_games - of_halves, 0, 1)
    return np.maximum.accumulate(clipped)


def _compute_reliability(halves: np.ndarray) -> float:
    """Return the share of the variance of observed rates that is due to the boxes."""
    observed = halves.mean(axis=1).var(ddof=1)
    between_boxes = np.cov(halves.T)[0, 1]
    return float(np.clip(between_boxes / observed, 0, 1)) if observed else 1.0


def _shrink(spread: np.ndarray) -> np.ndarray:
    """Return the percentiles of the rates, shrunk to their mean until they vary as the boxes do."""
    means = spread.mean(axis=1)
    deviations = (means - means.mean()) * sqrt(_compute_reliability(spread))
    shares = np.array(PERCENTILES) / 100
    return np.clip(means.mean() + np.quantile(deviations, shares), 0, 1)


def _bound_ties(
    halves: np.ndarray, half_games: int, value: float, confidence: float
) -> tuple[float, float]:
    """Return Wilson's interval from all games of the boxes whose win rate is this value."""
    tied = max(1, int((halves.mean(axis=1) == value).sum()))
    games = 2 * half_games * tied
    rate = wilson_rate(round(value * games), games, confidence)
    return min(rate.low, value), max(rate.high, value)
