"""Execution backend that plays games on the workers of a Dask cluster.

Dask schedules tasks, and sends those of a dead worker to others. This module does the rest:

* Tasks get a suitable length from the pace of play and the number of workers.
* A task that fails three times with the same message raises an error; whatever else is in flight is
  still counted.
* A worker whose environment differs from the client's gets no tasks.
* A task that stays unanswered is sent to another worker as well; each task counts once.
* When the scheduler is gone, its tasks are sent again to the next one at its address.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import numpy as np

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
from hardmode.studies.cluster.connection import ClusterConnection
from hardmode.studies.cluster.payload import ClusterError
from hardmode.studies.cluster.task import (
    RequestedRows,
    Task,
    TaskFactory,
    make_batch_task,
    make_job_task,
)

# Seconds of a task with few workers: one that counts games, and one that returns rows.
TALLY_SECONDS = 1.0
ROWS_SECONDS = 0.1
# Seconds of a task per worker, so that the client, which spends a quarter of that, keeps up.
SECONDS_PER_WORKER = 0.04
MIN_SECONDS = 0.1  # of the last tasks of a range, which are short so that all end together
TASKS_IN_FLIGHT = 2  # per worker
TASKS_HELD = 8  # per worker, in flight or waiting for an earlier one
MAX_CONCURRENT_RANGES = 16  # cells of a grid, whose boxes are all in memory
MAX_FAILURES = 3  # of a task
RESEND_SECONDS = 10.0  # after which an unanswered task is sent again, at least
RESEND_FACTOR = 5.0  # the same, as a multiple of its expected duration
FETCH_SECONDS = 30.0  # in which a result must arrive
STOP_SECONDS = 10.0  # for which tasks in flight are awaited after an interrupt
POLL_SECONDS = 0.5  # between checks of unanswered tasks

Item = TypeVar("Item")


class DaskBackend:
    """Backend that sends games to the workers of a cluster."""

    def __init__(self, connection: ClusterConnection) -> None:
        self.connection = connection
        self._seconds_per_game: dict[str, float] = {}  # or per call of a job, by workload

    @property
    def workers(self) -> int:
        """The number of tasks that are played at the same time."""
        return max(1, self.connection.count_threads())

    @property
    def concurrent_ranges(self) -> int:
        """The number of ranges worth playing at the same time."""
        return min(MAX_CONCURRENT_RANGES, TASKS_IN_FLIGHT * self.workers)

    def run_batches(self, batches: Iterable[GameBatch]) -> Iterator[BatchResult]:
        """Yield the rows of each batch, in order; batches are taken as they are needed."""

        def estimate_seconds(batch: GameBatch) -> float:
            seconds_per_game = self._seconds_per_game.get(_name_workload(batch.engine), 0.0)
            return (batch.stop - batch.start) * seconds_per_game

        tasks = self._group_items(batches, estimate_seconds, make_batch_task)
        for batch, (rows, hashes, decisions, seconds) in self._run_in_order(tasks):
            games = batch.stop - batch.start
            self._seconds_per_game[_name_workload(batch.engine)] = seconds / games
            yield BatchResult(batch, rows.astype(np.int32), hashes, decisions, seconds)

    def map_jobs(self, job: Job, arguments: Iterable[JobArguments]) -> Iterator[Any]:
        """Yield the result of a job for each item of `arguments`, in order."""

        def name_job(item: JobArguments) -> str:
            return f"{job.__qualname__} {_name_workload(item[0])}"

        def estimate_seconds(item: JobArguments) -> float:
            return self._seconds_per_game.get(name_job(item), 0.0)

        tasks = self._group_items(arguments, estimate_seconds, partial(make_job_task, job))
        for item, (result, seconds) in self._run_in_order(tasks):
            self._seconds_per_game[name_job(item)] = seconds
            yield result

    def _run_in_order(self, tasks: Iterator[Task]) -> Iterator[tuple[Any, Any]]:
        """Yield the items of tasks with their results, in order."""
        waiting: dict[int, tuple[Task, Any]] = {}
        next_number = 0
        for task, results in self._run_tasks(tasks, lambda: len(waiting)):
            waiting[task.number] = task, results
            while next_number in waiting:
                task, results = waiting.pop(next_number)
                yield from zip(task.items, results, strict=True)
                next_number += 1

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
        rows = tuple(row_columns), shared_folder
        tasks = self._split_range(engine, seed, start, stop, chunk_sizer, rows)
        for task, result in self._run_tasks(tasks, lambda: 0, stop_event.is_set):
            tally, columns, rows_of_columns, is_written, seconds = result
            batch = task.items[0]
            games = batch.stop - batch.start
            self._seconds_per_game[_name_workload(engine)] = seconds / games
            block = np.zeros((len(engine.game.columns), games), np.int32)
            block[columns] = rows_of_columns
            chunk = RowChunk(batch.start, batch.stop, block)
            yield PartialTally(Tally.from_dict(engine.game, tally), [chunk], is_written)

    # -- length of tasks --------------------------------------------------------------------------

    def _split_range(
        self,
        engine: Engine,
        seed: int,
        start: int,
        stop: int,
        chunk_sizer: ChunkSizer,
        rows: RequestedRows,
    ) -> Iterator[Task]:
        """Yield tasks that play a range of games."""
        number = 0
        while start < stop:
            seconds_per_game = self._seconds_per_game.get(_name_workload(engine))
            if chunk_sizer.is_fixed:
                games = chunk_sizer.chunk_games
            elif seconds_per_game is None:
                games = FIRST_CHUNK_GAMES
            else:
                games = self._choose_task_games(seconds_per_game, stop - start)
            games = min(games, stop - start)
            make_task = make_batch_task([GameBatch(engine, seed, start, start + games)], True, rows)
            yield make_task(number, games * (seconds_per_game or 0.0))
            number = number + 1
            start = start + games

    def _choose_task_games(self, seconds_per_game: float, remaining: int) -> int:
        """Return the number of games of a task, which shrinks towards the end of a range."""
        workers = self.workers
        longest = max(TALLY_SECONDS, workers * SECONDS_PER_WORKER) / seconds_per_game
        shortest = max(MIN_SECONDS, workers * SECONDS_PER_WORKER / 8) / seconds_per_game
        fair_share = remaining / (TASKS_IN_FLIGHT * workers)
        return int(max(min(longest, fair_share), shortest, 1))

    def _group_items(
        self,
        items: Iterable[Item],
        estimate_seconds: Callable[[Item], float],
        make_task: Callable[[list[Item]], TaskFactory],
    ) -> Iterator[Task]:
        """Yield tasks of several items, which grow longer.

        The number of items is not known; with few of them, every worker must get some. An item of
        unknown duration is a task of its own.

        Args:
            items: Batches, or arguments of a job.
            estimate_seconds: Returns the expected duration of an item, or 0.
            make_task: Makes a task of items.
        """
        group: list[Item] = []
        number = 0
        seconds = 0.0
        for item in items:
            enough = max(ROWS_SECONDS, SECONDS_PER_WORKER * min(number, self.workers))
            group.append(item)
            seconds += estimate_seconds(item) or enough
            if seconds >= enough:
                yield make_task(group)(number, seconds)
                group = []
                number = number + 1
                seconds = 0.0
        if group:
            yield make_task(group)(number, seconds)

    # -- tasks in flight --------------------------------------------------------------------------

    def _run_tasks(
        self,
        tasks: Iterator[Task],
        count_waiting: Callable[[], int],
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Iterator[tuple[Task, Any]]:
        """Yield tasks with their results as they are done.

        Args:
            tasks: The tasks, which are taken as workers become free.
            count_waiting: Returns how many results the caller holds back.
            is_stopped: Returns whether to send no more tasks.
        """
        in_flight = InFlightTasks(self.connection, is_stopped)
        has_more = True
        error = None
        last_answer = time.monotonic()
        try:
            while True:
                while has_more and not error and not is_stopped():
                    n_open = len(in_flight.tasks)
                    workers = self.workers
                    is_full = n_open >= TASKS_IN_FLIGHT * workers
                    if is_full or n_open + count_waiting() >= TASKS_HELD * workers:
                        break
                    task = next(tasks, None)
                    has_more = task is not None
                    if task:
                        in_flight.send(task)
                last_answer = last_answer if is_stopped() else time.monotonic()
                if not in_flight.tasks or time.monotonic() - last_answer > STOP_SECONDS:
                    break
                for task, answer in in_flight.collect_answers():
                    last_answer = time.monotonic()
                    if "done" in answer:
                        yield task, answer["done"]
                    else:
                        error = error or _make_error(answer)
        finally:
            in_flight.cancel()
        if error:
            raise error


class InFlightTasks:
    """Tasks that were sent and have no result yet."""

    def __init__(self, connection: ClusterConnection, is_stopped: Callable[[], bool]) -> None:
        self.connection = connection
        self.is_stopped = is_stopped
        self.tasks: dict[int, Task] = {}  # by number
        self._finished: SimpleQueue[tuple[Task, Any]] = SimpleQueue()
        self._last_check = time.monotonic()

    def send(self, task: Task) -> None:
        """Send a task, for the first time or again."""
        self.tasks[task.number] = task
        excluded = self.connection.excluded
        workers = self.connection.list_workers()
        if excluded and not workers:
            return  # until there is a worker that is not excluded
        future = self.connection.client.submit(
            worker.play_task,
            task.to_plain_values(),
            key=f"hardmode-{uuid.uuid4().hex}",
            pure=False,
            workers=workers if excluded else None,
            allow_other_workers=bool(excluded),  # if these die as well
        )
        task.futures[future] = time.monotonic()
        future.add_done_callback(lambda future: self._finished.put((task, future)))

    def collect_answers(self) -> Iterator[tuple[Task, Mapping[str, Any]]]:
        """Yield tasks that are done or have failed for good; send others again."""
        finished = []
        try:
            finished.append(self._finished.get(timeout=POLL_SECONDS))
        except Empty:
            pass
        while not self._finished.empty():
            finished.append(self._finished.get())
        for task, future in finished:
            if self.tasks.get(task.number) is task and future in task.futures:
                answer = self._handle_answer(task, future)
                if answer:
                    self._remove(task)
                    yield task, answer
        if time.monotonic() - self._last_check > POLL_SECONDS:
            self._last_check = time.monotonic()
            self._resend_unanswered()

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in list(self.tasks.values()):
            self._remove(task)

    def _remove(self, task: Task) -> None:
        self.tasks.pop(task.number, None)
        self.connection.cancel_futures(list(task.futures))
        task.futures.clear()

    def _handle_answer(self, task: Task, future: Any) -> Mapping[str, Any] | None:
        """Return the answer of a worker if it ends the task; otherwise send the task again."""
        try:
            answer: dict[str, Any] = future.result(timeout=FETCH_SECONDS)
        except Exception as error:  # whatever happened to the worker or the scheduler
            answer = {"lost": f"{type(error).__name__}: {error}"}
        task.futures.pop(future, None)
        if "done" in answer:
            return answer
        if "lost" in answer:
            return self._handle_loss(task, future, answer["lost"])
        if "refused" in answer:
            self.connection.exclude_worker(answer["worker"], answer["refused"])
        elif "needs" in answer:
            task.sources |= set(answer["needs"])
        else:
            task.failures.append(answer["failed"])
            if task.failures.count(answer["failed"]) >= MAX_FAILURES:
                return answer
        self.send(task)
        return None

    def _handle_loss(self, task: Task, future: Any, reason: str) -> Mapping[str, Any] | None:
        """Return a failure if a task ended too many workers; otherwise send it again."""
        if "ModuleNotFoundError" in reason and "hardmode" in reason:
            address = self.connection.address
            raise ClusterError(f"hardmode is not installed on a worker of {address}: {reason}")
        if future.status == "error":
            task.lost += 1
            if task.lost >= MAX_FAILURES:
                return {"failed": f"{task} ended every worker that played them ({reason})"}
        if not task.futures:
            self.send(task)
        return None

    def _resend_unanswered(self) -> None:
        """Send again what was lost with a scheduler, and to others what stays unanswered.

        The waiting time doubles each time.
        """
        is_new_scheduler = self.connection.reconnect_if_lost(self.is_stopped)
        self.connection.list_workers()  # waits if there are none, and gives up in the end
        for task in list(self.tasks.values()):
            for future in list(task.futures):
                if is_new_scheduler or future.status in ("cancelled", "lost"):
                    del task.futures[future]
            patience = max(RESEND_SECONDS, RESEND_FACTOR * task.expected_seconds)
            patience *= 2 ** max(0, len(task.futures) - 1)
            waited = time.monotonic() - max(task.futures.values(), default=0.0)
            is_late = waited > patience and self.connection.has_idle_worker()
            if not task.futures or is_late:
                self.send(task)


def _name_workload(engine: Engine) -> str:
    """Return a name for engines whose games take about as long."""
    players = [(player.name, player.rollout_budget) for player in engine.players]
    return f"{engine.game.name} {players}"


def _make_error(answer: Mapping[str, Any]) -> Exception:
    """Return the error of a worker, of the type that it would have here."""
    types: dict[str, type[Exception]] = {
        "StrategyError": StrategyError,
        "RulesError": RulesError,
        "OutputError": OutputError,
    }
    return types.get(answer.get("as", ""), ClusterError)(answer["failed"])
