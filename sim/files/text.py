"""What users wrote, made fit to be read as numbers and to be said again."""

from __future__ import annotations

import re
from typing import Any

DIGITS = r"[0-9]+(?:_[0-9]+)*"
FIGURE = rf"(?:{DIGITS}(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"  # of a text without a sign
MOST_DIGITS = 40  # of a whole number: more than any could need, and few enough to be read at once
MOST_BITS = 4 * MOST_DIGITS
LONGEST = 70
MOST_PLAYOUTS = 100_000  # that search may spend on a decision

_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def brief(written: Any) -> str:
    """What somebody wrote, as short as a line can bear."""
    if isinstance(written, int) and written.bit_length() > MOST_BITS:
        return "a number of very many digits"
    text = repr(written)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} characters)"


def visible(text: str) -> str:
    """A text without what moves a terminal's cursor, changes its colours or cannot be written: shown as its code."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def one_line(text: str, most: int = 1_500) -> str:
    """A message as a single line."""
    line = visible(" ".join(text.split("\n")))
    return line if len(line) <= most else f"{line[:most]} ..."


def number(text: str) -> float | None:
    """The number that a text says, without a sign; none where it says none."""
    return float(text.replace("_", "")) if re.fullmatch(FIGURE, text) else None
