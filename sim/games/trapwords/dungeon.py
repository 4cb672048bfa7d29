"""The board: who stands where, curses beside the rooms, the monster's walk, facing it."""

from hardmode.sim.draws import below
from hardmode.sim.games.trapwords.tables import CURSE_CARD, FORBIDDEN_WORD, NOBODY, A, B
from hardmode.sim.records import rule


@rule
def bits_set(x):
    """How many cards a pile of up to 16 holds."""
    x -= (x >> 1) & 0x5555
    x = (x & 0x3333) + ((x >> 2) & 0x3333)
    x = (x + (x >> 4)) & 0x0F0F
    return (x + (x >> 8)) & 0x1F


@rule
def nth_bit(x, n):
    """The bit of the n-th card (from 0) of a pile."""
    for _ in range(n):
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
    card = nth_bit(hidden.pile, below(luck, CURSE_CARD, table.taken, 0, 0, bits_set(hidden.pile)))
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
    if room == 0 and hidden.beside[0] & (1 << FORBIDDEN_WORD):
        take_away(table, hidden, 0, 1 << FORBIDDEN_WORD)


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
def who_leads(table):
    if table.position[A] == table.position[B]:
        return NOBODY
    return A if table.position[A] > table.position[B] else B


@rule
def who_begins(table):
    """The team further back plays first; in the same room the one that receives the glowing book."""
    leader = who_leads(table)
    return table.glow if leader == NOBODY else 1 - leader


@rule
def advance(box, table, hidden, team):
    """A team that has guessed its word goes one room on; a curse there is turned up now or next round."""
    table.position[team] += 1
    table.advanced[team] = 1
    room = table.position[team]
    if table.lie[room] and not box.reveal_late:
        turn_up(box, table, hidden, room)


@rule
def send_back(table, team):
    if table.position[team] > 0:
        table.position[team] -= 1


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
