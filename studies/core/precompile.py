"""Compiling games ahead of time, into the cache of machine code."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from hardmode.scenarios.load import Scenario, create_variant
from hardmode.sim.compile import background
from hardmode.sim.compile.cache import compiled_entries
from hardmode.sim.play.rollouts import Determinizer
from hardmode.sim.records import PLAIN
from hardmode.strategies import registry
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.run import make_engine, play

HELPER_CODE = (
    "import json, sys; from hardmode.studies.core.precompile import compile_games; "
    "compile_games(*json.loads(sys.argv[1]))"
)


@contextlib.contextmanager
def precompile_in_background(
    scenarios: Sequence[Scenario], strategies: Sequence[str]
) -> Iterator[None]:
    """Compile all games but the first in a second process while the first is compiled and played.

    Args:
        scenarios: What will be played, in this order.
        strategies: Names of the strategies to compile for each game.
    """
    games = list(dict.fromkeys(scenario.game.name for scenario in scenarios))
    if len(games) < 2 or PLAIN:
        yield
        return
    arguments = [games[1:], strategies]
    with (
        background.with_compile_helper(HELPER_CODE, arguments, lambda name: True),
        background.without_helper(),
    ):
        yield


def compile_games(games: Sequence[str], strategies: Sequence[str]) -> None:
    """Compile games into the cache; runs in the helper process."""
    for game in games:
        for name in strategies:
            with background.run_as_helper():
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
