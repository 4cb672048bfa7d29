"""Strategies for Five dice."""

from hardmode.sim.records import rule

from five_dice import (
    BASE,
    EMPTY,
    FACES,
    FULL_HOUSE,
    KEEP,
    LARGE_STRAIGHT,
    SMALL_STRAIGHT,
    longest_run,
    score_of,
)

PARS = {"ones": 2.1, "twos": 5.3, "threes": 8.6, "fours": 12.2, "fives": 15.7, "sixes": 19.2, "three_of_a_kind": 21.7,
        "four_of_a_kind": 13.1, "full_house": 22.6, "small_straight": 29.5, "large_straight": 32.7,
        "five_of_a_kind": 16.9, "chance": 22.0}
WEIGHTS = {"above_par": {**PARS, "upper": 1.5}}

# What a learned value reads of the sheet after a turn, and what tells the positions of a turn apart.
VALUE_FIELDS = ("table.filled", "table.upper", "table.ahead", "table.points[11]")
TURN_FIELDS = ("table.kind", "table.roll", "table.count")


@rule
def keep_faces(options, n, wanted):
    """Return the option that keeps just the dice of a code, or the last, which keeps all."""
    for i in range(n):
        if options[i] == wanted:
            return i
    return n - 1


@rule
def power(face):
    digit = 1
    for _ in range(face):
        digit *= BASE
    return digit


@rule
def keep_run(table, options, n):
    """Keep one die of each face in the longest run."""
    best_first, best_length, first, length = 0, 0, 0, 0
    for face in range(FACES):
        if table.count[face] > 0:
            first = face if length == 0 else first
            length += 1
            if length > best_length:
                best_first, best_length = first, length
        else:
            length = 0
    code = 0
    for face in range(best_first, best_first + best_length):
        code += power(face)
    return keep_faces(options, n, code)


@rule
def keep_most(table, options, n):
    """Keep the face that shows most often, preferably one whose box is empty, then the highest."""
    best, most = 0, -1.0
    for face in range(FACES):
        worth = table.count[face] + 0.01 * face + (0.5 if table.filled[face] == EMPTY else 0.0)
        if table.count[face] > 0 and worth > most:
            best, most = face, worth
    return keep_faces(options, n, table.count[best] * power(best))


@rule
def choose_keep(box, table, options, n):
    run = longest_run(table)
    if run == 5 and table.filled[LARGE_STRAIGHT] == EMPTY:
        return n - 1
    if run >= 4 and (table.filled[LARGE_STRAIGHT] == EMPTY or table.filled[SMALL_STRAIGHT] == EMPTY):
        if table.filled[LARGE_STRAIGHT] == EMPTY:
            return keep_run(table, options, n)
        return n - 1
    if table.filled[FULL_HOUSE] == EMPTY and score_of(box, table, FULL_HOUSE) > 0:
        return n - 1
    if run == 3 and table.roll == 1 and table.filled[SMALL_STRAIGHT] == EMPTY:
        alike = 0
        for face in range(FACES):
            alike = max(alike, table.count[face])
        if alike < 2:
            return keep_run(table, options, n)
    return keep_most(table, options, n)


def first_box(box, table, own, options, n, luck, weights):
    """Keep the face that shows most often, and fill the box that scores most."""
    if table.kind == KEEP:
        return keep_most(table, options, n)
    best, most = 0, -1
    for i in range(n):
        points = score_of(box, table, options[i])
        if points > most:
            best, most = i, points
    return best


def above_par(box, table, own, options, n, luck, weights):
    """Fill the box whose score exceeds what it is usually worth by most."""
    if table.kind == KEEP:
        return choose_keep(box, table, options, n)
    best, most = 0, -1000.0
    for i in range(n):
        worth = score_of(box, table, options[i]) - weights[options[i]]
        if options[i] < FACES:
            worth += weights[13] * (table.count[options[i]] - 3)
        if worth > most:
            best, most = i, worth
    return best


STRATEGIES = {"beginner": first_box, "steady": above_par, "first_box": first_box, "above_par": above_par}
