"""Rules as compiled functions of numba: one version of each, made when compiled code calls it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core.registry import CPUDispatcher


class RuleDispatcher(CPUDispatcher):
    """A rule, compiled when compiled code calls it. Called from Python it runs as plain Python.

    numba would compile a version for every literal and every enum that a caller passes; then rules
    that call rules take minutes to compile.

    Args:
        function: The rule.
        boundscheck: Whether indices are checked.
    """

    def __init__(self, function: Callable, boundscheck: bool) -> None:
        options = {"nopython": True, "nogil": True, "boundscheck": boundscheck}
        super().__init__(function, targetoptions=options)

    def __call__(self, *args: Any) -> Any:
        """Run the plain Python function."""
        return self.py_func(*args)

    def get_call_template(self, args: tuple, kws: dict) -> Any:
        """Return how the rule is called: one version serves all values and enums of a number."""
        kws = {name: drop_value(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(drop_value, args)), kws)


def drop_value(kind: Any) -> Any:
    """Return a type without what is known of the value."""
    if isinstance(kind, types.IntEnumMember):
        return kind.dtype
    if hasattr(kind, "__unliteral__"):  # as a tuple of literals has
        return kind.__unliteral__()
    return getattr(kind, "literal_type", kind)
