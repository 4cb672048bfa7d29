"""How long turns are, and how long a player waits for the next one.

Only a step with several options counts as a decision. A turn is a run of decisions of one seat, and
a wait is the number of decisions of the others between two turns of a seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import OFFERED, REAL, Workspace, allocate_rows
from hardmode.sim.replay import choices
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

MAX_GAMES, MIN_GAMES = 20, 5

Decision = tuple[int, int]  # the seat that decides, and its number of options


@dataclass(frozen=True)
class TurnStats:
    """Decisions of some games of a variant, in order, with statistics of turns and waits."""

    cell: Variant
    games: list[list[Decision]]
    confidence: float

    def estimate_mean_decisions(self) -> Estimate:
        """Return the mean number of decisions in a game."""
        return self._estimate_mean([len(game) for game in self.games])

    def estimate_mean_turn_length(self) -> Estimate:
        """Return the mean over games of the number of decisions in a turn."""
        return self._estimate_mean(
            [len(game) / max(1, len(split_turns(game))) for game in self.games]
        )

    def estimate_mean_options(self) -> Estimate:
        """Return the mean over games of the number of options at a decision."""
        return self._estimate_mean(
            [sum(n for _, n in game) / len(game) for game in self.games if game]
        )

    def estimate_mean_wait(self, seat: int) -> Estimate:
        """Return the mean over games of the number of decisions between two turns of a seat."""
        waits = [find_waits(game, seat) for game in self.games]
        return self._estimate_mean([sum(game) / len(game) for game in waits if game])

    def _estimate_mean(self, values: Sequence[float]) -> Estimate:
        total, squares = sum(values), sum(v * v for v in values)
        return estimates.student_t_mean(len(values), total, squares, self.confidence)  # type: ignore[arg-type]


def split_turns(game: Sequence[Decision]) -> list[tuple[int, int]]:
    """Return the turns of a game, each as its seat and its number of decisions."""
    return [(seat, sum(1 for _ in run)) for seat, run in groupby(seat for seat, _ in game)]


def find_waits(game: Sequence[Decision], seat: int) -> list[int]:
    """Return the numbers of decisions of others between each two turns of a seat.

    >>> find_waits([(0, 2), (1, 3), (1, 2), (0, 2)], seat=0)
    [2]
    """
    waits: list[int] = []
    decisions: int | None = None  # of others, since the last turn of the seat
    for turn_seat, n in split_turns(game):
        if turn_seat == seat:
            if decisions is not None:
                waits.append(decisions)
            decisions = 0
        elif decisions is not None:
            decisions += n
    return waits


def measure_turns(
    cell: Variant,
    effort: Effort,
    games: int | None,
    seconds: float,
    progress: Progress = ignore_progress,
) -> TurnStats:
    """Play games of a variant and record their decisions.

    Args:
        cell: The variant.
        effort: Seed, first game and confidence.
        games: Number of games; by default, `MAX_GAMES`, or `MIN_GAMES` once the time is over.
        seconds: Time to spend, if `games` is not given.
        progress: Called after each game.
    """
    engine, workspace = make_engine(cell), Workspace(cell.game)
    budget = Budget(seconds)
    wanted = MAX_GAMES if games is None else games
    played: list[list[Decision]] = []
    while len(played) < wanted:
        if games is None and len(played) >= MIN_GAMES and budget.exhausted:
            break
        number = effort.first_game + len(played)
        played.append(list(iterate_decisions(engine, workspace, effort.seed, number)))
        progress("at the table", len(played) / wanted)
    return TurnStats(cell, played, effort.confidence)


def iterate_decisions(
    engine: Engine, workspace: Workspace, seed: int, number: int
) -> Iterator[Decision]:
    """Yield the decisions of a game, which is played up to each of them.

    Args:
        engine: The rules, the box and the players.
        workspace: A workspace of this thread.
        seed: Seed of the games.
        number: Number of the game.

    Yields:
        The seat that decides, and its number of options.
    """
    script, _ = choices(engine, workspace, seed, number)
    rows, table = allocate_rows(engine.game, 1), workspace.tables.view(np.ndarray)
    for step in range(len(script)):
        engine.play(workspace, seed, number, number + 1, rows, script=script, stop_step=step)
        options = int(workspace.totals[OFFERED])
        if options > 1:
            yield int(table["seat"][REAL]), options
