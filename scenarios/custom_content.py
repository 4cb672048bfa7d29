"""Custom content: bosses, heroes, cards and the like that an overlay adds to a box or replaces.

    boss:
      hydra: {.like: snake_matriarch, hearts: 9}          # one more, else as the snake
      frog: {.instead: spore_titan, shield: 5}            # in the place of another

A game declares which sections of its box can grow, and how far (`Game.content`): its rules read
their entries by name, in the order of the box.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from hardmode.scenarios.parameter import NAME, Need, Parameter, Scalar
from hardmode.sim.contract import Content
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError, find_nearest_names
from hardmode.sim.files.yaml_io.read import Document

LIKE, INSTEAD = ".like", ".instead"
CONTENT_KEYS = (LIKE, INSTEAD)
MAX_NAME_BYTES = 24  # the length of names in the records of every game

KeyPath = tuple[str, ...]


@dataclass
class ExtendedBox:
    """The parameters of a box with custom content.

    Attributes:
        parameters: All parameters by path, in the order of the box.
        added_content: The path of each new entry with `.like` or `.instead`, and its model.
    """

    parameters: dict[str, Parameter]
    added_content: dict[str, str] = field(default_factory=dict)

    def list_entries(self, section: str) -> list[str]:
        """Return the names of the entries of a section, in the order of the box."""
        prefix = section + "."
        names: dict[str, None] = {}
        for path in self.parameters:
            if path.startswith(prefix):
                names[path[len(prefix) :].split(".")[0]] = None
        return list(names)

    def add_entry(
        self, section: str, name: str, key: str, model: str, content: Content, place: Location
    ) -> None:
        """Add an entry that is made like another or takes its place.

        Args:
            section: The path of the section.
            name: The name of the new entry.
            key: `.like` or `.instead`.
            model: The name of the other entry.
            content: The game's declaration of the section.
            place: Where the entry is written, for errors.

        Raises:
            ScenarioError: There is no such model, the name is not possible, or there are too many.
        """
        path, names = f"{section}.{name}", self.list_entries(section)
        if model not in names:
            close = find_nearest_names(model, names)
            raise ScenarioError(place, path + key, f"there is no {section}.{model}", close)
        self._check_name(path, name, names, content, place)
        replaces_model = key == INSTEAD
        if len(names) >= content.most and not replaces_model:
            message = (
                f"is one too many: {section} can have {content.most} entries; "
                f"`{INSTEAD}: NAME` puts it in the place of another"
            )
            raise ScenarioError(place, path, message)
        self._copy_entry(section, name, model, replaces_model, content, place)
        replaced = content.called(model) if replaces_model else ""
        for other in content.named_by:
            parameter = self.parameters[other]
            self.parameters[other] = _update_choices(parameter, content.called(name), replaced)
        self.added_content[path + key] = model

    def _check_name(
        self, path: str, name: str, names: list[str], content: Content, place: Location
    ) -> None:
        has_letter = any(map(str.isalpha, name))
        if not (NAME.fullmatch(name) and has_letter and len(name.encode()) <= MAX_NAME_BYTES):
            message = (
                f"is no name: it takes a letter or more, {MAX_NAME_BYTES} at most, and no blank, "
                "dot, bracket, star or ="
            )
            raise ScenarioError(place, path, message)
        entry_choices = {content.called(entry) for entry in names}
        for other in content.named_by:
            reserved = set(self.parameters[other].choices) - entry_choices
            if content.called(name) in reserved:
                message = f"cannot be called {name}, which means something else in {other}"
                raise ScenarioError(place, path, message)

    def _copy_entry(
        self,
        section: str,
        name: str,
        model: str,
        replaces_model: bool,
        content: Content,
        place: Location,
    ) -> None:
        """Copy the parameters of an entry: to the end of its section, or in its own place."""
        old_prefix, new_prefix = f"{section}.{model}.", f"{section}.{name}."
        copies: dict[str, Parameter] = {}
        for path, parameter in self.parameters.items():
            if path.startswith(old_prefix):
                new_path = path.replace(old_prefix, new_prefix, 1)
                copies[new_path] = _move_parameter(parameter, new_path, model, name, content, place)
        last_prefix = old_prefix if replaces_model else section + "."
        last = [path for path in self.parameters if path.startswith(last_prefix)][-1]
        parameters: dict[str, Parameter] = {}
        for path, parameter in self.parameters.items():
            if not (replaces_model and path.startswith(old_prefix)):
                parameters[path] = parameter
            if path == last:
                parameters |= copies
        self.parameters = parameters

    def copy_parameter(
        self, section: str, name: str, rest: str, content: Content, place: Location
    ) -> None:
        """Give an entry a parameter that it lacks and another entry has, if there is one.

        Args:
            section: The path of the section.
            name: The name of the entry.
            rest: The path of the parameter below the entry.
            content: The game's declaration of the section.
            place: Where the parameter is written.
        """
        new_path, prefix = f"{section}.{name}.{rest}", section + "."
        if new_path in self.parameters:
            return
        for path, parameter in self.parameters.items():
            owner, _, below = path.removeprefix(prefix).partition(".")
            if path.startswith(prefix) and below == rest:
                copy = _move_parameter(parameter, new_path, owner, name, content, place)
                self.parameters[new_path] = copy
                return


def _move_parameter(
    parameter: Parameter, path: str, old: str, new: str, content: Content, place: Location
) -> Parameter:
    """Return a parameter as one of the entry `new` instead of `old`."""
    renamed = {old: new, content.called(old): content.called(new)}
    needs: list[Need] = []
    for other, wanted in parameter.needs:
        values = [renamed.get(value, value) for value in wanted]
        needs.append((other, tuple(values)))
    line = place.line or 0
    return replace(parameter, path=path, file=place.file, line=line, needs=tuple(needs))


def _update_choices(parameter: Parameter, name: str, replaced: str) -> Parameter:
    """Return a choice among the names of entries with a new one, maybe in place of another."""
    if not replaced:
        if name in parameter.choices:
            return parameter
        return replace(parameter, choices=(*parameter.choices, name))
    renamed: dict[Scalar, Scalar] = {replaced: name}
    choices = [renamed.get(choice, choice) for choice in parameter.choices]
    items = [renamed.get(item, item) for item in parameter.items]
    value = items if isinstance(parameter.value, list) else items[0]
    return replace(parameter, choices=tuple(choices), value=value)


def extend_box(
    document: Document,
    data: Mapping[str, Any],
    known: Mapping[str, Parameter],
    content: Mapping[str, Content],
) -> tuple[dict[str, Any], ExtendedBox]:
    """Add the custom content of an overlay to a box.

    Args:
        document: The file of the overlay, for the places of errors.
        data: Its sections.
        known: The parameters of the shipped box.
        content: The sections that can grow, by patterns of their paths.

    Returns:
        The sections without the keys that add entries, and the box with the new entries.
    """
    reader = _ContentReader(document, content, ExtendedBox(dict(known)))
    return reader.read_section(data, ()), reader.box


@dataclass
class _ContentReader:
    """Adds the new entries of an overlay to a box while it walks through its sections."""

    document: Document
    content: Mapping[str, Content]
    box: ExtendedBox

    def read_section(self, data: Mapping[str, Any], where: KeyPath) -> dict[str, Any]:
        """Return a section without the keys that add entries."""
        section = ".".join(where)
        content = _find_content(section, self.content)
        remaining: dict[str, Any] = {}
        for key, value in data.items():
            here = (*where, key)
            if not content:
                self._refuse_content_keys(value, here)
            elif not key.startswith("."):
                is_new = key not in self.box.list_entries(section)
                if isinstance(value, Mapping) or is_new:
                    value = self._read_entry(value, here, content)
                    if not value:
                        continue
            is_section = isinstance(value, Mapping) and "value" not in value
            rest = self.read_section(value, here) if is_section else value
            if rest != {} or value == {}:  # drop sections that held only new entries
                remaining[key] = rest
        return remaining

    def _refuse_content_keys(self, value: Any, where: KeyPath) -> None:
        if not isinstance(value, Mapping):
            return
        if not any(key in value for key in CONTENT_KEYS):
            return
        sections = ", ".join(self.content) or "no part of this box"
        message = f"can be neither added nor put in the place of another: that goes for {sections}"
        raise ScenarioError(self.document.locate(*where), ".".join(where), message)

    def _read_entry(self, value: Any, where: KeyPath, content: Content) -> dict[str, Any]:
        """Add an entry of a section that can grow, if it is new; return its own values."""
        section, name = ".".join(where[:-1]), where[-1]
        path = f"{section}.{name}"
        place = self.document.locate(*where)
        keys = [key for key in CONTENT_KEYS if isinstance(value, Mapping) and key in value]
        names = self.box.list_entries(section)
        if name in names:
            if keys:
                place = self.document.locate(*where, keys[0])
                raise ScenarioError(place, path, "is in the box already")
        else:
            if len(keys) > 1:
                message = f"says both `{LIKE}` and `{INSTEAD}`; it is one or the other"
                raise ScenarioError(place, path, message)
            if not keys:
                message = (
                    f"is not in the box; a new one says `{LIKE}: NAME` to be made like another, "
                    f"or `{INSTEAD}: NAME` to take its place"
                )
                raise ScenarioError(place, path, message, find_nearest_names(name, names))
            self.box.add_entry(section, name, keys[0], str(value[keys[0]]), content, place)
        own = {key: item for key, item in value.items() if key not in CONTENT_KEYS}
        for number in _iterate_numbers(own, path, self.content):
            rest = number.removeprefix(f"{path}.")
            self.box.copy_parameter(section, name, rest, content, place)
        return own


def _iterate_numbers(
    entry: Mapping[str, Any], path: str, content: Mapping[str, Content]
) -> Iterator[str]:
    """Yield the paths of the numbers of an entry, without those of entries of its own."""
    for key, value in entry.items():
        here = f"{path}.{key}"
        if key.startswith(".") or _find_content(here, content):
            continue
        if isinstance(value, Mapping) and "value" not in value:
            yield from _iterate_numbers(value, here, content)
        else:
            yield here


def _find_content(section: str, content: Mapping[str, Content]) -> Content | None:
    """Return the game's declaration of a section that can grow, or None."""
    for pattern, declaration in content.items():
        if pattern.count(".") == section.count(".") and fnmatchcase(section, pattern):
            return declaration
    return None


def apply_added_content(
    known: Mapping[str, Parameter],
    added: Mapping[str, str],
    content: Mapping[str, Content],
    numbers: Iterable[str],
    place: Location,
) -> ExtendedBox:
    """Return a box with the content that a result says was added to it.

    Args:
        known: The parameters of the shipped box.
        added: The added content, such as `boss.hydra.like: snake_matriarch`.
        content: The sections that can grow, by patterns of their paths.
        numbers: The paths of all numbers that the result changes.
        place: The place of errors.
    """
    box = ExtendedBox(dict(known))
    for path, model in added.items():
        entry, _, key = path.rpartition(".")
        section, _, name = entry.rpartition(".")
        declaration = _find_content(section, content)
        if declaration is None:
            message = f"nothing can be added to {section or 'the box'}"
            raise ScenarioError(place, path, message)
        box.add_entry(section, name, f".{key}", model, declaration, place)
        inner = [other for other in added if other.startswith(f"{entry}.") and other != path]
        of_inner_entries = tuple(other.rpartition(".")[0] + "." for other in inner)
        for number in numbers:
            if number.startswith(entry + ".") and not number.startswith(of_inner_entries):
                box.copy_parameter(section, name, number[len(entry) + 1 :], declaration, place)
    return box


def is_content_path(path: str) -> bool:
    """Return whether a path adds an entry, as `boss.hydra.like` does."""
    return path.endswith(CONTENT_KEYS)
