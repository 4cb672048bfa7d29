"""What is told of a game: its draws, options and steps, from positions that are already in words.

A report's page tells games by the functions of this module too, in the browser. So they use nothing
but plain Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

# A line by which a game's words say where, within one step, a round ends and the next begins.
NEW_ROUND = "-- new round --"


def describe_draw(words: Any, box: Any, source: Any, entry: Sequence[int]) -> dict[str, Any]:
    """Return a logged draw as a mapping with names.

    Args:
        words: The game's words.
        box: The box.
        source: The source of the draw.
        entry: The entry of the log: where, a, b, c, n, result.
    """
    where, a, b, c, n, result = entry
    numbers = dict(zip(source.address, (a, b, c), strict=True))
    return {
        "source": source.name,
        "address": {name: number for name, number in numbers.items() if name},
        "of": n,
        "drawn": result,
        "result": words.face(box, where, a, b, c, n, result),
    }


def describe_steps(
    steps: Iterable[Any], words: Any, unit: str, notes: Mapping[int, Sequence[str]]
) -> Iterator[list[str]]:
    """Yield the lines of each step: sentences, and a picture of the position at each new round.

    The last lines, after those of all steps, are a picture of the last position.

    Args:
        steps: The steps, in order.
        words: The game's words.
        unit: What a round is called, in the plural.
        notes: Lines to add after some steps, by the number of the step.
    """
    before: dict[str, Any] | None = None
    last_round = None
    for step in steps:
        now = step.state.get("open", {}).get("round")
        new_lines = words.tell(before, step.taken, step.draws, step.state)
        heading: list[str] = []
        if now != last_round and before is not None and now is not None:
            heading = draw_round(words, unit, now, step.state)
        yield [*insert_round(new_lines, heading), *notes.get(step.number, ())]
        last_round = now
        before = step.state
    if before is not None:
        yield ["", *words.picture(before).splitlines()]


def draw_round(words: Any, unit: str, number: int, state: dict[str, Any]) -> list[str]:
    """Return the heading of a round, with a picture of its first position.

    Args:
        words: The game's words.
        unit: What a round is called, in the plural.
        number: The number of the round.
        state: The position.
    """
    return ["", f"-- {unit.rstrip('s')} {number} --", *words.picture(state).splitlines(), ""]


def insert_round(lines: Sequence[str], heading: Sequence[str]) -> list[str]:
    """Return the lines of a step with a heading where the words mark a new round, else at the end.

    Args:
        lines: The lines.
        heading: The heading; empty if no round begins.
    """
    split = lines.index(NEW_ROUND) if NEW_ROUND in lines else len(lines)
    return [*lines[:split], *heading, *(line for line in lines[split:] if line != NEW_ROUND)]


def describe_ending(ending: str, rounds: int, unit: str) -> str:
    """Return the last line of a story.

    Args:
        ending: How the game ended.
        rounds: The number of its rounds.
        unit: What a round is called, in the plural.
    """
    return f"{ending} after {rounds} {unit.rstrip('s') if rounds == 1 else unit}"


def format_option(option: Mapping[str, Any]) -> str:
    """Return an option as text, such as `explore (hex (1, 2))`."""
    rest = {key: value for key, value in option.items() if key != "do"}
    details = format_value(rest)
    name = str(option.get("do", ""))
    return f"{name} ({details})" if name and details else name or details


def format_value(value: Any) -> str:
    """Return a part of an option as text."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {format_value(item)}" for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(format_value, value))
    return str(value)


def find_common_knowledge(states: Sequence[Any]) -> Any:
    """Return what is the same in all states; of mappings, part by part, and None if nothing is.

    Example:
        >>> find_common_knowledge([{"hand": 3, "deck": 1}, {"hand": 3, "deck": 2}])
        {'hand': 3}
    """
    first = states[0]
    if all(state == first for state in states):
        return first
    if not all(isinstance(state, dict) for state in states):
        return None
    common: dict[Any, Any] = {}
    for key in first:
        if all(key in state for state in states):
            value = find_common_knowledge([state[key] for state in states])
            if value is not None:
                common[key] = value
    return common or None


def keep_known_lines(by_state: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines that are told whatever is hidden.

    Args:
        by_state: What is told of one step, for positions that a seat cannot tell apart.
    """
    return [line for line in by_state[0] if all(line in other for other in by_state[1:])]
