"""Progress reports of long computations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hardmode.sim.play.run import RunState

MIN_PACE_SECONDS = 0.2  # time of play after which games per second are reported


class Progress(Protocol):
    """Function that is called from time to time during a long computation."""

    def __call__(self, what: str, share: float, pace: float = 0.0) -> None:
        """Report progress.

        Args:
            what: What is being done now.
            share: Share of the whole that is done, from 0 to 1.
            pace: Games per second; 0 if unknown.
        """
        ...


def ignore_progress(what: str, share: float, pace: float = 0.0) -> None:
    """Do nothing: the progress of a computation that shows none."""


def subprogress(whole: Progress, number: int, of: int, title: str = "") -> Progress:
    """Return the progress of one of several consecutive parts of equal size.

    Args:
        whole: Receives the progress of the whole.
        number: Number of the part, from 0.
        of: Number of parts.
        title: Name of the part, shown before what it reports.
    """

    def report(what: str, share: float, pace: float = 0.0) -> None:
        label = f"{title}: {what}" if title and what else title or what
        whole(label, (number + min(share, 1.0)) / of, pace)

    return report


def parallel_progress(whole: Progress, of: int) -> Callable[[int, str], Progress]:
    """Return a function that makes the progress of each of several concurrent parts of equal size.

    Args:
        whole: Receives the progress of the whole.
        of: Number of parts.

    Returns:
        A function of the number of the part, from 0, and its title.
    """
    shares = [0.0] * of
    paces = [0.0] * of

    def make_part(number: int, title: str = "") -> Progress:
        def report(what: str, share: float, pace: float = 0.0) -> None:
            shares[number] = min(share, 1.0)
            paces[number] = pace if share < 1 else 0.0
            whole(title, sum(shares) / of, sum(paces))

        return report

    return make_part


def progress_by_games(progress: Progress, what: str, games: int) -> Callable[[RunState], None]:
    """Return a function that reports how many of its games a run has played.

    Args:
        progress: Receives the progress.
        what: What is being done, for the report.
        games: Number of games of the whole run.
    """

    def report(state: RunState) -> None:
        pace = state.games / state.seconds if state.seconds > MIN_PACE_SECONDS else 0.0
        progress(what, state.games / games, pace)

    return report
