"""Build the module of one game: `NUMBA_OPT=0 python -m hardmode.reports.page.play.build GAME FILE`.

It is a program of its own, since numba reads NUMBA_OPT once in a process.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hardmode.reports.page.play.modules import list_strategies
from hardmode.sim.contract import load_game
from hardmode.sim.web.lowering import lower_elementary_functions, lower_game
from hardmode.sim.web.webassembly import translate

if __name__ == "__main__":
    name, file = sys.argv[1:]
    run = lower_game(load_game(name), list_strategies(name))
    Path(file).write_bytes(translate(run, lower_elementary_functions()))
