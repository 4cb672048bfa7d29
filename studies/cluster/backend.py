"""Execution backend that plays games on the workers of a Dask cluster.

It divides games into tasks of a suitable length and adds up what comes back. Dask schedules the
tasks, repeats those that fail, and sends those of a dead worker to others.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, islice
from math import inf
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

import numpy as np
from distributed import CancelledError, Client, Future, as_completed, get_worker
from distributed.comm import CommClosedError

from hardmode.sim.contract import RulesError
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.messages import warn_once
from hardmode.sim.play.backends import (
    FIRST_CHUNK_GAMES,
    NO_SHARED_FOLDER,
    BatchResult,
    ChunkSizer,
    GameBatch,
    Job,
    JobArguments,
    PartialTally,
    RowChunk,
    SharedRowFolder,
)
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import StrategyError
from hardmode.sim.results.tally import Tally
from hardmode.studies.cluster import worker
from hardmode.studies.cluster.engine_spec import collect_environment, encode_engine
from hardmode.studies.cluster.errors import ClusterError
from hardmode.studies.cluster.worker import TaskResult

# Seconds of a task with few workers: one that counts games, and one that returns rows.
TALLY_SECONDS = 1.0
ROWS_SECONDS = 0.1
# Seconds of a task per worker, so that this process, which adds up the results, keeps up.
SECONDS_PER_WORKER = 0.02
MIN_SHARE = 0.1  # of that time; the last tasks of a range are short, so that all end together
TASKS_IN_FLIGHT = 2  # per worker
MAX_CONCURRENT_RANGES = 16  # cells of a grid, whose boxes are all in memory
RETRIES = 2  # of a task that raises an error


# A call of a function on a worker: the engine, and the other arguments.
Call = tuple[Any, ...]


class DaskBackend:
    """Backend that sends games to the workers of a cluster.

    Args:
        client: Dask's client.
        address: The address of the scheduler, for messages.
    """

    def __init__(self, client: Client, address: str) -> None:
        self.client = client
        self.address = address
        self._refused: dict[str, str] = {}  # why a worker gets no games, by its address
        self._specs: WeakKeyDictionary[Engine, bytes] = WeakKeyDictionary()
        self._runner = make_runner()

    @property
    def workers(self) -> int:
        """The number of tasks that are played at the same time."""
        return max(1, sum(self._list_accepted().values()))

    @property
    def concurrent_ranges(self) -> int:
        """The number of ranges worth playing at the same time."""
        return min(MAX_CONCURRENT_RANGES, TASKS_IN_FLIGHT * self.workers)

    def run_batches(self, batches: Iterable[GameBatch]) -> Iterator[BatchResult]:
        """Yield the rows of each batch, in order; batches are taken as they are needed."""
        for batch, value in self._run_in_order(worker.play_batch, iter(batches)):
            rows, *rest = value
            yield BatchResult(GameBatch(*batch), rows.astype(np.int32), *rest)

    def map_jobs(self, job: Job, arguments: Iterable[JobArguments]) -> Iterator[Any]:
        """Yield the result of a job for each item of `arguments`, in order."""
        calls = ((engine, job, values) for engine, values in arguments)
        for _, value in self._run_in_order(worker.run_job, calls):
            yield value

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
        """Play a range of games and yield tallies of its parts, in any order.

        Args:
            engine: The game, its box and its players.
            seed: Seed of the games.
            start: Number of the first game.
            stop: Number of the game after the last.
            chunk_sizer: Chooses the number of games of a task if it is fixed.
            stop_event: Ends the range early.
            row_columns: Columns whose rows are wanted as well.
            shared_folder: Where workers may write the rows of all columns.
        """

        def split_range() -> Iterator[list[Call]]:
            first = start
            while first < stop and not stop_event.is_set():
                last = first + self._choose_task_games(stop - first, chunk_sizer)
                yield [(engine, seed, first, last, tuple(row_columns), shared_folder)]
                first = last

        for _, (call,), result in self._run_tasks(worker.tally_range, split_range()):
            tally, columns, rows, is_written = result.values[0]
            first, last = call[2:4]
            chunk_sizer.update(last - first, result.seconds)
            block = np.zeros((len(engine.game.columns), last - first), np.int32)
            block[columns] = rows
            chunk = RowChunk(first, last, block)
            yield PartialTally(Tally.from_dict(engine.game, tally), [chunk], is_written)

    def _choose_task_games(self, remaining: int, chunk_sizer: ChunkSizer) -> int:
        """Return the number of games of a task, which shrinks towards the end of a range."""
        seconds_per_game = chunk_sizer.seconds_per_game
        if chunk_sizer.is_fixed:
            games = chunk_sizer.chunk_games
        elif not seconds_per_game:
            games = FIRST_CHUNK_GAMES
        else:
            workers = self.workers
            longest = max(TALLY_SECONDS, workers * SECONDS_PER_WORKER)
            fair_share = remaining * seconds_per_game / (TASKS_IN_FLIGHT * workers)
            games = int(np.clip(fair_share, MIN_SHARE * longest, longest) / seconds_per_game)
        return min(max(1, games), remaining)

    # -- tasks on the cluster ---------------------------------------------------------------------

    def _run_in_order(
        self, function: Callable, calls: Iterator[Call]
    ) -> Iterator[tuple[Call, Any]]:
        """Yield calls with their results, in order.

        A task has one call while their duration is not known, and later as many as take a
        while; how long, grows with the number of tasks, so that each worker gets one.
        """
        seconds = inf  # of a call

        def group_calls() -> Iterator[list[Call]]:
            for number in count():
                enough = max(ROWS_SECONDS, SECONDS_PER_WORKER * min(number, self.workers))
                group = list(islice(calls, max(1, int(enough / seconds))))
                if not group:
                    return
                yield group

        done: dict[int, Iterable[tuple[Call, Any]]] = {}  # before it is their turn
        turn = 0
        for number, group, result in self._run_tasks(function, group_calls()):
            seconds = result.seconds or inf
            done[number] = zip(group, result.values, strict=True)
            while turn in done:
                yield from done.pop(turn)
                turn += 1

    def _run_tasks(
        self, function: Callable, groups: Iterator[list[Call]]
    ) -> Iterator[tuple[int, list[Call], TaskResult]]:
        """Yield groups of calls with their numbers and results, as they are done.

        If a task fails, no more are sent, and the error is raised after the others are done, so
        that their games count.

        Args:
            function: The function that a worker calls.
            groups: The calls of each task, taken as workers become free.
        """
        numbered_groups = enumerate(groups)
        pending: dict[Future, tuple[int, list[Call]]] = {}
        completed = as_completed(loop=self.client.loop)
        error: Exception | None = None

        def start(number: int, group: list[Call]) -> None:
            future = self._submit(function, group)
            pending[future] = number, group
            completed.add(future)

        try:
            while True:
                free = 0 if error else TASKS_IN_FLIGHT * self.workers - len(pending)
                for task in islice(numbered_groups, max(0, free)):
                    start(*task)
                if not pending:
                    break
                future = next(completed)
                number, group = pending.pop(future)
                try:
                    answer = future.result()
                except Exception as failure:
                    error = error or self._explain_failure(failure)
                    continue
                if isinstance(answer, TaskResult):
                    yield number, group, answer
                    continue
                address, reason = answer
                self._refused[address] = reason
                warn_once(f"the worker {address} gets no games: {reason}")
                start(number, group)
        finally:
            self.client.cancel(list(pending), force=True)
        if error:
            raise error

    def _submit(self, function: Callable, group: Sequence[Call]) -> Future:
        """Send a task; its key names what it does where Dask reports on it."""
        calls = [(self._encode_engine(engine), arguments) for engine, *arguments in group]
        return self.client.submit(
            self._runner,
            collect_environment(),
            pickle.dumps((function, calls)),
            key=(function.__name__, repr(group[0][1:4])[:80], uuid4().hex),
            retries=RETRIES,
            workers=list(self._list_accepted()) if self._refused else None,
            allow_other_workers=bool(self._refused),  # if these die as well
        )

    def _encode_engine(self, engine: Engine) -> bytes:
        if engine not in self._specs:
            self._specs[engine] = encode_engine(engine)
        return self._specs[engine]

    def _explain_failure(self, error: Exception) -> Exception:
        """Return the error to raise for what Dask raised in place of a result."""
        if isinstance(error, (OutputError, RulesError, StrategyError)):
            return error
        if isinstance(error, (CancelledError, CommClosedError)):
            return self._make_loss_error()
        return ClusterError(f"a worker failed: {type(error).__name__}: {error}")

    def _list_accepted(self) -> dict[str, int]:
        """Return the number of threads of each worker that was not refused, by address.

        Raises:
            ClusterError: The scheduler was lost, or all workers were refused.
        """
        try:
            threads = self.client.nthreads()
        except OSError as error:
            raise self._make_loss_error() from error
        accepted = {address: n for address, n in threads.items() if address not in self._refused}
        if threads and not accepted:
            reasons = "; ".join(f"{address}: {why}" for address, why in self._refused.items())
            raise ClusterError(f"no worker of {self.address} plays the same games: {reasons}")
        return accepted

    def _make_loss_error(self) -> ClusterError:
        """Return the error of a command whose scheduler is lost."""
        return ClusterError(
            f"the connection to the scheduler at {self.address} was lost; with -o FILE, the same "
            "command continues with the games that were saved"
        )


def make_runner() -> Callable[[dict[str, str], bytes], TaskResult | tuple[str, str]]:
    """Return the function that workers call.

    Dask sends a local function as code, so this one also runs where hardmode is not installed.
    """

    def run_if_same(environment: dict[str, str], content: bytes) -> TaskResult | tuple[str, str]:
        """Return the result of a task, or this worker's address and why it is refused."""
        try:
            from hardmode.studies.cluster.worker import run_task

            return run_task(environment, content)
        except ImportError as error:  # a `DifferentCodeError` is one as well
            return get_worker().address, str(error)

    return run_if_same
