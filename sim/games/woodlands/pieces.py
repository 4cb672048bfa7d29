"""The pieces of the box: event cards printed blank, and what became of each card in a game that is over."""

from __future__ import annotations

from collections.abc import Iterator

from hardmode.sim.contract import Values
from hardmode.sim.games.woodlands.labels import USES
from hardmode.sim.games.woodlands.names import CardPlace, Hero, LootEffect, Use, Verb
from hardmode.sim.names import read_name
from hardmode.sim.pieces import Fates, Over, Piece, named

# The options that use up a card by what it does; all others are told by the card itself.
USED_BY = {LootEffect.STEP: Verb.BOOTS, LootEffect.ORBS: Verb.POUCH, LootEffect.LANTERN: Verb.LANTERN,
           LootEffect.HEAL: Verb.HEAL, LootEffect.ANTIDOTE: Verb.ANTIDOTE, LootEffect.BETTER_DIE: Verb.BETTER_DIE,
           LootEffect.BOMB: Verb.BOMB, LootEffect.CHARM: Verb.HERO_REROLL}
BLANK = {"effects": ["nothing"], "amounts": [1]}


def pieces(values: Values) -> Iterator[Piece]:
    for event in values.names("event"):
        yield Piece(f"event.{event}", {f"event.{event}.{part}": value for part, value in BLANK.items()}, "a blank card")


def fates(over: Over) -> Fates:
    """A hero plays, a boss is revealed, an event happens."""
    box, table = over.box, over.table
    for seat in range(table.seats):
        yield named("setup.heroes", Hero.labels()[table.hero[seat]]), True
    if table.boss_shown:
        yield named("setup.boss", read_name(box.boss_name[table.boss])), True
    for event in range(box.events_n):
        if table.event_gone[event] or table.event_shuffles > 1:
            yield f"event.{read_name(box.event_name[event])}", True
    yield from _loot(over)
    yield from _monsters(over)


def _loot(over: Over) -> Fates:
    """A card is used whose option was taken, or that works by being held and is in the end."""
    box, table = over.box, over.table
    for card in range(box.loot_total):
        kind, where = box.loot_kind[card], table.loot_where[card]
        if where != CardPlace.DECK or table.loot_shuffles > 1:
            works = where == CardPlace.HELD and box.l_use[kind] == Use.PERMANENT
            option = USED_BY.get(LootEffect(box.l_effect[kind]), USES + kind)
            yield f"loot.{read_name(box.loot_name[kind])}", works or option in over.taken


def _monsters(over: Over) -> Fates:
    """A kind of monster is used where one of it was fought to the end."""
    box, table = over.box, over.table
    left = set() if table.mon_shuffles > 1 else set(over.hidden.mon_stack[:table.mon_n].tolist())
    for token in set(range(box.token_n)) - left:
        kind = box.kind_of[token]
        yield f"monster.{read_name(box.monster_name[kind])}", table.won_by[kind] + table.lost_to[kind] > 0
