"""Chapter 2, the tree of life: bring the orbs to the well while monsters hunt those who carry them."""

import numpy as np

from hardmode.sim.games.woodlands.agenda import Task, ask, finish, option, push
from hardmode.sim.games.woodlands.chapters.march import FAR_AWAY, may_march, measure, steps_to, toward
from hardmode.sim.games.woodlands.forest import distances, special_place
from hardmode.sim.games.woodlands.heroes import here, next_active
from hardmode.sim.games.woodlands.names import NOWHERE, PLACES, TOKENS, Ending, Kind, Special, Verb
from hardmode.sim.games.woodlands.switches import Ch2AfterWell, Ch2Downed
from hardmode.sim.records import rule

ORB_TOKENS = 4


@rule
def begin_2(table, hidden):
    """Deal the orb tokens face up, as evenly as can be."""
    for i in range(ORB_TOKENS):
        token = hidden.well[i]
        table.carried[i % table.seats, token] = 1
        table.token_gone[token] = 1


@rule
def carries(table, s):
    n = 0
    for i in range(ORB_TOKENS):
        n += table.carried[s, i]
    return n


@rule
def robbed(box, table, m):
    """A lost combat: the monster takes one orb token, the least of those the hero has."""
    s = table.active
    worst = -1
    for i in range(ORB_TOKENS):
        if table.carried[s, i] and (worst < 0 or box.well_value[i] < box.well_value[worst]):
            worst = i
    if worst >= 0 and m < TOKENS and table.mon_at[m] != NOWHERE:
        table.carried[s, worst] = 0
        table.mon_orbs[m] |= 1 << worst


@rule
def regained(table, orbs):
    """A beaten carrier gives back what it held."""
    for i in range(ORB_TOKENS):
        if (orbs >> i) & 1:
            table.carried[table.active, i] = 1


@rule
def march_2(box, table, luck, m):
    """The m-th monster walks, then the next one."""
    if m >= TOKENS:
        return
    push(table, Task.MARCH, m + 1, 0, 0)
    if not may_march(box, table, m):
        return
    if table.mon_orbs[m]:
        thief(box, table, luck, m)
    else:
        hunt(box, table, m)


@rule
def thief(box, table, luck, m):
    """Towards the first tile, where the loot is lost at the start of its next move; the vortex is a short cut."""
    if table.mon_vortex[m]:
        table.mon_vortex[m] = 0
        table.mon_at[m] = 0
        return
    if table.mon_at[m] == 0:
        for i in range(ORB_TOKENS):
            table.orbs_lost += (table.mon_orbs[m] >> i) & 1
        table.mon_orbs[m] = 0
        if table.orbs_lost == ORB_TOKENS:
            finish(table, Ending.ORBS_LOST)
        return
    measure(table, 0)
    for nth in range(box.c2_thieves):
        table.mon_at[m] = toward(box, table, luck, table.mon_at[m], m, nth)
        if table.special[table.mon_at[m]] == Special.VORTEX:
            table.mon_vortex[m] = 1
            return


@rule
def prey(box, table, s, well):
    """Heroes with orb tokens are hunted; once the well is there, all are."""
    if table.hp[s] == 0 and carries(table, s) == 0:
        return False
    return carries(table, s) > 0 or (well >= 0 and box.ch2_after_well == Ch2AfterWell.ANY)


@rule
def hunt(box, table, m):
    """Find the nearest prey; of several the next active player chooses."""
    well = special_place(table, Special.WELL)
    measure(table, table.mon_at[m])
    near, choices, chosen = FAR_AWAY, 0, -1
    for s in range(table.seats):
        if prey(box, table, s, well):
            steps = steps_to(table, table.at[s])
            if steps < near:
                near, choices, chosen = steps, 1, s
            elif steps == near and near < FAR_AWAY and table.at[s] != table.at[chosen]:
                choices += 1
    if chosen >= 0 and near < FAR_AWAY:
        push(table, Task.HUNT, m, chosen, near)
        if choices > 1:
            ask(table, Kind.HUNT, next_active(table))


@rule
def hunt_options(box, table, out):
    """The heroes that are equally near to the monster on top of the agenda."""
    k = table.todo_n - 1
    m, near = table.todo[k, 1] + 0, table.todo[k, 3] + 0
    well = special_place(table, Special.WELL)
    far, queue = np.empty(PLACES, np.int64), np.empty(PLACES, np.int64)
    distances(table, table.mon_at[m], far, queue)
    n = 0
    for s in range(table.seats):
        if prey(box, table, s, well) and far[table.at[s]] == near:
            out[n] = option(Verb.TARGET, s, m)
            n += 1
    return n


@rule
def pursue(box, table, luck, m, s):
    steps = box.c2_move if special_place(table, Special.WELL) < 0 else box.c2_move_after
    measure(table, table.at[s])
    for nth in range(steps):
        table.mon_at[m] = toward(box, table, luck, table.mon_at[m], m, nth)


@rule
def orbs_at_well(box, table):
    """What the party has brought: tokens and orbs of all heroes."""
    n = 0
    for s in range(table.seats):
        n += table.orbs[s]
        for i in range(ORB_TOKENS):
            n += table.carried[s, i] * box.well_value[i]
    return n


@rule
def check_2(box, table):
    """All heroes on the well with enough: what is asked for goes, the rest stays."""
    well = special_place(table, Special.WELL)
    if well < 0:
        return
    for s in range(table.seats):
        if not here(table, s, well) or (box.ch2_downed == Ch2Downed.NOT and table.hp[s] == 0):
            return
    missing = box.c2_target[table.seats]
    if orbs_at_well(box, table) < missing:
        return
    for s in range(table.seats):
        for i in range(ORB_TOKENS):
            missing -= table.carried[s, i] * box.well_value[i]
    for s in range(table.seats):
        gone = max(0, min(missing, table.orbs[s]))
        table.orbs[s] -= gone
        missing -= gone
    finish(table, Ending.CHAPTER_WON)
