"""Compiling ahead: all of a game when asked; the further games of a report while its first is compiled and played."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from hardmode.scenarios.load import Scenario
from hardmode.sim.compile import background
from hardmode.sim.compile.cache import compiled
from hardmode.sim.records import PLAIN
from hardmode.studies.core.progress import Progress, silent

CODE = "import json, sys; from hardmode.studies.core.precompile import prepare; prepare(*json.loads(sys.argv[1]))"


@contextlib.contextmanager
def compiling(scenarios: Sequence[Scenario], strategies: Sequence[str]) -> Iterator[None]:
    """Further games are compiled while the first is. Strategies are those that each game may be played with."""
    games = list(dict.fromkeys(s.game.name for s in scenarios))
    if len(games) < 2 or PLAIN:
        yield
        return
    with background.helped(CODE, [games[1:], strategies], lambda name: True), background.alone():
        yield


def prepare(games: Sequence[str], strategies: Sequence[str]) -> None:
    """Compile games into the cache, in a process of its own."""
    from hardmode.scenarios.load import variant
    from hardmode.studies.core.run import engine

    for game in games:
        for name in strategies:
            with background.helping():
                engine(variant(game, strategies=[name]))


def warm(game: str, progress: Progress = silent) -> dict[str, Any]:
    """Compile a game with all its strategies into the cache, what counts its games, and what looks at positions: how
    much that was."""
    from hardmode.scenarios.load import variant
    from hardmode.sim.play.rollouts import Worlds
    from hardmode.strategies import registry
    from hardmode.studies.core.run import engine, play

    before, names = len(compiled), [name for name in registry.names(game) if name != "search"]
    for i, name in enumerate(names):
        progress(name, i / len(names))
        engine(variant(game, strategies=[name]))
    play(variant(game), games=2, threads=1)
    Worlds(engine(variant(game)), 1)
    new = compiled[before:]
    return {
        "game": game,
        "compiled": len(new),
        "seconds": round(sum(seconds for _, seconds in new), 1),
    }
