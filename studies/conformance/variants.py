"""Variants to test a game in: all numbers of players, random settings, and unusual boxes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from hardmode.scenarios.filling import BOX_ERRORS
from hardmode.scenarios.labels import PLAYERS_PATH
from hardmode.scenarios.load import Variant, create_variant, load_parameters
from hardmode.scenarios.parameter import Parameter
from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.files.yaml_io.errors import ScenarioError

MIXTURES = 4  # variants with random settings
MAX_TRIES = 60  # to find them
CHANGE_PROBABILITY = 0.3  # of each setting in a mixture
UNUSUAL_SHARES = (0.02, 0.1, 0.4)  # of the numbers that an unusual box changes
TRIES_PER_UNUSUAL_BOX = 4


@cache
def list_test_variants(game: str) -> list[Variant]:
    """Return the box with every number of players, and mixtures of other settings.

    They are the same in every run.
    """
    counts = list_player_counts(game)
    variants = [create_variant(game, players=n) for n in counts]
    rng = random.Random(game)
    for _ in range(MAX_TRIES):
        if len(variants) == len(counts) + MIXTURES:
            break
        players = rng.choice(counts)
        changes = draw_changes(game, rng)
        try:
            variants.append(create_variant(game, players=players, rules=changes))
        except ScenarioError:  # not every mixture is possible
            continue
    return variants


def list_player_counts(game: str) -> list[int | None]:
    """Return the possible numbers of players; [None] if the box has no such parameter."""
    parameter = load_parameters(game).get(PLAYERS_PATH)
    if parameter is None:
        return [None]
    if parameter.choices:
        return [int(n) for n in parameter.choices]
    most = parameter.max or parameter.items[0]
    return list(range(int(parameter.min or 1), int(most) + 1))


def draw_changes(game: str, rng: random.Random) -> dict[str, Any]:
    """Return random values for some of the choices at set-up and switches."""
    changes: dict[str, Any] = {}
    for path, parameter in load_parameters(game).items():
        is_setting = parameter.is_setup_choice or parameter.is_switch
        if not is_setting or path == PLAYERS_PATH or rng.random() > CHANGE_PROBABILITY:
            continue
        if parameter.choices and isinstance(parameter.value, list):
            changes[path] = [rng.choice(parameter.choices) for _ in parameter.value]
        elif parameter.choices:
            changes[path] = rng.choice(parameter.choices)
    return changes


def generate_unusual_variants(game: str, count: int) -> Iterator[Variant]:
    """Yield variants of boxes in which any number may differ, as far as the game accepts it.

    Similar numbers often change alike. The variants are the same in every run.
    """
    counts = list_player_counts(game)
    rng = random.Random(f"strange {game}")
    found = 0
    for _ in range(TRIES_PER_UNUSUAL_BOX * count):
        if found == count:
            break
        share = rng.choice(UNUSUAL_SHARES)
        is_joint = rng.random() < 0.5
        players = rng.choice(counts)
        changes = _draw_unusual_values(game, rng, share, is_joint)
        if not _is_box_accepted(game, players, changes):
            continue
        try:
            yield create_variant(game, players=players, rules=changes)
        except ScenarioError:  # these numbers are not possible together
            continue
        found += 1


def _is_box_accepted(game: str, players: int | None, changes: dict[str, Any]) -> bool:
    """Return whether a game accepts a box; faster than an explanation why not."""
    values = {path: parameter.value for path, parameter in load_parameters(game).items()}
    values.update(changes)
    if players is not None:
        values[PLAYERS_PATH] = players
    try:
        load_labeled_game(game).fill_box(values)
    except BOX_ERRORS:
        return False
    return True


def _draw_unusual_values(
    game: str, rng: random.Random, share: float, is_joint: bool
) -> dict[str, Any]:
    """Return other values for a share of all numbers.

    Args:
        game: Name of the game.
        rng: Random generator.
        share: Probability that a number changes.
        is_joint: Whether numbers with the same first and last name get the same value.
    """
    changes: dict[str, Any] = {}
    value_by_group: dict[str, Any] = {}
    for path, parameter in load_parameters(game).items():
        if path == PLAYERS_PATH:
            continue
        names = path.split(".")
        group = f"{names[0]} {names[-1]}" if is_joint else path
        if group not in value_by_group:
            is_changed = rng.random() < share
            value_by_group[group] = _draw_value(parameter, rng) if is_changed else None
        if value_by_group[group] is not None:
            changes[path] = value_by_group[group]
    return changes


def _draw_value(parameter: Parameter, rng: random.Random) -> Any:
    if isinstance(parameter.value, list):
        return [_draw_item(parameter, item, rng) for item in parameter.value]
    return _draw_item(parameter, parameter.value, rng)


def _draw_item(parameter: Parameter, value: Any, rng: random.Random) -> Any:
    """Return another value that the game may accept; of a number often its lowest or highest."""
    if parameter.choices:
        return rng.choice(parameter.choices)
    if isinstance(value, bool):
        return not value
    if not isinstance(value, (int, float)):
        return value
    low, high = parameter.range or (0, 2 * value + 1)
    low = low if parameter.min is None else parameter.min
    high = high if parameter.max is None else parameter.max
    if rng.random() < 0.5:
        return type(value)(rng.choice((low, high)))
    is_integer = isinstance(value, int)
    near = value + rng.choice((-2, -1, 1, 2)) if is_integer else rng.uniform(low, high)
    return type(value)(min(max(near, low), high))


def describe_variant(variant: Variant) -> str:
    """Return the number of players and the changed values of a variant."""
    changes = [f"{path}={value}" for path, (_, value) in variant.changed_values.items()]
    players = "1 player" if variant.players == 1 else f"{variant.players} players"
    return f"{players} {', '.join(changes)}".strip()
