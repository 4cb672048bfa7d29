"""Chapter 4, steps in the night: clear three of four camps and take back the stolen loot."""

import numpy as np

from hardmode.sim.draws import shuffle
from hardmode.sim.games.woodlands.agenda import Task, ask, finish, option, push
from hardmode.sim.games.woodlands.chapters.march import measure, steps_to
from hardmode.sim.games.woodlands.forest import FAR_AWAY
from hardmode.sim.games.woodlands.heroes import hurt, mark, standing
from hardmode.sim.games.woodlands.loot import draw_card, take_card
from hardmode.sim.games.woodlands.monsters import monsters_at, reveal, spawn
from hardmode.sim.games.woodlands.names import (
    CARDS,
    FACE_DOWN,
    FACE_UP,
    SEATS,
    SIDE,
    SLOTS,
    TOKENS,
    Camp,
    CardPlace,
    Cause,
    Chance,
    Effect,
    Ending,
    Kind,
    Verb,
)
from hardmode.sim.games.woodlands.switches import HornDistance, TrapMarker
from hardmode.sim.records import rule

FOUR = 4


@rule
def begin_4(box, table, hidden, luck):
    """Lay the camps face down and deal the loot to four piles."""
    order = np.empty(FOUR, np.int64)
    for i in range(FOUR):
        order[i] = i
    shuffle(luck, Chance.CAMPS, table.attempt, order, FOUR)
    n = 0
    for p in range(table.places):
        if box.c4_camp[table.tile_of[p]]:
            table.camp[p] = FACE_DOWN
            hidden.camp_at[p] = order[n]
            n += 1
    cards = np.empty(CARDS, np.int64)
    deal_piles(table, hidden, luck, cards, gather_loot(box, table, hidden, luck, cards))


@rule
def gather_loot(box, table, hidden, luck, cards):
    """All loot of the heroes, filled up to four cards; or, for a chapter by itself, cards from the deck."""
    n = 0
    for s in range(SEATS):
        for i in range(SLOTS):
            if table.loot[s, i]:
                cards[n] = table.loot[s, i] - 1
                table.loot_where[cards[n]] = CardPlace.PILE
                table.loot[s, i] = 0
                n += 1
    least = FOUR if table.campaign else box.c4_base + table.seats
    while n < least:
        card = draw_card(box, table, hidden, luck)
        if card < 0:
            return n
        cards[n] = card
        n += 1
    return n


@rule
def deal_piles(table, hidden, luck, cards, n):
    shuffle(luck, Chance.PILES, table.attempt, cards, n)
    for i in range(FOUR):
        table.pile_n[i] = 0
    for i in range(n):
        k = i % FOUR
        hidden.pile[k, table.pile_n[k]] = cards[i]
        table.pile_n[k] += 1
    table.ashes_pile = -1


@rule
def camp_here(box, table, hidden, luck, p):
    """On a camp without monsters: turn the marker over and fight what it brings, then take a pile."""
    s = table.active
    if not standing(table, s) or table.at[s] != p or table.camp[p] == 0 or monsters_at(table, p):
        return
    if table.camp[p] == FACE_DOWN:
        push(table, Task.CAMP, p, 0, 0)
        reveal_camp(box, table, hidden, luck, p)
    else:
        push(table, Task.GO_ON, 0, 0, 0)
        if table.looted[p] == 0:
            table.looted[p] = 1
            push(table, Task.PILE, p, 0, 0)


@rule
def reveal_camp(box, table, hidden, luck, p):
    camp = hidden.camp_at[p]
    table.camp[p] = FACE_UP + camp
    table.camp_gone[camp] = 1
    for _ in range(box.c4_added[camp]):
        m = spawn(box, table, hidden, luck, p)
        if m >= 0:
            reveal(box, table, hidden, m)
    push(table, Task.MEET, 0, 0, 0)
    push(table, Task.FLIP, p, 0, 0)
    if camp == Camp.HORN:
        blow_horn(box, table, p)
        push(table, Task.GO_ON, 0, 0, 0)  # it may have emptied other camps
    elif camp == Camp.ASHES:
        push(table, Task.BURN, 0, 0, 0)
    elif camp == Camp.SENTINEL:
        push(table, Task.SENTINEL, p, 0, 0)
    else:
        mark(box, table, table.active, Effect.POISON if box.trap_marker == TrapMarker.POISON else Effect.ENTANGLE)
        hurt(table, table.active, box.c4_trap, Cause.OTHER)


@rule
def blow_horn(box, table, p):
    """All monsters near enough come to the camp at once."""
    measure(table, p)
    for m in range(TOKENS):
        q = table.mon_at[m]
        if q >= 0 and heard(box, table, p, q):
            table.mon_at[m] = p


@rule
def heard(box, table, p, q):
    if box.horn_distance == HornDistance.MANHATTAN:
        x = abs(table.cell[p] % SIDE - table.cell[q] % SIDE)
        return x + abs(table.cell[p] // SIDE - table.cell[q] // SIDE) <= box.c4_horn
    return steps_to(table, q) <= min(box.c4_horn, FAR_AWAY - 1)


@rule
def pile_options(table, out, burning):
    """The piles that are left; for the ashes one with several cards if there is any."""
    large = False
    for k in range(FOUR):
        large = large or table.pile_n[k] > 1
    n = 0
    for k in range(FOUR):
        if table.pile_n[k] > (1 if burning and large else 0) and k != table.ashes_pile:
            out[n] = option(Verb.PILE, k, 0)
            n += 1
    return n


@rule
def ask_burn(table):
    if cards_in_piles(table):
        ask(table, Kind.BURN, table.active)


@rule
def take_burn(table, hidden, k):
    """One card of the pile, which was dealt at random, is left; it is this camp's reward."""
    for i in range(1, table.pile_n[k]):
        table.loot_where[hidden.pile[k, i]] = CardPlace.DISCARD
    table.pile_n[k] = 1
    table.ashes_pile = k


@rule
def cards_in_piles(table):
    """How many cards may be chosen; the pile that the ashes left is kept for its camp."""
    n = 0
    for k in range(FOUR):
        if k != table.ashes_pile:
            n += table.pile_n[k]
    return n


@rule
def ask_pile(box, table, hidden, p):
    if table.camp[p] == FACE_UP + Camp.ASHES and table.ashes_pile >= 0:
        take_pile(box, table, hidden, table.ashes_pile)
    elif cards_in_piles(table):
        ask(table, Kind.PILE, table.active)


@rule
def take_pile(box, table, hidden, k):
    """The active hero takes and equips the cards of a pile."""
    for i in range(table.pile_n[k]):
        card = hidden.pile[k, i]
        table.loot_where[card] = CardPlace.HELD
        take_card(box, table, table.active, card)
    table.pile_n[k] = 0


@rule
def sentinel_options(table, out):
    n = 0
    for p in range(table.places):
        if table.camp[p] == FACE_DOWN:
            out[n] = option(Verb.TARGET, p, 0)
            n += 1
    return n


@rule
def ask_sentinel(table, p):
    for q in range(table.places):
        if table.camp[q] == FACE_DOWN:
            ask(table, Kind.SENTINEL, table.active)
            return
    table.plus_shield[p] += 1


@rule
def camps_clear(table):
    """Revealed camps without monsters."""
    n = 0
    for p in range(table.places):
        if table.camp[p] >= FACE_UP and monsters_at(table, p) == 0:
            n += 1
    return n


@rule
def check_4(box, table):
    """Three camps are enough; the party may go on for the fourth."""
    n = camps_clear(table)
    if n >= FOUR:
        table.reached = 1
        finish(table, Ending.CHAPTER_WON)
    elif n >= box.c4_needed and table.went_on == 0:
        table.reached = 1
        ask(table, Kind.GO_ON, table.active)


@rule
def take_go_on(table, yes):
    if yes:
        table.went_on = 1
    else:
        finish(table, Ending.CHAPTER_WON)


