"""Strategies for Run Run Run!: one way of thinking, with weights that make the characters.

`balanced` (also `steady`) rushes the door and guards the Vault; `door_rush` and `guardian` lean to one
side; `greedy_draw` (also `beginner`) lays Rooms for cards and does not see the mummies.
"""

import numpy as np

from sim.games.run_run_run.advice import (
    DOOR_BIT,
    NEVER,
    READY_BIT,
    TORCH_BIT,
    depth,
    eta,
    hearts_on,
    mean_hand,
    nearest,
    next_tile,
    prospect,
    punch,
    shortcut,
    strength,
)
from sim.games.run_run_run.attacks import BASE
from sim.games.run_run_run.cards import first_of_print
from sim.games.run_run_run.explore import DOOR_SIDE, NEITHER, affordable, fits
from sim.games.run_run_run.fight import ROLL_NOW, SPEND_DOUBLE
from sim.games.run_run_run.maze import approach, beside, edge_at, sides_in
from sim.games.run_run_run.records import (
    ACTION,
    ARGUMENTS,
    BURN,
    CAN_FIGHT,
    CANNOT_FIGHT,
    CARD,
    COMMIT,
    COOPERATE,
    DIG,
    DOORWAY,
    EXPLORE,
    FIGHT,
    FLAG,
    FOOTSTEP,
    FUEL,
    JOIN,
    JUMP,
    LOW,
    MECHANISM,
    OFFER,
    PATH,
    ROOMS,
    SARCOPHAGUS,
    SHARE,
    SHIELDING,
    SPLIT,
    STRIKE,
    TELEPORT,
    TORCHES,
    USE,
    WAKING,
    WINDOW,
)
from sim.records import rule

# The weights, by their places.
(URGENCY, STRONG, STRONG_CARDS, WEAK, KEEP, DICE_PER_HEART, DOOR_W, THIRD, READY_HAND, READY_W, TORCH_W,
 CONNECTION, SARCOPHAGUS_W, TORCH_COST, DARK_COST, FUEL_COST, EXITS_W, SHORTCUT_COST, DEPTH_W,
 COOP_OWN, COOP_MEAN, COOP_PILE, BLOCK, BLOCK_CARDS, BURN_KEEP, RESERVED_COST) = range(26)

BALANCED = {
    "urgency": 1.2, "strong": 5, "strong_cards": 4, "weak": 2, "keep": 1, "dice_per_heart": 2.0,
    "door": 12, "third": 0.3, "ready_hand": 5, "ready": 0.6, "torches": 0.5,
    "connection": 2, "sarcophagus": 2.5, "torch_cost": 1, "dark_cost": 3, "fuel_cost": 3, "exits": 0.0,
    "shortcut_cost": 1, "depth": 0.3,
    "coop_own": 2, "coop_mean": 2.5, "coop_pile": 4, "block": 2, "block_cards": 3,
    "burn_keep": 2, "reserved_cost": 1,
}

WEIGHTS = {"balanced": BALANCED}


def balanced(box, table, own, options, n, luck, weights):
    """Rushes the door, fights what is urgent or when strong, and does not call the Boss while weak."""
    if table.kind == ACTION:
        return action(box, table, own, options, n, weights)
    return duty(box, table, own, options, n, weights)


@rule
def action(box, table, own, options, n, w):
    """Fight if urgent or strong, cooperate when short of cards, else explore where it promises most."""
    seat = table.active
    spare = useful_token(box, table, options, n)
    if spare >= 0:
        return spare
    threat = nearest(box, table)
    soon = eta(box, table, threat) if threat >= 0 else NEVER
    urgent = soon <= w[URGENCY] * table.seats + 1
    fight, dice = best_fight(box, table, own, options, n)
    if fight >= 0 and dice > w[WEAK]:
        if urgent or (dice >= w[STRONG] and table.hand_n[seat] >= w[STRONG_CARDS]):
            return fight
    cooperate = find(options, n, COOPERATE)
    if cooperate >= 0 and table.discard_n >= w[COOP_PILE] and (
            table.hand_n[seat] <= w[COOP_OWN] or mean_hand(table) < w[COOP_MEAN]):
        return cooperate
    if urgent and fight < 0:
        jump = find(options, n, JUMP)
        if jump >= 0 and strength(box, table, own.hand, table.hand_n[seat], 0) >= w[STRONG] - 1:
            return jump
    explore = best_hex(box, table, own, options, n, w)
    if explore >= 0:
        return explore
    return fight if fight >= 0 else max(cooperate, 0)


@rule
def find(options, n, what):
    """The first option of a kind, or -1."""
    for i in range(n):
        if options[i] // ARGUMENTS == what:
            return i
    return -1


@rule
def useful_token(box, table, options, n):
    """A token whose effect is worth having now: Rooms at once, torches when the supply runs low."""
    for i in range(n):
        if options[i] // ARGUMENTS == USE:
            kind = box.token_kind[options[i] % ARGUMENTS]
            if kind == ROOMS or (kind == TORCHES and table.torches <= 1):
                return i
    return -1


@rule
def best_fight(box, table, own, options, n):
    """The Fight against the mummy that arrives first, with the dice it can have."""
    best, dice, least = -1, 0, NEVER + 1
    for i in range(n):
        if options[i] // ARGUMENTS == FIGHT:
            t = options[i] % ARGUMENTS
            force = strength(box, table, own.hand, table.hand_n[table.active], table.walk[t] - box.base_move)
            for m in range(5):
                if table.at[m] == t and force > 0 and eta(box, table, m) < least:
                    best, dice, least = i, force, eta(box, table, m)
    return best, dice


@rule
def best_hex(box, table, own, options, n, w):
    best, most = -1, -1e9
    for i in range(n):
        if options[i] // ARGUMENTS == EXPLORE:
            worth, _ = best_room(box, table, own, edge_at(table, options[i] % ARGUMENTS), 0, w)
            if worth > most:
                best, most = i, worth
    return best


@rule
def best_room(box, table, own, e, sides, w):
    """The best card and turning for an edge, and what it is worth."""
    hand, cards = own.hand, table.hand_n[table.active]
    hexagon = np.int64(table.edge_hex[e])
    promise = prospect(table, e)
    best, most, known, steps, common = -1, -1e6, 0, 0, 0.0
    for i in range(cards):
        card = np.int64(hand[i])
        if not first_of_print(box, table, hand, i):
            continue
        worth = room_worth(box, table, card, promise, w)
        if worth + common <= most and known:
            continue
        for j in range(box.turns[card]):
            mask = box.turned[card, j]
            joined = fits(box, table, e, sides, mask)
            if not joined:
                continue
            if joined != known:
                known, steps = joined, approach(table, hexagon, joined)
                common = hex_worth(box, table, hexagon, joined, steps, w)
            if affordable(box, hand, cards, i, steps) and worth + common > most:
                best, most = card * 64 + mask, worth + common
    return most, best


@rule
def hex_worth(box, table, hexagon, joined, steps, w):
    """What a hex is worth whatever is laid there."""
    worth = w[CONNECTION] * sides_in(joined)
    worth -= w[SHORTCUT_COST] * shortcut(table, hexagon, joined)
    worth += w[DEPTH_W] * depth(table, hexagon, joined)
    if steps > box.base_move:
        worth -= w[FUEL_COST]
    for s in range(table.seats):
        if s != table.active and table.reserved[s] == hexagon:
            worth -= w[RESERVED_COST]
    return worth


@rule
def room_worth(box, table, card, promise, w):
    """What a card is worth on a hex of this promise."""
    mark = np.int64(table.mark[card])
    worth = w[EXITS_W] * box.exits[card]
    if not table.lit[card]:
        worth -= w[TORCH_COST] if table.torches > 0 else w[DARK_COST]
    if mark == SARCOPHAGUS:
        return worth + (w[SARCOPHAGUS_W] if table.tokens_n > 0 else 0.0)
    if promise >> (DOOR_BIT + mark) & 1:
        weak = table.doors == 1 and mean_hand(table) < w[READY_HAND]
        worth += w[DOOR_W] * (w[THIRD] if weak else 1.0)
    if promise >> (TORCH_BIT + mark) & 1 and table.torch_tokens > 0:
        worth += w[TORCH_W] * max(box.refill - table.torches, 0)
    return worth + w[READY_W] * (promise >> (READY_BIT + 4 * mark) & 15)


@rule
def duty(box, table, own, options, n, w):
    """All decisions but the action."""
    kind = table.kind
    if kind == CARD:
        return room(box, table, own, options, n, w)
    if kind == COMMIT:
        return commitment(box, table, own, options, n, w)
    if kind == FUEL:
        return cheapest(box, options, n)
    if kind == WINDOW:
        return max(useful_token(box, table, options, n), 0)
    if kind == TELEPORT:
        return jump_target(box, table, options, n)
    if kind == PATH:
        return 0
    if kind == WAKING:
        return farthest(table, options, n)
    if kind == SPLIT:
        return split(table, options, n)
    if kind == SHIELDING:
        return 1 if table.share[table.seat] >= 2 or table.hand_n[table.seat] - table.share[table.seat] <= 1 else 0
    if kind == STRIKE:
        return strike(box, table, options, n)
    if kind == DOORWAY:
        return doorway(table, options, n)
    if kind == FOOTSTEP:
        return footstep(box, table, options, n, w)
    return gathering(box, table, own, options, n, w)


@rule
def room(box, table, own, options, n, w):
    """The best card; turned so that its open exits face hexes that other tiles open onto as well."""
    _, code = best_room(box, table, own, edge_at(table, table.place), table.sides, w)
    best, most = 0, -1
    for i in range(n):
        if options[i] // 64 == code // 64:
            worth = outlook(table, options[i] % 64)
            if worth > most:
                best, most = i, worth
    return best


@rule
def outlook(table, mask):
    """How many open exits of a Room on the chosen hex would face hexes that can be joined twice."""
    n = 0
    for d in range(6):
        if mask >> d & 1:
            e = edge_at(table, beside(table.place, d))
            if e >= 0 and table.edge_open[e]:
                n += 1
    return n


@rule
def cheapest(box, options, n):
    """The card with the fewest exits among cards."""
    best = 0
    for i in range(n):
        if box.exits[options[i]] < box.exits[options[best]]:
            best = i
    return best


@rule
def commitment(box, table, own, options, n, w):
    """Discard towards the dice wanted with the fewest exits wasted; a Double goes with a full roll."""
    hearts = hearts_on(table, table.target)
    wanted = min(box.combat_cap, np.int64(hearts * w[DICE_PER_HEART]) + 1)
    if options[n - 1] == SPEND_DOUBLE and table.dice >= min(wanted, 5) and table.doubles == 0:
        if hearts > punch(box, table, table.seat, table.dice):
            return n - 1
    best, least = -1, 99
    for i in range(n):
        if options[i] < ROLL_NOW:
            left = table.dice + box.exits[options[i]] - wanted
            waste = left if left >= 0 else 10 - left
            if waste < least:
                best, least = i, waste
    if options[0] == ROLL_NOW and (best < 0 or table.dice >= wanted or table.hand_n[table.seat] <= w[KEEP]):
        return 0
    return max(best, 0)


@rule
def jump_target(box, table, options, n):
    """Teleport to the mummy that arrives first."""
    m = nearest(box, table)
    for i in range(n):
        if m >= 0 and options[i] == table.at[m]:
            return i
    return 0


@rule
def farthest(table, options, n):
    """The tile that is farthest from the Vault."""
    best = 0
    for i in range(1, n):
        if table.dist[options[i]] > table.dist[options[best]]:
            best = i
    return best


@rule
def split(table, options, n):
    """The split after which the smallest hand of those attacked is largest."""
    best, most = 0, -99
    for i in range(n):
        least = 99
        for s in range(table.seats):
            least = min(least, table.hand_n[s] - options[i] // BASE ** s % BASE)
        if least > most:
            best, most = i, least
    return best


@rule
def strike(box, table, options, n):
    """The mummy with the fewest hearts; among equals the one that arrives first."""
    best = 0
    for i in range(1, n):
        a, b = options[i], options[best]
        if table.hp[a] < table.hp[b] or (table.hp[a] == table.hp[b] and eta(box, table, a) < eta(box, table, b)):
            best = i
    return best


@rule
def doorway(table, options, n):
    """The opening that is farthest from the Vault."""
    best = 0
    for i in range(1, n):
        if table.dist[options[i] // 6 % 66] > table.dist[options[best] // 6 % 66]:
            best = i
    return best


@rule
def footstep(box, table, options, n, w):
    """Stand in the way of an urgent mummy while the hand can bear it; else stay."""
    m = nearest(box, table)
    if m < 0 or table.hand_n[table.seat] < w[BLOCK_CARDS] or eta(box, table, m) > w[BLOCK] * table.seats:
        return 0
    t = next_tile(table, m)
    for i in range(1, n):
        if options[i] == t and t != 0:
            return i
    return 0


@rule
def gathering(box, table, own, options, n, w):
    """Mechanisms, a Cooperate, and what one lets the others know."""
    kind = table.kind
    if kind == MECHANISM:
        weak = table.doors == 1 and mean_hand(table) < w[READY_HAND]
        return n - 1 if options[n - 1] == NEITHER and options[0] >= DOOR_SIDE and weak else 0
    if kind == BURN:
        return max(min(n - 1, table.torches - np.int64(w[BURN_KEEP])), 0)
    if kind == SHARE:
        best = 0
        for i in range(1, n):
            if table.hand_n[options[i]] < table.hand_n[options[best]]:
                best = i
        return best
    if kind == OFFER:
        return 1 if table.hand_n[table.seat] - table.given[table.seat] > mean_hand(table) + 1 else 0
    if kind == FLAG:
        dice = strength(box, table, own.hand, table.hand_n[table.seat], 0)
        return LOW if table.hand_n[table.seat] <= 2 else CAN_FIGHT if dice >= w[STRONG] else CANNOT_FIGHT
    if kind in (JOIN, DIG):
        return 1
    return 0


def greedy_draw(box, table, own, options, n, luck, weights):
    """Always explores, with the most connections, and sees no mummy; fights only when it cannot explore."""
    if table.kind != ACTION:
        return duty(box, table, own, options, n, weights)
    explore = best_hex(box, table, own, options, n, weights)
    if explore >= 0:
        return explore
    return max(find(options, n, FIGHT), find(options, n, COOPERATE), 0)


STRATEGIES = {"balanced": balanced, "steady": balanced, "greedy_draw": greedy_draw, "beginner": greedy_draw}
WEIGHTS["greedy_draw"] = dict(BALANCED, door=0, ready=0, torches=0, sarcophagus=0, torch_cost=0.01, dark_cost=0.01,
                              shortcut_cost=0, depth=0, fuel_cost=0.1)
