"""The walk through a game finds what breaks the contract: each mistake, made on purpose in Pig."""

from dataclasses import replace

import numpy as np
import pytest
from playing import pig_box

from hardmode.sim import contract
from hardmode.sim.draws import DECISION, below
from hardmode.sim.play.player import Player
from hardmode.strategies import registry
from hardmode.studies.conformance.game_under_test import ConformanceError, GameUnderTest
from hardmode.studies.conformance.hidden import check_hidden_information
from hardmode.studies.conformance.trace import CheckedTrace, find_shared_addresses
from hardmode.studies.conformance.trace_checks import check_hidden_unused

pytestmark = pytest.mark.plain


def walk(*players, steps=30, number=0, **broken):
    """Some steps of Pig with a rule replaced, checked as any game is; hidden holds something."""
    own = np.dtype([("nothing", "i8"), ("card", "i8")])
    hidden = np.dtype([("own", own, (2,)), ("pile", "i8")])
    game = replace(contract.load_game("pig"), **{"own": own, "hidden": hidden, "redeal": redeal, **broken})
    made = CheckedTrace(GameUnderTest(game), pig_box(), number)
    who = players[0] if players else registry.create_player("pig", "steady")
    for _ in range(steps):
        if made.table.ending >= 0:
            break
        codes = made.list_options()
        i = made.choose(who, len(codes))
        check_hidden_unused(made, codes, who)
        made.list_options()
        made.take_option(i)
    return made


def redeal(box, table, own, hidden, luck):
    for s in range(2):
        hidden.own[s].nothing = 0
        hidden.own[s].card = below(luck, 0, 99, s, 0, 50)
    hidden.own[table.seat] = own
    hidden.pile = below(luck, 0, 99, 2, 0, 50)


def player(choose):
    return Player("wrong", choose, (20.0,), 0, "here:1")


def test_an_honest_game_passes():
    assert not walk().find_shared_addresses()


def writes_table(box, table, own, options, n, luck, weights):
    table.turn += 1
    return 0


def writes_options(box, table, own, options, n, luck, weights):
    options[0] = 7
    return 0


def writes_weights(box, table, own, options, n, luck, weights):
    weights[0] = 7.0
    return 0


calls = []


def forgetful(box, table, own, options, n, luck, weights):
    calls.append(1)
    return len(calls) % 2


def illegal(box, table, own, options, n, luck, weights):
    return 2


@pytest.mark.parametrize("choose, message", [
    (writes_table, "wrote to"), (writes_options, "wrote to"), (writes_weights, "wrote to"),
    (forgetful, "chose"), (illegal, "chose index 2 of the 2 options")])
def test_a_strategy_that_breaks_the_contract_is_found(choose, message):
    with pytest.raises(ConformanceError, match=message):
        walk(player(choose))


def twice(box, table, hidden, out):
    out[0] = out[1] = 1
    return 2


def none(box, table, hidden, out):
    return 0


def moving(box, table, hidden, out):
    table.rolls += 1
    out[0], out[1] = 0, 1
    return 2


def telling(box, table, hidden, out):
    """Lists by what lies face down."""
    out[0], out[1] = hidden.pile % 2, 1 - hidden.pile % 2
    return 2


def moving_outcome(box, table, row):
    contract.load_game("pig").outcome(box, table, row)
    table.all_rolls += 1


def unnamed_ending(box, table, row):
    contract.load_game("pig").outcome(box, table, row)
    row.ending = 3


def forgets_a_measure(box, table, row):
    kept = row.rolls
    contract.load_game("pig").outcome(box, table, row)
    row.rolls = kept


def undealt(box, table, hidden, luck):
    table.seats = box.players
    table.round = 1


def of_no_kind(box, table, hidden, luck):
    contract.load_game("pig").setup(box, table, hidden, luck)
    table.kind = 1


def for_nobody(box, table, hidden, luck):
    contract.load_game("pig").setup(box, table, hidden, luck)
    table.seat = 2


def forgets_own(box, table, own, hidden, luck):
    redeal(box, table, own, hidden, luck)
    hidden.own[table.seat].card = 50


def moves_table(box, table, own, hidden, luck):
    redeal(box, table, own, hidden, luck)
    table.turn = 0


def from_any_seat(box, table, view, hidden, luck):
    for s in range(2):
        if view >= 0 and s != view:
            hidden.own[s].card = below(luck, 0, 99, s, 0, 50)


def of_the_decider(box, table, view, hidden, luck):
    redeal(box, table, hidden.own[table.seat], hidden, luck)


def one_address(box, table, hidden, luck, option):
    below(luck, 0, 0, 0, 0, 6)
    contract.load_game("pig").take(box, table, hidden, luck, option)


def no_source(box, table, hidden, luck, option):
    below(luck, 5, 0, 0, 0, 6)
    contract.load_game("pig").take(box, table, hidden, luck, option)


@pytest.mark.parametrize("broken, message", [
    (dict(options=twice), "listed twice"), (dict(options=none), "0 options"),
    (dict(options=moving), "options.. changed the state"),
    (dict(options=telling), "the options reveal"), (dict(outcome=moving_outcome), "outcome.. changed the state"),
    (dict(outcome=unnamed_ending), "ending is 3"),
    (dict(outcome=forgets_a_measure), "does not write rolls"),
    (dict(redeal=forgets_own), "changed what the seat holds"),
    (dict(redeal_for=of_the_decider), "redeal_for.. changed what the seat holds"),
    (dict(redeal=moves_table), "redeal.. changed the table"), (dict(take=no_source), "source 5"),
    (dict(setup=undealt), "without `ending`"), (dict(setup=of_no_kind), "kind is 1"),
    (dict(setup=for_nobody), "seat 2 of 2")])
def test_a_rule_that_breaks_the_contract_is_found(broken, message):
    with pytest.raises(ConformanceError, match=message):
        walk(**broken)


def test_a_shared_address_is_found():
    assert walk(take=one_address).find_shared_addresses()
    step = (DECISION, 0, 0, 0, 0, 0)
    lookup, die = (1, 2, 3, 0, 0, 999), (2, 1, 1, 0, 6, 4)
    assert not find_shared_addresses(np.array([lookup, lookup, step, die]))
    assert find_shared_addresses(np.array([lookup, step, lookup])) == [(1, 2, 3, 0)]
    assert find_shared_addresses(np.array([die, die])) == [(2, 1, 1, 0)]


PILE = 3


def piled(left):
    """Pig with a pile that nobody looks at; what was written while it was laid lies on the table where it is left."""
    pig = contract.load_game("pig")
    table = np.dtype([*((name, pig.table.fields[name][0]) for name in pig.table.names), ("scratch", "i8", (PILE,))])
    hidden = np.dtype([("own", pig.own, (2,)), ("pile", "i8", (PILE,))])

    def setup(box, table, hidden, luck):
        pig.setup(box, table, hidden, luck)
        laid(hidden.pile, luck)
        for i in range(PILE):
            table.scratch[i] = left(hidden.pile, i)

    def redeal(box, table, own, hidden, luck):
        for s in range(2):
            hidden.own[s] = own
        laid(hidden.pile, luck)

    def laid(pile, luck):
        for i in range(PILE):
            pile[i] = below(luck, 1, 99, i, 0, 5)

    return GameUnderTest(replace(pig, table=table, hidden=hidden, setup=setup, redeal=redeal))


@pytest.mark.parametrize("left", [
    lambda pile, i: pile[i], lambda pile, i: pile[PILE - 1 - i], lambda pile, i: 1 + pile[0]])
def test_what_set_up_leaves_of_hidden_things_on_the_table_is_found(left):
    with pytest.raises(ConformanceError, match=r"the open table's scratch\[\d\] reveals hidden.pile\[\d\]; step 0"):
        check_hidden_information(piled(left))


@pytest.mark.parametrize("left", [lambda pile, i: 0, lambda pile, i: i])
def test_a_table_that_tells_nothing_passes(left):
    check_hidden_information(piled(left))
