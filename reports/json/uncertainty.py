"""The answer of `uncertainty`, whose name in JSON is "doubts"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from hardmode.reports.console import uncertainty as console
from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    ConclusionRecord,
    Confidence,
    Digests,
    End,
    GameCount,
    OverlayBox,
    Seed,
    Share,
    StrategyName,
    SummaryText,
    index_fields,
)
from hardmode.studies.uncertainty.single_effects import find_lookup_order

if TYPE_CHECKING:
    from hardmode.studies.stats.estimates import Estimate
    from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis, UncertaintySource
    from hardmode.studies.uncertainty.band import UncertaintyBand
    from hardmode.studies.uncertainty.single_effects import LeadingReading, SingleSource

Band = Annotated[
    dict[str, float] | None, Field(description="win rates by percentile of the plausible boxes")
]


@dataclass
class Headline(AnswerRecord):
    """The win rate with the box as it is assumed."""

    rate: Share
    low: End
    high: End
    games: GameCount


@dataclass(kw_only=True)
class UncertaintyShare(AnswerRecord):
    """An assumption, and the shares of the variance that it decides."""

    path: str
    numbers: int
    first: float
    total: float
    low: End
    high: End
    first_low: End
    first_high: End


@dataclass
class BandIfKnown(AnswerRecord):
    """The band that would be left if an assumption were known."""

    path: str
    band: Band


@dataclass(kw_only=True)
class SteadyUncertainty(AnswerRecord):
    """The same when steady plays."""

    headline: Headline
    band: Band
    disagrees: bool


@dataclass(kw_only=True)
class PercentileInterval(AnswerRecord):
    """A percentile of the band with its interval."""

    percentile: int
    rate: Share
    low: End
    high: End


@dataclass(kw_only=True)
class SingleEffectRecord(AnswerRecord):
    """Another value of an assumption, alone in the shipped box."""

    value: Any
    probability: Annotated[
        float | None, Field(description="of the value; none for a number with a range")
    ]
    change: Annotated[float, Field(description="of the win rate, as a share of 1")]
    low: End
    high: End
    games: GameCount


@dataclass(kw_only=True)
class SingleRecord(AnswerRecord):
    """An assumption alone, with all others as they are assumed."""

    path: str
    reading: Annotated[bool, Field(description="whether it is a reading of a rule")]
    deviation: Annotated[
        float, Field(description="standard deviation of the win rate that it causes alone")
    ]
    deviation_low: End
    deviation_high: End
    effects: list[SingleEffectRecord]


@dataclass(kw_only=True)
class LookUpFirst(AnswerRecord):
    """What to look up first: assumptions told apart from all others, and those that are tied."""

    first: list[str]
    tied: list[str]


@dataclass(kw_only=True)
class RateOfPlayer(AnswerRecord):
    """The win rate of a player."""

    player: StrategyName
    rate: Share
    low: End
    high: End
    games: GameCount


@dataclass(kw_only=True)
class RateDifference(AnswerRecord):
    """A difference of two win rates, as a share of 1."""

    value: float
    low: End
    high: End


@dataclass(kw_only=True)
class LeadingReadingRecord(AnswerRecord):
    """Another reading of a rule, alone in the shipped box, played by the best player at hand."""

    path: str
    value: Any
    player: Annotated[StrategyName, Field(description="steady, trained or retrained")]
    rates: list[RateOfPlayer]
    retraining_gain: RateDifference
    gain: Annotated[RateDifference, Field(description="of the player over trained")]
    change: Annotated[RateDifference, Field(description="of the win rate by this reading")]


@dataclass(kw_only=True)
class UncertaintyAnswer(AnswerRecord):
    """The band over all numbers that are assumed, and what decides it."""

    summary: SummaryText = ABSENT
    game: str
    scenario: str
    strategies: list[StrategyName]
    box: OverlayBox | None
    seed: Seed
    confidence: Confidence
    headline: Headline
    band: Band
    boxes: int
    covers_everything: bool
    shares: list[UncertaintyShare]
    knowing: list[BandIfKnown]
    firm: list[ConclusionRecord]
    steady: SteadyUncertainty | None
    unknown: Annotated[Any, Field(description="numbers that are not known")]
    staying: Annotated[Any, Field(description="numbers that stay as they are assumed")]
    impossible: int
    games_of_a_box: GameCount
    rows: dict[str, int]
    assumed_about_assumptions: Annotated[Any, Field(description="in words")]
    prior_correct: Annotated[
        float, Field(description="probability of an assumed reading where the box gives none")
    ]
    readings: Annotated[int, Field(description="readings of rules among the assumptions")]
    impossible_share: Share
    band_intervals: list[PercentileInterval]
    band_if_readings_right: Band
    boxes_with_readings_right: int
    missing_boxes: Annotated[
        int,
        Field(description="further boxes until the ends agree within 3 points over three seeds"),
    ]
    share_of_boxes_below_headline: Share | None
    headline_position: Annotated[
        str, Field(description="easy or hard if the box stands at that end of its band")
    ]
    headline_outside_band: Annotated[str, Field(description="why, or nothing if it is inside")]
    singles: list[SingleRecord]
    look_up_first: LookUpFirst
    leading_readings: list[LeadingReadingRecord]
    interrupted: bool
    digests: Digests


def build_uncertainty_answer(analysis: UncertaintyAnalysis) -> UncertaintyAnswer:
    """Return the answer of `uncertainty`."""
    band = analysis.band
    sources = [*analysis.groups, *console.list_ungrouped_sources(analysis)]
    order = find_lookup_order(analysis.singles)
    numbers_band = analysis.numbers_band
    below = band.share_below_headline if band else None
    steady = None
    if analysis.steady_band:
        headline, steady_band = analysis.steady_band
        steady = SteadyUncertainty(
            headline=_encode_headline(headline),
            band=_encode_band(steady_band),
            disagrees=console.is_headline_disputed(analysis),
        )
    return UncertaintyAnswer(
        game=analysis.cell.game.name,
        scenario=analysis.scenario.name,
        strategies=[str(strategy) for strategy in analysis.cell.strategies],
        box=OverlayBox.from_provenance(analysis.cell.overlay_provenance),
        seed=analysis.seed,
        confidence=analysis.confidence,
        headline=_encode_headline(analysis.headline),
        band=_encode_band(band),
        boxes=band.box_count if band else 0,
        covers_everything=bool(band and band.covers_everything),
        shares=[_encode_source(source) for source in sources],
        knowing=[BandIfKnown(s.path, _encode_percentiles(s.band_if_known)) for s in sources],
        firm=[ConclusionRecord.from_conclusion(c) for c in analysis.conclusions],
        steady=steady,
        unknown=analysis.sampled_count,
        staying=analysis.fixed_paths,
        impossible=analysis.rejected_boxes,
        games_of_a_box=analysis.games_per_box,
        rows={"groups": analysis.row_counts[0], "numbers": analysis.row_counts[1]},
        assumed_about_assumptions=console.describe_assumptions(analysis),
        prior_correct=analysis.reading_correct,
        readings=analysis.reading_count,
        impossible_share=analysis.rejected_share,
        band_intervals=_encode_intervals(band),
        band_if_readings_right=_encode_band(numbers_band),
        boxes_with_readings_right=numbers_band.box_count if numbers_band else 0,
        missing_boxes=console.count_missing_boxes(analysis),
        share_of_boxes_below_headline=below.value if below else None,
        headline_position=console.describe_end(band) if band else "",
        headline_outside_band=_explain_outside(analysis),
        singles=[_encode_single(source) for source in analysis.singles],
        look_up_first=LookUpFirst(first=order.first, tied=order.tied),
        leading_readings=[_encode_reading(reading) for reading in analysis.leading_readings],
        interrupted=analysis.interrupted,
        digests=analysis.cell.digests,
    )


def _encode_headline(estimate: Estimate) -> Headline:
    return Headline(estimate.value, estimate.low, estimate.high, estimate.n)


def _encode_band(band: UncertaintyBand | None) -> dict[str, float] | None:
    return _encode_percentiles(console.extract_percentiles(band)) if band else None


def _explain_outside(analysis: UncertaintyAnalysis) -> str:
    band = analysis.band
    return console.explain_outside(analysis, analysis.headline, band) if band else ""


def _encode_intervals(band: UncertaintyBand | None) -> list[PercentileInterval]:
    intervals = []
    for percentile, rate in band.percentiles.items() if band else ():
        intervals.append(
            PercentileInterval(percentile=percentile, rate=rate.value, low=rate.low, high=rate.high)
        )
    return intervals


def _encode_single(source: SingleSource) -> SingleRecord:
    effects = []
    for effect in source.effects:
        effects.append(
            SingleEffectRecord(
                value=effect.value,
                probability=effect.probability or None,
                change=effect.change.value,
                low=effect.change.low,
                high=effect.change.high,
                games=effect.change.n,
            )
        )
    return SingleRecord(
        path=source.path,
        reading=source.is_reading,
        deviation=source.deviation,
        deviation_low=source.variance.low**0.5,
        deviation_high=source.variance.high**0.5,
        effects=effects,
    )


def _encode_reading(reading: LeadingReading) -> LeadingReadingRecord:
    choice = reading.choice
    rates = [
        RateOfPlayer(player=name, rate=rate.value, low=rate.low, high=rate.high, games=rate.n)
        for name, rate in choice.rates.items()
    ]
    return LeadingReadingRecord(
        path=reading.path,
        value=reading.value,
        player=choice.name,
        rates=rates,
        retraining_gain=_encode_difference(choice.retraining_gain),
        gain=_encode_difference(choice.gain),
        change=_encode_difference(choice.change),
    )


def _encode_difference(difference: Estimate) -> RateDifference:
    return RateDifference(value=difference.value, low=difference.low, high=difference.high)


def _encode_percentiles(percentiles: Mapping[int, float]) -> dict[str, float]:
    return {str(percentile): value for percentile, value in percentiles.items()}


def _encode_source(source: UncertaintySource) -> UncertaintyShare:
    fields = index_fields(source.sobol_index)
    return UncertaintyShare(path=source.path, numbers=source.parameter_count, **fields)
