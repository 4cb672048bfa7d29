"""Compiling games ahead of time, into the cache of machine code."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from queue import SimpleQueue
from types import CodeType
from typing import Any, NamedTuple

from hardmode.scenarios.load import Scenario, create_variant
from hardmode.scenarios.strategy import StrategySpec
from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.compile.cache import compiled_entries, estimate_compile_seconds, on_compile
from hardmode.sim.files.cache_folder import find_cache_root
from hardmode.sim.play import kernel
from hardmode.sim.play.cores import count_cores
from hardmode.sim.play.decisions import Rules, decide, decide_with_values
from hardmode.sim.play.hindsight.solver import compile_search, search_kernel
from hardmode.sim.play.rollouts import compile_rollouts, rollout_kernel
from hardmode.sim.play.rule_compiler import (
    compile_decide,
    compile_kernel,
    compile_rule,
    compile_strategy,
)
from hardmode.sim.records import PLAIN
from hardmode.strategies import registry
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.run import make_engine, make_player, play
from hardmode.studies.core.skill_levels import SKILL_LEVELS

COMPILE_GAMES = (
    "import json, sys; from hardmode.studies.core.precompile import compile_games; "
    "compile_games(*json.loads(sys.argv[1]))"
)
COMPILE_ENTRIES = (
    "import json, sys; from hardmode.studies.core.precompile import compile_entries; "
    "compile_entries(json.loads(sys.argv[1]))"
)
MIN_COST = 0.05  # seconds of CPU time of any function


@contextlib.contextmanager
def precompile_in_background(
    scenarios: Sequence[Scenario], strategies: Sequence[str] = SKILL_LEVELS
) -> Iterator[None]:
    """Compile all games but the first in a second process while the first is compiled and played.

    It is started when something must be compiled. The processes share the cache of machine code.
    Where one needs what the other is compiling, it waits; what the second has not begun when the
    first needs it, the first compiles itself.

    Args:
        scenarios: What will be played, in this order.
        strategies: Names of the strategies to compile for each game; by default all skill levels.
    """
    games = list(dict.fromkeys(scenario.game.name for scenario in scenarios))
    if len(games) < 2 or PLAIN or count_cores() < 2 or find_cache_root() is None:
        yield
        return
    processes: list[subprocess.Popen] = []

    def start_once(name: str, seconds: float) -> None:
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
    """Start a process that runs `compile_games`."""
    return _start_process(COMPILE_GAMES, [games, strategies], subprocess.DEVNULL)


def _start_process(code: str, arguments: Any, stdout: int) -> subprocess.Popen:
    """Start a process that compiles, in a process group without the user's Ctrl-C."""
    return subprocess.Popen(
        [sys.executable, "-c", code, json.dumps(arguments)],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
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


class EntryPoint(NamedTuple):
    """A function that must be compiled before a game can be played.

    Attributes:
        function: The function in plain Python.
        compile: Compiles it, or loads it from the cache.
    """

    function: Callable
    compile: Callable[[], object]


def list_entry_points(game: str) -> dict[str, EntryPoint]:
    """Return what must be compiled for all commands and all strategies of a game, by name.

    Only the functions that count results are missing, which serve all games.
    """
    definition = load_labeled_game(game)
    entries = {
        "play": EntryPoint(kernel.play, partial(compile_kernel, definition)),
        "decide": EntryPoint(decide, partial(compile_decide, definition, decide)),
        "rollouts": EntryPoint(rollout_kernel, partial(compile_rollouts, definition)),
        "hindsight": EntryPoint(search_kernel, partial(compile_search, definition)),
    }
    for part in Rules._fields:
        compile_part = partial(compile_rule, definition, part)
        entries[part] = EntryPoint(getattr(definition, part), compile_part)
    players: dict[Callable, str] = {}  # by function, which several strategies may have in common
    for name in registry.list_strategies(game):
        player = make_player(game, StrategySpec(name))
        players.setdefault(player.choose, name)
        if player.values:
            compile_part = partial(compile_decide, definition, decide_with_values)
            entries["decide_with_values"] = EntryPoint(decide_with_values, compile_part)
    for choose, name in players.items():
        compile_player = partial(compile_strategy, definition, choose)
        entries[f"strategy {name}"] = EntryPoint(choose, compile_player)
    return entries


def precompile_games(
    games: Sequence[str], progress: Progress = ignore_progress, processes: int = 0
) -> list[dict[str, Any]]:
    """Compile games with all their strategies, the counting of results and rollouts.

    As soon as something must be compiled, several processes compile all that is missing.

    Args:
        games: The names of the games.
        progress: Callback for progress.
        processes: The number of processes; 0 for one per core.

    Returns:
        For each game its name, the number of functions compiled, and the seconds it took.
    """
    processes = processes or count_cores()
    compiled: dict[str, list[float]] = {game: [] for game in games}
    is_started = PLAIN or processes < 2 or find_cache_root() is None

    def start_once(name: str, seconds: float) -> None:
        nonlocal is_started
        if not is_started:
            is_started = True
            for game, taken in _compile_in_processes(games, processes, progress):
                compiled[game].append(taken)

    for game in games:
        already_compiled = len(compiled_entries)
        with on_compile(start_once):
            _compile_game(game)
        compiled[game] += [seconds for _, seconds in compiled_entries[already_compiled:]]
    return [
        {"game": game, "compiled": len(seconds), "seconds": round(sum(seconds), 1)}
        for game, seconds in compiled.items()
    ]


def _compile_game(game: str) -> None:
    """Compile, or load, everything that the commands need for a game."""
    for entry in list_entry_points(game).values():
        entry.compile()
    play(create_variant(game), games=2, threads=1)


def _compile_in_processes(
    games: Sequence[str], processes: int, progress: Progress
) -> Iterator[tuple[str, float]]:
    """Compile games in several processes; yield a game and seconds for each function compiled.

    Each process gets neighbours in the list, which have much code in common.
    """
    costs: dict[tuple[str, str], float] = {}
    codes: set[CodeType] = set()
    for game in games:
        for name, entry in list_entry_points(game).items():
            costs[game, name] = estimate_compile_seconds(entry.function, codes) + MIN_COST
    shares: list[list[tuple[str, str]]] = [[] for _ in range(processes)]
    whole = sum(costs.values())
    planned = done = 0.0
    for task, cost in costs.items():
        middle = planned + cost / 2
        shares[int(processes * middle / whole)].append(task)
        planned += cost
    for game, name, seconds in _run_compilers(shares):
        done += costs[game, name]
        progress(f"{game} {name}", done / whole)
        if seconds:
            yield game, seconds


def _run_compilers(shares: Sequence[list[tuple[str, str]]]) -> Iterator[tuple[str, str, float]]:
    """Run a process for each share; yield game, name and seconds of each function that is done."""
    lines: SimpleQueue[bytes] = SimpleQueue()

    def read_lines(process: subprocess.Popen) -> None:
        for line in process.stdout or ():
            lines.put(line)
        lines.put(b"")

    started = [_start_process(COMPILE_ENTRIES, share, subprocess.PIPE) for share in shares]
    try:
        for process in started:
            threading.Thread(target=read_lines, args=[process], daemon=True).start()
        for _ in started:
            for line in iter(lines.get, b""):
                yield json.loads(line)
    finally:
        for process in started:
            process.terminate()
            process.wait()


def compile_entries(tasks: Sequence[tuple[str, str]]) -> None:
    """Compile functions, given by game and name; print a line of JSON for each that is done.

    The process that waits for them reports what fails.
    """
    entries = {game: list_entry_points(game) for game, _ in tasks}
    for game, name in tasks:
        already_compiled = len(compiled_entries)
        with contextlib.suppress(Exception):
            entries[game][name].compile()
        seconds = sum(seconds for _, seconds in compiled_entries[already_compiled:])
        print(json.dumps([game, name, seconds]), flush=True)
