"""Strategies for Lantern."""

from lantern import HURRY, TREAD


def beginner(box, table, own, options, n, luck, weights):
    """Always hurry."""
    return HURRY


def steady(box, table, own, options, n, luck, weights):
    """Hurry only when the light would not last."""
    return HURRY if table.way > table.seats * table.light * 4 // 5 else TREAD


STRATEGIES = {"beginner": beginner, "steady": steady}
