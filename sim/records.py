"""Records that behave alike compiled and as plain Python.

Compiled, a record is a pointer into a structured array. With NUMBA_DISABLE_JIT=1 the
same code runs on `Record` and `Cells`, which hand out Python ints, so that narrow fields
widen exactly as they do in compiled code, and which refuse a value that does not fit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.registry import CPUDispatcher
from numba.core.types.misc import unliteral

from hardmode.sim import lean

PLAIN: bool = bool(numba.config.DISABLE_JIT)


class Rule(CPUDispatcher):
    """A rule is compiled where compiled code calls it; called from Python (by a game's words) it is plain Python."""

    def __call__(self, *args: Any) -> Any:
        return self.py_func(*args)

    def get_call_template(self, args: tuple, kws: dict) -> Any:
        """One version for a number, whether it is written out in the caller, named by an enum, or neither."""
        return super().get_call_template(tuple(map(_plain, args)), {name: _plain(a) for name, a in kws.items()})


def _plain(argument: Any) -> Any:
    """The type of an argument without what is known of its value: half the compilations."""
    return argument.dtype if isinstance(argument, types.IntEnumMember) else unliteral(argument)


def rule(function: Callable) -> Any:
    """Mark a function of a game's rules: compiled into its callers, plain Python without a compiler."""
    if PLAIN:
        return function
    checked = {} if is_ours(function) else {"boundscheck": True}
    made = lean.compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, **checked)
    made.__class__ = Rule
    return made


def is_ours(function: Callable) -> bool:
    """Whether a function is hardmode's own. All others have their indices checked: a slip would be silent."""
    return function.__module__.partition(".")[0] == __name__.partition(".")[0]


class Record:
    """One record of a structured array, seen as plain Python would see it."""

    __slots__ = ("_at",)

    def __init__(self, at: np.ndarray) -> None:
        object.__setattr__(self, "_at", at)

    def __getattr__(self, name: str) -> Any:
        try:
            field = object.__getattribute__(self, "_at")[name]
        except ValueError:
            raise AttributeError(f"no field {name!r}") from None
        return _seen(field)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in (self._at.dtype.names or ()):
            raise AttributeError(f"no field {name!r}")
        self._at[name] = _bare(value)

    def __repr__(self) -> str:
        return f"Record({self._at!r})"


class Cells(np.ndarray):
    """An array that hands out Python numbers, and records as `Record`."""

    def __getitem__(self, key: Any) -> Any:
        base = self.view(np.ndarray)
        if self.dtype.names is not None and isinstance(key, (int, np.integer)) and self.ndim == 1:
            key = int(key)
            if not -len(base) <= key < len(base):
                raise IndexError(f"record {key} of {len(base)}")
            return Record(base[key:key + 1].reshape(()) if key >= 0 else base[key:][:1].reshape(()))
        got = base[key]
        return _seen(got) if isinstance(got, (np.ndarray, np.generic)) else got

    def __setitem__(self, key: Any, value: Any) -> None:
        self.view(np.ndarray)[key] = _bare(value)

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))


def _seen(field: Any) -> Any:
    if isinstance(field, np.generic):
        return field.item()
    if field.ndim == 0:
        return Record(field) if field.dtype.names is not None else field.item()
    return field.view(Cells)


def _bare(value: Any) -> Any:
    return value._at if isinstance(value, Record) else value


def blank(dtype: np.dtype, n: int = 1) -> Any:
    """A zeroed array of n records, for Python callers (tests, engine, replay)."""
    cells = np.zeros(n, dtype)
    return cells.view(Cells) if PLAIN else cells


def readable(cells: np.ndarray, at: int = 0) -> Record:
    """A record of an array to be read by plain Python, in either mode."""
    return Record(cells.view(np.ndarray)[at:at + 1].reshape(()))

