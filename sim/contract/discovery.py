"""Discovery of games: which games there are, and in which packages.

A shipped game has its rules, strategies and scenarios in the room of each. Any other game is one
package with `GAME` in it, `<package>.strategies`, and a folder `scenarios` that holds its box. It
is found by an entry point of the group `hardmode.games`, or because the environment variable
HARDMODE_PATH names its folder or the folder in which that lies. The group `hardmode.strategies`
has modules that add strategies to a game, under the name of the game.
"""

from __future__ import annotations

import importlib.util
import os
import pkgutil
import sys
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import entry_points
from pathlib import Path

ROOT = __name__.partition(".")[0]
GROUP, STRATEGIES = f"{ROOT}.games", f"{ROOT}.strategies"
PATH = "HARDMODE_PATH"
_ROOMS = Path(__file__).parents[2]


class GameNotFoundError(Exception):
    """Raised when there is no game of a name, or another package has its name."""


@cache
def list_shipped_games() -> tuple[str, ...]:
    """Return the names of the games that come with hardmode."""
    from hardmode.sim import games

    return tuple(sorted(m.name for m in pkgutil.iter_modules(games.__path__) if m.ispkg))


def list_games() -> list[str]:
    """Return the names of all games that can be found."""
    return sorted({*list_shipped_games(), *_find_packages(os.environ.get(PATH, ""))})


def find_rules_module(game: str) -> str:
    """Return the name of the module that holds a game's `GAME`.

    Raises:
        GameNotFoundError: If there is no such game.
    """
    if game in list_shipped_games():
        return f"{ROOT}.sim.games.{game}"
    return _find_package(game)


def find_strategies_module(game: str) -> str:
    """Return the name of the module or package that holds a game's strategies.

    Raises:
        GameNotFoundError: If there is no such game.
    """
    if game in list_shipped_games():
        return f"{ROOT}.strategies.{game}"
    return f"{_find_package(game)}.strategies"


def find_strategy_files(game: str) -> list[Path]:
    """Return the modules of installed packages that hold more strategies for a game."""
    return list(_find_strategy_files(game, tuple(sys.path)))


@cache
def _find_strategy_files(game: str, path: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the modules, cached by `sys.path`."""
    points = entry_points(group=STRATEGIES, name=game)
    specs = [importlib.util.find_spec(point.value) for point in points]
    return tuple(Path(spec.origin) for spec in specs if spec and spec.origin)


def find_players_folder(game: str) -> Path:
    """Return the folder of a game's trained players, which need not exist."""
    if game in list_shipped_games():
        return _ROOMS / "strategies" / game / "players"
    return _find_package_folder(game) / "players"


def find_scenario_folders() -> dict[str, Path]:
    """Return the folder of each game's box and scenarios, which need not exist."""
    folders = {game: _ROOMS / "scenarios" / game for game in list_shipped_games()}
    for game in list_games():
        if game not in folders:
            folders[game] = _find_package_folder(game) / "scenarios"
    return folders


def is_game_folder(folder: Path) -> bool:
    """Return whether a folder is the package of a game, with its box."""
    return (folder / "__init__.py").is_file() and (folder / "scenarios" / "box.yaml").is_file()


def add_game_folder(folder: Path) -> None:
    """Make a game known by the folder of its package, in this process and those that it starts.

    It does what naming the folder in HARDMODE_PATH does.
    """
    known = os.environ.get(PATH, "").split(os.pathsep)
    if str(folder) not in known:
        os.environ[PATH] = os.pathsep.join(filter(None, [*known, str(folder)]))


def _find_package_folder(game: str) -> Path:
    spec = importlib.util.find_spec(_find_package(game))
    return Path(spec.origin).parent if spec and spec.origin else Path(game)


def _find_package(game: str) -> str:
    """Return the name of the package of a game that is not shipped, which can be imported then."""
    packages = _find_packages(os.environ.get(PATH, ""))
    if game not in packages:
        names = ", ".join(list_games())
        raise GameNotFoundError(f"there is no game {game!r}; the games are {names}")
    name, folder = packages[game]
    if folder is None:
        return name
    if str(folder.parent) not in sys.path:
        # At the end, so that modules in this folder never hide installed ones.
        sys.path.append(str(folder.parent))
    spec = importlib.util.find_spec(name)
    if not _is_in_folder(spec, folder):
        origin = f" ({spec.origin})" if spec else ""
        raise GameNotFoundError(
            f"{folder}: another package is called {name}{origin}; "
            "give the game's folder another name"
        )
    return name


def _is_in_folder(spec: ModuleSpec | None, folder: Path) -> bool:
    if spec is None or not spec.origin:
        return False
    return Path(spec.origin).resolve().parent == folder.resolve()


@cache
def _find_packages(path: str) -> dict[str, tuple[str, Path | None]]:
    """Return the package of each game that is not shipped; entry points come first.

    Args:
        path: The folders to search, separated as in PATH.

    Returns:
        By the name of the game, the package's name, and its folder if it was found there.
    """
    packages: dict[str, tuple[str, Path | None]] = {}
    for text in filter(None, path.split(os.pathsep)):
        place = Path(text).expanduser().resolve()
        for folder in (place, *sorted(init.parent for init in place.glob("*/__init__.py"))):
            if is_game_folder(folder):
                packages.setdefault(folder.name, (folder.name, folder))
    for point in entry_points(group=GROUP):
        packages[point.name] = point.value, None
    return packages
