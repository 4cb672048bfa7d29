"""Dealing all that lies face down afresh, consistent with what lies open."""

import numpy as np

from hardmode.sim.draws import shuffle
from hardmode.sim.games.woodlands.card_choices import INN_CARDS
from hardmode.sim.games.woodlands.chapters.ch1 import MARKERS
from hardmode.sim.games.woodlands.chapters.ch4 import FOUR
from hardmode.sim.games.woodlands.layout import StackPart, in_stack, put_first
from hardmode.sim.games.woodlands.names import (
    CARDS,
    FACE_DOWN,
    NOWHERE,
    SEATS,
    TILES,
    TOKENS,
    CardPlace,
    Chance,
)
from hardmode.sim.records import rule


@rule
def redeal(box, table, own, hidden, luck):
    """Deal all that lies face down afresh, consistent with what lies open."""
    for s in range(SEATS):
        hidden.own[s] = own
    redeal_tiles(box, table, hidden, luck)
    redeal_monsters(box, table, hidden, luck)
    redeal_cards(box, table, hidden, luck)
    redeal_bosses(box, table, hidden, luck)
    if table.chapter == 1:
        redeal_quests(table, hidden, luck)
    elif table.chapter == 4:
        redeal_camps(table, hidden, luck)


@rule
def redeal_tiles(box, table, hidden, luck):
    """Unknown tiles between the known top and the known bottom; some only in the lower part."""
    n = table.stack_n
    for i in range(table.under_n):
        hidden.stack[i] = table.under[i]
    top = min(table.top_n, n - table.under_n)
    for i in range(top):
        hidden.stack[n - 1 - i] = table.top[i]
    plain, bottom = np.empty(TILES, np.int64), np.empty(TILES, np.int64)
    m, k = 0, 0
    for t in range(TILES):
        if table.gone[t] == 0 and not seen_in_stack(table, t, top):
            if in_stack(box, table, t) == StackPart.LOWER:
                bottom[k] = t
                k += 1
            else:
                plain[m] = t
                m += 1
    shuffle(luck, Chance.TILE_STACK, 0, plain, m)
    low = max(k, min(table.low_n, n - top - table.under_n))
    for i in range(low - k):
        bottom[k + i] = plain[i]
    shuffle(luck, Chance.TILE_STACK, 1, bottom, low)
    for i in range(low):
        hidden.stack[table.under_n + i] = bottom[i]
    for i in range(low - k, m):
        hidden.stack[table.under_n + k + i] = plain[i]


@rule
def seen_in_stack(table, tile, top):
    for i in range(table.under_n):
        if table.under[i] == tile:
            return True
    for i in range(top):
        if table.top[i] == tile:
            return True
    return False


@rule
def redeal_monsters(box, table, hidden, luck):
    """Tokens face up keep their kind; all others are dealt to the face-down places and the stack."""
    taken = hidden.dealt
    for i in range(TOKENS):
        taken[i] = table.mon_out[i]
    for m in range(TOKENS):
        if table.mon_at[m] != NOWHERE and table.mon_type[m] >= 0:
            i = 0
            while taken[i] or box.kind_of[i] != table.mon_type[m]:
                i += 1
            taken[i] = 1
            hidden.mon_id[m] = i
    n = 0
    for i in range(box.token_n):
        if taken[i] == 0:
            hidden.mon_stack[n] = i
            n += 1
    shuffle(luck, Chance.MONSTER_STACK, 0, hidden.mon_stack, n)
    for m in range(TOKENS):
        if table.mon_at[m] != NOWHERE and table.mon_type[m] < 0:
            n -= 1
            hidden.mon_id[m] = hidden.mon_stack[n]


@rule
def redeal_cards(box, table, hidden, luck):
    n, piled = 0, 0
    deck, pile = hidden.loot, np.empty(2 * CARDS, np.int64)
    for card in range(box.loot_total):
        if table.loot_where[card] == CardPlace.DECK:
            deck[n] = card
            n += 1
        elif table.loot_where[card] == CardPlace.PILE:
            pile[piled] = card
            piled += 1
    shuffle(luck, Chance.LOOT_DECK, 0, deck, n)
    if table.chapter == 4:
        redeal_piles(table, hidden, luck, pile, n, piled)
    shuffle(luck, Chance.EVENT_DECK, 0, hidden.event, rest_of(table.event_gone, 0, box.events_n, hidden.event))
    if table.inn_n == 0:  # the pile is shuffled anew before a card is drawn: it holds nothing yet
        for i in range(INN_CARDS):
            hidden.inn[i] = 0
    else:
        shuffle(luck, Chance.INN_DECK, 0, hidden.inn, rest_of(table.inn_gone, 0, INN_CARDS, hidden.inn))
    seen_first(luck, Chance.WELL_TOKENS, table.token_gone, 0, hidden.well)
    seen_first(luck, Chance.LAIR_A, table.lair_gone, 0, hidden.lair_a)
    seen_first(luck, Chance.LAIR_B, table.lair_gone, 4, hidden.lair_b)


@rule
def rest_of(gone, start, count, pile):
    """Write the numbers that nobody has seen; returns how many."""
    n = 0
    for i in range(count):
        if gone[start + i] == 0:
            pile[n] = i
            n += 1
    return n


@rule
def lay_down(table, down, at, pile, n):
    """Deal from the end of a pile to the places where a marker lies face down; returns what is left."""
    for p in range(table.places):
        if down[p] == FACE_DOWN:
            n -= 1
            at[p] = pile[n]
    return n


@rule
def redeal_piles(table, hidden, luck, pile, n, piled):
    """Cards known to lie in the piles, and for the rest of them unknown ones, which leave the deck."""
    size = table.pile_n[0] + table.pile_n[1] + table.pile_n[2] + table.pile_n[3]
    while piled < size:
        n -= 1
        pile[piled] = hidden.loot[n]
        piled += 1
    shuffle(luck, Chance.PILES, 0, pile, piled)
    at = 0
    for k in range(4):
        for i in range(table.pile_n[k]):
            hidden.pile[k, i] = pile[at]
            at += 1


@rule
def redeal_quests(table, hidden, luck):
    """The markers not yet seen: on the places where one lies face down, then those to come."""
    pile = np.empty(MARKERS, np.int64)
    n = rest_of(table.quest_gone, 0, MARKERS, pile)
    shuffle(luck, Chance.QUESTS, 0, pile, n)
    n = lay_down(table, table.quest_down, hidden.quest_at, pile, n)
    for i in range(n):
        hidden.quest[table.quest_n + i] = pile[i]


@rule
def redeal_camps(table, hidden, luck):
    pile = np.empty(FOUR, np.int64)
    n = rest_of(table.camp_gone, 0, FOUR, pile)
    shuffle(luck, Chance.CAMPS, 0, pile, n)
    lay_down(table, table.camp, hidden.camp_at, pile, n)


@rule
def seen_first(luck, source, gone, start, pile):
    """Four cards dealt from the front: those seen, then the others in any order."""
    n = 0
    for i in range(4):
        if gone[start + i]:
            pile[n] = i
            n += 1
    rest = pile[n:]
    shuffle(luck, source, 0, rest, rest_of(gone, start, 4, rest))


@rule
def redeal_bosses(box, table, hidden, luck):
    for i in range(box.bosses_n):
        hidden.boss[i] = i
    shuffle(luck, Chance.BOSS_DECK, 0, hidden.boss, box.bosses_n)
    if table.boss_shown:
        put_first(hidden.boss, box.bosses_n, table.boss)
    elif box.boss_choice >= 0:
        put_first(hidden.boss, box.bosses_n, box.boss_choice)
