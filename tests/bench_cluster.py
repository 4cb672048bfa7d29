"""Measure what playing on a cluster costs: `python -m tests.bench_cluster [SCENARIO]`.

Three measurements with worker processes on this machine:

1. The CPU time of a task without games, in the scheduler and in the client. These are the parts that
   do not get faster with more workers.
2. The same games in this process and on one and two workers, several times in turn: seconds by the clock,
   and CPU seconds of all workers.
3. What follows for larger clusters: the number of workers at which scheduler and client are busy all the
   time, and how busy they are with the length of tasks that `studies/cluster/backend.py` chooses.

Other programs on the machine change the clock but hardly the CPU time, so that both are printed.
"""

from __future__ import annotations

import argparse
import statistics
import time
from contextlib import closing

import psutil
from distributed import as_completed

from hardmode.scenarios.load import load_scenario
from hardmode.sim.play import backends
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.tally import Tally
from hardmode.studies.cluster import backend
from hardmode.studies.cluster.backend import DaskBackend
from hardmode.studies.cluster.connection import ClusterConnection
from hardmode.studies.core.run import make_engine

IN_FLIGHT = 100  # empty tasks
WARM_UP_GAMES = 64  # for each worker, far from the games that are measured
WARM_UP_FIRST = 10**9


def measure_cpu_seconds() -> float:
    """Return the CPU seconds of this process so far."""
    times = psutil.Process().cpu_times()
    return times.user + times.system


def do_nothing(number: int, content: bytes) -> bytes:
    """Return what was sent."""
    return content


def measure_task_cost(tasks: int, size: int) -> float:
    """Return the CPU seconds that scheduler and client, which share this process, need for a task.

    Args:
        tasks: The number of tasks.
        size: The bytes that a task and its result carry.
    """
    with closing(ClusterConnection("local:2")) as connection:
        client = connection.client
        content = bytes(size)
        started = measure_cpu_seconds()
        completed = as_completed(loop=client.loop)
        for number in range(tasks):
            completed.add(client.submit(do_nothing, number, content, pure=False))
            if number >= IN_FLIGHT:
                next(completed).result()
        for future in completed:
            future.result()
        return (measure_cpu_seconds() - started) / tasks


def play_games(engine: Engine, games: int, first: int = 0) -> None:
    """Play games with the current backend."""
    Runner(engine, 1, threads=1).run(RunState(Tally(engine.game)), games, first=first)


def measure_here(engine: Engine, games: int) -> dict[str, float]:
    """Return the seconds by the clock and of CPU that one thread of this process needs."""
    play_games(engine, WARM_UP_GAMES, WARM_UP_FIRST)
    started, cpu = time.perf_counter(), measure_cpu_seconds()
    play_games(engine, games)
    return {"clock": time.perf_counter() - started, "workers": 0.0, "client": measure_cpu_seconds() - cpu}


def measure_cluster(engine: Engine, games: int, workers: int) -> dict[str, float]:
    """Return the seconds by the clock, of CPU of all workers, and of CPU of scheduler and client."""
    with closing(ClusterConnection(f"local:{workers}")) as connection:
        client = connection.client
        client.wait_for_workers(workers)
        with backends.use_backend(DaskBackend(connection)):
            play_games(engine, WARM_UP_GAMES * workers, WARM_UP_FIRST)
            before = sum(client.run(measure_cpu_seconds).values())
            started, cpu = time.perf_counter(), measure_cpu_seconds()
            play_games(engine, games)
            clock, own = time.perf_counter() - started, measure_cpu_seconds() - cpu
            played = sum(client.run(measure_cpu_seconds).values()) - before
    return {"clock": clock, "workers": played, "client": own}


def main() -> None:
    """Print all measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario", nargs="?", default="run_run_run/standard")
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU seconds of play of one thread")
    parser.add_argument("--rounds", type=int, default=3, help="how often everything is measured, in turn")
    parser.add_argument("--tasks", type=int, default=2000, help="empty tasks")
    asked = parser.parse_args()

    costs = [measure_task_cost(asked.tasks, size) for size in (1_000, 30_000)]
    for size, cost in zip(("1 kB", "30 kB"), costs, strict=True):
        print(f"a task of {size}: {1000 * cost:.2f} ms of CPU time of scheduler and client together")

    engine = make_engine(load_scenario(asked.scenario).cells[0])
    probe = measure_here(engine, 2000)
    games = int(2000 * asked.seconds / probe["client"])
    print(f"{asked.scenario}, {games:,} games, {asked.rounds} rounds")
    ratios, cpu_ratios = [], []
    for _ in range(asked.rounds):
        here = measure_here(engine, games)
        one, two = (measure_cluster(engine, games, workers) for workers in (1, 2))
        ratios.append(one["clock"] / two["clock"])
        cpu_ratios.append(2 * one["workers"] / two["workers"])
        for name, seconds in (("one thread, no cluster", here), ("one worker", one), ("two workers", two)):
            print("  {}: {clock:.1f} s by the clock; CPU: workers {workers:.1f} s, this process {client:.1f} s"
                  .format(name, **seconds))
    listed = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"two workers are {listed} times as fast as one by the clock (median {statistics.median(ratios):.2f}),")
    print(f"and {statistics.median(cpu_ratios):.2f} times by the CPU time that a game takes")

    cost, workers = max(costs), 1 / backend.SECONDS_PER_WORKER
    print(f"tasks of {backend.TALLY_SECONDS:g} s keep scheduler and client fully busy with {1 / cost:,.0f} workers;")
    print(f"with more than {workers:.0f}, whose tasks are longer, they are busy for {cost * workers:.0%} of the time")


if __name__ == "__main__":
    main()
