"""Progress: what somebody who waits is told, whatever is being done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hardmode.sim.play.run import Played

JUDGED = 0.2  # seconds of play before a pace says anything


class Progress(Protocol):
    """Told what is being done, which share of the whole is done, and at how many games a second."""

    def __call__(self, what: str, share: float, pace: float = 0.0) -> None: ...


def silent(what: str, share: float, pace: float = 0.0) -> None:
    """For work that nobody watches."""


def part(whole: Progress, number: int, of: int, title: str = "") -> Progress:
    """The progress of part `number` (0, 1, ...) of so many parts of the same size."""

    def step(what: str, share: float, pace: float = 0.0) -> None:
        named = f"{title}: {what}" if title and what else title or what
        whole(named, (number + min(share, 1.0)) / of, pace)

    return step


def together(whole: Progress, of: int) -> Callable[[int, str], Progress]:
    """The progress of so many parts of the same size that are done at the same time, by the number of the part."""
    shares, paces = [0.0] * of, [0.0] * of

    def step_of(number: int, title: str = "") -> Progress:
        def step(what: str, share: float, pace: float = 0.0) -> None:
            shares[number], paces[number] = min(share, 1.0), pace if share < 1 else 0.0
            whole(title, sum(shares) / of, sum(paces))

        return step

    return step_of


def counted(progress: Progress, what: str, games: int) -> Callable[[Played], None]:
    """Progress by the games of one cell that have been played."""

    def step(played: Played) -> None:
        pace = played.games / played.seconds if played.seconds > JUDGED else 0.0
        progress(what, played.games / games, pace)

    return step
