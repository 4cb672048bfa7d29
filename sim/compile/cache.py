"""Compiled entry points, cached on disk by content.

An entry point is a function compiled for one explicit signature: a game's rule, a strategy, the
kernel. Its machine code lies in a file named by a fingerprint of all that can affect it. So cached
code cannot be out of date, and what cannot be fingerprinted is compiled without a cache.
"""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from types import CodeType
from typing import Any

from numba import types
from numba.core import config, errors

from hardmode.sim.compile.dispatchers import forbid_float_to_int_return, make_entry_dispatcher
from hardmode.sim.compile.features import FEATURES
from hardmode.sim.compile.fingerprint import (
    Fingerprint,
    FingerprintError,
    compute_fingerprint,
)
from hardmode.sim.files.cache_folder import find_cache_root, find_entry
from hardmode.sim.messages import warn_once
from hardmode.sim.records import PLAIN

compiled_entries: list[tuple[str, float]] = []  # what this process has compiled, and the seconds
awaited_entries: list[tuple[str, float]] = []  # what another process compiled while this one waited

_lock = threading.RLock()  # one thread at a time loads or compiles
_filter_lock = threading.RLock()  # filters of warnings belong to the process, not to a thread
# CPU time of compiling a byte of bytecode, and one of code that the process has compiled before:
# linked into another entry, and optimised there (measured in three games).
SECONDS_PER_BYTE, SECONDS_PER_BYTE_AGAIN = 0.00025, 0.000035
_compiled_codes: set[CodeType] = set()  # of the entries that this process has compiled

CompileListener = Callable[[str, float], object]  # gets a name and the expected seconds
_listeners: ContextVar[tuple[CompileListener, ...]] = ContextVar(
    "listeners of compilation", default=()
)


@contextmanager
def on_compile(listener: CompileListener) -> Iterator[None]:
    """Call `listener` before an entry is compiled in the context, here or by another process."""
    token = _listeners.set((*_listeners.get(), listener))
    try:
        yield
    finally:
        _listeners.reset(token)


def notify_compile_listeners(name: str, seconds: float) -> None:
    """Tell the listeners of the present context that an entry is going to be compiled.

    Args:
        name: The name of the entry.
        seconds: About how long it takes on an idle core; 0 if that is not known.
    """
    for listener in _listeners.get():
        listener(name, seconds)


def estimate_compile_seconds(function: Callable, compiled: set[CodeType]) -> float:
    """Return about how long a function takes to compile, by the size of all that it calls.

    Args:
        function: The function.
        compiled: The code that is compiled before; what the function calls is added to it.

    Returns:
        CPU seconds; 0 if a part of the function cannot be judged.
    """
    fingerprint = Fingerprint()
    try:
        fingerprint.add_value(function)
    except FingerprintError:
        return 0.0
    seconds = 0.0
    for code in fingerprint.codes:
        rate = SECONDS_PER_BYTE_AGAIN if code in compiled else SECONDS_PER_BYTE
        seconds += rate * len(code.co_code)
    compiled.update(fingerprint.codes)
    return seconds


def compile_cached(
    function: Callable, signature: Any, *, boundscheck: bool = False, name: str = ""
) -> Any:
    """Return a function compiled for one signature, from the cache if nothing has changed.

    Several processes that need the same entry compile it once: the others wait for the first.

    Args:
        function: Plain Python, or a dispatcher of numba.
        signature: numba's signature; None where compilation is switched off.
        boundscheck: Whether indices are checked, also in all functions that it calls.
        name: For messages and progress; the name of the function if empty.

    Raises:
        numba.core.errors.NumbaError: If the function cannot be compiled.
    """
    if PLAIN:
        return function
    function = getattr(function, "py_func", function)
    boundscheck = boundscheck or bool(config.BOUNDSCHECK)
    with _lock:
        return _load_or_compile(function, signature, boundscheck, name or function.__name__)


@contextmanager
def ignore_experimental_warning() -> Iterator[None]:
    """Ignore numba's warning that functions are passed to functions; one thread at a time."""
    with _filter_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.NumbaExperimentalFeatureWarning)
        yield


def find_cache_file(function: Callable, signature: Any, boundscheck: bool) -> Path | None:
    """Return the file for the machine code of an entry, or None without a cache.

    Raises:
        FingerprintError: If something that affects the function cannot be judged.
    """
    if not FEATURES.cached or find_cache_root() is None:
        return None
    fingerprint = compute_fingerprint(function, (str(signature), boundscheck))
    return find_entry(fingerprint[:2], f"{fingerprint[2:34]}.{function.__name__}.code")


def _load_or_compile(function: Callable, signature: Any, boundscheck: bool, name: str) -> Any:
    path = None
    try:
        path = find_cache_file(function, signature, boundscheck)
    except FingerprintError as error:
        warn_once(f"{name} is compiled without a cache: {error}")
    dispatcher = _load(function, boundscheck, path) if path else None
    if dispatcher is not None:
        return dispatcher
    notify_compile_listeners(name, estimate_compile_seconds(function, _compiled_codes))
    if path is None:
        return _compile(make_entry_dispatcher(function, boundscheck), signature, name)
    start = time.perf_counter()
    with _lock_entry(path):
        dispatcher = _load(function, boundscheck, path)
        if dispatcher is not None:
            awaited_entries.append((name, time.perf_counter() - start))
            return dispatcher
        dispatcher = make_entry_dispatcher(function, boundscheck)
        dispatcher.use_cache(path)
        return _compile(dispatcher, signature, name)


def _load(function: Callable, boundscheck: bool, path: Path) -> Any:
    """Return the entry with the machine code of a file; None if it is missing or unusable."""
    dispatcher = make_entry_dispatcher(function, boundscheck)
    try:
        return dispatcher if dispatcher.load(path) else None
    except Exception:  # whatever is wrong with the file, the function can be compiled again
        return None


def _compile(dispatcher: Any, signature: Any, name: str) -> Any:
    start = time.perf_counter()
    with ignore_experimental_warning():
        dispatcher.compile(signature)
    if signature.return_type is types.int64:
        forbid_float_to_int_return(dispatcher)
    dispatcher.disable_compile()
    compiled_entries.append((name, time.perf_counter() - start))
    return dispatcher


def _lock_entry(path: Path) -> AbstractContextManager[object]:
    """Return the lock of an entry: one process compiles, the others wait and load."""
    from filelock import FileLock

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:  # a full disk, or one that is read-only
        return nullcontext()
    return FileLock(path.with_suffix(".lock"))
