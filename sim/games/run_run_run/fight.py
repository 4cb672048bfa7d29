"""FIGHT: move, commit cards, roll, and what the faces do."""

import numpy as np

from hardmode.sim.draws import below
from hardmode.sim.games.run_run_run.cards import discard, draw, first_of_print, gain_torches, held, spend
from hardmode.sim.games.run_run_run.explore import fuel_for, unearth
from hardmode.sim.games.run_run_run.maze import guarded
from hardmode.sim.games.run_run_run.mummies import fall, in_maze
from hardmode.sim.games.run_run_run.names import (
    ARGUMENTS,
    CARDS,
    Ending,
    Face,
    Hero,
    Kind,
    Mummy,
    Phase,
    Source,
    Token,
    Verb,
)
from hardmode.sim.games.run_run_run.switches import Boss10Scope, DoubleScope, DoubleStack, FootprintMax
from hardmode.sim.records import rule

ROLL_NOW, SPEND_DOUBLE = CARDS, CARDS + 1  # among the commitments
STAY = -1


@rule
def reachable(box, table, hand, n, t, least):
    """A Cat can walk to a tile and still hold so many cards."""
    need = table.walk[t] - box.base_move
    if need <= 0:
        return n >= least
    return n > least and need <= 6 and fuel_for(box, hand, n, -1, need)


@rule
def targets(box, table, own, out, n):
    """Write the Rooms with mummies that the active player can fight in."""
    seat = table.active
    here = table.cat[seat]
    stuck = box.cats_pinned and guarded(table, here)
    for m in range(5):
        t = table.at[m]
        if t < 0 or (stuck and t != here):
            continue
        first = True
        for k in range(m):
            first &= table.at[k] != t
        if first and reachable(box, table, own.hand, table.hand_n[seat], t, 2):
            out[n] = Verb.FIGHT * ARGUMENTS + t
            n += 1
    return n


@rule
def walks(box, table, own, out, n):
    """Write the tiles to which a Cat may simply move, under the variant that knows such a turn."""
    seat = table.active
    if box.cats_pinned and guarded(table, table.cat[seat]):
        return n
    for t in range(table.tiles_n):
        if t != table.cat[seat] and not guarded(table, t):
            if reachable(box, table, own.hand, table.hand_n[seat], t, 1):
                out[n] = Verb.MOVE * ARGUMENTS + t
                n += 1
    return n


@rule
def arrive(table):
    """The Cat stands before the mummies and commits cards."""
    table.cat[table.active] = table.target
    table.dice = 0
    table.doubles = 0
    table.fights += 1
    table.kind = Kind.COMMIT
    table.seat = table.active


@rule
def commitments(box, table, own, out):
    """Cards that can still be discarded for dice, a Double, and the roll itself."""
    seat = table.active
    n = 0
    if table.dice > 0:
        out[0] = ROLL_NOW
        n = 1
    if table.dice < box.combat_cap and table.hand_n[seat] > 1:
        for i in range(table.hand_n[seat]):
            if first_of_print(box, table, own.hand, i):
                out[n] = np.int64(own.hand[i])
                n += 1
    if held(box, table, seat, Token.DOUBLE) >= 0 and (table.doubles == 0 or box.double_stack == DoubleStack.MULTIPLY):
        out[n] = SPEND_DOUBLE
        n += 1
    return n


@rule
def commit(box, table, hidden, code):
    if code == ROLL_NOW:
        table.phase = Phase.ROLL_COMBAT
        return
    if code == SPEND_DOUBLE:
        spend(table, held(box, table, table.active, Token.DOUBLE))
        table.doubles += 1
    else:
        discard(table, hidden, table.active, code)
        table.dice = min(table.dice + box.exits[code], box.combat_cap)
    table.kind = Kind.COMMIT


@rule
def roll(box, table, luck):
    """All dice at once, no second roll."""
    table.hits = table.abilities = table.card_faces = table.feet = 0
    for die in range(table.dice):
        face = box.combat_die[below(luck, Source.COMBAT_DIE, table.turn, die, 0, box.combat_faces)]
        table.hits += face == Face.HIT
        table.abilities += face == Face.ABILITY
        table.card_faces += face == Face.CARD
        table.feet += face == Face.FOOTPRINT
    apply_faces(box, table)


@rule
def is_suppressed(box, table):
    """The Boss that cancels abilities does so for this Cat."""
    if table.at[Mummy.BOSS] < 0 or not box.suppresses[Mummy.BOSS + table.boss]:
        return False
    return table.at[Mummy.BOSS] == table.cat[table.active] or box.boss10_scope == Boss10Scope.ALL


@rule
def apply_faces(box, table):
    """Hits and the Brawler's strength together make the damage."""
    table.suppressed = is_suppressed(box, table)
    brawl = 0
    if table.hero[table.active] == Hero.BRAWLER and not table.suppressed:
        brawl = table.abilities
    factor = 1 << table.doubles
    table.damage = table.hits * factor + brawl * (1 if box.double_scope == DoubleScope.HITS_ONLY else factor)
    if box.footprint_max == FootprintMax.ONE:
        table.feet = min(table.feet, 1)
    table.phase = Phase.DAMAGE


@rule
def damage(table):
    """Hearts come off one by one; with several mummies here the fighter says whose."""
    if table.damage > 0 and guarded(table, table.cat[table.active]):
        table.kind = Kind.STRIKE
        table.seat = table.active
    else:
        table.phase = Phase.FACES_DONE


@rule
def opponents(table, out):
    n = 0
    for m in range(5):
        if table.at[m] == table.cat[table.active]:
            out[n] = m
            n += 1
    return n


@rule
def strike(table, hidden, luck, m):
    """One heart off a mummy here; off a lone one all at once."""
    alone = guarded(table, table.at[m]) == 1
    force = min(table.hp[m], table.damage) if alone else 1
    table.hp[m] -= force
    table.damage -= force
    if table.hp[m] == 0:
        fall(table, hidden, luck, m)
        if table.exit_tile >= 0 and in_maze(table) == 0:
            table.ending = Ending.WON


@rule
def faces(box, table, hidden):
    """The other faces: abilities first, then cards. Only a Digger may have a reason to decline."""
    hero, seat = table.hero[table.active], table.active
    table.phase = Phase.FEET
    if not table.suppressed and table.abilities > 0:
        if hero == Hero.DRAWER:
            draw(table, hidden, seat, table.abilities)
        elif hero == Hero.TORCHBEARER:
            gain_torches(box, table, table.abilities)
        elif hero == Hero.DIGGER and table.tokens_n > 0:
            table.phase = Phase.FACES_DONE
            table.abilities -= 1
            if box.fight_faces_optional:
                table.kind = Kind.DIG
                table.seat = seat
            else:
                unearth(box, table, hidden, Phase.FACES_DONE)
            return
    draw(table, hidden, seat, table.card_faces)


@rule
def feet(table):
    """After the fight the footprints may carry the Cat on."""
    if table.feet > 0:
        table.kind = Kind.FOOTSTEP
        table.seat = table.active
    else:
        table.phase = Phase.ACTED


@rule
def footsteps(table, out):
    t = table.cat[table.active]
    out[0] = STAY
    n = 1
    for d in range(6):
        if table.links[t] >> d & 1:
            out[n] = table.near[t, d] - 1
            n += 1
    return n


@rule
def footstep(table, t):
    """One step; it ends in another mummy's Room."""
    table.feet -= 1
    if t == STAY:
        table.feet = 0
        return
    table.cat[table.active] = t
    if guarded(table, t):
        table.feet = 0
