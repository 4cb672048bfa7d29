"""Compiling ahead: while a report's first game is compiled and played, another process compiles the games after it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence

import sim.compile
from scenarios.load import Scenario


@contextlib.contextmanager
def compiling(scenarios: Sequence[Scenario], strategies: Sequence[str]) -> Iterator[None]:
    """Nothing is started unless something must be compiled, and nothing is waited for: what is not ready when its
    game's turn comes is compiled then. Strategies are those that each game may be played with."""
    games = list(dict.fromkeys(s.game.name for s in scenarios))
    told = sim.compile.on_compile

    def begin(name: str) -> None:
        sim.compile.on_compile = told
        told(name)
        if len(games) > 1 and (os.cpu_count() or 1) > 1 and not sim.compile.PLAIN:
            multiprocessing.get_context("spawn").Process(
                target=prepare, args=(games[1:], list(strategies)), daemon=True).start()

    sim.compile.on_compile = begin
    try:
        yield
    finally:
        sim.compile.on_compile = told


def prepare(games: Sequence[str], strategies: Sequence[str]) -> None:
    """Compile games into the cache. What cannot be compiled is said where it is played."""
    from reports.play import engine
    from scenarios.load import variant

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the report, which takes this process with it
    for game in games:
        for name in strategies:
            with contextlib.suppress(Exception):
                engine(variant(game, strategies=[name]))
