"""Errors in what users write into files, with their place and the nearest valid names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Location:
    """Where a value was written: a file and its line, or an option of the command line."""

    file: str = ""
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


UNKNOWN_LOCATION = Location()
MIN_SIMILARITY = 0.6  # of a name that is proposed; 1 if it is the same


class ScenarioError(ValueError):
    """One mistake in a file or option of the user.

    Args:
        location: Where it was written.
        path: The key that is wrong, such as `rules.boss.hp`; may be empty.
        message: What is wrong with it.
        nearest: Valid names that the user may have meant.
    """

    def __init__(
        self, location: Location, path: str, message: str, nearest: Iterable[str] = ()
    ) -> None:
        self.file, self.line, self.path = location.file, location.line, path
        self.message, self.nearest = message, list(nearest)
        super().__init__(self._format())

    def _format(self) -> str:
        parts = (str(Location(self.file, self.line)), self.path, self.message)
        text = ": ".join(part for part in parts if part)
        return f"{text}; did you mean {' or '.join(self.nearest)}?" if self.nearest else text


def find_nearest_names(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three valid names that are most similar to a wrong one, the best first.

    If the wrong name is a single word, it is also compared with each part of a path. If no name is
    similar, names with the same last word count: `hp` for `monster.boss.hp`.
    """
    wrong = name.lower()
    by_lower = {n.lower(): n for n in dict.fromkeys(known)}
    ratios = {}
    for n in by_lower:
        parts = [] if "." in wrong else n.split(".")
        ratios[n] = max(difflib.SequenceMatcher(None, part, wrong).ratio() for part in (n, *parts))
    close = sorted((n for n in ratios if ratios[n] >= MIN_SIMILARITY), key=lambda n: -ratios[n])[:3]
    if not close:
        last_word = _split_words(name)[-1:]
        close = [n for n in by_lower if _split_words(n)[-1:] == last_word][:3]
    return [by_lower[n] for n in close if ratios[n] > ratios[close[0]] - 0.15]


def find_similar_files(path: Path) -> list[str]:
    """Return the YAML files in the folder of a missing one whose names are most similar."""
    known = {file.stem: file.name for file in sorted(path.parent.glob("*.y*ml"))}
    return [known[stem] for stem in find_nearest_names(path.stem, known)]


def _split_words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", name.lower())
