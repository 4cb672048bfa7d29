"""make bench: how fast every game is played, and where the time goes.

    python -m tests.bench [GAME ...] [--cold] [--long]

Each figure comes from processes with a warm cache, as users have it; --cold also measures compilation
from an empty cache, --long plays ten million games and reports the memory. Then who plays: the rate and the pace of
each rung of the ladder, the playouts of search, the generations of training, and what a minute of it reaches.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from hardmode.sim import contract
from hardmode.sim.contract import discovery

ROOT = Path(__file__).parent.parent
SECONDS = 6.0
MINUTE = 60.0  # of training


def in_process(code: str, **env: str) -> Any:
    """Run a piece of Python in a process of its own; it prints one JSON value last."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env={**os.environ, **env}, check=False
    )
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


PLAY = """
import json, resource, time
from hardmode.studies.core.run import make_engine as engine
from hardmode.scenarios.load import load_scenario as load
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.tally import Tally
cell = load({name!r}, strategies=['steady']).cells[0]
made = engine(cell)
def played(games, threads, first):
    runner = Runner(made, 7, threads=threads)
    runner.run(RunState(Tally(cell.game)), 64 * threads, first=10**9)
    start = time.perf_counter()
    out = runner.run(RunState(Tally(cell.game)), games, first=first)
    return time.perf_counter() - start, out.tally
tried, seconds = 64, 0.0
while seconds < 0.3:  # a short trial measures the start of the threads
    tried *= 4
    seconds, _ = played(tried, 1, 0)
games = max(64, min({most}, int(tried * {seconds} / seconds)))
seconds, tally = played(games, {threads}, 0)
print(json.dumps(dict(games=games, seconds=seconds, decisions=tally.decisions, options=tally.offered,
                      steps=tally.steps, mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)))
"""

UNCOMPILED = """
import json, time
from hardmode.studies.core.run import make_engine as engine
from hardmode.scenarios.load import load_scenario as load
from hardmode.sim.play.workspace import Workspace, allocate_rows
cell = load({name!r}, strategies=['steady']).cells[0]
made, desk = engine(cell), Workspace(cell.game)
start, n = time.perf_counter(), 0
while n < 2 or time.perf_counter() - start < 5:
    made.play(desk, 7, n, n + 1, allocate_rows(cell.game, 1))
    n += 1
print(json.dumps(n / (time.perf_counter() - start)))
"""

COLD = """
import json, time
start = time.perf_counter()
from hardmode.studies.core.run import make_engine as engine
from hardmode.scenarios.load import load_scenario as load
import hardmode.sim.compile.cache
engine(load({name!r}, strategies=['steady']).cells[0])
print(json.dumps(dict(total=time.perf_counter() - start, parts=hardmode.sim.compile.cache.compiled_entries)))
"""


LADDER = """
import json, os, time
from hardmode.scenarios.load import load_scenario as load
from hardmode.sim.play.workspace import ROLLOUTS
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.sim.play.run import Runner, RunState
from hardmode.sim.results.tally import Tally
from hardmode.strategies import registry
from hardmode.studies.core import skill_levels
from hardmode.studies.core.metric import estimate_win_rate
from hardmode.studies.core.run import make_engine as engine
from hardmode.scenarios.load import StrategySpec
from dataclasses import replace
cell, found = load({name!r}).cells[0], {{}}
for rung in skill_levels.SKILL_LEVELS:
    if rung not in registry.list_strategies(cell.game.name):
        continue
    strategies = skill_levels.seat_strategy(cell, StrategySpec(rung))
    made, desk, n = engine(replace(cell, strategies=strategies)), Workspace(cell.game), 1
    made.play(desk, 8, 0, 1, allocate_rows(cell.game, 1))
    desk.totals[:], took = 0, 0.0
    while took < 0.5:
        n, start = 2 * n, time.thread_time()
        desk.totals[:] = 0
        made.play(desk, 8, 0, n, allocate_rows(cell.game, n))
        took = time.thread_time() - start
    each, playouts = n / took, int(desk.totals[ROLLOUTS]) / took
    games = max(10, int(each * {seconds}))
    played, start = RunState(Tally(cell.game)), time.perf_counter()
    Runner(made, 7).run(played, games)
    rate = estimate_win_rate(played.tally)
    found[rung] = dict(games=games, rate=rate.value, low=rate.low, high=rate.high, each=each, playouts=playouts,
                       both=games / (time.perf_counter() - start))
print(json.dumps(found))
"""

TRAIN = """
import json, time
from hardmode.scenarios.load import load_scenario as load
from hardmode.studies.training.train import train
looks = [time.perf_counter()]
made = train(load({name!r}, strategies=["steady"]), "steady", seconds={seconds},
             progress=lambda what, *_: looks.append(time.perf_counter()) if what.startswith("generation") else None)
print(json.dumps(dict(start=made.start.value, rate=made.rate.value, low=made.rate.low, high=made.rate.high,
                      generations=made.generations, games=made.games,
                      pace=(len(looks) - 1) / max(looks[-1] - looks[0], 1e-9))))  # what begins it is counted, too
"""


def who_plays(name: str) -> None:
    """Every rung's rate and pace, and what training reaches; where seats compete, of the first against `steady`."""
    for rung, x in in_process(LADDER.format(name=name, seconds=SECONDS)).items():
        spent = f"   {x['playouts']:,.0f} playouts/s" if x["playouts"] else ""
        print(
            f"  {rung:21} {100 * x['rate']:10.1f} %  ({100 * x['low']:.1f} .. {100 * x['high']:.1f}, {x['games']:,} "
            f"games)   {x['each']:,.1f} games/s a thread, {x['both']:,.1f} on all{spent}"
        )
    found = in_process(TRAIN.format(name=name, seconds=MINUTE))
    print(
        f"  {MINUTE:.0f} s of training    {100 * found['rate']:10.1f} %  ({100 * found['low']:.1f} .. "
        f"{100 * found['high']:.1f}), from {100 * found['start']:.1f} % with steady's weights, in "
        f"{found['generations']} generations, {found['pace']:.2f} a second"
    )


def bench(name: str, cold: bool, long: bool) -> None:
    print(f"\n{name}, strategy steady")
    one = in_process(PLAY.format(name=name, seconds=SECONDS, threads=1, most=10**7))
    rate = one["games"] / one["seconds"]
    print(f"  one thread            {rate:12,.0f} games/s   ({one['games']:,} games in {one['seconds']:.1f} s)")
    two = in_process(PLAY.format(name=name, seconds=SECONDS, threads=2, most=10**7))
    both = two["games"] / two["seconds"]
    print(f"  two threads           {both:12,.0f} games/s   {both / rate:.2f} times one")
    ns = 1e9 * one["seconds"]
    print(
        f"  decisions a game      {one['decisions'] / one['games']:12,.1f}   options a decision "
        f"{one['options'] / max(1, one['decisions']):.1f}   forced steps a game "
        f"{(one['steps'] - one['decisions']) / one['games']:.1f}"
    )
    print(
        f"  time a decision       {ns / max(1, one['decisions']):12,.0f} ns   an option "
        f"{ns / max(1, one['options']):,.0f} ns"
    )
    plain = in_process(UNCOMPILED.format(name=name), NUMBA_DISABLE_JIT="1")
    print(f"  uncompiled            {plain:12,.2f} games/s   compiled is {rate / plain:,.0f} times faster")
    print(f"  first result, warm    {first_result(name):12.2f} s from the start of the process")
    if cold:
        with tempfile.TemporaryDirectory() as folder:
            made = in_process(COLD.format(name=name), HARDMODE_CACHE=folder)
        parts = ", ".join(f"{re.sub(r'^.* ', '', part)} {s:.1f}" for part, s in made["parts"])
        print(f"  cold compilation      {made['total']:12.1f} s   ({parts})")
    who_plays(name)
    if long:
        much = in_process(PLAY.format(name=name, seconds=10**9, threads=2, most=10**7))
        print(f"  ten million games     {much['mb']:12,.0f} MB at most, in {much['seconds']:,.0f} s")


def first_result(name: str) -> float:
    """Seconds from the command to its answer, the best of three."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "hardmode", "run", name, "--strategy", "steady", "--games", "10", "--json"],
            cwd=ROOT,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("games", nargs="*", default=discovery.list_games())
    ask.add_argument("--cold", action="store_true", help="measure compilation too")
    ask.add_argument("--long", action="store_true")
    args = ask.parse_args()
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}")
    for game in args.games:
        bench(game if "/" in game else f"{game}/{contract.load_game(game).standard}", args.cold, args.long)


if __name__ == "__main__":
    main()
