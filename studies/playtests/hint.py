"""Hints for a person who plays: the choice of an expert, and the win rate of each option.

Each option is played to the end in many determinizations: games in which everything that the seat
cannot know is dealt anew. All options are tried in the same determinizations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardmode.scenarios.load import Variant
from hardmode.scenarios.seats import SeatPlan
from hardmode.sim.play.backends import current_backend
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.interactive_game import ask_strategy
from hardmode.sim.play.player import Player
from hardmode.sim.play.rollouts import COMMON_VIEW, Determinizer
from hardmode.sim.play.workspace import Workspace
from hardmode.strategies import registry
from hardmode.strategies.random_play import EXPERT, EXPERT_BASES
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.run import make_players
from hardmode.studies.game_flow.position_rollouts import find_view_wins
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

DEFAULT_SECONDS = 6.0
ROLLOUTS_PER_JOB = 16
MAX_ROLLOUTS = 400  # of each option


@dataclass(frozen=True)
class Hint:
    """Hint for one decision."""

    expert_option: int  # index of the option that an expert takes
    rollout_policy: str  # name of the strategy that plays the rollouts
    option_rates: list[Estimate]  # win rate of each option; of the seat where seats compete


def compute_hint(
    cell: Variant,
    seed: int,
    number: int,
    seat: int,
    script: Sequence[int],
    seconds: float = DEFAULT_SECONDS,
    progress: Progress = ignore_progress,
    threads: int = 0,
) -> Hint:
    """Return a hint for the current decision of a game.

    Args:
        cell: The variant.
        seed: Seed of the game.
        number: Number of the game.
        seat: Seat to decide, from 0.
        script: All choices made so far.
        seconds: Time limit.
        progress: Called after each option.
        threads: Number of threads; 0 for all.
    """
    names = registry.list_strategies(cell.game.name)
    policy = next((name for name in EXPERT_BASES if name in names), "random")
    is_competitive = cell.game.competitive and cell.players > 1
    plan = SeatPlan.for_game(cell.game, cell.players, seat)
    engine = Engine(cell.game, cell.box, _seat_players(cell, plan, policy))
    view = seat if is_competitive else COMMON_VIEW
    choices = np.array(script, np.int64)
    n_options = Determinizer(engine, seed).seek(Workspace(cell.game), number, choices, len(script))
    budget = Budget(seconds, MAX_ROLLOUTS)
    wins: list[list[np.ndarray]] = [[] for _ in range(n_options)]
    while not budget.spent_games or not budget.exhausted:
        done = budget.spent_games
        jobs = [(engine, (seed, number, choices, view, i, done)) for i in range(n_options)]
        for i, winners in enumerate(current_backend(threads).map_jobs(rollout_option, jobs)):
            wins[i].append(find_view_wins(winners, view))
            progress(f"{done} rollouts", min(1.0, budget.share_spent))
        budget.spend(ROLLOUTS_PER_JOB)
    rates = []
    for option_wins in map(np.concatenate, wins):
        games = int((~np.isnan(option_wins)).sum())
        rates.append(estimates.wilson_rate(int(np.nansum(option_wins)), games))
    expert_players = _seat_players(cell, SeatPlan(cell.players, (seat,)), EXPERT)
    expert = Engine(cell.game, cell.box, expert_players)
    return Hint(ask_strategy(expert, seed, number, script), policy, rates)


def rollout_option(
    engine: Engine,
    workspace: Workspace,
    seed: int,
    number: int,
    script: np.ndarray,
    view: int,
    option: int,
    first: int,
) -> np.ndarray:
    """Return the winners of some rollouts of an option, as bits by seat.

    This is a job for a backend, which supplies the workspace.

    Args:
        engine: Engine with the players of the rollouts.
        workspace: Buffers.
        seed: Seed of the game.
        number: Number of the game.
        script: All choices made so far.
        view: Seat whose knowledge counts, or `COMMON_VIEW`.
        option: Index of the option.
        first: Number of the first rollout.
    """
    determinizer = Determinizer(engine, seed)
    step = len(script)
    determinizer.seek(workspace, number, script, step)
    stop = first + ROLLOUTS_PER_JOB
    winners, _ = determinizer.sample_winners(
        workspace, number, step, first, stop, view=view, option_index=option, own_view=True
    )
    return winners


def _seat_players(cell: Variant, plan: SeatPlan, name: str) -> tuple[Player, ...]:
    """Return the players of a variant, with the named one at the seats of the plan."""
    return plan.assign(registry.create_player(cell.game.name, name), make_players(cell))
