"""Names and numbers of the box, looked up and held within what the record bears."""

from __future__ import annotations

from collections.abc import Sequence

from hardmode.sim.contract import BadValue, Values


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
