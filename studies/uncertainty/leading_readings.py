"""What the leading alternative readings do to the best player at hand, not to `trained` alone.

`trained` was trained with the assumed readings. Under another reading it may play badly, and the
change of its win rate then says more about the player than about the rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hardmode.scenarios.load import Scenario, Variant
from hardmode.studies.core.progress import Progress, subprogress
from hardmode.studies.core.run import Effort
from hardmode.studies.training.reference_choice import (
    ReferenceChoice,
    can_choose,
    choose_reference_player,
    is_trained_for,
)
from hardmode.studies.uncertainty.single_effects import SingleEffect, SingleSource


@dataclass(frozen=True)
class LeadingReading:
    """Another reading of a rule, alone in the shipped box, played by the best player at hand.

    Attributes:
        path: Path of the parameter.
        value: The other reading.
        choice: The player, and what it wins.
    """

    path: str
    value: Any
    choice: ReferenceChoice


def select_leading_readings(sources: Sequence[SingleSource], count: int) -> list[SingleEffect]:
    """Return the alternative readings that change the win rate most, the largest change first.

    Readings whose change may be zero are left out.
    """
    effects = [effect for source in sources if source.is_reading for effect in source.effects]
    moving = [effect for effect in effects if effect.change.excludes(0)]
    return sorted(moving, key=lambda effect: -abs(effect.change.value))[:count]


def choose_players_for_readings(
    scenario: Scenario,
    cell: Variant,
    sources: Sequence[SingleSource],
    count: int,
    effort: Effort,
    progress: Progress,
) -> list[LeadingReading]:
    """Return the leading readings, each played by the best player at hand.

    Args:
        scenario: The scenario.
        cell: Its variant, as `trained` plays it; if others play, or seats compete, there is no
            choice, and the list is empty.
        sources: Each assumption alone.
        count: Number of readings.
        effort: Seed, threads and confidence.
        progress: Called as training goes on.

    Raises:
        KeyboardInterrupt: The user interrupted a training.
    """
    if not can_choose(cell):
        return []
    selected = select_leading_readings(sources, count)
    readings = []
    for i, effect in enumerate(selected):
        variant = cell.with_values({effect.path: effect.value}, label={})
        if is_trained_for(variant):
            continue
        title = f"retraining for {effect.path}"
        choice = choose_reference_player(
            scenario,
            variant,
            cell,
            effort.seed,
            effort.confidence,
            effort.threads,
            subprogress(progress, i, len(selected), title),
        )
        readings.append(LeadingReading(effect.path, effect.value, choice))
    return readings
