"""The five chapters and the campaign, rule by rule."""

import numpy as np
import pytest
from woodlands_case import TILE, Case

from hardmode.sim.games.woodlands.agenda import Task, push
from hardmode.sim.games.woodlands.campaign import settle, wake
from hardmode.sim.games.woodlands.chapters.ch1 import brew, can_brew
from hardmode.sim.games.woodlands.chapters.ch2 import carries, check_2, march_2, orbs_at_well, robbed
from hardmode.sim.games.woodlands.chapters.ch3 import advance, check_3, round_3
from hardmode.sim.games.woodlands.chapters.ch4 import camps_clear, check_4, reveal_camp
from hardmode.sim.games.woodlands.chapters.ch5 import check_5, count, enter_corrupted, spread, take_purify
from hardmode.sim.games.woodlands.combat_result import beat_boss
from hardmode.sim.games.woodlands.fight_or_flee import may_leave, step_cost
from hardmode.sim.games.woodlands.foes import shield_of, sword_of
from hardmode.sim.games.woodlands.monsters import lay_away, monsters_at
from hardmode.sim.games.woodlands.names import (
    CARDS,
    NOWHERE,
    TOKENS,
    CardPlace,
    Ending,
    Hero,
    Kind,
    Mode,
    Monster,
    Verb,
)

pytestmark = pytest.mark.plain


def chapter(n, *heroes, **kwargs):
    heroes = heroes or ("bethras", "xylia")
    setup = {"mode": f"chapter {n}", **kwargs.pop("setup", {})}
    return Case(*heroes, setup=setup, **kwargs)


def place(c, name):
    return next(p for p in range(c.table.places) if c.table.tile_of[p] == TILE.index(name))


def clear(c):
    """Take every monster off the board."""
    for m in range(TOKENS):
        if c.table.mon_at[m] >= 0:
            c.hidden.mon_stack[c.table.mon_n] = c.hidden.mon_id[m]
            c.table.mon_n += 1
            c.table.mon_at[m] = NOWHERE


# --- chapter 1 ----------------------------------------------------------------------------------------


def test_chapter_1_plays_without_some_tiles_and_the_antidotes():
    c = chapter(1)
    assert c.table.stack_n + 1 == 17 and c.table.boss_at == -1
    assert sum(c.table.loot_where[i] == CardPlace.OUT for i in range(CARDS)) == 2
    assert sorted(c.hidden.quest[i] for i in range(8)) == list(range(8))


def test_a_potion_takes_three_colours_a_vial_and_two_orbs():
    c = chapter(1)
    fire = c.lay("campfire", 0, -1)
    c.table.at[0], c.table.moves, c.table.orbs[0] = fire, 3, 2
    for k in range(4):
        assert not can_brew(c.box, c.table, 0)
        c.table.markers[0][k] = 1
    assert can_brew(c.box, c.table, 0)
    brew(c.box, c.table, c.hidden, c.luck, 0, fire)
    assert (c.table.potions, c.table.moves, c.table.orbs[0]) == (1, 0, 0)
    assert [c.table.markers[0][k] for k in range(4)] == [0, 0, 0, 0]


def test_the_second_potion_calls_one_monster_more_than_heroes():
    c = chapter(1, "bethras", "xylia", "klethor")
    fire = c.lay("campfire", 0, -1)
    c.table.potions, c.table.orbs[0] = 1, 2
    brew(c.box, c.table, c.hidden, c.luck, 0, fire)
    assert monsters_at(c.table, fire) == 4 and c.table.over == 0
    for m in range(4):
        lay_away(c.table, c.hidden, m)
    push(c.table, Task.CHAPTER_WON, 0, 0, 0)
    c.go()
    assert c.table.ending == Ending.CHAPTER_WON


def test_search_turns_a_marker_over_and_a_full_hero_pays_a_card():
    c = chapter(1)
    p = c.lay("green_thicket", 0, -1)
    c.table.at[0], c.table.quest_down[p], c.hidden.quest_at[p] = p, 1, 6
    c.give(0, "sword", "axe", "mace")
    push(c.table, Task.ACT, 0, 0, 0)
    c.go()
    c.take(Verb.SEARCH)
    assert c.table.quest_down[p] == 5       # a vial
    c.take(Verb.PICK_UP, 2)
    assert c.table.markers[0][3] == 1 and c.table.loot[0][1] == 0


# --- chapter 2 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("heroes", "dealt"), [(2, [2, 2]), (3, [2, 1, 1]), (4, [1, 1, 1, 1])])
def test_the_orb_tokens_are_dealt_evenly(heroes, dealt):
    c = chapter(2, *Hero.labels()[:heroes])
    assert [carries(c.table, s) for s in range(heroes)] == dealt


def test_well_and_vortex_lie_in_the_lower_half():
    for key in range(1, 20):
        c = chapter(2, key=key)
        stack = [c.hidden.stack[i] for i in range(19)]
        assert c.table.stack_n + 1 == 19
        assert stack.index(TILE.index("energy_well")) < 10 and stack.index(TILE.index("vortex")) < 10


def test_eleven_more_orbs_when_two_tokens_are_left():
    c = chapter(2, "bethras", "xylia", "klethor")
    well = c.lay("energy_well", 0, -1)
    for s in range(3):
        c.table.at[s] = well
        for i in range(4):
            c.table.carried[s][i] = 0
    values = [c.box.well_value[i] for i in range(4)]
    c.table.carried[0][values.index(3)] = c.table.carried[1][values.index(2)] = 1
    c.table.orbs[0], c.table.orbs[1] = 10, 0
    check_2(c.box, c.table)
    assert c.table.over == 0 and orbs_at_well(c.box, c.table) == 15
    c.table.orbs[1] = 3
    check_2(c.box, c.table)
    assert c.table.over == Ending.CHAPTER_WON + 1 and c.table.orbs[0] + c.table.orbs[1] == 2


def test_a_lost_combat_loses_one_token_and_a_win_brings_it_back():
    c = chapter(2)
    m = c.monster("skeleton")
    robbed(c.box, c.table, m)
    assert carries(c.table, 0) == 1 and c.table.mon_orbs[m] > 0
    c.resolve(m, (6, 0), (6, 0))
    assert carries(c.table, 0) == 2


def test_hunters_walk_to_the_nearest_carrier_and_thieves_home():
    c = chapter(2)
    for x in (1, 2, 3):
        c.lay("violet_trail", x, 0, 90)
    hunter, thief = c.monster("plant", 3), c.monster("snake", 3, 1)
    c.table.mon_orbs[thief] = 1
    march_2(c.box, c.table, c.luck, 0)
    c.go()
    assert (c.table.mon_at[hunter], c.table.mon_at[thief]) == (2, 1)


def test_all_tokens_lost_on_the_first_tile_lose_the_chapter():
    c = chapter(2)
    m = c.monster("plant", 0)
    c.table.mon_orbs[m] = 15
    push(c.table, Task.MARCH, 0, 0, 0)
    c.go()
    assert c.table.ending == Ending.ORBS_LOST


# --- chapter 3 ----------------------------------------------------------------------------------------


def test_the_layout_of_chapter_3_has_the_markers_of_the_text():
    c = chapter(3)
    assert c.table.places == 11 and c.table.stack_n == 0
    assert sum(c.table.mon_at[m] >= 0 for m in range(TOKENS)) == 7
    assert sum(c.table.chests[p] for p in range(11)) == 3 and sum(c.table.events[p] for p in range(11)) == 1
    assert monsters_at(c.table, 0) == 0 and c.table.tokens[0] == 0


def test_monsters_stop_where_they_meet_a_hero():
    c = chapter(3)
    clear(c)
    m = c.monster("plant", place(c, "green_crossroads"))
    c.table.at[0] = place(c, "bramble_pass")
    c.table.at[1] = place(c, "thorny_cache")
    advance(c.box, c.table, c.luck, 2)
    assert c.table.mon_at[m] == c.table.at[0]
    c.table.at[0] = place(c, "campfire")
    advance(c.box, c.table, c.luck, 2)
    assert c.table.mon_at[m] == 0
    round_3(c.box, c.table, c.hidden, c.luck)
    assert c.table.over == Ending.WELL_OVERRUN + 1


def test_round_three_spawns_two_on_each_rune_and_round_five_brings_the_boss():
    c = chapter(3)
    clear(c)
    c.table.chapter_round = 3
    round_3(c.box, c.table, c.hidden, c.luck)
    assert sum(c.table.mon_at[m] >= 0 for m in range(TOKENS)) == 10
    c.table.chapter_round = 5
    round_3(c.box, c.table, c.hidden, c.luck)
    assert c.table.boss_shown == 1 and c.table.threat == 1


def test_chapter_3_is_won_with_a_boss_and_ten_monsters():
    c = chapter(3)
    c.table.beaten[Monster.PLANT] = 10
    check_3(c.box, c.table)
    assert c.table.over == 0
    c.table.bosses_beaten = 1
    check_3(c.box, c.table)
    assert c.table.over == Ending.CHAPTER_WON + 1


def test_no_flight_from_two_monsters_in_chapter_3():
    c = chapter(3)
    clear(c)
    c.monster("plant", 0, 0)
    assert may_leave(c.box, c.table)
    c.monster("snake", 0, 1)
    assert not may_leave(c.box, c.table)


# --- chapter 4 ----------------------------------------------------------------------------------------


def test_three_heroes_deal_five_cards_to_four_piles():
    c = chapter(4, "bethras", "xylia", "klethor")
    assert [c.table.pile_n[k] for k in range(4)] == [2, 1, 1, 1]
    assert sum(c.table.mon_at[m] >= 0 for m in range(TOKENS)) == 11
    assert sum(c.table.camp[p] == 1 for p in range(c.table.places)) == 4


def camp(c, kind, name="violet_trail"):
    clear(c)
    p = place(c, name)
    c.table.at[0], c.hidden.camp_at[p] = p, kind
    reveal_camp(c.box, c.table, c.hidden, c.luck, p)
    return p


def test_the_horn_calls_all_within_three_tiles():
    c = chapter(4)
    clear(c)
    near, far = c.monster("plant", place(c, "violet_crossroads"), 5), c.monster("snake", place(c, "bramble_bend"), 6)
    p = place(c, "violet_trail")
    c.table.at[0], c.hidden.camp_at[p] = p, 0
    reveal_camp(c.box, c.table, c.hidden, c.luck, p)
    assert c.table.mon_at[near] == p and c.table.mon_at[far] != p


def test_the_ashes_leave_one_card_of_a_pile():
    c = chapter(4, "bethras", "xylia", "klethor")
    camp(c, 1)
    c.go()
    assert c.options() == [(Verb.PILE, 0, 0)]    # the one pile with more than one card
    c.take(Verb.PILE, 0)
    assert c.table.pile_n[0] == 1 and c.table.ashes_pile == 0


def test_the_sentinel_strengthens_another_camp():
    c = chapter(4)
    camp(c, 2)
    c.go()
    assert c.table.kind == Kind.SENTINEL and len(c.options()) == 3
    q = c.options()[0][1]
    m = c.monster("plant", q, 9)
    c.take(Verb.TARGET, q)
    assert shield_of(c.box, c.table, m) == 5


def test_the_trap_costs_two_hearts_and_entangles():
    c = chapter(4, "xylia", "bethras")
    camp(c, 3)
    assert c.table.hp[0] == 3 and c.table.entangled[0] == 1


def test_three_clear_camps_win_and_the_fourth_is_free_to_try():
    c = chapter(4)
    clear(c)
    for n, p in enumerate(p for p in range(c.table.places) if c.table.camp[p]):
        c.table.camp[p] = 2
        if n == 2:
            break
    assert camps_clear(c.table) == 3
    check_4(c.box, c.table)
    assert c.table.kind == Kind.GO_ON
    c.take(Verb.NO)
    assert c.table.ending == Ending.CHAPTER_WON


# --- chapter 5 ----------------------------------------------------------------------------------------


def corrupt(c, *places):
    for p in places:
        c.table.corrupt[p] = 1
    count(c.box, c.table)


def test_corruption_starts_on_the_dead_end_and_nothing_comes_behind_it():
    c = chapter(5)
    p = place(c, "double_dead_end")
    assert c.table.corrupt_tiles == 1 and c.table.supply == 9 and c.table.corrupt[p] == c.table.corrupt[p + 1] == 1
    assert c.table.barred == c.table.cell[p] + 1


def test_corruption_spreads_to_tiles_and_empty_cells_along_paths():
    c = chapter(5)
    spread(c.box, c.table, c.hidden)
    assert c.table.corrupt[1] == 1 and c.table.corrupt_tiles == 2 and c.table.corrupt_cells == 0
    spread(c.box, c.table, c.hidden)
    assert c.table.corrupt[0] == 1 and c.table.corrupt_tiles == 3
    spread(c.box, c.table, c.hidden)
    assert c.table.corrupt_cells == 3 and c.table.supply == 4


def test_a_needed_marker_that_is_not_there_loses():
    c = chapter(5)
    c.table.supply = 0
    spread(c.box, c.table, c.hidden)
    assert c.table.over == Ending.CANNOT_SPREAD + 1


@pytest.mark.parametrize(("tiles", "shield", "sword", "cost"), [(3, 5, 2, 1), (4, 5, 3, 2), (9, 4, 2, 1)])
def test_the_rows_of_corruption(tiles, shield, sword, cost):
    c = chapter(5)
    m = c.monster("plant", 1)
    corrupt(c, 0, 1)
    c.table.corrupt_tiles = tiles
    assert (shield_of(c.box, c.table, m), sword_of(c.box, c.table, m)) == (shield, sword)
    assert step_cost(c.box, c.table, 1) == cost


def test_nine_corrupted_tiles_cost_a_card_or_the_hero():
    c = chapter(5)
    corrupt(c, 0, 1)
    c.table.corrupt_tiles = 9
    enter_corrupted(c.box, c.table, c.hidden, c.luck, 1)
    assert c.table.hp[0] == 0 and monsters_at(c.table, 1) == 1


def test_ten_corrupted_tiles_lose():
    c = chapter(5)
    for x in range(-1, -8, -1):
        corrupt(c, c.lay("violet_trail", x, 0, 90))
    assert c.table.over == 0
    corrupt(c, 0, 1)
    assert c.table.over == Ending.TOO_WIDE + 1


def test_a_totem_takes_the_die_and_purifies():
    c = chapter(5, "bethras", "xylia")
    p = c.lay("orange_fork", 0, -1)
    c.table.at[0], c.table.summoned = p, 1
    corrupt(c, p)
    push(c.table, Task.ACT, 0, 0, 0)
    c.go()
    c.take(Verb.TOTEM, Hero.BETHRAS)
    assert c.table.totems == 1 << Hero.BETHRAS and c.table.summoned == 0
    assert {o[1] for o in c.options() if o[0] == Verb.TARGET} == {p}
    before = c.table.supply
    take_purify(c.box, c.table, Verb.TARGET, p)
    assert c.table.supply == before + 1 and c.table.corrupt[p] == 0


def test_despair_costs_all_orbs_and_needs_one():
    c = chapter(5, "bethras", "xylia")
    p = c.lay("green_thicket", 0, -1)
    c.table.at[0], c.table.summoned = p, 1
    push(c.table, Task.ACT, 0, 0, 0)
    c.go()
    assert all(o[0] != Verb.DESPERATE_TOTEM for o in c.options())
    c.table.orbs[0] = 4
    c.take(Verb.DESPERATE_TOTEM, Hero.XYLIA)
    assert c.table.orbs[0] == 0 and c.table.totems == 1 << Hero.XYLIA


def test_four_totems_win_only_without_a_boss():
    c = chapter(5)
    c.table.totems = 15
    c.lay("boss", 0, -1, markers=True)
    check_5(c.table)
    assert c.table.over == 0
    c.table.boss_shown, c.table.boss_alive = 1, 0
    check_5(c.table)
    assert c.table.over == Ending.CHAPTER_WON + 1


# --- the campaign -------------------------------------------------------------------------------------


def campaign(*heroes, **kwargs):
    return Case(*(heroes or ("bethras", "xylia")), setup={"mode": "campaign", **kwargs})


def test_the_most_beaten_type_wakes():
    c = campaign()
    assert c.table.campaign == 1 and Mode.CAMPAIGN == 6 and c.table.chapter == 1
    c.table.beaten[Monster.PLANT], c.table.beaten[Monster.SNAKE] = 3, 2
    wake(c.box, c.table, c.luck)
    assert [c.table.enraged[k] for k in range(5)] == [0, 0, 0, 1, 0]
    wake(c.box, c.table, c.luck)               # already enraged: one of the others, by lot
    assert sum(c.table.enraged[k] for k in range(5)) == 2


def over(c, ending):
    c.table.over = ending + 1
    settle(c.box, c.table, c.luck)


def test_chapter_3_is_played_with_two_enraged_types():
    c = campaign()
    for kind in (Monster.PLANT, Monster.SKELETON):
        c.table.beaten[kind] += 9
        over(c, Ending.CHAPTER_WON)
    assert c.table.chapter == 3 and sum(c.table.enraged[k] for k in range(5)) == 2


def test_what_carries_over():
    c = campaign()
    c.table.hp[0], c.table.orbs[0], c.table.powers[0] = 2, 4, 1
    over(c, Ending.CHAPTER_WON)
    assert (c.table.hp[0], c.table.orbs[0], c.table.powers[0]) == (5, 0, 1)
    c.table.hp[0], c.table.hp[1], c.table.orbs[0] = 2, 0, 4
    over(c, Ending.CHAPTER_WON)
    assert (c.table.hp[0], c.table.hp[1], c.table.orbs[0]) == (3, 1, 4)


def test_a_failed_chapter_is_played_again_with_a_card_less():
    from hardmode.sim.games.woodlands.campaign import keep

    c = campaign()
    c.table.chapter = 2
    c.give(0, "mace", "sword")
    keep(c.table)
    c.table.loot[0][1], c.table.powers[0], c.table.orbs[0] = 0, 2, 7
    over(c, Ending.ALL_DOWN)
    assert c.table.chapter == 2 and c.table.tries_of[2] == 1
    assert [c.table.loot[0][i] > 0 for i in range(3)] == [True, True, False]
    assert (c.table.powers[0], c.table.orbs[0], c.table.ending) == (0, 0, -1)
    tasks = [int(c.table.todo[i][0]) for i in range(c.table.todo_n)]
    assert tasks.count(Task.GIVE_UP) == 2 and tasks[0] == Task.CHAPTER


def test_a_campaign_is_abandoned_after_its_tries():
    c = Case("bethras", "xylia", setup={"mode": "campaign"}, rules={"limit.tries": 2})
    over(c, Ending.ALL_DOWN)
    assert c.table.ending == -1
    over(c, Ending.ALL_DOWN)
    assert c.table.ending == Ending.CAMPAIGN_STALLED


def test_the_bosss_treasure_is_kept_for_the_next_chapter():
    c = campaign()
    c.table.chapter = 3
    c.boss(0, c.lay("boss", 0, -1, markers=True))
    assert c.table.chests[c.table.boss_at] == 0
    c.table.joined[0] = c.table.joined[1] = 1
    beat_boss(c.box, c.table)
    over(c, Ending.CHAPTER_WON)
    assert any(c.table.todo[i][0] == Task.REWARD and c.table.todo[i][2] == 3 for i in range(c.table.todo_n))


def test_a_campaign_plays_to_its_end_in_plain_python():
    import hardmode.strategies.woodlands as play
    from hardmode.scenarios.load import create_variant
    from hardmode.sim.games.woodlands import GAME
    from hardmode.sim.play.engine import Engine
    from hardmode.sim.play.player import Player
    from hardmode.sim.play.workspace import Workspace, allocate_rows

    box = create_variant("woodlands", players=2, setup={"mode": "campaign"}, rules={"limit.tries": 1}).box
    engine = Engine(GAME, box, [Player("steady", play.steady, tuple(play.WEIGHTS["steady"].values()), 0, "here")])
    out = allocate_rows(GAME, 2)
    engine.play(Workspace(GAME), 1, 0, 2, out)
    assert set(np.asarray(out)[0]) <= {Ending.CAMPAIGN_DONE, Ending.CAMPAIGN_STALLED}
