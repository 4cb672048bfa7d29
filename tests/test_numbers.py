"""Every number of every shipped game moves games somewhere, and says what it needs where it moves none: by playing."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from hardmode.scenarios.leaf import Leaf
from hardmode.scenarios.load import ScenarioError, Variant, files, leaves, load, variant
from hardmode.scenarios.needs import lacking, meant
from hardmode.sim import discovery
from hardmode.sim.run import Runner
from hardmode.studies.altered import altered
from hardmode.studies.conformance.variants import variants
from hardmode.studies.play import engine, player
from hardmode.scenarios.strategy import StrategySpec
from hardmode.studies.unread import others

FEW, MANY = 60, 1200
WHO = ("random", "steady")
NO_GAME = "moves no game"  # says a number that only lets others pass


@cache
def cells(game: str) -> list[Variant]:
    """The box as it is, then the first and the last cell of every scenario, and mixtures of switches."""
    shipped = [load(name).cells for name in files() if name.startswith(f"{game}/")]
    return [variants(game)[0], *(cell for of in shipped for cell in of[:1] + of[1:][-1:]), *variants(game)[1:]]


@cache
def played(cell: Variant, who: str, games: int) -> tuple[np.ndarray, np.ndarray]:
    made = engine(cell, [player(cell.game.name, StrategySpec(who))] * cell.players)
    return Runner(made, 1, threads=1).marked(0, games)


def moved(cell: Variant, leaf: Leaf, games: int) -> str:
    """Which value, if any, makes another game than the one that stands in the cell."""
    for value in others(leaf, cell.values[leaf.path]):
        try:
            other = altered(cell, {leaf.path: value})
        except ScenarioError:
            continue
        if other.box.tobytes() == cell.box.tobytes():
            continue
        for who in WHO:
            before, now = played(cell, who, games), played.__wrapped__(other, who, games)
            if any((a != b).any() for a, b in zip(before, now, strict=True)):
                return f"{value} by {who}"
    return ""


def where_it_may(leaf: Leaf, game: str) -> Iterator[Variant]:
    """The cells in which nothing is lacking; first the box as it is with no more than that changed."""
    found = {}
    for path, wanted in lacking(leaf, cells(game)[0].values):
        other = meant(leaf, path, leaves(game))[0]
        now = leaves(game)[other].value
        found[other] = [wanted[0], *now[1:]] if isinstance(now, list) else wanted[0]
    try:
        yield altered(cells(game)[0], found) if found else cells(game)[0]
    except ScenarioError:
        pass
    yield from (cell for cell in cells(game)[1:] if leaf.path in cell.values and not lacking(leaf, cell.values))


@cache
def moving(game: str) -> dict[str, str]:
    """Where each number makes another game; nothing where it was never seen to."""
    return {path: next((f"{value} in {cell.title}" for games, most in ((FEW, None), (MANY, 6))
                        for cell in list(where_it_may(leaf, game))[:most] if (value := moved(cell, leaf, games))), "")
            for path, leaf in leaves(game).items()}
