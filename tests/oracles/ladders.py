"""Chutes and Ladders as an absorbing Markov chain, solved as a system of linear equations."""

import numpy as np

LEADS_TO = {1: 38, 4: 14, 9: 31, 16: 6, 21: 42, 28: 84, 36: 44, 47: 26, 49: 11, 51: 67, 56: 53, 62: 19, 64: 60, 71: 91,
            80: 100, 87: 24, 93: 73, 95: 75, 98: 78}
SQUARES = 100


def build_transitions(sides=6):
    """Return the chance to come from each square to each other with one spin."""
    chances = np.zeros((SQUARES + 1, SQUARES + 1))
    for square in range(SQUARES):
        for steps in range(1, sides + 1):
            end = square + steps
            end = square if end > SQUARES else LEADS_TO.get(end, end)
            chances[square, end] += 1 / sides
    chances[SQUARES, SQUARES] = 1
    return chances


def mean_spins(sides=6):
    """Return the mean number of spins from before square 1 to the last square."""
    chances = build_transitions(sides)[:SQUARES, :SQUARES]
    return float(np.linalg.solve(np.eye(SQUARES) - chances, np.ones(SQUARES))[0])


def second_moment_of_spins(sides=6):
    """Return the mean square of the number of spins, from which its variance follows."""
    chances = build_transitions(sides)[:SQUARES, :SQUARES]
    system = np.eye(SQUARES) - chances
    means = np.linalg.solve(system, np.ones(SQUARES))
    return float(np.linalg.solve(system, 1 + 2 * chances @ means)[0])
