"""Changes to the numbers of a box: absolute, relative, of one item; each held against its leaf.

    3  true  hard  [1, 2]    the value itself
    =-1                      a negative value itself (a bare -1 is relative)
    +1  -2  +0.5             relative: what stands there, and so much more or less
    x1.5                     relative: what stands there, so many times (a whole number stays whole)

A relative change to a list changes each of its items. In a path, `*` stands for any one name: `boss.*.hearts`
changes the hearts of every boss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from hardmode.scenarios.parameter import TYPES, Leaf, misfit, yaml_text
from hardmode.sim.files.text import FIGURE, brief
from hardmode.sim.files.yaml_io.errors import NOWHERE, Place, ScenarioError, nearest

RELATIVE = re.compile(rf"([-+x])\s*({FIGURE})")
EXACT = re.compile(rf"=\s*(-?{FIGURE})")
ITEM = re.compile(r"(.+)\[\s*(-?[0-9]{1,9})\s*\]")
WIDEST = 2**63
LARGEST, FINEST = 40, 400  # digits in front of the point, and behind it
ANY_NAME = "*"


@dataclass(frozen=True)
class Change:
    """One change as it was written: `written` is the path as its writer said it."""

    path: str
    value: Any
    place: Place = NOWHERE
    written: str = ""

    @property
    def relative(self) -> bool:
        return isinstance(self.value, str) and bool(RELATIVE.fullmatch(self.value))

    def wrong(self, message: str, close: Iterable[str] = ()) -> ScenarioError:
        return ScenarioError(self.place, self.written or self.path, message, close)


def split(change: Change, leaves: Mapping[str, Leaf]) -> tuple[Leaf, int | None]:
    """The leaf that a change means, and which item of it."""
    item = ITEM.fullmatch(change.path)
    path = item[1] if item else change.path
    if path not in leaves:
        below = [p for p in leaves if p.startswith(path + ".")]
        if below:
            raise change.wrong("is a group of numbers, not one of them", below[:3])
        raise change.wrong("no such number", nearest(path, leaves))
    if item and not isinstance(leaves[path].value, list):
        raise change.wrong(f"is a single value; write {path}")
    return leaves[path], int(item[2]) if item else None


def spread(changes: Iterable[Change], leaves: Mapping[str, Leaf]) -> list[Change]:
    """The changes number by number, where a path with `*` fits several."""
    return [one for change in changes for one in _spread(change, leaves)]


def _spread(change: Change, leaves: Mapping[str, Leaf]) -> list[Change]:
    if ANY_NAME not in change.path:
        return [change]
    item = ITEM.fullmatch(change.path)
    names = (item[1] if item else change.path).split(".")
    fit = [path for path in leaves if fits(path.split("."), names)]
    if not fit:
        raise change.wrong("fits no number", nearest(".".join(names), _alike(names, leaves)))
    end = f"[{item[2]}]" if item else ""
    return [replace(change, path=path + end, written=path + end) for path in fit]


def _alike(names: Sequence[str], leaves: Iterable[str]) -> set[str]:
    """The paths of as many names, with any name where the path that was meant has any."""
    parts = (path.split(".") for path in leaves)
    return {
        ".".join(n if n == ANY_NAME else part for part, n in zip(path, names, strict=True))
        for path in parts
        if len(path) == len(names)
    }


def fits(path: Sequence[str], names: Sequence[str]) -> bool:
    return len(path) == len(names) and all(
        name in (part, ANY_NAME) for part, name in zip(path, names, strict=True)
    )


def at(values: Mapping[str, Any], path: str) -> Any:
    """What stands at a path, or at one item of it."""
    item = ITEM.fullmatch(path)
    return values[item[1]][int(item[2])] if item else values[path]


def apply(values: dict[str, Any], change: Change, leaves: Mapping[str, Leaf]) -> Leaf:
    """Write one change into the values; relative ones count from what stands there."""
    leaf, item = split(change, leaves)
    now = values[leaf.path]
    if item is not None:
        if not 0 <= item < len(now):
            raise change.wrong(f"there is no item {item}: there are {len(now)}, numbered from 0")
        values[leaf.path] = [
            *now[:item],
            _one(change, leaf, change.value, now[item]),
            *now[item + 1 :],
        ]
    elif isinstance(leaf.value, list):
        values[leaf.path] = _whole_list(change, leaf, now)
    else:
        values[leaf.path] = _one(change, leaf, change.value, now)
    return leaf


def _whole_list(change: Change, leaf: Leaf, now: list[Any]) -> list[Any]:
    if change.relative and leaf.type in (int, float):
        return [_one(change, leaf, change.value, item) for item in now]
    if not isinstance(change.value, list):
        raise change.wrong(
            f"is {_seen(change.value)}; it must be a list, such as {yaml_text(leaf.value)}"
        )
    return [_one(change, leaf, item, None) for item in change.value]


def _one(change: Change, leaf: Leaf, written: Any, now: Any) -> Any:
    value = _typed(change, leaf, _resolved(change, leaf, written, now))
    problem = misfit(leaf, value)
    if problem:
        names = [c for c in leaf.choices if isinstance(c, str)]
        raise change.wrong(problem, nearest(value, names) if isinstance(value, str) else ())
    return value


def _resolved(change: Change, leaf: Leaf, written: Any, now: Any) -> Any:
    if not isinstance(written, str) or leaf.type is str:
        return written
    exact = EXACT.fullmatch(written)
    if exact:
        return _number(change, exact[1])
    relative = RELATIVE.fullmatch(written)
    if not relative or leaf.type is bool:
        return written
    if now is None:
        number = "=" + written.lstrip("+x")
        raise change.wrong(
            f"{written} in a list has nothing to be relative to; write {number} for the number, "
            f"or change one item: {leaf.path}[0]: {written}"
        )
    by, there = _decimal(change, relative[2]), Decimal(str(now))
    result = {"+": there + by, "-": there - by, "x": there * by}[relative[1]]
    if leaf.type is float:
        return float(result)
    if relative[1] == "x":
        result = result.to_integral_value(ROUND_HALF_UP)
    return int(result) if result == int(result) else float(result)


def _number(change: Change, text: str) -> int | float:
    value = _decimal(change, text)
    return int(value) if re.fullmatch(r"-?[0-9_]+", text) else float(value)


def _decimal(change: Change, text: str) -> Decimal:
    """A figure exactly; one beyond all that a box can hold is refused before it takes the time to be written out."""
    try:
        value = Decimal(text.replace("_", ""))
    except ArithmeticError:
        raise change.wrong("is too large a number") from None
    if value and not -FINEST < value.adjusted() < LARGEST:
        raise change.wrong(f"is too {'large' if value.adjusted() > 0 else 'small'} a number")
    return value


def _typed(change: Change, leaf: Leaf, value: Any) -> Any:
    want = leaf.type
    if want is float and type(value) is int:
        value = float(value)
    if type(value) is not want:
        need = f"one of {', '.join(map(yaml_text, leaf.choices))}" if leaf.choices else TYPES[want]
        raise change.wrong(f"is {_seen(value)}; it must be {need}")
    if isinstance(value, (int, float)) and not abs(value) < WIDEST:
        raise change.wrong("is too large a number")
    return value


def _seen(value: Any) -> str:
    if value is None:
        return "empty"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, str):
        return value if value.isidentifier() and len(value) < 60 else f"the text {brief(value)}"
    return yaml_text(value)
