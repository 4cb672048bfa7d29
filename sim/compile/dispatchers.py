"""Dispatchers, which are numba's compiled functions, of rules and of entry points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.core import errors, types

from hardmode.sim.compile.features import CHECK_INDICES, FEATURES
from hardmode.sim.compile.rule_dispatcher import RuleDispatcher

if any(FEATURES):
    from hardmode.sim.compile import numba_engine


def make_rule_dispatcher(function: Callable, boundscheck: bool) -> Any:
    """Return a rule, which is compiled when compiled code calls it.

    Without `numba_engine` its indices are always checked: its caller may be a user's strategy.

    Args:
        function: The rule.
        boundscheck: Whether indices are checked.
    """
    if any(FEATURES):
        return numba_engine.LinkedRuleDispatcher(function, boundscheck or CHECK_INDICES)
    return RuleDispatcher(function, boundscheck=True)


def make_entry_dispatcher(function: Callable, boundscheck: bool) -> Any:
    """Return an entry point: a function that Python calls, or that is passed to another one.

    Args:
        function: The function.
        boundscheck: Whether indices are checked, also in all rules that it calls.
    """
    if any(FEATURES):
        return numba_engine.EntryDispatcher(function, boundscheck or CHECK_INDICES)
    return numba.njit(nogil=True, boundscheck=boundscheck or CHECK_INDICES)(function)


def forbid_float_to_int_return(dispatcher: Any) -> None:
    """Check that no float is returned as an integer: numba would cut its fraction off.

    Raises:
        TypingError: At the place of the cast.
    """
    (result,) = dispatcher.overloads.values()
    annotation = result.type_annotation
    for block in annotation.blocks.values():
        for cast in block.find_exprs("cast"):
            if isinstance(annotation.typemap[cast.value.name], types.Float):
                message = "No conversion from float64 to int64 for '$return_value'"
                raise errors.TypingError(message, cast.loc)
