"""Execution backend that plays games on the workers of a Dask cluster.

It divides games into tasks of a suitable length and adds up what comes back. Dask schedules the
tasks, repeats those that fail, and sends those of a dead worker to others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from distributed import Future, KilledWorker, as_completed

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
from hardmode.studies.cluster.worker import Refusal, SourcePlugin, Task, TaskResult

# Seconds of a task with few workers: one that counts games, and one that returns rows.
TALLY_SECONDS = 1.0
ROWS_SECONDS = 0.1
# Seconds of a task per worker, so that this process, which adds up the results, keeps up.
SECONDS_PER_WORKER = 0.02
MIN_SECONDS = 0.1  # of the last tasks of a range, which are short so that all end together
TASKS_IN_FLIGHT = 2  # per worker
RESULTS_HELD = 6  # per worker, where results are yielded in order
MAX_CONCURRENT_RANGES = 16  # cells of a grid, whose boxes are all in memory
RETRIES = 2  # of a task that raises an error


class Order(NamedTuple):
    """One call of a function on a worker.

    Attributes:
        engine: The engine that plays.
        arguments: The arguments after the engine.
        workload: Name of orders that take about as long for each game.
        games: The number of games.
        item: What the caller asked for.
    """

    engine: Engine
    arguments: Sequence[Any]
    workload: str
    games: int
    item: Any


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
            workload = _name_workload(batch.engine)
            return Order(batch.engine, arguments, workload, batch.stop - batch.start, batch)

        groups = self._group_orders(map(make_order, batches))
        for order, (rows, *rest) in self._run_in_order(worker.play_batch, groups):
            yield BatchResult(order.item, rows.astype(np.int32), *rest)

    def map_jobs(self, job: Job, arguments: Iterable[JobArguments]) -> Iterator[Any]:
        """Yield the result of a job for each item of `arguments`, in order."""

        def make_order(item: JobArguments) -> Order:
            engine, values = item
            workload = f"{job.__qualname__} {_name_workload(engine)}"
            return Order(engine, (job, values), workload, 1, None)

        groups = self._group_orders(map(make_order, arguments))
        for _, value in self._run_in_order(worker.run_job, groups):
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
        workload = _name_workload(engine)

        def split_range() -> Iterator[list[Order]]:
            first = start
            while first < stop and not stop_event.is_set():
                games = self._choose_task_games(workload, stop - first, chunk_sizer)
                arguments = (seed, first, first + games, tuple(row_columns), shared_folder)
                yield [Order(engine, arguments, workload, games, first)]
                first += games

        for (order,), values in self._run_tasks(worker.tally_range, split_range()):
            tally, columns, rows, is_written = values[0]
            block = np.zeros((len(engine.game.columns), order.games), np.int32)
            block[columns] = rows
            chunk = RowChunk(order.item, order.item + order.games, block)
            yield PartialTally(Tally.from_dict(engine.game, tally), [chunk], is_written)

    # -- length of tasks --------------------------------------------------------------------------

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

    def _group_orders(self, orders: Iterable[Order]) -> Iterator[list[Order]]:
        """Yield groups of orders, each for a task, which grow longer.

        The number of orders is not known; with few of them, every worker must get some. An order
        of unknown duration is a group of its own.
        """
        group: list[Order] = []
        n_groups = 0
        seconds = 0.0
        for order in orders:
            enough = max(ROWS_SECONDS, SECONDS_PER_WORKER * n_groups)
            group.append(order)
            seconds += order.games * self._seconds_per_game.get(order.workload, enough)
            if seconds >= min(enough, TALLY_SECONDS):
                yield group
                group = []
                n_groups += 1
                seconds = 0.0
        if group:
            yield group

    # -- tasks on the cluster ---------------------------------------------------------------------

    def _run_in_order(
        self, function: Callable, groups: Iterator[list[Order]]
    ) -> Iterator[tuple[Order, Any]]:
        """Yield orders with their results, in order."""
        held: dict[int, tuple[list[Order], list[Any]]] = {}

        def number_groups() -> Iterator[list[Order]]:
            for number, group in enumerate(groups):
                yield [order._replace(item=(number, order.item)) for order in group]

        next_number = 0
        for group, values in self._run_tasks(function, number_groups(), held):
            held[group[0].item[0]] = group, values
            while next_number in held:
                for order, value in zip(*held.pop(next_number), strict=True):
                    yield order._replace(item=order.item[1]), value
                next_number += 1

    def _run_tasks(
        self, function: Callable, groups: Iterator[list[Order]], held: Sized = ()
    ) -> Iterator[tuple[list[Order], list[Any]]]:
        """Yield groups of orders with their results as they are done.

        If a task fails, no more are sent, and the error is raised after the others are done.

        Args:
            function: The function that a worker calls for each order.
            groups: The orders of each task, taken as workers become free.
            held: Results that the caller holds back.
        """
        self._check_workers()
        pending: dict[Future, tuple[Task, list[Order]]] = {}
        completed = as_completed(loop=self.connection.client.loop)
        error: Exception | None = None

        def submit_tasks() -> None:
            n_tasks = TASKS_IN_FLIGHT * self.workers
            while error is None and len(pending) < n_tasks:
                if len(pending) + len(held) >= RESULTS_HELD * n_tasks // TASKS_IN_FLIGHT:
                    return
                group = next(groups, None)
                if group is None:
                    return
                task = self._make_task(function, group)
                future = self._submit(task)
                pending[future] = task, group
                completed.add(future)

        try:
            submit_tasks()
            for future in completed:
                task, group = pending.pop(future)
                try:
                    result = self._wait_for_result(task, future)
                except (OutputError, RulesError, StrategyError) as failure:
                    error = error or failure
                    continue
                self._seconds_per_game[group[0].workload] = result.seconds / group[0].games
                yield group, result.values
                submit_tasks()
        finally:
            self.connection.client.cancel(list(pending), force=True)
        if error:
            raise error

    def _make_task(self, function: Callable, group: Sequence[Order]) -> Task:
        engines = list(dict.fromkeys(order.engine for order in group))
        calls = [(engines.index(order.engine), order.arguments) for order in group]
        return Task(function, [self._encode_engine(engine) for engine in engines], calls)

    def _encode_engine(self, engine: Engine) -> bytes:
        """Return the specification of an engine, after its sources were sent to all workers."""
        with self._lock:
            if engine not in self._specs:
                encoded = encode_engine(engine, worker.load_strategy)
                for source in encoded.sources:
                    self.connection.client.register_plugin(SourcePlugin(source))
                self._specs[engine] = encoded.content
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
                with self.connection.explain_loss():
                    answer = future.result()
            except (ClusterError, OutputError, RulesError, StrategyError):
                raise
            except KilledWorker as error:
                raise ClusterError(
                    f"{task.function.__name__}{task.calls[0][1]} ended every worker that tried it: "
                    f"{error}"
                ) from error
            except Exception as error:
                name = type(error).__name__
                raise ClusterError(f"a worker failed: {name}: {error}") from error
            if not isinstance(answer, Refusal):
                return answer
            self.connection.refuse_worker(answer.worker, answer.reason)
            future = self._submit(task)

    def _check_workers(self) -> None:
        """Refuse the workers that differ from this process; those that join later check it."""
        with self._lock:
            if self._is_checked:
                return
            self._is_checked = True
            answers = self.connection.client.run(
                worker.check_environment, collect_environment(), on_error="return"
            )
        for address, answer in answers.items():
            if answer:
                self.connection.refuse_worker(address, str(answer))


def _name_workload(engine: Engine) -> str:
    """Return a name for engines whose games take about as long."""
    players = [(player.name, player.rollout_budget) for player in engine.players]
    return f"{engine.game.name} {players}"
