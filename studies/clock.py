"""The time of a study of several parts."""

from __future__ import annotations

import time

from hardmode.studies.progress import Progress


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
