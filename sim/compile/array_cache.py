"""Disk cache of arrays that take long to compute.

A function with this cache takes plain values, and its result depends on nothing else. A result is
stored under a fingerprint of the function and all that it calls, of the arguments, and of the
versions of libraries and the machine. So it cannot be out of date.
"""

from __future__ import annotations

import importlib.metadata
import inspect
import io
import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache, wraps
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.binding
import numpy as np

from hardmode.sim.compile.fingerprint import Fingerprint, FingerprintError
from hardmode.sim.files.cache_folder import find_entry, read_entry, write_entry
from hardmode.sim.messages import warn_once

MAX_ARRAYS_IN_MEMORY = 2  # of each function
MAX_WRITES_PER_PROCESS = 16  # a study asks for hundreds of arrays, each of them once
DATACLASS_METHODS = {"__init__", "__repr__", "__eq__", "__hash__"}  # generated, if not written
ArrayFunction = Callable[..., np.ndarray]
_written_arrays: list[Path] = []  # by this process


def disk_cached(*libraries: str) -> Callable[[ArrayFunction], ArrayFunction]:
    """Return a decorator that caches the arrays of a function on disk; they are read-only.

    Args:
        libraries: Distributions beside numpy whose version the results depend on.

    Example:
        >>> @disk_cached("scipy")
        ... def quantiles(n: int) -> np.ndarray: ...
    """

    def decorate(function: ArrayFunction) -> ArrayFunction:
        compute_digest = cache(lambda: _compute_function_digest(function, libraries))

        @lru_cache(MAX_ARRAYS_IN_MEMORY)
        @wraps(function)
        def get_array(*args: Any) -> np.ndarray:
            entry = _find_array(compute_digest(), args)
            content = read_entry(entry) if entry else None
            if content is not None:
                array = np.load(io.BytesIO(content), allow_pickle=False)
            else:
                array = function(*args)
                if entry and len(_written_arrays) < MAX_WRITES_PER_PROCESS:
                    _written_arrays.append(entry)
                    _write_array(entry, array)
            array.flags.writeable = False
            return array

        return get_array

    return decorate


class PythonFingerprint(Fingerprint):
    """Fingerprint of plain Python: also of cached functions, classes and dataclass instances."""

    def add_other(self, value: Any) -> None:
        """Add a value that compiled code cannot hold."""
        if hasattr(value, "cache_info"):
            self.add_value(inspect.unwrap(value))
        elif isinstance(value, type):
            if self.add_reference(value):
                self._add_class(value)
        elif is_dataclass(value):
            self.add_value(type(value))
            self.add_value([getattr(value, field.name) for field in fields(value)])
        else:
            super().add_other(value)

    def _add_class(self, class_: type) -> None:
        """Add all that is written in a class; methods that dataclasses generate are not code."""
        generated = DATACLASS_METHODS if is_dataclass(class_) else set()
        self.update("class", class_.__qualname__, sorted(generated))
        for base in class_.__bases__:
            if base is object:
                self.update(base.__qualname__)
            else:
                self.add_value(base)
        for name, value in sorted(vars(class_).items()):
            is_method = isinstance(value, FunctionType) and name not in generated
            if is_method or not name.startswith("__"):
                self.update(name)
                self.add_value(value)


def _compute_function_digest(function: ArrayFunction, libraries: tuple[str, ...]) -> str:
    """Return the digest of all that a result depends on but the arguments; "" if it has none."""
    fingerprint = PythonFingerprint(
        sys.version,
        np.__version__,
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
        *map(_find_version, libraries),
    )
    return _compute_digest(fingerprint, function)


@cache
def _find_version(library: str) -> str:
    return importlib.metadata.version(library)


def _find_array(function_digest: str, args: tuple[Any, ...]) -> Path | None:
    """Return the cache entry of a result, or None without a cache or a fingerprint."""
    if not function_digest:
        return None
    digest = _compute_digest(PythonFingerprint(function_digest), args)
    return find_entry("arrays", f"{digest[:32]}.npy") if digest else None


def _write_array(entry: Path, array: np.ndarray) -> None:
    content = io.BytesIO()
    np.save(content, array, allow_pickle=False)
    write_entry(entry, content.getvalue())


def _compute_digest(fingerprint: PythonFingerprint, value: Any) -> str:
    """Return the digest with a value added; "", and a message, if it cannot be judged."""
    try:
        fingerprint.add_value(value)
    except FingerprintError as error:
        warn_once(f"an array is computed anew in every process: {error}")
        return ""
    return fingerprint.hexdigest()
