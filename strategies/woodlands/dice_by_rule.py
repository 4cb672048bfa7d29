"""How dice are laid by rule of thumb: steps that are wanted, an orb, what helps here, what helps to fight.

What the best goal asks for is judged first, and the dice follow it. `turn_plan` weighs what the turn may bring instead.
"""

import numpy as np

from hardmode.sim.games.woodlands.agenda import first_of, second_of
from hardmode.sim.games.woodlands.hero_dice import AGAIN
from hardmode.sim.games.woodlands.heroes import here
from hardmode.sim.games.woodlands.names import PLACES, UNPLACED, Hero, Slot
from hardmode.sim.records import rule
from hardmode.strategies.woodlands.chances import at_boss
from hardmode.strategies.woodlands.chapter_goals import wants_totem
from hardmode.strategies.woodlands.goals import best_goal


@rule
def wanted_steps(box, table, s, weights):
    """How many steps the best goal asks for; 16 more when a fight lies there or here, 32 more for a totem."""
    work = np.empty((4, PLACES), np.int64)
    goal = best_goal(box, table, s, work, weights)
    here_now = table.at[s]
    fight = work[3, table.spot[here_now]] > 0 or at_boss(table, s)
    steps = 0
    if goal >= 0:
        fight = fight or work[3, table.spot[goal]] > 0 or goal == table.boss_at
        steps = min(15, work[0, goal])
    totem = wants_totem(box, table, s, goal if goal >= 0 else here_now)
    return steps + (16 if fight else 0) + (32 if totem else 0)


@rule
def choose_keep(box, table, options, n, weights):
    """Keep the dice that do something now; reroll the others."""
    ahead = wanted_steps(box, table, table.active, weights)
    steps, fight = ahead & 15, ahead >= 16  # a totem wants two dice to spare as a fight does
    mask, moves = wanted_dice(box, table, steps, fight)
    if mask == 0:
        mask = 8
    if fight and moves >= steps:
        mask = 15
    best = n - 1
    for i in range(n):
        if first_of(options[i]) == mask:
            best = i
    return best


@rule
def wanted_dice(box, table, steps, fight):
    """The dice, of those that lie on no slot, that do something now, as bits; and the steps with those on slots."""
    s = table.active
    mask, moves, focus, special = 0, on(table, Slot.MOVE), on(table, Slot.FOCUS), on(table, Slot.B)
    for i in range(3, -1, -1):
        face = table.die[i]
        if table.die_slot[i] != UNPLACED:
            continue
        keep = False
        if face <= 3:
            keep = moves < steps
            moves += keep
        elif face == 6 and fight and (special == 0 or table.hero[s] == Hero.BETHRAS):
            keep = True
            special += 1
        elif focus == 0:
            keep = True
            focus = 1
        elif face >= 5 and useful_a(box, table, s):
            keep = True
        if keep:
            mask |= 1 << i
    return mask, moves


@rule
def choose_charm(box, table, options, n, weights):
    """Roll a die that does nothing with the charm, once the reroll of all is over."""
    if table.stage != AGAIN:
        return 0
    ahead = wanted_steps(box, table, table.active, weights)
    mask, _ = wanted_dice(box, table, ahead & 15, ahead >= 16)
    for i in range(1, n):
        if (mask >> first_of(options[i])) & 1 == 0:
            return i
    return 0


@rule
def useful_a(box, table, s):
    """The special action A would help somebody on the tile."""
    hero = table.hero[s]
    for t in range(table.seats):
        if here(table, t, table.at[s]):
            if hero == Hero.SHAVI and 0 < table.hp[t] < box.max_hearts:
                return True
            if hero == Hero.BETHRAS and (table.poison[t] or table.entangled[t]):
                return True
    return False


@rule
def choose_slot(box, table, options, n, weights):
    """The slot for this die that counts the most; the best goal is looked for where it makes a difference."""
    # All that `slot_score` tells apart: whether a fight (16) or a totem (32) lies ahead, and no steps or the most (15).
    # If the choice is the same in all these cases, the goal need not be known: `steady` plays 7 % more games a second.
    choice = slot_with(box, table, options, n, 0)
    for i in range(7 if table.chapter == 5 else 3):
        if slot_with(box, table, options, n, (0, 16, 31, 32, 47, 48, 63)[i]) != choice:
            return slot_with(box, table, options, n, wanted_steps(box, table, table.active, weights))
    return choice


@rule
def slot_with(box, table, options, n, ahead):
    """The slot for this die that counts the most with so much ahead."""
    best, top = 0, -1e9
    for i in range(n):
        score = slot_score(box, table, table.die[second_of(options[i])], first_of(options[i]), ahead)
        if score > top:
            best, top = i, score
    return best


@rule
def slot_score(box, table, face, slot, ahead):
    """Dice go where they count: steps that are wanted, focus, then what helps to fight."""
    s = table.active
    if slot == Slot.SUMMON:
        pending = 0
        for i in range(4):
            if table.die_slot[i] == Slot.SUMMON:
                return 9.0
            if table.die_slot[i] == UNPLACED:
                pending += 1
        if pending >= 2 and ahead >= 16 and ahead & 15 <= on(table, Slot.MOVE):
            return 6.0 if ahead >= 32 else 2.5
        return -1.0
    if slot == Slot.MOVE:
        return 2.0
    if slot == Slot.FOCUS:
        return 3.0 if table.orbs[s] < box.max_orbs else 0.5
    if slot == Slot.A:
        return 4.0 if useful_a(box, table, s) else 0.8
    if slot == Slot.B:
        return 3.5 if ahead & 16 else 1.0
    return 0.0


@rule
def on(table, slot):
    n = 0
    for i in range(4):
        n += table.die_slot[i] == slot
    return n
