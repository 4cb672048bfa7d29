"""Who plays any game: at random, and the expert, who searches.

What these names mean is said here for every game; a game's own strategies have others.
"""

from hardmode.sim.draws import below

COIN = 0


def random(box, table, own, options, n, luck, weights):
    """Any legal option, all alike."""
    return below(luck, COIN, 0, 0, 0, n)


STRATEGIES = {"random": random}
EXPERT = "expert"
SEARCHED = ("trained", "steady")  # on the first of these that a game has, the expert searches
PLAYOUTS = 64  # what a search may spend on a decision unless told otherwise
ENOUGH = 48  # and the expert, so that a few hundred games take a minute and a half
OURS = (*STRATEGIES, "trained", EXPERT, "search")
