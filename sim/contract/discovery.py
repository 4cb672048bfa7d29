"""Which games there are, and the package that each of them is.

A shipped game has its rules, strategies and scenarios in the room of each. A game from outside is one package with
`GAME` in it, `<package>.strategies`, and a folder `scenarios` that holds its box. It is found by an entry point of
the group `hardmode.games`, or because it lies in a folder that the environment variable HARDMODE_PATH names.
Strategies alone come by the group `hardmode.strategies`, under the name of their game.
"""

from __future__ import annotations

import importlib.util
import os
import pkgutil
import sys
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

ROOT = __name__.partition(".")[0]
GROUP, STRATEGIES = f"{ROOT}.games", f"{ROOT}.strategies"
PATH = "HARDMODE_PATH"


class GameNotFound(Exception):
    """No such game, or a package that is not the one that was meant."""


@cache
def shipped() -> tuple[str, ...]:
    from hardmode.sim import games

    return tuple(sorted(m.name for m in pkgutil.iter_modules(games.__path__) if m.ispkg))


def games() -> list[str]:
    """The names of all games that can be found."""
    return sorted({*shipped(), *_outside(os.environ.get(PATH, ""))})


def rules_module(game: str) -> str:
    """The module that holds the game's `GAME`."""
    if game in shipped():
        return f"{ROOT}.sim.games.{game}"
    return _package(game)


def strategies_module(game: str) -> str:
    if game in shipped():
        return f"{ROOT}.strategies.{game}"
    return f"{_package(game)}.strategies"


def strategy_files(game: str) -> list[Path]:
    """The modules of installed packages that hold strategies for a game."""
    return list(_strategy_files(game, tuple(sys.path)))


@cache
def _strategy_files(game: str, path: tuple[str, ...]) -> tuple[Path, ...]:
    """As long as modules are looked for in the same places."""
    specs = [
        importlib.util.find_spec(point.value) for point in entry_points(group=STRATEGIES, name=game)
    ]
    return tuple(Path(spec.origin) for spec in specs if spec and spec.origin)


def players_folder(game: str) -> Path:
    """Where a game's trained players lie, or would lie."""
    if game in shipped():
        return Path(__file__).parents[2] / "strategies" / game / "players"
    spec = importlib.util.find_spec(_package(game))
    return Path(spec.origin if spec and spec.origin else game).parent / "players"


def scenario_folders() -> dict[str, Path]:
    """Where each game's box and scenarios lie, or would lie."""
    here = Path(__file__).parents[2] / "scenarios"
    found = {game: here / game for game in shipped()}
    for game in games():
        if game not in found:
            spec = importlib.util.find_spec(_package(game))
            found[game] = (
                Path(spec.origin).parent / "scenarios" if spec and spec.origin else Path(game)
            )
    return found


def _package(game: str) -> str:
    outside = _outside(os.environ.get(PATH, ""))
    if game not in outside:
        raise GameNotFound(f"there is no game {game!r}; the games are {', '.join(games())}")
    name, folder = outside[game]
    if folder:
        if str(folder.parent) not in sys.path:
            sys.path.append(
                str(folder.parent)
            )  # last, so that nothing there stands before what is installed
        spec = importlib.util.find_spec(name)
        if not spec or not spec.origin or Path(spec.origin).resolve().parent != folder.resolve():
            raise GameNotFound(
                f"{folder}: another package is called {name}"
                f"{f' ({spec.origin})' if spec else ''}; give the game's folder another name"
            )
    return name


@cache
def _outside(path: str) -> dict[str, tuple[str, Path | None]]:
    """Game, its package, and its folder where that is how it was found; by entry points first."""
    found: dict[str, tuple[str, Path | None]] = {}
    for text in filter(None, path.split(os.pathsep)):
        for init in sorted(Path(text).expanduser().resolve().glob("*/__init__.py")):
            if (init.parent / "scenarios" / "box.yaml").is_file():
                found.setdefault(init.parent.name, (init.parent.name, init.parent))
    return {**found, **{point.name: (point.value, None) for point in entry_points(group=GROUP)}}
