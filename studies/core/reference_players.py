"""Who plays a study of what a change does: that depends on who plays, so good players sit where nobody was named.

`run`, `report` and `check` play what the scenario names. A study plays `trained` where that is `steady` or nobody, and
shows `steady` beside it; characters and players of one's own are kept, and so is whoever was asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hardmode.scenarios.load import Scenario, StrategySpec, Variant
from hardmode.scenarios.variant import DEFAULT, STRATEGIES
from hardmode.strategies import registry
from hardmode.studies.core.altered import altered

if TYPE_CHECKING:
    from hardmode.studies.stats.estimates import Estimate

TRAINED = StrategySpec("trained")
BESIDE = 0.15  # the share of a study's time in which it is played by `steady` too


def studied(cell: Variant, asked: Sequence[str] = ()) -> Variant:
    """The cell as a study plays it; `asked` are the strategies that somebody asked for."""
    if asked or STRATEGIES in cell.label or TRAINED.name not in registry.names(cell.game.name):
        return cell
    return _instead(cell, DEFAULT, TRAINED)


def first_studied(found: Scenario, asked: Sequence[str] = ()) -> Scenario:
    """The scenario with its first cell as a study plays it."""
    return replace(found, cells=[studied(found.cells[0], asked), *found.cells[1:]])


def by_steady(cell: Variant) -> Variant | None:
    """The same with `steady` where `trained` sits; none where nobody is trained."""
    other = _instead(cell, TRAINED, DEFAULT)
    return None if other is cell else other


def _instead(cell: Variant, one: StrategySpec, other: StrategySpec) -> Variant:
    """The cell with the other player at each seat of the one, slipping as that did."""
    seats = [
        replace(other, slips=s.slips) if replace(s, slips=None) == one else s
        for s in cell.strategies
    ]
    return cell if seats == list(cell.strategies) else altered(cell, {}, seats)


def players_text(cell: Variant) -> str:
    """Who plays, and with which box if it is one's own."""
    return ", ".join(dict.fromkeys(map(str, cell.strategies))) + cell.with_box


def disagree(one: Estimate, other: Estimate) -> bool:
    """Whether two players tell of a change in other signs, or one of twice as much, by more than chance."""
    shown = one.low > other.high or other.low > one.high
    return shown and (
        one.value * other.value < 0
        or abs(one.value - other.value) > max(abs(one.value), abs(other.value)) / 2
    )
