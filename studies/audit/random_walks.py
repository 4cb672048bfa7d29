"""Checks of single games step by step: loops, knocked-out seats and kingmaking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from hardmode.sim.contract import ROUNDS
from hardmode.sim.play.rollouts import Determinizer
from hardmode.sim.play.workspace import REAL, Workspace
from hardmode.sim.replay import choices
from hardmode.studies.audit.context import AuditContext
from hardmode.studies.audit.findings import Finding, find_first
from hardmode.studies.stats import estimates
from hardmode.studies.stats.formatting import format_share

MIN_GAMES = 20
MAX_GAMES = 200
MAX_STEPS = 400  # of a game that are traced
LOOP_REPEATS = 3  # occurrences of a position
MAX_LOOPING_GAMES = 0.10  # share of games
MAX_ACTIVE_SHARE = 0.5  # of the rounds, after which a knocked-out seat decides nothing
MAX_KNOCKED_OUT_GAMES = 0.10  # share of games
HOPELESS_RATE = 0.02  # win rate below which a seat cannot win
ROLLOUTS = 200  # of each option
MIN_SWAY = 0.3  # of another seat's win rate, by the choice of a hopeless seat
MAX_KINGMADE_GAMES = 0.05  # share of games
DECISIONS_PER_GAME = 12  # that are examined for kingmaking


class Decision(NamedTuple):
    """A decision with several options."""

    step: int
    seat: int
    n_options: int


@dataclass
class DecisionTrace:
    """Trace of the decisions of one game."""

    number: int
    rounds: int
    max_repeats: int  # occurrences of the most frequent position
    last_rounds: dict[int, int]  # round of the last decision of each seat
    open_decisions: list[Decision]
    script: np.ndarray  # choice at each step


def check_random_walks(context: AuditContext) -> Iterator[Finding]:
    """Trace games and search for loops, knocked-out seats and kingmaking."""
    budget = context.budget.subbudget(0.5)
    workspace = Workspace(context.game)
    traces: list[DecisionTrace] = []
    while len(traces) < context.limit_count(MAX_GAMES, 10):
        if budget.exhausted and len(traces) >= MIN_GAMES:
            break
        traces.append(trace_decisions(context, workspace, len(traces)))
    yield from check_loops(context, traces)
    if context.is_competitive:
        yield from check_knocked_out(context, traces)
        if context.seats > 2:
            yield from check_kingmaking(context, traces)


def trace_decisions(context: AuditContext, workspace: Workspace, number: int) -> DecisionTrace:
    """Replay a game and return the trace of its decisions."""
    determinizer = Determinizer(context.engine, context.effort.seed)
    script, row = choices(context.engine, workspace, context.effort.seed, number)
    positions: Counter[bytes] = Counter()
    last_rounds: dict[int, int] = {}
    decisions: list[Decision] = []
    for step in range(min(len(script), MAX_STEPS)):
        n_options = determinizer.seek(workspace, number, script, step)
        table = workspace.tables.view(np.ndarray)[REAL : REAL + 1].copy()
        hidden = workspace.hiddens.view(np.ndarray)[REAL : REAL + 1]
        seat = int(table["seat"][0])
        last_rounds[seat] = int(table["round"][0])
        if n_options > 1:
            decisions.append(Decision(step, seat, n_options))
            table["round"] = 0  # the same position may come in another round
            positions[table.tobytes() + hidden.tobytes()] += 1
    max_repeats = max(positions.values(), default=0)
    return DecisionTrace(number, int(row[ROUNDS]), max_repeats, last_rounds, decisions, script)


def check_loops(context: AuditContext, traces: Sequence[DecisionTrace]) -> Iterator[Finding]:
    """Search for games in which a position occurs several times."""
    context.checked_kinds.append("loop")
    has_loop = np.array([trace.max_repeats >= LOOP_REPEATS for trace in traces])
    rate = context.estimate_rate(has_loop, 1)
    if rate.low > MAX_LOOPING_GAMES:
        yield context.make_finding(
            "loop",
            f"in {format_share(rate.value)} of games the same position, apart from the number "
            f"of the round, occurs {LOOP_REPEATS} times or more",
            rate,
            "share of games",
            game=find_first(has_loop),
        )


def check_knocked_out(context: AuditContext, traces: Sequence[DecisionTrace]) -> Iterator[Finding]:
    """Search for seats that decide nothing in the second half of a game."""
    context.checked_kinds.append("knocked-out")
    numbers = []
    knocked_out = []
    for trace in traces:
        if len(trace.script) > MAX_STEPS or trace.rounds <= 1:
            continue
        last_round = min(trace.last_rounds.get(seat, 0) for seat in range(context.seats))
        numbers.append(trace.number)
        knocked_out.append(last_round <= MAX_ACTIVE_SHARE * trace.rounds)
    if not numbers:
        return
    is_knocked_out = np.array(knocked_out)
    rate = context.estimate_rate(is_knocked_out, 1)
    if rate.low > MAX_KNOCKED_OUT_GAMES:
        yield context.make_finding(
            "knocked-out",
            f"in {format_share(rate.value)} of games a seat decides nothing in the second half",
            rate,
            "share of games",
            game=numbers[find_first(is_knocked_out)],
        )


def check_kingmaking(context: AuditContext, traces: Sequence[DecisionTrace]) -> Iterator[Finding]:
    """Kingmaking: search for seats that cannot win but decide the winner by their choice."""
    context.checked_kinds.append("kingmaker")
    budget = context.budget.subbudget(0.5)
    determinizer = Determinizer(context.engine, context.effort.seed)
    workspace = Workspace(context.game)
    tests = len(traces) * DECISIONS_PER_GAME * context.seats
    results: list[bool] = []
    for trace in traces:
        if budget.exhausted and len(results) >= MIN_GAMES:
            break
        results.append(_has_kingmaker(context, determinizer, workspace, trace, tests))
    has_kingmaker = np.array(results)
    rate = context.estimate_rate(has_kingmaker, 1)
    if rate.low > MAX_KINGMADE_GAMES:
        game = traces[find_first(has_kingmaker)].number
        yield context.make_finding(
            "kingmaker",
            f"in {format_share(rate.value)} of games a seat that cannot win decides who does",
            rate,
            "share of games",
            game=game,
            followup=context.build_odds_command(game),
        )


def _has_kingmaker(
    context: AuditContext,
    determinizer: Determinizer,
    workspace: Workspace,
    trace: DecisionTrace,
    tests: int,
) -> bool:
    """Return whether a hopeless seat decides the winner in the second half of a game."""
    half = len(trace.script) // 2
    late = [decision for decision in trace.open_decisions if decision.step >= half]
    spaced = late[:: max(1, len(late) // DECISIONS_PER_GAME)][:DECISIONS_PER_GAME]
    confidence = context.adjusted_confidence(tests)
    for decision in spaced:
        if decides_winner(determinizer, workspace, trace, decision, context.seats, confidence):
            return True
    return False


def decides_winner(
    determinizer: Determinizer,
    workspace: Workspace,
    trace: DecisionTrace,
    decision: Decision,
    n_seats: int,
    confidence: float,
) -> bool:
    """Return whether a seat that cannot win changes another seat's win rate by its choice.

    The first, the last and the chosen option are compared by rollouts.

    Args:
        determinizer: The game and its players.
        workspace: Buffers.
        trace: The game.
        decision: The decision.
        n_seats: Number of players.
        confidence: Confidence level of each comparison.
    """
    step = decision.step
    seat = decision.seat
    determinizer.seek(workspace, trace.number, trace.script, step)
    wins_by_option: list[tuple[np.ndarray, int]] = []
    for option in {0, decision.n_options - 1, int(trace.script[step])}:
        winners, _ = determinizer.sample_winners(
            workspace, trace.number, step, 0, ROLLOUTS, option_index=option, salt=1
        )
        winners = winners[winners > 0]
        if winners.size == 0:
            return False
        wins = (winners[:, None] >> np.arange(n_seats)) & 1
        if wins[:, seat].mean() > HOPELESS_RATE:
            return False
        wins_by_option.append((wins.sum(axis=0), winners.size))
    for (wins_a, n_a), (wins_b, n_b) in combinations(wins_by_option, 2):
        for other in range(n_seats):
            if other == seat:
                continue
            difference = estimates.newcombe_difference(
                int(wins_a[other]), n_a, int(wins_b[other]), n_b, confidence
            )
            if difference.low > MIN_SWAY or difference.high < -MIN_SWAY:
                return True
    return False
