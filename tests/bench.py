"""Prints how fast each game is played, compiled and started on this machine: `make bench`.

    python -m tests.bench [GAME ...]

The first three figures are CPU time, which other work on the machine hardly changes. Only the gain of a second thread
is measured by the clock, so it needs two idle cores.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

from tests.floors import TURN_SECONDS, TURNS, Racer, list_games, open_version

TWO_THREADS = """
import json, sys, time
from hardmode.scenarios.load import load_scenario
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.run import make_engine
scenario, player, games, turns = sys.argv[1:]
engine = make_engine(load_scenario(scenario, strategies=[player]).cells[0])
def measure(threads):
    start = time.perf_counter()
    Runner(engine, 7, threads=threads).run(RunState(Tally(engine.game)), int(games))
    return time.perf_counter() - start
measure(2)
print(json.dumps([measure(1) / measure(2) for _ in range(int(turns))]))
"""


def bench(scenario: str, player: str) -> None:
    """Print the figures of one game."""
    with open_version() as version:
        compiling = version.measure_cpu("tests/racer.py", scenario, player)
        command = ("-m", "hardmode", "run", scenario, "--strategy", player, "--games", "1", "--json")
        version.measure_cpu(*command)
        commands = [version.measure_cpu(*command) for _ in range(3)]
        racer = Racer(version, scenario, player)
        games = racer.count_games(TURN_SECONDS)
        paces = [games / racer.play(turn * games, games)["seconds"] for turn in range(TURNS)]
        racer.close()
        words = (scenario, player, str(10 * games), "5")
        done = version.start("-c", TWO_THREADS, *words, stdout=subprocess.PIPE, text=True)
        gains = json.loads(done.communicate()[0])
    print(f"{scenario}, played by {player}")
    print(f"  {statistics.median(paces):,.0f} games per second of one thread ({min(paces):,.0f} .. {max(paces):,.0f})")
    print(f"  {compiling:.1f} s until everything is compiled")
    print(f"  {statistics.median(commands):.2f} s for a command that plays one game")
    print(f"  x {statistics.median(gains):.2f} on two threads, by the clock ({min(gains):.2f} .. {max(gains):.2f})")


if __name__ == "__main__":
    for name, asked in list_games().items():
        if name in (sys.argv[1:] or [name]):
            bench(**asked)
