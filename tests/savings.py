"""What each measure of search saves: the rate and the pace with each of them left out in turn.

    python -m tests.savings vengeance/solo-medium --strategy search:48:steady --games 400
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from typing import Any

import numpy as np

from hardmode.scenarios.load import load
from hardmode.sim.draws import GOLD, mix64
from hardmode.sim.play import decisions
from hardmode.sim.play.engine import Desk, columns
from hardmode.sim.play.workspace import PLAYOUTS
from hardmode.sim.records import rule
from hardmode.studies.core import run
from hardmode.studies.stats import estimates, formatting


@rule
def apart(box, desk, rules, careless, seats, seat, first, left, worlds, world, limit):
    """As `compete`, but every option is tried in worlds of its own."""
    for w in range(1, worlds + 1):
        key = mix64(world + np.uint64(w) * GOLD)
        par = decisions.trial(box, desk, rules, careless, seats, seat, first, key, limit)
        for j in range(left):
            i = desk.lists[2][j]
            own = mix64(key + np.uint64(i + 1))
            gain = decisions.trial(box, desk, rules, careless, seats, seat, i, own, limit) - par
            desk.gains[i] += gain
            desk.squares[i] += gain * gain


@rule
def better_half(rivals, left, gains):
    """As `staying`, but whoever gains nothing stays too."""
    return left - left // 2


LEFT_OUT: dict[str, dict[str, Any]] = {
    "as it is": {}, "worlds of their own": {"compete": apart}, "who gains nothing stays": {"staying": better_half},
    "no second look": {"AGAIN": 0}, "any gain will do": {"LIKELY": 1e-9, "SURE": 1e-9}}


def measured(name: str, strategy: str, games: int) -> str:
    cell = load(name, strategies=[strategy]).cells[0]
    made, desk = run.engine(cell), Desk(cell.game)
    made.play(desk, 7, 0, 1, columns(cell.game, 1))
    rows, start = columns(cell.game, games), time.thread_time()
    desk.totals[:] = 0
    made.play(desk, 7, 0, games, rows)
    took = time.thread_time() - start
    won = estimates.rate(int((np.asarray(rows)[2] & 1).sum()), games)
    spent = int(desk.totals[PLAYOUTS]) / games
    return f"{formatting.rate(won):25}{games / took:10.2f} games/s of a thread{spent:10,.0f} playouts a game"


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("scenario")
    ask.add_argument("--strategy", default="expert")
    ask.add_argument("--games", type=int, default=400)
    ask.add_argument("--only", choices=list(LEFT_OUT))
    args = ask.parse_args()
    if args.only:
        for part, other in LEFT_OUT[args.only].items():
            setattr(decisions, part, other)
        print(f"{args.only:25}{measured(args.scenario, args.strategy, args.games)}")
        return
    for name in LEFT_OUT:  # each in a process of its own, which compiles it
        subprocess.run([sys.executable, "-m", "tests.savings", *sys.argv[1:], "--only", name], check=True)


if __name__ == "__main__":
    main()
