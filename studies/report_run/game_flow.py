"""Parts of a report that study how games go, and the choice of its example games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS
from hardmode.studies.choices.analysis import ChoiceAnalysis, analyze_choices
from hardmode.studies.core.metric import DifficultyMetric
from hardmode.studies.core.progress import subprogress
from hardmode.studies.core.reference_players import first_with_trained, with_trained
from hardmode.studies.core.run import make_engine
from hardmode.studies.game_flow import turn_stats
from hardmode.studies.game_flow.decision_point import DecisionPointAnalysis, analyze_cell
from hardmode.studies.game_flow.turn_stats import TurnStats, measure_turns
from hardmode.studies.game_flow.turning_points import (
    MIN_PLAYOUTS,
    PLAYOUTS,
    TurningPoints,
    find_turning_points,
)
from hardmode.studies.luck.analysis import LuckAnalysis, analyze_luck
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.report_run.parts import ReportContext
from hardmode.studies.report_run.precomputed import Precomputed

TOO_SLOW = (
    "what choices are worth, luck, when games are decided and where they turned: players who "
    "search are too slow for this report"
)
MIN_TRACED_GAMES = 20  # with fewer, nothing is said of when games are decided
# Where the budget is a number of games: one game of so many is played with each restriction, with
# each source of luck redrawn, traced round by round, or counts as one playout after each step.
GAMES_PER_RESTRICTED, GAMES_PER_REDRAWN, GAMES_PER_TRACED, GAMES_PER_PLAYOUT = 10, 10, 200, 10
MIN_STUDY_GAMES = 40  # restricted, or with luck redrawn


@dataclass(frozen=True)
class ExampleGame:
    """A game whose story the report tells."""

    title: str
    number: int


def run_option_value_analysis(context: ReportContext) -> ChoiceAnalysis | None:
    """Estimate what each kind of option of the first cell is worth, if there is time for any."""
    if not context.first_cell.game.labels:
        return None
    budget, effort = context.budgets["option_values"], context.effort
    if budget.seconds is None:
        effort = effort.override(games=max(MIN_STUDY_GAMES, effort.games // GAMES_PER_RESTRICTED))
    cell = with_trained(context.first_cell)
    analysis = analyze_choices(cell, effort, budget.seconds, budget.progress)
    return analysis if analysis.played_effects else None


def run_luck_analysis(context: ReportContext) -> LuckAnalysis:
    """Estimate the share of each source of chance, and of the players, in the first cell."""
    budget, effort = context.budgets["luck"], context.effort
    games = None
    if budget.seconds is None:
        games = max(MIN_STUDY_GAMES, effort.games // GAMES_PER_REDRAWN)
    first_cell_only = replace(context.scenario, cells=context.scenario.cells[:1])
    return analyze_luck(
        first_with_trained(first_cell_only),
        effort,
        games=games,
        seconds=budget.seconds or 0.0,
        progress=budget.progress,
    )


def run_decision_point_analysis(context: ReportContext) -> DecisionPointAnalysis | None:
    """Estimate when games of the first cell are decided, if there is time for enough games."""
    budget, effort = context.budgets["decision_point"], context.effort
    games = None if budget.seconds is not None else effort.games // GAMES_PER_TRACED
    if games is not None and games < MIN_TRACED_GAMES:
        return None
    cell = with_trained(context.first_cell)
    analysis = analyze_cell(cell, effort, games, budget.seconds or 0.0, budget.progress)
    return analysis if len(analysis.games) >= MIN_TRACED_GAMES else None


def measure_turn_stats(context: ReportContext) -> TurnStats:
    """Measure the turns and waits of the first cell."""
    budget, effort = context.budgets["turn_stats"], context.effort
    games = None
    if budget.seconds is None:
        wanted = max(turn_stats.MIN_GAMES, effort.games // GAMES_PER_TRACED)
        games = min(turn_stats.MAX_GAMES, wanted)
    return measure_turns(context.first_cell, effort, games, budget.seconds or 0.0, budget.progress)


def run_turning_point_analysis(
    context: ReportContext, sample_rows: np.ndarray, precomputed: Precomputed
) -> dict[int, TurningPoints]:
    """Find the turning points of the example games, if there is time for enough playouts.

    Args:
        context: The context of the report.
        sample_rows: Result rows of the first games.
        precomputed: Studies that need not be played.

    Returns:
        The turning points by number of the game.
    """
    budget, effort, cell = context.budgets["turning_points"], context.effort, context.first_cell
    found: dict[int, TurningPoints] = dict(precomputed.studies.get("turning_points", {}))
    examples = _select_games(context.metric, sample_rows, effort.first_game, cell.players)
    missing = [game for game in examples if game.number not in found]
    playouts = PLAYOUTS
    if budget.seconds is None:
        playouts = min(PLAYOUTS, effort.games // GAMES_PER_PLAYOUT)
    if playouts < MIN_PLAYOUTS:
        return found
    for i, game in enumerate(missing):
        turning_points = find_turning_points(
            make_engine(cell),
            effort.seed,
            game.number,
            cell.players,
            playouts=playouts,
            threads=effort.threads,
            confidence=effort.confidence,
            seconds=None if budget.seconds is None else budget.seconds / len(missing),
            progress=subprogress(budget.progress, i, len(missing)),
        )
        if turning_points:
            found[game.number] = turning_points
    return found


def select_example_games(data: ReportData) -> list[ExampleGame]:
    """Return the games that a report tells: a typical win, a typical loss, and the closest one."""
    players = data.first_cell.players
    return _select_games(data.metric, data.sample_rows, data.effort.first_game, players)


def _select_games(
    metric: DifficultyMetric, rows: np.ndarray, first: int, players: int
) -> list[ExampleGame]:
    won = (rows[WINNERS] & 1).astype(bool) if metric.competitive else rows[WINNERS] != 0
    seat = " for seat 1" if metric.competitive else ""
    examples = []
    for title, wanted in (("A typical win", won), ("A typical loss", ~won)):
        if wanted.any():
            typical = _find_typical(rows, np.flatnonzero(wanted))
            examples.append(ExampleGame(title + seat, first + typical))
    taken = [example.number - first for example in examples]
    closest = _find_closest(metric, rows, players, won, taken)
    examples.append(ExampleGame("The closest game", first + closest))
    distinct: dict[int, ExampleGame] = {}
    for example in examples:
        distinct.setdefault(example.number, example)
    return list(distinct.values())


def _find_typical(rows: np.ndarray, games: np.ndarray) -> int:
    """Of the games with the most common ending, return one of median length, then score."""
    endings = rows[ENDING, games]
    games = games[endings == np.bincount(endings).argmax()]
    lengths, scores = (
        np.abs(rows[column, games] - np.median(rows[column, games])) for column in (ROUNDS, SCORES)
    )
    return int(games[np.lexsort((games, scores, lengths))[0]])


def _find_closest(
    metric: DifficultyMetric,
    rows: np.ndarray,
    players: int,
    won: np.ndarray,
    taken: Sequence[int],
) -> int:
    """Return the closest game, if possible other than those taken.

    Where seats compete, that is the one with the smallest lead; where all play together, the loss
    with the highest score.

    Args:
        metric: The measure of difficulty.
        rows: Result rows, by column and game.
        players: Number of players.
        won: Whether each game was won.
        taken: Games to avoid.
    """
    games = np.setdiff1d(np.arange(rows.shape[1]), taken)
    if not games.size:
        return int(taken[0])
    if metric.competitive:
        scores = np.sort(rows[SCORES : SCORES + players], axis=0)
        lead = scores[-1] - scores[-2]
    else:
        lost = np.intersect1d(games, np.flatnonzero(~won))
        games = lost if lost.size else games
        lead = -rows[SCORES]
    return int(games[np.lexsort((games, -rows[ROUNDS, games], lead[games]))[0]])
