"""Skill levels, which mean the same in every game, and where a player of a level is seated."""

from __future__ import annotations

from hardmode.scenarios.load import StrategySpec, Variant
from hardmode.strategies import registry

RANDOM, BEGINNER, CASUAL, STEADY, TRAINED, EXPERT = SKILL_LEVELS = (
    "random",
    "beginner",
    "casual",
    "steady",
    "trained",
    "expert",
)
PLAYER_NAMES = {
    RANDOM: "random play",
    BEGINNER: "beginners",
    CASUAL: "casual players",
    STEADY: "steady players",
    TRAINED: "trained players",
    EXPERT: "experts",
}


def seat_strategy(variant: Variant, strategy: StrategySpec) -> tuple[StrategySpec, ...]:
    """Return the strategies of all seats when `strategy` is measured.

    In a cooperative game it plays every seat. Where seats compete it plays seat 1, against
    `steady`, or against the variant's own strategies if the game has no `steady`.

    Args:
        variant: The variant.
        strategy: The strategy to measure.
    """
    others = tuple(variant.strategies)
    if STEADY in registry.list_strategies(variant.game.name):
        others = (StrategySpec(STEADY),) * variant.players
    return variant.seat_plan.assign(strategy, others)
