"""Specification of an engine: the client encodes it, and a worker makes the same engine from it.

Code of hardmode is only named, and must be the same on the worker. Code that a user named, a file
of strategies or the package of a game, is sent as source.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import os
import pickle
import platform
import sys
import threading
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

from distributed import get_worker

from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.contract import discovery
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.play.engine import Engine
from hardmode.sim.results.result import collect_versions, compute_code_digests
from hardmode.strategies.user_files import import_user_file, is_user_module
from hardmode.studies.cluster.connection import ClusterError

PACKAGE = "hardmode"
ROOMS = ("sim", "strategies", "scenarios", "studies")  # whose code must be the same on a worker
MAX_PACKAGE_BYTES = 64_000_000  # of a game's package
MAX_ENGINES = 64  # that a worker keeps in memory
_lock = threading.RLock()  # making an engine imports and compiles


class EnvironmentMismatchError(Exception):
    """This worker would not play the same games as the client."""


class SourceFiles(NamedTuple):
    """Files of code that are sent to workers.

    Attributes:
        folder: The folder of the files as the user knows it.
        files: The content of each file, by its path in that folder.
    """

    folder: str
    files: dict[str, bytes]

    @property
    def digest(self) -> str:
        """Digest of names and contents."""
        digest = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            digest.update(f"{name} {len(content)} ".encode() + content)
        return digest.hexdigest()[:32]

    def write_archive(self, folder: str) -> Path:
        """Write the files to an archive, which is named by their digest, and return its path."""
        path = Path(folder, f"{self.digest}.zip")
        with ZipFile(path, "w") as archive:
            for name, content in self.files.items():
                archive.writestr(name, content)
        return path


class EngineSpec(NamedTuple):
    """Everything from which a worker makes an engine.

    Attributes:
        game: The name of the game.
        package: The digest of the game's package if it was sent.
        numbers: The numbers of the box, by path.
        players: The players, encoded by `PlayerPickler`.
        max_steps: The number of steps after which a game is abandoned.
        digests: Digests of rules, strategies and kernel.
        environment: The result of `collect_environment`.
        source_folders: The folder of sources that were sent as the user knows it, by digest.
    """

    game: str
    package: str
    numbers: dict[str, Any]
    players: bytes
    max_steps: int
    digests: dict[str, str]
    environment: dict[str, str]
    source_folders: dict[str, str]


class PlayerPickler(pickle.Pickler):
    """Pickler of players that replaces functions in users' files by calls of `load_strategy`.

    Attributes:
        sources: The files that contain these functions.
    """

    def __init__(self, buffer: io.BytesIO) -> None:
        super().__init__(buffer)
        self.sources: list[SourceFiles] = []

    def reducer_override(self, value: Any) -> Any:
        """Return how to pickle a value, or NotImplemented for the usual way."""
        module = sys.modules.get(getattr(value, "__module__", None) or "")
        if not callable(value) or module is None or not is_user_module(module):
            return NotImplemented
        path = Path(str(module.__file__))
        folder = Path(shorten_path(path)).parent
        source = SourceFiles(str(folder), {path.name: path.read_bytes()})
        self.sources.append(source)
        return load_strategy, (source.digest, path.name, value.__qualname__)


def encode_engine(engine: Engine) -> tuple[bytes, list[SourceFiles]]:
    """Return the `EngineSpec` of an engine as bytes, and the sources that a worker needs.

    Raises:
        ClusterError: The numbers of its box are not known, or its package is too large.
    """
    game = engine.game
    if not engine.numbers:
        reason = "a box that was not filled from numbers cannot be sent to a cluster"
        raise ClusterError(f"{game.title}: {reason}")
    players = io.BytesIO()
    pickler = PlayerPickler(players)
    pickler.dump(engine.players)
    sources = pickler.sources
    package = _read_package(game.name)
    if package:
        sources.append(package)
    spec = EngineSpec(
        game.name,
        package.digest if package else "",
        dict(engine.numbers),
        players.getvalue(),
        int(engine.max_steps),
        compute_code_digests(game, engine.players),
        collect_environment(),
        {source.digest: source.folder for source in sources},
    )
    return pickle.dumps(spec), sources


@cache
def collect_environment() -> dict[str, str]:
    """Return the versions of all libraries, and the digest of hardmode's own code and boxes."""
    digest = hashlib.sha256()
    root = Path(__file__).parents[2]
    for room in ROOMS:
        files = [*(root / room).rglob("*.py"), *(root / room).rglob("box.yaml")]
        for path in sorted(files):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return {**collect_versions(), "Python": python, "the code": digest.hexdigest()[:16]}


def find_difference(expected: dict[str, str], own: dict[str, str]) -> str:
    """Return the first difference of a worker from what is expected of it, or "" without one."""
    for name, value in expected.items():
        if own.get(name) != value:
            return f"{name} is {own.get(name)} on the worker and {value} here"
    return ""


def _read_package(game: str) -> SourceFiles | None:
    """Return the package of a game that is not shipped and has the name of the package.

    Other games must be installed on the workers.
    """
    if game in discovery.list_shipped_games() or discovery.find_rules_module(game) != game:
        return None
    package = discovery.find_scenario_folders()[game].parent
    folder = package.parent
    paths = []
    for path in package.rglob("*"):
        is_left_out = "__pycache__" in path.parts or path.name.startswith(".")
        if path.is_file() and not is_left_out:
            paths.append(path)
    if sum(path.stat().st_size for path in paths) > MAX_PACKAGE_BYTES:
        raise ClusterError(f"{package}: is too large to be sent to workers; install the game there")
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    return SourceFiles(shorten_path(folder), files)


# -- on a worker ----------------------------------------------------------------------------------


def load_engine(content: bytes) -> Engine:
    """Return the engine of an encoded specification; the latest ones are kept.

    Raises:
        EnvironmentMismatchError: This worker would not play the same games.
    """
    with _lock:
        return _make_engine(content)


@lru_cache(MAX_ENGINES)
def _make_engine(content: bytes) -> Engine:
    spec: EngineSpec = pickle.loads(content)
    _require_same(spec.environment, collect_environment())
    if spec.package:
        _use_package(spec.game, str(find_source_folder(spec.package)))
    game = load_labeled_game(spec.game)
    engine = Engine(game, game.fill_box(spec.numbers), pickle.loads(spec.players))
    engine.max_steps = spec.max_steps
    _require_same(spec.digests, compute_code_digests(game, engine.players))
    return engine


def _require_same(expected: dict[str, str], own: dict[str, str]) -> None:
    difference = find_difference(expected, own)
    if difference:
        raise EnvironmentMismatchError(difference)


def load_strategy(digest: str, file: str, function: str) -> Callable:
    """Return a strategy from a file that was sent."""
    module, _ = import_user_file(f"{find_source_folder(digest) / file}:{function}", None)
    return getattr(module, function)


def find_source_folder(digest: str) -> Path:
    """Return the folder of an archive that was sent, after unpacking it."""
    folder = Path(get_worker().local_directory, digest)
    if not folder.is_dir():
        try:
            with ZipFile(f"{folder}.zip") as archive:
                archive.extractall(folder)
        except OSError as error:
            reason = f"the files of your strategy or game cannot be written: {error}"
            raise EnvironmentMismatchError(reason) from error
    return folder


def _use_package(game: str, folder: str) -> None:
    """Make the package of a game importable, in place of an earlier one that was sent."""
    if sys.path[0] == folder:
        return
    sys.path.insert(0, folder)
    os.environ[discovery.PATH] = f"{folder}{os.pathsep}{os.environ.get(discovery.PATH, '')}"
    for name in list(sys.modules):
        if name.split(".")[0] == game:
            del sys.modules[name]
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == PACKAGE:
            for function in vars(module).values():
                if callable(getattr(function, "cache_clear", None)):
                    function.cache_clear()
    importlib.invalidate_caches()
