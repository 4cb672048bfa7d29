"""Compiled functions that do not count who holds an array.

Records and lists belong to the desk, which outlives every call; counting them at each call of a rule takes a fifth
of a game's time. Counts are needed by what makes an array of its own or is handed a new one, and only that has them.
"""

from __future__ import annotations

import dis
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.core import ir
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]


def compiled(function: Callable, **options: Any) -> Any:
    """A dispatcher like that of `numba.njit`."""
    dispatcher = numba.njit(nogil=True, _nrt=_calls_numpy(function), **options)(function)
    dispatcher._compiler.__class__ = _Compiler
    return dispatcher


class _Compiler(_FunctionCompiler):
    """Compiles without counts where that is known to do, else with them."""

    targetoptions: dict[str, Any]

    def _compile_core(self, args: Any, return_type: Any) -> Any:
        if not self.targetoptions["_nrt"]:
            made = self._without_counts(args, return_type)
            if made and not _is_handed_new(made):
                return made
            self.targetoptions = {**self.targetoptions, "_nrt": True}
        return super()._compile_core(args, return_type)

    def _without_counts(self, args: Any, return_type: Any) -> Any:
        """None where numba refuses: the function makes an array, or is wrong and will be refused again."""
        try:
            return super()._compile_core(args, return_type)
        except Exception:
            return None


def _is_handed_new(made: Any) -> bool:
    """Whether a call within returns what is counted (an array, a list): a new one would never be given back."""
    models = made.target_context.data_model_manager
    return any(models[sign.return_type].contains_nrt_meminfo()
               for call, sign in made.type_annotation.calltypes.items()
               if sign and isinstance(call, ir.Expr) and call.op == "call")


def _calls_numpy(function: Callable) -> bool:
    """Whether a function of numpy's is called that may make an array: known beforehand, so need not be tried."""
    steps = list(dis.get_instructions(function))
    held = [function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None for step in steps]
    reached = (getattr(np, after.argval, None) for module, after in zip(held, steps[1:], strict=False) if module is np)
    return any(callable(x) and not isinstance(x, (type, np.ufunc)) for x in reached)
