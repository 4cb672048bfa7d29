"""What is still to be done: a stack of tasks, so that any rule can stop for a decision and go on later.

A task is a number and three arguments. The last one pushed is done first, so what should happen
in order is pushed in reverse.
"""

from enum import IntEnum

from hardmode.sim.records import rule


class Task(IntEnum):
    """What can stand on the agenda, in groups; tasks.py does them."""

    (ROUND, GROW, EXTRA, TURNS, ROUND_END, NEXT_ROUND, DRAW_TILE,
     TURN, ROLL_HERO, CHARM, KEEP, ASSIGN, REROLL, READY, ACT, TURN_END,
     STEP, ARRIVE, CARRY, MOVE, BRAMBLES, FLIP, MEET, EVENT_HERE,
     COMBAT, SUPPORT, JOINED, POOL, ROLL, CHANGE, RESOLVE, LOST, ATTACK, PARRY, HIT,
     PENALTY, REWARD, SKILL, BRAMBLE_SKILL, EXHAUST,
     EFFECT, DRAWN, MARKET, LANTERN, STACK, INN,
     LAIR_ENTER, JOIN, LAIR_STEP, LAIR_NEXT, LAIR_FIGHT, LAIR_LOST,
     CHAPTER_ENTER, CHAPTER_WON, CAMP, PILE, BURN, SENTINEL, PURIFY, MARCH, GO_ON, HUNT,
     ROUND_OVER,
     GIVE_UP, TRADE, CHAPTER) = range(66)


@rule
def push(table, task, a, b, c):
    n = table.todo_n
    table.todo[n, 0] = task
    table.todo[n, 1] = a
    table.todo[n, 2] = b
    table.todo[n, 3] = c
    table.todo_n = n + 1


@rule
def under_way(table):
    """The active hero has begun to leave its tile, by a step or the vortex, and has not arrived."""
    for i in range(table.todo_n):
        if table.todo[i, 0] == Task.STEP or table.todo[i, 0] == Task.MOVE:
            return True
    return False


@rule
def ask(table, kind, seat):
    """Stop here until this seat has decided."""
    table.kind = kind
    table.seat = seat
    table.asking = 1


@rule
def finish(table, ending):
    """The game, or the chapter of a campaign, is over; what came first counts."""
    if table.over == 0:
        table.over = ending + 1


@rule
def option(verb, a, b):
    return (verb << 24) | (a << 8) | b


@rule
def verb_of(code):
    return code >> 24


@rule
def first_of(code):
    return (code >> 8) & 0xFFFF


@rule
def second_of(code):
    return code & 0xFF
