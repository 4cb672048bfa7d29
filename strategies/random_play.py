"""Strategies that play any game: random play, and the names that mean the same in every game."""

from hardmode.sim.draws import below

COIN = 0  # the source of the draws of random play


def random(box, table, own, options, n, luck, weights):
    """Any legal option, all alike."""
    return below(luck, COIN, 0, 0, 0, n)


STRATEGIES = {"random": random}
EXPERT = "expert"
EXPERT_BASES = ("trained", "steady")  # the expert searches on the first of these that a game has
DEFAULT_PLAYOUTS = 64  # of a search at each decision
EXPERT_PLAYOUTS = 48  # fewer, so that a few hundred games take a minute and a half
RESERVED_NAMES = (*STRATEGIES, "trained", EXPERT, "search")
