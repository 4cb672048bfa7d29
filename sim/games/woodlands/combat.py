"""One combat up to its result: who takes part, the dice, and what changes the roll."""

from hardmode.sim.draws import below
from hardmode.sim.games.woodlands.agenda import Task, ask, option, push
from hardmode.sim.games.woodlands.effects import can_spend
from hardmode.sim.games.woodlands.foes import immune_to, is_enraged, plus_of
from hardmode.sim.games.woodlands.heroes import here, power, seat_of, standing
from hardmode.sim.games.woodlands.loot import kind_in, own_dice, ready, spend
from hardmode.sim.games.woodlands.names import (
    BOSS_FOE,
    NO_COLOUR,
    NOWHERE,
    SLOTS,
    Chance,
    Hero,
    Kind,
    LairRule,
    LootEffect,
    Monster,
    Part,
    Use,
    Verb,
)
from hardmode.sim.games.woodlands.switches import BethrasPower2, Brew, KlethorScope, ShaviPower2, Support
from hardmode.sim.records import rule

MOST_DICE = 32


@rule
def begin_combat(box, table, foe, drawn):
    s = table.active
    if table.hp[s] == 0 or (foe != BOSS_FOE and table.mon_at[foe] == NOWHERE):
        return
    table.foe = foe
    table.foe_drawn = drawn
    table.combats += 1
    table.dice_n, table.brewed, table.book, table.auto_hits, table.staffs = 0, 0, 0, 0, 0
    table.p1_used, table.p2_used, table.marked, table.power_rerolled, table.extra_dice = 0, 0, 0, 0, 0
    table.fought_here = 1
    if foe != BOSS_FOE:
        table.mon_fought[foe] = table.visit
    push(table, Task.RESOLVE, foe, 0, 0)
    push(table, Task.CHANGE, 0, 0, 0)
    push(table, Task.ROLL, 0, 0, 0)
    push(table, Task.POOL, 0, 0, 0)
    push(table, Task.JOINED, 0, 0, 0)
    gather(box, table)


@rule
def gather(box, table):
    """Heroes on the tile take part; Xylia may from the next one with her second power."""
    s = table.active
    for t in range(table.seats):
        table.joined[t] = Part.ALONGSIDE if t == s else Part.ABSENT
    for t in range(table.seats):
        if t == s or not standing(table, t):
            continue
        if table.in_lair:
            table.joined[t] = table.lair_party[t]
        elif here(table, t, table.at[s]):
            if box.support == Support.OPTIONAL:
                push(table, Task.SUPPORT, t, 0, 0)
            else:
                table.joined[t] = Part.ALONGSIDE
        elif power(table, t, Hero.XYLIA, 2) and next_to(table, table.at[t], table.at[s]):
            if table.foe != BOSS_FOE or box.xylia_boss_support:
                push(table, Task.SUPPORT, t, 0, 0)


@rule
def next_to(table, p, q):
    for d in range(4):
        if table.link[p, d] >= 0 and table.spot[table.link[p, d]] == table.spot[q]:
            return True
    return False


@rule
def ask_support(table, t):
    if table.hp[table.active] > 0:
        ask(table, Kind.SUPPORT, t)


@rule
def take_support(table, yes):
    t = table.seat
    if yes:
        table.joined[t] = Part.ALONGSIDE if here(table, t, table.at[table.active]) else Part.FROM_AFAR


@rule
def no_power_dice(box, table):
    return table.in_lair and box.lair_rule[table.lair_a] == LairRule.NO_POWER_DICE


@rule
def pool_options(box, table, out):
    """Before the roll: what else goes into this combat."""
    s = table.active
    out[0] = option(Verb.ROLL, 0, 0)
    n = 1
    if table.b_left > 0 and table.hero[s] == Hero.BETHRAS and box.brew == Brew.CHOOSE:
        out[n] = option(Verb.BREW_DIE, 0, 0)
        n += 1
    for i in range(SLOTS):
        kind = kind_in(box, table, s, i)
        if kind >= 0 and table.used[s, i] == 0 and box.l_use[kind] != Use.PERMANENT and helps(box, table, kind):
            out[n] = option(Verb.USE, i, 0)
            n += 1
    return n


@rule
def helps(box, table, kind):
    """A card that can be used before the dice are rolled."""
    effect = box.l_effect[kind]
    if effect == LootEffect.POWER_DIE:
        return (usable_colours(box, table) >> box.l_colour[kind]) & 1 == 1
    return effect == LootEffect.DICE or effect == LootEffect.BETTER_DICE


@rule
def usable_colours(box, table):
    """Power dice that could still join: not yet in this combat, not gone for good, the foe not immune."""
    if no_power_dice(box, table):
        return 0
    used = table.staffs | immune_to(box, table, table.foe) | table.totems
    if table.summoned:
        used |= 1 << table.hero[table.active]
    return 15 & ~used


@rule
def take_pool(box, table, verb, i):
    if verb == Verb.ROLL:
        return
    push(table, Task.POOL, 0, 0, 0)
    if verb == Verb.BREW_DIE:
        table.b_left -= 1
        table.brewed += 1
        return
    kind = kind_in(box, table, table.active, i)
    amount = spend(box, table, table.active, i)
    effect = box.l_effect[kind]
    if effect == LootEffect.DICE:
        table.extra_dice += amount
    elif effect == LootEffect.BETTER_DICE:
        table.book += amount
    else:
        table.staffs |= 1 << box.l_colour[kind]


@rule
def ask_pool(box, table):
    if table.hero[table.active] == Hero.BETHRAS and box.brew != Brew.CHOOSE and table.brewed == 0:
        table.brewed = table.b_left
        if box.brew == Brew.ALL_FIRST_COMBAT:
            table.b_left = 0
    ask(table, Kind.PREPARE_COMBAT, table.active)


@rule
def combat_dice_of(box, table, t):
    """How many combat dice a hero brings to the present combat."""
    n = 1 + own_dice(box, table, t)
    if power(table, t, Hero.BETHRAS, 2) and box.bethras_power_2 == BethrasPower2.ONE_MORE_DIE:
        n += 1
    if t == table.active:
        n += table.brewed + table.extra_dice + table.song[t]
    if table.foe == BOSS_FOE and here(table, t, table.boss_at):  # the skill names heroes on the tile
        n = max(0, n - table.boss_fewer)
    return n


@rule
def plus_on(box, table, t):
    """What is added to a hero's combat dice."""
    n = 0
    if t == table.active:
        n += table.book + table.precision
    return n


@rule
def roll_dice(box, table, luck):
    s = table.active
    for k in range(table.seats):
        t = (s + k) % table.seats
        if not standing(table, t):  # the first blow of an enraged mushroom
            table.joined[t] = Part.ABSENT
        if table.joined[t]:
            for i in range(combat_dice_of(box, table, t)):
                add_die(box, table, luck, t, NO_COLOUR, i, plus_on(box, table, t) + table.lair_first)
    table.song[s] = 0
    colours = power_colours(box, table)
    for colour in range(4):
        if (colours >> colour) & 1:
            plus = plus_of(box, table, table.foe, colour)
            if power(table, s, Hero.SHAVI, 2) and box.shavi_power_2 == ShaviPower2.BETTER_POWER_DICE:
                plus += 1
            add_die(box, table, luck, s, colour, colour, plus)
    if table.foe == BOSS_FOE:
        table.boss_dice += table.dice_n
    table.lair_first = 0


@rule
def power_colours(box, table):
    """The power dice that are rolled: staffs, and the summoned one unless the foe is immune."""
    colours = table.staffs
    if table.summoned:
        own = 1 << table.hero[table.active]
        if own & ~(immune_to(box, table, table.foe) | table.totems) and not no_power_dice(box, table):
            colours |= own
    return colours


@rule
def add_die(box, table, luck, t, colour, k, plus):
    n = table.dice_n
    if n == MOST_DICE:
        return
    table.owner[n] = t
    table.colour[n] = colour
    table.plus[n] = plus
    table.rerolls[n] = 0
    table.dice_n = n + 1
    roll_die(box, table, luck, n, k)


@rule
def roll_die(box, table, luck, n, k):
    where = table.active * 4096 + table.combats
    which = (table.owner[n] * 64 + k) * 64 + table.rerolls[n]
    if table.colour[n] == NO_COLOUR:
        table.face[n] = box.combat_face[below(luck, Chance.COMBAT_DIE, table.day, where, which, 6)]
    else:
        table.face[n] = box.power_face[below(luck, Chance.POWER_DIE, table.day, where, which, 6)]


@rule
def reroll(box, table, luck, n):
    """Roll a die once more; a bonus that held for the first roll alone is gone."""
    first = n
    while first > 0 and table.owner[first - 1] == table.owner[n] and table.colour[first - 1] == table.colour[n]:
        first -= 1
    table.rerolls[n] += 1
    if table.colour[n] == NO_COLOUR:
        table.plus[n] = plus_on(box, table, table.owner[n])
        roll_die(box, table, luck, n, n - first)
    else:
        roll_die(box, table, luck, n, table.colour[n])


@rule
def change_options(box, table, out):
    """After the roll: orbs, Klethor's powers and cards."""
    s = table.active
    n = 0
    if table.marked == 0:
        out[0] = option(Verb.STOP, 0, 0)
        n = 1
        if not is_enraged(table, table.foe, Monster.SKELETON):
            n = reroll_options(box, table, out, n)
        for i in range(SLOTS):
            if ready(box, table, s, i, LootEffect.BETTER_DIE):
                n = each_face(table, s, Verb.BETTER_DIE, i, out, n)
            if table.foe != BOSS_FOE and ready(box, table, s, i, LootEffect.BOMB):
                out[n] = option(Verb.BOMB, i, 0)
                n += 1
        may_reroll = power(table, s, Hero.SHAVI, 2) and box.shavi_power_2 == ShaviPower2.POWER_DIE_REROLL
        if may_reroll and table.power_rerolled == 0:
            for i in range(table.dice_n):
                if table.colour[i] != NO_COLOUR:
                    out[n] = option(Verb.POWER_DIE_REROLL, i, 0)
                    n += 1
    k = seat_of(table, Hero.KLETHOR)
    if k >= 0 and table.joined[k] and not is_enraged(table, table.foe, Monster.SKELETON):
        n = mark_options(box, table, k, out, n)
    return n


@rule
def each_face(table, s, verb, i, out, n):
    """One option for each different combat die of a hero."""
    seen = 0
    for j in range(table.dice_n):
        bit = 1 << (table.face[j] * 8 + min(table.plus[j], 7))
        if table.owner[j] == s and table.colour[j] == NO_COLOUR and seen & bit == 0:
            seen |= bit
            out[n] = option(verb, j, i)
            n += 1
    return n


@rule
def reroll_options(box, table, out, n):
    s = table.active
    if can_spend(box, table, s, 1):
        n = each_face(table, s, Verb.ORB_REROLL, 0, out, n)
    k = seat_of(table, Hero.KLETHOR)
    if k >= 0 and table.joined[k] and table.powers[k] >= 1 and table.p1_used == 0:
        for t in range(table.seats):
            if t == k or box.klethor_scope == KlethorScope.ANY:
                n = each_face(table, t, Verb.POWER_1_REROLL, 0, out, n)
    return n


@rule
def mark_options(box, table, k, out, n):
    """Klethor's second power: mark any dice, then roll them together."""
    if table.powers[k] < 2 or table.p2_used:
        return n
    for i in range(table.dice_n):
        mine = table.owner[i] == k or box.klethor_scope == KlethorScope.ANY
        if mine and table.colour[i] == NO_COLOUR and table.marked >> i == 0:
            out[n] = option(Verb.MARK, i, 0)
            n += 1
    if table.marked:
        out[n] = option(Verb.REROLL_MARKED, 0, 0)
        n += 1
    return n


@rule
def take_change(box, table, luck, verb, i, slot):
    if verb == Verb.STOP:
        return
    push(table, Task.CHANGE, 0, 0, 0)
    if verb == Verb.ORB_REROLL:
        table.orbs[table.active] -= 1
        table.orbs_reroll += 1
        reroll(box, table, luck, i)
    elif verb == Verb.POWER_1_REROLL:
        table.p1_used = 1
        reroll(box, table, luck, i)
    elif verb == Verb.POWER_DIE_REROLL:
        table.power_rerolled = 1
        reroll(box, table, luck, i)
    elif verb == Verb.MARK:
        table.marked |= 1 << i
    elif verb == Verb.REROLL_MARKED:
        table.p2_used = 1
        for j in range(table.dice_n):
            if (table.marked >> j) & 1:
                reroll(box, table, luck, j)
        table.marked = 0
    elif verb == Verb.BETTER_DIE:
        table.plus[i] += spend(box, table, table.active, slot)
    else:
        table.auto_hits += spend(box, table, table.active, i)


@rule
def ask_change(table):
    ask(table, Kind.CHANGE_ROLL, table.active)
