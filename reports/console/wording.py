"""Words of reports: names of strategies, paths and values, lists, and counts with their nouns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil
from typing import Any

from hardmode.scenarios.labels import format_label_value
from hardmode.scenarios.parameter import SWITCHES, Parameter, format_yaml_value
from hardmode.scenarios.variant import Variant

PLAYERS_IN_SENTENCE = {
    "random": "players who choose at random",
    "beginner": "beginners",
    "casual": "casual players",
    "steady": "steady players",
    "trained": "trained players",
    "expert": "experts",
}
SMALL_COUNTS = ("No", "One", "Two", "Three")
LARGE_NUMBERS = ((10**9, "billion"), (10**6, "million"))
MAX_CHARS = 60  # of a text that a table or a sentence shows
ITEM = re.compile(r"(.+)\[\d+\]")  # one item of a list, in a path
BARELY = 0.005  # share of games below which a whole percentage would be 0


def describe_missing_time(seconds: float | None, limit: str = "--games") -> str:
    """Return what would settle the open questions of a study, as half a sentence.

    Args:
        seconds: About how many more seconds are needed, or None if not the time was limited.
        limit: The option to raise if not the time was limited.

    Example:
        >>> describe_missing_time(128.2), describe_missing_time(None)
        ('about 130 seconds more would settle the rest', 'more --games would settle the rest')
    """
    if seconds is None:
        return f"more {limit} would settle the rest"
    count = format_two_figures(max(1, ceil(seconds)))
    noun = "second" if count == "1" else "seconds"
    return f"about {count} {noun} more would settle the rest"


def pluralize(n: int, noun: str) -> str:
    """Return a noun in the form that goes with `n`: "game" for 1, otherwise "games"."""
    if n == 1:
        return noun
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("x", "s", "ch")) else f"{noun}s"


def format_count(n: int, noun: str) -> str:
    """Return a count with its noun.

    Example:
        >>> format_count(1, "step"), format_count(12_000, "game")
        ('1 step', '12,000 games')
    """
    return f"{n:,} {pluralize(n, noun)}"


def format_games(n: int) -> str:
    """Return a number of games, such as "1 game" or "12,000 games"."""
    return format_count(n, "game")


def singularize_unit(unit: str) -> str:
    """Return one of the units in which the length of a game is counted: "round" for "rounds"."""
    return unit.rstrip("s")


def describe_players_and_box(cell: Variant) -> str:
    """Return the players of a variant, followed by its own box if it has one."""
    players = []
    for name in dict.fromkeys(map(str, cell.strategies)):
        players.append(PLAYERS_IN_SENTENCE.get(name, f"“{name}”"))
    return join_names(players) + cell.overlay_suffix


def format_games_in_100(share: float) -> str:
    """Return the number of games in 100; near 0 and 100, where nothing is certain, in words."""
    if share < BARELY:
        return "fewer than 1"
    if share > 1 - BARELY:
        return "more than 99"
    return f"{100 * share:.0f}"


def format_two_figures(n: int) -> str:
    """Return a number to two significant figures, such as 340, 12,000 or 2.2 million."""
    rounded = round(n, 2 - len(str(n)))
    for size, word in LARGE_NUMBERS:
        if rounded >= 1000 * size:
            return f"{rounded // size:,} {word}"
        if rounded >= size:
            return f"{rounded / size:,.3g} {word}"
    return f"{rounded:,}"


def spell_count(n: int, noun: str) -> str:
    """Return a count that begins a sentence, such as "Three games" or "12 games"."""
    number = SMALL_COUNTS[n] if n < len(SMALL_COUNTS) else str(n)
    return f"{number} {pluralize(n, noun)}"


def join_names(names: Sequence[str]) -> str:
    """Return names as a list in a sentence, such as "a, b and c"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def describe_range(low: int, high: int, unit: str = "") -> str:
    """Return a range in words, such as "between 4 and 6 rounds" or "exactly 4 rounds"."""
    text = f"exactly {low}" if low == high else f"between {low} and {high}"
    return f"{text} {unit}".rstrip()


def name_players(strategy: str) -> str:
    """Return the players of a strategy as the subject of a sentence, such as "Beginners"."""
    name = PLAYERS_IN_SENTENCE.get(strategy)
    if name is None:
        return f"Players who follow “{strategy}”"
    return name.capitalize()


def format_path_end(name: str, parts: int = 1) -> str:
    """Return the last parts of a path as words.

    Example:
        >>> format_path_end("setup.forest_kind"), format_path_end("setup.bosses[0]")
        ('forest kind', 'boss')
    """
    words = [ITEM.sub(_singularize_item, part) for part in name.split(".")[-parts:]]
    return " ".join(words).replace("_", " ")


def _singularize_item(item: re.Match[str]) -> str:
    """Return the name of one item of a list: "boss" for `bosses[0]`, "hero" for `heroes[1]`."""
    return re.sub(r"(?<=ss)es$|(?<=o)es$|(?<!s)s$", "", item[1])


def format_path(path: str) -> str:
    """Return a whole path as words, without the part of the box that holds all switches.

    Example:
        >>> format_path("mummy_dice.faces"), format_path("switches.kept_dice")
        ('mummy dice faces', 'kept dice')
    """
    return format_path_end(path.removeprefix(SWITCHES), path.count(".") + 1)


def format_setup_value(value: Any) -> str:
    """Return the value of a choice at set-up as words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return format_label_value(value).replace("_", " ")


def truncate(text: str, max_chars: int = MAX_CHARS) -> str:
    """Return a text, cut with an ellipsis if it is longer than `max_chars`."""
    return text if len(text) <= max_chars else f"{text[: max_chars - 1].rstrip()}…"


def format_allowed_values(parameter: Parameter) -> str:
    """Return the values that a parameter may take, or plausibly takes, such as "20 to 60"."""
    if parameter.choices:
        return ", ".join(map(format_yaml_value, parameter.choices))
    if parameter.range:
        low, high = parameter.range
        step = f" in steps of {parameter.step:g}" if parameter.step else ""
        return f"{format_yaml_value(low)} to {format_yaml_value(high)}{step}"
    ends = {"from": parameter.min, "to": parameter.max}
    words = [f"{word} {format_yaml_value(end)}" for word, end in ends.items() if end is not None]
    return " ".join(words)
