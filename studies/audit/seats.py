"""Looks at who plays and at settings: the ladder of play, easy and hard, neighbouring steps, the seats."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from hardmode.scenarios.load import ScenarioError, Variant
from hardmode.scenarios.variant import SLIPS, STRATEGIES
from hardmode.sim.contract import ENDING, ROUNDS, WINNERS
from hardmode.sim.play.engine import Engine
from hardmode.strategies import registry
from hardmode.studies.audit.findings import Case, Finding, percent, points
from hardmode.studies.core.altered import altered
from hardmode.studies.core.metric import won
from hardmode.studies.core.run import engine
from hardmode.studies.core.skill_levels import RUNGS
from hardmode.studies.luck.analysis import seated
from hardmode.studies.stats import estimates
from hardmode.studies.stats.bounds import Pairs
from hardmode.studies.stats.estimates import Estimate

WORSE = 0.01  # less than this is no punishment, and no setting the wrong way round
JUMP = 0.30  # between neighbouring steps
UNFAIR = 0.02  # beyond a seat's share
OFTEN = 0.01  # of games that are stopped by the limit of turns
STALLED, STALLING = 3, 0.01  # times the median length, and the share of games
LONG = 0.10  # the share of games that may last longer than was said
EASE = (
    "tutorial",
    "easiest",
    "easy",
    "lean",
    "novice",
    "normal",
    "standard",
    "classic",
    "medium",
    "hard",
    "harder",
    "expert",
    "hardest",
    "nightmare",
)
HARDNESS = ("easy", "normal", "hard")
SAME = ("normal", "classic", "medium", "standard")


def paired(now: np.ndarray, before: np.ndarray, level: float) -> Estimate:
    """How much more often one was won, of the same games."""
    n = min(now.size, before.size)
    now, before = now[:n], before[:n]
    gained, lost = int((now & ~before).sum()), int((before & ~now).sum())
    low, high = Pairs(n, gained, lost).bounds((1 - level) / 2)
    return Estimate((gained - lost) / n, float(low), float(high), n, level)


def first(holds: np.ndarray) -> int:
    """The first game of which something holds."""
    return int(np.argmax(holds)) if holds.any() else 0


def rungs(case: Case, share: float) -> Iterator[Finding]:
    """Whether better play ever wins less."""
    case.looked.append("punished-rung")
    who = {
        rung: registry.player(case.game.name, rung)
        for rung in RUNGS
        if rung in registry.names(case.game.name)
    }
    who = {rung: player for rung, player in who.items() if not player.budget}
    games = {
        rung: won(
            case.game,
            case.rows(
                Engine(
                    case.game,
                    case.cell.box,
                    seated(case.game, case.made.seated[: case.seats], player),
                ),
                share / len(who),
                most=10_000,
            ),
        )
        for rung, player in who.items()
    }
    for worse, better in pairwise(games):
        gain = paired(games[better], games[worse], case.level(max(1, len(games) - 1)))
        if gain.high < -WORSE:
            yield case.finding(
                "punished-rung",
                f"{better} wins {points(gain)} against {worse}, which is to play worse",
                gain,
                "points of win rate",
                closer=case.command("luck"),
                game=first(games[worse][: gain.n] & ~games[better][: gain.n]),
            )


def scales(cell: Variant) -> dict[str, list[Any]]:
    """Settings whose values are named by how hard they are, from easy to hard."""
    found = {}
    for path, leaf in cell.leaves.items():
        named = [
            c
            for c in leaf.choices or ()
            if isinstance(c, str) and c in (HARDNESS[0], *SAME, HARDNESS[2])
        ]
        if not isinstance(leaf.value, list) and {HARDNESS[0], HARDNESS[2]} <= set(named):
            found[path] = sorted(named, key=EASE.index)
    return found


def settings(case: Case, share: float) -> Iterator[Finding]:
    """Whether a harder setting is easier, and whether neighbouring steps differ too much."""
    case.looked += ["inverted-setting", "jump"]
    ways: list[tuple[str, list[Variant], bool]] = []
    for path, values in scales(case.cell).items():
        ways.append((path, [c for c in (_with(case, path, v) for v in values) if c], True))
    ways += [
        (path, _along(case, path), False)
        for path in case.scenario.sweep
        if path not in (STRATEGIES, SLIPS)
    ]
    steps = sum(max(0, len(cells) - 1) for _, cells, _ in ways)
    rates: dict[int, np.ndarray] = {}
    each = share / max(1, sum(len(cells) for _, cells, _ in ways))
    for path, cells, scale in ways:
        for easier, harder in pairwise(cells):
            for cell in (easier, harder):
                if id(cell) not in rates:
                    rates[id(cell)] = won(case.game, case.rows(engine(cell), each, most=5_000))
            yield from _step(case, path, easier, harder, rates, scale, case.level(2 * steps))


def _with(case: Case, path: str, value: Any) -> Variant | None:
    try:
        return altered(case.cell, {path: value})
    except ScenarioError:
        return None


def _along(case: Case, path: str) -> list[Variant]:
    """The cells that differ from the first in this alone, where its values have an order."""
    there = {p: v for p, v in case.scenario.cells[0].label.items() if p != path}
    cells = [
        c for c in case.scenario.cells if {p: v for p, v in c.label.items() if p != path} == there
    ]
    numbers = all(
        isinstance(c.label.get(path), (int, float)) and not isinstance(c.label[path], bool)
        for c in cells
    )
    known = all(c.label.get(path) in EASE for c in cells)
    if not cells or not (numbers or known):
        return []
    key = (lambda c: c.label[path]) if numbers else (lambda c: EASE.index(c.label[path]))
    return sorted((altered(case.cell, dict(c.label)) for c in cells), key=key)


def _step(
    case: Case,
    path: str,
    easier: Variant,
    harder: Variant,
    games: dict[int, np.ndarray],
    scale: bool,
    level: float,
) -> Iterator[Finding]:
    a, b = games[id(easier)], games[id(harder)]
    change = paired(b, a, level)
    was, now = easier.values[path], harder.values[path]
    closer = case.command("run", "--set", f"{path}={now}", cell=easier)
    named = scale or (was in EASE and now in EASE)
    shown = first(a[: change.n] != b[: change.n])
    if named and not {was, now} <= set(SAME) and change.low > WORSE:
        yield case.finding(
            "inverted-setting",
            f"{path}: {now} is easier than {was}, {points(change)} of win rate",
            change,
            "points of win rate",
            game=shown,
            cell=harder,
            closer=closer,
        )
    if change.low > JUMP or change.high < -JUMP:
        yield case.finding(
            "jump",
            f"{path}: from {was} to {now} the win rate moves {points(change)}",
            change,
            "points of win rate",
            game=shown,
            cell=harder,
            closer=closer,
        )


def length(case: Case, share: float) -> Iterator[Finding]:
    """The limit of turns, games that go on and on, games that are longer than was said; and the seats' shares."""
    case.looked += ["turn-limit", "stalling"]
    rows = case.rows(case.made, share)
    level, n = case.level(3 + case.seats), rows.shape[1]
    capped = rows[ENDING] == len(case.game.all_endings) - 1
    stopped = estimates.exact_rate(int(capped.sum()), n, level)
    if stopped.low > OFTEN:
        yield case.finding(
            "turn-limit",
            f"{percent(stopped.value)} of games are ended by the limit of "
            f"{case.game.max_decisions:,} decisions",
            stopped,
            "share of games",
            game=first(capped),
        )
    usual = max(1.0, float(np.median(rows[ROUNDS])))
    long = (rows[ROUNDS] > STALLED * usual) & ~capped
    stalled = estimates.exact_rate(int(long.sum()), n, level)
    if stalled.low > STALLING:
        yield case.finding(
            "stalling",
            f"{percent(stalled.value)} of games last more than {STALLED} times the "
            f"median of {usual:g} {case.game.unit}",
            stalled,
            "share of games",
            game=first(long),
        )
    yield from stated(case, rows, level)
    yield from shares(case, rows, level)


def stated(case: Case, rows: np.ndarray, level: float) -> Iterator[Finding]:
    if case.rounds is None:
        return
    case.looked.append("too-long")
    beyond = rows[ROUNDS] > case.rounds
    found = estimates.exact_rate(int(beyond.sum()), beyond.size, level)
    if found.low > LONG:
        yield case.finding(
            "too-long",
            f"{percent(found.value)} of games last longer than the {case.rounds} "
            f"{case.game.unit} that were stated",
            found,
            "share of games",
            game=first(beyond),
        )


def shares(case: Case, rows: np.ndarray, level: float) -> Iterator[Finding]:
    """Where seats compete and the same player sits at all: what each wins, beyond an equal share."""
    alike = len({(p.name, p.weights) for p in case.made.players}) == 1
    if not case.rivals or not alike:
        return
    case.looked.append("first-seat")
    masks = rows[WINNERS].astype(np.int64)
    some = masks[masks != 0]
    bits = (some[:, None] >> np.arange(case.seats)) & 1
    parts = bits / bits.sum(axis=1, keepdims=True)
    for seat in range(case.seats):
        total = parts[:, seat]
        half = estimates.z_two_sided(level) * float(total.std()) / np.sqrt(max(1, total.size))
        mean = float(total.mean()) if total.size else 0.0
        low, high = mean - half - 1 / case.seats, mean + half - 1 / case.seats
        found = Estimate(mean - 1 / case.seats, low, high, total.size, level)
        if found.low > UNFAIR:
            yield case.finding(
                "first-seat",
                f"seat {seat + 1} of {case.seats}, which all play alike, wins "
                f"{percent(mean)} of the games that somebody wins",
                found,
                "points of the seat's share",
                game=first(masks >> seat & 1 == 1),
                closer=case.command("run"),
            )
