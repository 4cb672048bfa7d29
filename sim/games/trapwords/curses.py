"""Curses: the pile, the rooms they lie beside, turned up, pushed on, discarded."""

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.draws import below
from hardmode.sim.games.trapwords.names import A, B
from hardmode.sim.records import rule


@rule
def bits_set(x):
    """How many cards a pile of up to 32 holds."""
    x -= (x >> 1) & 0x55555555
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    x += x >> 8
    return (x + (x >> 16)) & 0x3F


@rule
def nth_bit(x, which):
    """The bit of the n-th card (from 0) of a pile."""
    for _ in range(which):
        x &= x - 1
    return x & -x


@rule
def draw_curse(box, table, hidden, luck):
    """The bit of the curse on top of the pile, or 0 where there is none; the used ones are shuffled in first."""
    if hidden.pile == 0:
        if box.no_curse:
            return 0
        hidden.pile = table.discard
        table.discard = 0
        if hidden.pile == 0:
            return 0
    card = nth_bit(hidden.pile, below(luck, n.Source.CURSE_CARD, table.taken, 0, 0, bits_set(hidden.pile)))
    hidden.pile &= ~card
    table.taken += 1
    return card


@rule
def lay_curse(table, hidden, room, card):
    if card:
        hidden.beside[room] |= card
        table.lie[room] += 1


@rule
def turn_up(box, table, hidden, room):
    """Turn the curses beside a room face up; the Forbidden Word is discarded beside the first room."""
    table.shown[room] = hidden.beside[room]
    if room == 0 and hidden.beside[0] & (1 << n.Curse.FORBIDDEN_WORD):
        take_away(table, hidden, 0, 1 << n.Curse.FORBIDDEN_WORD)


@rule
def take_away(table, hidden, room, cards):
    """Discard those of the cards that lie beside the room."""
    cards &= hidden.beside[room]
    table.discard |= cards
    hidden.beside[room] &= ~cards
    table.shown[room] &= ~cards
    table.lie[room] = bits_set(hidden.beside[room])


@rule
def push_curses(box, table, hidden, room):
    """The monster comes into a room: its curses go one room down, each shoving the next before it."""
    run = room
    while run >= 0 and hidden.beside[run]:
        run -= 1
    if run < 0:  # shoved out of the dungeon
        if box.stay:
            run = 0
        else:
            take_away(table, hidden, 0, hidden.beside[0])
            run = 0
    for p in range(run, room):
        hidden.beside[p] |= hidden.beside[p + 1]
        table.shown[p] |= table.shown[p + 1]
        table.lie[p] = bits_set(hidden.beside[p])
        hidden.beside[p + 1] = 0
        table.shown[p + 1] = 0
        table.lie[p + 1] = 0


@rule
def discard_active(box, table, hidden):
    """A curse works for one round only: what was at work goes to the discard."""
    for team in range(2):
        room = table.stood[team]
        occupied = table.position[A] == room or table.position[B] == room
        if table.active[team] and not (box.sticky and occupied):
            take_away(table, hidden, room, table.active[team])


@rule
def clear_cursed_rooms(table, hidden):
    """The doubtful reading: whatever lies beside the rooms that were cursed goes, after the monster's push."""
    for team in range(2):
        if table.active[team]:
            take_away(table, hidden, table.stood[team], hidden.beside[table.stood[team]])


@rule
def draw_against(box, table, hidden, luck, room, count):
    """The curses that the monster throws at those who face it: their bits."""
    got, again = 0, box.redraw  # there is one Forbidden Word, so one more draw makes up for it
    while count > 0:
        card = draw_curse(box, table, hidden, luck)
        if card == 0:
            break
        if card == 1 << n.Curse.FORBIDDEN_WORD and room == 0:
            table.discard |= card
            if again:
                again = 0
                continue
        else:
            got |= card
        count -= 1
    return got
