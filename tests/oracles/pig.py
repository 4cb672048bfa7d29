"""Pig solved exactly: its Markov chain, for two players who each have a rule when to hold."""

from functools import cache

GOAL = 100


def hold_at_20(mine, theirs, turn):
    return turn >= 20 or mine + turn >= GOAL


def keep_pace(mine, theirs, turn):
    if mine + turn >= GOAL or mine >= 71 or theirs >= 71:
        return mine + turn >= GOAL
    return turn >= 21 + (theirs - mine) / 8


def turn_of(holds, mine, theirs, rolled=0):
    """The chances of what one turn adds, from the points that are rolled in it."""
    reached, adds = {rolled: 1.0}, {0: 0.0}
    for total in range(GOAL + 6):
        p = reached.pop(total, 0.0)
        if p and total and holds(mine, theirs, total):
            adds[total] = adds.get(total, 0.0) + p
        elif p:
            adds[0] += p / 6
            for face in range(2, 7):
                reached[total + face] = reached.get(total + face, 0.0) + p / 6
    return adds


@cache
def chances(first, second):
    """The first player's chance with the first, and with the second, to move, from the chain of all pairs of scores.

    A turn that adds nothing leads from one player to move to the other at the same scores and back, so each
    pair of scores is a system of two equations; all else leads to higher sums, which are solved before.
    """
    moves, waits = {}, {}
    for total in range(2 * GOAL - 2, -1, -1):
        for a in range(max(0, total - GOAL + 1), min(GOAL - 1, total) + 1):
            b = total - a
            mine, theirs = turn_of(first, a, b), turn_of(second, b, a)
            x = sum(p * (1.0 if a + k >= GOAL else waits[a + k, b]) for k, p in mine.items() if k)
            y = sum(p * (0.0 if b + k >= GOAL else moves[a, b + k]) for k, p in theirs.items() if k)
            moves[a, b] = (x + mine[0] * y) / (1 - mine[0] * theirs[0])
            waits[a, b] = y + theirs[0] * moves[a, b]
    return moves, waits


def chance(first, second, scores, seat, rolled=0):
    """The first player's chance where a seat is to move and has rolled so many points in this turn."""
    moves, waits = chances(first, second)
    (a, b), mine = scores, seat == 0
    adds = turn_of(first, a, b, rolled) if mine else turn_of(second, b, a, rolled)
    after = [(p, a + k * mine, b + k * (not mine)) for k, p in adds.items()]
    return sum(p * (1.0 if x >= GOAL else 0.0 if y >= GOAL else (waits if mine else moves)[x, y]) for p, x, y in after)


def paces(base, share, race):
    """How `keep_pace` holds with these weights."""
    def holds(mine, theirs, turn):
        wins, rolls_on = mine + turn >= GOAL, mine >= race or theirs >= race
        return wins or (not rolls_on and turn >= base + (theirs - mine) / share)
    return holds


def improved(holds, rival):
    """Who takes at each decision what is better if it then goes on by the rule: a search with playouts without end."""
    _, waits = chances(holds, rival)
    better = set()
    for mine in range(GOAL):
        for theirs in range(GOAL):
            lost, worth = waits[mine, theirs], dict.fromkeys(range(GOAL - mine, GOAL + 7), 1.0)
            for turn in range(GOAL - mine - 1, -1, -1):
                hold = waits[mine + turn, theirs]
                roll = (lost + sum(worth[turn + face] for face in range(2, 7))) / 6
                worth[turn] = hold if holds(mine, theirs, turn) else roll
                if hold > roll:
                    better.add((mine, theirs, turn))
    return lambda mine, theirs, turn: mine + turn >= GOAL or (mine, theirs, turn) in better
