"""Texts that users write: patterns of numbers in them, and safe ways to show them again."""

from __future__ import annotations

import re
from typing import Any

DIGITS_PATTERN = r"[0-9]+(?:_[0-9]+)*"
NUMBER_PATTERN = rf"(?:{DIGITS_PATTERN}(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"  # no sign
MAX_DIGITS = 40  # of an integer: more than any game needs, and few enough to parse at once
MAX_BITS = 4 * MAX_DIGITS
MAX_SHOWN_CHARS = 70  # of a user's value in a message
MAX_PLAYOUTS = 100_000  # that search may spend on a decision

_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def shorten_value(value: Any) -> str:
    """Return the `repr` of a user's value, cut to a length that fits into a message."""
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        return "a number of very many digits"
    text = repr(value)
    if len(text) <= MAX_SHOWN_CHARS:
        return text
    return f"{text[:MAX_SHOWN_CHARS]}... ({len(text):,} characters)"


def escape_control_chars(text: str) -> str:
    r"""Replace characters that change a terminal or cannot be encoded by codes such as \x1b."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def to_one_line(text: str, max_chars: int = 1_500) -> str:
    """Return a message as one line without control characters, cut to `max_chars`."""
    line = escape_control_chars(" ".join(text.split("\n")))
    return line if len(line) <= max_chars else f"{line[:max_chars]} ..."


def parse_number(text: str) -> float | None:
    """Return the number that a text without a sign stands for, or None if it is not a number.

    >>> parse_number("1_000.5")
    1000.5
    """
    return float(text.replace("_", "")) if re.fullmatch(NUMBER_PATTERN, text) else None
