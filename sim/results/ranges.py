"""Ranges of game numbers: half-open, from the first number to one beyond the last."""

from __future__ import annotations

from collections.abc import Iterable

Ranges = list[tuple[int, int]]


def join_ranges(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the same numbers as few, sorted and disjoint ranges.

    >>> join_ranges([(5, 8), (0, 3), (3, 5)])
    [(0, 8)]
    """
    joined: Ranges = []
    for start, stop in sorted(r for r in ranges if r[0] < r[1]):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
        else:
            joined.append((start, stop))
    return joined


def find_gaps(ranges: Iterable[tuple[int, int]], start: int, stop: int) -> Ranges:
    """Return the numbers from `start` to `stop` - 1 that are in none of the ranges.

    >>> find_gaps([(2, 4)], 0, 10)
    [(0, 2), (4, 10)]
    """
    gaps: Ranges = []
    position = start
    clipped = ((max(a, start), min(b, stop)) for a, b in ranges)
    for range_start, range_stop in join_ranges(clipped):
        if range_start > position:
            gaps.append((position, range_start))
        position = range_stop
    if position < stop:
        gaps.append((position, stop))
    return gaps


def ranges_overlap(first: Ranges, second: Ranges) -> bool:
    """Return whether a number is in both lists of ranges."""
    together = _count_numbers([*first, *second])
    return together < _count_numbers(first) + _count_numbers(second)


def _count_numbers(ranges: Ranges) -> int:
    return sum(stop - start for start, stop in join_ranges(ranges))
