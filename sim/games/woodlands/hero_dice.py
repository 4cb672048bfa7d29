"""The hero dice: the roll, the one reroll, and the slots of the hero board."""

from hardmode.sim.draws import below
from hardmode.sim.games.woodlands.agenda import Task, ask, option, push
from hardmode.sim.games.woodlands.heroes import power
from hardmode.sim.games.woodlands.loot import find, spend
from hardmode.sim.games.woodlands.names import UNPLACED, Chance, Hero, Kind, LootEffect, Slot, Verb
from hardmode.sim.games.woodlands.switches import BethrasPower2, KeptDice, UnusedDice
from hardmode.sim.records import rule

DICE, ALL_DICE = 4, 15
FIRST, AGAIN, CHARMED = 0, 1, 2  # which roll of a die


@rule
def roll_hero_die(box, table, luck, i, nth):
    table.die[i] = box.hero_face[below(luck, Chance.HERO_DIE, table.day, table.active, nth * DICE + i, 6)]


@rule
def roll_all(box, table, luck):
    """Four dice, laid in order of their faces."""
    for i in range(DICE):
        roll_hero_die(box, table, luck, i, FIRST)
        table.die_slot[i] = UNPLACED
    sort_dice(table)
    table.kept = ALL_DICE
    table.stage = FIRST
    table.charms = 0


@rule
def sort_dice(table):
    """Dice that lie nowhere yet have no order of their own."""
    for i in range(1, DICE):
        j = i
        while j > 0 and table.die[j - 1] > table.die[j]:
            table.die[j - 1], table.die[j] = table.die[j], table.die[j - 1]
            j -= 1


@rule
def ask_charm(box, table):
    if find(box, table, table.active, LootEffect.CHARM) >= 0:
        ask(table, Kind.CHARM, table.active)


@rule
def charm_options(table, out):
    out[0] = option(Verb.NO, 0, 0)
    n, seen = 1, 0
    for i in range(DICE):
        if table.die_slot[i] == UNPLACED and (seen >> table.die[i]) & 1 == 0:
            seen |= 1 << table.die[i]
            out[n] = option(Verb.HERO_REROLL, i, 0)
            n += 1
    return n


@rule
def take_charm(box, table, luck, verb, i):
    if verb == Verb.HERO_REROLL:
        s = table.active
        spend(box, table, s, find(box, table, s, LootEffect.CHARM))
        roll_hero_die(box, table, luck, i, CHARMED + table.charms)
        table.charms += 1
        if table.stage == FIRST:
            sort_dice(table)
        push(table, Task.CHARM, 0, 0, 0)


@rule
def keep_options(table, out):
    """Every different set of dice to keep; all four means no reroll."""
    n = 0
    for mask in range(1, ALL_DICE + 1):
        plain = True
        for i in range(1, DICE):
            if table.die[i] == table.die[i - 1] and (mask >> (i - 1)) & 3 == 2:
                plain = False
        if plain:
            out[n] = option(Verb.KEEP, mask, 0)
            n += 1
    return n


@rule
def take_keep(box, table, mask):
    table.kept = mask
    if mask == ALL_DICE:
        return
    push(table, Task.REROLL, 0, 0, 0)
    if box.kept_dice == KeptDice.COMMITTED:
        push(table, Task.ASSIGN, 0, 0, 0)


@rule
def roll_again(box, table, luck):
    """The one reroll: all dice that were not kept, together."""
    for i in range(DICE):
        if (table.kept >> i) & 1 == 0:
            roll_hero_die(box, table, luck, i, AGAIN)
    table.kept = ALL_DICE
    table.stage = AGAIN
    push(table, Task.CHARM, 0, 0, 0)


@rule
def next_die(table):
    """The die to be placed now, or -1."""
    for i in range(DICE):
        if table.die_slot[i] == UNPLACED and (table.kept >> i) & 1:
            return i
    return -1


@rule
def on_slot(table, slot):
    n = 0
    for i in range(DICE):
        if table.die_slot[i] == slot:
            n += 1
    return n


@rule
def least_b(box, table, s):
    if power(table, s, Hero.BETHRAS, 2) and box.bethras_power_2 == BethrasPower2.BREW_FROM_FIVE:
        return 5
    return box.b_least[table.hero[s]]


@rule
def fits(box, table, s, face, slot):
    """A die of this face may go on the slot as it stands."""
    h = table.hero[s]
    if slot == Slot.MOVE:
        return face <= 3
    if slot == Slot.FOCUS:
        return face >= 4 and on_slot(table, Slot.FOCUS) == 0
    if slot == Slot.A:
        return face >= box.a_least[h] and on_slot(table, Slot.A) < box.a_cap[h]
    if slot == Slot.B:  # a stance that still holds keeps its place
        held = table.stance[s] if h == Hero.KLETHOR else 0
        return face >= least_b(box, table, s) and on_slot(table, Slot.B) + held < box.b_cap[h]
    on = on_slot(table, Slot.SUMMON)
    return on == 1 or (on == 0 and on_slot(table, UNPLACED) >= 2)


@rule
def assign_options(box, table, out):
    s = table.active
    i = next_die(table)
    if on_slot(table, Slot.SUMMON) == 1 and on_slot(table, UNPLACED) == 1:
        out[0] = option(Verb.ASSIGN, Slot.SUMMON, i)
        return 1
    n = 0
    for slot in range(Slot.MOVE, Slot.SUMMON + 1):
        if fits(box, table, s, table.die[i], slot):
            out[n] = option(Verb.ASSIGN, slot, i)
            n += 1
    kept = table.kept != ALL_DICE  # a die kept from the first roll is placed before the others are rolled again
    if n == 0 or (box.unused_dice == UnusedDice.ALLOWED and not kept):
        out[n] = option(Verb.ASSIGN, Slot.UNUSED, i)
        n += 1
    return n


@rule
def ask_assign(table):
    if next_die(table) >= 0:
        ask(table, Kind.ASSIGN, table.active)


@rule
def take_assign(table, slot, i):
    table.die_slot[i] = slot
    push(table, Task.ASSIGN, 0, 0, 0)


@rule
def ready_hero(box, table):
    """All dice lie on their slots: what they are good for this turn."""
    s = table.active
    h = table.hero[s]
    table.moves = on_slot(table, Slot.MOVE)
    table.focus = on_slot(table, Slot.FOCUS)
    table.summoned = on_slot(table, Slot.SUMMON) // 2
    a, b = on_slot(table, Slot.A), on_slot(table, Slot.B)
    table.agility = a if h == Hero.XYLIA else 0
    table.transport = a if h == Hero.KLETHOR else 0
    table.precision = b if h == Hero.XYLIA else 0
    table.a_left = a if h == Hero.SHAVI or h == Hero.BETHRAS else 0
    table.b_left = b if h == Hero.SHAVI or h == Hero.BETHRAS else 0
    if h == Hero.KLETHOR:
        table.stance[s] += b


@rule
def ask_keep(table):
    ask(table, Kind.KEEP, table.active)
