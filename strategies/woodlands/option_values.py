"""Advice for combats, cards and tiles, for strategies: what each option is worth when it comes up.

Where to go is in `goals`, what a chapter asks for in `chapter_goals`.
"""

from hardmode.sim.games.woodlands.combat_result import raw_hits
from hardmode.sim.games.woodlands.foes import hearts_of, leaves_of, shield_of, sword_of
from hardmode.sim.games.woodlands.heroes import standing
from hardmode.sim.games.woodlands.loot import cards_of, kind_in, room
from hardmode.sim.games.woodlands.names import (
    BESIDE,
    BOSS_FOE,
    CENTRE,
    NO_COLOUR,
    SIDE,
    SLOTS,
    Kind,
    Special,
    Verb,
)
from hardmode.sim.records import rule
from hardmode.strategies.woodlands.chances import (
    card_value,
    chance,
    helping,
    hits_on,
    no_clock,
    pair_value,
    win_chance,
)
from hardmode.strategies.woodlands.chapter_goals import thin_forest, wants_totem, way_on
from hardmode.strategies.woodlands.weights import Weight


@rule
def spot_score(box, table, s, verb, a, b, weights):
    """What an action on the spot is worth to anybody; 0 leaves it."""
    if verb == Verb.TAKE_CHEST or verb == Verb.TAKE_TOKEN or verb == Verb.POUCH:
        return 5.0
    if verb == Verb.AURA or verb == Verb.REMEDY or verb == Verb.ANTIDOTE:
        return 4.0
    if verb == Verb.RAISE:
        return 6.0
    if verb == Verb.HEAL:
        return 3.0 if table.hp[b] <= box.max_hearts - 2 else 0.0
    if verb == Verb.ORB_FOR_A_HEART:
        return 1.5 if table.hp[a] <= 2 and table.orbs[s] > 3 else 0.0
    if verb == Verb.BUY:
        kind = box.loot_kind[table.stock[a, b] - 1]
        return 2.0 if card_value(box, kind) >= 5.5 and cards_of(table, s) < room(box, table, s) else 0.0
    if verb == Verb.ENTER_LAIR:
        return 2.0 if table.hp[s] >= weights[Weight.LAIR] else 0.0
    if verb == Verb.SEARCH or verb == Verb.TOTEM or (verb == Verb.PICK_UP and a == 0):
        return 5.0
    if verb == Verb.PICK_UP:
        return 3.0 + 0.05 * a
    if verb == Verb.BREW_POTION or verb == Verb.DESPERATE_TOTEM:
        return 8.0 if verb == Verb.BREW_POTION or wants_totem(box, table, s, table.at[s]) else 0.0
    if verb == Verb.GIVE_MARKER:
        return 4.0 if b < s and standing(table, b) else 0.0
    return 0.0


@rule
def prepare_score(box, table, verb, a):
    """Fight rather than flee: flight costs what a lost combat costs. Frost against the strong."""
    s = table.active
    if verb == Verb.FIGHT:
        return 1.0
    if verb == Verb.FREEZE:
        p = table.at[s]
        won = win_chance(box, table, s, p, a, min(2, table.orbs[s]), helping(box, table, s, p), False)
        return 2.0 if won < 0.5 else 0.0
    return 0.0


@rule
def pool_score(box, table, verb, a):
    """All cards that come back, and as many brew dice as the foe asks for."""
    s = table.active
    if verb == Verb.USE:
        return 3.0
    if verb == Verb.BREW_DIE:
        won = win_chance(box, table, s, table.at[s], table.foe, 0, helping(box, table, s, table.at[s]), False)
        return 2.0 if table.foe == BOSS_FOE or won < 0.99 else 0.5
    return 1.0 if verb == Verb.ROLL else 0.0


@rule
def reroll_score(box, table, verb, i, slot, weights):
    """Free rerolls of misses first; orbs while what they can win is worth more than they cost."""
    s = table.active
    foe = table.foe
    shield = shield_of(box, table, foe)
    need = hearts_of(box, table, foe) + leaves_of(table, foe) - raw_hits(box, table)
    if verb == Verb.STOP:
        return 1.0
    if need <= 0:
        return 2.0 if verb == Verb.REROLL_MARKED else 0.0
    if verb == Verb.BOMB:
        return 8.0 if need == 1 else 0.0
    value = table.face[i] + table.plus[i]
    if verb == Verb.REROLL_MARKED:
        return 2.0
    if value >= shield:
        return 0.0
    if verb == Verb.BETTER_DIE:
        return 7.0 if value == shield - 1 else 0.0
    if verb == Verb.POWER_1_REROLL:
        return 6.0
    if verb == Verb.MARK or verb == Verb.POWER_DIE_REROLL:
        return 5.0
    if verb == Verb.ORB_REROLL:
        return 3.0 if orb_pays(box, table, s, foe, shield, need, weights) else 0.0
    return 0.0


@rule
def orb_pays(box, table, s, foe, shield, need, weights):
    misses = 0
    for j in range(table.dice_n):
        if table.owner[j] == s and table.colour[j] == NO_COLOUR and table.face[j] + table.plus[j] < shield:
            misses += 1
    faces = hits_on(shield, table.book + table.precision)
    if misses < need or faces == 0:
        return False
    if foe == BOSS_FOE:
        return chance(box, faces, need, table.orbs[s] - need, need) > 0.0 if table.orbs[s] >= need else False
    orbs = min(table.orbs[s], 8 if no_clock(table) else 3)
    if orbs < need:
        return False
    won = box.chance[faces, orbs, need]
    kind = table.mon_type[foe]
    stake = pair_value(box.mon_reward[kind], weights)
    stake -= pair_value(box.mon_penalty[kind], weights)
    stake += weights[Weight.HEART] * sword_of(box, table, foe)
    return won * stake > weights[Weight.ORB] * min(orbs, need * 6.0 / faces)


@rule
def place_score(box, table, cell, rotation, home):
    """Compact forests, the more so the more `home` is; the boss and the campfire near the first tile, monsters a
    little apart."""
    x, y = cell % SIDE - CENTRE % SIDE, cell // SIDE - CENTRE // SIDE
    away = abs(x) + abs(y)
    joined = 0
    for d in range(4):
        joined += table.grid[cell + BESIDE[d]] > 0
    tile = table.tile
    special = box.special[tile]
    pull = home
    if special == Special.BOSS or special == Special.CAMPFIRE or special == Special.WELL or special == Special.MERCHANT:
        pull *= 2.0
    if table.chapter == 5:
        return 0.3 * joined + thin_forest(box, table, cell, rotation)
    return 0.3 * joined - pull * away


@rule
def least_kept(box, table, s):
    """What a card must be worth to be bought: more than its price, and than the card that has to go for it."""
    if cards_of(table, s) < room(box, table, s):
        return 4.0
    least = 99.0
    for i in range(SLOTS):
        if table.loot[s, i]:
            least = min(least, card_value(box, box.loot_kind[table.loot[s, i] - 1]) + 2.0)
    return max(4.0, least)


@rule
def rare_score(box, table, kind, verb, a, b, weights):
    s = table.seat
    if kind == Kind.SHARE:
        return (3.0 if standing(table, a) else 0.0) + (1.0 if table.orbs[a] < box.max_orbs else -5.0) \
            - 0.1 * table.orbs[a] - 0.2 * cards_of(table, a)
    if kind == Kind.DISCARD:
        card = table.drawn - 1 if a == SLOTS else table.loot[s, a] - 1
        return -card_value(box, box.loot_kind[card])
    if kind == Kind.PARRY:
        if verb == Verb.USE:
            return 1.0 + 0.1 * min(table.hit_amount, box.l_amount[kind_in(box, table, s, a)])
        return 0.5
    if kind == Kind.MARKET:
        if verb == Verb.BUY:
            return card_value(box, box.loot_kind[table.stock[a, b] - 1]) - least_kept(box, table, s)
        return 0.0
    if kind == Kind.GIVE_UP:
        return -card_value(box, box.loot_kind[table.loot[s, a] - 1])
    if kind == Kind.GO_ON or kind == Kind.TRADE:
        return 1.0 if verb == Verb.NO or verb == Verb.STOP else 0.0
    if kind == Kind.PURIFY:
        return 0.0 if verb == Verb.NO else 1.0 + way_on(table, a)
    return 1.0 if verb == Verb.YES or verb == Verb.FREEZE else 0.0
