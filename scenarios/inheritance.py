"""A scenario that starts from another: `extends: standard.yaml`, a file beside it or a shipped name.

What it says itself wins. `setup`, `rules` and `sweep` are merged number by number, everything else is taken whole. Each
value keeps the place where it was written, and the folder from which the files that it names are looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardmode.scenarios.grid import flat
from hardmode.scenarios.schema import checked
from hardmode.scenarios.variant import PLAYERS, SLIPS, STRATEGIES
from hardmode.sim.files.yaml_io.errors import Place, ScenarioError
from hardmode.sim.files.yaml_io.read import Document, Where

EXTENDS, SWEEP = "extends", "sweep"
MERGED = ("setup", "rules", SWEEP)
Reader = Callable[
    [str, Path, Place], tuple[Path, Document, str]
]  # a name's file, and the game that its folder implies


@dataclass
class Whole(Document):
    """A scenario's document, some of whose values may have been written in another file."""

    written: dict[Where, tuple[Place, Path]] = field(default_factory=dict)

    def place(self, *where: str | int) -> Place:
        return self._nearest(where)[0]

    def home(self, *where: str | int) -> Path:
        """The folder of the file in which a value was written."""
        return self._nearest(where)[1]

    def _nearest(self, where: Where) -> tuple[Place, Path]:
        return next(
            self.written[where[:end]]
            for end in range(len(where), -1, -1)
            if where[:end] in self.written
        )


def whole(path: Path, document: Document, read: Reader, above: tuple[Path, ...] = ()) -> Whole:
    """A scenario's document together with all that it extends."""
    checked(document)
    own = Whole(
        document.file,
        document.data,
        document.lines,
        {where: (document.place(*where), path.parent) for where in _wheres(document.data)},
    )
    if EXTENDS not in document.data:
        return own
    place, chain = own.place(EXTENDS), (*above, path)
    file, base, game = read(document.data[EXTENDS], path.parent, place)
    circle = next((i for i, one in enumerate(chain) if one.resolve() == file.resolve()), None)
    if circle is not None:
        first, *rest = [one.name for one in (*chain[circle:], file)]
        raise ScenarioError(
            place, EXTENDS, f"goes in a circle: {first} extends {', which extends '.join(rest)}"
        )
    return _merged(whole(file, base, read, chain), game, own)


def _wheres(value: Any, where: Where = ()) -> Iterator[Where]:
    yield where
    below = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, one in below:
        yield from _wheres(one, (*where, key))


def _merged(base: Whole, implied: str, own: Whole) -> Whole:
    game, asked = base.data.get("game", implied), own.data.get("game")
    if game and asked and game != asked:
        raise ScenarioError(
            own.place("game"),
            "game",
            f"is {asked}, but {base.file}, which it extends, is for {game}",
        )
    below = {"game": game, **deepcopy(base.data)} if game else deepcopy(base.data)
    for where in list(_overruled(base, own)):
        _drop(below, where)
    data = {
        **below,
        **{
            key: _over(below.get(key), value) if key in MERGED else value
            for key, value in own.data.items()
            if key != EXTENDS
        },
    }
    return Whole(own.file, data, own.lines, {**base.written, **own.written})


def _over(base: Any, own: Any) -> Any:
    """The keys of both, its own last and in place of those that are there."""
    if not (isinstance(base, dict) and isinstance(own, dict)):
        return own
    return {
        **{k: v for k, v in base.items() if k not in own},
        **{k: _over(base.get(k), v) for k, v in own.items()},
    }


def _overruled(base: Whole, own: Whole) -> Iterator[Where]:
    """What is said below of numbers that are said anew, in whatever form; a number that is set is swept no more."""
    numbers, axes = _numbers(own), _axes(own)
    settled = {path for path, (_, relative) in numbers.items() if not relative}
    settled |= {STRATEGIES, SLIPS} & own.data.keys()
    yield from (where for path, (where, _) in _numbers(base).items() if path in numbers)
    yield from (where for path, where in _axes(base).items() if path in axes or path in settled)


def _numbers(document: Whole) -> dict[str, tuple[Where, bool]]:
    """The numbers that a scenario sets: where, and whether relative to what stands there."""
    keys = (("players", PLAYERS), ("setup", "setup"), ("rules", ""))
    found = (one for key, path in keys for one in flat(document, (key,), path))
    return {change.path: (where, change.relative) for where, change in found}


def _axes(document: Whole) -> dict[str, Where]:
    sweep = document.data.get(SWEEP, {})
    return {
        change.path: where
        for key in sweep
        for where, change in flat(document, (SWEEP, key), PLAYERS if key == "players" else key)
    }


def _drop(data: dict[str, Any], where: Where) -> None:
    """Take a value away, and the mapping around it when that is left empty."""
    around: Any = data
    for step in where[:-1]:
        around = around[step]
    del around[where[-1]]
    if not around and len(where) > 1:
        _drop(data, where[:-1])
