"""Scenarios that extend another: `extends: standard.yaml`, a file beside it or a shipped name.

Values of the extending scenario win. `setup`, `rules` and `sweep` are merged number by number,
every other key is replaced as a whole. Each value keeps the place where it was written, and the
folder in which the files that it names are looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardmode.scenarios.grid import (
    PARSERS,
    flatten_changes,
    get_axis_path,
    iterate_scenario_changes,
)
from hardmode.scenarios.schema import rename_old_keys, validate_scenario
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError
from hardmode.sim.files.yaml_io.read import Document, KeyPath

EXTENDS, SWEEP = "extends", "sweep"
MERGED_KEYS = ("setup", "rules", SWEEP)
TOP = "top"  # what is known of a scenario is not known of one that extends it

# Finds the scenario of a name, as seen from a folder and named at a place: its file, its document,
# and the game that its folder implies.
Reader = Callable[[str, Path, Location], tuple[Path, Document, str]]


@dataclass
class MergedDocument(Document):
    """A scenario's document, some of whose values may come from other files.

    Attributes:
        sources: Where values were written, and the folders of those files.
    """

    sources: dict[KeyPath, tuple[Location, Path]] = field(default_factory=dict)

    def locate(self, *where: str | int) -> Location:
        """Return where a value was written, or the nearest value around it."""
        return self._find_source(where)[0]

    def find_source_folder(self, *where: str | int) -> Path:
        """Return the folder of the file in which a value was written."""
        return self._find_source(where)[1]

    def _find_source(self, where: KeyPath) -> tuple[Location, Path]:
        while where not in self.sources:
            where = where[:-1]
        return self.sources[where]


def load_with_base(
    path: Path, document: Document, read: Reader, chain: tuple[Path, ...] = ()
) -> MergedDocument:
    """Return a scenario's document merged with all that it extends.

    Args:
        path: The file of the scenario.
        document: Its content.
        read: Reads the scenario that another extends.
        chain: The files that extend this one.

    Raises:
        ScenarioError: A document is invalid, or the files extend each other in a circle.
    """
    document = rename_old_keys(document)
    validate_scenario(document)
    sources = {
        where: (document.locate(*where), path.parent) for where in _iterate_key_paths(document.data)
    }
    own = MergedDocument(document.file, document.data, document.lines, sources)
    if EXTENDS not in document.data:
        return own
    place, chain = own.locate(EXTENDS), (*chain, path)
    base_path, base_document, game = read(document.data[EXTENDS], path.parent, place)
    _check_for_circle(base_path, chain, place)
    base = load_with_base(base_path, base_document, read, chain)
    return _merge(base, game, own)


def _check_for_circle(path: Path, chain: tuple[Path, ...], place: Location) -> None:
    resolved = [extending.resolve() for extending in chain]
    if path.resolve() not in resolved:
        return
    start = resolved.index(path.resolve())
    circle = [*chain[start:], path]
    first, *others = [one.name for one in circle]
    steps = ", which extends ".join(others)
    raise ScenarioError(place, EXTENDS, f"goes in a circle: {first} extends {steps}")


def _iterate_key_paths(value: Any, where: KeyPath = ()) -> Iterator[KeyPath]:
    yield where
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, below in items:
        yield from _iterate_key_paths(below, (*where, key))


def _merge(base: MergedDocument, implied_game: str, own: MergedDocument) -> MergedDocument:
    """Return the document of a scenario laid over that of its base.

    Args:
        base: The base.
        implied_game: The game that the folder of the base implies, or "".
        own: The extending scenario.
    """
    base_game = base.data.get("game", implied_game)
    own_game = own.data.get("game")
    if base_game and own_game and base_game != own_game:
        message = f"is {own_game}, but {base.file}, which it extends, is for {base_game}"
        raise ScenarioError(own.locate("game"), "game", message)
    data = deepcopy(base.data)
    data.pop(TOP, None)
    if base_game:
        data = {"game": base_game, **data}
    for where in list(_find_overridden(base, own)):
        _delete_value(data, where)
    for key, value in own.data.items():
        if key in MERGED_KEYS:
            data[key] = _merge_values(data.get(key), value)
        elif key != EXTENDS:
            data[key] = value
    return MergedDocument(own.file, data, own.lines, {**base.sources, **own.sources})


def _merge_values(base: Any, own: Any) -> Any:
    """Return the keys of both, those of `own` last and in place of the same keys of `base`."""
    if not (isinstance(base, dict) and isinstance(own, dict)):
        return own
    merged = {key: value for key, value in base.items() if key not in own}
    for key, value in own.items():
        merged[key] = _merge_values(base.get(key), value)
    return merged


def _find_overridden(base: MergedDocument, own: MergedDocument) -> Iterator[KeyPath]:
    """Yield where the base sets or sweeps what the extending scenario sets or sweeps, too.

    The same number can be written in several forms. A number that is set is swept no more.
    """
    own_numbers = {change.path: change for _, change in iterate_scenario_changes(own)}
    own_axes = _locate_axes(own)
    fixed = {path for path, change in own_numbers.items() if not change.is_relative}
    fixed |= {get_axis_path(key) for key in PARSERS if key in own.data}
    for where, change in iterate_scenario_changes(base):
        if change.path in own_numbers:
            yield where
    for path, where in _locate_axes(base).items():
        if path in own_axes or path in fixed:
            yield where


def _locate_axes(document: MergedDocument) -> dict[str, KeyPath]:
    """Return where each axis of a sweep is written, by its path."""
    axes: dict[str, KeyPath] = {}
    for key in document.data.get(SWEEP, {}):
        for where, change in flatten_changes(document, (SWEEP, key), get_axis_path(key)):
            axes[change.path] = where
    return axes


def _delete_value(data: dict[str, Any], where: KeyPath) -> None:
    """Delete a value, and the mapping around it if that is left empty."""
    parent: Any = data
    for step in where[:-1]:
        parent = parent[step]
    del parent[where[-1]]
    if not parent and len(where) > 1:
        _delete_value(data, where[:-1])
