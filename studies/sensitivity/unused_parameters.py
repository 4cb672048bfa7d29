"""Which numbers of a variant change nothing, and what the others change: the box, filled with each number moved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hardmode.scenarios.parameter import Leaf, misfit
from hardmode.scenarios.variant import UNUSABLE, Variant
from hardmode.sim.contract import Game, Values
from hardmode.sim.records import blank, readable


def unread(variant: Variant) -> list[str]:
    """The paths that make no difference to the box; one that no other value fits is not among them."""
    before = _filled(variant.game, variant.values)
    return [path for path, leaf in variant.leaves.items() if not _matters(variant, leaf, before)]


def moved_by(variant: Variant) -> dict[str, list[Leaf]]:
    """The numbers that each field of the record of the box comes from: those that change it."""
    before, found = _filled(variant.game, variant.values), dict[str, list[Leaf]]()
    for path, leaf in variant.leaves.items():
        for value in others(leaf, variant.values[path]):
            box = _filled(variant.game, {**variant.values, path: value})
            if before is None or box is None or np.array_equal(box, before):
                continue
            for name, (at, other) in _fields(variant.game.box, before, box).items():
                if not np.array_equal(at, other):
                    found.setdefault(name, []).append(leaf)
            break
    return found


def _fields(dtype: np.dtype, *boxes: np.ndarray) -> dict[str, tuple[np.ndarray, ...]]:
    """The bytes of each field of some boxes, and of each field of the records in them."""
    found: dict[str, tuple[np.ndarray, ...]] = {}
    for name in dtype.names or ():
        values = tuple(box.view(dtype).reshape(-1)[name] for box in boxes)
        inner = values[0].dtype
        for below in inner.names or ():
            found[f"{name}.{below}"] = tuple(value[below] for value in values)
        if not inner.names:
            found[name] = values
    return found


def _matters(variant: Variant, leaf: Leaf, before: np.ndarray | None) -> bool:
    if before is None:
        return True
    usable = False
    for value in others(leaf, variant.values[leaf.path]):
        box = _filled(variant.game, {**variant.values, leaf.path: value})
        usable |= box is not None
        if box is not None and not np.array_equal(box, before):
            return True
    return not usable


def _filled(game: Game, values: dict[str, Any]) -> np.ndarray | None:
    """The bytes of the box; none where the game refuses these values."""
    box = blank(game.box)
    try:
        game.fill(readable(box), Values(values))
    except UNUSABLE:
        return None
    return np.asarray(box).view(np.ndarray).view(np.uint8)


def others(leaf: Leaf, value: Any) -> Iterator[Any]:
    """Other values that a number may have; of a list, each with one other item."""
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from ([*value[:i], other, *value[i + 1 :]] for other in _other_items(leaf, item))
        return
    yield from _other_items(leaf, value)


def _other_items(leaf: Leaf, item: Any) -> Iterator[Any]:
    near = (
        [item + 1, item - 1, 2 * item + 1]
        if isinstance(item, (int, float)) and not isinstance(item, bool)
        else []
    )
    ends = [e for e in (*(leaf.range or ()), leaf.min, leaf.max) if e is not None]
    for other in dict.fromkeys([*leaf.choices, *map(leaf.type, ends), *near]):
        if type(other) is type(item) and other != item and not misfit(leaf, other):
            yield other
