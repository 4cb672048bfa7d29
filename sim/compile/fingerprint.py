"""Fingerprints of code: one digest of all that can affect the machine code of a function.

That is bytecode, constants, globals, closures, the functions it calls and the record types it
uses; and for machine code also the versions of libraries and the machine. What cannot be judged
in this way is refused, and its user does without a cache.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba.core import config, types
from numba.core.registry import CPUDispatcher

from hardmode.sim.compile.features import CHECK_INDICES, FEATURES

VERSIONED_LIBRARIES = {"numpy", "numba", "math", "builtins"}  # whose version stands for their code
CODE_ATTRIBUTES = (
    "co_code",
    "co_argcount",
    "co_kwonlyargcount",
    "co_flags",
    "co_names",
    "co_varnames",
    "co_freevars",
    "co_cellvars",
)


class FingerprintError(TypeError):
    """Raised for a value whose effect on machine code cannot be judged."""


class Fingerprint:
    """SHA-256 digest of objects as the compiler sees them, without file names and line numbers.

    Args:
        values: Plain values to begin with, as for `update`.

    Attributes:
        codes: Code of all functions that were added.
    """

    def __init__(self, *values: Any) -> None:
        self.codes: list[CodeType] = []
        self._hash = hashlib.sha256()
        self._numbers: dict[int, int] = {}  # of objects that may occur again, by id
        self._objects: list[Any] = []  # kept alive, so that ids stay unique
        self._modules: set[tuple[str, tuple[str, ...]]] = set()
        self.update(*values)

    def hexdigest(self) -> str:
        """Return the digest of all that was added."""
        return self._hash.hexdigest()

    def update(self, *values: Any) -> None:
        """Add plain values: bytes as they are, others by their `repr`."""
        self._hash.update(_encode(*values))

    def add_value(self, value: Any, names: tuple[str, ...] = ()) -> None:
        """Add an object and all that it refers to.

        Args:
            value: The object.
            names: Attributes that count if it is a module: those that the code names.

        Raises:
            FingerprintError: A part of it cannot be judged.
        """
        if _is_function(value):
            self._add_function(value)
        elif encoded := _encode_plain(value):
            self._hash.update(encoded)
        elif isinstance(value, np.ndarray):
            self.update("array", _describe_dtype(value.dtype), value.shape, value.tobytes())
        elif isinstance(value, (tuple, list)):
            self.update(type(value).__name__, len(value))
            for item in value:
                self.add_value(item, names)
        elif isinstance(value, ModuleType):
            self._add_module(value, names)
        else:
            self.add_other(value)

    def add_other(self, value: Any) -> None:
        """Add an object of another type; here, refuse it."""
        raise FingerprintError(f"cannot fingerprint {value!r}")

    def add_reference(self, value: Any) -> bool:
        """Return whether an object is new; otherwise add a reference to its first occurrence."""
        if id(value) in self._numbers:
            self.update("again", self._numbers[id(value)])
            return False
        self._numbers[id(value)] = len(self._numbers)
        self._objects.append(value)
        return True

    def _add_function(self, function: Any) -> None:
        if not self.add_reference(function):
            return
        if isinstance(function, CPUDispatcher):
            options = function.targetoptions.items()
            self.update("options", sorted((name, repr(option)) for name, option in options))
            function = function.py_func
        function = getattr(function, "_defn", function)  # of an intrinsic
        if _is_versioned(function.__module__):
            self.update("library", function.__module__, function.__qualname__)
            return
        code = _read_code(function.__code__)
        self._hash.update(code.encoded)
        self.codes.append(function.__code__)
        self.add_value(function.__defaults__)
        for name, default in sorted((function.__kwdefaults__ or {}).items()):
            self.update(name)
            self.add_value(default)
        for cell in function.__closure__ or ():
            self.add_value(cell.cell_contents)
        self._add_globals(function, code.names)

    def _add_globals(self, function: Any, names: tuple[str, ...]) -> None:
        for name in names:
            if name in function.__globals__:
                self.update(name)
                try:
                    self.add_value(function.__globals__[name], names)
                except FingerprintError as error:
                    message = f"{function.__qualname__} uses {name}: {error}"
                    raise FingerprintError(message) from None

    def _add_module(self, module: ModuleType, names: tuple[str, ...]) -> None:
        self.update("module", module.__name__)
        if _is_versioned(module.__name__) or (module.__name__, names) in self._modules:
            return
        self._modules.add((module.__name__, names))  # modules may refer to each other
        for name in names:
            if hasattr(module, name):
                self.update(name)
                self.add_value(getattr(module, name), names)


def compute_fingerprint(function: Callable, signature: Any = "") -> str:
    """Return the digest of a function, all it depends on, the compiler and the machine."""
    fingerprint = Fingerprint(
        sys.version,
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
        config.BOUNDSCHECK,
        config.OPT,
        config.DEBUGINFO_DEFAULT,
        str(signature),
    )
    fingerprint.update(tuple(FEATURES), CHECK_INDICES)
    fingerprint.update(function.__module__, function.__qualname__)  # numba finds the code by them
    fingerprint.add_value(function)
    return fingerprint.hexdigest()


@cache
def compute_source_digest(*functions: Callable) -> str:
    """Return the digest of functions and all they depend on, equal on every machine."""
    fingerprint = Fingerprint("source")
    for function in functions:
        fingerprint.add_value(function)
    return fingerprint.hexdigest()[:16]


class _Code(NamedTuple):
    """The encoded content of a code object, and all names in it and in nested code."""

    encoded: bytes
    names: tuple[str, ...]


# by id: code objects compare equal that differ in the type of a constant
_codes: dict[int, tuple[CodeType, _Code]] = {}


def _read_code(code: CodeType) -> _Code:
    if id(code) not in _codes:
        _codes[id(code)] = code, _Code(_encode_code(code), tuple(sorted(_collect_names(code))))
    return _codes[id(code)][1]


def _encode_code(code: CodeType) -> bytes:
    parts = [_encode(*(getattr(code, name) for name in CODE_ATTRIBUTES))]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            parts.append(_encode_code(constant))
        elif isinstance(constant, frozenset):
            parts.append(_encode("frozenset", sorted(map(repr, constant))))
        else:
            parts.append(_encode(type(constant).__name__, constant))
    return b"".join(parts)


def _collect_names(code: CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _collect_names(constant)
    return names


def _encode(*values: Any) -> bytes:
    """Return bytes that stand for these values and no others: each with its length before it."""
    parts = [value if isinstance(value, bytes) else repr(value).encode() for value in values]
    return b"".join([b"%d:%b" % (len(part), part) for part in parts])


def _encode_plain(value: Any) -> bytes:
    """Return the bytes of a value that refers to nothing else; b"" for other values."""
    if isinstance(value, type):
        return _encode_class(value)
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return _encode(type(value).__name__, value)
    if isinstance(value, np.generic):
        return _encode("scalar", _describe_dtype(value.dtype), value.tobytes())
    if isinstance(value, np.dtype):
        return _encode("dtype", _describe_dtype(value))
    if isinstance(value, types.Type):
        return _encode("type", str(value))
    if isinstance(value, (BuiltinFunctionType, np.ufunc)):
        return _encode("builtin", value.__name__)
    return b""


@cache
def _encode_class(class_: type) -> bytes:
    """Return the bytes of an enum, a named tuple or a library's class; b"" for other classes."""
    members = getattr(class_, "__members__", None)
    if members is not None:
        values = [(name, repr(member.value)) for name, member in members.items()]
        return _encode("enum", values)
    if issubclass(class_, tuple) and hasattr(class_, "_fields"):
        return _encode("named tuple", class_.__qualname__, class_._fields)
    if _is_versioned(class_.__module__):
        return _encode("class", class_.__module__, class_.__qualname__)
    return b""


def _describe_dtype(dtype: np.dtype) -> str:
    """Return all that matters of a dtype: fields with offsets, size, and shape of its items."""
    fields: Any = dtype.descr
    if dtype.names is not None:
        assert dtype.fields is not None
        entries = [(name, dtype.fields[name]) for name in dtype.names]
        fields = [(name, _describe_dtype(entry[0]), entry[1]) for name, entry in entries]
    items = dtype.subdtype and (_describe_dtype(dtype.subdtype[0]), dtype.shape)
    return repr((fields, dtype.itemsize, items))


def _is_function(value: Any) -> bool:
    is_intrinsic = type(value).__name__ == "_Intrinsic"
    return is_intrinsic or isinstance(value, (CPUDispatcher, FunctionType))


def _is_versioned(module: str | None) -> bool:
    return bool(module) and str(module).split(".")[0] in VERSIONED_LIBRARIES
