"""Execution backend that plays games on the workers of a Dask cluster.

It divides games into tasks of a suitable length and adds up what comes back. Dask schedules the
tasks, repeats those that fail, and sends those of a dead worker to others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, islice
from math import inf
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from distributed import CancelledError, Client, Future, KilledWorker, as_completed
from distributed.comm import CommClosedError

from hardmode.sim.contract import RulesError
from hardmode.sim.files.atomic_files import OutputError
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
from hardmode.studies.cluster.connection import ClusterConnection, ClusterError
from hardmode.studies.cluster.engine_spec import collect_environment, encode_engine
from hardmode.studies.cluster.worker import Task, TaskResult

# Seconds of a task with few workers: one that counts games, and one that returns rows.
TALLY_SECONDS = 1.0
ROWS_SECONDS = 0.1
# Seconds of a task per worker, so that this process, which adds up the results, keeps up.
SECONDS_PER_WORKER = 0.02
MIN_SECONDS = 0.1  # of the last tasks of a range, which are short so that all end together
MIN_ORDER_SECONDS = 1e-6  # that one order of several in a task is expected to take
TASKS_IN_FLIGHT = 2  # per worker
MAX_CONCURRENT_RANGES = 16  # cells of a grid, whose boxes are all in memory
RETRIES = 2  # of a task that raises an error


class Order(NamedTuple):
    """One call of a function on a worker.

    Attributes:
        engine: The engine that plays.
        arguments: The arguments after the engine.
        item: The request of the caller that it answers.
    """

    engine: Engine
    arguments: Sequence[Any]
    item: Any = None


class DaskBackend:
    """Backend that sends games to the workers of a cluster."""

    def __init__(self, connection: ClusterConnection) -> None:
        self.connection = connection
        self._seconds_per_game: dict[str, float] = {}  # by workload
        self._specs: WeakKeyDictionary[Engine, bytes] = WeakKeyDictionary()
        self._is_checked = False
        self._lock = threading.Lock()

    @property
    def workers(self) -> int:
        """The number of tasks that are played at the same time."""
        return self.connection.count_threads()

    @property
    def concurrent_ranges(self) -> int:
        """The number of ranges worth playing at the same time."""
        return min(MAX_CONCURRENT_RANGES, TASKS_IN_FLIGHT * self.workers)

    def run_batches(self, batches: Iterable[GameBatch]) -> Iterator[BatchResult]:
        """Yield the rows of each batch, in order; batches are taken as they are needed."""

        def make_order(batch: GameBatch) -> Order:
            arguments = (batch.seed, batch.start, batch.stop, batch.redraw)
            return Order(batch.engine, arguments, batch)

        for order, value in self._run_in_order(worker.play_batch, map(make_order, batches)):
            rows, *rest = value
            yield BatchResult(order.item, rows.astype(np.int32), *rest)

    def map_jobs(self, job: Job, arguments: Iterable[JobArguments]) -> Iterator[Any]:
        """Yield the result of a job for each item of `arguments`, in order."""
        orders = (Order(engine, (job, values)) for engine, values in arguments)
        for _, value in self._run_in_order(worker.run_job, orders):
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
        players = [(player.name, player.rollout_budget) for player in engine.players]
        workload = f"{engine.game.name} {players}"

        def split_range() -> Iterator[list[Order]]:
            first = start
            while first < stop and not stop_event.is_set():
                games = self._choose_task_games(workload, stop - first, chunk_sizer)
                arguments = (seed, first, first + games, tuple(row_columns), shared_folder)
                yield [Order(engine, arguments, first)]
                first += games

        for (order,), result in self._run_tasks(worker.tally_range, split_range()):
            tally, columns, rows, is_written = result.values[0]
            games = rows.shape[1]
            self._seconds_per_game[workload] = result.seconds / games
            block = np.zeros((len(engine.game.columns), games), np.int32)
            block[columns] = rows
            chunk = RowChunk(order.item, order.item + games, block)
            yield PartialTally(Tally.from_dict(engine.game, tally), [chunk], is_written)

    def _choose_task_games(self, workload: str, remaining: int, chunk_sizer: ChunkSizer) -> int:
        """Return the number of games of a task, which shrinks towards the end of a range."""
        seconds_per_game = self._seconds_per_game.get(workload)
        if chunk_sizer.is_fixed:
            games = chunk_sizer.chunk_games
        elif seconds_per_game is None:
            games = FIRST_CHUNK_GAMES
        else:
            workers = self.workers
            longest = max(TALLY_SECONDS, workers * SECONDS_PER_WORKER)
            shortest = max(MIN_SECONDS, workers * SECONDS_PER_WORKER / 8)
            fair_share = remaining * seconds_per_game / (TASKS_IN_FLIGHT * workers)
            games = int(max(shortest, min(longest, fair_share)) / seconds_per_game)
        return min(max(1, games), remaining)

    # -- tasks on the cluster ---------------------------------------------------------------------

    def _run_in_order(
        self, function: Callable, orders: Iterator[Order]
    ) -> Iterator[tuple[Order, Any]]:
        """Yield orders with their results, in order.

        A task has one order while their duration is not known, and later as many as take a
        while; how long, grows with the number of tasks, so that each worker gets one.
        """
        seconds = inf  # of an order

        def group_orders() -> Iterator[list[Order]]:
            for number in count():
                enough = max(ROWS_SECONDS, SECONDS_PER_WORKER * min(number, self.workers))
                group = list(islice(orders, max(1, int(enough / seconds))))
                if not group:
                    return
                yield group

        for group, result in self._run_tasks(function, group_orders(), in_order=True):
            seconds = max(result.seconds, MIN_ORDER_SECONDS)
            yield from zip(group, result.values, strict=True)

    def _run_tasks(
        self, function: Callable, groups: Iterator[list[Order]], in_order: bool = False
    ) -> Iterator[tuple[list[Order], TaskResult]]:
        """Yield groups of orders with their results, as they are done or in order.

        If a task fails and the order does not matter, no more are sent, and the error is raised
        after the others are done, so that their games count.

        Args:
            function: The function that a worker calls for each order.
            groups: The orders of each task, taken as workers become free.
            in_order: Yield the results in the order of the groups.
        """
        client = self._connect()
        pending: dict[Future, tuple[Task, list[Order]]] = {}
        completed = as_completed(loop=client.loop)
        error: Exception | None = None
        try:
            while True:
                while not error and len(pending) < TASKS_IN_FLIGHT * self.workers:
                    group = next(groups, None)
                    if group is None:
                        break
                    task = self._make_task(function, group)
                    future = self._submit(task)
                    pending[future] = task, group
                    if not in_order:
                        completed.add(future)
                if not pending:
                    break
                future = next(iter(pending)) if in_order else next(completed)
                task, group = pending.pop(future)
                try:
                    result = self._wait_for_result(task, future)
                except (OutputError, RulesError, StrategyError) as failure:
                    if in_order:
                        raise
                    error = error or failure
                else:
                    yield group, result
        finally:
            client.cancel(list(pending), force=True)
        if error:
            raise error

    def _connect(self) -> Client:
        """Return the client, after the workers were checked once."""
        with self._lock:
            if not self._is_checked:
                self._refuse_different_workers()
                self._is_checked = True
        return self.connection.client

    def _make_task(self, function: Callable, group: Sequence[Order]) -> Task:
        engines = list(dict.fromkeys(order.engine for order in group))
        calls = [(engines.index(order.engine), order.arguments) for order in group]
        return Task(function, [self._encode_engine(engine) for engine in engines], calls)

    def _encode_engine(self, engine: Engine) -> bytes:
        """Return the specification of an engine, after its sources were sent to all workers."""
        with self._lock:
            if engine not in self._specs:
                content, sources = encode_engine(engine)
                with TemporaryDirectory() as folder:
                    for source in sources:
                        self.connection.send_file(source.write_archive(folder))
                self._specs[engine] = content
            return self._specs[engine]

    def _submit(self, task: Task) -> Future:
        return self.connection.client.submit(
            worker.run_task,
            task,
            pure=False,
            retries=RETRIES,
            workers=self.connection.choose_workers(),
            allow_other_workers=bool(self.connection.refused),  # if these die as well
        )

    def _wait_for_result(self, task: Task, future: Future) -> TaskResult:
        """Return the result of a task; send it again if a worker refused it.

        Raises:
            StrategyError: A strategy failed.
            RulesError: A rule failed.
            OutputError: A worker could not write rows.
            ClusterError: The scheduler was lost, or the task failed for another reason.
        """
        while True:
            try:
                answer = future.result()
            except (OutputError, RulesError, StrategyError):
                raise
            except (CancelledError, CommClosedError) as error:
                raise self.connection.make_loss_error() from error
            except KilledWorker as error:
                raise ClusterError(
                    f"{_describe_task(task)} ended every worker that tried: {error}"
                ) from error
            except ImportError as error:  # perhaps on a worker without hardmode that joined late
                self._refuse_different_workers()
                if not self.connection.refused:
                    raise ClusterError(f"a worker failed: {error}") from error
            except Exception as error:
                name = type(error).__name__
                raise ClusterError(f"a worker failed: {name}: {error}") from error
            else:
                if isinstance(answer, TaskResult):
                    return answer
                self.connection.refuse_worker(*answer)
            future = self._submit(task)

    def _refuse_different_workers(self) -> None:
        """Refuse the workers on which other code or libraries are installed.

        Those that join later return a `Refusal` from their first task.
        """
        answers = self.connection.client.run(
            worker.check_environment, collect_environment(), on_error="return"
        )
        for address, answer in answers.items():
            if answer:
                self.connection.refuse_worker(address, str(answer))


def _describe_task(task: Task) -> str:
    """Return a name for a task in messages, such as "games 0 to 99 of seed 1"."""
    arguments = task.calls[0][1]
    if task.function is worker.run_job:
        return arguments[0].__qualname__
    seed, start, stop = arguments[:3]
    return f"games {start} to {stop - 1} of seed {seed}"
