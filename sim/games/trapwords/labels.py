"""What kind of option one is, for those who study choices: each way to fill a list, and each way to speak."""

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.records import rule

LABELS = n.TRAPPERS + n.GIVERS + 1


@rule
def label(box, table, own, option):
    return option if table.kind == n.Kind.TRAPS else n.TRAPPERS + option


def name(number: int) -> str:
    """The label in words."""
    told = (*(f"traps: {t}" for t in n.Trapper.labels()), *(f"clues: {g}" for g in n.Giver.labels()), "fail on purpose")
    return told[number]
