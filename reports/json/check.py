"""The answer of `check`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from hardmode.reports.gate.verdicts import worst_verdict
from hardmode.reports.json.compare import FlipCounts
from hardmode.reports.json.parts import AnswerRecord, Cell, End, GameCount, Share
from hardmode.sim.results.result import collect_versions

if TYPE_CHECKING:
    from hardmode.reports.gate.verdicts import CheckReport
    from hardmode.studies.gate.checks import GateFinding

Verdict = Annotated[
    str, Field(description="IDENTICAL, EQUIVALENT, CHANGED, INCONCLUSIVE, MET, MISSED or REFUSED")
]
Chance = Annotated[float, Field(description="a chance", ge=0, le=1)]


@dataclass(kw_only=True)
class GateTerms(AnswerRecord):
    """The terms on which verdicts were reached."""

    alpha: Chance
    beta: Chance
    margin: Share | None
    games: GameCount | None
    questions: int
    at_stake: Annotated[int, Field(description="questions that share alpha")]


@dataclass
class RateChange(AnswerRecord):
    """The win rate as it was accepted, and now."""

    accepted: Share
    now: Share


@dataclass(kw_only=True)
class FindingRecord(AnswerRecord):
    """One question, and its answer."""

    cell: str
    label: Cell
    about: str
    verdict: Verdict
    said: str
    games: GameCount
    margin: Share | None
    value: float | None
    low: End
    high: End
    confidence: float | None
    judged_on: GameCount
    win_rate: RateChange | None
    flips: FlipCounts | None
    changed_since: list[str]
    libraries: list[str]
    seconds: float


@dataclass(kw_only=True)
class CheckedScenario(AnswerRecord):
    """All findings of a scenario, and the worst verdict."""

    scenario: str
    verdict: Verdict
    findings: list[FindingRecord]


@dataclass(kw_only=True)
class CheckAnswer(AnswerRecord):
    """The verdict on all scenarios."""

    verdict: Verdict
    exit: int
    counts: dict[str, int]
    seconds: float
    games: GameCount
    notes: list[str]
    made_by: dict[str, str]
    gate: GateTerms
    scenarios: list[CheckedScenario]


def build_check_answer(report: CheckReport) -> CheckAnswer:
    """Return the answer of `check`."""
    config = report.run.config
    gate = GateTerms(
        alpha=config.alpha,
        beta=config.beta,
        margin=config.margin,
        games=config.games,
        questions=len(report.run.checks),
        at_stake=report.run.n_tests,
    )
    scenarios = [
        CheckedScenario(
            scenario=name,
            verdict=worst_verdict(findings),
            findings=[_encode_finding(finding) for finding in findings],
        )
        for name, findings in report.scenarios.items()
    ]
    return CheckAnswer(
        verdict=report.verdict,
        exit=report.exit_code,
        counts=report.counts,
        seconds=round(report.seconds, 3),
        games=report.games,
        notes=report.notes,
        made_by=collect_versions(),
        gate=gate,
        scenarios=scenarios,
    )


def _encode_finding(finding: GateFinding) -> FindingRecord:
    estimate = finding.estimate
    return FindingRecord(
        cell=finding.cell,
        label=finding.label,
        about=finding.subject,
        verdict=finding.verdict,
        said=finding.text,
        games=finding.games,
        margin=finding.margin,
        value=estimate.value if estimate else None,
        low=estimate.low if estimate else None,
        high=estimate.high if estimate else None,
        confidence=estimate.confidence if estimate else None,
        judged_on=estimate.n if estimate else 0,
        win_rate=RateChange(*finding.rates) if finding.rates else None,
        flips=FlipCounts(*finding.flips) if finding.flips else None,
        changed_since=list(finding.changed_inputs),
        libraries=list(finding.libraries),
        seconds=round(finding.seconds, 3),
    )
