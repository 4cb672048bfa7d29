"""The same scenario with some of its numbers changed, played by the same players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hardmode.scenarios.load import StrategySpec, Variant, variant


def altered(cell: Variant, sets: Mapping[str, Any], who: Sequence[StrategySpec] = ()) -> Variant:
    """The cell with these values, absolute ones; what the game cannot bear is a ScenarioError."""
    who = who or cell.strategies
    each = who[:1] if all(s == who[0] for s in who) else who
    rules = {path: value for path, (_, value) in cell.changed.items()}
    made = variant(cell.game.name, rules={**rules, **sets}, strategies=each, box=cell.own)
    return replace(made, title=cell.title, label={**cell.label, **sets})
