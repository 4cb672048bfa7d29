"""Processor cores: how many threads to use."""

from __future__ import annotations

import os

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
