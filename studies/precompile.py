"""Compiling ahead: while a report's first game is compiled and played, another process compiles the games after it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence

import hardmode.sim.compile
from hardmode.scenarios.load import Scenario

# Not by multiprocessing, which would run the script of whoever makes a report from Python a second time.
CODE = "import json, sys; from hardmode.studies.precompile import prepare; prepare(*json.loads(sys.argv[1]))"


@contextlib.contextmanager
def compiling(scenarios: Sequence[Scenario], strategies: Sequence[str]) -> Iterator[None]:
    """Nothing is started unless something must be compiled, and nothing is waited for: what is not ready when its
    game's turn comes is compiled then. Strategies are those that each game may be played with."""
    games = list(dict.fromkeys(s.game.name for s in scenarios))
    told = hardmode.sim.compile.on_compile
    with contextlib.ExitStack() as started:
        def begin(name: str) -> None:
            hardmode.sim.compile.on_compile = told
            told(name)
            if len(games) > 1 and (os.cpu_count() or 1) > 1 and not hardmode.sim.compile.PLAIN:
                started.callback(_ended, _started(games[1:], strategies))

        hardmode.sim.compile.on_compile = begin
        try:
            yield
        finally:
            hardmode.sim.compile.on_compile = told


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
