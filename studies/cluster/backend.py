"""A crew of workers of a Dask cluster: tasks go out, tallies and rows come back, and each is counted once.

Dask schedules, and sends what a dead worker had to others. What is done here: tasks are made as long as the pace of
play and the number of workers ask for; what fails in the same words three times is an error, and everything else that
is under way is still counted; a worker that is not like this one gets nothing; a task that nobody answers is sent to
somebody else as well; and when the scheduler is gone, its tasks are sent again to the next one at its address.
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
    NOWHERE,
    UNTRIED,
    Answer,
    Asked,
    Chunk,
    Job,
    Order,
    Pace,
    Part,
    Shared,
)
from hardmode.sim.play.engine import Engine, StrategyError
from hardmode.sim.results.tally import Tally
from hardmode.studies.cluster import worker
from hardmode.studies.cluster.connection import Link
from hardmode.studies.cluster.payload import ClusterError
from hardmode.studies.cluster.task import Numbered, Task, Wanted, asked, ordered

COUNTED, ROWS = (
    1.0,
    0.1,
)  # seconds of a task that is counted, and of one whose rows are sent, with few workers
GATHER = 0.04  # seconds of a task for each worker, so that this process, to which it costs a quarter, is not the limit
SHORTEST = 0.1  # seconds of the last tasks of a range, which are short so that all end together
AHEAD = 2  # tasks that are under way for each worker
HELD = 8  # and that may wait for their turn, for each worker
ABREAST = 16  # cells of a grid, whose boxes are all in memory
TRIES = 3
PATIENCE, SLOW = (
    10.0,
    5.0,
)  # a task is sent again after so many seconds, and so many times as long as it should take
FETCHED = 30.0  # seconds in which an answer must be here, or the task is played again
LEAVE = 10.0  # seconds for which what is under way is waited for when somebody asked to stop
LOOK = 0.5  # seconds between two looks at what does not answer


Item = TypeVar("Item")


class Hands:
    """The workers of a cluster as a crew."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self._paces: dict[str, float] = {}  # seconds of a game, by game and players

    @property
    def size(self) -> int:
        return max(1, self.link.threads())

    @property
    def abreast(self) -> int:
        return min(ABREAST, AHEAD * self.size)

    def rows(self, orders: Iterable[Order]) -> Iterator[Answer]:
        tasks = self._batches(
            orders, lambda o: (o.hi - o.lo) * self._paces.get(_who(o.made), 0.0), ordered
        )
        for order, (rows, marks, decisions, seconds) in self._in_turn(tasks):
            self._paces[_who(order.made)] = seconds / (order.hi - order.lo)
            yield Answer(order, rows.astype(np.int32), marks, decisions, seconds)

    def each(self, job: Job, asking: Iterable[Asked]) -> Iterator[Any]:
        def name(one: Asked) -> str:
            return f"{job.__qualname__} {_who(one[0])}"

        tasks = self._batches(
            asking, lambda one: self._paces.get(name(one), 0.0), partial(asked, job)
        )
        for one, (found, seconds) in self._in_turn(tasks):
            self._paces[name(one)] = seconds
            yield found

    def _in_turn(self, tasks: Iterator[Task]) -> Iterator[tuple[Any, Any]]:
        """All that was asked with what was found, one after the other."""
        ready: dict[int, tuple[Task, Any]] = {}
        at = 0
        for task, done in self._done(tasks, lambda: len(ready)):
            ready[task.number] = task, done
            while at in ready:
                task, done = ready.pop(at)
                yield from zip(task.asked, done, strict=True)
                at += 1

    def tallies(
        self,
        made: Engine,
        seed: int,
        lo: int,
        hi: int,
        pace: Pace,
        stop: threading.Event,
        wanted: Sequence[int] = (),
        shared: Shared = NOWHERE,
    ) -> Iterator[Part]:
        spans = self._spans(made, seed, lo, hi, pace, (tuple(wanted), shared))
        for task, (tally, at, rows, there, seconds) in self._done(spans, lambda: 0, stop.is_set):
            order = task.asked[0]
            self._paces[_who(made)] = seconds / (order.hi - order.lo)
            block = np.zeros((len(made.game.columns), rows.shape[1]), np.int32)
            block[at] = rows
            yield Part(Tally.from_dict(made.game, tally), [Chunk(order.lo, order.hi, block)], there)

    # -- how much goes into a task --------------------------------------------------------------------------------

    def _spans(
        self, made: Engine, seed: int, lo: int, hi: int, pace: Pace, rows: Wanted
    ) -> Iterator[Task]:
        number = 0
        while lo < hi:
            each, size = self._paces.get(_who(made)), self.size
            if pace.fixed:
                n = pace.chunk
            elif each is None:
                n = UNTRIED
            else:
                n = int(
                    max(
                        min(max(COUNTED, size * GATHER) / each, (hi - lo) / (AHEAD * size)),
                        max(SHORTEST, size * GATHER / 8) / each,
                        1,
                    )
                )
            n = min(n, hi - lo)
            yield ordered([Order(made, seed, lo, lo + n)], True, rows)(number, n * (each or 0.0))
            number, lo = number + 1, lo + n

    def _batches(
        self,
        items: Iterable[Item],
        length: Callable[[Item], float],
        task: Callable[[list[Item]], Numbered],
    ) -> Iterator[Task]:
        """Tasks that grow longer, since nobody knows how many there will be: with few, all have something to do. Of an
        item whose length is not known, each is a task."""
        some: list[Item] = []
        number, total = 0, 0.0
        for item in items:
            enough = max(ROWS, GATHER * min(number, self.size))
            some.append(item)
            total += length(item) or enough
            if total >= enough:
                yield task(some)(number, total)
                some, number, total = [], number + 1, 0.0
        if some:
            yield task(some)(number, total)

    # -- tasks on their way ---------------------------------------------------------------------------------------

    def _done(
        self,
        tasks: Iterator[Task],
        held: Callable[[], int],
        stopped: Callable[[], bool] = lambda: False,
    ) -> Iterator[tuple[Task, Any]]:
        """Tasks as they are done; a new one is made when there is somebody for it."""
        way = _Way(self.link, stopped)
        more, wrong, heard = True, None, time.monotonic()
        try:
            while True:
                while (
                    more
                    and not wrong
                    and not stopped()
                    and len(way.open) < AHEAD * self.size
                    and len(way.open) + held() < HELD * self.size
                ):
                    task = next(tasks, None)
                    more = task is not None
                    if task:
                        way.send(task)
                heard = heard if stopped() else time.monotonic()
                if not way.open or time.monotonic() - heard > LEAVE:
                    break
                for task, answer in way.answers():
                    heard = time.monotonic()
                    if "done" in answer:
                        yield task, answer["done"]
                    else:
                        wrong = wrong or _exception(answer)
        finally:
            way.cancel()
        if wrong:
            raise wrong


class _Way:
    """The tasks of one asker that are under way."""

    def __init__(self, link: Link, stopped: Callable[[], bool]) -> None:
        self.link, self.stopped = link, stopped
        self.open: dict[int, Task] = {}
        self._news: SimpleQueue[tuple[Task, Any]] = SimpleQueue()
        self._looked = time.monotonic()

    def send(self, task: Task) -> None:
        """Hand a task out, or hand it out again."""
        self.open[task.number] = task
        others = self.link.workers()
        if self.link.refused and not others:
            return  # until there is somebody who may be asked
        future = self.link.client.submit(
            worker.play,
            task.content(),
            key=f"hardmode-{uuid.uuid4().hex}",
            pure=False,
            workers=others if self.link.refused else None,
            allow_other_workers=bool(self.link.refused),
        )  # when these are gone, too
        task.futures[future] = time.monotonic()
        future.add_done_callback(lambda future: self._news.put((task, future)))

    def answers(self) -> Iterator[tuple[Task, Mapping[str, Any]]]:
        """Tasks that came to an end, well or not; those that can be tried again are."""
        try:
            news = [self._news.get(timeout=LOOK)]
        except Empty:
            news = []
        while not self._news.empty():
            news.append(self._news.get())
        for task, future in news:
            if self.open.get(task.number) is task and future in task.futures:
                answer = self._answer(task, future)
                if answer:
                    self._close(task)
                    yield task, answer
        if time.monotonic() - self._looked > LOOK:
            self._looked = time.monotonic()
            self._look()

    def cancel(self) -> None:
        for task in list(self.open.values()):
            self._close(task)

    def _close(self, task: Task) -> None:
        self.open.pop(task.number, None)
        self.link.drop(list(task.futures))
        task.futures.clear()

    def _answer(self, task: Task, future: Any) -> Mapping[str, Any] | None:
        """What a worker said, if that ends the task."""
        try:
            answer: dict[str, Any] = future.result(timeout=FETCHED)
        except Exception as why:  # whatever became of the worker, or of the scheduler
            answer = {"lost": f"{type(why).__name__}: {why}"}
        task.futures.pop(future, None)
        if "done" in answer:
            return answer
        if "lost" in answer:
            return self._lost(task, future, answer["lost"])
        if "refused" in answer:
            self.link.refuse(answer["worker"], answer["refused"])
        elif "needs" in answer:
            task.sources |= set(answer["needs"])
        else:
            task.failures.append(answer["failed"])
            if task.failures.count(answer["failed"]) >= TRIES:
                return answer
        self.send(task)
        return None

    def _lost(self, task: Task, future: Any, why: str) -> Mapping[str, Any] | None:
        if "ModuleNotFoundError" in why and "hardmode" in why:
            raise ClusterError(f"a worker of {self.link.address} has no hardmode: {why}")
        if future.status == "error":
            task.lost += 1
            if task.lost >= TRIES:
                return {
                    "failed": f"{task} ended every worker that played them ({why})",
                    "told": False,
                }
        if not task.futures:
            self.send(task)
        return None

    def _look(self) -> None:
        """Send anew what went with a scheduler, and to others what nobody answers: each time it takes twice as long."""
        again = self.link.renewed(self.stopped)
        self.link.workers()  # which says so where there are none, and in the end gives up
        for task in list(self.open.values()):
            gone = [f for f in task.futures if again or f.status in ("cancelled", "lost")]
            for future in gone:
                del task.futures[future]
            late = max(PATIENCE, SLOW * task.expected) * 2 ** max(0, len(task.futures) - 1)
            waited = time.monotonic() - max(task.futures.values(), default=0.0)
            if not task.futures or (waited > late and self.link.idle()):
                self.send(task)


def _who(made: Engine) -> str:
    return f"{made.game.name} {[(p.name, p.budget) for p in made.players]}"


def _exception(answer: Mapping[str, Any]) -> Exception:
    """What a worker said went wrong, as if it had gone wrong here."""
    kinds: dict[str, type[Exception]] = {
        "StrategyError": StrategyError,
        "RulesError": RulesError,
        "OutputError": OutputError,
    }
    return kinds.get(answer.get("as", ""), ClusterError)(answer["failed"])
