"""A sentence on the top of the scale: how far the best players known are from the best possible."""

from __future__ import annotations

from collections.abc import Mapping

from hardmode.scenarios.schema import KnownTop
from hardmode.studies.core.skill_levels import PLAYER_NAMES, STEADY
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.formatting import format_rate

MEASURES = {"rate": "win_rate", "mean": "score"}
UNKNOWN = "It is not known how much better the best possible play would be."


def describe_top(top: KnownTop | None, levels: Mapping[str, Estimate], kind: str) -> str:
    """Return what is known of the best possible play, in a sentence.

    Args:
        top: What the scenario says of it; None if it says nothing.
        levels: What each skill level gets.
        kind: Kind of these values: "rate" or "mean".
    """
    if top is None or top.measure != MEASURES[kind]:
        return UNKNOWN
    facts = []
    if top.best is not None:
        best = f"the best possible play gets {_format(top.best, kind)} ({top.source})"
        facts.append(best + _describe_gap(top.best, levels))
    if top.bound is not None:
        source = "" if facts else f" ({top.source})"
        facts.append(f"no player can exceed {_format(top.bound, kind)}{source}")
    if not facts:
        return UNKNOWN
    text = "; ".join(facts)
    return f"{text[0].upper()}{text[1:]}."


def _describe_gap(best: float, levels: Mapping[str, Estimate]) -> str:
    """Return which share of what skill can gain the strongest level reaches, if that is known."""
    if STEADY not in levels:
        return ""
    strongest = max(levels, key=lambda name: levels[name].value)
    gap = estimate_gap_closed(levels[STEADY], levels[strongest], best)
    if gap is None or strongest == STEADY:
        return ""
    name = PLAYER_NAMES.get(strongest, strongest)
    return f"; of what it gains over steady players, {name} reach {format_rate(gap)}"


def estimate_gap_closed(steady: Estimate, level: Estimate, best: float) -> Estimate | None:
    """Return which share of the way from `steady` to the best possible play a level reaches.

    The interval combines those of both levels, so it is wider than it needs to be.

    Args:
        steady: What `steady` gets.
        level: What the level gets.
        best: What the best possible play gets.

    Returns:
        The share, or None if steady players may be as good as the best.
    """
    if best <= steady.high:
        return None
    return Estimate(
        (level.value - steady.value) / (best - steady.value),
        (level.low - steady.high) / (best - steady.high),
        (level.high - steady.low) / (best - steady.low),
        min(steady.n, level.n),
        level.confidence,
    )


def _format(value: float, kind: str) -> str:
    return f"{100 * value:.4g} %" if kind == "rate" else f"{value:,.6g} points"
