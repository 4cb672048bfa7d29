"""Tosses: one decision and five draws, of which the rule says which count. For tests with known answers."""

import numpy as np

from hardmode.sim.contract import TABLE_HEAD, Game, Measure, Source
from hardmode.sim.draws import below
from hardmode.sim.records import rule

DEAL, WEATHER, DIE, LEFT, RIGHT = range(5)
SIZES = (2, 2, 6, 2, 2)  # how many results each source has
RULES = ("die", "agree", "sum", "deal", "whim", "lot")

Box = np.dtype([("which", "i8")], align=True)
Table = np.dtype([*TABLE_HEAD, ("drawn", "i8", (5,)), ("score", "i8")], align=True)
Own = np.dtype([("nothing", "i8")], align=True)
Hidden = np.dtype([("own", Own, (1,))], align=True)


@rule
def scored(which, deal, weather, die, left, right, option):
    """The score of a game; 4 wins."""
    if which == 0:
        return 2 * die
    if which == 1:
        return 4 * (left == right)
    if which == 2:
        return die + 3 * left
    if which == 3:
        return 4 * (deal == weather)
    if which == 4:
        return 4 * (option == 1 and die >= 3)
    return 4 * (option == 1 and die >= 5 - 4 * deal)


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = 1
    table.round = 1
    for where in range(2):
        table.drawn[where] = below(luck, where, 0, 0, 0, 2)


@rule
def options(box, table, hidden, out):
    out[0] = 0
    out[1] = 1
    return 2


@rule
def take(box, table, hidden, luck, option):
    table.drawn[DIE] = below(luck, DIE, 1, 0, 0, 6)
    table.drawn[LEFT] = below(luck, LEFT, 1, 0, 0, 2)
    table.drawn[RIGHT] = below(luck, RIGHT, 1, 0, 0, 2)
    d = table.drawn
    table.score = scored(box.which, d[0], d[1], d[2], d[3], d[4], option)
    table.ending = 0 if table.score >= 4 else 1


@rule
def redeal(box, table, own, hidden, luck):
    hidden.own[0] = own


@rule
def outcome(box, table, row):
    row.ending = table.ending
    row.rounds = 1
    row.winners = 1 if table.ending == 0 else 0
    row.scores[0] = table.score
    row.dealt = table.drawn[DEAL]
    row.cast = table.drawn[DIE]


def fill(box, values):
    box.which = values.choice("setup.rule", RULES)


GAME = Game(
    name="tosses", title="Tosses", version=1, seats=1,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    max_options=2, max_decisions=10, max_rounds=2,
    endings=("won", "lost"), kinds=("which",),
    sources=(Source("deal"), Source("weather"), Source("die", ("round", "", "")),
             Source("left coin", ("round", "", "")), Source("right coin", ("round", "", ""))),
    measures=(Measure("dealt", factor=True, labels=("hard", "easy")), Measure("cast", factor=True)),
    words=f"{__name__}.words", scored=True,
)
