"""Table of integer sums grouped by integer keys, as a tally holds them.

Keys that are names are interned: each name stands for one number in all of a process. Tables are
small, added up often and read in parts; a sum is never rounded.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np

_names: list[str] = []  # by their numbers
_numbers: dict[str, int] = {}
_lock = threading.Lock()


def intern_name(name: str) -> int:
    """Return the number of a name, giving it the next one at its first use. Thread-safe."""
    if name not in _numbers:
        if not isinstance(name, str):
            raise TypeError(f"{name!r} is no name")
        with _lock:
            if name not in _numbers:
                _names.append(name)
                _numbers[name] = len(_names) - 1
    return _numbers[name]


def intern_names(names: Sequence[str]) -> np.ndarray:
    """Return the numbers of names, in their order."""
    return np.array([intern_name(name) for name in names], np.int64)


class TableColumns(NamedTuple):
    """Columns of a table.

    Attributes:
        keys: Columns by which rows are grouped, in the order by which rows are sorted.
        name_keys: Those of them that hold interned names.
        sums: Columns that are added up.
    """

    keys: tuple[str, ...]
    name_keys: frozenset[str]
    sums: tuple[str, ...]


@dataclass(frozen=True)
class GroupTable:
    """Table with one row of sums for each combination of keys that occurs.

    Attributes:
        columns: Names of the columns.
        keys: Array of shape (keys, rows).
        sums: Array of shape (sums, rows).
    """

    columns: TableColumns
    keys: np.ndarray
    sums: np.ndarray

    @classmethod
    def empty(cls, columns: TableColumns) -> GroupTable:
        """Return a table without rows."""
        keys = np.zeros((len(columns.keys), 0), np.int64)
        return cls(columns, keys, np.zeros((len(columns.sums), 0), np.int64))

    @classmethod
    def from_columns(cls, columns: TableColumns, values: Mapping[str, Sequence[Any]]) -> GroupTable:
        """Return the table of what `to_columns` returned.

        Raises:
            TypeError: A value is not of the type of its column.
            LookupError: A column is missing.
        """
        keys = []
        for name in columns.keys:
            is_name = name in columns.name_keys
            keys.append(intern_names(values[name]) if is_name else _to_integers(values[name]))
        sums = [_to_integers(values[name]) for name in columns.sums]
        return cls(columns, np.array(keys), np.array(sums)).consolidate()

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the values by column, sorted by the keys, with names written out."""
        keys = []
        for name in self.columns.keys:
            is_name = name in self.columns.name_keys
            keys.append(np.array(_names, object)[self[name]] if is_name else self[name])
        ranks = [np.unique(key, return_inverse=True)[1] for key in keys]
        order = np.lexsort(ranks[::-1])
        names = (*self.columns.keys, *self.columns.sums)
        return {
            name: values[order].tolist()
            for name, values in zip(names, (*keys, *self.sums), strict=True)
        }

    def combine_with(self, other: GroupTable) -> GroupTable:
        """Return the sums of both tables."""
        if not other.keys.size:
            return self
        if not self.keys.size:
            return other
        keys = np.concatenate([self.keys, other.keys], axis=1)
        sums = np.concatenate([self.sums, other.sums], axis=1)
        return GroupTable(self.columns, keys, sums).consolidate()

    def consolidate(self) -> GroupTable:
        """Return the table with rows of equal keys added up, sorted by the keys."""
        if not self.keys.size:
            return self
        codes = _encode_keys(self.keys)
        order = np.argsort(codes, kind="stable")  # fast where the rows are sorted in parts
        codes = codes[order]
        first = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
        return GroupTable(
            self.columns,
            self.keys.take(order[first], axis=1),  # take keeps rows contiguous, indexing does not
            np.add.reduceat(self.sums.take(order, axis=1), first, axis=1),
        )

    def __getitem__(self, column: str) -> np.ndarray:
        """Return the values of a key (names as numbers) or of a sum, row by row."""
        if column in self.columns.keys:
            return self.keys[self.columns.keys.index(column)]
        return self.sums[self.columns.sums.index(column)]

    def select_rows(self, rows: np.ndarray) -> GroupTable:
        """Return the table of some rows, given by a mask or by indices."""
        return GroupTable(self.columns, self.keys[:, rows], self.sums[:, rows])

    def where_name(self, key: str, name: str) -> GroupTable:
        """Return the table of the rows in which a key is this name."""
        return self.select_rows(self[key] == intern_name(name))

    def list_names(self, key: str) -> list[str]:
        """Return the names that a key has in any row, in alphabetical order."""
        return sorted(_names[number] for number in np.unique(self[key]))

    def group_by(self, *keys: str) -> GroupTable:
        """Return the table with these keys only, summed over all others."""
        columns = self.columns._replace(keys=keys)
        return GroupTable(columns, np.array([self[key] for key in keys]), self.sums).consolidate()


def _encode_keys(keys: np.ndarray) -> np.ndarray:
    """Return one number for each row, equal where all keys are, and in the order of the keys."""
    lows, highs = keys.min(axis=1), keys.max(axis=1)
    widths = [int(high) - int(low) + 1 for low, high in zip(lows, highs, strict=True)]
    if prod(widths) >= 1 << 63:  # too many combinations for 64 bits: number those that occur
        return np.unique(keys, axis=1, return_inverse=True)[1].reshape(-1)
    codes = keys[0] - lows[0]
    for key, low, width in zip(keys[1:], lows[1:], widths[1:], strict=True):
        codes = codes * width + (key - low)
    return codes


def _to_integers(values: Any) -> np.ndarray:
    array = np.asarray(values if len(values) else np.zeros(0, np.int64))
    if array.dtype.kind != "i" or array.ndim != 1:
        raise TypeError(f"{str(values)[:40]} are not whole numbers")
    return array.astype(np.int64)
