"""Strategies for Tosses."""


def beginner(box, table, own, options, n, luck, weights):
    """Always the first."""
    return 0


def steady(box, table, own, options, n, luck, weights):
    """Always the second."""
    return 1


STRATEGIES = {"beginner": beginner, "steady": steady}
