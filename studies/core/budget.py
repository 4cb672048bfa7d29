"""Budgets of a study in seconds or games, and the clock that measures them.

Every study measures time with this module, so that tests can replace the clock:

    >>> with use_clock(FakeClock(step=0.5)):
    ...     budget = Budget(seconds=2)
    ...     while not budget.exhausted:
    ...         play_a_block()
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

ClockFunction = Callable[[], float]  # returns seconds since some fixed moment

_clock: ContextVar[ClockFunction] = ContextVar("clock", default=time.perf_counter)


@contextmanager
def use_clock(clock: ClockFunction) -> Iterator[None]:
    """Replace the clock of all budgets and stopwatches created inside the `with` block.

    Args:
        clock: Function that returns seconds, such as a `FakeClock` or `time.process_time`.
    """
    token = _clock.set(clock)
    try:
        yield
    finally:
        _clock.reset(token)


class FakeClock:
    """Clock for tests that advances with each reading.

    Args:
        step: Seconds by which a reading advances it.
    """

    def __init__(self, step: float = 0.0) -> None:
        self.now = 0.0
        self.step = step

    def __call__(self) -> float:
        """Return the time and advance it."""
        self.now += self.step
        return self.now


class Stopwatch:
    """Seconds since it was created or restarted."""

    def __init__(self) -> None:
        self._clock = _clock.get()
        self._start = self._clock()

    def restart(self) -> None:
        """Count from now on."""
        self._start = self._clock()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._start


class Budget:
    """Upper limit of the seconds or the games that a study, or a part of one, may use.

    The seconds run from the moment when the budget is created. Games, or other equal units of work,
    are counted by `spend`. A limit of None is no limit.

    Attributes:
        seconds: Limit of the time, or None.
        games: Limit of the games, or None.
        spent_games: Games that were counted so far.
    """

    def __init__(self, seconds: float | None = None, games: float | None = None) -> None:
        self.seconds = seconds
        self.games = games
        self.spent_games = 0
        self._stopwatch = Stopwatch()
        self._parent: Budget | None = None

    def restart(self) -> None:
        """Start the time again, for example after compiling, which no study pays for."""
        self._stopwatch.restart()

    def spend(self, games: int) -> None:
        """Count games in this budget and in those that it is a part of.

        Args:
            games: Number of games, or of other equal units of work.
        """
        self.spent_games += games
        if self._parent:
            self._parent.spend(games)

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self._stopwatch.elapsed

    @property
    def share_spent(self) -> float:
        """Share of the seconds or of the games that is spent, whichever is larger."""
        of_time = self.elapsed / self.seconds if self.seconds else _spent_at_once(self.seconds)
        of_games = self.spent_games / self.games if self.games else _spent_at_once(self.games)
        return max(of_time, of_games)

    @property
    def exhausted(self) -> bool:
        """True when the time is over or all games are spent."""
        return self.share_spent >= 1

    @property
    def remaining_seconds(self) -> float:
        """Seconds that are left (negative when overdrawn), or infinity without a limit of time."""
        return inf if self.seconds is None else self.seconds - self.elapsed

    @property
    def remaining_games(self) -> float:
        """Games that are left, or infinity without a limit of games."""
        return inf if self.games is None else self.games - self.spent_games

    def estimate_remaining_games(self, games_per_second: float) -> float:
        """Return how many games are left.

        Args:
            games_per_second: Pace from which the games follow if the time is limited.
        """
        if self.seconds is None:
            return self.remaining_games
        return min(self.remaining_games, games_per_second * self.remaining_seconds)

    def subbudget(self, share: float) -> Budget:
        """Return a budget of this share of the limits whose time starts now.

        Games that are spent in it are also spent here.

        Args:
            share: Share of the limits, from 0 to 1.
        """
        part = Budget(_multiply(self.seconds, share), _multiply(self.games, share))
        part._parent = self
        return part

    def until_share(self, share: float) -> Budget:
        """Return a budget that ends when this share of the whole budget is spent.

        Unlike a subbudget, it began together with this budget: what earlier parts left unused is
        added to the later ones.

        Args:
            share: Share of this budget, from 0 to 1.
        """
        part = self.subbudget(share)
        part._stopwatch = self._stopwatch
        part.spent_games = self.spent_games
        return part


def _multiply(limit: float | None, share: float) -> float | None:
    return None if limit is None else limit * share


def _spent_at_once(limit: float | None) -> float:
    """Return the share spent of a limit of 0 (all of it) or of no limit (nothing)."""
    return 0.0 if limit is None else inf
