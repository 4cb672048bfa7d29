"""Strategies for Aim."""

WEIGHTS = {"aimed": {"place": 5.0}}
RANGES = {"aimed": {"place": {"low": 0, "high": 9, "scale": 3}}}


def beginner(box, table, own, options, n, luck, weights):
    """Always the first place."""
    return 0


def steady(box, table, own, options, n, luck, weights):
    """Always the middle."""
    return 5


def aimed(box, table, own, options, n, luck, weights):
    """The place that the weight names."""
    return min(max(int(weights[0] + 0.5), 0), n - 1)


STRATEGIES = {"beginner": beginner, "steady": steady, "aimed": aimed}
