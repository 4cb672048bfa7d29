"""Aim: one shot at one of ten places. The nearer it is to where the game hides its mark, the likelier it is won.

The rule `mark` may be read in three ways, which put the mark at 2, 7 or 3: for tests of who plays best under which
reading. A shot that is k places away is won with a chance of (90 - 10 k) %.
"""

import numpy as np

from hardmode.sim.contract import TABLE_HEAD, Game, Source
from hardmode.sim.draws import below
from hardmode.sim.records import rule

PLACES = 10
MARKS = {"near": 2, "far": 7, "nearly": 3}

Box = np.dtype([("mark", "i8")], align=True)
Table = np.dtype([*TABLE_HEAD, ("shot", "i8")], align=True)
Own = np.dtype([("nothing", "i8")], align=True)
Hidden = np.dtype([("own", Own, (1,))], align=True)


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = 1
    table.round = 1


@rule
def options(box, table, hidden, out):
    for place in range(PLACES):
        out[place] = place
    return PLACES


@rule
def take(box, table, hidden, luck, option):
    table.shot = option
    won = below(luck, 0, 1, 0, 0, 100) < 90 - 10 * abs(option - box.mark)
    table.ending = 0 if won else 1


@rule
def redeal(box, table, own, hidden, luck):
    hidden.own[0] = own


@rule
def outcome(box, table, row):
    row.ending = table.ending
    row.rounds = 1
    row.winners = 1 if table.ending == 0 else 0


def fill(box, values):
    box.mark = MARKS[tuple(MARKS)[values.choice("switches.mark", tuple(MARKS))]]


GAME = Game(
    name="aim", title="Aim", version=1, seats=1,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    max_options=PLACES, max_decisions=2, max_rounds=2,
    endings=("won", "lost"), kinds=("where",), sources=(Source("shot", ("round", "", "")),),
    measures=(), words=f"{__name__}.words",
)
