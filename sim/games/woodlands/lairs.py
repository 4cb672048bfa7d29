"""Lairs: an entrance card A and an inner card B, a die on three spaces, battles without flight."""

from hardmode.sim.draws import below
from hardmode.sim.games.woodlands.agenda import Task, ask, push
from hardmode.sim.games.woodlands.combat_result import push_reward
from hardmode.sim.games.woodlands.effects import push_pair
from hardmode.sim.games.woodlands.heroes import gain_orbs, here, standing
from hardmode.sim.games.woodlands.monsters import lay_away, reveal, spawn
from hardmode.sim.games.woodlands.names import IN_LAIR, SEATS, TOKENS, Chance, Kind, LairRule, Part
from hardmode.sim.records import rule

LAST_SPACE = 3


@rule
def enter_lair(table, hidden):
    """Draw a card of each deck; heroes on the tile may come along."""
    p = table.at[table.active]
    table.in_lair = 1
    table.lair_a = hidden.lair_a[table.lairs_used]
    table.lair_b = hidden.lair_b[table.lairs_used]
    table.lair_gone[table.lair_a] = 1
    table.lair_gone[4 + table.lair_b] = 1
    table.lairs_used += 1
    table.lairs_entered += 1
    table.lair_space, table.lair_events = 1, 0
    table.lair_open[p] = 0
    table.lair_mark = table.todo_n
    push(table, Task.LAIR_STEP, 0, 0, 0)
    for t in range(SEATS - 1, -1, -1):
        table.lair_party[t] = Part.ALONGSIDE if t == table.active else Part.ABSENT
        if t != table.active and standing(table, t) and here(table, t, p):
            push(table, Task.JOIN, t, 0, 0)


@rule
def ask_join(table, t):
    ask(table, Kind.JOIN, t)


@rule
def lair_step(box, table, luck):
    """Roll for the next event of the card that the die has reached."""
    if table.lair_space > LAST_SPACE:
        win_lair(box, table)
        return
    face = below(luck, Chance.LAIR_DIE, table.day, table.active, table.lair_n, 6)
    table.lair_n += 1
    table.moved_rule = 0
    push(table, Task.LAIR_NEXT, 0, 0, 0)
    if table.lair_space == 1:
        table.lair_first = box.lair_plus[table.lair_a * 6 + face]
        push_pair(table, box.lair_a_face[table.lair_a * 6 + face], table.active)
    else:
        push_pair(table, box.lair_b_face[table.lair_b * 6 + face], table.active)


@rule
def lair_next(box, table):
    """The event is done: one space on, unless it moved the die itself."""
    table.lair_events += 1
    table.lair_first = 0
    if box.lair_rule[table.lair_a] == LairRule.ORB_PER_EVENT:
        gain_orbs(box, table, table.active, 1)
    if table.moved_rule == 0:
        table.lair_space += 1
    table.lair_space = max(1, table.lair_space)
    push(table, Task.LAIR_STEP, 0, 0, 0)


@rule
def lair_fight(box, table, hidden, luck, n):
    for _ in range(n):
        slot = spawn(box, table, hidden, luck, IN_LAIR)
        if slot >= 0:
            reveal(box, table, hidden, slot)
    table.lair_passes = 0
    push(table, Task.MEET, 0, 0, 0)


@rule
def win_lair(box, table):
    table.in_lair = 0
    table.lairs_done += 1
    push(table, Task.MEET, 0, 0, 0)  # the runes may have called monsters to the tile meanwhile
    push(table, Task.FLIP, table.at[table.active], 0, 0)
    for t in range(table.seats):
        table.joined[t] = table.lair_party[t] if standing(table, t) else Part.ABSENT
    push_reward(table, box.lair_reward[table.lair_b])


@rule
def lose_lair(box, table, hidden):
    """The active hero fell: the others on the tile suffer the malus, and nobody comes here again."""
    table.in_lair = 0
    table.lair_first = 0
    for m in range(TOKENS):
        if table.mon_at[m] == IN_LAIR:
            lay_away(table, hidden, m)
    p = table.at[table.active]
    for t in range(table.seats):
        if t != table.active and standing(table, t) and here(table, t, p):
            push_pair(table, box.lair_malus[table.lair_b], t)
