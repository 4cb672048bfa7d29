"""What a tally holds by set-up factor: counts for each value, and what each value does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from hardmode.sim.contract import Game
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.metric import DifficultyMetric
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

SUMS = ("games", "wins", "score", "score_squared")


@dataclass(frozen=True)
class FactorValue:
    """One value of a factor, or of two together: integer sums over the games that had it."""

    games: int
    wins: int
    score: int
    score_squared: int

    def __add__(self, other: FactorValue) -> FactorValue:
        return FactorValue(*(getattr(self, s) + getattr(other, s) for s in SUMS))

    def __sub__(self, other: FactorValue) -> FactorValue:
        return FactorValue(*(getattr(self, s) - getattr(other, s) for s in SUMS))


def levels(tally: Tally, factor: str) -> dict[str, FactorValue]:
    """The values of a factor by name, in the order of the game."""
    return {
        value_name(tally.game, factor, v): FactorValue(*(sums[s] for s in SUMS))
        for v, sums in tally.sum_by_factor(factor).items()
    }


def pairs(tally: Tally) -> dict[tuple[str, str], dict[tuple[str, str], FactorValue]]:
    """For each two factors that were met together, the sums by both their values."""
    part = tally.groups_frame.filter(pl.col("other") != "")
    keys = ["factor", "other", "value", "other_value"]
    out: dict[tuple[str, str], dict[tuple[str, str], FactorValue]] = {}
    for f, o, v, w, *rest in part.group_by(keys).agg(pl.col(*SUMS).sum()).sort(keys).iter_rows():
        names = value_name(tally.game, f, v), value_name(tally.game, o, w)
        out.setdefault((f, o), {})[names] = FactorValue(*rest)
    return out


def by_ending(tally: Tally, factor: str) -> dict[str, list[int]]:
    """For each value of a factor, the games by ending."""
    part = tally.groups_frame.filter((pl.col("factor") == factor) & (pl.col("other") == ""))
    out: dict[str, list[int]] = {}
    for value, ending, games in (
        part.sort("value", "ending").select("value", "ending", "games").iter_rows()
    ):
        counts = out.setdefault(
            value_name(tally.game, factor, value), [0] * len(tally.game.all_endings)
        )
        counts[ending] += games
    return out


def value_name(game: Game, factor: str, value: int) -> str:
    labels = next(m.labels for m in game.measures if m.name == factor)
    return labels[value] if 0 <= value < len(labels) else str(value)


def headline_of(measure: DifficultyMetric, level: FactorValue) -> Estimate:
    """What the measure of the report shows for the games of one level."""
    if measure.by_score:
        return estimates.student_t_mean(level.games, level.score, level.score_squared, measure.confidence)
    return measure.estimate_rate(level.wins, level.games)


def effects(measure: DifficultyMetric, found: dict[str, Any]) -> dict[str, Estimate]:
    """For each level, what that measure shows less what it shows for all the rest; they hold all together."""
    if not measure.by_score:
        return estimates.estimate_level_effects(
            {name: (x.wins, x.games) for name, x in found.items()}, measure.confidence
        )
    everything = sum(found.values(), FactorValue(0, 0, 0, 0))
    each = estimates.bonferroni_level(measure.confidence, len(found))
    return {
        name: estimates.welch_difference(x.games, x.score, x.score_squared, *_mean_sums(everything - x), each)
        for name, x in found.items()
    }


def _mean_sums(x: FactorValue) -> tuple[int, int, int]:
    return x.games, x.score, x.score_squared
