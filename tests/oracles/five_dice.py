"""Solitaire Yahtzee solved by dynamic programming.

The published value, 254.5896, is that of free jokers: once the box of five of a kind and the box of their face are
filled, further five of a kind score as a full house or straight in any lower box, but may go anywhere. Forced jokers
must go to the box of their face first, and then to the lower section.

The state between turns is: which boxes are filled, the points in the upper section up to 63, and whether five of a
kind scored 50, so that a further one earns 100. The value of each state is the mean of the points still to come.
"""

from itertools import combinations_with_replacement

import numba
import numpy as np

from tests.oracles.policies import record_decisions

BOXES, FACES, DICE, ROLLS = 13, 6, 5, 3
FIVE_OF_A_KIND = 11
UPPER = 64  # points in the upper section, of which more than 63 count as 63
ALL = (1 << BOXES) - 1


def build_tables():
    """Return tables of all sets of up to five dice, which are numbered by size.

    Returns:
        counts: How many dice of each face a set has.
        after: The number of the set with one die of each face more; -1 for sets of five.
        first: The number of the first set of each size.
    """
    sets = [dice for size in range(DICE + 1) for dice in combinations_with_replacement(range(FACES), size)]
    number = {dice: i for i, dice in enumerate(sets)}
    counts = np.array([[dice.count(face) for face in range(FACES)] for dice in sets])
    after = np.full((len(sets), FACES), -1)
    for dice, i in number.items():
        if len(dice) < DICE:
            after[i] = [number[tuple(sorted((*dice, face)))] for face in range(FACES)]
    first = np.array([min(i for dice, i in number.items() if len(dice) == size) for size in range(DICE + 1)])
    return counts, after, first


def build_scores(counts):
    """Return the points of each set of five dice in each box, and the face that all five show or -1."""
    scores = np.zeros((len(counts), BOXES), np.int64)
    alike = np.full(len(counts), -1)
    for i, count in enumerate(counts):
        if count.sum() < DICE:
            continue
        total, most = int(count @ np.arange(1, 7)), count.max()
        runs = "".join("1" if n else "0" for n in count)
        lower = [total if most >= 3 else 0, total if most >= 4 else 0, 25 if sorted(count)[-2:] == [2, 3] else 0,
                 30 if "1111" in runs else 0, 40 if "11111" in runs else 0, 50 if most == 5 else 0, total]
        scores[i] = [face * n for face, n in enumerate(count, start=1)] + lower
        alike[i] = int(count.argmax()) if most == 5 else -1
    return scores, alike


@numba.njit(cache=True)
def best_end_of_turn(values, scores, alike, forced, filled, upper, bonus, i, only=-1):
    """Return the most points, now and later, from filling a box with a set of five dice, or from `only` this box."""
    face = alike[i]
    again = face >= 0 and filled >> FIVE_OF_A_KIND & 1
    joker = again and filled >> face & 1
    extra = 100 if again and bonus else 0
    first, end = 0, BOXES
    if forced and again and not joker:
        first, end = face, face + 1
    elif forced and joker and filled >> 6 != 127:
        first = 6
    best = -1.0
    for box in range(first, end):
        if filled >> box & 1 or (only >= 0 and box != only):
            continue
        points = scores[i, box]
        if joker and 8 <= box <= 10:
            points = 25 + 5 * (box - 8) + 5 * (box == 10)
        new_upper = upper
        more = extra + points
        if box < 6:
            new_upper = min(63, upper + points)
            more += 35 if upper < 63 and new_upper == 63 else 0
        new_bonus = 1 if bonus or (box == FIVE_OF_A_KIND and points == 50) else 0
        best = max(best, more + values[filled | 1 << box, new_upper, new_bonus])
    return best


@numba.njit(cache=True)
def average_over_rolls(value, after, first):
    """Fill in what each set of fewer than five dice is worth, from what sets of five are worth."""
    for k in range(first - 1, -1, -1):
        total = 0.0
        for face in range(FACES):
            total += value[after[k, face]]
        value[k] = total / FACES


@numba.njit(cache=True)
def fill_turn(turn, values, counts, after, first, scores, alike, forced, subsets, subset_n, filled, upper, bonus):
    """Fill in what sets of dice are worth in a turn.

    Args:
        turn: Receives the values by r and the number of the set: of five dice after r + 1 rolls, and of fewer dice
            that are kept after r rolls.
        values: The values of the states after the turn.
        counts: As `build_tables` returns them, like `after` and `first`.
        after: The sets with one die more.
        first: The first set of five.
        scores: As `build_scores` returns them, like `alike`.
        alike: The face that all dice show.
        forced: Whether jokers are forced.
        subsets: The sets that can be kept of each set of five dice.
        subset_n: How many these are.
        filled: The state before the turn, like `upper` and `bonus`.
        upper: The points in the upper section.
        bonus: Whether further five of a kind earn 100 points.
    """
    sets = counts.shape[0]
    for i in range(first, sets):
        turn[ROLLS - 1, i] = best_end_of_turn(values, scores, alike, forced, filled, upper, bonus, i)
    average_over_rolls(turn[ROLLS - 1], after, first)
    for r in range(ROLLS - 2, -1, -1):
        for i in range(first, sets):
            best = turn[ROLLS - 1, i]
            for s in range(subset_n[i]):
                best = max(best, turn[r + 1, subsets[i, s]])
            turn[r, i] = best
        average_over_rolls(turn[r], after, first)


@numba.njit(cache=True)
def solve_masks(values, counts, after, first, scores, alike, forced, subsets, subset_n):
    """Fill in the values of all states, fullest sheets first."""
    turn = np.zeros((ROLLS, counts.shape[0]))
    reachable = np.zeros((64, UPPER), np.bool_)
    reachable[0, 0] = True
    for mask in range(64):  # which sums each set of upper boxes can have
        for box in range(6):
            if mask >> box & 1:
                for before in range(UPPER):
                    if reachable[mask & ~(1 << box), before]:
                        for n in range(6):
                            reachable[mask, min(63, before + n * (box + 1))] = True
    for filled in range(ALL - 1, -1, -1):  # a state leads to masks with one bit more, which are larger
        for upper in range(UPPER):
            if not reachable[filled & 63, upper]:
                continue
            for bonus in range(2):
                if bonus and not filled >> FIVE_OF_A_KIND & 1:
                    continue
                fill_turn(turn, values, counts, after, first, scores, alike, forced, subsets, subset_n, filled, upper,
                          bonus)
                values[filled, upper, bonus] = turn[0, 0]


def list_subsets(counts, first):
    """Return the numbers of the sets that can be kept of each set of five dice, and how many these are."""
    subsets = np.zeros((len(counts), 32), np.int64)
    subset_n = np.zeros(len(counts), np.int64)
    for i in range(first, len(counts)):
        inside = np.flatnonzero((counts <= counts[i]).all(axis=1))
        subsets[i, : len(inside)] = inside
        subset_n[i] = len(inside)
    return subsets, subset_n


def solve(forced=False):
    """Return the value of every state: values[filled, upper, bonus]; the value of the game is values[0, 0, 0].

    Args:
        forced: Whether jokers are forced.
    """
    counts, after, first = build_tables()
    scores, alike = build_scores(counts)
    five = int(first[DICE])
    values = np.zeros((ALL + 1, UPPER, 2))
    solve_masks(values, counts, after, five, scores, alike, forced, *list_subsets(counts, five))
    return values


@numba.njit(cache=True)
def list_losses(decisions, values, counts, after, first, scores, alike, subsets, subset_n):
    """Return how much less each decision is worth than the best, with free jokers.

    Args:
        decisions: Of each: the boxes filled, points in the upper section, bonus, rolls so far (0 when a box is to be
            filled), set of dice, and the set that was kept or the box.
        values: The values of the states between turns; the rest as `fill_turn` has it.
    """
    turn = np.zeros((ROLLS, counts.shape[0]))
    losses = np.zeros(len(decisions))
    known = np.array([-1, -1, -1])
    for d in range(len(decisions)):
        filled, upper, bonus, rolls, dice, taken = decisions[d]
        if filled != known[0] or upper != known[1] or bonus != known[2]:
            known[:] = decisions[d, :3]
            fill_turn(turn, values, counts, after, first, scores, alike, False, subsets, subset_n, filled, upper, bonus)
        if rolls == 0:
            worth = best_end_of_turn(values, scores, alike, False, filled, upper, bonus, dice, taken)
            losses[d] = turn[ROLLS - 1, dice] - worth
        else:
            worth = turn[rolls, taken] if taken < first else turn[ROLLS - 1, taken]
            losses[d] = turn[rolls - 1, dice] - worth
    return losses


def measure_losses(engine, games, values):
    """Play games and return how much less the decisions of each were worth than the best, in points.

    The best mean less the mean of these is the player's mean score: without the luck of the dice, since what is lost
    by a decision is known exactly.

    Args:
        engine: The game and its player.
        games: How many games.
        values: As `solve` returns them.
    """
    tables, taken, numbers = record_decisions(engine, (0,), games)
    counts, after, first = build_tables()
    five = int(first[DICE])
    digits = (DICE + 1) ** np.arange(FACES)
    number = np.zeros((DICE + 1) ** FACES, np.int64)
    number[counts @ digits] = np.arange(len(counts))
    filled = tables["filled"] @ (1 << np.arange(BOXES))
    upper = np.minimum(UPPER - 1, tables["upper"])
    bonus = tables["points"][:, FIVE_OF_A_KIND] > 0
    is_keep = tables["kind"] == 0
    rolls = np.where(is_keep, tables["roll"], 0)
    dice = number[tables["count"] @ digits]
    chosen = np.where(is_keep, number[taken * is_keep], taken)
    decisions = np.stack([filled, upper, bonus, rolls, dice, chosen], axis=1).astype(np.int64)
    scores, alike = build_scores(counts)
    losses = list_losses(decisions, values, counts, after, five, scores, alike, *list_subsets(counts, five))
    return np.bincount(numbers, losses, games)
