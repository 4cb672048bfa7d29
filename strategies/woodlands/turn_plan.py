"""The planner's dice: which to keep and which to lay where, by exact chances.

What a turn is worth hangs on how many steps it has, whether the hero's power die is there, and how many dice lie on
the second special action. Dice are laid so that this is as large as can be; those are rerolled for which the mean of
it, over all that may come up, is largest.
"""

import numpy as np

from hardmode.sim.games.woodlands.agenda import first_of, second_of
from hardmode.sim.games.woodlands.hero_dice import AGAIN, DICE, fits, least_b
from hardmode.sim.games.woodlands.heroes import here
from hardmode.sim.games.woodlands.names import PLACES, UNPLACED, Hero, Slot
from hardmode.sim.records import rule
from hardmode.strategies.woodlands.journey import (
    best_quiet,
    list_busy,
    scan,
    worth_of_turn,
    worth_of_way,
)
from hardmode.strategies.woodlands.outlook import orb_worth
from hardmode.strategies.woodlands.weights import Plan

STEP, FOCUS, FIRST, SECOND = 0, 1, 2, 3  # the most that a face is good for
USES = 4
FACES = 6
ROLLS = 35  # outcomes of four dice, by their uses


@rule
def use_of(box, table, s, face):
    if fits(box, table, s, face, Slot.MOVE):
        return STEP
    if face >= least_b(box, table, s):
        return SECOND
    return FIRST if face >= box.a_least[table.hero[s]] else FOCUS


@rule
def first_worth(box, table, s, target, w):
    """What a die on the first special action is worth."""
    hero = table.hero[s]
    if hero == Hero.KLETHOR:
        return w[Plan.TRANSPORT] if target >= 0 else 0.0
    value = 0.0
    for t in range(table.seats):
        if here(table, t, table.at[s]):
            if hero == Hero.SHAVI and 0 < table.hp[t] < box.max_hearts:
                value += w[Plan.HEART]
            elif hero == Hero.BETHRAS and table.poison[t]:
                value = w[Plan.POISON] * w[Plan.HEART]
    return value


@rule
def see_turn(box, table, s, w):
    """What turns with these dice are worth, [steps, power die, dice on the second special action]; and an orb, a die
    on the first special action, a die on the second one."""
    work, calm, fights = np.empty((4, PLACES), np.int64), np.empty(PLACES), np.empty((PLACES, 2, DICE + 1))
    most = min(box.b_cap[table.hero[s]], DICE)
    target = scan(box, table, s, work, calm, fights, most, w)
    busy = 0 if target >= 0 else list_busy(table, s, work)
    worth, extra = np.zeros((DICE + 1, 2, DICE + 1)), np.empty(3)
    for steps in range(DICE + 1):
        quiet = (0.0, -1) if target >= 0 else best_quiet(table, s, steps, work, calm, w)
        for power in range(2):
            for b in range(min(most, DICE - 2 * power - steps) + 1):
                if target >= 0:
                    worth[steps, power, b] = worth_of_way(box, table, s, steps, target, work, power == 1, b, w)
                else:
                    worth[steps, power, b], _ = worth_of_turn(
                        box, table, s, steps, work, calm, fights, busy, quiet, power == 1, b, w)
    extra[0] = w[Plan.FOCUS] * orb_worth(table, s, w) if table.orbs[s] < box.max_orbs else 0.0
    extra[1] = first_worth(box, table, s, target, w)
    extra[2] = w[Plan.STANCE] if table.hero[s] == Hero.KLETHOR else 0.0
    return worth, extra


@rule
def best_lay(box, table, s, free, on, worth, extra):
    """The most that free dice, counted by their uses, can be laid for beside those that lie `on` slots."""
    top = -1e9
    for second in range(min(free[SECOND], box.b_cap[table.hero[s]] - on[Slot.B]) + 1):
        for first in range(2 if on[Slot.A] == 0 and free[FIRST] + free[SECOND] > second else 1):
            high = free[FOCUS] + free[FIRST] + free[SECOND] - second - first
            for focus in range(2 if on[Slot.FOCUS] == 0 and high > 0 else 1):
                for summon in range(1 if on[Slot.SUMMON] > 0 else 0, 2):
                    lows = max(0, summon * (2 - on[Slot.SUMMON]) - (high - focus))  # these are no steps
                    if lows <= free[STEP]:
                        b = on[Slot.B] + second
                        value = worth[on[Slot.MOVE] + free[STEP] - lows, summon, b] + extra[0] * focus \
                            + extra[1] * first + (extra[2] if b else 0.0)
                        top = max(top, value)
    return top


@rule
def chances_of(box, table, s):
    """How likely a die is to come up for each use."""
    chances = np.zeros(USES)
    for i in range(FACES):
        chances[use_of(box, table, s, box.hero_face[i])] += 1.0 / FACES
    return chances


@rule
def ways(a, b, c, d):
    """In how many orders so many dice of each use can come up."""
    n = 1.0
    for k in (a, b, c, d):
        for i in range(1, k + 1):
            n /= i
    for i in range(1, a + b + c + d + 1):
        n *= i
    return n


@rule
def chances_of_rolls(coming, chances, odds):
    """How likely each outcome of so many dice is, in the order in which they are gone through."""
    i = 0
    for a in range(coming + 1):
        for b in range(coming - a + 1):
            for c in range(coming - a - b + 1):
                d = coming - a - b - c
                p = ways(a, b, c, d) * chances[STEP]**a * chances[FOCUS]**b * chances[FIRST]**c * chances[SECOND]**d
                odds[i] = p
                i += 1


@rule
def mean_lay(box, table, s, free, on, coming, odds, worth, extra):
    """The mean of the best lay over dice still to be rolled, whose outcomes are so likely."""
    if coming == 0:
        return best_lay(box, table, s, free, on, worth, extra)
    total, dice, i = 0.0, np.empty(USES, np.int64), 0
    for a in range(coming + 1):
        for b in range(coming - a + 1):
            for c in range(coming - a - b + 1):
                dice[STEP], dice[FOCUS] = free[STEP] + a, free[FOCUS] + b
                dice[FIRST], dice[SECOND] = free[FIRST] + c, free[SECOND] + coming - a - b - c
                total += odds[i] * best_lay(box, table, s, dice, on, worth, extra)
                i += 1
    return total


@rule
def lay_all(box, table, s, worth, extra):
    """The most that all dice can be laid for, by how many are good for steps, focus and the first special action."""
    lays = np.empty((DICE + 1, DICE + 1, DICE + 1))
    on, free = np.zeros(Slot.SUMMON + 1, np.int64), np.empty(USES, np.int64)
    for a in range(DICE + 1):
        for b in range(DICE - a + 1):
            for c in range(DICE - a - b + 1):
                free[STEP], free[FOCUS], free[FIRST], free[SECOND] = a, b, c, DICE - a - b - c
                lays[a, b, c] = best_lay(box, table, s, free, on, worth, extra)
    return lays


@rule
def mean_roll(free, coming, odds, lays):
    """The mean of what all dice can be laid for, where so many are still to be rolled."""
    if coming == 0:
        return lays[free[STEP], free[FOCUS], free[FIRST]]
    total, i = 0.0, 0
    for a in range(coming + 1):
        for b in range(coming - a + 1):
            for c in range(coming - a - b + 1):
                total += odds[i] * lays[free[STEP] + a, free[FOCUS] + b, free[FIRST] + c]
                i += 1
    return total


@rule
def choose_keep(box, table, options, n, w):
    """The dice to keep: what they and the mean of the reroll can be laid for is the most."""
    s = table.active
    worth, extra = see_turn(box, table, s, w)
    chances, odds = chances_of(box, table, s), np.empty((DICE + 1, ROLLS))
    for coming in range(1, DICE + 1):
        chances_of_rolls(coming, chances, odds[coming])
    lays, free = lay_all(box, table, s, worth, extra), np.empty(USES, np.int64)
    best, top = 0, -1e9
    for i in range(n):
        mask, coming = first_of(options[i]), 0
        free[:] = 0
        for j in range(DICE):
            if (mask >> j) & 1:
                free[use_of(box, table, s, table.die[j])] += 1
            else:
                coming += 1
        value = mean_roll(free, coming, odds[coming], lays)
        if value > top + 1e-9:
            best, top = i, value
    return best


@rule
def choose_charm(box, table, options, n, w):
    """The die to roll with the charm, once the reroll of all is over: the one whose mean over all faces is most above
    what the dice can be laid for as they are."""
    if table.stage != AGAIN:
        return 0
    s = table.active
    worth, extra = see_turn(box, table, s, w)
    odds = np.empty(ROLLS)
    chances_of_rolls(1, chances_of(box, table, s), odds)
    on, free = np.zeros(Slot.SUMMON + 1, np.int64), np.zeros(USES, np.int64)
    for j in range(DICE):
        if table.die_slot[j] != UNPLACED:
            on[table.die_slot[j]] += 1
        else:
            free[use_of(box, table, s, table.die[j])] += 1
    best, top = 0, best_lay(box, table, s, free, on, worth, extra)
    for i in range(1, n):
        use = use_of(box, table, s, table.die[first_of(options[i])])
        free[use] -= 1
        value = mean_lay(box, table, s, free, on, 1, odds, worth, extra)
        free[use] += 1
        if value > top + 1e-9:
            best, top = i, value
    return best


@rule
def choose_slot(box, table, options, n, w):
    """The slot for this die after which all dice can be laid for the most."""
    s = table.active
    worth, extra = see_turn(box, table, s, w)
    odds = np.empty(ROLLS)
    on, free = np.zeros(Slot.SUMMON + 1, np.int64), np.zeros(USES, np.int64)
    coming, now = 0, second_of(options[0])
    for j in range(DICE):
        if table.die_slot[j] != UNPLACED:
            on[table.die_slot[j]] += 1
        elif (table.kept >> j) & 1 == 0:
            coming += 1
        elif j != now:
            free[use_of(box, table, s, table.die[j])] += 1
    chances_of_rolls(coming, chances_of(box, table, s), odds)
    best, top = n - 1, -1e9
    for i in range(n):
        on[first_of(options[i])] += 1
        value = mean_lay(box, table, s, free, on, coming, odds, worth, extra)
        on[first_of(options[i])] -= 1
        if value > top + 1e-9:
            best, top = i, value
    return best
