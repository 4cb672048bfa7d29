"""The planner's dice against brute force, and what it sees in a fight against the rules' own chances."""

from itertools import product

import numpy as np
import pytest
from woodlands_case import Case

from hardmode.sim.games.woodlands.hero_dice import AGAIN, DICE, FIRST, charm_options, fits, keep_options
from hardmode.sim.games.woodlands.names import UNPLACED, Kind, Slot
from hardmode.strategies.woodlands import WEIGHTS, steady
from hardmode.strategies.woodlands.dice_by_rule import choose_slot as choose_slot_by_rule
from hardmode.strategies.woodlands.outlook import boss_hope, orb_worth
from hardmode.strategies.woodlands.planner import planner
from hardmode.strategies.woodlands.turn_plan import (
    ROLLS,
    chances_of,
    chances_of_rolls,
    choose_keep,
    choose_slot,
    mean_lay,
    see_turn,
    use_of,
)
from hardmode.strategies.woodlands.weights import Plan, Weight

pytestmark = pytest.mark.plain
W = np.array(tuple(WEIGHTS["planner"].values()))


def rolled(hero, *faces):
    """A hero between a monster and a chest, with these dice on the table."""
    case = Case(hero, "shavi" if hero != "shavi" else "klethor")
    case.lay("hidden_hollow", 0, -1, turned=180, markers=True)
    case.lay("green_crossroads", 1, 0, markers=True)
    case.monster("plant", place=2, slot=3)
    table = case.table
    table.kind, table.kept = Kind.KEEP, 15
    table.die[:], table.die_slot[:] = sorted(faces), UNPLACED
    return case


def lays(box, table, faces):
    """All ways to lay dice on slots, one after the other, as the rules allow it; no step is left over."""
    found = set()

    def go(i):
        if i == DICE:
            slots = [int(s) for s in table.die_slot]
            found.add(tuple(slots.count(s) for s in range(Slot.SUMMON + 1)))
            return
        for slot in (Slot.UNUSED, *range(Slot.MOVE, Slot.SUMMON + 1)):
            left = slot == Slot.UNUSED and not fits(box, table, 0, faces[i], Slot.MOVE)
            if left or (slot and fits(box, table, 0, faces[i], slot)):
                table.die_slot[i] = slot
                go(i + 1)
                table.die_slot[i] = UNPLACED

    go(0)
    return {on for on in found if on[Slot.SUMMON] != 1}


def brute(case, faces, worth, extra):
    """The best that dice can be laid for, by trying all ways."""
    box, table = case.box, case.table
    table.die[:], table.die_slot[:] = faces, UNPLACED
    return max(worth[on[Slot.MOVE], on[Slot.SUMMON] // 2, on[Slot.B]] + extra[0] * on[Slot.FOCUS]
               + extra[1] * on[Slot.A] + (extra[2] if on[Slot.B] else 0.0) for on in lays(box, table, faces))


@pytest.mark.parametrize("hero", ["xylia", "klethor", "shavi", "bethras"])
def test_the_mean_of_a_reroll_is_that_over_all_throws(hero):
    case = rolled(hero, 2, 4, 5, 6)
    box, table = case.box, case.table
    worth, extra = see_turn(box, table, 0, W)
    kept = [4, 6]
    free = np.zeros(4, np.int64)
    for face in kept:
        free[use_of(box, table, 0, face)] += 1
    odds = np.zeros(ROLLS)
    chances_of_rolls(2, chances_of(box, table, 0), odds)
    assert odds.sum() == pytest.approx(1)
    found = mean_lay(box, table, 0, free, np.zeros(6, np.int64), 2, odds, worth, extra)
    throws = [brute(case, [*kept, a, b], worth, extra) for a, b in product(range(1, 7), repeat=2)]
    assert found == pytest.approx(sum(throws) / 36)


def test_dice_are_kept_for_which_that_is_the_most():
    case = rolled("bethras", 1, 4, 6, 6)
    box, table = case.box, case.table
    options = np.zeros(32, np.int64)
    n = keep_options(table, options)
    worth, extra = see_turn(box, table, 0, W)
    faces = list(table.die)
    pairs = [i for i in range(n) if (int(options[i]) >> 8 & 15).bit_count() > 1]  # three dice rerolled take too long
    means = {}
    for i in pairs:
        kept = [int(f) for j, f in enumerate(faces) if (int(options[i]) >> (8 + j)) & 1]
        throws = list(product(range(1, 7), repeat=DICE - len(kept)))
        means[i] = sum(brute(case, [*kept, *t], worth, extra) for t in throws) / len(throws)
    table.die[:], table.die_slot[:] = faces, UNPLACED
    among = options[pairs]
    assert means[pairs[choose_keep(box, table, among, len(among), W)]] == pytest.approx(max(means.values()))


def test_a_die_is_laid_where_the_rest_can_be_laid_for_the_most():
    case = rolled("bethras", 1, 2, 4, 6)
    box, table = case.box, case.table
    worth, extra = see_turn(box, table, 0, W)
    top = brute(case, [1, 2, 4, 6], worth, extra)
    table.kind, table.die[:], table.die_slot[:] = Kind.ASSIGN, (1, 2, 4, 6), UNPLACED
    for i in range(DICE):
        slots = [s for s in range(Slot.MOVE, Slot.SUMMON + 1) if fits(box, table, 0, table.die[i], s)]
        options = np.array([(0 << 24) | (s << 8) | i for s in [*slots, Slot.UNUSED]])
        table.die_slot[i] = int(options[choose_slot(box, table, options, len(options), W)]) >> 8 & 15
    slots = [int(s) for s in table.die_slot]
    on = [slots.count(s) for s in range(Slot.SUMMON + 1)]
    value = worth[on[Slot.MOVE], on[Slot.SUMMON] // 2, on[Slot.B]] + extra[0] * on[Slot.FOCUS] + extra[1] * on[Slot.A]
    assert value == pytest.approx(top)


def with_charm(hero, *faces, stage=AGAIN):
    """The decision about the charm with these dice, and its options."""
    case = rolled(hero, *faces)
    case.give(0, "charm")
    case.table.kind, case.table.stage = Kind.CHARM, stage
    options = np.zeros(8, np.int64)
    n = charm_options(case.table, options)
    return case, options[:n]


@pytest.mark.parametrize("faces", [(1, 1, 3, 4), (2, 4, 4, 5), (4, 4, 5, 6), (1, 2, 6, 6)])
@pytest.mark.parametrize("hero", ["xylia", "klethor", "shavi", "bethras"])
def test_the_charm_goes_to_the_die_whose_mean_over_all_faces_is_the_most(hero, faces):
    case, options = with_charm(hero, *faces)
    box, table = case.box, case.table
    worth, extra = see_turn(box, table, 0, W)
    values = [brute(case, list(faces), worth, extra)]
    for code in options[1:]:
        left = [face for j, face in enumerate(faces) if j != int(code) >> 8 & 15]
        values.append(sum(brute(case, [*left, face], worth, extra) for face in range(1, 7)) / 6)
    table.die[:], table.die_slot[:] = faces, UNPLACED
    taken = planner(box, table, None, options, len(options), None, W)
    assert values[taken] == pytest.approx(max(values))
    assert taken == 0 or values[taken] > values[0]
    case, options = with_charm(hero, *faces, stage=FIRST)
    assert planner(case.box, case.table, None, options, len(options), None, W) == 0    # the reroll of all comes first


def test_the_charm_is_used_at_all_and_not_by_habit():
    taken = set()
    for faces in product((1, 3, 4, 6), repeat=DICE):
        case, options = with_charm("xylia", *sorted(faces))
        taken.add(planner(case.box, case.table, None, options, len(options), None, W) > 0)
    assert taken == {False, True}


@pytest.mark.parametrize(("faces", "rolls"), [((4, 4, 4, 4), 4), ((1, 4, 4, 5), 4), ((1, 2, 5, 5), None)])
def test_by_rule_the_charm_goes_to_a_die_that_does_nothing(faces, rolls):
    """Two steps to a chest and an orb are wanted, and a five for the aura where somebody on the tile is hurt."""
    case = Case("shavi", "klethor")
    case.lay("violet_trail", 0, -1)
    p = case.lay("guarded_cache", 0, -2, turned=180)
    case.table.chests[p], case.table.hp[1], case.table.active = 1, 3 if rolls is None else 5, 0
    case.give(0, "charm")
    case.table.kind, case.table.stage = Kind.CHARM, AGAIN
    case.table.die[:], case.table.die_slot[:] = faces, UNPLACED
    options = np.zeros(8, np.int64)
    n = charm_options(case.table, options)
    weights = np.array(tuple(WEIGHTS["steady"].values()))
    die = int(options[steady(case.box, case.table, None, options, n, None, weights)]) >> 8 & 15
    taken = steady(case.box, case.table, None, options, n, None, weights)
    assert (case.table.die[die] if taken else None) == rolls


@pytest.mark.parametrize("chapter", [0, 1, 2, 4, 5])
def test_chapters_won_by_what_is_gathered_have_their_dice_laid_by_rule(chapter):
    """A die of six for a hero whose plan is his stance: an orb by rule, where the chapter is won with those."""
    case = rolled("klethor", 1, 2, 5, 6)
    box, table = case.box, case.table
    table.chapter, table.kind, table.die[:] = chapter, Kind.ASSIGN, (6, 1, 2, 5)
    options = np.array([(s << 8) for s in (Slot.FOCUS, Slot.A, Slot.B, Slot.SUMMON, Slot.UNUSED)])
    weights = W.copy()
    weights[Plan.FOCUS], weights[Plan.STANCE] = -9.0, 99.0
    ruled = choose_slot_by_rule(box, table, options, len(options), weights)
    planned = choose_slot(box, table, options, len(options), weights)
    assert int(options[planned]) >> 8 & 15 == Slot.B != int(options[ruled]) >> 8 & 15
    chosen = planner(box, table, None, options, len(options), None, weights)
    assert chosen == (ruled if chapter in (1, 2, 4) else planned)


def test_hope_against_the_boss_is_the_chance_of_the_dice():
    """Two dice and the power die at shield 4: all three have to hit a boss of three hearts."""
    case = Case("klethor", "shavi")
    place = case.lay("boss", 0, -1)
    case.boss(2, place)  # the bone general: shield 4, 3 hearts, resists violet
    case.table.at[:2] = place
    case.table.orbs[:] = 0
    box, table = case.box, case.table
    assert boss_hope(box, table, 0, False, True, 0) == pytest.approx(0.5 * 0.5 * (2 / 6))
    assert boss_hope(box, table, 0, False, False, 0) == 0.0
    table.at[1] = 0
    assert boss_hope(box, table, 0, False, True, 0) == 0.0 < boss_hope(box, table, 0, True, True, 0)


def test_an_orb_is_worth_the_less_the_more_there_are():
    case = Case("klethor", "shavi")
    worths = []
    for n in range(11):
        case.table.orbs[0] = n
        worths.append(orb_worth(case.table, 0, W))
    assert worths == sorted(worths, reverse=True) and worths[0] > worths[-1] > 0


def test_the_weights_that_all_share_stand_in_the_same_places():
    assert Plan.labels()[:10] == Weight.labels()[:10]
