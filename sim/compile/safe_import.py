"""Imports of other people's code, which may print to standard output.

Standard output belongs to the answer of a command, which another program may read with `--json`.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from types import ModuleType

_lock = threading.Lock()
_active = 0  # contexts of all threads: the first redirects the output, the last restores it
_restore = ExitStack()


@contextmanager
def redirect_stdout_to_stderr() -> Iterator[None]:
    """Send what Python prints inside the context to standard error. Thread-safe."""
    global _active
    with _lock:
        if not _active:
            _restore.enter_context(redirect_stdout(sys.stderr))
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
