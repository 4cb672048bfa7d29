"""From names and files to variants that can be played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scenarios.change import Change
from scenarios.errors import ScenarioError
from scenarios.variant import PLAYERS, StrategySpec, Variant, build


def variant(game: str, players: int | None = None, setup: Mapping[str, Any] | None = None,
            rules: Mapping[str, Any] | None = None, strategies: list[StrategySpec] | None = None) -> Variant:
    """A variant from Python: `variant("pig", players=1, rules={"target": "x1.5", "die.sides": "+2"})`."""
    changes = [Change(PLAYERS, players)] if players is not None else []
    changes += [Change("setup." + path, value) for path, value in (setup or {}).items()]
    changes += [Change(path, value) for path, value in (rules or {}).items()]
    return build(game, changes, strategies or [StrategySpec("steady")])


__all__ = ["ScenarioError", "StrategySpec", "Variant", "variant"]
