"""Run Run Run! by Bruno Cathala and Anthony Perone: Cats, mummies, and a maze that they share."""

from hardmode.sim import contract
from hardmode.sim.games.run_run_run.box import fill
from hardmode.sim.games.run_run_run.decisions import options, take
from hardmode.sim.games.run_run_run.labels import LABELS, label
from hardmode.sim.games.run_run_run.measures import ENDINGS, MEASURES, outcome
from hardmode.sim.games.run_run_run.names import BOSSES, MUMMIES, SEATS, Kind, Source
from hardmode.sim.games.run_run_run.pieces import fates, pieces
from hardmode.sim.games.run_run_run.records import Box, Hidden, Own, Table
from hardmode.sim.games.run_run_run.redeal import redeal, redeal_for
from hardmode.sim.games.run_run_run.setup import setup

ADDRESSES = {
    Source.ROOM_DECK: ("shuffle", "card", ""),
    Source.HERO_TILES: ("shuffle", "hero", ""),
    Source.BOSS_CARDS: ("", "", ""),
    Source.MUMMY_PILE: ("reshuffle", "mummy", ""),
    Source.TOKEN_PILE: ("shuffle", "token", ""),
    Source.MUMMY_DIE: ("turn", "die", ""),
    Source.COMBAT_DIE: ("turn", "die", ""),
    Source.WOUND: ("turn", "card", "loss of the turn"),
    Source.DISCARDS: ("turn", "card", ""),
    Source.WAKING_ROOM: ("awakening", "", ""),
    Source.PRINTING: ("feature", "card", ""),
    Source.POOL_ORDER: ("turn", "card", ""),
}

GAME = contract.Game(
    name="run_run_run", title="Run Run Run!", version=3, seats=SEATS,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, redeal_for=redeal_for,
    outcome=outcome, fill=fill, label=label, labels=LABELS, fates=fates, pieces=pieces,
    max_options=1024, max_decisions=20000, max_rounds=60,
    endings=ENDINGS, kinds=Kind.labels(),
    sources=tuple(contract.Source(source.label, ADDRESSES[source]) for source in Source), measures=MEASURES,
    words=f"{__name__}.words", unit="rounds",
    content={"bosses": contract.Content(BOSSES, ("setup.boss",)), "mummies": contract.Content(len(MUMMIES))},
    named="mummies",
    unreached={
        "no card left after cooperating": "a caller would have to leave somebody who joined without a share",
        "turn limit": "a guard against strategies that go on for ever; no shipped one comes near it",
    },
    limits=("talk beyond a reserved hex and a coarse flag is not simulated",),
)
