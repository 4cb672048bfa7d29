"""The answer of `check --plan`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from hardmode.reports.json.check import Chance
from hardmode.reports.json.parts import AnswerRecord, Difference, GameCount, Share
from hardmode.studies.gate.power import DIFFERENCES

if TYPE_CHECKING:
    from hardmode.studies.gate.power import CellGroup, PowerForecast


@dataclass(kw_only=True)
class VerdictOdds(AnswerRecord):
    """The chance of each verdict for a true difference."""

    difference: Difference
    changed: Chance
    equivalent: Chance
    inconclusive: Chance
    games: float
    largest: GameCount
    error: float


@dataclass(kw_only=True)
class PlannedGroup(AnswerRecord):
    """Cells that are judged alike."""

    scenarios: list[str]
    cells: int
    sides: int
    margin: Share
    looks: list[GameCount]
    rows: list[VerdictOdds]
    seconds_per_game: float


@dataclass(kw_only=True)
class PlannedExpectation(AnswerRecord):
    """The chance of each verdict on an expectation."""

    scenario: str
    cell: str
    about: str
    rate: Share | None
    met: Chance
    missed: Chance
    games: float


@dataclass(kw_only=True)
class UnchangedCost(AnswerRecord):
    """The cost of a check if nothing changed."""

    fails: Chance
    games: float
    minutes: float


@dataclass(kw_only=True)
class DifferenceCost(AnswerRecord):
    """The cost of a check if all cells differ by this."""

    difference: Difference
    games: float
    minutes: float


@dataclass
class Cost(AnswerRecord):
    """Games and minutes."""

    games: float
    minutes: float


@dataclass(kw_only=True)
class RefusedScenario(AnswerRecord):
    """A scenario that cannot be checked, and why."""

    scenario: str
    said: str


@dataclass(kw_only=True)
class CheckPlanAnswer(AnswerRecord):
    """The chance of each verdict of a check, and its cost."""

    alpha: Chance
    beta: Chance
    flips: Share
    questions: int
    unchanged: UnchangedCost
    groups: list[PlannedGroup]
    expectations: list[PlannedExpectation]
    all_differ_by: list[DifferenceCost]
    false_alarm_at_most: Chance
    largest: Cost
    refused: list[RefusedScenario]


def build_check_plan_answer(forecast: PowerForecast) -> CheckPlanAnswer:
    """Return the answer of `check --plan`."""
    costs = []
    for difference in DIFFERENCES:
        games, minutes = forecast.total_cost(difference)
        costs.append(DifferenceCost(difference=difference, games=games, minutes=minutes))
    return CheckPlanAnswer(
        alpha=forecast.run.config.alpha,
        beta=forecast.run.config.beta,
        flips=forecast.flips,
        questions=len(forecast.run.checks),
        unchanged=UnchangedCost(
            fails=0.0, games=forecast.quick_games, minutes=forecast.quick_minutes
        ),
        groups=[_encode_group(group) for group in forecast.groups],
        expectations=[PlannedExpectation(**asdict(e)) for e in forecast.expectations],
        all_differ_by=costs,
        false_alarm_at_most=forecast.false_alarm,
        largest=Cost(*forecast.largest_cost),
        refused=[RefusedScenario(scenario=f.scenario, said=f.text) for f in forecast.refused],
    )


def _encode_group(group: CellGroup) -> PlannedGroup:
    return PlannedGroup(
        scenarios=list(group.scenarios),
        cells=group.cells,
        sides=group.sides,
        margin=group.gate.margin,
        looks=list(group.gate.looks),
        rows=[VerdictOdds(**asdict(row)) for row in group.rows],
        seconds_per_game=group.seconds_per_game,
    )
