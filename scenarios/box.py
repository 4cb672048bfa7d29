"""Boxes: the parameters of each game, from `scenarios/<game>/box.yaml`.

A box of a thousand lines takes 0.15 s to parse and a few milliseconds to read from the disk cache.
Entries of that cache are named by the digest of the box and of the code that parses it, so they
cannot be stale, and each holds a checksum, so a damaged one is parsed again. In one process a box
is read again only when its file has changed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from hardmode.scenarios import dependencies, overrides, parameter
from hardmode.scenarios.dependencies import explain_impossible_need
from hardmode.scenarios.parameter import Parameter, parse_box
from hardmode.sim.contract.discovery import find_scenario_folders
from hardmode.sim.files.cache_folder import find_entry, read_entry, write_entry
from hardmode.sim.files.file_cache import FileCache
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.files.yaml_io import errors, read
from hardmode.sim.files.yaml_io.errors import (
    UNKNOWN_LOCATION,
    Location,
    ScenarioError,
    find_nearest_names,
)

BOX_FILENAME = "box.yaml"
PARSER_MODULES = (parameter, overrides, dependencies, read, errors)


def find_box_folders() -> dict[str, Path]:
    """Return the folder of every game that has a box."""
    folders = sorted(find_scenario_folders().items())
    return {game: folder for game, folder in folders if (folder / BOX_FILENAME).is_file()}


def find_box_folder(game: str, place: Location = UNKNOWN_LOCATION, path: str = "game") -> Path:
    """Return the folder of a game's box.

    Raises:
        ScenarioError: There is no such game; at `place` and `path`, where it was named.
    """
    folders = find_box_folders()
    if game not in folders:
        close = find_nearest_names(game, folders)
        games = "" if close else f"; the games are {', '.join(folders) or 'none'}"
        raise ScenarioError(place, path, f"no game {game!r}{games}", close)
    return folders[game]


def format_box_path(game: str) -> str:
    """Return the path of a game's box, relative to the working directory where possible."""
    return shorten_path(find_box_folder(game) / BOX_FILENAME)


def load_parameters(game: str) -> dict[str, Parameter]:
    """Return all parameters of a game's box by path, in the order of the file.

    Raises:
        ScenarioError: There is no such game, or its box is invalid.
    """
    folder = find_box_folder(game)
    return PARAMETER_CACHE.get(folder / BOX_FILENAME)


def _load_box(path: Path) -> dict[str, Parameter]:
    content = read.read_utf8_text(path)
    entry = _find_cache_entry(content)
    parameters = _read_cache_entry(entry) if entry else None
    if parameters is None:
        parameters = _parse_checked_box(content, shorten_path(path))
        if entry:
            _write_cache_entry(entry, parameters)
    return parameters


PARAMETER_CACHE = FileCache(_load_box)


def _parse_checked_box(content: str, file: str) -> dict[str, Parameter]:
    """Return the parameters of a box, whose dependencies can all be fulfilled."""
    parameters = parse_box(read.parse_yaml(content, file, signed_numbers=True))
    for one in parameters.values():
        problem = explain_impossible_need(one, parameters)
        if problem:
            raise ScenarioError(Location(file, one.line), one.path, problem)
    return parameters


def _find_cache_entry(content: str) -> Path | None:
    """Return the file of the disk cache for a box with this content; None without a cache."""
    digest = hashlib.sha256()
    for text in (_read_parser_code(), content):
        digest.update(b"%d:" % len(text) + text.encode())
    return find_entry("boxes", f"{digest.hexdigest()[:32]}.sealed")


@cache
def _read_parser_code() -> str:
    return "".join(Path(module.__file__ or "").read_text("utf-8") for module in PARSER_MODULES)


def _read_cache_entry(entry: Path) -> dict[str, Parameter] | None:
    """Return the cached parameters, or None if they are missing or damaged."""
    content = read_entry(entry)
    if content is None:
        return None
    items = json.loads(bytes(content)).items()
    return {path: _restore_parameter(path, fields) for path, fields in items}


def _restore_parameter(path: str, fields: dict[str, Any]) -> Parameter:
    for name in ("range", "choices", "doubt", "odds"):
        if name in fields:
            fields[name] = tuple(fields[name])
    if "needs" in fields:
        fields["needs"] = tuple((other, tuple(wanted)) for other, wanted in fields["needs"])
    return Parameter(path, **fields)


def _write_cache_entry(entry: Path, parameters: dict[str, Parameter]) -> None:
    fields = {path: _list_fields(parameter) for path, parameter in parameters.items()}
    content = json.dumps(fields).encode()
    write_entry(entry, content)


def _list_fields(parameter: Parameter) -> dict[str, Any]:
    """Return the fields of a parameter, without its path and without defaults."""
    fields = asdict(parameter)
    del fields["path"]
    required = ("value", "source")
    return {k: v for k, v in fields.items() if k in required or v not in (None, "", ())}
