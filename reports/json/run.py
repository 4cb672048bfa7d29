"""The answer of `run`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    Cell,
    Confidence,
    Digests,
    End,
    GameCount,
    OverlayBox,
    Points,
    Seat,
    Seed,
    Share,
    ShareInterval,
    StrategyName,
    SummaryText,
)
from hardmode.studies.core.result_summary import (
    FactorSummary,
    MeasureSummary,
    ResultSummary,
    SeatSummary,
    summarize_result,
)

if TYPE_CHECKING:
    from hardmode.scenarios.load import Scenario
    from hardmode.sim.results.result import Result
    from hardmode.studies.comparison.rank import Ranking
    from hardmode.studies.core.results import Results

POINTS = 100  # points of a share of 1


@dataclass(kw_only=True)
class ListLengths(AnswerRecord):
    """The number of intervals of each list, which hold together."""

    seats: int
    endings: int
    measures: int
    factors: int


@dataclass(kw_only=True)
class SeatRecord(AnswerRecord):
    """The games that a seat won."""

    seat: Seat
    strategy: StrategyName
    wins: GameCount
    share: Share
    low: End
    high: End


@dataclass(kw_only=True)
class FactorRecord(AnswerRecord):
    """The games with one value of something that was fixed before play."""

    games: GameCount
    wins: GameCount
    win_rate: Share
    low: End
    high: End
    score: float


@dataclass(kw_only=True)
class MeasureRecord(AnswerRecord):
    """The mean of a measure (the rate, if it is always 0 or 1), and its quantiles by share."""

    kind: Annotated[str, Field(description="mean, or rate")]
    mean: float | None
    low: End
    high: End
    quantiles: dict[str, int]


@dataclass(kw_only=True)
class PlayerRecord(AnswerRecord):
    """A seat, its strategy, and the share of decisions that the strategy gets wrong."""

    seat: Seat
    strategy: StrategyName
    slips: Share


@dataclass(kw_only=True)
class RunAnswer(AnswerRecord):
    """One cell: its win rate, how games ended, how long they took."""

    summary: SummaryText = ABSENT
    game: str
    scenario: str
    title: str
    cell: Cell
    seed: Seed
    games: GameCount
    ranges: Annotated[
        list[list[int]],
        Field(description="the games that were played: the first, and the one after the last"),
    ]
    endings: dict[str, GameCount]
    wins: GameCount
    win_rate: Share
    low: End
    high: End
    confidence: Confidence
    together: ListLengths
    ending_shares: dict[str, ShareInterval]
    seats: Annotated[list[SeatRecord], Field(description="empty where seats do not compete")]
    rounds: MeasureRecord
    scores: list[MeasureRecord]
    measures: dict[str, MeasureRecord]
    factors: dict[str, dict[str, FactorRecord]]
    strategies: list[StrategyName]
    players: list[PlayerRecord]
    changed: Annotated[
        dict[str, Any], Field(description="numbers that differ from the box, by path")
    ]
    box: OverlayBox | None
    digests: Digests
    outcome_digest: Annotated[
        str, Field(description="of every ending, length, score and option taken, in any order")
    ]
    made_by: dict[str, str]
    decisions: int
    options: Annotated[int, Field(description="options offered, over all decisions")]
    seconds: float
    games_per_second: float | None
    assumed: Annotated[
        dict[str, int], Field(description="numbers of the box: how many are assumed, and all")
    ]
    interrupted: bool


@dataclass(kw_only=True)
class RankedCell(AnswerRecord):
    """A cell and its possible places, where 1 is the hardest."""

    cell: Cell
    win_rate: Share
    place: Annotated[
        list[int], Field(description="the first and the last place", min_length=2, max_length=2)
    ]


@dataclass(kw_only=True)
class CellPair(AnswerRecord):
    """Two cells, and how much more often the easier one is won."""

    harder: Cell
    easier: Cell
    points: Points
    low: Points
    high: Points
    told_apart: bool
    games_needed: int


@dataclass(kw_only=True)
class RankingRecord(AnswerRecord):
    """The cells in order of difficulty, by the games that two cells win differently."""

    games: GameCount
    confidence: Confidence
    words: list[str]
    order: list[RankedCell]
    groups: Annotated[list[list[Cell]], Field(description="cells that cannot be told apart")]
    pairs: list[CellPair]


@dataclass(kw_only=True)
class GridAnswer(AnswerRecord):
    """All cells of a grid."""

    summary: SummaryText = ABSENT
    scenario: str = ABSENT
    cells: list[RunAnswer]
    ranking: RankingRecord | None = ABSENT


def build_run_answer(
    scenario: Scenario, results: Results, confidence: float
) -> RunAnswer | GridAnswer:
    """Return the answer of `run`: one cell, or all cells of a grid with their ranking."""
    cells = [build_cell_answer(result, confidence) for result in results]
    if len(scenario.cells) == len(cells) == 1:
        return cells[0]
    ranking = _encode_ranking(results.ranking) if results.ranking else None
    return GridAnswer(scenario=scenario.name, cells=cells, ranking=ranking)


def build_cell_answer(result: Result, confidence: float) -> RunAnswer:
    """Return the answer for one cell."""
    summary = summarize_result(result, confidence)
    tally = result.tally
    return RunAnswer(
        game=result.game.name,
        scenario=result.scenario,
        title=result.title,
        cell=result.label,
        seed=result.seed,
        games=tally.games,
        ranges=[list(games) for games in result.ranges],
        endings=summary.ending_counts,
        wins=summary.wins,
        win_rate=summary.win_rate.value,
        low=summary.win_rate.low,
        high=summary.win_rate.high,
        confidence=confidence,
        together=ListLengths(**summary.list_lengths),
        ending_shares=_encode_ending_shares(summary),
        seats=[_encode_seat(seat) for seat in summary.seats],
        rounds=_encode_measure(summary.rounds),
        scores=[_encode_measure(score) for score in summary.scores],
        measures={name: _encode_measure(m) for name, m in summary.measures.items()},
        factors={name: _encode_factor(values) for name, values in summary.factors.items()},
        strategies=[strategy["plays"] for strategy in result.strategies],
        players=_encode_players(result),
        changed=result.changed,
        box=OverlayBox.from_provenance(result.box),
        digests=result.digests,
        outcome_digest=result.outcome_digest,
        made_by=result.made_by,
        decisions=tally.decisions,
        options=tally.offered,
        seconds=round(result.seconds, 3),
        games_per_second=round(tally.games / result.seconds, 1) if result.seconds else None,
        assumed=result.assumed,
        interrupted=result.interrupted,
    )


def _encode_ending_shares(summary: ResultSummary) -> dict[str, ShareInterval]:
    shares = summary.ending_shares.items()
    return {name: ShareInterval.from_estimate(share) for name, share in shares}


def _encode_seat(seat: SeatSummary) -> SeatRecord:
    return SeatRecord(
        seat=seat.seat,
        strategy=seat.strategy,
        wins=seat.wins,
        share=seat.share.value,
        low=seat.share.low,
        high=seat.share.high,
    )


def _encode_measure(measure: MeasureSummary) -> MeasureRecord:
    estimate = measure.estimate
    return MeasureRecord(
        kind="rate" if measure.is_rate else "mean",
        mean=estimate.value if estimate else None,
        low=estimate.low if estimate else None,
        high=estimate.high if estimate else None,
        quantiles={f"{q:g}": value for q, value in measure.quantiles.items()},
    )


def _encode_factor(values: dict[str, FactorSummary]) -> dict[str, FactorRecord]:
    return {
        name: FactorRecord(
            games=value.games,
            wins=value.wins,
            win_rate=value.win_rate.value,
            low=value.win_rate.low,
            high=value.win_rate.high,
            score=value.mean_score,
        )
        for name, value in values.items()
    }


def _encode_players(result: Result) -> list[PlayerRecord]:
    return [
        PlayerRecord(seat=i, strategy=spec["plays"], slips=spec.get("slips", 0.0))
        for i, spec in enumerate(result.strategies, start=1)
    ]


def _encode_ranking(ranking: Ranking) -> RankingRecord:
    from hardmode.reports.console.ranking import describe_ranking  # loads rich

    order = [
        RankedCell(
            cell=ranking.labels[i],
            win_rate=float(ranking.wins[i] / ranking.games),
            place=list(ranking.find_place_range(i)),
        )
        for i in ranking.order
    ]
    return RankingRecord(
        games=ranking.games,
        confidence=ranking.confidence,
        words=describe_ranking(ranking),
        order=order,
        groups=[[ranking.labels[i] for i in group] for group in ranking.groups],
        pairs=list(_encode_pairs(ranking)),
    )


def _encode_pairs(ranking: Ranking) -> Iterator[CellPair]:
    for place, i in enumerate(ranking.order):
        for j in ranking.order[place + 1 :]:
            difference = ranking.estimate_difference(j, i)
            yield CellPair(
                harder=ranking.labels[i],
                easier=ranking.labels[j],
                points=POINTS * difference.value,
                low=POINTS * difference.low,
                high=POINTS * difference.high,
                told_apart=ranking.are_distinguishable(i, j),
                games_needed=ranking.estimate_needed_games(j, i),
            )
