"""Code of others, while it is read: whatever it writes to standard output goes to standard error, and it ends nothing.

Standard output belongs to the answer, and whoever reads `--json` there reads nothing else. A process that ends
there and then would end well, and pass for an answer.
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
_readers = 0  # several threads may read code at once: the first turns the output aside, the last turns it back
_back = ExitStack()


@contextmanager
def unheard() -> Iterator[None]:
    """For as long as somebody is in here, nothing reaches standard output, not even past Python, and `os._exit` is an
    exit like any other, which whoever reads the code tells of."""
    global _readers
    with _lock:
        if not _readers:
            _turn_aside()
            _hold()
        _readers += 1
    try:
        yield
    finally:
        with _lock:
            _readers -= 1
            if not _readers:
                _back.close()


def imported(name: str) -> ModuleType:
    """A module of a game or a strategy, which others may have written."""
    if name in sys.modules:
        return importlib.import_module(name)
    with unheard():
        return importlib.import_module(name)


def _turn_aside() -> None:
    out, real = sys.stdout, sys.__stdout__
    _back.callback(setattr, sys, "stdout", out)
    sys.stdout = sys.stderr
    with suppress(OSError, ValueError):  # standard output is closed
        if real:
            real.flush()
        elsewhere, kept = _stderr(), os.dup(1)
        _back.callback(os.close, kept)
        os.dup2(elsewhere, 1)
        os.close(elsewhere)
        _back.callback(os.dup2, kept, 1)
        if real:
            _back.callback(real.flush)


def _hold() -> None:
    here, end = os.getpid(), os._exit

    def ends(status: int) -> NoReturn:
        if os.getpid() == here:
            raise SystemExit(status)
        end(status)  # of a child that the code made

    _back.callback(setattr, os, "_exit", end)
    os._exit = ends


def _stderr() -> int:
    try:
        return os.dup(2)
    except OSError:  # closed: nobody wants to read it
        return os.open(os.devnull, os.O_WRONLY)
