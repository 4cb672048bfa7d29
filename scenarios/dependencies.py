"""Dependencies of a parameter: the values of other parameters without which it has no effect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from hardmode.scenarios.overrides import ANY_NAME, path_matches
from hardmode.scenarios.parameter import Need, Parameter, explain_invalid_value, format_yaml_value

SIBLING = "."  # begins a path that is relative to the parameter's own section
GREATER = "> "  # begins a wanted value that any greater number fulfils, as in "> 0"
LIMIT = re.compile(rf"{GREATER}-?[0-9]+(\.[0-9]+)?")


def find_unmet_needs(parameter: Parameter, values: Mapping[str, Any]) -> list[Need]:
    """Return the dependencies of a parameter that these values do not fulfil.

    A dependency on a list, or on several parameters (`*`), is fulfilled by any one item.
    """
    unmet = []
    for need in parameter.needs:
        if not _is_met(parameter, need, values):
            unmet.append(need)
    return unmet


def _is_met(parameter: Parameter, need: Need, values: Mapping[str, Any]) -> bool:
    path, wanted_values = need
    for other in expand_path(parameter, path, values):
        value = values[other]
        items = value if isinstance(value, list) else [value]
        for wanted in wanted_values:
            if any(_is_fulfilled_by(item, wanted) for item in items):
                return True
    return False


def _is_fulfilled_by(item: Any, wanted: Any) -> bool:
    is_limit = isinstance(wanted, str) and wanted.startswith(GREATER)
    if is_limit and isinstance(item, (int, float)):
        return item > float(wanted.removeprefix(GREATER))
    return bool(item == wanted)


def expand_path(parameter: Parameter, path: str, known: Iterable[str]) -> list[str]:
    """Return the paths that a path of a dependency stands for.

    Args:
        parameter: The dependent parameter; a path with a leading dot is in its section.
        path: A path, which may hold `*` for any name.
        known: All paths of the box.
    """
    if path.startswith(SIBLING):
        section = parameter.path.rpartition(".")[0]
        return [section + path]
    if ANY_NAME not in path:
        return [path]
    pattern = path.split(".")
    return [other for other in known if path_matches(other.split("."), pattern)]


def join_needs(needs: Iterable[Need]) -> str:
    """Return dependencies as one text: `setup.monster any or troll, and setup.starred any`."""
    return ", and ".join(format_needs(needs))


def format_needs(needs: Iterable[Need], *own_names: str) -> tuple[str, ...]:
    """Return each dependency as a text.

    Args:
        needs: The dependencies.
        own_names: Values that are the parameter's own name; they are written as `*`.
    """
    texts = []
    for path, wanted in needs:
        if path.startswith(SIBLING):
            texts.append(f"its {path[1:]} {_format_alternatives(wanted)}")
        else:
            texts.append(f"{path} {_format_alternatives(wanted, own_names)}")
    return tuple(texts)


def describe_needs(parameter: Parameter) -> str:
    """Return what a parameter needs in order to have an effect, or ""."""
    return format_needs_sentence(format_needs(parameter.needs))


def format_needs_sentence(needs: Iterable[str]) -> str:
    """Return `needs A, and B` for formatted dependencies A and B, or "" without any."""
    joined = ", and ".join(needs)
    return f"needs {joined}" if joined else ""


def _format_alternatives(wanted: Iterable[Any], own_names: Iterable[str] = ()) -> str:
    texts = []
    for value in wanted:
        texts.append(ANY_NAME if value in own_names else format_yaml_value(value))
    if len(texts) < 3:
        return " or ".join(texts)
    *first, last = texts
    return f"{', '.join(first)} or {last}"


def explain_impossible_need(parameter: Parameter, parameters: Mapping[str, Parameter]) -> str:
    """Return why a dependency of a parameter can never be fulfilled, or ""."""
    for path, wanted_values in parameter.needs:
        paths = expand_path(parameter, path, parameters)
        others = [parameters[other] for other in paths if other in parameters]
        if not others:
            return f"needs {path}, and there is no such number"
        for wanted in wanted_values:
            if not any(_is_possible(wanted, other) for other in others):
                return f"needs {path} {format_yaml_value(wanted)}, which it cannot be"
    return ""


def _is_possible(wanted: Any, other: Parameter) -> bool:
    if isinstance(wanted, str) and other.type in (int, float):
        return LIMIT.fullmatch(wanted) is not None
    if type(wanted) is not other.type:
        return False
    return explain_invalid_value(other, wanted) == ""
