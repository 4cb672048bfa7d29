"""Mistakes: the share of decisions that a player gets wrong, and who chooses then."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

MISTAKES_PATTERN = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)\s*(%?)(?:\s*:\s*(\S.*))?")
DEFAULT_MISTAKE_PLAYER = "random"
PLAYER_SUFFIXES = (".yaml", ".yml")  # of player files
MISTAKES_SCHEMA = {
    "anyOf": [
        {"type": "number", "minimum": 0, "maximum": 1},
        {
            "type": "string",
            "pattern": r"^\s*[0-9.]+\s*%?\s*(:.+)?$",
            "examples": ["20%", "20%:beginner"],
        },
    ]
}


@dataclass(frozen=True)
class MistakeModel:
    """The share of decisions that a player hands to a worse one.

    Attributes:
        rate: The share of decisions, from 0 to 1.
        player: The strategy that chooses then.
    """

    rate: float = 0.0
    player: str = DEFAULT_MISTAKE_PLAYER

    def __str__(self) -> str:
        player = f":{self.player}" if self.player != DEFAULT_MISTAKE_PLAYER else ""
        return f"{100 * self.rate:.10g}%{player}"


def parse_mistakes(written: Any) -> MistakeModel:
    """Return the mistakes that `20%`, `0.2` or `20%:beginner` stands for.

    Raises:
        ValueError: It is no share of decisions, or names a search.
    """
    if isinstance(written, MistakeModel):
        return written
    match = MISTAKES_PATTERN.fullmatch(written.strip()) if isinstance(written, str) else None
    rate, player = written, None
    if match:
        rate, player = float(match[1]) / (100 if match[2] else 1), match[3]
    if type(rate) not in (int, float) or not 0 <= rate <= 1:
        raise ValueError(
            f"{written!r} is not a share of decisions from 0% to 100%; write 20%, or 20%:beginner "
            "to say who chooses then"
        )
    if not player:
        return MistakeModel(float(rate))
    if player.split(":")[0] == "search":
        raise ValueError(make_search_message(written))
    return MistakeModel(rate, player)


def make_search_message(written: Any) -> str:
    """Return the message for mistakes that are chosen by a search."""
    return f"{written!r}: a mistake is chosen by a strategy, not a search"
