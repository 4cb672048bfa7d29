"""What a hero may do in its turn besides fighting: step, heal, take, trade, unlock, use cards."""

from hardmode.sim.games.woodlands.agenda import Task, ask, option, push
from hardmode.sim.games.woodlands.boss import boss_stands
from hardmode.sim.games.woodlands.chapters.hooks import quest_options, rune_options, take_quest
from hardmode.sim.games.woodlands.effects import can_spend
from hardmode.sim.games.woodlands.fight_or_flee import freeze_options, leave, leave_options, struck_leaving
from hardmode.sim.games.woodlands.heroes import gain_orbs, heal, here, power
from hardmode.sim.games.woodlands.loot import draw_loot, kind_in, spend, take_card, throw_away
from hardmode.sim.games.woodlands.monsters import monsters_at
from hardmode.sim.games.woodlands.names import (
    SLOTS,
    Effect,
    Hero,
    Kind,
    LootEffect,
    Special,
    Use,
    Verb,
)
from hardmode.sim.games.woodlands.switches import (
    BethrasPower1,
    HealWithMonsters,
    ImmobilisedVortex,
    ShaviPower1,
    VortexFlee,
)
from hardmode.sim.records import rule


@rule
def ask_act(table):
    if table.hp[table.active] > 0:
        ask(table, Kind.ACT, table.active)


@rule
def act_options(box, table, out):
    """All that can be done now; uses that would have no effect are not offered."""
    s = table.active
    p = table.at[s]
    out[0] = option(Verb.STOP, 0, 0)
    n = leave_options(box, table, Verb.STEP, Verb.RISKY_STEP, out, 1)
    n = self_options(box, table, out, n)
    monsters, boss = monsters_at(table, p) > 0, boss_stands(table, p)
    if not monsters and not boss:
        n = find_options(box, table, p, out, n)
    elif not boss and box.lair_beside_monsters:
        n = lair_options(table, p, out, n)
    n = trade_options(box, table, p, out, n)
    if monsters:
        n = freeze_options(table, out, n)
    elif not boss:
        n = give_options(table, p, out, n)
        n = quest_options(box, table, p, out, n)
    elif box.give_beside_boss:
        n = give_options(table, p, out, n)
    if table.special[p] == Special.VORTEX and vortex_works(box, table, p):
        out[n] = option(Verb.VORTEX, 0, 0)
        n += 1
    return n


@rule
def vortex_works(box, table, p):
    s = table.active
    if table.chapter == 4 or not can_spend(box, table, s, box.vortex_cost):
        return False
    if table.chapter == 3 and monsters_at(table, p) >= 2:
        return False
    return not (table.immobile[s] and box.immobilised_vortex == ImmobilisedVortex.BLOCKED)


@rule
def unlock_cost(box, table, s):
    return box.power1_cost if table.powers[s] == 0 else box.power2_cost


@rule
def self_options(box, table, out, n):
    """What monsters on the tile do not hinder: powers, first aid, cures, cards on oneself."""
    s = table.active
    if table.powers[s] < 2 and table.orbs[s] >= unlock_cost(box, table, s):
        out[n] = option(Verb.UNLOCK, 0, 0)
        n += 1
    for t in range(table.seats):
        if here(table, t, table.at[s]):
            n = care_options(box, table, t, out, n)
    if table.a_left > 0 and table.hero[s] == Hero.SHAVI and somebody_hurt(box, table):
        out[n] = option(Verb.AURA, 0, 0)
        n += 1
    for i in range(SLOTS):
        n = card_options(box, table, i, out, n)
    return rune_options(box, table, table.at[s], out, n)


@rule
def somebody_hurt(box, table):
    for t in range(table.seats):
        if here(table, t, table.at[table.active]) and 0 < table.hp[t] < box.max_hearts:
            return True
    return False


@rule
def care_options(box, table, t, out, n):
    """What can be done for one hero on the tile."""
    s = table.active
    if table.hp[t] == 0 and table.orbs[s] >= box.raise_cost * table.seats:
        out[n] = option(Verb.RAISE, t, 0)
        n += 1
    if table.a_left > 0 and table.hero[s] == Hero.BETHRAS:
        if table.poison[t]:
            out[n] = option(Verb.REMEDY, t, Effect.POISON)
            n += 1
        if table.entangled[t]:
            out[n] = option(Verb.REMEDY, t, Effect.ENTANGLE)
            n += 1
    if may_pay_for_hearts(box, table, s) and table.orb_hearts == 0 and table.orbs[s] > 0:
        if 0 < table.hp[t] < box.max_hearts:
            out[n] = option(Verb.ORB_FOR_A_HEART, t, 0)
            n += 1
    return n


@rule
def may_pay_for_hearts(box, table, s):
    return power(table, s, Hero.SHAVI, 1) and box.shavi_power_1 == ShaviPower1.ORB_FOR_A_HEART


@rule
def card_options(box, table, i, out, n):
    """What the card in a slot can do now."""
    s = table.active
    kind = kind_in(box, table, s, i)
    if kind < 0 or table.used[s, i] or box.l_use[kind] == Use.PERMANENT:
        return n
    effect = box.l_effect[kind]
    if effect == LootEffect.STEP and table.immobile[s] == 0:
        out[n] = option(Verb.BOOTS, i, 0)
        n += 1
    elif effect == LootEffect.ORBS and table.orbs[s] < box.max_orbs:
        out[n] = option(Verb.POUCH, i, 0)
        n += 1
    elif effect == LootEffect.LANTERN and table.stack_n > 0 and table.top_n == 0:
        out[n] = option(Verb.LANTERN, i, 0)
        n += 1
    elif effect == LootEffect.HEAL and may_drink(box, table, table.at[s]):
        for t in range(table.seats):
            if here(table, t, table.at[s]) and table.hp[t] < box.max_hearts:
                out[n] = option(Verb.HEAL, i, t)
                n += 1
    elif effect == LootEffect.ANTIDOTE:
        for t in range(table.seats):
            if here(table, t, table.at[s]) and table.poison[t]:
                out[n] = option(Verb.ANTIDOTE, i, t)
                n += 1
    return n


@rule
def may_drink(box, table, p):
    return box.heal_with_monsters == HealWithMonsters.AFTER_FIGHT or monsters_at(table, p) == 0


@rule
def find_options(box, table, p, out, n):
    """What lies on a tile without monsters."""
    if table.chests[p]:
        out[n] = option(Verb.TAKE_CHEST, 0, 0)
        n += 1
    if table.tokens[p] and table.well_taken[table.active] == 0:
        out[n] = option(Verb.TAKE_TOKEN, 0, 0)
        n += 1
    return lair_options(table, p, out, n)


@rule
def lair_options(table, p, out, n):
    if table.lair_open[p] and table.lairs_used < 4:
        out[n] = option(Verb.ENTER_LAIR, 0, 0)
        n += 1
    return n


@rule
def trade_options(box, table, p, out, n):
    """Buying and selling at a stall, which monsters that were fought do not hinder."""
    s = table.active
    stalls = 0
    for stall in range(2):
        if table.stock_at[stall] == p + 1:
            stalls += 1
            n = buy_options(box, table, stall, out, n)
    for i in range(SLOTS):
        if table.loot[s, i] and stalls:
            out[n] = option(Verb.SELL, i, 0)
            n += 1
    return n


@rule
def give_options(table, p, out, n):
    """Cards for companions on the tile."""
    s = table.active
    for i in range(SLOTS):
        if table.loot[s, i] and table.used[s, i] == 0:
            for t in range(table.seats):
                if t != s and here(table, t, p):
                    out[n] = option(Verb.GIVE, i, t)
                    n += 1
    return n


@rule
def buy_options(box, table, stall, out, n):
    if can_spend(box, table, table.active, box.price):
        for i in range(3):
            if table.stock[stall, i]:
                out[n] = option(Verb.BUY, stall, i)
                n += 1
    return n


@rule
def take_act(box, table, hidden, luck, verb, a, b):
    s = table.active
    if verb == Verb.STOP:
        return
    push(table, Task.ACT, 0, 0, 0)
    if verb == Verb.STEP or verb == Verb.RISKY_STEP:
        leave(box, table, verb, a)
    elif verb == Verb.VORTEX:
        table.orbs[s] -= box.vortex_cost
        table.orbs_vortex += box.vortex_cost
        push(table, Task.MOVE, 0, 1, 0)
        for t in range(table.seats):
            table.aboard[t] = 0
        if box.vortex_flee == VortexFlee.AS_FLIGHT:
            struck_leaving(box, table, table.at[s])
    elif verb == Verb.BUY:
        buy(box, table, a, b)
    elif verb == Verb.SELL:
        throw_away(table, s, a)
        gain_orbs(box, table, s, box.sale)
    elif verb == Verb.GIVE:
        card = table.loot[s, a] - 1
        table.loot[s, a] = 0
        take_card(box, table, b, card)
    elif verb == Verb.TAKE_CHEST:
        table.chests[table.at[s]] -= 1
        table.chests_taken += 1
        draw_loot(box, table, hidden, luck, s)
    elif verb == Verb.TAKE_TOKEN:
        take_token(box, table, hidden)
    else:
        take_care(box, table, hidden, luck, verb, a, b)


@rule
def take_token(box, table, hidden):
    """The next orb token of the well, seen and gained."""
    s = table.active
    p = table.at[s]
    token = hidden.well[table.tokens_taken]
    table.tokens_taken += 1
    table.token_gone[token] = 1
    table.tokens[p] -= 1
    table.well_taken[s] = 1
    gain_orbs(box, table, s, box.well_value[token])


@rule
def buy(box, table, stall, i):
    """The card goes to a slot; a full hero chooses what goes."""
    s = table.active
    card = table.stock[stall, i] - 1
    table.stock[stall, i] = 0
    table.orbs[s] -= box.price
    table.orbs_market += box.price
    take_card(box, table, s, card)


@rule
def take_care(box, table, hidden, luck, verb, a, b):
    s = table.active
    if verb == Verb.UNLOCK:
        cost = unlock_cost(box, table, s)
        table.orbs[s] -= cost
        table.orbs_unlock += cost
        unlock(box, table, s)
    elif verb == Verb.RAISE:
        table.orbs[s] -= box.raise_cost * table.seats
        table.orbs_raise += box.raise_cost * table.seats
        table.raised += 1
        table.hp[a] = box.raise_hearts
    elif verb == Verb.REMEDY:
        table.a_left -= 1
        if b == Effect.POISON:
            table.poison[a] = 0
        else:
            table.entangled[a] = 0
        if power(table, s, Hero.BETHRAS, 1) and box.bethras_power_1 == BethrasPower1.REMEDY_HEALS:
            heal(box, table, a, 1)
    elif verb == Verb.ORB_FOR_A_HEART:
        table.orbs[s] -= 1
        table.orb_hearts = 1
        heal(box, table, a, 1)
    elif verb == Verb.AURA:
        table.a_left -= 1
        better = power(table, s, Hero.SHAVI, 1) and box.shavi_power_1 == ShaviPower1.AURA_HEALS_TWO
        for t in range(table.seats):
            if here(table, t, table.at[s]):
                heal(box, table, t, 2 if better else 1)
    elif verb == Verb.ENTER_LAIR:
        push(table, Task.LAIR_ENTER, 0, 0, 0)
    elif verb >= Verb.SEARCH:
        take_quest(box, table, hidden, luck, verb, a, b)
    else:
        use_card(box, table, verb, a, b)


@rule
def unlock(box, table, s):
    """The next unique power; Bethras's first one also takes off the markers he has."""
    table.powers[s] += 1
    if power(table, s, Hero.BETHRAS, 1) and box.bethras_power_1 == BethrasPower1.IMMUNE_TO_MARKERS:
        table.poison[s] = 0
        table.entangled[s] = 0


@rule
def use_card(box, table, verb, i, t):
    s = table.active
    amount = spend(box, table, s, i)
    if verb == Verb.BOOTS:
        table.moves += amount
    elif verb == Verb.POUCH:
        gain_orbs(box, table, s, amount)
    elif verb == Verb.HEAL:
        table.potions_drunk += 1
        table.hp[t] = min(box.max_hearts, table.hp[t] + amount)
    elif verb == Verb.ANTIDOTE:
        table.poison[t] = 0
    elif verb == Verb.LANTERN:
        push(table, Task.LANTERN, 0, 0, 0)


