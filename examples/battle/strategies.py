"""Strategies for Battle."""

from battle import ATTACK, RETREAT

WEIGHTS = {"careful": {"advantage": 0.0}}


def conquer(box, table, own, options, n, luck, weights):
    """Attack to the end."""
    return ATTACK


def careful(box, table, own, options, n, luck, weights):
    """Retreat when the advantage in units falls below a threshold."""
    return RETREAT if table.attackers - table.defenders < weights[0] else ATTACK


STRATEGIES = {"beginner": careful, "steady": conquer, "careful": careful, "conquer": conquer}
