"""Imports of other people's code, which may print to standard output.

Standard output belongs to the answer of a command, which another program may read with `--json`.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from types import ModuleType

_lock = threading.RLock()  # `sys.stdout` belongs to all threads


@contextmanager
def redirect_stdout_to_stderr() -> Iterator[None]:
    """Send what is printed inside the context to standard error; one thread at a time."""
    with _lock, redirect_stdout(sys.stderr):
        yield


def import_module_quietly(name: str) -> ModuleType:
    """Import a module of a game or strategy, which may be other people's code."""
    if name in sys.modules:
        return importlib.import_module(name)
    with redirect_stdout_to_stderr():
        return importlib.import_module(name)
