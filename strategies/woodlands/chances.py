"""What positions are worth, for strategies: chances in combat by closed form, values of places and cards.

With n own dice, o orbs and p the chance of one die, the chance to score m hits is that of n + o dice,
as long as n >= m: an orb rolls a failed die afresh. Companions' dice count as dice without orbs.
"""

from hardmode.sim.games.woodlands.boss import boss_stands
from hardmode.sim.games.woodlands.box import PROBABILITIES
from hardmode.sim.games.woodlands.foes import hearts_of, immune_to, leaves_of, plus_of, shield_of
from hardmode.sim.games.woodlands.heroes import power, standing
from hardmode.sim.games.woodlands.loot import kind_in, own_dice
from hardmode.sim.games.woodlands.names import (
    KINDS_OF_MONSTER,
    PAIR,
    SLOTS,
    TOKENS,
    Effect,
    EnragedBoss,
    Hero,
    LootEffect,
    Monster,
    Use,
)
from hardmode.sim.records import rule
from hardmode.strategies.woodlands.weights import Weight

MOST = PROBABILITIES - 1


@rule
def no_clock(table):
    """Chapters in which nothing presses: heroes can rest and gather orbs before they fight."""
    return table.chapter == 1 or table.chapter == 4


@rule
def hits_on(shield, plus):
    """How many faces of six reach a shield."""
    return max(0, min(6, 7 - shield + plus))


@rule
def chance(box, faces, dice, orbs, need):
    """The chance of at least `need` hits with so many dice and rerolls."""
    if need <= 0:
        return 1.0
    if dice < need:
        return 0.0
    return box.chance[faces, min(MOST, dice + orbs), min(MOST, need)]


@rule
def dice_of(box, table, s):
    """Combat dice that a hero always brings."""
    n = 1 + own_dice(box, table, s)
    if power(table, s, Hero.BETHRAS, 2):
        n += 1
    return n


@rule
def extra_dice(box, table, s):
    """Dice that only the active hero adds: cards not yet used, brew."""
    n = table.song[s]
    for i in range(SLOTS):
        kind = kind_in(box, table, s, i)
        if kind >= 0 and table.used[s, i] == 0 and box.l_use[kind] != Use.PERMANENT:
            effect = box.l_effect[kind]
            if effect == LootEffect.DICE or effect == LootEffect.POWER_DIE:
                n += 1
    if s == table.active and table.hero[s] == Hero.BETHRAS:
        n += table.b_left
    return n


@rule
def free_rerolls(table, s):
    """Klethor's powers are worth about this many orbs in each combat."""
    if table.hero[s] != Hero.KLETHOR:
        return 0
    return table.powers[s] * table.powers[s]


@rule
def helping(box, table, s, p):
    """Dice of the heroes that stand on the place with this one."""
    n = 0
    for t in range(table.seats):
        if t != s and standing(table, t):
            near = table.spot[table.at[t]] == table.spot[p]
            if near or (power(table, t, Hero.XYLIA, 2) and beside(table, table.at[t], p)):
                n += dice_of(box, table, t)
    return n


@rule
def beside(table, p, q):
    for d in range(4):
        if table.link[p, d] == q:
            return True
    return False


@rule
def with_power(box, table, s, faces, dice, orbs, need, power_faces):
    """The chance with one power die of so many hitting faces, or none (-1)."""
    if power_faces < 0:
        return chance(box, faces, dice, orbs, need)
    hit = chance(box, faces, dice, orbs, need - 1)
    miss = chance(box, faces, dice, orbs, need)
    return (power_faces * hit + (6 - power_faces) * miss) / 6


@rule
def has_power(table, s, spare):
    """A power die is there, or two hero dice are to spare for one."""
    return spare or (table.summoned > 0 and s == table.active)


@rule
def win_chance(box, table, s, p, foe, orbs, helpers, spare):
    """The chance to beat a face-up foe on a place."""
    shield = shield_of(box, table, foe)
    need = hearts_of(box, table, foe) + leaves_of(table, foe)
    plus = table.precision if s == table.active else 0
    power_faces = -1
    if has_power(table, s, spare) and (immune_to(box, table, foe) >> table.hero[s]) & 1 == 0:
        power_faces = hits_on(shield, plus_of(box, table, foe, table.hero[s]))
    dice = dice_of(box, table, s) + extra_dice(box, table, s) + helpers
    won = with_power(box, table, s, hits_on(shield, plus), dice, orbs + free_rerolls(table, s), need, power_faces)
    if foe < TOKENS and table.enraged[table.mon_type[foe]] and table.mon_type[foe] == Monster.SPIRIT:
        won *= won
    return won


@rule
def kind_chance(box, table, s, kind, dice, rerolls, powered):
    """The chance to beat a monster of a kind, with so many dice."""
    need = box.mon_hearts[kind] + (table.enraged[kind] and kind == Monster.PLANT)
    plus = table.precision if s == table.active else 0
    faces = hits_on(box.mon_shield[kind], plus)
    power_faces = -1
    if powered and (box.mon_immune[kind] >> table.hero[s]) & 1 == 0:
        power_faces = hits_on(box.mon_shield[kind], box.mon_plus[kind, table.hero[s]])
    won = with_power(box, table, s, faces, dice, rerolls, need, power_faces)
    return won * won if kind == Monster.SPIRIT and table.enraged[kind] else won


@rule
def pair_value(pair, weights):
    """What the effects of a cell are worth to a hero."""
    value = 0.0
    for i in range(PAIR):
        effect, amount = pair[i, 0], pair[i, 1]
        if effect == Effect.ORBS:
            value += weights[Weight.ORB] * amount
        elif effect == Effect.HEARTS:
            value += weights[Weight.HEART] * amount
        elif effect == Effect.LOOT:
            value += weights[Weight.LOOT] * amount
        elif effect == Effect.DISCARD_LOOT:
            value -= 0.4 * weights[Weight.LOOT] * amount
        elif effect == Effect.POISON:
            value -= 1.5 * weights[Weight.HEART]
        elif effect == Effect.ENTANGLE or effect == Effect.EVENT:
            value -= 0.3 * weights[Weight.HEART]
    return value


@rule
def fight_value(box, table, s, p, m, spare, unseen, weights):
    """What it is worth to fight one monster, seen or not; `unseen` is what it is worth where nobody helps."""
    helpers = helping(box, table, s, p)
    if table.mon_type[m] >= 0:
        won = win_chance(box, table, s, p, m, orbs_for_it(table, s), helpers, spare)
        return kind_value(box, table, table.mon_type[m], won, weights)
    return unseen_value(box, table, s, helpers, spare, weights) if helpers else unseen


@rule
def orbs_for_it(table, s):
    """The orbs that a hero would spend on one fight."""
    return min(6 if no_clock(table) else 2, table.orbs[s])


@rule
def unseen_value(box, table, s, helpers, spare, weights):
    """What it is worth to fight a monster that nobody has seen, with so many dice of helpers."""
    dice = dice_of(box, table, s) + extra_dice(box, table, s) + helpers
    rerolls, powered = orbs_for_it(table, s) + free_rerolls(table, s), has_power(table, s, spare)
    value = 0.0
    for kind in range(KINDS_OF_MONSTER):
        won = kind_chance(box, table, s, kind, dice, rerolls, powered)
        value += kind_value(box, table, kind, won, weights)
    return value / KINDS_OF_MONSTER


@rule
def kind_value(box, table, kind, won, weights):
    gain = pair_value(box.mon_reward[kind], weights)
    pain = pair_value(box.mon_penalty[kind], weights) - weights[Weight.HEART] * box.mon_sword[kind]
    value = won * gain + (1 - won) * pain
    if kind == Monster.MUSHROOM and table.enraged[kind]:
        value -= won * weights[Weight.HEART] * box.mon_sword[kind]
    return value


@rule
def boss_chance(box, table, s, together):
    """The chance to beat the boss as the active hero, with everybody who can stand there, or alone."""
    helpers = 0
    for t in range(table.seats):
        if t != s and standing(table, t) and (together or boss_here(table, t)):
            helpers += dice_of(box, table, t)
    dice = dice_of(box, table, s) + extra_dice(box, table, s) + helpers
    orbs = table.orbs[s] + free_rerolls(table, s)
    if table.boss_shown:
        shield, need = box.b_shield[table.boss], box.b_hearts[table.boss] + table.boss_leaf
        need += (box.enraged_boss == EnragedBoss.HEARTS) * box.eb_hearts
    else:
        shield, need = 4, 3
    power_faces = hits_on(shield, 0)
    plus = table.precision if s == table.active else 0
    return with_power(box, table, s, hits_on(shield, plus), dice, orbs, need, power_faces)


@rule
def boss_here(table, t):
    return table.boss_at >= 0 and table.at[t] == table.boss_at


@rule
def card_value(box, kind):
    """What a card is worth to keep."""
    effect = box.l_effect[kind]
    if effect == LootEffect.DICE:
        return 10.0 if box.l_use[kind] == Use.PERMANENT else 6.0
    if effect == LootEffect.POWER_DIE:
        return 6.5
    if effect == LootEffect.BETTER_DICE:
        return 5.5
    if effect == LootEffect.HEAL:
        return 6.0
    if effect == LootEffect.ABSORB or effect == LootEffect.ARMOUR:
        return 4.0 + 0.1 * box.l_amount[kind]
    if effect == LootEffect.BETTER_DIE:
        return 4.5
    if effect == LootEffect.BOMB:
        return 2.5
    if effect == LootEffect.STEP:
        return 3.0
    if effect == LootEffect.ANTIDOTE:
        return 1.5
    return 2.0


@rule
def boss_ahead(table):
    return table.boss_at >= 0 and (table.boss_shown == 0 or table.boss_alive == 1)


@rule
def at_boss(table, s):
    return boss_stands(table, table.at[s])
