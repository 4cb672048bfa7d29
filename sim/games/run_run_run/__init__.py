"""Run Run Run! by Bruno Cathala and Anthony Perone: Cats, mummies, and a maze that they share."""

from hardmode.sim.contract import Game, Source
from hardmode.sim.games.run_run_run.box import fill
from hardmode.sim.games.run_run_run.choices import options, take
from hardmode.sim.games.run_run_run.deal import redeal, setup
from hardmode.sim.games.run_run_run.records import KINDS, SEATS, Box, Hidden, Own, Table
from hardmode.sim.games.run_run_run.measures import ENDINGS, MEASURES, outcome

SOURCES = (
    Source("room deck", ("shuffle", "card", "")),
    Source("hero tiles", ("shuffle", "hero", "")),
    Source("boss cards", ("", "", "")),
    Source("mummy pile", ("reshuffle", "mummy", "")),
    Source("sarcophagus pile", ("shuffle", "token", "")),
    Source("mummy dice", ("turn", "die", "")),
    Source("combat dice", ("turn", "die", "")),
    Source("cards lost to attacks", ("turn", "card", "loss of the turn")),
    Source("cards out of the discard pile", ("turn", "card", "")),
    Source("waking room", ("awakening", "", "")),
    Source("print of the rooms", ("feature", "card", "")),
    Source("order of the hidden pool", ("turn", "card", "")),
)

GAME = Game(
    name="run_run_run", title="Run Run Run!", version=1, seats=SEATS,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    max_options=1024, max_decisions=20000, max_rounds=60,
    endings=ENDINGS, kinds=KINDS, sources=SOURCES, measures=MEASURES,
    words=f"{__name__}.words", unit="rounds",
    limits=("talk beyond a reserved hex and a coarse flag is not simulated",),
)
