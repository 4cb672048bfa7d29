"""Dealing afresh all that a team cannot know."""

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.draws import below
from hardmode.sim.games.trapwords.curses import bits_set, nth_bit
from hardmode.sim.games.trapwords.names import A, B
from hardmode.sim.games.trapwords.setup import deal_skill
from hardmode.sim.records import rule


@rule
def redeal(box, table, own, hidden, luck):
    """Face-down curses, the other team's list and everybody's skill are anybody's guess."""
    hidden.own[1 - table.seat].list = below(luck, n.Source.MIND, 0, 0, 0, n.TRAPPERS)
    hidden.own[table.seat] = own
    deal_skill(box, hidden, luck)
    unseen = box.curses & ~(table.discard | table.drawn[A] | table.drawn[B])
    for room in range(n.MOST_ROOMS):
        unseen &= ~table.shown[room]
    for room in range(n.MOST_ROOMS):
        hidden.beside[room] = table.shown[room]
        for i in range(table.lie[room] - bits_set(table.shown[room])):
            card = nth_bit(unseen, below(luck, n.Source.CURSE_CARD, room, i, 1, bits_set(unseen)))
            hidden.beside[room] |= card
            unseen &= ~card
    hidden.pile = unseen


@rule
def redeal_for(box, table, view, hidden, luck):
    """The same from the point of view of a team, whichever is to decide; together both lists are known."""
    list_a, list_b = hidden.own[A].list, hidden.own[B].list
    redeal(box, table, hidden.own[table.seat], hidden, luck)
    guessed = below(luck, n.Source.MIND, 0, 0, 0, n.TRAPPERS)
    hidden.own[A].list = guessed if view == B else list_a
    hidden.own[B].list = guessed if view == A else list_b
