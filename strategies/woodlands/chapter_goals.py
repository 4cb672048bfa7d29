"""What a chapter's task asks of a hero, for strategies: which places are worth going to, which tile goes where."""

from hardmode.sim.games.woodlands.chapters.ch1 import KINDS, can_brew, holds_markers
from hardmode.sim.games.woodlands.chapters.ch2 import orbs_at_well
from hardmode.sim.games.woodlands.forest import empty, new_ways, turned
from hardmode.sim.games.woodlands.heroes import standing
from hardmode.sim.games.woodlands.names import BESIDE, CENTRE, SIDE, TOKENS, Special
from hardmode.sim.records import rule
from hardmode.strategies.woodlands.chances import beside


@rule
def gathers(table):
    """Chapters that are won with what is gathered over many turns: markers and orbs, the thieves' orbs, the camps."""
    return table.chapter == 1 or table.chapter == 2 or table.chapter == 4


@rule
def fit(table, s):
    """With hearts and orbs enough to look for a fight."""
    return table.hp[s] > 3 and table.orbs[s] >= 6


@rule
def chapter_value(box, table, s, p, monsters):
    """What the chapter's task asks for on a place."""
    chapter = table.chapter
    if chapter == 1:
        return potion_value(box, table, s, p)
    if chapter == 2:
        return orb_value(box, table, p)
    if chapter == 3:
        return guard_value(table, s, p, monsters)
    if chapter == 4:
        return 4.0 if table.camp[p] and table.looted[p] == 0 else 0.0
    return 7.0 if wants_totem(box, table, s, p) else 0.0


@rule
def potion_value(box, table, s, p):
    """Markers first; to the campfire when the party has all that a potion takes."""
    if table.brew_fight:
        return 8.0 if p == table.brew_place else 0.0
    value = 3.5 if table.quest_down[p] else 0.0
    if table.special[p] == Special.CAMPFIRE and holds_markers(table, s):
        value += 9.0 if can_brew(box, table, s) else 4.0 if party_has_all(table) else 0.0
    return value


@rule
def party_has_all(table):
    """Standing heroes together hold a marker of each kind."""
    for k in range(KINDS):
        n = 0
        for s in range(table.seats):
            n += table.markers[s, k] * standing(table, s)
        if n == 0:
            return False
    return True


@rule
def orb_value(box, table, p):
    """Thieves, and the well once there is enough and nobody lies elsewhere."""
    value = 0.0
    enough = orbs_at_well(box, table) >= box.c2_target[table.seats]
    if table.special[p] == Special.WELL and enough and all_can_come(table, p):
        value += 25.0
    for m in range(TOKENS):
        if table.mon_at[m] == p and table.mon_orbs[m]:
            value += 5.0
    return value


@rule
def all_can_come(table, p):
    for t in range(table.seats):
        if table.hp[t] == 0 and table.at[t] != p:
            return False
    return True


@rule
def guard_value(table, s, p, monsters):
    """The well must be kept clear: a hero in each way to it, the others after monsters that come alone."""
    if p == 0:
        return 20.0 * monsters
    ways = 0
    for d in range(4):
        ways += table.link[p, d] >= 0
    if beside(table, p, 0) and ways > 1:
        for t in range(table.seats):
            if t != s and standing(table, t) and table.at[t] == p:
                return 3.0 * monsters
        return 6.0
    return 2.5 if monsters == 1 else 1.5 * monsters


@rule
def wants_totem(box, table, s, p):
    """A totem that this hero could activate here."""
    rune = box.rune[table.tile_of[p]]
    if table.chapter != 5 or rune < 0 or (table.totems >> rune) & 1:
        return False
    if rune == table.hero[s]:
        return True
    owner = -1
    for t in range(table.seats):
        if table.hero[t] == rune:
            owner = t
    return owner < 0 and table.orbs[s] > 0


@rule
def thin_forest(box, table, cell, rotation):
    """Chapter 5: few ways on for the corruption, the fewer the nearer to where it comes from; runes near the heroes."""
    x, y = cell % SIDE - CENTRE % SIDE, cell // SIDE - CENTRE // SIDE
    ways = new_ways(box, table, table.tile, cell, turned(box.open[table.tile], rotation))
    score = -2.0 * ways / (1 + abs(x) + abs(y))
    rune = box.rune[table.tile]
    if rune >= 0 and (table.totems >> rune) & 1 == 0:
        near = 99
        for s in range(table.seats):
            at = table.cell[table.at[s]]
            near = min(near, abs(cell % SIDE - at % SIDE) + abs(cell // SIDE - at // SIDE))
        score -= 0.4 * near
    return score


@rule
def way_on(table, p):
    """How many ways lead from a place to what is not corrupted yet."""
    n = 0
    for d in range(4):
        q = table.link[p, d]
        if q >= 0:
            n += table.corrupt[q] == 0
        elif (table.open[p] >> d) & 1 and empty(table, table.cell[p] + BESIDE[d]):
            n += 1
    return n
