"""Who plays a seat, as a scenario says it. What a name stands for is found elsewhere."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardmode.sim.paths import at_home
from hardmode.sim.text import MOST_DIGITS, brief

MOST_PLAYOUTS = 100_000  # that search may spend on a decision
SEARCH = re.compile(r"search(?::([0-9]+))?(?::(.+))?")
KEYS = ("name", "search", "playouts", "weights")
FORMS = "a name, path/to/mine.py:name, {name: steady, weights: {...}} or {search: steady, playouts: 64}"


@dataclass(frozen=True)
class StrategySpec:
    """A strategy by name, its changed weights, or a search on top of it."""

    name: str
    weights: dict[str, float] = field(default_factory=dict)
    playouts: int | None = None
    search: bool = False
    file: Path | None = None  # a user's own file

    @property
    def full_name(self) -> str:
        """The name by which it is looked up."""
        return f"{self.file}:{self.name}" if self.file else self.name

    def __str__(self) -> str:
        name = f"{self.file.name}:{self.name}" if self.file else self.name
        if self.search:
            name = f"search:{self.playouts}:{name}" if self.playouts else f"search on {name}"
        weights = ", ".join(f"{k} {v:g}" for k, v in self.weights.items())
        return f"{name} ({weights})" if weights else name

    @property
    def canonical(self) -> list[Any]:
        """What it is in a digest: without the folder that holds a user's file."""
        file = self.file.name if self.file else ""
        return [self.name, file, self.search, self.playouts, sorted(self.weights.items())]


def spec(written: Any, folder: Path | None = None) -> StrategySpec:
    """A strategy from any of its forms; a user's file is looked for from the folder."""
    if isinstance(written, StrategySpec):
        return written
    if isinstance(written, str) and written.strip():
        return _named(written.strip(), {}, folder)
    if not isinstance(written, dict):
        raise ValueError(f"a strategy is {FORMS}")
    unknown = [k for k in written if k not in KEYS]
    if unknown or ("name" in written) == ("search" in written):
        wrong = f"{unknown[0]!r} is no key of a strategy" if unknown else "a strategy has a name or a search"
        raise ValueError(f"{wrong}; it is {FORMS}")
    name = written.get("name", written.get("search"))
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{name!r} is no name of a strategy")
    made = _named(name.strip(), _weights(written.get("weights", {})), folder)
    if "search" in written or "playouts" in written:
        made = StrategySpec(made.name, made.weights, _playouts(written, made), True, made.file)
    return made


def _playouts(written: dict[str, Any], made: StrategySpec) -> int | None:
    playouts = written.get("playouts", made.playouts)
    if "search" not in written and not made.search:
        raise ValueError(f"playouts belong to a search: {{search: {written['name']}, playouts: {playouts}}}")
    if playouts is not None and (type(playouts) is not int or not 1 <= playouts <= MOST_PLAYOUTS):
        raise ValueError(f"playouts is {brief(playouts)}; it must be a whole number from 1 to {MOST_PLAYOUTS:,}")
    return playouts


def _count(digits: str) -> int:
    if len(digits) > MOST_DIGITS or not 1 <= int(digits) <= MOST_PLAYOUTS:
        raise ValueError(f"search takes 1 to {MOST_PLAYOUTS:,} playouts, not {digits[:MOST_DIGITS]}")
    return int(digits)


def _weights(written: Any) -> dict[str, float]:
    if not isinstance(written, dict):
        raise ValueError("weights is a mapping of names to numbers")
    return {name: _weight(name, value) for name, value in written.items()}


def _weight(name: str, value: Any) -> float:
    try:
        if isinstance(value, bool) or str(value).startswith("+"):
            raise ValueError
        number = float(value.lstrip("=") if isinstance(value, str) else value)
        if not math.isfinite(number):
            raise ValueError
        return number
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"the weight {name} is {brief(value)}; it must be a plain number") from None


def _named(name: str, weights: dict[str, float], folder: Path | None) -> StrategySpec:
    search = SEARCH.fullmatch(name)
    if search:
        base = _named(search[2] or "steady", weights, folder)
        return StrategySpec(base.name, weights, _count(search[1]) if search[1] else None, True, base.file)
    if ".py" not in name:
        return StrategySpec(name, weights)
    file, _, function = name.rpartition(":")
    if not file.endswith(".py") or not function:
        raise ValueError(f"say which function of {name.split(':')[0]} plays, as in mine.py:my_strategy")
    path = at_home(file)
    return StrategySpec(function, weights, file=(folder or Path()) / path)
