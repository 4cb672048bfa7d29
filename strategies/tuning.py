"""Ranges in which the weights of a strategy may be tuned.

The module of a strategy declares them beside the default weights:

    RANGES = {"steady": {"threshold": (2, 60), "width": {"low": 1, "scale": 2, "whole": True}}}

All others are tuned without limits. A weight that may not have any number at all, such as the size
of an array, has limits that hold for users, too:

    LIMITS = {"steady": {"width": (1, 100)}}
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class WeightRange:
    """The limits within which a weight may be tuned.

    Attributes:
        low: The least value.
        high: The greatest value.
        scale: The size of a large step; 0 for the weight itself.
        whole: True for whole numbers only.
    """

    low: float = -math.inf
    high: float = math.inf
    scale: float = 0.0
    whole: bool = False


KEYS = tuple(field.name for field in fields(WeightRange))


def parse_weight_range(written: Any) -> WeightRange:
    """Return the range that `(low, high)`, or a mapping with fields of `WeightRange`, stands for.

    Raises:
        ValueError: It has neither form.
    """
    if isinstance(written, (tuple, list)) and len(written) == 2:
        low, high = written
        range_fields: Any = {"low": low, "high": high}
    else:
        range_fields = written
    if not isinstance(range_fields, Mapping) or not all(
        _is_valid(key, value) for key, value in range_fields.items()
    ):
        keys = ", ".join(KEYS)
        raise ValueError(f"is {written!r}; write (low, high), or a mapping with some of {keys}")
    return WeightRange(**range_fields)


def _is_valid(key: Any, value: Any) -> bool:
    if key == "whole":
        return isinstance(value, bool)
    if not isinstance(value, (int, float)) or isinstance(value, bool) or math.isnan(value):
        return False
    if key == "scale":
        return 0 < value < math.inf
    return key in ("low", "high")
