"""What lies in the box, piece by piece: what takes a piece out, and what became of it in a game that is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

Fates = Iterator[tuple[str, bool]]


@dataclass(frozen=True)
class Piece:
    """Something of the box that no single number counts: the numbers that take it out, or print it otherwise."""

    name: str
    changes: Mapping[str, Any]
    instead: str = "taken out"


@dataclass(frozen=True)
class Over:
    """A game that is over: its records to be read, and the labels of the options that were taken in it."""

    box: Any
    table: Any
    hidden: Any
    taken: Set[int]


def named(path: str, name: str) -> str:
    """What one is called that a choice at set-up may name."""
    return f"{path}: {name}"
