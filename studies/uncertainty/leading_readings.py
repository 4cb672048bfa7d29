"""What the leading alternative readings do to the best player at hand, not to `trained` alone.

`trained` was trained with the assumed readings. Under another reading it may play badly, and the
change of its win rate then says more about the player than about the rule.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardmode.studies.core.progress import Progress, subprogress
from hardmode.studies.core.run import Effort
from hardmode.studies.training.reference_choice import (
    can_choose,
    choose_reference_player,
    is_trained_for,
)
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis
from hardmode.studies.uncertainty.single_effects import (
    LeadingReading,
    SingleEffect,
    SingleSource,
)


def select_leading_readings(sources: Sequence[SingleSource], count: int) -> list[SingleEffect]:
    """Return the alternative readings that change the win rate most, the largest change first.

    Readings whose change may be zero are left out.
    """
    effects = [effect for source in sources if source.is_reading for effect in source.effects]
    moving = [effect for effect in effects if effect.change.excludes(0)]
    return sorted(moving, key=lambda effect: -abs(effect.change.value))[:count]


def play_leading_readings(
    analysis: UncertaintyAnalysis, count: int, effort: Effort, progress: Progress
) -> None:
    """Fill in the leading readings, each played by the best player at hand.

    There are none where seats compete, or where others than `trained` play. Ctrl-C marks the
    analysis as interrupted.

    Args:
        analysis: The finished analysis.
        count: Number of readings.
        effort: Number of threads.
        progress: Called as training goes on.
    """
    if analysis.interrupted or not count or not can_choose(analysis.cell):
        return
    selected = select_leading_readings(analysis.singles, count)
    try:
        for i, effect in enumerate(selected):
            title = f"retraining for {effect.path}"
            step = subprogress(progress, i, len(selected), title)
            reading = _play_reading(analysis, effect, effort, step)
            if reading:
                analysis.leading_readings.append(reading)
    except KeyboardInterrupt:
        analysis.interrupted = True


def _play_reading(
    analysis: UncertaintyAnalysis, effect: SingleEffect, effort: Effort, progress: Progress
) -> LeadingReading | None:
    """Return a reading with its best player, or None if `trained` was trained for it."""
    variant = analysis.cell.with_values({effect.path: effect.value}, label={})
    if is_trained_for(variant):
        return None
    choice = choose_reference_player(
        analysis.scenario,
        variant,
        analysis.cell,
        analysis.seed,
        analysis.confidence,
        effort.threads,
        progress,
    )
    return LeadingReading(effect.path, effect.value, choice)
