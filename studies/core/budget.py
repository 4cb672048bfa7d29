"""How long the parts of a study last: by the clock, or by how often each has had its turn."""

from __future__ import annotations

import time
from collections import Counter
from typing import Protocol

from hardmode.studies.core.progress import Progress


class Limit(Protocol):
    """Whether a part of a study is over."""

    def over(self, what: str, share: float) -> bool: ...


class Turns:
    """Each part takes so many turns, on every machine alike."""

    def __init__(self, turns: int, progress: Progress) -> None:
        self.turns, self.progress, self.taken = turns, progress, Counter[str]()

    def over(self, what: str, share: float) -> bool:
        self.taken[what] += 1
        self.progress(what, 0.99 * share * min(1.0, self.taken[what] / self.turns))
        return self.taken[what] >= self.turns


class Clock:
    """So many seconds, of which each part ends at its share; `last` is the share at which the last part ends."""

    def __init__(self, seconds: float, progress: Progress, last: float = 1.0) -> None:
        self.seconds, self.progress, self.last = seconds / last, progress, last
        self._begun = time.perf_counter()

    @property
    def spent(self) -> float:
        """The share of the time that is over."""
        return (time.perf_counter() - self._begun) / self.seconds

    def over(self, what: str, share: float) -> bool:
        """Whether the part that ends at this share is over; whoever waits is told."""
        self.progress(what, min(self.spent / self.last, 0.99))
        return self.spent >= share
