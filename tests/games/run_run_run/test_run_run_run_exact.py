"""Run Run Run!: numbers that can be computed by other means. Each check allows 4.5 standard errors of its own
sample; the seeds are fixed, so that one that passes stays passed."""

import hashlib
import math
from collections import Counter

import icepool
import numpy as np
import pytest
from maze_case import Case

from hardmode.scenarios.load import create_variant
from hardmode.sim.draws import LUCK, game_key, lucky
from hardmode.sim.games.run_run_run import GAME, fight, mummies
from hardmode.sim.games.run_run_run.box import PATTERNS, turned
from hardmode.sim.games.run_run_run.cards import wound
from hardmode.sim.games.run_run_run.names import Mummy, Phase
from hardmode.sim.records import blank, readable

pytestmark = pytest.mark.plain
FACES = ("hit", "hit", "hit", "ability", "card", "footprint")
WIDTH = 4.5


def near(count, n, p):
    return abs(count / n - p) <= WIDTH * math.sqrt(p * (1 - p) / n)


@pytest.mark.parametrize("record", [GAME.box, GAME.table, GAME.hidden, GAME.own])
def test_records_have_no_gaps(record):
    """What lies in a gap need not be copied with the record."""
    assert record.itemsize == sum(record[name].itemsize for name in record.names)


def test_there_are_thirteen_patterns_up_to_turning():
    classes = [{turned(p, k) for k in range(6)} for row in PATTERNS for p in row]
    assert len(classes) == 13 and [len(row) for row in PATTERNS] == [1, 3, 4, 3, 1, 1]
    assert sum(map(len, classes)) == 63 and set.union(*classes) == set(range(1, 64))


def printed(box):
    lines = []
    canonical = [p for row in PATTERNS for p in row]
    for c in range(64):
        lines.append(f"{canonical[box.pattern[c]]},{'SABCP'[box.mark[c]]},{box.lit[c]}")
    return lines


def test_the_deck_is_the_listed_one():
    box = readable(create_variant("run_run_run").box)
    lines = printed(box)
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest().startswith("d9f5d917b549a437")
    assert Counter(line.split(",")[1] for line in lines) == Counter(S=12, A=16, B=16, C=16, P=4)
    lit = Counter(line.split(",")[1] for line in lines if line.endswith("1"))
    assert lit == Counter(S=4, A=6, B=7, C=6, P=2)
    assert Counter(box.exits[c] for c in range(64)) == {1: 4, 2: 16, 3: 20, 4: 14, 5: 6, 6: 4}


def test_a_deck_of_another_make_up_is_drawn_for_each_game():
    cases = [Case(1, luck=k, rooms__symbols=8, rooms__printed_torches=10) for k in (1, 2)]
    for c in cases:
        marks = Counter(c.table.mark[i] for i in range(64))
        assert marks == {0: 12, 1: 8, 2: 8, 3: 8, 4: 28} and sum(c.table.lit[i] for i in range(64)) == 10
    assert [cases[0].table.mark[i] for i in range(64)] != [cases[1].table.mark[i] for i in range(64)]


# -- the Combat Dice --------------------------------------------------------------------------------

# P(at least t hits with n dice), as published for a die of three hits
TAILS = {1: [.5], 2: [.75, .25], 3: [.875, .5, .125], 4: [.9375, .6875, .3125, .0625],
         5: [.9688, .8125, .5, .1875, .0313], 6: [.9844, .8906, .6563, .3438, .1094, .0156]}


@pytest.mark.parametrize("n", range(1, 7))
def test_hits_with_n_dice_by_icepool(n):
    hits = icepool.Die([int(f == "hit") for f in FACES])
    for t, tail in enumerate(TAILS[n], 1):
        assert float((n @ hits).probability(">=", t)) == pytest.approx(tail, abs=6e-5)


def rolls(dice, games, **how):
    """What so many dice show in different games."""
    c = Case(1, **how)
    seen = Counter()
    for g in range(games):
        lucky(c.luck, int(game_key(7, g)))
        c.table.dice, c.table.doubles, c.table.active = dice, 0, 0
        fight.roll(c.box, c.table, c.luck)
        seen[c.table.hits, c.table.abilities, c.table.card_faces, c.table.feet] += 1
    return seen


@pytest.mark.parametrize("n", [1, 3, 6])
def test_the_dice_rolled_are_those_of_icepool(n):
    games = 6000
    seen = rolls(n, games)
    assert all(sum(faces) == n for faces in seen)
    hits = icepool.Die([int(f == "hit") for f in FACES])
    feet = icepool.Die([int(f == "footprint") for f in FACES])
    for k in range(n + 1):
        assert near(sum(v for f, v in seen.items() if f[0] == k), games, float((n @ hits).probability("==", k)))
        assert near(sum(v for f, v in seen.items() if f[3] == k), games, float((n @ feet).probability("==", k)))


def test_a_full_fight_kills_a_fresh_mummy():
    """10.9 % with six dice, 65.6 % with a Double."""
    games, seen = 4000, rolls(6, 4000)
    for needed, p in ((5, 0.109375), (3, 0.65625)):
        assert near(sum(v for f, v in seen.items() if f[0] >= needed), games, p)


# -- the Mummy Dice ---------------------------------------------------------------------------------


def symbols(awake, games=3000):
    c = Case(1, mummy_dice__faces=[1, 1, 1, 0, 0, 0])
    tile = c.room(1, 0, 0, 3)
    for m in awake:
        c.mummy(m, tile)
    seen = []
    for g in range(games):
        lucky(c.luck, int(game_key(11, g)))
        mummies.roll(c.box, c.table, c.luck)
        seen.append(c.table.symbols)
    return np.array(seen)


@pytest.mark.parametrize(("awake", "dice"), [
    ((), 1), ((Mummy.RUNNER,), 2), ((Mummy.DICER,), 3), ((Mummy.DICER, Mummy.RUNNER), 4)])
def test_symbols_a_turn_by_icepool(awake, dice):
    seen = symbols(awake)
    pool = dice @ icepool.Die([1, 1, 1, 0, 0, 0])
    for k in range(dice + 1):
        assert near((seen == k).sum(), len(seen), float(pool.probability("==", k)))
    assert abs(seen.mean() - dice / 2) < WIDTH * seen.std() / math.sqrt(len(seen))


def chain(turns, faces=(1, 1, 1, 0, 0, 0), hearts=5):
    """P(first awakening in turn t) when hearts come from one die alone: a Markov chain on the hearts."""
    state, out = np.zeros(hearts), []
    state[0] = 1
    for _ in range(turns):
        then, woken = np.zeros(hearts), 0.0
        for k, p in enumerate(state):
            for f in faces:
                if k + f >= hearts:
                    woken += p / len(faces)
                else:
                    then[k + f] += p / len(faces)
        state = then
        out.append(woken)
    return out


def first_awakening(seed, faces):
    """The turn of the first awakening with Cats who do nothing."""
    c = Case(1, mummy_dice__faces=list(faces))
    c.room(1, 0, 0, 3)
    lucky(c.luck, int(game_key(13, seed)))
    c.table.turn = 0
    while c.table.woken == 0:
        c.table.turn += 1
        c.run(Phase.ROLL)
    return c.table.turn


@pytest.mark.parametrize("faces", [(1, 1, 1, 0, 0, 0), (2, 1, 0, 0, 0, 0)])
def test_the_first_awakening_by_a_markov_chain(faces):
    games = 250
    turns = np.array([first_awakening(g, faces) for g in range(games)])
    p = np.array(chain(400, faces))
    mean = (p * np.arange(1, 401)).sum()
    deviation = math.sqrt((p * (np.arange(1, 401) - mean) ** 2).sum())
    assert p.sum() == pytest.approx(1) and (faces[0] == 2 or mean == pytest.approx(10))
    assert abs(turns.mean() - mean) < WIDTH * deviation / math.sqrt(games)
    for t in (6, 9, 12):
        assert near((turns <= t).sum(), games, p[:t].sum())


# -- what is drawn ----------------------------------------------------------------------------------


def dealt(box, game):
    table, hidden, luck = blank(GAME.table)[0], blank(GAME.hidden)[0], blank(LUCK)[0]
    lucky(luck, int(game_key(17, game)))
    GAME.setup(box, table, hidden, luck)
    return hidden.boss, table.hero[0], hidden.pile[table.pile_n - 1]


def test_every_boss_hero_and_first_mummy_is_alike():
    games, box = 400, Case(2).box
    boss, hero, top = (Counter(x) for x in zip(*(dealt(box, g) for g in range(games)), strict=True))
    assert all(near(boss[b], games, 1 / 3) for b in range(3))
    assert all(near(hero[h], games, 1 / 4) and near(top[h], games, 1 / 4) for h in range(4))


def test_wounds_strike_every_card_alike():
    games, seen, c = 1500, Counter(), Case(1)
    for g in range(games):
        c.hand(0, 10, 20, 30, 40, 50)
        c.table.discard_n = 0
        lucky(c.luck, int(game_key(19, g)))
        wound(c.table, c.hidden, c.luck, 0)
        seen[c.table.discard[0]] += 1
    assert all(near(seen[card], games, 1 / 5) for card in (10, 20, 30, 40, 50))
