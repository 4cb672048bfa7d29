"""WebAssembly modules of games: the shipped ones, and those of users' games, which are built here.

A shipped module is kept beside this file, compressed, with the digest of the rules and strategies
that it was built from. It is out of date when they change.

    python -m hardmode.reports.page.play.modules    builds the shipped modules that are out of date
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from hardmode.sim.compile.fingerprint import compute_source_digest
from hardmode.sim.compile.source_location import get_py_func
from hardmode.sim.contract import Game, discovery, load_game
from hardmode.sim.files.atomic_files import write_atomically
from hardmode.sim.files.cache_folder import find_entry, read_entry, write_entry
from hardmode.sim.play import kernel
from hardmode.sim.play.decisions import Rules
from hardmode.sim.play.player import Player
from hardmode.sim.play.rollouts import redeal_nothing, rollout_kernel
from hardmode.sim.play.workspace import (
    ROLLOUT_ARGS,
    RUN_ARGS,
    make_seat_config_dtype,
    make_workspace_dtype,
)
from hardmode.sim.web.elementary_functions import FUNCTIONS
from hardmode.strategies import registry
from hardmode.studies.core.skill_levels import SKILL_LEVELS

SHIPPED = Path(__file__).parent / "modules"
INDEX = SHIPPED / "index.json"  # digests of the shipped modules, by the names of their games
CACHE = "web"  # folder of the modules of users' games in the cache
ELEMENTARY = tuple(FUNCTIONS.values())
UNOPTIMISED = {"NUMBA_OPT": "0"}


class ModuleError(Exception):
    """Raised when a game cannot be made a module; says why."""


def list_playable_levels(game: str) -> dict[str, Player]:
    """Return the players of the skill levels that neither search nor make mistakes, by level."""
    players = {}
    for level in SKILL_LEVELS:
        if level in registry.list_strategies(game):
            player = registry.create_player(game, level)
            if not player.rollout_budget and not player.mistake_rate:
                players[level] = player
    return players


def list_strategies(game: str) -> list[Callable]:
    """Return the strategies of these players; a module knows them by their numbers here."""
    return list(dict.fromkeys(player.choose for player in list_playable_levels(game).values()))


def compute_digest(game: Game, strategies: Sequence[Callable]) -> str:
    """Return the digest of all that a module is built from: rules, strategies, and its records."""
    rules = [get_py_func(getattr(game, name)) for name in Rules._fields]
    functions = map(get_py_func, strategies)
    kernels = (kernel.play, rollout_kernel, get_py_func(game.redeal_for or redeal_nothing))
    code = compute_source_digest(*kernels, *rules, *functions, *map(get_py_func, ELEMENTARY))
    workspace, seats = make_workspace_dtype(game), make_seat_config_dtype(game)
    records = (game.box, workspace, seats, RUN_ARGS, ROLLOUT_ARGS)
    described = "\n".join([code, *(repr(record) for record in records)])
    return hashlib.sha256(described.encode()).hexdigest()[:16]


def load_module(name: str) -> bytes:
    """Return the module of a game; it is built if it is not shipped and not in the cache.

    Raises:
        ModuleError: If it cannot be built.
    """
    digest = compute_digest(load_game(name), list_strategies(name))
    if read_index().get(name) == digest:
        return gzip.decompress((SHIPPED / f"{name}.wasm.gz").read_bytes())
    entry = find_entry(CACHE, digest)
    kept = read_entry(entry) if entry else None
    if kept is not None:
        return bytes(kept)
    module = build_module(name)
    if entry:
        write_entry(entry, module)
    return module


def read_index() -> dict[str, str]:
    """Return the digests of the shipped modules by the names of their games."""
    return json.loads(INDEX.read_text()) if INDEX.exists() else {}


def build_module(name: str) -> bytes:
    """Return the module of a game, built in a process of its own, in which nothing is optimised.

    Raises:
        ModuleError: If it cannot be built.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "module")
        command = [sys.executable, "-m", "hardmode.reports.page.play.build", name, str(file)]
        done = subprocess.run(command, env={**os.environ, **UNOPTIMISED}, stderr=subprocess.PIPE)
        if done.returncode:
            reason = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise ModuleError(f"{name} cannot be played in a page: {reason}")
        return file.read_bytes()


def update_shipped_modules() -> list[str]:
    """Build all shipped modules that are missing or out of date, and return their games."""
    index = read_index()
    built = []
    for name in discovery.list_shipped_games():
        digest = compute_digest(load_game(name), list_strategies(name))
        if index.get(name) == digest:
            continue
        module = gzip.compress(build_module(name), 9, mtime=0)
        write_atomically(SHIPPED / f"{name}.wasm.gz", module)
        index[name] = digest
        write_atomically(INDEX, json.dumps(index, indent=1, sort_keys=True).encode() + b"\n")
        built.append(name)
    return built


if __name__ == "__main__":
    for built in update_shipped_modules():
        print(f"built {built}")
