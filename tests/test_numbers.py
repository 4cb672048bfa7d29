"""Every number of every shipped game moves games where what it needs is there, and none where it is not: by playing."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from hardmode.scenarios.dependencies import expand_path, find_unmet_needs
from hardmode.scenarios.filling import BOX_ERRORS
from hardmode.scenarios.load import (
    ScenarioError,
    StrategySpec,
    Variant,
    list_scenario_files,
    load_parameters,
    load_scenario,
)
from hardmode.scenarios.parameter import Parameter, explain_invalid_value
from hardmode.sim.contract import discovery
from hardmode.sim.play.run import Runner
from hardmode.studies.conformance.variants import list_test_variants
from hardmode.studies.core.run import make_engine, make_player

pytestmark = [pytest.mark.soak, pytest.mark.filterwarnings("ignore")]
GAMES = pytest.mark.parametrize("game", discovery.list_shipped_games())
FEW, MANY = 60, 2000  # games of random and of steady play each
NEAR = 8  # cells in which many are played
TWO_CARDS = {"setup.monster": "mummy", "setup.starred": "starred", "setup.curses": "four"}
MUMMY = {"setup.monster": "mummy", "monster.mummy.normal.curses": 4}
DENS = [f"{number}{side}" for number in range(1, 6) for side in "AB"]
FEW_CARDS = {
    f"curse.{name}.in_box": name in ("forbidden_word", "echo")
    for name in (
        "flood",
        "petrification",
        "echo",
        "feeble_minded",
        "forbidden_word",
        "letter_ban",
        "extra_traps",
        "fewer_guesses",
        "haste",
        "unknown",
    )
}
LAID: dict[str, dict[str, dict[str, Any]]] = {  # what is changed besides, for numbers that seldom matter
    "woodlands": {"tile.inn.lair": {"setup.lairs": True}},
    "trapwords": {
        "setup.genre": {"words.share.fantasy": [1.0, 0.0, 0.0, 0.0, 0.0]},
        "switches.pushed_out": {
            "setup.curses": "own",
            "dungeon.own_curses": [0, 0, 1, 1, 2, 2, 3, 3],
            "switches.three_rooms": "stack",
        },
        "switches.empty_pile": {**MUMMY, **FEW_CARDS},
        "switches.forbidden_drawn": MUMMY,
        "switches.trap_additions": TWO_CARDS,
        "switches.two_cards": TWO_CARDS,
    },
    "vengeance": {
        "switches.exit_counts_start": {f"den.{den}.room.start.enemies": ["HE"] for den in DENS},
        "switches.empty_is_cleared": {
            path: value
            for den in DENS
            for path, value in ((f"den.{den}.room.room1.enemies", []), (f"den.{den}.room.room1.objective", "none"))
        },
        "switches.boss_blocks_clear": {
            "setup.boards": ["board1"] * 4,
            "setup.sides": ["A"] * 4,
            "den.1A.room.room8.loot": 2,
            "boss.boss_7.health": 8,
        },
        "switches.wound_full": {"life.base": 1, "life.extra": 0, "basic.SPRINT.effect": ["MOVE", "WOUND", "MOVE"]},
    },
}
BY_HAND = {  # so rare in play that only positions laid by hand show them, in test_woodlands_switches
    "woodlands": (
        "no_tile_fits",
        "vortex_flee",
        "marker_limit",
        "xylia_boss_support",
        "give_beside_boss",
        "max_shield",
        "immobilised_vortex",
    ),
}
SEARCHED = ("switches.reveal", "switches.side_after_boss")  # what only players use who look ahead


@cache
def cells(game: str) -> list[Variant]:
    """The box as it is, then the first and the last cell of every scenario, and mixtures of switches."""
    shipped = [load_scenario(name).cells for name in list_scenario_files() if name.startswith(f"{game}/")]
    return [
        list_test_variants(game)[0],
        *(cell for of in shipped for cell in of[:1] + of[1:][-1:]),
        *list_test_variants(game)[1:],
    ]


def others(leaf: Parameter, value: Any) -> Iterator[Any]:
    """Other values that a number may have; of a list, each with one other item, and a list of one item less."""
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from ([*value[:i], other, *value[i + 1 :]] for other in _items(leaf, item))
        yield from [value[:-1]] if value else []
        return
    yield from _items(leaf, value)


def _items(leaf: Parameter, item: Any) -> Iterator[Any]:
    number = isinstance(item, (int, float)) and not isinstance(item, bool)
    near = [item + 1, item - 1, 2 * item + 1, item // 2, item // 5] if number else []
    ends = [e for e in (*(leaf.range or ()), leaf.min, leaf.max) if e is not None]
    for other in dict.fromkeys([*leaf.choices, *map(leaf.type, ends), *near]):
        if type(other) is type(item) and other != item and not explain_invalid_value(leaf, other):
            yield other


def changes(cell: Variant, leaf: Parameter) -> Iterator[Variant]:
    """The cell with each other value that the game can bear."""
    for value in others(leaf, cell.values[leaf.path]):
        try:
            yield cell.with_values({leaf.path: value})
        except ScenarioError:
            continue


def outcomes(cell: Variant, who: str, games: int) -> tuple[np.ndarray, np.ndarray]:
    made = make_engine(cell, [make_player(cell.game.name, StrategySpec(who))] * cell.players)
    return Runner(made, 1, threads=1).play_rows_and_hashes(0, games)


as_it_is = cache(outcomes)


def boxes(cell: Variant, leaf: Parameter) -> Iterator[bytes]:
    """The boxes with each other value that the game can bear, without the way by which a scenario comes to one."""
    for value in others(leaf, cell.values[leaf.path]):
        try:
            yield cell.game.fill_box({**cell.values, leaf.path: value}).tobytes()
        except BOX_ERRORS:
            continue


def unread(cell: Variant) -> Iterator[str]:
    """The numbers that lack nothing, and of which every other value leaves the box as it is."""
    as_it_is = cell.box.tobytes()
    for leaf in load_parameters(cell.game.name).values():
        free = leaf.path in cell.values and not find_unmet_needs(leaf, cell.values)
        if free and not re.search("matters|moves no game", leaf.note):  # what no single other number decides
            among = (box == as_it_is for box in boxes(cell, leaf))
            if next(among, False) and all(among):
                yield leaf.path


def laid(game: str, path: str) -> dict[str, Any]:
    """What is changed besides; of a hero's skill, so that it is bought and used, of a room, so that something is asked
    there."""
    room = re.match(r"den\.\w+\.room\.\w+\.(?=of|count|points)", path)
    if room:
        return {f"{room[0]}objective": "O1_KILL", f"{room[0]}of": "HE", f"{room[0]}count": 1, f"{room[0]}points": 2}
    skill = re.match(r"hero\.(\w+)\.skill\.(\w+)\.", path)
    if not skill:
        return LAID.get(game, {}).get(path, {})
    made = {"setup.heroes": [skill[1]] * 4, f"{skill[0]}cost": 0}
    if load_parameters(game)[f"{skill[0]}timing"].value != "passive":
        made[f"{skill[0]}dice"] = ["R"]
    elif path.endswith("once"):
        made |= {f"{skill[0]}timing": "combat", f"{skill[0]}dice": ["R"], f"{skill[0]}effect": ["HIT"]}
    return {other: value for other, value in made.items() if other != path}


def moves(cell: Variant, leaf: Parameter, games: int) -> bool:
    """Whether another value makes another game, or another measure of one, than that which stands in the cell."""
    return any(
        (a != b).any()
        for other in changes(cell, leaf)
        if other.box.tobytes() != cell.box.tobytes()
        for who in ("random", "steady", *(["search:4"] if leaf.path in SEARCHED else []))
        for a, b in zip(as_it_is(cell, who, games), outcomes(other, who, games), strict=True)
    )


def where_it_may(game: str, leaf: Parameter) -> Iterator[Variant]:
    """Where nothing is lacking: the box as it is with no more than that changed, then whatever ships."""
    box = cells(game)[0]
    found = laid(game, leaf.path)
    for path, wanted in find_unmet_needs(leaf, {**box.values, **found}):
        other = expand_path(leaf, path, load_parameters(game))[0]
        now = load_parameters(game)[other].value
        one = now + type(now)(1) / 50 if str(wanted[0]).startswith("> ") else wanted[0]
        found = {**found, other: [one, *now[1:]] if isinstance(now, list) else one}
    yield box.with_values(found) if found else box
    yield from (cell for cell in cells(game)[1:] if not find_unmet_needs(leaf, cell.values))


def where_it_may_not(game: str, leaf: Parameter) -> Iterator[Variant]:
    """One cell for each thing that it needs, where that is lacking."""
    for need in leaf.needs:
        yield from [cell for cell in cells(game) if need in find_unmet_needs(leaf, cell.values)][:2]


@GAMES
def test_every_number_moves_games_where_what_it_needs_is_there(game):
    def seen(leaf):
        return any(
            moves(cell, leaf, games)
            for games, most in ((FEW, None), (MANY, NEAR))
            for cell in list(where_it_may(game, leaf))[:most]
        )

    left = {f"switches.{name}" for name in BY_HAND.get(game, ())}
    left |= {path for path, leaf in load_parameters(game).items() if "moves no game" in leaf.note}
    free = [
        leaf
        for path, leaf in load_parameters(game).items()
        if path not in left and any(changes(next(where_it_may(game, leaf)), leaf))
    ]
    assert len(free) > 100 and not [leaf.path for leaf in free if not seen(leaf)]


@GAMES
def test_no_number_moves_a_game_where_what_it_needs_is_not_there(game):
    needy = [leaf for leaf in load_parameters(game).values() if leaf.needs]
    assert needy and not [
        (leaf.path, cell.title) for leaf in needy for cell in where_it_may_not(game, leaf) if moves(cell, leaf, FEW)
    ]


@GAMES
def test_a_number_that_leaves_the_box_of_a_scenario_as_it_is_needs_something(game):
    """As `hardmode run --set` would say of it."""
    assert not [(path, cell.title) for cell in cells(game) for path in unread(cell)]
