"""The parts of a report that look at the numbers of the box: each one step away, and all that is not known at once."""

from __future__ import annotations

from typing import TypeVar

from hardmode.studies.core.progress import Progress
from hardmode.studies.core.reference_players import studied
from hardmode.studies.report_run.data import Survey
from hardmode.studies.sensitivity.analysis import Sensitivity, sensitivity
from hardmode.studies.uncertainty.analysis import Doubts, doubts
from hardmode.studies.uncertainty.design import DoubtsError

TOO_SLOW = "each number one step away, and what the assumptions decide: players who search are too slow for this report"
ALL_NUMBERS, FEWEST = (
    10,
    100,
)  # where games are given: so many times as many for all numbers; the least of each
A_TURN, FEWEST_TURNS, MOST_TURNS = (
    200,
    8,
    200,
)  # the games of a cell for which plausible boxes get one more turn
Study = TypeVar("Study", Sensitivity, Doubts)


def step_away(made: Survey, seconds: float | None, progress: Progress) -> None:
    """Every number of the first cell one step away, played by who is trained if there is such a player."""
    total = None if seconds else ALL_NUMBERS * made.effort.games
    effort = made.effort.changed(games=max(made.effort.games, FEWEST))
    made.sensitivity = _whole(sensitivity(studied(made.first), effort, seconds, progress, total))


def weighed(made: Survey, seconds: float | None, progress: Progress) -> None:
    """What the assumptions decide: whole boxes drawn from all that is plausible."""
    turns = None if seconds else min(MOST_TURNS, max(FEWEST_TURNS, made.effort.games // A_TURN))
    try:
        made.weighed = _whole(
            doubts(made.scenario, made.effort, seconds or 0.0, (), progress, turns)
        )
    except DoubtsError as why:
        made.refused.append(str(why))


def _whole(made: Study) -> Study:
    """A study that nobody stopped."""
    if made.interrupted:
        raise KeyboardInterrupt
    return made
