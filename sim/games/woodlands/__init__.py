"""Explorers of the Woodlands: a co-operative journey through a forest that grows, to find and beat its boss."""

from hardmode.sim.contract import Game, Source
from hardmode.sim.games.woodlands.box import Box, fill
from hardmode.sim.games.woodlands.decisions import options, take
from hardmode.sim.games.woodlands.measures import MEASURES, outcome
from hardmode.sim.games.woodlands.redeal import redeal
from hardmode.sim.games.woodlands.setup import setup
from hardmode.sim.games.woodlands.table import ENDINGS, KINDS, SEATS, Hidden, Own, Table

_COMBAT = ("day", "turn and combat", "die and reroll")

SOURCES = (
    Source("tile stack", ("shuffle", "tile", "")), Source("monster stack", ("shuffle", "token", "")),
    Source("loot deck", ("shuffle", "card", "")), Source("event deck", ("shuffle", "card", "")),
    Source("boss deck", ("shuffle", "card", "")), Source("choice of heroes", ("", "hero", "")),
    Source("hero dice", ("day", "seat", "roll and die")), Source("combat dice", _COMBAT),
    Source("power dice", _COMBAT), Source("boss skill die", ("day", "seat", "nth")),
    Source("bramble die", ("day", "seat", "nth")), Source("orb tokens", ("shuffle", "token", "")),
    Source("lair deck A", ("shuffle", "card", "")), Source("lair deck B", ("shuffle", "card", "")),
    Source("lair die", ("day", "seat", "nth")), Source("inn deck", ("shuffle", "card", "")),
    Source("quest markers", ("shuffle", "marker", "")), Source("camp markers", ("shuffle", "camp", "")),
    Source("monsters' ways", ("day", "monster", "nth")), Source("loot piles", ("shuffle", "card", "")),
    Source("waking of the forest", ("chapter", "type", "")),
)

GAME = Game(
    name="woodlands", title="Explorers of the Woodlands", version=2, seats=SEATS,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    max_options=256, max_decisions=120_000, max_rounds=60,
    endings=ENDINGS, kinds=KINDS, sources=SOURCES, measures=MEASURES,
    words=f"{__name__}.words", standard="classic",
    limits=(
        "tile faces, bosses, most loot, events, lairs, brambles and layouts of chapters are assumed: they are only "
        "pictured",
        "the inn and the enraged bosses have no rule in the booklet; both are guesses, off by default",
        "the party is of one mind: no table talk, no disagreement",
    ),
)
