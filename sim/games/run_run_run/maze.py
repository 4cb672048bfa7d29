"""The maze: hexes, tiles, connections, distances."""

import numpy as np

from hardmode.sim.games.run_run_run.names import DQ, DR, EXIT_TILE, FAR, HEXES, VAULT_TILE, WIDTH, Mark
from hardmode.sim.records import rule

STEP = tuple((q + WIDTH * r) % HEXES for q, r in zip(DQ, DR, strict=True))


@rule
def beside(hexagon, d):
    """The hex on side d of a hex."""
    h = hexagon + STEP[d]
    return h - HEXES if h >= HEXES else h


@rule
def opposite(d):
    return d + 3 if d < 3 else d - 3


@rule
def sides_in(mask):
    """How many sides a mask holds."""
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


@rule
def on_hex(table, hexagon):
    """What the grid says of a hex: 1 + tile, or -1 - edge, or 0."""
    return np.int64(table.grid[hexagon])


@rule
def tile_at(table, hexagon):
    """The tile on a hex, or -1."""
    return max(on_hex(table, hexagon), 0) - 1


@rule
def edge_at(table, hexagon):
    """The number of an empty hex beside the maze in the list of edges, or -1."""
    return max(-on_hex(table, hexagon), 0) - 1


@rule
def is_room(table, t):
    return table.card[t] >= 0


@rule
def mark_of(table, t):
    """The mark of a tile; the Vault and the Exit Door bear none."""
    return np.int64(table.mark[table.card[t]]) if table.card[t] >= 0 else Mark.PLAIN


@rule
def distance(table, t):
    """How many steps a mummy on a tile has to go to the Vault."""
    return np.int64(table.dist[t])


@rule
def guarded(table, t):
    """How many mummies stand on a tile."""
    n = 0
    for m in range(5):
        n += table.at[m] == t
    return n


@rule
def cats_on(table, t):
    """The seats whose Cats stand on a tile, as a mask."""
    mask = 0
    for s in range(table.seats):
        if table.cat[s] == t:
            mask |= 1 << s
    return mask


@rule
def widen(table, hexagon, side, tile, exit_there):
    """An empty hex has got a tile on a side, which may open onto it."""
    e = edge_at(table, hexagon)
    if e < 0:
        e = table.edges_n
        table.edges_n += 1
        table.grid[hexagon] = -1 - e
        table.edge_hex[e] = hexagon
        table.edge_near[e] = 0
        table.edge_open[e] = 0
        for d in range(6):
            table.edge_tile[e, d] = 0
    table.edge_near[e] |= 1 << side
    table.edge_tile[e, side] = tile + 1
    if exit_there:
        table.edge_open[e] |= 1 << side
        table.openings += 1


@rule
def fill_edge(table, hexagon):
    """An empty hex beside the maze is empty no longer."""
    e = edge_at(table, hexagon)
    if e < 0:
        return
    table.openings -= sides_in(np.int64(table.edge_open[e]))
    last = table.edges_n - 1
    table.edges_n = last
    if e != last:
        table.edge_hex[e] = table.edge_hex[last]
        table.edge_near[e] = table.edge_near[last]
        table.edge_open[e] = table.edge_open[last]
        for d in range(6):
            table.edge_tile[e, d] = table.edge_tile[last, d]
        table.grid[table.edge_hex[e]] = -1 - e


@rule
def lay(table, hexagon, exits, card, passages):
    """Lay a tile: join it wherever exit meets exit and through the sides given, and returns its number."""
    fill_edge(table, hexagon)
    t = table.tiles_n
    table.tiles_n = t + 1
    table.grid[hexagon] = t + 1
    table.hex[t] = hexagon
    table.card[t] = card
    table.exits[t] = exits
    nearest = FAR if t else -1
    links = 0
    for d in range(6):
        h = beside(hexagon, d)
        n = tile_at(table, h)
        back = opposite(d)
        if n < 0:
            widen(table, h, back, t, exits >> d & 1)
            continue
        table.near[t, d] = n + 1
        table.near[n, back] = t + 1
        table.q[t] = table.q[n] - DQ[d]
        table.r[t] = table.r[n] - DR[d]
        if passages >> d & 1:
            table.passages[t] |= 1 << d
            table.passages[n] |= 1 << back
        elif not (exits >> d & 1 and table.exits[n] >> back & 1):
            continue
        links |= 1 << d
        table.links[n] |= 1 << back
        nearest = min(nearest, distance(table, n))
    table.links[t] = links
    table.dist[t] = nearest + 1
    shorten(table, t)
    return t


@rule
def join(table, t, d):
    """Open a Secret Passage between two tiles that lie side by side."""
    n = table.near[t, d] - 1
    back = opposite(d)
    table.links[t] |= 1 << d
    table.links[n] |= 1 << back
    table.passages[t] |= 1 << d
    table.passages[n] |= 1 << back
    shorten(table, t)
    shorten(table, n)


@rule
def shorten(table, t):
    """Let a tile's distance to the Vault shorten those beyond it. Distances never grow."""
    table.queue[0] = t
    head, tail = 0, 1
    while head < tail:
        a = np.int64(table.queue[head])
        head += 1
        for d in range(6):
            if table.links[a] >> d & 1:
                b = table.near[a, d] - 1
                if table.dist[b] > table.dist[a] + 1:
                    table.dist[b] = table.dist[a] + 1
                    table.queue[tail] = b
                    tail += 1


@rule
def walk_from(table, start):
    """How many steps a Cat needs to each tile, and to each that it can walk on from: no mummy may stand there."""
    for t in range(table.tiles_n):
        table.walk[t] = FAR
        table.through[t] = FAR
    table.walk[start] = 0
    table.queue[0] = start
    head, tail = 0, 1
    while head < tail:
        a = np.int64(table.queue[head])
        head += 1
        if a != start and guarded(table, a):
            continue
        steps = np.int64(table.walk[a])
        table.through[a] = steps
        links = np.int64(table.links[a])
        for d in range(6):
            if links >> d & 1:
                b = table.near[a, d] - 1
                if table.walk[b] == FAR:
                    table.walk[b] = steps + 1
                    table.queue[tail] = b
                    tail += 1


@rule
def approach(table, e, sides):
    """How many steps a Cat needs onto an edge that it may enter through these sides."""
    best = np.int64(FAR)
    for d in range(6):
        if sides >> d & 1:
            best = min(best, np.int64(table.through[table.edge_tile[e, d] - 1]))
    return best + 1


@rule
def begin(table, vault_exits):
    """The Vault alone."""
    table.exit_tile = -1
    lay(table, 0, vault_exits, VAULT_TILE, 0)


@rule
def lay_door(table, t, d, exits, through_wall):
    """The Exit Door on side d of a tile, with its exits counted on from that side."""
    back = opposite(d)
    mask = 0
    for i in range(exits):
        mask |= 1 << (back + i) % 6
    table.exit_tile = lay(table, beside(np.int64(table.hex[t]), d), mask, EXIT_TILE, (1 << back) * through_wall)
