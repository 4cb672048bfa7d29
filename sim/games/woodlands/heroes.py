"""Heroes: hearts, orbs, markers, and what happens when one falls."""

from hardmode.sim.games.woodlands.agenda import finish
from hardmode.sim.games.woodlands.names import Cause, Effect, Ending, Hero
from hardmode.sim.games.woodlands.switches import BethrasPower1
from hardmode.sim.records import rule


@rule
def standing(table, s):
    return s < table.seats and table.hp[s] > 0


@rule
def next_active(table):
    """The seat of the first hero in turn order that stands; fallen heroes are no active players."""
    s = 0
    while s < table.seats - 1 and table.hp[s] == 0:
        s += 1
    return s


@rule
def here(table, s, place):
    """This hero stands or lies with those on a place."""
    return s < table.seats and table.spot[table.at[s]] == table.spot[place]


@rule
def seat_of(table, hero):
    """The seat of a hero, or -1."""
    for s in range(table.seats):
        if table.hero[s] == hero:
            return s
    return -1


@rule
def is_active(table, s, hero):
    return table.hero[s] == hero and table.active == s


@rule
def fall(table, s):
    """A hero is downed: its markers go, and its turn is over if it was its turn."""
    table.hp[s] = 0
    table.poison[s] = 0
    table.entangled[s] = 0
    table.stance[s] = 0
    table.falls[s] += 1
    if table.first_downed == 0:
        table.first_downed = table.hero[s] + 1
    if s == table.active:
        table.cut = 1
    for other in range(table.seats):
        if table.hp[other] > 0:
            return
    finish(table, Ending.ALL_DOWN)


@rule
def hurt(table, s, n, cause):
    if n <= 0 or table.hp[s] == 0:
        return
    lost = min(n, table.hp[s])
    if cause == Cause.MONSTER:
        table.hurt_monster += lost
    elif cause == Cause.BOSS:
        table.hurt_boss += lost
    elif cause == Cause.BRAMBLE:
        table.hurt_bramble += lost
    elif cause == Cause.POISON:
        table.hurt_poison += lost
    else:
        table.hurt_other += lost
    table.hp[s] -= lost
    if table.hp[s] == 0:
        fall(table, s)


@rule
def heal(box, table, s, n):
    """Hearts for a standing hero."""
    if table.hp[s] > 0:
        table.hp[s] = min(box.max_hearts, table.hp[s] + n)


@rule
def gain_orbs(box, table, s, n):
    got = min(n, box.max_orbs - table.orbs[s])
    table.orbs[s] += got
    table.orbs_gained += got


@rule
def lose_orbs(table, s, n):
    """What is not there cannot be lost; returns what was."""
    lost = min(n, table.orbs[s])
    table.orbs[s] -= lost
    return lost


@rule
def mark(box, table, s, effect):
    """Give a poison or bramble marker; a hero holds one of each at most."""
    if table.hp[s] == 0:
        return
    if power(table, s, Hero.BETHRAS, 1) and box.bethras_power_1 == BethrasPower1.IMMUNE_TO_MARKERS:
        return
    markers = table.poison if effect == Effect.POISON else table.entangled
    if box.marker_limit:
        used = 0
        for t in range(table.seats):
            used += markers[t]
        if used >= 5:
            return
    markers[s] = 1


@rule
def power(table, s, hero, n):
    """This seat is that hero with its n-th power unlocked."""
    return table.hero[s] == hero and table.powers[s] >= n


@rule
def knows_tiles(table):
    """Xylia's seat if she may lay one more tile each round, or -1."""
    s = seat_of(table, Hero.XYLIA)
    return s if s >= 0 and table.powers[s] > 0 else -1


@rule
def hearts_of_all(table):
    n = 0
    for s in range(table.seats):
        n += table.hp[s]
    return n
