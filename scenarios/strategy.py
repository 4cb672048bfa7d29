"""Who plays a seat, and how often wrongly, as a scenario says it. What a name stands for is found elsewhere."""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hardmode.sim.files.paths import at_home
from hardmode.sim.files.text import MOST_DIGITS, MOST_PLAYOUTS, brief
from hardmode.strategies.mistakes import CARELESS, PLAYER, Slips, parsed

SEARCH = re.compile(r"search(?::([0-9]+))?(?::(.+))?")
KEYS = ("name", "search", "playouts", "weights", "slips")
FORMS = (
    "a name, path/to/mine.py:name, {name: steady, weights: {...}} or {search: steady, playouts: 64}"
)


@dataclass(frozen=True)
class StrategySpec:
    """A strategy by name, its changed weights, or a search on top of it."""

    name: str
    weights: dict[str, float] = field(default_factory=dict)
    playouts: int | None = None
    search: bool = False
    file: Path | None = None  # a user's own file, of strategies or of a player
    slips: Slips | None = None  # where nothing is said, those of whatever the name stands for

    @property
    def full_name(self) -> str:
        """The name by which it is looked up."""
        return (
            f"{self.file}:{self.name}"
            if self.file and not self.is_player
            else str(self.file or self.name)
        )

    @property
    def is_player(self) -> bool:
        """Whether its file is a player's, and holds weights, and no strategies."""
        return self.file is not None and self.file.suffix in PLAYER

    def __str__(self) -> str:
        name = f"{self.file.name}:{self.name}" if self.file and not self.is_player else self.name
        if self.search:
            name = f"search:{self.playouts}:{name}" if self.playouts else f"search on {name}"
        weights = ", ".join(f"{k} {v:g}" for k, v in self.weights.items())
        slips = f" with {self.slips} slips" if self.slips and self.slips.share else ""
        return f"{name} ({weights}){slips}" if weights else name + slips

    @property
    def canonical(self) -> list[Any]:
        """What it is in a digest: without the folder that holds a user's file, and with what a player's file says."""
        file = self.file.name if self.file else ""
        slips = [str(self.slips)] if self.slips and self.slips.share else []
        held = [digest_of(self.file)] if self.file and self.is_player else []
        return [
            self.name,
            file,
            self.search,
            self.playouts,
            sorted(self.weights.items()),
            *slips,
            *held,
        ]


def digest_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16] if file.is_file() else ""


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
        wrong = (
            f"{unknown[0]!r} is not a key of a strategy"
            if unknown
            else "a strategy has a name or a search"
        )
        raise ValueError(f"{wrong}; it is {FORMS}")
    name = written.get("name", written.get("search"))
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{name!r} is not the name of a strategy")
    made = _named(name.strip(), _weights(written.get("weights", {})), folder)
    if "search" in written or "playouts" in written:
        made = StrategySpec(made.name, made.weights, _playouts(written, made), True, made.file)
    return replace(made, slips=slips(written["slips"], folder)) if "slips" in written else made


def slips(written: Any, folder: Path | None = None) -> Slips:
    """Slips as they are written, with the strategy that chooses then found where the file lies."""
    made = parsed(written)
    if made.by == CARELESS:
        return made
    by = _named(made.by, {}, folder)
    if by.search:
        raise ValueError(
            f"{written!r}: what is chosen by a slip is a strategy's choice, not a search's"
        )
    return Slips(made.share, by.full_name)


def _playouts(written: dict[str, Any], made: StrategySpec) -> int | None:
    playouts = written.get("playouts", made.playouts)
    if "search" not in written and not made.search:
        raise ValueError(
            f"playouts belong to a search: {{search: {written['name']}, playouts: {playouts}}}"
        )
    if playouts is not None and (type(playouts) is not int or not 1 <= playouts <= MOST_PLAYOUTS):
        raise ValueError(
            f"playouts is {brief(playouts)}; it must be a whole number from 1 to {MOST_PLAYOUTS:,}"
        )
    return playouts


def _count(digits: str) -> int:
    if len(digits) > MOST_DIGITS or not 1 <= int(digits) <= MOST_PLAYOUTS:
        raise ValueError(
            f"search takes 1 to {MOST_PLAYOUTS:,} playouts, not {digits[:MOST_DIGITS]}"
        )
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
        raise ValueError(
            f"the weight {name} is {brief(value)}; it must be a plain number"
        ) from None


def _named(name: str, weights: dict[str, float], folder: Path | None) -> StrategySpec:
    search = SEARCH.fullmatch(name)
    if search:
        base = _named(search[2] or "steady", weights, folder)
        return StrategySpec(
            base.name, weights, _count(search[1]) if search[1] else None, True, base.file
        )
    if name.endswith(PLAYER):
        return StrategySpec(
            Path(name).name, weights, file=(folder or Path()) / Path(name).expanduser()
        )
    if ".py" not in name:
        return StrategySpec(name, weights)
    file, _, function = name.rpartition(":")
    if not file.endswith(".py") or not function:
        raise ValueError(
            f"say which function of {name.split(':')[0]} plays, as in mine.py:my_strategy"
        )
    path = at_home(file)
    return StrategySpec(function, weights, file=(folder or Path()) / path)
