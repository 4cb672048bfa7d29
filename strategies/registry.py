"""Registry of strategies: names to players, from the game, from packages and from users' files.

A name stands for a strategy that ships with a game or an installed package, for a trained player,
for a search (`search`, `search:64:steady`), for a function in a user's file (`mine.py:greedy`), or
for a player file (`mine.yaml`).
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from hardmode.sim import contract
from hardmode.sim.compile import safe_import
from hardmode.sim.compile.fingerprint import compute_source_digest
from hardmode.sim.contract.discovery import find_strategies_module, find_strategy_files
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.files.text import MAX_PLAYOUTS, shorten_value
from hardmode.sim.play.player import DEFAULT_SWITCH_SCORE, Player, StrategyError
from hardmode.sim.play.values import list_fields
from hardmode.sim.records import is_builtin_code
from hardmode.sim.results.result import compute_code_digests
from hardmode.strategies import random_play, static_check
from hardmode.strategies.declarations import (
    SearchDeclaration,
    check_signature,
    check_weight,
    format_definition,
    format_module_path,
    read_default_weights,
    read_names,
    read_strategies,
    read_weight_limits,
    read_weight_ranges,
    read_weights,
)
from hardmode.strategies.mistakes import DEFAULT_MISTAKE_PLAYER
from hardmode.strategies.player_file import is_player_file, list_shipped_players, read_player_file
from hardmode.strategies.random_play import DEFAULT_PLAYOUTS, EXPERT, RESERVED_NAMES
from hardmode.strategies.tuning import WeightRange
from hardmode.strategies.user_files import import_user_file, is_user_module


class _SearchName(NamedTuple):
    """A name such as `search:64:steady`, or any other name with `is_search` false."""

    base: str
    playouts: int  # 0 for the usual number
    is_search: bool


def list_strategies(game: str) -> dict[str, str]:
    """Return the names of all strategies of a game, each with a line of description."""
    strategies = {**read_strategies(load_shipped_module(game)), **_get_common_strategies(game)}
    for name, module in _find_installed_modules(game).items():
        strategies[name] = read_strategies(module)[name]
    descriptions: dict[str, str] = {}
    weights = list_weights(game)
    for name, strategy in strategies.items():
        descriptions[name] = _describe_strategy(strategy)
        first = next(other for other in strategies if strategies[other] is strategy)
        if first != name:
            difference = "" if weights.get(first) == weights.get(name) else ", with other weights"
            descriptions[name] = f"the same as {first}{difference}"
    for name, path in list_shipped_players(game).items():
        descriptions[name] = _describe_player_file(path)
    descriptions["search"] = (
        f"tries every option in {DEFAULT_PLAYOUTS} playouts of steady and takes the best"
    )
    return descriptions


def _describe_strategy(strategy: Callable | SearchDeclaration) -> str:
    if not isinstance(strategy, SearchDeclaration):
        return (inspect.getdoc(strategy) or "").split("\n")[0]
    policy = ""
    if strategy.rollout_policy not in ("", strategy.base):
        policy = f" of {strategy.rollout_policy}"
    return f"search on top of {strategy.base}, {strategy.playouts} playouts{policy} a decision"


def _describe_player_file(path: Path) -> str:
    file = read_player_file(path)
    values = "search by learned values on top of " if file.values else ""
    if file.certificate:
        scenarios = dict.fromkeys(file.certificate.scenario.split(" + "))  # some several times
        return f"{values}{file.base} trained for {', '.join(scenarios)}"
    return f"{values}{file.base} with weights of its own"


def _find_installed_modules(game: str) -> dict[str, ModuleType]:
    """Return the strategies that packages add to a game, each with its module.

    Strategies that ship with the game keep their names.
    """
    taken = {
        *read_strategies(load_shipped_module(game)),
        *list_shipped_players(game),
        *RESERVED_NAMES,
    }
    modules: dict[str, ModuleType] = {}
    for path in find_strategy_files(game):
        module, _ = import_user_file(f"{path}:", None)
        for name in read_strategies(module):
            if name not in taken:
                modules[name] = module
    return modules


def _get_common_strategies(game: str) -> dict[str, Callable | SearchDeclaration]:
    """Return the strategies of every game; the expert searches on the best that this game has."""
    module = load_shipped_module(game)
    present = {*list_shipped_players(game), *read_strategies(module)}
    base = next((name for name in random_play.EXPERT_BASES if name in present), "random")
    declared = getattr(module, "EXPERT", (random_play.EXPERT_PLAYOUTS,))
    return {**random_play.STRATEGIES, EXPERT: SearchDeclaration(base, *declared)}


def list_weights(game: str) -> dict[str, dict[str, float]]:
    """Return the default weights of all strategies of a game that have any."""
    weights = dict(read_weights(load_shipped_module(game)))
    for name, path in list_shipped_players(game).items():
        weights[name] = read_player_file(path).weights
    for name, module in _find_installed_modules(game).items():
        own = read_weights(module).get(name, {})
        if own:
            weights[name] = own
    return weights


def get_weights(game: str, name: str, folder: Path | None = None) -> dict[str, float]:
    """Return the default weights of a strategy.

    Args:
        game: The name of the game.
        name: The name of the strategy.
        folder: The folder in which users' files are looked for.

    Raises:
        StrategyError: There is no such strategy.
    """
    base = _parse_search_name(name).base
    file = _resolve_player_file(game, base, folder)
    if file:
        return dict(read_player_file(file).weights)
    module, function = _find_module(game, base, folder)
    strategy = _find_strategy(game, module, function)
    if isinstance(strategy, SearchDeclaration):
        return get_weights(game, strategy.base)
    return read_default_weights(module, strategy, function)


def find_base_strategy(game: str, name: str, folder: Path | None = None) -> str:
    """Return the strategy of a player file, or any other name as it is.

    Args:
        game: The name of the game.
        name: The name of the strategy.
        folder: The folder in which users' files are looked for.
    """
    file = _resolve_player_file(game, name, folder)
    if not file:
        return name
    base = read_player_file(file).base
    if ".py" in base and not Path(base).is_absolute():
        return f"{file.parent.resolve()}/{base}"
    return base


def list_value_fields(game: str) -> list[str]:
    """Return the names of the fields that value functions of a game may read.

    Raises:
        StrategyError: The game declares a field that it does not have.
    """
    declared = _list_declared_fields(game, "VALUE_FIELDS")
    return declared or list(list_fields(contract.load_game(game)))


def list_turn_fields(game: str) -> list[str]:
    """Return the names of the fields that tell the positions of a turn apart; none by default.

    Raises:
        StrategyError: The game declares a field that it does not have.
    """
    return _list_declared_fields(game, "TURN_FIELDS")


def list_judged_kinds(game: str) -> list[str]:
    """Return the kinds of decisions before which positions within a turn are judged.

    Raises:
        StrategyError: The game declares a kind that it does not have.
    """
    kinds = contract.load_game(game).kinds
    declared = list(read_names(load_shipped_module(game), "JUDGED_KINDS"))
    for kind in declared:
        if kind not in kinds:
            known = ", ".join(map(repr, kinds))
            raise StrategyError(f"JUDGED_KINDS of {game} names {kind!r}; its kinds are {known}")
    return declared


def list_counters(game: str) -> list[str]:
    """Return the names of the fields of the table that are only counted; none by default.

    No rule and no strategy reads them except to count on, and to write what was counted at the end.

    Raises:
        StrategyError: The game declares a field that it does not have.
    """
    return _list_declared_fields(game, "COUNTERS")


def _list_declared_fields(game: str, key: str) -> list[str]:
    names = list(list_fields(contract.load_game(game)))
    declared = read_names(load_shipped_module(game), key)
    for name in declared:
        if not any(_is_field(field, name) for field in names):
            raise StrategyError(f"{key} of {game} names {name}; there is no such field")
    return [field for field in names if any(_is_field(field, name) for name in declared)]


def _is_field(field: str, name: str) -> bool:
    """Return whether a field has a name, or is a part of what has it."""
    return field == name or field.startswith((f"{name}[", f"{name}."))


def get_weight_ranges(game: str, name: str, folder: Path | None = None) -> dict[str, WeightRange]:
    """Return the ranges in which the weights of a strategy may be tuned.

    Args:
        game: The name of the game.
        name: The name of the strategy; a player file has the ranges of its base.
        folder: The folder in which users' files are looked for.

    Raises:
        StrategyError: There is no such strategy, or a range is malformed.
    """
    base = find_base_strategy(game, _parse_search_name(name).base, folder)
    module, function = _find_module(game, _parse_search_name(base).base, folder)
    strategy = _find_strategy(game, module, function)
    if isinstance(strategy, SearchDeclaration):
        return get_weight_ranges(game, strategy.base)
    return read_weight_ranges(module, strategy, function)


def create_player(
    game: str,
    name: str,
    weights: Mapping[str, float] | None = None,
    *,
    playouts: int = 0,
    search: bool = False,
    folder: Path | None = None,
    mistake_rate: float | None = None,
    mistake_player: str = DEFAULT_MISTAKE_PLAYER,
) -> Player:
    """Return the player that a name stands for.

    Args:
        game: The name of the game.
        name: The name of the strategy.
        weights: The weights that differ from the defaults.
        playouts: The playouts of a search at each decision; 0 for the usual number.
        search: True for a search on top of the strategy.
        folder: The folder in which users' files are looked for.
        mistake_rate: The share of decisions that `mistake_player` makes; None for that of a
            player file.
        mistake_player: The name of the strategy that makes them.

    Raises:
        StrategyError: There is no such strategy, or it is malformed or not allowed.

    Example:
        >>> create_player("pig", "steady", {"threshold": 25}, mistake_rate=0.1)
    """
    player = _create_player(game, name, weights, playouts, search, folder)
    if mistake_rate is None:
        return player
    return _with_mistakes(game, player, mistake_rate, mistake_player, folder)


def _with_mistakes(
    game: str, player: Player, rate: float, name: str, folder: Path | None
) -> Player:
    mistake_player = _create_player(game, name, folder=folder) if rate else None
    return replace(player, mistake_rate=rate, mistake_player=mistake_player)


def _create_player(
    game: str,
    name: str,
    weights: Mapping[str, float] | None = None,
    playouts: int = 0,
    search: bool = False,
    folder: Path | None = None,
) -> Player:
    if not search:
        name, own_playouts, search = _parse_search_name(name)
        playouts = own_playouts or playouts
    file = _resolve_player_file(game, name, folder)
    if file:
        return _create_trained_player(game, name, file, weights, playouts, search)
    rules = contract.load_game(game)  # before a user's file, which may import from it
    module, function = _find_module(game, name, folder)
    strategy = _find_strategy(game, module, function)
    if isinstance(strategy, SearchDeclaration):
        return _create_searching_player(game, strategy, weights, playouts)
    check_signature(strategy, function)
    if playouts > MAX_PLAYOUTS:
        raise StrategyError(f"search takes 1 to {MAX_PLAYOUTS:,} playouts, not {playouts:,}")
    budget = (playouts or DEFAULT_PLAYOUTS) if search else 0
    is_user_strategy = is_user_module(module) and not is_builtin_code(strategy)
    if is_user_strategy:
        static_check.check_module(module, rules)
        static_check.check_strategy(strategy, rules)
    return Player(
        f"search:{budget}:{name}" if search else name,
        strategy,
        _override_weights(module, strategy, function, weights or {}),
        budget,
        format_definition(strategy),
        is_user_strategy=is_user_strategy,
    )


def _create_searching_player(
    game: str, search: SearchDeclaration, weights: Mapping[str, float] | None, playouts: int
) -> Player:
    player = _create_player(game, search.base, weights, playouts or search.playouts, True)
    player = replace(player, switch_score=search.switch_score)
    if search.rollout_policy in ("", search.base):
        return player
    policy = _create_player(game, search.rollout_policy)
    return replace(player, name=f"{player.name} by {search.rollout_policy}", rollout_policy=policy)


def _create_trained_player(
    game: str,
    name: str,
    path: Path,
    weights: Mapping[str, float] | None,
    playouts: int,
    search: bool,
) -> Player:
    """Return the player of a player file."""
    file, folder, location = read_player_file(path), path.parent, shorten_path(path)
    if file.game != game:
        raise StrategyError(f"{location}: plays {file.game}, not {game}")
    if _resolve_player_file(game, _parse_search_name(file.base).base, folder):
        raise StrategyError(
            f"{location}: its base {file.base!r} is a player itself; name the strategy"
        )
    current = get_weights(game, file.base, folder)
    if set(current) != set(file.weights):
        raise StrategyError(
            f"{location}: has the weights {', '.join(file.weights) or 'none'}, but strategy "
            f"{file.base!r} now has {', '.join(current) or 'none'}; train it again"
        )
    values = {**{key: file.weights[key] for key in current}, **(weights or {})}
    if file.values:
        policy, score = file.values.rollout_policy, file.values.switch_score
        player = replace(
            _create_player(game, file.base, values, folder=folder),
            rollout_budget=playouts or file.values.trials,
            values=file.values.make_function(),
            rollout_policy=_create_player(game, policy, folder=folder) if policy else None,
            switch_score=DEFAULT_SWITCH_SCORE if score is None else score,
        )
    else:
        player = _create_player(game, file.base, values, playouts, search, folder)
    label = f"search:{player.rollout_budget}:{name}" if search else name
    mistakes = file.mistakes
    return _with_mistakes(game, replace(player, name=label), mistakes.rate, mistakes.player, folder)


def _parse_search_name(name: str) -> _SearchName:
    """Return the parts of `search:64:steady`; any other name is its own base."""
    keyword, _, rest = name.partition(":")
    if keyword != "search":
        return _SearchName(name, 0, False)
    count, _, base = rest.partition(":")
    if count and not (count.isascii() and count.isdigit()):
        raise StrategyError(f"{name!r}: write search, search:PLAYOUTS or search:PLAYOUTS:STRATEGY")
    if count and not (len(count) < 20 and 1 <= int(count) <= MAX_PLAYOUTS):
        raise StrategyError(f"{shorten_value(name)}: search takes 1 to {MAX_PLAYOUTS:,} playouts")
    return _SearchName(base or "steady", int(count or 0), True)


def find_player_file(game: str, name: str, folder: Path | None = None) -> Path | None:
    """Return the player file of a name, also below a search; None if there is none.

    Args:
        game: The name of the game.
        name: The name of the strategy.
        folder: The folder in which users' files are looked for.
    """
    base = _parse_search_name(name).base
    if base == EXPERT and EXPERT not in list_shipped_players(game):
        expert = _get_common_strategies(game)[EXPERT]
        assert isinstance(expert, SearchDeclaration)
        base = expert.base
    return _resolve_player_file(game, base, folder)


def _resolve_player_file(game: str, name: str, folder: Path | None) -> Path | None:
    """Return the file of a player, the user's or a shipped one; None for other strategies."""
    if not is_player_file(name):
        return list_shipped_players(game).get(name)
    path = Path(name).expanduser()
    if folder and not path.is_absolute() and (folder / path).exists():
        return folder / path
    return path


def compute_player_digests(game: str, player: Player) -> dict[str, str]:
    """Return the digests on which the play of a player depends: of the rules and the strategy."""
    return {"rules": _compute_rules_digest(game), "strategy": compute_source_digest(player.choose)}


@cache
def _compute_rules_digest(game: str) -> str:
    return compute_code_digests(contract.load_game(game), [])["rules"]


def load_shipped_module(game: str) -> ModuleType:
    """Import the module of the strategies that ship with a game.

    Raises:
        StrategyError: There is none, or it gives a strategy a reserved name.
    """
    name = find_strategies_module(game)
    try:
        module = safe_import.import_module_quietly(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            raise StrategyError(f"there are no strategies for {game!r}: no module {name}") from None
        raise
    for reserved in set(RESERVED_NAMES) & set(read_strategies(module)):
        raise StrategyError(
            f"{format_module_path(module)}: STRATEGIES[{reserved!r}]: {reserved} means the same in "
            "every game and cannot be declared; give this one a name of its own"
        )
    return module


def _find_module(game: str, name: str, folder: Path | None) -> tuple[ModuleType, str]:
    """Return the module that may hold a strategy, and the strategy's name in it."""
    if ".py" in name:
        return import_user_file(name, folder)
    shipped = load_shipped_module(game)
    if name in read_strategies(shipped) or name in _get_common_strategies(game):
        return shipped, name
    return _find_installed_modules(game).get(name, shipped), name


def _find_strategy(game: str, module: ModuleType, name: str) -> Callable | SearchDeclaration:
    """Return a strategy by its name in a module.

    In a user's file, every function is a strategy; in a shipped one, those that are declared.
    """
    declared = read_strategies(module)
    if is_user_module(module):
        functions = {
            key: value
            for key, value in vars(module).items()
            if inspect.isfunction(value) and value.__module__ == module.__name__
        }
        strategies = {**random_play.STRATEGIES, **declared, **functions}
        names, problem = list(functions), f"{format_module_path(module)}: no function {name!r}"
    else:
        strategies = {**_get_common_strategies(game), **declared}
        others = [*list_shipped_players(game), *_find_installed_modules(game), "search"]
        names, problem = [*strategies, *others], f"{game} has no strategy {name!r}"
    if name in strategies:
        return strategies[name]
    close = difflib.get_close_matches(name, names, 3)
    if close:
        raise StrategyError(f"{problem}; did you mean {' or '.join(close)}?")
    raise StrategyError(f"{problem}; there are {', '.join(names) or 'none'}")


def _override_weights(
    module: ModuleType, strategy: Callable, name: str, weights: Mapping[str, float]
) -> tuple[float, ...]:
    """Return the weights of a strategy in the order of their declaration, some overridden.

    Raises:
        StrategyError: There is no such weight, or it may not have this value.
    """
    values = read_default_weights(module, strategy, name)
    limits = read_weight_limits(module, strategy, name)
    for key, value in weights.items():
        if key not in values:
            close = difflib.get_close_matches(str(key), values, 3) or list(values)
            hint = f"did you mean {' or '.join(close)}?" if close else "it has none"
            raise StrategyError(f"strategy {name!r} has no weight {key!r}; {hint}")
        what = f"strategy {name!r}: the weight {key}"
        values[key] = check_weight(value, what)
        allowed = limits.get(key)
        if allowed and not allowed.low <= values[key] <= allowed.high:
            raise StrategyError(
                f"{what} is {value}; it must lie between {allowed.low:g} and {allowed.high:g}"
            )
    return tuple(values.values())
