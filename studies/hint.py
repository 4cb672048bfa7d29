"""What a person at the table may ask: what an expert would do here, and what each option is worth."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.engine import Desk, Engine, Player
from hardmode.sim.odds import TOGETHER, Worlds
from hardmode.sim.sitting import chosen_by
from hardmode.strategies import registry
from hardmode.strategies.any_game import EXPERT, SEARCHED
from hardmode.studies import estimates
from hardmode.studies.estimates import Estimate
from hardmode.studies.play import players
from hardmode.studies.playing_on import worth
from hardmode.studies.progress import Progress, silent

SECONDS = 6.0
AT_A_TIME, MOST = 16, 400  # worlds in which each option is tried


@dataclass(frozen=True)
class Hint:
    expert: int  # the place of the option that an expert takes
    below: str  # who plays on in the worlds
    each: list[Estimate]  # the chance to win with each option; of a seat where seats compete


def hint(cell: Variant, seed: int, number: int, seat: int, script: Sequence[int], seconds: float = SECONDS,
         progress: Progress = silent) -> Hint:
    """Each option tried in the same worlds, which the seat cannot tell from the real one, and played on to the end."""
    names = registry.names(cell.game.name)
    below = next((name for name in SEARCHED if name in names), "random")
    rivals = cell.game.competitive and cell.players > 1
    worlds = Worlds(Engine(cell.game, cell.box, _seated(cell, seat, below, alone=rivals)), seed)
    desk, at = Desk(cell.game), len(script)
    n = worlds.stand(desk, number, np.array(script, np.int64), at)
    view = seat if rivals else TOGETHER
    begun, tried = time.perf_counter(), 0
    won: list[list[np.ndarray]] = [[] for _ in range(n)]
    while tried < MOST and (not tried or time.perf_counter() - begun < seconds):
        for i in range(n):
            found, _ = worlds.winners(desk, number, at, tried, tried + AT_A_TIME, view=view, taking=i, alone=True)
            won[i].append(worth(found, view))
            spent = (time.perf_counter() - begun) / seconds
            progress(f"{tried} worlds", min(1.0, max(spent, tried / MOST)))
        tried += AT_A_TIME
    each = [estimates.rate(int(np.nansum(x)), int((~np.isnan(x)).sum())) for x in map(np.concatenate, won)]
    expert = Engine(cell.game, cell.box, _seated(cell, seat, EXPERT, alone=True))
    return Hint(chosen_by(expert, seed, number, script), below, each)


def _seated(cell: Variant, seat: int, name: str, alone: bool) -> list[Player]:
    """The players with this one at the person's seat; at every seat where all play together."""
    one = registry.player(cell.game.name, name)
    return [one if s == seat or not alone else p for s, p in enumerate(players(cell))]
