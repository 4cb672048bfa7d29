"""Strategies for Run Run Run!: one way of thinking, with weights that make the characters.

`balanced` (also `steady`) rushes the door and guards the Vault; `door_rush` and `guardian` lean to one
side; `greedy_draw` (also `beginner`) lays Rooms for cards and does not see the mummies.
"""

import numpy as np

from hardmode.sim.games.run_run_run.advice import (
    DOOR_BIT,
    NEVER,
    READY_BIT,
    TORCH_BIT,
    best_fight,
    cheapest,
    depth,
    doorway,
    eta,
    farthest,
    find,
    hearts_on,
    mean_hand,
    nearest,
    next_tile,
    outlook,
    prospect,
    punch,
    shortcut,
    split,
    strength,
    strike,
)
from hardmode.sim.games.run_run_run.explore import DOOR_SIDE, NEITHER, affordable, fits
from hardmode.sim.games.run_run_run.fight import ROLL_NOW, SPEND_DOUBLE
from hardmode.sim.games.run_run_run.maze import approach, edge_at, sides_in
from hardmode.sim.games.run_run_run.records import (
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
from hardmode.sim.records import rule

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


@rule
def think(box, table, own, options, n, w):
    if table.kind == ACTION:
        return action(box, table, own, options, n, w)
    return duty(box, table, own, options, n, w)


@rule
def lay_rooms(box, table, own, options, n, w):
    """Explore wherever it pays; anything else only when that cannot be."""
    if table.kind != ACTION:
        return duty(box, table, own, options, n, w)
    explore = best_hex(box, table, own, options, n, w)
    if explore >= 0:
        return explore
    return max(find(options, n, FIGHT), find(options, n, COOPERATE), 0)


def balanced(box, table, own, options, n, luck, weights):
    """Rushes the door, fights what is urgent or when strong, and does not call the Boss while weak."""
    return think(box, table, own, options, n, weights)


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
def useful_token(box, table, options, n):
    """A token whose effect is worth having now: Rooms at once, torches when the supply runs low."""
    for i in range(n):
        if options[i] // ARGUMENTS == USE:
            kind = box.token_kind[options[i] % ARGUMENTS]
            if kind == ROOMS or (kind == TORCHES and table.torches <= 1):
                return i
    return -1


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
    promise = prospect(table, e)
    weak = table.doors == 1 and mean_hand(table) < w[READY_HAND]
    dark = w[TORCH_COST] if table.torches > 0 else w[DARK_COST]
    best, most, known, steps, common = -1, -1e6, 0, 0, 0.0
    for i in range(cards):
        card = np.int64(hand[i])
        mark = np.int64(table.mark[card])
        worth = w[EXITS_W] * box.exits[card] - (0.0 if table.lit[card] else dark)
        if mark == SARCOPHAGUS:
            worth += w[SARCOPHAGUS_W] if table.tokens_n > 0 else 0.0
        else:
            worth += w[READY_W] * (promise >> (READY_BIT + 4 * mark) & 15)
            if promise >> (DOOR_BIT + mark) & 1:
                worth += w[DOOR_W] * (w[THIRD] if weak else 1.0)
            if promise >> (TORCH_BIT + mark) & 1 and table.torch_tokens > 0:
                worth += w[TORCH_W] * max(box.refill - table.torches, 0)
        if known and worth + common <= most:
            continue
        for j in range(box.turns[card]):
            mask = box.turned[card, j]
            joined = fits(box, table, e, sides, mask)
            if joined and joined != known:
                known, steps = joined, approach(table, e, joined)
                common = hex_worth(box, table, e, joined, steps, w)
            if joined and worth + common > most and affordable(box, hand, cards, i, steps):
                best, most = card * 64 + mask, worth + common
    return most, best


@rule
def hex_worth(box, table, e, joined, steps, w):
    """What a hex is worth whatever is laid there."""
    worth = w[CONNECTION] * sides_in(joined)
    worth -= w[SHORTCUT_COST] * shortcut(table, e, joined)
    worth += w[DEPTH_W] * depth(table, e, joined)
    if steps > box.base_move:
        worth -= w[FUEL_COST]
    for s in range(table.seats):
        if s != table.active and table.reserved[s] == table.edge_hex[e]:
            worth -= w[RESERVED_COST]
    return worth


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


def veteran(box, table, own, options, n, luck, weights):
    """The same with weights found by trying: long mazes, early fights, and cards fetched back in time."""
    return think(box, table, own, options, n, weights)


def door_rush(box, table, own, options, n, luck, weights):
    """Runs for the door mechanisms and fights only what is about to reach the Vault."""
    return think(box, table, own, options, n, weights)


def guardian(box, table, own, options, n, luck, weights):
    """Stays near the Vault, fights whenever it can, and stands in the mummies' way when too weak."""
    if table.kind == ACTION and too_weak(box, table, own, weights):
        jump = find(options, n, JUMP)
        if jump >= 0 and table.hand_n[table.active] >= weights[BLOCK_CARDS]:
            return jump
    return think(box, table, own, options, n, weights)


@rule
def too_weak(box, table, own, w):
    """A mummy is close, and the hand holds too few exits to fight it."""
    m = nearest(box, table)
    if m < 0 or eta(box, table, m) > w[URGENCY] * table.seats + 1:
        return False
    return strength(box, table, own.hand, table.hand_n[table.active], 0) <= w[WEAK]


def greedy_draw(box, table, own, options, n, luck, weights):
    """Always explores, with the most connections, and sees no mummy; fights only when it cannot explore."""
    return lay_rooms(box, table, own, options, n, weights)


def beginner(box, table, own, options, n, luck, weights):
    """Explores for cards, and fights a mummy in reach once it is a round away from the Vault."""
    if table.kind == ACTION:
        fight, _ = best_fight(box, table, own, options, n)
        threat = nearest(box, table)
        if fight >= 0 and eta(box, table, threat) <= weights[URGENCY] * table.seats + 1:
            return fight
    return lay_rooms(box, table, own, options, n, weights)


STRATEGIES = {
    "beginner": beginner, "steady": balanced, "expert": ("search", "veteran", 64),
    "balanced": balanced, "veteran": veteran, "door_rush": door_rush, "guardian": guardian, "greedy_draw": greedy_draw,
}
SIMPLE = dict(BALANCED, door=0, ready=0, torches=0, sarcophagus=0, torch_cost=0.01, dark_cost=0.01, shortcut_cost=0,
              depth=0, fuel_cost=0.1)
WEIGHTS = {
    "balanced": BALANCED,
    "veteran": dict(BALANCED, urgency=2.5, strong_cards=3, dice_per_heart=3, ready=1, torches=2, connection=1.5,
                    sarcophagus=0, torch_cost=3, exits=-0.3, shortcut_cost=2, depth=2, coop_own=5, block=1,
                    block_cards=4, burn_keep=0),
    "door_rush": dict(BALANCED, urgency=1, strong=99, third=1, coop_own=0, coop_mean=0),
    "guardian": dict(BALANCED, strong=4, strong_cards=2, depth=-1, door=6, block=4),
    "greedy_draw": SIMPLE,
    "beginner": dict(SIMPLE, urgency=1, door=4),
}
