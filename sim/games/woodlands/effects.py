"""The effects that tiles, cards and tokens name, one at a time, and the event cards."""

from hardmode.sim.draws import shuffle
from hardmode.sim.games.woodlands.agenda import Task, push, under_way
from hardmode.sim.games.woodlands.heroes import gain_orbs, heal, here, hurt, lose_orbs, mark
from hardmode.sim.games.woodlands.loot import cards_of, choose_discard, draw_card, draw_loot
from hardmode.sim.games.woodlands.monsters import reveal, spawn
from hardmode.sim.games.woodlands.names import HELD_FAST, PAIR, CardPlace, Cause, Chance, Effect, LairRule, Stall
from hardmode.sim.games.woodlands.switches import DeckEmpty
from hardmode.sim.records import rule

# What an effect comes from, so that lost hearts are counted by cause: seat + FROM_BRAMBLES.
FROM_BRAMBLES = 8
HEAP = 96  # tasks that may wait when an effect comes; what one of them adds finds room in `Table.todo` above that


@rule
def push_pair(table, pair, seat):
    """Do the effects of a cell in their order."""
    for i in range(PAIR - 1, -1, -1):
        if pair[i, 0] != Effect.NOTHING:
            push(table, Task.EFFECT, pair[i, 0], pair[i, 1], seat)


@rule
def apply_effect(box, table, hidden, luck, effect, amount, who):
    s = who % FROM_BRAMBLES
    if table.todo_n > HEAP:  # where effects of a box of one's own bring ever more of themselves, an end
        return
    if who >= FROM_BRAMBLES and table.hp[s] == 0:  # brambles hit those who still stand
        return
    if effect == Effect.HEARTS:
        if amount > 0:
            heal(box, table, s, amount)
        else:
            hurt(table, s, -amount, Cause.BRAMBLE if who >= FROM_BRAMBLES else Cause.OTHER)
    elif effect == Effect.ORBS:
        if amount > 0:
            gain_orbs(box, table, s, amount)
        else:
            lose_orbs(table, s, -amount)
    elif effect == Effect.LOOT and amount > 0:
        push(table, Task.EFFECT, Effect.LOOT, amount - 1, s)
        draw_loot(box, table, hidden, luck, s)
    elif effect == Effect.DISCARD_LOOT and amount > 0 and cards_of(table, s) > 0:
        push(table, Task.EFFECT, Effect.DISCARD_LOOT, amount - 1, s)
        choose_discard(table, s, -1)
    elif effect == Effect.POISON or effect == Effect.ENTANGLE:
        mark(box, table, s, effect)
    elif effect == Effect.IMMOBILISE:
        table.immobile[s] = HELD_FAST
    elif effect == Effect.BATTLE_SONG:
        table.song[s] = 1
    elif effect == Effect.HEARTS_HERE:
        for t in range(table.seats):
            if here(table, t, table.at[s]):
                heal(box, table, t, amount)
    else:
        wide_effect(box, table, hidden, luck, effect, amount, s)


@rule
def wide_effect(box, table, hidden, luck, effect, amount, s):
    """Effects that bring cards, monsters or a choice."""
    if effect == Effect.EVENT and amount > 0:
        push(table, Task.EFFECT, Effect.EVENT, amount - 1, s)
        draw_event(box, table, hidden, luck, s)
    elif effect == Effect.MONSTER and amount > 0:
        if table.in_lair:
            push(table, Task.LAIR_FIGHT, amount, 0, 0)
        else:
            push(table, Task.EFFECT, Effect.MONSTER, amount - 1, s)
            ambush(box, table, hidden, luck, table.at[s])
    elif effect == Effect.MONSTERS_ON_RUNES:
        monsters_on_runes(box, table, hidden, luck, amount)
        if not table.in_lair and not under_way(table):  # what comes behind a hero that flees is not met
            push(table, Task.MEET, 0, 0, 0)
            push(table, Task.FLIP, table.at[table.active], 0, 0)
    elif effect == Effect.MERCHANT:
        lay_out(box, table, hidden, luck, Stall.TRAVELLER, table.at[s], amount)
        push(table, Task.MARKET, s, 0, 0)
    elif effect == Effect.ORDER_TILES:
        push(table, Task.STACK, min(amount, 3), 0, 0)
    elif effect == Effect.LAIR_DIE and table.in_lair:
        table.lair_space += amount
        table.moved_rule = 1


@rule
def ambush(box, table, hidden, luck, place):
    """A drawn monster is fought at once."""
    slot = spawn(box, table, hidden, luck, place)
    if slot >= 0:
        reveal(box, table, hidden, slot)
        push(table, Task.COMBAT, slot, 1, 0)


@rule
def monsters_on_runes(box, table, hidden, luck, n):
    for p in range(table.places):
        if box.rune[table.tile_of[p]] >= 0:
            for _ in range(n):
                spawn(box, table, hidden, luck, p)


@rule
def shuffle_events(table, hidden, luck):
    table.event_shuffles += 1
    shuffle(luck, Chance.EVENT_DECK, table.attempt * 1000 + table.event_shuffles, hidden.event, table.event_n)


@rule
def draw_event(box, table, hidden, luck, s):
    if table.event_n == 0 and box.deck_empty == DeckEmpty.RESHUFFLE:
        for i in range(box.events_n):
            hidden.event[i] = i
            table.event_gone[i] = 0
        table.event_n = box.events_n
        shuffle_events(table, hidden, luck)
    if table.event_n == 0:
        return
    table.event_n -= 1
    event = hidden.event[table.event_n]
    table.event_gone[event] = 1
    table.events_drawn += 1
    push_pair(table, box.event[event], s)


@rule
def lay_out(box, table, hidden, luck, stall, place, n):
    """Cards for sale at a stall, face up."""
    clear_stall(table, stall)
    table.stock_at[stall] = place + 1
    for i in range(min(n, 3)):
        card = draw_card(box, table, hidden, luck)
        if card >= 0:
            table.loot_where[card] = CardPlace.STOCK
            table.stock[stall, i] = card + 1


@rule
def clear_stall(table, stall):
    for i in range(3):
        if table.stock[stall, i]:
            table.loot_where[table.stock[stall, i] - 1] = CardPlace.DISCARD
            table.stock[stall, i] = 0
    table.stock_at[stall] = 0


@rule
def can_spend(box, table, s, n):
    """A hero has the orbs, and nothing forbids spending them."""
    if table.in_lair and box.lair_rule[table.lair_a] == LairRule.NO_ORBS:
        return False
    return table.orbs[s] >= n
