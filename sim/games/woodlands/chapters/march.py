"""Monsters that walk: along shortest paths, the first way in the order north, east, south, west."""

from hardmode.sim.draws import below
from hardmode.sim.games.woodlands.forest import FAR_AWAY, distances
from hardmode.sim.games.woodlands.names import PLACES, Chance
from hardmode.sim.games.woodlands.switches import PathTie
from hardmode.sim.records import rule

FAR, QUEUE = 0, PLACES  # where distances and the queue stand in the table's scratch space


@rule
def measure(table, goal):
    """Steps from every place to a goal, at the front of the scratch space."""
    distances(table, goal, table.scratch[FAR:FAR + PLACES], table.scratch[QUEUE:QUEUE + PLACES])


@rule
def steps_to(table, p):
    return table.scratch[FAR + p]


@rule
def toward(box, table, luck, p, m, nth):
    """The next place on a shortest way to the goal just measured, or the place itself."""
    if steps_to(table, p) == FAR_AWAY or steps_to(table, p) == 0:
        return p
    ways = 0
    for d in range(4):
        q = table.link[p, d]
        if q >= 0 and steps_to(table, q) < steps_to(table, p):
            ways += 1
    pick = 0
    if box.path_tie == PathTie.RANDOM and ways > 1:
        pick = below(luck, Chance.PATH_TIE, table.day, m, nth, ways)
    for d in range(4):
        q = table.link[p, d]
        if q >= 0 and steps_to(table, q) < steps_to(table, p):
            if pick == 0:
                return q
            pick -= 1
    return p


@rule
def may_march(box, table, m):
    return table.mon_at[m] >= 0 and (table.mon_type[m] >= 0 or box.hidden_move)
