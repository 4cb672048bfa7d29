"""Who can play: the shipped strategies and players of each game, those for any game, and users' own files."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import importlib
import importlib.util
import inspect
import math
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from hardmode.sim import contract
from hardmode.sim.compile import safe_import
from hardmode.sim.compile.fingerprint import source_digest
from hardmode.sim.contract.discovery import strategies_module, strategy_files
from hardmode.sim.files.paths import at_home, is_file, short_path, unfit
from hardmode.sim.files.text import MOST_PLAYOUTS, brief
from hardmode.sim.play.engine import Player, StrategyError
from hardmode.sim.records import is_ours
from hardmode.sim.results.result import rules_digests
from hardmode.strategies import player_file, random_play, static_check, tuning
from hardmode.strategies.player_file import PlayerFile
from hardmode.strategies.random_play import EXPERT, OURS, PLAYOUTS
from hardmode.strategies.sources import examine_imports
from hardmode.strategies.tuning import Tuning

ARGUMENTS = ("box", "table", "own", "options", "n", "luck", "weights")
OWN = "_own_"  # what the names of modules begin with that are users' own files
OLD_ROOMS = (
    "sim",
    "strategies",
    "scenarios",
    "reports",
)  # imported by these names before hardmode was one package
MOST_BYTES = 4_000_000  # of a user's file


def names(game: str) -> dict[str, str]:
    """The strategies that a game can be played with, each with its first line of description."""
    found: dict[str, str] = {}
    installed = {name: _named(module)[name] for name, module in _installed(game).items()}
    for name, made in {**_shipped(game).STRATEGIES, **_everywhere(game), **installed}.items():
        if isinstance(made, tuple):
            by = f" of {made[3]}" if made[3:] and made[3] != made[1] else ""
            found[name] = f"search on top of {made[1]}, {made[2]} playouts{by} a decision"
        else:
            found[name] = (inspect.getdoc(made) or "").split("\n")[0]
    for name, path in player_file.shipped(game).items():
        found[name] = _described(player_file.read(path))
    found["search"] = f"tries every option in {PLAYOUTS} playouts of steady and takes the best"
    return found


def _installed(game: str) -> dict[str, ModuleType]:
    """The strategies that other packages bring for a game, each with its module; what ships keeps its name."""
    taken = {*_shipped(game).STRATEGIES, *random_play.STRATEGIES, *player_file.shipped(game), *OURS}
    modules = [_own_file(f"{path}:", None)[0] for path in strategy_files(game)]
    return {name: module for module in modules for name in _named(module) if name not in taken}


def _everywhere(game: str) -> dict[str, Any]:
    """What plays any game; the expert searches on the best that this one has."""
    has = [*player_file.shipped(game), *_shipped(game).STRATEGIES]
    below = next((name for name in random_play.SEARCHED if name in has), "random")
    playouts, plays_on = getattr(_shipped(game), "EXPERT", (random_play.ENOUGH, below))
    return {**random_play.STRATEGIES, EXPERT: ("search", below, playouts, plays_on)}


def _described(file: PlayerFile) -> str:
    certificate = file.certificate
    return (
        f"{file.base} trained for {certificate.scenario}"
        if certificate
        else f"{file.base} with weights of its own"
    )


def weights(game: str) -> dict[str, dict[str, float]]:
    trained = {
        name: player_file.read(path).weights for name, path in player_file.shipped(game).items()
    }
    installed = {
        name: _weights_of(module).get(name, {}) for name, module in _installed(game).items()
    }
    return {
        **_weights_of(_shipped(game)),
        **trained,
        **{name: own for name, own in installed.items() if own},
    }


def weights_of(game: str, name: str, folder: Path | None = None) -> dict[str, float]:
    """The weights that a strategy has unless something else is said."""
    base, _, _ = _searched(name)
    found = _player_file(game, base, folder)
    if found:
        return dict(player_file.read(found).weights)
    module, chosen = _module(game, base, folder)
    made = _pick(game, module, chosen)
    return weights_of(game, made[1]) if isinstance(made, tuple) else _defaults(module, made, chosen)


def base_of(game: str, name: str, folder: Path | None = None) -> str:
    """The strategy below a player file, as it is named from anywhere; any other strategy is itself."""
    found = _player_file(game, name, folder)
    base = player_file.read(found).base if found else name
    return (
        f"{found.parent.resolve()}/{base}"
        if found and ".py" in base and not Path(base).is_absolute()
        else base
    )


def tunings_of(game: str, name: str, folder: Path | None = None) -> dict[str, Tuning]:
    """How a strategy's module declares that its weights may be tuned; of a player file, those of its base."""
    base, _, _ = _searched(base_of(game, _searched(name)[0], folder))
    module, chosen = _module(game, base, folder)
    made = _pick(game, module, chosen)
    if isinstance(made, tuple):
        return tunings_of(game, made[1])
    known, found = _defaults(module, made, chosen), {}
    for weight, written in _declared(module, "RANGES", made, chosen).items():
        what = f"{_file(module)}: RANGES[{chosen!r}][{weight!r}]"
        if weight not in known:
            raise StrategyError(
                f"{what}: there is no such weight; there are {', '.join(known) or 'none'}"
            )
        try:
            found[weight] = tuning.parsed(written)
        except ValueError as why:
            raise StrategyError(f"{what} {why}") from None
    return found


def player(
    game: str,
    name: str,
    given: Mapping[str, float] | None = None,
    *,
    playouts: int = 0,
    search: bool = False,
    folder: Path | None = None,
    slips: float | None = None,
    careless: str = "random",
) -> Player:
    """The player that a name stands for: a shipped strategy, `search`, `path/to/file.py:name` or a player file; and,
    at a share of its decisions, another who is careless. Unless that is said, a player file's own slips hold."""
    made = _player(game, name, given, playouts, search, folder)
    return made if slips is None else _slipping(game, made, slips, careless, folder)


def _slipping(game: str, made: Player, share: float, by: str, folder: Path | None) -> Player:
    return replace(
        made, slips=share, careless=_player(game, by, None, 0, False, folder) if share else None
    )


def _player(
    game: str,
    name: str,
    given: Mapping[str, float] | None,
    playouts: int,
    search: bool,
    folder: Path | None,
) -> Player:
    if not search:
        name, count, search = _searched(name)
        playouts = count or playouts
    found = _player_file(game, name, folder)
    if found:
        return _trained(game, name, found, given, playouts, search)
    rules = contract.game(game)  # before a user's file, which may import from it
    module, chosen = _module(game, name, folder)
    made = _pick(game, module, chosen)
    if isinstance(made, tuple):
        return _playing_on(
            game,
            _player(game, made[1], given, playouts or made[2], True, None),
            *made[1:2],
            *made[3:],
        )
    _callable_with(made, chosen)
    if playouts > MOST_PLAYOUTS:
        raise StrategyError(f"search takes 1 to {MOST_PLAYOUTS:,} playouts, not {playouts:,}")
    budget = (playouts or PLAYOUTS) if search else 0
    label = f"search:{budget}:{name}" if search else name
    own = _is_own(module) and not is_ours(made)
    if own:
        static_check.examine_file(module, rules)
        static_check.examine(made, rules)
    return Player(label, made, _weigh(module, made, chosen, given), budget, _place(made), own=own)


def _playing_on(game: str, made: Player, below: str, by: str = "") -> Player:
    """A search in whose playouts another plays on, where one is named."""
    if by in ("", below):
        return made
    return replace(
        made, name=f"{made.name} by {by}", plays_on=_player(game, by, None, 0, False, None)
    )


def _is_own(module: ModuleType) -> bool:
    return module.__name__.startswith(OWN)


def _searched(name: str) -> tuple[str, int, bool]:
    """What `search:64:steady` is built on, with its playouts; any other name is itself."""
    if name.split(":")[0] != "search":
        return name, 0, False
    _, _, rest = name.partition(":")
    count, _, base = rest.partition(":")
    if count and not (count.isascii() and count.isdigit()):
        raise StrategyError(f"{name!r}: write search, search:PLAYOUTS or search:PLAYOUTS:STRATEGY")
    if count and not (len(count) < 20 and 1 <= int(count) <= MOST_PLAYOUTS):
        raise StrategyError(f"{brief(name)}: search takes 1 to {MOST_PLAYOUTS:,} playouts")
    return base or "steady", int(count or 0), True


def file_of(game: str, name: str, folder: Path | None = None) -> Path | None:
    """The player file behind a name, if one is; a search on a player counts."""
    base = _searched(name)[0]
    return _player_file(game, _everywhere(game)[EXPERT][1] if base == EXPERT else base, folder)


def _player_file(game: str, name: str, folder: Path | None) -> Path | None:
    """The file of a player, the user's or a shipped one."""
    if player_file.is_file(name):
        path = Path(name).expanduser()
        return (
            folder / path
            if folder and not path.is_absolute() and (folder / path).exists()
            else path
        )
    return player_file.shipped(game).get(name)


def _trained(
    game: str, name: str, path: Path, given: Mapping[str, float] | None, playouts: int, search: bool
) -> Player:
    """The player of a file."""
    file, home, at = player_file.read(path), path.parent, short_path(path)
    if file.game != game:
        raise StrategyError(f"{at}: plays {file.game}, not {game}")
    if _player_file(game, _searched(file.base)[0], home):
        raise StrategyError(f"{at}: its base {file.base!r} is a player itself; name the strategy")
    known = weights_of(game, file.base, home)
    if set(known) != set(file.weights):
        raise StrategyError(
            f"{at}: has the weights {', '.join(file.weights) or 'none'}, but strategy {file.base!r} "
            f"now has {', '.join(known) or 'none'}; train it anew"
        )
    values = {**{key: file.weights[key] for key in known}, **(given or {})}
    made = _player(game, file.base, values, playouts, search, home)
    label = f"search:{made.budget}:{name}" if search else name
    return _slipping(game, replace(made, name=label), file.slips.share, file.slips.by, home)


def digests(game: str, made: Player) -> dict[str, str]:
    """What certifies that a player plays as it did: the rules of its game, and its strategy."""
    return {"rules": _rules_digest(game), "strategy": source_digest(made.choose)}


@cache
def _rules_digest(game: str) -> str:
    return rules_digests(contract.game(game), [])["rules"]


def _module(game: str, name: str, folder: Path | None) -> tuple[ModuleType, str]:
    if ".py" in name:
        return _own_file(name, folder)
    shipped = _shipped(game)
    known = name in _named(shipped) or name in _everywhere(game)
    return (shipped if known else _installed(game).get(name, shipped)), name


def _shipped(game: str) -> ModuleType:
    name = strategies_module(game)
    try:
        module = safe_import.imported(name)
    except ModuleNotFoundError as why:
        if why.name == name:
            raise StrategyError(f"there are no strategies for {game!r}: no module {name}") from None
        raise
    for taken in set(OURS) & set(_named(module)):
        raise StrategyError(
            f"{_file(module)}: STRATEGIES[{taken!r}]: {taken} means the same in every game, and is not "
            "written; give this one a name of its own"
        )
    return module


def _pick(game: str, module: ModuleType, name: str) -> Any:
    shipped = not _is_own(module)
    own = (
        {}
        if shipped
        else {
            k: v
            for k, v in vars(module).items()
            if inspect.isfunction(v) and v.__module__ == module.__name__
        }
    )
    known = {**(_everywhere(game) if shipped else random_play.STRATEGIES), **_named(module), **own}
    if name in known:
        return known[name]
    names = (
        [*known, *player_file.shipped(game), *_installed(game), "search"] if shipped else list(own)
    )
    near = difflib.get_close_matches(name, names, 3)
    hint = (
        f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names) or 'none'}"
    )
    if shipped:
        raise StrategyError(f"{game} has no strategy {name!r}; {hint}")
    raise StrategyError(f"{short_path(Path(module.__file__ or ''))}: no function {name!r}; {hint}")


def _named(module: ModuleType) -> dict[str, Any]:
    """The strategies to which a file gives names: functions, or a search on one of them."""
    written = _plainly(vars(module).get("STRATEGIES", {}))
    if written is None:
        raise StrategyError(f"{_file(module)}: STRATEGIES must be a mapping of names to functions")
    for name, made in written.items():
        search = (
            isinstance(made, tuple)
            and len(made) == 3
            and made[0] == "search"
            and isinstance(made[1], str)
        )
        fit = (
            type(made[2]) is int and 1 <= made[2] <= MOST_PLAYOUTS
            if search
            else inspect.isfunction(made)
        )
        if not isinstance(name, str) or not fit:
            raise StrategyError(
                f"{_file(module)}: STRATEGIES[{brief(str(name))}] must be a function, or "
                f"('search', 'a strategy', playouts), with 1 to {MOST_PLAYOUTS:,} of them"
            )
    return written


def _plainly(written: Any) -> dict[Any, Any] | None:
    """What a mapping holds, without asking it: a class of a file's own could answer anything."""
    return dict(dict.items(written)) if isinstance(written, dict) else None


def _callable_with(made: Callable, name: str) -> None:
    """A strategy is called with the seven things that it may know."""
    takes = list(inspect.signature(made).parameters)
    if len(takes) != len(ARGUMENTS):
        raise StrategyError(
            f"{_place(made)}: strategy {name!r} takes {len(takes)} arguments ({', '.join(takes)}); "
            f"it is called with {', '.join(ARGUMENTS)}"
        )


def _own_file(name: str, folder: Path | None) -> tuple[ModuleType, str]:
    path_text, _, function = name.rpartition(":")
    if not path_text:
        raise StrategyError(f"{name!r}: say which function plays, as in {name}:my_strategy")
    path = at_home(path_text)
    if not path.is_absolute() and folder and is_file(folder / path):
        path = folder / path
    if not is_file(path):
        raise StrategyError(f"{brief(str(path))[1:-1]}: no such file")
    reason = unfit(path, MOST_BYTES)
    if reason:
        raise StrategyError(f"{short_path(path)}: {reason}")
    unique = f"{OWN}{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(unique, path.resolve())
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[unique] = module
    try:
        examine_imports(path)
        with safe_import.unheard():
            spec.loader.exec_module(module)
    except StrategyError:
        raise
    except SyntaxError as why:
        raise StrategyError(f"{short_path(path)}:{why.lineno or 1}: {why.msg}") from None
    except BaseException as why:  # a file that ends Python, too: nobody asked it to
        frames = [
            f for f in traceback.extract_tb(why.__traceback__) if f.filename == str(path.resolve())
        ]
        line, code = (frames[-1].lineno, frames[-1].line or "") if frames else (1, "")
        said = _moved(why, code) or f"{type(why).__name__}: {why}"
        raise StrategyError(f"{short_path(path)}:{line}: {said}") from None
    return module, function


def _moved(why: BaseException, code: str) -> str:
    """How to import what a line of code looks for in a room's old place; nothing when that is not what is wrong."""
    for room in OLD_ROOMS:
        absent = isinstance(why, ModuleNotFoundError) and why.name == room
        refused = isinstance(why, ImportError) and str(why).startswith(
            f"{room} is a part of hardmode:"
        )
        now, found = re.subn(rf"(?<![\w.]){room}\b", f"hardmode.{room}", code, count=1)
        if found and (absent or refused):
            return f"{room} is now hardmode.{room}: write {now}"
    return ""


def _weigh(
    module: ModuleType, made: Callable, name: str, given: Mapping[str, float] | None
) -> tuple[float, ...]:
    defaults = _defaults(module, made, name)
    for key, value in (given or {}).items():
        if key not in defaults:
            near = difflib.get_close_matches(str(key), defaults, 3) or list(defaults)
            what = f"did you mean {' or '.join(near)}?" if near else "it has none"
            raise StrategyError(f"strategy {name!r} has no weight {key!r}; {what}")
        defaults[key] = _number(value, f"strategy {name!r}: the weight {key}")
    return tuple(defaults.values())


def _weights_of(module: ModuleType) -> dict[str, dict[str, float]]:
    """The weights that a file gives its strategies: by strategy, then by name, all of them finite numbers."""
    written = _plainly(vars(module).get("WEIGHTS", {}))
    file = _file(module)
    shape = f"{file}: WEIGHTS must be a mapping of strategies to mappings of names to numbers"
    if written is None:
        raise StrategyError(f"{shape}; it is of type {type(vars(module)['WEIGHTS']).__name__}")
    tables = {name: _plainly(table) for name, table in written.items()}
    for name, table in tables.items():
        if table is None or not all(isinstance(key, str) for key in table):
            raise StrategyError(f"{shape}; that of {name!r} is none")
    return {
        name: {
            key: _number(value, f"{file}: WEIGHTS[{name!r}][{key!r}]")
            for key, value in (table or {}).items()
        }
        for name, table in tables.items()
    }


def _number(value: Any, what: str) -> float:
    number = math.nan
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        with contextlib.suppress(OverflowError):
            number = float(value)
    if not math.isfinite(number):
        raise StrategyError(f"{what} is {brief(value)}; it must be a finite number")
    return number


def _file(module: ModuleType) -> str:
    return short_path(Path(module.__file__ or module.__name__))


def _defaults(module: ModuleType, made: Callable, name: str) -> dict[str, float]:
    table = _weights_of(module)
    return dict(table.get(name) or table.get(made.__name__, {}))


def _declared(module: ModuleType, what: str, made: Callable, name: str) -> dict[str, Any]:
    """What a module says of a strategy, under the name by which it is chosen or that of its function."""
    table = _plainly(vars(module).get(what, {})) or {}
    return dict(table.get(name) or table.get(made.__name__, {}))


def _place(made: Callable) -> str:
    code = getattr(made, "py_func", made).__code__
    return f"{short_path(Path(code.co_filename))}:{code.co_firstlineno}"
