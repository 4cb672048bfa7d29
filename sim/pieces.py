"""Components of a box: how to take one out, and whether it was used in a finished game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

Fates = Iterator[tuple[str, bool]]  # each component that came into play, and whether it was used


@dataclass(frozen=True)
class Piece:
    """A component of the box that no single number counts.

    Attributes:
        name: Its name.
        changes: The numbers, by path, that take it out or replace it.
        instead: What these changes do to it.
    """

    name: str
    changes: Mapping[str, Any]
    instead: str = "taken out"


@dataclass(frozen=True)
class Over:
    """A finished game: its records, and the labels of the options that were taken in it."""

    box: Any
    table: Any
    hidden: Any
    taken: Set[int]


def named(path: str, name: str) -> str:
    """Return the name of a component that a choice at set-up (its path) can name."""
    return f"{path}: {name}"
