"""Stages of an uncertainty analysis: each ends at its share of the time, or after equal turns."""

from __future__ import annotations

from dataclasses import dataclass

from hardmode.studies.core.budget import Budget
from hardmode.studies.core.progress import Progress


class Stage:
    """Running stage of an analysis; its work is done in turns."""

    def __init__(
        self,
        label: str,
        end_share: float,
        budget: Budget,
        schedule: Schedule,
    ) -> None:
        self.label, self.end_share = label, end_share
        self.budget, self.schedule = budget, schedule

    def finish_turn(self) -> bool:
        """Count one turn, report progress, and return whether the stage is over."""
        self.budget.spend(1)
        schedule = self.schedule
        if schedule.turns:
            share = 0.99 * self.end_share * min(1.0, self.budget.share_spent)
        else:
            share = min(schedule.budget.share_spent / schedule.last_share, 0.99)
        schedule.progress(self.label, share)
        return self.budget.exhausted


@dataclass(frozen=True)
class Schedule:
    """Plan of the stages of an analysis.

    Attributes:
        budget: Time limit of the whole analysis.
        progress: Notified of the share that is done.
        turns: Turns of each stage instead of a time limit; then nothing depends on the speed of the
            machine.
        last_share: Share of the time at which the last stage ends.
    """

    budget: Budget
    progress: Progress
    turns: int | None = None
    last_share: float = 1.0

    def start_stage(self, label: str, end_share: float) -> Stage:
        """Return the stage that ends at a share of the whole time.

        Args:
            label: Shown as progress.
            end_share: Share of the time at which the stage ends, counted from the beginning of the
                first stage.
        """
        turns = self.turns
        budget = Budget(games=turns) if turns else self.budget.until_share(end_share)
        return Stage(
            label,
            end_share,
            budget,
            self,
        )
