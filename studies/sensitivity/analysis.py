"""Which numbers matter: each of the box one plausible step up and down, on the luck of the scenario itself.

How they are played stands in `sifting`. Up and down are rows of their own, so nothing cancels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from hardmode.scenarios.load import Variant
from hardmode.sim.contract import Game
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.core.reference_players import by_steady
from hardmode.studies.core.run import Effort
from hardmode.studies.sensitivity.paired_effects import Number, Table
from hardmode.studies.sensitivity.screening import LEADING, LOOKS, Sieve, mattering, small, strength
from hardmode.studies.sensitivity.steps import neighbours
from hardmode.studies.stats import estimates
from hardmode.studies.stats.bounds import Pairs
from hardmode.studies.stats.estimates import Estimate

SECONDS, MANY = 60.0, 1200  # twice as long where there are more steps than that
MOST = 200_000  # games of one number
BESIDE = 0.06  # the share of the time in which the leading ones are played by `steady` too


@dataclass
class Sensitivity:
    cell: Variant
    seed: int
    confidence: float
    numbers: list[Number]  # what could be played
    refused: list[Number] = field(default_factory=list)
    unvaried: list[str] = field(default_factory=list)  # names and lists of names: there is no step
    games: int = 0  # of the scenario itself
    interrupted: bool = False
    steady: dict[tuple[str, str], Number] = field(default_factory=dict)
    looks: int = 1  # how often a step may have been looked at before it was played on or not

    @property
    def game(self) -> Game:
        return self.cell.game

    @cached_property
    def level(self) -> float:
        return estimates.simultaneous(self.confidence, max(1, self.tests))

    @property
    def tests(self) -> int:
        """How many intervals there are that hold together."""
        return self.looks * len(self.numbers) + sum(n.amid is not None for n in self.numbers)

    def difference(self, number: Number) -> Estimate:
        """What the step does to the win rate, in an interval that holds together with those of all others."""
        if not number.read:
            return Estimate(0.0, 0.0, 0.0, self.games, self.confidence)
        if not number.games:
            return Estimate(float("nan"), -1.0, 1.0, 0, self.confidence)
        low, high = _bounds(number.games, number.gained, number.lost, (1 - self.level) / 2)
        return Estimate(number.value, low, high, number.games, self.confidence)

    def by_steady(self, number: Number) -> Estimate | None:
        """What the step does where `steady` plays, if that was played."""
        other = self.steady.get((number.path, str(number.after)))
        return self.difference(other) if other else None

    def length(self, number: Number) -> Estimate:
        total, squares = number.length
        return estimates.mean(number.games, total, squares, self.level)

    @cached_property
    def matters(self) -> list[Number]:
        """Those of which at most one in twenty does nothing (Benjamini and Hochberg), the strongest first."""
        return sorted(
            mattering(self.numbers, 1 - self.confidence, self.looks), key=strength, reverse=True
        )

    @cached_property
    def unread(self) -> list[str]:
        """Numbers whose steps leave the box that is played as it was."""
        return self._all(lambda n: not n.read)

    @cached_property
    def silent(self) -> list[str]:
        """Numbers that reach the box, and none of whose steps changed a game that was played."""
        quiet = self._all(lambda n: not n.read or (n.games > 0 and not n.differing and not n.amid))
        return [p for p in quiet if p not in self.unread]

    @property
    def dead(self) -> list[str]:
        return [*self.unread, *self.silent]

    @property
    def unresolved(self) -> list[Number]:
        """Changes that alter games, but not so that a difference of the win rate is shown; the widest first."""
        gone, shown = set(self.dead), {id(n) for n in self.matters}
        return sorted(
            (n for n in self.numbers if n.path not in gone and id(n) not in shown and n.read),
            key=lambda n: -self.bound(n),
        )

    @cached_property
    def open(self) -> list[Number]:
        """Those that may move the win rate by what is sought, for all that was played."""
        return [n for n in self.numbers if not self.settled(n)]

    def settled(self, number: Number) -> bool:
        """Whether it is shown to move the win rate, or would have been if it moved it by what is sought."""
        return not number.read or small(number) or any(n is number for n in self.matters)

    def amid(self, number: Number) -> Estimate | None:
        """What the step does amid others, if that was played; this too in an interval that holds with all others."""
        if number.amid is None:
            return None
        value, by = number.amid.value, estimates.z_two_sided(self.level) * number.amid.error
        return Estimate(value, value - by, value + by, number.amid.games, self.confidence)

    def bound(self, number: Number) -> float:
        """The farthest end of its interval; amid others, where that is nearer."""
        return min(
            farthest(found) for found in (self.difference(number), self.amid(number)) if found
        )

    def bounded_amid(self, number: Number) -> bool:
        return self.bound(number) < farthest(self.difference(number))

    def _all(self, holds: Any) -> list[str]:
        paths = dict.fromkeys(n.path for n in self.numbers)
        return [p for p in paths if all(holds(n) for n in self.numbers if n.path == p)]


@lru_cache(10_000)  # many steps have turned as few games as others
def _bounds(games: int, gained: int, lost: int, level: float) -> tuple[float, float]:
    low, high = Pairs(games, gained, lost).bounds(level)
    return float(low), float(high)


def farthest(found: Estimate) -> float:
    """How far from nothing the interval reaches."""
    return max(-found.low, found.high)


def usual(cell: Variant) -> float:
    """Seconds in which most of what matters is found."""
    return SECONDS if len(_numbers(cell)[0]) <= MANY else 2 * SECONDS


def sensitivity(
    cell: Variant,
    effort: Effort,
    seconds: float | None = SECONDS,
    progress: Progress = silent,
    total: int | None = None,
) -> Sensitivity:
    """Play every number of the cell one step away, each on at most `effort.games` games, for about `seconds`; or on
    so many in `total`, and then nothing depends on the machine."""
    numbers, unvaried = _numbers(cell)
    effort = effort.on(None)
    other = by_steady(cell)
    lead = 1 - BESIDE if other else 1.0
    table = Sieve(cell, effort, seconds * lead if seconds else None, progress, _part(total, lead))
    table.play(numbers)
    made = Sensitivity(
        cell,
        effort.seed,
        effort.confidence,
        [n for n in numbers if not n.refused],
        [n for n in numbers if n.refused],
        unvaried,
        table.games,
        table.interrupted,
        looks=LOOKS if seconds or total is not None else 1,
    )
    if other and not table.interrupted:
        made.steady = _leading(
            made,
            Table(
                other,
                effort,
                seconds * (1 - lead) if seconds else None,
                progress,
                _part(total, 1 - lead),
            ),
        )
    return made


def _part(total: int | None, share: float) -> int | None:
    return None if total is None else int(total * share)


def _numbers(cell: Variant) -> tuple[list[Number], list[str]]:
    found = {path: neighbours(leaf, cell.values[path]) for path, leaf in cell.leaves.items()}
    return (
        [
            Number(path, cell.values[path], there)
            for path, others in found.items()
            for there in others
        ],
        [path for path, others in found.items() if not others],
    )


def _leading(made: Sensitivity, table: Table) -> dict[tuple[str, str], Number]:
    """The leading numbers once more, played by somebody else."""
    numbers = [Number(n.path, n.before, n.after) for n in made.matters[:LEADING]]
    table.play(numbers)
    return {(n.path, str(n.after)): n for n in numbers if n.games}
