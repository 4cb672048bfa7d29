"""One thing that a worker is asked to play, and how it fared."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from sys import modules
from typing import Any

from hardmode.sim.play.backends import NOWHERE, Asked, Job, Order, Shared
from hardmode.sim.play.engine import Engine
from hardmode.studies.cluster.payload import errand

Wanted = tuple[
    tuple[int, ...], Shared
]  # columns, and the folder to which all of them may be written
NOTHING: Wanted = (), NOWHERE
Numbered = Callable[
    [int, float], "Task"
]  # what is left to be known of a task: its number, and how long it should take


@dataclass
class Task:
    """Something that a worker plays, and how it fared."""

    number: int
    expected: float  # seconds
    engines: list[Engine]
    asked: Sequence[Any]  # orders, or what a job is asked
    plain: dict[str, Any]  # what is asked, as plain values
    futures: dict[Any, float] = field(default_factory=dict)
    sources: set[str] = field(default_factory=set)
    failures: list[str] = field(default_factory=list)
    lost: int = 0

    def content(self) -> dict[str, Any]:
        """The task as plain values."""
        errands = [errand(made) for made in self.engines]
        return {
            "errands": [(e.key, e.content) for e in errands],
            **self.plain,
            "sources": {
                digest: dict(source.files)
                for e in errands
                for digest, source in e.sources.items()
                if digest in self.sources
            },
        }

    def __str__(self) -> str:
        if "job" in self.plain:
            return f"what {self.plain['job'][1]} was asked ({len(self.asked)} times)"
        first, last = self.asked[0], self.asked[-1]
        return f"games {first.lo} to {last.hi - 1} of seed {first.seed}"


def ordered(orders: Sequence[Order], counted: bool = False, rows: Wanted = NOTHING) -> Numbered:
    """Games of which rows are wanted, or tallies."""
    engines, at = _apart(o.made for o in orders)
    plain = {
        "orders": [(at[id(o.made)], o.seed, o.lo, o.hi, o.redraw) for o in orders],
        "counted": counted,
        "wanted": list(rows[0]),
        "shared": tuple(rows[1]),
    }
    return lambda number, expected: Task(number, expected, engines, orders, plain)


def asked(job: Job, each: Sequence[Asked]) -> Numbered:
    """What a job is to find, several times."""
    engines, at = _apart(made for made, _ in each)
    plain = {
        "job": (job.__module__, job.__qualname__, text_digest(job.__module__)),
        "asked": [(at[id(made)], values) for made, values in each],
    }
    return lambda number, expected: Task(number, expected, engines, each, plain)


def _apart(engines: Iterable[Engine]) -> tuple[list[Engine], dict[int, int]]:
    """Each engine once, and where it stands."""
    found = list({id(made): made for made in engines}.values())
    return found, {id(made): i for i, made in enumerate(found)}


def text_digest(module: str) -> str:
    """What must be the same on a worker for a job of this module to find the same."""
    return hashlib.sha256(Path(str(modules[module].__file__)).read_bytes()).hexdigest()[:16]
