"""The answers of `run --fit` and `compare --fit`, whose names in JSON end in "-as"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from hardmode.reports.json.fit import ShareBand, SkillRecord
from hardmode.reports.json.parts import (
    AnswerRecord,
    Cell,
    Confidence,
    Difference,
    GameCount,
    Share,
)

if TYPE_CHECKING:
    from hardmode.studies.playtests.fit.fit_file import FitFile
    from hardmode.studies.playtests.fit.posterior_predictive import Forecast, ForecastDifference

CONFIDENCE = 0.9  # between the percentiles 5 and 95


@dataclass
class ValueBand(AnswerRecord):
    """Percentiles of a value that is not known exactly."""

    percentile_5: float
    percentile_50: float
    percentile_95: float


@dataclass
class DifferenceBand(AnswerRecord):
    """Percentiles of a difference that is not known exactly."""

    percentile_5: Difference
    percentile_50: Difference
    percentile_95: Difference


@dataclass(kw_only=True)
class FittedPlayers(AnswerRecord):
    """The people whose games were fitted."""

    file: str
    plays: GameCount
    level: SkillRecord
    fits: bool


@dataclass(kw_only=True)
class ForecastCell(AnswerRecord):
    """One cell, and how these people would fare in it."""

    game: str
    scenario: str
    cell: Cell
    games: GameCount
    win_rate: Share
    low: Share
    high: Share
    confidence: Confidence
    rate: ShareBand
    endings: dict[str, ShareBand]
    rounds: ValueBand
    beliefs: int


@dataclass(kw_only=True)
class ForecastAnswer(ForecastCell):
    """A scenario of one cell, and the people."""

    as_: FittedPlayers


@dataclass(kw_only=True)
class ForecastGridAnswer(AnswerRecord):
    """All cells of a grid, and the people."""

    scenario: str
    cells: list[ForecastCell]
    as_: FittedPlayers


@dataclass
class BandPair(AnswerRecord):
    """The win rates of A and B."""

    a: ShareBand
    b: ShareBand


@dataclass(kw_only=True)
class ForecastDifferenceCell(AnswerRecord):
    """One pair of cells, and how differently these people would fare."""

    cell: Cell
    games: GameCount
    difference: Difference
    low: Difference
    high: Difference
    confidence: Confidence
    change: DifferenceBand
    win_rate: BandPair
    harder: Annotated[
        float, Field(description="how likely it is that B is won less often", ge=0, le=1)
    ]


@dataclass(kw_only=True)
class ForecastComparisonAnswer(ForecastDifferenceCell):
    """Two scenarios of one cell each, and the people."""

    as_: FittedPlayers


@dataclass(kw_only=True)
class ForecastComparisonGridAnswer(AnswerRecord):
    """All pairs of cells of two grids, and the people."""

    cells: list[ForecastDifferenceCell]
    as_: FittedPlayers


def build_forecast_answer(
    forecasts: Sequence[Forecast], file: FitFile, scenario: str
) -> ForecastAnswer | ForecastGridAnswer:
    """Return the answer of `run --fit`."""
    cells = [_encode_forecast(forecast, scenario) for forecast in forecasts]
    players = _encode_players(file)
    if len(cells) > 1:
        return ForecastGridAnswer(scenario=scenario, cells=cells, as_=players)
    return ForecastAnswer(**vars(cells[0]), as_=players)


def _encode_forecast(forecast: Forecast, scenario: str) -> ForecastCell:
    rate = ShareBand.from_percentiles(forecast.win_rate)
    endings = forecast.endings.items()
    return ForecastCell(
        game=forecast.cell.game.name,
        scenario=scenario,
        cell=forecast.cell.label,
        games=forecast.games,
        win_rate=rate.percentile_50,
        low=rate.percentile_5,
        high=rate.percentile_95,
        confidence=CONFIDENCE,
        rate=rate,
        endings={name: ShareBand.from_percentiles(band) for name, band in endings},
        rounds=ValueBand(*_list_percentiles(forecast.rounds)),
        beliefs=forecast.n_beliefs,
    )


def build_forecast_comparison_answer(
    differences: Sequence[ForecastDifference], file: FitFile
) -> ForecastComparisonAnswer | ForecastComparisonGridAnswer:
    """Return the answer of `compare --fit`."""
    cells = [_encode_difference(difference) for difference in differences]
    players = _encode_players(file)
    if len(cells) > 1:
        return ForecastComparisonGridAnswer(cells=cells, as_=players)
    return ForecastComparisonAnswer(**vars(cells[0]), as_=players)


def _encode_difference(difference: ForecastDifference) -> ForecastDifferenceCell:
    change = DifferenceBand(*_list_percentiles(difference.change))
    rates = [ShareBand.from_percentiles(side.win_rate) for side in (difference.a, difference.b)]
    return ForecastDifferenceCell(
        cell=difference.a.cell.label,
        games=difference.a.games,
        difference=change.percentile_50,
        low=change.percentile_5,
        high=change.percentile_95,
        confidence=CONFIDENCE,
        change=change,
        win_rate=BandPair(*rates),
        harder=difference.probability_harder,
    )


def _list_percentiles(band: Mapping[str, float]) -> tuple[float, float, float]:
    return band["5"], band["50"], band["95"]


def _encode_players(file: FitFile) -> FittedPlayers:
    level = SkillRecord(file.skill_level, ShareBand.from_percentiles(file.level))
    return FittedPlayers(file=file.file, plays=file.plays, level=level, fits=file.fits)
