"""Games at the edge of the rules, whose answers are known; time; and shares of the pool."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from playing import column, engine, play
from scipy.stats import norm

from hardmode.scenarios.load import create_variant
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.games.vengeance import GAME
from hardmode.sim.games.vengeance.clock import normal
from hardmode.sim.games.vengeance.names import Den, Kind, Minion, Slot, Source, Verb
from hardmode.sim.games.vengeance.packing import first_of, verb_of
from hardmode.sim.play.player import Player

DENS = tuple(f"{board}{side}" for board in range(1, 6) for side in "AB")


def solo(who="steady", games=2000, seed=9, setup=None, **rules):
    v = create_variant("vengeance", players=1, setup=setup or {}, rules=rules)
    return play(engine("vengeance", v.box, who), games, seed=seed)


def only(face, action):
    """Combat dice of one face, flashback dice of one action, one round."""
    combat = {f"dice.combat.{f}": 6 if f == face else 0 for f in "RGKDW"}
    return combat | {f"dice.flashback.die{i}": [action] * 6 for i in (1, 2, 3)} | {"game.rounds": 1}


def walker(box, table, own, options, n, luck, weights):
    """Makes every group it can, and walks to the nearest room that is not visited yet, the Boss's left out."""
    board = table.board[table.seat]
    den = board[Slot.DEN]
    lair = box.den[den, Den.BOSS_ROOM]
    wanted = ~board[Slot.VISITED] & ((1 << box.den[den, Den.ROOMS]) - 1) & ~(1 << lair)
    if table.kind == Kind.ROLL:
        for i in range(n):
            if verb_of(options[i]) in (Verb.ASSIGN, Verb.DRAW, Verb.THROW):
                return i
    if table.kind == Kind.TILE:
        return 0 if wanted else n - 1
    best, least = 0, 99
    if table.kind == Kind.TARGET:
        for i in range(n):
            for room in range(box.den[den, Den.ROOMS]):
                far = (box.den[den, Den.STEPS + first_of(options[i])] >> (4 * room)) & 15
                if (wanted >> room) & 1 and far < least:
                    best, least = i, far
    return best


def emptied(side):
    """A den without enemies but the Boss and a GRUNT in their room; it cannot ask to clear a room any more."""
    rules = {}
    for room in range(1, 9):
        where = f"den.{side}.room.room{room}"
        rules[f"{where}.enemies"] = ["GR", "BOSS"] if room == 8 else []
    return rules | {f"den.{side}.room.room2.objective": "none"}


def test_a_den_without_enemies_is_looted_by_walking():
    """No enemies and moves without end: all icons of the rooms visited are taken, and the way out costs nothing."""
    v = create_variant("vengeance", players=1, setup={"timer": "none", "boards": ["board2"], "sides": ["A"]},
                rules={**only("R", "TRAIN"), **emptied("2A"), "solo.pool.medium": 60,
                       **{f"boss.{boss}.effect": "none" for boss in ("boss_2", "boss_5", "boss_9")}})
    rows = play(engine("vengeance", v.box, Player("walker", walker, (), 0, "test")), 200, seed=2)
    assert (column(GAME, rows, "exit points 1") == 0).all() and (column(GAME, rows, "rooms visited 1") == 8).all()
    assert (column(GAME, rows, "loot boxes 1") == 6).all()


def test_an_empty_room_cannot_be_cleared_within_a_round():
    with pytest.raises(ScenarioError, match="asks to clear a room without minions"):
        create_variant("vengeance", rules={"den.2A.room.room2.enemies": []})


DISTANCE = (4, 3, 5, 3, 5, 5, 5, 5, 4, 5)  # from START to the Boss
GRUNTS = (2, 2, 1, 2, 2, 2, 1, 1, 2, 2)  # in the Boss's room


def test_the_least_that_a_boss_asks_for():
    """Moves: the distance in the graph of doors. Damage: his health and what shields him."""
    box = create_variant("vengeance").box[0]
    for den in range(len(DENS)):
        row = box["den"][den]
        reached, moves, lair = 1, 0, int(row[Den.BOSS_ROOM])
        while not reached >> lair & 1:
            for room in [r for r in range(int(row[Den.ROOMS])) if reached >> r & 1]:
                reached |= int(row[Den.DOORS + room])
            moves += 1
        assert moves == DISTANCE[den] == row[Den.STEPS] >> (4 * lair) & 15
        assert int(row[Den.INSIDE + lair] & row[Den.OF_KIND + Minion.GRUNT]).bit_count() == GRUNTS[den]


def test_a_die_of_runs_makes_sprints_of_the_whole_pool():
    rows = solo("first_fit", 50, setup={"timer": "none"}, **only("R", "CARE"))
    assert (column(GAME, rows, "groups 1") == 8).all() and (column(GAME, rows, "dice used 1") == 16).all()


def test_a_die_of_wounds_makes_nothing_but_wounds():
    rows = solo("pool_hog", 50, setup={"timer": "none"}, **only("W", "TRAIN"), **{"life.extra": 0})
    assert (column(GAME, rows, "groups 1") == 0).all() and (column(GAME, rows, "life dice 1") <= 3).all()
    assert column(GAME, rows, "life dice 1").max() == 3


def test_no_time_means_only_the_hand():
    rows = solo(**{"solo.timer.medium": 0.0, "game.rounds": 1})
    assert column(GAME, rows, "dice used 1").max() <= 4


def test_twice_the_time_for_everything_changes_nothing():
    usual = solo(**{"solo.timer.medium": 30.0})
    double = solo(**{"solo.timer.medium": 60.0, "time.factor": [2.0] * 4})
    times = [i for i, name in enumerate(GAME.columns) if name.startswith("time ")]
    assert (np.delete(usual, times, 0) == np.delete(double, times, 0)).all()


def test_quicker_hands_use_no_fewer_dice():
    used = [column(GAME, solo(**{"time.factor": [f] * 4}), "dice used in round 1 1").mean() for f in (1.6, 1.0, 0.6)]
    assert used[0] < used[1] < used[2]


def test_shares_of_the_pool():
    """Equal players share alike; the quicker one gets more."""
    def dice(**rules):
        v = create_variant("vengeance", players=2, rules=rules)
        rows = play(engine("vengeance", v.box, "steady"), 3000, seed=4)
        return [column(GAME, rows, f"dice used in round 1 {s}").astype(float) for s in (1, 2)]
    one, two = dice()
    assert abs(one.mean() - two.mean()) < 4 * ((one.var() + two.var()) / 3000) ** 0.5
    quick, slow = dice(**{"time.factor": [0.7, 1.0, 1.0, 1.0]})
    assert quick.mean() > one.mean() + 0.5 > slow.mean() + 1.0


def test_private_pools_are_so_many_solo_games():
    """Under `equal_share` a seat's dice, groups and score are distributed as in a solo game with its share."""
    games = 40_000
    v = create_variant("vengeance", players=2, rules={"time.contention": "equal_share"})
    private = play(engine("vengeance", v.box, "steady"), games, seed=4)
    alone = solo(games=games, seed=5, setup={"timer": "none"}, **{"solo.pool.medium": 12})
    for measure in ("dice used", "groups", "score", "throws"):
        one, other = (np.bincount(column(GAME, rows, f"{measure} 1") + 10) for rows in (private, alone))
        same = np.zeros((2, max(len(one), len(other))))
        same[0, :len(one)], same[1, :len(other)] = one, other
        p = same.sum(0) / (2 * games)
        error = (2 * p * (1 - p) / games) ** 0.5
        assert (abs(same[0] - same[1]) / games <= 4 * error + 2 / games).all()


def test_the_speed_of_one_player_changes_only_that_player():
    """With private pools the other seat plays the very same game."""
    def rows(factor):
        v = create_variant("vengeance", players=2, rules={"time.contention": "equal_share", "house.multi_timer": 25.0,
                                                   "time.factor": [factor, 1.0, 1.0, 1.0]})
        return play(engine("vengeance", v.box, "steady"), 300, seed=4)
    one, other = rows(1.0), rows(1.7)
    second = [i for i, name in enumerate(GAME.columns) if name.endswith(" 2")]
    assert (one[second] == other[second]).all() and (one != other).any()


@pytest.mark.plain
def test_normal_quantiles():
    points = [1e-300, 1e-12, 1e-4, 0.01, 0.075, 0.2, 0.5, 0.6, 0.93, 0.999, 1 - 1e-9]
    assert [normal(u) for u in points] == pytest.approx(list(norm.ppf(points)), rel=1e-12, abs=1e-12)


@pytest.mark.plain
def test_mean_time_of_a_throw():
    from vengeance_case import luck_of

    from hardmode.sim.games.vengeance.clock import duration
    seconds = np.array([duration(luck_of(7), Source.ROLL_TIME, 8, n, 0, 2.75, 0.3, 0.0) for n in range(20000)])
    mean = 2.75 * exp(0.3**2 / 2)
    assert mean == pytest.approx(2.8766, abs=1e-4)
    assert abs(seconds.mean() - mean) < 4 * seconds.std() / len(seconds) ** 0.5
