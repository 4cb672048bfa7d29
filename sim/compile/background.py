"""A helper process that compiles into the shared cache while this process compiles something else.

Python compiles on one core. The helper should compile what has little in common with what is
compiled here, such as a game's rules and its strategies, or two games. A process that needs what
the other is compiling waits for it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from hardmode.sim.compile.cache import on_compile
from hardmode.sim.play.cores import count_cores

_is_disabled: ContextVar[bool] = ContextVar("helper processes are disabled", default=False)


@contextmanager
def without_helper() -> Iterator[None]:
    """Start no helper process inside the context."""
    token = _is_disabled.set(True)
    try:
        yield
    finally:
        _is_disabled.reset(token)


@contextmanager
def with_compile_helper(
    code: str, arguments: Sequence[Any], pays_off: Callable[[str], bool]
) -> Iterator[None]:
    """Start a helper process at the first compilation in the context, if that pays off.

    The helper ends with the context. It is never waited for: what it has not begun when this
    process needs it is compiled here.

    Args:
        code: Python code that the helper runs.
        arguments: Values that the code receives as JSON in its first argument.
        pays_off: Returns whether to start the helper, given what is about to be compiled.
    """
    if _is_disabled.get() or count_cores() < 2 or not sys.executable:
        yield
        return
    processes: list[subprocess.Popen] = []
    is_first = True

    def start_helper(name: str) -> None:
        nonlocal is_first
        if is_first and pays_off(name):
            with suppress(OSError):  # then this process compiles everything
                processes.append(_start_process(code, arguments))
        is_first = False

    with on_compile(start_helper):
        try:
            yield
        finally:
            for process in processes:
                process.terminate()
                process.wait()


@contextmanager
def run_as_helper() -> Iterator[None]:
    """Context of the helper's own code: ignore Ctrl-C and errors, which the parent handles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with without_helper(), suppress(Exception):
        yield


def _start_process(code: str, arguments: Sequence[Any]) -> subprocess.Popen:
    """Start Python with some code; `multiprocessing` would run the user's script a second time."""
    return subprocess.Popen(
        [sys.executable, "-c", code, json.dumps(arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
