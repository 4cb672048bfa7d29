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

from hardmode.scenarios.load import load_scenario
from hardmode.sim.draws import GOLD, mix64
from hardmode.sim.play import decisions
from hardmode.sim.play.workspace import ROLLOUTS, Workspace, allocate_rows
from hardmode.sim.records import rule
from hardmode.studies.core import run
from hardmode.studies.stats import estimates, formatting


@rule
def apart(context, seat, default, n, rollouts, key):
    """As `evaluate_candidates`, but every option is tried in determinizations of its own."""
    workspace = context.workspace
    for w in range(1, rollouts + 1):
        trial_key = mix64(key + np.uint64(w) * GOLD)
        default_value = decisions.sample_option_value(context, seat, default, trial_key)
        for j in range(n):
            i = workspace.lists[2][j]
            own = mix64(trial_key + np.uint64(i + 1))
            gain = decisions.sample_option_value(context, seat, i, own) - default_value
            workspace.gains[i] += gain
            workspace.squared_gains[i] += gain * gain


@rule
def better_half(candidates, left, gains):
    """As `count_survivors`, but candidates without a gain stay too."""
    return left - left // 2


LEFT_OUT: dict[str, dict[str, Any]] = {
    "as it is": {},
    "worlds of their own": {"evaluate_candidates": apart},
    "who gains nothing stays": {"count_survivors": better_half},
    "no second look": {"CONFIRMATION_ROUNDS": 0},
}


def measured(name: str, strategy: str, games: int) -> str:
    cell = load_scenario(name, strategies=[strategy]).cells[0]
    made, desk = run.make_engine(cell), Workspace(cell.game)
    made.play(desk, 7, 0, 1, allocate_rows(cell.game, 1))
    rows, start = allocate_rows(cell.game, games), time.thread_time()
    desk.totals[:] = 0
    made.play(desk, 7, 0, games, rows)
    took = time.thread_time() - start
    won = estimates.wilson_rate(int((np.asarray(rows)[2] & 1).sum()), games)
    spent = int(desk.totals[ROLLOUTS]) / games
    return f"{formatting.format_rate(won):25}{games / took:10.2f} games/s of a thread{spent:10,.0f} playouts a game"


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
