"""Which factors of a game are fixed by the set-up, before the first decision.

A factor is fixed at set-up if its value at the first decision equals its value at the end, in every
game that is examined. Only the effect of such a factor is due to the deal; a factor that arises
during play is correlated with winning, and may be its consequence.
"""

from __future__ import annotations

import numpy as np

from hardmode.sim.compile import source_location
from hardmode.sim.contract import Measure
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.sim.records import Cells

MAX_GAMES = 200  # that are examined


def find_setup_factors(
    engine: Engine, seed: int, first: int, rows: np.ndarray, seats: int
) -> frozenset[str]:
    """Return the names of the factors that are fixed at set-up.

    Args:
        engine: The rules, the box and the players.
        seed: Seed of the games.
        first: Number of the first game.
        rows: Result rows of the games from there on, by column and game.
        seats: Number of players.
    """
    game = engine.game
    factors = {m.name: _find_columns(engine, m, seats) for m in game.measures if m.factor}
    workspace, no_rows = Workspace(game), allocate_rows(game, 1)
    outcome = source_location.get_py_func(game.outcome)
    box = engine.filled_box.view(np.ndarray).view(Cells)[0]
    for i in range(min(MAX_GAMES, rows.shape[1])):
        if not factors:
            break
        engine.play(workspace, seed, first + i, first + i + 1, no_rows, stop_step=0)
        record = workspace.record.view(np.ndarray)
        outcome(box, record["tables"][0].view(Cells)[0], record["row"].view(Cells)[0])
        at_setup = record["cells"][0]
        for name, columns in list(factors.items()):
            if any(at_setup[column] != rows[column, i] for column in columns):
                del factors[name]
    return frozenset(factors)


def _find_columns(engine: Engine, measure: Measure, seats: int) -> list[int]:
    names = [measure.name]
    if measure.per_seat:
        names = [f"{measure.name} {seat + 1}" for seat in range(seats)]
    return [engine.game.columns.index(name) for name in names]
