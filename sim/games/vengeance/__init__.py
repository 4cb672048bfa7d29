"""Vengeance: Roll & Fight: four rounds of flashback, real-time rolling, combat and resolution in a den of one's own."""

from __future__ import annotations

from hardmode.sim import contract
from hardmode.sim.contract import Content, Game
from hardmode.sim.games.vengeance.box import fill
from hardmode.sim.games.vengeance.decisions import options, take
from hardmode.sim.games.vengeance.labels import LABELS, label
from hardmode.sim.games.vengeance.measures import MEASURES, outcome
from hardmode.sim.games.vengeance.names import (
    ITEMS,
    MAX_BOSSES,
    MAX_HEROES,
    MAX_OPTIONS,
    MAX_ROOMS,
    OWN_SKILLS,
    SEATS,
    SIDES,
    Ending,
    Kind,
    Source,
)
from hardmode.sim.games.vengeance.pieces import board_of, fates
from hardmode.sim.games.vengeance.records import Box, Hidden, Own, Table
from hardmode.sim.games.vengeance.redeal import redeal, redeal_for
from hardmode.sim.games.vengeance.setup import setup

GAME = Game(
    name="vengeance", title="Vengeance: Roll & Fight", version=3, seats=SEATS,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, redeal_for=redeal_for,
    outcome=outcome, fill=fill, label=label, labels=LABELS, fates=fates,
    max_options=MAX_OPTIONS, max_decisions=40_000, max_rounds=8,
    endings=Ending.labels(), kinds=Kind.labels(),
    sources=tuple(contract.Source(source.label, source.address) for source in Source),
    measures=MEASURES,
    standard="solo-medium", words=f"{__name__}.words", competitive=True, scored=True,
    content={
        "hero": Content(MAX_HEROES, ("setup.heroes",)), "hero.*.skill": Content(OWN_SKILLS),
        "hero.*.item": Content(ITEMS), "boss": Content(MAX_BOSSES, ("setup.bosses",)),
        "den": Content(SIDES, ("setup.boards",), board_of), "den.*.room": Content(MAX_ROOMS),
    },
    unreached={
        "skill 7 used": "the seventh skill of every hero in the box is passive; a box of one's own may have others",
        "throw cap hit": "a guard: nobody throws so often in one phase",
    },
    limits=(
        "Heroes, skills, items, dens, tracks and all Bosses but one are assumed: the printed ones are not published.",
        "Real time is a model: log-normal durations, no talk, no hesitation beyond the pauses that are set.",
        "Both boxes together (5 to 8 players) are not simulated.",
    ),
)
