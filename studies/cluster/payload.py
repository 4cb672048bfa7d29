"""Payload of a task: a game, its box, players and digests as plain values.

Code is sent as source, and only if the user named it: a file of strategies, or the package of a
game. Code of hardmode is only named, and must be the same on the worker.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from hardmode.scenarios.box import load_parameters
from hardmode.sim.contract import Game, discovery
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.play import kernel
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.sim.results.result import collect_versions, compute_code_digests

PACKAGE = "hardmode"
MAX_PACKAGE_BYTES = 64_000_000  # of a game's package


class ClusterError(Exception):
    """A cluster cannot be reached, or cannot play the games."""


class SourceFiles(NamedTuple):
    """Files of code by their names inside a folder."""

    files: dict[str, bytes]

    @property
    def digest(self) -> str:
        """Digest of names and contents."""
        digest = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            digest.update(f"{name} {len(content)} ".encode() + content)
        return digest.hexdigest()


class TaskPayload(NamedTuple):
    """Everything from which a worker makes an engine, and the sources that it may request."""

    key: str  # digest of the content
    content: dict[str, Any]
    sources: dict[str, SourceFiles]  # by digest


_payloads: WeakKeyDictionary[Engine, TaskPayload] = WeakKeyDictionary()


def make_payload(engine: Engine) -> TaskPayload:
    """Return the payload of an engine; it is made once."""
    if engine not in _payloads:
        _payloads[engine] = _build_payload(engine)
    return _payloads[engine]


def _build_payload(engine: Engine) -> TaskPayload:
    game = engine.game
    numbers = engine.numbers
    if not numbers:
        message = "a box that was not filled from numbers cannot be sent to a cluster"
        raise ClusterError(f"{game.title}: {message}")
    shipped = load_parameters(game.name)
    sources = dict[str, SourceFiles]()
    package = _read_package(game.name)
    if package:
        sources[package.digest] = package
    changed = {}
    for path, value in numbers.items():
        if path not in shipped or shipped[path].value != value:
            changed[path] = value
    content = {
        "game": game.name,
        "package": package.digest if package else "",
        "numbers": changed,
        "players": [_player_to_dict(player, game.name, sources) for player in engine.players],
        "limit": int(engine.max_steps),
        "digests": {"box": digest_numbers(numbers), **digest_code(engine)},
        "versions": environment_digests(),
    }
    key = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return TaskPayload(key, content, sources)


def digest_numbers(numbers: Mapping[str, Any]) -> str:
    """Return the digest of the numbers of a box by path."""
    return hashlib.sha256(json.dumps(sorted(numbers.items())).encode()).hexdigest()[:16]


def digest_code(engine: Engine) -> dict[str, str]:
    """Return the digests of rules, strategies and kernel, which must be the same on a worker."""
    players = []
    for player in engine.players:
        players += [player, player.mistake_player, player.rollout_policy]
    return _digest_code(engine.game, tuple(player.choose for player in players if player))


@cache
def _digest_code(game: Game, strategies: tuple[Any, ...]) -> dict[str, str]:
    return compute_code_digests(game, [Player("", choose) for choose in strategies])


@cache
def environment_digests() -> dict[str, str]:
    """Return the versions, and the digest of `sim`, which must be the same on a worker."""
    digest = hashlib.sha256()
    sim = Path(kernel.__file__).parents[1]
    for path in sorted(sim.rglob("*.py")):
        if not path.is_relative_to(sim / "games"):
            digest.update(path.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return {**collect_versions(), "Python": python, "the code in sim": digest.hexdigest()[:16]}


def _player_to_dict(player: Player, game: str, sources: dict[str, SourceFiles]) -> dict[str, Any]:
    """Return a player as plain values, and add the source of a user's strategy to `sources`."""
    module = player.choose.__module__
    data = {
        "name": player.name,
        "weights": list(player.weights),
        "budget": player.rollout_budget,
        "where": player.location,
        "mistake_rate": player.mistake_rate,
        "is_user_strategy": player.is_user_strategy,
        "allowed_labels": list(map(int, player.allowed_labels)),
        "counts_choices": player.counts_choices,
        "mistake_player": None,
        "rollout_policy": None,
        "function": player.choose.__qualname__,
        "module": module,
        "file": "",  # as the user knows it
        "source": "",  # digest and name of the file
    }
    for part in ("mistake_player", "rollout_policy"):
        other = getattr(player, part)
        if other:
            data[part] = _player_to_dict(other, game, sources)
    if module.split(".")[0] in (PACKAGE, discovery.find_rules_module(game).split(".")[0]):
        return data
    path = Path(sys.modules[module].__file__ or "")
    source = SourceFiles({path.name: path.read_bytes()})
    sources[source.digest] = source
    place = f"{source.digest}/{path.name}"
    return {**data, "module": "", "source": place, "file": shorten_path(path)}


def _read_package(game: str) -> SourceFiles | None:
    """Return the package of a game that is not shipped and has the name of the package.

    Other games must be installed on the workers.
    """
    if game in discovery.list_shipped_games() or discovery.find_rules_module(game) != game:
        return None
    folder = discovery.find_scenario_folders()[game].parent
    paths = []
    for path in sorted(folder.rglob("*")):
        is_cached = "__pycache__" in path.parts or path.name.startswith(".")
        if path.is_file() and not is_cached:
            paths.append(path)
    if sum(path.stat().st_size for path in paths) > MAX_PACKAGE_BYTES:
        raise ClusterError(f"{folder}: is too large to be sent to workers; install the game there")
    files = {f"{game}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in paths}
    return SourceFiles(files)
