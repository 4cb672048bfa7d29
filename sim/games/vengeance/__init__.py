"""Vengeance: Roll & Fight: four rounds of flashback, real-time rolling, combat and resolution in a den of one's own."""

from __future__ import annotations

import hardmode.sim.games.vengeance.components as c
from hardmode.sim.contract import Game, Source
from hardmode.sim.games.vengeance.box import fill
from hardmode.sim.games.vengeance.deal import redeal
from hardmode.sim.games.vengeance.flow import options, setup, take
from hardmode.sim.games.vengeance.measures import ENDINGS, MEASURES, outcome

GAME = Game(
    name="vengeance", title="Vengeance: Roll & Fight", version=2, seats=c.SEATS,
    box=c.Box, table=c.Table, hidden=c.Hidden, own=c.Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    max_options=c.MAX_OPTIONS, max_decisions=40_000, max_rounds=8,
    endings=ENDINGS, kinds=c.KINDS,
    sources=(
        Source("combat dice", ("round and seat", "throw", "die")),
        Source("flashback dice", ("round", "seat", "die")),
        Source("throwing time", ("round and seat", "throw", "")),
        Source("assigning time", ("round and seat", "group", "")),
        Source("drawing time", ("round and seat", "draw", "die")),
        Source("life bar time", ("round and seat", "placement", "")),
        Source("speed of players", ("seat", "", "")),
        Source("mishaps", ("round and seat", "event", "kind")),
        Source("ties in time", ("round and seat", "throw and group", "draw and placement")),
        Source("heroes", ("deal", "card", "")),
        Source("den boards", ("deal", "board", "")),
        Source("den sides", ("seat", "", "")),
        Source("boss cards", ("deal", "card", "")),
        Source("leftover dice", ("seat", "", "")),
    ),
    measures=MEASURES,
    standard="solo-medium", words=f"{__name__}.words", competitive=True, scored=True,
    limits=(
        "Heroes, skills, items, dens, tracks and all Bosses but one are assumed: the printed ones are not published.",
        "Real time is a model: log-normal durations, no talk, no hesitation beyond the pauses that are set.",
        "Both boxes together (5 to 8 players) are not simulated.",
    ),
)
