"""Design variables: parameters that may change to reach a target, each with its possible values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, isfinite
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.scenarios.overrides import (
    ITEM,
    Change,
    expand_wildcards,
    get_value,
    resolve_change,
)
from hardmode.scenarios.parameter import Parameter, format_yaml_value
from hardmode.studies.sensitivity.steps import get_plausible_range
from hardmode.studies.solve.targets import SolveError

MAX_INTEGERS = 60  # values of an integer variable, at most
DECIMAL_VALUES = 21  # values of a decimal variable
ROUNDING = 1e-9  # by which a quotient of decimal numbers may miss a whole number


@dataclass(frozen=True)
class DesignVariable:
    """A parameter and its possible values, or several parameters that move by the same step.

    Attributes:
        path: Path of the parameter, or a wildcard path of several.
        current_value: Current value; 0 if `moves_jointly`.
        values: Possible values, or steps if `moves_jointly`.
        current_values: Path and current value of every parameter that it changes.
        moves_jointly: Whether several numbers, or a list of numbers, move by the same step.
        unit: Unit of the parameter.
        hard_limits: Limits of the game, if the values do not reach so far.
    """

    path: str
    current_value: Any
    values: tuple[Any, ...]
    current_values: tuple[tuple[str, Any], ...]
    moves_jointly: bool
    unit: str = ""
    hard_limits: tuple[float, float] | None = None

    def get_changes(self, value: Any) -> dict[str, Any]:
        """Return the new values of all parameters, by path."""
        if not self.moves_jointly:
            return {self.path: value}
        changes: dict[str, Any] = {}
        for path, current in self.current_values:
            if isinstance(current, list):
                changes[path] = [_add_step(item, value) for item in current]
            else:
                changes[path] = _add_step(current, value)
        return changes

    def format_flag(self, value: Any) -> str:
        """Return the value as an argument of `--set`.

        Example:
            `torches.start=5`, or `hero.*=+1` if several numbers move jointly.
        """
        if self.moves_jointly:
            return f"{self.path}={value:+g}"
        sign = "=" if isinstance(value, (int, float)) and value < 0 else ""
        return f"{self.path}={sign}{format_yaml_value(value)}"

    def compute_cost(self, value: Any) -> float:
        """Return the distance from the current value, as a share of the range of all values."""
        if value == self.current_value:
            return 0.0
        if not self.is_numeric:
            return 1.0
        return abs(value - self.current_value) / (max(self.values) - min(self.values))

    @property
    def is_numeric(self) -> bool:
        """True if all values are numbers."""
        return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in self.values)

    def encode(self, value: Any) -> list[float]:
        """Return the value for a regression: from -1 to 1, or an indicator for each choice."""
        if not self.is_numeric:
            return [float(value == other) for other in self.values[1:]]
        low, high = min(self.values), max(self.values)
        return [2 * (value - low) / (high - low) - 1 if high > low else 0.0]


def _add_step(value: Any, step: Any) -> Any:
    return value + step if isinstance(value, int) else float(f"{value + step:.9g}")


def parse_design_variables(
    written: Sequence[str],
    scenario: Scenario,
    cell: Variant,
    fixed: Sequence[str] = (),
) -> list[DesignVariable]:
    """Return all design variables.

    Args:
        written: The variables as the user wrote them, as in `torches.start=2..9`.
        scenario: The scenario; a path of its sweep is no design variable.
        cell: The variant.
        fixed: Paths that the cells of targets set.

    Raises:
        SolveError: A variable has no values, or its path is set by something else too.
    """
    variables = [_parse_variable(text, cell) for text in written]
    owners = dict.fromkeys(scenario.sweep, "the sweep")
    owners |= dict.fromkeys(fixed, "the cell of a target")
    for variable in variables:
        for path, _ in variable.current_values:
            if path in owners:
                raise SolveError(f"--by {variable.path}: {path} is already set by {owners[path]}")
            owners[path] = f"--by {variable.path}"
    return variables


def _parse_variable(written: str, cell: Variant) -> DesignVariable:
    path, _, range_text = written.partition("=")
    changes = expand_wildcards([Change(path, None)], cell.parameters)
    parameters = [resolve_change(change, cell.parameters)[0] for change in changes]
    current = tuple((change.path, _get_current_value(cell, change)) for change in changes)
    moves_jointly = len(current) > 1 or isinstance(current[0][1], list)
    example = f"{path}=-1..+2" if moves_jointly else f"{path}=2..9"
    given = _parse_range(written, range_text, example) if range_text else None
    if given:
        _check_signs(written, current, moves_jointly)
    if moves_jointly:
        return _build_joint_variable(
            path,
            parameters,
            current,
            given,
        )
    return _build_single_variable(
        written,
        path,
        parameters[0],
        current,
        given,
    )


def _build_joint_variable(
    path: str,
    parameters: Sequence[Parameter],
    current: tuple[tuple[str, Any], ...],
    given: tuple[float, float] | None,
) -> DesignVariable:
    """Return a variable whose values are steps of several numbers."""
    if not all(_is_number(parameter) for parameter in parameters):
        raise SolveError(f"--by {path}: only numbers can be changed together")
    low, high = given or _get_common_steps(parameters, current)
    is_whole = all(parameter.type is int for parameter in parameters)
    printed_steps = {parameter.step for parameter in parameters}
    steps = _spread_values(
        path,
        low,
        high,
        0,
        is_whole,
        max((step for step in printed_steps if step), default=None),
    )
    return DesignVariable(
        path,
        0,
        steps,
        current,
        True,
        parameters[0].unit,
    )


def _build_single_variable(
    written: str,
    path: str,
    parameter: Parameter,
    current: tuple[tuple[str, Any], ...],
    given: tuple[float, float] | None,
) -> DesignVariable:
    """Return a variable of one parameter that is no list."""
    now = current[0][1]
    if given and not _is_number(parameter):
        raise SolveError(
            f"--by {written}: only a number has a range; write --by {path} to try every choice"
        )
    if parameter.choices:
        return DesignVariable(
            path,
            now,
            parameter.choices,
            current,
            False,
            parameter.unit,
        )
    if not _is_number(parameter):
        raise SolveError(
            f"--by {path}: this is a name; only numbers, switches and choices can be searched"
        )
    least = -inf if parameter.min is None else parameter.min
    most = inf if parameter.max is None else parameter.max
    if given and not least <= given[0] <= given[1] <= most:
        low_text, high_text = _format_limit(least), _format_limit(most)
        raise SolveError(f"--by {written}: the game accepts values from {low_text} to {high_text}")
    low, high = given or _get_searched_range(parameter, now)
    values = _spread_values(
        path,
        low,
        high,
        now,
        parameter.type is int,
        parameter.step,
    )
    is_wider = least < min(values) or most > max(values)
    hard_limits = (least, most) if is_wider and not given else None
    return DesignVariable(
        path,
        now,
        values,
        current,
        False,
        parameter.unit,
        hard_limits,
    )


def _get_searched_range(parameter: Parameter, now: float) -> tuple[float, float]:
    """Return the plausible range, or from 0 to twice the present value if none is declared."""
    low, high = get_plausible_range(parameter)
    if parameter.range is None and now:
        return max(low, min(0, 2 * now)), min(high, max(0, 2 * now))
    return low, high


def _is_number(parameter: Parameter) -> bool:
    return not parameter.choices and parameter.type in (int, float)


def _format_limit(limit: float) -> str:
    return format_yaml_value(limit) if isfinite(limit) else "any number"


def _get_current_value(cell: Variant, change: Change) -> Any:
    item = ITEM.fullmatch(change.path)
    try:
        return get_value(cell.values, change.path)
    except IndexError:
        count = len(cell.values[item[1]]) if item else 0
        raise SolveError(f"--by {change.path}: there are {count} items, numbered from 0") from None


def _parse_range(written: str, range_text: str, example: str) -> tuple[float, float]:
    low_text, dots, high_text = range_text.partition("..")
    try:
        low, high = float(low_text), float(high_text)
    except ValueError:
        low, high = 1.0, 0.0
    if not dots or low >= high:
        raise SolveError(
            f"--by {written}: {range_text!r} is not a range; write for example {example}"
        )
    return low, high


def _check_signs(written: str, current: Sequence[tuple[str, Any]], moves_jointly: bool) -> None:
    """Refuse values where steps are needed, and steps where values are needed.

    Raises:
        SolveError: Numbers that move together have an end without a sign, or a single number has
            an end with a plus.
    """
    path, _, range_text = written.partition("=")
    ends = [end.strip() for end in range_text.split("..")]
    if not moves_jointly:
        if any(end.startswith("+") for end in ends):
            raise SolveError(
                f"--by {written}: a single number is searched over values, not over steps; its "
                f"value is {format_yaml_value(current[0][1])} now, so write for example {path}=2..9"
            )
        return
    if all(end[0] in "+-" or float(end) == 0 for end in ends):
        return
    values: list[Any] = []
    for _, value in current:
        values += value if isinstance(value, list) else [value]
    joined = ", ".join(format_yaml_value(value) for value in dict.fromkeys(values))
    raise SolveError(
        f"--by {written}: these numbers ({joined}) move together by steps, so {range_text} does "
        f"not say which values are meant; write steps with their signs, for example "
        f"{path}=-1..+2, or give each number a --by of its own"
    )


def _get_common_steps(
    parameters: Sequence[Parameter], current: Sequence[tuple[str, Any]]
) -> tuple[float, float]:
    """Return the largest steps down and up that all numbers can take together.

    Some number reaches the end of its plausible range, and none leaves its possible range.
    """
    plausible_down, plausible_up, possible_down, possible_up = inf, -inf, -inf, inf
    for parameter, (_, value) in zip(parameters, current, strict=True):
        low, high = get_plausible_range(parameter)
        for item in value if isinstance(value, list) else [value]:
            plausible_down = min(plausible_down, low - item)
            plausible_up = max(plausible_up, high - item)
            if parameter.min is not None:
                possible_down = max(possible_down, parameter.min - item)
            if parameter.max is not None:
                possible_up = min(possible_up, parameter.max - item)
    return max(plausible_down, possible_down), min(plausible_up, possible_up)


def _spread_values(
    path: str,
    low: float,
    high: float,
    now: Any,
    is_whole: bool,
    step: float | None = None,
) -> tuple[Any, ...]:
    """Return evenly spread values from `low` to `high`, all integers if not too many, and `now`.

    With a step, all values but `now` are multiples of it, so that they can be printed.

    Args:
        path: The path that the user wrote.
        low: The smallest value.
        high: The largest value.
        now: The current value.
        is_whole: Whether the values are integers.
        step: Distance of printable values, or None.

    Raises:
        SolveError: The limits are infinite, or no printable value lies between them.
    """
    if not (isfinite(low) and isfinite(high)):
        raise SolveError(f"--by {path}: no plausible range is known; write one, as in {path}=1..9")
    if step is not None:
        return _spread_multiples(path, low, high, now, step)
    count = min(MAX_INTEGERS, int(high - low) + 1) if is_whole else DECIMAL_VALUES
    values = {now}
    for value in np.linspace(low, high, max(count, 1)).tolist():
        values.add(round(value) if is_whole else float(f"{value:.6g}"))
    return tuple(sorted(values))


def _spread_multiples(
    path: str,
    low: float,
    high: float,
    now: Any,
    step: float,
) -> tuple[Any, ...]:
    """Return multiples of a step from `low` to `high`, all of them if not too many, and `now`."""
    first, last = ceil(low / step - ROUNDING), floor(high / step + ROUNDING)
    if first > last:
        raise SolveError(f"--by {path}: no multiple of its step, {step:g}, lies in the range")
    stride = ceil((last - first + 1) / MAX_INTEGERS)
    values = {now}
    for multiple in range(first, last + 1, stride):
        value = float(f"{multiple * step:.9g}")
        values.add(round(value) if isinstance(now, int) else value)
    return tuple(sorted(values))
