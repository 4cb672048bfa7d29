"""Checks of the course of games: openings, early losses, decision points and leaders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, inf, log

import numpy as np

from hardmode.sim.contract import ROUNDS
from hardmode.sim.play.rollouts import Determinizer
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.replay import choices
from hardmode.studies.audit.context import AuditContext
from hardmode.studies.audit.findings import Finding, find_first
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.run import make_engine
from hardmode.studies.game_flow.decision_point import GameTrace, analyze_cell
from hardmode.studies.stats.formatting import format_share

HOPELESS_RATE = 0.02  # win rate below which an opening counts as lost
MAX_OPENINGS = 400
MIN_OPENINGS = 40
MAX_SETTLED_OPENINGS = 0.005  # share of games
ROLLOUT_BLOCK = 40
EARLY_ROUNDS = 2
MAX_EARLY_LOSSES = 0.03  # share of games lost within these rounds
MAX_TRACED_GAMES = 1000
MAX_DECIDED_EARLY = 0.5  # share of games that are decided for at least half of their rounds
LEAD_ROUNDS = 1 / 3  # share of the rounds after which a leader is determined
MAX_LEADER_WINS = 0.9  # share of games that the leader wins
LOST, OPEN, WON = -1, 0, 1  # outcomes of an opening


def check_openings(context: AuditContext) -> Iterator[Finding]:
    """Search for cooperative games that are lost or won before the first real decision."""
    if context.is_competitive:
        return
    context.checked_kinds.extend(["lost-opening", "won-opening"])
    error = context.adjusted_error(2 * MAX_OPENINGS) / 2
    rollouts = ceil(log(error) / log(1 - HOPELESS_RATE))
    determinizer = Determinizer(context.engine, context.effort.seed)
    workspace = Workspace(context.game)
    outcomes: list[int] = []
    for number in range(context.limit_count(MAX_OPENINGS, 5)):
        if context.budget.exhausted and number >= MIN_OPENINGS:
            break
        outcomes.append(classify_opening(determinizer, workspace, number, rollouts))
    for kind, outcome, verb in (("lost-opening", LOST, "won"), ("won-opening", WON, "lost")):
        has_outcome = np.array(outcomes) == outcome
        rate = context.estimate_rate(has_outcome, 2)
        if rate.low > MAX_SETTLED_OPENINGS:
            game = find_first(has_outcome)
            yield context.make_finding(
                kind,
                f"{format_share(rate.value)} of games can hardly be {verb} any more (less than "
                f"one in {round(1 / HOPELESS_RATE)}) at the first decision of "
                f"{context.player_names}",
                rate,
                "share of games",
                game=game,
                followup=context.build_odds_command(game),
            )


def classify_opening(
    determinizer: Determinizer, workspace: Workspace, number: int, rollouts: int
) -> int:
    """Return LOST or WON if no rollout from the first real decision ends otherwise, else OPEN.

    Args:
        determinizer: The game and its players.
        workspace: Buffers.
        number: Number of the game.
        rollouts: Number of rollouts.
    """
    script, _ = choices(determinizer.engine, workspace, determinizer.seed, number)
    for step in range(len(script)):
        if determinizer.seek(workspace, number, script, step) > 1:
            break
    else:
        return OPEN
    own_bits = 1 if determinizer.engine.game.competitive else -1
    wins = played = 0
    while played < rollouts:
        stop = min(rollouts, played + ROLLOUT_BLOCK)
        winners, _ = determinizer.sample_winners(workspace, number, step, played, stop)
        finished = winners[winners >= 0]
        wins += int((finished & own_bits != 0).sum())
        played = stop
        if 0 < wins < played:
            return OPEN
    return WON if wins else LOST


def check_early_losses(context: AuditContext) -> Iterator[Finding]:
    """Search for cooperative games that even the best player loses at once.

    If `steady` alone loses many games so, that is noted as a weakness of the player.
    """
    if context.is_competitive:
        return
    context.checked_kinds.append("early-loss")
    rows = context.play_games(context.engine, context.budget.subbudget(0.5))
    if np.median(rows[ROUNDS]) <= 2 * EARLY_ROUNDS:
        return  # the game is always short
    is_early_loss = find_early_losses(context, rows)
    rate = context.estimate_rate(is_early_loss, 1)
    steady_rate = None
    if context.steady_cell:
        steady_engine = make_engine(context.steady_cell)
        steady_rows = context.play_games(steady_engine, context.budget.subbudget(0.5))
        steady_rate = context.estimate_rate(find_early_losses(context, steady_rows), 1)
    if rate.low > MAX_EARLY_LOSSES:
        yield context.make_finding(
            "early-loss",
            f"{format_share(rate.value)} of games are lost within {EARLY_ROUNDS} "
            f"{context.game.unit} by {context.player_names}",
            rate,
            "share of games",
            game=find_first(is_early_loss),
            steady=steady_rate,
        )
    if steady_rate and steady_rate.low > max(MAX_EARLY_LOSSES, 2 * rate.high):
        context.notes.append(
            f"steady loses {format_share(steady_rate.value)} of games within {EARLY_ROUNDS} "
            f"{context.game.unit}, {context.player_names} {format_share(rate.value)}: "
            "this is a weakness of the player, not of the game"
        )


def find_early_losses(context: AuditContext, rows: np.ndarray) -> np.ndarray:
    """Return whether each game was lost within the first rounds."""
    return ~is_won(context.game, rows) & (rows[ROUNDS] <= EARLY_ROUNDS)


def check_decision_points(context: AuditContext) -> Iterator[Finding]:
    """Search for games that are decided long before they end, and for uncatchable leaders."""
    context.checked_kinds.append("decided-early")
    games = None
    seconds = context.budget.seconds
    if context.games:
        games = context.limit_count(MAX_TRACED_GAMES, 10)
    analysis = analyze_cell(
        context.cell, context.effort, games, inf if seconds is None else seconds, context.progress
    )
    traces = [trace for trace in analysis.games if trace.rounds > 1]
    if traces:
        yield from _check_decided_early(context, traces)
    if context.is_competitive:
        yield from check_leaders(context, traces)


def _check_decided_early(context: AuditContext, traces: Sequence[GameTrace]) -> Iterator[Finding]:
    is_early = np.array([2 * trace.rounds_after >= trace.rounds for trace in traces])
    rate = context.estimate_rate(is_early, 2)
    if rate.low > MAX_DECIDED_EARLY:
        rounds = sum(trace.rounds for trace in traces) / len(traces)
        rounds_after = sum(trace.rounds_after for trace in traces) / len(traces)
        game = traces[find_first(is_early)].number
        yield context.make_finding(
            "decided-early",
            f"{format_share(rate.value)} of games are decided for half of their "
            f"{context.game.unit}: on average, {rounds_after:.1f} of {rounds:.1f} follow after "
            "the decision",
            rate,
            "share of games",
            game=game,
            followup=context.build_odds_command(game),
        )


def check_leaders(context: AuditContext, traces: Sequence[GameTrace]) -> Iterator[Finding]:
    """Search for leaders after a third of the rounds that nearly always win."""
    context.checked_kinds.append("uncatchable-leader")
    numbers = []
    leader_wins = []
    for trace in traces:
        rounds = max(1, round(LEAD_ROUNDS * trace.rounds))
        for estimate in trace.estimates:
            if estimate.rounds_played == rounds and estimate.leader >= 0:
                numbers.append(trace.number)
                leader_wins.append(trace.winning_side == estimate.leader)
    if not numbers:
        return
    is_leader_win = np.array(leader_wins)
    rate = context.estimate_rate(is_leader_win, 2)
    if rate.low > MAX_LEADER_WINS:
        game = numbers[find_first(is_leader_win)]
        yield context.make_finding(
            "uncatchable-leader",
            f"the leader after a third of the {context.game.unit} wins "
            f"{format_share(rate.value)} of the games in which there is a leader",
            rate,
            "share of games",
            game=game,
            followup=context.build_odds_command(game),
        )
