"""What the planner sees in a place: what lies there, what a fight there would bring, what the boss leaves of hope.

A prospect is judged with what the turn's dice may add to it: the hero's power die, and dice on the second special
action (Xylia's precision, Bethras's brew, Klethor's stance, Sha'Vi's frost).
"""

from hardmode.sim.games.woodlands.foes import (
    hearts_of,
    immune_to,
    leaves_of,
    plus_of,
    shield_of,
    sword_of,
)
from hardmode.sim.games.woodlands.heroes import standing
from hardmode.sim.games.woodlands.loot import cards_of, room
from hardmode.sim.games.woodlands.names import (
    KINDS_OF_MONSTER,
    Effect,
    EnragedBoss,
    Hero,
    Kind,
    Special,
    Stall,
)
from hardmode.sim.records import rule
from hardmode.strategies.woodlands.chances import (
    card_value,
    dice_of,
    extra_dice,
    free_rerolls,
    hits_on,
    no_clock,
    with_power,
)
from hardmode.strategies.woodlands.chapter_goals import chapter_value, fit, wants_totem
from hardmode.strategies.woodlands.weights import Plan

LEAST_ORB = 0.02


@rule
def orb_worth(table, s, w):
    """One more orb is worth the less the more there are."""
    return max(LEAST_ORB, w[Plan.ORB] - w[Plan.ORB_FADE] * table.orbs[s])


@rule
def stake(table, s, pair, w):
    """What the effects of a cell are worth to a hero."""
    value = 0.0
    for i in range(2):
        effect, amount = pair[i, 0], pair[i, 1]
        if effect == Effect.ORBS:
            value += orb_worth(table, s, w) * amount
        elif effect == Effect.HEARTS:
            value += w[Plan.HEART] * amount
        elif effect == Effect.LOOT:
            value += w[Plan.LOOT] * amount
        elif effect == Effect.DISCARD_LOOT:
            value -= 0.4 * w[Plan.LOOT] * amount
        elif effect == Effect.POISON:
            value -= w[Plan.POISON] * w[Plan.HEART]
        elif effect == Effect.ENTANGLE or effect == Effect.EVENT:
            value -= 0.3 * w[Plan.HEART]
    return value


@rule
def blow(table, s, sword, w):
    """What it costs to be struck by a sword."""
    cost = w[Plan.HEART] * sword
    return cost + w[Plan.FALL] if sword >= table.hp[s] else cost


@rule
def special_dice(table, s, b):
    """How many dice a fight gains by `b` dice on the second special action."""
    return b if table.hero[s] == Hero.BETHRAS else 0


@rule
def special_plus(table, s, b):
    """What the active hero's combat dice gain by them."""
    now = table.precision if s == table.active else 0
    return now + b if table.hero[s] == Hero.XYLIA else now


@rule
def spared(table, s, b):
    """The next blow is turned away: Klethor's stance, Sha'Vi's frost."""
    hero = table.hero[s]
    return (hero == Hero.KLETHOR and (table.stance[s] > 0 or b > 0)) or (
        hero == Hero.SHAVI and (b > 0 or (s == table.active and table.b_left > 0)))


@rule
def force(box, table, s):
    """The dice that a hero brings and may add, and its orbs' worth of free rerolls."""
    return dice_of(box, table, s) + extra_dice(box, table, s), free_rerolls(table, s)


@rule
def foe_chance(box, table, s, shield, need, power_faces, dice, orbs, b):
    """The chance to beat a foe with so many dice and orbs to spend."""
    faces = hits_on(shield, special_plus(table, s, b))
    return with_power(box, table, s, faces, dice + special_dice(table, s, b), orbs, need, power_faces)


@rule
def add_kind(box, table, s, kind, shield, need, power_faces, sword, dice, orbs, most_b, worth, w):
    """Add what it is worth to fight a monster of a kind to `worth`, without and with the power die, of which so many
    faces hit (-1: it may not be used), and with each number of dice on the second special action."""
    gain, penalty = stake(table, s, box.mon_reward[kind], w), stake(table, s, box.mon_penalty[kind], w)
    hurt = penalty - blow(table, s, sword, w)
    for power in range(2):
        for b in range(most_b + 1):
            won = foe_chance(box, table, s, shield, need, power_faces if power else -1, dice, orbs, b)
            pain = hurt
            if spared(table, s, b):
                pain = 0.0 if table.hero[s] == Hero.SHAVI else penalty
            worth[power, b] += won * gain + (1 - won) * pain


@rule
def fight_known(box, table, s, m, dice, orbs, most_b, worth, w):
    """What it is worth to fight a monster that is seen."""
    worth[:] = 0.0
    shield, power_faces = shield_of(box, table, m), -1
    if (immune_to(box, table, m) >> table.hero[s]) & 1 == 0:
        power_faces = hits_on(shield, plus_of(box, table, m, table.hero[s]))
    add_kind(box, table, s, table.mon_type[m], shield, hearts_of(box, table, m) + leaves_of(table, m), power_faces,
             sword_of(box, table, m), dice, orbs, most_b, worth, w)


@rule
def fight_unknown(box, table, s, dice, orbs, most_b, worth, w):
    """What it is worth to fight a monster that nobody has seen: the mean of all kinds."""
    worth[:] = 0.0
    for kind in range(KINDS_OF_MONSTER):
        power_faces = -1
        if (box.mon_immune[kind] >> table.hero[s]) & 1 == 0:
            power_faces = hits_on(box.mon_shield[kind], box.mon_plus[kind, table.hero[s]])
        add_kind(box, table, s, kind, box.mon_shield[kind], box.mon_hearts[kind], power_faces, box.mon_sword[kind],
                 dice, orbs, most_b, worth, w)
    for power in range(2):
        for b in range(most_b + 1):
            worth[power, b] /= KINDS_OF_MONSTER


@rule
def boss_hope(box, table, s, together, power, b):
    """The chance to beat the boss as the active hero, with everybody who can stand there, or with those who do."""
    helpers = 0
    for t in range(table.seats):
        if t != s and standing(table, t) and (together or (table.boss_at >= 0 and table.at[t] == table.boss_at)):
            helpers += dice_of(box, table, t)
    shield, need = 4, 3
    if table.boss_shown:
        shield, need = box.b_shield[table.boss], box.b_hearts[table.boss] + table.boss_leaf
        need += (box.enraged_boss == EnragedBoss.HEARTS) * box.eb_hearts
    power_faces = -1
    if power:
        plus = box.b_plus[table.boss, table.hero[s]] if table.boss_shown else 0
        power_faces = hits_on(shield, plus)
    dice, free = force(box, table, s)
    return foe_chance(box, table, s, shield, need, power_faces, dice + helpers, table.orbs[s] + free, b)


@rule
def calm_worth(box, table, s, p, monsters, w):
    """What it is worth for a hero to be on a place, but for the fights there."""
    value = 0.0
    weak = table.hp[s] <= w[Plan.REST]
    if monsters:
        if p != table.at[s]:
            value -= 0.2
        if weak or (no_clock(table) and not fit(table, s)):
            value -= 3.0 * monsters
    free = 1.0 if monsters == 0 else 0.5
    has_room = cards_of(table, s) < room(box, table, s)
    value += free * w[Plan.LOOT] * table.chests[p] * (1.0 if has_room else w[Plan.FULL])
    if table.tokens[p] and table.well_taken[s] == 0:
        value += free * 2.5 * orb_worth(table, s, w)
    value += special_worth(box, table, s, p, monsters, weak, w)
    if table.lair_open[p] and table.hp[s] >= w[Plan.LAIR]:
        value += 1.5
    if table.bramble[p] and p != table.at[s]:
        value -= 0.4 * w[Plan.HEART]
    for t in range(table.seats):
        if t != s and standing(table, t) and table.spot[table.at[t]] == table.spot[p]:
            value += w[Plan.COMPANY]
    if table.chapter:
        value += chapter_value(box, table, s, p, monsters)
    return value


@rule
def special_worth(box, table, s, p, monsters, weak, w):
    """The campfire and the merchant."""
    special = table.special[p]
    if special == Special.CAMPFIRE and monsters == 0:
        missing = box.max_hearts - table.hp[s]
        pull = w[Plan.CAMP] + (w[Plan.CAMP_LATE] if table.stack_n <= w[Plan.CAMP_FROM] else 0.0)
        if weak or (no_clock(table) and table.hp[s] <= 3):
            pull = max(pull, 1.2)
        return w[Plan.HEART] * missing * pull
    if special == Special.MERCHANT or table.stock_at[Stall.TRAVELLER] == p + 1:
        return w[Plan.MERCHANT] * bargains(box, table, s, p, w)
    return 0.0


@rule
def bargains(box, table, s, p, w):
    """How many cards a hero would buy on a place; one and a half where nobody has seen them yet."""
    if table.orbs[s] < box.price or cards_of(table, s) >= room(box, table, s):
        return 0.0
    can, good = table.orbs[s] // max(1, box.price), 0.0
    if table.stock_at[Stall.MERCHANT] != p + 1 and table.stock_at[Stall.TRAVELLER] != p + 1:
        good = 1.5
    for stall in range(2):
        for i in range(3 if table.stock_at[stall] == p + 1 else 0):
            card = table.stock[stall, i]
            good += card > 0 and card_value(box, box.loot_kind[card - 1]) >= w[Plan.BUY]
    return min(float(can), good)


@rule
def totem_worth(box, table, s, p, power):
    """Chapter 5: what a totem is worth that takes the hero's power die; without one it has to wait."""
    if table.chapter == 5 and table.kind != Kind.ACT and wants_totem(box, table, s, p):
        return 0.0 if power else -4.0
    return 0.0
