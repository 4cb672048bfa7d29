"""Every number of every shipped game moves games where what it needs is there, and none where it is not: by playing."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from hardmode.scenarios.leaf import Leaf, misfit
from hardmode.scenarios.load import ScenarioError, StrategySpec, Variant, files, leaves, load
from hardmode.scenarios.needs import lacking, meant
from hardmode.sim import discovery
from hardmode.sim.run import Runner
from hardmode.studies.altered import altered
from hardmode.studies.conformance.variants import variants
from hardmode.studies.play import engine, player

pytestmark = [pytest.mark.soak, pytest.mark.filterwarnings("ignore")]
GAMES = pytest.mark.parametrize("game", discovery.shipped())
FEW, MANY = 60, 2000  # games of random and of steady play each
NEAR = 8  # cells in which many are played
LAID: dict[str, dict[str, dict[str, Any]]] = {}  # what must be changed besides, for numbers that seldom matter


@cache
def cells(game: str) -> list[Variant]:
    """The box as it is, then the first and the last cell of every scenario, and mixtures of switches."""
    shipped = [load(name).cells for name in files() if name.startswith(f"{game}/")]
    return [variants(game)[0], *(cell for of in shipped for cell in of[:1] + of[1:][-1:]), *variants(game)[1:]]


def others(leaf: Leaf, value: Any) -> Iterator[Any]:
    """Other values that a number may have; of a list, each with one other item, and a list of one item less."""
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from ([*value[:i], other, *value[i + 1:]] for other in _items(leaf, item))
        yield value[:-1]
        return
    yield from _items(leaf, value)


def _items(leaf: Leaf, item: Any) -> Iterator[Any]:
    number = isinstance(item, (int, float)) and not isinstance(item, bool)
    near = [item + 1, item - 1, 2 * item + 1, item // 2, item // 5] if number else []
    ends = [e for e in (*(leaf.range or ()), leaf.min, leaf.max) if e is not None]
    for other in dict.fromkeys([*leaf.choices, *map(leaf.type, ends), *near]):
        if type(other) is type(item) and other != item and not misfit(leaf, other):
            yield other


def changes(cell: Variant, leaf: Leaf) -> Iterator[Variant]:
    """The cell with each other value that the game can bear."""
    for value in others(leaf, cell.values[leaf.path]):
        try:
            yield altered(cell, {leaf.path: value})
        except ScenarioError:
            continue


def outcomes(cell: Variant, who: str, games: int) -> tuple[np.ndarray, np.ndarray]:
    made = engine(cell, [player(cell.game.name, StrategySpec(who))] * cell.players)
    return Runner(made, 1, threads=1).marked(0, games)


as_it_is = cache(outcomes)


def moves(cell: Variant, leaf: Leaf, games: int) -> bool:
    """Whether another value makes another game, or another measure of one, than that which stands in the cell."""
    return any((a != b).any() for other in changes(cell, leaf) if other.box.tobytes() != cell.box.tobytes()
               for who in ("random", "steady")
               for a, b in zip(as_it_is(cell, who, games), outcomes(other, who, games), strict=True))


def where_it_may(game: str, leaf: Leaf) -> Iterator[Variant]:
    """Where nothing is lacking: the box as it is with no more than that changed, then whatever ships."""
    box = cells(game)[0]
    found = LAID.get(game, {}).get(leaf.path, {})
    for path, wanted in lacking(leaf, {**box.values, **found}):
        other = meant(leaf, path, leaves(game))[0]
        now = leaves(game)[other].value
        found = {**found, other: [wanted[0], *now[1:]] if isinstance(now, list) else wanted[0]}
    yield altered(box, found) if found else box
    yield from (cell for cell in cells(game)[1:] if not lacking(leaf, cell.values))


def where_it_may_not(game: str, leaf: Leaf) -> Iterator[Variant]:
    """One cell for each thing that it needs, where that is lacking."""
    for need in leaf.needs:
        yield from [cell for cell in cells(game) if need in lacking(leaf, cell.values)][:2]


@GAMES
def test_every_number_moves_games_where_what_it_needs_is_there(game):
    def seen(leaf):
        return any(moves(cell, leaf, games) for games, most in ((FEW, None), (MANY, NEAR))
                   for cell in list(where_it_may(game, leaf))[:most])

    free = [leaf for leaf in leaves(game).values() if any(changes(next(where_it_may(game, leaf)), leaf))]
    assert len(free) > 100 and not [leaf.path for leaf in free if not seen(leaf)]


@GAMES
def test_no_number_moves_a_game_where_what_it_needs_is_not_there(game):
    needy = [leaf for leaf in leaves(game).values() if leaf.needs]
    assert needy and not [(leaf.path, cell.title) for leaf in needy for cell in where_it_may_not(game, leaf)
                          if moves(cell, leaf, FEW)]


@GAMES
def test_a_number_that_leaves_the_box_of_a_scenario_as_it_is_needs_something(game):
    """As `hardmode run --set` would say of it."""
    told = [(leaf.path, cell.title) for cell in cells(game) for leaf in leaves(game).values()
            if leaf.path in cell.values and not lacking(leaf, cell.values) and (found := list(changes(cell, leaf)))
            and all(other.box.tobytes() == cell.box.tobytes() for other in found)]
    assert not told
