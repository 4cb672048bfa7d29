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

from hardmode.sim.compile import numba_compat

PLAIN: bool = bool(numba.config.DISABLE_JIT)


def rule(function: Callable) -> Any:
    """Mark a function of a game's rules: compiled into its callers, plain Python without a compiler."""
    if PLAIN:
        return function
    return numba_compat.compiled_into_callers(function, boundscheck=not is_ours(function))


def is_ours(function: Callable) -> bool:
    """Whether a function is hardmode's own. All others have their indices checked: a slip would be silent."""
    return function.__module__.partition(".")[0] == __name__.partition(".")[0]


class Record:
    """One record of a structured array, seen as plain Python would see it. Numbers are read anew each time; arrays and
    records within it are views, made once."""

    __slots__ = ("_at", "_views")

    def __init__(self, at: np.ndarray) -> None:
        object.__setattr__(self, "_at", at)
        object.__setattr__(self, "_views", {})

    def __getattr__(self, name: str) -> Any:
        views = object.__getattribute__(self, "_views")
        if name in views:
            return views[name]
        try:
            seen = _seen(self._at[name])
        except ValueError:
            raise AttributeError(f"no field {name!r}") from None
        if isinstance(seen, (Cells, Record)):
            views[name] = seen
        return seen

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in (self._at.dtype.names or ()):
            raise AttributeError(f"no field {name!r}")
        self._at[name] = _bare(value)

    def __repr__(self) -> str:
        return f"Record({self._at!r})"


class Cells(np.ndarray):
    """An array that hands out Python numbers, and records as `Record`."""

    def __getitem__(self, key: Any) -> Any:
        if type(key) is int and self.ndim == 1 and self.dtype.names is None:
            return self.item(key)
        base = self.view(np.ndarray)
        if self.dtype.names is not None and isinstance(key, (int, np.integer)) and self.ndim == 1:
            key = int(key)
            if not -len(base) <= key < len(base):
                raise IndexError(f"record {key} of {len(base)}")
            return Record(
                base[key : key + 1].reshape(()) if key >= 0 else base[key:][:1].reshape(())
            )
        got = base[key]
        return _seen(got) if isinstance(got, (np.ndarray, np.generic)) else got

    def __setitem__(self, key: Any, value: Any) -> None:
        self.view(np.ndarray)[key] = _bare(value)

    def __iter__(self) -> Any:
        if self.ndim == 1 and self.dtype.names is None:
            return iter(
                self.view(np.ndarray).tolist()
            )  # all at once: names are read letter by letter
        return (self[i] for i in range(len(self)))


def _seen(field: Any) -> Any:
    if field.ndim:
        return field.view(Cells)
    return (
        Record(field)
        if field.dtype.names is not None and isinstance(field, np.ndarray)
        else field.item()
    )


def _bare(value: Any) -> Any:
    return value._at if isinstance(value, Record) else value


def blank(dtype: np.dtype, n: int = 1) -> Any:
    """A zeroed array of n records, for Python callers (tests, engine, replay)."""
    cells = np.zeros(n, dtype)
    return cells.view(Cells) if PLAIN else cells


def readable(cells: np.ndarray, at: int = 0) -> Record:
    """A record of an array to be read by plain Python, in either mode."""
    return Record(cells.view(np.ndarray)[at : at + 1].reshape(()))
