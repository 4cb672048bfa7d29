"""Knobs: a coin, and numbers that do to it what is known exactly. For tests of who finds what.

A share of games, in thousandths, is won or lost anyway (`lift`, `sink`), or its coin is tossed again: a fair one
(`blur`) or one that falls well 55 or 45 times of 100 (`push`, `drag`). `rare` changes a score now and then, `idle`
nothing.
`left` and `right` lose some games unless they are alike.
"""

import numpy as np

from hardmode.sim.contract import TABLE_HEAD, Game, Source
from hardmode.sim.draws import below
from hardmode.sim.records import rule

COIN, SHARE, AGAIN = range(3)
KINDS = ("lift", "sink", "blur", "push", "drag", "rare", "idle")
EACH = 4
LIFT, SINK, BLUR, PUSH, DRAG, RARE, IDLE = range(7)

Box = np.dtype([("knob", "i8", (len(KINDS), EACH)), ("left", "i8"), ("right", "i8")], align=True)
Table = np.dtype([*TABLE_HEAD, ("score", "i8")], align=True)
Own = np.dtype([("nothing", "i8")], align=True)
Hidden = np.dtype([("own", Own, (1,))], align=True)


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = 1
    table.round = 1


@rule
def options(box, table, hidden, out):
    out[0] = 0
    out[1] = 1
    return 2


@rule
def tossed(luck, kind, i, well):
    return below(luck, AGAIN, 1, kind, i, 100) < well


@rule
def take(box, table, hidden, luck, option):
    won = below(luck, COIN, 1, 0, 0, 2) == 1
    for kind in range(IDLE):
        for i in range(4):
            if below(luck, SHARE, 1, kind, i, 1000) < box.knob[kind, i]:
                if kind == LIFT or kind == SINK:
                    won = kind == LIFT
                elif kind == RARE:
                    table.score += 1
                else:
                    won = tossed(luck, kind, i, 50 + 5 * (kind == PUSH) - 5 * (kind == DRAG))
    if box.left != box.right and below(luck, SHARE, 2, 0, 0, 1000) < 60:
        won = False
    table.ending = 0 if won else 1


@rule
def redeal(box, table, own, hidden, luck):
    hidden.own[0] = own


@rule
def outcome(box, table, row):
    row.ending = table.ending
    row.rounds = 1
    row.winners = 1 if table.ending == 0 else 0
    row.scores[0] = table.score


def fill(box, values):
    for kind, name in enumerate(KINDS):
        for i in range(EACH):
            box.knob[kind, i] = values[f"{name}.{'abcd'[i]}"]
    box.left, box.right = values["left"], values["right"]


GAME = Game(
    name="knobs", title="Knobs", version=1, seats=1,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    max_options=2, max_decisions=10, max_rounds=2,
    endings=("won", "lost"), kinds=("which",),
    sources=(Source("coin", ("round", "", "")), Source("share", ("round", "kind", "")),
             Source("again", ("round", "kind", ""))),
    measures=(), words=f"{__name__}.words", scored=True,
)
