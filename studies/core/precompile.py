"""Compiling games ahead of time, into the cache of machine code."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from hardmode.scenarios.load import Scenario, create_variant
from hardmode.sim.compile.cache import compiled_entries, on_compile
from hardmode.sim.files.cache_folder import find_cache_root
from hardmode.sim.play.cores import count_cores
from hardmode.sim.play.rollouts import Determinizer
from hardmode.sim.records import PLAIN
from hardmode.strategies import registry
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.run import make_engine, play

COMPILE_GAMES = (
    "import json, sys; from hardmode.studies.core.precompile import compile_games; "
    "compile_games(*json.loads(sys.argv[1]))"
)


@contextlib.contextmanager
def precompile_in_background(
    scenarios: Sequence[Scenario], strategies: Sequence[str]
) -> Iterator[None]:
    """Compile all games but the first in a second process while the first is compiled and played.

    It is started when something must be compiled. The processes share the cache of machine code.
    Where one needs what the other is compiling, it waits; what the second has not begun when the
    first needs it, the first compiles itself.

    Args:
        scenarios: What will be played, in this order.
        strategies: Names of the strategies to compile for each game.
    """
    games = list(dict.fromkeys(scenario.game.name for scenario in scenarios))
    if len(games) < 2 or PLAIN or count_cores() < 2 or find_cache_root() is None:
        yield
        return
    processes: list[subprocess.Popen] = []

    def start_once(name: str) -> None:
        if not processes:
            with contextlib.suppress(OSError):  # then this process compiles everything
                processes.append(start_compiling(games[1:], strategies))

    with on_compile(start_once):
        try:
            yield
        finally:
            for process in processes:
                process.terminate()
                process.wait()


def start_compiling(games: Sequence[str], strategies: Sequence[str]) -> subprocess.Popen:
    """Start a process that runs `compile_games`, in a process group without the user's Ctrl-C."""
    return subprocess.Popen(
        [sys.executable, "-c", COMPILE_GAMES, json.dumps([games, strategies])],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,
    )


def compile_games(games: Sequence[str], strategies: Sequence[str]) -> None:
    """Compile games into the cache; the process that plays them reports what fails."""
    for game in games:
        for name in strategies:
            with contextlib.suppress(Exception):
                make_engine(create_variant(game, strategies=[name]))


def precompile_game(game: str, progress: Progress = ignore_progress) -> dict[str, Any]:
    """Compile a game with all its strategies, the counting of results and the search for positions.

    Returns:
        The name of the game, the number of functions compiled, and the seconds it took.
    """
    already_compiled = len(compiled_entries)
    names = [name for name in registry.list_strategies(game) if name != "search"]
    for i, name in enumerate(names):
        progress(name, i / len(names))
        make_engine(create_variant(game, strategies=[name]))
    play(create_variant(game), games=2, threads=1)
    Determinizer(make_engine(create_variant(game)), 1)
    new = compiled_entries[already_compiled:]
    seconds = sum(seconds for _, seconds in new)
    return {"game": game, "compiled": len(new), "seconds": round(seconds, 1)}
