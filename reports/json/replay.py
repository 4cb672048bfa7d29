"""The answer of `replay`: a list with the deal, each decision, and the ending."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    Difference,
    End,
    RateInterval,
    Seat,
    Share,
    StrategyName,
)

if TYPE_CHECKING:
    from hardmode.sim.replay import Story
    from hardmode.studies.game_flow.turning_points import Swing, TurningPoints
    from hardmode.studies.stats.estimates import Estimate


@dataclass(kw_only=True)
class DrawRecord(AnswerRecord):
    """One random draw."""

    source: str
    address: dict[str, int]
    of: Annotated[int, Field(description="the number of possible results; 0 for a fraction")]
    drawn: int
    result: Annotated[Any, Field(description="what was drawn, in names")]


@dataclass(kw_only=True)
class DealRecord(AnswerRecord):
    """The deal: what was drawn before the first decision."""

    step: int
    kind: str
    draws: list[DrawRecord]
    state: dict[str, Any]
    odds: RateInterval = ABSENT
    odds_by_seat: list[dict[str, Any]] = ABSENT


@dataclass(kw_only=True)
class StepRecord(AnswerRecord):
    """A decision, what was drawn after it, and the state that followed."""

    step: int
    kind: str
    seat: Seat
    strategy: StrategyName
    forced: Annotated[bool, Field(description="only one option was legal")]
    options: Annotated[list[dict[str, Any]], Field(description="all legal options, in names")]
    taken: dict[str, Any]
    draws: list[DrawRecord]
    state: dict[str, Any]
    odds: RateInterval = ABSENT
    odds_by_seat: list[dict[str, Any]] = ABSENT


@dataclass(kw_only=True)
class TurnRecord(AnswerRecord):
    """A turning point: a step that moved the chance to win."""

    step: int
    kind: Annotated[str, Field(description="luck, or a decision")]
    swing: Difference
    low: End
    high: End
    before: Share
    after: Share
    seat: Seat = ABSENT
    better: Annotated[dict[str, Any], Field(description="a better option")] = ABSENT
    told: str


@dataclass(kw_only=True)
class EndingRecord(AnswerRecord):
    """The ending of the game."""

    step: int
    kind: str
    ending: str
    rounds: int
    winners: list[Seat]
    scores: list[int]
    measures: dict[str, Any]
    odds: RateInterval = ABSENT
    odds_by_seat: list[dict[str, Any]] = ABSENT
    turns: list[TurnRecord] = ABSENT
    playouts: int = ABSENT


ReplayAnswer = list[StepRecord | DealRecord | EndingRecord]


def build_replay_answer(story: Story, turning_points: TurningPoints | None) -> ReplayAnswer:
    """Return the answer of `replay`, with the chances to win if they were estimated."""
    *entries, ending = story.to_list()
    last = EndingRecord(**ending)
    records: ReplayAnswer = [*map(_encode_entry, entries), last]
    if turning_points:
        _add_odds(records, turning_points)
        last.turns = [_encode_swing(story, turning_points, s) for s in turning_points.swings]
        last.playouts = turning_points.playouts
    return records


def _encode_entry(entry: dict[str, Any]) -> StepRecord | DealRecord:
    values = {**entry, "draws": [DrawRecord(**draw) for draw in entry["draws"]]}
    return StepRecord(**values) if "options" in entry else DealRecord(**values)


def _add_odds(records: ReplayAnswer, turning_points: TurningPoints) -> None:
    """Add the chance to win after each step, by seat where seats compete."""
    by_step = turning_points.win_rates
    for i, record in enumerate(records):
        by_seat = by_step[min(i, len(by_step) - 1)]
        record.odds = RateInterval.from_estimate(by_seat[0])
        if len(by_seat) > 1:
            pairs = zip(turning_points.views, by_seat, strict=True)
            record.odds_by_seat = [_encode_seat_odds(seat, rate) for seat, rate in pairs]


def _encode_seat_odds(seat: int, rate: Estimate) -> dict[str, Any]:
    return {"seat": seat + 1, "rate": rate.value, "low": rate.low, "high": rate.high}


def _encode_swing(story: Story, turning_points: TurningPoints, swing: Swing) -> TurnRecord:
    from hardmode.reports.console.replay import describe_swing

    record = TurnRecord(
        step=swing.step,
        kind=swing.kind,
        swing=swing.change.value,
        low=swing.change.low,
        high=swing.change.high,
        before=swing.before,
        after=swing.after,
        told=describe_swing(story, turning_points, swing),
    )
    if len(turning_points.views) > 1:
        record.seat = swing.view + 1
    if swing.better_option >= 0:
        record.better = story.steps[swing.step].options[swing.better_option]
    return record
