"""Playing many games: chunks over threads, blocks into tallies, nothing lost when interrupted."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

import numpy as np

from hardmode.sim.engine import Desk, Engine, Redraw, columns
from hardmode.sim.ranges import Ranges, joined, missing
from hardmode.sim.tally import Tally, cleared

CHUNK_SECONDS = 0.03  # short enough to stop at once, long enough to cost nothing
BLOCK = 1 << 16  # games that are grouped together
MOST_THREADS = 16  # where there are fewer cores
FIRST_STAGE = 2000  # the games after which a precision is judged for the first time


class Writes(Protocol):
    """Takes finished games: their numbers, in order, and a column of the block for each."""

    def write(self, games: np.ndarray, block: np.ndarray) -> None: ...


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


class Chunk(NamedTuple):
    """Some games that one thread has played."""

    lo: int
    hi: int
    rows: np.ndarray
    marks: np.ndarray  # the hash of each game's outcome
    sums: dict[str, Any]


def sensible(threads: int) -> int:
    """So many threads: one per core, or as many as asked for while that can be of any use."""
    cores = os.cpu_count() or 1
    most = max(MOST_THREADS, 2 * cores)
    if threads > most:
        warnings.warn(f"{threads:,} threads help no more than {most}, which play now", stacklevel=3)
    return min(threads, most) if threads > 0 else cores


class Runner:
    """Plays ranges of games with a pool of threads."""

    def __init__(self, engine: Engine, seed: int, *, threads: int = 0, chunk: int = 0,
                 rows: Writes | None = None) -> None:
        self.engine, self.seed, self.rows = engine, seed, rows
        self.threads = sensible(threads)
        self.chunk = chunk
        self._fixed = bool(chunk)
        self._desks: SimpleQueue[Desk] = SimpleQueue()
        for _ in range(self.threads):
            self._desks.put(Desk(engine.game))

    def run(self, played: Played, games: int, *, first: int = 0, enough: Callable[[Tally], bool] | None = None,
            progress: Callable[[Played], None] = lambda p: None,
            save: Callable[[Played], None] = lambda p: None) -> Played:
        """Play on until games first..first+games-1 are done, or `enough` is said at the end of a stage."""
        stop = first + games
        reached = first + (min(games, FIRST_STAGE) if enough else games)
        with interruptible() as interrupted:
            while True:
                for lo, hi in missing(played.ranges, first, reached):
                    self._range(played, lo, hi, interrupted, progress, save)
                played.interrupted = interrupted.is_set()
                if played.interrupted:
                    break
                if reached >= stop:
                    break
                if enough and played.ranges[-1][1] <= reached and enough(played.tally):
                    break  # a resumed run may hold games beyond a stage, which then says nothing
                reached = min(stop, first + (reached - first) * 3 // 2)
        save(played)
        return played

    def columns(self, lo: int, hi: int, redraw: Redraw | None = None) -> np.ndarray:
        """The rows of games lo..hi-1, a column each, in order; some of their luck may be re-drawn."""
        return self.marked(lo, hi, redraw)[0]

    def marked(self, lo: int, hi: int, redraw: Redraw | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The rows of games lo..hi-1, a column each, in order, and the hash of each game's outcome."""
        with ThreadPoolExecutor(self.threads) as pool:
            done = list(pool.map(lambda span: self._play(span[0], span[1], redraw), self._chunks(lo, hi)))
        return (np.concatenate([part.rows for part in done], axis=1),
                np.concatenate([part.marks for part in done]))

    def _range(self, played: Played, lo: int, hi: int, interrupted: threading.Event,
               progress: Callable[[Played], None], save: Callable[[Played], None]) -> None:
        chunks = self._chunks(lo, hi)
        waiting: list[tuple[int, int, np.ndarray]] = []
        held = 0
        begun, saved = time.perf_counter() - played.seconds, time.perf_counter()
        with ThreadPoolExecutor(self.threads) as pool:
            running: set[Future] = set()
            while True:
                while len(running) < 2 * self.threads and not interrupted.is_set():
                    span = next(chunks, None)
                    if span is None:
                        break
                    running.add(pool.submit(self._play, *span))
                if not running:
                    break
                done, running = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    chunk = future.result()
                    played.tally.add_desk(chunk.sums)
                    waiting.append((chunk.lo, chunk.hi, chunk.rows))
                    held += chunk.hi - chunk.lo
                played.seconds = time.perf_counter() - begun
                if held >= BLOCK or (waiting and time.perf_counter() - saved > 10):
                    self._settle(played, waiting)
                    held = 0
                    if time.perf_counter() - saved > 10:
                        save(played)
                        saved = time.perf_counter()
                progress(played)
        self._settle(played, waiting)
        played.seconds = time.perf_counter() - begun
        progress(played)

    def _chunks(self, lo: int, hi: int) -> Iterator[tuple[int, int]]:
        while lo < hi:
            size = self.chunk or 8
            yield lo, min(lo + size, hi)
            lo += size

    def _play(self, lo: int, hi: int, redraw: Redraw | None = None) -> Chunk:
        desk = self._desks.get()
        try:
            out, marks = columns(self.engine.game, hi - lo), np.zeros(hi - lo, np.uint64)
            start = time.perf_counter()
            self.engine.play(desk, self.seed, lo, hi, out, marks=marks, redraw=redraw)
            if not self._fixed:
                each = (time.perf_counter() - start) / (hi - lo)
                self.chunk = int(np.clip(CHUNK_SECONDS / max(each, 1e-9), 1, BLOCK // 2))
            return Chunk(lo, hi, np.asarray(out), marks, cleared(desk))
        finally:
            self._desks.put(desk)

    def _settle(self, played: Played, waiting: list[tuple[int, int, np.ndarray]]) -> None:
        """Count the finished chunks, and write their rows where asked."""
        if not waiting:
            return
        waiting.sort(key=lambda w: w[0])
        block = np.concatenate([out for _, _, out in waiting], axis=1)
        played.tally.add_rows(block)
        played.ranges = joined([*played.ranges, *((a, b) for a, b, _ in waiting)])
        games = np.concatenate([np.arange(a, b) for a, b, _ in waiting])
        waiting.clear()
        if self.rows:
            self.rows.write(games, block)  # after all is counted: what cannot be written has still been played


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Ctrl-C asks to stop after the chunks under way; a second one stops at once."""
    asked = threading.Event()

    def ask(*_: Any) -> None:
        if asked.is_set():
            os._exit(130)
        asked.set()

    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
