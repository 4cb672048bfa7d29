"""Slips: the share of decisions that a player gets wrong, and who chooses then."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

SHARE = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)\s*(%?)(?:\s*:\s*(\S.*))?")
CARELESS = "random"
PLAYER = (".yaml", ".yml")  # what player files end with
SLIPS = {
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
class Slips:
    """The share of decisions that a player gets wrong, and the strategy that chooses then."""

    share: float = 0.0
    by: str = CARELESS

    def __str__(self) -> str:
        return f"{100 * self.share:.10g}%{f':{self.by}' if self.by != CARELESS else ''}"


def parsed(written: Any) -> Slips:
    """Slips from any of their forms: 20%, 0.2, or 20%:beginner."""
    if isinstance(written, Slips):
        return written
    said = SHARE.fullmatch(written.strip()) if isinstance(written, str) else None
    share = float(said[1]) / (100 if said[2] else 1) if said else written
    if type(share) not in (int, float) or not 0 <= share <= 1:
        raise ValueError(
            f"{written!r} is not a share of decisions from 0% to 100%; write 20%, or 20%:beginner for who "
            "chooses then"
        )
    if not said or not said[3]:
        return Slips(float(share))
    if said[3].split(":")[0] == "search":
        raise ValueError(
            f"{written!r}: what is chosen by a slip is a strategy's choice, not a search's"
        )
    return Slips(share, said[3])
