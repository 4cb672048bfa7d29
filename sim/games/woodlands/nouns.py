"""What heroes, tiles, cards and dice are called when a game is told."""

from __future__ import annotations

from typing import Any

from hardmode.sim.games.woodlands.box import read_name
from hardmode.sim.games.woodlands.names import BOSS_FOE, CENTRE, NO_COLOUR, SIDE, Colour, Hero, Special

HERO_NAMES = ("Xylia", "Klethor", "Sha'Vi", "Bethras")
SPECIAL_A = ("agility", "transport", "healing aura", "remedy")
SPECIAL_B = ("precision", "defensive stance", "frost bolt", "brew")
POWER_NAMES = (("one more tile", "support from afar"), ("reroll one die", "reroll any dice"),
               ("an orb for a heart", "better power dice"), ("no markers", "one more combat die"))


def hero_name(table: Any, s: int) -> str:
    return HERO_NAMES[table.hero[s]]


def slot_name(table: Any, slot: int) -> str:
    """A slot of the active hero's board by what it does."""
    hero = table.hero[table.active]
    return ("unused", "move", "focus", SPECIAL_A[hero], SPECIAL_B[hero], "summon")[slot]


def loot_name(box: Any, card: int) -> str:
    return read_name(box.loot_name[box.loot_kind[card]])


def tile_name(box: Any, tile: int) -> str:
    return read_name(box.tile_name[tile])


def place_name(box: Any, table: Any, p: int) -> str:
    """A place by its tile; the two sides of the double dead-end are told apart."""
    name = tile_name(box, table.tile_of[p])
    if table.special[p] == Special.DEAD_END:
        name += ", bramble side" if table.bramble[p] else ", monster side"
    return name


def cell_name(cell: int) -> list[int]:
    """East and south of the first tile."""
    return [cell % SIDE - CENTRE % SIDE, cell // SIDE - CENTRE // SIDE]


def monster_name(box: Any, table: Any, m: int) -> str:
    if m == BOSS_FOE:
        return boss_name(box, table)
    return kind_name(box, table.mon_type[m]) if table.mon_type[m] >= 0 else "face-down monster"


def kind_name(box: Any, kind: int) -> str:
    return read_name(box.monster_name[kind])


def boss_name(box: Any, table: Any) -> str:
    return read_name(box.boss_name[table.boss]) if table.boss_shown else "face-down boss"


def power_name(box: Any, table: Any, s: int) -> str:
    """The power that a hero would unlock next."""
    hero, n = table.hero[s], table.powers[s]
    shavi = hero == Hero.SHAVI
    other = (box.shavi_power_1, box.shavi_power_2) if shavi else (box.bethras_power_1, box.bethras_power_2)
    others = {Hero.SHAVI: ("the aura heals two", "reroll a power die"),
              Hero.BETHRAS: ("the remedy heals", "brew from five")}
    return others[hero][n] if hero in others and other[n] else POWER_NAMES[hero][n]


def die_words(table: Any, i: int) -> str:
    colour = "combat" if table.colour[i] == NO_COLOUR else Colour.labels()[table.colour[i]]
    plus = f"{table.plus[i]:+d}" if table.plus[i] else ""
    return f"{hero_name(table, table.owner[i])}'s {colour} {table.face[i]}{plus}"
