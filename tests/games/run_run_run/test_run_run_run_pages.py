"""Rules of Run Run Run! that a single sentence states, and that other tests only pass by."""

import pytest
from maze_case import Case

from hardmode.sim.draws import lucky
from hardmode.sim.games.run_run_run import GAME
from hardmode.sim.games.run_run_run.cards import draw_token
from hardmode.sim.games.run_run_run.names import Kind, Mummy
from hardmode.sim.games.run_run_run.redeal import redeal
from hardmode.sim.records import blank

pytestmark = pytest.mark.plain


def dealt_afresh(case, keys=40):
    """The hidden records that a redeal from the first seat may leave."""
    found = []
    own = case.hidden.own[0]
    for key in range(1, keys + 1):
        lucky(case.luck, key)
        hidden = blank(GAME.hidden)[0]
        redeal(case.box, case.table, own, hidden, case.luck)
        found.append(hidden)
    return found


def test_nobody_knows_the_boss_other_hands_and_the_piles():
    case = Case(3)
    case.table.seat = 0
    hands = [[case.hidden.own[s].hand[i] for i in range(case.table.hand_n[s])] for s in range(3)]
    redealt = dealt_afresh(case)
    others = set()
    for hidden in redealt:
        cards = [hidden.own[s].hand[i] for s in range(3) for i in range(case.table.hand_n[s])]
        cards += [hidden.deck[i] for i in range(case.table.deck_n)]
        assert sorted(cards) == list(range(case.box.cards))  # every card once: none is on the table yet
        assert [hidden.own[0].hand[i] for i in range(case.table.hand_n[0])] == hands[0]
        others.add(tuple(hidden.own[1].hand[i] for i in range(case.table.hand_n[1])))
    assert len(others) > 30
    assert {hidden.boss for hidden in redealt} == {0, 1, 2}
    assert {hidden.pile[0] for hidden in redealt} == {0, 1, 2, 3}
    assert len({hidden.tokens[0] for hidden in redealt}) > 5


def test_a_boss_that_has_come_is_known():
    case = Case(2)
    case.table.seat, case.table.boss = 0, 1
    assert {hidden.boss for hidden in dealt_afresh(case, 10)} == {1}


def test_an_empty_pile_of_tokens_gives_nothing():
    case = Case(1)
    held = case.table.tokens_n
    assert held == case.box.tokens
    case.table.tokens_n = 0
    before = [case.table.token_at[i] for i in range(case.box.tokens)]
    assert draw_token(case.box, case.table, case.hidden, 0) == -1
    assert [case.table.token_at[i] for i in range(case.box.tokens)] == before and case.table.tokens_n == 0


# --- values of switches that decide nothing in any shipped scenario ---------------------------------------

LANGUAGES = ("default", "fr", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_damages_discarded_at_random_are_nobodys_choice_in_any_language(language):
    left = set()
    for luck in range(1, 13):
        c = Case(1, luck=luck, switches={"rules_language": language, "damage_discard": "random"})
        for q in (1, 2, 3):
            c.room(q, 0, 0, 3)
        c.mummy(Mummy.BRUTE, 3)
        c.table.cat[0] = 2
        c.hand(0, *(c.card(exits=e) for e in (1, 2, 3, 4, 5)))
        c.symbols(1)
        assert c.table.kind != Kind.DROP and c.table.hand_n[0] == 3
        left.add(tuple(sorted(c.hidden.own[0].hand[i] for i in range(3))))
    assert len(left) > 4


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("several", "mechanisms"), [("yes", (1, 1)), ("no", (0, 1))])
def test_one_or_both_mechanisms_are_set_off_in_any_language(language, several, mechanisms):
    """(1, 1) completes A A A with (0, 1) and (1, 0), and A B C on the other side."""
    c = Case(1, switches={"rules_language": language, "multi_mechanism": several})
    for q, row, exits, mark in ((0, 1, (4,), "A"), (1, 0, (0, 1, 3), "A"), (2, 0, (3, 5), "C"), (2, 1, (), "B")):
        c.room(q, row, *exits, mark=mark)
    card = c.card("A", exits=1)
    c.hand(0, card, c.card(exits=1))
    c.table.torches = 1
    c.act().explore(1, 1, card, 4)
    while c.table.kind == Kind.MECHANISM:
        c.take(c.options()[0 if several == "yes" else 1]).go()  # the door is the second
    assert (c.table.torch_mechanisms, c.table.door_mechanisms) == mechanisms
