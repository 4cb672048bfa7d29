"""Cache of machine code on disk, addressed by content.

An entry is a function compiled for one explicit signature: a game's rule, a strategy, the kernel.
Its machine code lies in a directory named by a fingerprint of all that can affect it. So a cached
entry cannot be out of date, and what cannot be fingerprinted is compiled without a cache.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numba.core import config, errors

from hardmode.sim.compile import numba_compat
from hardmode.sim.compile.fingerprint import Fingerprint, FingerprintError, compute_fingerprint
from hardmode.sim.files.atomic_files import OutputError, write_atomically
from hardmode.sim.messages import warn_once
from hardmode.sim.records import PLAIN

if TYPE_CHECKING:
    from filelock import FileLock

MAX_UNUSED_DAYS = 30  # of entries that `prune_cache` leaves
CHECKSUM_FILE = "sum"  # in the directory of an entry; written last, when all files are complete
STACK_WORDS = 1 << 17  # of a frame
NRT_PREFIX = b"NRT_"  # of the functions of numba's runtime that machine code calls

compiled_entries: list[tuple[str, float]] = []  # what this process has compiled, and the seconds
awaited_entries: list[tuple[str, float]] = []  # what another process compiled while this one waited

_IGNORED = ("ignore", None, errors.NumbaExperimentalFeatureWarning, None, 0)
_lock = threading.Lock()  # one entry at a time: where numba keeps files is a setting of the process
_listeners: ContextVar[tuple[Callable[[str], object], ...]] = ContextVar(
    "listeners of compilation", default=()
)


@contextmanager
def on_compile(listener: Callable[[str], object]) -> Iterator[None]:
    """Call `listener` with the name of every entry before it is compiled inside the context."""
    token = _listeners.set((*_listeners.get(), listener))
    try:
        yield
    finally:
        _listeners.reset(token)


def notify_compile_listeners(name: str) -> None:
    """Tell the listeners of the present context that an entry is going to be compiled."""
    for listener in _listeners.get():
        listener(name)


def find_cache_root() -> Path | None:
    """Return the first usable directory: HARDMODE_CACHE, the user's cache, a temporary one.

    Returns:
        The directory, which exists, belongs to the user (code of others is never loaded) and can be
        written to; None if there is none, or HARDMODE_CACHE is "off".
    """
    configured = os.environ.get("HARDMODE_CACHE")
    if configured == "off" or not numba_compat.CAN_REDIRECT_CACHE:
        return None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    user = getattr(os, "getuid", lambda: 0)()
    temporary = os.path.join(tempfile.gettempdir(), f"hardmode-{user}")
    for path in (configured, os.path.join(home, "hardmode"), temporary):
        if not path:
            continue
        with suppress(OSError):
            os.makedirs(path, exist_ok=True)
            tempfile.TemporaryFile(dir=path).close()
            if os.stat(path).st_uid == user:
                return Path(path)
    return None


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
    """
    if PLAIN:
        return function
    with _lock:
        ignore_experimental_warning()
        return _compile_or_load(function, signature, boundscheck, name or function.__name__)


def is_cacheable_and_missing(
    function: Callable, signature: Any, *, boundscheck: bool = False
) -> bool:
    """Return whether an entry can be cached and is not: another process could compile it."""
    with suppress(FingerprintError):
        directory, _ = _entry_directory(_make_dispatcher(function, boundscheck), signature)
        return directory is not None and not (directory / CHECKSUM_FILE).exists()
    return False


def prune_cache(days: float = MAX_UNUSED_DAYS) -> int:
    """Delete entries that were not loaded for some days; return how many."""
    root = find_cache_root()
    deleted = 0
    for directory in root.glob("??/*") if root else ():
        if time.time() - directory.stat().st_mtime > days * 86400:
            shutil.rmtree(directory, ignore_errors=True)
            deleted += 1
    return deleted


def ignore_experimental_warning() -> None:
    """Ignore numba's warning that functions are passed to functions, which it prints at every use.

    The filter is put in front again if others (of pytest, or -W error) were added since. A context
    manager would not do: threads share the filters.
    """
    if warnings.filters[0] != _IGNORED:
        warnings.filterwarnings("ignore", category=errors.NumbaExperimentalFeatureWarning)


def _compile_or_load(function: Callable, signature: Any, boundscheck: bool, name: str) -> Any:
    dispatcher = _make_dispatcher(function, boundscheck)
    directory, stamp = None, ""
    try:
        directory, stamp = _entry_directory(dispatcher, signature)
    except FingerprintError as error:
        warn_once(f"{name} is compiled without a cache: {error}")
    if directory is None:
        _compile(dispatcher, signature, name)
        return dispatcher
    if _load(dispatcher, signature, directory, stamp):
        return dispatcher
    start = time.perf_counter()
    with ExitStack() as stack:
        # a dispatcher that could not load is not used again
        dispatcher = _make_dispatcher(function, boundscheck)
        try:
            stack.enter_context(_lock_entry(directory))
        except OSError:
            _compile(dispatcher, signature, name)
            return dispatcher
        if _load(dispatcher, signature, directory, stamp):
            awaited_entries.append((name, time.perf_counter() - start))
            return dispatcher
        dispatcher = _make_dispatcher(function, boundscheck)
        is_writable = _clear_entry(directory)
        if is_writable:
            numba_compat.set_cache_directory(dispatcher, str(directory), stamp)
        _compile(dispatcher, signature, name)
        if is_writable:
            _write_checksum(directory)
    return dispatcher


def _make_dispatcher(function: Callable, boundscheck: bool) -> Any:
    options = {"boundscheck": True} if boundscheck or config.BOUNDSCHECK else {}
    return numba_compat.make_dispatcher(getattr(function, "py_func", function), **options)


def _entry_directory(dispatcher: Any, signature: Any) -> tuple[Path | None, str]:
    """Return the directory of an entry, or None without a cache, and its fingerprint."""
    root = find_cache_root()
    if root is None:
        return None, ""
    fingerprint = compute_fingerprint(dispatcher, signature)
    return root / fingerprint[:2] / fingerprint[2:34], fingerprint


def _load(dispatcher: Any, signature: Any, directory: Path, stamp: str) -> bool:
    """Load machine code into a dispatcher; return whether complete files were there."""
    try:
        files = _read_code_files(directory)
        if (directory / CHECKSUM_FILE).read_text() != _compute_checksum(files):
            return False
        numba_compat.set_cache_directory(dispatcher, str(directory), stamp)
        uses_runtime = any(NRT_PREFIX in content for content in files.values())
        is_loaded = numba_compat.load_cached_code(dispatcher, signature, uses_runtime)
        numba_compat.freeze_dispatcher(dispatcher)
        os.utime(directory)
    except Exception:  # whatever is wrong with the files, the function can be compiled again
        return False
    return is_loaded


def _compile(dispatcher: Any, signature: Any, name: str) -> None:
    start = time.perf_counter()
    notify_compile_listeners(name)
    with _gc_paused():
        try:
            _with_big_stack_chunk(dispatcher.compile, signature)
        except OSError:  # the disk is full: the code exists, only its file does not
            if not dispatcher.overloads:
                raise
    numba_compat.forbid_float_to_int_return(dispatcher, signature)
    numba_compat.freeze_dispatcher(dispatcher)
    compiled_entries.append((name, time.perf_counter() - start))


def _with_big_stack_chunk(work: Callable[[Any], object], argument: Any) -> None:
    """Call `work(argument)`, which calls deeply, in one piece of memory for CPython's frames.

    CPython keeps frames in pieces of 16 KB, and allocates and frees one whenever calls cross its
    end. A frame that asks for a megabyte gets a piece of two megabytes, and its callees the rest.
    """
    work(argument)


_with_big_stack_chunk.__code__ = _with_big_stack_chunk.__code__.replace(co_stacksize=STACK_WORDS)


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Switch the garbage collector off: what the compiler allocates stays until it is done."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _read_code_files(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(directory.glob("*.nb?"))}


def _compute_checksum(files: dict[str, bytes]) -> str:
    """Return a checksum of numba's files, which have none; damaged machine code would run."""
    checksum = Fingerprint()
    for name, content in files.items():
        checksum.update(name, content)
    return checksum.hexdigest()


def _write_checksum(directory: Path) -> None:
    with suppress(OSError, OutputError):
        write_atomically(directory / CHECKSUM_FILE, _compute_checksum(_read_code_files(directory)))


def _clear_entry(directory: Path) -> bool:
    """Delete the files of an entry; return False if one cannot be deleted."""
    try:
        for path in [directory / CHECKSUM_FILE, *directory.glob("*.nb*")]:
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _lock_entry(directory: Path) -> FileLock:
    """Return the lock of an entry: one process compiles, the others wait and load."""
    from filelock import FileLock

    directory.mkdir(parents=True, exist_ok=True)
    return FileLock(directory / ".lock")
