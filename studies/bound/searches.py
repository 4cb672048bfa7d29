"""Searches of many games with hindsight, and the bounds that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import sqrt

import numpy as np
from scipy import stats

from hardmode.scenarios.load import StrategySpec, Variant
from hardmode.sim.draws import DECISION
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.hindsight.solver import HindsightSolver
from hardmode.sim.play.player import Player
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.replay import choices, logged
from hardmode.strategies import registry
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.stats.estimates import Estimate, wilson_rate

BATCH = 8  # games that are searched between two looks at the clock
LEARN_SHARE = 0.8  # of the time of a search with charges
MAX_PASSES = 60  # in which values are learned
LAST_CHANGE = 1e-4  # of a value: then they are known well enough
PROBE_GAMES = 20  # games whose draws are looked at
LEARNING_SEED = 0x5EED  # added to the seed: values are learned from other games


def generate_batches(
    effort: Effort, games: int, size: int, budget: Budget, progress: Progress, what: str
) -> Iterator[tuple[int, int]]:
    """Yield ranges of games until all are played or the time is over; at least one.

    Args:
        effort: The number of the first game.
        games: The number of games at most.
        size: The number of games of a range.
        budget: The time.
        progress: Notified after each range.
        what: What is done with the games.

    Yields:
        The first game of a range, and the game after the last.
    """
    done = 0
    while done < games and (done == 0 or not budget.exhausted):
        stop = min(done + size, games)
        yield effort.first_game + done, effort.first_game + stop
        done = stop
        progress(what, max(done / games, min(1.0, budget.share_spent)))


def search_games(
    solver: HindsightSolver, effort: Effort, batches: Iterable[tuple[int, int]], needs_all: bool
) -> np.ndarray:
    """Return the most that each game brings.

    Args:
        solver: The solver.
        effort: The seed.
        batches: Ranges of games.
        needs_all: Whether one game whose search is left makes all others useless.
    """
    gains = []
    for start, stop in batches:
        gains.append(solver.solve(effort.seed, start, stop))
        if needs_all and np.isnan(gains[-1]).any():
            break
    return np.concatenate(gains)


def search_with_charges(
    solver: HindsightSolver, effort: Effort, games: int, budget: Budget, progress: Progress
) -> np.ndarray:
    """Return the most that each game brings if foresight is charged for.

    The values that are charged by are learned first, until they hardly change any more. If the
    search of the first game is left, nothing is learned, since charges make no tree smaller.
    """
    gains = solver.solve(effort.seed, effort.first_game, effort.first_game + 1)
    if np.isnan(gains).any():
        return gains
    learning = budget.until_share(LEARN_SHARE)
    for _ in range(MAX_PASSES):
        change = solver.learn(effort.seed + LEARNING_SEED)
        if change < LAST_CHANGE or learning.exhausted:
            break
    batches = generate_batches(effort, games, BATCH, budget, progress, "search with charges")
    return search_games(solver, effort, batches, needs_all=True)


def estimate_mean_gain(gains: np.ndarray, confidence: float) -> Estimate | None:
    """Return the mean of what games bring with Student's t interval; None if a search was left."""
    n = gains.size
    mean = float(gains.mean())
    if np.isnan(mean):
        return None
    if n == 1:
        return Estimate(mean, -np.inf, np.inf, n, confidence)
    error = float(gains.std(ddof=1)) / sqrt(n)
    half = float(stats.t.isf((1 - confidence) / 2, n - 1)) * error
    return Estimate(mean, mean - half, mean + half, n, confidence)


def estimate_winnable(gains: np.ndarray, confidence: float) -> Estimate:
    """Return the share of games that were not shown to be lost.

    A game whose search was left counts as winnable.
    """
    lost = wilson_rate(int((gains == 0).sum()), gains.size, confidence)
    return Estimate(1 - lost.value, 1 - lost.high, 1 - lost.low, lost.n, confidence)


def find_values(engine: Engine, is_score: bool) -> Player | None:
    """Return a player whose values are those of what is bounded, or None.

    Args:
        engine: The game and its players, who are asked first.
        is_score: Whether the score is bounded, and not wins.
    """
    game = engine.game.name
    players = list(engine.players)
    for name in registry.list_strategies(game):
        if registry.find_player_file(game, name):
            players.append(registry.create_player(game, name))
    for player in players:
        if player.values and (player.values.score_weight > 0) == is_score:
            return player
    return None


def reads_a_draw_twice(cell: Variant, effort: Effort) -> bool:
    """Return whether a draw is read at two steps of a game, so that it is known at the second.

    Charges are then not zero on average, since each step is compared with fresh draws.
    """
    engine = make_engine(cell.with_values({}, [StrategySpec("random")]))
    workspace = Workspace(cell.game)
    for number in range(PROBE_GAMES):
        choices(engine, workspace, effort.seed, effort.first_game + number, log=True)
        step = 0
        first_read: dict[tuple[int, ...], int] = {}
        for entry in logged(workspace).tolist():
            if entry[0] == DECISION:
                step += 1
            elif first_read.setdefault(tuple(entry[:4]), step) != step:
                return True
    return False
