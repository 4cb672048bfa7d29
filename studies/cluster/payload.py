"""What travels to a worker of a cluster, as plain values: a game, the numbers of its box, who plays, and digests.

Code travels as source, and only what the user named: a file of strategies, or the package of a game from outside. What
comes with hardmode is named, and must be the same on the worker.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from hardmode.scenarios.box import leaves
from hardmode.sim.contract import Game, discovery
from hardmode.sim.files.paths import short_path
from hardmode.sim.play import kernel
from hardmode.sim.play.engine import Engine, Player
from hardmode.sim.results.result import rules_digests, versions

HOME = "hardmode"
MOST_BYTES = 64_000_000  # of a game's package


class ClusterError(Exception):
    """A cluster cannot be reached, or cannot play this; says why."""


class Source(NamedTuple):
    """Files of code, by their names inside a folder."""

    files: dict[str, bytes]

    @property
    def digest(self) -> str:
        whole = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            whole.update(f"{name} {len(content)} ".encode() + content)
        return whole.hexdigest()


class Errand(NamedTuple):
    """All that a worker needs to make an engine; and the sources that it may ask for, by digest."""

    key: str
    content: dict[str, Any]
    sources: dict[str, Source]


_made: WeakKeyDictionary[Engine, Errand] = WeakKeyDictionary()


def errand(made: Engine) -> Errand:
    if made not in _made:
        _made[made] = _errand(made)
    return _made[made]


def _errand(made: Engine) -> Errand:
    numbers = made.numbers
    if not numbers:
        raise ClusterError(
            f"{made.game.title}: a box that was not filled from numbers cannot be sent to a cluster"
        )
    printed, sources = leaves(made.game.name), dict[str, Source]()
    guest = _package(made.game.name)
    content = {
        "game": made.game.name,
        "package": _kept(guest, sources) if guest else "",
        "numbers": {
            path: v
            for path, v in numbers.items()
            if path not in printed or printed[path].value != v
        },
        "players": [_written(p, made.game.name, sources) for p in made.players],
        "limit": int(made.limit),
        "digests": {
            "box": numbers_digest(numbers),
            **_code(made.game, tuple(p.choose for p in _everyone(made))),
        },
        "versions": here(),
    }
    key = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return Errand(key, content, sources)


def numbers_digest(numbers: Any) -> str:
    return hashlib.sha256(json.dumps(sorted(numbers.items())).encode()).hexdigest()[:16]


def code_digests(made: Engine) -> dict[str, str]:
    """What must be the same on a worker: the code of rules, of strategies and of the decision loop."""
    return _code(made.game, tuple(p.choose for p in _everyone(made)))


def _everyone(made: Engine) -> list[Player]:
    return [one for p in made.players for one in (p, p.careless, p.plays_on) if one]


@cache
def _code(game: Game, chosen: tuple[Any, ...]) -> dict[str, str]:
    return rules_digests(game, [Player("", choose) for choose in chosen])


@cache
def here() -> dict[str, str]:
    """The versions that must agree, and the digest of the code that plays and counts."""
    whole = hashlib.sha256()
    room = Path(kernel.__file__).parents[1]
    for path in sorted(room.rglob("*.py")):
        if not path.is_relative_to(room / "games"):
            whole.update(path.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return {**versions(), "Python": python, "the code in sim": whole.hexdigest()[:16]}


def _written(p: Player, game: str, sources: dict[str, Source]) -> dict[str, Any]:
    module = p.choose.__module__
    named = {
        "name": p.name,
        "weights": list(p.weights),
        "budget": p.budget,
        "where": p.where,
        "slips": p.slips,
        "own": p.own,
        "keeps": list(map(int, p.keeps)),
        "counted": p.counted,
        **{
            part: _written(one, game, sources) if one else None
            for part, one in (("careless", p.careless), ("plays_on", p.plays_on))
        },
        "function": p.choose.__qualname__,
        "module": module,
        "file": "",
        "at": "",
    }
    if module.split(".")[0] in (HOME, discovery.rules_module(game).split(".")[0]):
        return named
    path = Path(sys.modules[module].__file__ or "")
    return {
        **named,
        "module": "",
        "at": f"{_kept(Source({path.name: path.read_bytes()}), sources)}/{path.name}",
        "file": short_path(path),
    }


def _kept(source: Source, sources: dict[str, Source]) -> str:
    sources[source.digest] = source
    return source.digest


def _package(game: str) -> Source | None:
    """The package of a game from outside that is named like it; none of others, which must be installed there."""
    if game in discovery.shipped() or discovery.rules_module(game) != game:
        return None
    folder = discovery.scenario_folders()[game].parent
    paths = [
        p
        for p in sorted(folder.rglob("*"))
        if p.is_file() and "__pycache__" not in p.parts and not p.name.startswith(".")
    ]
    if sum(p.stat().st_size for p in paths) > MOST_BYTES:
        raise ClusterError(f"{folder}: is too large to be sent to workers; install the game there")
    return Source({f"{game}/{p.relative_to(folder).as_posix()}": p.read_bytes() for p in paths})
