"""The weights that training may change: candidates are points, and the start is their origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from hardmode.strategies.tuning import Tuning
from hardmode.studies.training.evaluation import Weights

DIGITS = 6  # of a weight
LEAST = 2.0  # a large step of a whole number
FAR = 2.0  # large steps after which a weight that changes nothing is called dead


class TrainingError(ValueError):
    """There is nothing to train; says why."""


@dataclass(frozen=True)
class Space:
    names: tuple[str, ...]
    start: Weights
    free: np.ndarray  # the positions of the weights that change
    scale: np.ndarray  # of those: how much is a step of one
    whole: np.ndarray  # which of those are whole numbers
    limits: np.ndarray  # of those: the least and the most

    @classmethod
    def of(
        cls,
        start: Mapping[str, float],
        only: Mapping[str, tuple[float, float] | None],
        declared: Mapping[str, Tuning],
    ) -> Space:
        """The space of a strategy's weights, or of those named in `only`, whose ranges win over declared ones."""
        for name in only:
            if name not in start:
                raise TrainingError(f"there is no weight {name!r}; there are {', '.join(start)}")
        names = [name for name in start if not only or name in only]
        tunings = [
            _tuning(name, start[name], only.get(name), declared.get(name, Tuning()))
            for name in names
        ]
        sizes = np.abs([start[name] for name in names])
        usual = float(np.median(sizes[sizes > 0])) if (sizes > 0).any() else 1.0
        scale = np.where(sizes > 0, sizes, usual)
        whole = np.array([t.whole for t in tunings])
        scale = np.where(whole, np.maximum(scale, LEAST), scale)
        scale = np.array([t.scale or s for t, s in zip(tunings, scale, strict=True)])
        order = list(start)
        return cls(
            tuple(order),
            tuple(start.values()),
            np.array([order.index(n) for n in names]),
            scale,
            whole,
            np.array([(t.low, t.high) for t in tunings]),
        )

    @property
    def bounds(self) -> np.ndarray | None:
        """The ranges as the search has them; none where nothing is bounded."""
        if not np.isfinite(self.limits).any():
            return None
        return (self.limits - np.array(self.start)[self.free][:, None]) / self.scale[:, None]

    def weights(self, point: np.ndarray) -> Weights:
        if not point.any():
            return self.start
        moved = np.array(self.start)[self.free] + point * self.scale
        found = np.array(self.start)
        found[self.free] = np.clip(np.where(self.whole, np.rint(moved), moved), *self.limits.T)
        return tuple(float(f"{x:.{DIGITS}g}") for x in found)

    def moved(self, weights: Weights, i: int) -> list[Weights]:
        """The same weights with the free one number `i` far down and far up."""
        found = []
        for far in (-FAR, FAR):
            other = np.array(weights)
            other[self.free[i]] = np.clip(
                other[self.free[i]] + far * self.scale[i], *self.limits[i]
            )
            found.append(tuple(other.tolist()))
        return found


def _tuning(name: str, value: float, asked: tuple[float, float] | None, declared: Tuning) -> Tuning:
    """How a weight may be tuned, once that has been found possible."""
    made = replace(declared, low=asked[0], high=asked[1]) if asked else declared
    if not made.low < made.high:
        raise TrainingError(f"the range of {name}, {made.low:g}..{made.high:g}, is empty")
    if not made.low <= value <= made.high:
        raise TrainingError(
            f"{name} starts at {value:g}, which is not in {made.low:g}..{made.high:g}"
        )
    return made
