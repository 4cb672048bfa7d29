"""Reference players of a study: `trained` by default, and `steady` as a check.

What a change does depends on who plays. This module is the only place that decides it:

- Commands that play a scenario as it is written (`run`, the headline of `report`, `check`,
  `accept`, `replay`, `history`, `bisect`), and the functions of the Python interface, play the
  strategies of the scenario.
- Commands that ask what something does (`compare`, `sensitivity`, `uncertainty`, `solve`, `luck`,
  `choices`, `decided`, `audit`, `fit`, and the same studies in a report) play `trained` at each
  seat for which the scenario names `steady` or nobody. Most of them also show what `steady` gives.
- Other strategies stay, and so do those that the user names, and those that a grid or a comparison
  is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hardmode.scenarios.labels import STRATEGIES_LABEL
from hardmode.scenarios.load import Scenario, StrategySpec, Variant
from hardmode.scenarios.variant import DEFAULT_STRATEGY
from hardmode.strategies import registry
from hardmode.studies.core.run import make_player

if TYPE_CHECKING:
    from hardmode.studies.stats.estimates import Estimate

TRAINED = StrategySpec("trained")
STEADY_TIME_SHARE = 0.15  # share of a study's time in which it is repeated with `steady`


def with_trained(variant: Variant, requested: Sequence[str] = ()) -> Variant:
    """Return the variant with `trained` in place of `steady`.

    The variant is returned as it is if the user named strategies, or if the game has no trained
    player.

    Args:
        variant: The variant.
        requested: Strategies that the user named.
    """
    if requested or STRATEGIES_LABEL in variant.label:
        return variant
    if TRAINED.name not in registry.list_strategies(variant.game.name):
        return variant
    return _replace_strategy(variant, DEFAULT_STRATEGY, TRAINED)


def first_with_trained(scenario: Scenario, requested: Sequence[str] = ()) -> Scenario:
    """Return the scenario with `trained` in place of `steady` in its first cell.

    Args:
        scenario: The scenario.
        requested: Strategies that the user named; if there are any, nothing is replaced.
    """
    first = with_trained(scenario.cells[0], requested)
    return replace(scenario, cells=[first, *scenario.cells[1:]])


def pair_with_trained(
    a: Scenario, b: Scenario, requested: Sequence[str] = ()
) -> tuple[Scenario, Scenario]:
    """Return two scenarios that are to be compared, with `trained` in place of `steady`.

    Cells that differ in their strategies stay as they are: the comparison is about the strategies.

    Args:
        a: The first scenario.
        b: The second scenario.
        requested: Strategies that the user named; if there are any, nothing is replaced.
    """
    a_cells, b_cells = list(a.cells), list(b.cells)
    for i, (x, y) in enumerate(zip(a.cells, b.cells, strict=False)):
        if _list_strategies(x) == _list_strategies(y):
            a_cells[i], b_cells[i] = with_trained(x, requested), with_trained(y, requested)
    return replace(a, cells=a_cells), replace(b, cells=b_cells)


def choose_training_start(scenario: Scenario, requested: Sequence[str] = ()) -> StrategySpec | None:
    """Return the player from which training starts, or None for the scenario's own strategy.

    It is the shipped trained player where a study would play it, and also where the scenario names
    a strategy without weights, which cannot be trained.

    Args:
        scenario: The scenario.
        requested: Strategies that the user named.
    """
    first = scenario.cells[0]
    own = first.strategies[0]
    reference = with_trained(first, requested).strategies[0]
    has_trained = TRAINED.name in registry.list_strategies(first.game.name)
    if not requested and has_trained and not make_player(first.game.name, own).weights:
        reference = replace(TRAINED, mistakes=own.mistakes)
    return None if reference == own else reference


def with_steady(variant: Variant) -> Variant | None:
    """Return the variant with `steady` in place of `trained`, or None without `trained`."""
    other = _replace_strategy(variant, TRAINED, DEFAULT_STRATEGY)
    return None if other is variant else other


def _replace_strategy(variant: Variant, old: StrategySpec, new: StrategySpec) -> Variant:
    """Return the variant with `new` at each seat of `old`, making the same mistakes."""
    seats = []
    for spec in variant.strategies:
        is_old = replace(spec, mistakes=None) == old
        seats.append(replace(new, mistakes=spec.mistakes) if is_old else spec)
    return variant if seats == list(variant.strategies) else variant.with_values({}, seats)


def _list_strategies(variant: Variant) -> set[str]:
    """Return the strategies of a variant as texts, each once, without their mistakes."""
    return {str(replace(spec, mistakes=None)) for spec in variant.strategies}


def describe_players(variant: Variant) -> str:
    """Return the strategies of a variant, each once, and the user's own box if there is one."""
    return ", ".join(dict.fromkeys(map(str, variant.strategies))) + variant.overlay_suffix


def players_disagree(a: Estimate, b: Estimate) -> bool:
    """Return whether two players' estimates of a change contradict each other.

    They do if their intervals do not overlap and either their signs differ or they are further
    apart than half of the larger one.

    Args:
        a: The estimate of one player.
        b: The estimate of the other.
    """
    intervals_overlap = a.low <= b.high and b.low <= a.high
    if intervals_overlap:
        return False
    largest = max(abs(a.value), abs(b.value))
    return a.value * b.value < 0 or abs(a.value - b.value) > largest / 2
