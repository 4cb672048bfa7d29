"""Compiled rules and strategies, and messages for their authors where compiling fails."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import types

from hardmode.sim.compile.cache import compile_cached
from hardmode.sim.compile.errors import explain_compile_error
from hardmode.sim.compile.source_location import get_py_func
from hardmode.sim.contract import Game, RulesError
from hardmode.sim.play import kernel
from hardmode.sim.play.decisions import Rules
from hardmode.sim.play.player import StrategyError
from hardmode.sim.records import PLAIN, is_builtin_code


class StubRule(types.WrapperAddressProtocol):
    """Placeholder with the right signature for a rule that no seated player calls."""

    _function = ctypes.CFUNCTYPE(ctypes.c_int64)(lambda: 0)

    def __init__(self, signature: Any) -> None:
        self._signature = signature

    def __wrapper_address__(self) -> int:
        return ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def signature(self) -> Any:
        """Return the numba signature of the rule."""
        return self._signature


@cache
def compile_kernel(game: Game) -> Any:
    """Return the kernel compiled for a game."""
    signature = None if PLAIN else kernel.make_signatures(game)["play"]
    return compile_cached(kernel.play, signature, name=f"{game.name} play")


@cache
def compile_strategy(game: Game, choose: Callable) -> Any:
    """Return a strategy compiled for a game.

    Raises:
        StrategyError: If it cannot be compiled; says in one line what its author must change.
    """
    name = f"strategy {getattr(choose, '__name__', choose)}"
    return _compile(game, choose, "choose", name, StrategyError)


@cache
def compile_rule(game: Game, part: str) -> Any:
    """Return one of a game's rules, compiled.

    Raises:
        RulesError: If it cannot be compiled; says in one line what its author must change.
    """
    return _compile(game, getattr(game, part), part, f"{game.name} {part}", RulesError)


@cache
def compile_decide(game: Game, decide: Callable) -> Any:
    """Return `decisions.decide` or `decisions.decide_with_values` compiled for a game."""
    signature = None if PLAIN else kernel.make_signatures(game)["decide"]
    name = decide.__name__.replace("_", " ")
    return compile_cached(decide, signature, name=f"{game.name} {name}")


def make_decide_stub(game: Game) -> Any:
    """Return a placeholder for `decide`, where it is not called."""
    return StubRule(kernel.make_signatures(game)["decide"])


@cache
def compile_all_rules(game: Game) -> Rules:
    """Return all rules of a game, compiled."""
    return Rules(**{part: compile_rule(game, part) for part in Rules._fields})


@cache
def compile_kernel_rules(game: Game) -> Rules:
    """Return the rules that the kernel itself calls, compiled, and stubs for the others."""
    signatures = kernel.make_signatures(game)
    rules: dict[str, Any] = {part: StubRule(signatures[part]) for part in Rules._fields}
    for part in kernel.KERNEL_RULES:
        rules[part] = compile_rule(game, part)
    return Rules(**rules)


def _compile(game: Game, function: Callable, part: str, name: str, error: type[Exception]) -> Any:
    signature = None if PLAIN else kernel.make_signatures(game)[part]
    try:
        return compile_cached(function, signature, boundscheck=_is_checked(function), name=name)
    except Exception as why:
        raise error(explain_compile_error(why, function, game, part)) from why


def _is_checked(function: Callable) -> bool:
    """Return whether indices are checked in a function: in all code that is not hardmode's own."""
    return not is_builtin_code(get_py_func(function))
