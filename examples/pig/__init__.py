"""Pig: roll as often as you dare, a one loses the turn; first to the target wins."""

import numpy as np
from hardmode.sim.contract import TABLE_HEAD, Game, Measure, Source
from hardmode.sim.draws import below
from hardmode.sim.records import rule

ROLL, HOLD = 0, 1
FIRST_WINS, SECOND_WINS = 0, 1
DIE = 0

Box = np.dtype([("target", "i8"), ("sides", "i8"), ("players", "i8")], align=True)
Table = np.dtype(
    [*TABLE_HEAD, ("score", "i8", (2,)), ("turn", "i8"), ("rolls", "i8"), ("all_rolls", "i8")], align=True)
Own = np.dtype([("nothing", "i8")], align=True)
Hidden = np.dtype([("own", Own, (2,))], align=True)


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = box.players
    table.round = 1


@rule
def options(box, table, hidden, out):
    out[0] = ROLL
    out[1] = HOLD
    return 2


@rule
def pass_on(table):
    table.turn = 0
    table.rolls = 0
    table.seat += 1
    if table.seat == table.seats:
        table.seat = 0
        table.round += 1


@rule
def take(box, table, hidden, luck, option):
    seat = table.seat
    if option == HOLD:
        table.score[seat] += table.turn
        if table.score[seat] >= box.target:
            table.ending = seat
        else:
            pass_on(table)
        return
    face = 1 + below(luck, DIE, table.round, seat, table.rolls, box.sides)
    table.rolls += 1
    table.all_rolls += 1
    if face == 1:
        pass_on(table)
    else:
        table.turn += face


@rule
def redeal(box, table, own, hidden, luck):
    for s in range(2):
        hidden.own[s].nothing = 0
    hidden.own[table.seat] = own


@rule
def outcome(box, table, row):
    row.ending = table.ending
    row.rounds = table.round
    row.winners = 1 << table.ending if table.ending == FIRST_WINS or table.ending == SECOND_WINS else 0
    for s in range(2):
        row.scores[s] = table.score[s]
    row.rolls = table.all_rolls


@rule
def label(box, table, own, option):
    return option


def fill(box, values):
    box.target = values["target"]
    box.sides = values["die.sides"]
    box.players = values["setup.players"]


GAME = Game(
    name="pig", title="Pig", version=1, seats=2,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    label=label, labels=2, max_options=2, max_decisions=5000, max_rounds=60,
    endings=("first player wins", "second player wins"),
    kinds=("roll or hold",),
    sources=(Source("die", ("round", "seat", "roll")),),
    measures=(Measure("rolls", "times the die was rolled", curve=True),),
    words=f"{__name__}.words", competitive=True, standard="classic",
)
