"""Processor cores: how many threads to use, and how to spread them over the cores."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count

from hardmode.sim.messages import warn_once


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def clamp_threads(threads: int) -> int:
    """Return the number of threads to use where `threads` are asked for.

    That is at most one per core, and one per core for 0. On a machine with one core
    two are still possible. A message says so when fewer threads are used than asked for.
    """
    available = count_cores()
    most = max(2, available)
    if threads > most:
        warn_once(f"{threads:,} threads are no faster than {most}, which are used instead")
    return min(threads, most) if threads > 0 else available


_thread = threading.local()  # `position`: the index of this thread in its pool, and the pool's size


def make_thread_pool(size: int) -> ThreadPoolExecutor:
    """Return a pool of threads, each of which knows its index (see `rebalance_thread`)."""
    indices = count()

    def set_position() -> None:
        _thread.position = next(indices), size

    return ThreadPoolExecutor(size, initializer=set_position)


def rebalance_thread() -> None:
    """Move this thread to a core of its own, if its pool has one thread per core.

    Linux may leave two threads on one core for 30 milliseconds while another core is idle. The
    thread is only moved, not bound to the core.
    """
    index, size = getattr(_thread, "position", (0, 1))
    if size > 1 and hasattr(os, "sched_setaffinity"):
        with suppress(OSError):
            available = os.sched_getaffinity(0)
            if len(available) == size:
                os.sched_setaffinity(0, {sorted(available)[index]})
                os.sched_setaffinity(0, available)
