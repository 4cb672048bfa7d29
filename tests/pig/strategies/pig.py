"""Strategies for Pig."""

from sim.games.pig import HOLD, ROLL

WEIGHTS = {"hold_at": {"threshold": 20.0}}


def hold_at(box, table, own, options, n, luck, weights):
    """Hold as soon as the turn is worth the threshold, or wins."""
    if table.turn >= weights[0] or table.score[table.seat] + table.turn >= box.target:
        return HOLD
    return ROLL


STRATEGIES = {"beginner": hold_at, "steady": hold_at, "hold_at": hold_at}
