"""Checks of games as they are played: compiled, in large numbers, and reproducibly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import astuple
from functools import partial

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim import replay
from hardmode.sim.compile import source_location
from hardmode.sim.contract import ENDING
from hardmode.sim.draws import BITS, DECISION, LOG_CAPACITY, UNIT, below
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.sim.play.workspace import REAL, Workspace, allocate_rows
from hardmode.sim.records import is_builtin_code, readable
from hardmode.studies.conformance.game_under_test import (
    SEED,
    ConformanceError,
    GameUnderTest,
    add_context,
    describe_game_step,
    play_test_games,
    require,
)
from hardmode.studies.conformance.trace import check_row, find_shared_addresses
from hardmode.studies.conformance.variants import generate_unusual_variants

BLOCK = 50  # games that are played between checks of rows
INTERPRETED_GAMES = 2
LOGGED_GAMES = 50
STRATEGY_GAMES = 8
ADDRESS_GAMES = 10
SEARCH_STRATEGY = "search:2"
# Program of a process that plays with checked indices, and prints counts or a message.
CHECKED_PROGRAM = """
import json
from hardmode.studies.conformance.compiled import {function}
from hardmode.studies.conformance.game_under_test import (
    ConformanceError, GameCounts, GameUnderTest
)
try:
    answer = {function}(GameUnderTest.load({name!r}, GameCounts{counts}))
except ConformanceError as error:
    answer = str(error)
print(json.dumps(answer))
"""


def distinct_options_player(box, table, own, options, n, luck, weights):  # type: ignore[no-untyped-def]
    """Choose any legal option, and fail if an option is listed twice."""
    for i in range(n):
        for j in range(i):
            if options[i] == options[j]:
                raise ValueError("an option is listed twice")
    return below(luck, 0, 0, 0, 0, n)


def count_random_endings(game_under_test: GameUnderTest) -> list[int]:
    """Return how often random games of every variant ended in each way.

    Raises:
        ConformanceError: A game violates the contract.
    """
    variants = game_under_test.variants
    games = max(BLOCK, game_under_test.counts.random // len(variants))
    return _count_endings(game_under_test, variants, games)


def count_unusual_endings(game_under_test: GameUnderTest) -> list[int]:
    """Return how often random games in unusual boxes ended in each way.

    Raises:
        ConformanceError: A game violates the contract.
    """
    variants = generate_unusual_variants(game_under_test.name, game_under_test.counts.boxes)
    return _count_endings(game_under_test, variants, BLOCK)


def _count_endings(
    game_under_test: GameUnderTest, variants: Iterable[Variant], games: int
) -> list[int]:
    game = game_under_test.game
    counts = [0] * len(game_under_test.game.all_endings)
    player = Player("random", distinct_options_player, (), 0, "random")
    for variant in variants:
        engine = game_under_test.make_engine(variant, player)
        workspace = Workspace(game)
        for first in range(0, games, BLOCK):
            rows = allocate_rows(game, BLOCK)
            with add_context(variant, "random"):
                engine.play(workspace, SEED, first, first + BLOCK, rows, log=True)
            seats = int(readable(workspace.tables, REAL).seats)  # a player alone may lead two
            for number, row in enumerate(np.asarray(rows).T, first):
                with add_context(variant, "random", partial(describe_game_step, number)):
                    check_row(game, row.astype(np.int64), seats)
                if row[ENDING] >= 0:
                    counts[row[ENDING]] += 1
    return counts


def check_random_games(game_under_test: GameUnderTest) -> None:
    """Check that random games list valid options, stay within arrays, and end before the cap."""
    endings = _run_with_index_checks(game_under_test, count_random_endings)
    require(
        endings[-1] == 0,
        f"{endings[-1]} of {sum(endings)} random games reach the cap of "
        f"{game_under_test.game.max_decisions} decisions",
    )


def check_unusual_boxes(game_under_test: GameUnderTest) -> None:
    """Check that rules stay within arrays for unusual numbers in the box."""
    _run_with_index_checks(game_under_test, count_unusual_endings)


def _run_with_index_checks(
    game_under_test: GameUnderTest, function: Callable[[GameUnderTest], list[int]]
) -> list[int]:
    """Run a function with checks of array indices.

    Shipped games are compiled without these checks, so they are played in a process of their own,
    where negative indices are invalid as well. Other games are always checked.
    """
    if not is_builtin_code(source_location.get_py_func(game_under_test.game.setup)):
        return function(game_under_test)
    program = CHECKED_PROGRAM.format(
        function=function.__name__,
        name=game_under_test.name,
        counts=astuple(game_under_test.counts),
    )
    process = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "HARDMODE_CHECK_INDICES": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        lines = process.stderr.strip().splitlines()
        raise ConformanceError(lines[-1] if lines else "the process with index checks died")
    answer = json.loads(process.stdout.splitlines()[-1])
    if isinstance(answer, str):
        raise ConformanceError(answer)
    return answer


def check_compiled_games(game_under_test: GameUnderTest) -> None:
    """Check that compiled games equal games in plain Python."""
    game = game_under_test.game
    n = INTERPRETED_GAMES
    for variant in game_under_test.variants:
        for name in ("random", "steady"):
            engine = game_under_test.make_engine(variant, name)
            rows = allocate_rows(game, n)
            with add_context(variant, name):
                engine.play_interpreted(Workspace(game, plain=True), SEED, 0, n, rows)
                compiled = play_test_games(engine, n)
                _require_equal(
                    engine, np.asarray(rows), compiled, "in plain Python and if compiled"
                )


def check_log(game_under_test: GameUnderTest) -> None:
    """Check that the log changes no game."""
    for variant in game_under_test.variants:
        with add_context(variant, "steady"):
            engine = game_under_test.make_engine(variant)
            rows = play_test_games(engine, LOGGED_GAMES)
            logged_rows = play_test_games(engine, LOGGED_GAMES, log=True)
            _require_equal(engine, rows, logged_rows, "with the log off and on")


def _require_equal(engine: Engine, rows: np.ndarray, other: np.ndarray, how: str) -> None:
    """Check that two tables of rows are equal, or name the first difference."""
    differences = np.argwhere(rows.T != other.T)
    if len(differences):
        number, column = differences[0]
        raise ConformanceError(
            f"{engine.game.columns[column]} is {rows[column, number]} and "
            f"{other[column, number]} {how}; {describe_game_step(number)}"
        )


def check_draw_addresses(game_under_test: GameUnderTest) -> None:
    """Check that no two draws of a game share an address, and that the log is large enough."""
    game = game_under_test.game
    for variant in game_under_test.variants:
        for name in ("random", "steady"):
            engine = game_under_test.make_engine(variant, name)
            workspace = Workspace(game)
            rows = allocate_rows(game, 1)
            for number in range(ADDRESS_GAMES):
                with add_context(variant, name, partial(describe_game_step, number)):
                    engine.play(workspace, SEED, number, number + 1, rows, log=True)
                    n_logged = workspace.lucks.view(np.ndarray)["log_n"][REAL]
                    message = (
                        f"there are more draws and decisions than the log holds ({LOG_CAPACITY})"
                    )
                    require(n_logged <= LOG_CAPACITY, message)
                    _check_draws(game_under_test, replay.logged(workspace))


def _check_draws(game_under_test: GameUnderTest, log: np.ndarray) -> None:
    """Check the source, range and address of each logged draw."""
    sources = game_under_test.game.sources
    draws = log[log[:, 0] != DECISION]
    source = draws[:, 0]
    limit = draws[:, 4]
    result = draws[:, 5]
    unnamed = source[(source < 0) | (source >= len(sources))]
    require(not len(unnamed), f"a draw is from source {unnamed[:1]}, which has no name")
    limit = np.select([limit == BITS, limit == UNIT], [(1 << 63) - 1, 1 << 53], limit)
    require(((result >= 0) & (result < limit)).all(), "a draw is outside its range")
    shared = []
    for number, *address in find_shared_addresses(log):
        shared.append(f"{sources[number].name} {address}")
    require(not shared, f"two draws share an address: {', '.join(shared[:3])}")


def check_strategies(game_under_test: GameUnderTest) -> None:
    """Check that every strategy plays legally, and the same games twice."""
    variants = game_under_test.variants
    for variant in (variants[0], variants[-1]):
        for player in game_under_test.strategies:
            _check_repeated_games(game_under_test, variant, player, STRATEGY_GAMES)


def check_search(game_under_test: GameUnderTest) -> None:
    """Check that search plays legally, and the same game twice."""
    player = game_under_test.make_player(SEARCH_STRATEGY)
    _check_repeated_games(game_under_test, game_under_test.variants[0], player, 1)


def _check_repeated_games(
    game_under_test: GameUnderTest, variant: Variant, player: Player, games: int
) -> None:
    with add_context(variant, player.name):
        engine = game_under_test.make_engine(variant, player)
        first = play_test_games(engine, games)
        second = play_test_games(engine, games)
        _require_equal(engine, first, second, "when played twice")
