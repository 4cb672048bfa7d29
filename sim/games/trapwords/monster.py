"""The monster: facing it, the curses that it throws, its walk, who has beaten it."""

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.games.trapwords.curses import draw_against, push_curses
from hardmode.sim.games.trapwords.names import A, B
from hardmode.sim.records import rule


@rule
def monster_card(table):
    return n.FIRST_MONSTER + 2 * table.monster + table.starred


@rule
def meet(box, table):
    """Note the first time that somebody stands before the monster."""
    if table.met_round == 0:
        table.met_round = table.round
        table.met_room = box.rooms[table.monster_at]
        table.met_by = table.faces[A] + 2 * table.faces[B]
    if box.frozen_monster:
        table.frozen = 1


@rule
def monster_draws(box, table, hidden, luck):
    """New curses for each round against such a monster; both teams share one draw, or the first to play draws first."""
    count = box.card[monster_card(table)].curses
    if table.faces[A] and table.faces[B] and not box.draw_each:
        table.drawn[A] = draw_against(box, table, hidden, luck, table.monster_at, count)
        table.drawn[B] = table.drawn[A]
        return
    for nth in range(2):
        team = table.first if nth == 0 else 1 - table.first
        if table.faces[team]:
            table.drawn[team] = draw_against(box, table, hidden, luck, table.monster_at, count)


@rule
def monster_walks(box, table, hidden):
    """One room towards the players when no team has advanced and none has faced it."""
    if table.advanced[A] or table.advanced[B]:
        return
    table.stalls += 1
    if table.faces[A] or table.faces[B] or table.frozen:
        return
    if table.monster_at > 0:
        table.monster_at -= 1
        if table.lie[table.monster_at]:
            push_curses(box, table, hidden, table.monster_at)


@rule
def beats(box, table):
    """Who has beaten the monster in this round, one bit a team; by the variant only the faster of two."""
    a = table.faces[A] and table.cause[A] == n.Cause.SUCCESS
    b = table.faces[B] and table.cause[B] == n.Cause.SUCCESS
    if a and b and box.fastest:  # the second had only the sand of the first, and made it
        return 1 << (1 - table.first)
    return a + 2 * b
