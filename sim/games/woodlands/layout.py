"""Laying out the standard game or a chapter: the first tiles, the stack with the boss near its bottom, the decks."""

from enum import IntEnum

import numpy as np

from hardmode.sim.draws import shuffle
from hardmode.sim.games.woodlands.agenda import Task, push
from hardmode.sim.games.woodlands.chapters.hooks import begin_chapter
from hardmode.sim.games.woodlands.effects import shuffle_events
from hardmode.sim.games.woodlands.forest import lay_tile, populate
from hardmode.sim.games.woodlands.loot import shuffle_loot
from hardmode.sim.games.woodlands.monsters import stack_all
from hardmode.sim.games.woodlands.names import (
    CENTRE,
    KINDS_OF_MONSTER,
    SEATS,
    SIDE,
    SLOTS,
    TILES,
    CardPlace,
    Chance,
    Special,
)
from hardmode.sim.games.woodlands.switches import Ch2Half
from hardmode.sim.games.woodlands.turn import grows
from hardmode.sim.records import rule


class StackPart(IntEnum):
    """Where a tile lies; some lie only in the lower part of the stack."""

    NONE, UPPER, LOWER = range(3)


@rule
def begin(box, table, hidden, luck):
    """Lay out the standard game or the present chapter; heroes keep what they hold."""
    clear_table(table)
    table.chapter_round = 1
    table.day = table.attempt * 1000 + 1
    shuffle_decks(box, table, hidden, luck)
    for t in range(TILES):
        table.gone[t] = 1
    if table.chapter >= 3:
        lay_out_chapter(box, table, hidden, luck, table.chapter - 3)
    else:
        lay_tile(box, table, 0, CENTRE, 0)
    if grows(table):
        build_stack(box, table, hidden, luck)
    begin_chapter(box, table, hidden, luck)
    table.placed = 0
    push(table, Task.ROUND, 0, 0, 0)


@rule
def clear_table(table):
    """Nothing of a former chapter stays in play."""
    for p in range(table.places):
        table.grid[table.cell[p]] = 0
    table.places, table.fires, table.todo_n, table.asking, table.cut, table.over = 0, 0, 0, 0, 0, 0
    table.stack_n, table.low_n, table.under_n, table.top_n, table.tile_cell, table.barred = 0, 0, 0, 0, 0, 0
    table.boss_at, table.boss_shown, table.boss_alive, table.bosses_drawn, table.bosses_beaten = -1, 0, 0, 0, 0
    table.threat, table.boss_leaf, table.boss_track, table.boss_fought = 0, 0, 0, 0
    table.stock_at[0], table.stock_at[1], table.tokens_taken, table.lairs_used = 0, 0, 0, 0
    table.potions, table.brew_fight, table.quest_n, table.orbs_lost, table.went_on, table.reached = 0, 0, 0, 0, 0, 0
    table.totems, table.supply, table.corrupt_tiles, table.corrupt_cells, table.in_lair = 0, 0, 0, 0, 0
    for s in range(SEATS):
        table.at[s], table.poison[s], table.entangled[s], table.well_taken[s] = 0, 0, 0, 0
        table.song[s], table.stance[s], table.immobile[s] = 0, 0, 0
        for i in range(4):
            table.markers[s, i], table.carried[s, i] = 0, 0
        for i in range(SLOTS):
            table.used[s, i] = 0
    for i in range(8):
        table.quest_gone[i], table.lair_gone[i] = 0, 0
    for i in range(4):
        table.camp_gone[i], table.token_gone[i] = 0, 0
    for k in range(KINDS_OF_MONSTER):
        table.beaten[k] = 0
    for i in range(2):
        for j in range(3):
            table.stock[i, j] = 0


@rule
def lay_out_chapter(box, table, hidden, luck, row):
    """The tiles of a chapter's picture, with their markers; heroes on the first one."""
    n = box.c3_tiles if row == 0 else box.c4_tiles if row == 1 else box.c5_tiles
    for i in range(n):
        cell = CENTRE + box.lay_y[row, i] * SIDE + box.lay_x[row, i]
        p = lay_tile(box, table, box.lay_tile[row, i], cell, box.lay_rot[row, i])
        if i > 0 or row != 0:
            populate(box, table, hidden, luck, p)
        table.tokens[p] = 0


@rule
def shuffle_decks(box, table, hidden, luck):
    stack_all(box, table, hidden, luck)
    table.loot_n = 0
    for card in range(box.loot_total):
        if table.loot_where[card] != CardPlace.HELD:
            hidden.loot[table.loot_n] = card
            table.loot_where[card] = CardPlace.DECK
            table.loot_n += 1
    shuffle_loot(table, hidden, luck)
    table.event_n = box.events_n
    for i in range(box.events_n):
        hidden.event[i] = i
        table.event_gone[i] = 0
    shuffle_events(table, hidden, luck)
    for i in range(box.bosses_n):
        hidden.boss[i] = i
    shuffle(luck, Chance.BOSS_DECK, table.attempt, hidden.boss, box.bosses_n)
    if box.boss_choice >= 0:
        put_first(hidden.boss, box.bosses_n, box.boss_choice)
    for i in range(4):
        hidden.well[i] = i
        hidden.lair_a[i] = i
        hidden.lair_b[i] = i
    shuffle(luck, Chance.WELL_TOKENS, table.attempt, hidden.well, 4)
    shuffle(luck, Chance.LAIR_A, table.attempt, hidden.lair_a, 4)
    shuffle(luck, Chance.LAIR_B, table.attempt, hidden.lair_b, 4)


@rule
def put_first(pile, n, card):
    for i in range(n):
        if pile[i] == card:
            pile[0], pile[i] = pile[i], pile[0]
            return


@rule
def in_stack(box, table, t):
    """The part of the stack in which a tile lies."""
    special = box.special[t]
    if special == Special.START or (special == Special.INN and not box.inn):
        return StackPart.NONE
    if table.chapter == 1 or table.chapter == 2:
        return in_chapter_stack(box, table, t, special)
    if table.chapter == 5 and in_layout(box, t):
        return StackPart.NONE
    return StackPart.LOWER if special == Special.BOSS else StackPart.UPPER


@rule
def in_chapter_stack(box, table, t, special):
    """Chapters 1 and 2 are played without boss, inn and lairs."""
    if box.lair[t] or special == Special.BOSS or special == Special.INN:
        return StackPart.NONE
    if table.chapter == 1:
        return StackPart.NONE if special == Special.MERCHANT or special == Special.WELL else StackPart.UPPER
    return StackPart.LOWER if special == Special.WELL or special == Special.VORTEX else StackPart.UPPER


@rule
def in_layout(box, t):
    for i in range(box.c5_tiles):
        if box.lay_tile[2, i] == t:
            return True
    return False


@rule
def lower_part(box, table, n):
    """How many plain tiles lie in the lower part of the stack."""
    if table.chapter == 1:
        return 0
    if table.chapter == 2:
        return n // 2 if box.ch2_half == Ch2Half.NINE_ON_TOP else n - n // 2
    return min(2, n)


@rule
def build_stack(box, table, hidden, luck):
    """Plain tiles shuffled; under them some with the boss, or in chapter 2 the well and the vortex."""
    pile, bottom = np.empty(TILES, np.int64), np.empty(TILES, np.int64)  # not on the table: nobody sees the order
    n, low = 0, 0
    for t in range(TILES):
        part = in_stack(box, table, t)
        if part == StackPart.UPPER:
            pile[n] = t
            n += 1
        elif part == StackPart.LOWER:
            bottom[low] = t
            low += 1
    shuffle(luck, Chance.TILE_STACK, 2 * table.attempt, pile, n)
    plain = lower_part(box, table, n)
    for i in range(plain):
        bottom[low + i] = pile[n - 1 - i]
    low += plain
    shuffle(luck, Chance.TILE_STACK, 2 * table.attempt + 1, bottom, low)
    for i in range(low):
        hidden.stack[i] = bottom[i]
    for i in range(n - plain):
        hidden.stack[low + i] = pile[i]
    table.stack_n = low + n - plain
    table.low_n = low
    for i in range(table.stack_n):
        table.gone[hidden.stack[i]] = 0
