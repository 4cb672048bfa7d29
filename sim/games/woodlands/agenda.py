"""What is still to be done: a stack of tasks, so that any rule can stop for a decision and go on later.

A task is a number and three arguments. The last one pushed is done first, so what should happen
in order is pushed in reverse.
"""

from hardmode.sim.records import rule


@rule
def push(table, task, a, b, c):
    n = table.todo_n
    table.todo[n, 0] = task
    table.todo[n, 1] = a
    table.todo[n, 2] = b
    table.todo[n, 3] = c
    table.todo_n = n + 1


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
