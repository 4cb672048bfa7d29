"""What a cluster costs, by processes of this machine: `python -m tests.bench_cluster` prints a line for each number of
them, the model that is fitted to these, and what it says of more workers.

Everything is CPU time, so that it holds on a machine that does other things as well; a worker's part is spread over the
workers, the client's is not.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from hardmode.scenarios.load import load_scenario
from hardmode.sim.play import backends
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.tally import Tally
from hardmode.studies.cluster import backend
from hardmode.studies.cluster.backend import DaskBackend
from hardmode.studies.cluster.connection import ClusterConnection
from hardmode.studies.core.run import make_engine


def cpu() -> float:
    """Seconds that a worker has worked."""
    import psutil

    times = psutil.Process().cpu_times()
    return times.user + times.system


def measured(scenario: str, games: int, workers: int) -> dict[str, float]:
    link = ClusterConnection(f"local:{workers}")
    tasks = 0
    try:
        with backends.use_backend(DaskBackend(link)):
            made = make_engine(load_scenario(scenario).cells[0])
            link.client.wait_for_workers(workers)
            runner = Runner(made, 1)
            started = sum(link.client.run(cpu).values()) / workers
            runner.run(RunState(Tally(made.game)), 64 * workers, first=10**9)
            warm = sum(link.client.run(cpu).values())
            here, begun = time.process_time(), time.perf_counter()

            def count(_: RunState) -> None:
                nonlocal tasks
                tasks += 1

            runner.run(RunState(Tally(made.game)), games, on_progress=count)
            return {"workers": workers, "tasks": tasks, "wall": time.perf_counter() - begun,
                    "client": time.process_time() - here, "start": started, "warm": warm / workers - started,
                    "played": sum(link.client.run(cpu).values()) - warm}
    finally:
        link.close()


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("scenario", nargs="?", default="run_run_run/standard")
    ask.add_argument("--games", type=int, default=200_000)
    ask.add_argument("--workers", default="1,2,4")
    asked = ask.parse_args()
    made = make_engine(load_scenario(asked.scenario).cells[0])
    Runner(made, 1, threads=1).run(RunState(Tally(made.game)), 64, first=10**9)
    begun = time.process_time()
    Runner(made, 1, threads=1).run(RunState(Tally(made.game)), asked.games)
    alone = time.process_time() - begun
    print(f"{asked.scenario}, {asked.games:,} games, seconds of CPU time")
    print(f"one thread, no cluster: {alone:.2f} ({1e6 * alone / asked.games:.1f} microseconds a game)")
    found = [measured(asked.scenario, asked.games, int(n)) for n in asked.workers.split(",")]
    for one in found:
        print("{workers:.0f} workers: {tasks:.0f} tasks; played {played:.2f} on all workers, {client:.2f} here; each "
              "worker {start:.2f} to start and {warm:.2f} to load what is compiled; {wall:.1f} by the clock"
              .format(**one))
    tasks, client = (np.array([one[k] for one in found]) for k in ("tasks", "client"))
    gather, fixed = np.polyfit(tasks, client, 1) if len(set(tasks)) > 1 else (client[0] / tasks[0], 0.0)
    game = float(np.mean([one["played"] for one in found])) / asked.games
    start = float(np.mean([one["start"] + one["warm"] for one in found]))
    print(f"fitted: {1e6 * game:.1f} microseconds a game on a worker, {1e3 * gather:.1f} ms a task here, {fixed:.2f} s "
          f"once, {start:.1f} s for a worker to begin")
    for total in (10**7, 10**9):
        for n in (1, 2, 4, 16, 100, 1000):
            work = total * game / n
            longest = max(backend.TALLY_SECONDS, n * backend.SECONDS_PER_WORKER)
            shortest = max(backend.MIN_SECONDS, n * backend.SECONDS_PER_WORKER / 8)
            task = max(min(longest, work / backend.TASKS_IN_FLIGHT), shortest)
            here = max(fixed, 0.0) + total * game / task * max(gather, 0.0)
            took = start + max(work, here) + task / backend.TASKS_IN_FLIGHT
            print(f"{total:,} games on {n:,} workers: {took:,.0f} s, {total * game / took:,.1f} times as fast as "
                  f"one alone; tasks of {task:.1f} s, this process busy for {here:,.0f} s of it")


if __name__ == "__main__":
    main()
