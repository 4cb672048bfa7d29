"""Priors: for each assumed parameter of a box, its possible values and how likely each is.

A parameter with alternative readings (a switch, yes or no, a value of `doubt:`) takes each with its
odds. Unless a box gives odds, the assumed reading is as likely as all others together. A number has
a triangular distribution over its plausible range with the mode at the assumed value, or a uniform
one where the box says `shape: even`. A list of numbers is sampled item by item. Names of content,
and numbers without a range, stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, sqrt
from typing import Any

import numpy as np

from hardmode.scenarios.overrides import ITEM, Change
from hardmode.scenarios.parameter import Parameter
from hardmode.scenarios.variant import Variant
from hardmode.studies.sensitivity.steps import get_plausible_range

SETUP = "setup."  # choices at set-up are never uncertain
SWITCHES = "switches."  # where every game keeps the readings of its rules
BATCH_BOXES = 64  # boxes sampled at a time
SampledValues = dict[str, Any]  # values of the uncertain parameters of one box, by path


@dataclass(frozen=True)
class Prior:
    """Prior distribution of one assumed parameter."""

    parameter: Parameter

    @staticmethod
    def exists_for(parameter: Parameter) -> bool:
        """Return whether a parameter has a prior.

        It has one if it has alternative readings, or a range with low < high. Names of content have
        none, since their choices are all names that the game knows.
        """
        if parameter.readings:
            is_switch = parameter.path.startswith(SWITCHES)
            is_doubted = bool(parameter.doubt or parameter.odds or is_switch)
            return len(parameter.readings) > 1 and (parameter.type is not str or is_doubted)
        if not (parameter.range and parameter.type in (int, float) and parameter.items):
            return False
        low, high = get_plausible_range(parameter)
        return isfinite(high - low) and low < high

    @property
    def path(self) -> str:
        """Path of the parameter."""
        return self.parameter.path

    @property
    def group(self) -> str:
        """First part of the path."""
        return self.path.partition(".")[0]

    @property
    def is_by_item(self) -> bool:
        """True if the parameter is a list whose items are sampled independently."""
        return isinstance(self.parameter.value, list) and not self.parameter.doubt

    @property
    def dimensions(self) -> int:
        """Number of uniform random numbers that one sample takes."""
        return len(self.parameter.items) if self.is_by_item else 1

    def compute_quantile(self, u: Sequence[float]) -> Any:
        """Return the value at probabilities `u`, one for each dimension (inverse of the CDF).

        Example:
            >>> prior = Prior(Parameter("x", 1.0, "assumed", range=(0, 4), shape="even"))
            >>> prior.compute_quantile([0.25])
            1.0
        """
        parameter = self.parameter
        if parameter.readings:
            return _select_reading(
                parameter.value,
                parameter.readings,
                parameter.odds,
                u[0],
            )
        values = [self._compute_number(item, x) for item, x in zip(parameter.items, u, strict=True)]
        return values if self.is_by_item else values[0]

    def _compute_number(self, mode: Any, u: float) -> float:
        low, high = get_plausible_range(self.parameter)
        if self.parameter.type is int:
            number = round(
                self._invert_cdf(
                    low - 0.5,
                    high + 0.5,
                    mode,
                    u,
                )
            )
            return int(min(max(number, low), high))
        return float(f"{self._invert_cdf(low, high, mode, u):.9g}")

    def _invert_cdf(
        self,
        low: float,
        high: float,
        mode: float,
        u: float,
    ) -> float:
        if self.parameter.shape == "even":
            return low + u * (high - low)
        return _triangular_ppf(
            low,
            high,
            mode,
            u,
        )

    def encode(self, value: Any) -> float:
        """Return a value as a number, for sorting and grouping."""
        if self.parameter.readings:
            return self.parameter.readings.index(value)
        return float(sum(value) if self.is_by_item else value)


def _select_reading(
    assumed: Any,
    readings: Sequence[Any],
    odds: Sequence[float],
    u: float,
) -> Any:
    """Return the reading at probability `u`."""
    others = len(readings) - 1
    weights = odds or [0.5 if one == assumed else 0.5 / max(1, others) for one in readings]
    edges = np.cumsum(weights) / sum(weights)
    return readings[min(int(np.searchsorted(edges, u, side="right")), others)]


def _triangular_ppf(
    low: float,
    high: float,
    mode: float,
    u: float,
) -> float:
    """Return the quantile of a triangular distribution at probability `u`.

    Example:
        >>> _triangular_ppf(low=0, high=2, mode=1, u=0.5)
        1.0
    """
    if u < (mode - low) / (high - low):
        return low + sqrt(u * (high - low) * (mode - low))
    return high - sqrt((1 - u) * (high - low) * (high - mode))


class Priors:
    """Priors of all uncertain parameters of some variants that share a box.

    A parameter that a variant sets to an absolute value is not uncertain there.

    Attributes:
        entries: The priors.
        fixed_paths: Paths of assumed parameters without a prior.
    """

    def __init__(self, cells: Sequence[Variant]) -> None:
        assumed: dict[str, Parameter] = {}
        for cell in cells:
            for parameter in _list_assumed_parameters(cell):
                assumed[parameter.path] = parameter
        self.entries: list[Prior] = []
        self.fixed_paths: list[str] = []
        for path, parameter in assumed.items():
            if Prior.exists_for(parameter):
                self.entries.append(Prior(parameter))
            else:
                self.fixed_paths.append(path)

    @cached_property
    def offsets(self) -> list[int]:
        """Index of the first dimension of each prior; last, the number of all dimensions."""
        return np.cumsum([0, *(prior.dimensions for prior in self.entries)]).tolist()

    @property
    def groups(self) -> dict[str, list[str]]:
        """Paths of the uncertain parameters, by group."""
        groups: dict[str, list[str]] = {}
        for prior in self.entries:
            groups.setdefault(prior.group, []).append(prior.path)
        return groups

    def build_box(self, u: np.ndarray) -> SampledValues:
        """Return the box at a point of the unit cube with `offsets[-1]` dimensions."""
        box = {}
        for prior, start, stop in zip(
            self.entries,
            self.offsets,
            self.offsets[1:],
            strict=False,
        ):
            box[prior.path] = prior.compute_quantile(u[start:stop].tolist())
        return box

    def generate_boxes(self, seed: int) -> Iterator[SampledValues]:
        """Yield boxes without end, from a scrambled Sobol sequence."""
        from scipy.stats import qmc

        points = qmc.Sobol(self.offsets[-1], rng=np.random.default_rng(seed))
        while True:
            yield from map(self.build_box, points.random(BATCH_BOXES))


def _list_assumed_parameters(cell: Variant) -> list[Parameter]:
    """Return the assumed parameters that the variant does not set itself."""
    settled = {_get_parameter_path(change) for change in cell.changes if not change.is_relative}
    return [
        parameter
        for path, parameter in cell.parameters.items()
        if parameter.is_assumed and path not in settled and not path.startswith(SETUP)
    ]


def _get_parameter_path(change: Change) -> str:
    """Return the path of the parameter that a change, perhaps of one item of a list, concerns."""
    item = ITEM.fullmatch(change.path)
    return item[1] if item else change.path
