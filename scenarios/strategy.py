"""Strategies as scenarios specify them: a name, weights, a search on top, and mistakes.

The strategies that names stand for are found in `hardmode.strategies.registry`.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hardmode.scenarios.labels import MISTAKES_KEY, OLD_MISTAKES_KEY
from hardmode.sim.files.paths import expand_home
from hardmode.sim.files.text import MAX_DIGITS, MAX_PLAYOUTS, shorten_value
from hardmode.strategies.mistakes import (
    DEFAULT_MISTAKE_PLAYER,
    PLAYER_SUFFIXES,
    MistakeModel,
    make_search_message,
    parse_mistakes,
)

SEARCH = re.compile(r"search(?::([0-9]+))?(?::(.+))?")
KEYS = ("name", "search", "playouts", "weights", MISTAKES_KEY, OLD_MISTAKES_KEY)
FORMS = (
    "a name, path/to/mine.py:name, {name: steady, weights: {...}} or {search: steady, playouts: 64}"
)


@dataclass(frozen=True)
class StrategySpec:
    """A strategy by name, its changed weights, and a search on top of it.

    Attributes:
        name: The name in the game, the name of a function in `file`, or that of a player file.
        weights: The weights that differ from those of the strategy.
        playouts: The playouts of the search at each decision; None for the usual number.
        search: True for a search that plays out games with this strategy.
        file: The user's own file of strategies or of a player.
        mistakes: The mistakes; None for those that a player file has.
    """

    name: str
    weights: dict[str, float] = field(default_factory=dict)
    playouts: int | None = None
    search: bool = False
    file: Path | None = None
    mistakes: MistakeModel | None = None

    @property
    def full_name(self) -> str:
        """The name by which the registry finds the strategy."""
        if self.file and not self.is_player_file:
            return f"{self.file}:{self.name}"
        return str(self.file or self.name)

    @property
    def is_player_file(self) -> bool:
        """True if `file` is a player file, which holds weights and no strategies."""
        return self.file is not None and self.file.suffix in PLAYER_SUFFIXES

    def __str__(self) -> str:
        name = (
            f"{self.file.name}:{self.name}" if self.file and not self.is_player_file else self.name
        )
        if self.search:
            name = f"search:{self.playouts}:{name}" if self.playouts else f"search on {name}"
        if self.weights:
            weights = [f"{key} {value:g}" for key, value in self.weights.items()]
            name += f" ({', '.join(weights)})"
        if self.mistakes and self.mistakes.rate:
            name += f" with {self.mistakes} slips"
        return name

    @property
    def canonical_form(self) -> list[Any]:
        """The strategy as digests have it.

        It holds the name of a user's file without its folder, and the content of a player file.
        """
        form: list[Any] = [
            self.name,
            self.file.name if self.file else "",
            self.search,
            self.playouts,
            sorted(self.weights.items()),
        ]
        if self.mistakes and self.mistakes.rate:
            form.append(str(self.mistakes))
        if self.file and self.is_player_file:
            form.append(hash_file(self.file))
        return form


def hash_file(file: Path) -> str:
    """Return 16 hexadecimal digits of the SHA-256 digest of a file, or "" if it is missing."""
    if not file.is_file():
        return ""
    digest = hashlib.sha256(file.read_bytes())
    return digest.hexdigest()[:16]


def parse_strategy(written: Any, folder: Path | None = None) -> StrategySpec:
    """Return the strategy that any of its written forms stands for.

    Args:
        written: A name, a mapping or a `StrategySpec`.
        folder: The folder in which the user's files are looked for.

    Raises:
        ValueError: It has none of the forms.

    Example:
        >>> parse_strategy({"search": "steady", "playouts": 64, "mistakes": "20%"})
    """
    if isinstance(written, StrategySpec):
        return written
    if isinstance(written, str) and written.strip():
        return _parse_name(written.strip(), {}, folder)
    if not isinstance(written, dict):
        raise ValueError(f"a strategy is {FORMS}")
    _check_keys(written)
    name = written.get("name", written.get("search"))
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{name!r} is not the name of a strategy")
    spec = _parse_name(name.strip(), _parse_weights(written.get("weights", {})), folder)
    if "search" in written or "playouts" in written:
        playouts = _parse_playouts(written, spec)
        spec = replace(spec, playouts=playouts, search=True)
    for key in (MISTAKES_KEY, OLD_MISTAKES_KEY):
        if key in written:
            spec = replace(spec, mistakes=parse_strategy_mistakes(written[key], folder))
    return spec


def _check_keys(written: dict[str, Any]) -> None:
    unknown = [key for key in written if key not in KEYS]
    problem = ""
    if unknown:
        problem = f"{unknown[0]!r} is not a key of a strategy"
    elif ("name" in written) == ("search" in written):
        problem = "a strategy has a name or a search"
    elif MISTAKES_KEY in written and OLD_MISTAKES_KEY in written:
        problem = f"{OLD_MISTAKES_KEY!r} is the old name of {MISTAKES_KEY!r}; give only one of them"
    if problem:
        raise ValueError(f"{problem}; it is {FORMS}")


def parse_strategy_mistakes(written: Any, folder: Path | None = None) -> MistakeModel:
    """Return the mistakes of a strategy, with the full name of the strategy that chooses then.

    Args:
        written: The mistakes in any of their forms.
        folder: The folder in which the user's files are looked for.

    Raises:
        ValueError: They have none of the forms.
    """
    mistakes = parse_mistakes(written)
    if mistakes.player == DEFAULT_MISTAKE_PLAYER:
        return mistakes
    player = _parse_name(mistakes.player, {}, folder)
    if player.search:
        raise ValueError(make_search_message(written))
    return MistakeModel(mistakes.rate, player.full_name)


def _parse_playouts(written: dict[str, Any], spec: StrategySpec) -> int | None:
    playouts = written.get("playouts", spec.playouts)
    if "search" not in written and not spec.search:
        raise ValueError(
            f"playouts belong to a search: {{search: {written['name']}, playouts: {playouts}}}"
        )
    if playouts is not None and (type(playouts) is not int or not 1 <= playouts <= MAX_PLAYOUTS):
        raise ValueError(
            f"playouts is {shorten_value(playouts)}; "
            f"it must be a whole number from 1 to {MAX_PLAYOUTS:,}"
        )
    return playouts


def _parse_count(digits: str) -> int:
    if len(digits) <= MAX_DIGITS:
        count = int(digits)
        if 1 <= count <= MAX_PLAYOUTS:
            return count
    shown = digits[:MAX_DIGITS]
    raise ValueError(f"search takes 1 to {MAX_PLAYOUTS:,} playouts, not {shown}")


def _parse_weights(written: Any) -> dict[str, float]:
    if not isinstance(written, dict):
        raise ValueError("weights is a mapping of names to numbers")
    return {name: _parse_weight(name, value) for name, value in written.items()}


def _parse_weight(name: str, value: Any) -> float:
    number = math.nan
    if not isinstance(value, bool) and not str(value).startswith("+"):
        with contextlib.suppress(TypeError, ValueError, OverflowError):
            number = float(value.lstrip("=") if isinstance(value, str) else value)
    if not math.isfinite(number):
        text = shorten_value(value)
        raise ValueError(f"the weight {name} is {text}; it must be a plain number")
    return number


def _parse_name(name: str, weights: dict[str, float], folder: Path | None) -> StrategySpec:
    search = SEARCH.fullmatch(name)
    if search:
        base = _parse_name(search[2] or "steady", weights, folder)
        playouts = _parse_count(search[1]) if search[1] else None
        return StrategySpec(base.name, weights, playouts, True, base.file)
    home = folder or Path()
    if name.endswith(PLAYER_SUFFIXES):
        return StrategySpec(Path(name).name, weights, file=home / Path(name).expanduser())
    if ".py" not in name:
        return StrategySpec(name, weights)
    file, _, function = name.rpartition(":")
    if not file.endswith(".py") or not function:
        raise ValueError(
            f"say which function of {name.split(':')[0]} plays, as in mine.py:my_strategy"
        )
    return StrategySpec(function, weights, file=home / expand_home(file))
