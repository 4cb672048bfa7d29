"""Fingerprints of compiled code: all that can reach the machine code of a function, as one digest.

Bytecode, constants, globals, closures, the functions it calls, record types, and where it is compiled for a machine,
versions and the machine. What cannot be judged so is refused: whoever asks then does without.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba.core import config, types
from numba.core.registry import CPUDispatcher

from hardmode.sim.compile import linking, numba_compat

LEAF = {"numpy", "numba", "math", "builtins"}  # modules whose version says all


class CannotFingerprint(TypeError):
    """Something reached the machine code that the fingerprint cannot judge."""


class Fingerprint:
    """A digest of objects as the compiler sees them: contents, never file names or line numbers."""

    def __init__(self, *what: Any) -> None:
        self._hash = hashlib.sha256()
        self._seen: dict[int, int] = {}
        self._kept: list[Any] = []  # ids stay taken while the digest is made
        self._modules: set[tuple[str, tuple[str, ...]]] = set()
        self.put(*what)

    def hexdigest(self) -> str:
        return self._hash.hexdigest()

    def put(self, *what: Any) -> None:
        self._hash.update(_spelled(*what))

    def value(self, v: Any, names: tuple[str, ...] = ()) -> None:
        if _is_code(v):
            self._callable(v)
        elif spelled := _plain(v):
            self._hash.update(spelled)
        elif isinstance(v, np.ndarray):
            self.put("array", _layout(v.dtype), v.shape, v.tobytes())
        elif isinstance(v, (tuple, list)):
            self.put(type(v).__name__, len(v))
            for item in v:
                self.value(item, names)
        elif isinstance(v, ModuleType):
            self._module(v, names)
        else:
            self.other(v)

    def other(self, v: Any) -> None:
        raise CannotFingerprint(f"cannot fingerprint {v!r}")

    def _callable(self, v: Any) -> None:
        if id(v) in self._seen:
            self.put("again", self._seen[id(v)])
            return
        self._seen[id(v)] = len(self._seen)
        self._kept.append(v)
        if isinstance(v, CPUDispatcher):
            self.put("options", sorted((k, repr(o)) for k, o in v.targetoptions.items()))
            v = v.py_func
        function = getattr(v, "_defn", v)
        if function.__module__ and function.__module__.split(".")[0] in LEAF:
            self.put("library", function.__module__, function.__qualname__)
            return
        text = _read(function.__code__)
        self._hash.update(text.spelled)
        self.value(function.__defaults__)
        for name, default in sorted((function.__kwdefaults__ or {}).items()):
            self.put(name)
            self.value(default)
        for cell in function.__closure__ or ():
            self.value(cell.cell_contents)
        self._globals(function, text.names)

    def _globals(self, function: Any, names: tuple[str, ...]) -> None:
        for name in names:
            if name in function.__globals__:
                self.put(name)
                try:
                    self.value(function.__globals__[name], names)
                except CannotFingerprint as why:
                    raise CannotFingerprint(f"{function.__qualname__} uses {name}: {why}") from None

    def _module(self, module: ModuleType, names: tuple[str, ...]) -> None:
        self.put("module", module.__name__)
        if module.__name__.split(".")[0] in LEAF or (module.__name__, names) in self._modules:
            return
        self._modules.add((module.__name__, names))  # modules may name each other
        for name in names:
            if hasattr(module, name):
                self.put(name)
                self.value(getattr(module, name), names)


def _spelled(*what: Any) -> bytes:
    """The bytes that stand for some values; no others have the same."""
    raws = [item if isinstance(item, bytes) else repr(item).encode() for item in what]
    return b"".join([b"%d:%b" % (len(raw), raw) for raw in raws])


def _is_code(v: Any) -> bool:
    return isinstance(v, (CPUDispatcher, FunctionType)) or type(v).__name__ == "_Intrinsic"


def _plain(v: Any) -> bytes:
    """What stands for a value in which nothing else is looked at; nothing where there is more to it."""
    if isinstance(v, type):
        return _class(v)
    if v is None or isinstance(v, (bool, int, float, complex, str, bytes)):
        return _spelled(type(v).__name__, v)
    if isinstance(v, np.generic):
        return _spelled("scalar", _layout(v.dtype), v.tobytes())
    if isinstance(v, np.dtype):
        return _spelled("dtype", _layout(v))
    if isinstance(v, types.Type):
        return _spelled("type", str(v))
    return (
        _spelled("builtin", v.__name__) if isinstance(v, (BuiltinFunctionType, np.ufunc)) else b""
    )


@cache
def _class(v: type) -> bytes:
    members = getattr(v, "__members__", None)
    if members is not None:
        return _spelled("enum", [(k, repr(m.value)) for k, m in members.items()])
    if issubclass(v, tuple) and hasattr(v, "_fields"):
        return _spelled("named tuple", v.__qualname__, v._fields)
    return (
        _spelled("class", v.__module__, v.__qualname__)
        if v.__module__.split(".")[0] in LEAF
        else b""
    )


class _Text(NamedTuple):
    """What a function's code says, which does not change, and all names in it."""

    spelled: bytes
    names: tuple[str, ...]


_texts: dict[
    int, tuple[CodeType, _Text]
] = {}  # by identity: codes are equal that stand for different constants


def _read(code: CodeType) -> _Text:
    if id(code) not in _texts:
        _texts[id(code)] = code, _Text(_code(code), tuple(sorted(_names(code))))
    return _texts[id(code)][1]


def _code(code: CodeType) -> bytes:
    parts = [
        _spelled(
            code.co_code,
            code.co_argcount,
            code.co_kwonlyargcount,
            code.co_flags,
            code.co_names,
            code.co_varnames,
            code.co_freevars,
            code.co_cellvars,
        )
    ]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            parts.append(_code(constant))
        elif isinstance(constant, frozenset):
            parts.append(_spelled("frozenset", sorted(map(repr, constant))))
        else:
            parts.append(_spelled(type(constant).__name__, constant))
    return b"".join(parts)


def _names(code: CodeType) -> set[str]:
    inner = (_names(c) for c in code.co_consts if isinstance(c, CodeType))
    return set(code.co_names).union(*inner)


def _layout(dtype: np.dtype) -> str:
    fields: Any = dtype.fields or {}
    return repr(
        (
            dtype.descr
            if dtype.names is None
            else [(n, _layout(fields[n][0]), fields[n][1]) for n in dtype.names],
            dtype.itemsize,
            dtype.subdtype and (_layout(dtype.subdtype[0]), dtype.shape),
        )
    )


def fingerprint(function: Callable, signature: Any = "") -> str:
    """The digest of a function, all it reaches, and the compiler and machine it is compiled for."""
    host = llvmlite.binding
    mark = Fingerprint(
        sys.version,
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        host.get_host_cpu_name(),
        host.get_host_cpu_features().flatten(),
        config.BOUNDSCHECK,
        config.OPT,
        config.DEBUGINFO_DEFAULT,
        str(signature),
    )
    if numba_compat.LINKED_ONCE:
        mark.put(linking.SCHEME)
    if numba_compat.CHECKS_INDICES:
        mark.put("an index below 0 is refused")
    if getattr(function, "targetoptions", {}).get("boundscheck"):
        mark.put("all that it calls is checked, too")
    mark.put(function.__module__, function.__qualname__)  # by which the code is found again
    mark.value(function)
    return mark.hexdigest()


@cache
def source_digest(*functions: Callable) -> str:
    """The digest of functions and all they reach, the same on every machine: for provenance."""
    mark = Fingerprint("source")
    for function in functions:
        mark.value(function)
    return mark.hexdigest()[:16]


def reach(*functions: Callable) -> int:
    """How many functions they are and call, as far as that can be judged."""
    mark = Fingerprint("reach")
    for function in functions:
        with suppress(CannotFingerprint):
            mark.value(function)
    return len(mark._seen)
