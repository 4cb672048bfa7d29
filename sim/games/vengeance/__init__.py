"""Vengeance: Roll & Fight: four rounds of flashback, real-time rolling, combat and resolution in a den of one's own."""

from __future__ import annotations

import hardmode.sim.games.vengeance.components as c
from hardmode.sim.contract import Game, Measure, Source
from hardmode.sim.games.vengeance.box import fill
from hardmode.sim.games.vengeance.deal import redeal
from hardmode.sim.games.vengeance.flow import options, setup, take
from hardmode.sim.games.vengeance.scoring import ENDINGS, outcome


def _seat(name: str, help: str, **more: object) -> Measure:
    return Measure(name, help, per_seat=True, **more)  # type: ignore[arg-type]


_FOLLOWED = (
    Measure("score so far", "the scores of all seats together", curve=True),
    Measure("dice used so far", "dice assigned by all seats", curve=True),
    Measure("minions crossed so far", "minions crossed in all dens", curve=True),
    Measure("boss wounds so far", "wounds given to all Bosses", curve=True),
    Measure("wounds now", "crossed life slots of all seats", curve=True),
)
_FACTS = (
    _seat("hero", "the hero of the seat", names="hero", factor=True),
    _seat("boss", "the Boss of the seat", names="boss", factor=True),
    _seat("den", "the den side of the seat", names="den", factor=True),
    _seat("loot points", "what the loot track scores"),
    _seat("training points", "what the training track scores"),
    _seat("boss points", "what the wounds of the Boss score"),
    _seat("kill points", "the bonus for killing the Boss"),
    _seat("objective points", "what marked objectives score"),
    _seat("exit points", "what the way out costs, 0 or less"),
    _seat("boss damage", "wounds given to the Boss"),
    _seat("minions crossed", "minions crossed"),
    _seat("rooms visited", "rooms visited, START included"),
    _seat("loot boxes", "loot boxes crossed"),
    _seat("experience", "experience slots marked"),
    _seat("experience spent", "experience slots spent on skill tiles"),
    _seat("wounds left", "crossed life slots at the end"),
    _seat("kos", "times knocked out"),
    _seat("eliminated", "knocked out for good"),
    _seat("objectives marked", "objectives marked"),
    *(_seat(f"item {k + 1} bought", f"uses of the hero's item {k + 1} that were stored") for k in range(c.ITEMS)),
)
_COUNTS = (
    _seat("throws", "throws of dice"),
    _seat("groups", "groups of dice assigned"),
    _seat("dice used", "dice assigned to skills or the life bar"),
    _seat("dice used in round 1", "of these, in the first round"),
    _seat("life dice", "W dice placed on the life bar"),
    _seat("wounds taken", "life slots crossed"),
    _seat("dice lost to W", "dice that ended a roll phase locked"),
    _seat("phases ended by timer", "roll phases in which the clock stopped the drawing, or the throws were used up"),
    _seat("phases ended by pool", "roll phases that ended with an empty pool"),
    _seat("phases ended stuck", "roll phases that ended with locked dice only, though there was a pool and time"),
    _seat("phases ended by choice", "roll phases that the player ended, though there was a pool and time"),
    _seat("hands stuck", "roll phases that ended with locked dice only, whatever else was over"),
    _seat("time left", "tenths of a second left on the clock, all roll phases together"),
    _seat("time rolled", "tenths of a second spent in roll phases"),
    _seat("dice left in pool", "dice left in the pool, all roll phases together"),
    _seat("throw cap hit", "roll phases that ran into the cap on throws"),
    *(_seat(f"skill {k + 1} bought", f"times the hero's skill {k + 1} was bought") for k in range(c.OWN_SKILLS)),
    *(_seat(f"{name} used", f"uses of {name}") for name in c.BASIC_NAMES),
    *(_seat(f"skill {k + 1} used", f"uses of the hero's skill {k + 1}") for k in range(c.OWN_SKILLS)),
    *(_seat(f"item {k + 1} used", f"uses of the hero's item {k + 1}") for k in range(c.ITEMS)),
)

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
    measures=(*_FOLLOWED, *_FACTS, *_COUNTS),
    standard="solo-medium", words=f"{__name__}.words", competitive=True, scored=True,
    limits=(
        "Heroes, skills, items, dens, tracks and all Bosses but one are assumed: the printed ones are not published.",
        "Real time is a model: log-normal durations, no talk, no hesitation beyond the pauses that are set.",
        "Both boxes together (5 to 8 players) are not simulated.",
    ),
)
