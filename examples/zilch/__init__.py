"""Zilch: roll six dice, keep what scores, and dare to roll the rest; a roll without a score loses the turn's points.

The rules are those of an online game that Matt Busche solved for the average of a turn (2010). Two players race to
the target; one player alone plays a number of turns for points.
"""

import numpy as np
from hardmode.sim.contract import TABLE_HEAD, Game, Measure, Source
from hardmode.sim.draws import below
from hardmode.sim.records import rule

DICE = 6
FACES = 6
BASE = DICE + 1  # an option to keep dice is a number with a digit for each face
ROLL, BANK = 0, 1
KEEP, GO_ON = 0, 1  # kinds of decisions
FIRST_WINS, SECOND_WINS, TURNS_ARE_OVER = 0, 1, 2
DIE = 0

Box = np.dtype([("players", "i8"), ("target", "i8"), ("turns", "i8"), ("least", "i8"), ("zilches", "i8"),
                ("penalty", "i8"), ("single", "i8", (FACES,)), ("triple", "i8", (FACES,)), ("straight", "i8"),
                ("pairs", "i8"), ("nothing", "i8")], align=True)
Table = np.dtype([*TABLE_HEAD, ("score", "i8", (2,)), ("zilches", "i8", (2,)), ("turn", "i8"), ("dice", "i8"),
                  ("rolls", "i8"), ("count", "i8", (FACES,)), ("lost_turns", "i8", (2,)), ("best_turn", "i8")],
                 align=True)
Own = np.dtype([("nothing", "i8")], align=True)
Hidden = np.dtype([("own", Own, (2,))], align=True)


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = box.players
    table.round = 1
    begin_turn(box, table, luck)


@rule
def begin_turn(box, table, luck):
    """Roll all dice for the seat; they always score, at least as a roll of nothing."""
    table.turn = 0
    table.dice = DICE
    table.rolls = 0
    roll(table, luck)


@rule
def roll(table, luck):
    for face in range(FACES):
        table.count[face] = 0
    turn = 2 * table.round + table.seat
    for i in range(table.dice):
        table.count[below(luck, DIE, turn, table.rolls, i, FACES)] += 1
    table.rolls += 1
    table.kind = KEEP


@rule
def score_of(box, code):
    """Return what dice are worth together, or 0 if not all of them score."""
    points = 0
    dice = 0
    faces = 0
    pairs = 0
    rest = code
    all_score = True
    for face in range(FACES):
        n = rest % BASE
        rest //= BASE
        dice += n
        faces += n > 0
        pairs += n // 2
        if n >= 3:
            points += box.triple[face] << (n - 3)  # each further die doubles
        elif n > 0:
            points += n * box.single[face]
            all_score = all_score and box.single[face] > 0
    if not all_score:
        points = 0
    if dice == DICE and faces == FACES:
        return box.straight
    if dice == DICE and pairs == 3 and faces > 1:
        return max(points, box.pairs)
    return points


@rule
def write_keeps(box, table, out):
    """Write each way to keep dice that all score, and return their number."""
    ways = 1
    for face in range(FACES):
        ways *= table.count[face] + 1
    n = 0
    for way in range(1, ways):
        rest = way
        code = 0
        digit = 1
        for face in range(FACES):
            code += digit * (rest % (table.count[face] + 1))
            rest //= table.count[face] + 1
            digit *= BASE
        if score_of(box, code) > 0:
            out[n] = code
            n += 1
    return n


@rule
def is_zilch(box, table):
    for face in range(FACES):
        if table.count[face] >= 3 or (table.count[face] > 0 and box.single[face] > 0):
            return False
    if table.dice < DICE:
        return True
    pairs = 0
    faces = 0
    for face in range(FACES):
        pairs += table.count[face] // 2
        faces += table.count[face] > 0
    return pairs < 3 and faces < FACES and box.nothing == 0


@rule
def options(box, table, hidden, out):
    if table.kind == KEEP:
        n = write_keeps(box, table, out)
        if n == 0:
            out[0] = 0  # all six dice, which score as a roll of nothing
            return 1
        return n
    out[0] = ROLL
    if table.turn < box.least:
        return 1
    out[1] = BANK
    return 2


@rule
def take(box, table, hidden, luck, option):
    if table.kind == KEEP:
        keep(box, table, option)
        return
    if option == BANK:
        seat = table.seat
        table.score[seat] += table.turn
        table.best_turn = max(table.best_turn, table.turn)
        table.zilches[seat] = 0
        if table.seats == 2 and table.score[seat] >= box.target:
            table.ending = seat
            return
        next_turn(box, table, luck)
        return
    roll(table, luck)
    while table.ending < 0 and is_zilch(box, table):
        lose_turn(box, table)
        next_turn(box, table, luck)


@rule
def keep(box, table, option):
    if option == 0:
        table.turn += box.nothing
        table.dice = 0
    else:
        table.turn += score_of(box, option)
        rest = option
        for _ in range(FACES):
            table.dice -= rest % BASE
            rest //= BASE
    if table.dice == 0:
        table.dice = DICE
    table.kind = GO_ON


@rule
def lose_turn(box, table):
    seat = table.seat
    table.lost_turns[seat] += 1
    table.zilches[seat] += 1
    if table.zilches[seat] == box.zilches:
        table.score[seat] -= box.penalty
        table.zilches[seat] = 0


@rule
def next_turn(box, table, luck):
    table.seat += 1
    if table.seat == table.seats:
        table.seat = 0
        if table.seats == 1 and table.round == box.turns:
            table.ending = TURNS_ARE_OVER
            return
        table.round += 1
    begin_turn(box, table, luck)


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
        row.turns_lost[s] = table.lost_turns[s]
    row.best_turn = table.best_turn


@rule
def label(box, table, own, option):
    if table.kind == KEEP:
        return 0
    return 1 + option


def fill(box, values):
    box.players = values["setup.players"]
    box.target = values["target"]
    box.turns = values["limits.turns"]
    box.least = values["bank.least"]
    box.zilches = values["zilch.in_a_row"]
    box.penalty = values["zilch.penalty"]
    for face in range(FACES):
        box.single[face] = values[f"points.single.{face + 1}"]
        box.triple[face] = values[f"points.triple.{face + 1}"]
    box.straight = values["points.straight"]
    box.pairs = values["points.three_pairs"]
    box.nothing = values["points.nothing"]


GAME = Game(
    name="zilch", title="Zilch", version=1, seats=2,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    label=label, labels=3, max_options=64, max_decisions=40_000, max_rounds=60,
    endings=("first player wins", "second player wins", "turns are over"),
    kinds=("which dice to keep", "roll or bank"),
    sources=(Source("die", ("turn", "roll", "die")),),
    measures=(Measure("turns lost", per_seat=True), Measure("best turn", "the most points banked at once")),
    words=f"{__name__}.words", competitive=True, scored=True, unit="turns", standard="race",
)
