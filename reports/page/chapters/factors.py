"""Sums over games by set-up factor, and the effect of each value of a factor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from hardmode.sim.contract import Game
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.metric import DifficultyMetric
from hardmode.studies.stats import estimates
from hardmode.studies.stats.estimates import Estimate

SUMS = ("games", "wins", "score", "score_squared")


@dataclass(frozen=True)
class FactorValue:
    """Integer sums over the games with one value of a factor, or with two values of two factors."""

    games: int
    wins: int
    score: int
    score_squared: int

    def __add__(self, other: FactorValue) -> FactorValue:
        return FactorValue(*(getattr(self, s) + getattr(other, s) for s in SUMS))

    def __sub__(self, other: FactorValue) -> FactorValue:
        return FactorValue(*(getattr(self, s) - getattr(other, s) for s in SUMS))


def sum_by_value(tally: Tally, factor: str) -> dict[str, FactorValue]:
    """Return the sums for each value of a factor, by name, in the order of the game."""
    sums_by_name = {}
    for value, sums in tally.sum_by_factor(factor).items():
        name = get_value_name(tally.game, factor, value)
        sums_by_name[name] = FactorValue(*(sums[s] for s in SUMS))
    return sums_by_name


def sum_by_value_pair(tally: Tally) -> dict[tuple[str, str], dict[tuple[str, str], FactorValue]]:
    """Return the sums by both values, for each two factors that were counted together."""
    groups = tally.groups_frame.filter(pl.col("other") != "")
    keys = ["factor", "other", "value", "other_value"]
    sums = groups.group_by(keys).agg(pl.col(*SUMS).sum()).sort(keys)
    pairs: dict[tuple[str, str], dict[tuple[str, str], FactorValue]] = {}
    for factor, other, value, other_value, *counts in sums.iter_rows():
        names = (
            get_value_name(tally.game, factor, value),
            get_value_name(tally.game, other, other_value),
        )
        pairs.setdefault((factor, other), {})[names] = FactorValue(*counts)
    return pairs


def count_endings_by_value(tally: Tally, factor: str) -> dict[str, list[int]]:
    """Return the number of games with each ending, for each value of a factor."""
    groups = tally.groups_frame.filter((pl.col("factor") == factor) & (pl.col("other") == ""))
    rows = groups.sort("value", "ending").select("value", "ending", "games")
    counts: dict[str, list[int]] = {}
    for value, ending, games in rows.iter_rows():
        name = get_value_name(tally.game, factor, value)
        counts.setdefault(name, [0] * len(tally.game.all_endings))[ending] += games
    return counts


def get_value_name(game: Game, factor: str, value: int) -> str:
    """Return the label of a value of a factor, or the number itself if it has none."""
    labels = next(measure.labels for measure in game.measures if measure.name == factor)
    return labels[value] if 0 <= value < len(labels) else str(value)


def estimate_value(metric: DifficultyMetric, sums: FactorValue) -> Estimate:
    """Return the metric of the report for the games with one value of a factor."""
    if metric.by_score:
        return estimates.student_t_mean(
            sums.games, sums.score, sums.score_squared, metric.confidence
        )
    return metric.estimate_rate(sums.wins, sums.games)


def estimate_value_effects(
    metric: DifficultyMetric, levels: Mapping[str, FactorValue]
) -> dict[str, Estimate]:
    """Return for each value the metric of its games minus that of all other games.

    The intervals hold for all values together.
    """
    if not metric.by_score:
        counts = {name: (sums.wins, sums.games) for name, sums in levels.items()}
        return estimates.estimate_level_effects(counts, metric.confidence)
    total = sum(levels.values(), FactorValue(0, 0, 0, 0))
    confidence = estimates.bonferroni_level(metric.confidence, len(levels))
    effects = {}
    for name, sums in levels.items():
        rest = total - sums
        effects[name] = estimates.welch_difference(
            sums.games,
            sums.score,
            sums.score_squared,
            rest.games,
            rest.score,
            rest.score_squared,
            confidence,
        )
    return effects
