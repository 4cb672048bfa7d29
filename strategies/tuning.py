"""How the weights of a strategy may be tuned: what its module declares beside their defaults.

RANGES = {"steady": {"threshold": (2, 60), "plan_width": {"low": 1, "high": 6, "scale": 2, "whole": True}}}
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Tuning:
    """Between which ends a weight may lie, how much of it is a large step, and whether it is a whole number."""

    low: float = -math.inf
    high: float = math.inf
    scale: float = 0.0  # 0: as large as the weight itself
    whole: bool = False


KEYS = ", ".join(field.name for field in fields(Tuning))


def parsed(written: Any) -> Tuning:
    """The tuning of a weight from either of its forms: (low, high), or a mapping."""
    ends = isinstance(written, (tuple, list)) and len(written) == 2
    given = dict(zip(("low", "high"), written, strict=True)) if ends else written
    if not isinstance(given, Mapping) or not all(_fits(key, value) for key, value in given.items()):
        raise ValueError(f"is {written!r}; write (low, high), or a mapping with some of {KEYS}")
    return Tuning(**given)


def _fits(key: Any, value: Any) -> bool:
    if key == "whole":
        return isinstance(value, bool)
    number = (
        isinstance(value, (int, float)) and not isinstance(value, bool) and not math.isnan(value)
    )
    return number and (key in ("low", "high") or (key == "scale" and 0 < value < math.inf))
