"""Loot: the deck, a hero's three slots, and what the cards in them can do."""

from hardmode.sim.draws import shuffle
from hardmode.sim.games.woodlands.agenda import Task, ask, push
from hardmode.sim.games.woodlands.names import SLOTS, CardPlace, Chance, Kind, LootEffect, Use
from hardmode.sim.games.woodlands.switches import DeckEmpty
from hardmode.sim.records import rule


@rule
def shuffle_loot(table, hidden, luck):
    table.loot_shuffles += 1
    shuffle(luck, Chance.LOOT_DECK, table.attempt * 1000 + table.loot_shuffles, hidden.loot, table.loot_n)


@rule
def draw_card(box, table, hidden, luck):
    """The next loot card, or -1 when there is none."""
    if table.loot_n == 0 and box.deck_empty == DeckEmpty.RESHUFFLE:
        for card in range(box.loot_total):
            if table.loot_where[card] == CardPlace.DISCARD:
                table.loot_where[card] = CardPlace.DECK
                hidden.loot[table.loot_n] = card
                table.loot_n += 1
        shuffle_loot(table, hidden, luck)
    if table.loot_n == 0:
        return -1
    table.loot_n -= 1
    return hidden.loot[table.loot_n]


@rule
def room(box, table, s):
    """How many loot cards a hero can hold: quest markers take one slot."""
    n = box.slots
    if table.markers[s, 0] + table.markers[s, 1] + table.markers[s, 2] + table.markers[s, 3] > 0:
        n -= 1
    return n


@rule
def cards_of(table, s):
    n = 0
    for i in range(SLOTS):
        if table.loot[s, i]:
            n += 1
    return n


@rule
def equip(table, s, card):
    """Put a card into a free slot."""
    i = 0
    while table.loot[s, i]:
        i += 1
    table.loot[s, i] = card + 1
    table.used[s, i] = 0
    table.loot_where[card] = CardPlace.HELD


@rule
def throw_away(table, s, i):
    table.loot_where[table.loot[s, i] - 1] = CardPlace.DISCARD
    table.loot[s, i] = 0
    table.used[s, i] = 0


@rule
def draw_loot(box, table, hidden, luck, s):
    """A hero draws a card; a full hero chooses which one goes."""
    card = draw_card(box, table, hidden, luck)
    if card >= 0:
        table.loot_drawn += 1
        take_card(box, table, s, card)


@rule
def take_card(box, table, s, card):
    table.loot_where[card] = CardPlace.HELD
    if cards_of(table, s) < room(box, table, s):
        equip(table, s, card)
    else:
        push(table, Task.DRAWN, s, card, 0)


@rule
def choose_discard(table, s, card):
    """Ask which card goes, the drawn one included."""
    table.drawn = card + 1
    ask(table, Kind.DISCARD, s)


@rule
def kind_in(box, table, s, i):
    """The kind of card in a slot, or -1."""
    card = table.loot[s, i] - 1
    return box.loot_kind[card] if card >= 0 else -1


@rule
def ready(box, table, s, i, effect):
    """A face-up card of this effect lies in the slot."""
    kind = kind_in(box, table, s, i)
    return kind >= 0 and table.used[s, i] == 0 and box.l_effect[kind] == effect


@rule
def find(box, table, s, effect):
    """The slot of a face-up card of this effect, or -1."""
    for i in range(SLOTS):
        if ready(box, table, s, i, effect):
            return i
    return -1


@rule
def spend(box, table, s, i):
    """Use a card: turn it over or discard it; returns its amount."""
    kind = box.loot_kind[table.loot[s, i] - 1]
    if box.l_use[kind] == Use.DISCARD:
        throw_away(table, s, i)
    elif box.l_use[kind] == Use.EXHAUST:
        table.used[s, i] = 1
    return box.l_amount[kind]


@rule
def permanent(box, table, s, effect):
    """What a hero's permanent cards of this effect add up to."""
    n = 0
    for i in range(SLOTS):
        kind = kind_in(box, table, s, i)
        if kind >= 0 and box.l_use[kind] == Use.PERMANENT and box.l_effect[kind] == effect:
            n += box.l_amount[kind]
    return n


@rule
def own_dice(box, table, s):
    return permanent(box, table, s, LootEffect.DICE)


@rule
def armour(box, table, s):
    return permanent(box, table, s, LootEffect.ARMOUR)


@rule
def refresh(table, s):
    for i in range(SLOTS):
        table.used[s, i] = 0
