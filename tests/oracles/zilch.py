"""The most points that a turn of Zilch can bring on average, by dynamic programming.

A turn begins with 0, 1 or 2 zilches in a row. Within a turn the state is the points so far and the dice to roll. The
long-run average follows by policy iteration over these three kinds of turns (Busche, 2010).
"""

from functools import cache
from itertools import product

import numpy as np

DICE, FACES = 6, 6
STEP = 50  # all scores are multiples
LEAST, PENALTY, NOTHING = 300, 500, 500
MOST_PER_ROLL = 8000  # six ones
CAP = 20_000  # points from which a turn is banked at once, which changes the average by less than 0.001


def score_dice(counts):
    """Return what dice are worth together, or 0 if not all of them score."""
    if sum(counts) == DICE and (max(counts) == 1):
        return 1500
    points = 0
    for face, n in enumerate(counts, start=1):
        if n >= 3:
            points += (1000 if face == 1 else 100 * face) * 2 ** (n - 3)
        elif face in (1, 5):
            points += n * (100 if face == 1 else 50)
        elif n:
            points = 0
            break
    pairs = sorted(n for n in counts if n)
    return max(points, 1500) if pairs in ([2, 2, 2], [2, 4]) else points


@cache
def outcomes(dice):
    """Return the chance of each roll, as the most points for each number of dice kept; () for a zilch."""
    chances = {}
    for roll in product(range(FACES), repeat=dice):
        counts = tuple(roll.count(face) for face in range(FACES))
        best = {}
        for kept in product(*(range(n + 1) for n in counts)):
            points = score_dice(kept) if sum(kept) else 0
            if points:
                best[sum(kept)] = max(best.get(sum(kept), 0), points)
        if not best and dice == DICE:
            best = {DICE: NOTHING}
        key = tuple(sorted(best.items()))
        chances[key] = chances.get(key, 0) + FACES**-dice
    return chances


def play_turn(zilch_value, bank_value):
    """Return the value of a turn.

    Args:
        zilch_value: What the game is worth after a zilch, with its penalty.
        bank_value: What it is worth after points were banked, without them.
    """
    end = CAP // STEP
    value = np.zeros((end + MOST_PER_ROLL // STEP + 1, DICE + 1))
    value[end:] = STEP * np.arange(end, len(value))[:, None] + bank_value
    roll_again = np.zeros(DICE + 1)
    for i in range(end - 1, -1, -1):
        for dice in range(DICE, 0, -1):
            total = 0.0
            for kept, chance in outcomes(dice).items():
                after = [value[i + points // STEP, dice - n or DICE] for n, points in kept]
                total += chance * (max(after) if kept else zilch_value)
            roll_again[dice] = total
        banked = STEP * i + bank_value
        for dice in range(1, DICE + 1):
            value[i, dice] = max(roll_again[dice], banked) if STEP * i >= LEAST else roll_again[dice]
    return float(roll_again[DICE])


def best_average():
    """Return the average of a turn in the long run under the best play for points."""
    bias = np.zeros(3)  # what each kind of turn is worth, compared with one after no zilch
    while True:
        turns = np.array([play_turn(-PENALTY if z == 2 else bias[z + 1], 0.0) for z in range(3)])
        before, bias = bias, turns - turns[0]
        if np.abs(bias - before).max() < 1e-6:
            return float(turns[0])
