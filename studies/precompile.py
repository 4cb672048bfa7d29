"""Compiling ahead: all of a game when asked; the further games of a report while its first is compiled and played."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from hardmode.scenarios.load import Scenario
from hardmode.sim.compile import announcing, compiled
from hardmode.sim.records import PLAIN
from hardmode.studies.progress import Progress, silent

# Not by multiprocessing, which would run the script of whoever makes a report from Python a second time.
CODE = "import json, sys; from hardmode.studies.precompile import prepare; prepare(*json.loads(sys.argv[1]))"


@contextlib.contextmanager
def compiling(scenarios: Sequence[Scenario], strategies: Sequence[str]) -> Iterator[None]:
    """Nothing is started unless something must be compiled, and nothing is waited for: what is not ready when its
    game's turn comes is compiled then. Strategies are those that each game may be played with."""
    games = list(dict.fromkeys(s.game.name for s in scenarios))
    if len(games) < 2 or (os.cpu_count() or 1) < 2 or PLAIN:
        yield
        return
    running: list[subprocess.Popen] = []

    def begin(name: str) -> None:
        if not running:
            running.append(_started(games[1:], strategies))

    with announcing(begin):
        try:
            yield
        finally:
            for process in running:
                _ended(process)


def _started(games: Sequence[str], strategies: Sequence[str]) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", CODE, json.dumps([games, strategies])], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})


def _ended(process: subprocess.Popen) -> None:
    process.terminate()
    process.wait()


def prepare(games: Sequence[str], strategies: Sequence[str]) -> None:
    """Compile games into the cache. What cannot be compiled is said where it is played."""
    from hardmode.scenarios.load import variant
    from hardmode.studies.play import engine

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the report, which takes this process with it
    for game in games:
        for name in strategies:
            with contextlib.suppress(Exception):
                engine(variant(game, strategies=[name]))


def warm(game: str, progress: Progress = silent) -> dict[str, Any]:
    """Compile a game with all its strategies into the cache, what counts its games, and what looks at positions: how
    much that was."""
    from hardmode.scenarios.load import variant
    from hardmode.sim.odds import Worlds
    from hardmode.strategies import registry
    from hardmode.studies.play import engine, play

    before, names = len(compiled), [name for name in registry.names(game) if name != "search"]
    for i, name in enumerate(names):
        progress(name, i / len(names))
        engine(variant(game, strategies=[name]))
    play(variant(game), games=2, threads=1)
    Worlds(engine(variant(game)), 1)
    new = compiled[before:]
    return {"game": game, "compiled": len(new), "seconds": round(sum(seconds for _, seconds in new), 1)}
