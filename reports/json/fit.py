"""The answer of `fit`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from hardmode.reports.console import fit as console
from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    GameCount,
    Seed,
    Share,
    StrategyName,
    SummaryText,
)

if TYPE_CHECKING:
    from hardmode.studies.playtests.fit.analysis import FitResult
    from hardmode.studies.playtests.fit.goodness_of_fit import MeasureTest


@dataclass
class ShareBand(AnswerRecord):
    """Percentiles of a share that is not known exactly."""

    percentile_5: Share
    percentile_50: Share
    percentile_95: Share

    @classmethod
    def from_percentiles(cls, band: Mapping[str, float]) -> ShareBand:
        """Create the record of a band."""
        return cls(band["5"], band["50"], band["95"])


@dataclass
class PredictedRange(AnswerRecord):
    """The model's prediction of a measure: percentiles, and the range of its means."""

    percentile_5: float
    percentile_50: float
    percentile_95: float
    least: Annotated[
        float,
        Field(
            description="the smallest mean that any level in any box gives where games are won "
            "as often"
        ),
    ]
    most: float


@dataclass
class SkillRecord(AnswerRecord):
    """The skill of people: a share of mistakes, and the skill level that wins as often."""

    rung: str
    slips: ShareBand


@dataclass(kw_only=True)
class GroupRecord(AnswerRecord):
    """The skill of one group of people."""

    plays: GameCount
    slips: ShareBand


@dataclass(kw_only=True)
class MeasureTestRecord(AnswerRecord):
    """A measure of the played games beside what the model predicts."""

    measure: str
    seen: float
    model: PredictedRange
    p: Annotated[float, Field(description="of all measures together", ge=0, le=1)]
    plays: GameCount
    detectable: Annotated[
        float | None,
        Field(description="difference of the mean that nine of ten such tables would show"),
    ]
    blamed: Annotated[
        list[str],
        Field(description="unknown numbers that move it, and the direction in which they must go"),
    ]


@dataclass(kw_only=True)
class LearningRecord(AnswerRecord):
    """The change of the skill of people from their first to their last game."""

    seen: bool
    first: ShareBand
    last: ShareBand
    fewer_slips: Annotated[float, Field(description="how likely it is that mistakes became fewer")]
    plays: GameCount


@dataclass(kw_only=True)
class RateForecast(AnswerRecord):
    """The share of games that these people will win."""

    rate: ShareBand
    wide: Annotated[bool, Field(description="the band is wide, since few games were played")]
    slips: ShareBand = ABSENT
    latest: Annotated[
        bool,
        Field(
            description="the forecast is for the skill at the last game, since people are "
            "learning; otherwise it is for the skill over all games"
        ),
    ] = ABSENT


@dataclass(kw_only=True)
class SetupRecord(AnswerRecord):
    """Columns of the played games that hold what was dealt."""

    used: Annotated[
        list[str], Field(description="games were compared with simulated games of the same deal")
    ]
    left: Annotated[
        list[str], Field(description="too few simulated games had the same deal as some games")
    ]
    in_play: Annotated[
        list[str], Field(description="not used, because it happens during play and is no deal")
    ]


@dataclass
class NextVariantRecord(AnswerRecord):
    """A variant, and how much one played game of it would tell."""

    variant: str
    bits: Annotated[float, Field(description="information of one game about level and box")]


@dataclass(kw_only=True)
class FitAnswer(AnswerRecord):
    """Estimates from played games, of the people, the box, and future games."""

    summary: SummaryText = ABSENT
    game: str
    scenario: str
    seed: Seed
    plays: GameCount
    player: Annotated[StrategyName, Field(description="the player whose mistakes the level counts")]
    level: SkillRecord
    groups: dict[str, GroupRecord]
    free: Annotated[
        dict[str, dict[str, float]],
        Field(description="for each unknown number its band, or how likely each reading is"),
    ]
    forecast: RateForecast
    dealt: SetupRecord = ABSENT
    fits: bool
    misfit: Annotated[list[MeasureTestRecord], Field(description="measures that do not fit")]
    measures: list[MeasureTestRecord]
    learning: LearningRecord | None
    more_plays: Annotated[
        int | None, Field(description="further played games that would halve the band")
    ]
    next: list[NextVariantRecord]
    games: Annotated[int, Field(description="simulated games of each level in each box")]
    boxes: int
    effective_boxes: float
    words: list[str]


def build_fit_answer(fit: FitResult) -> FitAnswer:
    """Return the answer of `fit`."""
    measures = [(test, _encode_measure(test)) for test in fit.measures]
    forecast = RateForecast(
        rate=ShareBand.from_percentiles(fit.win_rate),
        wide=fit.is_wide,
        slips=ShareBand.from_percentiles(fit.forecast_level),
        latest=fit.is_latest,
    )
    return FitAnswer(
        game=fit.cell.game.name,
        scenario=fit.scenario.name,
        seed=fit.seed,
        plays=fit.plays,
        player=fit.base_player,
        level=SkillRecord(fit.skill_level, ShareBand.from_percentiles(fit.level)),
        groups=_encode_groups(fit),
        free=fit.unknowns,
        forecast=forecast,
        dealt=SetupRecord(**fit.setup_factors),
        fits=fit.fits,
        misfit=[record for test, record in measures if test.is_misfit],
        measures=[record for _, record in measures],
        learning=_encode_learning(fit),
        more_plays=fit.more_plays,
        next=[NextVariantRecord(variant.name, variant.bits) for variant in fit.next_variants],
        games=fit.games,
        boxes=len(fit.boxes),
        effective_boxes=fit.effective_boxes,
        words=console.describe_fit(fit),
    )


def _encode_groups(fit: FitResult) -> dict[str, GroupRecord]:
    return {
        name: GroupRecord(plays=fit.group_plays[name], slips=ShareBand.from_percentiles(level))
        for name, level in fit.group_levels.items()
    }


def _encode_measure(test: MeasureTest) -> MeasureTestRecord:
    predicted = test.predicted
    model = PredictedRange(predicted["5"], predicted["50"], predicted["95"], *test.reach)
    return MeasureTestRecord(
        measure=test.measure,
        seen=test.observed,
        model=model,
        p=test.p,
        plays=test.n,
        detectable=test.detectable,
        blamed=test.likely_causes,
    )


def _encode_learning(fit: FitResult) -> LearningRecord | None:
    learning = fit.learning
    if not learning:
        return None
    return LearningRecord(
        seen=learning.is_clear,
        first=ShareBand.from_percentiles(learning.first),
        last=ShareBand.from_percentiles(learning.last),
        fewer_slips=learning.probability_fewer,
        plays=learning.plays,
    )
