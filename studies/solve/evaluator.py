"""Where settings of a few numbers are played and measured, each on the same luck."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hardmode.scenarios.load import ScenarioError, StrategySpec, Variant
from hardmode.sim.play.run import Played, Runner
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.altered import altered
from hardmode.studies.core.run import engine
from hardmode.studies.core.skill_levels import seated
from hardmode.studies.solve.targets import Place, Target, places_of
from hardmode.studies.stats.estimates import Estimate

Sets = Mapping[str, Any]
TRY, MOST_TRIED, ENOUGH = 100, 10_000, 0.1  # games, and seconds, from which the pace is judged


@dataclass
class Setting:
    """Values of some levers, and what was played with them: in each cell where a target is to hold."""

    values: tuple[Any, ...]  # of every lever
    sets: Sets
    flags: tuple[str, ...] = ()
    changed: int = 0  # how many levers stand elsewhere
    cost: float = 0.0  # how far they moved, in units of their ranges
    played: list[Played] = field(default_factory=list)
    refused: str = ""

    @property
    def games(self) -> int:
        return min((p.games for p in self.played), default=0)


class Bench:
    """Plays settings on one luck."""

    def __init__(
        self, cell: Variant, wanted: Sequence[Target], seed: int, threads: int = 0
    ) -> None:
        self.cell, self.wanted, self.seed, self.threads = cell, wanted, seed, threads
        self.places = places_of(wanted)

    def play(self, setting: Setting, games: int) -> None:
        """Play a setting on to so many games; what the game cannot bear is marked as refused."""
        if setting.refused or setting.games >= games:
            return
        try:
            variants = [self._variant(setting, place) for place in self.places]
        except ScenarioError as why:
            setting.refused = str(why)
            return
        setting.played = setting.played or [Played(Tally(v.game)) for v in variants]
        for variant, played in zip(variants, setting.played, strict=True):
            Runner(engine(variant), self.seed, threads=self.threads).run(played, games)
            if played.interrupted:
                raise KeyboardInterrupt

    def _variant(self, setting: Setting, place: Place) -> Variant:
        where, rung = place
        made = altered(self.cell, {**setting.sets, **dict(where)})
        return altered(made, {}, seated(made, StrategySpec(rung))) if rung else made

    def pace(self, setting: Setting) -> float:
        """Games a second, all cells of a game counted as one, from a short try."""
        games, before, took = TRY, 0, 0.0
        self.play(setting, games)  # what is loaded and compiled does not count
        while took < ENOUGH and games < MOST_TRIED and not setting.refused:
            before, begun = games, time.perf_counter()
            games *= 3
            self.play(setting, games)
            took = time.perf_counter() - begun
        return (games - before) / max(took, 1e-4) if took else TRY

    def estimates(self, setting: Setting, level: float) -> dict[str, Estimate]:
        """What was measured of every target, in bounds that hold at the level."""
        return {
            t.name: t.estimate(
                [setting.played[self.places.index(place)].tally for place in t.places], level
            )
            for t in self.wanted
        }


def reaches(wanted: Sequence[Target], found: Mapping[str, Estimate]) -> bool:
    return all(t.inside(found[t.name]) for t in wanted)


def misses(wanted: Sequence[Target], found: Mapping[str, Estimate]) -> bool:
    return any(t.outside(found[t.name]) for t in wanted)


def distance(wanted: Sequence[Target], found: Mapping[str, Estimate], clear: float = 0.0) -> float:
    """How far the values lie outside what is wanted; 0 inside."""
    return sum(t.miss(found[t.name].value, clear) for t in wanted)
