"""Run Run Run!: each rule by an example; those with GT in the name are the worked examples of the rulebook
or follow from its text. Fixtures of the maze are reconstructions: the rulebook's figures are pictures."""

import pytest
from maze_case import Case, hexagon, sides

from hardmode.sim.games.run_run_run import attacks, explore, fight, mechanisms, mummies
from hardmode.sim.games.run_run_run.maze import walk_from
from hardmode.sim.games.run_run_run.names import ARGUMENTS, CARDS, FAR, USED, Ending, Hero, Kind, Mummy, Phase, Verb

pytestmark = pytest.mark.plain


# -- set-up -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_gt01_setup(players):
    c = Case(players)
    t = c.table
    assert (t.torches, t.hearts, t.pile_n, t.tokens_n, t.regroups, t.doors, t.torch_tokens) == (5, 0, 4, 17, 3, 3, 5)
    assert [t.hand_n[s] for s in range(players)] == [5] * players and t.deck_n == 64 - 5 * players
    assert mummies.power(c.box, t) == 1 and t.tiles_n == 1 and t.exits[0] == 63
    assert len({t.hero[s] for s in range(players)}) == players


def test_heroes_and_boss_can_be_chosen():
    c = Case(2, setup={"heroes": ["brawler", "any"], "boss": "boss10"})
    assert c.table.hero[0] == Hero.BRAWLER != c.table.hero[1] and c.hidden.boss == 1


def test_the_starting_hand_may_depend_on_the_number_of_players():
    for players, n in ((1, 6), (2, 5), (3, 4), (4, 3)):
        assert Case(players, hand__by_players=True).table.hand_n[0] == n


def test_who_starts_is_a_choice_and_rounds_count_from_him():
    c = Case(3)
    c.table.kind, c.table.turn = Kind.FIRST_PLAYER, 0
    c.take(2)
    assert c.table.active == 2 and c.table.turn == 1
    for seat, turn, round_ in ((0, 2, 1), (1, 3, 1), (2, 4, 2)):
        c.run(Phase.BETWEEN)
        assert (c.table.active, c.table.turn, c.table.round) == (seat, turn, round_)


# -- the mummies' actions ---------------------------------------------------------------------------


def road(c, n, q=1):
    """A straight corridor of n Rooms from the Vault to the right; tile i lies at distance i."""
    for i in range(q, q + n):
        c.room(i, 0, 0, 3)


def test_gt02_the_fifth_heart_wakes_a_mummy_on_any_room():
    c = Case()
    road(c, 3)
    c.set_pile(Mummy.BRUTE, Mummy.DICER, Mummy.RUNNER, Mummy.SNUFFER)
    c.table.hearts = 4
    c.symbols(1)
    assert c.table.kind == Kind.WAKING and c.table.waking == Mummy.BRUTE and c.options() == [1, 2, 3]
    c.take(3)
    assert c.table.at[Mummy.BRUTE] == 3 and c.table.hp[Mummy.BRUTE] == 5 and c.table.hearts == 0 and c.table.pile_n == 3


def test_hearts_wait_while_there_is_no_room():
    c = Case()
    c.table.hearts = 4
    c.symbols(1)
    assert c.table.kind == Kind.ACTION and c.table.hearts == 4


def test_gt20_surplus_hearts_go_on_the_next_card_and_the_woken_mummy_moves_on():
    c = Case()
    road(c, 4)
    c.set_pile(Mummy.BRUTE, Mummy.DICER, Mummy.RUNNER, Mummy.SNUFFER)
    c.table.hearts = 4
    c.symbols(2).take(4)
    assert c.table.at[Mummy.BRUTE] == 3 and c.table.hearts == 1


def test_gt21_dice():
    c = Case()
    road(c, 3)
    assert mummies.power(c.box, c.table) == 1
    c.mummy(Mummy.RUNNER, 3)
    assert mummies.power(c.box, c.table) == 2
    c.mummy(Mummy.DICER, 3)
    assert mummies.power(c.box, c.table) == 4
    c.mummy(Mummy.BRUTE, 3)
    c.mummy(Mummy.SNUFFER, 3)
    assert mummies.power(c.box, c.table) == 4
    c.box.power = 5
    assert mummies.power(c.box, c.table) == 4


def test_gt22_the_runner_moves_without_a_symbol_and_adds_no_heart():
    c = Case()
    road(c, 4)
    c.mummy(Mummy.RUNNER, 4)
    c.mummy(Mummy.BRUTE, 4)
    c.symbols(0)
    assert c.table.at[Mummy.RUNNER] == 3 and c.table.at[Mummy.BRUTE] == 4 and c.table.hearts == 0


def runner_meets_cat(**switches):
    c = Case(1, switches=switches)
    road(c, 4)
    c.mummy(Mummy.RUNNER, 4)
    c.table.cat[0] = 3
    c.hand_of(0, 4)
    c.symbols(2)
    return c


def test_gt23_a_cat_stops_a_mummy_for_the_rest_of_the_phase():
    c = runner_meets_cat()
    assert c.table.at[Mummy.RUNNER] == 3 and c.table.hand_n[0] == 3 and c.table.hearts == 2


def test_gt24_stop_scope_step():
    assert runner_meets_cat(stop_scope="step").table.at[Mummy.RUNNER] == 1


def test_gt25_a_mummy_in_the_vault_ends_the_game_even_past_a_cat():
    c = Case()
    road(c, 2)
    c.mummy(Mummy.BRUTE, 1)
    c.symbols(1)
    assert c.table.ending == Ending.VAULT_BRUTE and c.row["winners"] == 0


def test_gt26_the_active_player_chooses_among_shortest_paths():
    c = Case()
    c.room(1, 0, 0, 1, 3)
    c.room(0, 1, 0, 4)
    far = c.room(1, 1, 3, 4)
    c.mummy(Mummy.BRUTE, far)
    c.symbols(1, active=1)
    assert c.table.kind == Kind.PATH and c.table.seat == 1 and sorted(c.options()) == [1, 2]
    c.take(2)
    assert c.table.at[Mummy.BRUTE] == 2


def test_the_mummy_nearest_to_the_vault_moves_first():
    c = Case()
    road(c, 3)
    c.mummy(Mummy.DICER, 3)
    c.mummy(Mummy.SNUFFER, 2)
    c.table.movers = 0b1001
    assert mummies.next_mover(c.table) == Mummy.SNUFFER


def test_a_mummy_leaves_the_room_of_a_cat():
    c = Case(1)
    road(c, 3)
    c.mummy(Mummy.BRUTE, 3)
    c.table.cat[0] = 3
    c.symbols(1)
    assert c.table.at[Mummy.BRUTE] == 2 and c.table.hand_n[0] == 5


def test_a_mummy_waking_in_the_phase_gets_no_bonus_step():
    c = Case()
    road(c, 4)
    c.set_pile(Mummy.RUNNER, Mummy.DICER, Mummy.BRUTE, Mummy.SNUFFER)
    c.table.hearts = 4
    c.symbols(1).take(4)
    assert c.table.at[Mummy.RUNNER] == 4


def test_gt37_the_snuffer_takes_what_torches_there_are():
    for torches, left in ((1, 0), (5, 3)):
        c = Case()
        road(c, 1)
        c.set_pile(Mummy.SNUFFER, Mummy.DICER, Mummy.BRUTE, Mummy.RUNNER)
        c.table.hearts, c.table.torches = 4, torches
        c.symbols(1)
        assert c.table.torches == left and c.table.hearts == 0


def test_a_die_heart_without_a_pile_is_ignored():
    c = Case()
    road(c, 4)
    c.all_awake(4, 4, 4, 4)
    c.symbols(1)
    assert c.table.hearts == 0 and c.table.at[Mummy.BRUTE] == 3


# -- attacks ----------------------------------------------------------------------------------------


def test_gt27_the_brute_s_damage_is_split():
    c = Case()
    road(c, 3)
    c.mummy(Mummy.BRUTE, 3)
    c.table.cat[0] = c.table.cat[1] = 2
    c.hand_of(0, 1)
    c.hand_of(1, 3)
    c.symbols(1)
    assert c.table.kind == Kind.SPLIT and c.table.seat == 0
    assert sorted(c.options()) == sorted([2, 1 + attacks.BASE, 2 * attacks.BASE])
    c.take(2 * attacks.BASE)
    assert c.table.ending < 0 and (c.table.hand_n[0], c.table.hand_n[1]) == (1, 1)


@pytest.mark.parametrize("code", [2, 1 + attacks.BASE])
def test_gt27_any_damage_to_a_single_card_loses(code):
    c = Case()
    road(c, 3)
    c.mummy(Mummy.BRUTE, 3)
    c.table.cat[0] = c.table.cat[1] = 2
    c.hand_of(0, 1)
    c.hand_of(1, 3)
    c.symbols(1).take(code)
    assert c.table.ending == Ending.WOUNDED


def test_who_splits_the_first_attacked_clockwise_from_the_active_player():
    c = Case(4)
    assert attacks.clockwise_first(c.table, 0b1010) == 1
    c.table.active = 2
    assert attacks.clockwise_first(c.table, 0b1010) == 3
    assert attacks.clockwise_first(c.table, 0b0011) == 0
    assert attacks.clockwise_first(c.table, 0b0110) == 2


def boss_attacks(cards, shield=False, boss="boss8"):
    c = Case(1)
    road(c, 4)
    c.boss(boss, 4)
    c.table.cat[0] = 3
    c.hand_of(0, cards)
    if shield:
        c.token("shield")
    return c.symbols(0)


def test_gt28_boss8_strikes_for_four():
    assert boss_attacks(4).table.ending == Ending.WOUNDED
    c = boss_attacks(5)
    assert c.table.ending < 0 and c.table.hand_n[0] == 1 and c.table.discard_n == 4


def test_gt28_a_shield_keeps_all_cards():
    c = boss_attacks(4, shield=True)
    assert c.table.kind == Kind.SHIELDING
    c.take(1)
    assert c.table.hand_n[0] == 4 and not [i for i in range(17) if c.table.token_at[i] == 1]


@pytest.mark.parametrize(("boss", "left"), [("boss8", 2), ("boss10", 3), ("boss12", 4)])
def test_each_boss_has_its_damage(boss, left):
    assert boss_attacks(6, boss=boss).table.hand_n[0] == left


def test_each_mummy_strikes_for_itself():
    c = Case(1)
    road(c, 3)
    for m in (Mummy.DICER, Mummy.BRUTE, Mummy.SNUFFER):
        c.mummy(m, 3)
    c.table.cat[0] = 2
    c.hand_of(0, 6)
    c.symbols(1)
    assert c.table.hand_n[0] == 2 and c.table.wounded == 4


def test_a_shield_works_in_others_turns_and_may_take_all_the_damage():
    c = Case()
    road(c, 3)
    c.mummy(Mummy.BRUTE, 3)
    c.table.cat[0] = c.table.cat[1] = 2
    c.token("shield", seat=1)
    c.symbols(1, active=0).take(2 * attacks.BASE)
    assert c.table.kind == Kind.SHIELDING and c.table.seat == 1
    c.take(1)
    assert (c.table.hand_n[0], c.table.hand_n[1]) == (5, 5)


# -- explore ----------------------------------------------------------------------------------------


def fixture_p(mummy=True, bend=False, **how):
    c = Case(1, **how)
    one = c.room(1, 0, 0, 3, 4)
    two = c.room(2, 0, 0, 3)
    if mummy:
        c.mummy(Mummy.BRUTE, two)
    c.table.cat[0] = one
    mask = sides(0, 1) if bend else sides(0, 3)
    card = c.card(mask=mask)
    c.hand(0, card, c.card(exits=1), c.card(exits=1))
    c.table.hand_n[0] = 1
    return c.act(), card


@pytest.mark.parametrize(("spot", "masks"), [
    ((0, 1), [(1, 4)]), ((-1, 0), [(0, 3)]), ((0, -1), [(1, 4)]), ((1, -1), []), ((3, 0), [])])
def test_gt03_where_a_straight_corridor_fits(spot, masks):
    c, card = fixture_p()
    assert c.placements(*spot).get(card, set()) == {sides(*m) for m in masks}


@pytest.mark.parametrize(("spot", "masks"), [
    ((0, 1), [(3, 4)]), ((-1, 0), [(0, 1), (0, 5)]), ((0, -1), [(0, 1), (1, 2)]), ((1, -1), [(1, 2)]), ((3, 0), [])])
def test_gt03_where_a_bend_fits(spot, masks):
    c, card = fixture_p(bend=True)
    assert c.placements(*spot).get(card, set()) == {sides(*m) for m in masks}


def test_gt03_without_the_mummy_the_far_spot_is_open():
    c, card = fixture_p(mummy=False)
    assert c.placements(3, 0)[card] == {sides(0, 3)}


def test_gt05_a_room_draws_a_card_for_each_connection():
    c, card = fixture_p(bend=True)
    c.explore(1, -1, card, 1, 2)
    assert c.table.hand_n[0] == 2 and c.table.links[3] == sides(1, 2) and c.table.dist[3] == 1


def test_gt08_a_secret_passage_repairs_a_side():
    c, _card = fixture_p()
    token = c.token("passage")
    c.act().do(Verb.EXPLORE, hexagon(1, -1))
    assert c.table.kind == Kind.SIDES and explore.NO_MORE not in c.options()
    c.take(1)
    assert {code % 64 for code in c.options()} == {sides(2, 5)}
    c.take(c.options()[0])
    assert c.table.hand_n[0] == 2 and c.table.token_at[token] == USED
    assert c.table.passages[3] == sides(1) and c.table.links[3] == sides(1, 2)


def test_gt08_the_other_side_can_be_repaired_too():
    c, _ = fixture_p()
    c.token("passage")
    c.act().do(Verb.EXPLORE, hexagon(1, -1)).take(2)
    assert {code % 64 for code in c.options()} == {sides(1, 4)}


def test_a_passage_through_two_walls_counts_as_a_connection():
    c = Case(1)
    c.room(1, 0, 0, 3)
    card = c.card(mask=sides(0, 3))
    c.hand(0, card)
    c.token("passage")
    c.act().do(Verb.EXPLORE, hexagon(0, 1))
    assert explore.NO_MORE in c.options()
    c.take(5)  # the side towards (1, 0), wall to wall
    c.take(card * 64 + sides(1, 4))
    assert c.table.links[2] == sides(4, 5) and c.table.hand_n[0] == 2


def far_spot(hand, fuel_exits=None):
    """A Cat in the Vault, four steps from the only open end."""
    c = Case(1, maze__vault_exits=1)
    road(c, 3)
    c.hand(0, *(c.card(exits=2, mask=sides(0, 3)) for _ in range(hand - (fuel_exits is not None))),
           *([c.card(exits=fuel_exits)] if fuel_exits else []))
    return c.act()


def test_gt50_four_steps_need_fuel_and_three_cards():
    assert not far_spot(2, 1).can(Verb.EXPLORE)
    c = far_spot(3, 1)
    assert c.can(Verb.EXPLORE) == [hexagon(4, 0)]
    c.do(Verb.EXPLORE, hexagon(4, 0)).go()
    assert c.table.kind == Kind.CARD
    c.take(next(o for o in c.options() if c.box.exits[o // 64] == 2))
    assert c.table.kind == Kind.FUEL
    c.take(next(o for o in c.options() if c.box.exits[o] == 1))
    assert c.table.cat[0] == 4 and c.table.discard_n == 1 and c.table.fuelled == 1


def test_gt04_a_card_of_three_exits_carries_six_steps():
    for steps, can in ((6, True), (7, False)):
        c = Case(1, maze__vault_exits=1)
        road(c, steps)
        c.mummy(Mummy.BRUTE, steps)
        c.hand(0, *(c.card(exits=3) for _ in range(3)))
        c.act()
        assert bool(c.can(Verb.FIGHT)) == can and not c.can(Verb.EXPLORE)
    c = Case(1, maze__vault_exits=1)
    road(c, 5)
    c.hand(0, *(c.card(exits=3) for _ in range(3)))
    assert c.act().can(Verb.EXPLORE) == [hexagon(6, 0)]


def test_the_way_through_a_mummy_is_closed_but_not_out_of_its_room():
    c = Case(1)
    road(c, 4)
    c.mummy(Mummy.BRUTE, 2)
    walk_from(c.table, 0)
    assert [c.table.walk[t] for t in range(5)] == [0, 1, 2, FAR, FAR]
    walk_from(c.table, 2)
    assert [c.table.walk[t] for t in range(5)] == [2, 1, 0, 1, 2]


def lay_one(c, *, mark="plain", lit=True, q=1, row=0, exits=6):
    card = c.card(mark, lit, exits=exits)
    c.hand(0, card, c.card(exits=1))
    return c.act().explore(q, row, card)


def test_lighting():
    c = Case(1)
    lay_one(c, lit=True)
    assert c.table.torches == 5
    c = Case(1)
    lay_one(c, lit=False)
    assert c.table.torches == 4 and c.table.torches_laid == 1
    c = Case(1)
    c.table.torches = 0
    lay_one(c, lit=False)
    assert c.table.hearts == 1 and c.table.dry == 1


def test_gt38_without_torches_and_with_all_awake_every_mummy_advances():
    c = Case(1)
    road(c, 5)
    c.all_awake(5, 5, 4, 3)
    c.table.torches, c.box.steps[Mummy.RUNNER] = 0, 0
    lay_one(c, lit=False, q=-1)
    assert [c.table.at[m] for m in range(4)] == [4, 4, 3, 2] and c.table.hearts == 0


def test_the_penalty_attacks_and_can_lose_the_game():
    c = Case(1)
    road(c, 5)
    c.all_awake(5, 5, 4, 1)
    c.table.torches = 0
    lay_one(c, lit=False, q=-1)
    assert c.table.ending == Ending.VAULT_SNUFFER and c.row["dark loss"] == 1


def test_gt46_a_short_deck_gives_what_it_has():
    c, card = fixture_p(bend=True)
    c.deck(c.card())
    c.explore(1, -1, card, 1, 2)
    assert c.table.hand_n[0] == 1 and c.table.ending < 0 and c.row["deck empty"] == 1


def test_gt47_the_last_card_on_an_empty_deck_loses():
    c, card = fixture_p(bend=True)
    c.deck()
    c.explore(1, -1, card, 1, 2)
    assert c.table.ending == Ending.EMPTY


def test_a_sarcophagus_gives_a_token():
    c = Case(1)
    c.pile("shield")
    lay_one(c, mark="sarcophagus")
    assert c.table.kind == Kind.WINDOW and c.table.tokens_n == 16


# -- mechanisms -------------------------------------------------------------------------------------


def fixture_t(marks, last, *, players=1, used_door=(), used_torch=(), **how):
    """Rooms with symbols at (1, 0) and (0, 1), and a Room to be laid at (1, 1)."""
    c = Case(players, **how)
    tiles = [c.room(1, 0, 3, 1, mark=marks[0]), c.room(0, 1, 4, 0, mark=marks[1])]
    for t in used_door:
        c.table.used_door[tiles[t]] = 1
    for t in used_torch:
        c.table.used_torch[tiles[t]] = 1
    card = c.card(last, exits=2, mask=sides(3, 4))
    c.hand(0, card, c.card(exits=1))
    c.act()
    return c, card


def trigger(c, card):
    c.explore(1, 1, card, 3, 4)
    return c.go()


def test_gt09_three_identical_symbols_fill_the_torches_up():
    c, card = fixture_t("AA", "A")
    c.table.torches = 3
    trigger(c, card)
    assert c.table.torches == 5 and c.table.torch_tokens == 4
    assert [c.table.used_torch[t] for t in range(4)] == [0, 1, 1, 1]


def test_gt10_used_rooms_make_no_further_torch_mechanism():
    c, card = fixture_t("AA", "A", used_torch=(0, 1))
    c.table.torches = 3
    trigger(c, card)
    assert c.table.torches == 3 and c.table.used_torch[3] == 0


def test_gt11_the_third_door_mechanism_opens_the_exit():
    c, card = fixture_t("AB", "C", setup={"boss": "boss12"})
    c.table.doors, c.box.steps[Mummy.BOSS + 2] = 1, 0
    c.explore(1, 1, card, 3, 4)
    c.take(c.options()[0])
    assert c.table.kind == Kind.DOORWAY and c.table.doors == 0
    c.take(c.options()[0])
    t = c.table
    assert t.exit_tile == 4 and t.at[Mummy.BOSS] == 4 and t.hp[Mummy.BOSS] == 12 and t.pile_n == 0 and t.ending < 0
    assert [bin(t.links[4]).count("1"), t.boss] == [1, 2]


def test_gt42_the_hearts_vanish_with_the_pile():
    c, card = fixture_t("AB", "C")
    c.table.doors, c.table.hearts = 1, 4
    c.explore(1, 1, card, 3, 4).take(c.options()[0])
    c.take(c.options()[0])
    assert c.table.hearts == 0 and c.table.woken == 0


def test_gt13_a_room_may_serve_one_mechanism_of_each_kind():
    c, card = fixture_t("AA", "A", used_door=(0, 1))
    c.table.torches = 1
    assert trigger(c, card).table.torches == 5
    c, card = fixture_t("AB", "C", used_torch=(0, 1))
    assert trigger(c, card).table.doors == 2


def test_gt39_torches_above_five_stay():
    c, card = fixture_t("AA", "A")
    c.table.torches = 7
    trigger(c, card)
    assert c.table.torches == 7 and c.table.torch_tokens == 4 and c.table.used_torch[3] == 1


def two_triangles(marks, last, **how):
    """Neighbours of (1, 1) on the sides 3, 4 and 5: (0, 1), (1, 0) and (2, 0)."""
    c = Case(1, **how)
    c.room(0, 1, 4, mark=marks[0])
    c.room(1, 0, 0, 1, 3, mark=marks[1])
    c.room(2, 0, 3, mark=marks[2])
    card = c.card(last, exits=1)
    c.hand(0, card, c.card(exits=1))
    c.table.torches = 1
    return c.act().explore(1, 1, card, 4)


def test_gt40_one_torch_and_one_door_mechanism_at_once():
    c = two_triangles("AAB", "A")  # A A A and A A B: only the torch
    assert c.go().table.torches == 5 and c.table.doors == 3
    c = Case(1)
    for q, row, exits, mark in ((0, 1, (4,), "A"), (1, 0, (0, 1, 3), "A"), (2, 0, (3, 5), "C"), (2, 1, (), "B")):
        c.room(q, row, *exits, mark=mark)
    card = c.card("A", exits=1)
    c.hand(0, card, c.card(exits=1))
    c.table.torches = 1
    c.act().explore(1, 1, card, 4).go()
    assert (c.table.torches, c.table.torch_mechanisms, c.table.door_mechanisms) == (5, 1, 1)


def test_gt41_two_door_triangles_give_one_token():
    c = two_triangles("ABA", "C")
    assert c.table.kind == Kind.MECHANISM and len(c.options()) == 2
    c.take(c.options()[1]).go()
    assert c.table.doors == 2 and [c.table.used_door[t] for t in (1, 2, 3, 4)] == [0, 1, 1, 1]


def test_a_mechanism_needs_a_token():
    c, card = fixture_t("AA", "A")
    c.table.torch_tokens, c.table.torches = 0, 1
    assert trigger(c, card).table.torches == 1


def test_without_an_open_exit_the_door_goes_through_a_wall_of_the_farthest_room():
    c = Case(1, maze__vault_exits=1)
    c.room(1, 0, 0, 3)
    last = c.room(2, 0, 3)
    c.run(Phase.DOOR)
    assert c.options() and all(o >= mechanisms.WALL and o % mechanisms.WALL // 6 == last for o in c.options())
    c.take(c.options()[0])
    assert c.table.dist[c.table.exit_tile] == 3


# -- fights -----------------------------------------------------------------------------------------


def arena(*cards, hero="drawer", hp=5, m=Mummy.BRUTE, players=1, **how):
    """A Cat in a mummy's Room with cards of so many exits."""
    c = Case(players, setup={"heroes": [hero]}, **how)
    road(c, 3)
    c.mummy(m, 2, hp)
    c.table.cat[0] = 2
    c.hand(0, *(c.card(exits=e) for e in cards))
    return c.act()


def fight_here(c):
    return c.do(Verb.FIGHT, 2)


def commit(c, *exits):
    for e in exits:
        c.take(next(o for o in c.options() if o < CARDS and c.box.exits[o] == e))
    return c


def rolled(c, hits=0, abilities=0, card_faces=0, feet=0, doubles=0):
    """The faces of a roll, as if rolled."""
    t = c.table
    t.hits, t.abilities, t.card_faces, t.feet, t.doubles = hits, abilities, card_faces, feet, doubles
    t.kind = -1
    fight.apply_faces(c.box, t)
    c.run()
    while t.kind == Kind.STRIKE and len(c.options()) == 1:
        c.take(c.options()[0])
    return c


def test_gt12_three_and_two_exits_are_five_dice():
    c = commit(fight_here(arena(3, 2, 1)), 3, 2)
    assert c.table.dice == 5 and c.options() == [fight.ROLL_NOW]
    c.take(fight.ROLL_NOW)
    assert c.table.hits + c.table.abilities + c.table.card_faces + c.table.feet == 5 or c.table.hits == 0


def test_gt31_dice_stop_at_six():
    assert commit(fight_here(arena(4, 5, 1, 1)), 4, 5).table.dice == 6


def test_gt29_one_card_always_stays_in_hand():
    c = commit(fight_here(arena(3, 2)), 3)
    assert c.options() == [fight.ROLL_NOW] and c.table.hand_n[0] == 1


def test_gt30_a_single_card_cannot_fight():
    assert not arena(3).can(Verb.FIGHT)


def test_a_fight_stops_at_the_first_mummy_met():
    c = Case(1)
    road(c, 3)
    c.mummy(Mummy.BRUTE, 2)
    c.mummy(Mummy.DICER, 3)
    c.hand_of(0, 4)
    assert c.act().can(Verb.FIGHT) == [2]


def test_gt32_brawler_with_a_double():
    assert rolled_damage("all_damage") == 8 and rolled_damage("hits_only") == 7


def rolled_damage(scope):
    c = arena(3, 3, hero="brawler", hp=30, mummies__brute__hp=30, switches={"double_scope": scope})
    rolled(c, hits=3, abilities=1, doubles=1)
    return 30 - c.table.hp[Mummy.BRUTE]


def test_gt33_a_killed_mummy_goes_back_into_the_pile():
    c = arena(3, 3)
    c.set_pile(Mummy.DICER, Mummy.RUNNER)
    c.table.hearts = 3
    rolled(c, hits=5)
    assert c.table.pile_n == 3 and c.table.hearts == 3 and c.table.at[Mummy.BRUTE] == -1
    assert sorted(c.hidden.pile[i] for i in range(3)) == [Mummy.DICER, Mummy.RUNNER, Mummy.BRUTE]


def test_gt33_any_of_the_pile_may_come_up_on_top():
    tops = set()
    for luck in range(20):
        c = arena(3, 3, luck=luck)
        c.set_pile(Mummy.DICER, Mummy.RUNNER)
        tops.add(rolled(c, hits=5).hidden.pile[2])
    assert tops == {Mummy.DICER, Mummy.RUNNER, Mummy.BRUTE}


def with_boss(boss="boss8", **how):
    c = arena(3, 3, 3, **how)
    c.boss(boss, 3)
    c.box.steps[Mummy.BOSS + c.table.boss] = 0
    return c.act()


def test_gt34_after_the_boss_a_killed_mummy_is_gone():
    c = with_boss()
    rolled(c, hits=5)
    assert c.table.pile_n == 0 and c.table.at[Mummy.BRUTE] == -1 and c.table.gone >> Mummy.BRUTE & 1
    assert c.table.ending < 0


def test_gt43_the_last_mummy_killed_wins_before_footprints():
    c = with_boss()
    c.table.at[Mummy.BOSS] = -1
    rolled(c, hits=5, feet=2)
    assert c.table.ending == Ending.WON and c.row["winners"] == 1 and c.row["score 1"] == 1000


def test_gt44_the_boss_alone_is_not_enough():
    c = with_boss()
    c.table.at[Mummy.BOSS] = 2
    c.table.hp[Mummy.BOSS] = 3
    rolled(c, hits=3)
    while c.table.kind == Kind.STRIKE:
        c.take(Mummy.BOSS if Mummy.BOSS in c.options() else c.options()[0])
    assert c.table.at[Mummy.BOSS] == -1 and c.table.ending < 0 and mummies.power(c.box, c.table) == 1


def test_damage_is_split_freely():
    c = arena(3, 3, 3)
    c.mummy(Mummy.DICER, 2)
    rolled(c, hits=3)
    for m in (Mummy.DICER, Mummy.BRUTE, Mummy.DICER):
        assert sorted(c.options()) == [Mummy.DICER, Mummy.BRUTE]
        c.take(m)
    assert (c.table.hp[Mummy.DICER], c.table.hp[Mummy.BRUTE]) == (3, 4)


def test_gt45_boss10_suppresses_abilities():
    for boss, scope, damage in (("boss10", "all", 0), ("boss10", "same_room", 1), ("boss8", "all", 1)):
        c = with_boss(boss, hero="brawler", switches={"boss10_scope": scope})
        rolled(c, abilities=1)
        assert 5 - c.table.hp[Mummy.BRUTE] == damage, (boss, scope)


def test_abilities():
    c = arena(3, 3, hero="drawer")
    before = c.table.hand_n[0]
    assert rolled(c, abilities=2, card_faces=1).table.hand_n[0] == before + 3
    c = arena(3, 3, hero="torchbearer")
    assert rolled(c, abilities=2).table.torches == 7
    c = arena(3, 3, hero="digger")
    c.pile("shield", "double")
    rolled(c, abilities=2)
    assert c.table.kind == Kind.DIG
    c.take(1).take(0)
    assert c.table.tokens_drawn == 1


def test_a_digger_s_trap_wakes_a_mummy():
    c = arena(3, 3, hero="digger")
    c.pile("trap")
    rolled(c, abilities=1).take(1)
    assert c.table.kind == Kind.WAKING and c.table.traps == 1


def test_footprints_lead_on_and_end_with_a_mummy():
    c = arena(3, 3, 3)
    c.mummy(Mummy.DICER, 1)
    rolled(c, feet=2)
    assert sorted(c.options()) == [fight.STAY, 1, 3]
    c.take(3)
    assert c.table.kind == Kind.FOOTSTEP
    c = arena(3, 3, 3)
    c.mummy(Mummy.DICER, 1)
    rolled(c, feet=2).take(1)
    assert c.table.cat[0] == 1 and c.table.kind != Kind.FOOTSTEP


# -- tokens -----------------------------------------------------------------------------------------


def test_gt06_torches_token():
    c = Case(1)
    i = c.token("torches", value=2)
    c.act().do(Verb.USE, i)
    assert c.table.torches == 7 and c.table.kind == Kind.ACTION


def test_gt07_rooms_token():
    c = Case(1)
    i = c.token("rooms", value=2)
    assert c.act().do(Verb.USE, i).table.hand_n[0] == 7


def test_the_torch_bank_is_finite():
    c = Case(1)
    c.table.torches_laid = 33
    assert c.act().table.torches == 5
    i = c.token("torches", value=3)
    c.act().do(Verb.USE, i)
    assert c.table.torches == 6


def test_gt35_a_trap_fills_the_top_card():
    c = Case(1)
    c.pile("trap")
    c.table.hearts = 3
    lay_one(c, mark="sarcophagus").go()
    assert c.table.woken == 1 and c.table.hearts == 0 and not any(c.table.token_at[i] == 1 for i in range(17))


def test_gt36_a_trap_after_the_boss_does_nothing():
    c = Case(1)
    road(c, 3)
    c.boss("boss8", 3)
    c.pile("trap")
    lay_one(c, mark="sarcophagus", q=-1)
    assert c.table.woken == 0 and c.table.traps == 1


def test_any_token_but_a_trap_teleports():
    c = Case(1)
    road(c, 5)
    c.mummy(Mummy.BRUTE, 3)
    i = c.token("double")
    c.act().do(Verb.JUMP, i)
    assert c.options() == [1, 2, 3, 4, 5]
    c.take(3)
    assert c.table.cat[0] == 3 and c.table.hand_n[0] == 5 and c.table.kind == Kind.ACTION
    assert c.table.token_at[i] == USED


def test_windows_open_at_the_start_and_at_the_end_of_the_turn():
    c = Case(1)
    road(c, 2)
    c.token("double")
    c.run(Phase.TURN)
    assert c.table.kind == Kind.WINDOW and c.table.after_window == Phase.ROLL
    c = Case(1)
    c.token("double")
    lay_one(c)
    assert c.table.kind == Kind.WINDOW and c.table.after_window == Phase.SIGNAL


def test_a_window_opens_before_all_mummies_advance():
    c = Case(1)
    road(c, 5)
    c.all_awake(5, 5, 4, 3)
    c.table.torches = 0
    c.token("double")
    lay_one(c, lit=False, q=-1)
    assert c.table.kind == Kind.WINDOW and c.table.after_window == Phase.LIGHT
    c.do(Verb.JUMP, c.can(Verb.JUMP)[0]).take(2)
    assert c.table.at[Mummy.SNUFFER] == 2
    assert c.table.ending == Ending.WOUNDED  # it has met the Cat, whose last card was left


def test_a_passage_joins_rooms_that_lie_already_without_a_draw():
    c = Case(1)
    c.room(1, 0, 3)
    c.room(0, 1, 4)
    c.room(2, 0)
    i = c.token("passage")
    c.act().do(Verb.OPEN, i)
    c.take(1 * 6 + 2 if 1 * 6 + 2 in c.options() else c.options()[0])
    assert c.table.hand_n[0] == 5 and sum(c.table.passages[t] != 0 for t in range(4)) == 2


# -- cooperate --------------------------------------------------------------------------------------


def test_gt14_alone_cooperate_recovers_two_cards_and_two_per_torch():
    for torches, gained in ((0, 2), (2, 6)):
        c = Case(1)
        c.discards(*(c.card() for _ in range(8)))
        c.hand_of(0, 2)
        c.act().do(Verb.COOPERATE).take(torches)
        c.go()
        assert c.table.discard_n == 8 - gained and c.table.regroups == 2 and c.table.torches == 5 - torches
        assert c.row["cooperations"] == 1


def test_gt48_a_short_discard_pile_gives_what_it_has():
    c = Case(1)
    c.hand_of(0, 2)
    c.discards(c.card())
    c.act().do(Verb.COOPERATE)
    assert c.table.kind == Kind.SHARE and c.table.pool_n == 1


def test_gt49_without_torches_there_is_nothing_to_burn():
    c = Case(1)
    c.discards(*(c.card() for _ in range(8)))
    c.table.torches = 0
    c.act().do(Verb.COOPERATE)
    assert c.table.kind == Kind.SHARE


def test_others_join_unless_a_mummy_bars_the_way():
    c = Case(3)
    road(c, 3)
    c.table.cat[1], c.table.cat[2] = 3, 1
    c.mummy(Mummy.BRUTE, 2)
    c.act().do(Verb.COOPERATE)
    assert c.table.kind == Kind.JOIN and c.table.seat == 2
    c.take(1)
    assert c.table.cat[2] == 0 and c.table.joined == 0b101


def test_offers_pool_and_shares():
    c = Case(2)
    c.hand_of(0, 1)
    mine = [c.card("A"), c.card("B"), c.card("C")]
    c.hand(1, *mine)
    c.discards(*(c.card() for _ in range(3)))
    c.table.torches = 0
    c.act().do(Verb.COOPERATE).take(1)
    assert c.table.kind == Kind.OFFER and c.table.seat == 0
    c.take(CARDS)
    assert c.table.seat == 1 and mine[0] in c.options()
    c.take(mine[0]).take(mine[1])
    assert c.table.kind == Kind.SHARE and c.table.pool_n == 4 and c.table.seat == 0
    assert {c.table.pool[i] for i in range(4)} >= set(mine[:2])
    while c.table.kind == Kind.SHARE:
        c.take(0)
    assert (c.table.hand_n[0], c.table.hand_n[1]) == (5, 1) and c.hidden.own[1].seen[mine[0]] == 1


def test_a_participant_without_a_card_loses_the_game():
    c = Case(2)
    c.hand_of(0, 3)
    c.hand_of(1, 1)
    c.discards()
    c.table.torches = 0
    c.act().do(Verb.COOPERATE).take(1)
    c.take(CARDS)
    c.take(next(o for o in c.options() if o != CARDS))
    if c.table.kind == Kind.OFFER:
        c.take(CARDS)
    c.take(0)
    assert c.table.ending == Ending.REGROUPED


def test_participants_pass_tokens_on():
    c = Case(2)
    i = c.token("shield", seat=1)
    c.discards()
    c.act().do(Verb.COOPERATE).take(1).take(CARDS).take(CARDS)
    assert c.table.kind == Kind.GIFT and c.table.seat == 1
    c.take(i * 8 + 0)
    assert c.table.token_at[i] == 1


def test_regroup_tiles_run_out():
    c = Case(1)
    c.table.regroups = 0
    assert not c.act().can(Verb.COOPERATE)


# -- the end ----------------------------------------------------------------------------------------


def test_gt51_pass_when_nothing_is_legal():
    c = Case(1, maze__vault_exits=1)
    c.room(1, 0, 3)
    c.table.regroups = 0
    c.act()
    assert c.options() == [Verb.PASS * ARGUMENTS]


def test_the_turn_limit_is_its_own_ending():
    c = Case(1, limits__turns=1)
    c.run(Phase.TURN)
    assert c.table.ending == Ending.TURN_LIMIT and c.row["winners"] == 0
