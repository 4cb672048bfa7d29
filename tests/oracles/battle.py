"""Battles in the manner of Risk: all rolls enumerated, then the chain of units."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product


@cache
def losses(attack_dice, defence_dice, sides=6):
    """Return the chance of each number of defenders that one roll removes."""
    counts = Counter()
    pairs = min(attack_dice, defence_dice)
    for roll in product(range(sides), repeat=attack_dice + defence_dice):
        attack = sorted(roll[:attack_dice], reverse=True)
        defence = sorted(roll[attack_dice:], reverse=True)
        counts[sum(attack[i] > defence[i] for i in range(pairs))] += 1
    total = sides ** (attack_dice + defence_dice)
    return {lost: Fraction(n, total) for lost, n in sorted(counts.items())}


@cache
def chance_to_conquer(attackers, defenders, attack_dice=3, defence_dice=2):
    """Return the chance that the attacker, who attacks to the end, removes all defenders."""
    if defenders == 0:
        return 1.0
    if attackers == 0:
        return 0.0
    a, d = min(attack_dice, attackers), min(defence_dice, defenders)
    pairs = min(a, d)
    return sum(float(p) * chance_to_conquer(attackers - (pairs - lost), defenders - lost, attack_dice, defence_dice)
               for lost, p in losses(a, d).items())
