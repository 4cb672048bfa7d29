"""Parts of a report, the order in which they are played, and their shares of the budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from typing import Any

from hardmode.scenarios.load import Scenario, Variant
from hardmode.studies.comparison.levels import round_down_to_1_2_5
from hardmode.studies.core.metric import DifficultyMetric
from hardmode.studies.core.progress import Progress
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.report_run.variant_player import VariantPlayer

MIN_GAMES, MIN_SLOW_GAMES = 100, 10  # of each variant, whatever the budget
SLOW_SKILL_LEVELS = "slow_skill_levels"  # of strategies that take MIN_SLOW_GAMES only

# Share of a report's time for each part.
_COMMON_TIME_SHARES = {
    "cells": 0.16,
    "skill_levels": 0.06,
    SLOW_SKILL_LEVELS: 0.09,
    "mistake_curves": 0.03,
    "sensitivity": 0.13,
    "uncertainty": 0.13,
    "option_values": 0.06,
    "luck": 0.05,
    "decision_point": 0.05,
    "turn_stats": 0.02,
    "turning_points": 0.06,
}
SCENARIO_TIME_SHARES = {
    **_COMMON_TIME_SHARES,
    "setup_choices": 0.07,
    "uncertain_grid": 0.03,
    "setup_grid": 0.06,
}
SWEEP_TIME_SHARES = {**_COMMON_TIME_SHARES, "other_mistake_curves": 0.16}

# Most games of each variant of a part, as a share of the games of a cell.
GAME_SHARES = {
    "cells": 1.0,
    "skill_levels": 0.5,
    SLOW_SKILL_LEVELS: 0.02,
    "mistake_curves": 0.2,
    "other_mistake_curves": 0.2,
    "setup_choices": 0.2,
    "uncertain_grid": 0.1,
    "setup_grid": 0.1,
}


@dataclass(frozen=True)
class Part:
    """One part of a report.

    Attributes:
        name: Name of the result, by which other parts need it.
        play: Called with the context and, by name, with the results that are needed.
        needs: Names of the results that must be known before.
        shares: Names of the shares of the budget that the part spends. It is left out of a report
            whose plan has none of them. A part without shares takes no time to speak of.
        slow_note: Noted instead of playing, if the players search at every decision.
    """

    name: str
    play: Callable[..., Any]
    needs: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()
    slow_note: str = ""


def order_parts(parts: Sequence[Part], inputs: Sequence[str] = ()) -> list[Part]:
    """Sort parts topologically: each after all that it needs, otherwise in the given order.

    Args:
        parts: The parts.
        inputs: Names of results that are known from the start.

    Raises:
        ValueError: A part needs a result that no part has, or needs its own result.
    """
    by_name = {part.name: part for part in parts}
    for part in parts:
        missing = [need for need in part.needs if need not in by_name and need not in inputs]
        if missing:
            raise ValueError(
                f"{part.name} needs {', '.join(missing)}, which no part of this plan has"
            )
    sorter = TopologicalSorter(
        {part.name: [need for need in part.needs if need in by_name] for part in parts}
    )
    sorter.prepare()
    places = {part.name: place for place, part in enumerate(parts)}
    ready: list[str] = []
    ordered: list[Part] = []
    while sorter.is_active():
        ready.extend(sorter.get_ready())
        first = min(ready, key=places.__getitem__)
        ready.remove(first)
        sorter.done(first)
        ordered.append(by_name[first])
    return ordered


@dataclass(frozen=True)
class PartBudget:
    """Time and games of one part of a report."""

    name: str
    effort: Effort
    seconds: float | None  # None: the games alone are limited
    threads: int
    progress: Progress

    def plan_games_per_variant(
        self, variants: int, speed: float, min_games: int | None = None
    ) -> int:
        """Return how many games each of `variants` variants gets.

        Args:
            variants: Number of variants of the part.
            speed: Games per second of one thread.
            min_games: The least, instead of `MIN_GAMES` or `MIN_SLOW_GAMES`.
        """
        games = self.effort.games * GAME_SHARES[self.name]
        if self.seconds is not None:
            affordable = self.seconds * speed * self.threads / max(1, variants)
            games = min(games, round_down_to_1_2_5(affordable))
        if min_games is None:
            min_games = MIN_SLOW_GAMES if self.name == SLOW_SKILL_LEVELS else MIN_GAMES
        return int(min(self.effort.games, max(games, min_games)))


@dataclass
class ReportContext:
    """What all parts of a report share."""

    scenario: Scenario
    effort: Effort
    seconds: float | None  # of the whole report; None: the games alone are limited
    metric: DifficultyMetric
    player: VariantPlayer
    budgets: Mapping[str, PartBudget]  # by name of the share
    retrain: int = 0  # leading readings for which `trained` is retrained
    games_per_step: int = 0  # of the sensitivity analysis, on average, instead of its time limit
    omissions: list[str] = field(default_factory=list)  # sentences on what was not played, and why

    @property
    def first_cell(self) -> Variant:
        """The first cell, which most parts are about."""
        return self.scenario.cells[0]

    @property
    def players_search(self) -> bool:
        """True if a player of the first cell searches at every decision, which takes long."""
        return any(player.rollout_budget for player in make_engine(self.first_cell).players)

    def add_omission(self, text: str) -> None:
        """Note once that something was not played."""
        if text not in self.omissions:
            self.omissions.append(text)
