"""Which games: ranges of their numbers, from the first to one beyond the last."""

from __future__ import annotations

from collections.abc import Iterable

Ranges = list[tuple[int, int]]


def joined(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The same games in as few ranges as possible."""
    out: Ranges = []
    for lo, hi in sorted(r for r in ranges if r[0] < r[1]):
        if out and lo <= out[-1][1]:
            out[-1] = (out[-1][0], max(hi, out[-1][1]))
        else:
            out.append((lo, hi))
    return out


def missing(ranges: Iterable[tuple[int, int]], lo: int, hi: int) -> Ranges:
    """What of lo..hi-1 is in none of the ranges."""
    gaps, at = [], lo
    for a, b in joined(ranges):
        if b <= at or a >= hi:
            continue
        if a > at:
            gaps.append((at, a))
        at = max(at, b)
    if at < hi:
        gaps.append((at, hi))
    return gaps


def overlap(a: Ranges, b: Ranges) -> bool:
    return sum(h - lo for lo, h in joined([*a, *b])) < sum(
        h - lo for lo, h in [*joined(a), *joined(b)]
    )
