"""Rules of the booklet that a single sentence states: set-up, tiles, cards, helpers, lairs; one table for each."""

import numpy as np
import pytest
from woodlands_case import TILE, Case

from hardmode.scenarios.load import create_variant
from hardmode.sim.games.woodlands import GAME
from hardmode.sim.games.woodlands.actions import act_options, take_act
from hardmode.sim.games.woodlands.agenda import Task, first_of, second_of, verb_of
from hardmode.sim.games.woodlands.boss import meet_boss, reveal_boss
from hardmode.sim.games.woodlands.campaign import trade_options
from hardmode.sim.games.woodlands.card_choices import draw_inn
from hardmode.sim.games.woodlands.chapters.ch5 import settle_cell, take_totem
from hardmode.sim.games.woodlands.chapters.hooks import fewer_moves
from hardmode.sim.games.woodlands.combat import begin_combat, plus_on, reroll, reroll_options
from hardmode.sim.games.woodlands.combat_result import hits_after_leaves
from hardmode.sim.games.woodlands.effects import draw_event, monsters_on_runes
from hardmode.sim.games.woodlands.entering import bramble_face, event_here, turn_over
from hardmode.sim.games.woodlands.fight_or_flee import (
    NO_SHIELD,
    lowest_shield,
    meet,
    meet_again,
    prepare_options,
    risk_cost,
)
from hardmode.sim.games.woodlands.foes import hearts_of, row_of, sword_of
from hardmode.sim.games.woodlands.forest import lay_tile
from hardmode.sim.games.woodlands.hero_dice import keep_options, ready_hero
from hardmode.sim.games.woodlands.heroes import lose_orbs
from hardmode.sim.games.woodlands.lairs import enter_lair, lair_fight, lair_next, lair_step, lose_lair, win_lair
from hardmode.sim.games.woodlands.measures import task_done
from hardmode.sim.games.woodlands.monsters import monsters_at
from hardmode.sim.games.woodlands.names import (
    BESIDE,
    BOSS_FOE,
    CENTRE,
    IN_LAIR,
    SIDE,
    TOKENS,
    CardPlace,
    Effect,
    EnragedBoss,
    Kind,
    Part,
    Reveal,
    Slot,
    Special,
    Stall,
    Use,
    Verb,
)
from hardmode.sim.games.woodlands.turn import end_turn, grow, push_turn

pytestmark = pytest.mark.plain


def options(c):
    out = np.zeros(GAME.max_options, np.int64)
    n = act_options(c.box, c.table, out)
    return [(verb_of(int(x)), first_of(int(x)), second_of(int(x))) for x in out[:n]]


def act(c, verb, a=0, b=0):
    """The active hero does what it may do; what this sets off is done, too."""
    assert (verb, a, b) in options(c)
    take_act(c.box, c.table, c.hidden, c.luck, verb, a, b)
    c.table.todo_n, waiting = 0, [tuple(int(x) for x in c.table.todo[i]) for i in range(c.table.todo_n)]
    return waiting


def at(tile, *heroes, **kwargs):
    """Heroes on a tile north of the first one, the first of them active."""
    c = Case(*(heroes or ("bethras", "xylia")), **kwargs)
    p = c.lay(tile, 0, -1)
    for s in range(c.table.seats):
        c.table.at[s] = p
    return c, p


# --- set-up ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players, heroes", [(1, 2), (2, 2), (3, 3), (4, 4)])
def test_heroes_begin_with_five_hearts_and_no_orbs(players, heroes):
    """A player alone leads two of them."""
    assert int(create_variant("woodlands", players=players).box["players"][0]) == heroes
    c = Case(*("bethras", "xylia", "klethor", "shavi")[:heroes])
    assert c.table.seats == heroes
    assert [(c.table.hp[s], c.table.orbs[s], c.table.at[s]) for s in range(heroes)] == [(5, 0, 0)] * heroes


def test_every_pile_is_whole_and_lies_otherwise_in_other_games():
    orders = {"loot": set(), "event": set(), "boss": set(), "well": set(), "lair_a": set(), "lair_b": set()}
    for key in range(1, 9):
        c = Case("bethras", "xylia", key=key)
        sizes = {"loot": c.table.loot_n, "event": c.table.event_n, "boss": c.box.bosses_n}
        for pile, seen in orders.items():
            cards = [int(x) for x in getattr(c.hidden, pile)[: sizes.get(pile, 4)]]
            assert sorted(cards) == list(range(len(cards)))
            seen.add(tuple(cards))
        tokens = sorted(int(m) for m in c.hidden.mon_stack[: c.table.mon_n])
        away = sorted(int(c.hidden.mon_id[m]) for m in range(TOKENS) if c.table.mon_at[m] >= 0)
        assert sorted(tokens + away) == list(range(20))
    assert (c.box.loot_total, c.box.events_n, c.box.bosses_n) == (25, 12, 6)
    assert all(len(seen) > 4 for seen in orders.values())


@pytest.mark.parametrize("number, name", [(0, "easy"), (1, "classic"), (2, "hard")])
def test_the_bramble_card_is_the_one_that_was_chosen(number, name):
    assert Case("bethras", "xylia", setup={"brambles": name}).table.brambles == number


def test_a_bramble_card_that_is_drawn_may_be_any():
    assert {Case("bethras", "xylia", setup={"brambles": "any"}, key=key).table.brambles for key in range(1, 30)} == {
        0, 1, 2}


# --- tiles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tile", ["energy_well", "blue_hoard", "guarded_cache", "monster_nest", "thorny_cache",
                                  "green_crossroads"])
def test_markers_and_monsters_lie_on_a_new_tile(tile):
    c = Case("bethras", "xylia", "klethor")
    p, number = c.lay(tile, 0, -1, markers=True), TILE.index(tile)
    assert (c.table.chests[p], c.table.events[p]) == (c.box.chest[number], c.box.events[number])
    tokens = [m for m in range(TOKENS) if c.table.mon_at[m] == p]
    assert len(tokens) == c.box.side_monsters[number, 0]
    assert c.table.tokens[p] == (3 if tile == "energy_well" else 0)
    assert not monsters_at(c.table, p) or tokens


def test_a_fallen_heros_player_lays_a_tile_too():
    c = Case("bethras", "xylia")
    c.table.hp[0], before = 0, c.table.todo_n
    grow(c.box, c.table, c.hidden, 0)
    assert c.table.todo_n == before + 2  # the tile, and the next player's growth


def test_a_chest_is_a_loot_card_and_is_not_opened_beside_monsters():
    c, p = at("blue_hoard")
    c.table.chests[p] = 2
    act(c, Verb.TAKE_CHEST)
    assert c.table.chests[p] == 1 and c.table.chests_taken == 1 and c.table.loot_n == 24
    assert sum(c.table.loot[0][i] > 0 for i in range(3)) == 1
    c.monster("plant", p)
    assert Verb.TAKE_CHEST not in {o[0] for o in options(c)}


def test_each_hero_takes_one_orb_token_of_the_well():
    c, p = at("energy_well")
    c.table.tokens[p], token = 2, int(c.hidden.well[0])
    act(c, Verb.TAKE_TOKEN)
    assert c.table.orbs[0] == c.box.well_value[token] > 0 and c.table.tokens[p] == 1
    assert Verb.TAKE_TOKEN not in {o[0] for o in options(c)}
    c.table.active = 1
    act(c, Verb.TAKE_TOKEN)
    assert c.table.tokens[p] == 0 and c.table.orbs[1] == c.box.well_value[int(c.hidden.well[1])]


def test_an_event_waits_for_the_monsters_to_be_beaten():
    c, p = at("green_crossroads")
    c.table.events[p] = 1
    m = c.monster("plant", p)
    event_here(c.box, c.table, c.hidden, c.luck, p)
    assert c.table.events[p] == 1 and c.table.events_drawn == 0
    c.table.mon_at[m] = -1
    event_here(c.box, c.table, c.hidden, c.luck, p)
    assert c.table.events[p] == 0 and c.table.events_drawn == 1 and c.table.event_n == 11


def test_the_vortex_leads_to_the_first_tile_for_an_orb():
    c, p = at("vortex")
    assert Verb.VORTEX not in {o[0] for o in options(c)}
    c.table.orbs[0] = 2
    take_act(c.box, c.table, c.hidden, c.luck, Verb.VORTEX, 0, 0)
    c.go()
    assert (c.table.orbs[0], c.table.at[0], c.table.at[1]) == (1, 0, p)


def test_the_merchant_lays_out_three_cards_once_and_buys_and_sells():
    c, p = at("merchant")
    turn_over(c.box, c.table, c.hidden, c.luck, p, 1)
    goods = [c.table.stock[Stall.MERCHANT, i] for i in range(3)]
    assert all(goods) and c.table.loot_n == 22
    c.table.orbs[0] = 4
    act(c, Verb.BUY, Stall.MERCHANT, 1)
    assert c.table.orbs[0] == 1 and c.table.loot[0][0] == goods[1]
    assert Verb.BUY not in {o[0] for o in options(c)}  # one orb does not pay for a card
    act(c, Verb.SELL, 0)
    assert c.table.orbs[0] == 2 and c.table.loot[0][0] == 0
    assert c.table.loot_where[goods[1] - 1] == CardPlace.DISCARD
    turn_over(c.box, c.table, c.hidden, c.luck, p, 1)
    assert [c.table.stock[Stall.MERCHANT, i] for i in range(3)] == [goods[0], 0, goods[2]]


def test_monsters_come_to_every_rune():
    c = Case("bethras", "xylia")
    runes = [c.lay(tile, x, 0) for x, tile in enumerate(("green_crossroads", "violet_crossroads", "blue_shrine"), 1)]
    plain = c.lay("vortex", 0, 1)
    assert all(c.box.rune[c.table.tile_of[p]] >= 0 for p in runes) and c.box.rune[c.table.tile_of[plain]] < 0
    monsters_on_runes(c.box, c.table, c.hidden, c.luck, 2)
    assert [monsters_at(c.table, p) for p in (*runes, plain)] == [2, 2, 2, 0]


@pytest.mark.parametrize("inn, tiles", [(False, 22), (True, 23)])
def test_the_inn_is_in_the_stack_only_if_it_is_wanted(inn, tiles):
    c = Case("bethras", "xylia", setup={"inn": inn})
    lying = [c.box.special[int(t)] for t in c.hidden.stack[: c.table.stack_n]]
    laid = [c.box.special[int(c.table.tile_of[p])] for p in range(c.table.places)]
    drawn = [c.box.special[int(c.table.tile)]] if c.table.kind == 0 and c.table.stack_n < tiles else []
    assert (Special.INN in [*lying, *laid, *drawn]) == inn and c.table.stack_n in (tiles, tiles - 1)


# --- cards and dice -------------------------------------------------------------------------------------


def test_loot_is_used_up_or_turned_over_until_the_owners_next_turn():
    c = Case("bethras", "xylia")
    c.give(0, "boots", "healing_potion")
    c.table.hp[0] = 1
    kinds = [c.box.loot_kind[c.table.loot[0][i] - 1] for i in range(2)]
    before = c.table.moves
    act(c, Verb.BOOTS, 0)
    act(c, Verb.HEAL, 1, 0)
    assert c.table.moves == before + c.box.l_amount[kinds[0]] and c.table.hp[0] == 1 + c.box.l_amount[kinds[1]]
    for slot, kind in enumerate(kinds):
        assert (c.table.loot[0][slot] == 0) == (c.box.l_use[kind] == Use.DISCARD)
        assert c.table.used[0][slot] == (c.box.l_use[kind] == Use.EXHAUST)
    assert {c.box.l_use[kind] for kind in kinds} == {Use.EXHAUST, Use.DISCARD}
    assert Verb.BOOTS not in {o[0] for o in options(c)}
    push_turn(c.table)
    assert not any(c.table.used[0][i] for i in range(3))


def test_the_orb_of_the_focus_comes_at_the_end_of_the_turn():
    c = Case("bethras", "xylia")
    c.table.focus = 1
    end_turn(c.box, c.table)
    assert (c.table.orbs[0], c.table.orbs[1], c.table.focus) == (1, 0, 0)


def test_precision_adds_to_every_combat_die_of_xylia_in_her_own_turn():
    c = Case("xylia", "klethor")
    assert plus_on(c.box, c.table, 0) == 0
    c.table.precision = 1
    assert (plus_on(c.box, c.table, 0), plus_on(c.box, c.table, 1)) == (1, 0)
    c.table.active = 1
    assert plus_on(c.box, c.table, 0) == 0


def test_the_aura_heals_all_on_the_tile_but_raises_nobody():
    c = Case("shavi", "xylia", "klethor", "bethras")
    away = c.lay("vortex", 0, -1)
    c.table.a_left = 1
    for s, hearts in enumerate((2, 0, 5, 3)):
        c.table.hp[s] = hearts
    c.table.at[3] = away
    act(c, Verb.AURA)
    assert [c.table.hp[s] for s in range(4)] == [3, 0, 5, 3] and c.table.a_left == 0


def test_the_remedy_takes_off_one_marker_of_a_hero_on_the_tile():
    c = Case("bethras", "xylia", "klethor")
    c.table.a_left, c.table.poison[1], c.table.entangled[1], c.table.poison[2] = 1, 1, 1, 1
    c.table.at[2] = c.lay("vortex", 0, -1)
    offered = {o[1:] for o in options(c) if o[0] == Verb.REMEDY}
    assert offered == {(1, Effect.POISON), (1, Effect.ENTANGLE)}
    act(c, Verb.REMEDY, 1, Effect.ENTANGLE)
    assert (c.table.poison[1], c.table.entangled[1], c.table.a_left) == (1, 0, 0)


# --- the enraged boss, and lairs ------------------------------------------------------------------------


@pytest.mark.parametrize("guess", EnragedBoss.labels())
def test_the_enraged_boss_is_stronger_in_the_way_that_is_guessed(guess):
    def strength(name):
        c = Case("bethras", "xylia", setup={"enraged_boss": name, "boss": "snake_matriarch"})
        c.table.boss_at = c.lay("boss", 0, -1)
        reveal_boss(c.box, c.table, c.hidden, Reveal.BY_ENTRY)
        found = {"hearts": hearts_of(c.box, c.table, BOSS_FOE), "sword": sword_of(c.box, c.table, BOSS_FOE),
                 "track": c.table.threat}
        meet_boss(c.box, c.table)
        return {**found, "skills": c.table.todo_n}

    usual, enraged = strength("none"), strength(guess)
    assert [name for name in usual if enraged[name] > usual[name]] == ([] if guess == "none" else [guess])


def lair():
    c, p = at("lair_glade", "bethras", "xylia", "klethor", setup={"lairs": True})
    c.table.lair_open[p] = 1
    c.table.at[2] = 0
    return c


def test_a_lair_is_entered_once_with_a_card_of_each_deck_and_who_comes_along():
    c = lair()
    assert (Verb.ENTER_LAIR, 0, 0) in options(c)
    before = c.table.todo_n
    enter_lair(c.table, c.hidden)
    assert c.table.lair_gone[c.hidden.lair_a[0]] and c.table.lair_gone[4 + c.hidden.lair_b[0]]
    assert [c.table.lair_party[s] for s in range(3)] == [Part.ALONGSIDE, Part.ABSENT, Part.ABSENT]
    assert c.table.todo_n == before + 2  # the first step, and the question to Xylia; Klethor is elsewhere
    c.table.in_lair = 0
    assert Verb.ENTER_LAIR not in {o[0] for o in options(c)}


def test_each_event_of_a_lair_moves_the_die_one_space_unless_it_moved_it_itself():
    c = lair()
    enter_lair(c.table, c.hidden)
    lair_next(c.box, c.table)
    assert (c.table.lair_space, c.table.lair_events) == (2, 1)
    c.table.moved_rule, c.table.lair_space = 1, 0
    lair_next(c.box, c.table)
    assert c.table.lair_space == 1


def test_a_lair_that_is_won_pays_and_one_that_is_lost_costs_the_others():
    c = lair()
    enter_lair(c.table, c.hidden)
    c.table.todo_n = 0
    win_lair(c.box, c.table)
    rewards = [tuple(int(x) for x in c.table.todo[i])[1:3] for i in range(c.table.todo_n)][2:]
    card = c.box.lair_reward[c.table.lair_b]
    assert sorted(rewards) == sorted((int(e), int(n)) for e, n in card if e != Effect.NOTHING) and rewards
    assert c.table.lairs_done == 1 and not c.table.in_lair
    c = lair()
    enter_lair(c.table, c.hidden)
    c.table.todo_n, c.table.hp[0] = 0, 0
    lose_lair(c.box, c.table, c.hidden)
    malus = c.box.lair_malus[c.table.lair_b]
    suffered = [tuple(int(x) for x in c.table.todo[i])[1:4] for i in range(c.table.todo_n)]
    assert suffered and sorted(suffered) == sorted((int(e), int(n), 1) for e, n in malus if e != Effect.NOTHING)


# --- readings without a switch --------------------------------------------------------------------------


def test_any_dice_may_be_kept_but_at_least_one():
    c = Case("bethras", "xylia")
    for i, face in enumerate((1, 3, 4, 6)):
        c.table.die[i] = face
    out = np.zeros(GAME.max_options, np.int64)
    masks = [first_of(int(x)) for x in out[: keep_options(c.table, out)]]
    assert sorted(masks) == list(range(1, 16))


def test_no_step_into_the_unknown_where_the_stack_is_empty():
    c = Case("bethras", "xylia")
    c.table.moves = 2
    risky = {o for o in options(c) if o[0] == Verb.RISKY_STEP}
    assert risky
    c.table.stack_n = 0
    assert not {o for o in options(c) if o[0] == Verb.RISKY_STEP}


def test_leaf_shields_stay_until_they_are_used():
    c = Case("klethor", "xylia")
    c.table.at[0] = c.lay("boss", 0, -1)
    c.boss(0, c.table.at[0])
    c.table.foe, c.table.joined[0], c.table.boss_leaf = BOSS_FOE, Part.ALONGSIDE, 2
    c.show((1, 0))  # no hit
    assert hits_after_leaves(c.box, c.table) == 0 and c.table.boss_leaf == 2
    c.show((6, 0))
    assert hits_after_leaves(c.box, c.table) == 0 and c.table.boss_leaf == 1
    meet_boss(c.box, c.table)
    assert c.table.boss_leaf == 1


def test_the_stack_of_chapter_5_holds_all_tiles_but_those_laid_out():
    c = Case("bethras", "xylia", setup={"mode": "chapter 5"})
    laid = {int(c.table.tile_of[p]) for p in range(c.table.places)}
    lying = {int(t) for t in c.hidden.stack[: c.table.stack_n]}
    wanted = {t for t in range(len(TILE)) if c.box.special[t] not in (Special.START, Special.INN)}
    missing = wanted - lying - laid
    assert not lying & laid and len(missing) <= 1  # the tile that is about to be placed, if any
    assert {int(c.box.lay_tile[2, i]) for i in range(c.box.c5_tiles)} <= laid


def test_a_boss_that_is_shown_is_not_revealed_again():
    c = Case("bethras", "xylia")
    c.table.boss_at = c.lay("boss", 0, -1)
    reveal_boss(c.box, c.table, c.hidden, Reveal.BY_ENTRY)
    boss, c.table.threat = c.table.boss, 3
    reveal_boss(c.box, c.table, c.hidden, Reveal.BY_ENTRY)
    assert (c.table.boss, c.table.threat, c.table.bosses_drawn) == (boss, 3, 1)


def test_the_event_of_a_bramble_card_is_drawn_once_by_the_active_hero():
    c = Case("bethras", "xylia", "klethor")
    row = next(i for i in range(18) if Effect.EVENT in [c.box.bramble_face[i, k, 0] for k in range(2)])
    c.table.brambles, c.table.todo_n = row // 6, 0
    bramble_face(c.box, c.table, row % 6, 0b111)
    events = [tuple(int(x) for x in c.table.todo[i])[1:4] for i in range(c.table.todo_n)
              if int(c.table.todo[i][1]) == Effect.EVENT]
    assert [(effect, who) for effect, _, who in events] == [(Effect.EVENT, 0)]


def test_a_bonus_for_the_first_roll_goes_when_the_die_is_rolled_again():
    c = Case("bethras", "xylia")
    c.show((3, 0), (4, 0))
    c.table.plus[0], c.table.plus[1] = 1, 1
    reroll(c.box, c.table, c.luck, 0)
    assert (c.table.plus[0], c.table.plus[1], c.table.rerolls[0]) == (0, 1, 1)


def test_an_ambush_on_entering_is_the_first_fight_there_and_no_flight_follows_it():
    c = Case("bethras", "xylia")
    c.lay("vortex", 0, -1)
    c.lay("campfire", 0, 1)
    c.table.moves, slot = 2, c.monster("plant")
    out = np.zeros(GAME.max_options, np.int64)

    def flights():
        return [int(x) for x in out[: prepare_options(c.box, c.table, out)] if verb_of(int(x)) == Verb.FLEE]

    assert c.table.fought_here == 0 and len(flights()) > 0
    begin_combat(c.box, c.table, c.monster("skeleton", slot=1), 1)
    assert c.table.fought_here == 1 and not flights() and c.table.mon_at[slot] == 0


def test_what_a_hero_does_not_have_cannot_be_lost():
    c = Case("bethras", "xylia")
    c.table.orbs[0] = 2
    assert lose_orbs(c.table, 0, 3) == 2 and c.table.orbs[0] == 0
    assert lose_orbs(c.table, 0, 3) == 0 and c.table.orbs[0] == 0


def test_orbs_reroll_the_active_heros_combat_dice_alone():
    c = Case("bethras", "xylia")
    c.show((1, 0), (2, 1), (3, 0, 2))
    out = np.zeros(GAME.max_options, np.int64)

    def rerolled():
        return [first_of(int(x)) for x in out[: reroll_options(c.box, c.table, out, 0)]]

    assert rerolled() == []
    c.table.orbs[0] = 1
    assert rerolled() == [0]  # not the companion's, nor the power die


# --- ways through several rules -------------------------------------------------------------------------


def test_a_risky_move_gains_an_orb_and_leads_onto_the_tile_that_is_laid():
    c = Case("bethras", "xylia")
    c.table.moves = 1
    way = next(o for o in options(c) if o[0] == Verb.RISKY_STEP)
    take_act(c.box, c.table, c.hidden, c.luck, *way)
    c.go()
    assert c.table.kind == Kind.PLACE and c.table.orbs[0] == 1 and c.table.at[0] == 0 and c.table.moves == 0
    cells = {a for _, a, _ in c.options()}
    assert cells == {CENTRE + BESIDE[way[1]]}  # on the cell that was announced, turned as one likes
    left = c.table.stack_n
    c.take(*c.options()[0])
    place = c.table.grid[CENTRE + BESIDE[way[1]]] - 1
    assert place > 0 and c.table.at[0] == place and c.table.stack_n == left and c.table.risky_steps == 1


def test_a_lairs_monsters_are_fought_until_one_side_is_beaten():
    c = lair()
    enter_lair(c.table, c.hidden)
    c.table.todo_n = 0
    lair_fight(c.box, c.table, c.hidden, c.luck, 2)
    inside = [m for m in range(TOKENS) if c.table.mon_at[m] == IN_LAIR]
    assert len(inside) == 2 and all(c.table.mon_type[m] >= 0 for m in inside)
    assert [int(c.table.todo[i][0]) for i in range(c.table.todo_n)] == [Task.MEET]
    c.table.todo_n = 0
    for m in inside:
        c.table.mon_fought[m] = c.table.visit
    meet_again(c.table)
    assert int(c.table.todo[0][0]) == Task.MEET and c.table.todo_n == 1
    assert lowest_shield(c.box, c.table, c.table.at[0]) < NO_SHIELD  # they are met once more
    for m in inside:
        c.table.mon_at[m] = -1
    c.table.todo_n = 0
    meet_again(c.table)
    assert c.table.todo_n == 0


def test_the_skill_of_a_boss_comes_before_its_combat_which_comes_once_a_turn():
    c = Case("klethor", "xylia")
    c.table.at[0] = c.lay("boss", 0, -1)
    c.boss(0, c.table.at[0])
    c.table.todo_n = 0
    meet_boss(c.box, c.table)
    assert [int(c.table.todo[i][0]) for i in range(c.table.todo_n)] == [Task.COMBAT, Task.SKILL]  # the last comes first
    assert c.table.boss_fought == 1
    c.table.todo_n = 0
    meet(c.box, c.table)
    assert c.table.todo_n == 0  # not again in this turn


def test_a_tile_on_a_corrupted_cell_takes_its_marker():
    c = Case("bethras", "xylia", setup={"mode": "chapter 5"})
    cell = c.table.corrupt_cell[0] if c.table.corrupt_cells else 0
    if not cell:
        cell = CENTRE + BESIDE[0]
        c.table.corrupt_cell[0], c.table.corrupt_cells = cell, 1
    before = c.table.corrupt_cells
    p = lay_tile(c.box, c.table, TILE.index("vortex"), cell, 0)
    settle_cell(c.box, c.table, c.hidden, p)
    assert c.table.corrupt[p] and c.table.corrupt_cells == before - 1
    other = lay_tile(c.box, c.table, TILE.index("campfire"), cell + 2 * SIDE, 0)
    settle_cell(c.box, c.table, c.hidden, other)
    assert not c.table.corrupt[other] and c.table.corrupt_cells == before - 1


def test_cards_go_to_any_hero_with_a_free_slot_between_two_chapters():
    c = Case("bethras", "xylia", setup={"mode": "campaign"})
    c.give(0, "mace")
    c.give(1, "sword", "axe", "boots")
    out = np.zeros(GAME.max_options, np.int64)
    found = {(verb_of(int(x)), first_of(int(x)), second_of(int(x))) for x in out[: trade_options(c.box, c.table, out)]}
    assert found == {(Verb.STOP, 0, 0), *((Verb.GIVE, 3 + slot, 0) for slot in range(3))}  # Xylia has no free slot


def test_a_card_of_the_inn_is_paid_for_or_does_nothing():
    c = Case("bethras", "xylia", setup={"inn": True})
    draw_inn(c.box, c.table, c.hidden, c.luck)
    assert c.table.inn_n == 4
    c.table.inn_n, price = 1, 2
    c.box.inn_price[c.hidden.inn[0]] = price
    for orbs, left, effects in ((1, 1, 0), (3, 1, 1)):
        c.table.inn_n, c.table.orbs[0], c.table.todo_n = 1, orbs, 0
        draw_inn(c.box, c.table, c.hidden, c.luck)
        assert c.table.orbs[0] == left and (c.table.todo_n > 0) == effects and c.table.inn_n == 0


def test_a_hero_that_starts_on_corruption_has_a_move_die_less_by_the_other_reading():
    for reading, moves in (("extra_die", 2), ("one_less_die_per_turn", 1)):
        c = Case("bethras", "xylia", setup={"mode": "chapter 5"}, rules={"switches.ch5_minus_move": reading})
        for p in range(c.table.places):
            c.table.corrupt[p] = 1
        c.table.corrupt_tiles, c.table.moves, c.table.at[0] = 5, 2, 0
        assert row_of(c.box, c.table) == 2
        fewer_moves(c.box, c.table)
        assert c.table.moves == moves


def test_a_boss_tile_that_is_entered_shows_its_boss():
    c = Case("bethras", "xylia")
    c.table.boss_at = c.lay("boss", 0, -1)
    turn_over(c.box, c.table, c.hidden, c.luck, 0, 1)
    assert not c.table.boss_shown
    turn_over(c.box, c.table, c.hidden, c.luck, c.table.boss_at, 1)
    assert c.table.boss_shown and c.table.reveal_how == Reveal.BY_ENTRY and c.table.threat == 1


def test_nobody_is_held_fast_longer_than_the_turn():
    c = Case("bethras", "xylia")
    c.table.moves, c.table.immobile[0] = 2, 1
    c.lay("vortex", 0, -1)
    assert not {o[0] for o in options(c)} & {Verb.STEP, Verb.RISKY_STEP}
    end_turn(c.box, c.table)
    assert Verb.STEP in {o[0] for o in options(c)}


def test_klethor_takes_along_whoever_wants_to_come():
    c = Case("klethor", "xylia", "bethras")
    p = c.lay("vortex", 0, -1)
    c.table.moves, c.table.transport, c.table.hp[2] = 1, 1, 0
    way = next(o for o in options(c) if o[0] == Verb.STEP)
    take_act(c.box, c.table, c.hidden, c.luck, *way)
    c.go()
    asked = []
    while c.table.kind == Kind.TRAVEL_ALONG:
        asked.append(int(c.table.seat))
        c.take(Verb.YES if c.table.seat == 2 else Verb.NO)  # Bethras is down, and travels all the same
        if len(asked) == 2:
            break
    assert sorted(asked) == [1, 2] and [int(c.table.at[s]) for s in range(3)] == [p, 0, p]


def test_an_event_deck_that_is_empty_is_shuffled_anew_or_stays_empty():
    for reading, left in (("reshuffle", 11), ("none", 0)):
        c = Case("bethras", "xylia", rules={"switches.deck_empty": reading})
        c.table.event_n = 0
        draw_event(c.box, c.table, c.hidden, c.luck, 0)
        assert c.table.event_n == left and c.table.events_drawn == (reading == "reshuffle")


def test_despair_costs_all_orbs_or_all_loot():
    for reading, orbs, cards in (("orbs", 0, 2), ("loot", 3, 0)):
        c = Case("bethras", "xylia", setup={"mode": "chapter 5"}, rules={"switches.despair_cost": reading})
        c.give(0, "mace", "sword")
        c.table.orbs[0] = 3
        take_totem(c.box, c.table, Verb.DESPERATE_TOTEM, 1)
        assert (c.table.orbs[0], sum(c.table.loot[0][i] > 0 for i in range(3))) == (orbs, cards)
        assert c.table.totems == 2


def test_the_sword_of_the_second_row_of_corruption_may_go_on_in_the_third():
    for reading, more in (("own", 0), ("cumulative", 1)):
        c = Case("bethras", "xylia", setup={"mode": "chapter 5"}, rules={"switches.ch5_rows": reading})
        m = c.monster("plant", 0)
        plain = sword_of(c.box, c.table, m)
        c.table.corrupt[0] = 1
        for tiles, wanted in ((3, 0), (5, 1), (9, more)):
            c.table.corrupt_tiles = tiles
            assert sword_of(c.box, c.table, m) == plain + wanted


# --- measures -------------------------------------------------------------------------------------------


def test_the_task_of_chapter_1_is_counted_in_markers_and_potions():
    c = Case("bethras", "xylia", setup={"mode": "chapter 1"})
    assert task_done(c.box, c.table) == 0
    c.table.quest_gone[2] = c.table.quest_gone[7] = 1
    assert task_done(c.box, c.table) == 10
    c.table.potions = 1
    assert task_done(c.box, c.table) == 35


def test_a_game_may_end_in_each_of_five_chapters_or_in_none():
    chapter = next(measure for measure in GAME.measures if measure.name == "chapter")
    assert len(chapter.labels) == 6 and chapter.labels[1:] == tuple(f"chapter {n}" for n in range(1, 6))


# --- dice on slots, and the die of a lair ---------------------------------------------------------------


@pytest.mark.parametrize("hero, found", [
    ("xylia", {"agility": 1, "precision": 1}), ("klethor", {"transport": 1, "stance": 1}),
    ("shavi", {"a_left": 1, "b_left": 1}), ("bethras", {"a_left": 1, "b_left": 1})])
def test_dice_on_a_heros_own_slots_are_good_for_its_own_actions(hero, found):
    c = Case(hero, "xylia" if hero != "xylia" else "klethor")
    for i, slot in enumerate((Slot.MOVE, Slot.FOCUS, Slot.A, Slot.B)):
        c.table.die_slot[i] = slot
    ready_hero(c.box, c.table)
    names = ("agility", "precision", "transport", "a_left", "b_left")
    seen = {name: int(getattr(c.table, name)) for name in names} | {"stance": int(c.table.stance[0])}
    assert {name: n for name, n in seen.items() if n} == found
    assert (c.table.moves, c.table.focus, c.table.summoned) == (1, 1, 0)
    for i in range(4):
        c.table.die_slot[i] = Slot.SUMMON if i < 2 else Slot.MOVE
    ready_hero(c.box, c.table)
    assert (c.table.moves, c.table.focus, c.table.summoned) == (2, 0, 1)


def test_a_step_onto_a_corrupted_empty_cell_costs_as_much_as_onto_a_tile():
    for reading, cost in (("extra_die", 2), ("one_less_die_per_turn", 1)):
        c = Case("bethras", "xylia", setup={"mode": "chapter 5"}, rules={"switches.ch5_minus_move": reading})
        cell = CENTRE + 3 * SIDE
        c.table.corrupt_cell[0], c.table.corrupt_cells, c.table.corrupt_tiles = cell, 1, 5
        assert risk_cost(c.box, c.table, cell) == cost and risk_cost(c.box, c.table, cell + 1) == 1
        c.table.corrupt_tiles = 2
        assert risk_cost(c.box, c.table, cell) == 1


def test_a_lair_is_explored_when_its_die_has_passed_the_third_space():
    c = lair()
    enter_lair(c.table, c.hidden)
    for space in (1, 2, 3):
        c.table.lair_space, c.table.todo_n = space, 0
        lair_step(c.box, c.table, c.luck)
        tasks = [int(c.table.todo[i][0]) for i in range(c.table.todo_n)]
        assert tasks[0] == Task.LAIR_NEXT and c.table.lairs_done == 0 and c.table.in_lair
    c.table.lair_space = 4
    lair_step(c.box, c.table, c.luck)
    assert c.table.lairs_done == 1 and not c.table.in_lair
