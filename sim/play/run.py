"""Playing many games: whoever plays them, their tallies add up, and nothing is lost when interrupted."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.play.backends import NOWHERE, Order, Pace, Shared, crew
from hardmode.sim.play.engine import Engine, Redraw
from hardmode.sim.results.ranges import Ranges, joined, missing
from hardmode.sim.results.tally import Tally

SAVED = 10.0  # seconds between two times that what was played is kept
FIRST_STAGE = 2000  # the games after which a precision is judged for the first time


class Writes(Protocol):
    """Takes finished games: their numbers, in order, and a column of the block for each."""

    @property
    def wanted(self) -> Sequence[int]:
        """The entries of the row that it looks at; the others may be missing from the block."""
        ...

    @property
    def shared(self) -> Shared:
        """A folder in which whoever plays may write the rows of its games; or nothing."""
        ...

    def write(self, games: np.ndarray, block: np.ndarray, there: bool = False) -> None:
        """Take games; `there` says that their rows have been written to the shared folder."""
        ...


@dataclass
class Played:
    """What has been played so far: the tally, and of which games."""

    tally: Tally
    ranges: Ranges = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def games(self) -> int:
        return self.tally.games


class Runner:
    """Plays ranges of games of one engine, with the crew of the moment."""

    def __init__(
        self,
        engine: Engine,
        seed: int,
        *,
        threads: int = 0,
        chunk: int = 0,
        rows: Writes | None = None,
    ) -> None:
        self.engine, self.seed, self.rows = engine, seed, rows
        self.crew, self.pace = crew(threads), Pace(chunk, bool(chunk))

    def run(
        self,
        played: Played,
        games: int,
        *,
        first: int = 0,
        enough: Callable[[Tally], bool] | None = None,
        progress: Callable[[Played], None] = lambda p: None,
        save: Callable[[Played], None] = lambda p: None,
    ) -> Played:
        """Play on until games first..first+games-1 are done, or `enough` is said at the end of a stage."""
        lost = False
        try:
            with interruptible() as interrupted:
                self._stages(played, first, first + games, enough, interrupted, progress, save)
                played.interrupted = interrupted.is_set()
        except OutputError:
            lost = True  # games whose rows could not be written are to be played again
            raise
        finally:
            if not lost:
                save(played)  # when a strategy fails, too
        return played

    def columns(self, lo: int, hi: int, redraw: Redraw | None = None) -> np.ndarray:
        """The rows of games lo..hi-1, a column each, in order; some of their luck may be re-drawn."""
        return self.marked(lo, hi, redraw)[0]

    def marked(
        self, lo: int, hi: int, redraw: Redraw | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The rows of games lo..hi-1, a column each, in order, and the hash of each game's outcome."""
        done = []
        for answer in self.crew.rows(
            Order(self.engine, self.seed, *span, redraw) for span in self.pace.spans(lo, hi)
        ):
            self.pace.learn(answer.games, answer.seconds)
            done.append(answer)
        return (
            np.concatenate([part.rows for part in done], axis=1),
            np.concatenate([part.marks for part in done]),
        )

    def _stages(
        self,
        played: Played,
        first: int,
        stop: int,
        enough: Callable[[Tally], bool] | None,
        interrupted: threading.Event,
        progress: Callable[[Played], None],
        save: Callable[[Played], None],
    ) -> None:
        reached = min(stop, first + FIRST_STAGE) if enough else stop
        while True:
            for lo, hi in missing(played.ranges, first, reached):
                self._range(played, lo, hi, interrupted, progress, save)
            if interrupted.is_set() or reached >= stop:
                return
            if enough and played.ranges[-1][1] <= reached and enough(played.tally):
                return  # a resumed run may hold games beyond a stage, which then says nothing
            reached = min(stop, first + (reached - first) * 3 // 2)

    def _range(
        self,
        played: Played,
        lo: int,
        hi: int,
        interrupted: threading.Event,
        progress: Callable[[Played], None],
        save: Callable[[Played], None],
    ) -> None:
        begun, saved = time.perf_counter() - played.seconds, time.perf_counter()
        wanted, shared = (self.rows.wanted, self.rows.shared) if self.rows else ((), NOWHERE)
        stop = _Stop(interrupted)
        for part in self.crew.tallies(
            self.engine, self.seed, lo, hi, self.pace, stop, wanted, shared
        ):
            played.tally.add(part.tally)
            played.ranges = joined([*played.ranges, *part.ranges])
            played.seconds = time.perf_counter() - begun
            if self.rows and not stop.failed:
                try:
                    self.rows.write(
                        part.games, part.block, part.there
                    )  # when it is counted: it has been played
                except OutputError as why:
                    stop.failed = why  # what others are playing is counted before it is said
            if time.perf_counter() - saved > SAVED and not stop.failed:
                save(played)
                saved = time.perf_counter()
            progress(played)
        played.seconds = time.perf_counter() - begun
        progress(played)
        if stop.failed:
            raise stop.failed


class _Stop(threading.Event):
    """Set when whoever plays is interrupted, or when rows cannot be written."""

    def __init__(self, interrupted: threading.Event) -> None:
        super().__init__()
        self._interrupted = interrupted
        self.failed: OutputError | None = None

    def is_set(self) -> bool:
        return self.failed is not None or self._interrupted.is_set()


_asked: list[threading.Event] = []  # of those who listen to Ctrl-C now


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Ctrl-C asks to stop after the chunks under way; a second one stops at once. What is begun by other threads
    meanwhile is stopped with it."""
    asked = threading.Event()

    def ask(*_: Any) -> None:
        if asked.is_set():
            os._exit(130)
        asked.set()

    if threading.current_thread() is not threading.main_thread():
        yield _asked[-1] if _asked else asked
        return
    before = signal.signal(signal.SIGINT, ask)
    _asked.append(asked)
    try:
        yield asked
    finally:
        _asked.remove(asked)
        signal.signal(signal.SIGINT, before)
