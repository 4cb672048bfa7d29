"""Battle: an attack in the manner of Risk. Both sides roll dice; the highest are compared, and ties go to the defender.

The attacker decides after each roll whether to attack again. Units that stay behind in the attacker's own
country take no part and are not counted here.
"""

import numpy as np
from hardmode.sim.contract import TABLE_HEAD, Game, Measure, Source
from hardmode.sim.draws import below
from hardmode.sim.records import rule

ATTACK, RETREAT = 0, 1
CONQUERED, BEATEN, RETREATED = 0, 1, 2
ATTACK_DICE, DEFENCE_DICE = 0, 1
MOST_DICE = 6

Box = np.dtype([("attackers", "i8"), ("defenders", "i8"), ("attack_dice", "i8"), ("defence_dice", "i8"),
                ("sides", "i8"), ("one_roll", "i8")], align=True)
Table = np.dtype([*TABLE_HEAD, ("attackers", "i8"), ("defenders", "i8"),
                  ("attack", "i8", (MOST_DICE,)), ("defence", "i8", (MOST_DICE,)), ("pairs", "i8")], align=True)
Own = np.dtype([("nothing", "i8")], align=True)
Hidden = np.dtype([("own", Own, (1,))], align=True)


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = 1
    table.round = 1
    table.attackers = box.attackers
    table.defenders = box.defenders


@rule
def options(box, table, hidden, out):
    out[0] = ATTACK
    out[1] = RETREAT
    return 2


@rule
def roll_sorted(luck, where, round, sides, dice, n):
    """Roll n dice and write them in descending order; the others are 0."""
    for i in range(MOST_DICE):
        dice[i] = 0
    for i in range(n):
        face = 1 + below(luck, where, round, i, 0, sides)
        j = i
        while j > 0 and dice[j - 1] < face:
            dice[j] = dice[j - 1]
            j -= 1
        dice[j] = face


@rule
def take(box, table, hidden, luck, option):
    if option == RETREAT:
        table.ending = RETREATED
        return
    attack_dice = min(box.attack_dice, table.attackers)
    defence_dice = min(box.defence_dice, table.defenders)
    roll_sorted(luck, ATTACK_DICE, table.round, box.sides, table.attack, attack_dice)
    roll_sorted(luck, DEFENCE_DICE, table.round, box.sides, table.defence, defence_dice)
    table.pairs = min(attack_dice, defence_dice)
    for i in range(table.pairs):
        if table.attack[i] > table.defence[i]:
            table.defenders -= 1
        else:
            table.attackers -= 1
    if table.defenders == 0:
        table.ending = CONQUERED
    elif table.attackers == 0:
        table.ending = BEATEN
    elif box.one_roll:
        table.ending = RETREATED
    else:
        table.round += 1


@rule
def redeal(box, table, own, hidden, luck):
    hidden.own[0] = own


@rule
def outcome(box, table, row):
    row.ending = table.ending
    row.rounds = table.round
    row.winners = 1 if table.ending == CONQUERED else 0
    row.scores[0] = table.attackers - table.defenders
    row.attackers_left = table.attackers
    row.defenders_left = table.defenders


@rule
def label(box, table, own, option):
    return option


def fill(box, values):
    box.attackers = values["attackers"]
    box.defenders = values["defenders"]
    box.attack_dice = values["dice.attack"]
    box.defence_dice = values["dice.defence"]
    box.sides = values["dice.sides"]
    box.one_roll = values.choice("setup.length", ("to_the_end", "one_roll"))
    values["setup.players"]  # always one


GAME = Game(
    name="battle", title="Battle", version=1, seats=1,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    label=label, labels=2, max_options=2, max_decisions=2000, max_rounds=60,
    endings=("conquered", "beaten", "retreated"),
    kinds=("attack or retreat",),
    sources=(Source("attack dice", ("round", "die", "")), Source("defence dice", ("round", "die", ""))),
    measures=(Measure("attackers left", "units of the attacker", curve=True),
              Measure("defenders left", "units of the defender", curve=True)),
    words=f"{__name__}.words", standard="ten",
)
