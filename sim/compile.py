"""Compiled entries, cached by their content.

An entry is a function compiled for one explicit signature: a game's rules, a strategy, the kernel.
Its machine code is kept in a directory named by a fingerprint of everything that can reach it:
bytecode, constants, globals, closures, the functions it calls, record types, versions, CPU. So a
cached entry cannot be out of date, and what cannot be fingerprinted is compiled without a cache.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from filelock import FileLock
from numba.core import config, errors, types
from numba.core.registry import CPUDispatcher

from hardmode.sim import linking, numba_private
from hardmode.sim.records import PLAIN

_UNWARNED = ("ignore", None, errors.NumbaExperimentalFeatureWarning, None, 0)

LEAF = {"numpy", "numba", "math", "builtins"}  # modules whose version says all
KEEP_DAYS = 30
SEAL = "sum"  # the file that says that an entry's files are whole
RUNTIME = b"NRT_"  # how what machine code asks of numba's runtime begins


def unwarned() -> None:
    """Functions are handed to functions, of which numba warns whenever they are compiled or called: the filter is put
    back in front where somebody (pytest, -W error) has put others before it. Not by a context, which threads share."""
    if warnings.filters[0] != _UNWARNED:
        warnings.filterwarnings("ignore", category=errors.NumbaExperimentalFeatureWarning)


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
    return _spelled("builtin", v.__name__) if isinstance(v, (BuiltinFunctionType, np.ufunc)) else b""


@cache
def _class(v: type) -> bytes:
    members = getattr(v, "__members__", None)
    if members is not None:
        return _spelled("enum", [(k, repr(m.value)) for k, m in members.items()])
    if issubclass(v, tuple) and hasattr(v, "_fields"):
        return _spelled("named tuple", v.__qualname__, v._fields)
    return _spelled("class", v.__module__, v.__qualname__) if v.__module__.split(".")[0] in LEAF else b""


class _Text(NamedTuple):
    """What a function's code says, which does not change, and all names in it."""

    spelled: bytes
    names: tuple[str, ...]


_texts: dict[int, tuple[CodeType, _Text]] = {}  # by identity: codes are equal that stand for different constants


def _read(code: CodeType) -> _Text:
    if id(code) not in _texts:
        _texts[id(code)] = code, _Text(_code(code), tuple(sorted(_names(code))))
    return _texts[id(code)][1]


def _code(code: CodeType) -> bytes:
    parts = [_spelled(code.co_code, code.co_argcount, code.co_kwonlyargcount, code.co_flags, code.co_names,
                      code.co_varnames, code.co_freevars, code.co_cellvars)]
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
    return repr((dtype.descr if dtype.names is None else
                 [(n, _layout(fields[n][0]), fields[n][1]) for n in dtype.names],
                 dtype.itemsize, dtype.subdtype and (_layout(dtype.subdtype[0]), dtype.shape)))


def fingerprint(function: Callable, signature: Any = "") -> str:
    """The digest of a function, all it reaches, and the compiler and machine it is compiled for."""
    host = llvmlite.binding
    mark = Fingerprint(sys.version, numba.__version__, llvmlite.__version__, np.__version__,
                       host.get_host_cpu_name(), host.get_host_cpu_features().flatten(),
                       config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT, str(signature))
    if numba_private.LINKED_ONCE:
        mark.put(linking.SCHEME)
    if numba_private.CHECKS_INDICES:
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


def cache_root() -> Path | None:
    """The first directory that can be written: HARDMODE_CACHE, the user's cache, a temporary one."""
    said = os.environ.get("HARDMODE_CACHE")
    if said == "off" or not numba_private.CACHE_CAN_BE_SENT:
        return None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    owner = getattr(os, "getuid", lambda: 0)()
    for path in filter(None, (said, os.path.join(home, "hardmode"),
                              os.path.join(tempfile.gettempdir(), f"hardmode-{owner}"))):
        try:
            os.makedirs(path, exist_ok=True)
            tempfile.TemporaryFile(dir=path).close()
            if os.stat(path).st_uid == owner:  # code of another user is never loaded
                return Path(path)
        except OSError:
            continue
    return None


compiled: list[tuple[str, float]] = []  # the entries that this process had to compile, with seconds
_listeners: list[Callable[[str], object]] = []
_lock = threading.Lock()  # one entry at a time: where numba keeps its files is a setting of the process


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
    checked = {"boundscheck": True} if boundscheck or config.BOUNDSCHECK else {}
    bare = getattr(function, "py_func", function)
    dispatcher = numba_private.dispatcher(bare, **checked)
    directory = None
    root = cache_root()
    try:
        mark = fingerprint(dispatcher, signature) if root else ""
        directory = root / mark[:2] / mark[2:34] if root else None
    except CannotFingerprint as why:
        warnings.warn(f"{name} is compiled without a cache: {why}", stacklevel=3)
    with contextlib.ExitStack() as held:
        if directory:
            try:
                held.enter_context(_claimed(directory))
            except OSError:
                directory = None
        if not directory:
            _compile(dispatcher, signature, name)
        elif not _load(dispatcher, signature, directory, mark):
            dispatcher = numba_private.dispatcher(bare, **checked)
            kept = _forget(directory)
            if kept:
                numba_private.cache_in(dispatcher, str(directory), mark)
            _compile(dispatcher, signature, name)
            if kept:
                _seal(directory)
    return dispatcher


def _load(dispatcher: Any, signature: Any, directory: Path, mark: str) -> bool:
    """Take the machine code from its files, if they are as they were written."""
    try:
        files = _files(directory)
        if (directory / SEAL).read_text() != _sum(files):
            return False
        numba_private.cache_in(dispatcher, str(directory), mark)
        counts = any(RUNTIME in content for content in files.values())
        loaded = numba_private.load(dispatcher, signature, counts)
        numba_private.close(dispatcher)
        os.utime(directory)
    except Exception:  # whatever is wrong with the files, the function can be compiled again
        return False
    return loaded


def _compile(dispatcher: Any, signature: Any, name: str) -> None:
    start = time.perf_counter()
    _announce(name)
    with _uncollected():
        try:
            dispatcher.compile(signature)
        except OSError:  # a full disk: the code is there, only its file is not
            if not dispatcher.overloads:
                raise
    numba_private.refuse_fractions(dispatcher, signature)
    numba_private.close(dispatcher)
    compiled.append((name, time.perf_counter() - start))


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
