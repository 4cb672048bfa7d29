"""The answer of `audit`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    Cell,
    Confidence,
    Digests,
    End,
    GameCount,
    GameNumber,
    OverlayBox,
    Seed,
    StrategyName,
    SummaryText,
    ValueInterval,
)

if TYPE_CHECKING:
    from hardmode.studies.audit.analysis import AuditReport
    from hardmode.studies.audit.findings import Finding


@dataclass(kw_only=True)
class AuditFinding(AnswerRecord):
    """A fault of the rules, with its size and a game that shows it."""

    kind: str
    what: str
    size: float
    low: End
    high: End
    unit: str
    games: GameCount
    game: GameNumber | None
    command: str
    closer: str
    steady: Annotated[
        ValueInterval | None, Field(description="the size when steady plays, if it was measured")
    ]
    steady_disagrees: bool


@dataclass(kw_only=True)
class AuditAnswer(AnswerRecord):
    """All faults that were found, and the kinds that were looked for."""

    summary: SummaryText = ABSENT
    game: str
    scenario: str
    cell: Cell
    players: StrategyName
    seed: Seed
    confidence: Confidence
    findings: list[AuditFinding]
    looked_at: list[str]
    asides: list[str]
    interrupted: bool
    box: OverlayBox | None
    digests: Digests


def build_audit_answer(audit: AuditReport) -> AuditAnswer:
    """Return the answer of `audit`."""
    return AuditAnswer(
        game=audit.cell.game.name,
        scenario=audit.scenario.name,
        cell=audit.cell.label,
        players=audit.players,
        seed=audit.seed,
        confidence=audit.confidence,
        findings=[_encode_finding(finding) for finding in audit.findings],
        looked_at=audit.checked_kinds,
        asides=audit.notes,
        interrupted=audit.interrupted,
        box=OverlayBox.from_provenance(audit.cell.overlay_provenance),
        digests=audit.cell.digests,
    )


def _encode_finding(finding: Finding) -> AuditFinding:
    steady = finding.steady_estimate
    return AuditFinding(
        kind=finding.kind,
        what=finding.message,
        size=finding.estimate.value,
        low=finding.estimate.low,
        high=finding.estimate.high,
        unit=finding.unit,
        games=finding.estimate.n,
        game=finding.game,
        command=finding.command,
        closer=finding.followup_command,
        steady=ValueInterval.from_estimate(steady) if steady else None,
        steady_disagrees=finding.players_disagree,
    )
