"""Strategies for Zilch."""

from hardmode.sim.records import rule

from zilch import BANK, BASE, DICE, FACES, KEEP, ROLL, score_of

WEIGHTS = {"bank_at": {"with_1": 300.0, "with_2": 300.0, "with_3": 350.0, "with_4": 800.0, "with_5": 2500.0,
                       "with_6": 20000.0, "die": 120.0}}
RANGES = {"bank_at": {"with_1": (300, 2000), "with_2": (300, 2000), "with_3": (300, 3000), "with_4": (300, 5000),
                      "with_5": (300, 20000), "with_6": (300, 40000), "die": (0, 400)}}

# What a learned value reads. The faces are left out: positions are judged when dice were kept, or when another turn has
# begun, for the mean of its first roll. In between, a search compares all ways to keep dice.
VALUE_FIELDS = ("table.kind", "table.seat", "table.score", "table.zilches", "table.turn", "table.dice")
TURN_FIELDS = ("table.kind", "table.turn", "table.dice", "table.count")
JUDGED_KINDS = ("roll or bank",)


@rule
def count_dice(code):
    n = 0
    for _ in range(FACES):
        n += code % BASE
        code //= BASE
    return n


@rule
def choose_dice(box, table, options, n, die):
    """Return the option with the most points, where a die that can be rolled again counts as some."""
    best, most = 0, -1.0
    for i in range(n):
        left = table.dice - count_dice(options[i])
        worth = score_of(box, options[i]) + die * (left if left > 0 else DICE)
        if worth > most:
            best, most = i, worth
    return best


def timid(box, table, own, options, n, luck, weights):
    """Keep all that scores and bank as soon as that is allowed."""
    if table.kind == KEEP:
        return choose_dice(box, table, options, n, 0.0)
    return n - 1


def bank_at(box, table, own, options, n, luck, weights):
    """Bank at a number of points that depends on how many dice are left, or when that wins."""
    if table.kind == KEEP:
        return choose_dice(box, table, options, n, weights[6])
    wins = table.seats == 2 and table.score[table.seat] + table.turn >= box.target
    wanted = BANK if wins or table.turn >= weights[table.dice - 1] else ROLL
    for i in range(n):
        if options[i] == wanted:
            return i
    return 0


STRATEGIES = {"beginner": timid, "steady": bank_at, "timid": timid, "bank_at": bank_at}
