"""Worker of a cluster: makes the engine of a payload, compares digests, and plays.

Errors are returned as text, not raised, so that only plain values travel.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.contract import WINNERS
from hardmode.sim.contract.discovery import PATH, find_rules_module
from hardmode.sim.files import atomic_files
from hardmode.sim.files.cache_folder import find_cache_folder
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.play.backends import TALLY_GAMES, GameBatch, SharedRowFolder, ThreadBackend
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.player import Player
from hardmode.sim.results.rows import write_shared_rows
from hardmode.sim.results.tally import Tally
from hardmode.strategies import registry
from hardmode.studies.cluster.payload import (
    PACKAGE,
    digest_code,
    digest_numbers,
    environment_digests,
)
from hardmode.studies.cluster.task import digest_module
from hardmode.studies.core.budget import Stopwatch

MAX_ENGINES = 64  # kept in memory
_engines: OrderedDict[str, Engine] = OrderedDict()  # by key, the least recently used first
_lock = threading.RLock()  # making an engine imports, compiles and writes
_backend = ThreadBackend(1)


class EnvironmentMismatchError(Exception):
    """This worker would not play the same games as the client."""


class MissingSourcesError(Exception):
    """This worker does not have some sources; the arguments are their digests."""


def play_task(task: Mapping[str, Any]) -> dict[str, Any]:
    """Run a task and return its result, or why there is none.

    Returns:
        The worker's address and one of these: `done` (the result), `refused` (why this worker
        plays different games), `needs` (digests of missing sources), or `failed` (a message).
    """
    answer: dict[str, Any] = {"worker": _get_address()}
    try:
        engines = []
        for key, content in task["engines"]:
            engines.append(_get_engine(key, content, task["sources"]))
        if "job" in task:
            return {**answer, "done": _run_jobs(engines, task)}
        if task["tallied"]:
            return {**answer, "done": _tally_range(engines[0], task)}
        return {**answer, "done": _play_batches(engines, task)}
    except EnvironmentMismatchError as error:
        return {**answer, "refused": str(error)}
    except MissingSourcesError as error:
        return {**answer, "needs": list(error.args)}
    except Exception as error:
        return {
            **answer,
            "failed": _restore_file_names(str(error), task),
            "as": type(error).__name__,
        }


def _play_batches(
    engines: Sequence[Engine], task: Mapping[str, Any]
) -> list[tuple[np.ndarray, np.ndarray, int, float]]:
    """Return rows, hashes, decisions and seconds of each batch."""
    results = []
    for index, seed, start, stop, redraw in task["batches"]:
        result = _backend.run_batch(GameBatch(engines[index], seed, start, stop, redraw))
        rows = narrow_dtype(result.rows)
        results.append((rows, result.outcome_hashes, result.decisions, result.seconds))
    return results


def _run_jobs(engines: Sequence[Engine], task: Mapping[str, Any]) -> list[tuple[Any, float]]:
    """Return the results of a job, and the mean seconds of a call."""
    module, name, digest = task["job"]
    job = _import_function(module, name)
    _require_same("the code: ", {module: digest}, {module: digest_module(module)})
    stopwatch = Stopwatch()
    results = []
    for index, arguments in task["arguments"]:
        results.append(_backend.run_job(job, engines[index], arguments))
    seconds = stopwatch.elapsed / len(results)
    return [(result, seconds) for result in results]


def _tally_range(
    engine: Engine, task: Mapping[str, Any]
) -> tuple[dict[str, Any], list[int], np.ndarray, bool, float]:
    """Play a range of games and count them.

    If rows of all columns are requested and could be written to the shared folder, only the
    winners are returned as rows.

    Returns:
        The tally, the columns of the rows, the rows, whether all rows are written, and seconds.
    """
    (_, seed, start, stop, _) = task["batches"][0]
    columns = list(task["columns"])
    stopwatch = Stopwatch()
    parts = []
    for first in range(start, stop, TALLY_GAMES):
        batch = GameBatch(engine, seed, first, min(first + TALLY_GAMES, stop))
        parts.append(_backend.tally_batch(batch))
    tally = reduce(Tally.merge_with, (part.tally for part in parts))
    seconds = stopwatch.elapsed
    is_written = False
    all_columns = engine.game.columns
    if len(columns) == len(all_columns):
        folder = SharedRowFolder(*task["folder"])
        numbers = np.arange(start, stop)
        all_rows = np.concatenate([part.rows for part in parts], axis=1)
        is_written = write_shared_rows(folder, seed, all_columns, numbers, all_rows)
        columns = [WINNERS] if is_written else columns
    blocks = []
    for part in parts:
        blocks += [chunk.rows[columns] for chunk in part.chunks]
    rows = narrow_dtype(np.concatenate(blocks, axis=1))
    return tally.to_dict(), columns, rows, is_written, seconds


def narrow_dtype(rows: np.ndarray) -> np.ndarray:
    """Return the same integers in the smallest type that holds all of them."""
    low, high = (int(rows.min()), int(rows.max())) if rows.size else (0, 0)
    return rows.astype(np.promote_types(np.min_scalar_type(low), np.min_scalar_type(high)))


def _get_engine(key: str, content: Mapping[str, Any], sources: Mapping[str, Any]) -> Engine:
    with _lock:
        if key not in _engines:
            _require_same("", content["versions"], environment_digests())
            _engines[key] = _make_engine(content, sources)
            if len(_engines) > MAX_ENGINES:
                _engines.popitem(last=False)
        _engines.move_to_end(key)
        return _engines[key]


def _make_engine(content: Mapping[str, Any], sources: Mapping[str, Any]) -> Engine:
    """Return the engine of a payload, after checking that it plays the same games."""
    needed = {player["source"].split("/")[0] for player in _walk_players(content["players"])}
    needed = (needed | {content["package"]}) - {""}
    folders = {digest: _find_source_folder(digest, sources) for digest in needed}
    missing = [digest for digest, folder in folders.items() if folder is None]
    if missing:
        raise MissingSourcesError(*missing)
    if content["package"]:
        _use_package(content["game"], folders[content["package"]])
    game = load_labeled_game(content["game"])
    parameters = load_parameters(content["game"])
    numbers = {path: parameter.value for path, parameter in parameters.items()}
    numbers.update(content["numbers"])
    digests = dict(content["digests"])
    name = "its numbers"
    _require_same("the box: ", {name: digests.pop("box")}, {name: digest_numbers(numbers)})
    players = [_make_player(player, game.name, folders) for player in content["players"]]
    engine = Engine(game, game.fill_box(numbers), players)
    engine.max_steps = content["limit"]
    _require_same("the code: ", digests, digest_code(engine))
    return engine


def _require_same(what: str, wanted: Mapping[str, str], own: Mapping[str, str]) -> None:
    for name, value in wanted.items():
        if own.get(name) != value:
            raise EnvironmentMismatchError(
                f"{what}{name} is {own.get(name)} on the worker and {value} here"
            )


def _make_player(data: Mapping[str, Any], game: str, folders: Mapping[str, Path | None]) -> Player:
    """Return the player of a payload.

    Only modules of hardmode and of the game are imported, and files that were sent.
    """
    if data["source"]:
        digest, _, name = data["source"].partition("/")
        address = f"{folders[digest]}/{name}:{data['function']}"
        choose = registry.create_player(game, address).choose
    else:
        package = find_rules_module(game).split(".")[0]
        choose = _import_function(data["module"], data["function"], package)
    others = []
    for part in ("mistake_player", "rollout_policy"):
        others.append(_make_player(data[part], game, folders) if data[part] else None)
    mistake_player, rollout_policy = others
    return Player(
        data["name"],
        choose,
        tuple(data["weights"]),
        data["budget"],
        data["where"],
        data["mistake_rate"],
        mistake_player,
        data["is_user_strategy"],
        tuple(data["allowed_labels"]),
        data["counts_choices"],
        rollout_policy,
    )


def _import_function(module: str, name: str, game_package: str = PACKAGE) -> Any:
    """Return a function of hardmode or of the package of a game."""
    if module.split(".")[0] not in (PACKAGE, game_package):
        raise EnvironmentMismatchError(f"{module} is no module of {PACKAGE} or of the game")
    return getattr(importlib.import_module(module), name)


def _walk_players(players: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield players, and those that make their mistakes and play their rollouts."""
    for player in players:
        yield player
        for part in ("mistake_player", "rollout_policy"):
            if player[part]:
                yield player[part]


# -- sources that were sent -----------------------------------------------------------------------


def _find_source_folder(digest: str, sources: Mapping[str, Any]) -> Path | None:
    """Return the folder of a source on this host, written if it was sent; None if it is missing."""
    guests = find_cache_folder("guests")
    if guests is None:
        raise EnvironmentMismatchError(
            "HARDMODE_CACHE names no folder that can be written, for code that is sent along"
        )
    folder = guests / digest[:32]
    if not folder.is_dir():
        if digest not in sources:
            return None
        temp_folder = atomic_files.temp_path(folder)
        for name, content in sources[digest].items():
            (temp_folder / name).parent.mkdir(parents=True, exist_ok=True)
            (temp_folder / name).write_bytes(content)
        with suppress(OSError):  # another process was faster
            temp_folder.rename(folder)
    return folder


def _use_package(game: str, folder: Path | None) -> None:
    """Make the package of a game importable, in place of another of the same name."""
    if sys.path[0] == str(folder):
        return
    others = []
    for place in os.environ.get(PATH, "").split(os.pathsep):
        if place and Path(place).parent != Path(str(folder)).parent:
            others.append(place)
    os.environ[PATH] = os.pathsep.join([str(folder), *others])
    sys.path[:] = [str(folder), *(place for place in sys.path if place != str(folder))]
    _unload_game(game)


def _unload_game(game: str) -> None:
    """Remove the modules of a game, and clear all caches of hardmode."""
    for name in [name for name in sys.modules if name.split(".")[0] == game]:
        del sys.modules[name]
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == PACKAGE:
            for function in vars(module).values():
                if callable(getattr(function, "cache_clear", None)):
                    function.cache_clear()
    _engines.clear()
    importlib.invalidate_caches()


def _restore_file_names(text: str, task: Mapping[str, Any]) -> str:
    """Replace names of files on the worker by those that the user knows."""
    guests = find_cache_folder("guests")
    for _, content in task["engines"]:
        for player in _walk_players(content["players"]):
            if player["source"] and guests:
                digest, _, name = player["source"].partition("/")
                path = guests / digest[:32] / name
                for worker_name in (str(path), shorten_path(path)):
                    text = text.replace(worker_name, player["file"])
    return text


def _get_address() -> str:
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:  # not called by a worker of a cluster
        return "here"
