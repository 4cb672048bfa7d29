"""The cores of the machine: how many threads play, and where each of them does."""

from __future__ import annotations

import os
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def sensible(threads: int) -> int:
    """So many threads: one for each core, or fewer; two where there is one, so that whoever asks for two gets them."""
    free = cores()
    most = max(2, free)
    if threads > most:
        told = f"{threads:,} threads help no more than {most}, which play now"
        warnings.warn(told, stacklevel=1)  # from one place, whoever asks: once
    return min(threads, most) if threads > 0 else free


_here = (
    threading.local()
)  # `place`: which of the threads that play side by side this one is, and of how many


def pool(size: int) -> ThreadPoolExecutor:
    """So many threads, each of which knows its place among them."""
    numbers = count()

    def take_place() -> None:
        _here.place = next(numbers), size

    return ThreadPoolExecutor(size, initializer=take_place)


def to_a_core_of_its_own() -> None:
    """Where there is a thread for each core. Linux wakes a thread beside whoever wakes it, and may leave two on one
    core for 30 milliseconds, while another core has nothing to do."""
    place, of = getattr(_here, "place", (0, 1))
    if of > 1 and hasattr(os, "sched_setaffinity"):
        with suppress(OSError):
            free = os.sched_getaffinity(0)
            if len(free) == of:
                os.sched_setaffinity(0, {sorted(free)[place]})
                os.sched_setaffinity(0, free)  # from where it may be moved again
