"""The numbers that may be changed to reach a target: each with the values it may take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.scenarios.overrides import ITEM, Change, at, split, spread
from hardmode.scenarios.parameter import Leaf, yaml_text
from hardmode.studies.sensitivity.steps import limits
from hardmode.studies.solve.targets import SolveError

MOST_VALUES = 60


@dataclass(frozen=True)
class Lever:
    """A number and its values; or several numbers, or a list, that move together by the same step."""

    path: str
    now: Any
    values: tuple[Any, ...]
    standing: tuple[tuple[str, Any], ...]  # every number that it moves, and where that stands
    together: bool  # values are steps
    unit: str = ""
    farthest: tuple[float, float] | None = None  # what the game bears where the values go less far

    def sets(self, value: Any) -> dict[str, Any]:
        if not self.together:
            return {self.path: value}
        return {
            path: [_sum(item, value) for item in there]
            if isinstance(there, list)
            else _sum(there, value)
            for path, there in self.standing
        }

    def flag(self, value: Any) -> str:
        if self.together:
            return f"{self.path}={value:+g}"
        sign = "=" if isinstance(value, (int, float)) and value < 0 else ""
        return f"{self.path}={sign}{yaml_text(value)}"

    def cost(self, value: Any) -> float:
        """How far the value lies from what stands, in units of all it could move."""
        if value == self.now:
            return 0.0
        if not self.numeric:
            return 1.0
        return abs(value - self.now) / (max(self.values) - min(self.values))

    @property
    def numeric(self) -> bool:
        return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in self.values)

    def code(self, value: Any) -> list[float]:
        """The value as a response surface takes it: from -1 to 1, or one mark for each reading."""
        if not self.numeric:
            return [float(value == other) for other in self.values[1:]]
        low, high = min(self.values), max(self.values)
        return [2 * (value - low) / (high - low) - 1 if high > low else 0.0]


def _sum(there: Any, by: Any) -> Any:
    return there + by if isinstance(there, int) else float(f"{there + by:.9g}")


def levers(
    written: Sequence[str], scenario: Scenario, cell: Variant, fixed: Sequence[str] = ()
) -> list[Lever]:
    """All levers; no number is moved by two of them, by the sweep, or by the cell of a target."""
    found = [_lever(one, cell) for one in written]
    taken = {
        **dict.fromkeys(scenario.sweep, "the sweep"),
        **dict.fromkeys(fixed, "the cell of a target"),
    }
    for lever in found:
        for path, _ in lever.standing:
            if path in taken:
                raise SolveError(f"--by {lever.path}: {path} is set by {taken[path]} already")
            taken[path] = f"--by {lever.path}"
    return found


def _lever(written: str, cell: Variant) -> Lever:
    path, _, span = written.partition("=")
    changes = spread([Change(path, None)], cell.leaves)
    leaves = [split(change, cell.leaves)[0] for change in changes]
    standing = tuple((c.path, _there(cell, c)) for c in changes)
    leaf, now = leaves[0], standing[0][1]
    given = _span(written, span) if span else None
    if len(standing) > 1 or isinstance(now, list):
        if any(one.choices or one.type not in (int, float) for one in leaves):
            raise SolveError(f"--by {path}: only numbers move together")
        steps = _numbers(
            path, *(given or _common(leaves, standing)), 0, all(one.type is int for one in leaves)
        )
        return Lever(path, 0, steps, standing, True, leaf.unit)
    if given and (leaf.choices or leaf.type not in (int, float)):
        raise SolveError(
            f"--by {written}: is no number, which could have a range; write --by {path}, and each reading "
            "is tried"
        )
    if leaf.choices:
        return Lever(path, now, leaf.choices, standing, False, leaf.unit)
    if leaf.type not in (int, float):
        raise SolveError(
            f"--by {path}: is a name; only numbers, switches and choices can be searched"
        )
    bears = (-inf if leaf.min is None else leaf.min, inf if leaf.max is None else leaf.max)
    if given and not bears[0] <= given[0] <= given[1] <= bears[1]:
        low, high = (yaml_text(end) if isfinite(end) else "any" for end in bears)
        raise SolveError(f"--by {written}: the least that the game bears is {low}, the most {high}")
    values = _numbers(path, *(given or limits(leaf)), now, leaf.type is int)
    beyond = None if given or not (bears[0] < min(values) or bears[1] > max(values)) else bears
    return Lever(path, now, values, standing, False, leaf.unit, beyond)


def _there(cell: Variant, change: Change) -> Any:
    item = ITEM.fullmatch(change.path)
    try:
        return at(cell.values, change.path)
    except IndexError:
        count = len(cell.values[item[1]]) if item else 0
        raise SolveError(f"--by {change.path}: there are {count} items, numbered from 0") from None


def _span(written: str, span: str) -> tuple[float, float]:
    low, dots, high = span.partition("..")
    try:
        ends = float(low), float(high)
    except ValueError:
        ends = 1.0, 0.0
    if not dots or ends[0] >= ends[1]:
        raise SolveError(
            f"--by {written}: {span!r} is not a range; write for example {written.partition('=')[0]}=2..9"
        )
    return ends


def _common(leaves: Sequence[Leaf], standing: Sequence[tuple[str, Any]]) -> tuple[float, float]:
    """How far all may move together: to the plausible end of any, to the possible end of none."""
    pairs = [
        (leaf, item)
        for leaf, (_, there) in zip(leaves, standing, strict=True)
        for item in (there if isinstance(there, list) else [there])
    ]
    low = max(
        min(limits(leaf)[0] - x for leaf, x in pairs),
        max((leaf.min - x for leaf, x in pairs if leaf.min is not None), default=-inf),
    )
    high = min(
        max(limits(leaf)[1] - x for leaf, x in pairs),
        min((leaf.max - x for leaf, x in pairs if leaf.max is not None), default=inf),
    )
    return low, high


def _numbers(path: str, low: float, high: float, now: Any, whole: bool) -> tuple[Any, ...]:
    """All values from low to high, or as many as are played, evenly spread; and the one that stands."""
    if not (isfinite(low) and isfinite(high)):
        raise SolveError(f"--by {path}: has no limits to search in; write them, as in {path}=1..9")
    count = min(MOST_VALUES, int(high - low) + 1) if whole else MOST_VALUES // 3 + 1
    found = np.linspace(low, high, max(count, 1)).tolist()
    return tuple(sorted({now, *(round(x) if whole else float(f"{x:.6g}") for x in found)}))
