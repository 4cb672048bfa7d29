"""Strategies for Ladders: there is nothing to decide, so all players are alike."""


def spin(box, table, own, options, n, luck, weights):
    """Spin, which is all that one can do."""
    return 0


STRATEGIES = {"beginner": spin, "steady": spin}
