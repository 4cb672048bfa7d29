"""Plausible steps of a parameter: a tenth of its range up and down, or each other choice.

A list with declared alternatives, such as the faces of a die, steps to each of those instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

from hardmode.scenarios.parameter import Parameter

STEPS_PER_RANGE = 10  # of the plausible range, or of the value itself where no range is known


def list_step_values(parameter: Parameter, now: Any) -> list[Any]:
    """Return the values one plausible step away from the current one.

    A list steps to its declared alternatives. A list of numbers without any moves as a whole, and a
    list of names without any has no steps.

    Args:
        parameter: The parameter.
        now: Its current value.
    """
    if isinstance(now, list) and parameter.doubt:
        return [value for value in parameter.doubt if value != now]
    if parameter.choices:
        return [] if isinstance(now, list) else [c for c in parameter.choices if c != now]
    if parameter.type not in (int, float) or now == []:
        return []
    step = compute_step_size(parameter, now)
    values = (shift_value(parameter, now, -step), shift_value(parameter, now, step))
    return [value for value in values if value != now]


def generate_wider_values(
    parameter: Parameter,
    now: Any,
    value: Any,
) -> Iterator[Any]:
    """Yield values farther away than one step, as far as is plausible, the nearest first.

    Of a list, values follow in which only one item moves: all items together may cancel out.

    Args:
        parameter: The parameter.
        now: Its current value.
        value: The value one step away, which tells the direction.
    """
    if parameter.choices:
        return
    size = compute_step_size(parameter, now)
    step = size if _is_upward(now, value) else -size
    for multiple in range(2, STEPS_PER_RANGE + 1):
        yield shift_value(parameter, now, multiple * step)
    if not isinstance(now, list):
        return
    for multiple in range(1, STEPS_PER_RANGE + 1):
        for i, item in enumerate(now):
            yield [*now[:i], shift_value(parameter, item, multiple * step), *now[i + 1 :]]


def get_farthest_value(parameter: Parameter, now: Any, value: Any) -> Any:
    """Return the farthest plausible value in the direction of a step.

    A choice, which has no direction, stays as it is.
    """
    if parameter.choices:
        return value
    size = compute_step_size(parameter, now) * STEPS_PER_RANGE
    return shift_value(parameter, now, size if _is_upward(now, value) else -size)


def _is_upward(now: Any, value: Any) -> bool:
    """Return whether a value, or a list of values, is larger than the current one."""
    return bool(sum(value) > sum(now) if isinstance(now, list) else value > now)


def compute_step_size(parameter: Parameter, now: Any) -> float:
    """Return the size of one plausible step of a number or of a list of numbers.

    Args:
        parameter: The parameter, with its plausible range if one is known.
        now: Its current value.
    """
    if parameter.range:
        span = parameter.range[1] - parameter.range[0]
    else:
        items = now if isinstance(now, list) else [now]
        span = sum(map(abs, items)) / len(items)
    if parameter.step:
        return parameter.step * max(1, round(span / STEPS_PER_RANGE / parameter.step))
    if parameter.type is int:
        return max(1, round(span / STEPS_PER_RANGE))
    return span / STEPS_PER_RANGE or 1 / STEPS_PER_RANGE


def shift_value(
    parameter: Parameter,
    now: Any,
    step: float,
) -> Any:
    """Return a number, or each of a list, moved by `step` but not out of its plausible range.

    A value that lies outside its range already does not move further out.

    Args:
        parameter: The parameter.
        now: Its current value.
        step: How far to move, negative for down.
    """
    if isinstance(now, list):
        return [shift_value(parameter, item, step) for item in now]
    low, high = get_plausible_range(parameter)
    value = min(max(now + step, min(low, now)), max(high, now))
    return int(value) if parameter.type is int else float(f"{value:.9g}")


def get_plausible_range(parameter: Parameter) -> tuple[float, float]:
    """Return the smallest and the largest plausible and possible value, infinite if unknown."""
    low, high = parameter.range or (-inf, inf)
    return (
        max(low, -inf if parameter.min is None else parameter.min),
        min(high, inf if parameter.max is None else parameter.max),
    )
