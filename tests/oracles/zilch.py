"""The most points that a turn of Zilch can bring on average, by dynamic programming.

A turn begins with 0, 1 or 2 zilches in a row. Within a turn the state is the points so far and the dice to roll. The
long-run average follows by policy iteration over these three kinds of turns (Busche, 2010).
"""

from functools import cache
from itertools import product

import numpy as np

from tests.oracles.policies import record_decisions

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
def list_keeps(counts):
    """Return the most points of a roll for each number of dice kept; () for a zilch."""
    best = {}
    for kept in product(*(range(n + 1) for n in counts)):
        points = score_dice(kept) if sum(kept) else 0
        if points:
            best[sum(kept)] = max(best.get(sum(kept), 0), points)
    if not best and sum(counts) == DICE:
        best = {DICE: NOTHING}
    return tuple(sorted(best.items()))


@cache
def outcomes(dice):
    """Return the chance of each roll, as what `list_keeps` returns."""
    chances = {}
    for roll in product(range(FACES), repeat=dice):
        key = list_keeps(tuple(roll.count(face) for face in range(FACES)))
        chances[key] = chances.get(key, 0) + FACES**-dice
    return chances


def play_turn(zilch_value, bank_value):
    """Return the value of each number of points and dice of a turn when it goes on, and of rolling again.

    Args:
        zilch_value: What the game is worth after a zilch, with its penalty.
        bank_value: What it is worth after points were banked, without them.
    """
    end = CAP // STEP
    value = np.zeros((end + MOST_PER_ROLL // STEP + 1, DICE + 1))
    value[end:] = STEP * np.arange(end, len(value))[:, None] + bank_value
    roll_again = np.zeros_like(value)
    for i in range(end - 1, -1, -1):
        for dice in range(DICE, 0, -1):
            total = 0.0
            for kept, chance in outcomes(dice).items():
                after = [value[i + points // STEP, dice - n or DICE] for n, points in kept]
                total += chance * (max(after) if kept else zilch_value)
            roll_again[i, dice] = total
        banked = STEP * i + bank_value
        for dice in range(1, DICE + 1):
            value[i, dice] = max(roll_again[i, dice], banked) if STEP * i >= LEAST else roll_again[i, dice]
    return value, roll_again


@cache
def solve():
    """Return the average of a turn in the long run under the best play for points, and the values of `play_turn`.

    The values are those of turns after 0, 1 and 2 zilches in a row.
    """
    bias = np.zeros(3)  # what each kind of turn is worth, compared with one after no zilch
    while True:
        solved = [play_turn(-PENALTY if z == 2 else bias[z + 1], 0.0) for z in range(3)]
        turns = np.array([rolled[0, DICE] for _, rolled in solved])
        before, bias = bias, turns - turns[0]
        if np.abs(bias - before).max() < 1e-6:
            return float(turns[0]), solved


def best_average():
    """Return the average of a turn in the long run under the best play for points."""
    return solve()[0]


def measure_losses(engine, games):
    """Play games of one player and return how much less the decisions of each are worth than the best, a turn.

    The best average less the mean of these is the player's own average in the long run.
    """
    tables, taken, numbers = record_decisions(engine, (0,), games)
    _, solved = solve()
    losses = np.zeros(len(tables))
    for d, (table, option) in enumerate(zip(tables, taken.tolist(), strict=True)):
        value, rolled = solved[table["zilches"][0]]
        points, dice = int(table["turn"]) // STEP, int(table["dice"])
        if table["kind"] == 0:
            counts = tuple(table["count"].tolist())
            best = max(value[points + more // STEP, dice - n or DICE] for n, more in list_keeps(counts))
            kept = [option // (DICE + 1) ** face % (DICE + 1) for face in range(FACES)]
            left = dice - sum(kept)
            losses[d] = best - value[points + score_dice(kept) // STEP, left or DICE]
        else:
            again, banked = rolled[points, dice], STEP * points
            losses[d] = max(again, banked) - (banked if option else again)
    turns = engine.filled_box["turns"][0]
    return np.bincount(numbers, losses, games) / turns
