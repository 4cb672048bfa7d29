"""The same scenario with some of its numbers changed, played by the same players; and who plays a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hardmode.scenarios.load import StrategySpec, Variant, variant
from hardmode.scenarios.variant import DEFAULT
from hardmode.strategies import registry

TRAINED = StrategySpec("trained")


def altered(cell: Variant, sets: Mapping[str, Any], who: Sequence[StrategySpec] = ()) -> Variant:
    """The cell with these values, absolute ones; what the game cannot bear is a ScenarioError."""
    who = who or cell.strategies
    rules = {path: value for path, (_, value) in cell.changed.items()}
    made = variant(cell.game.name, rules={**rules, **sets}, strategies=who[:1] if all_are(who, who[0]) else who,
                   box=cell.own)
    return replace(made, title=cell.title, label={**cell.label, **sets})


def studied(cell: Variant, asked: bool = False) -> Variant:
    """The cell as a study plays it: what a change does depends on who plays, so a trained player sits where the
    scenario names `steady` or nobody, unless somebody was asked for."""
    if asked or not all_are(cell.strategies, DEFAULT) or TRAINED.name not in registry.names(cell.game.name):
        return cell
    return altered(cell, {}, [TRAINED])


def all_are(who: Sequence[StrategySpec], one: StrategySpec) -> bool:
    return all(other == one for other in who)


def players_text(cell: Variant) -> str:
    return ", ".join(dict.fromkeys(map(str, cell.strategies)))
