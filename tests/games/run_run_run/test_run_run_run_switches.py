"""Run Run Run!: each switch changes what it should, and the language of the rulebook sets the starred ones."""

import numpy as np
import pytest
from maze_case import Case, hexagon, sides
from test_run_run_run_rules import arena, fixture_p, fixture_t, lay_one, road, rolled, with_boss

from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.load import create_variant
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.games.run_run_run import fight, mechanisms, mummies, tokens
from hardmode.sim.games.run_run_run.attacks import BASE
from hardmode.sim.games.run_run_run.names import ARGUMENTS, CARDS, Ending, Flag, Kind, Mummy, Phase, Verb
from hardmode.sim.records import readable
from hardmode.strategies.run_run_run import WEIGHTS, balanced

pytestmark = pytest.mark.plain

# switch: (default, fr, en)
LANGUAGES = {
    "damage_discard": (0, 0, 0), "passage_between_placed": (1, 1, 0), "coop_reveal": (1, 0, 1),
    "multi_mechanism": (1, 1, 0), "mechanism_optional": (0, 1, 0), "draw_for_remote_passage": (0, 0, 1),
    "boss10_scope": (0, 1, 0), "cooperate_when_deck_empty": (1, 1, 2), "footprint_max": (0, 0, 1),
}


@pytest.mark.parametrize(("language", "place"), [("default", 0), ("fr", 1), ("en", 2)])
def test_a_language_sets_all_starred_switches(language, place):
    box = readable(create_variant("run_run_run", rules={"switches.rules_language": language}).box)
    assert {name: getattr(box, name) for name in LANGUAGES} == {n: v[place] for n, v in LANGUAGES.items()}


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_switch_set_by_hand_wins_over_the_language(name):
    readings = load_parameters("run_run_run")[f"switches.{name}"].choices[1:]
    other = next(one for one in LANGUAGES if one != name)
    for place, language in enumerate(("default", "fr", "en")):
        for number, reading in enumerate(readings):
            rules = {"switches.rules_language": language, f"switches.{name}": reading}
            box = readable(create_variant("run_run_run", rules=rules).box)
            assert getattr(box, name) == number and getattr(box, other) == LANGUAGES[other][place]


@pytest.mark.parametrize(("setup", "rules", "path"), [
    ({"heroes": ["drawer", "drawer"]}, {}, "setup.heroes"),
    ({"heroes": ["drawer", "digger", "brawler"]}, {}, "setup.heroes"),
    ({}, {"rooms.exits": [1, 2]}, "rooms.exits"), ({}, {"rooms.symbols": 20}, "rooms.symbols"),
    ({}, {"tokens.trap": 20}, "tokens.trap"), ({}, {"torches.bank": 3}, "torches.start"),
    ({}, {"hand.sizes": [5]}, "hand.sizes"), ({}, {"mummy_dice.faces": [0] * 20}, "mummy_dice.faces")])
def test_what_cannot_be_is_refused_by_its_path(setup, rules, path):
    with pytest.raises(ScenarioError, match=path.replace(".", r"\.")):
        create_variant("run_run_run", setup=setup, rules=rules)


# -- the mummies' actions ---------------------------------------------------------------------------


@pytest.mark.parametrize(("timing", "cards"), [("on_enter", 4), ("phase_end", 4), ("both_times", 3)])
def test_attack_timing(timing, cards):
    c = Case(1, switches={"attack_timing": timing})
    road(c, 3)
    c.mummy(Mummy.BRUTE, 3)
    c.box.damage[Mummy.BRUTE] = 1
    c.table.cat[0] = 2
    assert c.symbols(1).table.hand_n[0] == cards and c.table.at[Mummy.BRUTE] == 2


@pytest.mark.parametrize(("timing", "cards"), [("on_enter", 5), ("phase_end", 4)])
def test_phase_end_attacks_even_without_a_move(timing, cards):
    c = Case(1, switches={"attack_timing": timing})
    road(c, 3)
    c.mummy(Mummy.DICER, 2)
    c.table.cat[0] = 2
    assert c.symbols(0).table.hand_n[0] == cards


def test_the_penalty_attacks_at_once_under_every_timing():
    c = Case(1, switches={"attack_timing": "phase_end"})
    road(c, 4)
    c.all_awake(4, 4, 4, 4)
    c.table.cat[0] = 3
    c.hand_of(0, 9)
    mummies.advance_all(c.table, Phase.ACT)
    c.run(Phase.STEP)
    assert c.table.wounded == 5


def test_pinned_mummy_hold():
    for switch, at in (("leave", 2), ("hold", 3)):
        c = Case(1, switches={"pinned_mummy": switch})
        road(c, 3)
        c.mummy(Mummy.DICER, 3)
        c.table.cat[0] = 3
        assert c.symbols(1).table.at[Mummy.DICER] == at


def test_bonus_step_needs_symbol():
    for switch, at in ((False, 3), (True, 4)):
        c = Case(1, switches={"bonus_step_needs_symbol": switch})
        road(c, 4)
        c.mummy(Mummy.RUNNER, 4)
        assert c.symbols(0).table.at[Mummy.RUNNER] == at


def test_die_heart_without_pile():
    for switch, at in (("ignore", 4), ("advance", 3)):
        c = Case(1, switches={"die_heart_without_pile": switch})
        road(c, 5)
        c.all_awake(5, 5, 5, 5)
        assert c.symbols(1).table.at[Mummy.DICER] == at


def test_dark_after_boss():
    for switch, at in (("advance", 4), ("nothing", 5)):
        c = Case(1, switches={"dark_after_boss": switch})
        road(c, 5)
        c.boss("boss8", 5)
        c.box.steps[Mummy.BOSS], c.table.torches = 0, 0
        lay_one(c, lit=False, q=-1)
        assert c.table.at[Mummy.BOSS] == at


def woken_at_the_first_symbol(order):
    c = Case(1, switches={"symbol_order": order})
    road(c, 5)
    c.set_pile(Mummy.BRUTE, Mummy.DICER, Mummy.RUNNER, Mummy.SNUFFER)
    c.table.hearts = 4
    return c.symbols(2).take(5).table.at[Mummy.BRUTE]


def test_symbol_order():
    assert woken_at_the_first_symbol("move_first") == 4
    assert woken_at_the_first_symbol("heart_first") == 3
    assert woken_at_the_first_symbol("batch") == 5


def test_vault_guard():
    c = Case(1, switches={"vault_guard": True})
    road(c, 2)
    c.mummy(Mummy.DICER, 1)
    c.symbols(1)
    assert c.table.ending < 0 and c.table.at[Mummy.DICER] == 0 and c.table.hand_n[0] == 4
    assert c.symbols(1).table.ending == Ending.VAULT_DICER


def test_vault_grace_turn():
    c = Case(1, switches={"vault_grace_turn": True})
    road(c, 2)
    c.table.cat[0] = 2
    c.mummy(Mummy.DICER, 1)
    c.symbols(1)
    assert c.table.kind == Kind.ACTION and c.table.at[Mummy.DICER] == 0 and c.can(Verb.FIGHT) == [0]
    assert c.run(Phase.BETWEEN).table.ending < 0 or c.table.ending == Ending.VAULT_DICER
    c.table.kind = -1
    assert c.run(Phase.BETWEEN).table.ending == Ending.VAULT_DICER


def test_vault_grace_ends_with_the_mummy():
    c = Case(1, switches={"vault_grace_turn": True})
    road(c, 2)
    c.table.cat[0] = 2
    c.mummy(Mummy.DICER, 1)
    c.symbols(1)
    c.table.at[Mummy.DICER] = -1
    c.table.kind = -1
    assert c.run(Phase.BETWEEN).table.ending < 0 and c.table.grace == 0


@pytest.mark.parametrize(("rule", "tiles"), [("player", [1, 2, 3, 4]), ("farthest", [4]), ("nearest_half", [1, 2])])
def test_spawn_rule(rule, tiles):
    c = Case(1, switches={"spawn_rule": rule})
    road(c, 4)
    c.table.hearts = 4
    c.symbols(1)
    assert c.options() == tiles


def test_spawn_rule_random_leaves_no_choice():
    found = set()
    for luck in range(30):
        c = Case(1, luck=luck, switches={"spawn_rule": "random"})
        road(c, 4)
        c.boss("boss8", 2)  # the Exit Door is no Room
        c.set_pile(Mummy.BRUTE)
        c.table.at[Mummy.BOSS], c.table.gone, c.table.hearts = -1, 0b1011, 4
        c.symbols(1)
        assert c.table.kind == Kind.ACTION
        found.add(c.table.at[Mummy.BRUTE])
    assert found == {1, 3, 4}


def test_damage_mode_each():
    c = Case(2, switches={"damage_mode": "each"})
    road(c, 3)
    c.mummy(Mummy.BRUTE, 3)
    c.table.cat[0] = c.table.cat[1] = 2
    c.symbols(1)
    assert (c.table.hand_n[0], c.table.hand_n[1]) == (3, 3)


def test_shield_scope_own_share():
    for scope, splits in (("all", 3), ("own_share", 2)):
        c = Case(2, switches={"shield_scope": scope})
        road(c, 3)
        c.mummy(Mummy.BRUTE, 3)
        c.table.cat[0] = c.table.cat[1] = 2
        c.token("shield", seat=1)
        assert len(c.symbols(1).options()) == splits


def test_shield_own_turn_only():
    c = Case(2, switches={"shield_own_turn_only": True})
    road(c, 3)
    c.mummy(Mummy.DICER, 3)
    c.table.cat[1] = 2
    c.token("shield", seat=1)
    c.symbols(1, active=0)
    assert c.table.kind == Kind.ACTION and c.table.hand_n[1] == 4


def test_token_in_mummy_phase():
    for switch, kind in ((False, Kind.ACTION), (True, Kind.WINDOW)):
        c = Case(1, switches={"token_in_mummy_phase": switch})
        road(c, 3)
        c.token("double")
        assert c.symbols(2).table.kind == kind
    c.do(Verb.DONE)
    assert c.table.kind == Kind.WINDOW  # once more before the bonus step
    assert c.do(Verb.DONE).table.kind == Kind.ACTION


def test_boss_unstoppable():
    for switch, at in ((False, 3), (True, 2)):
        c = Case(1, switches={"boss_unstoppable": switch})
        road(c, 4)
        c.boss("boss12", 4)
        c.table.cat[0] = 3
        c.symbols(1)
        assert c.table.at[Mummy.BOSS] == at and c.table.hand_n[0] == 3


def test_boss_clears_maze():
    for switch, left in ((False, 1), (True, 0)):
        c, _ = fixture_t("AB", "C", switches={"boss_clears_maze": switch})
        c.mummy(Mummy.BRUTE, 1)
        c.box.steps[4:] = 0
        c.table.tile, c.table.doors = 2, 0
        c.table.kind = -1
        c.run(Phase.DOOR).take(c.options()[0])
        assert (c.table.at[Mummy.BRUTE] >= 0) == bool(left) and c.table.gone >> Mummy.BRUTE & 1 == 1 - left


def test_damage_discard_owner_chooses():
    c = Case(1, switches={"damage_discard": "owner_chooses"})
    road(c, 3)
    c.mummy(Mummy.BRUTE, 3)
    c.table.cat[0] = 2
    c.hand(0, *(c.card(exits=e) for e in (1, 2, 3, 4, 4)))
    c.symbols(1)
    assert c.table.kind == Kind.DROP and len(c.options()) == 4, "two of five cards are alike"
    card = c.options()[2]
    c.take(card)
    assert c.table.discard[0] == card and c.table.kind == Kind.DROP
    assert c.take(c.options()[0]).table.hand_n[0] == 3


# -- the player's action ----------------------------------------------------------------------------


def test_cats_pinned():
    for switch, can in ((False, True), (True, False)):
        c = arena(3, 3, 3, switches={"cats_pinned": switch, "move_only_action": True})
        c.mummy(Mummy.DICER, 1)
        c.act()
        assert bool(c.can(Verb.EXPLORE)) == bool(c.can(Verb.MOVE)) == can and (2 in c.can(Verb.FIGHT))
        assert (1 in c.can(Verb.FIGHT)) == can


def test_last_card_place():
    for switch, can in (("legal", True), ("illegal", False)):
        c = Case(1, switches={"last_card_place": switch})
        c.hand_of(0, 1)
        assert bool(c.act().can(Verb.EXPLORE)) == can


def test_empty_hand_after_place_ok():
    c, card = fixture_p(bend=True)
    c.box.empty_hand_after_place_ok = 1
    c.deck()
    c.explore(1, -1, card, 1, 2)
    assert c.table.ending < 0 and c.table.hand_n[0] == 0


def test_edge_matching_lenient():
    assert fixture_p()[0].placements(1, -1) == {}
    c, card = fixture_p(switches={"edge_matching": "lenient"})
    assert c.placements(1, -1)[card] == {sides(1, 4), sides(2, 5)}
    c.explore(1, -1, card, 2, 5)
    assert c.table.links[3] == sides(2) and c.table.hand_n[0] == 1


def test_draw_vault():
    for switch, cards in ((True, 2), (False, 1)):
        c, card = fixture_p(bend=True, switches={"draw_vault": switch})
        c.explore(1, -1, card, 1, 2)
        assert c.table.hand_n[0] == cards


def test_triangle_needs_connection():
    for switch, connected, found in ((False, False, 1), (True, False, 0), (True, True, 1)):
        c, card = fixture_t("AA", "A", switches={"triangle_needs_connection": switch})
        c.table.torches = 1
        if connected:  # otherwise (1, 0) and (0, 1) lie wall to wall
            c.table.links[1] |= sides(2)
            c.table.links[2] |= sides(5)
        c.explore(1, 1, card, 3, 4).go()
        assert c.table.torch_mechanisms == found


def test_forbid_closing_last_exit():
    for switch, can in ((False, True), (True, False)):
        c = Case(1, maze__vault_exits=1, switches={"forbid_closing_last_exit": switch})
        c.hand(0, *(c.card(exits=1) for _ in range(3)))
        assert bool(c.act().can(Verb.EXPLORE)) == can
    c.hand(0, *(c.card(exits=2) for _ in range(3)))
    assert c.act().can(Verb.EXPLORE) == [hexagon(1, 0)]


def test_move_only_action():
    c = Case(1, switches={"move_only_action": True})
    road(c, 3)
    c.mummy(Mummy.BRUTE, 3)
    c.act()
    assert c.can(Verb.MOVE) == [1, 2]
    c.do(Verb.MOVE, 2)
    assert c.table.cat[0] == 2 and c.table.hand_n[0] == 5
    assert not Case(1).act().can(Verb.MOVE)


@pytest.mark.parametrize("drawn", [0, 1, 2, 3])
def test_end_draw(drawn):
    c = Case(1, switches={"end_draw": drawn})
    before = c.table.deck_n
    c.run(Phase.ACTED)
    assert c.table.hand_n[0] == 5 + drawn and c.table.deck_n == before - drawn


def test_double_stack():
    for switch, damage in (("one", False), ("multiply", True)):
        c = arena(3, 3, 3, switches={"double_stack": switch})
        c.token("double")
        c.token("double")
        c.act().do(Verb.FIGHT, 2)
        c.take(c.options()[0]).take(fight.SPEND_DOUBLE)
        assert (fight.SPEND_DOUBLE in c.options()) == damage
    c.take(fight.SPEND_DOUBLE)
    c.table.hits, c.table.abilities = 1, 0
    fight.apply_faces(c.box, c.table)
    assert c.table.damage == 4


def test_fight_faces_compulsory():
    c = arena(3, 3, hero="digger", switches={"fight_faces_optional": False})
    c.pile("shield")
    rolled(c, abilities=1)
    assert c.table.tokens_drawn == 1


def test_coop_draw_first():
    c = Case(2, switches={"coop_draw_first": True})
    c.discards(*(c.card() for _ in range(8)))
    c.act().do(Verb.COOPERATE).take(1)
    assert c.table.kind == Kind.OFFER and c.table.pool_n == 2 and c.table.pool[0] >= 0
    c.take(CARDS).take(CARDS).take(1)
    assert c.table.pool_n == 4


# -- the starred ones -------------------------------------------------------------------------------


def test_passage_between_placed():
    for switch, can in (("yes", True), ("no", False)):
        c = Case(1, switches={"passage_between_placed": switch})
        c.room(1, 0, 3)
        c.room(0, 1, 4)
        i = c.token("passage")
        assert (i in c.act().can(Verb.OPEN)) == can


@pytest.mark.parametrize(("switch", "more"), [("no", 0), ("yes", 1)])
def test_draw_for_remote_passage(switch, more):
    c = Case(1, switches={"draw_for_remote_passage": switch})
    c.room(1, 0, 3)
    c.room(0, 1, 4)
    i = c.token("passage")
    c.act().do(Verb.OPEN, i)
    c.go()
    assert c.table.links[1] == sides(3, 2) or c.table.remote == 1
    card = c.card(exits=1)
    c.hand(0, card, c.card())
    c.act().explore(-1, 0, card)
    assert c.table.hand_n[0] == 2 + more


def test_coop_reveal():
    for switch, shown in (("yes", True), ("no", False)):
        c = Case(2, switches={"coop_reveal": switch})
        c.discards(*(c.card() for _ in range(4)))
        c.table.torches = 0
        c.act().do(Verb.COOPERATE).take(1).take(CARDS).take(CARDS)
        assert c.table.kind == Kind.SHARE and (c.table.pool[0] >= 0) == shown
        c.take(1)
        assert bool(c.table.seen_n) == shown


def three_neighbours(**switches):
    """(1, 1) completes A A A with (0, 1) and (1, 0), and A B C on the other side."""
    c = Case(1, switches=switches)
    for q, row, exits, mark in ((0, 1, (4,), "A"), (1, 0, (0, 1, 3), "A"), (2, 0, (3, 5), "C"), (2, 1, (), "B")):
        c.room(q, row, *exits, mark=mark)
    card = c.card("A", exits=1)
    c.hand(0, card, c.card(exits=1))
    c.table.torches = 1
    return c.act().explore(1, 1, card, 4)


def test_multi_mechanism():
    c = three_neighbours(multi_mechanism="no")
    assert c.table.kind == Kind.MECHANISM and len(c.options()) == 2
    c.take(c.options()[1]).go()
    assert (c.table.torch_mechanisms, c.table.door_mechanisms) == (0, 1)


def test_mechanism_optional():
    c = three_neighbours(mechanism_optional="yes")
    assert c.options()[-1] == mechanisms.NEITHER
    c.take(mechanisms.NEITHER)
    assert c.table.kind == Kind.MECHANISM and c.table.torch_mechanisms == 0
    c.take(c.options()[0])
    assert c.table.door_mechanisms == 1


def test_boss10_scope():
    c = with_boss("boss10", hero="torchbearer", switches={"boss10_scope": "same_room"})
    c.table.at[Mummy.BOSS] = 2
    assert fight.is_suppressed(c.box, c.table)
    c.table.at[Mummy.BOSS] = 1
    assert not fight.is_suppressed(c.box, c.table)


@pytest.mark.parametrize("deck", [0, 1])
@pytest.mark.parametrize(("switch", "can", "gained"), [("yes", True, 4), ("no", False, 0), ("exchange_only", True, 0)])
def test_cooperate_when_deck_empty(switch, can, gained, deck):
    """Alone, with six Rooms in the discard pile and torches to burn; a deck of one card leaves all as it is."""
    if deck:
        can, gained = True, 4
    c = Case(1, switches={"cooperate_when_deck_empty": switch})
    c.hand_of(0, 3)
    c.discards(*(c.card() for _ in range(6)))
    c.table.deck_n = deck
    assert bool(c.act().can(Verb.COOPERATE)) == can
    if not can:
        return
    c.do(Verb.COOPERATE)
    if gained:
        assert c.options() == [0, 1, 2]
        c.take(1)
    c.go()
    assert c.table.hand_n[0] == 3 + gained and c.table.discard_n == 6 - gained
    assert c.table.regroups == 2 and c.table.torches == 5 - (gained > 2)


@pytest.mark.parametrize(("switch", "ending"), [(False, Ending.REGROUPED), (True, -1)])
def test_an_empty_hand_after_a_cooperate_is_one_after_an_action(switch, ending):
    """The caller keeps all: the other, who has offered the last card, goes on without one where that is allowed."""
    c = Case(2, switches={"empty_hand_after_place_ok": switch})
    c.hand_of(0, 2)
    c.hand_of(1, 1)
    c.discards()
    c.act().do(Verb.COOPERATE).take(1).take(CARDS).take(c.options()[1]).go()
    if c.table.kind == Kind.OFFER:
        c.take(CARDS)
    c.take(0)
    assert c.table.ending == ending and (c.table.hand_n[0], c.table.hand_n[1]) == (3, 0)


@pytest.mark.parametrize("draw_first", [True, False])
def test_an_exchange_goes_on_when_the_deck_is_empty(draw_first):
    """Cards and tokens change hands; nothing comes out of the discard pile, whichever way round it is drawn."""
    switches = {"cooperate_when_deck_empty": "exchange_only", "coop_draw_first": draw_first}
    c = Case(2, switches=switches)
    c.table.deck_n = 0
    mine, yours = c.card("A"), c.card("B")
    c.hand(0, mine, c.card())
    c.hand(1, yours, c.card())
    i = c.token("shield", seat=1)
    c.discards(*(c.card() for _ in range(4)))
    c.act().do(Verb.COOPERATE).take(1)
    assert c.table.kind == Kind.OFFER and c.table.pool_n == 0
    c.take(CARDS).take(yours).take(CARDS)
    assert c.table.kind == Kind.SHARE and c.table.pool_n == 1 and c.table.torches == 5
    c.take(0)
    assert (c.table.hand_n[0], c.table.hand_n[1], c.table.discard_n) == (3, 1, 4)
    c.take(i * 8 + 0)
    assert c.table.token_at[i] == 1


def test_steady_calls_no_cooperate_that_brings_no_card():
    for switch, called in (("yes", True), ("exchange_only", False)):
        c = Case(1, switches={"cooperate_when_deck_empty": switch})
        c.hand_of(0, 1)
        c.discards(*(c.card() for _ in range(8)))
        c.table.deck_n = 0
        options = c.act().options()
        weights = np.array(list(WEIGHTS["balanced"].values()))
        i = balanced(c.box, c.table, c.hidden.own[0], c.out, len(options), c.luck, weights)
        assert (options[i] // ARGUMENTS == Verb.COOPERATE) == called


def test_footprint_max():
    for switch, feet in (("none", 3), ("one", 1)):
        c = arena(3, 3, switches={"footprint_max": switch})
        assert rolled(c, feet=3).table.feet == feet


# -- what players tell each other -------------------------------------------------------------------


def test_intents_are_asked_for_at_the_end_of_a_turn():
    c = Case(2)
    c.run(Phase.SIGNAL)
    assert c.table.kind == Kind.RESERVE and c.options()[0] == -1 and len(c.options()) == 7
    c.take(hexagon(0, 1)).take(Flag.LOW)
    assert c.table.reserved[0] == hexagon(0, 1) and c.table.flag[0] == Flag.LOW and c.table.active == 1


@pytest.mark.parametrize("switch", ["none", "open_hands"])
def test_without_intents_nothing_is_asked(switch):
    c = Case(2, switches={"communication": switch})
    c.run(Phase.SIGNAL)
    assert c.table.kind == Kind.ACTION and c.table.active == 1
    mine = [c.hidden.own[0].hand[i] for i in range(5)]
    assert ([c.table.open_hand[0, i] for i in range(5)] == mine) == (switch == "open_hands")


def test_open_hands_lie_open_from_the_first_decision_on():
    c = Case(3, switches={"communication": "open_hands"})
    for s in range(3):
        assert [c.table.open_hand[s, i] for i in range(5)] == [c.hidden.own[s].hand[i] for i in range(5)]


def test_a_reserved_hex_is_free_again_once_it_is_taken():
    c, card = fixture_p(bend=True)
    c.table.reserved[0] = hexagon(1, -1)
    c.explore(1, -1, card, 1, 2)
    assert c.table.reserved[0] == -1


def test_windows_of_tokens_alike_are_listed_once():
    c = Case(1)
    c.room(1, 0, 3)
    c.token("double")
    c.token("double")
    c.table.kind = -1
    tokens.window(c.table, Phase.ROLL)
    assert len(c.can(Verb.JUMP)) == 1


def test_the_split_code_holds_four_shares():
    c = Case(4)
    road(c, 3)
    c.mummy(Mummy.BRUTE, 3)
    for s in range(4):
        c.table.cat[s] = 2
    codes = c.symbols(1).options()
    assert len(codes) == 10 and all(sum(x // BASE ** s % BASE for s in range(4)) == 2 for x in codes)
