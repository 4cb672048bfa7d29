"""The forest: drawing tiles, the four rules of placing them, what lies on a new tile, and its paths."""

from hardmode.sim.games.woodlands.agenda import option
from hardmode.sim.games.woodlands.monsters import spawn
from hardmode.sim.games.woodlands.names import BESIDE, Special, Verb
from hardmode.sim.games.woodlands.switches import DeadEndSides, FarSideRule2
from hardmode.sim.records import rule

FAR_AWAY = 99


@rule
def turned(mask, rotation):
    return ((mask << rotation) | (mask >> (4 - rotation))) & 15


@rule
def ones(mask):
    return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + ((mask >> 3) & 1)


@rule
def first_place(table, cell):
    """The place of a cell (the first side of the double dead-end), or -1."""
    return table.grid[cell] - 1


@rule
def facing(table, cell, d):
    """The place in the next cell that has an opening towards this one, or -1."""
    p = first_place(table, cell + BESIDE[d])
    if p >= 0:
        back = 1 << (d ^ 2)
        if table.open[p] & back:
            return p
        if p + 1 < table.places and table.cell[p + 1] == table.cell[p] and table.open[p + 1] & back:
            return p + 1
    return -1


@rule
def empty(table, cell):
    """A cell where a tile may still come."""
    return table.grid[cell] == 0 and cell != table.barred


@rule
def leads_out(table, p, d):
    """An opening towards an empty cell; the far side of the double dead-end does not count."""
    return (table.open[p] >> d) & 1 == 1 and table.far[p] == 0 and empty(table, table.cell[p] + BESIDE[d])


@rule
def ways_out(table):
    n = 0
    for p in range(table.places):
        for d in range(4):
            if leads_out(table, p, d):
                n += 1
    return n


@rule
def turnings(box, table, tile, cell, must, ways, out, n):
    """Write the legal ways to lay a tile on a cell: rules 1, 2 and 4. `must`: an opening it has to join."""
    near, count = 0, 0
    for d in range(4):
        p = facing(table, cell, d)
        if p >= 0:
            if table.far[p] == 0:
                near |= 1 << d
            elif box.far_side_rule2 == FarSideRule2.COUNT:
                count |= 1 << d
    count |= near
    need = must if must else near
    best = 0
    for r in range(4):
        mask = turned(box.open[tile], r)
        if mask & need and ones(mask & count) > best:
            best = ones(mask & count)
    seen = 0
    for r in range(4):
        mask = turned(box.open[tile], r)
        fresh = box.special[tile] == Special.DEAD_END or (seen >> mask) & 1 == 0
        seen |= 1 << mask
        if fresh and mask & need and ones(mask & count) == best:
            if ways - ones(near) + new_ways(box, table, tile, cell, mask) > 0:
                out[n] = option(Verb.PLACE, cell, r)
                n += 1
    return n


@rule
def new_ways(box, table, tile, cell, mask):
    """Openings to empty cells that a tile would bring."""
    if box.special[tile] == Special.DEAD_END:
        return 0
    n = 0
    for d in range(4):
        if (mask >> d) & 1 and empty(table, cell + BESIDE[d]):
            n += 1
    return n


@rule
def placements(box, table, tile, out):
    """All legal ways to add a tile to the forest; returns how many."""
    ways = ways_out(table)
    if table.tile_cell:
        return turnings(box, table, tile, table.tile_cell, 1 << table.tile_join, ways, out, 0)
    n = 0
    for p in range(table.places):
        for d in range(4):
            if leads_out(table, p, d) and is_first(table, p, table.cell[p] + BESIDE[d]):
                n = turnings(box, table, tile, table.cell[p] + BESIDE[d], 0, ways, out, n)
    return n


@rule
def is_first(table, p, cell):
    """No place before this one leads to the cell: it is listed once."""
    for d in range(4):
        q = facing(table, cell, d)
        if 0 <= q < p and table.far[q] == 0:
            return False
    return True


@rule
def draw_tile(table, hidden):
    """The top tile of the stack."""
    n = table.stack_n - 1
    table.stack_n = n
    if n < table.under_n:
        table.under_n = n
    elif n < table.under_n + table.low_n:
        table.low_n -= 1
    if table.top_n:
        table.top_n -= 1
        table.top[0], table.top[1] = table.top[1], table.top[2]
    tile = hidden.stack[n]
    table.gone[tile] = 1
    return tile


@rule
def put_under(table, hidden, tile):
    """Lay a tile, known to all, under the stack."""
    for i in range(table.stack_n, 0, -1):
        hidden.stack[i] = hidden.stack[i - 1]
    for i in range(table.under_n, 0, -1):
        table.under[i] = table.under[i - 1]
    hidden.stack[0] = tile
    table.under[0] = tile
    table.under_n += 1
    table.stack_n += 1
    table.gone[tile] = 0


@rule
def add_place(box, table, tile, cell, rotation, side):
    p = table.places
    table.places = p + 1
    table.cell[p] = cell
    table.rot[p] = rotation
    table.tile_of[p] = tile
    table.special[p] = box.special[tile]
    table.open[p] = turned(box.side_open[tile, side], rotation)
    table.bramble[p] = box.side_brambles[tile, side]
    table.far[p] = 0
    table.quest_down[p] = 0
    table.camp[p] = 0
    table.corrupt[p] = 0
    table.plus_shield[p] = 0
    table.lair_open[p] = 0
    table.tokens[p] = 0
    table.chests[p] = 0
    table.events[p] = 0
    table.spot[p] = p
    if side == 1 and box.dead_end_sides == DeadEndSides.ONE_PLACE:
        table.spot[p] = p - 1
    if table.special[p] == Special.CAMPFIRE:
        table.fires += 1
    return p


@rule
def join_paths(table, p):
    """Write the paths between a new place and its neighbours."""
    for d in range(4):
        table.link[p, d] = -1
        if (table.open[p] >> d) & 1:
            q = facing(table, table.cell[p], d)
            table.link[p, d] = q
            if q >= 0:
                table.link[q, d ^ 2] = p
                table.far[q] = 0


@rule
def lay_tile(box, table, tile, cell, rotation):
    """Put a tile on a cell; returns its first place. The side of a dead-end that joins nothing is the far one."""
    p = add_place(box, table, tile, cell, rotation, 0)
    if box.special[tile] == Special.DEAD_END:
        add_place(box, table, tile, cell, rotation, 1)
    table.grid[cell] = p + 1
    for q in range(p, table.places):
        join_paths(table, q)
    if table.places > p + 1:
        for q in range(p, p + 2):
            joined = 0
            for d in range(4):
                joined += table.link[q, d] >= 0
            table.far[q] = joined == 0
    table.gone[tile] = 1
    table.placed += 1
    return p


@rule
def markers_on(table, what):
    n = 0
    for p in range(table.places):
        n += what[p]
    return n


@rule
def populate(box, table, hidden, luck, p):
    """Put on a revealed tile everything its icons ask for."""
    tile = table.tile_of[p]
    chests = 0 if table.special[p] == Special.BOSS else box.chest[tile]  # the boss's treasure is for the next chapter
    table.chests[p] = chests
    table.events[p] = box.events[tile]
    if box.marker_limit:
        table.chests[p] = min(chests, 5 - markers_on(table, table.chests) + chests)
        table.events[p] = min(box.events[tile], 3 - markers_on(table, table.events) + table.events[p])
    table.lair_open[p] = box.lairs and box.lair[tile]
    if table.special[p] == Special.WELL and table.chapter != 2 and table.chapter != 3:
        table.tokens[p] = table.seats
    if table.special[p] == Special.BOSS:
        table.boss_at = p
    for side in range(2):
        if p + side < table.places and table.cell[p + side] == table.cell[p]:
            for _ in range(box.side_monsters[tile, side]):
                spawn(box, table, hidden, luck, p + side)


@rule
def distances(table, start, far, queue):
    """Steps along paths from a place to every other, written into `far`."""
    for p in range(table.places):
        far[p] = FAR_AWAY
    far[start] = 0
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        p = queue[head]
        head += 1
        for d in range(4):
            q = table.link[p, d]
            if q >= 0 and far[q] == FAR_AWAY:
                far[q] = far[p] + 1
                queue[tail] = q
                tail += 1


@rule
def special_place(table, special):
    """The first place of a special kind, or -1."""
    for p in range(table.places):
        if table.special[p] == special:
            return p
    return -1



