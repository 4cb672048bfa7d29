"""Faults: press your luck against a number or rest, eight rounds long. A sound game, and one for each fault of a game.

The number lies open. To press brings three points where a die does not fall below it and costs one where it does; to
rest brings one. Whoever presses while the number is low plays well.
"""

import numpy as np

from hardmode.sim.contract import TABLE_HEAD, Game, Measure, Source
from hardmode.sim.draws import below
from hardmode.sim.pieces import Piece
from hardmode.sim.records import rule

FAULTS = ("none", "useless", "always", "dead", "unused", "lost", "won", "early", "decided", "limit", "stalling", "loop",
          "first", "leader", "out", "king", "loophole", "jump", "inverted", "punished")
(NONE, USELESS, ALWAYS, DEAD, UNUSED, LOST_OPENING, WON_OPENING, EARLY, DECIDED, LIMIT, STALLING, LOOP, FIRST, LEADER,
 OUT, KING, LOOPHOLE, JUMP, INVERTED, PUNISHED) = range(len(FAULTS))
PRESS, REST, IDLE, GOLD = range(4)
WON, LOST, DOOMED, BEST, TIE = range(5)
NUMBER, DIE, CARD, FATE = range(4)
SEATS, ROUNDS = 3, 8

Box = np.dtype([(name, "i8") for name in ("fault", "players", "target", "rest", "roses", "thorns")], align=True)
Table = np.dtype([*TABLE_HEAD, ("score", "i8", (SEATS,)), ("number", "i8"), ("rose", "i8"), ("thorn", "i8"),
                  ("fate", "i8"), ("last", "i8"), ("out", "i8", (SEATS,))], align=True)
Own = np.dtype([("nothing", "i8")], align=True)
Hidden = np.dtype([("own", Own, (SEATS,)), ("fate", "i8")], align=True)


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = box.players
    table.round = 1
    table.last = ROUNDS
    table.fate = below(luck, FATE, 0, 0, 0, 5) == 0  # one game in five
    if box.fault == STALLING and table.fate:
        table.last = 5 * ROUNDS
    if box.fault == FIRST:
        table.score[0] = 2
    ask(box, table, luck)


@rule
def ask(box, table, luck):
    table.number = 5 if box.fault == LOOP else 1 + below(luck, NUMBER, table.round, table.seat, 0, 6)


@rule
def options(box, table, hidden, out):
    out[0] = PRESS
    out[1] = REST
    n = 2
    if box.fault == USELESS:
        out[n] = IDLE
        n += 1
    if box.fault == ALWAYS:
        out[n] = GOLD
        n += 1
    return n


@rule
def gain(box, table, luck, option):
    """The points of a turn."""
    if option == GOLD:
        return 3
    if option == IDLE:
        return 0
    if option == REST:
        return 0 if box.fault == LOOP else 1 if box.fault == DEAD else box.rest
    number = 7 - table.number if box.fault == PUNISHED else table.number
    if box.fault != LOOPHOLE and 1 + below(luck, DIE, table.round, table.seat, 0, 6) < number:
        return -1
    cards = box.roses + box.thorns
    rose = box.fault != UNUSED and below(luck, CARD, table.round, table.seat, 0, 60) * cards < 60 * box.roses
    table.rose += rose
    table.thorn += not rose
    return 3 + rose


@rule
def take(box, table, hidden, luck, option):
    seat = table.seat
    table.score[seat] += gain(box, table, luck, option)
    if box.fault == KING and table.round == ROUNDS and is_last(table, seat):
        table.score[(seat + (1 if option == PRESS else 2)) % 3] += 100
    if box.fault == DECIDED and table.round == 1:
        table.score[seat] += 100 if below(luck, DIE, 0, seat, 1, 2) else -100
    if box.fault == EARLY and table.fate:
        table.ending = DOOMED
        return
    pass_on(box, table)
    if table.round > table.last:
        end(box, table)
    elif table.ending < 0:
        ask(box, table, luck)


@rule
def pass_on(box, table):
    """To the next seat that is not out, and to the next round."""
    while True:
        table.seat += 1
        if table.seat == table.seats:
            table.seat = 0
            after_round(box, table)
            table.round += 1
        if table.out[table.seat] == 0:
            return


@rule
def after_round(box, table):
    if table.round == 2 and table.seats > 1 and box.fault in (LEADER, OUT):
        for s in range(table.seats):
            if box.fault == LEADER and is_first(table, s):
                table.score[s] += 100
                return
            if box.fault == OUT and is_last(table, s):
                table.out[s] = 1
                return


@rule
def is_last(table, seat):
    for s in range(table.seats):
        if table.score[s] < table.score[seat]:
            return False
    return True


@rule
def is_first(table, seat):
    for s in range(table.seats):
        if table.score[s] > table.score[seat]:
            return False
    return True


@rule
def end(box, table):
    if box.fault == LIMIT and table.fate:
        return
    if table.seats > 1:
        table.ending = BEST
        return
    won = table.score[0] >= box.target
    if box.fault == LOST_OPENING and table.fate:
        won = False
    if box.fault == WON_OPENING and table.fate:
        won = True
    table.ending = WON if won else LOST


@rule
def redeal(box, table, own, hidden, luck):
    hidden.fate = 0
    hidden.own[table.seat] = own


@rule
def outcome(box, table, row):
    row.ending = table.ending
    row.rounds = min(table.round, table.last)
    row.winners = 1 if table.ending == WON else 0
    for s in range(SEATS):
        row.scores[s] = table.score[s]
        if table.ending == BEST and s < table.seats and is_first(table, s):
            row.winners |= 1 << s
    row.number = table.number


@rule
def label(box, table, own, option):
    return option


def fill(box, values):
    box.fault = values.choice("setup.fault", FAULTS)
    box.players = values["setup.players"]
    targets = {"easy": values["target"] - 2, "normal": values["target"], "hard": values["target"] + 2}
    if box.fault == JUMP:
        targets["hard"] = 40
    if box.fault == INVERTED:
        targets["hard"] = values["target"] - 3
    box.target = targets[("easy", "normal", "hard")[values.choice("setup.mode", ("easy", "normal", "hard"))]]
    box.rest = values["rest"]
    box.roses, box.thorns = values["card.rose.copies"], values["card.thorn.copies"]


def fates(over):
    """One rose comes into play, and a second one makes it be used; thorns prick whoever draws them; rests are had in
    any game but one with a fault."""
    if over.box.fault != UNUSED:
        yield "resting", True
    if over.table.rose:
        yield "card.rose", over.table.rose > 1
    if over.table.thorn:
        yield "card.thorn", True


def pieces(values):
    yield Piece("resting", {"rest": 0, "target": values["target"] - 2}, "idling")


GAME = Game(
    name="faults", title="Faults", version=1, seats=SEATS, box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill, label=label, labels=4,
    fates=fates, pieces=pieces,
    max_options=4, max_decisions=200, max_rounds=70,
    endings=("won", "lost", "doomed", "somebody is best", "tie"), kinds=("press or rest",),
    sources=(Source("number", ("round", "seat", "")), Source("die", ("round", "seat", "")),
             Source("card", ("round", "seat", "")), Source("fate")),
    measures=(Measure("number", "the last number"),), words=f"{__name__}.words", competitive=True,
)
