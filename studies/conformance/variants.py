"""A few variants of every game to test it in: each number of players, and switches thrown at random."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from typing import Any

from hardmode.scenarios.load import Variant, leaves, variant
from hardmode.sim.written.errors import ScenarioError

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
    seats = leaves(game).get("setup.players")
    if seats is None:
        return [None]
    most = seats.max or seats.items[0]
    return map(int, seats.choices or range(int(seats.min or 1), int(most) + 1))


def mix(game: str, dice: random.Random) -> dict[str, Any]:
    """Other values for some of the choices and switches."""
    changed: dict[str, Any] = {}
    for path, leaf in leaves(game).items():
        if path.split(".")[0] not in ("setup", "switches") or path == "setup.players" or dice.random() > 0.3:
            continue
        if leaf.choices and isinstance(leaf.value, list):
            changed[path] = [dice.choice(leaf.choices) for _ in leaf.value]
        elif leaf.choices:
            changed[path] = dice.choice(leaf.choices)
    return changed


def named(one: Variant) -> str:
    return f"{one.players} players " + ", ".join(f"{p}={v}" for p, (_, v) in one.changed.items())
