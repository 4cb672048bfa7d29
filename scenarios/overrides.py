"""Changes to the parameters of a box, absolute or relative, validated against each parameter.

    3  true  hard  [1, 2]    the value itself
    =-1                      a negative value itself (a bare -1 is relative)
    +1  -2  +0.5             relative: added to the current value
    x1.5                     relative: a multiple of the current value (rounded if it is whole)

The sign and the number stand together, in quotes or not. A relative change to a list changes each
of its items. In a path, `*` stands for any one name:
`boss.*.hearts` changes the hearts of every boss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from hardmode.scenarios.parameter import TYPES, Parameter, explain_invalid_value, format_yaml_value
from hardmode.sim.files.text import NUMBER_PATTERN, shorten_value
from hardmode.sim.files.yaml_io.errors import (
    UNKNOWN_LOCATION,
    Location,
    ScenarioError,
    find_nearest_names,
)

RELATIVE = re.compile(rf"([-+x])({NUMBER_PATTERN})")
EXACT = re.compile(rf"=(-?{NUMBER_PATTERN})")
ITEM = re.compile(r"(.+)\[\s*(-?[0-9]{1,9})\s*\]")
MAX_NUMBER = 2**63
MAX_DIGITS_BEFORE_POINT, MAX_DIGITS_AFTER_POINT = 40, 400
ANY_NAME = "*"


@dataclass(frozen=True)
class Change:
    """One change of a parameter as it was written.

    Attributes:
        path: The parameter, or an item of it: `hero.life`, `die.odds[0]`.
        value: The value or relative change, as in a scenario file.
        place: The file and line that say so.
        written_path: The path as its author wrote it, if it differs.
    """

    path: str
    value: Any
    place: Location = UNKNOWN_LOCATION
    written_path: str = ""

    @property
    def is_relative(self) -> bool:
        """True for changes such as +1, -2 and x1.5."""
        return isinstance(self.value, str) and bool(RELATIVE.fullmatch(self.value))

    def make_error(self, message: str, close: Iterable[str] = ()) -> ScenarioError:
        """Return an error at the place of this change, with the nearest valid names."""
        return ScenarioError(self.place, self.written_path or self.path, message, close)


def resolve_change(
    change: Change, parameters: Mapping[str, Parameter]
) -> tuple[Parameter, int | None]:
    """Return the parameter that a change is for, and the index of the item or None."""
    item = ITEM.fullmatch(change.path)
    path = item[1] if item else change.path
    if path not in parameters:
        below = [known for known in parameters if known.startswith(path + ".")]
        if below:
            raise change.make_error("is a group of numbers, not one of them", below[:3])
        raise change.make_error("no such number", find_nearest_names(path, parameters))
    if item and not isinstance(parameters[path].value, list):
        raise change.make_error(f"is a single value; write {path}")
    return parameters[path], int(item[2]) if item else None


def expand_wildcards(
    changes: Iterable[Change], parameters: Mapping[str, Parameter]
) -> list[Change]:
    """Return the changes with each path with `*` replaced by all paths that it matches."""
    expanded: list[Change] = []
    for change in changes:
        expanded += _expand(change, parameters)
    return expanded


def _expand(change: Change, parameters: Mapping[str, Parameter]) -> list[Change]:
    if ANY_NAME not in change.path:
        return [change]
    item = ITEM.fullmatch(change.path)
    path = item[1] if item else change.path
    index = f"[{item[2]}]" if item else ""
    pattern = path.split(".")
    changes = []
    for known in parameters:
        if path_matches(known.split("."), pattern):
            full_path = known + index
            changes.append(replace(change, path=full_path, written_path=full_path))
    if not changes:
        candidates = _apply_wildcards(pattern, parameters)
        raise change.make_error("fits no number", find_nearest_names(path, candidates))
    return changes


def _apply_wildcards(pattern: Sequence[str], paths: Iterable[str]) -> set[str]:
    """Return the paths with as many names as the pattern, with `*` wherever the pattern has it."""
    patterns = set()
    for path in paths:
        names = path.split(".")
        if len(names) == len(pattern):
            pairs = zip(names, pattern, strict=True)
            patterns.add(".".join(p if p == ANY_NAME else name for name, p in pairs))
    return patterns


def path_matches(names: Sequence[str], pattern: Sequence[str]) -> bool:
    """Return whether the names of a path match a pattern, in which `*` is any one name."""
    if len(names) != len(pattern):
        return False
    pairs = zip(names, pattern, strict=True)
    return all(p in (name, ANY_NAME) for name, p in pairs)


def get_value(values: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path, or one item of a list: `get_value(values, "die.odds[0]")`."""
    item = ITEM.fullmatch(path)
    if not item:
        return values[path]
    items, index = values[item[1]], int(item[2])
    return items[index]


def apply_change(
    values: dict[str, Any], change: Change, parameters: Mapping[str, Parameter]
) -> Parameter:
    """Write one change into `values`; a relative one counts from the current value.

    Returns:
        The parameter that was changed.

    Raises:
        ScenarioError: There is no such parameter, or it cannot have this value.
    """
    parameter, index = resolve_change(change, parameters)
    path, current = parameter.path, values[parameter.path]
    if index is not None:
        if not 0 <= index < len(current):
            message = f"there is no item {index}: there are {len(current)}, numbered from 0"
            raise change.make_error(message)
        items = list(current)
        items[index] = _change_scalar(change, parameter, change.value, current[index])
        values[path] = items
    elif isinstance(parameter.value, list):
        values[path] = _change_list(change, parameter, current)
    else:
        values[path] = _change_scalar(change, parameter, change.value, current)
    return parameter


def _change_list(change: Change, parameter: Parameter, current: list[Any]) -> list[Any]:
    if change.is_relative and parameter.type in (int, float):
        return [_change_scalar(change, parameter, change.value, item) for item in current]
    if not isinstance(change.value, list):
        example = format_yaml_value(parameter.value)
        raise change.make_error(
            f"is {_describe_value(change.value)}; it must be a list, such as {example}"
        )
    return [_change_scalar(change, parameter, item, None) for item in change.value]


def _change_scalar(change: Change, parameter: Parameter, written: Any, current: Any) -> Any:
    resolved = _resolve_value(change, parameter, written, current)
    value = _check_type(change, parameter, resolved)
    problem = explain_invalid_value(parameter, value)
    if problem:
        names = [choice for choice in parameter.choices if isinstance(choice, str)]
        close = find_nearest_names(value, names) if isinstance(value, str) else ()
        raise change.make_error(problem, close)
    return value


def _resolve_value(change: Change, parameter: Parameter, written: Any, current: Any) -> Any:
    """Return the value that a written one stands for: `=-1`, `+1` and `x1.5` become numbers."""
    if not isinstance(written, str) or parameter.type is str:
        return written
    exact = EXACT.fullmatch(written)
    if exact:
        return _parse_number(change, exact[1])
    relative = RELATIVE.fullmatch(written)
    if not relative or parameter.type is bool:
        return written
    if current is None:
        number = "=" + written.lstrip("+x")
        raise change.make_error(
            f"{written} in a list has nothing to be relative to; write {number} for the number, "
            f"or change one item: {parameter.path}[0]: {written}"
        )
    sign, operand, base = relative[1], _parse_decimal(change, relative[2]), Decimal(str(current))
    if sign == "x":
        result = base * operand
    else:
        result = base + operand if sign == "+" else base - operand
    if parameter.type is float:
        return float(result)
    if sign == "x":
        result = result.to_integral_value(ROUND_HALF_UP)
    return int(result) if result == int(result) else float(result)


def _parse_number(change: Change, text: str) -> int | float:
    value = _parse_decimal(change, text)
    return int(value) if re.fullmatch(r"-?[0-9_]+", text) else float(value)


def _parse_decimal(change: Change, text: str) -> Decimal:
    """Return the exact number, refused before its digits could take long to write out."""
    try:
        value = Decimal(text.replace("_", ""))
    except ArithmeticError:
        raise change.make_error("is too large a number") from None
    if value and not -MAX_DIGITS_AFTER_POINT < value.adjusted() < MAX_DIGITS_BEFORE_POINT:
        size = "large" if value.adjusted() > 0 else "small"
        raise change.make_error(f"is too {size} a number")
    return value


def _check_type(change: Change, parameter: Parameter, value: Any) -> Any:
    wanted_type = parameter.type
    if wanted_type is float and type(value) is int:
        value = float(value)
    if wanted_type is str and type(value) is int and str(value) in parameter.choices:
        value = str(value)  # YAML reads a name such as 6 as a number
    if type(value) is not wanted_type:
        requirement = TYPES[wanted_type]
        if parameter.choices:
            requirement = f"one of {', '.join(map(format_yaml_value, parameter.choices))}"
        raise change.make_error(f"is {_describe_value(value)}; it must be {requirement}")
    if isinstance(value, (int, float)) and not abs(value) < MAX_NUMBER:
        raise change.make_error("is too large a number")
    return value


def _describe_value(value: Any) -> str:
    if value is None:
        return "empty"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, str):
        is_short_name = value.isidentifier() and len(value) < 60
        return value if is_short_name else f"the text {shorten_value(value)}"
    return format_yaml_value(value)
