"""Rollouts from the positions of one game: who wins in many determinized worlds.

The functions named `*_job` are jobs of a backend. Their arguments and results are plain values, so
that they can run in this process or on a cluster. The method: J. Long et al., Understanding the
success of perfect information Monte Carlo sampling in game tree search, AAAI 2010.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hardmode.sim.contract import WINNERS
from hardmode.sim.draws import game_key
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.rollouts import COMMON_VIEW, POLICY_CHOICE, Determinizer
from hardmode.sim.play.workspace import Workspace, allocate_rows

# Other options are screened with a 16th of the playouts, and the best two compared with a quarter.
SCREEN_DIVISOR = 16
SCREEN_KEEPS = 2
COMPARE_DIVISOR = 4
MIN_WORLDS = 8  # of an option, however few playouts there are
LOOK, CHOOSE, MEASURE = 0, 1, 2  # salts: worlds of different salts are independent
LUCK, DECISION = "luck", "decision"
DEAL = -1  # in place of a position: before anything was dealt

Winners = np.ndarray  # of each world, the winning seats as bits; IMPOSSIBLE where it cannot be
# By point of view: winners after a step, and winners after the option that was taken next.
WinnersByView = dict[int, tuple[Winners, Winners]]


class ExaminedGame(NamedTuple):
    """A game as it was played, and from which points of view it is examined."""

    seed: int
    number: int
    script: np.ndarray  # place of the option taken at each step
    winners: int  # the winning seats, as bits
    views: tuple[int, ...]  # seats, or the common view of all players
    playouts: int


class SwingCandidate(NamedTuple):
    """A possible swing: by the draws after a position, or by the decision there."""

    position: int
    kind: str
    view: int
    better_option: int = -1

    @property
    def step(self) -> int:
        """The step of the game's story that follows the position."""
        return self.position + 1


def play_out_position_job(
    engine: Engine, workspace: Workspace, record: tuple[Any, ...], position: int
) -> WinnersByView:
    """Run `PositionRollouts.play_out_position` as a job of a backend.

    Args:
        engine: The rules, the box and the players.
        workspace: A workspace of this thread.
        record: Fields of an `ExaminedGame`.
        position: Number of decisions before the position.
    """
    return PositionRollouts(engine, workspace, ExaminedGame(*record)).play_out_position(position)


def find_better_option_job(
    engine: Engine,
    workspace: Workspace,
    record: tuple[Any, ...],
    position: int,
    known: WinnersByView,
) -> tuple[float, tuple[Any, ...]]:
    """Run `PositionRollouts.find_better_option` as a job of a backend.

    Args:
        engine: The rules, the box and the players.
        workspace: A workspace of this thread.
        record: Fields of an `ExaminedGame`.
        position: Number of decisions before the position.
        known: Result of `play_out_position_job` there.
    """
    rollouts = PositionRollouts(engine, workspace, ExaminedGame(*record))
    gain, candidate = rollouts.find_better_option(position, known)
    return gain, tuple(candidate)


def play_out_swing_job(
    engine: Engine,
    workspace: Workspace,
    record: tuple[Any, ...],
    candidate: tuple[Any, ...],
    worlds: int,
    salt: int,
) -> tuple[Winners, Winners]:
    """Run `PositionRollouts.play_out_swing` as a job of a backend.

    Args:
        engine: The rules, the box and the players.
        workspace: A workspace of this thread.
        record: Fields of an `ExaminedGame`.
        candidate: Fields of a `SwingCandidate`.
        worlds: Number of worlds.
        salt: Worlds of different salts are independent.
    """
    rollouts = PositionRollouts(engine, workspace, ExaminedGame(*record))
    return rollouts.play_out_swing(SwingCandidate(*candidate), worlds, salt)


class PositionRollouts:
    """Rollouts from the positions of one game, with the workspace of one thread."""

    def __init__(self, engine: Engine, workspace: Workspace, record: ExaminedGame) -> None:
        self.engine = engine
        self.workspace = workspace
        self.record = record
        self.determinizer = Determinizer(engine, record.seed)

    def seek(self, position: int) -> int:
        """Bring the workspace to a position; return the number of options there."""
        return self.determinizer.seek(
            self.workspace, self.record.number, self.record.script, position
        )

    def play_out(
        self, position: int, view: int, worlds: int, salt: int, option: int = POLICY_CHOICE
    ) -> Winners:
        """Return who wins in each world from the position that the workspace is at.

        Args:
            position: The position, at which the workspace must be.
            view: Point of view: what it cannot know is dealt afresh.
            worlds: Number of worlds.
            salt: Worlds of different salts are independent.
            option: Place of the option that is taken first; by default, the player chooses.
        """
        winners, _ = self.determinizer.sample_winners(
            self.workspace,
            self.record.number,
            position,
            0,
            worlds,
            view=view,
            option_index=option,
            salt=salt,
        )
        return winners

    def play_out_position(self, position: int) -> WinnersByView:
        """Return, by point of view, who wins from the position, and from the option taken there."""
        self.seek(position)
        record = self.record
        taken, n = int(record.script[position]), record.playouts
        option = int(np.asarray(self.workspace.lists)[0, taken])
        by_view = {}
        for view in record.views:
            winners, chosen = self.determinizer.sample_winners(
                self.workspace, record.number, position, 0, n, view=view, salt=LOOK
            )
            after = winners
            if not (chosen == option).all():
                after = self.play_out(position, view, n, LOOK, taken)
            by_view[view] = winners, after
        return by_view

    def find_better_option(
        self, position: int, known: WinnersByView
    ) -> tuple[float, SwingCandidate]:
        """Find the other option that gains most over the one taken, by successive halving.

        Args:
            position: The position of the decision.
            known: Result of `play_out_position` there.

        Returns:
            A lower bound of the gain in win probability, and the option as a candidate.
        """
        options, record = self.seek(position), self.record
        seat = int(self.workspace.tables.view(np.ndarray)["seat"][0])
        view = seat if seat in record.views else COMMON_VIEW
        taken = find_view_wins(known[view][1], view)
        left = [i for i in range(options) if i != record.script[position]]
        gains = {-1: -1.0}
        for divisor, keeps in ((SCREEN_DIVISOR, SCREEN_KEEPS), (COMPARE_DIVISOR, 1)):
            worlds = max(MIN_WORLDS, record.playouts // divisor)
            for i in left:
                other = find_view_wins(self.play_out(position, view, worlds, LOOK, i), view)
                gains[i] = estimate_lower_bound(taken[:worlds], other, upwards=True)
            left = sorted(left, key=lambda i: -gains[i])[:keeps]
        best = left[0] if left else -1
        return gains[best], SwingCandidate(position, DECISION, view, best)

    def play_out_swing(
        self, candidate: SwingCandidate, worlds: int, salt: int
    ) -> tuple[Winners, Winners]:
        """Return who wins before and after a swing, world by world.

        Before and after the deal are independent games; other swings share their worlds.

        Args:
            candidate: The swing.
            worlds: Number of worlds.
            salt: Worlds of different salts are independent.
        """
        script, position, view = self.record.script, candidate.position, candidate.view
        if position == DEAL:
            before = self.play_other_games(worlds, salt)
        else:
            self.seek(position)
            before = self.play_out(position, view, worlds, salt, int(script[position]))
        if candidate.kind == DECISION:
            return before, self.play_out(position, view, worlds, salt, candidate.better_option)
        if candidate.step == len(script):
            return before, np.full(worlds, self.record.winners)
        self.seek(candidate.step)
        return before, self.play_out(candidate.step, view, worlds, salt)

    def play_other_games(self, games: int, salt: int) -> Winners:
        """Return who wins other games of the same variant, each with its own deal."""
        with np.errstate(over="ignore"):
            seed = int(game_key(self.record.seed, self.record.number)) + salt >> 2
        rows = allocate_rows(self.engine.game, games)
        self.engine.play(self.workspace, seed, 0, games, rows)
        return np.asarray(rows)[WINNERS].astype(np.int64)


def find_view_wins(winners: Winners, view: int) -> np.ndarray:
    """Return 1.0 where a seat (in the common view: any) wins, 0.0 elsewhere, NaN if impossible.

    Args:
        winners: The winning seats of each world, as bits; negative if it is impossible.
        view: A seat, or the common view.
    """
    won = winners != 0 if view == COMMON_VIEW else winners >> view & 1
    return np.where(winners < 0, np.nan, won)


def estimate_lower_bound(before: np.ndarray, after: np.ndarray, upwards: bool = False) -> float:
    """Return the size of a mean change less one standard error.

    Args:
        before: Values before the change.
        after: Values after it, in the same worlds. NaN marks worlds to leave out.
        upwards: Take the change itself, not its absolute value.
    """
    change = (after - before)[~np.isnan(after - before)]
    if not len(change):
        return -1.0
    mean = float(change.mean())
    return (mean if upwards else abs(mean)) - float(change.std()) / len(change) ** 0.5
