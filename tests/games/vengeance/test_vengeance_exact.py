"""Dice against exact values: enumeration and dynamic programming, then the compiled game against both.

The statistical tests allow four standard errors at 200,000 phases, each on luck of its own; there are about 70
of them, so a right game passes all with a probability above 0.995.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from zlib import crc32

import numpy as np
import pytest
from exact_dice import BASICS, Aim, Move, groups, ways
from playing import column, engine, play

from hardmode.scenarios.load import create_variant
from hardmode.sim.games.vengeance import GAME
from hardmode.sim.games.vengeance.names import BASIC, FlashAction, Kind, Slot, Verb
from hardmode.sim.games.vengeance.packing import first_of, second_of, verb_of
from hardmode.sim.play.player import Player
from hardmode.sim.play.workspace import Workspace

F = Fraction
PHASES = 200_000
CHUNK = 10_000  # games at a time: a row has hundreds of columns


# --- enumeration ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("names", "n", "chance"), [
    (["SPRINT"], 4, F(11, 27)), (["SPRINT"], 3, F(7, 27)), (["SPRINT"], 2, F(1, 9)),
    (["STRIKE"], 4, F(1, 9)), (["STRIKE"], 3, F(1, 27)), (["FIRE"], 4, F(13, 144)), (["FIRE"], 3, F(7, 216)),
    (["CHARGE"], 4, F(4, 27)), (BASICS, 4, F(263, 432)), (BASICS, 3, F(71, 216)), (BASICS, 2, F(1, 9)),
])
def test_chances_of_the_first_throw(names, n, chance):
    assert Aim.at(*names, dice=n).within(1) == chance


@pytest.mark.parametrize(("icons", "chance"), [("G R R G|K", F(5, 54)), ("R K K R|G", F(4, 27)),
                                               ("R K K G|K", F(10, 81))])
def test_other_readings_of_charge(icons, chance):
    assert Aim(groups(icons)).within(1) == chance


@pytest.mark.parametrize(("n", "chance", "given"), [(4, F(127, 1296), F(127, 144)), (3, F(7, 216), F(7, 8))])
def test_bonus_hit_of_strike(n, chance, given):
    """By itself, and where STRIKE is there at all."""
    bonus = Aim.at("STRIKE", bonus=True, dice=n).within(1)
    assert (bonus, bonus / Aim.at("STRIKE", dice=n).within(1)) == (chance, given)


def test_locked_dice_of_the_first_throw():
    found = Counter()
    for hand, many in ways(4).items():
        found[hand.count("W")] += F(many, 6**4)
    assert [found[w] for w in range(5)] == [F(625, 1296), F(125, 324), F(25, 216), F(5, 324), F(1, 1296)]


# --- dynamic programming -------------------------------------------------------------------------

WITHIN = {  # no relief: W stay locked
    ("SPRINT", 4): [F(11, 27), F(11, 16), F(5537, 6912), F(3475, 4096), .869503, .879413],
    ("STRIKE", 4): [F(1, 9), F(5, 16), F(343, 768), F(2125, 4096), .555591, .574079],
    ("FIRE", 4): [F(13, 144), F(287, 1296), F(100351, 314928), .379073, .415723, .438864],
    ("CHARGE", 4): [F(4, 27), F(2233, 8748), .308296, .333437, .346056, .352400],
    ("SPRINT", 3): [F(7, 27), F(1, 2), F(539, 864), F(175, 256), .712547, .726746],
    ("STRIKE", 3): [F(1, 27), F(1, 8), F(343, 1728), F(125, 512), .269378, .282623],
    ("FIRE", 3): [F(7, 216), F(533, 5832), F(21895, 157464), F(726689, 4251528), .191258, .204636],
}
RELIEVED = {  # one W may go to the life bar, and a die replaces it
    ("SPRINT", 4): [F(11, 27), F(1675, 2187), F(168041, 186624), F(533147, 559872)],
    ("STRIKE", 4): [F(1, 9), F(875, 2187), F(38609, 62208), F(3365603, 4478976)],
    ("FIRE", 4): [F(13, 144), F(52661, 186624), .451273, .578068],
    ("CHARGE", 4): [F(4, 27), F(892, 2187), F(719491, 1259712), .664143],
    ("SPRINT", 3): [F(7, 27), F(425, 729), F(4457, 5832), F(79721, 93312)],
    ("STRIKE", 3): [F(1, 27), F(125, 729), F(15211, 46656), F(167393, 373248)],
}
LIMITS = [  # with no end to the throws and no free life slot
    (["SPRINT"], 4, False, F(8, 9)), (["STRIKE"], 4, False, F(16, 27)), (["FIRE"], 4, False, F(125, 256)),
    (["CHARGE"], 4, False, F(1937, 5400)), (["SPRINT"], 3, False, F(20, 27)), (["STRIKE"], 3, False, F(8, 27)),
    (["FIRE"], 3, False, F(15, 64)), (["SPRINT"], 2, False, F(4, 9)), (["STRIKE"], 4, True, F(61, 108)),
    (["STRIKE"], 3, True, F(5, 18)), (list(BASICS), 4, False, F(1979, 2160)),
    (list(BASICS), 3, False, F(2477, 3240)), (list(BASICS), 2, False, F(4, 9)),
]
MEANS = {"SPRINT": (1.9556, .7958), "STRIKE": (2.7810, .5460), "FIRE": (3.4760, .5635), "CHARGE": (2.1759, 0.0)}


@cache
def aim(names: str, dice: int = 4, bonus: bool = False) -> Aim:
    return Aim.at(*names.split(), dice=dice, bonus=bonus)


@pytest.mark.parametrize(("relief", "table"), [(0, WITHIN), (1, RELIEVED)])
def test_best_chances_within_some_throws(relief, table):
    for (name, n), chances in table.items():
        for throws, chance in enumerate(chances, 1):
            found = aim(name, n).within(throws, relief)
            assert found == (chance if isinstance(chance, Fraction) else pytest.approx(chance, abs=5e-7))


@pytest.mark.parametrize(("names", "n", "bonus", "chance"), LIMITS)
def test_chances_of_the_final_hand(names, n, bonus, chance):
    assert aim(" ".join(names), n, bonus).limit()[0] == chance


def within_greedily(name: str, throws: int) -> Fraction:
    """The chance when every useful die is held."""
    who = aim(name)

    def chance(hand: str, left: int) -> Fraction:
        if who.met(hand) or left == 0:
            return F(who.met(hand))
        return sum((F(m, 6**4) * chance(then, left - 1) for then, m in who.thrown(hand, who.greedy(hand))), F(0))
    return sum((F(m, 6**4) * chance(hand, throws - 1) for hand, m in ways(4).items()), F(0))


@pytest.mark.parametrize(("name", "greedy"), [("CHARGE", F(979, 3888)), ("FIRE", F(476, 2187))])
def test_to_hold_every_useful_die_is_not_best(name, greedy):
    assert within_greedily(name, 2) == greedy < aim(name).within(2)


def expected(name: str) -> tuple[Fraction, Fraction, Fraction]:
    """Holding every useful die without an end: the chance to meet the aim, and where it is met the mean number
    of throws and of locked dice."""
    who = aim(name)
    chance = who.judged(who.greedy, lambda _: F(1))
    locked = who.judged(who.greedy, lambda hand: F(hand.count("W")))
    more = who.judged(who.greedy, lambda _: F(0), lambda hand: chance[hand])
    met = who.start(chance)
    return met, 1 + who.start(more) / met, who.start(locked) / met


@pytest.mark.parametrize(("name", "means"), MEANS.items())
def test_means_where_every_useful_die_is_held(name, means):
    _, throws, locked = expected(name)
    assert (float(throws), float(locked)) == pytest.approx(means, abs=5e-5)


# --- the compiled game ---------------------------------------------------------------------------

QUIET = {"pool": "hard", "boards": ["board2"], "sides": ["A"], "bosses": ["don_zemun"],
         "heroes": ["bruiser"]}  # no gunman next to START, no trait or Boss that meddles with flashback
TRAINING = {f"dice.flashback.die{i}": ["TRAIN"] * 6 for i in (1, 2, 3)}
MEASURES = ("groups", "throws", "dice lost to W", "loot boxes", "experience", "SPRINT used", "CHARGE used")
THROWS, BONUS_ONLY, SKILLS, SLOTS, TABLE = range(5)  # the weights of `by_table`: what it rolls for, and its policy
PLACE, STOP = -1.0, -2.0
HANDS = 5**5  # hands by their numbers of R G K D W; dice that are missing have no face yet


def by_table(box, table, own, options, n, luck, weights):
    """Rolls by a table: which faces to keep in a hand with so many throws left. Takes one group and stops."""
    board = table.board[table.seat]
    if table.kind != Kind.ROLL:
        return 0 if table.kind == Kind.FLASHBACK else n - 1
    if board[Slot.GROUP] > 0:
        return n - 1
    i = 0
    while verb_of(options[i]) == Verb.ASSIGN:
        skill = first_of(options[i])
        sharp = box.filling[skill, second_of(options[i])] >> 12 > 0
        if (int(weights[SKILLS]) >> skill) & 1 and (sharp or weights[BONUS_ONLY] == 0.0):
            return i
        i += 1
    hand, place = board[Slot.HAND], 1
    code, slots, left = 625 * board[Slot.LOCKED], int(weights[SLOTS]) - board[Slot.LIFE_DICE], 0
    for _ in range(4):
        code += place * (hand & 15)
        hand >>= 4
        place *= 5
    if weights[THROWS] > 0.0:
        left = int(weights[THROWS]) - board[Slot.THROW]
        if left == 0:
            return n - 1
    keep = weights[TABLE + (2 * left + slots) * HANDS + code]
    for i in range(n):
        verb = verb_of(options[i])
        if verb == Verb.DRAW or (verb == Verb.LIFE and keep == PLACE):
            return i
        if verb == Verb.THROW and keep >= 0.0 and second_of(options[i]) == int(keep):
            return i
    return n - 1


def code_of(hand: str) -> int:
    return sum(5 ** "RGKDW".index(face) for face in hand)


def kept_dice(keep: str) -> float:
    return float(sum(16 ** "RGKD".index(face) for face in keep))


def policy_table(moves: dict[tuple[str, int, int], Move]) -> list[float]:
    """Moves by hand, throws left (0 where they have no end) and free slots, as `by_table` reads them. A hand
    whose W went to the life bar is the hand without them: the others have no face any more."""
    table = np.full((1 + max((left for _, left, _ in moves), default=0)) * 2 * HANDS, STOP)
    for (hand, left, slots), (placed, keep) in moves.items():
        thrown = len(keep) < len(hand.replace("W", ""))
        at = (2 * left + slots) * HANDS + code_of(hand)
        table[at] = PLACE if placed else kept_dice(keep) if thrown else STOP
        if placed:
            table[(2 * left + slots - 1) * HANDS + code_of(hand.replace("W", ""))] = kept_dice(keep)
    return table.tolist()


def phases(who: Aim, names: str, moves: dict[tuple[str, int, int], Move], *, throws: int = 0, slots: int = 0,
           rounds: int = 8, **rules) -> dict[str, np.ndarray]:
    """What comes of roll phases by a policy, one number for each game of so many rounds. There are dice for a
    hand and for what a free life slot gives back, nobody near START who wounds, and life slots for all rounds."""
    skills = sum(1 << list(BASICS).index(name) for name in names.split())
    bonus = all("D" in group for group in who.wanted)
    weights = (float(throws), float(bonus), float(skills), float(slots), *policy_table(moves))
    usual = {"game.rounds": rounds, "game.hand": who.dice, "life.base": 8, "solo.pool.hard": who.dice + slots,
             "time.contention": "budget", "time.budget_throws": throws or 200, **TRAINING}
    seed = crc32(repr((names, who, throws, slots, rounds, rules)).encode())
    return played(by_table, weights, {**usual, **rules}, PHASES // rounds, seed)


def played(choose, weights: tuple[float, ...], rules: dict, games: int, seed: int) -> dict[str, np.ndarray]:
    """Some measures of many solo games on a quiet board, played a few at a time."""
    v = create_variant("vengeance", players=1, rules=rules, setup=QUIET)
    made = engine("vengeance", v.box, Player("test", choose, weights, 0, "test"))
    found: dict[str, list] = {name: [] for name in MEASURES}
    desk = Workspace(GAME)
    for first in range(0, games, CHUNK):
        rows = play(made, min(CHUNK, games - first), seed=seed, first=first, desk=desk)
        for name in MEASURES:
            found[name].append(column(GAME, rows, f"{name} 1").copy())
    return {name: np.concatenate(parts) for name, parts in found.items()}


def near(hits, chance: Fraction, tries: int = PHASES) -> bool:
    """Within four standard errors of an exact chance."""
    q = float(chance)
    return abs(hits.sum() / tries - q) < 4 * (q * (1 - q) / tries) ** 0.5


def near_mean(seen, mean: Fraction) -> bool:
    return abs(seen.mean() - float(mean)) <= 4 * seen.std() / len(seen) ** 0.5


def moves_within(who: Aim, throws: int, slots: int) -> dict[tuple[str, int, int], Move]:
    """The best moves in every hand that does not meet the aim yet."""
    return {(hand, left, free): who.best(hand, left, free)[1] for hand in ways(who.dice) if not who.met(hand)
            for left in range(1, throws) for free in range(slots + 1)}


SIMULATED = [(name, n, throws, slots) for slots, table in enumerate((WITHIN, RELIEVED)) for name, n in table
              for throws in ((1, 2, 3) if slots == 0 else (2, 3, 4))]


@pytest.mark.parametrize(("name", "n", "throws", "slots"), SIMULATED)
def test_the_game_gives_the_best_chances_within_some_throws(name, n, throws, slots):
    who = aim(name, n)
    found = phases(who, name, moves_within(who, throws, slots), throws=throws, slots=slots)
    assert near(found["groups"], who.within(throws, slots))


@pytest.mark.parametrize(("names", "n", "bonus", "chance"), LIMITS)
def test_the_game_gives_the_chances_of_the_final_hand(names, n, bonus, chance):
    who = aim(" ".join(names), n, bonus)
    found = phases(who, " ".join(names), {(hand, 0, 0): move for hand, move in who.limit()[1].items()})
    assert near(found["groups"], chance)


@pytest.mark.parametrize(("names", "n", "bonus", "chance"), [
    ("STRIKE", 4, True, F(127, 1296)), ("STRIKE", 3, True, F(7, 216)), (" ".join(BASICS), 4, False, F(263, 432)),
    (" ".join(BASICS), 3, False, F(71, 216)), (" ".join(BASICS), 2, False, F(1, 9)),
])
def test_the_game_gives_the_chances_of_the_first_throw(names, n, bonus, chance):
    assert near(phases(aim(names, n, bonus), names, {}, throws=1)["groups"], chance)


@pytest.mark.parametrize(("name", "chance"), [("CHARGE", F(979, 3888)), ("FIRE", F(476, 2187))])
def test_the_game_shows_that_to_hold_every_useful_die_is_not_best(name, chance):
    who = aim(name)
    greedy = {(hand, 1, 0): who.greedy(hand) for hand in ways(4)}
    assert near(phases(who, name, greedy, throws=2)["groups"], chance)


@pytest.mark.parametrize("name", MEANS)
def test_the_game_gives_the_means_where_every_useful_die_is_held(name):
    who = aim(name)
    chance, throws, locked = expected(name)
    found = phases(who, name, {(hand, 0, 0): who.greedy(hand) for hand in ways(4)}, rounds=1)
    met = found["groups"] == 1
    assert near(met, chance)
    assert near_mean(found["throws"][met], throws) and near_mean(found["dice lost to W"][met], locked)


def test_no_time_leaves_the_final_hand():
    """With a real clock that stands at 0 nothing is drawn, however many dice lie in the pool."""
    names = " ".join(BASICS)
    clock = {"time.contention": "event_time", "solo.timer.medium": 0.0, "solo.pool.hard": 12}
    any_skill = {(hand, 0, 0): move for hand, move in aim(names).limit()[1].items()}
    assert near(phases(aim(names), names, any_skill, **clock)["groups"], F(1979, 2160))
    sprint = {(hand, 0, 0): aim("SPRINT").greedy(hand) for hand in ways(4)}
    assert near(phases(aim("SPRINT"), "SPRINT", sprint, **clock)["groups"], F(8, 9))


# --- flashback dice ------------------------------------------------------------------------------

FACES = ("TRAIN", "TRAIN", "BUY", "CARE", "FOCUS", "COLLECT")


def share_of(wanted) -> Fraction:
    """How many of the results of three flashback dice are as wanted."""
    rolls = list(product(FACES, repeat=3))
    return F(sum(wanted(Counter(roll)) for roll in rolls), len(rolls))


def one_action(box, table, own, options, n, luck, weights):
    """Does one flashback action (a verb, on the highest skill where it is FOCUS) as often as it may, with `own
    dice` only with dice that show it; what is focused is used in combat."""
    best, most = 0, -1
    if table.kind == Kind.ROLL or (table.kind == Kind.TILE and int(weights[0]) != Verb.FOCUS):
        return n - 1
    if table.kind != Kind.FLASHBACK:
        return 0
    for i in range(n):
        verb, source = verb_of(options[i]), first_of(options[i])
        value = 0 if verb == Verb.SKILL or verb == Verb.TRAIN else 1
        if verb == int(weights[0]) and (weights[1] == 0.0 or source < FlashAction.COLLECT):
            skill = second_of(options[i])
            value = 2 + skill if skill < BASIC else 1
        if value > most:
            best, most = i, value
    return best


def flashes(verb: int, own_dice: bool = False, **rules) -> dict[str, np.ndarray]:
    return played(one_action, (float(verb), float(own_dice)), {"game.rounds": 1, **rules}, PHASES, seed=int(verb))


def test_stars_of_the_flashback_dice():
    """A star alone crosses a loot box before any room is visited."""
    stars = flashes(Verb.COLLECT)["loot boxes"]
    chances = [share_of(lambda roll, n=n: roll["COLLECT"] == n) for n in range(4)]
    assert [chance * 216 for chance in chances] == [125, 75, 15, 1]
    assert all(near(stars == n, chance) for n, chance in enumerate(chances))
    assert near(stars > 0, F(91, 216))


def test_focus_of_the_flashback_dice():
    """Dice that show it, stars and the bonus action: two marks make CHARGE ready; four, where CHARGE asks for
    three, SPRINT too."""
    for marks, slots, chance in ((2, 2, F(19, 27)), (4, 3, F(1, 27))):
        assert share_of(lambda roll, m=marks: roll["FOCUS"] + roll["COLLECT"] + 1 >= m) == chance
        used = flashes(Verb.FOCUS, **{"basic.CHARGE.focus": slots, "basic.STRIKE.focus": 0, "basic.FIRE.focus": 0})
        done = (used["CHARGE used"] == 1) & (used["SPRINT used"] == 1) if marks == 4 else used["CHARGE used"] == 1
        assert near(done, chance)


def test_training_of_the_flashback_dice():
    """Two slots a round from the dice that show it."""
    assert sum(share_of(lambda roll, n=n: roll["TRAIN"] == n) * 2 * n for n in range(4)) == 2
    assert near_mean(flashes(Verb.TRAIN, own_dice=True)["experience"], F(2))


def test_flashback_dice_of_the_box():
    box = create_variant("vengeance").box[0]
    assert [[FlashAction.labels()[f] for f in box["flashback"][i]] for i in range(3)] == [list(FACES)] * 3
