"""Strategies for Run Run Run!: one way of thinking, with weights that make the characters.

`balanced` (also `steady`) rushes the door and guards the Vault; `door_rush` and `guardian` lean to one
side; `greedy_draw` (also `beginner`) lays Rooms for cards and does not see the mummies.
"""

import numpy as np

from hardmode.sim.games.run_run_run.cooperate import NO_MORE, gives_discards
from hardmode.sim.games.run_run_run.explore import affordable, fits, fitting, judged_by_sets
from hardmode.sim.games.run_run_run.fight import ROLL_NOW, SPEND_DOUBLE
from hardmode.sim.games.run_run_run.maze import approach, edge_at, sides_in
from hardmode.sim.games.run_run_run.mechanisms import DOOR_SIDE, NEITHER
from hardmode.sim.games.run_run_run.names import ARGUMENTS, Flag, Kind, Mark, Token, Verb
from hardmode.sim.records import rule
from hardmode.strategies.run_run_run import advice
from hardmode.strategies.run_run_run.weights import WEIGHTS, Weight

__all__ = ["STRATEGIES", "WEIGHTS"]


@rule
def think(box, table, own, options, n, w):
    if table.kind == Kind.ACTION:
        return action(box, table, own, options, n, w)
    return duty(box, table, own, options, n, w)


@rule
def lay_rooms(box, table, own, options, n, w):
    """Explore wherever it pays; anything else only when that cannot be."""
    if table.kind != Kind.ACTION:
        return duty(box, table, own, options, n, w)
    explore = best_hex(box, table, own, options, n, w)
    if explore >= 0:
        return explore
    return max(advice.find(options, n, Verb.FIGHT), advice.find(options, n, Verb.COOPERATE), 0)


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
    threat = advice.nearest(box, table)
    soon = advice.eta(box, table, threat) if threat >= 0 else advice.NEVER
    urgent = soon <= w[Weight.URGENCY] * table.seats + 1
    fight, dice = advice.best_fight(box, table, own, options, n)
    if fight >= 0 and dice > w[Weight.WEAK]:
        if urgent or (dice >= w[Weight.STRONG] and table.hand_n[seat] >= w[Weight.STRONG_CARDS]):
            return fight
    cooperate = advice.find(options, n, Verb.COOPERATE)
    if cooperate >= 0 and gives_discards(box, table) and table.discard_n >= w[Weight.COOP_PILE] and (
            table.hand_n[seat] <= w[Weight.COOP_OWN] or advice.mean_hand(table) < w[Weight.COOP_MEAN]):
        return cooperate
    if urgent and fight < 0:
        jump = advice.find(options, n, Verb.JUMP)
        if jump >= 0 and advice.strength(box, table, own.hand, table.hand_n[seat], 0) >= w[Weight.STRONG] - 1:
            return jump
    explore = best_hex(box, table, own, options, n, w)
    if explore >= 0:
        return explore
    return fight if fight >= 0 else max(cooperate, 0)


@rule
def useful_token(box, table, options, n):
    """A token whose effect is worth having now: Rooms at once, torches when the supply runs low."""
    for i in range(n):
        if options[i] // ARGUMENTS == Verb.USE:
            kind = box.token_kind[options[i] % ARGUMENTS]
            if kind == Token.ROOMS or (kind == Token.TORCHES and table.torches <= 1):
                return i
    return -1


@rule
def best_hex(box, table, own, options, n, w):
    best, most = -1, -1e9
    for i in range(n):
        if options[i] // ARGUMENTS == Verb.EXPLORE:
            worth, _ = best_room(box, table, own, edge_at(table, options[i] % ARGUMENTS), 0, w)
            if worth > most:
                best, most = i, worth
    return best


@rule
def best_room(box, table, own, e, sides, w):
    """The best card and turning for an edge, and what it is worth."""
    if not judged_by_sets(box):
        return best_turning(box, table, own, e, sides, w)
    hand, cards = own.hand, table.hand_n[table.active]
    fitted = fitting(table, e, sides)
    joined = table.edge_open[e] | sides
    best, most, steps, common, promise = -1, -1e6, 0, 0.0, -1
    for i in range(cards):
        card = np.int64(hand[i])
        shapes = box.shapes[card] & fitted
        if shapes == 0:
            continue
        if promise < 0:
            promise, steps = advice.prospect(table, e), approach(table, e, joined)
            common = hex_worth(box, table, e, joined, steps, w)
        worth = room_worth(box, table, card, promise, w) + common
        if worth > most and affordable(box, hand, cards, i, steps):
            best, most = card * 64 + first_turning(box, card, shapes), worth
    return most, best


@rule
def first_turning(box, card, shapes):
    """The first way to turn a card that is in a set of masks."""
    for j in range(box.turns[card]):
        if shapes >> box.turned[card, j] - 1 & 1:
            return box.turned[card, j]
    return 0


@rule
def best_turning(box, table, own, e, sides, w):
    """The same where each way to turn a card must be judged on its own."""
    hand, cards = own.hand, table.hand_n[table.active]
    promise = advice.prospect(table, e)
    best, most, known, steps, common = -1, -1e6, 0, 0, 0.0
    for i in range(cards):
        card = np.int64(hand[i])
        worth = room_worth(box, table, card, promise, w)
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
def room_worth(box, table, card, promise, w):
    """What a card is worth on a hex with such a prospect, however it is turned."""
    mark = np.int64(table.mark[card])
    dark = w[Weight.TORCH_COST] if table.torches > 0 else w[Weight.DARK_COST]
    worth = w[Weight.EXITS] * box.exits[card] - (0.0 if table.lit[card] else dark)
    if mark == Mark.SARCOPHAGUS:
        return worth + digging(table, w)
    worth += w[Weight.READY] * (promise >> (advice.READY_BIT + 4 * mark) & 15)
    if promise >> (advice.DOOR_BIT + mark) & 1:
        weak = table.doors == 1 and advice.mean_hand(table) < w[Weight.READY_HAND]
        worth += w[Weight.DOOR] * (w[Weight.THIRD] if weak else 1.0)
    if promise >> (advice.TORCH_BIT + mark) & 1 and table.torch_tokens > 0:
        worth += w[Weight.TORCHES] * max(box.refill - table.torches, 0)
    return worth


@rule
def digging(table, w):
    """A token is welcome, but not while a Trap could wake its mummy nowhere but beside the Vault."""
    if table.tokens_n == 0:
        return 0.0
    near = w[Weight.TRAP_COST] > 0 and advice.farthest_room(table) < w[Weight.TRAP_STEPS]
    return w[Weight.SARCOPHAGUS] - (w[Weight.TRAP_COST] if near else 0.0)


@rule
def hex_worth(box, table, e, joined, steps, w):
    """What a hex is worth whatever is laid there."""
    worth = w[Weight.CONNECTION] * sides_in(joined)
    worth -= w[Weight.SHORTCUT_COST] * advice.shortcut(table, e, joined)
    worth += w[Weight.DEPTH] * advice.depth(table, e, joined)
    if steps > box.base_move:
        worth -= w[Weight.FUEL_COST]
    for s in range(table.seats):
        if s != table.active and table.reserved[s] == table.edge_hex[e]:
            worth -= w[Weight.RESERVED_COST]
    return worth


@rule
def duty(box, table, own, options, n, w):
    """All decisions but the action."""
    kind = table.kind
    if kind == Kind.CARD:
        return room(box, table, own, options, n, w)
    if kind == Kind.COMMIT:
        return commitment(box, table, own, options, n, w)
    if kind == Kind.FUEL:
        return advice.cheapest(box, options, n)
    if kind == Kind.WINDOW:
        return max(useful_token(box, table, options, n), 0)
    if kind == Kind.TELEPORT:
        return jump_target(box, table, options, n)
    if kind == Kind.PATH:
        return 0
    if kind == Kind.HERO:
        return advice.favourite(options, n)
    if kind == Kind.WAKING:
        return advice.farthest(table, options, n)
    if kind == Kind.SPLIT:
        return advice.split(table, options, n)
    if kind == Kind.SHIELDING:
        dear = table.share[table.seat] >= 2 or table.hand_n[table.seat] - table.share[table.seat] <= 1
        return advice.place_of(options, n, 1 if dear else 0)
    if kind == Kind.STRIKE:
        return advice.strike(box, table, options, n)
    if kind == Kind.DOORWAY:
        return advice.doorway(table, options, n)
    if kind == Kind.FOOTSTEP:
        return footstep(box, table, options, n, w)
    return gathering(box, table, own, options, n, w)


@rule
def room(box, table, own, options, n, w):
    """The best card; turned so that its open exits face hexes that other tiles open onto as well."""
    _, code = best_room(box, table, own, edge_at(table, table.place), table.sides, w)
    best, most = 0, -1
    for i in range(n):
        if options[i] // 64 == code // 64:
            worth = advice.outlook(table, options[i] % 64)
            if worth > most:
                best, most = i, worth
    return best


@rule
def commitment(box, table, own, options, n, w):
    """Discard towards the dice wanted with the fewest exits wasted; a Double goes with a full roll."""
    hearts = advice.hearts_on(table, table.target)
    wanted = min(box.combat_cap, np.int64(hearts * w[Weight.DICE_PER_HEART]) + 1)
    if options[n - 1] == SPEND_DOUBLE and table.dice >= min(wanted, 5):
        if hearts > advice.punch(box, table, table.seat, table.dice) * (1 << table.doubles):
            return n - 1
    best, least = -1, 99
    for i in range(n):
        if options[i] < ROLL_NOW:
            left = table.dice + box.exits[options[i]] - wanted
            waste = left if left >= 0 else 10 - left
            if waste < least:
                best, least = i, waste
    if options[0] == ROLL_NOW and (best < 0 or table.dice >= wanted or table.hand_n[table.seat] <= w[Weight.KEEP]):
        return 0
    return max(best, 0)


@rule
def jump_target(box, table, options, n):
    """Teleport to the mummy that arrives first."""
    m = advice.nearest(box, table)
    for i in range(n):
        if m >= 0 and options[i] == table.at[m]:
            return i
    return 0


@rule
def footstep(box, table, options, n, w):
    """Stand in the way of an urgent mummy while the hand can bear it; else stay."""
    m = advice.nearest(box, table)
    if m < 0 or table.hand_n[table.seat] < w[Weight.BLOCK_CARDS]:
        return 0
    if advice.eta(box, table, m) > w[Weight.BLOCK] * table.seats:
        return 0
    t = advice.next_tile(table, m)
    for i in range(1, n):
        if options[i] == t and t != 0:
            return i
    return 0


@rule
def gathering(box, table, own, options, n, w):
    """Mechanisms, a Cooperate, and what one lets the others know."""
    kind = table.kind
    if kind == Kind.MECHANISM:
        weak = table.doors == 1 and advice.mean_hand(table) < w[Weight.READY_HAND]
        return n - 1 if options[n - 1] == NEITHER and options[0] >= DOOR_SIDE and weak else 0
    if kind == Kind.BURN:
        return advice.most_of(options, n, table.torches - np.int64(w[Weight.BURN_KEEP]))
    if kind == Kind.SHARE:
        best = 0
        for i in range(1, n):
            if table.hand_n[options[i]] < table.hand_n[options[best]]:
                best = i
        return best
    if kind == Kind.OFFER:
        rich = table.hand_n[table.seat] - table.given[table.seat] > advice.mean_hand(table) + 1
        return 1 - min(1, advice.place_of(options, n, NO_MORE)) if rich else advice.place_of(options, n, NO_MORE)
    if kind == Kind.FLAG:
        if table.hand_n[table.seat] <= 2:
            return advice.place_of(options, n, Flag.LOW)
        dice = advice.strength(box, table, own.hand, table.hand_n[table.seat], 0)
        return advice.place_of(options, n, Flag.CAN_FIGHT if dice >= w[Weight.STRONG] else Flag.CANNOT_FIGHT)
    if kind in (Kind.JOIN, Kind.DIG):
        return advice.place_of(options, n, 1)
    return 0


def veteran(box, table, own, options, n, luck, weights):
    """The same with weights found by trying: long mazes, early fights, and cards fetched back in time."""
    return think(box, table, own, options, n, weights)


def door_rush(box, table, own, options, n, luck, weights):
    """Runs for the door mechanisms and fights only what is about to reach the Vault."""
    return think(box, table, own, options, n, weights)


def guardian(box, table, own, options, n, luck, weights):
    """Stays near the Vault, fights whenever it can, and stands in the mummies' way when too weak."""
    if table.kind == Kind.ACTION and too_weak(box, table, own, weights):
        jump = advice.find(options, n, Verb.JUMP)
        if jump >= 0 and table.hand_n[table.active] >= weights[Weight.BLOCK_CARDS]:
            return jump
    return think(box, table, own, options, n, weights)


@rule
def too_weak(box, table, own, w):
    """A mummy is close, and the hand holds too few exits to fight it."""
    m = advice.nearest(box, table)
    if m < 0 or advice.eta(box, table, m) > w[Weight.URGENCY] * table.seats + 1:
        return False
    return advice.strength(box, table, own.hand, table.hand_n[table.active], 0) <= w[Weight.WEAK]


def greedy_draw(box, table, own, options, n, luck, weights):
    """Always explores, with the most connections, and sees no mummy; fights only when it cannot explore."""
    return lay_rooms(box, table, own, options, n, weights)


def beginner(box, table, own, options, n, luck, weights):
    """Explores for cards, and fights a mummy in reach once it is a round away from the Vault."""
    if table.kind == Kind.ACTION:
        fight, _ = advice.best_fight(box, table, own, options, n)
        threat = advice.nearest(box, table)
        if fight >= 0 and advice.eta(box, table, threat) <= weights[Weight.URGENCY] * table.seats + 1:
            return fight
    return lay_rooms(box, table, own, options, n, weights)


def casual(box, table, own, options, n, luck, weights):
    """Fights, calls the others and guards the Vault like a steady player, but lays Rooms with little thought."""
    return think(box, table, own, options, n, weights)


steady = balanced  # so that a strategy of one's own can import it by the name that it is chosen by

# Playouts, who plays on in them, and the score that an option needs to be taken. `trained` wins nine games of ten, so
# many playouts are needed to tell options apart; the score is lower than usual, so that small gains are taken as well.
EXPERT = 300, "trained", 0.6
STRATEGIES = {
    "beginner": beginner, "casual": casual, "steady": steady,
    "balanced": balanced, "veteran": veteran, "door_rush": door_rush, "guardian": guardian, "greedy_draw": greedy_draw,
    "former_expert": ("search", "trained", 48),
}
