"""What a second process does meanwhile: compiling into the cache what this one will take from there.

Python compiles on one core. What two processes compile should have little in common, as a game's rules and its players
have, or two games; whoever comes to what the other is at waits for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hardmode.sim.compile.cache import announcing
from hardmode.sim.play.cores import cores

_alone: list[bool] = []


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """While this lasts, nobody is asked to help: others are at work already."""
    _alone.append(True)
    try:
        yield
    finally:
        _alone.pop()


@contextlib.contextmanager
def helped(code: str, asked: Sequence[Any], worth: Callable[[str], bool]) -> Iterator[None]:
    """A process runs some code as soon as something must be compiled here, if that is worth its start. It is not waited
    for: what it has not begun when its turn comes is compiled here."""
    if _alone or cores() < 2 or not sys.executable:
        yield
        return
    running: list[subprocess.Popen] = []
    looked: list[str] = []

    def begin(name: str) -> None:
        if not looked and worth(name):
            with contextlib.suppress(OSError):  # then this process does it all
                running.append(_started(code, asked))
        looked.append(name)

    with announcing(begin):
        try:
            yield
        finally:
            for process in running:
                process.terminate()
                process.wait()


def _started(code: str, asked: Sequence[Any]) -> subprocess.Popen:
    """Not by multiprocessing, which would run the script of whoever plays from Python a second time."""
    return subprocess.Popen(
        [sys.executable, "-c", code, json.dumps(asked)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


@contextlib.contextmanager
def helping() -> Iterator[None]:
    """In the second process: Ctrl-C is for the first, which ends this one; what cannot be compiled is said there."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with alone(), contextlib.suppress(Exception):
        yield
