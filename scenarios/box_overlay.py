"""Box overlays: a user's own file of numbers, laid over the shipped box with its own provenance.

    game: woodlands
    .source: rulebook
    boss:
      wolf: {hearts: {value: 9, from: p. 12}}

It is written like a box. Its values and attributes replace those of the shipped box, whose types,
choices and limits stay. A section may be empty, as in a template that is not filled in yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hardmode.scenarios.box import find_box_folder, load_parameters
from hardmode.scenarios.custom_content import apply_added_content, extend_box
from hardmode.scenarios.overrides import Change, apply_change, resolve_change
from hardmode.scenarios.parameter import (
    SHIPPED_ONLY,
    TYPES,
    Parameter,
    explain_implausible_value,
    explain_invalid_parameter,
    format_yaml_value,
    iterate_entries,
    parse_attributes,
)
from hardmode.sim import contract
from hardmode.sim.files.paths import is_file, shorten_path
from hardmode.sim.files.yaml_io.errors import (
    UNKNOWN_LOCATION,
    Location,
    ScenarioError,
    find_similar_files,
)
from hardmode.sim.files.yaml_io.read import Document, read_yaml_file


@dataclass(frozen=True, eq=False)
class BoxOverlay:
    """A user's own box, and the box that it makes of the shipped one.

    Attributes:
        file: The file as messages and results name it.
        path: The file.
        changes: Its numbers as changes to the shipped box, by path.
        parameters: All parameters of the game with the overlay.
        added_content: Content that the shipped box does not have: path to the name of its model.
    """

    file: str
    path: Path
    changes: dict[str, Change]
    parameters: dict[str, Parameter]
    added_content: dict[str, str] = field(default_factory=dict)

    @property
    def description(self) -> str:
        """A note on the overlay: `with the box mine.yaml, 3 numbers`."""
        return f"with the box {self.summary}"

    @property
    def summary(self) -> str:
        """The file and the number of its numbers: `mine.yaml, 3 numbers`."""
        return format_overlay_summary(self.file, len(self.changes), len(self.added_content))


def format_overlay_summary(file: str, numbers: int, added: int = 0) -> str:
    """Return the file of an overlay and how much it holds.

    Args:
        file: The name of the file.
        numbers: The number of numbers that it changes.
        added: The number of bosses, heroes and the like that it adds.
    """
    plural = "" if numbers == 1 else "s"
    summary = f"{file}, {numbers} number{plural}"
    return f"{summary} and {added} of its own" if added else summary


def load_overlay(path: Path, game: str, named_at: Location) -> BoxOverlay:
    """Read a user's own box and lay it over the shipped box of a game.

    Args:
        path: The file of the overlay.
        game: The game that is played.
        named_at: Where the file was named, for errors.

    Raises:
        ScenarioError: There is no such file, it is for another game, or a number is invalid.
    """
    if not is_file(path):
        message = f"no such file {shorten_path(path)}"
        raise ScenarioError(named_at, "box", message, find_similar_files(path))
    document = read_yaml_file(path, signed_numbers=True)
    _check_game(document, game)
    sections = dict(document.data)
    del sections["game"]
    content = contract.load_game(game).content
    shipped = load_parameters(game)
    data, extended = extend_box(document, sections, shipped, content)
    parameters = dict(extended.parameters)
    changes = {}
    for change, parameter in _iterate_changes(document, data, extended.parameters):
        changes[change.path] = change
        parameters[change.path] = parameter
    return BoxOverlay(document.file, path, changes, parameters, extended.added_content)


def create_content_overlay(
    game: str, added: Mapping[str, str], numbers: Iterable[str]
) -> BoxOverlay:
    """Return an overlay without a file that adds the content which a result names.

    Args:
        game: The game.
        added: The added content: path to the name of its model.
        numbers: The paths of all numbers that the result changes.
    """
    content = contract.load_game(game).content
    extended = apply_added_content(
        load_parameters(game), added, content, list(numbers), UNKNOWN_LOCATION
    )
    return BoxOverlay("", Path(), {}, extended.parameters, extended.added_content)


def _check_game(document: Document, game: str) -> None:
    data = document.data
    if not isinstance(data, dict):
        message = "a box of your own names its `game`, and then numbers as in a box"
        raise ScenarioError(document.locate(), "", message)
    if "game" not in data:
        message = f"is missing; a box of your own begins with `game: {game}`"
        raise ScenarioError(Location(document.file), "game", message)
    if data["game"] != game:
        place = document.locate("game")
        find_box_folder(str(data["game"]), place)
        message = f"is a box for {data['game']}, but the game that is played is {game}"
        raise ScenarioError(place, "game", message)


def _iterate_changes(
    document: Document, data: dict[str, Any], known: dict[str, Parameter]
) -> Iterator[tuple[Change, Parameter]]:
    """Yield each number of an overlay as a change, with the parameter that it makes."""
    values = {path: parameter.value for path, parameter in known.items()}
    for where, written in iterate_entries(document, data):
        value = written["value"]
        change = Change(".".join(where), value, document.locate(*where))
        prefix = change.path + "."
        if value is None and any(path.startswith(prefix) for path in known):
            continue  # an empty section
        for name in SHIPPED_ONLY:
            if name in written:
                place = document.locate(*where, name)
                message = "can be set in the shipped box only, and holds for every other"
                raise ScenarioError(place, f"{change.path}.{name}", message)
        parameter, _ = resolve_change(change, known)
        _refuse_relative_values(change, parameter)
        apply_change(values, change, known)
        yield change, _override_parameter(change, parameter, written, values[parameter.path])


def _refuse_relative_values(change: Change, parameter: Parameter) -> None:
    items = change.value if isinstance(change.value, list) else [change.value]
    for item in items:
        if isinstance(item, str) and parameter.type in (int, float):
            raise change.make_error(
                f"is {format_yaml_value(item)}; it must be {TYPES[parameter.type]}: "
                "a box holds no changes"
            )


def _override_parameter(
    change: Change, parameter: Parameter, written: dict[str, Any], value: Any
) -> Parameter:
    """Return a parameter with the value and attributes that an overlay gives it.

    If the overlay knows the value, what was plausible while it was assumed no longer applies.
    """
    if written.get("source") != "assumed":
        items = value if isinstance(value, list) else [value]
        is_implausible = any(explain_implausible_value(parameter, item) for item in items)
        was_assumed = parameter.is_assumed
        if was_assumed or is_implausible:
            parameter = replace(parameter, range=None, doubt=())
        if was_assumed:
            parameter = replace(parameter, note="")
    if written.get("source") != "assumed" or value != parameter.value:
        # What was known of the alternatives to the shipped value says nothing of those to this one.
        parameter = replace(parameter, prior_correct=None, prior_reason="", weights=())
    parameter = replace(
        parameter,
        value=value,
        line=change.place.line or 0,
        file=change.place.file,
        **parse_attributes(written),
    )
    problem = explain_invalid_parameter(parameter)
    if problem:
        raise change.make_error(problem)
    return parameter
