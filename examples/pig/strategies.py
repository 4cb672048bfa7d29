"""Strategies for Pig."""

from pig import HOLD, ROLL

WEIGHTS = {"hold_at": {"threshold": 20.0}, "keep_pace": {"base": 21.0, "share": 8.0, "race": 71.0}}

# What a learned value reads after a turn, and what tells the positions of a turn apart.
VALUE_FIELDS = ("table.seat", "table.score")
TURN_FIELDS = ("table.turn",)
COUNTERS = ("table.all_rolls",)  # which no rule reads


def roll_twice(box, table, own, options, n, luck, weights):
    """Roll twice, whatever comes, then hold."""
    return ROLL if table.rolls < 2 else HOLD


def hold_at(box, table, own, options, n, luck, weights):
    """Hold as soon as the turn is worth the threshold, or wins."""
    if table.turn >= weights[0] or table.score[table.seat] + table.turn >= box.target:
        return HOLD
    return ROLL


def keep_pace(box, table, own, options, n, luck, weights):
    """Hold at 21, more when behind and less when ahead; near the end of the race roll to win."""
    mine, theirs = table.score[table.seat], table.score[1 - table.seat]
    if mine + table.turn >= box.target:
        return HOLD
    if mine >= weights[2] or theirs >= weights[2]:
        return ROLL
    return HOLD if table.turn >= weights[0] + (theirs - mine) / weights[1] else ROLL


STRATEGIES = {"beginner": roll_twice, "steady": hold_at, "roll_twice": roll_twice, "hold_at": hold_at,
              "keep_pace": keep_pace}
