"""Setting up: heroes, the stack with the boss near its bottom, decks."""

from sim.draws import below, shuffle
from sim.games.woodlands.agenda import push
from sim.games.woodlands.effects import shuffle_events
from sim.games.woodlands.forest import lay_tile
from sim.games.woodlands.loot import shuffle_loot
from sim.games.woodlands.monsters import stack_all
from sim.games.woodlands.table import (
    BOSS,
    BOSS_DECK,
    BOSSES,
    CENTRE,
    HERO_DRAW,
    IN_DECK,
    INN,
    KINDS_OF_MONSTER,
    LAIR_A,
    LAIR_B,
    SEATS,
    START,
    T_ROUND,
    TILE_STACK,
    TILES,
    WELL_TOKENS,
)
from sim.games.woodlands.turn import go_on
from sim.records import rule

BRAMBLE_DRAW = 9  # part of the address under which a bramble card is drawn


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = box.players
    table.round = 1
    table.brambles = box.bramble
    if box.bramble < 0:
        table.brambles = below(luck, HERO_DRAW, 0, 0, BRAMBLE_DRAW, 3)
    draw_heroes(box, table, luck)
    for k in range(KINDS_OF_MONSTER):
        table.enraged[k] = box.enraged[k]
    begin(box, table, hidden, luck)
    go_on(box, table, hidden, luck)


@rule
def draw_heroes(box, table, luck):
    """Seats without a named hero draw from those that are left."""
    order = table.scratch
    n = 0
    for h in range(SEATS):
        named = False
        for s in range(table.seats):
            named = named or box.hero_choice[s] == h
        if not named:
            order[n] = h
            n += 1
    shuffle(luck, HERO_DRAW, 1, order, n)
    n = 0
    for s in range(table.seats):
        if box.hero_choice[s] >= 0:
            table.hero[s] = box.hero_choice[s]
        else:
            table.hero[s] = order[n]
            n += 1


@rule
def begin(box, table, hidden, luck):
    """A standard game: one tile, the heroes on it, all decks shuffled."""
    table.chapter_round = 1
    table.day = table.attempt * 1000 + 1
    table.boss_at = -1
    for s in range(table.seats):
        table.hp[s] = box.max_hearts
        table.orbs[s] = box.start_orbs
    shuffle_decks(box, table, hidden, luck)
    for t in range(TILES):
        table.gone[t] = 1
    build_stack(box, table, hidden, luck)
    lay_tile(box, table, 0, CENTRE, 0)
    push(table, T_ROUND, 0, 0, 0)


@rule
def shuffle_decks(box, table, hidden, luck):
    stack_all(box, table, hidden, luck)
    table.loot_n = box.loot_total
    for card in range(box.loot_total):
        hidden.loot[card] = card
        table.loot_where[card] = IN_DECK
    shuffle_loot(table, hidden, luck)
    table.event_n = box.events_n
    for i in range(box.events_n):
        hidden.event[i] = i
    shuffle_events(table, hidden, luck)
    for i in range(BOSSES):
        hidden.boss[i] = i
    shuffle(luck, BOSS_DECK, table.attempt, hidden.boss, BOSSES)
    if box.boss_choice >= 0:
        put_first(hidden.boss, BOSSES, box.boss_choice)
    for i in range(4):
        hidden.well[i] = i
        hidden.lair_a[i] = i
        hidden.lair_b[i] = i
    shuffle(luck, WELL_TOKENS, table.attempt, hidden.well, 4)
    shuffle(luck, LAIR_A, table.attempt, hidden.lair_a, 4)
    shuffle(luck, LAIR_B, table.attempt, hidden.lair_b, 4)


@rule
def put_first(pile, n, card):
    for i in range(n):
        if pile[i] == card:
            pile[0], pile[i] = pile[i], pile[0]
            return


@rule
def build_stack(box, table, hidden, luck):
    """All plain tiles shuffled; the boss tile among the last three."""
    n = 0
    boss = 0
    pile = table.scratch
    for t in range(TILES):
        special = box.special[t]
        if special == BOSS:
            boss = t
        elif special != START and (special != INN or box.inn):
            pile[n] = t
            n += 1
    shuffle(luck, TILE_STACK, table.attempt, pile, n)
    pile[n] = boss
    low = min(3, n + 1)
    bottom = table.aside
    for i in range(low):
        bottom[i] = pile[n - i]
    shuffle(luck, TILE_STACK, 1000 + table.attempt, bottom, low)
    for i in range(low):
        hidden.stack[i] = bottom[i]
    for i in range(low, n + 1):
        hidden.stack[i] = pile[n - i]
    table.stack_n = n + 1
    table.low_n = low
    for i in range(n + 1):
        table.gone[hidden.stack[i]] = 0
