"""The answer of `uncertainty`, whose name in JSON is "doubts"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from hardmode.reports.console import uncertainty as console
from hardmode.reports.json.parts import (
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
    index_fields,
)

if TYPE_CHECKING:
    from hardmode.studies.stats.estimates import Estimate
    from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis, UncertaintySource
    from hardmode.studies.uncertainty.band import UncertaintyBand

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
class UncertaintyAnswer(AnswerRecord):
    """The band over all numbers that are assumed, and what decides it."""

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
    interrupted: bool
    digests: Digests


def build_uncertainty_answer(analysis: UncertaintyAnalysis) -> UncertaintyAnswer:
    """Return the answer of `uncertainty`."""
    band = analysis.band
    sources = [*analysis.groups, *console.list_ungrouped_sources(analysis)]
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
        interrupted=analysis.interrupted,
        digests=analysis.cell.digests,
    )


def _encode_headline(estimate: Estimate) -> Headline:
    return Headline(estimate.value, estimate.low, estimate.high, estimate.n)


def _encode_band(band: UncertaintyBand | None) -> dict[str, float] | None:
    return _encode_percentiles(console.extract_percentiles(band)) if band else None


def _encode_percentiles(percentiles: Mapping[int, float]) -> dict[str, float]:
    return {str(percentile): value for percentile, value in percentiles.items()}


def _encode_source(source: UncertaintySource) -> UncertaintyShare:
    fields = index_fields(source.sobol_index)
    return UncertaintyShare(path=source.path, numbers=source.parameter_count, **fields)
