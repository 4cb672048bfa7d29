"""What a user's strategy is shown, as far as a look at its source can follow it: by which name, and of what make."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import BuiltinFunctionType, MethodType, ModuleType
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Shown:
    """Something that may only be read, by the name it is told by; without a dtype, of unknown make."""

    name: str
    dtype: np.dtype | None = None
    ndim: int = 1

    @property
    def records(self) -> Any:
        return self.dtype.fields if self.dtype is not None and self.ndim == 0 else None


@dataclass(frozen=True)
class Several:
    """One of these, or a tuple or a loop over them; of a set, in an order that another run need not repeat."""

    parts: tuple[Any, ...]
    tuple: bool = False
    loose: bool = False


@dataclass(frozen=True)
class Thing:
    """A Python object that a name stands for."""

    it: Any


@dataclass(frozen=True)
class Method:
    of: Any
    name: str


def part_shown(name: str, dtype: np.dtype, ndim: int = 0) -> Any:
    """A part of what is shown; nothing where it is a mere number."""
    dtype, ndim = dtype.base, ndim + len(dtype.shape)
    return Shown(name, dtype, ndim) if ndim or dtype.names else None


def either(a: Any, b: Any) -> Any:
    if a is None or a == b:
        return b
    return a if b is None else Several((a, b))


def home(it: Any) -> str:
    """The module that an object is of; of a method, that of what it is bound to."""
    if isinstance(it, ModuleType):
        return it.__name__
    bound = getattr(it, "__self__", None)
    if isinstance(bound, ModuleType):
        return bound.__name__
    if bound is not None and isinstance(it, (BuiltinFunctionType, MethodType)):
        it = bound if isinstance(bound, type) else type(bound)
    return str(getattr(it, "__module__", None) or type(it).__module__)


def parts(value: Any) -> Iterator[Any]:
    """All that a value may be, without what lies in a tuple of the strategy's own."""
    if isinstance(value, Several) and not value.tuple:
        for part in value.parts:
            yield from parts(part)
    elif not isinstance(value, Several):
        yield value


def fields(value: Any) -> Iterator[Any]:
    for one in parts(value):
        if isinstance(one, Shown) and one.records:
            yield from (
                part_shown(f"{one.name}.{name}", made[0]) for name, made in one.records.items()
            )


def item(value: Any) -> Any:
    """What a loop over a value hands out."""
    if isinstance(value, Several):
        return Several(value.parts if value.tuple else tuple(map(item, value.parts)))
    if isinstance(value, Shown) and value.dtype is not None:
        return part_shown(value.name, value.dtype, value.ndim - 1) if value.ndim else None
    return value if isinstance(value, Shown) else None


def subscript(value: Any, index: ast.expr) -> Any:
    if isinstance(value, Several):
        if not value.tuple:
            return Several(tuple(subscript(one, index) for one in value.parts))
        at = index.value if isinstance(index, ast.Constant) else None
        if isinstance(at, int) and -len(value.parts) <= at < len(value.parts):
            return value.parts[at]
        return value if isinstance(index, ast.Slice) else Several(value.parts)
    if not isinstance(value, Shown) or value.dtype is None:
        return value if isinstance(value, Shown) else None
    if isinstance(index, ast.Constant) and isinstance(index.value, str):
        fields: Any = value.dtype.fields or {}
        part = fields.get(index.value)
        return part_shown(f"{value.name}.{index.value}", part[0], value.ndim) if part else None
    steps = index.elts if isinstance(index, ast.Tuple) else [index]
    fixed = sum(
        not isinstance(s, ast.Slice)
        and not (isinstance(s, ast.Constant) and s.value in (None, ...))
        for s in steps
    )
    return part_shown(value.name, value.dtype, max(0, value.ndim - fixed))
