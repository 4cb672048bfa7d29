"""Functions that run on the workers of a cluster."""

from __future__ import annotations

import pickle
import re
import threading
from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from hardmode.sim.contract import WINNERS, RulesError
from hardmode.sim.play.backends import (
    TALLY_GAMES,
    ChunkSizer,
    GameBatch,
    Job,
    SharedRowFolder,
    ThreadBackend,
)
from hardmode.sim.play.engine import Engine, Redraw
from hardmode.sim.play.player import StrategyError
from hardmode.sim.results.rows import write_shared_rows
from hardmode.sim.results.tally import Tally
from hardmode.studies.cluster.engine_spec import collect_environment, load_engine, require_same
from hardmode.studies.core.budget import Stopwatch

CODE_FOLDER = re.compile(r"\S*/[0-9a-f]{64}/")  # in which a worker keeps code that was sent

_backend = ThreadBackend(1)
_lock = threading.Lock()  # making an engine imports and compiles


class TaskResult(NamedTuple):
    """Results of the calls of a task, and the mean seconds of a call."""

    values: list[Any]
    seconds: float


def run_task(environment: dict[str, str], content: bytes) -> TaskResult:
    """Call one of the functions below several times.

    Args:
        environment: The result of `collect_environment` for the client.
        content: Pickled: the function; and for each call, the encoded specification of an
            engine, and the other arguments.

    Raises:
        DifferentCodeError: This worker would not play the same games.
        StrategyError: A strategy failed; names its file without the folder.
        RulesError: A rule failed.
    """
    require_same(environment, collect_environment())
    function, calls = pickle.loads(content)
    try:
        with _lock:
            engines = [load_engine(spec) for spec, _ in calls]
        stopwatch = Stopwatch()
        values = [function(engine, *call[1]) for engine, call in zip(engines, calls, strict=True)]
        return TaskResult(values, stopwatch.elapsed / len(values))
    except (RulesError, StrategyError) as error:
        raise type(error)(CODE_FOLDER.sub("", str(error))) from None


def play_batch(
    engine: Engine, seed: int, start: int, stop: int, redraw: Redraw | None, tag: Any
) -> tuple[np.ndarray, np.ndarray, int, float]:
    """Return rows, hashes, decisions and seconds of a batch of games."""
    result = _backend.run_batch(GameBatch(engine, seed, start, stop, redraw, tag))
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
    chunks = ChunkSizer(TALLY_GAMES, is_fixed=True)
    parts = list(_backend.run_range(engine, seed, start, stop, chunks, threading.Event()))
    tally = reduce(Tally.merge_with, (part.tally for part in parts))
    rows = np.concatenate([part.rows for part in parts], axis=1)
    all_columns = engine.game.columns
    is_written = False
    if len(columns) == len(all_columns):
        is_written = write_shared_rows(folder, seed, all_columns, np.arange(start, stop), rows)
    sent = [WINNERS] if is_written else list(columns)
    return tally.to_dict(), sent, narrow_dtype(rows[sent]), is_written


def narrow_dtype(rows: np.ndarray) -> np.ndarray:
    """Return the same integers in the smallest type that holds all of them."""
    low, high = (int(rows.min()), int(rows.max())) if rows.size else (0, 0)
    return rows.astype(np.promote_types(np.min_scalar_type(low), np.min_scalar_type(high)))
