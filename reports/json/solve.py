"""The answer of `solve`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from hardmode.reports.console import solve as console
from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    Confidence,
    Digests,
    End,
    GameCount,
    OverlayBox,
    Seed,
    StrategyName,
    SummaryText,
    Value,
    ValueInterval,
    encode_estimates,
)

if TYPE_CHECKING:
    from hardmode.studies.solve.search import Answer, Solution


@dataclass(kw_only=True)
class SettingRecord(AnswerRecord):
    """Values of the numbers, and the measures of the target with them."""

    set: dict[str, Value]
    flags: list[str]
    games: GameCount
    measured: dict[str, ValueInterval]
    steady: dict[str, ValueInterval] = ABSENT
    steady_disagrees: bool = ABSENT


@dataclass(kw_only=True)
class RefusedSetting(AnswerRecord):
    """Values that the game refuses."""

    set: dict[str, Value]
    why: str


@dataclass(kw_only=True)
class TargetRecord(AnswerRecord):
    """A measure, and the range that it should have."""

    name: str
    low: End
    high: End


@dataclass(kw_only=True)
class SolveAnswer(AnswerRecord):
    """The values that reach the target."""

    summary: SummaryText = ABSENT
    reached: bool
    answers: list[SettingRecord]
    undecided: list[SettingRecord]
    curve: list[SettingRecord]
    refused: list[RefusedSetting]
    words: Annotated[Any, Field(description="the answer in words")]
    game: str
    scenario: str
    strategies: list[StrategyName]
    seed: Seed
    fresh_seed: Seed
    confidence: Confidence
    interrupted: bool
    box: OverlayBox | None
    digests: Digests
    targets: list[TargetRecord]


def build_solve_answer(solution: Solution) -> SolveAnswer:
    """Return the answer of `solve`."""
    cell = solution.cell
    targets = [
        TargetRecord(name=target.name, low=target.band.low, high=target.band.high)
        for target in solution.targets
    ]
    return SolveAnswer(
        reached=solution.is_reached,
        answers=[_encode_setting(solution, answer) for answer in solution.answers],
        undecided=[_encode_setting(solution, answer) for answer in solution.undecided],
        curve=[_encode_setting(solution, answer) for answer in solution.tried],
        refused=[RefusedSetting(set=dict(s.changes), why=s.refusal) for s in solution.refused],
        words=console.describe_solution(solution),
        game=cell.game.name,
        scenario=cell.title,
        strategies=[str(strategy) for strategy in cell.strategies],
        seed=solution.seed,
        fresh_seed=solution.confirmation_seed,
        confidence=solution.confidence,
        interrupted=solution.interrupted,
        box=OverlayBox.from_provenance(cell.overlay_provenance),
        digests=cell.digests,
        targets=targets,
    )


def _encode_setting(solution: Solution, answer: Answer) -> SettingRecord:
    candidate = answer.candidate
    values: dict[str, Any] = dict(candidate.changes)
    if len(solution.variables) == 1:
        values = solution.variables[0].get_changes(candidate.values[0])
    flags: list[str] = []
    for change in candidate.flags:
        flags += ["--set", change]
    record = SettingRecord(
        set=values,
        flags=flags,
        games=candidate.games,
        measured=encode_estimates(answer.estimates),
    )
    if answer.steady_estimates:
        record.steady = encode_estimates(answer.steady_estimates)
        record.steady_disagrees = answer in solution.disagreeing_answers
    return record
