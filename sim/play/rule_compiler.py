"""Compiled rules and strategies, and messages for their authors where compiling fails."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache, partial
from typing import Any

from numba import types

from hardmode.sim.compile import background
from hardmode.sim.compile.cache import compile_cached, is_cacheable_and_missing
from hardmode.sim.compile.errors import explain_compile_error
from hardmode.sim.compile.fingerprint import count_called_functions
from hardmode.sim.compile.source_location import get_py_func
from hardmode.sim.contract import Game, RulesError, load_game
from hardmode.sim.play import decisions, kernel
from hardmode.sim.play.decisions import Rules
from hardmode.sim.play.player import StrategyError
from hardmode.sim.records import PLAIN, is_builtin_code

HELPER_CODE = (
    "import json, sys; from hardmode.sim.play.rule_compiler import compile_rules; "
    "compile_rules(*json.loads(sys.argv[1]))"
)
MIN_FUNCTIONS_FOR_HELPER = 120  # compiling fewer takes less time than it takes a helper to start


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
def compile_decide(game: Game) -> Any:
    """Return `decisions.decide` compiled for a game."""
    signature = None if PLAIN else kernel.make_signatures(game)["decide"]
    return compile_cached(decisions.decide, signature, name=f"{game.name} decide")


@cache
def compile_all_rules(game: Game) -> tuple[Rules, Any]:
    """Return all rules of a game and `decide`, compiled."""
    others = [part for part in Rules._fields if part not in kernel.KERNEL_RULES]
    rules = {part: compile_rule(game, part) for part in others}
    decide = compile_decide(game)
    for part in kernel.KERNEL_RULES:  # last: a helper process may be compiling them
        rules[part] = compile_rule(game, part)
    return Rules(**rules), decide


@cache
def compile_kernel_rules(game: Game) -> tuple[Rules, Any]:
    """Return the rules that the kernel itself calls, compiled, and stubs for the others."""
    signatures = kernel.make_signatures(game)
    rules: dict[str, Any] = {part: StubRule(signatures[part]) for part in Rules._fields}
    for part in kernel.KERNEL_RULES:
        rules[part] = compile_rule(game, part)
    return Rules(**rules), StubRule(signatures["decide"])


def compile_rules(name: str) -> None:
    """Compile the rules of a game in a helper process, into the cache that all processes share."""
    for part in kernel.KERNEL_RULES:
        with background.run_as_helper():
            compile_rule(load_game(name), part)


def use_compile_helper(game: Game) -> AbstractContextManager[None]:
    """Return a context in which a helper process compiles the rules, if that pays off."""
    pays_off = partial(helper_pays_off, game)
    return background.with_compile_helper(HELPER_CODE, [game.name], pays_off)


def helper_pays_off(game: Game, name: str) -> bool:
    """Return whether a helper process pays off: the rules are not cached, and they are many.

    Args:
        game: The game whose rules the helper would compile.
        name: The entry that this process is about to compile, which is no rule then.
    """
    if name in [f"{game.name} {part}" for part in kernel.KERNEL_RULES]:
        return False
    rules = [getattr(game, part) for part in kernel.KERNEL_RULES]
    if count_called_functions(*rules) < MIN_FUNCTIONS_FOR_HELPER:
        return False
    signature = kernel.make_signatures(game)["setup"]
    return is_cacheable_and_missing(game.setup, signature, boundscheck=_is_checked(game.setup))


def _compile(game: Game, function: Callable, part: str, name: str, error: type[Exception]) -> Any:
    signature = None if PLAIN else kernel.make_signatures(game)[part]
    try:
        return compile_cached(function, signature, boundscheck=_is_checked(function), name=name)
    except Exception as why:
        raise error(explain_compile_error(why, function, game, part)) from why


def _is_checked(function: Callable) -> bool:
    """Return whether indices are checked in a function: in all code that is not hardmode's own."""
    return not is_builtin_code(get_py_func(function))
