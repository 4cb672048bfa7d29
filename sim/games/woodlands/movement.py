"""Moving: the step itself, the risky move into the unknown, and Klethor's passengers."""

from hardmode.sim.games.woodlands.agenda import Task, ask, push
from hardmode.sim.games.woodlands.boss import reveal_boss
from hardmode.sim.games.woodlands.chapters.hooks import tile_came
from hardmode.sim.games.woodlands.entering import enter
from hardmode.sim.games.woodlands.forest import draw_tile, lay_tile, placements, populate, put_under
from hardmode.sim.games.woodlands.heroes import gain_orbs, here
from hardmode.sim.games.woodlands.names import BESIDE, Kind, Reveal
from hardmode.sim.games.woodlands.switches import NoTileFits, RiskyOrb
from hardmode.sim.records import rule


@rule
def step(box, table, d, risky):
    """The move that was announced; a risky one draws the tile it leads to."""
    s = table.active
    p = table.at[s]
    if not risky:
        push(table, Task.MOVE, table.link[p, d], 0, 0)
        return
    if box.risky_orb == RiskyOrb.END_OF_TURN:
        table.late_orbs += box.risky_orbs
    else:
        gain_orbs(box, table, s, box.risky_orbs)
    table.risky_steps += 1
    push(table, Task.ARRIVE, d, 0, 0)
    push(table, Task.DRAW_TILE, s, d + 1, 0)


@rule
def arrive(table, d):
    """Into the tile just laid; when none could be laid the hero stays, and meets what came behind it."""
    p = table.at[table.active]
    q = table.link[p, d]
    if q >= 0:
        push(table, Task.MOVE, q, 0, 0)
    else:
        push(table, Task.MEET, 0, 0, 0)
        push(table, Task.FLIP, p, 0, 0)


@rule
def draw_placeable(box, table, hidden, seat, d):
    """Draw until a tile fits (rules 3 and 4); those that do not go under the stack."""
    table.tile_cell = 0
    if d:
        p = table.at[table.active]
        table.tile_cell = table.cell[p] + BESIDE[d - 1]
        table.tile_join = (d - 1) ^ 2
    scratch = table.scratch
    aside, n = 0, 0
    while table.stack_n > 0:
        tile = draw_tile(table, hidden)
        n = placements(box, table, tile, scratch)
        if n:
            table.tile = tile
            break
        table.aside[aside] = tile
        aside += 1
    for i in range(aside):
        put_under(table, hidden, table.aside[i])
    if n:
        ask(table, Kind.PLACE, seat)
    elif d == 0 and box.no_tile_fits == NoTileFits.SKIP_AND_REVEAL:
        stack_ends(box, table, hidden)


@rule
def stack_ends(box, table, hidden):
    """No tile can be added: a boss whose card lies face down is revealed."""
    if table.boss_at >= 0 and table.boss_shown == 0:
        reveal_boss(box, table, hidden, Reveal.BY_STACK)


@rule
def take_place(box, table, hidden, luck, cell, rotation):
    p = lay_tile(box, table, table.tile, cell, rotation)
    populate(box, table, hidden, luck, p)
    tile_came(box, table, hidden, p)


@rule
def move(box, table, q):
    """Go to a place, after those who may travel along have been asked."""
    s = table.active
    for t in range(table.seats):
        table.aboard[t] = 0
    push(table, Task.MOVE, q, 1, 0)
    if table.transport > 0:
        for t in range(table.seats - 1, -1, -1):
            if t != s and here(table, t, table.at[s]) and table.immobile[t] == 0:
                push(table, Task.CARRY, t, 0, 0)


@rule
def move_now(box, table, q):
    for t in range(table.seats):
        if table.aboard[t]:
            table.at[t] = q
    enter(box, table, q)


@rule
def ask_carry(table, t):
    """A hero may travel along, even one who is down."""
    ask(table, Kind.TRAVEL_ALONG, t)


