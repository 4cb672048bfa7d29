"""Torch and door mechanisms, the Exit Door, and the Boss behind it."""

import numpy as np

from hardmode.sim.games.run_run_run.cards import (
    gain_torches,
)
from hardmode.sim.games.run_run_run.maze import distance, is_room, lay_door, mark_of
from hardmode.sim.games.run_run_run.names import TILES, Kind, Mark, Mummy, Phase
from hardmode.sim.records import rule

DOOR_SIDE, NEITHER = 6, 12  # among the mechanisms
WALL = TILES * 6  # among the doorways: through a wall


@rule
def triangle(box, table, t, d, door):
    """The tile and its neighbours on sides d and d + 1 can trigger a mechanism."""
    e = d + 1 if d < 5 else 0
    a, b = table.near[t, d] - 1, table.near[t, e] - 1
    if a < 0 or b < 0:
        return False
    x, y, z = mark_of(table, t), mark_of(table, a), mark_of(table, b)
    if min(x, y, z) == Mark.SARCOPHAGUS or max(x, y, z) == Mark.PLAIN:
        return False
    if box.triangle_needs_connection:
        if not (table.links[t] >> d & 1 and table.links[t] >> e & 1 and table.links[a] >> (d + 2) % 6 & 1):
            return False
    if door:
        return x != y and y != z and x != z and not (table.used_door[t] or table.used_door[a] or table.used_door[b])
    return x == y and y == z and not (table.used_torch[t] or table.used_torch[a] or table.used_torch[b])


@rule
def triggerable(box, table, out):
    """The triangles that the new Room can trigger now, and, where that may be, none of them."""
    n, t = 0, table.tile
    torches = table.phase == Phase.TORCH_MECHANISM and table.torch_tokens > 0
    doors = (table.phase == Phase.DOOR_MECHANISM or not box.multi_mechanism) and table.doors > 0
    for d in range(6):
        if torches and triangle(box, table, t, d, False):
            out[n] = d
            n += 1
    for d in range(6):
        if doors and triangle(box, table, t, d, True):
            out[n] = DOOR_SIDE + d
            n += 1
    if n and box.mechanism_optional:
        out[n] = NEITHER
        n += 1
    return n


@rule
def look_for_mechanism(box, table):
    """Stop for a mechanism where there is one; else go on."""
    if mark_of(table, table.tile) != Mark.PLAIN and triggerable(box, table, np.empty(13, np.int64)):
        table.kind = Kind.MECHANISM
        table.seat = table.active
    else:
        after_mechanism(box, table)


@rule
def after_mechanism(box, table):
    more = table.phase == Phase.TORCH_MECHANISM and box.multi_mechanism
    table.phase = Phase.DOOR_MECHANISM if more else Phase.ACTED


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
        table.phase = Phase.DOOR


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
                    farthest = max(farthest, distance(table, t))
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
    for m in range(Mummy.BOSS):
        if table.at[m] < 0 or box.boss_clears_maze:
            table.at[m] = -1
            table.gone |= 1 << m
    table.at[Mummy.BOSS] = table.exit_tile
    table.hp[Mummy.BOSS] = box.hp[Mummy.BOSS + table.boss]
    table.phase = Phase.ACTED
