"""Pig solved exactly: its Markov chain, for two players who each have a rule when to hold."""

from functools import cache

import numba
import numpy as np

from tests.oracles.policies import query_choices

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


WIDTH = GOAL + 40  # points of a turn; at the last number everybody holds


@numba.njit(cache=True)
def list_gains(holds):
    """Return the chance of each number of points that a turn adds, from the chances to hold.

    Args:
        holds: The chance to hold by own points, the other's points, and the points of the turn.
    """
    gains = np.zeros((GOAL, GOAL, WIDTH))
    for mine in range(GOAL):
        for theirs in range(GOAL):
            reached = np.zeros(WIDTH + 6)
            reached[0] = 1.0
            for turn in range(WIDTH):
                hold = holds[mine, theirs, turn] if turn < WIDTH - 6 else 1.0
                gains[mine, theirs, turn] += reached[turn] * hold
                rolled = reached[turn] * (1.0 - hold) / 6
                gains[mine, theirs, 0] += rolled
                for face in range(2, 7):
                    reached[turn + face] += rolled
    return gains


@numba.njit(cache=True)
def play_gains(first, second):
    """Return the first player's chance to win the game, from what the turns of both add."""
    moves, waits = np.zeros((GOAL, GOAL)), np.zeros((GOAL, GOAL))
    for total in range(2 * GOAL - 2, -1, -1):
        for a in range(max(0, total - GOAL + 1), min(GOAL - 1, total) + 1):
            b = total - a
            mine, theirs = first[a, b, GOAL - a :].sum(), 0.0
            for k in range(1, GOAL - a):
                mine += first[a, b, k] * waits[a + k, b]
            for k in range(1, GOAL - b):
                theirs += second[b, a, k] * moves[a, b + k]
            neither = first[a, b, 0] * second[b, a, 0]
            moves[a, b] = (mine + first[a, b, 0] * theirs) / (1.0 - neither)
            waits[a, b] = theirs + second[b, a, 0] * moves[a, b]
    return moves[0, 0]


@numba.njit(cache=True)
def exploit(rival):
    """Return the best response's chance to win as first and as second player, from what the rival's turns add."""
    moves, waits = np.zeros((GOAL, GOAL)), np.zeros((GOAL, GOAL))
    worth = np.zeros(WIDTH + 6)
    for total in range(2 * GOAL - 2, -1, -1):
        for a in range(max(0, total - GOAL + 1), min(GOAL - 1, total) + 1):
            b = total - a
            later = 0.0
            for k in range(1, GOAL - b):
                later += rival[b, a, k] * moves[a, b + k]
            move, before = 0.5, -1.0
            while abs(move - before) > 1e-14:
                before = move
                wait = later + rival[b, a, 0] * move
                for turn in range(GOAL + 5, -1, -1):
                    hold = 1.0 if a + turn >= GOAL else waits[a + turn, b]
                    roll = wait
                    for face in range(2, 7):
                        roll += worth[turn + face]
                    worth[turn] = max(hold if turn > 0 else wait, roll / 6)
                move = worth[0]
            moves[a, b], waits[a, b] = move, wait
    return moves[0, 0], waits[0, 0]


def tabulate(rule):
    """Return the chances to hold of a rule such as `hold_at_20`."""
    return np.fromfunction(np.vectorize(rule, otypes=[float]), (GOAL, GOAL, WIDTH), dtype=int)


def roll_twice_gains():
    """Return what the turns of a player add who rolls twice."""
    gains = np.zeros((GOAL, GOAL, WIDTH))
    gains[:, :, 0] = 11 / 36
    for first in range(2, 7):
        for second in range(2, 7):
            gains[:, :, first + second] += 1 / 36
    return gains


def query_holds(engine, keys=4):
    """Return the chances to hold of the first player of an engine, who is asked in all positions once it has rolled.

    Args:
        engine: The engine.
        keys: How many keys of its own randomness the player is asked with.
    """
    mine, theirs, turn = np.meshgrid(*map(np.arange, (GOAL, GOAL, WIDTH)), indexing="ij")
    has_enough = mine + turn >= GOAL
    is_open = (turn > 0) & (mine + turn < GOAL + 6)
    tables = np.zeros(is_open.sum(), engine.game.table)
    tables["ending"], tables["seats"], tables["round"] = -1, 2, 1
    tables["score"] = np.stack([mine, theirs], axis=-1)[is_open]
    tables["turn"] = turn[is_open]
    tables["rolls"] = 1
    holds = has_enough.astype(float)
    holds[is_open] = query_choices(engine, tables, np.zeros(len(tables), engine.game.hidden), keys)
    assert (holds[has_enough] == 1).all(), "who has enough points holds"
    return holds
