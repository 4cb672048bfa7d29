"""Declarations of a module of strategies: `STRATEGIES`, `WEIGHTS`, `RANGES` and `LIMITS`."""

from __future__ import annotations

import contextlib
import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hardmode.sim.files.paths import shorten_path
from hardmode.sim.files.text import MAX_PLAYOUTS, shorten_value
from hardmode.sim.play.player import DEFAULT_SWITCH_SCORE, StrategyError
from hardmode.strategies.tuning import WeightRange, parse_weight_range

ARGUMENTS = ("box", "table", "own", "options", "n", "luck", "weights")


@dataclass(frozen=True)
class SearchDeclaration:
    """A strategy that searches, declared as `("search", base, playouts)`, and what may follow.

    Attributes:
        base: The name of the strategy that it searches on top of.
        playouts: Its playouts at each decision.
        rollout_policy: The name of the strategy that plays the playouts; "" for the base.
        switch_score: The squared t value above which another option replaces that of the base.
    """

    base: str
    playouts: int
    rollout_policy: str = ""
    switch_score: float = DEFAULT_SWITCH_SCORE


def read_strategies(module: ModuleType) -> dict[str, Callable | SearchDeclaration]:
    """Return the strategies that a module declares, by name.

    Raises:
        StrategyError: `STRATEGIES` is malformed.
    """
    written = _copy_mapping(vars(module).get("STRATEGIES", {}))
    file = format_module_path(module)
    if written is None:
        raise StrategyError(f"{file}: STRATEGIES must be a mapping of names to functions")
    strategies: dict[str, Callable | SearchDeclaration] = {}
    for name, declared in written.items():
        strategy = _parse_strategy(declared)
        if strategy is None or not isinstance(name, str):
            raise StrategyError(
                f"{file}: STRATEGIES[{shorten_value(str(name))}] must be a function, or "
                f"('search', 'a strategy', playouts), with 1 to {MAX_PLAYOUTS:,} of them; after "
                "these may stand the strategy of the playouts and a score of at least 0"
            )
        strategies[name] = strategy
    return strategies


def _parse_strategy(declared: Any) -> Callable | SearchDeclaration | None:
    """Return a declared strategy, or None if it is malformed."""
    if inspect.isfunction(declared):
        return declared
    if not isinstance(declared, tuple) or not 3 <= len(declared) <= 5 or declared[0] != "search":
        return None
    search = SearchDeclaration(*declared[1:])
    has_names = isinstance(search.base, str) and isinstance(search.rollout_policy, str)
    has_budget = type(search.playouts) is int and 1 <= search.playouts <= MAX_PLAYOUTS
    has_score = type(search.switch_score) in (int, float) and search.switch_score >= 0
    return search if has_names and has_budget and has_score else None


def read_weights(module: ModuleType) -> dict[str, dict[str, float]]:
    """Return the default weights of a module's strategies, by strategy and name.

    Raises:
        StrategyError: `WEIGHTS` is malformed, or a weight is no finite number.
    """
    file = format_module_path(module)
    shape = f"{file}: WEIGHTS must be a mapping of strategies to mappings of names to numbers"
    written = _copy_mapping(vars(module).get("WEIGHTS", {}))
    if written is None:
        raise StrategyError(f"{shape}; it is of type {type(vars(module)['WEIGHTS']).__name__}")
    tables: dict[str, dict[Any, Any]] = {}
    for strategy, declared in written.items():
        table = _copy_mapping(declared)
        if table is None or not all(isinstance(name, str) for name in table):
            raise StrategyError(f"{shape}; that of {strategy!r} is not one")
        tables[strategy] = table
    weights: dict[str, dict[str, float]] = {}
    for strategy, table in tables.items():
        weights[strategy] = {
            name: check_weight(value, f"{file}: WEIGHTS[{strategy!r}][{name!r}]")
            for name, value in table.items()
        }
    return weights


def read_names(module: ModuleType, key: str) -> tuple[str, ...]:
    """Return the names that a module declares for value functions.

    Args:
        module: The module of strategies.
        key: `VALUE_FIELDS`, the fields that they may read, or their beginnings; `TURN_FIELDS`,
            those that tell the positions of a turn apart; or `JUDGED_KINDS`, the kinds of
            decisions before which positions within a turn are judged.

    Raises:
        StrategyError: The declaration is malformed.
    """
    written = vars(module).get(key, ())
    is_list = isinstance(written, (tuple, list))
    if not is_list or not all(isinstance(name, str) for name in written):
        file = format_module_path(module)
        raise StrategyError(f"{file}: {key} must be a list of names, such as ('table.score',)")
    return tuple(written)


def read_default_weights(module: ModuleType, strategy: Callable, name: str) -> dict[str, float]:
    """Return the default weights of a strategy, declared by its name or that of its function."""
    weights = read_weights(module)
    return dict(weights.get(name) or weights.get(strategy.__name__, {}))


def read_weight_ranges(module: ModuleType, strategy: Callable, name: str) -> dict[str, WeightRange]:
    """Return the ranges in which a strategy's weights are tuned, as its module declares them.

    Raises:
        StrategyError: A range is malformed, or there is no such weight.
    """
    return _read_ranges("RANGES", module, strategy, name)


def read_weight_limits(module: ModuleType, strategy: Callable, name: str) -> dict[str, WeightRange]:
    """Return the values that a strategy's weights may have at all, as its module declares them.

    Raises:
        StrategyError: A limit is malformed, or there is no such weight.
    """
    return _read_ranges("LIMITS", module, strategy, name)


def _read_ranges(
    attribute: str, module: ModuleType, strategy: Callable, name: str
) -> dict[str, WeightRange]:
    declared = _copy_mapping(vars(module).get(attribute, {})) or {}
    written = dict(declared.get(name) or declared.get(strategy.__name__, {}))
    weights = read_default_weights(module, strategy, name)
    ranges: dict[str, WeightRange] = {}
    for weight, value in written.items():
        what = f"{format_module_path(module)}: {attribute}[{name!r}][{weight!r}]"
        if weight not in weights:
            known = ", ".join(weights) or "none"
            raise StrategyError(f"{what}: there is no such weight; there are {known}")
        try:
            ranges[weight] = parse_weight_range(value)
        except ValueError as error:
            raise StrategyError(f"{what} {error}") from None
    return ranges


def check_weight(value: Any, what: str) -> float:
    """Return a weight as a number.

    Args:
        value: The weight as it was written.
        what: How an error names it.

    Raises:
        StrategyError: It is no finite number.
    """
    number = math.nan
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        with contextlib.suppress(OverflowError):
            number = float(value)
    if not math.isfinite(number):
        raise StrategyError(f"{what} is {shorten_value(value)}; it must be a finite number")
    return number


def check_signature(strategy: Callable, name: str) -> None:
    """Check that a strategy takes as many arguments as it is called with.

    Raises:
        StrategyError: It does not.
    """
    parameters = list(inspect.signature(strategy).parameters)
    if len(parameters) != len(ARGUMENTS):
        raise StrategyError(
            f"{format_definition(strategy)}: strategy {name!r} takes {len(parameters)} arguments "
            f"({', '.join(parameters)}); it is called with {', '.join(ARGUMENTS)}"
        )


def format_module_path(module: ModuleType) -> str:
    """Return the path of a module's file, for messages."""
    return shorten_path(Path(module.__file__ or module.__name__))


def format_definition(function: Callable) -> str:
    """Return the file and line of a function: `mine.py:12`."""
    code = getattr(function, "py_func", function).__code__
    return f"{shorten_path(Path(code.co_filename))}:{code.co_firstlineno}"


def _copy_mapping(written: Any) -> dict[Any, Any] | None:
    """Return the content of a dict, or None for anything else.

    A subclass in a user's file could override any method, so none of its methods is called.
    """
    return dict(dict.items(written)) if isinstance(written, dict) else None
