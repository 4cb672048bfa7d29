"""Abstract values of the static check: what the names of a user's strategy may stand for.

Numbers, and arrays that the strategy makes itself, are None: they are its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import BuiltinFunctionType, MethodType, ModuleType
from typing import Any

import numpy as np


@dataclass(frozen=True)
class ReadOnly:
    """A record, an array or a part of one that the strategy may only read.

    Attributes:
        name: The name that messages use, as `table.hand`.
        dtype: Its type; None for an unknown type.
        ndim: The number of its dimensions; 0 for a single record.
    """

    name: str
    dtype: np.dtype | None = None
    ndim: int = 1

    @property
    def record_fields(self) -> Any:
        """The fields of a single record, or None."""
        return self.dtype.fields if self.dtype is not None and self.ndim == 0 else None


@dataclass(frozen=True)
class Union:
    """One of several values.

    Attributes:
        parts: The values.
        is_sequence: True for a sequence of these values.
        is_unordered: True for a set, whose order differs between runs.
    """

    parts: tuple[Any, ...]
    is_sequence: bool = False
    is_unordered: bool = False


@dataclass(frozen=True)
class PyObject:
    """A Python object, such as a function or a module."""

    value: Any


@dataclass(frozen=True)
class BoundMethod:
    """A method of an abstract value."""

    owner: Any
    name: str


def create_read_only(name: str, dtype: np.dtype, ndim: int = 0) -> ReadOnly | None:
    """Return the abstract value of a part of what may only be read; None for a number.

    Args:
        name: Its name in messages.
        dtype: Its type, which may be that of a subarray.
        ndim: The number of dimensions besides those of the type.
    """
    dtype, ndim = dtype.base, ndim + len(dtype.shape)
    return ReadOnly(name, dtype, ndim) if ndim or dtype.names else None


def join_values(a: Any, b: Any) -> Any:
    """Return the value of a name that stands for `a` after one branch and `b` after another."""
    if a is None or a == b:
        return b
    return a if b is None else Union((a, b))


def get_module_name(value: Any) -> str:
    """Return the name of the module that defines an object; for a method, that of its owner."""
    if isinstance(value, ModuleType):
        return value.__name__
    owner = getattr(value, "__self__", None)
    if isinstance(owner, ModuleType):
        return owner.__name__
    if owner is not None and isinstance(value, (BuiltinFunctionType, MethodType)):
        value = owner if isinstance(owner, type) else type(owner)
    return str(getattr(value, "__module__", None) or type(value).__module__)


def iterate_alternatives(value: Any) -> Iterator[Any]:
    """Yield all that a value may be, without the items of the strategy's own sequences."""
    if not isinstance(value, Union):
        yield value
    elif not value.is_sequence:
        for part in value.parts:
            yield from iterate_alternatives(part)


def iterate_fields(value: Any) -> Iterator[Any]:
    """Yield the fields of all records that a value may be."""
    for alternative in iterate_alternatives(value):
        if isinstance(alternative, ReadOnly) and alternative.record_fields:
            for name, field in alternative.record_fields.items():
                yield create_read_only(f"{alternative.name}.{name}", field[0])


def get_item(value: Any) -> Any:
    """Return what a loop over a value yields."""
    if isinstance(value, Union):
        return Union(value.parts if value.is_sequence else tuple(map(get_item, value.parts)))
    if not isinstance(value, ReadOnly):
        return None
    if value.dtype is None:
        return value
    return create_read_only(value.name, value.dtype, value.ndim - 1) if value.ndim else None


def get_subscript(value: Any, index: ast.expr) -> Any:
    """Return what `value[index]` is."""
    if isinstance(value, Union):
        return _get_union_subscript(value, index)
    if not isinstance(value, ReadOnly):
        return None
    if value.dtype is None:
        return value
    if isinstance(index, ast.Constant) and isinstance(index.value, str):
        fields: Any = value.dtype.fields or {}
        field = fields.get(index.value)
        name = f"{value.name}.{index.value}"
        return create_read_only(name, field[0], value.ndim) if field else None
    indices = index.elts if isinstance(index, ast.Tuple) else [index]
    n_fixed = sum(map(_fixes_dimension, indices))
    return create_read_only(value.name, value.dtype, max(0, value.ndim - n_fixed))


def _get_union_subscript(value: Union, index: ast.expr) -> Any:
    if not value.is_sequence:
        return Union(tuple(get_subscript(part, index) for part in value.parts))
    position = index.value if isinstance(index, ast.Constant) else None
    if isinstance(position, int) and -len(value.parts) <= position < len(value.parts):
        return value.parts[position]
    return value if isinstance(index, ast.Slice) else Union(value.parts)


def _fixes_dimension(index: ast.expr) -> bool:
    """Return whether an index removes a dimension: neither a slice nor None nor `...`."""
    if isinstance(index, ast.Constant):
        return index.value not in (None, ...)
    return not isinstance(index, ast.Slice)
