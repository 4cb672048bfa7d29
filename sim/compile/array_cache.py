"""Arrays that take long to work out, remembered from one process to the next.

A function that is remembered is asked plain values, and its answer hangs on nothing else. An answer lies in the
cache, sealed, and is named by a fingerprint of the function and all it reaches, of what was asked, and of the
libraries and the machine it was worked out with: so it cannot be out of date.
"""

from __future__ import annotations

import importlib.metadata
import inspect
import io
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache, wraps
from itertools import accumulate
from pathlib import Path
from types import FunctionType
from typing import Any

import llvmlite.binding as host
import numpy as np

from hardmode.sim.compile.cache import cache_root
from hardmode.sim.compile.fingerprint import CannotFingerprint, Fingerprint
from hardmode.sim.files import checksummed_files

AT_HAND = 2  # answers that a process holds
MOST_MADE = (
    16  # answers that a process puts into the cache: a study asks for hundreds, each of them once
)
MOST_BYTES = 256 << 20  # of all answers in the cache; those that nobody asked for lately go
Works = Callable[..., np.ndarray]
_made: list[Path] = []  # what this process put into the cache


def remembered(*libraries: str) -> Callable[[Works], Works]:
    """Marks such a function, with the libraries beyond numpy that it works with."""

    def marked(function: Works) -> Works:
        reach = cache(lambda: _reach(function, libraries))

        @lru_cache(AT_HAND)
        @wraps(function)
        def answer(*asked: Any) -> np.ndarray:
            file = _file(reach(), asked)
            found = _read(file) if file else None
            if found is None:
                found = function(*asked)
                if file and len(_made) < MOST_MADE:
                    _made.append(file)
                    _write(file, found)
            found.flags.writeable = False
            return found

        return answer

    return marked


def _reach(function: Works, libraries: tuple[str, ...]) -> str:
    """The fingerprint of all that an answer hangs on but the question; none where that cannot be judged."""
    mark = Reach(
        sys.version,
        np.__version__,
        host.get_host_cpu_name(),
        host.get_host_cpu_features().flatten(),
        *map(_version, libraries),
    )
    return _judged(mark, function)


@cache
def _version(library: str) -> str:
    return importlib.metadata.version(library)


def _file(reach: str, asked: tuple[Any, ...]) -> Path | None:
    """Where an answer lies; nowhere, without a cache."""
    root = cache_root() if reach else None
    mark = _judged(Reach(reach), asked) if root else ""
    return root / "arrays" / f"{mark[:32]}.npy" if root and mark else None


def _judged(mark: Reach, what: Any) -> str:
    try:
        mark.value(what)
    except CannotFingerprint as why:
        warnings.warn(f"an array is worked out anew in every process: {why}", stacklevel=4)
        return ""
    return mark.hexdigest()


class Reach(Fingerprint):
    """A fingerprint of plain Python as well: of functions that hold answers, of dataclasses' objects, of classes."""

    def other(self, v: Any) -> None:
        if hasattr(v, "cache_info"):
            self.value(inspect.unwrap(v))
        elif is_dataclass(v) and not isinstance(v, type):
            self.value(type(v))
            self.value([getattr(v, field.name) for field in fields(v)])
        elif not isinstance(v, type):
            super().other(v)
        elif id(v) in self._seen:
            self.put("again", self._seen[id(v)])
        else:
            self._seen[id(v)] = len(self._seen)
            self._kind(v)

    def _kind(self, v: type) -> None:
        """A class, by all that is written in it. What makes it a dataclass is no code of its own."""
        made = {"__init__", "__repr__", "__eq__", "__hash__"} if is_dataclass(v) else set()
        self.put("class", v.__qualname__, sorted(made))
        for base in v.__bases__:
            self.put(base.__qualname__) if base is object else self.value(base)
        for name, part in sorted(vars(v).items()):
            if not name.startswith("__") or (isinstance(part, FunctionType) and name not in made):
                self.put(name)
                self.value(part)


def _read(file: Path) -> np.ndarray | None:
    content = checksummed_files.kept(file)
    if content is None:
        return None
    with suppress(OSError):
        os.utime(file)
    return np.load(io.BytesIO(content), allow_pickle=False)


def _write(file: Path, found: np.ndarray) -> None:
    """Put an answer into the cache, and what has not been asked for longest out of it."""
    content = io.BytesIO()
    np.save(content, found, allow_pickle=False)
    checksummed_files.keep(file, content.getvalue())
    with suppress(OSError):
        there = sorted(
            ((at.stat().st_mtime, at.stat().st_size, at) for at in file.parent.iterdir()),
            reverse=True,
        )
        for (_, _, at), size in zip(there, accumulate(size for _, size, _ in there), strict=True):
            if size > MOST_BYTES:
                at.unlink(missing_ok=True)
