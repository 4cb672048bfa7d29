"""Functions that run on the workers of a cluster: make an engine, and play."""

from __future__ import annotations

import importlib
import os
import pickle
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import numpy as np
from distributed import get_worker

from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.contract import WINNERS, RulesError
from hardmode.sim.contract.discovery import PATH
from hardmode.sim.play.backends import (
    TALLY_GAMES,
    GameBatch,
    Job,
    SharedRowFolder,
    ThreadBackend,
)
from hardmode.sim.play.engine import Engine, Redraw
from hardmode.sim.play.player import StrategyError
from hardmode.sim.results.result import compute_code_digests
from hardmode.sim.results.rows import write_shared_rows
from hardmode.sim.results.tally import Tally
from hardmode.strategies.user_files import import_user_file
from hardmode.studies.cluster.engine_spec import (
    EngineSpec,
    collect_environment,
    find_difference,
)
from hardmode.studies.core.budget import Stopwatch

PACKAGE = "hardmode"
MAX_ENGINES = 64  # kept in memory
_lock = threading.RLock()  # making an engine imports and compiles
_backend = ThreadBackend(1)


class EnvironmentMismatchError(Exception):
    """This worker would not play the same games as the client."""


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


# -- engines --------------------------------------------------------------------------------------


def load_engine(content: bytes) -> Engine:
    """Return the engine of an encoded specification; the latest ones are kept.

    Raises:
        EnvironmentMismatchError: This worker would not play the same games.
    """
    with _lock:
        return _make_engine(content)


@lru_cache(MAX_ENGINES)
def _make_engine(content: bytes) -> Engine:
    spec: EngineSpec = pickle.loads(content)
    _require_same(spec.environment, collect_environment())
    if spec.package:
        _use_package(spec.game, str(_find_source_folder(spec.package)))
    game = load_labeled_game(spec.game)
    engine = Engine(game, game.fill_box(spec.numbers), pickle.loads(spec.players))
    engine.max_steps = spec.max_steps
    _require_same(spec.digests, compute_code_digests(game, engine.players))
    return engine


def _require_same(expected: dict[str, str], own: dict[str, str]) -> None:
    difference = find_difference(expected, own)
    if difference:
        raise EnvironmentMismatchError(difference)


def load_strategy(digest: str, file: str, function: str) -> Callable:
    """Return a strategy from a file that was sent."""
    module, _ = import_user_file(f"{_find_source_folder(digest) / file}:{function}", None)
    return getattr(module, function)


def _find_source_folder(digest: str) -> Path:
    """Return the folder of an archive that was sent, after unpacking it."""
    folder = Path(get_worker().local_directory, digest)
    if not folder.is_dir():
        try:
            with ZipFile(f"{folder}.zip") as archive:
                archive.extractall(folder)
        except OSError as error:
            reason = f"the files of your strategy or game cannot be written: {error}"
            raise EnvironmentMismatchError(reason) from error
    return folder


def _show_original_folders(message: str, task: Task) -> str:
    """Replace folders of this worker in a message by those that the user knows."""
    for content in task.specs:
        spec: EngineSpec = pickle.loads(content)
        for digest, folder in spec.source_folders.items():
            message = message.replace(str(_find_source_folder(digest)), folder)
    return message


def _use_package(game: str, folder: str) -> None:
    """Make the package of a game importable, in place of an earlier one that was sent."""
    if sys.path[0] == folder:
        return
    sys.path.insert(0, folder)
    os.environ[PATH] = f"{folder}{os.pathsep}{os.environ.get(PATH, '')}"
    for name in list(sys.modules):
        if name.split(".")[0] == game:
            del sys.modules[name]
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == PACKAGE:
            for function in vars(module).values():
                if callable(getattr(function, "cache_clear", None)):
                    function.cache_clear()
    importlib.invalidate_caches()
