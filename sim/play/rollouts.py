"""What can still come of a game: a position played on in many worlds that nobody could tell from the real one.

In each world all that is hidden from a point of view is dealt afresh, the luck to come is new, and the players of the
game play on, each as it does (a player who searches, as what it builds on). The point of view is fixed, whoever is to
decide, so that the odds do not move when the turn passes from one who knows much to one who knows little.

The same world is played from every position of a game, so that differences between positions and between options
show after few worlds. Its luck has nothing to do with the luck of the game.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types

from hardmode.sim.compile.cache import entry
from hardmode.sim.contract import WINNERS, Game
from hardmode.sim.draws import GOLD, LUCK, game_key, lucky, mix64
from hardmode.sim.play import kernel, workspace
from hardmode.sim.play.decisions import Rules, chosen, coin_key, playout
from hardmode.sim.play.engine import Desk, Engine, columns
from hardmode.sim.play.workspace import OFFERED, REAL, TRIAL
from hardmode.sim.records import PLAIN, blank, is_ours, rule

TOGETHER = (
    -1
)  # the point of view of all who play: what they know when they put all that they hold together
PLAYED = -1  # in place of an option: what the player chooses
IMPOSSIBLE = -1  # in place of winners: the option could not have been taken in this world

ASK = np.dtype(
    [
        ("seat", "i8"),
        ("apart", "i8"),  # the point of view, and whether the game tells one from another
        ("taking", "i8"),
        ("option", "i8"),  # whether an option is taken, and which
        ("step", "i8"),
        ("limit", "i8"),
        ("lo", "i8"),
        ("hi", "i8"),
        ("key", "u8"),
    ],
    align=True,
)
_WORLDS = np.uint64(0x0DD50F0A11A5A3D7)


@rule
def deal_world(box, desk, redeal, redeal_for, ask, key):
    """A world that looks like the real one: what is hidden from the point of view is dealt afresh."""
    table, hidden, luck = desk.tables[TRIAL], desk.hiddens[TRIAL], desk.lucks[TRIAL]
    desk.tables[TRIAL] = desk.tables[REAL]
    lucky(luck, key)
    if ask.apart:
        desk.hiddens[TRIAL] = desk.hiddens[REAL]
        redeal_for(box, table, ask.seat, hidden, luck)
    else:
        redeal(box, table, desk.hiddens[REAL].own[table.seat], hidden, luck)


@rule
def place_of(codes, n, option):
    """Where an option stands in a list; -1 where it is not there."""
    for i in range(n):
        if codes[i] == option:
            return i
    return -1


def look(
    boxes,
    desks,
    setup,
    options,
    take,
    redeal,
    outcome,
    label,
    redeal_for,
    choose,
    careless,
    players,
    asks,
    winners,
    taken,
):
    """Play the position at the real table on in worlds lo..hi-1; write who wins each, and the option taken first."""
    box, desk, seats, ask = boxes[0], desks[0], players[0], asks[0]
    rules = Rules(setup, options, take, redeal, outcome, label)
    table, hidden, luck, codes = (
        desk.tables[TRIAL],
        desk.hiddens[TRIAL],
        desk.lucks[TRIAL],
        desk.lists[TRIAL],
    )
    for w in range(ask.lo, ask.hi):
        deal_world(
            box, desk, redeal, redeal_for, ask, mix64(np.uint64(ask.key) + np.uint64(w) * GOLD)
        )
        n = options(box, table, hidden, codes)
        if ask.taking:
            i = place_of(codes, n, ask.option)
        elif n > 1:
            i = chosen(
                box, desk, choose, careless, seats, TRIAL, n, coin_key(luck.key, ask.step), True
            )
        else:
            i = n - 1
        winners[w - ask.lo] = IMPOSSIBLE
        if 0 <= i < n:
            taken[w - ask.lo] = codes[i]
            take(box, table, hidden, luck, codes[i])
            playout(box, desk, rules, choose, careless, seats, ask.step + 1, ask.limit, True)
            winners[w - ask.lo] = desk.cells[WINNERS]


def _nobody(box, table, view, hidden, luck):
    """For a game that tells no point of view from another."""


@cache
def _look(game: Game) -> tuple[Any, Any]:
    """Compiled for a game: what looks, and what deals afresh from a point of view."""
    view = game.redeal_for or _nobody
    if PLAIN:
        return look, view
    made, i8 = kernel.signatures(game), numba.int64
    box, table, hidden, luck = (
        numba.from_dtype(d) for d in (game.box, game.table, game.hidden, LUCK)
    )
    made["redeal_for"] = types.void(box, table, i8, hidden, luck)
    first = {
        name: types.FunctionType(made[name]) for name in (*Rules._fields, "redeal_for", "choose")
    }
    who, others = (types.UniTuple(first["choose"], n * game.seats) for n in (1, 2))
    desk, seats, ask = (
        numba.from_dtype(d) for d in (workspace.desk_of(game), workspace.seats_of(game), ASK)
    )
    sign = types.void(
        box[::1],
        desk[::1],
        *(first[name] for name in Rules._fields),
        first["redeal_for"],
        who,
        others,
        seats[::1],
        ask[::1],
        i8[::1],
        i8[::1],
    )
    return (
        entry(look, sign, name=f"{game.name} look"),
        entry(
            view, made["redeal_for"], boundscheck=not is_ours(view), name=f"{game.name} redeal_for"
        ),
    )


class Worlds:
    """The games of an engine and a seed, at any of their steps, played on in worlds."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.engine, self.seed = engine, seed
        self._look, self._view = _look(engine.game)
        self._out = columns(engine.game, 1)

    def stand(self, desk: Desk, number: int, script: np.ndarray, step: int) -> int:
        """Bring a game to a step of the choices that were made in it; returns how many options there are now."""
        self.engine.play(
            desk, self.seed, number, number + 1, self._out.copy(), script=script, stop=step
        )
        return int(desk.totals[OFFERED])

    def winners(
        self,
        desk: Desk,
        number: int,
        step: int,
        lo: int,
        hi: int,
        *,
        view: int = TOGETHER,
        taking: int = PLAYED,
        salt: int = 0,
        alone: bool = False,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Who wins in worlds lo..hi-1 from where a desk stands, as bits by seat, and the option taken first in each.

        `taking` is the place of that option, where it is not left to the player. Worlds of another salt are others.
        With `alone`, what the seat to decide cannot know is dealt afresh, whoever else could know it.
        """
        game, (found, taken) = self.engine.game, np.zeros((2, hi - lo), np.int64)
        ask = blank(ASK)
        with np.errstate(over="ignore"):
            key = mix64((game_key(self.seed, number) ^ _WORLDS) + np.uint64(salt) * GOLD)
        option = 0 if taking == PLAYED else int(np.asarray(desk.lists)[REAL, taking])
        ask.view(np.ndarray)[0] = (
            view,
            not alone and game.redeal_for is not None,
            taking != PLAYED,
            option,
            step,
            game.max_decisions,
            lo,
            hi,
            key,
        )
        self.engine.look(self._look, desk, self._view, ask, found, taken)
        return found, taken
