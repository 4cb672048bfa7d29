"""Explorers of the Woodlands: a co-operative journey through a forest that grows, to find and beat its boss."""

from hardmode.sim.contract import Content, Game, Source
from hardmode.sim.games.woodlands.box import fill
from hardmode.sim.games.woodlands.decisions import options, take
from hardmode.sim.games.woodlands.labels import LABELS, label
from hardmode.sim.games.woodlands.measures import MEASURES, outcome
from hardmode.sim.games.woodlands.names import (
    BOSSES,
    EVENTS,
    KINDS_OF_MONSTER,
    LOOTS,
    SEATS,
    TILES,
    Chance,
    Ending,
    Kind,
)
from hardmode.sim.games.woodlands.pieces import fates, pieces
from hardmode.sim.games.woodlands.records import Box, Hidden, Own, Table
from hardmode.sim.games.woodlands.redeal import redeal
from hardmode.sim.games.woodlands.setup import setup

_ROLL = ("day", "seat", "nth")
_COMBAT = ("day", "turn and combat", "die and reroll")
_CARDS = ("shuffle", "card", "")
ADDRESSES = {
    Chance.TILE_STACK: ("shuffle", "tile", ""),
    Chance.MONSTER_STACK: ("shuffle", "token", ""),
    Chance.LOOT_DECK: _CARDS,
    Chance.EVENT_DECK: _CARDS,
    Chance.BOSS_DECK: _CARDS,
    Chance.HERO_DRAW: ("", "hero", ""),
    Chance.HERO_DIE: ("day", "seat", "roll and die"),
    Chance.COMBAT_DIE: _COMBAT,
    Chance.POWER_DIE: _COMBAT,
    Chance.SKILL_DIE: _ROLL,
    Chance.BRAMBLE_DIE: _ROLL,
    Chance.WELL_TOKENS: ("shuffle", "token", ""),
    Chance.LAIR_A: _CARDS,
    Chance.LAIR_B: _CARDS,
    Chance.LAIR_DIE: _ROLL,
    Chance.INN_DECK: _CARDS,
    Chance.QUESTS: ("shuffle", "marker", ""),
    Chance.CAMPS: ("shuffle", "camp", ""),
    Chance.PATH_TIE: ("day", "monster", "nth"),
    Chance.PILES: _CARDS,
    Chance.ENRAGE: ("chapter", "type", ""),
}

GAME = Game(
    name="woodlands", title="Explorers of the Woodlands", version=4, seats=SEATS,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill, label=label, labels=LABELS,
    fates=fates, pieces=pieces,
    max_options=256, max_decisions=120_000, max_rounds=60,
    endings=Ending.labels(), kinds=Kind.labels(), measures=MEASURES,
    sources=tuple(Source(chance.label, ADDRESSES[chance]) for chance in Chance),
    words=f"{__name__}.words", standard="classic",
    content={"boss": Content(BOSSES, ("setup.boss",)), "loot": Content(LOOTS), "event": Content(EVENTS),
             "tile": Content(TILES, (*(f"chapter.{n}.layout.tiles" for n in (3, 4, 5)), "chapter.4.layout.camps")),
             "monster": Content(KINDS_OF_MONSTER, ("setup.enraged",)),
             "lair_a": Content(4), "lair_b": Content(4), "inn": Content(5)},
    named="monster",
    limits=(
        "tile faces, bosses, most loot, events, lairs, brambles and layouts of chapters are assumed: they are only "
        "pictured",
        "the inn and the enraged bosses have no rule in the booklet; both are guesses, off by default",
        "the party is of one mind: no table talk, no disagreement",
    ),
)
