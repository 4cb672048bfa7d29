"""How a game goes at the table: how much a turn asks of who plays it, and how long the others wait.

Only what leaves a choice is a decision. A turn is a run of decisions of one seat; a wait is what the others decide
between two turns of a seat.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.play.engine import Desk, Engine, columns
from hardmode.sim.play.workspace import OFFERED, REAL
from hardmode.sim.replay import choices
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.core.run import Effort, engine
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

GAMES, FEWEST = 20, 5

Choice = tuple[int, int]  # whose it is, and among how many options


@dataclass(frozen=True)
class Pace:
    """What was decided in each of some games, in order."""

    cell: Variant
    games: list[list[Choice]]
    confidence: float

    def decisions(self) -> Estimate:
        return self._mean([len(game) for game in self.games])

    def a_turn(self) -> Estimate:
        return self._mean([len(game) / max(1, len(turns(game))) for game in self.games])

    def options(self) -> Estimate:
        return self._mean([sum(n for _, n in game) / len(game) for game in self.games if game])

    def wait(self, seat: int) -> Estimate:
        """How many decisions of the others lie between two turns of a seat."""
        found = [waits(game, seat) for game in self.games]
        return self._mean([sum(each) / len(each) for each in found if each])

    def _mean(self, values: Sequence[float]) -> Estimate:
        total, squares = sum(values), sum(v * v for v in values)
        return estimates.mean(len(values), total, squares, self.confidence)  # type: ignore[arg-type]


def turns(game: Sequence[Choice]) -> list[Choice]:
    """Whose turn it was, and how many decisions it had."""
    return [(seat, sum(1 for _ in run)) for seat, run in groupby(seat for seat, _ in game)]


def waits(game: Sequence[Choice], seat: int) -> list[int]:
    """What the others decided between each two turns of a seat."""
    found: list[int] = []
    since: int | None = None
    for who, n in turns(game):
        if who == seat:
            found += [] if since is None else [since]
            since = 0
        elif since is not None:
            since += n
    return found


def pace(
    cell: Variant, effort: Effort, games: int | None, seconds: float, progress: Progress = silent
) -> Pace:
    made, desk, stop = engine(cell), Desk(cell.game), time.perf_counter() + seconds
    most = GAMES if games is None else games
    found: list[list[Choice]] = []
    while len(found) < most and (
        games is not None or len(found) < FEWEST or time.perf_counter() < stop
    ):
        found.append(list(decided(made, desk, effort.seed, effort.first + len(found))))
        progress("at the table", len(found) / most)
    return Pace(cell, found, effort.confidence)


def decided(made: Engine, desk: Desk, seed: int, number: int) -> Iterator[Choice]:
    """Every decision of a game: it is played up to each of them."""
    script, _ = choices(made, desk, seed, number)
    none, table = columns(made.game, 1), desk.tables.view(np.ndarray)

    for step in range(len(script)):
        made.play(desk, seed, number, number + 1, none, script=script, stop=step)
        if int(desk.totals[OFFERED]) > 1:
            yield int(table["seat"][REAL]), int(desk.totals[OFFERED])
