"""Corners where two rules meet: what falls away when a hero falls, and what does not."""

import numpy as np
import pytest
from woodlands_case import TILE, Case

from hardmode.sim.games.woodlands import GAME
from hardmode.sim.games.woodlands.actions import act_options
from hardmode.sim.games.woodlands.agenda import Task, first_of, push, second_of, verb_of
from hardmode.sim.games.woodlands.chapters.ch1 import options_1
from hardmode.sim.games.woodlands.chapters.ch2 import carries
from hardmode.sim.games.woodlands.chapters.ch5 import count
from hardmode.sim.games.woodlands.combat import begin_combat
from hardmode.sim.games.woodlands.effects import HEAP, apply_effect
from hardmode.sim.games.woodlands.entering import bramble_face, brambles, enter
from hardmode.sim.games.woodlands.fight_or_flee import struck_leaving
from hardmode.sim.games.woodlands.hero_dice import assign_options, roll_all, take_charm
from hardmode.sim.games.woodlands.monsters import monsters_at, reveal, spawn
from hardmode.sim.games.woodlands.movement import arrive
from hardmode.sim.games.woodlands.names import (
    BOSS_FOE,
    CARDS,
    IN_LAIR,
    NOWHERE,
    TILES,
    TOKENS,
    Chance,
    Direction,
    Effect,
    Ending,
    Hero,
    Kind,
    LairRule,
    LootEffect,
    Monster,
    Slot,
    Verb,
)
from hardmode.sim.games.woodlands.turn import boss_brambles, end_turn, extra_tile, fire_heals

pytestmark = pytest.mark.plain


def chapter(n, *heroes, **kwargs):
    return Case(*(heroes or ("bethras", "xylia")), setup={"mode": f"chapter {n}", **kwargs.pop("setup", {})}, **kwargs)


def listed(rule, *args):
    out = np.zeros(GAME.max_options, np.int64)
    return [(verb_of(int(c)), first_of(int(c)), second_of(int(c))) for c in out[:rule(*args, out)]]


def verbs(c):
    return {o[0] for o in listed(act_options, c.box, c.table)}


# --- heroes and their turn ----------------------------------------------------------------------------


def test_two_charms_are_two_draws():
    c = Case("xylia", "klethor", rules={"loot.charm.copies": 2, "loot.mace.copies": 2})
    charms = [i for i in range(CARDS) if c.box.l_effect[c.box.loot_kind[i]] == LootEffect.CHARM]
    for slot, card in enumerate(charms):
        c.table.loot[0][slot] = card + 1
    c.luck.log_on = 1
    roll_all(c.box, c.table, c.luck)
    for _ in charms:
        take_charm(c.box, c.table, c.luck, Verb.HERO_REROLL, 0)
    drawn = [tuple(c.luck.log[i][:4]) for i in range(c.luck.log_n) if c.luck.log[i][0] == Chance.HERO_DIE]
    assert len(charms) == 2 and len(set(drawn)) == len(drawn)


def test_the_campfire_that_heals_on_entry_heals_nobody_who_only_stands_there():
    c = Case("xylia", "klethor", rules={"switches.campfire": "on_entry"})
    fire = c.lay("campfire", 0, -1)
    c.table.at[0], c.table.hp[0] = fire, 2
    push(c.table, Task.FLIP, fire, 0, 0)   # as at the start of a turn
    c.go()
    assert c.table.hp[0] == 2
    enter(c.box, c.table, fire)
    c.go()
    assert c.table.hp[0] == 5


def test_a_card_may_be_given_to_a_full_hero_who_then_lays_one_away():
    c = Case("xylia", "klethor")
    c.give(0, "mace")
    c.give(1, "sword", "axe", "charm")
    push(c.table, Task.ACT, 0, 0, 0)
    c.go()
    c.take(Verb.GIVE, 0, 1)
    assert (c.table.kind, c.table.seat) == (Kind.DISCARD, 1) and len(c.options()) == 4
    c.take(Verb.DISCARD, 2)
    assert c.table.kind == Kind.ACT and c.table.seat == 0 and c.table.loot[0][0] == 0
    assert c.box.loot_kind[c.table.loot[1][2] - 1] == c.box.loot_kind[0]


def test_xylia_is_not_asked_for_a_tile_that_can_do_nothing():
    c = Case("xylia", "klethor")
    c.table.powers[0], c.table.stack_n = 1, 0
    c.boss(0, c.lay("boss", 0, -1))
    extra_tile(c.box, c.table, c.hidden)
    assert not c.table.asking


def test_a_far_side_that_has_been_joined_is_none_any_more():
    c = Case("xylia", "klethor")
    p = c.lay("double_dead_end", 0, -1)
    assert c.table.far[p] == 1
    c.lay("energy_well", 0, -2)
    assert c.table.far[p] == 0


# --- brambles -----------------------------------------------------------------------------------------


def test_brambles_take_nothing_more_from_a_companion_they_have_downed():
    c = Case("xylia", "klethor")
    c.table.hp[1], c.table.orbs[1] = 1, 4
    bramble_face(c.box, c.table, 2, 2)     # an orb
    bramble_face(c.box, c.table, 0, 2)     # on top of it: a heart
    c.go()
    assert (c.table.hp[1], c.table.orbs[1]) == (0, 4)


def test_the_second_roll_of_a_bosss_brambles_is_for_the_entangled_in_every_reading():
    c = Case("xylia", "klethor", rules={"switches.second_bramble": "all"})
    c.boss(0, c.lay("boss", 0, -1))
    c.table.at[0] = c.table.at[1] = c.table.boss_at
    for key in range(1, 40):
        c.luck.key, c.table.todo_n, c.table.entangled[0] = np.uint64(key), 0, 1
        boss_brambles(c.box, c.table, c.luck)
        tasks = [c.table.todo[i] for i in range(c.table.todo_n)]
        assert sum(who % 8 == 1 and effect != Effect.EVENT for _, effect, _, who in tasks) <= 1


@pytest.mark.parametrize("roll", ["brambles", "skill"])
def test_brambles_that_down_the_active_hero_reach_those_in_later_seats_too(roll):
    c = Case("xylia", "klethor", "shavi", rules={"bramble.classic.*.effects": ["hearts", "orbs"],
                                                 "bramble.classic.*.amounts": [-1, -1]})
    place = c.lay("boss", 0, -1)
    for s in range(3):
        c.table.at[s], c.table.hp[s], c.table.orbs[s] = place, 3, 4
    c.table.active, c.table.hp[1] = 1, 1
    push(c.table, Task.ACT, 0, 0, 0)
    c.table.turn_mark = 0
    if roll == "skill":
        c.boss(0, place)
        boss_brambles(c.box, c.table, c.luck)
    else:
        brambles(c.box, c.table, c.luck, place)
    c.go()
    assert [c.table.hp[s] for s in range(3)] == [2, 0, 2]
    assert [c.table.orbs[s] for s in range(3)] == [3, 4, 3] and c.table.todo_n == 0


def test_the_inn_is_for_the_hero_that_stays_there():
    for flees, asked in ((False, True), (True, False)):
        c = Case("xylia", "klethor", setup={"inn": True})
        inn, beyond = c.lay("inn", 0, -1), c.lay("violet_trail", 0, -2)
        c.monster("skeleton", inn)
        c.table.moves, c.table.stack_n, c.table.hp[1] = 2, 0, 0
        push(c.table, Task.ACT, 0, 0, 0)
        enter(c.box, c.table, inn)
        c.go()
        if flees:
            c.take(Verb.FLEE, Direction.NORTH)
            assert c.table.at[0] == beyond and c.table.kind == Kind.ACT
        else:
            c.take(Verb.FIGHT, 0)
            while c.table.kind in (Kind.PREPARE_COMBAT, Kind.CHANGE_ROLL):
                c.take(*c.options()[0])
            assert c.table.at[0] == inn
        assert (c.table.kind == Kind.INN) is asked


# --- flight -------------------------------------------------------------------------------------------


def fleeing():
    """Xylia flees from a monster whose blow wakes the runes: an event puts one on the tile that she leaves."""
    c = Case("xylia", "klethor", rules={"event.*.effects": ["monsters on runes"], "event.*.amounts": [1],
                                        "monster.*.penalty.effects": ["event"], "monster.*.penalty.amounts": [1],
                                        "monster.*.sword": 0})
    here = c.lay("green_crossroads", 0, -1)
    beyond = c.lay("violet_trail", 0, -2)
    c.table.at[0], c.table.moves, c.table.stack_n = here, 3, 0
    c.monster("plant", here)
    push(c.table, Task.ACT, 0, 0, 0)
    push(c.table, Task.MEET, 0, 0, 0)
    c.go()
    return c, here, beyond


def test_a_flight_is_one_step_whatever_it_wakes():
    c, here, beyond = fleeing()
    c.take(Verb.FLEE, next(a for verb, a, _ in c.options() if verb == Verb.FLEE and c.table.link[here][a] == beyond))
    assert monsters_at(c.table, here) == 2 and c.table.at[0] == beyond and c.table.moves == 2
    assert not any(c.table.todo[i][0] == Task.STEP for i in range(c.table.todo_n))


def test_a_hero_whose_flight_led_nowhere_meets_what_came_behind_it():
    c = Case("xylia", "klethor")
    here = c.lay("hidden_hollow", 0, -1)
    c.table.at[0] = here
    away = next(d for d in range(4) if c.table.link[here][d] < 0)
    spawn(c.box, c.table, c.hidden, c.luck, here)
    arrive(c.table, away)
    c.go()
    assert c.table.at[0] == here and c.table.kind == Kind.FIGHT_OR_FLEE and c.table.mon_type[0] >= 0


def test_the_stance_turns_away_the_largest_sword_at_a_flight():
    c = Case("klethor", "xylia", rules={"monster.*.penalty.amounts": [0]})
    order = sorted(("plant", "skeleton", "mushroom"), key=lambda kind: c.box.mon_sword[Monster.labels().index(kind)])
    swords = [c.box.mon_sword[Monster.labels().index(kind)] for kind in order]
    assert swords[0] < swords[-1]
    for slot, kind in enumerate(order):
        c.monster(kind, slot=slot)
    c.table.stance[0] = 1
    push(c.table, Task.TURN_END, 0, 0, 0)
    struck_leaving(c.box, c.table, 0)
    attacks = [list(c.table.todo[i]) for i in range(c.table.todo_n) if c.table.todo[i][0] == Task.ATTACK]
    assert [amount for _, _, amount, _ in reversed(attacks)] == sorted(swords, reverse=True)


# --- hero dice ----------------------------------------------------------------------------------------


def test_a_die_that_is_kept_is_placed_before_the_others_are_rolled_again():
    c = Case("xylia", "klethor")
    roll_all(c.box, c.table, c.luck)
    c.table.die[:] = (1, 2, 5, 6)
    push(c.table, Task.ASSIGN, 0, 0, 0)
    push(c.table, Task.KEEP, 0, 0, 0)
    c.go()
    c.take(Verb.KEEP, 0b0001)
    assert c.table.kind == Kind.ASSIGN and Slot.UNUSED not in [a for _, a, _ in c.options()]
    c.take(Verb.ASSIGN, Slot.MOVE, 0)
    assert c.table.kind == Kind.ASSIGN and Slot.UNUSED in [a for _, a, _ in c.options()]


@pytest.mark.parametrize(("capacity", "held", "fits_there"), [(1, 0, True), (1, 1, False), (2, 1, True), (2, 2, False)])
def test_a_stance_that_still_holds_keeps_its_place(capacity, held, fits_there):
    c = Case("klethor", "xylia", rules={"switches.stance": "until_used", "heroes.klethor.slot_b.capacity": capacity})
    roll_all(c.box, c.table, c.luck)
    c.table.die[:] = (1, 2, 3, 6)
    c.table.stance[0] = held
    for i in range(3):
        c.table.die_slot[i] = Slot.MOVE
    assert (Slot.B in [a for _, a, _ in listed(assign_options, c.box, c.table)]) is fits_there


# --- combat -------------------------------------------------------------------------------------------


def fight_boss(rolled, *, xylia_at_boss):
    """Klethor, with a mace, against a boss with the skill fewer dice; the dice of him and of Xylia, who supports."""
    c = Case("klethor", "xylia")
    p = c.lay("boss", 0, -1)
    c.boss(4, p)        # the spore titan
    c.table.at[0], c.table.powers[1] = p, 2
    if xylia_at_boss:
        c.table.at[1] = p
    c.give(0, "mace")
    if rolled:
        c.use_skill("fewer dice")
    begin_combat(c.box, c.table, BOSS_FOE, 0)
    c.go()
    while c.table.kind != Kind.CHANGE_ROLL:
        c.take(Verb.YES if c.table.kind == Kind.SUPPORT else Verb.ROLL)
    owners = [int(c.table.owner[i]) for i in range(c.table.dice_n)]
    return owners.count(0), owners.count(1)


@pytest.mark.parametrize(("xylia_at_boss", "usual", "fewer"), [(True, (2, 1), (1, 0)), (False, (2, 1), (1, 1))])
def test_fewer_dice_spares_xylia_on_the_next_tile(xylia_at_boss, usual, fewer):
    assert fight_boss(False, xylia_at_boss=xylia_at_boss) == usual
    assert fight_boss(True, xylia_at_boss=xylia_at_boss) == fewer



def test_shavi_may_freeze_an_enraged_mushroom_that_came_out_of_the_dark_before_it_strikes():
    c = Case("shavi", "xylia", setup={"enraged": ["mushroom"]})
    c.table.hp[1], c.table.b_left = 0, 1
    begin_combat(c.box, c.table, c.monster("mushroom"), 1)
    c.go()
    assert c.table.kind == Kind.FROST
    c.take(Verb.FREEZE, 0)
    assert c.table.hp[0] == 5 and c.table.kind == Kind.PREPARE_COMBAT


def test_the_wide_stance_also_turns_the_first_blow_of_an_enraged_mushroom():
    c = Case("bethras", "klethor", setup={"enraged": ["mushroom"]},
             rules={"switches.stance_scope": "all_participants"})
    c.table.stance[1] = 1
    begin_combat(c.box, c.table, c.monster("mushroom"), 0)
    c.go()
    assert (c.table.hp[0], c.table.hp[1], c.table.stance[1]) == (5, 5, 0)


def test_a_supporter_whom_the_first_blow_downs_takes_no_further_part():
    c = Case("bethras", "klethor", setup={"enraged": ["mushroom"]}, rules={"switches.klethor_scope": "any"})
    c.table.hp[1], c.table.powers[1] = 1, 2
    begin_combat(c.box, c.table, c.monster("mushroom"), 0)
    c.go()
    c.take(Verb.ROLL)
    assert c.table.hp[1] == 0 and c.table.joined[1] == 0
    assert not {o[0] for o in c.options()} & {Verb.POWER_1_REROLL, Verb.MARK}


def test_a_monster_that_is_to_vanish_does_so_even_when_it_downs_the_hero():
    c = Case("bethras", "xylia", rules={"switches.drawn_undefeated": "discard"})
    m = c.monster("skeleton")
    c.table.foe_drawn, c.table.hp[0] = 1, 1
    push(c.table, Task.TURN_END, 0, 0, 0)
    c.table.turn_mark = 1
    c.resolve(m, (1, 0))
    assert c.table.hp[0] == 0 and c.table.mon_at[m] == NOWHERE


def test_monsters_one_flees_from_are_not_met_when_others_come():
    c = Case("bethras", "xylia")
    c.lay("violet_trail", 1, 0, 90)
    c.monster("spirit", 0, 0)
    c.table.moves, c.table.hp[1] = 1, 0
    awakens = next(i for i in range(c.box.events_n) if c.box.event[i][0][0] == Effect.MONSTERS_ON_RUNES)
    top = c.table.event_n - 1
    at = [c.hidden.event[i] for i in range(c.table.event_n)].index(awakens)
    c.hidden.event[at], c.hidden.event[top] = c.hidden.event[top], awakens
    push(c.table, Task.MEET, 0, 0, 0)
    c.go()
    c.take(Verb.FLEE, Direction.EAST)
    assert (c.table.at[0], c.table.hp[0]) == (1, 4)


# --- lairs --------------------------------------------------------------------------------------------


def test_a_lost_battle_moves_the_die_of_the_narrow_passages_back():
    for rule, space in ((LairRule.BACK_AFTER_LOSS, 1), (LairRule.NONE, 2)):
        c = Case("bethras", "xylia", setup={"lairs": True})
        c.table.in_lair, c.table.lair_space, c.table.lair_a = 1, 2, 0
        c.box.lair_rule[0] = rule
        m = c.monster("skeleton", IN_LAIR)
        c.resolve(m, (1, 0))
        assert c.table.lair_space == space and c.table.hp[0] == 4


def test_monsters_that_a_lair_called_to_its_own_tile_are_met_on_leaving():
    c = Case("bethras", "xylia", setup={"lairs": True})
    c.table.hp[1] = 0
    c.table.in_lair, c.table.lair_space, c.table.lair_party[0] = 1, 4, 1
    m = spawn(c.box, c.table, c.hidden, c.luck, 0)
    push(c.table, Task.LAIR_STEP, 0, 0, 0)
    c.table.lair_b = 2
    c.go()
    while c.table.kind == Kind.DISCARD and c.table.asking:
        c.take(Verb.DISCARD, 0)
    assert c.table.kind == Kind.FIGHT_OR_FLEE and c.table.mon_type[m] >= 0


def test_monsters_before_a_lair_are_not_fought_again_by_those_who_come_out():
    c = Case("bethras", "xylia", setup={"lairs": True}, rules={"switches.lair_beside_monsters": "yes"})
    c.table.hp[1], c.table.visit = 0, 7
    outside, inside = c.monster("plant", 0, 0), c.monster("snake", IN_LAIR, 1)
    c.table.mon_fought[outside] = c.table.mon_fought[inside] = 7
    c.table.in_lair, c.table.lair_space, c.table.lair_party[0] = 1, 4, 1
    push(c.table, Task.MEET, 0, 0, 0)
    c.go()
    assert c.table.kind == Kind.FIGHT_OR_FLEE and [o[1] for o in c.options()] == [inside]   # again, as it still stands
    c.table.mon_at[inside], c.table.asking, c.table.todo_n = NOWHERE, 0, 0
    push(c.table, Task.ACT, 0, 0, 0)
    push(c.table, Task.LAIR_STEP, 0, 0, 0)
    c.go()
    while c.table.kind == Kind.DISCARD and c.table.asking:
        c.take(Verb.DISCARD, 0)
    assert c.table.kind == Kind.ACT and c.table.in_lair == 0


# --- chapters -----------------------------------------------------------------------------------------


def test_the_first_hero_that_stands_decides_whom_monsters_hunt():
    for fallen, decides in ((None, 0), (0, 1)):
        c = chapter(2, "bethras", "xylia", "klethor", "shavi")
        east, west = c.lay("violet_trail", 1, 0, 90), c.lay("violet_trail", -1, 0, 90)
        c.table.at[2], c.table.at[3] = east, west       # a monster between two that carry a token
        for s in (0, 1):
            for i in range(4):
                c.table.carried[s][i] = 0
        if fallen is not None:
            c.table.hp[fallen] = 0
        c.monster("plant", 0)
        push(c.table, Task.MARCH, 0, 0, 0)
        c.go()
        assert (c.table.kind, c.table.seat) == (Kind.HUNT, decides)
        assert [o[1] for o in c.options()] == [2, 3]


def test_monsters_that_are_not_beaten_do_not_keep_the_merchant_from_trading():
    c = chapter(2)
    p = c.lay("merchant", 0, -1)
    c.table.at[0], c.table.orbs[0] = p, 3
    c.give(0, "mace")
    push(c.table, Task.FLIP, p, 1, 0)
    c.go()
    c.monster("plant", p)
    c.table.chests[p] = 1
    assert {Verb.BUY, Verb.SELL} <= verbs(c) and not {Verb.TAKE_CHEST, Verb.GIVE} & verbs(c)
    c.table.at[0] = 0
    assert not {Verb.BUY, Verb.SELL} & verbs(c)



def test_quest_markers_push_out_only_cards_that_are_there():
    c = chapter(1, rules={"hero.loot_slots": 1})
    p = c.lay("green_thicket", 0, -1)
    c.give(0, "sword")
    c.table.at[0], c.table.quest_down[p] = p, 5
    out = np.zeros(16, np.int64)
    n = options_1(c.box, c.table, p, out, 0)
    assert [(verb_of(int(o)), first_of(int(o))) for o in out[:n]] == [(Verb.PICK_UP, 1)]


def test_whoever_brews_goes_no_further_this_turn():
    c = chapter(1)
    fire = c.lay("campfire", 0, -1)
    c.give(0, "boots")
    c.table.at[0], c.table.moves, c.table.orbs[0], c.table.potions = fire, 3, 2, 1
    for k in range(4):
        c.table.markers[0][k] = 1
    push(c.table, Task.ACT, 0, 0, 0)
    c.go()
    assert Verb.STEP in verbs(c)
    c.take(Verb.BREW_POTION)
    assert not verbs(c) & {Verb.STEP, Verb.RISKY_STEP, Verb.BOOTS}


def test_no_campfire_heals_beside_monsters_in_chapter_1():
    for mode, heals in (("chapter 1", False), ("standard", True)):
        c = Case("bethras", "xylia", setup={"mode": mode})
        p = c.lay("campfire", 0, -1)
        c.monster("plant", p)
        assert bool(fire_heals(c.box, c.table, p)) is heals


def test_a_hero_who_falls_to_a_monster_still_loses_an_orb_token():
    c = chapter(2)
    m = c.monster("skeleton")
    c.table.hp[0] = 1
    push(c.table, Task.TURN_END, 0, 0, 0)
    c.table.turn_mark = 1
    c.resolve(m, (1, 0))
    assert c.table.hp[0] == 0 and carries(c.table, 0) == 1 and c.table.mon_orbs[m] > 0


def test_the_orb_of_the_focus_counts_at_the_well_at_once():
    c = chapter(2)
    well = c.lay("energy_well", 0, -1)
    c.table.at[0] = c.table.at[1] = well
    c.table.orbs[0], c.table.focus = 4, 1      # with tokens of ten orbs, one is missing
    end_turn(c.box, c.table)
    assert c.table.over == Ending.CHAPTER_WON + 1


def test_the_last_monsters_reward_comes_before_the_chapter_ends():
    c = chapter(3)
    c.table.bosses_beaten, c.table.beaten[Monster.SNAKE], c.table.hp[1] = 1, 9, 0
    c.table.at[1] = 3
    m = next(m for m in range(TOKENS) if c.table.mon_at[m] == NOWHERE)
    c.monster("plant", 0, m)
    c.resolve(m, (6, 0), (6, 0))
    assert c.table.ending == Ending.CHAPTER_WON and c.table.loot[0][0] > 0


def test_the_pile_that_the_ashes_left_is_kept_for_their_camp():
    c = chapter(4, "bethras", "xylia", "klethor")
    c.table.pile_n[0], c.table.ashes_pile, c.table.kind = 1, 0, Kind.PILE
    assert [o[1] for o in c.options()] == [1, 2, 3]
    ashes, other = (p for p in range(2))
    c.table.camp[ashes], c.table.camp[other] = 3, 2
    push(c.table, Task.PILE, ashes, 0, 0)
    c.table.asking = 0
    c.go()
    assert c.table.pile_n[0] == 0 and c.table.loot[0][0] > 0


def test_a_looted_camp_that_is_cleared_once_more_counts_at_once():
    c = chapter(4)
    camps = [p for p in range(c.table.places) if c.table.camp[p]]
    for p in camps[:3]:
        c.table.camp[p], c.table.looted[p] = 2, 1
    for m in range(TOKENS):
        c.table.mon_at[m] = NOWHERE
    c.table.at[0] = camps[0]
    push(c.table, Task.EVENT_HERE, camps[0], 0, 0)     # the last monster here has just been beaten
    c.go()
    assert c.table.kind == Kind.GO_ON and c.table.asking


def test_the_horn_that_empties_other_camps_may_end_the_chapter():
    c = chapter(4)
    camps = [p for p in range(c.table.places) if c.table.camp[p]]
    for m in range(TOKENS):
        c.table.mon_at[m] = NOWHERE
    for p in camps[1:]:
        c.table.camp[p], c.table.looted[p] = 2, 1
    c.table.at[0], c.hidden.camp_at[camps[0]] = camps[0], 0
    push(c.table, Task.EVENT_HERE, camps[0], 0, 0)
    c.go()
    assert c.table.kind == Kind.GO_ON and c.table.asking


def test_camps_without_any_card_left_ask_for_no_pile():
    c = chapter(4)
    for k in range(4):
        c.table.pile_n[k] = 0
    push(c.table, Task.BURN, 0, 0, 0)
    push(c.table, Task.PILE, 0, 0, 0)
    c.go()
    assert not c.table.asking


def test_what_corruption_brings_up_is_turned_over_before_it_is_fought():
    c = chapter(5)
    c.table.corrupt[1] = 1
    count(c.box, c.table)
    c.table.corrupt_tiles = 9
    c.give(0, "mace", "sword")
    enter(c.box, c.table, 1)
    c.go()
    c.take(Verb.DISCARD, 0)
    assert monsters_at(c.table, 1) == 1 and c.table.kind == Kind.FIGHT_OR_FLEE
    assert all(c.table.mon_type[m] >= 0 for m in range(TOKENS) if c.table.mon_at[m] == 1)


def test_a_revealed_plant_of_the_stack_has_its_leaf():
    c = Case("bethras", "xylia", setup={"enraged": ["plant"]})
    top = c.table.mon_n - 1
    at = next(i for i in range(c.table.mon_n) if c.box.kind_of[c.hidden.mon_stack[i]] == Monster.PLANT)
    c.hidden.mon_stack[at], c.hidden.mon_stack[top] = c.hidden.mon_stack[top], c.hidden.mon_stack[at]
    m = spawn(c.box, c.table, c.hidden, c.luck, 0)
    assert c.table.mon_leaf[m] == 0
    reveal(c.box, c.table, c.hidden, m)
    assert c.table.mon_leaf[m] == 1


@pytest.mark.parametrize(("heroes", "advances"), [(2, (1, 1, 1)), (3, (1, 1, 1, 1)), (4, (1, 1, 1, 1, 1))])
def test_the_clock_of_the_threat(heroes, advances):
    """Turns after which a track of ten is full: six with two heroes (and the round's end), seven, eight."""
    from hardmode.sim.games.woodlands.boss import threaten

    c = Case(*Hero.labels()[:heroes])
    c.boss(0, c.lay("boss", 0, -1))
    turns = 0
    while not c.table.over:
        for s in range(heroes):
            c.table.active, c.table.turns = s, turns + 1
            end_turn(c.box, c.table)
            turns += 1
            if c.table.over:
                break
        else:
            threaten(c.box, c.table, 1)
    assert sum(advances) == heroes + 1
    assert turns == {2: 6, 3: 7, 4: 8}[heroes]


def test_tiles_of_the_box_keep_the_numbers_of_the_markers():
    c = Case("bethras", "xylia")
    stack = [i for i in range(TILES) if i not in (TILE.index("start"), TILE.index("boss"), TILE.index("inn"))]
    sides = [(i, s) for i in stack for s in (0, 1)]
    assert len(stack) == 21 and sum(c.box.side_monsters[i][s] for i, s in sides) == 16
    assert sum(c.box.chest[i] for i in stack) == 5 and sum(c.box.events[i] for i in stack) == 3
    assert sum(c.box.side_brambles[i][s] for i, s in sides) == 6
    assert sum(c.box.rune[i] >= 0 for i in stack) == 8 and sum(c.box.lair[i] for i in stack) == 2


def test_the_forest_is_drawn_with_all_that_lies_on_it():
    from hardmode.sim.games.woodlands import words

    c = Case("bethras", "xylia")
    cache = c.lay("guarded_cache", 1, 0, 270)
    c.table.chests[cache], c.table.hp[1] = 1, 0
    c.monster("plant", cache)
    c.lay("thorny_cache", 0, 1)
    drawn = words.picture(words.state(c.box, c.table, c.hidden)).splitlines()
    tiles = next(line for line in drawn if "[St" in line)
    assert tiles.rstrip() == "-[St   ]--[GuCa ]-"
    assert drawn[drawn.index(tiles) + 1].split() == ["Bx", "1m$"] and any("[ThCa#]" in line for line in drawn)
    assert "x Xylia, down" in "\n".join(drawn) and "$ chest" in "\n".join(drawn)


def test_a_step_is_told_with_what_strikes_on_leaving():
    from hardmode.sim.games.woodlands import words
    from hardmode.sim.games.woodlands.agenda import option

    c = Case("bethras", "xylia")
    c.lay("violet_trail", 1, 0, 90)
    c.monster("plant", 0)
    c.table.moves, c.table.kind, c.table.asking = 1, Kind.ACT, 1
    before = words.state(c.box, c.table, c.hidden)
    taken = words.option(c.box, c.table, c.hidden.own[0], option(Verb.STEP, Direction.EAST, 0))
    c.table.at[0], c.table.hp[0] = 1, 3
    told = words.tell(before, taken, [], words.state(c.box, c.table, c.hidden))
    assert told == ["Bethras goes east to the violet trail. Struck on leaving by: plant.",
                    "  Bethras loses 2 hearts (3 now)."]


@pytest.mark.plain
@pytest.mark.parametrize(("waiting", "left"), [(HEAP, 1), (HEAP + 1, 0)])
def test_effects_of_effects_end_where_a_hundred_tasks_wait(waiting, left):
    c = Case("bethras", "xylia")
    c.table.todo_n = waiting
    apply_effect(c.box, c.table, c.hidden, c.luck, Effect.EVENT, 2, 0)
    assert (c.table.todo_n > waiting) == left
