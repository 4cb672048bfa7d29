"""Records that behave the same in compiled code and in plain Python.

In compiled code a record is a pointer into a structured array. With NUMBA_DISABLE_JIT=1 the same
code runs on `Record` and `Cells`. These return Python numbers, so that narrow fields widen exactly
as they do in compiled code, and refuse values that do not fit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from hardmode.sim.compile.dispatchers import make_rule_dispatcher

PLAIN: bool = bool(numba.config.DISABLE_JIT)


def rule(function: Callable) -> Any:
    """Mark a function of a game's rules, so that it is compiled into its callers.

    With NUMBA_DISABLE_JIT=1 it stays plain Python.
    """
    if PLAIN:
        return function
    return make_rule_dispatcher(function, boundscheck=not is_builtin_code(function))


def is_builtin_code(function: Callable) -> bool:
    """Return whether a function is part of hardmode.

    In all others indices are checked, since compiled code does not notice a wrong one.
    """
    return function.__module__.partition(".")[0] == __name__.partition(".")[0]


class Record:
    """One record of a structured array, with its fields as attributes.

    Numbers are read anew each time. Arrays and records within it are views, made once.
    """

    __slots__ = ("_at", "_views")

    def __init__(self, at: np.ndarray) -> None:
        object.__setattr__(self, "_at", at)
        object.__setattr__(self, "_views", {})

    def __getattr__(self, name: str) -> Any:
        views = object.__getattribute__(self, "_views")
        if name in views:
            return views[name]
        try:
            value = _wrap(self._at[name])
        except ValueError:
            raise AttributeError(f"no field {name!r}") from None
        if isinstance(value, (Cells, Record)):
            views[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in (self._at.dtype.names or ()):
            raise AttributeError(f"no field {name!r}")
        self._at[name] = _unwrap(value)

    def __repr__(self) -> str:
        return f"Record({self._at!r})"


class Cells(np.ndarray):
    """Array that returns Python numbers, and records as `Record`."""

    def __getitem__(self, key: Any) -> Any:
        if type(key) is int and self.ndim == 1 and self.dtype.names is None:
            return self.item(key)
        base = self.view(np.ndarray)
        if self.dtype.names is not None and isinstance(key, (int, np.integer)) and self.ndim == 1:
            key = int(key)
            if not -len(base) <= key < len(base):
                raise IndexError(f"record {key} of {len(base)}")
            return Record(base[key:][:1].reshape(()))
        value = base[key]
        return _wrap(value) if isinstance(value, (np.ndarray, np.generic)) else value

    def __setitem__(self, key: Any, value: Any) -> None:
        self.view(np.ndarray)[key] = _unwrap(value)

    def __iter__(self) -> Any:
        if self.ndim == 1 and self.dtype.names is None:
            # All at once, which is faster: names are read letter by letter.
            return iter(self.view(np.ndarray).tolist())
        return (self[i] for i in range(len(self)))


def _wrap(field: Any) -> Any:
    """Return a field of NumPy as plain Python sees it."""
    if field.ndim:
        return field.view(Cells)
    if field.dtype.names is not None and isinstance(field, np.ndarray):
        return Record(field)
    return field.item()


def _unwrap(value: Any) -> Any:
    return value._at if isinstance(value, Record) else value


def blank(dtype: np.dtype, n: int = 1) -> Any:
    """Return a zeroed array of n records, as callers in Python need it (tests, replay).

    Example:
        >>> table = blank(GAME.table)[0]
    """
    cells = np.zeros(n, dtype)
    return cells.view(Cells) if PLAIN else cells


def readable(cells: np.ndarray, at: int = 0) -> Record:
    """Return one record of an array, to be read by plain Python in either mode."""
    return Record(cells.view(np.ndarray)[at : at + 1].reshape(()))
