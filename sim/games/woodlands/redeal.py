"""Dealing all that lies face down afresh, consistent with what lies open."""

from sim.draws import below, shuffle
from sim.games.woodlands.setup import put_first
from sim.games.woodlands.table import (
    BOSS,
    BOSS_DECK,
    BOSSES,
    EVENT_DECK,
    IN_DECK,
    INN_DECK,
    LAIR_A,
    LAIR_B,
    LOOT_DECK,
    MONSTER_STACK,
    NOWHERE,
    SEATS,
    TILE_STACK,
    TILES,
    TOKENS,
    WELL_TOKENS,
)
from sim.records import rule


@rule
def redeal(box, table, own, hidden, luck):
    """Deal all that lies face down afresh, consistent with what lies open."""
    for s in range(SEATS):
        hidden.own[s] = own
    redeal_tiles(box, table, hidden, luck)
    redeal_monsters(box, table, hidden, luck)
    redeal_cards(box, table, hidden, luck)
    redeal_bosses(box, table, hidden, luck)


@rule
def redeal_tiles(box, table, hidden, luck):
    """Unknown tiles between the known top and the known bottom; the boss only in the lower part."""
    n = table.stack_n
    known = table.gone
    for i in range(table.under_n):
        hidden.stack[i] = table.under[i]
    top = min(table.top_n, n - table.under_n)
    for i in range(top):
        hidden.stack[n - 1 - i] = table.top[i]
    pile = hidden.stack[table.under_n:n - top]
    m, boss = 0, -1
    for t in range(TILES):
        if known[t] == 0 and not seen_in_stack(table, t, top):
            if box.special[t] == BOSS:
                boss = t
            else:
                pile[m] = t
                m += 1
    shuffle(luck, TILE_STACK, 0, pile, m)
    if boss >= 0:
        low = min(table.low_n, m + 1)
        at = below(luck, TILE_STACK, 1, 0, 0, low)
        pile[m] = pile[at]
        pile[at] = boss


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
    shuffle(luck, MONSTER_STACK, 0, hidden.mon_stack, n)
    for m in range(TOKENS):
        if table.mon_at[m] != NOWHERE and table.mon_type[m] < 0:
            n -= 1
            hidden.mon_id[m] = hidden.mon_stack[n]


@rule
def redeal_cards(box, table, hidden, luck):
    n = 0
    for card in range(box.loot_total):
        if table.loot_where[card] == IN_DECK:
            hidden.loot[n] = card
            n += 1
    shuffle(luck, LOOT_DECK, 0, hidden.loot, n)
    n = 0
    for i in range(box.events_n):
        if table.event_gone[i] == 0:
            hidden.event[n] = i
            n += 1
    shuffle(luck, EVENT_DECK, 0, hidden.event, n)
    n = 0
    for i in range(5):
        if table.inn_gone[i] == 0:
            hidden.inn[n] = i
            n += 1
    shuffle(luck, INN_DECK, 0, hidden.inn, n)
    seen_first(luck, WELL_TOKENS, table.token_gone, 0, hidden.well)
    seen_first(luck, LAIR_A, table.lair_gone, 0, hidden.lair_a)
    seen_first(luck, LAIR_B, table.lair_gone, 4, hidden.lair_b)


@rule
def seen_first(luck, source, gone, start, pile):
    """Four cards dealt from the front: those seen, then the others in any order."""
    n = 0
    for i in range(4):
        if gone[start + i]:
            pile[n] = i
            n += 1
    rest = pile[n:]
    m = 0
    for i in range(4):
        if gone[start + i] == 0:
            rest[m] = i
            m += 1
    shuffle(luck, source, 0, rest, m)


@rule
def redeal_bosses(box, table, hidden, luck):
    for i in range(BOSSES):
        hidden.boss[i] = i
    shuffle(luck, BOSS_DECK, 0, hidden.boss, BOSSES)
    if table.boss_shown:
        put_first(hidden.boss, BOSSES, table.boss)
    elif box.boss_choice >= 0:
        put_first(hidden.boss, BOSSES, box.boss_choice)
