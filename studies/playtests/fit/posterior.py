"""Posterior of levels and boxes on a grid, with partial pooling of the groups.

Before any play, every mistake rate is equally likely, and so is every sampled box. Groups of
players may differ: their levels are normally distributed around a common level, with a spread that
is estimated from the plays (partial pooling; Gelman and Hill, "Data Analysis Using Regression and
Multilevel/Hierarchical Models", 2007, chapter 12). A group with few plays so borrows from others.

The boxes are samples that stand for all boxes between them. When hardly more than one of them has
all the weight, it is not that very box that is credible. The likelihood is then tempered (raised
to a power below 1) until the effective sample size is `MIN_EFFECTIVE_BOXES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.studies.playtests.fit.simulation import FINE_LEVELS

GROUP_SPREADS = np.array([0.01, 0.03, 0.06, 0.1, 0.17, 0.3])  # SDs of group levels
N_SAMPLES = 4000
PERCENTILES = (5, 50, 95)
MIN_EFFECTIVE_BOXES = 4.0
BISECTIONS = 20
TINY = 1e-300  # keeps the logarithm of a likelihood finite
Band = dict[str, float]  # percentiles by their names: "5", "50" and "95"


@dataclass(frozen=True)
class PosteriorSamples:
    """Equally likely samples of the posterior: a box, and the level of each group."""

    boxes: np.ndarray  # (sample)
    levels: np.ndarray  # (sample, group), as indices into FINE_LEVELS
    effective_boxes: float  # effective sample size of the boxes, before tempering

    def mean_levels(self, weights: np.ndarray) -> np.ndarray:
        """Return the mean level over groups with these weights, by sample."""
        return FINE_LEVELS[self.levels] @ (weights / weights.sum())


def sample_posterior(loglik: np.ndarray, seed: int) -> PosteriorSamples:
    """Return samples of the posterior.

    Args:
        loglik: Log-likelihood of the plays of each group, (group, box, fine level).
        seed: Seed of the random generator.
    """
    rng = np.random.default_rng(seed)
    groups, boxes, levels = loglik.shape
    effective_boxes = effective_sample_size(loglik)
    loglik = loglik * _find_temper_exponent(loglik)
    if groups == 1:
        weights = normalize_weights(loglik[0])
        cells = rng.choice(boxes * levels, N_SAMPLES, p=weights.ravel())
        return PosteriorSamples(cells // levels, (cells % levels)[:, None], effective_boxes)
    prior = _compute_group_prior()
    peak = loglik.max(axis=2, keepdims=True)
    by_group = np.einsum("gbf,tmf->gbtm", np.exp(loglik - peak), prior)
    joint = (np.log(np.maximum(by_group, TINY)) + peak[..., None]).sum(axis=0)
    weights = normalize_weights(joint)
    cells = rng.choice(weights.size, N_SAMPLES, p=weights.ravel())
    box, spread, common = np.stack(np.unravel_index(cells, weights.shape))
    group_levels = []
    for g in range(groups):
        level_weights = np.exp(loglik[g, box] - peak[g, box]) * prior[spread, common]
        group_levels.append(_sample_columns(level_weights, rng))
    return PosteriorSamples(box, np.stack(group_levels, axis=1), effective_boxes)


def effective_sample_size(loglik: np.ndarray) -> float:
    """Return the effective sample size (Kish 1965) of the boxes, 1 / sum of squared weights."""
    weights = normalize_weights(np.logaddexp.reduce(loglik, axis=2).sum(axis=0))
    return float(1 / (weights**2).sum())


def _find_temper_exponent(loglik: np.ndarray) -> float:
    """Return the largest factor of `loglik` up to 1 that leaves enough effective boxes."""
    n_boxes = loglik.shape[1]
    enough = effective_sample_size(loglik) >= MIN_EFFECTIVE_BOXES
    if enough or n_boxes < 2 * MIN_EFFECTIVE_BOXES:
        return 1.0
    low = 0.0
    high = 1.0
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if effective_sample_size(loglik * middle) >= MIN_EFFECTIVE_BOXES:
            low = middle
        else:
            high = middle
    return low


def _compute_group_prior() -> np.ndarray:
    """Return the prior of a group's level, (spread, common level, level)."""
    distance = FINE_LEVELS[None, None, :] - FINE_LEVELS[None, ::2, None]
    density = np.exp(-0.5 * (distance / GROUP_SPREADS[:, None, None]) ** 2)
    return density / density.sum(axis=2, keepdims=True)


def _sample_columns(weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return one column index for each row, drawn by the weights of the row."""
    cumulated = weights.cumsum(axis=1)
    thresholds = rng.random(len(cumulated))[:, None] * cumulated[:, -1:]
    return np.minimum((cumulated < thresholds).sum(axis=1), weights.shape[1] - 1)


def normalize_weights(log_weights: np.ndarray) -> np.ndarray:
    """Return weights that add up to one, given their logarithms."""
    weights = np.exp(log_weights - log_weights.max())
    return weights / weights.sum()


def compute_band(values: Sequence[float] | np.ndarray) -> Band:
    """Return the median and the ends of the central 90 % of some values."""
    return {str(q): float(np.percentile(values, q)) for q in PERCENTILES}


def band_width(band: Band) -> float:
    """Return the distance between the ends of a band."""
    return band["95"] - band["5"]
