"""Tasks for a worker of a cluster: batches of games, or calls of a job."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from sys import modules
from typing import Any

from hardmode.sim.play.backends import (
    NO_SHARED_FOLDER,
    GameBatch,
    Job,
    JobArguments,
    SharedRowFolder,
)
from hardmode.sim.play.engine import Engine
from hardmode.studies.cluster.payload import make_payload

RequestedRows = tuple[tuple[int, ...], SharedRowFolder]  # columns; folder for rows of all columns
NO_ROWS: RequestedRows = (), NO_SHARED_FOLDER


@dataclass
class Task:
    """A task with what has happened to it so far."""

    number: int
    expected_seconds: float
    engines: list[Engine]
    items: Sequence[Any]  # batches, or arguments of a job
    request: dict[str, Any]  # the items as plain values
    futures: dict[Any, float] = field(default_factory=dict)  # and when each was submitted
    sources: set[str] = field(default_factory=set)  # digests of sources that a worker needs
    failures: list[str] = field(default_factory=list)
    lost: int = 0  # workers that died while they played it

    def to_plain_values(self) -> dict[str, Any]:
        """Return the task as plain values."""
        payloads = [make_payload(engine) for engine in self.engines]
        sources = {}
        for payload in payloads:
            for digest, source in payload.sources.items():
                if digest in self.sources:
                    sources[digest] = dict(source.files)
        engines = [(payload.key, payload.content) for payload in payloads]
        return {"engines": engines, **self.request, "sources": sources}

    def __str__(self) -> str:
        """Return a description for messages."""
        if "job" in self.request:
            return f"{len(self.items)} calls of {self.request['job'][1]}"
        first = self.items[0]
        last = self.items[-1]
        return f"games {first.start} to {last.stop - 1} of seed {first.seed}"


TaskFactory = Callable[[int, float], Task]  # takes the number and the expected seconds


def make_batch_task(
    batches: Sequence[GameBatch], is_tallied: bool = False, rows: RequestedRows = NO_ROWS
) -> TaskFactory:
    """Return a factory of a task that plays batches.

    Args:
        batches: The batches.
        is_tallied: Whether the tally is wanted instead of all rows.
        rows: Columns that are wanted with the tally, and where all columns may be written.
    """
    engines, indices = _index_engines(batch.engine for batch in batches)
    columns, folder = rows
    orders = []
    for batch in batches:
        index = indices[id(batch.engine)]
        orders.append((index, batch.seed, batch.start, batch.stop, batch.redraw))
    request = {
        "batches": orders,
        "tallied": is_tallied,
        "columns": list(columns),
        "folder": tuple(folder),
    }
    return lambda number, seconds: Task(number, seconds, engines, batches, request)


def make_job_task(job: Job, arguments: Sequence[JobArguments]) -> TaskFactory:
    """Return a factory of a task that calls a job with each item of `arguments`."""
    engines, indices = _index_engines(engine for engine, _ in arguments)
    request = {
        "job": (job.__module__, job.__qualname__, digest_module(job.__module__)),
        "arguments": [(indices[id(engine)], values) for engine, values in arguments],
    }
    return lambda number, seconds: Task(number, seconds, engines, arguments, request)


def _index_engines(engines: Iterable[Engine]) -> tuple[list[Engine], dict[int, int]]:
    """Return each engine once, and its index by id."""
    distinct = list({id(engine): engine for engine in engines}.values())
    return distinct, {id(engine): i for i, engine in enumerate(distinct)}


def digest_module(module: str) -> str:
    """Return the digest of a module's source, which must be the same on a worker."""
    source = Path(str(modules[module].__file__)).read_bytes()
    return hashlib.sha256(source).hexdigest()[:16]
