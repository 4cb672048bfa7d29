"""Kuhn poker: three cards, one bet. The smallest game in which bluffing pays.

Each player antes one chip and is dealt one of three cards. The first checks or bets a chip. After a bet the other
folds or calls; after a check the second may bet, and then the first folds or calls. The higher card wins.
"""

import numpy as np
from hardmode.sim.contract import TABLE_HEAD, Game, Measure, Source
from hardmode.sim.draws import shuffle
from hardmode.sim.records import rule

PASS, BET = 0, 1  # check or fold; bet or call
FIRST_WINS, SECOND_WINS = 0, 1
OPENING, AFTER_CHECK, AFTER_BET, AFTER_CHECK_AND_BET = 0, 1, 2, 3  # kinds of decisions
DECK = 0
CARDS = 3
MOST_CARDS = 13

Box = np.dtype([("ante", "i8"), ("bet", "i8"), ("cards", "i8")], align=True)
Table = np.dtype([*TABLE_HEAD, ("chips", "i8", (2,)), ("showdown", "i8"), ("card", "i8", (2,))], align=True)
Own = np.dtype([("card", "i8")], align=True)
Hidden = np.dtype([("own", Own, (2,)), ("pile", "i8", (MOST_CARDS,))], align=True)


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = 2
    table.round = 1
    table.kind = OPENING
    for s in range(2):
        table.chips[s] = box.ante
        table.card[s] = -1
    for i in range(box.cards):
        hidden.pile[i] = i
    shuffle(luck, DECK, 0, hidden.pile, box.cards)
    for s in range(2):
        hidden.own[s].card = hidden.pile[s]


@rule
def options(box, table, hidden, out):
    out[0] = PASS
    out[1] = BET
    return 2


@rule
def finish(table, winner):
    table.ending = winner


@rule
def compare_cards(table, hidden):
    table.showdown = 1
    for s in range(2):
        table.card[s] = hidden.own[s].card
    finish(table, FIRST_WINS if table.card[0] > table.card[1] else SECOND_WINS)


@rule
def take(box, table, hidden, luck, option):
    seat = table.seat
    if option == BET:
        table.chips[seat] += box.bet
        if table.kind == OPENING:
            table.kind = AFTER_BET
            table.seat = 1
        elif table.kind == AFTER_CHECK:
            table.kind = AFTER_CHECK_AND_BET
            table.seat = 0
        else:
            compare_cards(table, hidden)
    elif table.kind == OPENING:
        table.kind = AFTER_CHECK
        table.seat = 1
    elif table.kind == AFTER_CHECK:
        compare_cards(table, hidden)
    else:
        finish(table, 1 - seat)


@rule
def redeal(box, table, own, hidden, luck):
    """Deal the other player one of the cards that the deciding player does not hold."""
    seat = table.seat
    hidden.own[seat] = own
    n = 0
    for card in range(box.cards):
        if card != own.card:
            hidden.pile[n] = card
            n += 1
    shuffle(luck, DECK, 0, hidden.pile, n)
    hidden.own[1 - seat].card = hidden.pile[0]
    other = hidden.pile[0]
    for i in range(n - 1, 0, -1):
        hidden.pile[i + 1] = hidden.pile[i]
    hidden.pile[seat] = own.card
    hidden.pile[1 - seat] = other


@rule
def outcome(box, table, row):
    row.ending = table.ending
    row.rounds = table.round
    row.winners = 1 << table.ending if table.ending == FIRST_WINS or table.ending == SECOND_WINS else 0
    for s in range(2):
        gain = table.chips[1 - s] if s == table.ending else -table.chips[s]
        row.scores[s] = gain if table.ending == FIRST_WINS or table.ending == SECOND_WINS else 0
        row.card_shown[s] = table.card[s]
    row.chips_in_the_pot = table.chips[0] + table.chips[1]
    row.showdown = table.showdown


@rule
def label(box, table, own, option):
    return option


def fill(box, values):
    box.ante = values["ante"]
    box.bet = values["bet"]
    box.cards = values["cards"]
    values["setup.players"]  # always two


GAME = Game(
    name="kuhn_poker", title="Kuhn poker", version=1, seats=2,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    label=label, labels=2, max_options=2, max_decisions=10, max_rounds=1,
    endings=("first player wins", "second player wins"),
    kinds=("check or bet", "check or bet after a check", "fold or call", "fold or call after a check"),
    sources=(Source("deck", ("shuffle", "card", "")),),
    measures=(Measure("chips in the pot"), Measure("showdown", "whether cards were compared"),
              Measure("card shown", "-1 without a showdown", per_seat=True)),
    words=f"{__name__}.words", competitive=True, scored=True, unit="hands", standard="classic",
)
