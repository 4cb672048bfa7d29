"""Strategies for Explorers of the Woodlands.

`steady` weighs every place by what it can bring and cost, keeps some orbs, and goes to the boss when the
party is ready. `fighter`, `camper` and `rusher` are the same rules with weights of their own; `beginner`
fights whatever is near, runs to the boss and errs. `expert` is search on top of `steady`.
"""

import numpy as np

from hardmode.sim.draws import below, fraction
from hardmode.sim.games.woodlands.agenda import first_of, second_of, verb_of
from hardmode.sim.games.woodlands.heroes import here, standing
from hardmode.sim.games.woodlands.loot import cards_of, room
from hardmode.sim.games.woodlands.table import (
    BETHRAS,
    FOCUS,
    K_ACT,
    K_ASSIGN,
    K_KEEP,
    K_PLACE,
    K_POOL,
    K_PREPARE,
    K_REROLL,
    KLETHOR,
    MOVE,
    PLACES,
    SHAVI,
    SLOT_A,
    SLOT_B,
    SUMMON,
    UNPLACED,
    V_ANTIDOTE,
    V_AURA,
    V_BOOTS,
    V_BUY,
    V_CHEST,
    V_DESPAIR,
    V_GIVE_MARKER,
    V_HEAL,
    V_LAIR,
    V_ORB_HEART,
    V_PICK_UP,
    V_POTION,
    V_POUCH,
    V_RAISE,
    V_REMEDY,
    V_RISKY,
    V_SEARCH,
    V_STEP,
    V_TOKEN,
    V_TOTEM,
    V_UNLOCK,
)
from hardmode.sim.records import rule
from hardmode.strategies.woodlands.chances import at_boss, card_value, no_clock
from hardmode.strategies.woodlands.chapter_goals import wants_totem
from hardmode.strategies.woodlands.goals import W_LAIR, W_RISK, W_SLIP, W_UNLOCK, best_goal
from hardmode.strategies.woodlands.option_values import place_score, pool_score, prepare_score, rare_score, reroll_score

_BASE = {
    "heart": 1.0,     # what a heart is worth
    "orb": 0.6,       # an orb
    "loot": 1.6,      # a loot card
    "rest": 1.0,      # at so few hearts a hero goes to the campfire
    "ready": 0.5,     # chance against the boss from which the party goes in
    "home": 0.2,      # how much tiles are laid near the first one
    "risk": 0.0,      # pull towards risky moves
    "unlock": 1.0,    # 0 never unlocks a power, 1 those that help in combat, 2 any
    "fight": 0.6,     # weight of monsters among the goals
    "stage": 6.0,     # tiles left in the stack from which heroes gather at the boss
    "far": 0.75,      # what a goal loses for each step
    "lair": 4.0,      # hearts from which a hero enters a lair
    "slip": 0.0,      # how often a beginner does anything at all
}

WEIGHTS = {
    "steady": _BASE,
    "beginner": {**_BASE, "fight": 2.0, "rest": 1.0, "ready": 0.0, "stage": 30.0, "unlock": 2.0, "slip": 0.25},
    "fighter": {**_BASE, "fight": 2.0, "rest": 1.0, "ready": 0.05, "stage": 30.0, "unlock": 2.0, "heart": 0.5},
    "camper": {**_BASE, "home": 0.5, "fight": 0.0, "rest": 5.0, "unlock": 0.0, "ready": 0.9, "stage": 3.0},
    "rusher": {**_BASE, "risk": 2.0, "unlock": 0.0, "ready": 0.2, "stage": 30.0},
}


def steady(box, table, own, options, n, luck, weights):
    """Goals by value and distance, fights by their chance, the boss when ready."""
    return decide(box, table, options, n, weights)


def fighter(box, table, own, options, n, luck, weights):
    """After every monster, and to the boss as soon as there is any chance."""
    return decide(box, table, options, n, weights)


def camper(box, table, own, options, n, luck, weights):
    """Saves orbs near the fire and gathers at the boss when the stack runs out."""
    return decide(box, table, options, n, weights)


def rusher(box, table, own, options, n, luck, weights):
    """Into the unknown with every die, and to the boss early."""
    return decide(box, table, options, n, weights)


def beginner(box, table, own, options, n, luck, weights):
    """Fights whatever is near and runs to the boss, and often does something else on the way."""
    if fraction(luck, 0, 0, 0, 0) < weights[W_SLIP]:
        return below(luck, 1, 0, 0, 0, n)
    return decide(box, table, options, n, weights)


@rule
def decide(box, table, options, n, weights):
    kind = table.kind
    if kind == K_ACT:
        return choose_act(box, table, options, n, weights)
    if kind == K_KEEP:
        return choose_keep(box, table, options, n, weights)
    ahead = wanted_steps(box, table, table.active, weights) if kind == K_ASSIGN else 0
    best, top = 0, -1e9
    for i in range(n):
        verb, a, b = verb_of(options[i]), first_of(options[i]), second_of(options[i])
        if kind == K_REROLL:
            score = reroll_score(box, table, verb, a, b, weights)
        elif kind == K_ASSIGN:
            score = slot_score(box, table, table.die[b], a, ahead)
        elif kind == K_PLACE:
            score = place_score(box, table, a, b, weights)
        elif kind == K_PREPARE:
            score = prepare_score(box, table, verb, a)
        elif kind == K_POOL:
            score = pool_score(box, table, verb, a)
        else:
            score = rare_score(box, table, kind, verb, a, b, weights)
        if score > top:
            best, top = i, score
    return best


# --- the turn ------------------------------------------------------------------------------------


@rule
def wanted_steps(box, table, s, weights):
    """How many steps the best goal asks for; 16 more when a fight lies there or here, 32 more for a totem."""
    work = np.empty((4, PLACES), np.int64)
    goal = best_goal(box, table, s, work, weights)
    here_now = table.at[s]
    fight = work[3, table.spot[here_now]] > 0 or at_boss(table, s)
    steps = 0
    if goal >= 0:
        fight = fight or work[3, table.spot[goal]] > 0 or goal == table.boss_at
        steps = min(15, work[0, goal])
    totem = wants_totem(box, table, s, goal if goal >= 0 else here_now)
    return steps + (16 if fight else 0) + (32 if totem else 0)


@rule
def choose_keep(box, table, options, n, weights):
    """Keep the dice that do something now; reroll the others."""
    s = table.active
    ahead = wanted_steps(box, table, s, weights)
    steps, fight = ahead & 15, ahead >= 16  # a totem wants two dice to spare as a fight does
    mask, moves, focus, special = 0, 0, 0, 0
    for i in range(3, -1, -1):
        face = table.die[i]
        keep = False
        if face <= 3:
            keep = moves < steps
            moves += keep
        elif face == 6 and fight and (special == 0 or table.hero[s] == BETHRAS):
            keep = True
            special += 1
        elif focus == 0:
            keep = True
            focus = 1
        elif face >= 5 and useful_a(box, table, s):
            keep = True
        if keep:
            mask |= 1 << i
    if mask == 0:
        mask = 8
    if fight and moves >= steps:
        mask = 15
    best = n - 1
    for i in range(n):
        if first_of(options[i]) == mask:
            best = i
    return best


@rule
def useful_a(box, table, s):
    """The special action A would help somebody on the tile."""
    hero = table.hero[s]
    for t in range(table.seats):
        if here(table, t, table.at[s]):
            if hero == SHAVI and 0 < table.hp[t] < box.max_hearts:
                return True
            if hero == BETHRAS and (table.poison[t] or table.entangled[t]):
                return True
    return False


@rule
def slot_score(box, table, face, slot, ahead):
    """Dice go where they count: steps that are wanted, focus, then what helps to fight."""
    s = table.active
    if slot == SUMMON:
        pending = 0
        for i in range(4):
            if table.die_slot[i] == SUMMON:
                return 9.0
            if table.die_slot[i] == UNPLACED:
                pending += 1
        if pending >= 2 and ahead >= 16 and ahead & 15 <= on(table, MOVE):
            return 6.0 if ahead >= 32 else 2.5
        return -1.0
    if slot == MOVE:
        return 2.0
    if slot == FOCUS:
        return 3.0 if table.orbs[s] < box.max_orbs else 0.5
    if slot == SLOT_A:
        return 4.0 if useful_a(box, table, s) else 0.8
    if slot == SLOT_B:
        return 3.5 if ahead & 16 else 1.0
    return 0.0


@rule
def on(table, slot):
    n = 0
    for i in range(4):
        n += table.die_slot[i] == slot
    return n


@rule
def choose_act(box, table, options, n, weights):
    """What can be had here first, then the way to the best goal."""
    s = table.active
    best, top = 0, 0.0
    steps = False
    for i in range(n):
        verb = verb_of(options[i])
        score = act_score(box, table, s, verb, first_of(options[i]), second_of(options[i]), weights)
        steps = steps or verb == V_STEP or verb == V_RISKY
        if score > top:
            best, top = i, score
    if best or not steps:
        return best
    return choose_way(box, table, options, n, weights)


@rule
def choose_way(box, table, options, n, weights):
    """The first step towards the best goal, if it is worth leaving."""
    s = table.active
    work = np.empty((4, PLACES), np.int64)
    goal = best_goal(box, table, s, work, weights)
    crowded = work[3, table.spot[table.at[s]]] > 0
    if crowded and table.hp[s] <= 3:
        return 0
    for i in range(n):
        verb, d = verb_of(options[i]), first_of(options[i])
        if verb == V_STEP and goal >= 0 and d == work[1, goal]:
            if not crowded or goal == table.boss_at:
                return i
        if verb == V_RISKY and weights[W_RISK] > 0.0 and goal < 0 and table.hp[s] > 2 and not crowded:
            return i
    return 0


@rule
def act_score(box, table, s, verb, a, b, weights):
    """What an action on the spot is worth; 0 leaves it."""
    if verb == V_CHEST or verb == V_TOKEN or verb == V_POUCH:
        return 5.0
    if verb == V_AURA or verb == V_REMEDY or verb == V_ANTIDOTE:
        return 4.0
    if verb == V_RAISE:
        return 6.0
    if verb == V_HEAL:
        return 3.0 if table.hp[b] <= box.max_hearts - 2 else 0.0
    if verb == V_ORB_HEART:
        return 1.5 if table.hp[a] <= 2 and table.orbs[s] > 3 else 0.0
    if verb == V_UNLOCK:
        return 2.5 if worth_unlocking(box, table, s, weights) else 0.0
    if verb == V_BUY:
        kind = box.loot_kind[table.stock[a, b] - 1]
        return 2.0 if card_value(box, kind) >= 5.5 and cards_of(table, s) < room(box, table, s) else 0.0
    if verb == V_LAIR:
        return 2.0 if table.hp[s] >= weights[W_LAIR] else 0.0
    if verb == V_SEARCH or verb == V_TOTEM or (verb == V_PICK_UP and a == 0):
        return 5.0
    if verb == V_PICK_UP:
        return 3.0 + 0.05 * a
    if verb == V_POTION or verb == V_DESPAIR:
        return 8.0 if verb == V_POTION or wants_totem(box, table, s, table.at[s]) else 0.0
    if verb == V_GIVE_MARKER:
        return 4.0 if b < s and standing(table, b) else 0.0
    if verb == V_BOOTS:
        return 1.0 if table.moves == 0 and wanted_steps(box, table, s, weights) & 15 else 0.0
    return 0.0


@rule
def worth_unlocking(box, table, s, weights):
    if weights[W_UNLOCK] >= 2.0:
        return True
    if weights[W_UNLOCK] <= 0.0:
        return False
    hero = table.hero[s]
    if hero == KLETHOR or (no_clock(table) and table.powers[s] == 0 and hero != SHAVI and table.orbs[s] >= 8):
        return True
    return hero == BETHRAS and (table.powers[s] == 1 or table.orbs[s] >= box.power1_cost + box.power2_cost)


STRATEGIES = {
    "beginner": beginner, "steady": steady, "balanced": steady, "fighter": fighter, "greedy_fighter": fighter,
    "camper": camper, "rusher": rusher, "expert": ("search", "steady", 64),
}

