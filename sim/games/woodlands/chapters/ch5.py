"""Chapter 5, the corruption: activate the four totems before corruption covers the forest."""

from hardmode.sim.games.woodlands.agenda import Task, ask, finish, option, push
from hardmode.sim.games.woodlands.boss import reveal_boss
from hardmode.sim.games.woodlands.foes import corrupted, row_of
from hardmode.sim.games.woodlands.forest import leads_out
from hardmode.sim.games.woodlands.heroes import fall
from hardmode.sim.games.woodlands.loot import cards_of, throw_away
from hardmode.sim.games.woodlands.monsters import spawn
from hardmode.sim.games.woodlands.names import BESIDE, SLOTS, Effect, Ending, Kind, Reveal, Special, Verb
from hardmode.sim.games.woodlands.switches import (
    Ch5Count,
    Ch5Extra,
    Ch5Level2,
    Ch5Settled,
    CorruptionDiscards,
    DespairCost,
)
from hardmode.sim.records import rule

ALL_TOTEMS = 15
WITH_MARKER, EXTRA_CAME = 1, 2  # what a corrupted place holds


@rule
def begin_5(box, table):
    """One marker on the double dead-end, to the right of which nothing may come."""
    table.supply = box.c5_markers
    for p in range(table.places):
        if table.special[p] == Special.DEAD_END:
            table.barred = table.cell[p] + BESIDE[1]
    for p in range(table.places):
        if table.special[p] == Special.DEAD_END and table.corrupt[p] == 0:
            corrupt_tile(box, table, p)
    if table.ch_level2 and box.ch5_level2 == Ch5Level2.TWO_TILES_AT_START:
        corrupt_tile(box, table, first_clean(table))
    count(box, table)


@rule
def first_clean(table):
    """The last laid tile without a marker: the one beside the dead-end."""
    p = table.places - 1
    while table.corrupt[p]:
        p -= 1
    return p


@rule
def take_marker(table):
    """A marker from the supply; the game is lost when one is needed and none is left."""
    if table.supply == 0:
        finish(table, Ending.CANNOT_SPREAD)
        return False
    table.supply -= 1
    return True


@rule
def corrupt_tile(box, table, p):
    """One marker for a tile, both sides of the dead-end alike."""
    if take_marker(table):
        for q in range(table.places):
            if table.cell[q] == table.cell[p]:
                table.corrupt[q] = WITH_MARKER
        touch(box, table, p)


@rule
def touch(box, table, p):
    """Spreading corruption discards the event of a tile."""
    if box.corruption_discards == CorruptionDiscards.CHEST:
        table.chests[p] = 0
    else:
        table.events[p] = 0


@rule
def count(box, table):
    """Corrupted tiles, and the loss that their number brings."""
    n = 0
    for p in range(table.places):
        if table.corrupt[p] and not (p > 0 and table.cell[p - 1] == table.cell[p]):
            n += 1
    if box.ch5_count == Ch5Count.ALL_MARKERS:
        n += table.corrupt_cells
    table.corrupt_tiles = n
    if n >= box.c5_lost:
        finish(table, Ending.TOO_WIDE)


@rule
def round_5(box, table, hidden):
    times = 1
    if table.ch_level2 and box.ch5_level2 == Ch5Level2.SPREAD_TWICE and table.chapter_round == 1:
        times = 2
    for _ in range(times):
        spread(box, table, hidden)


@rule
def spread(box, table, hidden):
    """From every tile that is corrupted now, along paths, to tiles and to empty cells."""
    source = 0
    for p in range(table.places):
        if table.corrupt[p]:
            source |= 1 << p
    for p in range(table.places):
        if (source >> p) & 1:
            for d in range(4):
                q = table.link[p, d]
                if q >= 0 and table.corrupt[q] == 0:
                    corrupt_tile(box, table, q)
                    if q == table.boss_at and table.boss_shown == 0:
                        reveal_boss(box, table, hidden, Reveal.BY_CHAPTER)
                elif q < 0 and leads_out(table, p, d):
                    corrupt_cell(table, table.cell[p] + BESIDE[d])
    count(box, table)


@rule
def corrupt_cell(table, cell):
    for i in range(table.corrupt_cells):
        if table.corrupt_cell[i] == cell:
            return
    if take_marker(table):
        table.corrupt_cell[table.corrupt_cells] = cell
        table.corrupt_cells += 1


@rule
def settle_cell(box, table, hidden, p):
    """A tile laid on a corrupted cell takes its marker."""
    n = table.corrupt_cells
    for i in range(n):
        if table.corrupt_cell[i] == table.cell[p]:
            table.corrupt_cell[i] = table.corrupt_cell[n - 1]
            table.corrupt_cells = n - 1
            for q in range(p, table.places):
                table.corrupt[q] = WITH_MARKER
            if box.ch5_settled == Ch5Settled.SPREADS:
                touch(box, table, p)
            if p == table.boss_at and table.boss_shown == 0 and box.ch5_settled != Ch5Settled.MOVES_ONLY:
                reveal_boss(box, table, hidden, Reveal.BY_CHAPTER)
            count(box, table)
            return


@rule
def enter_corrupted(box, table, hidden, luck, p):
    """The third row: a card or the hero falls, and one more monster comes."""
    if not corrupted(table, p) or row_of(box, table) != 3:
        return
    if box.ch5_extra == Ch5Extra.ON_ENTRY or table.corrupt[p] != EXTRA_CAME:
        spawn(box, table, hidden, luck, p)
        table.corrupt[p] = EXTRA_CAME
        push(table, Task.FLIP, p, 0, 0)
    s = table.active
    if cards_of(table, s):
        push(table, Task.EFFECT, Effect.DISCARD_LOOT, 1, s)
    else:
        fall(table, s)


@rule
def totem_options(box, table, p, out, n):
    """Two dice on Summon activate the totem of this rune; one of another colour costs all orbs."""
    s = table.active
    rune = box.rune[table.tile_of[p]]
    if rune < 0 or table.summoned == 0 or (table.totems >> rune) & 1:
        return n
    if rune == table.hero[s]:
        out[n] = option(Verb.TOTEM, rune, 0)
        return n + 1
    stake = table.orbs[s] if box.despair_cost == DespairCost.ORBS else cards_of(table, s)
    if stake > 0:
        out[n] = option(Verb.DESPERATE_TOTEM, rune, 0)
        return n + 1
    return n


@rule
def take_totem(box, table, verb, rune):
    s = table.active
    if verb == Verb.DESPERATE_TOTEM:
        if box.despair_cost == DespairCost.LOOT:
            for i in range(SLOTS):
                if table.loot[s, i]:
                    throw_away(table, s, i)
        else:
            table.orbs[s] = 0
    table.summoned = 0
    table.totems |= 1 << rune
    push(table, Task.PURIFY, 0, 0, 0)
    check_5(table)


@rule
def check_5(table):
    """The chapter is won with four totems and no boss in the forest."""
    boss = table.boss_at >= 0 and not (table.boss_shown and table.boss_alive == 0)
    if table.totems == ALL_TOTEMS and not boss:
        finish(table, Ending.CHAPTER_WON)


@rule
def purify_options(table, out):
    """One marker of a forest tile, never that of the double dead-end; or none."""
    out[0] = option(Verb.NO, 0, 0)
    n = 1
    for p in range(table.places):
        if table.corrupt[p] and table.special[p] != Special.DEAD_END:
            out[n] = option(Verb.TARGET, p, 0)
            n += 1
    return n


@rule
def ask_purify(table):
    ask(table, Kind.PURIFY, table.active)


@rule
def take_purify(box, table, verb, p):
    if verb == Verb.TARGET:
        table.corrupt[p] = 0
        table.supply += 1
        count(box, table)


