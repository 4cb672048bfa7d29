"""Run Run Run!: what is offered and what is not, the choice of a hero, and what the shipped strategies make of them."""

from math import comb

import numpy as np
import pytest
from maze_case import Case, hexagon
from test_run_run_run_rules import arena, road

from hardmode.scenarios.load import load_parameters, load_scenario
from hardmode.sim.draws import LUCK
from hardmode.sim.games.run_run_run import attacks, cooperate, explore, fight
from hardmode.sim.games.run_run_run.names import CARDS, CHOSEN, Hero, Kind, Mark, Mummy, Verb
from hardmode.sim.records import blank
from hardmode.strategies.run_run_run import STRATEGIES, WEIGHTS

pytestmark = pytest.mark.plain


def chosen(c, who="balanced"):
    """The option that a strategy takes."""
    codes = np.array(c.options(), np.int64)
    own = c.hidden.own[c.table.seat]
    weights = np.array(list(WEIGHTS[who].values()))
    return int(codes[STRATEGIES[who](c.box, c.table, own, codes, len(codes), blank(LUCK)[0], weights)])


# -- a hero -----------------------------------------------------------------------------------------


def test_a_hero_can_be_chosen_before_the_rooms_are_dealt():
    c = Case(1, setup={"heroes": ["chosen"]})
    assert c.table.kind == Kind.HERO and c.options() == list(Hero) and c.table.hand_n[0] == 0
    c.take(Hero.DIGGER)
    assert c.table.hero[0] == Hero.DIGGER and c.table.kind == Kind.FIRST_PLAYER and c.table.hand_n[0] == 5
    assert c.table.deck_n == 59


def test_no_hero_is_chosen_twice():
    c = Case(4, setup={"heroes": ["chosen", "brawler", "chosen", "any"]})
    drawn = c.table.hero[3]
    left = [h for h in Hero if h not in (Hero.BRAWLER, drawn)]
    assert c.table.seat == 0 and c.options() == left
    c.take(left[1])
    assert c.table.seat == 2 and c.options() == left[:1]
    c.take(left[0])
    assert [c.table.hero[s] for s in range(4)] == [left[1], Hero.BRAWLER, left[0], drawn]
    assert c.table.kind == Kind.FIRST_PLAYER and c.table.seat == 0


def test_whoever_plays_alone_chooses():
    assert load_scenario("run_run_run/solo").cells[0].box["hero"][0][0] == CHOSEN


@pytest.mark.parametrize("who", list(WEIGHTS))
def test_the_strategies_choose_the_best_fighter_that_is_free(who):
    c = Case(2, setup={"heroes": ["chosen", "chosen"]})
    assert chosen(c, who) == Hero.BRAWLER
    assert chosen(c.take(Hero.BRAWLER), who) == Hero.DRAWER


# -- what the box can bear --------------------------------------------------------------------------


def test_the_most_damage_can_be_split_in_as_many_ways_as_there_are():
    for path in [p for p in load_parameters("run_run_run") if p.endswith(".damage")]:
        most = int(load_parameters("run_run_run")[path].max)
        c = Case(4)
        road(c, 3)
        c.mummy(Mummy.BRUTE, 3)
        c.table.cat[:4] = 2
        c.box.damage[Mummy.BRUTE] = most
        codes = c.symbols(1).options()
        assert c.table.kind == Kind.SPLIT and len(codes) == len(set(codes)) == comb(most + 3, 3), path
        for code in codes:
            attacks.take_split(c.table, code)
            assert sum(c.table.share) == most


# -- what can make no difference --------------------------------------------------------------------


def test_no_passage_is_offered_where_exit_meets_exit():
    """Every turning of a Room with six exits meets the Vault's exit."""
    c = Case(1)
    c.hand(0, c.card(exits=6))
    c.token("passage")
    c.act().do(Verb.EXPLORE, hexagon(-1, 0))
    assert c.options() == [explore.NO_MORE]


def test_with_a_passage_only_rooms_with_a_wall_there_are_offered():
    c = Case(1)
    c.hand(0, c.card(exits=5), c.card(exits=6))
    c.token("passage")
    c.act().do(Verb.EXPLORE, hexagon(-1, 0))
    assert c.options() == [explore.NO_MORE, 0]
    assert {code % 64 for code in c.take(0).options()} == {0b111110}


@pytest.mark.parametrize("matching", ["strict", "lenient"])
def test_all_that_is_offered_with_a_passage_can_be_done(matching):
    for luck in range(10):
        c = Case(1, luck=luck, switches={"edge_matching": matching})
        c.room(1, 0, 0, 1, 3)
        c.token("passage")
        c.token("passage")
        c.act()
        for place in c.can(Verb.EXPLORE):
            c.act().do(Verb.EXPLORE, place)
            while c.table.kind == Kind.SIDES:
                c.take(c.options()[-1])
            assert c.options()


def test_tokens_alike_are_given_once():
    c = Case(2)
    i = c.token("shield", seat=1)
    c.token("shield", seat=1)
    c.discards()
    c.act().do(Verb.COOPERATE).take(1).take(CARDS).take(CARDS)
    assert c.options() == [cooperate.KEEP, i * 8]


# -- what the strategies do -------------------------------------------------------------------------


@pytest.mark.parametrize(("hp", "stack", "again"), [(30, "multiply", True), (5, "multiply", False), (30, "one", False)])
def test_a_second_double_is_played_where_it_counts_and_is_needed(hp, stack, again):
    c = arena(6, 6, 6, hp=hp, mummies__brute__hp=30, switches={"double_stack": stack})
    c.token("double")
    c.token("double")
    c.act().do(Verb.FIGHT, 2)
    c.take(next(o for o in c.options() if o < CARDS)).take(fight.SPEND_DOUBLE)
    assert (chosen(c) == fight.SPEND_DOUBLE) == again


@pytest.mark.parametrize(("rooms", "who", "digs"), [
    (1, "balanced", False), (2, "balanced", True), (1, "veteran", True)])
def test_steady_digs_only_where_a_trap_can_be_borne(rooms, who, digs):
    """Before that a mummy that a Trap wakes stands beside the Vault."""
    c = Case(2)
    for q in range(1, rooms + 1):
        c.room(q, 0, 0, 3)
    tomb, other = c.card("sarcophagus", exits=2), c.card("plain", lit=False, exits=2)
    c.box.pattern[other], c.box.turned[other] = c.box.pattern[tomb], c.box.turned[tomb]
    c.box.turns[other] = c.box.turns[tomb]
    c.hand(0, tomb, other)
    c.act().do(Verb.EXPLORE, hexagon(-1, 0))
    assert (c.table.mark[chosen(c, who) // 64] == Mark.SARCOPHAGUS) == digs
