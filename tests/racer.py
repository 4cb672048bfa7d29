"""One version of hardmode, playing when it is asked: `python racer.py` answers a JSON line for each that it reads.

It stands alone, so that it can play with the modules of any version that PYTHONPATH names. Its answers are seconds of
its thread's CPU time.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from typing import Any


def module(*names: str) -> Any:
    """The first module that this version has."""
    for name in names[:-1]:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            continue
    return importlib.import_module(names[-1])


def attribute(module: Any, name: str, old_name: str) -> Any:
    """What a module calls by one name now, and called by another in earlier versions."""
    return getattr(module, name) if hasattr(module, name) else getattr(module, old_name)


class Racer:
    def __init__(self, scenario: str, strategy: str) -> None:
        studies = module("hardmode.studies.core.run", "hardmode.studies.play", "reports.play")
        self.buffers = module("hardmode.sim.play.workspace", "hardmode.sim.engine", "sim.engine")
        loading = module("hardmode.scenarios.load", "scenarios.load")
        load, make = attribute(loading, "load_scenario", "load"), attribute(studies, "make_engine", "engine")
        self.made = make(load(scenario, strategies=[strategy]).cells[0])
        self.desk = attribute(self.buffers, "Workspace", "Desk")(self.made.game)

    def play(self, lo: int, games: int) -> dict[str, Any]:
        """Play some games: the seconds, the steps, and the digest of their outcomes."""
        out = attribute(self.buffers, "allocate_rows", "columns")(self.made.game, games)
        self.desk.digest[...] = 0
        self.desk.totals[...] = 0
        begun = time.thread_time()
        self.made.play(self.desk, 7, lo, lo + games, out)
        seconds = time.thread_time() - begun
        return {"seconds": seconds, "digest": int(self.desk.digest.flat[0]), "steps": int(self.desk.totals[0])}


def main() -> None:
    racer = Racer(*sys.argv[1:])
    cache = module("hardmode.sim.compile.cache", "hardmode.sim.compile", "sim.compile")
    compiled = attribute(cache, "compiled_entries", "compiled")
    print(json.dumps([name for name, _ in compiled]), flush=True)
    for line in sys.stdin:
        print(json.dumps(racer.play(*json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
