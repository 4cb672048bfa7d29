"""Parameters of a variant that leave its filled box unchanged, and the fields the others change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hardmode.scenarios.dependencies import find_unmet_needs
from hardmode.scenarios.filling import BOX_ERRORS
from hardmode.scenarios.parameter import Parameter, explain_invalid_value
from hardmode.scenarios.variant import Variant
from hardmode.sim.contract import Game, Values
from hardmode.sim.records import blank, readable
from hardmode.studies.sensitivity.steps import generate_wider_values


def find_unused_parameters(variant: Variant) -> list[str]:
    """Return the paths of parameters none of whose other values changes the filled box.

    A parameter without any other value that the game accepts is not among them.
    """
    unused = []
    before = _fill(variant.game, variant.values)
    for path, parameter in variant.parameters.items():
        boxes = list(_generate_other_boxes(variant, parameter))
        if boxes and before is not None and all(np.array_equal(box, before) for box in boxes):
            unused.append(path)
    return unused


def find_effective_value(
    variant: Variant,
    parameter: Parameter,
    value: Any,
    box: np.ndarray,
) -> Any:
    """Return a step's value, or the nearest wider one if rounding leaves the filled box as it was.

    If no plausible value changes the filled box, the step is returned as it is.

    Args:
        variant: The variant.
        parameter: The parameter.
        value: Its value one step away.
        box: The filled box of the variant.
    """
    now = variant.values[parameter.path]
    before = np.asarray(box).view(np.ndarray).view(np.uint8)
    other = _fill(variant.game, {**variant.values, parameter.path: value})
    if other is None or not np.array_equal(other, before):
        return value
    if find_unmet_needs(parameter, variant.values):
        return value  # the game declares that no rule reads it here
    for wider in generate_wider_values(parameter, now, value):
        other = _fill(variant.game, {**variant.values, parameter.path: wider})
        if other is not None and not np.array_equal(other, before):
            return wider
    return value


def map_fields_to_parameters(variant: Variant) -> dict[str, list[Parameter]]:
    """Return for each field of the box record the parameters that change it.

    Fields of nested records are named `outer.inner`.
    """
    parameters: dict[str, list[Parameter]] = {}
    before = _fill(variant.game, variant.values)
    if before is None:
        return parameters
    for parameter in variant.parameters.values():
        for box in _generate_other_boxes(variant, parameter):
            if np.array_equal(box, before):
                continue
            for name in _list_changed_fields(variant.game.box, before, box):
                parameters.setdefault(name, []).append(parameter)
            break
    return parameters


def _generate_other_boxes(variant: Variant, parameter: Parameter) -> Iterator[np.ndarray]:
    """Yield the filled box for each other value of a parameter that the game accepts."""
    for value in generate_other_values(parameter, variant.values[parameter.path]):
        box = _fill(variant.game, {**variant.values, parameter.path: value})
        if box is not None:
            yield box


def _list_changed_fields(
    dtype: np.dtype,
    before: np.ndarray,
    after: np.ndarray,
) -> list[str]:
    """Return the names of the fields that differ between two boxes, given as bytes."""
    changed = []
    old, new = before.view(dtype).reshape(-1), after.view(dtype).reshape(-1)
    for name in dtype.names or ():
        inner_names = old[name].dtype.names
        for inner in inner_names or ():
            if not np.array_equal(old[name][inner], new[name][inner]):
                changed.append(f"{name}.{inner}")
        if not inner_names and not np.array_equal(old[name], new[name]):
            changed.append(name)
    return changed


def _fill(game: Game, values: dict[str, Any]) -> np.ndarray | None:
    """Return the bytes of the filled box, or None if the game rejects the values."""
    box = blank(game.box)
    try:
        game.fill(readable(box), Values(values))
    except BOX_ERRORS:
        return None
    return np.asarray(box).view(np.ndarray).view(np.uint8)


def generate_other_values(parameter: Parameter, value: Any) -> Iterator[Any]:
    """Yield other values that a parameter may have; of a list, each with one other item.

    Args:
        parameter: The parameter.
        value: Its current value.
    """
    if not isinstance(value, list):
        yield from _generate_other_items(parameter, value)
        return
    for i, item in enumerate(value):
        for other in _generate_other_items(parameter, item):
            yield [*value[:i], other, *value[i + 1 :]]


def _generate_other_items(parameter: Parameter, item: Any) -> Iterator[Any]:
    """Yield valid other values of the same type: choices, ends of the range, and near numbers."""
    candidates = list(parameter.choices)
    for end in (*(parameter.range or ()), parameter.min, parameter.max):
        if end is not None:
            candidates.append(parameter.type(end))
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        candidates += [item + 1, item - 1, 2 * item + 1]
    for other in dict.fromkeys(candidates):
        is_other = type(other) is type(item) and other != item
        if is_other and not explain_invalid_value(parameter, other):
            yield other
