"""Ways of trapping and of speaking, weighed against each other by the length of the list and by the cards at work."""

from hardmode.sim.games.trapwords.names import Giver, Kind, Trapper
from hardmode.sim.records import rule

WAYS = (Giver.CAUTIOUS, Giver.OBLIQUE, Giver.ADAPTIVE, Giver.TERSE, Giver.PATIENT)
LISTS = (Trapper.OBVIOUS, Trapper.SPLIT, Trapper.ANTICIPATE, Trapper.PERSONAL, Trapper.PERSONAL_ANTICIPATE)
SPEAKS_FOR = ("", "_long", "_few_guesses", "_little_sand", "_one_guess")  # what speaks for a way of speaking
TRAPS_FOR = ("", "_long")  # and for a way of filling a list
USUAL = 5.0  # words on a list


@rule
def best_way(box, table, options, n, w):
    """The place of the way of speaking that weighs most."""
    effect = table.effect[table.seat]
    longer = table.length[table.seat] - USUAL
    few = 1.0 if effect.freeze or effect.guesses < box.guesses else 0.0
    haste = 1.0 if effect.timer < 1 or effect.sand < box.timer else 0.0
    one = 1.0 if effect.guesses <= 1 else 0.0
    best, most = 0, -1e300
    for i in range(len(WAYS)):
        at = i * len(SPEAKS_FOR)
        worth = w[at] + w[at + 1] * longer + w[at + 2] * few + w[at + 3] * haste + w[at + 4] * one
        for j in range(n):
            if options[j] == WAYS[i] and worth > most:
                best, most = j, worth
    return best


@rule
def best_list(table, options, n, w):
    """The place of the way of trapping that weighs most."""
    longer = table.length[1 - table.seat] - USUAL
    best, most = 0, -1e300
    for i in range(len(LISTS)):
        at = len(WAYS) * len(SPEAKS_FOR) + i * len(TRAPS_FOR)
        worth = w[at] + w[at + 1] * longer
        for j in range(n):
            if options[j] == LISTS[i] and worth > most:
                best, most = j, worth
    return best


def weighed(box, table, own, options, n, luck, weights):
    """Weighs the sensible ways of trapping and of speaking by the length of the list and by the cards at work."""
    if table.kind == Kind.TRAPS:
        return best_list(table, options, n, weights)
    return best_way(box, table, options, n, weights)


def _named(ways, reasons):
    return [f"{way.label.replace(' ', '_')}{reason}" for way in ways for reason in reasons]


# Chooses as `cunning` does: short clues for a list of three and more, or of five where guesses are few.
START = {"oblique": 1.0, "terse": 2.25, "terse_long": 0.5, "terse_few_guesses": -1.0, "patient_one_guess": 9.0,
         "personal_anticipate": 2.0}
NAMES = [*_named(WAYS, SPEAKS_FOR), *_named(LISTS, TRAPS_FOR)]
WEIGHTS = {name: START.get(name, 0.0) for name in NAMES}
RANGES = {name: {"scale": 1.0} for name in NAMES}
