"""What a designer wants: a rate, a mean, the share of an ending or a seat, as a point or a band, in a cell or not.

`win_rate=50%`, `rounds=10..14`, `lost: dark=< 10%`, `seat 2=45..55%`, `players=4: win_rate=40..50%`; and how far two
rungs of the ladder lie apart: `trained - beginner=> 20%`
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from hardmode.scenarios import expect, grid
from hardmode.scenarios.expect import Band
from hardmode.scenarios.load import Variant
from hardmode.sim.contract import Game
from hardmode.sim.files.yaml_io.errors import nearest
from hardmode.sim.results.tally import Tally
from hardmode.strategies import registry
from hardmode.studies.core.metric import sums, wins
from hardmode.studies.core.skill_levels import RUNGS
from hardmode.studies.stats import estimates
from hardmode.studies.stats.bounds import Rate
from hardmode.studies.stats.estimates import Estimate

WITHIN = 0.01  # how near to a rate that is asked for as a point
HALF = 0.5  # the same for a mean
WIN_RATE = "win_rate"
Place = tuple[
    tuple[tuple[str, Any], ...], str
]  # paths and values that make the cell, and the rung that plays


class SolveError(ValueError):
    """A question that cannot be asked; one line says why."""


@dataclass(frozen=True)
class Target:
    name: str  # as written, with its cell
    measure: str
    band: Band
    is_rate: bool
    written: str
    where: tuple[tuple[str, Any], ...] = ()  # the cell in which it is to hold: path and value
    rungs: tuple[str, ...] = ()  # whose win rates are compared, the better first

    @property
    def logistic(self) -> bool:
        """Whether it lies between 0 and 1 and bends as the logarithm of odds does."""
        return self.is_rate and not self.rungs

    @property
    def places(self) -> list[Place]:
        """What is played for it: a cell, and who plays there if not whoever plays the scenario."""
        return [(self.where, rung) for rung in self.rungs or ("",)]

    def estimate(self, tallies: Sequence[Tally], level: float) -> Estimate:
        """The value, in bounds that hold at the level whatever the truth is."""
        if self.rungs:
            one, other = (self._alone(tally, (1 + level) / 2) for tally in tallies)
            return Estimate(
                one.value - other.value, one.low - other.high, one.high - other.low, one.n, level
            )
        return self._alone(tallies[0], level)

    def _alone(self, tally: Tally, level: float) -> Estimate:
        if not self.is_rate:
            return estimates.mean(*sums(tally.histogram(self.measure)), level)
        k, n = self.count(tally), tally.games
        low, high = Rate(k, n).bounds((1 - level) / 2)
        return Estimate(k / n, float(low), float(high), n, level)

    def count(self, tally: Tally) -> int:
        if self.measure == WIN_RATE or self.rungs:
            return wins(tally)
        if self.measure.startswith("seat "):
            return tally.shares()[int(self.measure[5:]) - 1]
        return tally.endings()[self.measure]

    def inside(self, e: Estimate) -> bool:
        return e.low >= self.band.low and e.high <= self.band.high

    def outside(self, e: Estimate) -> bool:
        return e.low > self.band.high or e.high < self.band.low

    def widths(self, e: Estimate) -> float:
        """How many times as wide the interval is as there is room on either side in the band; none where the value
        itself lies outside."""
        low, high = e.value - self.band.low, self.band.high - e.value
        return (
            max((e.value - e.low) / low, (e.high - e.value) / high) if min(low, high) > 0 else inf
        )

    def miss(self, value: float, clear: float = 0.0) -> float:
        """How far outside the band, relative to what counts as near; or outside what lies clear of its ends, by
        such a part of half its width."""
        low, high = self.band.low, self.band.high
        room = clear * (high - low) / 2 if isfinite(high - low) else 0.0
        return max(low + room - value, value - high + room, 0.0) / (
            WITHIN if self.is_rate else HALF
        )

    @property
    def text(self) -> str:
        """What is wanted, in words: 50 %, 40 .. 55 %."""
        return " ".join(re.sub(r"(\.\.|%)", r" \1 ", self.written).split())


def targets(written: Sequence[str], cell: Variant, within: float) -> list[Target]:
    """All targets, checked against the game and against each other."""
    found = [_target(one, cell, within) for one in written]
    for i, one in enumerate(found):
        for other in found[:i]:
            same = (one.measure, one.where) == (other.measure, other.where)
            if same and (one.band.low > other.band.high or other.band.low > one.band.high):
                raise SolveError(
                    f"{other.name}={other.written} and {one.name}={one.written} contradict each other"
                )
    for where in {one.where for one in found}:
        endings = {
            one.name: one
            for one in found
            if one.where == where and one.measure in cell.game.all_endings
        }
        if sum(one.band.low for one in endings.values()) > 1:
            told = [f"{name}={one.written}" for name, one in endings.items()]
            raise SolveError(
                f"{', '.join(told)} contradict each other: that is more than all games"
            )
    return found


def _target(written: str, cell: Variant, within: float) -> Target:
    before, colon, after = written.partition(": ")
    where, rest = (
        ((grid.flag(before, "--target"),), after) if colon and "=" in before else ((), written)
    )
    measure, equals, value = (part.strip() for part in rest.partition("="))
    if not equals or not value:
        raise SolveError(
            f"{written!r} is not a target; write for example win_rate=50% or rounds=10..14"
        )
    rates, means = _measures(cell.game, cell.players)
    rungs = _rungs(measure, cell)
    if rungs:
        rates = [*rates, measure]
    if measure not in (*rates, *means):
        close = nearest(measure, [*rates, *means])
        raise SolveError(
            f"{measure}: no such measure{f'; did you mean {close[0]}?' if close else ''}"
            f"{'' if close else '; there are ' + ', '.join([*rates, *means])}"
        )
    band = _band(measure, value, measure in rates, within)
    name = f"{before}: {measure}" if where else measure
    return Target(
        name, measure, band, measure in rates, value, tuple((c.path, c.value) for c in where), rungs
    )


def _rungs(measure: str, cell: Variant) -> tuple[str, ...]:
    """The rungs whose distance is meant: `trained - beginner`."""
    one, minus, other = (part.strip() for part in measure.partition(" - "))
    known = registry.names(cell.game.name)
    if not minus or {one, other} - set(RUNGS):
        return ()
    missing = [rung for rung in (one, other) if rung not in known]
    if missing or one == other:
        there = ", ".join(r for r in RUNGS if r in known)
        raise SolveError(f"{measure}: {cell.game.name} has {there}; two of them are wanted")
    return one, other


def _measures(game: Game, players: int) -> tuple[list[str], list[str]]:
    named = {m.name for m in game.measures if m.labels}
    seats = [f"seat {s + 1}" for s in range(players)] if game.competitive else []
    means = [
        c
        for c in game.columns
        if c not in ("ending", "winners") and c.rpartition(" ")[0] not in named and c not in named
    ]
    return [WIN_RATE, *seats, *game.all_endings], means


def _band(measure: str, value: str, is_rate: bool, within: float) -> Band:
    try:
        read = expect.rate if is_rate else expect.amount
        if ".." in value or value[0] in "<>≥≤":
            return read(value)
        point = read(f"{value} .. {value}").low
    except ValueError as why:
        raise SolveError(f"{measure}={value}: {why}") from why
    room = within if is_rate else HALF
    return Band(point - room, point + room, False, value)


def places_of(wanted: Sequence[Target]) -> list[Place]:
    """All that is played for some targets, each once."""
    found: list[Place] = []
    for place in (place for target in wanted for place in target.places):
        if place not in found:
            found.append(place)
    return found
