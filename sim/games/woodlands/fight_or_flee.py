"""Fight or flee: what a hero must do where monsters or a boss stand, and how it leaves."""

from hardmode.sim.games.woodlands.agenda import Task, ask, option, push
from hardmode.sim.games.woodlands.boss import boss_stands, meet_boss
from hardmode.sim.games.woodlands.foes import corrupted, row_of, shield_of, sword_of
from hardmode.sim.games.woodlands.forest import leads_out
from hardmode.sim.games.woodlands.heroes import is_active
from hardmode.sim.games.woodlands.monsters import monsters_at
from hardmode.sim.games.woodlands.names import BESIDE, IN_LAIR, TOKENS, Hero, Kind, Verb
from hardmode.sim.games.woodlands.switches import BossLeave, Ch5MinusMove
from hardmode.sim.records import rule

NO_SHIELD = 99
MOST_PASSES = 60  # a battle in a lair that neither side can win is given up


@rule
def stands_here(table, m, p):
    if table.in_lair:
        return table.mon_at[m] == IN_LAIR
    return table.mon_at[m] >= 0 and table.spot[table.mon_at[m]] == table.spot[p]


@rule
def unfought(table, m, p):
    return stands_here(table, m, p) and table.mon_fought[m] != table.visit


@rule
def lowest_shield(box, table, p):
    """The least shield among those still to be fought, or NO_SHIELD."""
    least = NO_SHIELD
    for m in range(TOKENS):
        if unfought(table, m, p):
            least = min(least, shield_of(box, table, m))
    return least


@rule
def meet(box, table):
    """Fight all monsters here one after another, then the boss."""
    s = table.active
    p = table.at[s]
    if table.hp[s] == 0:
        return
    least = lowest_shield(box, table, p)
    if least < NO_SHIELD:
        push(table, Task.MEET, 0, 0, 0)
        ask(table, Kind.FIGHT_OR_FLEE, s)
    elif table.in_lair:
        meet_again(table)
    elif boss_stands(table, p) and table.boss_fought == 0:
        meet_boss(box, table)


@rule
def meet_again(table):
    """In a lair there is no way but through: those that still stand are fought once more."""
    left = 0
    for m in range(TOKENS):
        if table.mon_at[m] == IN_LAIR:
            table.mon_fought[m] = 0
            left += 1
    if left == 0:
        return
    table.lair_passes += 1
    if table.lair_passes < MOST_PASSES:
        push(table, Task.MEET, 0, 0, 0)
    else:
        table.todo_n = table.lair_mark
        push(table, Task.LAIR_LOST, 0, 0, 0)


@rule
def fight_options(box, table, out, n):
    """The monsters with the lowest shield; of equal ones only one is listed."""
    p = table.at[table.active]
    least = lowest_shield(box, table, p)
    for m in range(TOKENS):
        if unfought(table, m, p) and shield_of(box, table, m) == least:
            fresh = True
            for other in range(m):
                if unfought(table, other, p) and same_foe(table, other, m):
                    fresh = False
            if fresh:
                out[n] = option(Verb.FIGHT, m, 0)
                n += 1
    return n


@rule
def same_foe(table, a, b):
    return (table.mon_type[a] == table.mon_type[b] and table.mon_leaf[a] == table.mon_leaf[b]
            and table.mon_frozen[a] == table.mon_frozen[b] and table.mon_orbs[a] == table.mon_orbs[b])


@rule
def freeze_options(table, out, n):
    s = table.active
    if is_active(table, s, Hero.SHAVI) and table.b_left > 0:
        for m in range(TOKENS):
            if stands_here(table, m, table.at[s]) and table.mon_frozen[m] == 0:
                out[n] = option(Verb.FREEZE, m, 0)
                n += 1
    return n


@rule
def may_leave(box, table):
    """Nobody leaves the tile of a living boss, except in the wider readings; nor a crowd in chapter 3."""
    s = table.active
    p = table.at[s]
    if boss_stands(table, p):
        if box.boss_leave == BossLeave.TRANSPORT_ONLY:
            return table.transport > 0 and table.boss_fought == 1
        if box.boss_leave == BossLeave.NEXT_TURN:
            return table.entries == 0 and table.boss_fought == 1 and monsters_at(table, p) == 0
        return False
    return not (table.chapter == 3 and monsters_at(table, p) >= 2)


@rule
def may_risk(table):
    return table.stack_n > 0 and table.chapter != 3 and table.chapter != 4


@rule
def step_cost(box, table, p):
    """One Move die, one more onto corruption of the second row."""
    if corrupted(table, p) and row_of(box, table) == 2 and box.ch5_minus_move == Ch5MinusMove.EXTRA_DIE:
        return 2
    return 1


@rule
def risk_cost(box, table, cell):
    """An empty cell may already be corrupted."""
    if table.chapter == 5 and row_of(box, table) == 2 and box.ch5_minus_move == Ch5MinusMove.EXTRA_DIE:
        for i in range(table.corrupt_cells):
            if table.corrupt_cell[i] == cell:
                return 2
    return 1


@rule
def leave_options(box, table, step, risk, out, n):
    """Each way off the tile: to a tile, or into the unknown."""
    s = table.active
    p = table.at[s]
    if table.moves == 0 or table.immobile[s] or not may_leave(box, table):
        return n
    for d in range(4):
        q = table.link[p, d]
        if q >= 0:
            if table.moves >= step_cost(box, table, q):
                out[n] = option(step, d, 0)
                n += 1
        elif may_risk(table) and leads_out(table, p, d):
            if table.moves >= risk_cost(box, table, table.cell[p] + BESIDE[d]):
                out[n] = option(risk, d, 0)
                n += 1
    return n


@rule
def prepare_options(box, table, out):
    """Before a fight: which foe, frost, or flight."""
    n = fight_options(box, table, out, 0)
    n = freeze_options(table, out, n)
    if table.in_lair == 0 and (table.fought_here == 0 or box.flee_mid):
        n = leave_options(box, table, Verb.FLEE, Verb.RISKY_FLIGHT, out, n)
    return n


@rule
def leave(box, table, verb, d):
    """Leave by a Move die; monsters left behind strike first."""
    s = table.active
    p = table.at[s]
    if verb == Verb.STEP or verb == Verb.FLEE:
        table.moves -= step_cost(box, table, table.link[p, d])
    else:
        table.moves -= risk_cost(box, table, table.cell[p] + BESIDE[d])
    push(table, Task.STEP, d, verb == Verb.RISKY_STEP or verb == Verb.RISKY_FLIGHT, 0)
    struck_leaving(box, table, p)


@rule
def struck_leaving(box, table, p):
    """Flight: the sword and the penalty of every monster left behind, the largest sword first."""
    if boss_stands(table, p):
        return
    left = 0
    for m in range(TOKENS):
        if stands_here(table, m, p):
            table.flights += 1
            table.mon_fought[m] = table.visit  # whatever comes on the way out, it is not met again
            if table.mon_frozen[m] == 0:
                left |= 1 << m
    while left:
        m = smallest_sword(box, table, left)
        left ^= 1 << m
        push(table, Task.PENALTY, table.mon_type[m], 0, 0)
        push(table, Task.ATTACK, table.active, sword_of(box, table, m), table.mon_type[m])


@rule
def smallest_sword(box, table, among):
    """The monster that harms least, of a mask of them."""
    least = -1
    for m in range(TOKENS):
        if (among >> m) & 1 and (least < 0 or sword_of(box, table, m) <= sword_of(box, table, least)):
            least = m
    return least


@rule
def take_prepare(box, table, verb, a):
    if verb == Verb.FIGHT:
        push(table, Task.COMBAT, a, 0, 0)
    else:
        leave(box, table, verb, a)
