"""What a foe is worth in a combat: its printed values and all that raises them."""

from hardmode.sim.games.woodlands.names import BOSS_FOE, TOKENS, EnragedBoss
from hardmode.sim.games.woodlands.switches import Ch5Level2, Ch5Rows, MaxShield
from hardmode.sim.records import rule


@rule
def kind_of(table, foe):
    """The kind of a face-up monster, or the boss."""
    return BOSS_FOE if foe == BOSS_FOE else table.mon_type[foe]


@rule
def row_of(box, table):
    """The row of chapter 5's table that holds: 0 (nothing corrupted) to 3."""
    n = table.corrupt_tiles
    if n <= 0:
        return 0
    if n < box.c5_low and not (table.ch_level2 and box.ch5_level2 == Ch5Level2.SECOND_ROW):
        return 1
    return 2 if n < box.c5_high else 3


@rule
def corrupted(table, p):
    return p >= 0 and table.corrupt[p] > 0


@rule
def place_of(table, foe):
    return table.boss_at if foe == BOSS_FOE else table.mon_at[foe]


@rule
def shield_of(box, table, foe):
    """May go beyond six: then only a raised die can hit."""
    n = table.boss_shield if foe == BOSS_FOE else box.mon_shield[table.mon_type[foe]]
    p = place_of(table, foe)
    if p >= 0:
        n += table.plus_shield[p]
    if corrupted(table, p):
        row = row_of(box, table)
        if row == 1 or row == 2 or (row == 3 and box.ch5_rows == Ch5Rows.CUMULATIVE):
            n += 1
    if box.max_shield == MaxShield.SIX:
        n = min(n, 6)
    return n


@rule
def sword_of(box, table, foe):
    if foe == BOSS_FOE:
        n = box.b_sword[table.boss]
        if box.enraged_boss == EnragedBoss.SWORD:
            n += box.eb_sword
    else:
        n = box.mon_sword[table.mon_type[foe]]
    if corrupted(table, place_of(table, foe)):
        row = row_of(box, table)
        if row == 2 or (row == 3 and box.ch5_rows == Ch5Rows.CUMULATIVE):
            n += 1
    return n


@rule
def hearts_of(box, table, foe):
    if foe == BOSS_FOE:
        n = box.b_hearts[table.boss]
        if box.enraged_boss == EnragedBoss.HEARTS:
            n += box.eb_hearts
        return n
    return box.mon_hearts[table.mon_type[foe]]


@rule
def plus_of(box, table, foe, colour):
    """Weakness and resistance: what is added to a power die of this colour."""
    if foe == BOSS_FOE:
        return box.b_plus[table.boss, colour]
    return box.mon_plus[table.mon_type[foe], colour]


@rule
def immune_to(box, table, foe):
    """The colours of power dice that cannot be used, as a mask."""
    if foe == BOSS_FOE:
        return table.boss_immune
    return box.mon_immune[table.mon_type[foe]]


@rule
def leaves_of(table, foe):
    return table.boss_leaf if foe == BOSS_FOE else table.mon_leaf[foe]


@rule
def is_enraged(table, foe, kind):
    return foe < TOKENS and table.mon_type[foe] == kind and table.enraged[kind] == 1
