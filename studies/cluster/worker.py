"""What a worker of a cluster does: makes the engine that an errand names, compares digests, and plays.

Whatever goes wrong comes back as words and not as an exception, so that nothing but plain values ever travels.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.scenarios.box import leaves
from hardmode.scenarios.variant import game_of
from hardmode.sim.compile.cache import cache_root
from hardmode.sim.contract import WINNERS
from hardmode.sim.contract.discovery import PATH, rules_module
from hardmode.sim.files import atomic_files
from hardmode.sim.files.paths import short_path
from hardmode.sim.play.backends import BLOCK, Order, Shared, Threads
from hardmode.sim.play.engine import Engine, Player
from hardmode.sim.results.rows import add_shared
from hardmode.sim.results.tally import Tally
from hardmode.strategies import registry
from hardmode.studies.cluster.payload import HOME, code_digests, here, numbers_digest
from hardmode.studies.cluster.task import text_digest

ENGINES = 64  # that are kept
_engines: OrderedDict[str, Engine] = OrderedDict()
_lock = threading.RLock()  # making an engine imports, compiles and writes
_threads = Threads(1)


class Other(Exception):
    """This worker would not play the same; says what is different."""


class Missing(Exception):
    """Sources that this worker does not have, by digest."""


def play(task: Mapping[str, Any]) -> dict[str, Any]:
    """Do one task: what came of it, or in words why not."""
    said: dict[str, Any] = {"worker": _address()}
    try:
        made = [_engine(key, content, task["sources"]) for key, content in task["errands"]]
        do = _found if "job" in task else _counted if task["counted"] else _rows
        return {**said, "done": do(made, task)}
    except Other as why:
        return {**said, "refused": str(why)}
    except Missing as why:
        return {**said, "needs": list(why.args)}
    except Exception as why:
        return {
            **said,
            "failed": _named_as_sent(str(why), task),
            "as": type(why).__name__,
            "told": type(why).__module__.startswith(f"{HOME}."),
        }


def _rows(
    made: Sequence[Engine], task: Mapping[str, Any]
) -> list[tuple[np.ndarray, np.ndarray, int, float]]:
    answers = (
        _threads.answer(Order(made[i], seed, lo, hi, redraw))
        for i, seed, lo, hi, redraw in task["orders"]
    )
    return [(narrow(a.rows), a.marks, a.decisions, a.seconds) for a in answers]


def _found(made: Sequence[Engine], task: Mapping[str, Any]) -> list[tuple[Any, float]]:
    """What a job finds, and how long each took."""
    module, name, digest = task["job"]
    job = _of_hardmode(module, name)
    _same("the code: ", {module: digest}, {module: text_digest(module)})
    begun = time.perf_counter()
    answers = [_threads.found(job, made[i], one) for i, one in task["asked"]]
    each = (time.perf_counter() - begun) / len(answers)
    return [(answer, each) for answer in answers]


def _counted(
    made: Sequence[Engine], task: Mapping[str, Any]
) -> tuple[dict[str, Any], list[int], np.ndarray, bool, float]:
    """The tally of a range; which columns come as rows, and these; whether all rows are written; how long it took.

    Where all columns are wanted and could be written from here, who won is all that is still asked for."""
    (_, seed, lo, hi, _), wanted, begun = (
        task["orders"][0],
        list(task["wanted"]),
        time.perf_counter(),
    )
    parts = [
        _threads.part(Order(made[0], seed, at, min(at + BLOCK, hi))) for at in range(lo, hi, BLOCK)
    ]
    tally = reduce(Tally.merged, (part.tally for part in parts))
    seconds, there = time.perf_counter() - begun, False
    if len(wanted) == len(made[0].game.columns):
        block = np.concatenate([part.block for part in parts], axis=1)
        there = add_shared(
            Shared(*task["shared"]), seed, made[0].game.columns, np.arange(lo, hi), block
        )
        wanted = [WINNERS] if there else wanted
    rows = np.concatenate([chunk.rows[wanted] for part in parts for chunk in part.chunks], axis=1)
    return tally.to_dict(), wanted, narrow(rows), there, seconds


def narrow(rows: np.ndarray) -> np.ndarray:
    """The same whole numbers in as few bytes as hold all of them."""
    low, high = (int(rows.min()), int(rows.max())) if rows.size else (0, 0)
    return rows.astype(np.promote_types(np.min_scalar_type(low), np.min_scalar_type(high)))


def _engine(key: str, content: Mapping[str, Any], sources: Mapping[str, Any]) -> Engine:
    with _lock:
        if key not in _engines:
            _same("", content["versions"], here())
            _engines[key] = _made(content, sources)
            if len(_engines) > ENGINES:
                _engines.popitem(last=False)
        _engines.move_to_end(key)
        return _engines[key]


def _made(content: Mapping[str, Any], sources: Mapping[str, Any]) -> Engine:
    wanted = {content["package"], *(p["at"].split("/")[0] for p in _all(content["players"]))} - {""}
    there = {digest: _folder(digest, sources) for digest in wanted}
    missing = [digest for digest, folder in there.items() if folder is None]
    if missing:
        raise Missing(*missing)
    if content["package"]:
        _at_home(content["game"], there[content["package"]])
    game = game_of(content["game"])
    numbers = {
        **{path: leaf.value for path, leaf in leaves(content["game"]).items()},
        **content["numbers"],
    }
    _same(
        "the box: ",
        {"its numbers": content["digests"]["box"]},
        {"its numbers": numbers_digest(numbers)},
    )
    made = Engine(
        game, game.filled(numbers), [_player(p, game.name, there) for p in content["players"]]
    )
    made.limit = content["limit"]
    _same(
        "the code: ",
        {k: v for k, v in content["digests"].items() if k != "box"},
        code_digests(made),
    )
    return made


def _same(what: str, there: Mapping[str, str], here: Mapping[str, str]) -> None:
    for name, value in there.items():
        if here.get(name) != value:
            raise Other(f"{what}{name} is {here.get(name)} on the worker and {value} here")


def _player(p: Mapping[str, Any], game: str, there: Mapping[str, Path | None]) -> Player:
    """A player as it was sent. Only modules of hardmode and of the game are imported, and files that came along."""
    if p["at"]:
        digest, _, name = p["at"].partition("/")
        choose = registry.player(game, f"{there[digest]}/{name}:{p['function']}").choose
    else:
        choose = _of_hardmode(p["module"], p["function"], rules_module(game).split(".")[0])
    return Player(
        p["name"],
        choose,
        tuple(p["weights"]),
        p["budget"],
        p["where"],
        p["slips"],
        _player(p["careless"], game, there) if p["careless"] else None,
        p["own"],
        tuple(p["keeps"]),
        p["counted"],
        _player(p["plays_on"], game, there) if p["plays_on"] else None,
    )


def _of_hardmode(module: str, name: str, guest: str = HOME) -> Any:
    """A function by its name; of nothing but hardmode, and a game from outside."""
    if module.split(".")[0] not in (HOME, guest):
        raise Other(f"{module} is no module of {HOME} or of the game")
    return getattr(importlib.import_module(module), name)


def _all(players: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for p in players:
        yield p
        yield from (p[part] for part in ("careless", "plays_on") if p[part])


# -- sources that came along -----------------------------------------------------------------------------------


def _folder(digest: str, sources: Mapping[str, Any]) -> Path | None:
    """Where files of this digest lie, on this host, for all its workers; written where they came along."""
    root = cache_root()
    if root is None:
        raise Other(
            "HARDMODE_CACHE names no folder that can be written, for code that is sent along"
        )
    folder = root / "guests" / digest[:32]
    if not folder.is_dir():
        if digest not in sources:
            return None
        aside = atomic_files.aside_of(folder)
        for name, content in sources[digest].items():
            (aside / name).parent.mkdir(parents=True, exist_ok=True)
            (aside / name).write_bytes(content)
        with suppress(OSError):  # another process was faster
            aside.rename(folder)
    return folder


def _at_home(game: str, folder: Path | None) -> None:
    """Have a game from outside found in this folder, and forget another that was called the same."""
    if sys.path[0] == str(folder):
        return
    places = [
        p
        for p in os.environ.get(PATH, "").split(os.pathsep)
        if p and Path(p).parent != Path(str(folder)).parent
    ]
    os.environ[PATH] = os.pathsep.join([str(folder), *places])
    sys.path[:] = [str(folder), *(p for p in sys.path if p != str(folder))]
    _forget(game)


def _forget(game: str) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == game]:
        del sys.modules[name]
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == HOME:
            for function in vars(module).values():
                if callable(getattr(function, "cache_clear", None)):
                    function.cache_clear()
    _engines.clear()
    importlib.invalidate_caches()


def _named_as_sent(text: str, task: Mapping[str, Any]) -> str:
    """Files as the user knows them, and not as they are called here."""
    root = cache_root()
    for _, content in task["errands"]:
        for p in _all(content["players"]):
            if p["at"] and root:
                digest, _, name = p["at"].partition("/")
                path = root / "guests" / digest[:32] / name
                text = text.replace(str(path), p["file"]).replace(short_path(path), p["file"])
    return text


def _address() -> str:
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:  # not played by a cluster
        return "here"
