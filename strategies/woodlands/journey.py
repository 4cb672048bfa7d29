"""Where the planner goes: all places seen at once, and what a turn with so many steps is worth."""

import numpy as np

from hardmode.sim.games.woodlands.forest import FAR_AWAY
from hardmode.sim.games.woodlands.heroes import standing
from hardmode.sim.games.woodlands.names import TOKENS
from hardmode.sim.records import rule
from hardmode.strategies.woodlands.chances import beside, boss_ahead, helping
from hardmode.strategies.woodlands.goals import (
    boss_goal,
    count_monsters,
    no_time,
    rescue_value,
    search_paths,
)
from hardmode.strategies.woodlands.outlook import (
    boss_hope,
    calm_worth,
    fight_known,
    fight_unknown,
    force,
    totem_worth,
)
from hardmode.strategies.woodlands.weights import Plan

FAR, FIRST, QUEUE, CROWD = range(4)
STAY = 0.05  # what a place must be better than where the hero is


@rule
def ready(box, table, w):
    """The best hero's chance with all around it reaches the mark, or there is no time left."""
    if table.boss_shown or no_time(table):
        return True
    hearts, best = 0, 0.0
    for s in range(table.seats):
        hearts += table.hp[s]
        if standing(table, s):
            best = max(best, boss_hope(box, table, s, True, True, 0))
    return best >= w[Plan.READY] and hearts >= 4 * table.seats


@rule
def all_near(table):
    """All who stand are beside the boss, or on its tile."""
    for t in range(table.seats):
        if standing(table, t) and table.at[t] != table.boss_at and not beside(table, table.at[t], table.boss_at):
            return False
    return True


@rule
def first_in(table):
    """Nobody who stands is on the boss's tile."""
    for t in range(table.seats):
        if standing(table, t) and table.at[t] == table.boss_at:
            return False
    return True


@rule
def goes_in(box, table, s, w):
    """Whether to face the boss now rather than to wait for the others, or for one to go ahead."""
    if not table.boss_shown:
        return all_near(table) or no_time(table)
    if table.boss_track - table.threat <= w[Plan.PATIENCE] or not first_in(table):
        return True
    if boss_hope(box, table, s, False, True, 0) >= w[Plan.ALONE]:
        return True
    mine, theirs = boss_hope(box, table, s, True, True, 0), 0.0
    for t in range(table.seats):
        if t != s and standing(table, t):
            theirs = max(theirs, boss_hope(box, table, t, True, True, 0))
    return all_near(table) and theirs >= w[Plan.SECOND] * mine


@rule
def boss_target(box, table, s, work, w):
    """The place to go to for the boss's sake, or -1; `work` then has the ways through monsters."""
    is_ready = ready(box, table, w)
    if not boss_ahead(table) or not (is_ready or (table.stack_n <= w[Plan.STAGE] and table.chapter != 3)):
        return -1
    if not table.boss_shown and table.hp[s] <= w[Plan.HEAL_FIRST] and not (no_time(table) and is_ready):
        return -1
    search_paths(table, table.at[s], work[FAR], work[FIRST], work[QUEUE], work[CROWD], True)
    if table.at[s] == table.boss_at:
        return table.boss_at
    return boss_goal(table, work[FAR], work[CROWD], is_ready and goes_in(box, table, s, w))


@rule
def scan(box, table, s, work, calm, fights, most_b, w):
    """Look at all places; returns the boss's target, or -1.

    calm[p]: what a place is worth but for fights; fights[p, power die, dice on the second special action]: what the
    fights there are worth, by the spot of the place.
    """
    count_monsters(table, work[CROWD])
    target = boss_target(box, table, s, work, w)
    if target >= 0:
        return target
    search_paths(table, table.at[s], work[FAR], work[FIRST], work[QUEUE], work[CROWD], table.chapter > 0)
    for p in range(table.places):
        if work[FAR, p] < FAR_AWAY:
            calm[p] = calm_worth(box, table, s, p, work[CROWD, table.spot[p]], w)
            if table.first_downed:
                calm[p] += rescue_value(box, table, s, p)
    see_fights(box, table, s, work, fights, most_b, w)
    return -1


@rule
def see_fights(box, table, s, work, fights, most_b, w):
    """What the fights at each spot are worth; monsters that nobody has seen are alike but for the helpers."""
    fights[:] = 0.0
    known, unknown, seen_with = np.empty((2, most_b + 1)), np.empty((2, most_b + 1)), -1
    own, free = force(box, table, s)
    orbs = min(int(w[Plan.FIGHT_ORBS]), table.orbs[s]) + free
    for m in range(TOKENS):
        p = table.mon_at[m]
        if p >= 0 and work[FAR, p] < FAR_AWAY:
            helpers, worth = helping(box, table, s, p), known
            if table.mon_type[m] >= 0:
                fight_known(box, table, s, m, own + helpers, orbs, most_b, known, w)
            else:
                worth = unknown
                if helpers != seen_with:
                    fight_unknown(box, table, s, own + helpers, orbs, most_b, unknown, w)
                    seen_with = helpers
            for power in range(2):
                for b in range(most_b + 1):
                    fights[table.spot[p], power, b] += w[Plan.FIGHT] * worth[power, b]


@rule
def later(value, steps, w):
    """What is worth something now, when so many steps are missing; what is worth nothing does not change."""
    if value > 0.0:
        for _ in range(steps):
            value *= w[Plan.FAR]
    return value


@rule
def prospect(box, table, s, p, steps, work, calm, fights, power, b, w):
    """What it is worth to make for a place with so many steps in this turn."""
    far, spot = work[FAR, p], table.spot[p]
    value = calm[p] + totem_worth(box, table, s, p, power and far <= steps)
    if work[CROWD, spot]:
        value += fights[spot, int(power), b] if far <= steps else (fights[spot, 0, 0] + fights[spot, 1, 0]) / 2
    return later(value, far - steps, w)


@rule
def may_make_for(table, s, p, work):
    """Whether a place can be reached, is not where the hero is, and is not that of a boss ahead."""
    return p != table.at[s] and work[FAR, p] < FAR_AWAY and not (p == table.boss_at and boss_ahead(table))


@rule
def is_quiet(table, p, work):
    """Whether all that dice can do for a hero on a place is to bring it there."""
    return work[CROWD, table.spot[p]] == 0 and table.chapter != 5


@rule
def list_busy(table, s, work):
    """Write the places to make for that are not quiet into the queue, which is free; returns how many."""
    n = 0
    for p in range(table.places):
        if may_make_for(table, s, p, work) and not is_quiet(table, p, work):
            work[QUEUE, n] = p
            n += 1
    return n


@rule
def best_quiet(table, s, steps, work, calm, w):
    """The most that a quiet place is worth with so many steps, and the place: the first of them, or -1."""
    best, top = -1, -1e9
    for p in range(table.places):
        if may_make_for(table, s, p, work) and is_quiet(table, p, work):
            value = later(calm[p], work[FAR, p] - steps, w)
            if value > top:
                best, top = p, value
    return top, best


@rule
def worth_of_way(box, table, s, steps, target, work, power, b, w):
    """What a turn with so many steps is worth that leads to the boss's target."""
    far, value = work[FAR, target], w[Plan.BOSS_REACH]
    for _ in range(far - steps):
        value *= w[Plan.FAR]
    if far <= steps and target == table.boss_at:
        value += w[Plan.BOSS_WIN] * boss_hope(box, table, s, False, power, b)
    return value


@rule
def worth_of_turn(box, table, s, steps, work, calm, fights, busy, quiet, power, b, w):
    """What a turn with so many steps is worth, and the place to make for, where the boss is no target.

    busy: how many places are listed that are not quiet; quiet: the most that another one is worth, and which it is.
    """
    best = table.at[s]
    top = prospect(box, table, s, best, steps, work, calm, fights, power, b, w) + STAY
    for i in range(busy):
        p = work[QUEUE, i]
        value = prospect(box, table, s, p, steps, work, calm, fights, power, b, w)
        if value > top:
            best, top = p, value
    most, p = quiet
    if most > top or (most == top and p < best and best != table.at[s]):
        best, top = p, most
    if steps > work[FAR, best]:
        top += w[Plan.SPARE_MOVE] * (steps - work[FAR, best])
    return top, best
