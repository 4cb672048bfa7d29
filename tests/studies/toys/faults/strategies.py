"""Strategies for Faults: who presses while the number is low."""

from faults import GOLD, PRESS, REST
from hardmode.sim.records import rule


@rule
def place(options, n, wanted):
    for i in range(n):
        if options[i] == wanted:
            return i
    return 0


def beginner(box, table, own, options, n, luck, weights):
    """Presses unless the number is the highest."""
    return place(options, n, PRESS if table.number <= 5 else REST)


def steady(box, table, own, options, n, luck, weights):
    """Presses up to the middle; takes gold where there is some."""
    gold = place(options, n, GOLD)
    if options[gold] == GOLD:
        return gold
    return place(options, n, PRESS if table.number <= 3 else REST)


STRATEGIES = {"beginner": beginner, "steady": steady}
