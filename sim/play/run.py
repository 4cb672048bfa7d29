"""Runs: play ranges of games with any backend, add up tallies, and stop without losing games."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.play.backends import (
    NO_SHARED_FOLDER,
    ChunkSizer,
    GameBatch,
    SharedRowFolder,
    current_backend,
)
from hardmode.sim.play.engine import Engine, Redraw
from hardmode.sim.results.ranges import Ranges, find_gaps, join_ranges
from hardmode.sim.results.tally import Tally

SAVE_SECONDS = 10.0  # between two calls of `on_save`
FIRST_STAGE_GAMES = 2000  # after which precision is checked first; each stage adds half as many


class RowWriter(Protocol):
    """Writes the rows of finished games somewhere."""

    @property
    def column_indices(self) -> Sequence[int]:
        """The entries of the row that the writer needs; others may be zero."""
        ...

    @property
    def shared_folder(self) -> SharedRowFolder:
        """The folder to which a backend may write rows itself, or `NO_SHARED_FOLDER`."""
        ...

    def write(self, games: np.ndarray, block: np.ndarray, there: bool = False) -> None:
        """Take the rows of some games.

        Args:
            games: The numbers of the games, in ascending order.
            block: Their rows, one column per game.
            there: Whether the backend wrote the rows to the shared folder already.

        Raises:
            OutputError: If rows cannot be written; the run ends then.
        """
        ...


@dataclass
class RunState:
    """Games played so far: their tally, which they are, and how long they took."""

    tally: Tally
    ranges: Ranges = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def games(self) -> int:
        """The number of games."""
        return self.tally.games


class PrecisionCheck(Protocol):
    """Decides at the end of a stage whether a run can end."""

    def __call__(self, tally: Tally, /) -> bool:
        """Return whether the games counted so far are enough."""
        ...


class RunCallback(Protocol):
    """Receives the state of a run while it goes on, to show or to save it."""

    def __call__(self, state: RunState, /) -> None:
        """Use the state, which changes after the call returns."""
        ...


def ignore_state(state: RunState) -> None:
    """Do nothing: the default callback of a run."""


class Runner:
    """Plays ranges of games of one engine and seed, with the current backend.

    Args:
        engine: The engine.
        seed: The seed.
        threads: The number of threads, if no other backend is in use; 0 for one per core.
        chunk: The number of games per chunk; 0 to choose it by their duration.
        row_writer: Receives all rows, if it is given.
    """

    def __init__(
        self,
        engine: Engine,
        seed: int,
        *,
        threads: int = 0,
        chunk: int = 0,
        row_writer: RowWriter | None = None,
    ) -> None:
        self.engine = engine
        self.seed = seed
        self.row_writer = row_writer
        self.backend = current_backend(threads)
        self.chunk_sizer = ChunkSizer(chunk, bool(chunk))

    def run(
        self,
        state: RunState,
        games: int,
        *,
        first: int = 0,
        is_precise_enough: PrecisionCheck | None = None,
        on_progress: RunCallback = ignore_state,
        on_save: RunCallback = ignore_state,
    ) -> RunState:
        """Play until games first..first+games-1 are done, and add them to the state.

        With `is_precise_enough` the games are played in stages, at whose ends it is asked. So the
        games that are played do not depend on the number of threads. Ctrl-C ends the run after
        the chunks that were begun.

        Args:
            state: What was played so far; games that are in it are not played again.
            games: The number of games.
            first: The first game.
            is_precise_enough: Decides whether the run can end earlier.
            on_progress: Called after each part of a range.
            on_save: Called every `SAVE_SECONDS`, and at the end, also if a strategy fails.

        Returns:
            The same state.

        Raises:
            OutputError: If rows cannot be written. The state is not saved then, so that these
                games are played again.
        """
        rows_lost = False
        try:
            with handle_sigint() as interrupted:
                stop = first + games
                for reached in _list_stage_ends(first, stop, bool(is_precise_enough)):
                    for gap in find_gaps(state.ranges, first, reached):
                        self._run_range(state, *gap, interrupted, on_progress, on_save)
                    if interrupted.is_set() or reached >= stop:
                        break
                    # A resumed run may hold games beyond this stage, which must not decide.
                    is_whole_stage = state.ranges[-1][1] <= reached
                    if is_precise_enough and is_whole_stage and is_precise_enough(state.tally):
                        break
                state.interrupted = interrupted.is_set()
        except OutputError:
            rows_lost = True
            raise
        finally:
            if not rows_lost:
                on_save(state)
        return state

    def play_rows(self, start: int, stop: int, redraw: Redraw | None = None) -> np.ndarray:
        """Return the rows of games start..stop-1, one column per game, in order.

        Args:
            start: The first game.
            stop: The game after the last.
            redraw: The sources to resample, and the seed to draw them from.
        """
        return self.play_rows_and_hashes(start, stop, redraw)[0]

    def play_rows_and_hashes(
        self, start: int, stop: int, redraw: Redraw | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows of games start..stop-1 and the hashes of their outcomes, in order."""
        chunks = self.chunk_sizer.split_range(start, stop)
        batches = (GameBatch(self.engine, self.seed, *chunk, redraw) for chunk in chunks)
        rows = []
        outcome_hashes = []
        for result in self.backend.run_batches(batches):
            self.chunk_sizer.update(result.games, result.seconds)
            rows.append(result.rows)
            outcome_hashes.append(result.outcome_hashes)
        return np.concatenate(rows, axis=1), np.concatenate(outcome_hashes)

    def _run_range(
        self,
        state: RunState,
        start: int,
        stop: int,
        interrupted: threading.Event,
        on_progress: RunCallback,
        on_save: RunCallback,
    ) -> None:
        """Play games start..stop-1 and add them to the state."""
        saved = time.perf_counter()
        started = saved - state.seconds
        writer = self.row_writer
        stop_event = _StopEvent(interrupted)
        tallies = self.backend.run_range(
            self.engine,
            self.seed,
            start,
            stop,
            self.chunk_sizer,
            stop_event,
            writer.column_indices if writer else (),
            writer.shared_folder if writer else NO_SHARED_FOLDER,
        )
        for part in tallies:
            state.tally.add(part.tally)
            state.ranges = join_ranges([*state.ranges, *part.ranges])
            state.seconds = time.perf_counter() - started
            if writer and not stop_event.output_error:
                try:
                    writer.write(part.game_numbers, part.rows, part.rows_written)
                except OutputError as error:
                    # Raised below, after what other threads are playing has been counted.
                    stop_event.output_error = error
            if time.perf_counter() - saved > SAVE_SECONDS and not stop_event.output_error:
                on_save(state)
                saved = time.perf_counter()
            on_progress(state)
        state.seconds = time.perf_counter() - started
        on_progress(state)
        if stop_event.output_error:
            raise stop_event.output_error


def _list_stage_ends(first: int, stop: int, has_stages: bool) -> Iterator[int]:
    """Yield the games at which the stages of a run end; one stage if it has none."""
    reached = min(stop, first + FIRST_STAGE_GAMES) if has_stages else stop
    while reached < stop:
        yield reached
        reached = min(stop, first + (reached - first) * 3 // 2)
    yield stop


class _StopEvent(threading.Event):
    """Event that is set when the run is interrupted, or when rows cannot be written."""

    def __init__(self, interrupted: threading.Event) -> None:
        super().__init__()
        self._interrupted = interrupted
        self.output_error: OutputError | None = None

    def is_set(self) -> bool:
        return self.output_error is not None or self._interrupted.is_set()


_interrupted: ContextVar[threading.Event | None] = ContextVar("_interrupted", default=None)


@contextmanager
def handle_sigint() -> Iterator[threading.Event]:
    """Let Ctrl-C set an event, so that a run stops after the chunks that were begun.

    A second Ctrl-C ends the process at once. Signals reach the main thread only; another thread
    gets the event of the context in which it was started, see `map_concurrently`.
    """
    requested = threading.Event()

    def request_stop(*_: Any) -> None:
        if requested.is_set():
            os._exit(130)
        requested.set()

    if threading.current_thread() is not threading.main_thread():
        yield _interrupted.get() or requested
        return
    previous_handler = signal.signal(signal.SIGINT, request_stop)
    token = _interrupted.set(requested)
    try:
        yield requested
    finally:
        _interrupted.reset(token)
        signal.signal(signal.SIGINT, previous_handler)
