"""The answer of `sensitivity`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    Confidence,
    Digests,
    GameCount,
    OverlayBox,
    Points,
    RateInterval,
    Seed,
    StrategyName,
    SummaryText,
    Value,
    ValueInterval,
)
from hardmode.studies.core.reference_players import players_disagree
from hardmode.studies.sensitivity.screening import SMALLEST_EFFECT

if TYPE_CHECKING:
    from hardmode.studies.sensitivity.analysis import SensitivityAnalysis
    from hardmode.studies.sensitivity.paired_effects import ParameterEffect

POINTS = 100  # points of a share of 1


@dataclass(kw_only=True)
class JointEffectRecord(AnswerRecord):
    """The average effect of a step over boxes in which other numbers were moved too."""

    points: Points
    low_points: Points
    high_points: Points
    games: GameCount


@dataclass(kw_only=True)
class StepEffect(AnswerRecord):
    """One step of a number of the box, and what it does to the win rate."""

    path: str
    from_: Value
    to: Value
    points: Annotated[Points, Field(description="alone or in company, whichever is known better")]
    low: Points
    high: Points
    told_by: Annotated[
        str, Field(description="alone, or jointly with other steps: which estimate points is")
    ]
    alone: ValueInterval
    gained: GameCount
    lost: GameCount
    games: GameCount
    differing: GameCount
    read: bool
    p: float
    matters: bool
    settled: bool
    length: ValueInterval
    endings: dict[str, Points]
    in_company: JointEffectRecord = ABSENT
    steady_points: Points = ABSENT
    steady_low: Points = ABSENT
    steady_high: Points = ABSENT
    steady_disagrees: bool = ABSENT


@dataclass(kw_only=True)
class UnresolvedStep(AnswerRecord):
    """A step whose effect is not known, and how large it may be."""

    path: str
    from_: Value
    to: Value
    bound_points: Points
    in_company: bool = ABSENT


@dataclass(kw_only=True)
class RefusedStep(AnswerRecord):
    """A step that the game refuses."""

    path: str
    from_: Value
    to: Value
    why: str


@dataclass(kw_only=True)
class SensitivityAnswer(AnswerRecord):
    """Every number of the box, moved one plausible step up and down."""

    summary: SummaryText = ABSENT
    game: str
    scenario: str
    strategies: list[StrategyName]
    seed: Seed
    confidence: Confidence
    games: GameCount
    interrupted: bool
    numbers: list[StepEffect]
    dead: list[str]
    unread: list[str]
    silent: Annotated[Any, Field(description="numbers that are read but changed no game")]
    unvaried: Annotated[Any, Field(description="numbers that were not moved")]
    sought_points: Annotated[
        float,
        Field(
            description="a settled step that moves the win rate by as much is found nine times "
            "out of ten"
        ),
    ]
    open_steps: Annotated[int, Field(description="steps that too few games were played to settle")]
    more_seconds: Annotated[
        float | None, Field(description="about how many seconds more would settle the open steps")
    ]
    win_rate: RateInterval | None
    unresolved: list[UnresolvedStep]
    refused: list[RefusedStep]
    box: OverlayBox | None
    digests: Digests


def build_sensitivity_answer(analysis: SensitivityAnalysis) -> SensitivityAnswer:
    """Return the answer of `sensitivity`, with the significant and largest effects first."""
    significant = set(analysis.significant)
    ranked = sorted(analysis.effects, key=lambda e: (e not in significant, -e.magnitude))
    cell = analysis.cell
    return SensitivityAnswer(
        game=analysis.game.name,
        scenario=cell.title,
        strategies=[str(strategy) for strategy in cell.strategies],
        seed=analysis.seed,
        confidence=analysis.confidence,
        games=analysis.base_games,
        interrupted=analysis.interrupted,
        numbers=[_encode_effect(analysis, effect, effect in significant) for effect in ranked],
        dead=analysis.inert,
        unread=analysis.unused,
        silent=analysis.no_change_seen,
        unvaried=analysis.unvaried,
        sought_points=POINTS * SMALLEST_EFFECT,
        open_steps=len(analysis.undecided),
        more_seconds=analysis.missing_seconds if analysis.undecided else None,
        win_rate=RateInterval.from_estimate(analysis.base_rate) if analysis.base_rate else None,
        unresolved=[_encode_unresolved(analysis, effect) for effect in analysis.not_significant],
        refused=[
            RefusedStep(path=e.path, from_=e.before, to=e.after, why=e.refusal)
            for e in analysis.refused
        ],
        box=OverlayBox.from_provenance(cell.overlay_provenance),
        digests=cell.digests,
    )


def _encode_effect(
    analysis: SensitivityAnalysis, effect: ParameterEffect, is_significant: bool
) -> StepEffect:
    difference = analysis.estimate_difference(effect)
    better = analysis.choose_better_estimate(effect)
    record = StepEffect(
        path=effect.path,
        from_=effect.before,
        to=effect.after,
        points=POINTS * better.value,
        low=POINTS * better.low,
        high=POINTS * better.high,
        told_by=analysis.describe_source(effect),
        alone=ValueInterval(
            POINTS * difference.value, POINTS * difference.low, POINTS * difference.high
        ),
        gained=effect.wins_gained,
        lost=effect.wins_lost,
        games=effect.games,
        differing=effect.games_changed,
        read=effect.changes_box,
        p=effect.p_value,
        matters=is_significant,
        settled=analysis.is_settled(effect),
        length=ValueInterval.from_estimate(analysis.estimate_length_change(effect)),
        endings=_encode_endings(analysis, effect),
    )
    joint = analysis.estimate_joint_effect(effect)
    if joint:
        record.in_company = JointEffectRecord(
            points=POINTS * joint.value,
            low_points=POINTS * joint.low,
            high_points=POINTS * joint.high,
            games=joint.n,
        )
    steady = analysis.estimate_with_steady(effect)
    if steady:
        record.steady_points = POINTS * steady.value
        record.steady_low = POINTS * steady.low
        record.steady_high = POINTS * steady.high
        record.steady_disagrees = players_disagree(difference, steady)
    return record


def _encode_endings(analysis: SensitivityAnalysis, effect: ParameterEffect) -> dict[str, Points]:
    """Return by how many points of games each ending that changed became more frequent."""
    changes = zip(analysis.game.all_endings, effect.ending_changes, strict=False)
    return {name: POINTS * int(change) / effect.games for name, change in changes if change}


def _encode_unresolved(analysis: SensitivityAnalysis, effect: ParameterEffect) -> UnresolvedStep:
    return UnresolvedStep(
        path=effect.path,
        from_=effect.before,
        to=effect.after,
        bound_points=POINTS * analysis.get_outer_bound(effect),
        in_company=analysis.is_bounded_by_joint_effect(effect),
    )
