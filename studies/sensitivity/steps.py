"""One plausible step of a number: up and down, or each other reading of a choice; and how far it may go."""

from __future__ import annotations

from math import inf
from typing import Any

from hardmode.scenarios.parameter import Leaf

SHARE = (
    10  # a step is a tenth of the plausible range, or of the number itself where no range is known
)


def neighbours(leaf: Leaf, now: Any) -> list[Any]:
    """The values one plausible step away. A list of numbers moves as a whole; names that can be any have none."""
    if leaf.choices:
        return [] if isinstance(now, list) else [c for c in leaf.choices if c != now]
    if leaf.type not in (int, float) or now == []:
        return []
    by = step(leaf, now)
    return [there for there in (moved(leaf, now, -by), moved(leaf, now, by)) if there != now]


def step(leaf: Leaf, now: Any) -> float:
    items = now if isinstance(now, list) else [now]
    span = leaf.range[1] - leaf.range[0] if leaf.range else sum(map(abs, items)) / len(items)
    return max(1, round(span / SHARE)) if leaf.type is int else span / SHARE or 1 / SHARE


def moved(leaf: Leaf, now: Any, by: float) -> Any:
    """The number, or each of a list, so much further, but not beyond what is plausible and possible."""
    if isinstance(now, list):
        return [moved(leaf, item, by) for item in now]
    low, high = limits(leaf)
    there = min(max(now + by, min(low, now)), max(high, now))
    return int(there) if leaf.type is int else float(f"{there:.9g}")


def limits(leaf: Leaf) -> tuple[float, float]:
    """From where to where the number is plausible and possible; infinite where nobody says."""
    low, high = leaf.range or (-inf, inf)
    return (
        max(low, -inf if leaf.min is None else leaf.min),
        min(high, inf if leaf.max is None else leaf.max),
    )
