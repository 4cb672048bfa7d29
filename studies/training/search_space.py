"""The space that training searches: vectors of scaled changes of the weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from hardmode.strategies.tuning import WeightRange
from hardmode.studies.training.evaluation import Weights

SIGNIFICANT_DIGITS = 6  # of a weight
MIN_INTEGER_SCALE = 2.0  # scale of a weight that is a whole number, at least
LARGE_SHIFT = 2.0  # in scales: a weight that changes nothing over it is unused


class TrainingError(ValueError):
    """Raised when there is nothing to train, or not as requested."""


@dataclass(frozen=True)
class SearchSpace:
    """Weights of a strategy, and which of them may change, and how.

    The origin of the space is the start. One unit along an axis is one scale of a weight.

    Attributes:
        names: Names of all weights.
        start: All weights at the start.
        free: Places of the weights that may change. What follows is about these.
        scale: Size of one unit.
        whole: True for whole numbers.
        limits: Lowest and highest value, a row for each weight.
    """

    names: tuple[str, ...]
    start: Weights
    free: np.ndarray
    scale: np.ndarray
    whole: np.ndarray
    limits: np.ndarray

    @classmethod
    def from_weights(
        cls,
        start: Mapping[str, float],
        only: Mapping[str, tuple[float, float] | None],
        declared: Mapping[str, WeightRange],
    ) -> SearchSpace:
        """Return the space of a strategy's weights.

        Args:
            start: All weights by name.
            only: The weights that may change, with their ranges; if empty, all.
            declared: Ranges and scales that the strategy declares.

        Raises:
            TrainingError: A name is unknown, or a range is empty or without the start.
        """
        for name in only:
            if name not in start:
                raise TrainingError(f"there is no weight {name!r}; there are {', '.join(start)}")
        free = [i for i, name in enumerate(start) if not only or name in only]
        names, values = list(start), np.array(list(start.values()))
        ranges = []
        for i in free:
            name = names[i]
            limits, own = only.get(name), declared.get(name, WeightRange())
            ranges.append(_resolve_range(name, start[name], limits, own))
        sizes = np.abs(values[free])
        typical = float(np.median(sizes[sizes > 0])) if (sizes > 0).any() else 1.0
        scale = np.where(sizes > 0, sizes, typical)
        whole = np.array([r.whole for r in ranges])
        scale = np.where(whole, np.maximum(scale, MIN_INTEGER_SCALE), scale)
        return cls(
            tuple(start),
            tuple(start.values()),
            np.array(free),
            np.array([r.scale or s for r, s in zip(ranges, scale, strict=True)]),
            whole,
            np.array([(r.low, r.high) for r in ranges]),
        )

    @property
    def bounds(self) -> np.ndarray | None:
        """Limits in units of the space, or None if no weight is limited."""
        if not np.isfinite(self.limits).any():
            return None
        return (self.limits - np.array(self.start)[self.free][:, None]) / self.scale[:, None]

    def compute_weights(self, point: np.ndarray) -> Weights:
        """Return all weights at a point of the space, rounded and within their limits."""
        if not point.any():
            return self.start
        weights = np.array(self.start)
        free = weights[self.free] + point * self.scale
        weights[self.free] = np.clip(np.where(self.whole, np.rint(free), free), *self.limits.T)
        return tuple(float(f"{weight:.{SIGNIFICANT_DIGITS}g}") for weight in weights)

    def shift_weights(self, weights: Weights, i: int) -> list[Weights]:
        """Return the weights with the i-th free one far lower, and far higher.

        Args:
            weights: All weights.
            i: Place among the free weights.
        """
        both = []
        for shift in (-LARGE_SHIFT, LARGE_SHIFT):
            shifted = np.array(weights)
            value = shifted[self.free[i]] + shift * self.scale[i]
            shifted[self.free[i]] = np.clip(value, *self.limits[i])
            both.append(tuple(shifted.tolist()))
        return both


def _resolve_range(
    name: str, value: float, limits: tuple[float, float] | None, declared: WeightRange
) -> WeightRange:
    """Return the range of a weight; limits that the user gives replace declared ones.

    Raises:
        TrainingError: The range is empty, or the weight starts outside of it.
    """
    weight_range = declared
    if limits:
        weight_range = replace(declared, low=limits[0], high=limits[1])
    low, high = weight_range.low, weight_range.high
    if not low < high:
        raise TrainingError(f"the range of {name}, {low:g}..{high:g}, is empty")
    if not low <= value <= high:
        raise TrainingError(f"{name} starts at {value:g}, which is not in {low:g}..{high:g}")
    return weight_range
