"""Measure what playing on a cluster costs: `python -m tests.bench_cluster [SCENARIO]`.

It prints two results:

1. The speed-up: the wall time of the same games in one process on one core, and on two worker processes
   of this machine. Both are measured in turn, several times. Starting the processes and compiling or
   loading the game are not part of these times; they are printed separately.
2. The CPU time that the scheduler and the command need for a task, and the number of workers for which
   that is enough. This part of the work does not get faster with more workers.

Run it on a machine with two idle cores. Other programs change the wall time much and the CPU time little, so
the speed-up is also computed from the CPU time of the games.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import psutil
from distributed import as_completed

from hardmode.scenarios.load import load_scenario
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.tally import Tally
from hardmode.studies.cluster import backend
from hardmode.studies.cluster.connection import use_cluster
from hardmode.studies.core.run import make_engine

WORKERS = 2
TASKS_IN_FLIGHT = 100  # empty tasks that are sent before the first result is awaited
TRIAL_GAMES = 20_000  # whose duration decides how many games are played
WARM_UP_CHUNKS, WARM_UP_CHUNK_GAMES = 8, 8  # small, so that each worker gets some of them
WARM_UP_FIRST_GAME = 10**9  # far from the games that are measured


class Measurement(NamedTuple):
    """Seconds that some games took.

    Attributes:
        startup: Wall time before the games: starting processes, and compiling or loading the game.
        wall: Wall time of the games.
        play_cpu: CPU time of the processes that played.
        other_cpu: CPU time of this process while others played; 0 if this process played.
    """

    startup: float
    wall: float
    play_cpu: float
    other_cpu: float


def get_cpu_seconds() -> float:
    """Return the CPU seconds of this process so far."""
    times = psutil.Process().cpu_times()
    return times.user + times.system


def play_games(engine: Engine, games: int) -> None:
    """Play games with the current backend, or with one thread of this process."""
    Runner(engine, seed=1, threads=1).run(RunState(Tally(engine.game)), games)


def warm_up(engine: Engine) -> None:
    """Play a few games, so that everything is compiled and loaded."""
    games = WARM_UP_CHUNKS * WARM_UP_CHUNK_GAMES
    runner = Runner(engine, seed=1, threads=1, chunk=WARM_UP_CHUNK_GAMES)
    runner.run(RunState(Tally(engine.game)), games, first=WARM_UP_FIRST_GAME)


@contextmanager
def use_one_core() -> Iterator[None]:
    """Run this thread, and those that it starts, on one core, where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def measure_one_process(engine: Engine, games: int) -> Measurement:
    """Play games in this process, on one core."""
    with use_one_core():
        created = time.perf_counter()
        warm_up(engine)
        started, cpu = time.perf_counter(), get_cpu_seconds()
        play_games(engine, games)
        ended = time.perf_counter()
    return Measurement(started - created, ended - started, get_cpu_seconds() - cpu, 0.0)


def measure_workers(engine: Engine, games: int) -> Measurement:
    """Play games on worker processes of this machine."""
    created = time.perf_counter()
    with use_cluster(f"local:{WORKERS}") as client:
        client.wait_for_workers(WORKERS)
        warm_up(engine)
        workers_cpu = sum(client.run(get_cpu_seconds).values())
        started, cpu = time.perf_counter(), get_cpu_seconds()
        play_games(engine, games)
        ended, own_cpu = time.perf_counter(), get_cpu_seconds() - cpu
        workers_cpu = sum(client.run(get_cpu_seconds).values()) - workers_cpu
    return Measurement(started - created, ended - started, workers_cpu, own_cpu)


def return_content(number: int, content: bytes) -> bytes:
    """Return what was sent: a task without games."""
    return content


def measure_task_cost(tasks: int, size: int) -> float:
    """Return the CPU seconds that scheduler and client, which share this process, need for a task.

    Args:
        tasks: The number of tasks.
        size: The bytes that a task carries, and its result.
    """
    with use_cluster(f"local:{WORKERS}") as client:
        content = bytes(size)
        completed = as_completed(loop=client.loop)
        cpu = get_cpu_seconds()
        for number in range(tasks):
            completed.add(client.submit(return_content, number, content, pure=False))
            if number >= TASKS_IN_FLIGHT:
                next(completed).result()
        for future in completed:
            future.result()
        return (get_cpu_seconds() - cpu) / tasks


def print_measurement(name: str, seconds: Measurement) -> None:
    """Print one line of the table of the speed-up."""
    print(f"  {name:22} {seconds.wall:9.1f} s {seconds.play_cpu:12.1f} s {seconds.other_cpu:12.1f} s "
          f"{seconds.startup:9.1f} s")


def print_speed_up(scenario: str, seconds: float, rounds: int) -> None:
    """Measure and print how much faster two workers are than one process."""
    engine = make_engine(load_scenario(scenario).cells[0])
    trial = measure_one_process(engine, TRIAL_GAMES)
    games = int(TRIAL_GAMES * seconds / trial.play_cpu)
    print(f"{scenario}: {games:,} games, about {seconds:g} seconds of play on one core, {rounds} rounds")
    print(f"  {'':22} {'wall time':>11} {'CPU of games':>14} {'CPU of rest':>14} {'start-up':>11}")
    pairs = []
    for _ in range(rounds):
        one, two = measure_one_process(engine, games), measure_workers(engine, games)
        print_measurement("one process, one core", one)
        print_measurement("two workers", two)
        pairs.append((one, two))
    speed_ups = [one.wall / two.wall for one, two in pairs]
    cpu_speed_up = statistics.median(WORKERS * one.play_cpu / two.play_cpu for one, two in pairs)
    listed = ", ".join(f"{speed_up:.2f}" for speed_up in speed_ups)
    print(f"SPEED-UP BY WALL TIME: two workers are {statistics.median(speed_ups):.2f} times as fast as one process "
          f"(median of {listed}; start-up is not included)")
    print(f"By the CPU time that a game takes, on two idle cores it would be {cpu_speed_up:.2f}.")


def print_task_cost(tasks: int) -> None:
    """Measure and print what a task costs, and how many workers that allows."""
    costs = {size: measure_task_cost(tasks, 1000 * size) for size in (1, 30)}
    for size, cost in costs.items():
        print(f"COST OF A TASK of {size} kB: {1000 * cost:.2f} ms of CPU time of scheduler and command together")
    cost = max(costs.values())
    few_workers = backend.TALLY_SECONDS / backend.SECONDS_PER_WORKER
    print(f"SCALES TO {backend.TALLY_SECONDS / cost:,.0f} WORKERS with tasks of {backend.TALLY_SECONDS:g} s: "
          "then scheduler and command are busy all the time.")
    print(f"With more than {few_workers:.0f} workers the tasks are longer, so that scheduler and command "
          f"are busy for {cost / backend.SECONDS_PER_WORKER:.0%} of the time.")


def main() -> None:
    """Print both results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", nargs="?", default="run_run_run/standard")
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds of play on one core, 60 by default")
    parser.add_argument("--rounds", type=int, default=3, help="how often both are measured, 3 times by default")
    parser.add_argument("--tasks", type=int, default=2000, help="tasks without games, 2000 by default")
    options = parser.parse_args()
    print_task_cost(options.tasks)
    print_speed_up(options.scenario, options.seconds, options.rounds)


if __name__ == "__main__":
    main()
