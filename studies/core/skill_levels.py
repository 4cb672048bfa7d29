"""The ladder: rungs that mean the same in every game, and where somebody of a rung sits."""

from __future__ import annotations

from hardmode.scenarios.load import StrategySpec, Variant
from hardmode.strategies import registry

RANDOM, BEGINNER, STEADY, TRAINED, EXPERT = RUNGS = (
    "random",
    "beginner",
    "steady",
    "trained",
    "expert",
)
WHO = dict(
    zip(
        RUNGS,
        ("random play", "beginners", "steady players", "trained players", "experts"),
        strict=True,
    )
)


def seated(cell: Variant, one: StrategySpec) -> tuple[StrategySpec, ...]:
    """Somebody at every seat; where seats compete at the first alone, against others who play steadily."""
    if not cell.game.competitive or cell.players == 1:
        return (one,) * cell.players
    others = (
        (StrategySpec(STEADY),) * cell.players
        if STEADY in registry.names(cell.game.name)
        else cell.strategies
    )
    return (one, *others[1:])
