"""Where a hero should go, for strategies: what places are worth, the ways to them, and when to face the boss."""

from hardmode.sim.games.woodlands.forest import FAR_AWAY
from hardmode.sim.games.woodlands.heroes import here, standing
from hardmode.sim.games.woodlands.loot import cards_of, room
from hardmode.sim.games.woodlands.names import TOKENS, Kind, Special
from hardmode.sim.records import rule
from hardmode.strategies.woodlands.chances import (
    beside,
    boss_ahead,
    boss_chance,
    fight_value,
    no_clock,
    unseen_value,
)
from hardmode.strategies.woodlands.chapter_goals import chapter_value, fit
from hardmode.strategies.woodlands.weights import Weight


@rule
def no_time(table):
    """The stack is about to run out; in chapter 3 nothing grows."""
    return table.stack_n < table.seats and table.chapter != 3


@rule
def party_ready(box, table, weights):
    """The best hero's chance with all around it reaches the mark, or there is no time left."""
    if table.boss_shown or no_time(table):
        return True
    hearts, orbs = 0, 0
    best = 0.0
    for s in range(table.seats):
        hearts += table.hp[s]
        orbs += table.orbs[s]
        if standing(table, s):
            best = max(best, boss_chance(box, table, s, True))
    return best >= weights[Weight.READY] and hearts >= 4 * table.seats


@rule
def search_paths(table, start, far, first, queue, crowd, through):
    """Steps to every place and the first step's direction; monsters and a boss end a path, or only the boss."""
    for p in range(table.places):
        far[p] = FAR_AWAY
    far[start] = 0
    first[start] = -1
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        p = queue[head]
        head += 1
        if p != start and ((crowd[p] and not through) or (p == table.boss_at and boss_ahead(table))):
            continue
        for d in range(4):
            q = table.link[p, d]
            if q >= 0 and far[q] == FAR_AWAY:
                far[q] = far[p] + 1
                first[q] = d if p == start else first[p]
                queue[tail] = q
                tail += 1


@rule
def count_monsters(table, crowd):
    for p in range(table.places):
        crowd[p] = 0
    for m in range(TOKENS):
        if table.mon_at[m] >= 0:
            crowd[table.spot[table.mon_at[m]]] += 1


@rule
def fights_ahead(box, table, s, p, spare, unseen, weights):
    value = 0.0
    for m in range(TOKENS):
        if table.mon_at[m] >= 0 and table.spot[table.mon_at[m]] == table.spot[p]:
            value += fight_value(box, table, s, p, m, spare, unseen, weights)
    return value


@rule
def place_value(box, table, s, p, monsters, spare, unseen, weights):
    """What it is worth for a hero to be on a place; `unseen` is what a fight with a face-down monster is worth."""
    value = 0.0
    weak = table.hp[s] <= weights[Weight.REST]
    if monsters:
        if p != table.at[s]:
            value += weights[Weight.FIGHT] * fights_ahead(box, table, s, p, spare, unseen, weights) - 0.2
        if weak or (no_clock(table) and not fit(table, s)):
            value -= 3.0 * monsters
    free = 1.0 if monsters == 0 else 0.5
    value += free * weights[Weight.LOOT] * table.chests[p]
    if table.tokens[p] and table.well_taken[s] == 0:
        value += free * 2.5 * weights[Weight.ORB]
    special = table.special[p]
    if special == Special.CAMPFIRE and monsters == 0:
        missing = box.max_hearts - table.hp[s]
        value += weights[Weight.HEART] * missing * (1.2 if weak or (no_clock(table) and table.hp[s] <= 3) else 0.25)
    elif special == Special.MERCHANT and table.orbs[s] >= box.price and cards_of(table, s) < room(box, table, s):
        value += 0.8
    if table.lair_open[p] and table.hp[s] >= weights[Weight.LAIR]:
        value += 1.5
    if table.bramble[p]:
        value -= 0.4 * weights[Weight.HEART]
    if table.chapter:
        value += chapter_value(box, table, s, p, monsters)
    return value


@rule
def rescue_value(box, table, s, p):
    """A fallen hero that can be raised."""
    for t in range(table.seats):
        if t != s and table.hp[t] == 0 and here(table, t, p) and table.orbs[s] >= box.raise_cost * table.seats:
            return 12.0 if table.chapter == 2 else 4.0  # at the well everybody is needed
    return 0.0


@rule
def boss_goal(table, far, crowd, ready):
    """The boss itself when the party is ready, else the emptiest place beside it."""
    p = table.boss_at
    if ready:
        return p if far[p] < FAR_AWAY else -1
    best, top = -1, FAR_AWAY
    for d in range(4):
        q = table.link[p, d]
        if q >= 0 and far[q] < FAR_AWAY and far[q] + 4 * crowd[table.spot[q]] < top:
            best, top = q, far[q] + 4 * crowd[table.spot[q]]
    return best


@rule
def gathered(table):
    """All who stand are beside the boss, or on its tile; or there is no time to wait."""
    if table.boss_shown or no_time(table):
        return True
    for t in range(table.seats):
        if standing(table, t) and table.at[t] != table.boss_at and not beside(table, table.at[t], table.boss_at):
            return False
    return True


@rule
def best_goal(box, table, s, work, weights):
    """The place worth going to, or -1. work[0] then holds distances, work[1] first steps, work[3] monsters."""
    start = table.at[s]
    far, first, queue, crowd = work[0], work[1], work[2], work[3]
    count_monsters(table, crowd)
    ready = party_ready(box, table, weights)
    if boss_ahead(table) and (ready or (table.stack_n <= weights[Weight.STAGE] and table.chapter != 3)):
        search_paths(table, start, far, first, queue, crowd, True)
        goal = boss_goal(table, far, crowd, ready and gathered(table))
        if goal >= 0 and (ready or table.hp[s] > weights[Weight.REST]):
            return goal if goal != start else -1
    search_paths(table, start, far, first, queue, crowd, table.chapter > 0)
    planning = table.kind != Kind.ACT
    near, away, known = 0.0, 0.0, False  # what a face-down monster is worth within reach and beyond
    best = -1
    top = place_value(box, table, s, start, crowd[table.spot[start]], False, 0.0, weights) + 0.05
    for p in range(table.places):
        if p != start and far[p] < FAR_AWAY and not (p == table.boss_at and boss_ahead(table)):
            spare, monsters = planning and far[p] <= 2, crowd[table.spot[p]]
            if monsters and not known:
                away = unseen_value(box, table, s, 0, False, weights)
                near = unseen_value(box, table, s, 0, True, weights) if planning else away
                known = True
            value = place_value(box, table, s, p, monsters, spare, near if spare else away, weights)
            if table.first_downed:
                value += rescue_value(box, table, s, p)
            if value > top:
                for _ in range(far[p]):
                    value *= weights[Weight.FAR]
                if value > top:
                    best, top = p, value
    return best
