"""Sums of whole numbers by keys: the tables of a tally, which are small, added up often and looked at in parts.

A key that is a name stands here as its number, the same for a name in all of a process. A sum is never rounded.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np

_names: list[str] = []
_numbers: dict[str, int] = {}
_lock = threading.Lock()


def number_of(name: str) -> int:
    if name not in _numbers:
        if not isinstance(name, str):
            raise TypeError(f"{name!r} is no name")
        with _lock:
            if name not in _numbers:
                _names.append(name)
                _numbers[name] = len(_names) - 1
    return _numbers[name]


def numbers_of(names: Sequence[str]) -> np.ndarray:
    return np.array([number_of(name) for name in names], np.int64)


class Columns(NamedTuple):
    """What a table holds: its keys, in the order of its rows; which of them are names; its sums."""

    keys: tuple[str, ...]
    names: frozenset[str]
    sums: tuple[str, ...]


@dataclass(frozen=True)
class Sums:
    """A row for each combination of keys that came."""

    columns: Columns
    keys: np.ndarray  # of each key, its value in each row
    sums: np.ndarray  # of each sum

    @classmethod
    def none(cls, columns: Columns) -> Sums:
        return cls(
            columns,
            np.zeros((len(columns.keys), 0), np.int64),
            np.zeros((len(columns.sums), 0), np.int64),
        )

    @classmethod
    def of(cls, columns: Columns, table: Mapping[str, Sequence[Any]]) -> Sums:
        """The sums of a table that was written down."""
        keys = [
            numbers_of(table[name]) if name in columns.names else _whole(table[name])
            for name in columns.keys
        ]
        return cls(
            columns, np.array(keys), np.array([_whole(table[name]) for name in columns.sums])
        ).once()

    def added(self, other: Sums) -> Sums:
        """Both together."""
        if not self.keys.size or not other.keys.size:
            return self if self.keys.size else other
        return Sums(
            self.columns,
            np.concatenate([self.keys, other.keys], axis=1),
            np.concatenate([self.sums, other.sums], axis=1),
        ).once()

    def once(self) -> Sums:
        """With one row for each combination of keys."""
        if not self.keys.size:
            return self
        codes = _codes(self.keys)
        order = np.argsort(
            codes, kind="stable"
        )  # what is in order already, as a table is, is only laid side by side
        codes = codes[order]
        first = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
        return Sums(
            self.columns,
            self.keys.take(order[first], axis=1),  # which leaves rows whole, as an index does not
            np.add.reduceat(self.sums.take(order, axis=1), first, axis=1),
        )

    def __getitem__(self, column: str) -> np.ndarray:
        """The values of a key, names as their numbers, or of a sum, row by row."""
        if column in self.columns.keys:
            return self.keys[self.columns.keys.index(column)]
        return self.sums[self.columns.sums.index(column)]

    def where(self, rows: np.ndarray) -> Sums:
        return Sums(self.columns, self.keys[:, rows], self.sums[:, rows])

    def of_name(self, key: str, name: str) -> Sums:
        return self.where(self[key] == number_of(name))

    def names(self, key: str) -> list[str]:
        """The names of a key that came, in alphabetical order."""
        return sorted(_names[number] for number in np.unique(self[key]))

    def by(self, *keys: str) -> Sums:
        """Summed over all other keys."""
        columns = self.columns._replace(keys=keys)
        return Sums(columns, np.array([self[key] for key in keys]), self.sums).once()

    def table(self) -> dict[str, list[Any]]:
        """As plain values, in the order of the keys as they are written."""
        written = [
            np.array(_names, object)[self[key]] if key in self.columns.names else self[key]
            for key in self.columns.keys
        ]
        order = np.lexsort([np.unique(key, return_inverse=True)[1] for key in reversed(written)])
        return {
            name: values[order].tolist()
            for name, values in zip(
                (*self.columns.keys, *self.columns.sums), (*written, *self.sums), strict=True
            )
        }


def _codes(keys: np.ndarray) -> np.ndarray:
    """For each row a number that is alike where all keys are, and in their order."""
    low, most = keys.min(axis=1), keys.max(axis=1)
    widths = [int(last) - int(first) + 1 for first, last in zip(low, most, strict=True)]
    if prod(widths) >= 1 << 63:  # then the keys' places among those that came
        return np.unique(keys, axis=1, return_inverse=True)[1].reshape(-1)
    codes = keys[0] - low[0]
    for key, least, width in zip(keys[1:], low[1:], widths[1:], strict=True):
        codes = codes * width + (key - least)
    return codes


def _whole(values: Any) -> np.ndarray:
    found = np.asarray(values if len(values) else np.zeros(0, np.int64))
    if found.dtype.kind != "i" or found.ndim != 1:
        raise TypeError(f"{str(values)[:40]} are not whole numbers")
    return found.astype(np.int64)
