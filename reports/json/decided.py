"""The answer of `decided`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardmode.reports.console import decided as console
from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    Cell,
    Confidence,
    GameCount,
    OverlayBox,
    Seed,
    StrategyName,
    SummaryText,
    ValueInterval,
)

if TYPE_CHECKING:
    from hardmode.scenarios.load import Scenario
    from hardmode.studies.game_flow.decision_point import DecisionPointAnalysis


@dataclass(kw_only=True)
class RoundShares(AnswerRecord):
    """The shares of games that are decided, and over, after a round."""

    round: int
    decided: ValueInterval
    over: ValueInterval


@dataclass(kw_only=True)
class DecisionPoints(AnswerRecord):
    """The point at which games are decided, their length, and changes of the lead."""

    games: GameCount
    decided: ValueInterval
    length: ValueInterval
    dead: ValueInterval
    dragging: ValueInterval
    changes: ValueInterval
    turned: ValueInterval
    narrow: ValueInterval
    by: list[RoundShares]


@dataclass(kw_only=True)
class DecidedCell(AnswerRecord):
    """One cell, with its games in groups: all, won and lost."""

    cell: Cell
    box: OverlayBox | None
    players: list[StrategyName]
    games: GameCount
    groups: dict[str, DecisionPoints]
    margin: ValueInterval = ABSENT
    steady: DecidedCell = ABSENT
    steady_disagrees: list[str] = ABSENT


@dataclass(kw_only=True)
class DecidedAnswer(AnswerRecord):
    """All cells of a scenario."""

    summary: SummaryText = ABSENT
    game: str
    scenario: str
    seed: Seed
    confidence: Confidence
    cells: list[DecidedCell]


def build_decided_answer(
    analyses: Sequence[DecisionPointAnalysis], scenario: Scenario
) -> DecidedAnswer:
    """Return the answer of `decided`."""
    return DecidedAnswer(
        game=scenario.game.name,
        scenario=scenario.name,
        seed=analyses[0].seed,
        confidence=analyses[0].confidence,
        cells=[_encode_cell(analysis) for analysis in analyses],
    )


def _encode_cell(analysis: DecisionPointAnalysis) -> DecidedCell:
    groups = [group for group in analysis.groups if analysis.groups[group]]
    cell = DecidedCell(
        cell=analysis.cell.label,
        box=OverlayBox.from_provenance(analysis.cell.overlay_provenance),
        players=analysis.players,
        games=len(analysis.games),
        groups={group: _encode_group(analysis, group) for group in groups},
    )
    margin = analysis.estimate_median_margin()
    if margin:
        cell.margin = ValueInterval.from_estimate(margin)
    if analysis.steady and analysis.steady.games:
        cell.steady = _encode_cell(analysis.steady)
        cell.steady_disagrees = console.list_disputed_measures(analysis)
    return cell


def _encode_group(analysis: DecisionPointAnalysis, group: str) -> DecisionPoints:
    measures = {
        name: ValueInterval.from_estimate(console.ESTIMATORS[name](analysis, group))
        for name in console.MEASURES
    }
    rounds = [
        RoundShares(
            round=number,
            decided=ValueInterval.from_estimate(decided),
            over=ValueInterval.from_estimate(over),
        )
        for number, decided, over in analysis.estimate_shares_by_round(group)
    ]
    return DecisionPoints(games=len(analysis.groups[group]), **measures, by=rounds)
