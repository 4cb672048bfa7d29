"""Specification of an engine: the client encodes it, and a worker makes the same engine from it.

Code of hardmode is only named, and must be the same on the worker. Code that a user named, a file
of strategies or the package of a game, is a part of the specification.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import shutil
import sys
import zipfile
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from distributed import get_worker

from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.contract import discovery
from hardmode.sim.play.engine import Engine
from hardmode.sim.results.result import collect_versions, compute_code_digests
from hardmode.strategies.user_files import import_user_file, is_user_module
from hardmode.studies.cluster.errors import ClusterError, DifferentCodeError

ROOMS = ("sim", "strategies", "scenarios", "studies")  # whose code must be the same on a worker
MAX_PACKAGE_BYTES = 1_000_000  # of a game's package, compressed: each task carries it
MAX_ENGINES = 64  # that a worker keeps in memory


class EngineSpec(NamedTuple):
    """Everything from which a worker makes an engine.

    Attributes:
        game: The name of the game.
        package: The archive of the game's package, or nothing if workers have the game.
        numbers: The numbers of the box, by path.
        players: The players, encoded by `PlayerPickler`.
        max_steps: The number of steps after which a game is abandoned.
        digests: Digests of rules, strategies and kernel.
    """

    game: str
    package: bytes
    numbers: dict[str, Any]
    players: bytes
    max_steps: int
    digests: dict[str, str]


class PlayerPickler(pickle.Pickler):
    """Pickler of players that replaces functions in users' files by calls of `load_strategy`."""

    def reducer_override(self, value: Any) -> Any:
        """Return how to pickle a value, or NotImplemented for the usual way."""
        module = sys.modules.get(getattr(value, "__module__", None) or "")
        if not callable(value) or module is None or not is_user_module(module):
            return NotImplemented
        path = Path(str(module.__file__))
        return load_strategy, (path.name, path.read_bytes(), value.__qualname__)


def encode_engine(engine: Engine) -> bytes:
    """Return the `EngineSpec` of an engine as bytes.

    Raises:
        ClusterError: The numbers of its box are not known, or its package is too large.
    """
    game = engine.game
    if not engine.numbers:
        raise ClusterError(f"{game.title}: a box that was not filled from numbers cannot be sent")
    players = io.BytesIO()
    PlayerPickler(players).dump(engine.players)
    spec = EngineSpec(
        game.name,
        _pack_package(game.name),
        dict(engine.numbers),
        players.getvalue(),
        int(engine.max_steps),
        compute_code_digests(game, engine.players),
    )
    return pickle.dumps(spec)


@cache
def collect_environment() -> dict[str, str]:
    """Return the versions of all libraries, and the digest of hardmode's own code and boxes."""
    digest = hashlib.sha256()
    root = Path(__file__).parents[2]
    for room in ROOMS:
        files = [*(root / room).rglob("*.py"), *(root / room).rglob("box.yaml")]
        for path in sorted(files):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    python = "{}.{}".format(*sys.version_info)
    return {**collect_versions(), "Python": python, "the code": digest.hexdigest()[:16]}


def require_same(expected: dict[str, str], own: dict[str, str]) -> None:
    """Raise a `DifferentCodeError` for the first value in which a worker differs."""
    for name, value in expected.items():
        if own.get(name) != value:
            raise DifferentCodeError(f"{name} is {own.get(name)} on the worker and {value} here")


@cache
def _pack_package(game: str) -> bytes:
    """Return an archive of the package of a game that is not shipped and has the package's name.

    Other games must be installed on the workers.
    """
    if game in discovery.list_shipped_games() or discovery.find_rules_module(game) != game:
        return b""
    package = discovery.find_scenario_folders()[game].parent
    with TemporaryDirectory() as folder:
        archive = shutil.make_archive(f"{folder}/{game}", "zip", package.parent, package.name)
        content = Path(archive).read_bytes()
    if len(content) > MAX_PACKAGE_BYTES:
        raise ClusterError(f"{package} is too large to be sent to workers; install the game there")
    return content


# -- on a worker ----------------------------------------------------------------------------------


@lru_cache(MAX_ENGINES)
def load_engine(content: bytes) -> Engine:
    """Return the engine of an encoded specification; the latest ones are kept.

    Raises:
        DifferentCodeError: This worker would not play the same games.
    """
    spec: EngineSpec = pickle.loads(content)
    if spec.package:
        _use_package(spec.game, spec.package)
    game = load_labeled_game(spec.game)
    engine = Engine(game, game.fill_box(spec.numbers), pickle.loads(spec.players))
    engine.max_steps = spec.max_steps
    require_same(spec.digests, compute_code_digests(game, engine.players))
    return engine


def load_strategy(file: str, content: bytes, function: str) -> Callable:
    """Return a strategy from the content of a user's file."""
    path = make_code_folder(content) / file
    path.write_bytes(content)
    module, _ = import_user_file(f"{path}:{function}", None)
    return getattr(module, function)


def make_code_folder(content: bytes) -> Path:
    """Return a folder of this worker for code that was sent, named by a digest of the code."""
    folder = Path(get_worker().local_directory, hashlib.sha256(content).hexdigest())
    folder.mkdir(exist_ok=True)
    return folder


def _use_package(game: str, content: bytes) -> None:
    """Make the package of a game importable, in place of an earlier one that was sent."""
    folder = str(make_code_folder(content))
    if sys.path[0] == folder:
        return
    zipfile.ZipFile(io.BytesIO(content)).extractall(folder)
    sys.path.insert(0, folder)
    os.environ[discovery.PATH] = folder
    for name, module in list(sys.modules.items()):
        package = name.partition(".")[0]
        if package == game:
            del sys.modules[name]
        elif package == discovery.ROOT:
            for function in vars(module).values():
                if callable(getattr(function, "cache_clear", None)):
                    function.cache_clear()
