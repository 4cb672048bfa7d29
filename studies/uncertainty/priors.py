"""Priors: for each assumed parameter of a box, its possible values and how likely each is.

A parameter with alternatives keeps its assumed value with the probability `prior_correct`, and
otherwise takes one of the alternatives by their weights. Any other number has a triangular
distribution over its plausible range with the mode at the assumed value, or a uniform one where the
box says `prior: uniform`. A list of numbers is sampled item by item. House rules, models and
variants, names of content, and numbers without a range, stay as they are.
docs/how/uncertainty.md states all of this exactly.
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

READING_CORRECT = 0.9  # probability of an assumed reading, where the box gives none
COMPONENT_CORRECT = 0.5  # the same of a number, or of a list of components, with alternatives
BATCH_BOXES = 64  # boxes of the Sobol sequence at a time
SampledValues = dict[str, Any]  # values of the uncertain parameters of one box, by path


@dataclass(frozen=True)
class Prior:
    """Prior distribution of one assumed parameter.

    Attributes:
        parameter: The parameter.
        reading_correct: Probability that an assumed reading is right, where the box gives none.
    """

    parameter: Parameter
    reading_correct: float = READING_CORRECT

    @staticmethod
    def exists_for(parameter: Parameter) -> bool:
        """Return whether a parameter has a prior.

        It has one if it has alternatives, or a range with low < high. Names of content have none,
        since their choices are all names that the game knows.
        """
        return parameter.is_doubtful and Prior.can_vary(parameter)

    @staticmethod
    def can_vary(parameter: Parameter) -> bool:
        """Return whether other values of a parameter are known, whether it is doubted or not."""
        if parameter.is_setup_choice:  # certain, unless the box says how likely it is
            return parameter.prior_correct is not None and bool(parameter.alternatives)
        if _list_alternatives(parameter):
            is_doubted = bool(parameter.doubt or parameter.odds or parameter.is_switch)
            return parameter.type is not str or is_doubted
        return _has_finite_range(parameter)

    @property
    def path(self) -> str:
        """Path of the parameter."""
        return self.parameter.path

    @property
    def group(self) -> str:
        """First part of the path."""
        return self.path.partition(".")[0]

    @property
    def is_reading(self) -> bool:
        """True if it is a reading of a rule, False if it is a number or a component."""
        return self.parameter.is_reading

    @cached_property
    def alternatives(self) -> list[Any]:
        """The other values, where they can be counted; empty for a number with a range."""
        return _list_alternatives(self.parameter)

    @property
    def probability_correct(self) -> float:
        """Probability that the assumed value is right, of a parameter with alternatives."""
        parameter = self.parameter
        if parameter.odds:
            position = parameter.readings.index(parameter.value)
            return parameter.odds[position] / sum(parameter.odds)
        if parameter.prior_correct is not None:
            return parameter.prior_correct
        return self.reading_correct if self.is_reading else COMPONENT_CORRECT

    @property
    def alternative_probabilities(self) -> list[float]:
        """Probability of each alternative."""
        parameter = self.parameter
        weights: Sequence[float] = parameter.weights or [1.0] * len(self.alternatives)
        if parameter.odds:
            pairs = zip(parameter.readings, parameter.odds, strict=True)
            weights = [odds for reading, odds in pairs if reading != parameter.value]
        total = sum(weights) or 1.0
        return [(1 - self.probability_correct) * weight / total for weight in weights]

    @property
    def is_by_item(self) -> bool:
        """True if the parameter is a list whose items are sampled independently."""
        return isinstance(self.parameter.value, list) and not self.alternatives

    @property
    def dimensions(self) -> int:
        """Number of uniform random numbers that one sample takes."""
        return len(self.parameter.items) if self.is_by_item else 1

    def compute_quantile(self, u: Sequence[float]) -> Any:
        """Return the value at probabilities `u`, one for each dimension.

        A number is the quantile of its distribution. A parameter with alternatives has its assumed
        value first, and then the alternatives in their order.

        Example:
            >>> prior = Prior(Parameter("x", 1.0, "assumed", range=(0, 4), prior="uniform"))
            >>> prior.compute_quantile([0.25])
            1.0
        """
        if self.alternatives:
            return self._select_alternative(u[0])
        items = self.parameter.items
        values = [self.compute_item(item, x) for item, x in zip(items, u, strict=True)]
        return values if self.is_by_item else values[0]

    def compute_item(self, assumed: Any, u: float) -> Any:
        """Return a number at probability `u`: as assumed with `prior_correct`, else in the range.

        Args:
            assumed: The assumed number, or an item of a list of numbers.
            u: The probability.
        """
        certain = self.parameter.prior_correct or 0.0
        if u < certain:
            return assumed
        return self._compute_number(assumed, (u - certain) / (1 - certain))

    def _select_alternative(self, u: float) -> Any:
        edges = np.cumsum([self.probability_correct, *self.alternative_probabilities])
        position = int(np.searchsorted(edges / edges[-1], u, side="right"))
        values = [self.parameter.value, *self.alternatives]
        return values[min(position, len(values) - 1)]

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
        if self.parameter.is_uniform:
            return low + u * (high - low)
        return _triangular_ppf(
            low,
            high,
            mode,
            u,
        )

    def encode(self, value: Any) -> float:
        """Return a value as a number, for sorting and grouping."""
        if self.alternatives:
            return [self.parameter.value, *self.alternatives].index(value)
        return float(sum(value) if self.is_by_item else value)


def _list_alternatives(parameter: Parameter) -> list[Any]:
    """Return the alternatives of a parameter, or none for a number that lies in a range.

    The values that `doubt` names for a single number with a range are examples out of that range.
    """
    is_number = parameter.type in (int, float) and not isinstance(parameter.value, list)
    has_choices = bool(parameter.choices or parameter.odds or parameter.weights)
    if is_number and not has_choices and _has_finite_range(parameter):
        return []
    return parameter.alternatives


def _has_finite_range(parameter: Parameter) -> bool:
    """Return whether numbers of the parameter lie in a range with low < high."""
    if not (parameter.range and parameter.type in (int, float) and parameter.items):
        return False
    low, high = get_plausible_range(parameter)
    return isfinite(high - low) and low < high


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

    Args:
        cells: The variants.
        reading_correct: Probability that an assumed reading is right, where the box gives none.

    Attributes:
        entries: The priors.
        fixed_paths: Paths of assumed parameters without a prior.
    """

    def __init__(self, cells: Sequence[Variant], reading_correct: float = READING_CORRECT) -> None:
        assumed: dict[str, Parameter] = {}
        for cell in cells:
            for parameter in _list_assumed_parameters(cell):
                assumed[parameter.path] = parameter
        self.entries: list[Prior] = []
        self.fixed_paths: list[str] = []
        for path, parameter in assumed.items():
            if Prior.exists_for(parameter):
                self.entries.append(Prior(parameter, reading_correct))
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

    @property
    def readings(self) -> list[Prior]:
        """Priors of the readings of rules."""
        return [prior for prior in self.entries if prior.is_reading]

    def draw_box(self, rng: np.random.Generator) -> SampledValues:
        """Return a box with each parameter drawn from its prior, independently of the others."""
        return self.build_box(rng.random(self.offsets[-1]))

    def generate_boxes(self, seed: int) -> Iterator[SampledValues]:
        """Yield boxes without end, from a scrambled Sobol sequence."""
        from scipy.stats import qmc

        points = qmc.Sobol(self.offsets[-1], rng=np.random.default_rng(seed))
        while True:
            yield from map(self.build_box, points.random(BATCH_BOXES))

    def assume_readings(self, box: SampledValues) -> SampledValues:
        """Return a box with all readings as they are assumed, and its numbers as they are."""
        assumed = {prior.path: prior.parameter.value for prior in self.readings}
        return {**box, **assumed}


def _list_assumed_parameters(cell: Variant) -> list[Parameter]:
    """Return the assumed parameters that the variant does not set itself."""
    settled = {_get_parameter_path(change) for change in cell.changes if not change.is_relative}
    assumed = []
    for path, parameter in cell.parameters.items():
        is_choice = parameter.is_setup_choice and not Prior.exists_for(parameter)
        if parameter.is_assumed and path not in settled and not is_choice:
            assumed.append(parameter)
    return assumed


def _get_parameter_path(change: Change) -> str:
    """Return the path of the parameter that a change, perhaps of one item of a list, concerns."""
    item = ITEM.fullmatch(change.path)
    return item[1] if item else change.path
