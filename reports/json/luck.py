"""The answer of `luck`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    Cell,
    Confidence,
    End,
    GameCount,
    OverlayBox,
    Seed,
    Share,
    StrategyName,
    SummaryText,
    ValueInterval,
    VarianceShares,
    index_fields,
)
from hardmode.studies.core.skill_levels import BEGINNER
from hardmode.studies.luck.skill import SkillComparison, compare_skill

if TYPE_CHECKING:
    from hardmode.studies.luck.analysis import LuckAnalysis, VarianceSource
    from hardmode.studies.stats.estimates import Estimate
    from hardmode.studies.stats.sobol import LevelVariance, SobolIndex


@dataclass
class SourceShares(VarianceShares):
    """Also the share that a source decides only together with others."""

    interactions: float


@dataclass(kw_only=True)
class LuckSource(AnswerRecord):
    """A source of chance, and the shares of the variance of winning that it decides."""

    source: str = ABSENT
    of: list[str] = ABSENT
    address: str = ABSENT
    draws: float = ABSENT
    first: float
    total: float
    low: End
    high: End
    first_low: End
    first_high: End
    interactions: float
    score: SourceShares = ABSENT
    steady: SourceShares = ABSENT
    steady_disagrees: bool = ABSENT


@dataclass
class JointShares(AnswerRecord):
    """The sum of what all sources decide alone, and what they decide only together."""

    first: ValueInterval
    interactions: ValueInterval


@dataclass(kw_only=True)
class LevelShares(AnswerRecord):
    """The share of the variance between skill levels, of luck, and of both together."""

    share: float
    low: End
    high: End
    luck: ValueInterval
    both: ValueInterval


@dataclass(kw_only=True)
class SkillLevelRate(AnswerRecord):
    """A skill level and its win rate."""

    strategy: StrategyName
    win_rate: Share
    low: End
    high: End


@dataclass(kw_only=True)
class BetweenLevels(LevelShares):
    """Luck against skill, where players of several skill levels play."""

    left_out: list[str]
    games: GameCount
    rungs: list[SkillLevelRate]
    score: LevelShares = ABSENT


@dataclass(kw_only=True)
class SkillShare(AnswerRecord):
    """The share of the result that skill decides between two players, and luck decides the rest."""

    share: Share
    low: End
    high: End
    between: Annotated[list[StrategyName], Field(description="the weaker player, the stronger one")]


@dataclass(kw_only=True)
class LuckAnswer(AnswerRecord):
    """The share of every source of chance, of the players' own chance, and of skill."""

    summary: SummaryText = ABSENT
    game: str
    scenario: str
    title: str
    cell: Cell
    box: OverlayBox | None
    players: list[StrategyName]
    seed: Seed
    games: GameCount
    confidence: Confidence
    sources: list[LuckSource]
    play: LuckSource
    together: dict[str, JointShares]
    setup: LuckSource | None
    draw: LuckSource | None
    between_levels: BetweenLevels
    skill: SkillShare | None = ABSENT


def build_luck_answer(luck: LuckAnalysis, expert: Estimate | None = None) -> LuckAnswer:
    """Return the answer of `luck`.

    Args:
        luck: The analysis.
        expert: Win rate of experts, if it is known from games that were played beforehand.
    """
    sources = [
        _encode_source(luck, source, {"source": source.name, "draws": source.draws})
        for source in luck.rank_sources(luck.win_shares)
    ]
    together = {
        name: JointShares(
            ValueInterval.from_estimate(shares.first_order_sum),
            ValueInterval.from_estimate(shares.interaction),
        )
        for name, shares in luck.outcomes.items()
    }
    setup, draw = None, None
    for source in reversed(luck.combined_sources):
        if source.source_names:
            names = list(source.source_names)
            setup = _encode_source(luck, source, {"of": names, "draws": source.draws})
        else:
            draw = _encode_source(luck, source, {"address": source.name, "draws": source.draws})
    return LuckAnswer(
        game=luck.game.name,
        scenario=luck.scenario.name,
        title=luck.cell.title,
        cell=luck.cell.label,
        box=OverlayBox.from_provenance(luck.cell.overlay_provenance),
        players=luck.players,
        seed=luck.seed,
        games=luck.win_shares.games,
        confidence=luck.confidence,
        sources=sources,
        play=_encode_source(luck, luck.player_randomness, {}),
        together=together,
        setup=setup,
        draw=draw,
        between_levels=_encode_levels(luck),
        skill=_encode_skill(compare_skill(luck.win_rates, expert)),
    )


def _encode_skill(skill: SkillComparison | None) -> SkillShare | None:
    if skill is None:
        return None
    share = skill.share
    levels = [BEGINNER, skill.best_level]
    return SkillShare(share=share.value, low=share.low, high=share.high, between=levels)


def _encode_source(luck: LuckAnalysis, source: VarianceSource, names: dict[str, Any]) -> LuckSource:
    """Return the record of a source: its shares of winning, and of the score if there is one."""
    win, *scores = (luck.get_share(shares, source) for shares in luck.outcomes.values())
    fields: dict[str, Any] = {**names, **index_fields(win)}
    record = LuckSource(**fields, interactions=win.interaction.value)
    if scores:
        record.score = _encode_shares(scores[0])
    if luck.steady_shares is not None and source not in luck.combined_sources:
        record.steady = _encode_shares(luck.get_share(luck.steady_shares, source))
        record.steady_disagrees = source in luck.disagreeing_sources
    return record


def _encode_shares(index: SobolIndex) -> SourceShares:
    return SourceShares(**index_fields(index), interactions=index.interaction.value)


def _encode_levels(luck: LuckAnalysis) -> BetweenLevels:
    variance = luck.level_variance
    rates = [
        SkillLevelRate(strategy=name, win_rate=mean.value, low=mean.low, high=mean.high)
        for name, mean in zip(luck.level_names, variance.means, strict=True)
    ]
    between = BetweenLevels(
        **_level_fields(variance), left_out=luck.skipped_levels, games=variance.games, rungs=rates
    )
    if luck.level_score_variance:
        between.score = LevelShares(**_level_fields(luck.level_score_variance))
    return between


def _level_fields(variance: LevelVariance) -> dict[str, Any]:
    return {
        "share": variance.players.value,
        "low": variance.players.low,
        "high": variance.players.high,
        "luck": ValueInterval.from_estimate(variance.luck),
        "both": ValueInterval.from_estimate(variance.interaction),
    }
