"""Names of the box: kept as letters, so that what is told uses the scenario's own; and looked up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardmode.sim.contract import BadValue, Values
from hardmode.sim.games.vengeance.names import NAME


def write_name(cells: Any, text: str) -> None:
    for i, letter in enumerate(text[:NAME].encode("ascii", "replace")):
        cells[i] = letter


def read_name(cells: Any) -> str:
    return bytes(int(x) for x in cells if int(x)).decode("ascii")


def room_name(room: int) -> str:
    return "start" if room == 0 else f"room{room}"


def named(path: str, name: str, names: Sequence[str]) -> int:
    """The number of a name among those that are known."""
    if name not in names:
        raise BadValue(path, f"is {name!r}; it must be one of {', '.join(names)}")
    return list(names).index(name)


def at_most(names: list[str], most: int, path: str, least: int = 1) -> list[str]:
    if not least <= len(names) <= most:
        raise BadValue(path, f"has {len(names)} entries; there must be {least} to {most}")
    return names


def within(values: Values, path: str, least: int, most: int) -> int:
    """A whole number that the record can bear."""
    number = values[path]
    if not least <= number <= most:
        raise BadValue(path, f"is {number}; it must be {least} to {most}")
    return number
