"""Candidates of a search: options that are sorted by what they gained, and dropped."""

from __future__ import annotations

from typing import Any

from hardmode.sim.records import rule


@rule
def sort_by_gain(candidates: Any, n: int, gains: Any) -> None:
    """Sort the first n candidates by gain, largest first; earlier options win ties."""
    for j in range(1, n):
        i = candidates[j]
        k = j
        while k > 0 and gains[candidates[k - 1]] < gains[i]:
            candidates[k] = candidates[k - 1]
            k -= 1
        candidates[k] = i


@rule
def count_survivors(candidates: Any, n: int, gains: Any) -> int:
    """Return how many of the sorted candidates stay: of the better half, those with a gain."""
    survivors = (n + 1) // 2
    while survivors > 0 and gains[candidates[survivors - 1]] <= 0:
        survivors -= 1
    return survivors
