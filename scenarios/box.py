"""The boxes, `scenarios/<game>/box.yaml`: parsed once per content, then kept.

A box of a thousand lines takes 0.15 s to parse and a few milliseconds to take from the cache. An entry is named by
the content of the box and of the code that reads it, so it cannot be out of date; it is sealed, so
that a damaged one is parsed anew.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from hardmode.scenarios import dependencies, overrides, parameter
from hardmode.scenarios.dependencies import impossible
from hardmode.scenarios.parameter import Leaf, yaml_text
from hardmode.sim.contract.discovery import scenario_folders
from hardmode.sim.files import checksummed_files
from hardmode.sim.files.paths import short_path
from hardmode.sim.files.yaml_io import errors, read
from hardmode.sim.files.yaml_io.errors import NOWHERE, Place, ScenarioError, nearest

__all__ = ["BOX", "Leaf", "box_file", "folder", "folders", "leaves", "yaml_text"]

BOX = "box.yaml"

CODE = (parameter, overrides, dependencies, read, errors)
_read: dict[str, dict[str, Leaf]] = {}


def folders() -> dict[str, Path]:
    """The folder of every game that has a box."""
    return {
        game: where for game, where in sorted(scenario_folders().items()) if (where / BOX).is_file()
    }


def folder(game: str, place: Place = NOWHERE, path: str = "game") -> Path:
    known = folders()
    if game not in known:
        close = nearest(game, known)
        games = "" if close else f"; the games are {', '.join(known) or 'none'}"
        raise ScenarioError(place, path, f"no game {game!r}{games}", close)
    return known[game]


def box_file(game: str) -> str:
    return short_path(folder(game) / BOX)


def leaves(game: str) -> dict[str, Leaf]:
    """All leaves of a game's box by path, in the order of the file."""
    path = folder(game) / BOX
    content = read.text_of(path)
    key = _digest(short_path(path), content)
    if key not in _read:
        found = _cached(key)
        if found is None:
            found = _sound(
                parameter.parse(read.read_text(content, short_path(path), signs=True)), short_path(path)
            )
            _keep(key, found)
        _read[key] = found
    return _read[key]


def _sound(found: dict[str, Leaf], file: str) -> dict[str, Leaf]:
    """The leaves, each of which needs others that there are."""
    for one in found.values():
        if problem := impossible(one, found):
            raise ScenarioError(Place(file, one.line), one.path, problem)
    return found


def _digest(*texts: str) -> str:
    mark = hashlib.sha256()
    for text in (_code(), *texts):
        mark.update(b"%d:" % len(text) + text.encode())
    return mark.hexdigest()[:32]


@cache
def _code() -> str:
    return "".join(Path(module.__file__ or "").read_text("utf-8") for module in CODE)


def _file(key: str) -> Path | None:
    from hardmode.sim.compile.cache import (
        cache_root,  # brings numba, which who only parses need not wait for
    )

    root = cache_root()
    return root / "boxes" / f"{key}.sealed" if root else None


def _cached(key: str) -> dict[str, Leaf] | None:
    """The leaves as they were kept; nothing when they are not there, or damaged."""
    file = _file(key)
    kept = checksummed_files.kept(file) if file else None
    return (
        {path: _revived(path, fields) for path, fields in json.loads(bytes(kept)).items()}
        if kept
        else None
    )


def _revived(path: str, fields: dict[str, Any]) -> Leaf:
    for name in ("range", "choices"):
        if name in fields:
            fields[name] = tuple(fields[name])
    fields["needs"] = tuple((other, tuple(wanted)) for other, wanted in fields.get("needs", ()))
    return Leaf(path, **fields)


def _keep(key: str, found: dict[str, Leaf]) -> None:
    file = _file(key)
    if file:
        checksummed_files.keep(
            file, json.dumps({path: _without_defaults(one) for path, one in found.items()}).encode()
        )


def _without_defaults(one: Leaf) -> dict[str, Any]:
    fields = asdict(one)
    del fields["path"]
    return {k: v for k, v in fields.items() if k in ("value", "source") or v not in (None, "", ())}
