"""The worked examples of the rulebook and the rules one by one, on tables laid by hand."""

import importlib
import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from woodlands_case import TILE, Case

from hardmode.sim.games.woodlands import GAME
from hardmode.sim.games.woodlands.actions import act_options
from hardmode.sim.games.woodlands.agenda import Task, first_of, push, second_of, verb_of
from hardmode.sim.games.woodlands.boss import reveal_boss, threaten, use_skill
from hardmode.sim.games.woodlands.combat import begin_combat, combat_dice_of, pool_options, power_colours, roll_dice
from hardmode.sim.games.woodlands.combat_result import raw_hits
from hardmode.sim.games.woodlands.entering import bramble_face, enter
from hardmode.sim.games.woodlands.forest import placements, ways_out
from hardmode.sim.games.woodlands.hero_dice import assign_options, fits, keep_options
from hardmode.sim.games.woodlands.heroes import fall, gain_orbs
from hardmode.sim.games.woodlands.names import (
    BOSS_FOE,
    CAP_REACHED,
    CENTRE,
    NOWHERE,
    SIDE,
    TOKENS,
    UNPLACED,
    Direction,
    Ending,
    Hero,
    Kind,
    Monster,
    Skill,
    Slot,
    Verb,
)
from hardmode.sim.games.woodlands.switches import SWITCHES
from hardmode.sim.games.woodlands.turn import next_round

pytestmark = pytest.mark.plain


def listed(rule, *args):
    out = np.zeros(GAME.max_options, np.int64)
    n = rule(*args, out)
    return [(verb_of(int(c)), first_of(int(c)), second_of(int(c))) for c in out[:n]]


# --- the rule table -------------------------------------------------------------------------------


PAGE = (Path(__file__).parents[3] / "docs/rules/woodlands.md").read_text("utf-8")


def function(named):
    module, _, name = named.rpartition(".")
    return getattr(importlib.import_module(f"hardmode.sim.games.woodlands.{module}"), name)



@pytest.mark.parametrize("switch", SWITCHES)
def test_each_doubt_stands_in_the_table_with_the_functions_that_read_it(switch):
    row = next(line for line in PAGE.splitlines() if f"| `{switch}` |" in line)
    readers = re.findall(r"`([a-z_0-9.]+)`", row.split("|")[4])
    assert readers and all(f"box.{switch}" in inspect.getsource(function(n)) for n in readers)


# --- the forest -----------------------------------------------------------------------------------


def test_a_corner_between_two_paths_must_join_both():
    c = Case("xylia", "klethor")
    c.lay("orange_fork", 1, 0)          # open N E S: north of it lies the corner
    c.lay("violet_trail", 0, -1, 90)    # west-east: open towards the corner
    c.table.tile = TILE.index("orange_bend")
    corner = CENTRE - SIDE + 1
    turns = {b for _, a, b in listed(placements, c.box, c.table, c.table.tile) if a == corner}
    assert turns == {2}                 # the bend opens south and west


def test_a_tile_that_would_close_the_forest_is_refused():
    c = Case("xylia", "klethor")
    for x, y, turned in ((1, 0, 270), (0, 1, 0), (-1, 0, 90)):
        c.lay("monster_nest" if x else "hidden_hollow", x, y, turned)
    assert ways_out(c.table) == 1
    assert listed(placements, c.box, c.table, TILE.index("thorny_cache"))
    assert not listed(placements, c.box, c.table, TILE.index("monster_nest"))


def test_the_far_side_of_the_double_dead_end_calls_no_tile():
    c = Case("xylia", "klethor")
    p = c.lay("double_dead_end", 0, -1)   # its monster side (south) joins the first tile
    assert c.table.far[p] == 1 and c.table.far[p + 1] == 0
    above = CENTRE - 2 * SIDE
    assert all(a != above for _, a, _ in listed(placements, c.box, c.table, TILE.index("energy_well")))


@pytest.mark.parametrize(("from_north", "brambles", "monsters"), [(False, 0, 1), (True, 1, 0)])
def test_only_the_side_that_is_entered_works(from_north, brambles, monsters):
    c = Case("xylia", "klethor")
    p = c.lay("double_dead_end", 0, -1, markers=True)
    side = p if from_north else p + 1
    assert c.table.bramble[side] == brambles
    assert sum(c.table.mon_at[m] == side for m in range(TOKENS)) == monsters
    assert c.table.link[0][Direction.NORTH] == p + 1 and c.table.link[p][Direction.NORTH] == -1


def test_the_stack_holds_22_tiles_and_the_boss_lies_among_the_last_three():
    for key in range(1, 30):
        c = Case("xylia", "klethor", key=key)
        stack = [c.hidden.stack[i] for i in range(22)]
        assert len(set(stack)) == 22 and c.table.stack_n == 21  # the first is already drawn
        assert stack.index(TILE.index("boss")) < 3
        assert TILE.index("inn") not in stack and TILE.index("start") not in stack


# --- hero dice ------------------------------------------------------------------------------------


def test_a_full_slot_takes_no_second_die():
    c = Case("klethor", "xylia")
    for i, (face, slot) in enumerate(((5, Slot.A), (1, UNPLACED), (3, UNPLACED), (5, UNPLACED))):
        c.table.die[i], c.table.die_slot[i] = face, slot
    assert fits(c.box, c.table, 0, 1, Slot.MOVE) and fits(c.box, c.table, 0, 3, Slot.MOVE)
    assert not fits(c.box, c.table, 0, 5, Slot.A)
    assert fits(c.box, c.table, 0, 5, Slot.FOCUS)


def test_equal_dice_are_kept_in_one_way_only():
    c = Case("klethor", "xylia")
    for i, face in enumerate((2, 2, 2, 2)):
        c.table.die[i] = face
    assert len(listed(keep_options, c.table)) == 4
    for i, face in enumerate((1, 2, 3, 4)):
        c.table.die[i] = face
    assert len(listed(keep_options, c.table)) == 15


def test_one_die_alone_on_summon_calls_for_the_second():
    c = Case("klethor", "xylia")
    for i, slot in enumerate((Slot.MOVE, Slot.MOVE, Slot.SUMMON, UNPLACED)):
        c.table.die[i], c.table.die_slot[i] = 2, slot
    c.table.kept = 15
    assert [o[1] for o in listed(assign_options, c.box, c.table)] == [Slot.SUMMON]


def test_three_move_dice_are_three_steps():
    c = Case("klethor", "xylia")
    for x in (1, 2, 3):
        c.lay("violet_trail", x, 0, 90)
    c.table.moves = 3
    push(c.table, Task.ACT, 0, 0, 0)
    c.go()
    for left in (2, 1, 0):
        c.take(Verb.STEP, Direction.EAST)
        assert c.table.moves == left
    assert all(o[0] != Verb.STEP for o in c.options()) and c.table.at[0] == 3


# --- brambles and markers ---------------------------------------------------------------------------


def test_bramble_face_two_immobilises():
    c = Case("bethras", "xylia")
    c.lay("thorny_cache", 0, -1)
    c.table.moves = 2
    bramble_face(c.box, c.table, 1, 1)
    c.go()
    push(c.table, Task.ACT, 0, 0, 0)
    c.go()
    assert c.table.immobile[0] == 1 and all(o[0] != Verb.STEP for o in c.options())


def test_xylias_agility_spares_her_alone():
    c = Case("xylia", "klethor")
    p = c.lay("thorny_cache", 0, -1)
    c.table.agility, c.table.at[1] = 1, p
    for key in range(1, 40):
        c.luck.key = np.uint64(key)
        c.table.entries = key
        c.table.hp[0] = c.table.hp[1] = 5
        enter(c.box, c.table, p)
        c.go()
        c.table.asking = c.table.todo_n = 0
        assert c.table.immobile[0] == 0
        if c.table.immobile[1]:
            return
    raise AssertionError("brambles never touched the companion")


def test_a_fallen_hero_loses_its_markers_and_the_game_goes_on():
    c = Case("xylia", "klethor")
    c.table.poison[1] = c.table.entangled[1] = 1
    fall(c.table, 1)
    assert (c.table.poison[1], c.table.entangled[1], c.table.over) == (0, 0, 0)
    fall(c.table, 0)
    assert c.table.over == Ending.ALL_DOWN + 1


def test_poison_may_end_a_turn_before_it_begins():
    c = Case("xylia", "klethor")
    c.table.poison[0], c.table.hp[0] = 1, 1
    push(c.table, Task.TURNS, 0, 0, 0)
    c.go()
    assert c.table.hp[0] == 0 and c.table.active == 1 and c.table.kind == Kind.KEEP


# --- orbs -----------------------------------------------------------------------------------------


def test_powers_cost_three_and_five():
    c = Case("xylia", "klethor")
    c.table.orbs[0] = 8
    push(c.table, Task.ACT, 0, 0, 0)
    c.go()
    c.take(Verb.UNLOCK)
    assert (c.table.orbs[0], c.table.powers[0]) == (5, 1)
    c.take(Verb.UNLOCK)
    assert (c.table.orbs[0], c.table.powers[0]) == (0, 2)


def test_first_aid_costs_an_orb_for_each_hero():
    c = Case("bethras", "xylia", "klethor")
    c.table.hp[1], c.table.orbs[0] = 0, 3
    push(c.table, Task.ACT, 0, 0, 0)
    c.go()
    c.take(Verb.RAISE, 1)
    assert (c.table.orbs[0], c.table.hp[1]) == (0, 1)


def test_orbs_stop_at_ten():
    c = Case("xylia", "klethor")
    c.table.orbs[0] = 9
    gain_orbs(c.box, c.table, 0, 3)
    assert c.table.orbs[0] == 10


# --- combat ---------------------------------------------------------------------------------------


def test_one_hit_of_two_is_a_loss():
    c = Case("bethras", "xylia")
    m = c.monster("skeleton")             # shield 4, 2 hearts, sword 1, penalty one orb
    c.table.at[1], c.table.orbs[0] = 0, 2
    c.table.hp[1] = 0
    c.resolve(m, (2, 0), (5, 0))
    assert (c.table.hp[0], c.table.orbs[0]) == (4, 1) and c.table.mon_at[m] == 0


@pytest.mark.parametrize(("kind", "colour", "face", "plus", "hit"), [
    ("plant", Hero.SHAVI, 3, 1, True), ("plant", Hero.BETHRAS, 4, -1, False)])
def test_weakness_and_resistance_move_the_power_die(kind, colour, face, plus, hit):
    c = Case(Hero.labels()[colour], "xylia")
    m = c.monster(kind)
    begin_combat(c.box, c.table, m, 0)
    c.table.summoned = 1
    roll_dice(c.box, c.table, c.luck)
    i = c.table.dice_n - 1
    assert c.table.colour[i] == colour and c.table.plus[i] == plus
    c.show((1, 0), (face, 0, colour))
    c.table.plus[1] = plus
    assert (raw_hits(c.box, c.table) == 1) is hit


def test_an_immune_foe_keeps_the_power_die_out():
    c = Case("klethor", "xylia")
    c.table.summoned = 1
    begin_combat(c.box, c.table, c.monster("spirit"), 0)
    assert power_colours(c.box, c.table) == 0


def test_a_companions_mace_adds_a_die():
    c = Case("bethras", "xylia")
    c.give(1, "mace")
    begin_combat(c.box, c.table, c.monster("plant"), 0)
    roll_dice(c.box, c.table, c.luck)
    assert sum(c.table.owner[i] == 1 for i in range(c.table.dice_n)) == 2


def test_a_reward_is_shared_as_they_like():
    for first, second in ((0, 0), (0, 1), (1, 1)):
        c = Case("bethras", "xylia")
        m = c.monster("skeleton")         # two orbs
        c.table.joined[1] = 1
        c.resolve(m, (4, 0), (4, 1))
        c.take(Verb.RECIPIENT, first)
        c.take(Verb.RECIPIENT, second)
        assert c.table.orbs[first] + c.table.orbs[second] >= 2
        assert c.table.orbs[0] + c.table.orbs[1] == 2


def test_a_lost_group_combat_costs_companions_one_heart():
    c = Case("bethras", "xylia", "klethor")
    m = c.monster("plant")                # sword 2, entangles
    c.table.joined[1] = c.table.joined[2] = 1
    c.resolve(m, (1, 0), (1, 1), (1, 2))
    assert [c.table.hp[s] for s in range(3)] == [3, 4, 4]
    assert [c.table.entangled[s] for s in range(3)] == [1, 0, 0]


def test_the_penalty_is_skipped_when_the_damage_downs():
    c = Case("bethras", "xylia")
    m = c.monster("skeleton")
    c.table.hp[0], c.table.orbs[0] = 1, 3
    c.resolve(m, (1, 0))
    assert (c.table.hp[0], c.table.orbs[0]) == (0, 3)


def test_monsters_are_fought_lowest_shield_first_and_once_each():
    c = Case("bethras", "xylia")
    c.table.hp[1] = 0
    c.monster("mushroom", slot=0)
    c.monster("snake", slot=1)
    push(c.table, Task.MEET, 0, 0, 0)
    c.go()
    assert [o for o in c.options() if o[0] == Verb.FIGHT] == [(Verb.FIGHT, 1, 0)]


def test_flight_costs_sword_and_penalty_of_all_again():
    c = Case("bethras", "xylia")
    c.lay("violet_trail", 1, 0, 90)
    c.monster("skeleton", slot=0)
    c.monster("snake", slot=1)
    c.table.moves, c.table.orbs[0] = 1, 2
    push(c.table, Task.MEET, 0, 0, 0)
    c.go()
    c.take(Verb.FLEE, Direction.EAST)
    assert (c.table.hp[0], c.table.orbs[0], c.table.poison[0], c.table.at[0]) == (3, 1, 1, 1)


def test_summoned_green_and_green_staff_make_one_green_die():
    c = Case("xylia", "klethor")
    c.give(0, "green_staff")
    c.table.summoned = 1
    begin_combat(c.box, c.table, c.monster("snake"), 0)
    assert all(o[0] != Verb.USE for o in listed(pool_options, c.box, c.table))
    c.table.summoned = 0
    assert any(o[0] == Verb.USE for o in listed(pool_options, c.box, c.table))


def test_frost_takes_the_sting():
    c = Case("shavi", "xylia")
    m = c.monster("plant")
    c.table.b_left = 1
    c.resolve(m, (1, 0))
    assert c.table.kind == Kind.FROST
    c.take(Verb.FREEZE, 0)
    assert (c.table.hp[0], c.table.entangled[0], c.table.b_left) == (5, 0, 0)


def test_the_stance_turns_away_damage_but_not_the_penalty():
    c = Case("klethor", "xylia")
    m = c.monster("plant")
    c.table.stance[0] = 1
    c.resolve(m, (1, 0))
    assert (c.table.hp[0], c.table.entangled[0], c.table.stance[0]) == (5, 1, 0)


def test_a_spirit_goes_back_to_the_stack_and_does_not_count():
    c = Case("bethras", "xylia")
    m = c.monster("spirit")
    before = c.table.mon_n
    c.resolve(m, (5, 0))
    assert c.table.mon_n == before + 1 and c.table.beaten[Monster.SPIRIT] == 0


def test_shield_cards_take_damage_of_the_active_hero():
    c = Case("bethras", "xylia")
    c.give(0, "shield")
    c.resolve(c.monster("plant"), (1, 0))
    assert c.table.kind == Kind.PARRY
    c.take(Verb.USE, 0)
    assert c.table.hp[0] == 5 and c.table.used[0][0] == 1


# --- enraged monsters -------------------------------------------------------------------------------


def enraged(kind, *heroes):
    return Case(*heroes, setup={"enraged": [kind]})


def test_an_enraged_spirit_must_be_beaten_twice():
    c = enraged("spirit", "bethras", "xylia")
    m = c.monster("spirit")
    c.resolve(m, (5, 0))
    assert c.table.mon_at[m] == 0 and c.table.mon_wins[m] == 1
    c.table.todo_n = c.table.asking = 0
    c.resolve(m, (6, 0))
    assert c.table.mon_at[m] == NOWHERE and c.table.beaten[Monster.SPIRIT] == 1


def test_an_enraged_snake_poisons_winners_too():
    c = enraged("snake", "klethor", "xylia")
    c.resolve(c.monster("snake"), (6, 0))
    assert c.table.poison[0] == 1


def test_nothing_is_rerolled_against_an_enraged_skeleton():
    for kind, rerolls in (("skeleton", False), ("plant", True)):
        c = enraged("skeleton", "klethor", "xylia")
        c.table.orbs[0], c.table.powers[0] = 5, 2
        c.table.foe, c.table.joined[0], c.table.kind = c.monster(kind), 1, Kind.CHANGE_ROLL
        c.show((1, 0), (2, 0))
        assert any(o[0] in (Verb.ORB_REROLL, Verb.POWER_1_REROLL, Verb.MARK) for o in c.options()) is rerolls


def test_an_enraged_plant_has_a_leaf_that_takes_one_hit():
    c = enraged("plant", "bethras", "xylia")
    m = c.monster("plant")
    c.table.mon_leaf[m] = 1
    c.resolve(m, (6, 0), (6, 0))
    assert c.table.mon_at[m] == 0 and c.table.mon_leaf[m] == 0


def test_an_enraged_mushroom_strikes_first_and_only_once():
    c = enraged("mushroom", "bethras", "xylia")
    m = c.monster("mushroom")
    c.table.hp[1] = 0
    begin_combat(c.box, c.table, m, 0)
    c.go()
    assert c.table.hp[0] == 3
    c.table.todo_n = c.table.asking = 0
    c.resolve(m, (1, 0))
    assert c.table.hp[0] == 3


# --- the boss ---------------------------------------------------------------------------------------


def test_guards_are_fought_before_the_boss_and_need_not_be_beaten():
    c = Case("bethras", "xylia")
    p = c.lay("boss", 0, -1)
    c.boss(5, p)
    c.table.at[0] = p
    m = c.monster("skeleton", p)
    push(c.table, Task.MEET, 0, 0, 0)
    c.go()
    assert c.options() == [(Verb.FIGHT, m, 0)]
    c.table.mon_fought[m] = c.table.visit
    c.table.asking = c.table.todo_n = 0
    push(c.table, Task.MEET, 0, 0, 0)
    c.go()
    assert c.table.boss_fights == 1


def test_nobody_leaves_a_living_boss():
    c = Case("klethor", "xylia")
    p = c.lay("boss", 0, -1)
    c.boss(5, p)
    c.table.at[0], c.table.moves, c.table.boss_fought = p, 3, 1
    assert all(o[0] != Verb.STEP for o in listed(act_options, c.box, c.table))
    c.table.boss_alive = 0
    assert any(o[0] == Verb.STEP for o in listed(act_options, c.box, c.table))


def test_three_heroes_raise_the_threat_by_four_each_round():
    c = Case("klethor", "xylia", "shavi")
    c.boss(5, c.lay("boss", 0, -1))
    for s in range(3):
        c.table.active, c.table.turns = s, s + 1
        push(c.table, Task.TURN_END, 0, 0, 0)
    push(c.table, Task.NEXT_ROUND, 0, 0, 0)
    for _ in range(4):
        n = c.table.todo_n = c.table.todo_n - 1
        from hardmode.sim.games.woodlands.tasks import perform

        perform(c.box, c.table, c.hidden, c.luck, c.table.todo[n][0], 0, 0, 0)
    assert c.table.threat == 5


@pytest.mark.parametrize(("before", "rounds", "over"), [(5, 6, False), (6, 7, False), (7, 7, True)])
def test_the_round_after_the_limit_does_not_begin(before, rounds, over):
    c = Case("klethor", "xylia", setup={"mode": "chapter 1"}, rules={"limit.rounds": 7})
    c.table.round = c.table.chapter_round = before
    next_round(c.box, c.table)
    assert (c.table.round, c.table.chapter_round, c.table.over == CAP_REACHED + 1) == (rounds, rounds, over)


def test_the_last_space_of_the_track_loses():
    c = Case("klethor", "xylia")
    c.boss(0, c.lay("boss", 0, -1))
    threaten(c.box, c.table, 8)
    assert c.table.over == 0
    threaten(c.box, c.table, 1)
    assert c.table.over == Ending.THREAT_FULL + 1


def skill(c, name, boss):
    faces = [Skill.labels()[k] for k in c.box.b_skill[boss]]
    use_skill(c.box, c.table, c.hidden, c.luck, faces.index(name))
    c.go()


def boss_case(boss, *heroes, **kwargs):
    c = Case(*heroes, **kwargs)
    p = c.lay("boss", 0, -1)
    c.boss(boss, p)
    for s in range(len(heroes)):
        c.table.at[s] = p
    return c


@pytest.mark.parametrize(("boss", "poison", "orbs", "entangled"), [
    (0, 1, 3, 0), (1, 0, 2, 0), (3, 0, 3, 1), (4, 0, 3, 0)])
def test_the_penalty_of_a_lost_boss_fight_is_for_the_active_hero_alone(boss, poison, orbs, entangled):
    c = boss_case(boss, "bethras", "xylia")
    c.table.orbs[0] = c.table.orbs[1] = 3
    c.table.boss_fought = c.table.joined[1] = 1
    c.resolve(BOSS_FOE, (1, 0))
    suffered = [(c.table.poison[s], c.table.orbs[s], c.table.entangled[s]) for s in range(2)]
    assert suffered == [(poison, orbs, entangled), (0, 3, 0)]


@pytest.mark.parametrize(("boss", "name", "seen"), [
    (0, "poison", lambda c: [c.table.poison[s] for s in (0, 1)] == [1, 1]),
    (0, "threat", lambda c: c.table.threat == 2),
    (0, "hearts of all", lambda c: [c.table.hp[s] for s in (0, 1)] == [4, 4]),
    (1, "orbs", lambda c: [c.table.orbs[s] for s in (0, 1)] == [2, 4]),
    (1, "orbs to threat", lambda c: c.table.threat == 3 and c.table.orbs[1] == 3),
    (1, "immune to power dice", lambda c: c.table.boss_immune == 15),
    (1, "immune to a colour", lambda c: c.table.boss_immune >> Hero.SHAVI & 1),
    (2, "fewer dice", lambda c: c.table.boss_fewer == 1),
    (2, "shield", lambda c: c.table.boss_shield == 6),
    (2, "exhaust loot", lambda c: c.table.kind == Kind.EXHAUST),
    (2, "discard loot", lambda c: c.table.kind == Kind.DISCARD),
    (3, "leaf shield", lambda c: c.table.boss_leaf == 1),
    (4, "monster", lambda c: c.table.foe < TOKENS and c.table.mon_at[c.table.foe] == c.table.boss_at),
])
def test_each_skill(boss, name, seen):
    c = boss_case(boss, "klethor", "xylia")
    c.table.orbs[0] = c.table.orbs[1] = 4
    c.give(0, "sword")
    skill(c, name, boss)
    assert seen(c)


def test_the_boss_falls_in_one_combat_or_not_at_all():
    c = boss_case(5, "klethor", "xylia")   # shield 5, 3 hearts
    c.table.boss_fought = 1
    c.resolve(BOSS_FOE, (5, 0), (6, 0), (4, 0))
    assert c.table.ending == -1 and c.table.hp[0] == 3
    c.table.todo_n = c.table.asking = 0
    c.resolve(BOSS_FOE, (5, 0), (6, 0), (5, 1))
    assert c.table.ending == Ending.BOSS_BEATEN


def test_entering_reveals_the_boss():
    c = Case("klethor", "xylia", setup={"boss": "bone_general"})
    c.lay("boss", 0, -1, markers=True)
    assert c.table.boss_at == 1 and c.table.boss_shown == 0
    reveal_boss(c.box, c.table, c.hidden, 1)
    assert (c.table.boss, c.table.threat) == (2, 1)


def test_bethras_second_power_is_one_more_die():
    c = Case("bethras", "xylia")
    begin_combat(c.box, c.table, c.monster("plant"), 0)
    assert combat_dice_of(c.box, c.table, 0) == 1
    c.table.powers[0], c.table.brewed = 2, 2
    assert combat_dice_of(c.box, c.table, 0) == 4
