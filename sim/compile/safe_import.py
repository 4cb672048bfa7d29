"""Imports of other people's code: it can neither write to standard output nor end the process.

Standard output belongs to the answer, which another program may read with `--json`. A process
that a strategy ended with `os._exit` would look as if it had succeeded.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import ModuleType
from typing import NoReturn

_lock = threading.Lock()
_active = 0  # contexts of all threads: the first redirects the output, the last restores it
_restore = ExitStack()


@contextmanager
def redirect_stdout_to_stderr() -> Iterator[None]:
    """Redirect file descriptor 1 to stderr, and make `os._exit` raise `SystemExit`. Thread-safe."""
    global _active
    with _lock:
        if not _active:
            _redirect_stdout()
            _replace_exit()
        _active += 1
    try:
        yield
    finally:
        with _lock:
            _active -= 1
            if not _active:
                _restore.close()


def import_module_quietly(name: str) -> ModuleType:
    """Import a module of a game or strategy, which may be other people's code."""
    if name in sys.modules:
        return importlib.import_module(name)
    with redirect_stdout_to_stderr():
        return importlib.import_module(name)


def _redirect_stdout() -> None:
    stdout, original = sys.stdout, sys.__stdout__
    _restore.callback(setattr, sys, "stdout", stdout)
    sys.stdout = sys.stderr
    with suppress(OSError, ValueError):  # standard output is closed
        if original:
            original.flush()
        target, saved = _duplicate_stderr(), os.dup(1)
        _restore.callback(os.close, saved)
        os.dup2(target, 1)
        os.close(target)
        _restore.callback(os.dup2, saved, 1)
        if original:
            _restore.callback(original.flush)


def _replace_exit() -> None:
    process, exit_now = os.getpid(), os._exit

    def raise_exit(status: int) -> NoReturn:
        if os.getpid() == process:
            raise SystemExit(status)
        exit_now(status)  # of a child that the code has forked

    _restore.callback(setattr, os, "_exit", exit_now)
    os._exit = raise_exit


def _duplicate_stderr() -> int:
    try:
        return os.dup(2)
    except OSError:  # it is closed
        return os.open(os.devnull, os.O_WRONLY)
