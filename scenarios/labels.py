"""Labels of the cells of a sweep: the values in which they differ, as data and in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from hardmode.scenarios.parameter import format_yaml_value
from hardmode.strategies.mistakes import DEFAULT_MISTAKE_PLAYER, MistakeModel

ITEM_PATTERN = re.compile(r"(.+)\[(\d+)\]")  # the path of an item of a list
PLAYERS_PATH = "setup.players"
STRATEGIES_LABEL = "strategies"
MISTAKES_LABEL = "slips"  # the key in labels, which results and baselines keep
MISTAKES_KEY = "mistakes"  # the key in scenario files
OLD_MISTAKES_KEY = "slips"  # the older key in scenario files, which still works


def format_label(label: Mapping[str, Any]) -> str:
    """Return a label in a few words: `boss snake, 2 players`.

    Args:
        label: The values in which a cell differs from others, by path.
    """
    last_names = [path.rpartition(".")[2] for path in label]
    texts = []
    for path, value in label.items():
        name = path.rpartition(".")[2]
        is_unique = last_names.count(name) == 1
        texts.append(_format_entry(path, value, 1 if is_unique else 2))
    return ", ".join(texts)


def format_readable_label(label: Mapping[str, Any]) -> str:
    """Return a label for readers, without the signs of paths: `boss don zemun, 2 players`.

    Baselines hold the label of `format_label`, so that one stays as it is.

    Example:
        >>> format_readable_label({"setup.bosses[0]": "don_zemun"})
        'boss don zemun'
    """
    readable = {name_item(path): value for path, value in label.items()}
    return format_label(readable).replace("_", " ")


def name_item(path: str) -> str:
    """Return a path with the name of one item of a list: `setup.boss` for `setup.bosses[0]`.

    Items after the first have their number: `setup.boss 2` for `setup.bosses[1]`.
    """
    match = ITEM_PATTERN.fullmatch(path)
    if not match:
        return path
    name, index = match[1], int(match[2])
    for plural, singular in (("sses", "ss"), ("oes", "o"), ("s", "")):
        if name.endswith(plural):
            name = name.removesuffix(plural) + singular
            break
    return f"{name} {index + 1}" if index else name


def _format_entry(path: str, value: Any, words: int) -> str:
    """Return one entry of a label, named by the last `words` names of its path."""
    if path == PLAYERS_PATH:
        return f"{value} player{'s' if value != 1 else ''}"
    if path == STRATEGIES_LABEL:
        return str(value)
    if path == MISTAKES_LABEL:
        return f"{MistakeModel(value) if isinstance(value, float) else value} slips"
    name = " ".join(path.split(".")[-words:]).replace("_", " ")
    if isinstance(value, bool):
        return f"{name} {'on' if value else 'off'}"
    text = format_yaml_value(value)
    return text if text.startswith(name) else f"{name} {text}"  # not "boss boss10"


def format_label_value(value: Any) -> str:
    """Return a value of a label as one word, by which the cells of an order are compared."""
    if isinstance(value, tuple):
        return " and ".join(dict.fromkeys(map(str, value)))
    return format_yaml_value(value)


def label_mistakes(mistakes: Sequence[MistakeModel]) -> float | str:
    """Return the mistakes of all seats as a label: one rate, or in words if seats differ."""
    first = mistakes[0]
    if len(set(mistakes)) == 1 and first.player == DEFAULT_MISTAKE_PLAYER:
        return first.rate
    return format_label_value(tuple(mistakes))
