"""Variants of every game to test it in: each number of players, switches thrown at random, and boxes nobody prints."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from hardmode.scenarios.box import Leaf
from hardmode.scenarios.load import Variant, leaves, variant
from hardmode.scenarios.variant import PLAYERS, UNUSABLE, game_of
from hardmode.sim.files.yaml_io.errors import ScenarioError

MIXES = 4


@cache
def variants(game: str) -> list[Variant]:
    """The box as it is with every number of players, then mixtures of other choices; always the same ones."""
    counts = list(players(game))
    found = [variant(game, players=n) for n in counts]
    dice = random.Random(game)
    for _ in range(60):
        if len(found) == len(counts) + MIXES:
            break
        try:
            found.append(variant(game, players=dice.choice(counts), rules=mix(game, dice)))
        except ScenarioError:  # not every mixture is possible
            continue
    return found


def players(game: str) -> Iterable[int | None]:
    """How many can play; None where the box has another way to say it."""
    seats = leaves(game).get(PLAYERS)
    if seats is None:
        return [None]
    most = seats.max or seats.items[0]
    return map(int, seats.choices or range(int(seats.min or 1), int(most) + 1))


def mix(game: str, dice: random.Random) -> dict[str, Any]:
    """Other values for some of the choices and switches."""
    changed: dict[str, Any] = {}
    for path, leaf in leaves(game).items():
        if (
            path.split(".")[0] not in ("setup", "switches")
            or path == PLAYERS
            or dice.random() > 0.3
        ):
            continue
        if leaf.choices and isinstance(leaf.value, list):
            changed[path] = [dice.choice(leaf.choices) for _ in leaf.value]
        elif leaf.choices:
            changed[path] = dice.choice(leaf.choices)
    return changed


def strange(game: str, count: int) -> Iterator[Variant]:
    """Boxes of which any number may be another that the game can bear, alike numbers often alike; always the same."""
    counts, dice, found = list(players(game)), random.Random(f"strange {game}"), 0
    for _ in range(4 * count):
        if found == count:
            break
        share, together = dice.choice((0.02, 0.1, 0.4)), dice.random() < 0.5
        seats, changed = dice.choice(counts), _strange(game, dice, share, together)
        if not _is_a_game(game, seats, changed):
            continue
        try:
            yield variant(game, players=seats, rules=changed)
        except ScenarioError:  # of numbers that do not go together
            continue
        found += 1


def _is_a_game(game: str, seats: int | None, changed: dict[str, Any]) -> bool:
    """Whether such a box can be laid out: many cannot, and nobody needs to be told for which number."""
    numbers = {path: leaf.value for path, leaf in leaves(game).items()} | changed
    try:
        game_of(game).filled(numbers if seats is None else {**numbers, PLAYERS: seats})
    except UNUSABLE:
        return False
    return True


def _strange(game: str, dice: random.Random, share: float, together: bool) -> dict[str, Any]:
    """Other values for a share of all numbers; those of like names get the same one where they go together."""
    changed: dict[str, Any] = {}
    same: dict[str, Any] = {}
    for path, leaf in leaves(game).items():
        if path == PLAYERS:
            continue
        parts = path.split(".")
        like = f"{parts[0]} {parts[-1]}" if together else path
        if like not in same:
            same[like] = _other(leaf, dice) if dice.random() < share else None
        if same[like] is not None:
            changed[path] = same[like]
    return changed


def _other(leaf: Leaf, dice: random.Random) -> Any:
    """Another value that the game can bear: of a number often the least or the most."""
    if isinstance(leaf.value, list):
        return [_item(leaf, one, dice) for one in leaf.value]
    return _item(leaf, leaf.value, dice)


def _item(leaf: Leaf, value: Any, dice: random.Random) -> Any:
    if leaf.choices:
        return dice.choice(leaf.choices)
    if isinstance(value, bool):
        return not value
    if not isinstance(value, (int, float)):
        return value
    low, high = leaf.range or (0, 2 * value + 1)
    low, high = (
        leaf.min if leaf.min is not None else low,
        leaf.max if leaf.max is not None else high,
    )
    if dice.random() < 0.5:
        return type(value)(dice.choice((low, high)))
    near = (
        value + dice.choice((-2, -1, 1, 2)) if isinstance(value, int) else dice.uniform(low, high)
    )
    return type(value)(min(max(near, low), high))


def named(one: Variant) -> str:
    return f"{one.players} players " + ", ".join(f"{p}={v}" for p, (_, v) in one.changed.items())
