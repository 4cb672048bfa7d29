"""Data of a report on one scenario: all variants that were played for it, and all studies of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.sim.results.result import Result
from hardmode.sim.results.tally import Tally
from hardmode.studies.choices.analysis import ChoiceAnalysis
from hardmode.studies.comparison.rank import Ranking
from hardmode.studies.core.metric import DifficultyMetric
from hardmode.studies.core.run import Effort
from hardmode.studies.game_flow.decision_point import DecisionPointAnalysis
from hardmode.studies.game_flow.turn_stats import TurnStats
from hardmode.studies.game_flow.turning_points import TurningPoints
from hardmode.studies.luck.analysis import LuckAnalysis
from hardmode.studies.playtests.fit.fit_file import FitFile
from hardmode.studies.playtests.fit.posterior_predictive import Forecast
from hardmode.studies.sensitivity.analysis import SensitivityAnalysis
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis


@dataclass(frozen=True)
class PlayedVariant:
    """One variant that was played.

    Attributes:
        part: Name of the share of the report's budget that was spent on it.
        label: Name of the variant in tables.
        result: What came of its games.
        command: The command that plays the same games again.
    """

    part: str
    label: str
    result: Result
    command: str

    @property
    def tally(self) -> Tally:
        """Counts of what came of the games."""
        return self.result.tally


@dataclass(frozen=True)
class FactorialGrid:
    """Full factorial design: every combination of the values of two or three parameters."""

    paths: tuple[str, ...]  # of the rows, of the columns, and of the panels where there are three
    values: tuple[tuple[Any, ...], ...]
    variants: dict[tuple[Any, ...], PlayedVariant | None]  # None where the game rejects the values


@dataclass
class ReportData:
    """Everything that the report on one scenario shows.

    Attributes:
        scenario: The scenario.
        effort: Games, seed, threads and confidence.
        metric: The measure of difficulty.
        cells: The cells of the scenario.
        ranking: Ranking of several cells, from the games that they share.
        batch_tallies: All cells together, in equal batches of their games.
        skill_levels: The first cell, by the skill level of its players.
        mistake_curves: Good players by cell and by how often they make mistakes.
        setup_choices: The first cell with other choices at set-up, by path and value.
        setup_grid: The choices at set-up that matter most, crossed.
        uncertain_grid: The least certain numbers, crossed.
        sensitivity: Effect of each number of the first cell.
        uncertainty: Effect of all that is assumed.
        option_values: What each kind of option is worth.
        luck: Share of each source of chance, and of the players.
        decision_point: When games are decided.
        precomputed_seconds: Time of the longer run that studies were taken from; 0.0 if none were.
        turn_stats: Length of turns and waits.
        setup_factors: Names of the factors that are fixed at set-up.
        turning_points: Turning points of the example games, by number of the game.
        fit_forecasts: A fit to a group's plays, and its forecast for each cell.
        sample_rows: Result rows of the first games of the first cell, by column and game.
        omissions: Sentences on what was not played, and why.
    """

    scenario: Scenario
    effort: Effort
    metric: DifficultyMetric
    cells: list[PlayedVariant] = field(default_factory=list)
    ranking: Ranking | None = None
    batch_tallies: list[Tally] = field(default_factory=list)
    skill_levels: dict[str, PlayedVariant] = field(default_factory=dict)
    mistake_curves: dict[str, dict[float, PlayedVariant]] = field(default_factory=dict)
    setup_choices: dict[str, dict[Any, PlayedVariant]] = field(default_factory=dict)
    setup_grid: FactorialGrid | None = None
    uncertain_grid: FactorialGrid | None = None
    sensitivity: SensitivityAnalysis | None = None
    uncertainty: UncertaintyAnalysis | None = None
    option_values: ChoiceAnalysis | None = None
    luck: LuckAnalysis | None = None
    decision_point: DecisionPointAnalysis | None = None
    precomputed_seconds: float = 0.0
    turn_stats: TurnStats | None = None
    setup_factors: frozenset[str] = frozenset()
    turning_points: dict[int, TurningPoints] = field(default_factory=dict)
    fit_forecasts: tuple[FitFile, list[Forecast]] | None = None
    sample_rows: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    omissions: list[str] = field(default_factory=list)

    @property
    def first_cell(self) -> Variant:
        """The first cell, which most parts are about."""
        return self.scenario.cells[0]

    @property
    def base(self) -> PlayedVariant:
        """The first cell as it was played."""
        return self.cells[0]

    @cached_property
    def total_tally(self) -> Tally:
        """Counts of all cells together; every cell has the same number of games."""
        return reduce(Tally.merge_with, self.batch_tallies)

    @property
    def results(self) -> list[Result]:
        """All results, for a file; only those of the cells have counts by factor (many)."""
        results = []
        for variant in self.played_variants:
            result = variant.result
            if variant.part != "cells":
                result = replace(result, tally=result.tally.without_groups())
            results.append(result)
        return results

    @property
    def played_variants(self) -> list[PlayedVariant]:
        """All that was played, each result once."""
        by_result: dict[int, PlayedVariant] = {}
        for variant in self._iterate_variants():
            by_result.setdefault(id(variant.result), variant)
        return list(by_result.values())

    def _iterate_variants(self) -> Iterator[PlayedVariant]:
        yield from self.cells
        yield from self.skill_levels.values()
        for curve in self.mistake_curves.values():
            yield from curve.values()
        for by_value in self.setup_choices.values():
            yield from by_value.values()
        for grid in (self.uncertain_grid, self.setup_grid):
            if grid:
                yield from filter(None, grid.variants.values())
