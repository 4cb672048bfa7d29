"""What is to be believed after the plays: levels of all groups and boxes, on a grid, and draws from that.

Before any play each share of slips is as likely as another, and each box that was drawn. Groups may differ: their
levels lie around a common one, as near as the plays themselves say (partial pooling), so that a group of few plays
borrows from the others.

Boxes stand for all that lie between them. Where hardly one of them has all the weight, it is not that one which is
believed: then what the plays say counts less, until a few boxes share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.studies.playtests.fit.simulation import FINE

APART = np.array(
    [0.01, 0.03, 0.06, 0.1, 0.17, 0.3]
)  # how far groups may lie from what they have in common
DRAWS = 4000
QUANTILES = (5, 50, 95)
FEW_BOXES = 4.0  # that share the weight, at least
HALVINGS = 20
Band = dict[str, float]


@dataclass(frozen=True)
class Draws:
    """So many beliefs, each as likely as another: a box, and every group's level."""

    box: np.ndarray  # (draw)
    levels: np.ndarray  # (draw, group), as places among the fine levels
    effective: float  # how many boxes share the weight, before they are made to

    def level(self, weights: np.ndarray) -> np.ndarray:
        """The mean level of those who played."""
        return FINE[self.levels] @ (weights / weights.sum())


def draws(found: np.ndarray, seed: int) -> Draws:
    """Draws from what log-likelihoods by group, box and fine level say."""
    rng = np.random.default_rng(seed)
    groups, boxes, fine = found.shape
    effective = sharing(found)
    found = found * _counting(found)
    if groups == 1:
        weight = normal(found[0])
        at = rng.choice(boxes * fine, DRAWS, p=weight.ravel())
        return Draws(at // fine, (at % fine)[:, None], effective)
    around = _around()
    peak = found.max(axis=2, keepdims=True)
    inside = np.einsum("gbf,tmf->gbtm", np.exp(found - peak), around)
    together = (np.log(np.maximum(inside, 1e-300)) + peak[..., None]).sum(axis=0)
    weight = normal(together)
    at = np.stack(np.unravel_index(rng.choice(weight.size, DRAWS, p=weight.ravel()), weight.shape))
    levels = np.stack(
        [
            _drawn(np.exp(found[g, at[0]] - peak[g, at[0]]) * around[at[1], at[2]], rng)
            for g in range(groups)
        ],
        axis=1,
    )
    return Draws(at[0], levels, effective)


def sharing(found: np.ndarray) -> float:
    """How many boxes share the weight."""
    weight = normal(np.logaddexp.reduce(found, axis=2).sum(axis=0))
    return float(1 / (weight**2).sum())


def _counting(found: np.ndarray) -> float:
    """How much what the plays say may count, so that a few boxes share the weight; all of it where they do."""
    if found.shape[1] < 2 * FEW_BOXES or sharing(found) >= FEW_BOXES:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if sharing(found * middle) >= FEW_BOXES else (low, middle)
    return low


def _around() -> np.ndarray:
    """How likely each level is, by how far groups lie apart and what they have in common: (apart, common, level)."""
    made = np.exp(
        -0.5 * ((FINE[None, None, :] - FINE[None, ::2, None]) / APART[:, None, None]) ** 2
    )
    return made / made.sum(axis=2, keepdims=True)


def _drawn(weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One place of each row, by its weights."""
    sums = weights.cumsum(axis=1)
    return np.minimum(
        (sums < rng.random(len(sums))[:, None] * sums[:, -1:]).sum(axis=1), weights.shape[1] - 1
    )


def normal(log: np.ndarray) -> np.ndarray:
    """Weights that add up to one."""
    weight = np.exp(log - log.max())
    return weight / weight.sum()


def band(values: Sequence[float] | np.ndarray) -> Band:
    """The middle, and the ends of nine in ten."""
    return {str(q): float(np.percentile(values, q)) for q in QUANTILES}


def width(one: Band) -> float:
    return one["95"] - one["5"]
