"""The answer of `train`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    Confidence,
    End,
    GameCount,
    RateInterval,
    Seat,
    Seed,
    Share,
    ShareInterval,
    StrategyName,
    SummaryText,
    ValueInterval,
)
from hardmode.studies.training.train import ExistingPlayer, TrainingResult

if TYPE_CHECKING:
    from hardmode.studies.training.final_evaluation import FinalEvaluation


@dataclass(kw_only=True)
class StartRecord(AnswerRecord):
    """The player before training."""

    rate: Share
    low: End = ABSENT
    high: End = ABSENT
    weights: dict[str, float] = ABSENT


@dataclass(kw_only=True)
class GainRecord(AnswerRecord):
    """The change of what was trained for, such as the score."""

    of: str
    value: float
    low: End
    high: End


@dataclass(kw_only=True)
class GenerationRate(AnswerRecord):
    """The win rate in one generation."""

    generation: int
    rate: Share


@dataclass(kw_only=True)
class TrainAnswer(AnswerRecord):
    """A player whose weights were tuned; `kept` if its file already held one."""

    summary: SummaryText = ABSENT
    player: str
    game: str
    scenario: str
    base: StrategyName
    seats: list[Seat] = ABSENT
    weights: dict[str, float]
    rate: Share
    low: End
    high: End
    start: StartRecord
    gain: ValueInterval = ABSENT
    goal: str
    over: str
    change: GainRecord = ABSENT
    better: bool = ABSENT
    overfit: ValueInterval = ABSENT
    against: dict[str, ShareInterval] = ABSENT
    dead: list[str] = ABSENT
    curve: list[GenerationRate] = ABSENT
    games: GameCount
    measured: GameCount
    generations: int
    seed: Seed
    seconds: float
    kept: bool = ABSENT
    confidence: Confidence = ABSENT
    interrupted: bool = ABSENT


def build_train_answer(training: TrainingResult | ExistingPlayer, file: Path) -> TrainAnswer:
    """Return the answer of `train`."""
    if isinstance(training, ExistingPlayer):
        return _encode_existing_player(training, file)
    evaluation, start = training.evaluation, RateInterval.from_estimate(training.start)
    rate = training.rate
    return TrainAnswer(
        player=str(file),
        game=training.game,
        scenario=training.scenario,
        base=str(training.base),
        seats=[seat + 1 for seat in training.seats],
        weights=training.weights,
        rate=rate.value,
        low=rate.low,
        high=rate.high,
        start=StartRecord(**vars(start), weights=training.start_weights),
        gain=ValueInterval.from_estimate(training.gain),
        goal=training.terms.goal,
        over=training.terms.over,
        change=_encode_change(evaluation),
        better=training.is_better,
        overfit=ValueInterval.from_estimate(evaluation.overfit),
        against={
            name: ShareInterval.from_estimate(share)
            for name, share in evaluation.head_to_head.items()
        },
        dead=evaluation.unused_weights,
        curve=[GenerationRate(generation=g, rate=rate) for g, rate in training.curve.items()],
        games=training.games,
        measured=evaluation.games,
        generations=training.generations,
        seed=training.terms.seed,
        seconds=round(training.seconds, 3),
        confidence=training.terms.confidence,
        interrupted=training.interrupted,
    )


def _encode_change(evaluation: FinalEvaluation) -> GainRecord:
    change = evaluation.change
    if not change:
        return ABSENT
    return GainRecord(
        of=evaluation.change_unit, value=change.value, low=change.low, high=change.high
    )


def _encode_existing_player(player: ExistingPlayer, file: Path) -> TrainAnswer:
    """Return the answer for a player file that already holds what was asked for."""
    certificate = player.certificate
    return TrainAnswer(
        player=str(file),
        game=player.file.game,
        scenario=certificate.scenario,
        base=player.file.base,
        weights=player.file.weights,
        rate=certificate.rate,
        low=certificate.low,
        high=certificate.high,
        start=StartRecord(rate=certificate.start_rate),
        goal=certificate.goal,
        over=certificate.over,
        games=certificate.trained_on,
        measured=certificate.measured_on,
        generations=certificate.generations,
        seed=certificate.seed,
        seconds=0.0,
        kept=True,
    )
