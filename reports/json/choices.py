"""The answer of `choices`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardmode.reports.console import choices as console
from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    Cell,
    Confidence,
    Difference,
    Digests,
    End,
    GameCount,
    OverlayBox,
    RateInterval,
    Refusal,
    Seed,
    Share,
    StrategyName,
    SummaryText,
    Value,
)

if TYPE_CHECKING:
    from hardmode.studies.choices.analysis import ChoiceAnalysis, OptionEffect
    from hardmode.studies.sensitivity.paired_effects import ParameterEffect
    from hardmode.studies.stats.estimates import Estimate


@dataclass(kw_only=True)
class EffectRecord(AnswerRecord):
    """The effect of a change on the win rate."""

    difference: Difference
    low: End
    high: End
    games: GameCount
    differing: GameCount

    @classmethod
    def from_effect(cls, analysis: ChoiceAnalysis, effect: ParameterEffect) -> EffectRecord:
        """Create the record of an effect."""
        estimate = analysis.estimate_effect(effect)
        return cls(
            difference=estimate.value,
            low=estimate.low,
            high=estimate.high,
            games=effect.games,
            differing=effect.games_changed,
        )


@dataclass(kw_only=True)
class OptionRecord(AnswerRecord):
    """A kind of option: how often it is offered and taken, and what it is worth."""

    option: str
    offered: float
    in_games: Share
    of_decisions: Share
    taken: dict[str, Share | None]
    forbidden: EffectRecord | None
    always: EffectRecord | None
    forbidden_by_steady: EffectRecord = ABSENT
    always_by_steady: EffectRecord = ABSENT
    steady_disagrees: bool = ABSENT


@dataclass(kw_only=True)
class ComponentRecord(AnswerRecord):
    """A component of the box that was removed, or put in the place of others."""

    path: str
    from_: Value
    to: Value
    set: dict[str, Value]
    noticed: Share
    drawn: RateInterval | None
    used: RateInterval | None
    as_it_is: RateInterval | None
    changed: RateInterval | None
    difference: Difference
    low: End
    high: End
    games: GameCount
    differing: GameCount


@dataclass(kw_only=True)
class ChoicesAnswer(AnswerRecord):
    """The value of every kind of option, and of every component of the box."""

    summary: SummaryText = ABSENT
    game: str
    scenario: str
    cell: Cell
    players: list[StrategyName]
    seed: Seed
    confidence: Confidence
    games: GameCount
    choices: list[OptionRecord]
    content: list[ComponentRecord]
    refused: list[Refusal]
    left_out: list[str]
    interrupted: bool
    box: OverlayBox | None
    digests: Digests


def build_choices_answer(analysis: ChoiceAnalysis) -> ChoicesAnswer:
    """Return the answer of `choices`."""
    cell = analysis.cell
    return ChoicesAnswer(
        game=analysis.game.name,
        scenario=cell.title,
        cell=cell.label,
        players=[str(strategy) for strategy in cell.strategies],
        seed=analysis.seed,
        confidence=analysis.confidence,
        games=analysis.base_games,
        choices=[_encode_option(analysis, option) for option in console.rank_options(analysis)],
        content=[_encode_component(analysis, e) for e in analysis.components if e.games],
        refused=[Refusal(e.path, e.after, e.refusal) for e in analysis.components if e.refusal],
        left_out=analysis.skipped_levels,
        interrupted=analysis.interrupted,
        box=OverlayBox.from_provenance(cell.overlay_provenance),
        digests=cell.digests,
    )


def _encode_option(analysis: ChoiceAnalysis, option: OptionEffect) -> OptionRecord:
    frequencies, label = analysis.own_frequencies, option.label
    taken = {}
    for name, other in analysis.frequencies.items():
        offered = other.offered[label]
        taken[name] = float(other.taken[label] / offered) if offered else None
    effects = {str(effect.after): effect for effect in option.both}
    record = OptionRecord(
        option=option.name,
        offered=int(frequencies.offered[label]) / frequencies.games,
        in_games=int(frequencies.games_offered[label]) / frequencies.games,
        of_decisions=float(frequencies.share[label]),
        taken=taken,
        forbidden=_encode_played_effect(analysis, effects["forbidden"]),
        always=_encode_played_effect(analysis, effects["always"]),
    )
    for name, effect in effects.items():
        steady = analysis.steady_effects.get((effect.path, name))
        if steady:
            setattr(record, f"{name}_by_steady", EffectRecord.from_effect(analysis, steady))
    if analysis.steady_effects:
        record.steady_disagrees = any(
            console.is_effect_disputed(analysis, effect) for effect in option.both
        )
    return record


def _encode_played_effect(analysis: ChoiceAnalysis, effect: ParameterEffect) -> EffectRecord | None:
    return EffectRecord.from_effect(analysis, effect) if effect.games else None


def _encode_component(analysis: ChoiceAnalysis, effect: ParameterEffect) -> ComponentRecord:
    drawn, used = console.estimate_component_use(analysis, effect)
    return ComponentRecord(
        path=effect.path,
        from_=effect.before,
        to=effect.after,
        set=dict(effect.parameter.new_values),
        noticed=effect.games_changed / effect.games,
        drawn=_encode_rate(drawn),
        used=_encode_rate(used),
        as_it_is=_encode_rate(analysis.estimate_base_rate(effect)),
        changed=_encode_rate(analysis.estimate_changed_rate(effect)),
        **vars(EffectRecord.from_effect(analysis, effect)),
    )


def _encode_rate(estimate: Estimate | None) -> RateInterval | None:
    return RateInterval.from_estimate(estimate) if estimate else None
