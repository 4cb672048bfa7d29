"""Short ways for tests to build an engine, play games and start Python in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.sim import contract
from hardmode.sim.contract import Game, Values
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.sim.records import blank, readable
from hardmode.strategies import registry

PIG = {"target": 100, "die.sides": 6, "setup.players": 2}


def pig_box(**changes: Any) -> np.ndarray:
    """The box of Pig filled with what is printed in it, and changes by name (target, sides, players)."""
    named = {"target": "target", "sides": "die.sides", "players": "setup.players"}
    values = {**PIG, **{named[k]: v for k, v in changes.items()}}
    pig = contract.load_game("pig")
    box = blank(pig.box)
    pig.fill(readable(box), Values(values))
    return box


def pig_engine(*players: str | Player, **changes: Any) -> Engine:
    return engine("pig", pig_box(**changes), *players)


def engine(game: str, box: np.ndarray, *players: str | Player) -> Engine:
    chosen = [registry.create_player(game, p) if isinstance(p, str) else p for p in players or ("steady",)]
    return Engine(contract.load_game(game), box, chosen)


def play(made: Engine, games: int, *, seed: int = 1, first: int = 0, desk: Workspace | None = None,
         **how: Any) -> np.ndarray:
    """The rows of some games, one column each."""
    out = allocate_rows(made.game, games)
    made.play(desk or Workspace(made.game), seed, first, first + games, out, **how)
    return np.asarray(out)


def column(game: Game, rows: np.ndarray, name: str) -> np.ndarray:
    return rows[game.columns.index(name)]


HANG_SECONDS = 900  # a process that takes longer hangs, however busy the machine is


def python(code: str, *, timeout: float = HANG_SECONDS, cwd: Path | None = None, check: bool = True,
           **env: str) -> subprocess.CompletedProcess[str]:
    """Run code in a new Python, with the environment changed as said."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], env={**os.environ, **env}, cwd=cwd,
                          capture_output=True, text=True, timeout=timeout)
    if check and done.returncode:
        raise AssertionError(f"exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-6000:]}")
    return done


def answer(code: str, **how: Any) -> Any:
    """What code run in a new Python prints as its last line, read as JSON."""
    return json.loads(python(code, **how).stdout.splitlines()[-1])
