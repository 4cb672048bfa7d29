"""Strategies for Knobs, where it is all the same."""


def steady(box, table, own, options, n, luck, weights):
    return 0


STRATEGIES = {"steady": steady}
