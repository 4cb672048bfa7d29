"""Numbers with a name in the rules and a printed name, declared together."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np


def write_name(cells: Any, text: str) -> None:
    """Store a name in int8 cells of a record as UTF-8, cut to their number."""
    encoded = text.encode()[: len(cells)]
    signed = [byte - 256 if byte > 127 else byte for byte in encoded]
    cells[: len(encoded)] = signed


def read_name(cells: Any) -> str:
    """Return the name that `write_name` stored."""
    encoded = np.asarray(cells).astype(np.uint8).tobytes().replace(b"\0", b"")
    return encoded.decode(errors="ignore")  # the last letter may have been cut in two


class Named(IntEnum):
    """Enumeration whose members are numbered from 0 and have printed names.

    Example:
        class Die(Named):
            BLANK = "blank"
            HIT = "a hit"

        Die.HIT == 1 and Die.HIT.label == "a hit"
    """

    label: str

    def __new__(cls, label: Any) -> Named:
        """Create the next member."""
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        member.label = label
        return member

    @classmethod
    @cache
    def labels(cls) -> tuple[str, ...]:
        """Return the printed names in the order of the numbers."""
        return tuple(member.label for member in cls)
