"""What is not known of a box: each assumed number, the values that it may have, and how likely each is.

A reading (of a switch, yes or no, a value of `doubt:`) is as likely as its odds say: unless a box gives them, the one
that is assumed is as likely as all others together. A number is drawn from a triangle over its plausible range with the
peak at what is assumed, or from anywhere in it alike where the box says `shape: even`; a list of numbers is drawn item
by item. Names of content, whose choices are all that the game can bear, and numbers without a range stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, sqrt
from typing import Any

import numpy as np

from hardmode.scenarios.overrides import ITEM, Change
from hardmode.scenarios.parameter import Leaf
from hardmode.scenarios.variant import Variant
from hardmode.studies.sensitivity.steps import limits

SETUP = "setup."  # what is chosen is not in doubt
SWITCHES = "switches."  # where every game keeps the readings of its rules
CHUNK = 64
Drawn = dict[str, Any]  # the values of a box that were drawn


@dataclass(frozen=True)
class Unknown:
    """One assumed number, reading or list."""

    leaf: Leaf

    @property
    def path(self) -> str:
        return self.leaf.path

    @property
    def group(self) -> str:
        return group(self.path)

    @property
    def by_item(self) -> bool:
        return isinstance(self.leaf.value, list) and not self.leaf.doubt

    @property
    def width(self) -> int:
        """How many numbers between 0 and 1 draw it."""
        return len(self.leaf.items) if self.by_item else 1

    def value(self, u: Sequence[float]) -> Any:
        if self.leaf.readings:
            return reading(self.leaf.value, self.leaf.readings, self.leaf.odds, u[0])
        found = [self._number(item, x) for item, x in zip(self.leaf.items, u, strict=True)]
        return found if self.by_item else found[0]

    def _number(self, now: Any, u: float) -> Any:
        low, high = limits(self.leaf)
        if self.leaf.type is int:
            return int(
                min(max(round(_within(low - 0.5, high + 0.5, now, u, self.leaf.shape)), low), high)
            )
        return float(f"{_within(low, high, now, u, self.leaf.shape):.9g}")

    def code(self, value: Any) -> float:
        """A value as a number, by which boxes are sorted."""
        if self.leaf.readings:
            return self.leaf.readings.index(value)
        return float(sum(value) if self.by_item else value)


def reading(now: Any, readings: Sequence[Any], odds: Sequence[float], u: float) -> Any:
    """One of several, by their odds."""
    others = len(readings) - 1
    told = odds or [0.5 if one == now else 0.5 / max(1, others) for one in readings]
    edges = np.cumsum(told) / sum(told)
    return readings[min(int(np.searchsorted(edges, u, side="right")), others)]


def _within(low: float, high: float, peak: float, u: float, shape: str) -> float:
    """What a share u of the numbers in a range lies below."""
    if shape == "even":
        return low + u * (high - low)
    below = (peak - low) / (high - low)
    if u < below:
        return low + sqrt(u * (high - low) * (peak - low))
    return high - sqrt((1 - u) * (high - low) * (high - peak))


def group(path: str) -> str:
    return path.partition(".")[0]


def varies(leaf: Leaf) -> bool:
    """Whether anybody says what else it might be."""
    if leaf.readings:
        named = leaf.type is str and not (leaf.doubt or leaf.odds or leaf.path.startswith(SWITCHES))
        return len(leaf.readings) > 1 and not named
    low, high = limits(leaf)
    return (
        bool(leaf.range and leaf.type in (int, float) and leaf.items)
        and isfinite(high - low)
        and low < high
    )


class Unknowns:
    """All that is not known of some cells that share a box; what each of them sets for good is known."""

    def __init__(self, cells: Sequence[Variant]) -> None:
        assumed = {leaf.path: leaf for cell in cells for leaf in _assumed(cell)}.values()
        self.drawn = [Unknown(leaf) for leaf in assumed if varies(leaf)]
        self.staying = [leaf.path for leaf in assumed if not varies(leaf)]

    @cached_property
    def ends(self) -> list[int]:
        return np.cumsum([0, *(one.width for one in self.drawn)]).tolist()

    @property
    def groups(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for one in self.drawn:
            found.setdefault(one.group, []).append(one.path)
        return found

    def box(self, u: np.ndarray) -> Drawn:
        return {
            one.path: one.value(u[lo:hi].tolist())
            for one, lo, hi in zip(self.drawn, self.ends, self.ends[1:], strict=False)
        }

    def boxes(self, seed: int) -> Iterator[Drawn]:
        """Boxes without end, spread evenly over all that is possible (Sobol's points, scrambled)."""
        from scipy.stats import qmc

        points = qmc.Sobol(self.ends[-1], rng=np.random.default_rng(seed))
        while True:
            yield from map(self.box, points.random(CHUNK))


def mixed(box: Drawn, other: Drawn, paths: Sequence[str]) -> Drawn:
    """A box with some of its numbers from another."""
    return {**box, **{path: other[path] for path in paths}}


def values(leaves: Mapping[str, Leaf], drawn: Drawn) -> dict[str, Any]:
    """All values of a box in which what is not known was drawn."""
    return {
        path: drawn.get(path, leaf.value) if leaf.assumed else leaf.value
        for path, leaf in leaves.items()
    }


def _assumed(cell: Variant) -> list[Leaf]:
    settled = {_leaf(change) for change in cell.changes if not change.relative}
    return [
        leaf
        for path, leaf in cell.leaves.items()
        if leaf.assumed and path not in settled and not path.startswith(SETUP)
    ]


def _leaf(change: Change) -> str:
    item = ITEM.fullmatch(change.path)
    return item[1] if item else change.path
