"""Five dice: thirteen turns of up to three rolls, and a box to fill after each, by the rules of Yahtzee.

Played alone for points. Its value under optimal play is known exactly.
"""

import numpy as np
from hardmode.sim.contract import TABLE_HEAD, Game, Measure, Source
from hardmode.sim.draws import below
from hardmode.sim.records import rule

DICE = 5
FACES = 6
BASE = DICE + 1  # an option to keep dice is a number with a digit for each face
BOXES = 13
(ONES, TWOS, THREES, FOURS, FIVES, SIXES, THREE_OF_A_KIND, FOUR_OF_A_KIND, FULL_HOUSE, SMALL_STRAIGHT,
 LARGE_STRAIGHT, FIVE_OF_A_KIND, CHANCE) = range(BOXES)
KEEP, FILL = 0, 1  # kinds of decisions
FINISHED = 0
PAR = 3  # dice of each face are 63 points in all
DIE = 0
JOKERS = ("none", "free", "forced")
FORCED = 2
EMPTY, FILLED = 0, 1

Box = np.dtype([("players", "i8"), ("rolls", "i8"), ("bonus_from", "i8"), ("bonus", "i8"), ("full_house", "i8"),
                ("small_straight", "i8"), ("large_straight", "i8"), ("five_alike", "i8"), ("five_again", "i8"),
                ("joker", "i8")], align=True)
Table = np.dtype([*TABLE_HEAD, ("filled", "i8", (BOXES,)), ("points", "i8", (BOXES,)),
                  ("count", "i8", (FACES,)), ("roll", "i8"), ("upper", "i8"), ("ahead", "i8"), ("score", "i8"),
                  ("extra", "i8")], align=True)
Own = np.dtype([("nothing", "i8")], align=True)
Hidden = np.dtype([("own", Own, (1,))], align=True)


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = 1
    table.round = 1
    begin_turn(box, table, luck)


@rule
def begin_turn(box, table, luck):
    for face in range(FACES):
        table.count[face] = 0
    table.roll = 0
    roll(box, table, luck, DICE)


@rule
def roll(box, table, luck, dice):
    """Roll dice and add them to those that were kept."""
    for i in range(dice):
        table.count[below(luck, DIE, table.round, table.roll, i, FACES)] += 1
    table.roll += 1
    table.kind = FILL if table.roll == box.rolls else KEEP


@rule
def options(box, table, hidden, out):
    return write_keeps(table, out) if table.kind == KEEP else write_boxes(box, table, out)


@rule
def write_keeps(table, out):
    """Write each set of dice that can be kept, and return their number; the last keeps all."""
    ways = 1
    for face in range(FACES):
        ways *= table.count[face] + 1
    for way in range(ways):
        rest = way
        code = 0
        digit = 1
        for face in range(FACES):
            code += digit * (rest % (table.count[face] + 1))
            rest //= table.count[face] + 1
            digit *= BASE
        out[way] = code
    return ways


@rule
def find_five_alike(table):
    """Return the face that all dice show, or -1."""
    for face in range(FACES):
        if table.count[face] == DICE:
            return face
    return -1


@rule
def is_joker(box, table):
    """Return whether five dice are alike for which both boxes are filled: they stand for what is needed."""
    face = find_five_alike(table)
    return box.joker > 0 and face >= 0 and table.filled[FIVE_OF_A_KIND] != EMPTY and table.filled[face] != EMPTY


@rule
def write_boxes(box, table, out):
    """Write the empty boxes that may be filled; a forced joker goes to its face first, then to the lower section."""
    first, end = 0, BOXES
    face = find_five_alike(table)
    if box.joker == FORCED and face >= 0 and table.filled[FIVE_OF_A_KIND] != EMPTY:
        if table.filled[face] == EMPTY:
            out[0] = face
            return 1
        first = THREE_OF_A_KIND
        is_lower_full = True
        for i in range(THREE_OF_A_KIND, BOXES):
            is_lower_full = is_lower_full and table.filled[i] != EMPTY
        if is_lower_full:
            first, end = 0, THREE_OF_A_KIND
    n = 0
    for i in range(first, end):
        if table.filled[i] == EMPTY:
            out[n] = i
            n += 1
    return n


@rule
def longest_run(table):
    longest = 0
    run = 0
    for face in range(FACES):
        run = run + 1 if table.count[face] > 0 else 0
        longest = max(longest, run)
    return longest


@rule
def score_of(box, table, where):
    """Return what the dice score in a box of the sheet."""
    total = 0
    most = 0
    has_two = False
    for face in range(FACES):
        total += (face + 1) * table.count[face]
        most = max(most, table.count[face])
        has_two = has_two or table.count[face] == 2
    joker = is_joker(box, table)
    if where <= SIXES:
        return (where + 1) * table.count[where]
    if where == THREE_OF_A_KIND:
        return total if most >= 3 else 0
    if where == FOUR_OF_A_KIND:
        return total if most >= 4 else 0
    if where == FULL_HOUSE:
        return box.full_house if joker or (most == 3 and has_two) else 0
    if where == SMALL_STRAIGHT:
        return box.small_straight if joker or longest_run(table) >= 4 else 0
    if where == LARGE_STRAIGHT:
        return box.large_straight if joker or longest_run(table) >= 5 else 0
    if where == FIVE_OF_A_KIND:
        return box.five_alike if most == DICE else 0
    return total


@rule
def take(box, table, hidden, luck, option):
    if table.kind == KEEP:
        keep(box, table, luck, option)
    else:
        fill_box(box, table, option)
        if table.round == BOXES:
            table.ending = FINISHED
        else:
            table.round += 1
            begin_turn(box, table, luck)


@rule
def keep(box, table, luck, option):
    dice = 0
    for face in range(FACES):
        table.count[face] = option % BASE
        dice += table.count[face]
        option //= BASE
    if dice == DICE:
        table.kind = FILL
    else:
        roll(box, table, luck, DICE - dice)


@rule
def fill_box(box, table, where):
    points = score_of(box, table, where)
    if find_five_alike(table) >= 0 and table.points[FIVE_OF_A_KIND] > 0:
        table.extra += 1
        table.score += box.five_again
    table.filled[where] = FILLED
    table.points[where] = points
    table.score += points
    if where <= SIXES:
        before = table.upper
        table.upper += points
        table.ahead += points - PAR * (where + 1)
        if before < box.bonus_from and table.upper >= box.bonus_from:
            table.score += box.bonus


@rule
def redeal(box, table, own, hidden, luck):
    hidden.own[0] = own


@rule
def outcome(box, table, row):
    row.ending = table.ending
    row.rounds = table.round
    row.winners = 1 if table.ending == FINISHED else 0
    row.scores[0] = table.score
    row.upper_section = table.upper
    row.bonus_won = table.upper >= box.bonus_from
    row.five_alike_again = table.extra


@rule
def label(box, table, own, option):
    return option if table.kind == FILL else BOXES


def fill(box, values):
    box.rolls = values["rolls"]
    box.bonus_from = values["upper_bonus.from"]
    box.bonus = values["upper_bonus.points"]
    for name in ("full_house", "small_straight", "large_straight"):
        setattr(box, name, values[f"points.{name}"])
    box.five_alike = values["points.five_of_a_kind"]
    box.five_again = values["points.five_of_a_kind_again"]
    box.joker = values.choice("setup.joker", JOKERS)
    box.players = values["setup.players"]


GAME = Game(
    name="five_dice", title="Five dice", version=1, seats=1,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    label=label, labels=BOXES + 1, max_options=32, max_decisions=100, max_rounds=BOXES,
    endings=("finished",),
    kinds=("which dice to keep", "which box to fill"),
    sources=(Source("die", ("turn", "roll", "die")),),
    measures=(Measure("upper section", "points in ones to sixes", curve=True), Measure("bonus won"),
              Measure("five alike again", "boxes that earned the extra points")),
    words=f"{__name__}.words", scored=True, unit="turns", standard="solitaire",
)
