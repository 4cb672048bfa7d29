"""Filled boxes: checks that a game accepts the values of a variant, with errors at their origin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any

from hardmode.scenarios.box import format_box_path
from hardmode.scenarios.overrides import Change
from hardmode.scenarios.parameter import Parameter
from hardmode.sim.contract import BadValue, FilledBox, Game, Values
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError
from hardmode.sim.records import blank, readable

# What the rules of a game raise for values that they cannot use, as a list of a wrong length.
BOX_ERRORS = (ArithmeticError, LookupError, TypeError, ValueError)


def fill_checked_box(
    game: Game,
    values: dict[str, Any],
    parameters: Mapping[str, Parameter],
    changes: Mapping[str, Change],
    place: Location,
) -> FilledBox:
    """Fill the box of a game and check that the game uses every value.

    Args:
        game: The game.
        values: All values of the box by path.
        parameters: The parameters that the last change of each path was made to.
        changes: The last change of each path.
        place: Where the scenario is, for errors that belong to no change.

    Raises:
        ScenarioError: The game refuses a value, at the place of the change that is to blame; or
            it does not read one.
    """
    reader = Values(values)
    try:
        box = game.fill_box(values, reader)
    except BOX_ERRORS as error:
        has_overlay = any(parameter.file for parameter in parameters.values())
        if not (changes or isinstance(error, BadValue) or has_overlay):
            raise  # the box as it is printed: the game itself is at fault
        raise _explain_refusal(game, error, values, parameters, changes, place) from error
    if reader.unread:
        path, *more = reader.unread
        message = "the game does not read this number"
        if more:
            message += f" (nor {len(more)} more)"
        raise ScenarioError(_locate_parameter(game, parameters.get(path)), path, message)
    return box


def _explain_refusal(
    game: Game,
    error: Exception,
    values: dict[str, Any],
    parameters: Mapping[str, Parameter],
    changes: Mapping[str, Change],
    place: Location,
) -> ScenarioError:
    """Return the game's message, on the path that it names or the change that it refuses."""
    culprit = _find_refused_change(game, values, parameters, changes)
    path = re.sub(r"\[\d+\]$", "", error.path) if isinstance(error, BadValue) else ""
    from_overlay = _find_nearest_parameter(path, [p for p in parameters.values() if p.file])
    if culprit:
        place = culprit.place
    elif from_overlay or not changes:
        place = _locate_parameter(game, from_overlay or parameters.get(path))
    if not isinstance(error, BadValue):
        path = ", ".join(changes) or "the box"
        if culprit:
            path = culprit.written_path or culprit.path
        return ScenarioError(place, path, f"the game cannot use this: {error}")
    if path in changes:
        return changes[path].make_error(error.message)
    return ScenarioError(place, error.path, error.message)


def _find_refused_change(
    game: Game,
    values: dict[str, Any],
    parameters: Mapping[str, Parameter],
    changes: Mapping[str, Change],
) -> Change | None:
    """Return the first change without which the game accepts the values, or None."""
    for path, change in changes.items():
        if _is_accepted(game, {**values, path: parameters[path].value}):
            return change
    return None


def _is_accepted(game: Game, values: dict[str, Any]) -> bool:
    try:
        game.fill(readable(blank(game.box)), Values(values))
    except BOX_ERRORS:
        return False
    return True


def _find_nearest_parameter(path: str, parameters: Iterable[Parameter]) -> Parameter | None:
    """Return the parameter whose path begins with the most names of another path, if any."""
    names = path.split(".")

    def count_common_names(parameter: Parameter) -> int:
        pairs = zip(parameter.path.split("."), names, strict=False)
        return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))

    return max(parameters, default=None, key=count_common_names)


def _locate_parameter(game: Game, parameter: Parameter | None) -> Location:
    if parameter is None:
        return Location(format_box_path(game.name))
    return Location(parameter.file or format_box_path(game.name), parameter.line)
