"""Numbers that have a name in the rules and a name in print, made together so that neither can slip."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np


def write_name(cells: Any, text: str) -> None:
    """A name of the box, kept in its record byte by byte, so that what is told uses the scenario's own."""
    told = text.encode()[: len(cells)]
    cells[: len(told)] = [
        byte - 256 if byte > 127 else byte for byte in told
    ]  # the cells of a record have a sign


def read_name(cells: Any) -> str:
    told = np.asarray(cells).astype(np.uint8).tobytes().replace(b"\0", b"")
    return told.decode(errors="ignore")  # a letter may have been cut in two


class Named(IntEnum):
    """Numbered from 0 in the order in which they stand; the text is the printed name.

    class Die(Named):
        BLANK = "blank"
        HIT = "a hit"
    """

    label: str

    def __new__(cls, label: Any) -> Named:
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        member.label = label
        return member

    @classmethod
    @cache
    def labels(cls) -> tuple[str, ...]:
        """The printed names, in the order of the numbers."""
        return tuple(member.label for member in cls)
