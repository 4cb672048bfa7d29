"""Functions that run on the workers of a cluster."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from distributed import get_worker

from hardmode.sim.contract import WINNERS, RulesError
from hardmode.sim.play.backends import (
    TALLY_GAMES,
    GameBatch,
    Job,
    SharedRowFolder,
    ThreadBackend,
)
from hardmode.sim.play.engine import Engine, Redraw
from hardmode.sim.play.player import StrategyError
from hardmode.sim.results.rows import write_shared_rows
from hardmode.sim.results.tally import Tally
from hardmode.studies.cluster.engine_spec import (
    EngineSpec,
    EnvironmentMismatchError,
    collect_environment,
    find_difference,
    find_source_folder,
    load_engine,
)
from hardmode.studies.core.budget import Stopwatch

_backend = ThreadBackend(1)


@dataclass(frozen=True)
class Task:
    """Calls of one of the functions below that take an engine.

    Attributes:
        function: The function.
        specs: Encoded specifications of engines.
        calls: For each call, the number of the engine and the other arguments.
    """

    function: Callable[..., Any]
    specs: list[bytes]
    calls: list[tuple[int, Sequence[Any]]]


class TaskResult(NamedTuple):
    """Results of the calls of a task, and the mean seconds of a call."""

    values: list[Any]
    seconds: float


class Refusal(NamedTuple):
    """Address of a worker that would not play the same games, and the reason."""

    worker: str
    reason: str


def check_environment(expected: dict[str, str]) -> str:
    """Return how this worker differs from what is expected, or "" if it plays the same games."""
    return find_difference(expected, collect_environment())


def run_task(task: Task) -> TaskResult | Refusal:
    """Run a task, or return why this worker would not play the same games.

    Raises:
        StrategyError: A strategy failed; names the file as the user knows it.
        RulesError: A rule failed.
    """
    try:
        engines = [load_engine(spec) for spec in task.specs]
        stopwatch = Stopwatch()
        values = [task.function(engines[index], *rest) for index, rest in task.calls]
        return TaskResult(values, stopwatch.elapsed / len(values))
    except EnvironmentMismatchError as error:
        return Refusal(get_worker().address, str(error))
    except (RulesError, StrategyError) as error:
        raise type(error)(_show_original_folders(str(error), task)) from None


def play_batch(
    engine: Engine, seed: int, start: int, stop: int, redraw: Redraw | None
) -> tuple[np.ndarray, np.ndarray, int, float]:
    """Return rows, hashes, decisions and seconds of a batch of games."""
    result = _backend.run_batch(GameBatch(engine, seed, start, stop, redraw))
    rows = narrow_dtype(result.rows)
    return rows, result.outcome_hashes, result.decisions, result.seconds


def run_job(engine: Engine, job: Job, values: Sequence[Any]) -> Any:
    """Return the result of a job."""
    return _backend.run_job(job, engine, values)


def tally_range(
    engine: Engine,
    seed: int,
    start: int,
    stop: int,
    columns: Sequence[int],
    folder: SharedRowFolder,
) -> tuple[dict[str, Any], list[int], np.ndarray, bool]:
    """Play a range of games and count them.

    If rows of all columns are requested and could be written to the shared folder, only the
    winners are returned as rows.

    Returns:
        The tally, the columns of the rows, the rows, and whether all rows were written.
    """
    parts = []
    for first in range(start, stop, TALLY_GAMES):
        batch = GameBatch(engine, seed, first, min(first + TALLY_GAMES, stop))
        parts.append(_backend.tally_batch(batch))
    tally = reduce(Tally.merge_with, (part.tally for part in parts))
    rows = np.concatenate([part.rows for part in parts], axis=1)
    all_columns = engine.game.columns
    is_written = False
    if len(columns) == len(all_columns):
        numbers = np.arange(start, stop)
        is_written = write_shared_rows(folder, seed, all_columns, numbers, rows)
    sent = [WINNERS] if is_written else list(columns)
    return tally.to_dict(), sent, narrow_dtype(rows[sent]), is_written


def narrow_dtype(rows: np.ndarray) -> np.ndarray:
    """Return the same integers in the smallest type that holds all of them."""
    low, high = (int(rows.min()), int(rows.max())) if rows.size else (0, 0)
    return rows.astype(np.promote_types(np.min_scalar_type(low), np.min_scalar_type(high)))


def _show_original_folders(message: str, task: Task) -> str:
    """Replace folders of this worker in a message by those that the user knows."""
    for content in task.specs:
        spec: EngineSpec = pickle.loads(content)
        for digest, folder in spec.source_folders.items():
            message = message.replace(str(find_source_folder(digest)), folder)
    return message
