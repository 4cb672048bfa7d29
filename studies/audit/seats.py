"""Checks of players and lengths: skill levels, shares of the seats, games that are too long."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from hardmode.sim.contract import ENDING, ROUNDS, WINNERS
from hardmode.sim.play.engine import Engine
from hardmode.strategies import registry
from hardmode.studies.audit.context import AuditContext
from hardmode.studies.audit.findings import Finding, find_first
from hardmode.studies.core.metric import is_won
from hardmode.studies.core.skill_levels import SKILL_LEVELS
from hardmode.studies.stats import estimates
from hardmode.studies.stats.bounds import PairedBounds
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_share

MIN_PUNISHMENT = 0.01  # of win rate, that a better player loses
MAX_GAMES = 10_000  # of each skill level
MAX_SEAT_ADVANTAGE = 0.02  # beyond a seat's share
MAX_CAPPED_GAMES = 0.01  # share of games that end by the limit of decisions
STALLING_FACTOR = 3  # times the median length
MAX_STALLING_GAMES = 0.01  # share of games
MAX_LONG_GAMES = 0.10  # share of games that last longer than stated


def estimate_paired_difference(
    won: np.ndarray, base_won: np.ndarray, confidence: float
) -> Estimate:
    """Return the difference of two win rates in the same games, with Tango's interval.

    Args:
        won: Which games were won.
        base_won: Which games were won in the case to compare with.
        confidence: Confidence level of the interval.
    """
    n = min(won.size, base_won.size)
    won = won[:n]
    base_won = base_won[:n]
    gained = int((won & ~base_won).sum())
    lost = int((base_won & ~won).sum())
    low, high = PairedBounds(n, gained, lost).bounds((1 - confidence) / 2)
    return Estimate((gained - lost) / n, float(low), float(high), n, confidence)


def check_skill_levels(context: AuditContext) -> Iterator[Finding]:
    """Search for skill levels that win less often than the level below."""
    context.checked_kinds.append("punished-rung")
    game = context.game
    names = registry.list_strategies(context.game.name)
    players = {}
    for level in SKILL_LEVELS:
        player = registry.create_player(game.name, level) if level in names else None
        if player and not player.rollout_budget:
            players[level] = player
    won_by_level: dict[str, np.ndarray] = {}
    for level, player in players.items():
        seats = context.cell.seat_plan.assign(player, context.engine.seat_players)
        engine = Engine(game, context.cell.box, seats)
        budget = context.budget.subbudget(1 / len(players))
        won_by_level[level] = is_won(game, context.play_games(engine, budget, MAX_GAMES))
    confidence = context.adjusted_confidence(max(1, len(players) - 1))
    for worse, better in pairwise(won_by_level):
        worse_won = won_by_level[worse]
        better_won = won_by_level[better]
        gain = estimate_paired_difference(better_won, worse_won, confidence)
        if gain.high < -MIN_PUNISHMENT:
            yield context.make_finding(
                "punished-rung",
                f"{better} wins {-100 * gain.value:.1f} points less than {worse}, a lower level",
                gain,
                "points of win rate",
                followup=context.build_command("luck"),
                game=find_first(worse_won[: gain.n] & ~better_won[: gain.n]),
            )


def check_length(context: AuditContext) -> Iterator[Finding]:
    """Search for games that are too long, and for seats that win more than their share."""
    context.checked_kinds.extend(["turn-limit", "stalling"])
    rows = context.play_games(context.engine, context.budget)
    tests = 3 + context.seats
    unit = context.game.unit
    is_capped = rows[ENDING] == len(context.game.all_endings) - 1
    rate = context.estimate_rate(is_capped, tests)
    if rate.low > MAX_CAPPED_GAMES:
        yield context.make_finding(
            "turn-limit",
            f"{format_share(rate.value)} of games are ended by the limit of "
            f"{context.game.max_decisions:,} decisions",
            rate,
            "share of games",
            game=find_first(is_capped),
        )
    median = max(1.0, float(np.median(rows[ROUNDS])))
    is_stalling = (rows[ROUNDS] > STALLING_FACTOR * median) & ~is_capped
    rate = context.estimate_rate(is_stalling, tests)
    if rate.low > MAX_STALLING_GAMES:
        yield context.make_finding(
            "stalling",
            f"{format_share(rate.value)} of games last more than {STALLING_FACTOR} times the "
            f"median of {median:g} {unit}",
            rate,
            "share of games",
            game=find_first(is_stalling),
        )
    if context.stated_rounds is not None:
        yield from check_stated_length(context, rows, context.stated_rounds, tests)
    yield from check_seat_shares(context, rows, tests)


def check_stated_length(
    context: AuditContext, rows: np.ndarray, stated_rounds: int, tests: int
) -> Iterator[Finding]:
    """Search for games that last longer than stated.

    Args:
        context: The audit.
        rows: Rows of games.
        stated_rounds: The stated length.
        tests: Number of intervals of the check.
    """
    context.checked_kinds.append("too-long")
    is_long = rows[ROUNDS] > stated_rounds
    rate = context.estimate_rate(is_long, tests)
    if rate.low > MAX_LONG_GAMES:
        yield context.make_finding(
            "too-long",
            f"{format_share(rate.value)} of games last longer than the stated {stated_rounds} "
            f"{context.game.unit}",
            rate,
            "share of games",
            game=find_first(is_long),
        )


def check_seat_shares(context: AuditContext, rows: np.ndarray, tests: int) -> Iterator[Finding]:
    """Search for seats that win more than their share, if all seats have the same player.

    Args:
        context: The audit.
        rows: Rows of games.
        tests: Number of intervals of the check.
    """
    is_same_player = len({(p.name, p.weights) for p in context.engine.players}) == 1
    if not context.is_competitive or not is_same_player:
        return
    context.checked_kinds.append("first-seat")
    winners = rows[WINNERS].astype(np.int64)
    equal_share = 1 / context.seats
    confidence = context.adjusted_confidence(tests)
    won_by_seat = (winners[winners != 0][:, None] >> np.arange(context.seats)) & 1
    shares = won_by_seat / won_by_seat.sum(axis=1, keepdims=True)
    for seat in range(context.seats):
        advantage = _estimate_mean(shares[:, seat], confidence)
        share = advantage.value
        advantage = Estimate(
            share - equal_share,
            advantage.low - equal_share,
            advantage.high - equal_share,
            advantage.n,
            confidence,
        )
        if advantage.low > MAX_SEAT_ADVANTAGE:
            yield context.make_finding(
                "first-seat",
                f"seat {seat + 1} of {context.seats} wins {format_share(share)} of the games "
                "that have a winner, although all seats play alike",
                advantage,
                "points of the seat's share",
                game=find_first(winners >> seat & 1 == 1),
                followup=context.build_command("run"),
            )


def _estimate_mean(values: np.ndarray, confidence: float) -> Estimate:
    """Return a mean with its normal interval; 0 without values."""
    if not values.size:
        return Estimate(0.0, 0.0, 0.0, 0, confidence)
    z = estimates.two_sided_z(confidence)
    half_width = z * float(values.std()) / np.sqrt(values.size)
    mean = float(values.mean())
    return Estimate(mean, mean - half_width, mean + half_width, values.size, confidence)
