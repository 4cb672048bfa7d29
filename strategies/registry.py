"""Who can play: the shipped strategies of each game, those for any game, and users' own files."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from hardmode.sim.discovery import strategies_module
from hardmode.sim.engine import Player, StrategyError
from hardmode.sim.paths import short_path
from hardmode.strategies import any_game

ARGUMENTS = ("box", "table", "own", "options", "n", "luck", "weights")
OWN = "_own_"  # what the names of modules begin with that are users' own files
OLD_ROOMS = ("sim", "strategies", "scenarios", "reports")  # imported by these names before hardmode was one package
PLAYOUTS = 64  # what `search` spends on a decision unless told otherwise


def names(game: str) -> dict[str, str]:
    """The strategies that a game can be played with, each with its first line of description."""
    found: dict[str, str] = {}
    shipped = _shipped(game)
    for name, made in {**shipped.STRATEGIES, **any_game.STRATEGIES}.items():
        if isinstance(made, tuple):
            found[name] = f"search on top of {made[1]}, {made[2]} playouts a decision"
        else:
            found[name] = (inspect.getdoc(made) or "").split("\n")[0]
    found["search"] = f"tries every option in {PLAYOUTS} playouts of steady and takes the best"
    return found


def weights(game: str) -> dict[str, dict[str, float]]:
    return dict(getattr(_shipped(game), "WEIGHTS", {}))


def player(game: str, name: str, given: Mapping[str, float] | None = None, *, playouts: int = 0,
           search: bool = False, folder: Path | None = None, slips: float = 0.0, careless: str = "random") -> Player:
    """The player that a name stands for: a shipped strategy, `search`, or `path/to/file.py:name`; and, at a share of
    its decisions, another who is careless."""
    made = _player(game, name, given, playouts, search, folder)
    return replace(made, slips=slips, careless=_player(game, careless, None, 0, False, folder)) if slips else made


def _player(game: str, name: str, given: Mapping[str, float] | None, playouts: int, search: bool,
            folder: Path | None) -> Player:
    if name.split(":")[0] == "search" and not search:
        _, _, rest = name.partition(":")
        count, _, base = rest.partition(":")
        if count and not count.isdigit():
            raise StrategyError(f"{name!r}: write search, search:PLAYOUTS or search:PLAYOUTS:STRATEGY")
        return _player(game, base or "steady", given, int(count or 0) or playouts, True, folder)
    module, chosen = _own_file(name, folder) if ".py" in name else (_shipped(game), name)
    made = _pick(game, module, chosen)
    if isinstance(made, tuple):
        return _player(game, made[1], given, playouts or made[2], True, None)
    _callable_with(made, chosen)
    budget = (playouts or PLAYOUTS) if search else 0
    label = f"search:{budget}:{name}" if search else name
    return Player(label, made, _weigh(module, made, chosen, given), budget, _place(made))


def _shipped(game: str) -> ModuleType:
    module = strategies_module(game)
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as why:
        if why.name == module:
            raise StrategyError(f"there are no strategies for {game!r}: no module {module}") from None
        raise


def _pick(game: str, module: ModuleType, name: str) -> Any:
    shipped = not module.__name__.startswith(OWN)
    own = {} if shipped else {k: v for k, v in vars(module).items()
                              if inspect.isfunction(v) and v.__module__ == module.__name__}
    known = {**any_game.STRATEGIES, **getattr(module, "STRATEGIES", {}), **own}
    if name in known:
        return known[name]
    names = [*known, "search"] if shipped else list(own)
    near = difflib.get_close_matches(name, names, 3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names) or 'none'}"
    if shipped:
        raise StrategyError(f"{game} has no strategy {name!r}; {hint}")
    raise StrategyError(f"{short_path(Path(module.__file__ or ''))}: no function {name!r}; {hint}")


def _callable_with(made: Callable, name: str) -> None:
    """A strategy is called with the seven things that it may know."""
    takes = list(inspect.signature(made).parameters)
    if len(takes) != len(ARGUMENTS):
        raise StrategyError(f"{_place(made)}: strategy {name!r} takes {len(takes)} arguments ({', '.join(takes)}); "
                            f"it is called with {', '.join(ARGUMENTS)}")


def _own_file(name: str, folder: Path | None) -> tuple[ModuleType, str]:
    path_text, _, function = name.rpartition(":")
    if not path_text:
        raise StrategyError(f"{name!r}: say which function plays, as in {name}:my_strategy")
    path = Path(path_text).expanduser()
    if not path.is_absolute() and folder and (folder / path).exists():
        path = folder / path
    if not path.is_file():
        raise StrategyError(f"{path}: no such file")
    unique = f"{OWN}{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(unique, path.resolve())
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[unique] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as why:
        raise StrategyError(f"{short_path(path)}:{why.lineno or 1}: {why.msg}") from None
    except Exception as why:
        frames = [f for f in traceback.extract_tb(why.__traceback__) if f.filename == str(path.resolve())]
        line, code = (frames[-1].lineno, frames[-1].line or "") if frames else (1, "")
        said = _moved(why, code) or f"{type(why).__name__}: {why}"
        raise StrategyError(f"{short_path(path)}:{line}: {said}") from None
    return module, function


def _moved(why: Exception, code: str) -> str:
    """How to import what a line of code looks for in a room's old place; nothing when that is not what is wrong."""
    for room in OLD_ROOMS:
        absent = isinstance(why, ModuleNotFoundError) and why.name == room
        refused = isinstance(why, ImportError) and str(why).startswith(f"{room} is a part of hardmode:")
        now, found = re.subn(rf"(?<![\w.]){room}\b", f"hardmode.{room}", code, count=1)
        if found and (absent or refused):
            return f"{room} is now hardmode.{room}: write {now}"
    return ""


def _weigh(module: ModuleType, made: Callable, name: str, given: Mapping[str, float] | None) -> tuple[float, ...]:
    table = getattr(module, "WEIGHTS", {})
    defaults = dict(table.get(name) or table.get(made.__name__, {}))
    for key, value in (given or {}).items():
        if key not in defaults:
            near = difflib.get_close_matches(key, defaults, 3) or list(defaults)
            what = f"did you mean {' or '.join(near)}?" if near else "it has none"
            raise StrategyError(f"strategy {name!r} has no weight {key!r}; {what}")
        defaults[key] = float(value)
    return tuple(float(v) for v in defaults.values())


def _place(made: Callable) -> str:
    code = getattr(made, "py_func", made).__code__
    return f"{short_path(Path(code.co_filename))}:{code.co_firstlineno}"
