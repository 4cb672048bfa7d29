"""What kind of option one is, for those who study choices: the verb, and with it the tile, the hero or the target."""

from __future__ import annotations

from typing import Any

from hardmode.sim.games.vengeance.names import (
    BASIC,
    BOSS,
    ITEMS,
    MAX_BOSSES,
    MAX_HEROES,
    OWN_SKILLS,
    ROW_ITEM,
    ROW_SKILL,
    ROWS,
    SKILLS,
    Den,
    Minion,
    Slot,
    Verb,
)
from hardmode.sim.games.vengeance.packing import first_of, second_of, verb_of
from hardmode.sim.games.vengeance.player_board import row_of
from hardmode.sim.names import read_name
from hardmode.sim.records import rule

# Where the labels of each part begin; those of the verbs alone come first.
BUYS = len(Verb)  # a tile of the hero's
ASSIGNS = BUYS + ROWS
USES = ASSIGNS + ROWS
HEROES = USES + ROWS
BOSSES = HEROES + MAX_HEROES
SIDES = BOSSES + MAX_BOSSES
TARGETS = SIDES + 2
AT_BOSS = TARGETS + len(Minion)
LABELS = AT_BOSS + 1


@rule
def label(box, table, own, option):
    verb, a = verb_of(option), first_of(option)
    board = table.board[table.seat]
    if verb == Verb.ASSIGN:
        return ASSIGNS + row_of(board, a)
    if Verb.GROUP <= verb <= Verb.ITEM:
        return USES + row_of(board, a)
    if verb == Verb.SKILL:
        return BUYS + row_of(board, BASIC + a)
    if verb == Verb.BUY:
        return BUYS + row_of(board, SKILLS + second_of(option))
    if verb == Verb.AT:
        return AT_BOSS if a == BOSS else TARGETS + box.den[board[Slot.DEN], Den.KIND_OF + a]
    if verb == Verb.HERO:
        return HEROES + a
    if verb == Verb.BOSS:
        return BOSSES + a
    return SIDES + a if verb == Verb.SIDE else verb


def name(box: Any, number: int) -> str:
    """The label in words."""
    if number < BUYS:
        return Verb(number).label
    if number < HEROES:
        part, row = divmod(number - BUYS, ROWS)
        return f"{('buy', 'dice for', 'use')[part]} {tile(box, row)}"
    if number < BOSSES:
        return f"choose hero {read_name(box.hero_name[number - HEROES])}"
    if number < SIDES:
        return f"choose boss {read_name(box.boss_name[number - BOSSES])}"
    return (*("den side A", "den side B"), *(f"at {m}" for m in Minion.labels()), "at the Boss")[number - SIDES]


def tile(box: Any, row: int) -> str:
    """A tile by its name, and whose it is: heroes may have the same items."""
    hero = (row - ROW_ITEM) // ITEMS if row >= ROW_ITEM else (row - ROW_SKILL) // OWN_SKILLS
    whose = f" of {read_name(box.hero_name[hero])}" if row >= BASIC else ""
    return f"{read_name(box.tile_name[row])}{whose}"
