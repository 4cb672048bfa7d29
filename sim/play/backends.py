"""A crew plays games that it is asked for: threads of this process, or others who stand in their place.

Whoever plays asks the crew of the moment (`crew`) and knows no more of it than this: rows of some games, in the order
in which they were asked for; the tallies of a range, in parts and in any order; or what a job finds at a desk. Games
are counted by their numbers, so that it makes no difference who played them.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from hardmode.sim.contract import Game
from hardmode.sim.play.cores import pool, sensible, to_a_core_of_its_own
from hardmode.sim.play.engine import Desk, Engine, Redraw, columns
from hardmode.sim.play.workspace import DECISIONS
from hardmode.sim.results.ranges import Ranges
from hardmode.sim.results.tally import Tally, cleared

CHUNK_SECONDS = 0.03  # short enough to stop at once, long enough to cost nothing
LEAST_SECONDS = 0.001  # of a chunk that is short for the sake of sharing alone
BLOCK, LEAST_BLOCK = (
    1 << 16,
    1 << 13,
)  # games that are counted together, by one thread and at least by each of many
PART_SECONDS = 1.0  # after which what was played is counted, however few
T = TypeVar("T")
Made = TypeVar("Made")
UNTRIED = 8  # games of a chunk whose pace is not known


class Order(NamedTuple):
    """Some games whose rows are asked for."""

    made: Engine
    seed: int
    lo: int
    hi: int
    redraw: Redraw | None = None
    about: Any = None  # by which whoever asked knows it again


class Answer(NamedTuple):
    """What came of an order: a row for each game, a column each; the hash of its outcome."""

    order: Order
    rows: np.ndarray
    marks: np.ndarray
    decisions: int
    seconds: float

    @property
    def games(self) -> int:
        return self.order.hi - self.order.lo


class Shared(NamedTuple):
    """A folder in which whoever plays may write the rows of games; what it is known by, and the games that it holds."""

    folder: str = ""
    mark: str = ""
    there: Sequence[tuple[int, int]] = ()


class Chunk(NamedTuple):
    """The rows of games lo..hi-1, a column each."""

    lo: int
    hi: int
    rows: np.ndarray


class Part(NamedTuple):
    """Some games of a range, counted; and their rows, as far as they were wanted."""

    tally: Tally
    chunks: Sequence[Chunk]  # in order
    there: bool = False  # whether whoever played them wrote the rows to the shared folder

    @property
    def ranges(self) -> Ranges:
        return [(chunk.lo, chunk.hi) for chunk in self.chunks]

    @property
    def games(self) -> np.ndarray:
        return np.concatenate([np.arange(*span) for span in self.ranges])

    @property
    def block(self) -> np.ndarray:
        return np.concatenate([chunk.rows for chunk in self.chunks], axis=1)


@dataclass
class Pace:
    """How many games make a chunk of the right length, by those that were played."""

    chunk: int = 0
    fixed: bool = False
    seconds: float = 0.0  # of a game

    def learn(self, games: int, seconds: float) -> None:
        self.seconds = seconds / games
        if not self.fixed:
            self.chunk = min(self._games(CHUNK_SECONDS), BLOCK // 2)

    def spans(self, lo: int, hi: int, threads: int = 1) -> Iterator[tuple[int, int]]:
        """Chunks of a range; of several threads none plays a long one while the others have nothing left to do."""
        while lo < hi:
            size = self.chunk or UNTRIED
            if threads > 1 and not self.fixed:
                size = min(size, max(self._games(LEAST_SECONDS), (hi - lo) // (2 * threads)))
            yield lo, min(lo + size, hi)
            lo += size

    def _games(self, seconds: float) -> int:
        """So many last so long."""
        return max(1, int(seconds / max(self.seconds, 1e-9))) if self.seconds else UNTRIED


NOWHERE = Shared()
Asked = tuple[Engine, Sequence[Any]]  # what a job is asked
Job = Callable[
    ..., Any
]  # a function of hardmode's own: of an engine, a desk and plain values; finds plain values


class Crew(Protocol):
    """Who plays."""

    @property
    def size(self) -> int:
        """How many chunks are played side by side."""
        ...

    @property
    def abreast(self) -> int:
        """How many ranges are best played at the same time; one, where each keeps the whole crew busy."""
        ...

    def rows(self, orders: Iterable[Order]) -> Iterator[Answer]:
        """The rows of each order, one after the other; orders are taken as they are needed."""
        ...

    def each(self, job: Job, asked: Iterable[Asked]) -> Iterator[Any]:
        """What a job finds for all that is asked, one after the other; this is taken as it is needed."""
        ...

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
        """Games lo..hi-1, counted in parts, until somebody asks to stop. The columns of the row that are wanted beside
        the tallies come as rows, unless these can be written to a shared folder where they are played."""
        ...


_desks: dict[
    Game, list[Desk]
] = {}  # at which nobody sits now; to lay one out takes as long as some hundred games
_apart: dict[Game, list[Desk]] = {}  # others, at which nothing is counted


class Threads:
    """A pool of threads of this process."""

    abreast = 1

    def __init__(self, size: int) -> None:
        self.size = size

    def rows(self, orders: Iterable[Order]) -> Iterator[Answer]:
        return self._in_turn(self.answer, orders)

    def each(self, job: Job, asked: Iterable[Asked]) -> Iterator[Any]:
        return self._in_turn(lambda one: self.found(job, *one), asked)

    def found(self, job: Job, made: Engine, asked: Sequence[Any]) -> Any:
        """What a job finds, done by the thread that asks."""
        desks = _apart.setdefault(made.game, [])
        desk = _free(desks, made.game)
        to_a_core_of_its_own()
        answer = job(made, desk, *asked)
        desks.append(desk)
        return answer

    def _in_turn(self, work: Callable[[T], Made], asked: Iterable[T]) -> Iterator[Made]:
        if self.size == 1:
            yield from map(work, asked)
            return
        waiting = deque[Future[Made]]()
        with pool(self.size) as threads:
            try:
                for one in asked:
                    waiting.append(threads.submit(work, one))
                    if len(waiting) >= 2 * self.size:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            except BaseException:
                threads.shutdown(wait=False, cancel_futures=True)
                raise

    def answer(self, order: Order) -> Answer:
        """One order, played by the thread that asks."""
        return self._played(order)[0]

    def part(self, order: Order) -> Part:
        """One order, played and counted by the thread that asks."""
        some = _Some(order.made.game)
        some.add(*self._played(order))
        return some.counted()

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
        spans, taking = pace.spans(lo, hi, self.size), threading.Lock()
        parts, over = SimpleQueue[Part | None](), threading.Event()
        enough = max(BLOCK // self.size, LEAST_BLOCK)

        def take() -> tuple[int, int] | None:
            with taking:
                return None if stop.is_set() or over.is_set() else next(spans, None)

        def play() -> None:
            """Take chunk after chunk; what a thread has played, it counts: that takes up to a seventh of the time."""
            some, begun = _Some(made.game), time.perf_counter()
            try:
                while span := take():
                    answer, sums = self._played(Order(made, seed, *span))
                    pace.learn(answer.games, answer.seconds)
                    some.add(answer, sums)
                    if some.games >= enough or time.perf_counter() - begun > PART_SECONDS:
                        parts.put(some.counted())
                        some, begun = _Some(made.game), time.perf_counter()
                if some.games:
                    parts.put(some.counted())
            except BaseException:
                over.set()
                raise
            finally:
                parts.put(None)

        with pool(self.size) as threads:
            playing = [threads.submit(play) for _ in range(self.size)]
            try:
                for _ in playing:
                    yield from iter(parts.get, None)
            finally:
                over.set()
            for one in playing:
                one.result()

    def _played(self, order: Order) -> tuple[Answer, dict[str, Any]]:
        made, n = order.made, order.hi - order.lo
        desks = _desks.setdefault(made.game, [])
        desk = _free(desks, made.game)
        to_a_core_of_its_own()
        out, marks, begun = columns(made.game, n), np.zeros(n, np.uint64), time.perf_counter()
        made.play(desk, order.seed, order.lo, order.hi, out, marks=marks, redraw=order.redraw)
        seconds, sums = time.perf_counter() - begun, cleared(desk)
        desks.append(desk)  # one that was stopped in the middle is not used again
        return Answer(order, np.asarray(out), marks, sums["totals"][DECISIONS], seconds), sums


def _free(desks: list[Desk], game: Game) -> Desk:
    """One at which nobody sits; several threads may ask at once."""
    try:
        return desks.pop()
    except IndexError:
        return Desk(game)


@dataclass
class _Some:
    """Chunks that are to be counted together."""

    game: Game
    games: int = 0
    chunks: list[Chunk] = field(default_factory=list)
    sums: list[dict[str, Any]] = field(default_factory=list)

    def add(self, answer: Answer, sums: dict[str, Any]) -> None:
        self.chunks.append(Chunk(answer.order.lo, answer.order.hi, answer.rows))
        self.sums.append(sums)
        self.games += answer.games

    def counted(self) -> Part:
        to_a_core_of_its_own()
        tally = Tally(self.game)
        tally.add_rows(*(chunk.rows for chunk in self.chunks))
        for sums in self.sums:
            tally.add_desk(sums)
        return Part(tally, sorted(self.chunks, key=lambda chunk: chunk.lo))


def side_by_side(
    work: Callable[[T], object], jobs: Iterable[T], n: int, stop: threading.Event | None = None
) -> Iterator[T]:
    """Do so many jobs at a time; each is given back when it is done, and all before it. What is under way when whoever
    waits gives up is waited for, and told by `stop`."""
    if n == 1:
        for job in jobs:
            work(job)
            yield job
        return
    with ThreadPoolExecutor(n) as threads:
        waiting = deque[tuple[T, Future]]()
        try:
            for job in jobs:
                waiting.append((job, threads.submit(work, job)))
                if len(waiting) >= n:
                    first, done = waiting.popleft()
                    done.result()
                    yield first
            for first, done in waiting:
                done.result()
                yield first
        except BaseException:
            if stop:
                stop.set()
            raise


_present: list[Crew] = []  # the last stands in the place of threads


@contextmanager
def standing_in(other: Crew) -> Iterator[None]:
    """While this lasts, all games are played by another crew."""
    _present.append(other)
    try:
        yield
    finally:
        _present.remove(other)


def crew(threads: int = 0) -> Crew:
    """Who plays now: whoever stands in, or so many threads."""
    return _present[-1] if _present else Threads(sensible(threads))
