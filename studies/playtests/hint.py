"""What a person at the table may ask: what an expert would do here, and what each option is worth."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.play.backends import crew
from hardmode.sim.play.engine import Desk, Engine, Player
from hardmode.sim.play.interactive_game import chosen_by
from hardmode.sim.play.rollouts import TOGETHER, Worlds
from hardmode.strategies import registry
from hardmode.strategies.random_play import EXPERT, SEARCHED
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.core.run import players
from hardmode.studies.game_flow.position_rollouts import worth
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

SECONDS = 6.0
AT_A_TIME, MOST = 16, 400  # worlds in which each option is tried


@dataclass(frozen=True)
class Hint:
    expert: int  # the place of the option that an expert takes
    below: str  # who plays on in the worlds
    each: list[Estimate]  # the chance to win with each option; of a seat where seats compete


def hint(
    cell: Variant,
    seed: int,
    number: int,
    seat: int,
    script: Sequence[int],
    seconds: float = SECONDS,
    progress: Progress = silent,
    threads: int = 0,
) -> Hint:
    """Each option tried in the same worlds, which the seat cannot tell from the real one, and played on to the end."""
    names = registry.names(cell.game.name)
    below = next((name for name in SEARCHED if name in names), "random")
    rivals = cell.game.competitive and cell.players > 1
    made = Engine(cell.game, cell.box, _seated(cell, seat, below, alone=rivals))
    view, taken = seat if rivals else TOGETHER, np.array(script, np.int64)
    n = Worlds(made, seed).stand(Desk(cell.game), number, taken, len(script))
    begun, done = time.perf_counter(), 0
    won: list[list[np.ndarray]] = [[] for _ in range(n)]
    while done < MOST and (not done or time.perf_counter() - begun < seconds):
        asked = [(made, (seed, number, taken, view, i, done)) for i in range(n)]
        for i, found in enumerate(crew(threads).each(tried, asked)):
            won[i].append(worth(found, view))
            progress(
                f"{done} worlds",
                min(1.0, max((time.perf_counter() - begun) / seconds, done / MOST)),
            )
        done += AT_A_TIME
    each = [
        estimates.rate(int(np.nansum(x)), int((~np.isnan(x)).sum()))
        for x in map(np.concatenate, won)
    ]
    expert = Engine(cell.game, cell.box, _seated(cell, seat, EXPERT, alone=True))
    return Hint(chosen_by(expert, seed, number, script), below, each)


def tried(
    made: Engine,
    desk: Desk,
    seed: int,
    number: int,
    script: np.ndarray,
    view: int,
    option: int,
    first: int,
) -> np.ndarray:
    """Who wins in some worlds with an option: to be sent."""
    worlds = Worlds(made, seed)
    worlds.stand(desk, number, script, len(script))
    return worlds.winners(
        desk, number, len(script), first, first + AT_A_TIME, view=view, taking=option, alone=True
    )[0]


def _seated(cell: Variant, seat: int, name: str, alone: bool) -> list[Player]:
    """The players with this one at the person's seat; at every seat where all play together."""
    one = registry.player(cell.game.name, name)
    return [one if s == seat or not alone else p for s, p in enumerate(players(cell))]
