"""EXPLORE: where which Room may be laid, then move, light, draw, and the Room's effects."""

import numpy as np

from hardmode.sim.games.run_run_run.cards import (
    discard,
    draw,
    draw_token,
    first_of_print,
    gain_torches,
    give_up,
    holdings,
    like,
    spend,
)
from hardmode.sim.games.run_run_run.cards import held as held_token
from hardmode.sim.games.run_run_run.maze import approach, edge_at, guarded, is_room, lay, lay_door, mark_of, sides_in
from hardmode.sim.games.run_run_run.mummies import add_heart, advance_all, awake
from hardmode.sim.games.run_run_run.records import (
    ACTED,
    ARGUMENTS,
    BOSS,
    DIG_ROOM,
    DOOR,
    DOOR_MECHANISM,
    DRAW,
    EXPLORE,
    MECHANISM,
    PASSAGE,
    PLAIN_ROOM,
    SARCOPHAGUS,
    TILES,
    TORCH_MECHANISM,
    TRAP,
)
from hardmode.sim.records import rule

NO_MORE = 6  # among the sides: no further Secret Passage
DOOR_SIDE, NEITHER = 6, 12  # among the mechanisms
ALL_SHAPES = (1 << 63) - 1  # sets of masks: bit mask - 1
WITH_EXIT = tuple(sum(1 << mask - 1 for mask in range(1, 64) if mask >> d & 1) for d in range(6))
WALL = TILES * 6  # among the doorways: through a wall


@rule
def fits(box, table, e, sides, mask):
    """The sides through which a Room would be connected on an edge, with passages on the given ones; 0: illegal."""
    near, opens = np.int64(table.edge_near[e]), np.int64(table.edge_open[e])
    if (mask ^ opens) & near & ~sides and not box.lenient:
        return 0
    if box.open_exit and table.openings - sides_in(opens) + sides_in(mask & ~near) == 0:
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
        return n > 1 or not box.last_card_illegal
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
    shapes = ALL_SHAPES
    for d in range(6):
        if near >> d & 1:
            shapes &= WITH_EXIT[d] if opens >> d & 1 else ALL_SHAPES ^ WITH_EXIT[d]
    return shapes


@rule
def quickly_placeable(box, table, hand, n, e, sides, shapes):
    """`placeable`, by sets where sides must match and no fuel is needed."""
    near, opens = np.int64(table.edge_near[e]), np.int64(table.edge_open[e])
    if box.lenient or box.open_exit:
        return placeable(box, table, hand, n, e, sides)
    if opens | sides == 0 or not matching(near & ~sides, opens) & shapes:
        return False
    need = approach(table, e, opens | sides) - box.base_move
    if need <= 0:
        return n > 1 or not box.last_card_illegal
    return n >= 3 and fuel_for(box, hand, n, -1, need) and placeable(box, table, hand, n, e, sides)


@rule
def placeable_with(box, table, hand, n, e, sides, passages, shapes):
    """The same with at most so many passages, at least on the given sides."""
    near = np.int64(table.edge_near[e])
    if passages == 0:
        return quickly_placeable(box, table, hand, n, e, 0, shapes)
    for more in range(64):
        if more & ~near == 0 and more & sides == sides and sides_in(more) <= passages:
            if quickly_placeable(box, table, hand, n, e, more, shapes):
                return True
    return False


@rule
def explorable(box, table, own, out, n):
    """Write the hexes where the active player can lay some Room."""
    seat = table.active
    if box.pinned and guarded(table, table.cat[seat]):
        return n
    hand, cards = own.hand, table.hand_n[seat]
    passages = holdings(box, table, seat, PASSAGE)
    shapes = hand_shapes(box, hand, cards)
    for e in range(table.edges_n):
        if placeable_with(box, table, hand, cards, e, 0, passages, shapes):
            out[n] = EXPLORE * ARGUMENTS + table.edge_hex[e]
            n += 1
    return n


@rule
def passage_sides(box, table, own, out):
    """The sides on which a Secret Passage can be spent with the Room about to be laid."""
    seat = table.active
    n, cards = 0, table.hand_n[seat]
    e = edge_at(table, table.place)
    passages = holdings(box, table, seat, PASSAGE)
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
        spend(table, held_token(box, table, seat, PASSAGE))
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
    return table.exit_tile < 0 or box.dark_after_boss


@rule
def light(box, table, hidden):
    """EXPLORE_LIGHT: a printed torch, one of the supply, or a heart for the mummies."""
    table.phase = DRAW
    if table.lit[table.laid]:
        return
    if table.torches > 0:
        table.torches -= 1
        table.torches_laid += 1
        return
    table.dry += 1
    table.dark[table.tile] = 1
    if table.pile_n > 0:
        add_heart(box, table, hidden, DRAW)
    elif penalty_is_due(box, table):
        advance_all(table, DRAW)


@rule
def reap(box, table, hidden):
    """EXPLORE_DRAW."""
    n = table.made
    if box.remote_draw:
        n += table.remote
    draw(table, hidden, table.active, n)
    table.phase = DIG_ROOM


@rule
def unearth(box, table, hidden, then):
    """Draw a sarcophagus token; a Trap wakes the top mummy."""
    table.phase = then
    token = draw_token(box, table, hidden, table.active)
    if token >= 0 and box.token_kind[token] == TRAP:
        table.traps += 1
        if table.pile_n > 0:
            awake(box, table, hidden, then)


@rule
def dig_room(box, table, hidden):
    """Effect A of the new Room."""
    table.phase = TORCH_MECHANISM
    if mark_of(table, table.tile) == SARCOPHAGUS:
        unearth(box, table, hidden, TORCH_MECHANISM)


@rule
def triangle(box, table, t, d, door):
    """The tile and its neighbours on sides d and d + 1 can trigger a mechanism."""
    e = d + 1 if d < 5 else 0
    a, b = table.near[t, d] - 1, table.near[t, e] - 1
    if a < 0 or b < 0:
        return False
    x, y, z = mark_of(table, t), mark_of(table, a), mark_of(table, b)
    if min(x, y, z) == SARCOPHAGUS or max(x, y, z) == PLAIN_ROOM:
        return False
    if box.linked_triangle:
        if not (table.links[t] >> d & 1 and table.links[t] >> e & 1 and table.links[a] >> (d + 2) % 6 & 1):
            return False
    if door:
        return x != y and y != z and x != z and not (table.used_door[t] or table.used_door[a] or table.used_door[b])
    return x == y and y == z and not (table.used_torch[t] or table.used_torch[a] or table.used_torch[b])


@rule
def mechanisms(box, table, out):
    """The triangles that the new Room can trigger now, and, where that may be, none of them."""
    n, t = 0, table.tile
    torches = table.phase == TORCH_MECHANISM and table.torch_tokens > 0
    doors = (table.phase == DOOR_MECHANISM or not box.multi_mechanism) and table.doors > 0
    for d in range(6):
        if torches and triangle(box, table, t, d, False):
            out[n] = d
            n += 1
    for d in range(6):
        if doors and triangle(box, table, t, d, True):
            out[n] = DOOR_SIDE + d
            n += 1
    if n and box.optional_mechanism:
        out[n] = NEITHER
        n += 1
    return n


@rule
def look_for_mechanism(box, table):
    """Stop for a mechanism where there is one; else go on."""
    if mark_of(table, table.tile) != PLAIN_ROOM and mechanisms(box, table, np.empty(13, np.int64)):
        table.kind = MECHANISM
        table.seat = table.active
    else:
        after_mechanism(box, table)


@rule
def after_mechanism(box, table):
    more = table.phase == TORCH_MECHANISM and box.multi_mechanism
    table.phase = DOOR_MECHANISM if more else ACTED


@rule
def trigger(box, table, code):
    """Trigger the mechanism chosen."""
    after_mechanism(box, table)
    if code == NEITHER:
        return
    t, d = table.tile, code % 6
    a, b = table.near[t, d] - 1, table.near[t, (d + 1) % 6] - 1
    if code < DOOR_SIDE:
        table.used_torch[t] = table.used_torch[a] = table.used_torch[b] = 1
        table.torch_tokens -= 1
        table.torch_mechanisms += 1
        gain_torches(box, table, box.refill - table.torches)
        return
    table.used_door[t] = table.used_door[a] = table.used_door[b] = 1
    table.doors -= 1
    table.door_mechanisms += 1
    if table.doors == 0:
        table.phase = DOOR


@rule
def doorways(table, out):
    """The open exits where the Exit Door can be joined; without any, the walls of the farthest Rooms."""
    n, farthest = 0, -1
    for t in range(table.tiles_n):
        for d in range(6):
            if table.near[t, d] == 0:
                if table.exits[t] >> d & 1:
                    out[n] = t * 6 + d
                    n += 1
                elif is_room(table, t):
                    farthest = max(farthest, np.int64(table.dist[t]))
    if n:
        return n
    for t in range(table.tiles_n):
        for d in range(6):
            if table.near[t, d] == 0 and is_room(table, t) and table.dist[t] == farthest:
                out[n] = WALL + t * 6 + d
                n += 1
    return n


@rule
def open_door(box, table, hidden, code):
    """The Exit Door is laid, the Boss stands on it, and no further mummy will wake."""
    lay_door(table, code % WALL // 6, code % 6, box.door_exits, code >= WALL)
    table.boss = hidden.boss
    table.pile_n = 0
    table.hearts = 0
    for m in range(BOSS):
        if table.at[m] < 0 or box.boss_clears:
            table.at[m] = -1
            table.gone |= 1 << m
    table.at[BOSS] = table.exit_tile
    table.hp[BOSS] = box.hp[BOSS + table.boss]
    table.phase = ACTED
