"""Looks at how games go: won or lost before they begin, lost at once, decided long before they end, led for good."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, log

import numpy as np

from hardmode.sim.contract import ROUNDS
from hardmode.sim.play.engine import Desk
from hardmode.sim.play.rollouts import Worlds
from hardmode.sim.replay import choices
from hardmode.studies.audit.findings import Case, Finding, percent
from hardmode.studies.audit.seats import first
from hardmode.studies.core.metric import won
from hardmode.studies.core.run import engine
from hardmode.studies.game_flow.decision_point import Watched, of_cell
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

HOPELESS = 0.02  # the chance below which a game cannot be won, or lost
OPENINGS, SOME = (
    400,
    0.005,
)  # games whose openings are looked at, and the share of them that is a fault
TRY = 40  # worlds after which an opening is left alone, where it was won and lost in them
AT_ONCE, EARLY = 2, 0.03  # rounds, and the share of games that may be lost within them
FOLLOWED = 1000  # games that are followed to see when they are decided
DECIDED = 0.5  # of the games, for at least half of their rounds
LEADING, SURE = (
    1 / 3,
    0.9,
)  # the share of the rounds after which a leader leads, and how often that one then wins


def openings(case: Case, share: float) -> Iterator[Finding]:
    """Games of which the set-up decides: hardly any of the worlds behind the first real decision is won, or lost."""
    if case.rivals:
        return
    case.looked += ["lost-opening", "won-opening"]
    error = case.error(2 * OPENINGS) / 2
    worlds, desk, until = Worlds(case.made, case.effort.seed), Desk(case.game), case.until(share)
    settled: list[int] = []
    for number in range(case.few(OPENINGS, 5)):
        if Case.over(until) and number >= TRY:
            break
        settled.append(opening(worlds, desk, number, ceil(log(error) / log(1 - HOPELESS))))
    found = np.array(settled)
    for kind, side, what in (("lost-opening", -1, "won"), ("won-opening", 1, "lost")):
        here = found == side
        rate = estimates.exact_rate(int(here.sum()), here.size, case.level(2))
        if rate.low > SOME:
            yield case.finding(
                kind,
                f"{percent(rate.value)} of games can hardly be {what} any more (less than one in "
                f"{round(1 / HOPELESS)}) when {case.who} decides for the first time",
                rate,
                "share of games",
                game=first(here),
                closer=case.odds(first(here)),
            )


def opening(worlds: Worlds, desk: Desk, number: int, most: int) -> int:
    """-1 where none of so many worlds is won, 1 where none is lost, 0 where some are."""
    script, _ = choices(worlds.engine, desk, worlds.seed, number)
    step = next((i for i in range(len(script)) if worlds.stand(desk, number, script, i) > 1), -1)
    if step < 0:
        return 0
    worlds.stand(desk, number, script, step)
    bits = 1 if worlds.engine.game.competitive else -1
    wins = played = 0
    while played < most:
        size = min(TRY, most - played)
        winners, _ = worlds.winners(desk, number, step, played, played + size)
        told = winners[winners >= 0]
        wins, played = wins + int((told & bits != 0).sum()), played + size
        if 0 < wins < played:
            return 0
    return 1 if wins else -1


def early(case: Case, share: float) -> Iterator[Finding]:
    """Games that are lost at once by who plays best; where `steady` alone loses them so, it is said to be its own."""
    if case.rivals:
        return
    case.looked.append("early-loss")
    rows = case.rows(case.made, share / 2)
    if np.median(rows[ROUNDS]) <= 2 * AT_ONCE:
        return  # of a game that is always short
    here = lost_at_once(case, rows)
    found, steady = estimates.exact_rate(int(here.sum()), here.size, case.level(1)), None
    if case.steady_cell:
        other = lost_at_once(case, case.rows(engine(case.steady_cell), share / 2))
        steady = estimates.exact_rate(int(other.sum()), other.size, case.level(1))
    if found.low > EARLY:
        yield case.finding(
            "early-loss",
            f"{percent(found.value)} of games are lost within {AT_ONCE} "
            f"{case.game.unit} by {case.who}",
            found,
            "share of games",
            game=first(here),
            steady=steady,
        )
    if steady and steady.low > max(EARLY, 2 * found.high):
        case.asides.append(
            f"steady loses {percent(steady.value)} of games within {AT_ONCE} {case.game.unit}, "
            f"{case.who} {percent(found.value)}: that is the player's own doing"
        )


def lost_at_once(case: Case, rows: np.ndarray) -> np.ndarray:
    return ~won(case.game, rows) & (rows[ROUNDS] <= AT_ONCE)


def decisions(case: Case, share: float) -> Iterator[Finding]:
    """Games that are decided long before they are over, and leaders whom nobody catches."""
    case.looked.append("decided-early")
    most = case.few(FOLLOWED, 10) if case.games else None
    found = of_cell(case.cell, case.effort, most, share * case.seconds, case.progress)
    games = [g for g in found.games if g.rounds > 1]
    early_one = np.array([2 * g.dead >= g.rounds for g in games])
    if games:
        rate = estimates.exact_rate(int(early_one.sum()), early_one.size, case.level(2))
        if rate.low > DECIDED:
            shown = games[first(early_one)].number
            yield case.finding(
                "decided-early",
                f"{percent(rate.value)} of games are decided for half of their "
                f"{case.game.unit}: {mean_dead(games):.1f} of {mean_rounds(games):.1f} drag on",
                rate,
                "share of games",
                game=shown,
                closer=case.odds(shown),
            )
    if case.rivals:
        yield from leaders(case, games)


def mean_dead(games: list[Watched]) -> float:
    return sum(g.dead for g in games) / len(games)


def mean_rounds(games: list[Watched]) -> float:
    return sum(g.rounds for g in games) / len(games)


def leaders(case: Case, games: list[Watched]) -> Iterator[Finding]:
    case.looked.append("uncatchable-leader")
    led = [
        (g, one.leader)
        for g in games
        for one in g.looks
        if one.rounds == max(1, round(LEADING * g.rounds)) and one.leader >= 0
    ]
    wins = np.array([g.side == leader for g, leader in led])
    if not wins.size:
        return
    rate: Estimate = estimates.exact_rate(int(wins.sum()), wins.size, case.level(2))
    if rate.low > SURE:
        yield case.finding(
            "uncatchable-leader",
            f"who leads after a third of the {case.game.unit} wins "
            f"{percent(rate.value)} of the games in which somebody leads",
            rate,
            "share of games",
            game=led[first(wins)][0].number,
            closer=case.odds(led[first(wins)][0].number),
        )
