"""Chapter 1, mushrooms for the elder: search the runes, brew two potions at the campfire, survive the ambush."""

from hardmode.sim.draws import shuffle
from hardmode.sim.games.woodlands.agenda import Task, finish, option, push
from hardmode.sim.games.woodlands.heroes import here
from hardmode.sim.games.woodlands.loot import cards_of, throw_away
from hardmode.sim.games.woodlands.monsters import monsters_at, spawn
from hardmode.sim.games.woodlands.names import (
    FACE_DOWN,
    FACE_UP,
    MOVED,
    SLOTS,
    CardPlace,
    Chance,
    Ending,
    LootEffect,
    Marker,
    Special,
    Verb,
)
from hardmode.sim.games.woodlands.switches import Ch1Ambush
from hardmode.sim.records import rule

MARKERS, KINDS = 8, 4


@rule
def begin_1(box, table, hidden, luck):
    """Shuffle the markers; the antidotes stay in the box."""
    for i in range(MARKERS):
        hidden.quest[i] = i
    shuffle(luck, Chance.QUESTS, table.attempt, hidden.quest, MARKERS)
    n = 0
    for i in range(table.loot_n):
        card = hidden.loot[i]
        if box.l_effect[box.loot_kind[card]] == LootEffect.ANTIDOTE:
            table.loot_where[card] = CardPlace.OUT
        else:
            hidden.loot[n] = card
            n += 1
    table.loot_n = n


@rule
def rune_tile(box, table, hidden, p):
    """A rune that comes into play gets a marker."""
    if box.rune[table.tile_of[p]] >= 0 and table.quest_n < MARKERS:
        table.quest_down[p] = FACE_DOWN
        hidden.quest_at[p] = hidden.quest[table.quest_n]
        table.quest_n += 1


@rule
def holds_markers(table, s):
    return table.markers[s, 0] + table.markers[s, 1] + table.markers[s, 2] + table.markers[s, 3] > 0


@rule
def options_1(box, table, p, out, n):
    """Search, pick up, hand over, brew: all of it only where there is no monster."""
    s = table.active
    down = table.quest_down[p]
    if down == FACE_DOWN:
        out[n] = option(Verb.SEARCH, 0, 0)
        n += 1
    elif down >= FACE_UP:
        if holds_markers(table, s) or cards_of(table, s) < box.slots:
            out[n] = option(Verb.PICK_UP, 0, 0)
            n += 1
        else:
            for i in range(SLOTS):
                if table.loot[s, i]:
                    out[n] = option(Verb.PICK_UP, i + 1, 0)
                    n += 1
    if table.special[p] == Special.CAMPFIRE and table.potions < box.c1_potions and can_brew(box, table, s):
        out[n] = option(Verb.BREW_POTION, 0, 0)
        n += 1
    return give_options(box, table, s, p, out, n) if box.quest_transfer else n


@rule
def give_options(box, table, s, p, out, n):
    for t in range(table.seats):
        if t != s and here(table, t, p) and (holds_markers(table, t) or cards_of(table, t) < box.slots):
            for k in range(KINDS):
                if table.markers[s, k]:
                    out[n] = option(Verb.GIVE_MARKER, k, t)
                    n += 1
    return n


@rule
def can_brew(box, table, s):
    for k in range(Marker.VIAL):
        if table.markers[s, k] == 0:
            return False
    return table.markers[s, Marker.VIAL] >= box.c1_vials and table.orbs[s] >= box.c1_orbs


@rule
def take_1(box, table, hidden, luck, verb, a, b):
    s = table.active
    p = table.at[s]
    if verb == Verb.SEARCH:
        marker = hidden.quest_at[p]
        table.quest_gone[marker] = 1
        table.quest_down[p] = FACE_UP + marker // 2
    elif verb == Verb.PICK_UP:
        if a:
            throw_away(table, s, a - 1)
        table.markers[s, table.quest_down[p] - FACE_UP] += 1
        table.quest_down[p] = 0
    elif verb == Verb.GIVE_MARKER:
        table.markers[s, a] -= 1
        table.markers[b, a] += 1
    elif verb == Verb.BREW_POTION:
        brew(box, table, hidden, luck, s, p)


@rule
def brew(box, table, hidden, luck, s, p):
    """The hero's movement ends here; the last potion calls the monsters that have watched."""
    for k in range(Marker.VIAL):
        table.markers[s, k] -= 1
    table.markers[s, Marker.VIAL] -= box.c1_vials
    table.orbs[s] -= box.c1_orbs
    table.moves, table.immobile[s] = 0, MOVED
    table.potions += 1
    if table.potions < box.c1_potions:
        return
    table.brew_fight = 1
    table.brew_place = p
    for _ in range(box.c1_ambush + table.seats):
        spawn(box, table, hidden, luck, p)
    if box.ch1_ambush == Ch1Ambush.AT_ONCE:
        push(table, Task.MEET, 0, 0, 0)
        push(table, Task.FLIP, p, 0, 0)
    check_1(table)


@rule
def check_1(table):
    if table.brew_fight and monsters_at(table, table.brew_place) == 0:
        finish(table, Ending.CHAPTER_WON)
