"""Dice against exact values: enumeration and dynamic programming, then the compiled game against both.

The statistical tests allow four standard errors at 100,000 phases; about 25 of them, so all pass by
chance with a probability above 0.998.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, exp, factorial

import numpy as np
import pytest
from playing import column, engine, play
from scipy.stats import norm

from scenarios.load import variant
from sim.engine import Player
from sim.games.vengeance import GAME
from sim.games.vengeance import components as c
from sim.games.vengeance.aim import common, throw_index
from sim.games.vengeance.box import fillings_of
from sim.games.vengeance.clock import normal

F = Fraction
BASICS = {"SPRINT": "R R", "STRIKE": "K K K", "FIRE": "G G G|K", "CHARGE": "K R R G|K"}
DIE = "RRGKDW"
PHASES = 100_000


# --- enumeration ---------------------------------------------------------------------------------


@cache
def throws(n):
    """All results of n dice as sorted texts, with their chances."""
    found = {}
    for faces in combinations_with_replacement("RGKDW", n):
        ways = factorial(n)
        for face, many in Counter(faces).items():
            ways = ways // factorial(many) * DIE.count(face) ** many
        found["".join(faces)] = F(ways, 6**n)
    return found


@cache
def groups(name):
    """The groups that fill a requirement, as texts of faces."""
    return tuple("".join(face * (group >> (4 * i) & 15) for i, face in enumerate(c.FACES))
                 for group in fillings_of(BASICS[name].split()))


def has(hand, name):
    there = Counter(hand)
    return any(not Counter(group) - there for group in groups(name))


def first_throw(names, n):
    return sum(p for hand, p in throws(n).items() if any(has(hand, name) for name in names))


@pytest.mark.parametrize(("names", "n", "chance"), [
    (["SPRINT"], 4, F(11, 27)), (["SPRINT"], 3, F(7, 27)), (["SPRINT"], 2, F(1, 9)),
    (["STRIKE"], 4, F(1, 9)), (["STRIKE"], 3, F(1, 27)), (["FIRE"], 4, F(13, 144)), (["FIRE"], 3, F(7, 216)),
    (["CHARGE"], 4, F(4, 27)), (BASICS, 4, F(263, 432)), (BASICS, 3, F(71, 216)), (BASICS, 2, F(1, 9)),
])
def test_chances_of_the_first_throw(names, n, chance):
    assert first_throw(tuple(names), n) == chance


@pytest.mark.parametrize(("icons", "chance"), [("G R R G|K", F(5, 54)), ("R K K R|G", F(4, 27)),
                                               ("R K K G|K", F(10, 81))])
def test_other_readings_of_charge(icons, chance):
    packed = fillings_of(icons.split())
    texts = ["".join(face * (g >> (4 * i) & 15) for i, face in enumerate(c.FACES)) for g in packed]
    assert sum(p for hand, p in throws(4).items()
               if any(not Counter(t) - Counter(hand) for t in texts)) == chance


@pytest.mark.parametrize(("n", "chance"), [(4, F(127, 144)), (3, F(7, 8))])
def test_bonus_hit_given_strike(n, chance):
    fit = {hand: p for hand, p in throws(n).items() if has(hand, "STRIKE")}
    assert sum(p for hand, p in fit.items() if "D" in hand) / sum(fit.values()) == chance


def test_locked_dice_of_the_first_throw():
    found = [sum(p for hand, p in throws(4).items() if hand.count("W") == w) for w in range(5)]
    assert found == [F(625, 1296), F(125, 324), F(25, 216), F(5, 324), F(1, 1296)]


# --- dynamic programming: within k throws, no relief ---------------------------------------------


@cache
def within(names, hand, k):
    """The best chance to have a group of any of these skills after k more throws; W stay locked."""
    if any(has(hand, name) for name in names):
        return F(1)
    if k == 0:
        return F(0)
    locked = "W" * hand.count("W")
    faces = [f for f in hand if f != "W"]
    best, tried = F(0), set()
    for kept in product((0, 1), repeat=len(faces)):
        keep = "".join(f for f, stay in zip(faces, kept, strict=True) if stay)
        if keep in tried or len(keep) == len(faces):
            continue
        tried.add(keep)
        best = max(best, sum(p * within(names, "".join(sorted(keep + locked + more)), k - 1)
                             for more, p in throws(len(faces) - len(keep)).items()))
    return best


def from_start(names, n, k):
    return sum(p * within(tuple(names), "".join(sorted(hand)), k - 1) for hand, p in throws(n).items())


@pytest.mark.parametrize(("name", "n", "k", "chance"), [
    ("SPRINT", 4, 2, F(11, 16)), ("SPRINT", 4, 3, F(5537, 6912)), ("SPRINT", 3, 3, F(539, 864)),
    ("STRIKE", 4, 2, F(5, 16)), ("STRIKE", 4, 3, F(343, 768)), ("STRIKE", 3, 4, F(125, 512)),
    ("FIRE", 4, 2, F(287, 1296)), ("FIRE", 4, 3, F(100351, 314928)), ("FIRE", 3, 2, F(533, 5832)),
    ("FIRE", 3, 3, F(21895, 157464)), ("CHARGE", 4, 2, F(2233, 8748)),
])
def test_best_chances_within_some_throws(name, n, k, chance):
    assert from_start([name], n, k) == chance


def test_limits_of_the_final_hand():
    """Chances converge from below; the limits are known."""
    for name, n, limit in (("SPRINT", 4, F(8, 9)), ("STRIKE", 4, F(16, 27)), ("FIRE", 3, F(15, 64))):
        value = from_start([name], n, 9)
        assert limit - F(1, 50) < value < limit


def test_any_basic_skill_converges_to_its_limit():
    assert F(2477, 3240) - F(1, 50) < from_start(BASICS, 3, 6) < F(2477, 3240)


def test_flashback_dice():
    faces = ("TRAIN", "TRAIN", "BUY", "CARE", "FOCUS", "COLLECT")
    rolls = list(product(faces, repeat=3))
    stars = Counter(roll.count("COLLECT") for roll in rolls)
    assert [stars[n] for n in range(4)] == [125, 75, 15, 1]
    two = sum(roll.count("COLLECT") + roll.count("FOCUS") >= 1 for roll in rolls)
    four = sum(roll.count("COLLECT") + roll.count("FOCUS") == 3 for roll in rolls)
    assert F(two, 216) == F(19, 27) and F(four, 216) == F(1, 27)
    box = variant("vengeance").box[0]
    assert [[c.ACTIONS[f] for f in box["flashback"][i]] for i in range(3)] == [list(faces)] * 3


# --- the compiled game ---------------------------------------------------------------------------


def one_skill(box, table, own, options, n, luck, weights):
    """Goes for one skill: holds every useful die, throws the rest, assigns once and stops."""
    board = table.board[table.seat]
    if table.kind != c.ROLLING or board[c.GROUP] > 0:
        return n - 1
    skill = int(weights[0])
    held, most, i = -1, -1, 0
    while c.verb_of(options[i]) == c.V_ASSIGN:
        if c.first_of(options[i]) == skill:
            return i
        i += 1
    for f in range(box.fillings[skill]):
        there = common(board[c.HAND] & 0xFFFF, box.filling[skill, f])
        if c.faces_in(there) > most:
            held, most = there, c.faces_in(there)
    for i in range(n):
        if c.verb_of(options[i]) == c.V_THROW:
            if held == board[c.HAND] and board[c.FRESH] == 0:
                return n - 1
            return throw_index(options, i, board[c.HAND], held)
    return n - 1


def chance_of_group(skill, k, games=PHASES, **rules):
    """The share of first hands that make a group within k throws, without drawing or the life bar."""
    v = variant("vengeance", players=1, setup={"pool": "hard"}, rules={
        "game.rounds": 1, "solo.pool.hard": 4, "time.contention": "budget", "time.budget_throws": k, **rules})
    rows = play(engine("vengeance", v.box, Player("one", one_skill, (float(skill),), 0, "test")), games, seed=5)
    return float((column(GAME, rows, "groups 1") > 0).mean())


def near(value, chance, games=PHASES):
    return abs(value - chance) < 4 * (chance * (1 - chance) / games) ** 0.5


def held(name, n, k):
    """Closed form for holding every useful die: SPRINT and STRIKE only."""
    p = 2 / 3 * (1 - 0.5**k)
    need = 2 if name == "SPRINT" else 3
    return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(need, n + 1))


@pytest.mark.parametrize(("skill", "k", "chance"), [
    (0, 1, 11 / 27), (0, 2, 11 / 16), (0, 3, 5537 / 6912), (0, 200, 8 / 9),
    (1, 1, 1 / 9), (1, 2, 5 / 16), (1, 3, 343 / 768), (1, 200, 16 / 27),
    (2, 1, 13 / 144), (2, 2, 476 / 2187), (2, 200, 125 / 256),
    (3, 1, 4 / 27), (3, 2, 979 / 3888),
])
def test_the_game_rolls_as_it_should(skill, k, chance):
    if skill < 2:
        assert chance == pytest.approx(held(list(BASICS)[skill], 4, k), abs=1e-9)
    assert near(chance_of_group(skill, k), chance)


def test_three_dice_after_a_ko():
    assert near(chance_of_group(0, 200, **{"game.hand": 3}), 20 / 27)
    assert near(chance_of_group(1, 200, **{"game.hand": 3}), 8 / 27)


def solo(who="steady", games=2000, seed=9, setup=None, **rules):
    v = variant("vengeance", players=1, setup=setup or {}, rules=rules)
    return play(engine("vengeance", v.box, who), games, seed=seed)


def only(face, action):
    """Combat dice of one face, flashback dice of one action, one round."""
    combat = {f"dice.combat.{f}": 6 if f == face else 0 for f in "RGKDW"}
    return combat | {f"dice.flashback.die{i}": [action] * 6 for i in (1, 2, 3)} | {"game.rounds": 1}


def test_a_die_of_runs_makes_sprints_of_the_whole_pool():
    rows = solo("first_fit", 50, setup={"timer": "none"}, **only("R", "CARE"))
    assert (column(GAME, rows, "groups 1") == 8).all() and (column(GAME, rows, "dice used 1") == 16).all()


def test_a_die_of_wounds_makes_nothing_but_wounds():
    rows = solo("first_fit", 50, setup={"timer": "none"}, **only("W", "TRAIN"))
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
    """Equal players share alike; the quicker one gets more; private pools are so many solo games."""
    def dice(**rules):
        v = variant("vengeance", players=2, rules=rules)
        rows = play(engine("vengeance", v.box, "steady"), 3000, seed=4)
        return [column(GAME, rows, f"dice used in round 1 {s}").astype(float) for s in (1, 2)]
    one, two = dice()
    assert abs(one.mean() - two.mean()) < 4 * ((one.var() + two.var()) / 3000) ** 0.5
    quick, slow = dice(**{"time.factor": [0.7, 1.0, 1.0, 1.0]})
    assert quick.mean() > one.mean() + 0.5 > slow.mean() + 1.0
    private, _ = dice(**{"time.contention": "equal_share"})
    lonely = solo(games=3000, setup={"timer": "none"}, **{"solo.pool.medium": 12})
    alone = column(GAME, lonely, "dice used in round 1 1")
    assert abs(private.mean() - alone.mean()) < 4 * ((private.var() + alone.var()) / 3000) ** 0.5


def test_the_speed_of_one_player_changes_only_that_player():
    """With private pools the other seat plays the very same game."""
    def rows(factor):
        v = variant("vengeance", players=2, rules={"time.contention": "equal_share", "house.multi_timer": 25.0,
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

    from sim.games.vengeance.clock import duration
    seconds = np.array([duration(luck_of(7), c.ROLL_TIME, 8, n, 0, 2.75, 0.3) for n in range(20000)])
    mean = 2.75 * exp(0.3**2 / 2)
    assert mean == pytest.approx(2.8766, abs=1e-4)
    assert abs(seconds.mean() - mean) < 4 * seconds.std() / len(seconds) ** 0.5
