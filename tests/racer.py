"""This version of hardmode, playing when it is asked: `python tests/racer.py SCENARIO PLAYER`.

It prints a JSON line when everything is compiled, and then one for each line `[first, games]` that it reads: the
seconds of its thread's CPU time, and the digest of the outcomes. `tests/floors.py` runs the racer of each version that
it compares, so every version must keep to these lines.
"""

from __future__ import annotations

import json
import sys
import time

from hardmode.scenarios.load import load_scenario
from hardmode.sim.compile.cache import compiled_entries
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.studies.core.run import make_engine

SEED = 7


def main(scenario: str, player: str) -> None:
    engine = make_engine(load_scenario(scenario, strategies=[player]).cells[0])
    workspace = Workspace(engine.game)
    print(json.dumps([name for name, _ in compiled_entries]), flush=True)
    for line in sys.stdin:
        first, games = json.loads(line)
        rows = allocate_rows(engine.game, games)
        workspace.digest[...] = 0
        start = time.thread_time()
        engine.play(workspace, SEED, first, first + games, rows)
        seconds = time.thread_time() - start
        print(json.dumps({"seconds": seconds, "digest": int(workspace.digest.flat[0])}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
