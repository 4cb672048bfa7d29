"""Compiled entries, cached by their content.

An entry is a function compiled for one explicit signature: a game's rules, a strategy, the kernel.
Its machine code is kept in a directory named by a fingerprint of everything that can reach it. So a
cached entry cannot be out of date, and what cannot be fingerprinted is compiled without a cache.
"""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numba.core import config, errors

from hardmode.sim.compile import numba_compat
from hardmode.sim.compile.fingerprint import CannotFingerprint, Fingerprint, fingerprint
from hardmode.sim.records import PLAIN

if TYPE_CHECKING:
    from filelock import FileLock

_UNWARNED = ("ignore", None, errors.NumbaExperimentalFeatureWarning, None, 0)

KEEP_DAYS = 30
SEAL = "sum"  # the file that says that an entry's files are whole
ROOM = 1 << 17  # words of a frame
RUNTIME = b"NRT_"  # how what machine code asks of numba's runtime begins


def unwarned() -> None:
    """Functions are handed to functions, of which numba warns whenever they are compiled or called: the filter is put
    back in front where somebody (pytest, -W error) has put others before it. Not by a context, which threads share."""
    if warnings.filters[0] != _UNWARNED:
        warnings.filterwarnings("ignore", category=errors.NumbaExperimentalFeatureWarning)


def cache_root() -> Path | None:
    """The first directory that can be written: HARDMODE_CACHE, the user's cache, a temporary one."""
    said = os.environ.get("HARDMODE_CACHE")
    if said == "off" or not numba_compat.CACHE_CAN_BE_SENT:
        return None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    owner = getattr(os, "getuid", lambda: 0)()
    for path in filter(
        None,
        (
            said,
            os.path.join(home, "hardmode"),
            os.path.join(tempfile.gettempdir(), f"hardmode-{owner}"),
        ),
    ):
        try:
            os.makedirs(path, exist_ok=True)
            tempfile.TemporaryFile(dir=path).close()
            if os.stat(path).st_uid == owner:  # code of another user is never loaded
                return Path(path)
        except OSError:
            continue
    return None


compiled: list[tuple[str, float]] = []  # the entries that this process had to compile, with seconds
waited: list[tuple[str, float]] = []  # those for which it waited while another did
_listeners: list[Callable[[str], object]] = []
_lock = (
    threading.Lock()
)  # one entry at a time: where numba keeps its files is a setting of the process


@contextlib.contextmanager
def announcing(listener: Callable[[str], object]) -> Iterator[None]:
    """While this lasts, the listener is told the name of every entry before it is compiled."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def _announce(name: str) -> None:
    for listener in tuple(_listeners):
        listener(name)


def entry(function: Callable, signature: Any, *, boundscheck: bool = False, name: str = "") -> Any:
    """The function compiled for one signature, from the cache when nothing that reaches it has changed."""
    if PLAIN:
        return function
    with _lock:
        unwarned()
        return _entry(function, signature, boundscheck, name or function.__name__)


def _entry(function: Callable, signature: Any, boundscheck: bool, name: str) -> Any:
    dispatcher = _dispatcher(function, boundscheck)
    directory, mark = None, ""
    try:
        directory, mark = _place(dispatcher, signature)
    except CannotFingerprint as why:
        warnings.warn(f"{name} is compiled without a cache: {why}", stacklevel=3)
    if directory and _load(dispatcher, signature, directory, mark):
        return dispatcher
    with contextlib.ExitStack() as held:
        dispatcher, begun = _dispatcher(function, boundscheck), time.perf_counter()
        if directory:
            try:
                held.enter_context(_claimed(directory))
            except OSError:
                directory = None
        if not directory:
            _compile(dispatcher, signature, name)
        elif _load(dispatcher, signature, directory, mark):
            waited.append((name, time.perf_counter() - begun))
        else:
            dispatcher = _dispatcher(function, boundscheck)
            kept = _forget(directory)
            if kept:
                numba_compat.cache_in(dispatcher, str(directory), mark)
            _compile(dispatcher, signature, name)
            if kept:
                _seal(directory)
    return dispatcher


def _dispatcher(function: Callable, boundscheck: bool) -> Any:
    checked = {"boundscheck": True} if boundscheck or config.BOUNDSCHECK else {}
    return numba_compat.dispatcher(getattr(function, "py_func", function), **checked)


def _place(dispatcher: Any, signature: Any) -> tuple[Path | None, str]:
    """Where the files of an entry are kept, if they can be, and what they are stamped with."""
    root = cache_root()
    mark = fingerprint(dispatcher, signature) if root else ""
    return root / mark[:2] / mark[2:34] if root else None, mark


def can_be_sent_for(function: Callable, signature: Any, *, boundscheck: bool = False) -> bool:
    """Whether an entry is not in the cache yet, and would be if another process compiled it."""
    with contextlib.suppress(CannotFingerprint):
        directory, _ = _place(_dispatcher(function, boundscheck), signature)
        return directory is not None and not (directory / SEAL).exists()
    return False


def _load(dispatcher: Any, signature: Any, directory: Path, mark: str) -> bool:
    """Take the machine code from its files, if they are as they were written."""
    try:
        files = _files(directory)
        if (directory / SEAL).read_text() != _sum(files):
            return False
        numba_compat.cache_in(dispatcher, str(directory), mark)
        counts = any(RUNTIME in content for content in files.values())
        loaded = numba_compat.load(dispatcher, signature, counts)
        numba_compat.close(dispatcher)
        os.utime(directory)
    except Exception:  # whatever is wrong with the files, the function can be compiled again
        return False
    return loaded


def _compile(dispatcher: Any, signature: Any, name: str) -> None:
    start = time.perf_counter()
    _announce(name)
    with _uncollected():
        try:
            _with_room(dispatcher.compile, signature)
        except OSError:  # a full disk: the code is there, only its file is not
            if not dispatcher.overloads:
                raise
    numba_compat.refuse_fractions(dispatcher, signature)
    numba_compat.close(dispatcher)
    compiled.append((name, time.perf_counter() - start))


def _with_room(work: Callable[[Any], object], asked: Any) -> None:
    """Do something that calls deeply. CPython keeps the frames of calls in pieces of 16 KB, and takes and gives back a
    piece whenever calls cross its end: 180,000 times for one game, a sixth of all compiling. A frame that asks for a
    megabyte gets a piece of two, and what it calls has the other."""
    work(asked)


_with_room.__code__ = _with_room.__code__.replace(co_stacksize=ROOM)


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """What the compiler makes stays until it is done: to look for garbage meanwhile takes a tenth of its time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _files(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(directory.glob("*.nb?"))}


def _sum(files: dict[str, bytes]) -> str:
    """numba's files have no checksum, and damaged machine code runs."""
    mark = Fingerprint()
    for name, content in files.items():
        mark.put(name, content)
    return mark.hexdigest()


def _seal(directory: Path) -> None:
    with contextlib.suppress(OSError):
        (directory / SEAL).write_text(_sum(_files(directory)))


def _forget(directory: Path) -> bool:
    """Make room for an entry; when something there does not go, nothing can be kept."""
    try:
        for path in [directory / SEAL, *directory.glob("*.nb*")]:
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _claimed(directory: Path) -> FileLock:
    """One process compiles, the others wait and load."""
    from filelock import FileLock

    directory.mkdir(parents=True, exist_ok=True)
    return FileLock(directory / ".lock")


def prune(days: float = KEEP_DAYS) -> int:
    """Forget entries that nobody has loaded for some time."""
    root, gone = cache_root(), 0
    for directory in root.glob("??/*") if root else ():
        if time.time() - directory.stat().st_mtime > days * 86400:
            shutil.rmtree(directory, ignore_errors=True)
            gone += 1
    return gone
