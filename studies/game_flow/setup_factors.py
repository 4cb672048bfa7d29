"""What chance dealt before anybody decided anything, told from what came about in play.

A measure that sets games apart is dealt if it stands, in every game that is looked at, when the first decision is asked
as it stands in the end: read from the table as it was dealt. Only of those is a difference the deal's own doing; what
comes about in play goes with winning, and may be its consequence.
"""

from __future__ import annotations

import numpy as np

from hardmode.sim.compile import source_location
from hardmode.sim.contract import Measure
from hardmode.sim.play.engine import Desk, Engine, columns
from hardmode.sim.records import Cells

GAMES = 200  # that are looked at, at most


def dealt(made: Engine, seed: int, first: int, rows: np.ndarray, seats: int) -> frozenset[str]:
    """The factors that are dealt, by the rows of the first games as they ended."""
    factors = {m.name: _columns(made, m, seats) for m in made.game.measures if m.factor}
    desk, outcome, none = Desk(made.game), source_location.bare(made.game.outcome), columns(made.game, 1)
    box = made.filled.view(np.ndarray).view(Cells)[0]
    for i in range(min(GAMES, rows.shape[1])):
        if not factors:
            break
        made.play(desk, seed, first + i, first + i + 1, none, stop=0)
        parts = desk.record.view(np.ndarray)
        outcome(box, parts["tables"][0].view(Cells)[0], parts["row"].view(Cells)[0])
        as_dealt = parts["cells"][0]
        factors = {
            name: at for name, at in factors.items() if all(as_dealt[c] == rows[c, i] for c in at)
        }
    return frozenset(factors)


def _columns(made: Engine, measure: Measure, seats: int) -> list[int]:
    names = (
        [f"{measure.name} {s + 1}" for s in range(seats)] if measure.per_seat else [measure.name]
    )
    return [made.game.columns.index(name) for name in names]
