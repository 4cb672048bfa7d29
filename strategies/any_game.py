"""Strategies that play any game."""

from hardmode.sim.draws import below

COIN = 0


def random(box, table, own, options, n, luck, weights):
    """Any legal option, all alike."""
    return below(luck, COIN, 0, 0, 0, n)


STRATEGIES = {"random": random}
