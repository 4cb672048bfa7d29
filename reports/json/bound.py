"""The answer of `bound`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    Cell,
    Confidence,
    GameCount,
    OverlayBox,
    Seed,
    SummaryText,
    ValueInterval,
    encode_estimates,
)

if TYPE_CHECKING:
    from hardmode.studies.bound.analysis import BoundAnalysis
    from hardmode.studies.stats.estimates import Estimate


@dataclass(kw_only=True)
class BoundAnswer(AnswerRecord):
    """What any player can win at most, and what players of known strength win."""

    summary: SummaryText = ABSENT
    game: str
    scenario: str
    cell: Cell
    box: OverlayBox | None
    seed: Seed
    confidence: Confidence
    bound_confidence: Annotated[
        float, Field(description="of each bound, so that all that were tried hold together")
    ]
    measure: Literal["win_rate", "score"]
    players: Annotated[dict[str, ValueInterval], Field(description="what each level wins")]
    nodes: Annotated[int, Field(description="positions after which a search was left")]
    games: GameCount
    winnable: Annotated[int, Field(description="games in which a win was found")]
    unwinnable: Annotated[int, Field(description="games that nobody can win, proved")]
    open: Annotated[int, Field(description="games whose search was left")]
    bound: Annotated[
        ValueInterval | None, Field(description="the lower bound of the two; null if none is known")
    ]
    bound_draws_known: Annotated[
        ValueInterval | None, Field(description="of players who may know all draws")
    ]
    bound_no_draws_known: Annotated[
        ValueInterval | None, Field(description="of players who do not know them")
    ]
    values: Annotated[str | None, Field(description="the player whose values charge for foresight")]
    problem: Annotated[
        str | None, Field(description="why there is no bound for players who know no draws")
    ]
    estimate_draws_known: Annotated[
        ValueInterval | None, Field(description="share of games in which a win was found; no bound")
    ]


def build_bound_answer(analysis: BoundAnalysis) -> BoundAnswer:
    """Return the answer of `bound`."""
    return BoundAnswer(
        game=analysis.cell.game.name,
        scenario=analysis.scenario.name,
        cell=analysis.cell.label,
        box=OverlayBox.from_provenance(analysis.cell.overlay_provenance),
        seed=analysis.seed,
        confidence=analysis.confidence,
        bound_confidence=analysis.bound_confidence,
        measure="score" if analysis.is_score else "win_rate",
        players=encode_estimates(analysis.players),
        nodes=analysis.node_limit,
        games=analysis.games,
        winnable=analysis.winnable,
        unwinnable=analysis.unwinnable,
        open=analysis.open,
        bound=_encode(analysis.bound),
        bound_draws_known=_encode(analysis.free),
        bound_no_draws_known=_encode(analysis.charged),
        values=analysis.charged_by or None,
        problem=analysis.charged_problem or None,
        estimate_draws_known=_encode(analysis.foresight),
    )


def _encode(estimate: Estimate | None) -> ValueInterval | None:
    return ValueInterval.from_estimate(estimate) if estimate else None
