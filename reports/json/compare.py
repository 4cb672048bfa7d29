"""The answer of `compare`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    Cell,
    ConclusionRecord,
    Confidence,
    Difference,
    Digests,
    End,
    GameCount,
    GameNumber,
    OverlayBox,
    Seat,
    Seed,
    Share,
    StrategyName,
    SummaryText,
    Value,
    ValueInterval,
)
from hardmode.studies.comparison.adapt import A, Adaptation, B
from hardmode.studies.comparison.compare import Comparison, select_example_divergences
from hardmode.studies.stats.estimates import mcnemar_p_value

if TYPE_CHECKING:
    from hardmode.scenarios.load import Variant
    from hardmode.studies.comparison.levels import LevelComparisons
    from hardmode.studies.uncertainty.robustness import RobustConclusion


@dataclass(kw_only=True)
class SideRecord(AnswerRecord):
    """One of the two variants."""

    title: str
    cell: Cell
    changed: dict[str, Value]
    box: OverlayBox | None
    strategies: list[StrategyName]
    digests: Digests


@dataclass
class RatesRecord(AnswerRecord):
    """The win rates of A and B."""

    a: ValueInterval
    b: ValueInterval


@dataclass
class FlipCounts(AnswerRecord):
    """The games that only one of the two variants wins."""

    gained: Annotated[GameCount, Field(description="lost under A and won under B")]
    lost: Annotated[GameCount, Field(description="won under A and lost under B")]


@dataclass(kw_only=True)
class EndingChange(AnswerRecord):
    """The games with one ending under A and under B."""

    a: GameCount
    b: GameCount
    value: Difference
    low: End
    high: End


@dataclass(kw_only=True)
class DivergenceRecord(AnswerRecord):
    """A place at which the histories of flipped games first differ."""

    flip: Annotated[str, Field(description="gained, or lost")]
    source: str
    round: int
    flips: GameCount
    share: Share


@dataclass(kw_only=True)
class LossRecord(AnswerRecord):
    """Flipped games by how they were lost, with a game that shows it."""

    flip: Annotated[str, Field(description="gained, or lost")]
    lost_by: str
    to: Annotated[list[Seat], Field(description="who won instead")]
    flips: GameCount
    share: Share
    source: str
    round: int
    parts_there: GameCount
    game: GameNumber


@dataclass(kw_only=True)
class FactorChange(AnswerRecord):
    """The change in the games with one value of something that was fixed before play."""

    factor: str
    is_: str
    games: GameCount
    gained: GameCount
    lost: GameCount
    value: Difference
    low: End
    high: End


@dataclass(kw_only=True)
class FlippedGame(AnswerRecord):
    """A flipped game, and the place at which its two histories first differ."""

    game: GameNumber
    flip: str
    source: str
    round: int


@dataclass(kw_only=True)
class LevelRecord(AnswerRecord):
    """The change at one skill level."""

    name: str
    slips: Share | None
    games: GameCount
    difference: Difference
    low: End
    high: End
    says: str


@dataclass(kw_only=True)
class AdaptedRate(AnswerRecord):
    """The win rate under the rules of one variant by players that were trained for one."""

    rules: str
    trained_for: str
    value: Share
    low: End
    high: End


@dataclass(kw_only=True)
class WeightChangeRecord(AnswerRecord):
    """A weight of the players that were trained for A and for B."""

    name: str
    a: float
    b: float
    moved: float


@dataclass(kw_only=True)
class AdaptationRecord(AnswerRecord):
    """The change before and after players have adapted to it."""

    direct: ValueInterval
    back: ValueInterval
    after: ValueInterval
    cells: list[AdaptedRate]
    games: GameCount
    repeats: int
    weights: list[WeightChangeRecord]
    trainings: list[dict[str, dict[str, float]]]


@dataclass(kw_only=True)
class CompareAnswer(AnswerRecord):
    """One pair of cells, played with the same random draws."""

    summary: SummaryText = ABSENT
    game: str
    a: SideRecord
    b: SideRecord
    seed: Seed
    games: GameCount
    difference: Difference
    low: End
    high: End
    confidence: Confidence
    simultaneous_cells: int
    win_rate: RatesRecord
    mcnemar_p: float
    flips: FlipCounts
    identical_games: GameCount
    endings: dict[str, EndingChange]
    length: ValueInterval
    score: ValueInterval
    ledger: list[DivergenceRecord]
    causes: list[LossRecord]
    content: Annotated[
        list[FactorChange], Field(description="the change by what was fixed before play under A")
    ]
    flips_laid_side_by_side: int
    examples: list[FlippedGame]
    settled: bool
    more_games: int
    pairs_needed: int
    unpaired_games_needed: int
    firm: list[ConclusionRecord] = ABSENT
    levels: list[LevelRecord] = ABSENT
    verdict: str = ABSENT
    along_slips: str = ABSENT
    left_out: list[str] = ABSENT
    adapt: AdaptationRecord = ABSENT


@dataclass(kw_only=True)
class CompareGridAnswer(AnswerRecord):
    """All pairs of cells of two grids."""

    summary: SummaryText = ABSENT
    cells: list[CompareAnswer]
    adapt: AdaptationRecord = ABSENT


def build_compare_answer(
    comparisons: Sequence[Comparison],
    levels: Sequence[LevelComparisons],
    adaptation: Adaptation | None,
    conclusions: Sequence[RobustConclusion | None] = (),
) -> CompareAnswer | CompareGridAnswer:
    """Return the answer of `compare`, with the parts that were asked for."""
    cells = [_encode_comparison(comparison) for comparison in comparisons]
    for cell, conclusion in zip(cells, conclusions, strict=False):
        cell.firm = [ConclusionRecord.from_conclusion(conclusion)] if conclusion else []
    for cell, by_level in zip(cells, levels, strict=False):
        _add_levels(cell, by_level)
    answer = cells[0] if len(cells) == 1 else CompareGridAnswer(cells=cells)
    if adaptation:
        answer.adapt = _encode_adaptation(adaptation)
    return answer


def _encode_comparison(comparison: Comparison) -> CompareAnswer:
    difference = comparison.difference
    rates = [comparison.estimate_win_rate(in_b) for in_b in (False, True)]
    tables = [
        (comparison.tabulate_divergences(gained), comparison.tabulate_losses(gained))
        for gained in (False, True)
    ]
    return CompareAnswer(
        game=comparison.game.name,
        a=_encode_side(comparison.a),
        b=_encode_side(comparison.b),
        seed=comparison.seed,
        games=comparison.games,
        difference=difference.value,
        low=difference.low,
        high=difference.high,
        confidence=comparison.confidence,
        simultaneous_cells=comparison.n_cells,
        win_rate=RatesRecord(*(ValueInterval.from_estimate(rate) for rate in rates)),
        mcnemar_p=mcnemar_p_value(comparison.wins_gained, comparison.wins_lost),
        flips=FlipCounts(comparison.wins_gained, comparison.wins_lost),
        identical_games=comparison.identical_games,
        endings=_encode_endings(comparison),
        length=ValueInterval.from_estimate(comparison.estimate_mean_change(comparison.length_sums)),
        score=ValueInterval.from_estimate(comparison.estimate_mean_change(comparison.score_sums)),
        ledger=[DivergenceRecord(**row) for divergences, _ in tables for row in divergences],
        causes=[LossRecord(**row) for _, losses in tables for row in losses],
        content=[_encode_factor(row) for row in comparison.tabulate_factors()],
        flips_laid_side_by_side=len(comparison.divergences),
        examples=_encode_examples(comparison),
        settled=comparison.is_settled,
        more_games=comparison.estimate_further_games(),
        pairs_needed=comparison.estimate_needed_pairs(),
        unpaired_games_needed=comparison.estimate_unpaired_games(),
    )


def _encode_side(variant: Variant) -> SideRecord:
    return SideRecord(
        title=variant.title,
        cell=variant.label,
        changed={path: new for path, (_, new) in variant.changed_values.items()},
        box=OverlayBox.from_provenance(variant.overlay_provenance),
        strategies=[str(strategy) for strategy in variant.strategies],
        digests=variant.digests,
    )


def _encode_endings(comparison: Comparison) -> dict[str, EndingChange]:
    return {
        name: EndingChange(a=a, b=b, value=change.value, low=change.low, high=change.high)
        for name, change, a, b in comparison.estimate_ending_changes()
    }


def _encode_factor(row: dict[str, Any]) -> FactorChange:
    others = {name: value for name, value in row.items() if name != "is"}
    return FactorChange(is_=row["is"], **others)


def _encode_examples(comparison: Comparison) -> list[FlippedGame]:
    return [
        FlippedGame(
            game=example.game,
            flip="gained" if example.gained else "lost",
            source=example.source,
            round=example.round,
        )
        for example in select_example_divergences(comparison)
    ]


def _add_levels(answer: CompareAnswer, levels: LevelComparisons) -> None:
    answer.levels = [
        LevelRecord(
            name=level.name,
            slips=level.mistake_rate,
            games=level.comparison.games,
            difference=level.difference.value,
            low=level.difference.low,
            high=level.difference.high,
            says=level.verdict,
        )
        for level in levels.levels
    ]
    answer.verdict = levels.verdict
    answer.along_slips = levels.mistake_verdict
    answer.left_out = levels.left_out


def _encode_adaptation(adaptation: Adaptation) -> AdaptationRecord:
    cells = [_encode_adapted_rate(adaptation, rules, side) for rules in (A, B) for side in (A, B)]
    weights = [
        WeightChangeRecord(name=change.weight, a=change.a, b=change.b, moved=change.share)
        for change in adaptation.weight_changes
    ]
    return AdaptationRecord(
        direct=ValueInterval.from_estimate(adaptation.direct_effect),
        back=ValueInterval.from_estimate(adaptation.recovered),
        after=ValueInterval.from_estimate(adaptation.adapted_effect),
        cells=cells,
        games=adaptation.games,
        repeats=adaptation.repeats,
        weights=weights,
        trainings=[{"a": a.weights, "b": b.weights} for a, b in adaptation.trainings],
    )


def _encode_adapted_rate(adaptation: Adaptation, rules: int, side: int) -> AdaptedRate:
    rate = adaptation.estimate_win_rate(rules, side)
    return AdaptedRate(
        rules="ab"[rules],
        trained_for="ab"[side],
        value=rate.value,
        low=rate.low,
        high=rate.high,
    )
