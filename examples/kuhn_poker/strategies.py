"""Strategies for Kuhn poker.

In equilibrium the first player bets with the jack with a chance of alpha between 0 and 1/3, with the king with
three times that chance, and calls with the queen with a chance of alpha + 1/3 (Kuhn, 1950).
"""

from hardmode.sim.draws import fraction

from kuhn_poker import AFTER_BET, AFTER_CHECK, BET, OPENING, PASS

WEIGHTS = {"equilibrium": {"alpha": 1 / 6}}


def honest(box, table, own, options, n, luck, weights):
    """Bet or call with the highest card only."""
    return BET if own.card == box.cards - 1 else PASS


def equilibrium(box, table, own, options, n, luck, weights):
    """Mix as the equilibrium does, with the bluffs of the first player as a weight."""
    jack, king = own.card == 0, own.card == box.cards - 1
    chance = 1.0 if king else 0.0
    if table.kind == OPENING:
        if jack:
            chance = weights[0]
        if king:
            chance = 3 * weights[0]
    elif table.kind == AFTER_CHECK:
        if jack:
            chance = 1 / 3
    elif table.kind == AFTER_BET:
        if not jack and not king:
            chance = 1 / 3
    elif not jack and not king:
        chance = weights[0] + 1 / 3
    return BET if fraction(luck, 0, 0, 0, 0) < chance else PASS


STRATEGIES = {"beginner": honest, "steady": equilibrium, "honest": honest, "equilibrium": equilibrium}
