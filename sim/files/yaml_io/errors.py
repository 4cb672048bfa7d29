"""What is wrong in a scenario or a box, said so that its writer can mend it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Place:
    """Where something was written: a file and its line, or a flag of the command line."""

    file: str = ""
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


NOWHERE = Place()


class ScenarioError(ValueError):
    """One mistake in what somebody wrote: where, on which path, what, and the nearest valid names."""

    def __init__(self, place: Place, path: str, message: str, nearest: Iterable[str] = ()) -> None:
        self.file, self.line, self.path = place.file, place.line, path
        self.message, self.nearest = message, list(nearest)
        super().__init__(self._text())

    def _text(self) -> str:
        where = str(Place(self.file, self.line))
        meant = f"; did you mean {' or '.join(self.nearest)}?" if self.nearest else ""
        return ": ".join(part for part in (where, self.path, self.message) if part) + meant


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The valid names that look most like a wrong one."""
    by_lower = {n.lower(): n for n in dict.fromkeys(known)}
    close = difflib.get_close_matches(name.lower(), by_lower, most, 0.6)
    if not close:  # hp for monster.boss.hp: the last word says it
        close = [n for n in by_lower if _words(n)[-1:] == _words(name)[-1:]][:most]
    alike = [difflib.SequenceMatcher(None, n, name.lower()).ratio() for n in close]
    return [by_lower[n] for n, ratio in zip(close, alike, strict=True) if ratio > alike[0] - 0.15]


def near(path: Path) -> list[str]:
    """The YAML files beside one that is not there whose names look most like its own."""
    known = {one.stem: one.name for one in sorted(path.parent.glob("*.y*ml"))}
    return [known[stem] for stem in nearest(path.stem, known)]


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", name.lower())
