"""EXPLORE: where which Room may be laid, then move, light, draw, and dig; mechanisms have a module of their own."""

import numpy as np

from hardmode.sim.games.run_run_run.cards import (
    discard,
    draw,
    draw_token,
    first_of_print,
    give_up,
    holdings,
    like,
    spend,
)
from hardmode.sim.games.run_run_run.cards import held as held_token
from hardmode.sim.games.run_run_run.maze import approach, edge_at, guarded, is_room, lay, mark_of, sides_in
from hardmode.sim.games.run_run_run.mummies import add_heart, advance_all, awake
from hardmode.sim.games.run_run_run.names import ARGUMENTS, Mark, Phase, Token, Verb
from hardmode.sim.games.run_run_run.switches import DarkAfterBoss, EdgeMatching, LastCardPlace
from hardmode.sim.records import rule

NO_MORE = 6  # among the sides: no further Secret Passage

# Sets of masks hold bit mask - 1. For some sides: all masks with exits on each of them, and with walls.
EXITS_ON = np.array([sum(1 << mask - 1 for mask in range(1, 64) if mask & sides == sides) for sides in range(64)])
WALLS_ON = np.array([sum(1 << mask - 1 for mask in range(1, 64) if mask & sides == 0) for sides in range(64)])


@rule
def fits(box, table, e, sides, mask):
    """The sides through which a Room would be connected on an edge, with passages on the given ones; 0: illegal."""
    near, opens = np.int64(table.edge_near[e]), np.int64(table.edge_open[e])
    if mask & opens & sides:  # exit meets exit there: the passage would change nothing
        return 0
    if (mask ^ opens) & near & ~sides and box.edge_matching == EdgeMatching.STRICT:
        return 0
    if box.forbid_closing_last_exit and table.openings - sides_in(opens) + sides_in(mask & ~near) == 0:
        return 0
    return (mask & opens) | sides


@rule
def fuel_for(box, hand, n, laid, need):
    """A card of the hand other than the one at place `laid` carries the Cat far enough."""
    for i in range(n):
        if i != laid and box.exits[hand[i]] >= need:
            return True
    return False


@rule
def affordable(box, hand, n, laid, steps):
    """Whether the card at place `laid` can be laid so many steps away, with a discarded card where needed."""
    need = steps - box.base_move
    if need <= 0:
        return n > 1 or box.last_card_place == LastCardPlace.LEGAL
    return n >= 3 and need <= 6 and fuel_for(box, hand, n, laid, need)


@rule
def placeable(box, table, hand, n, e, sides):
    """Some Room of the hand can be laid on an edge with passages on exactly these sides."""
    known, steps = 0, 0
    for i in range(n):
        card = np.int64(hand[i])
        for j in range(box.turns[card]):
            joined = fits(box, table, e, sides, box.turned[card, j])
            if joined:
                if joined != known:
                    known, steps = joined, approach(table, e, joined)
                if affordable(box, hand, n, i, steps):
                    return True
    return False


@rule
def hand_shapes(box, hand, n):
    """All masks that some card of the hand can be turned to, as a set."""
    shapes = 0
    for i in range(n):
        shapes |= box.shapes[hand[i]]
    return shapes


@rule
def matching(near, opens):
    """All masks that meet the tiles near an edge exit to exit and wall to wall, as a set."""
    return np.int64(EXITS_ON[near & opens] & WALLS_ON[near & ~opens])


@rule
def judged_by_sets(box):
    """Whether all masks that fit an edge connect through the same sides, and are known as a set."""
    return box.edge_matching == EdgeMatching.STRICT and not box.forbid_closing_last_exit


@rule
def fitting(table, e, sides):
    """All masks that fit an edge with passages on the given sides, as a set, where that is known."""
    near, opens = np.int64(table.edge_near[e]), np.int64(table.edge_open[e])
    return matching(near & (~sides | opens), opens & ~sides) if opens | sides else 0


@rule
def quickly_placeable(box, table, hand, n, e, sides, shapes):
    """`placeable`, by sets where these are known and no fuel is needed."""
    if not judged_by_sets(box):
        return placeable(box, table, hand, n, e, sides)
    if not fitting(table, e, sides) & shapes:
        return False
    need = approach(table, e, table.edge_open[e] | sides) - box.base_move
    if need <= 0:
        return n > 1 or box.last_card_place == LastCardPlace.LEGAL
    return n >= 3 and fuel_for(box, hand, n, -1, need) and placeable(box, table, hand, n, e, sides)


@rule
def placeable_with(box, table, hand, n, e, sides, passages, shapes):
    """The same with at most so many passages, at least on the given sides."""
    if passages == 0:
        return quickly_placeable(box, table, hand, n, e, 0, shapes)
    free = np.int64(table.edge_near[e]) & ~sides
    more = free
    while True:
        if sides_in(more | sides) <= passages and quickly_placeable(box, table, hand, n, e, more | sides, shapes):
            return True
        if more == 0:
            return False
        more = (more - 1) & free


@rule
def explorable(box, table, own, out, n):
    """Write the hexes where the active player can lay some Room."""
    seat = table.active
    if box.cats_pinned and guarded(table, table.cat[seat]):
        return n
    hand, cards = own.hand, table.hand_n[seat]
    passages = holdings(box, table, seat, Token.PASSAGE)
    shapes = hand_shapes(box, hand, cards)
    for e in range(table.edges_n):
        if placeable_with(box, table, hand, cards, e, 0, passages, shapes):
            out[n] = Verb.EXPLORE * ARGUMENTS + table.edge_hex[e]
            n += 1
    return n


@rule
def passage_sides(box, table, own, out):
    """The sides on which a Secret Passage can be spent with the Room about to be laid."""
    seat = table.active
    n, cards = 0, table.hand_n[seat]
    e = edge_at(table, table.place)
    passages = holdings(box, table, seat, Token.PASSAGE)
    shapes = hand_shapes(box, own.hand, cards)
    if placeable(box, table, own.hand, cards, e, table.sides):
        out[0] = NO_MORE
        n = 1
    for d in range(6):
        if table.edge_near[e] >> d & 1 and not table.sides >> d & 1:
            if placeable_with(box, table, own.hand, cards, e, table.sides | 1 << d, passages, shapes):
                out[n] = d
                n += 1
    return n


@rule
def placements(box, table, own, out):
    """The Rooms of the hand, and how each can be turned, on the hex chosen."""
    hand, cards = own.hand, table.hand_n[table.active]
    e = edge_at(table, table.place)
    n, known, steps = 0, 0, 0
    for i in range(cards):
        card = np.int64(hand[i])
        if not first_of_print(box, table, hand, i):
            continue
        for j in range(box.turns[card]):
            mask = box.turned[card, j]
            joined = fits(box, table, e, table.sides, mask)
            if joined:
                if joined != known:
                    known, steps = joined, approach(table, e, joined)
                if affordable(box, hand, cards, i, steps):
                    out[n] = card * 64 + mask
                    n += 1
    return n


@rule
def choose_card(box, table, code):
    """The Room and its turning are chosen: what is still to pay for the walk?"""
    table.laid, table.mask = code // 64, code % 64
    e = edge_at(table, table.place)
    joined = fits(box, table, e, table.sides, table.mask)
    table.need = approach(table, e, joined) - box.base_move


@rule
def fuels(box, table, own, out):
    """The cards that can be discarded to walk far enough; never the one that is to be laid."""
    hand, n = own.hand, 0
    for i in range(table.hand_n[table.active]):
        card = np.int64(hand[i])
        alike = False
        for j in range(n):
            alike |= like(box, table, out[j], card)
        if card != table.laid and box.exits[card] >= table.need and not alike:
            out[n] = card
            n += 1
    return n


@rule
def place(box, table, hidden, fuel):
    """Lay the Room and move the Cat onto it."""
    seat = table.active
    give_up(table, hidden, seat, table.laid)
    for _ in range(sides_in(table.sides)):
        spend(table, held_token(box, table, seat, Token.PASSAGE))
    t = lay(table, table.place, table.mask, table.laid, table.sides)
    if fuel >= 0:
        table.fuelled += 1
        discard(table, hidden, seat, fuel)
    table.cat[seat] = t
    table.tile = t
    table.made = connections(box, table, t)
    for s in range(table.seats):
        if table.reserved[s] == table.place:
            table.reserved[s] = -1


@rule
def connections(box, table, t):
    """How many cards a new Room's connections are worth."""
    n = 0
    for d in range(6):
        if table.links[t] >> d & 1 and (box.draw_vault or is_room(table, table.near[t, d] - 1)):
            n += 1
    return n


@rule
def penalty_is_due(box, table):
    """Lighting the new Room will make all mummies advance."""
    if table.lit[table.laid] or table.torches > 0 or table.pile_n > 0:
        return False
    return table.exit_tile < 0 or box.dark_after_boss == DarkAfterBoss.ADVANCE


@rule
def light(box, table, hidden):
    """A printed torch, one of the supply, or a heart for the mummies."""
    table.phase = Phase.DRAW
    if table.lit[table.laid]:
        return
    if table.torches > 0:
        table.torches -= 1
        table.torches_laid += 1
        return
    table.dry += 1
    table.dark[table.tile] = 1
    if table.pile_n > 0:
        add_heart(box, table, hidden, Phase.DRAW)
    elif penalty_is_due(box, table):
        advance_all(table, Phase.DRAW)


@rule
def reap(box, table, hidden):
    """A card for each connection."""
    n = table.made
    if box.draw_for_remote_passage:
        n += table.remote
    draw(table, hidden, table.active, n)
    table.phase = Phase.DIG_ROOM


@rule
def unearth(box, table, hidden, then):
    """Draw a sarcophagus token; a Trap wakes the top mummy."""
    table.phase = then
    token = draw_token(box, table, hidden, table.active)
    if token >= 0 and box.token_kind[token] == Token.TRAP:
        table.traps += 1
        if table.pile_n > 0:
            awake(box, table, hidden, then)


@rule
def dig_room(box, table, hidden):
    """Effect A of the new Room."""
    table.phase = Phase.TORCH_MECHANISM
    if mark_of(table, table.tile) == Mark.SARCOPHAGUS:
        unearth(box, table, hidden, Phase.TORCH_MECHANISM)
