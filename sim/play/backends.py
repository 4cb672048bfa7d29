"""Execution backends: a thread pool in this process, or a cluster.

Callers use `current_backend()` and see three operations: rows of games in order, partial tallies
of a range of games in any order, and a map over jobs. Games are known by their numbers, so it
makes no difference to the results which backend plays them.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from hardmode.sim.contract import Game
from hardmode.sim.play.cores import clamp_threads
from hardmode.sim.play.engine import Engine, Redraw
from hardmode.sim.play.workspace import DECISIONS, Workspace, allocate_rows
from hardmode.sim.results.ranges import Ranges
from hardmode.sim.results.tally import Tally, WorkspaceSums, drain_workspace

CHUNK_SECONDS = 0.03  # short enough to stop quickly, long enough that its overhead is negligible
MIN_CHUNK_SECONDS = 0.001  # of chunks that are cut small only for load balancing
FIRST_CHUNK_GAMES = 8  # while the duration of a game is not known

# A thread counts its games together: at most after so many games (all threads together) or so
# many seconds, and with many threads not after fewer than the minimum.
TALLY_GAMES, MIN_TALLY_GAMES = 1 << 16, 1 << 13
TALLY_SECONDS = 1.0

POOLED_GAMES = 4  # games of which workspaces are kept, of about 5 MB each

T = TypeVar("T")
R = TypeVar("R")


class GameBatch(NamedTuple):
    """A request for the rows of games start..stop-1 of a seed.

    The caller may set `tag` to recognize the batch in its result.
    """

    engine: Engine
    seed: int
    start: int
    stop: int
    redraw: Redraw | None = None
    tag: Any = None


class BatchResult(NamedTuple):
    """Rows of a batch, one column per game, and the hash of each game's outcome."""

    batch: GameBatch
    rows: np.ndarray
    outcome_hashes: np.ndarray
    decisions: int
    seconds: float

    @property
    def games(self) -> int:
        """The number of games."""
        return self.batch.stop - self.batch.start


class SharedRowFolder(NamedTuple):
    """Folder to which a backend may write rows where it plays the games.

    `fingerprint` identifies the content of the folder, and `existing` holds the ranges of games
    that are already in it.
    """

    address: str = ""
    fingerprint: str = ""
    existing: Sequence[tuple[int, int]] = ()


NO_SHARED_FOLDER = SharedRowFolder()


class RowChunk(NamedTuple):
    """Rows of games start..stop-1, one column per game."""

    start: int
    stop: int
    rows: np.ndarray


class PartialTally(NamedTuple):
    """Tally of some games of a range, with their rows in ascending order of games.

    `rows_written` says that the backend wrote the rows to the shared folder.
    """

    tally: Tally
    chunks: Sequence[RowChunk]
    rows_written: bool = False

    @property
    def ranges(self) -> Ranges:
        """The ranges of games that were counted."""
        return [(chunk.start, chunk.stop) for chunk in self.chunks]

    @property
    def game_numbers(self) -> np.ndarray:
        """The numbers of the games."""
        return np.concatenate([np.arange(*game_range) for game_range in self.ranges])

    @property
    def rows(self) -> np.ndarray:
        """The rows of the games, one column per game."""
        return np.concatenate([chunk.rows for chunk in self.chunks], axis=1)


@dataclass
class ChunkSizer:
    """Chooses how many games make a chunk, from the duration of earlier chunks.

    Attributes:
        chunk_games: Games per chunk; 0 while that is not known.
        is_fixed: Whether chunks have always that size.
        seconds_per_game: The duration of a game in the latest chunk.
    """

    chunk_games: int = 0
    is_fixed: bool = False
    seconds_per_game: float = 0.0

    def update(self, games: int, seconds: float) -> None:
        """Learn from the duration of a chunk that was played."""
        self.seconds_per_game = seconds / games
        if not self.is_fixed:
            self.chunk_games = min(self._count_games_in(CHUNK_SECONDS), TALLY_GAMES // 2)

    def split_range(self, start: int, stop: int, threads: int = 1) -> Iterator[tuple[int, int]]:
        """Yield chunks of a range, as (start, stop), which use the latest size.

        With several threads the last chunks are smaller, so that no thread plays a long chunk
        while the others have nothing left to do.
        """
        while start < stop:
            size = self.chunk_games or FIRST_CHUNK_GAMES
            if threads > 1 and not self.is_fixed:
                smallest = self._count_games_in(MIN_CHUNK_SECONDS)
                size = min(size, max(smallest, (stop - start) // (2 * threads)))
            yield start, min(start + size, stop)
            start += size

    def _count_games_in(self, seconds: float) -> int:
        """Return the number of games that take about `seconds`."""
        if not self.seconds_per_game:
            return FIRST_CHUNK_GAMES
        return max(1, int(seconds / max(self.seconds_per_game, 1e-9)))


# A job is a function of hardmode that gets an engine, a workspace and plain values, and returns
# plain values, so that it can run on another machine. Its arguments: the engine, and the values.
Job = Callable[..., Any]
JobArguments = tuple[Engine, Sequence[Any]]


class Backend(Protocol):
    """Plays games, wherever it does so."""

    @property
    def workers(self) -> int:
        """The number of chunks that are played at the same time."""
        ...

    @property
    def concurrent_ranges(self) -> int:
        """The number of ranges worth running at once; 1 if each keeps all workers busy."""
        ...

    def run_batches(self, batches: Iterable[GameBatch]) -> Iterator[BatchResult]:
        """Yield the result of each batch, in order. Batches are consumed lazily."""
        ...

    def map_jobs(self, job: Job, arguments: Iterable[JobArguments]) -> Iterator[Any]:
        """Yield `job(engine, workspace, *values)` for each item of `arguments`, in order.

        Items are consumed lazily.
        """
        ...

    def run_range(
        self,
        engine: Engine,
        seed: int,
        start: int,
        stop: int,
        chunk_sizer: ChunkSizer,
        stop_event: threading.Event,
        row_columns: Sequence[int] = (),
        shared_folder: SharedRowFolder = NO_SHARED_FOLDER,
    ) -> Iterator[PartialTally]:
        """Yield tallies that together count games start..stop-1, in any order.

        Args:
            engine: The engine that plays.
            seed: The seed.
            start: The first game.
            stop: The game after the last.
            chunk_sizer: Chooses and learns the size of chunks.
            stop_event: When it is set, only chunks that were begun are finished.
            row_columns: Entries of the row that the caller needs; others may be zero.
            shared_folder: Where rows may be written instead of being returned.
        """
        ...


class WorkspacePool:
    """Idle workspaces of the latest games, for reuse.

    To allocate a workspace takes as long as to play a few hundred games. All methods are
    thread-safe.
    """

    def __init__(self) -> None:
        self._idle: dict[Game, list[Workspace]] = {}
        self._lock = threading.Lock()

    def acquire(self, game: Game) -> Workspace:
        """Take an idle workspace from the pool or create one."""
        with self._lock:
            idle = self._idle.pop(game, [])
            self._idle[game] = idle  # now the latest
            if len(self._idle) > POOLED_GAMES:
                del self._idle[next(iter(self._idle))]
            if idle:
                return idle.pop()
        return Workspace(game)

    def release(self, game: Game, workspace: Workspace) -> None:
        """Give a workspace back, unless a game was interrupted in it."""
        with self._lock:
            self._idle.get(game, []).append(workspace)


_tally_workspaces = WorkspacePool()
_scratch_workspaces = WorkspacePool()  # for jobs, whose games are not counted


class ThreadBackend:
    """Backend that plays in a pool of threads of this process.

    Args:
        workers: The number of threads.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers

    @property
    def concurrent_ranges(self) -> int:
        """The number of ranges worth running at once."""
        return 1

    def run_batches(self, batches: Iterable[GameBatch]) -> Iterator[BatchResult]:
        """Yield the result of each batch, in order."""
        return self._map(self.run_batch, batches)

    def map_jobs(self, job: Job, arguments: Iterable[JobArguments]) -> Iterator[Any]:
        """Yield `job(engine, workspace, *values)` for each item of `arguments`, in order."""
        return self._map(lambda item: self.run_job(job, *item), arguments)

    def run_range(
        self,
        engine: Engine,
        seed: int,
        start: int,
        stop: int,
        chunk_sizer: ChunkSizer,
        stop_event: threading.Event,
        row_columns: Sequence[int] = (),
        shared_folder: SharedRowFolder = NO_SHARED_FOLDER,
    ) -> Iterator[PartialTally]:
        """Yield tallies that together count games start..stop-1, with all of their rows."""
        chunks = chunk_sizer.split_range(start, stop, self.workers)
        range_run = _RangeRun(engine, seed, chunk_sizer, chunks, stop_event, self.workers)
        return range_run.run()

    def run_job(self, job: Job, engine: Engine, values: Sequence[Any]) -> Any:
        """Run one job in the calling thread."""
        workspace = _scratch_workspaces.acquire(engine.game)
        result = job(engine, workspace, *values)
        _scratch_workspaces.release(engine.game, workspace)
        return result

    def run_batch(self, batch: GameBatch) -> BatchResult:
        """Play one batch in the calling thread."""
        return _play_batch(batch)[0]

    def _map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        if self.workers == 1:
            yield from map(function, items)
            return
        pending = deque[Future[R]]()
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                for item in items:
                    pending.append(pool.submit(copy_context().run, function, item))
                    if len(pending) >= 2 * self.workers:
                        yield pending.popleft().result()
                while pending:
                    yield pending.popleft().result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


class _RangeRun:
    """Threads that play the chunks of one range, and each count what they played.

    Counting takes up to a seventh of the time, so the threads do it, and not the caller.
    """

    def __init__(
        self,
        engine: Engine,
        seed: int,
        chunk_sizer: ChunkSizer,
        chunks: Iterator[tuple[int, int]],
        stop_event: threading.Event,
        workers: int,
    ) -> None:
        self.engine = engine
        self.seed = seed
        self.chunk_sizer = chunk_sizer
        self.stop_event = stop_event
        self.workers = workers
        self.games_per_tally = max(TALLY_GAMES // workers, MIN_TALLY_GAMES)
        self._chunks = chunks
        self._chunks_lock = threading.Lock()
        self._tallies: SimpleQueue[PartialTally | None] = SimpleQueue()  # None: a thread ended
        self._is_cancelled = threading.Event()

    def run(self) -> Iterator[PartialTally]:
        """Start the threads and yield their tallies; raise the first error of a thread."""
        with ThreadPoolExecutor(self.workers) as pool:
            threads = [pool.submit(self._play_chunks) for _ in range(self.workers)]
            try:
                for _ in threads:
                    yield from iter(self._tallies.get, None)
            finally:
                self._is_cancelled.set()
            for thread in threads:
                thread.result()

    def _take_chunk(self) -> tuple[int, int] | None:
        with self._chunks_lock:
            if self.stop_event.is_set() or self._is_cancelled.is_set():
                return None
            return next(self._chunks, None)

    def _play_chunks(self) -> None:
        """Play chunk after chunk until none is left."""
        buffer = _TallyBuffer(self.engine.game)
        try:
            while chunk := self._take_chunk():
                result, sums = _play_batch(GameBatch(self.engine, self.seed, *chunk))
                self.chunk_sizer.update(result.games, result.seconds)
                buffer.add(result, sums)
                if buffer.games >= self.games_per_tally or buffer.age > TALLY_SECONDS:
                    self._tallies.put(buffer.flush())
                    buffer = _TallyBuffer(self.engine.game)
            if buffer.games:
                self._tallies.put(buffer.flush())
        except BaseException:
            self._is_cancelled.set()
            raise
        finally:
            self._tallies.put(None)


def _play_batch(batch: GameBatch) -> tuple[BatchResult, WorkspaceSums]:
    """Play a batch; return its result and the sums of the workspace."""
    engine = batch.engine
    n = batch.stop - batch.start
    workspace = _tally_workspaces.acquire(engine.game)
    rows = allocate_rows(engine.game, n)
    outcome_hashes = np.zeros(n, np.uint64)
    started = time.perf_counter()
    engine.play(
        workspace,
        batch.seed,
        batch.start,
        batch.stop,
        rows,
        outcome_hashes=outcome_hashes,
        redraw=batch.redraw,
    )
    seconds = time.perf_counter() - started
    sums = drain_workspace(workspace)
    _tally_workspaces.release(engine.game, workspace)
    decisions = sums.totals[DECISIONS]
    return BatchResult(batch, np.asarray(rows), outcome_hashes, decisions, seconds), sums


@dataclass
class _TallyBuffer:
    """Chunks of one thread that are going to be counted together."""

    game: Game
    games: int = 0
    chunks: list[RowChunk] = field(default_factory=list)
    sums: list[WorkspaceSums] = field(default_factory=list)
    started: float = field(default_factory=lambda: time.perf_counter())

    @property
    def age(self) -> float:
        """Seconds since the buffer was created."""
        return time.perf_counter() - self.started

    def add(self, result: BatchResult, sums: WorkspaceSums) -> None:
        self.chunks.append(RowChunk(result.batch.start, result.batch.stop, result.rows))
        self.sums.append(sums)
        self.games += result.games

    def flush(self) -> PartialTally:
        """Count all chunks and return their tally."""
        tally = Tally(self.game)
        tally.add_rows(*(chunk.rows for chunk in self.chunks))
        for sums in self.sums:
            tally.add_workspace(sums)
        return PartialTally(tally, sorted(self.chunks, key=lambda chunk: chunk.start))


def map_concurrently(
    function: Callable[[T], object],
    items: Iterable[T],
    n: int,
    stop_event: threading.Event | None = None,
) -> Iterator[T]:
    """Call a function with up to n items at a time, and yield each item, in order, when it is done.

    The function sees the context variables of the caller, such as the backend.

    Args:
        function: The function to call; its result is ignored.
        items: The items, which are consumed lazily.
        n: The number of threads; with 1, the calling thread does it all.
        stop_event: Set when the consumer stops early, before running calls are waited for.
    """
    if n == 1:
        for item in items:
            function(item)
            yield item
        return
    with ThreadPoolExecutor(n) as pool:
        pending = deque[tuple[T, Future]]()
        try:
            for item in items:
                pending.append((item, pool.submit(copy_context().run, function, item)))
                if len(pending) >= n:
                    first, future = pending.popleft()
                    future.result()
                    yield first
            for first, future in pending:
                future.result()
                yield first
        except BaseException:
            if stop_event:
                stop_event.set()
            raise


_backend: ContextVar[Backend | None] = ContextVar("_backend", default=None)


@contextmanager
def use_backend(backend: Backend) -> Iterator[None]:
    """Play all games of this context with another backend."""
    token = _backend.set(backend)
    try:
        yield
    finally:
        _backend.reset(token)


def current_backend(threads: int = 0) -> Backend:
    """Return the backend that `use_backend` set in this context, or else a pool of threads.

    Args:
        threads: The size of the pool; 0 for one thread per core.
    """
    return _backend.get() or ThreadBackend(clamp_threads(threads))
