"""Looks at games step by step: positions that come again, seats that have nothing more to decide or to win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hardmode.sim.contract import ROUNDS
from hardmode.sim.play.engine import Desk
from hardmode.sim.play.rollouts import Worlds
from hardmode.sim.play.workspace import REAL
from hardmode.sim.replay import choices
from hardmode.studies.audit.findings import Case, Finding, percent
from hardmode.studies.audit.seats import first
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

WALKED, FEWEST, STEPS = 200, 20, 400  # games, and how far each is followed
AGAIN, LOOPS = 3, 0.10  # times that a position comes, and the share of games in which one may
OUT, KNOCKED = (
    0.5,
    0.10,
)  # the share of the rounds in which a seat decides, and of games in which one may be out
HOPE, WORLDS = (
    0.02,
    200,
)  # the chance of a seat that cannot win, and the worlds in which it is looked at
SWAY, KINGS = (
    0.3,
    0.05,
)  # by how much an option moves the chance of another seat, and the share of games with one
ASKED = 12  # decisions of hopeless seats that are looked at in a game


@dataclass
class Walk:
    """What was seen along one game."""

    number: int
    rounds: int
    comes: int  # how often the commonest position came
    last: dict[int, int]  # the last round in which each seat decided
    open: list[tuple[int, int, int]]  # step, seat and options of every real decision
    script: np.ndarray


def walks(case: Case, share: float) -> Iterator[Finding]:
    """Loops, seats that are out, and seats that make kings."""
    until, desk = case.until(share / 2), Desk(case.game)
    seen: list[Walk] = []
    while len(seen) < case.few(WALKED, 10) and (len(seen) < FEWEST or not Case.over(until)):
        seen.append(walk(case, desk, len(seen)))
    yield from loops(case, seen)
    if case.rivals:
        yield from knocked_out(case, seen)
        if case.seats > 2:
            yield from kings(case, seen, share / 2)


def walk(case: Case, desk: Desk, number: int) -> Walk:
    worlds = Worlds(case.made, case.effort.seed)
    script, row = choices(case.made, desk, case.effort.seed, number)
    met: Counter[bytes] = Counter()
    last: dict[int, int] = {}
    found: list[tuple[int, int, int]] = []
    for step in range(min(len(script), STEPS)):
        n = worlds.stand(desk, number, script, step)
        table = desk.tables.view(np.ndarray)[REAL : REAL + 1].copy()
        seat = int(table["seat"][0])
        last[seat] = int(table["round"][0])
        if n > 1:
            found.append((step, seat, n))
            table["round"] = 0
            met[table.tobytes() + desk.hiddens.view(np.ndarray)[REAL : REAL + 1].tobytes()] += 1
    return Walk(number, int(row[ROUNDS]), max(met.values(), default=0), last, found, script)


def loops(case: Case, seen: list[Walk]) -> Iterator[Finding]:
    case.looked.append("loop")
    again = np.array([w.comes >= AGAIN for w in seen])
    rate = estimates.exact_rate(int(again.sum()), again.size, case.level(1))
    if rate.low > LOOPS:
        yield case.finding(
            "loop",
            f"in {percent(rate.value)} of games the same position, but for the number of "
            f"the round, comes {AGAIN} times or more",
            rate,
            "share of games",
            game=first(again),
        )


def knocked_out(case: Case, seen: list[Walk]) -> Iterator[Finding]:
    case.looked.append("knocked-out")
    whole = [w for w in seen if len(w.script) <= STEPS and w.rounds > 1]
    out = np.array(
        [min(w.last.get(s, 0) for s in range(case.seats)) <= OUT * w.rounds for w in whole]
    )
    rate = estimates.exact_rate(int(out.sum()), out.size, case.level(1))
    if out.size and rate.low > KNOCKED:
        yield case.finding(
            "knocked-out",
            f"in {percent(rate.value)} of games a seat decides nothing in the second half",
            rate,
            "share of games",
            game=whole[first(out)].number,
        )


def kings(case: Case, seen: list[Walk], share: float) -> Iterator[Finding]:
    """Decisions of seats that cannot win, tried both ways: whether they say who does."""
    case.looked.append("kingmaker")
    until, worlds, desk = case.until(share), Worlds(case.made, case.effort.seed), Desk(case.game)
    made: list[bool] = []
    level = case.level(len(seen) * ASKED * case.seats)
    for w in seen:
        if Case.over(until) and len(made) >= FEWEST:
            break
        late = [one for one in w.open if one[0] >= len(w.script) // 2]
        chosen = late[:: max(1, len(late) // ASKED)][:ASKED]
        made.append(any(sways(case, worlds, desk, w, *one, level) for one in chosen))
    kingly = np.array(made)
    rate = estimates.exact_rate(int(kingly.sum()), max(1, kingly.size), case.level(1))
    if rate.low > KINGS:
        game = seen[first(kingly)].number
        yield case.finding(
            "kingmaker",
            f"in {percent(rate.value)} of games a seat that cannot win decides who does",
            rate,
            "share of games",
            game=game,
            closer=case.odds(game),
        )


def sways(
    case: Case, worlds: Worlds, desk: Desk, w: Walk, step: int, seat: int, n: int, level: float
) -> bool:
    """Whether a seat that wins in hardly any world moves another's chance by its choice alone."""
    worlds.stand(desk, w.number, w.script, step)
    ways = []
    for option in dict.fromkeys((0, n - 1, int(w.script[step]))):
        winners, _ = worlds.winners(desk, w.number, step, 0, WORLDS, taking=option, salt=1)
        told = winners[winners > 0]
        if told.size == 0:
            return False
        bits = (told[:, None] >> np.arange(case.seats)) & 1
        if bits[:, seat].mean() > HOPE:
            return False
        ways.append((bits.sum(axis=0), told.size))
    return any(
        apart(a, b, s, level).low > SWAY
        for i, a in enumerate(ways)
        for b in ways[:i]
        for s in range(case.seats)
        if s != seat
    )


def apart(
    a: tuple[np.ndarray, int], b: tuple[np.ndarray, int], seat: int, level: float
) -> Estimate:
    """By how much a seat's share differs between two ways, whichever is larger."""
    found = estimates.difference(int(a[0][seat]), a[1], int(b[0][seat]), b[1], level)
    return (
        found
        if found.value >= 0
        else Estimate(-found.value, -found.high, -found.low, found.n, level)
    )
