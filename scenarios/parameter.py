"""Parameters: the numbers, names and switches of a box, with their provenance, read from YAML.

In a box file, a mapping with the key `value` is a parameter, and so is a plain scalar or a list.
A key with a leading dot is an attribute that everything below it inherits. `from` belongs to its
`source`: where a source is given anew, the inherited `from` no longer holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from hardmode.sim.files.yaml_io.errors import ScenarioError, find_nearest_names
from hardmode.sim.files.yaml_io.read import Document

SOURCES = ("rulebook", "public", "assumed")
SHAPES = ("triangle", "even")
PRIORS = ("triangle", "uniform")
ASSUMPTION, HOUSE_RULE, MODEL, VARIANT = "assumption", "house_rule", "model", "variant"
ROLES = (ASSUMPTION, HOUSE_RULE, MODEL, VARIANT)
SETUP = "setup."  # where every game keeps the choices that are made before it begins
SWITCHES = "switches."  # where every game keeps the readings of its rules
NAME = re.compile(r"[^\s.\[\]=*]+")
TYPES = {bool: "true or false", int: "a whole number", float: "a number", str: "a name"}

Scalar = bool | int | float | str
Need = tuple[str, tuple[Any, ...]]  # another parameter, and the values that it must have


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str))


def _is_text(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def _is_range(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(map(_is_number, value)) and value[0] <= value[1]


def _is_scalar_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_scalar, value))


def _is_scalar_or_list(value: Any) -> bool:
    return _is_scalar(value) or _is_scalar_list(value)


def _is_value_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_scalar_or_list, value))


def _is_needs(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_scalar_or_list, value.values()))


def _is_step(value: Any) -> bool:
    return bool(_is_number(value) and value > 0)


def _is_needs_by_name(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_needs, value.values()))


def _is_odds(value: Any) -> bool:
    if not isinstance(value, list) or not all(map(_is_number, value)):
        return False
    return all(one >= 0 for one in value) and sum(value) > 0


def _is_probability(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= 1


# The attributes of a parameter: how each is validated, and what it must be in words.
ATTRIBUTES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "source": (lambda value: value in SOURCES, f"one of {', '.join(SOURCES)}"),
    "from": (_is_text, "a text"),
    "range": (_is_range, "[low, high]"),
    "doubt": (_is_value_list, "a list of values to try"),
    "choices": (_is_scalar_list, "a list of values"),
    "odds": (_is_odds, "a list of numbers, none below zero and not all zero"),
    "shape": (lambda value: value in SHAPES, f"one of {', '.join(SHAPES)}"),
    "prior": (lambda value: value in PRIORS, f"one of {', '.join(PRIORS)}"),
    "prior_correct": (_is_probability, "a probability from 0 to 1"),
    "prior_reason": (_is_text, "a text"),
    "weights": (_is_odds, "a list of numbers, none below zero and not all zero"),
    "role": (lambda value: value in ROLES, f"one of {', '.join(ROLES)}"),
    "min": (_is_number, "a number"),
    "max": (_is_number, "a number"),
    "step": (_is_step, "a number above zero"),
    "unit": (_is_text, "a text"),
    "note": (_is_text, "a text"),
    "needs": (_is_needs, "a mapping of other numbers to a value, or to a list of values"),
    "needs_of": (_is_needs_by_name, "a mapping of names of numbers below to what these need"),
}
SECTION_ONLY = ("needs_of",)  # attributes that stand above parameters, never on one
# Attributes of what the game can bear: only the shipped box may set them.
SHIPPED_ONLY = ("choices", "min", "max", "needs", "needs_of")


@dataclass(frozen=True)
class Parameter:
    """One number, name or switch of a box."""

    path: str
    value: Scalar | list[Scalar]
    source: str
    from_: str = ""
    range: tuple[float, float] | None = None  # plausible values, for sensitivity analyses
    choices: tuple[Scalar, ...] = ()
    min: float | None = None  # the least that the game can bear
    max: float | None = None  # the most that the game can bear
    unit: str = ""
    note: str = ""
    line: int = 0
    doubt: tuple[Scalar | list[Scalar], ...] = ()  # plausible values that every report tries
    odds: tuple[float, ...] = ()  # the weight of each reading, in the order of `readings`
    shape: str = ""  # older name of `prior`: "even" means "uniform"
    prior: str = ""  # "uniform", or a triangle over the range with its peak at the value
    prior_correct: float | None = None  # probability that the value is right
    prior_reason: str = ""  # why `prior_correct` or `weights` are as they are
    weights: tuple[float, ...] = ()  # of the alternatives, in the order of `alternatives`
    role: str = ""  # empty for an assumption; anything else in ROLES is no doubt about the rules
    needs: tuple[Need, ...] = ()  # the parameter has an effect only where these hold
    step: float | None = None  # printable values lie this far apart, as 50 in 400, 450, 500
    file: str = ""  # the box overlay that sets it; empty for the shipped box

    @property
    def type(self) -> type:
        """The type of the value, or of the items of a list."""
        if not isinstance(self.value, list):
            return type(self.value)
        types = {type(item) for item in self.value or self.choices}
        if types == {int, float}:
            return float
        return types.pop() if types else str

    @property
    def items(self) -> list[Scalar]:
        """The value as a list."""
        return self.value if isinstance(self.value, list) else [self.value]

    @property
    def readings(self) -> list[Scalar | list[Scalar]]:
        """The plausible values where they can be counted: the doubted values or the choices."""
        if self.doubt:
            others = [value for value in self.doubt if value != self.value]
            return [self.value, *others]
        if isinstance(self.value, list):
            return []
        if self.type is bool:
            return [True, False]
        return list(self.choices)

    @property
    def alternatives(self) -> list[Scalar | list[Scalar]]:
        """The readings other than the value, in their order."""
        return [reading for reading in self.readings if reading != self.value]

    @property
    def is_setup_choice(self) -> bool:
        """True if it is chosen when the game is set up."""
        return self.path.startswith(SETUP)

    @property
    def is_switch(self) -> bool:
        """True if it is a switch: how an unclear rule is read, or a variant of a rule."""
        return self.path.startswith(SWITCHES)

    @property
    def is_reading(self) -> bool:
        """True if it is a reading of a rule: a switch, or a name or yes/no with alternatives.

        Numbers and lists elsewhere are components, whose value is not known.
        """
        if not self.readings or isinstance(self.value, list):
            return False
        return self.is_switch or self.type in (bool, str)

    @property
    def is_doubtful(self) -> bool:
        """True if its value could be wrong: assumed, and no house rule, model or variant."""
        return self.is_assumed and self.role in ("", ASSUMPTION)

    @property
    def is_uniform(self) -> bool:
        """True if all values of its range are equally likely."""
        return self.prior == "uniform" or self.shape == "even"

    @property
    def is_assumed(self) -> bool:
        """True if the value is an assumption, neither printed nor published."""
        return self.source == "assumed"


def parse_box(document: Document) -> dict[str, Parameter]:
    """Return the valid parameters of a box by path, in the order of the file.

    Raises:
        ScenarioError: The document is no box, or a parameter of it is invalid.
    """
    if not isinstance(document.data, dict) or not document.data:
        problem = "empty" if document.data in (None, {}) else "something else"
        message = f"a box is a mapping of names to numbers; this is {problem}"
        raise ScenarioError(document.locate(), "", message)
    parameters: dict[str, Parameter] = {}
    for where, attributes in iterate_entries(document, document.data):
        parameter = _create_parameter(document, where, attributes)
        parameters[parameter.path] = parameter
    if not parameters:
        message = "a box is a mapping of names to numbers; this has no number"
        raise ScenarioError(document.locate(), "", message)
    return parameters


def iterate_entries(
    document: Document,
    section: dict[str, Any],
    where: tuple[str, ...] = (),
    inherited: dict[str, Any] | None = None,
) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Yield the keys that lead to each parameter, and its value and attributes.

    Args:
        document: The file, for the places of errors.
        section: The mapping to walk through.
        where: The keys that lead to this section.
        inherited: Attributes set above this section.
    """
    inherited = _merge_section_attributes(document, section, where, inherited or {})
    for key, value in section.items():
        if key.startswith("."):
            continue
        here = (*where, key)
        if not NAME.fullmatch(key):
            message = "a name of the box holds no blank, dot, bracket, star or ="
            raise _make_error(document, here, message)
        if isinstance(value, dict) and "value" not in value:
            if not value:
                raise _make_error(document, here, "is empty")
            yield from iterate_entries(document, value, here, inherited)
        else:
            yield here, _merge_attributes(document, here, value, inherited)


def _merge_section_attributes(
    document: Document, section: dict[str, Any], where: tuple[str, ...], inherited: dict[str, Any]
) -> dict[str, Any]:
    own = {}
    for key, value in section.items():
        if key.startswith("."):
            _check_attribute(document, (*where, key), value, ".")
            own[key.removeprefix(".")] = value
    return _override(inherited, own)


def _merge_attributes(
    document: Document, where: tuple[str, ...], written: Any, inherited: dict[str, Any]
) -> dict[str, Any]:
    own = written if isinstance(written, dict) else {"value": written}
    for name, value in own.items():
        if name != "value":
            _check_attribute(document, (*where, name), value)
    needs = inherited.get("needs_of", {}).get(where[-1])
    if needs:
        inherited = _override(inherited, {"needs": needs})
    return _override(inherited, own)


def _override(inherited: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return the inherited attributes overridden by own ones; needs of both add up."""
    merged = {**inherited, **own}
    if "source" in own and "from" not in own:
        merged.pop("from", None)
    needs = {**inherited.get("needs", {}), **own.get("needs", {})}
    if needs:
        merged["needs"] = needs
    return merged


def _check_attribute(document: Document, where: tuple[str, ...], value: Any, dot: str = "") -> None:
    """Refuse an unknown or invalid attribute of a parameter, or of a section if `dot` is "."."""
    name = where[-1].removeprefix(dot)
    if name in SECTION_ONLY and not dot:
        raise _make_error(document, where, f"stands above the numbers, as .{name}")
    if name not in ATTRIBUTES:
        allowed = [known for known in ATTRIBUTES if dot or known not in SECTION_ONLY]
        close = [dot + known for known in find_nearest_names(name, allowed)]
        message = "no such attribute"
        if not close:
            message += f" (there are {', '.join(allowed)})"
        raise _make_error(document, where, message, close)
    is_valid, requirement = ATTRIBUTES[name]
    if not is_valid(value):
        close = []
        if name == "source":
            close = find_nearest_names(str(value), SOURCES)
        raise _make_error(document, where, f"must be {requirement}", close)


def _create_parameter(
    document: Document, where: tuple[str, ...], attributes: dict[str, Any]
) -> Parameter:
    parameter = Parameter(
        ".".join(where),
        attributes["value"],
        line=document.locate(*where).line or 0,
        **parse_attributes(attributes),
    )
    problem = explain_invalid_parameter(parameter)
    if problem:
        raise _make_error(document, where, problem)
    return _normalize(parameter)


def parse_attributes(written: dict[str, Any]) -> dict[str, Any]:
    """Return the given attributes as fields of `Parameter`, always with `source` and `from_`."""
    fields = {"source": written.get("source", ""), "from_": str(written.get("from", ""))}
    for name, value in written.items():
        if name in ("min", "max", "step", "prior_correct"):
            fields[name] = value
        elif name in ("range", "choices", "doubt", "odds", "weights"):
            fields[name] = tuple(value)
        elif name in ("unit", "note", "shape", "prior", "prior_reason", "role"):
            fields[name] = str(value)
        elif name == "needs":
            fields[name] = tuple((path, _to_tuple(wanted)) for path, wanted in value.items())
    return fields


def _to_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def explain_invalid_parameter(parameter: Parameter) -> str:
    """Return the first fault of a parameter in words, or "" if it is valid."""
    if parameter.value is None:
        return "has no value"
    if not all(map(_is_scalar, parameter.items)):
        return "must be true or false, a number, a name, or a list of those"
    if not parameter.source:
        return f"has no source ({', '.join(SOURCES)}), nor does anything above it"
    is_bool = parameter.type is bool
    has_reason = parameter.range or parameter.choices or parameter.note or is_bool
    if parameter.is_assumed and not has_reason:
        return "is assumed, so it needs a range, choices or a note with the reason"
    types = (int, float) if parameter.type is float else (parameter.type,)
    if any(type(item) not in types for item in parameter.items):
        return "holds values of several types"
    if parameter.step and parameter.type is int and parameter.step != int(parameter.step):
        return f"has a step of {parameter.step:g}, and its value is {TYPES[int]}"
    if parameter.odds and len(parameter.odds) != len(parameter.readings):
        return f"has {len(parameter.odds)} odds for {len(parameter.readings)} readings"
    problem = _explain_invalid_prior(parameter)
    if problem:
        return problem
    if not is_bool and any(type(choice) not in types for choice in parameter.choices):
        return f"has choices of another type than its value, which is {TYPES[parameter.type]}"
    tried = [item for one in parameter.doubt for item in _to_tuple(one)]
    if any(type(item) not in types for item in tried):
        own_type = TYPES[parameter.type]
        return f"is tried with values of another type than its own, which is {own_type}"
    for item in [*parameter.items, *tried]:
        problem = explain_invalid_value(parameter, item)
        problem = problem or explain_implausible_value(parameter, item)
        if problem:
            return problem
    return ""


def _explain_invalid_prior(parameter: Parameter) -> str:
    """Return the first fault of what a parameter says about its alternatives, or ""."""
    count = len(parameter.alternatives)
    has_prior = parameter.prior_correct is not None or bool(parameter.weights)
    if has_prior and parameter.odds:
        return "has odds, which say all that prior_correct and weights say; give only one of them"
    if parameter.prior and parameter.shape:
        return "has prior and shape, which is its older name; give only one of them"
    if parameter.weights and len(parameter.weights) != count:
        return f"has {len(parameter.weights)} weights for {count} alternatives"
    if has_prior and not parameter.prior_reason:
        return "has prior_correct or weights, so it needs a prior_reason"
    return ""


def _normalize(parameter: Parameter) -> Parameter:
    if parameter.type is bool:
        return replace(parameter, choices=(True, False))
    if parameter.type is float and isinstance(parameter.value, list):
        return replace(parameter, value=[float(item) for item in parameter.value])
    return parameter


def explain_invalid_value(parameter: Parameter, item: Any) -> str:
    """Return why the parameter cannot have this value (of its own type), or ""."""
    value = format_yaml_value(item)
    if parameter.choices and item not in parameter.choices:
        choices = ", ".join(map(format_yaml_value, parameter.choices))
        return f"is {value}; it must be one of {choices}"
    if not _is_number(item):
        return ""
    low, high = parameter.min, parameter.max
    if low is not None and item < low:
        return f"is {value}, less than the least possible, {format_yaml_value(low)}"
    if high is not None and item > high:
        return f"is {value}, more than the most possible, {format_yaml_value(high)}"
    return ""


def explain_implausible_value(parameter: Parameter, item: Any) -> str:
    """Return how a value lies outside the plausible range of the parameter, or ""."""
    if not parameter.range or not _is_number(item):
        return ""
    low, high = parameter.range
    if low <= item <= high:
        return ""
    ends = f"{format_yaml_value(low)} to {format_yaml_value(high)}"
    return f"is {format_yaml_value(item)}, outside its plausible range {ends}"


def format_yaml_value(value: Any) -> str:
    """Return a value as one would write it in YAML.

    Example:
        >>> format_yaml_value([True, 2, "snake"])
        '[true, 2, snake]'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(format_yaml_value, value))}]"
    return str(value)


def _make_error(
    document: Document, where: tuple[str, ...], message: str, close: Iterable[str] = ()
) -> ScenarioError:
    return ScenarioError(document.locate(*where), ".".join(where), message, close)
