"""Search of all that can be done in a game whose draws are known.

The tree of decisions is searched depth first, without recursion: a *frame* holds a position on the
way from the first one, with the options that are left to try. A position that is reached again by
another way is not searched again; it is recognized by a hash of its records.

Before the search for a win, some games are played as the strategies play, with more and more random
choices for the solver. This finds many wins in large trees, whose search would be left.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardmode.sim.draws import GOLD, bounded, mix64
from hardmode.sim.play.decisions import choose_as_player, make_player_key, makes_mistake
from hardmode.sim.play.hindsight.charges import compute_charge
from hardmode.sim.play.hindsight.positions import (
    choose_for_rival,
    compute_gain,
    find_slot,
    hash_position,
    is_own,
    open_frame,
)
from hardmode.sim.play.workspace import REAL
from hardmode.sim.records import rule

MISTAKE_RATES = (0.0, 0.03, 0.1, 0.3)  # of the plays that are tried, in turn

UNFINISHED = -np.inf  # stands for the value of a position that is still searched

_ATTEMPT = np.uint64(0xBB67AE8584CAA73B)


@rule
def play_attempt(context: Any, search: Any, attempt: int) -> float:
    """Play on from the real position by the strategies, and return what the solver has then.

    The solver makes no random choices in the first attempt, which is number 0.
    """
    workspace = context.workspace
    table = workspace.tables[REAL]
    hidden = workspace.hiddens[REAL]
    luck = workspace.lucks[REAL]
    codes = workspace.lists[REAL]
    own_key = np.uint64(luck.key)
    if attempt > 0:
        own_key = mix64((own_key ^ _ATTEMPT) + np.uint64(attempt) * GOLD)
    rate = MISTAKE_RATES[attempt % len(MISTAKE_RATES)]
    step = 0
    while table.ending < 0 and step < search.max_steps:
        n = context.rules.options(context.box, table, hidden, codes)
        i = 0
        if n > 1 and is_own(search, table.seat):
            key = make_player_key(own_key, step)
            i = choose_as_player(context, REAL, n, key)
            if makes_mistake(key, rate):
                i = bounded(mix64(key + GOLD), n)
        elif n > 1:
            i = choose_for_rival(context, search, n, hash_position(workspace, search.masks))
        context.rules.take(context.box, table, hidden, luck, codes[i if 0 <= i < n else 0])
        step += 1
    return compute_gain(context, search, REAL) if table.ending >= 0 else 0.0


@rule
def find_best(context: Any, search: Any) -> float:
    """Return the most that the solver can get from the real position on, less all charges.

    It is not a number if the search was left, because the tree has too many positions or decisions,
    or because a position leads back to itself. Where a win is searched for without charges, a way
    back is no reason to leave: it brings nothing.
    """
    workspace = context.workspace
    table = workspace.tables[REAL]
    if table.ending >= 0:
        return compute_gain(context, search, REAL)
    is_win = not search.is_score and not search.is_charged
    enough = 1.0 if is_win else np.inf
    search.keys[:] = 0
    nodes = 1
    level = 0
    open_frame(context, search, level, hash_position(workspace, search.masks))
    while True:
        frame = search.frames[level]
        if frame.place == frame.n or frame.best >= enough:
            if level == 0:
                return frame.best
            search.values[find_slot(search.keys, frame.key)] = frame.best
            level -= 1
            update_best(search.frames[level], frame.best)
            continue
        take_next(context, search, level)
        if table.ending >= 0:
            update_best(frame, compute_gain(context, search, REAL))
            continue
        key = hash_position(workspace, search.masks)
        slot = find_slot(search.keys, key)
        if search.keys[slot] == key:
            if search.values[slot] == UNFINISHED and not is_win:
                return np.nan
            update_best(frame, search.values[slot])
            continue
        if nodes == search.max_nodes or level + 1 == search.frames.shape[0]:
            return np.nan
        search.keys[slot] = key
        search.values[slot] = UNFINISHED
        nodes += 1
        level += 1
        open_frame(context, search, level, key)


@rule
def take_next(context: Any, search: Any, level: int) -> None:
    """Take the next option of a frame in the real position, and note what is charged for it."""
    workspace = context.workspace
    frame = search.frames[level]
    workspace.tables[REAL] = search.tables[level]
    workspace.hiddens[REAL] = search.hiddens[level]
    table = workspace.tables[REAL]
    option = search.options[level, frame.place]
    context.rules.take(context.box, table, workspace.hiddens[REAL], workspace.lucks[REAL], option)
    frame.charge = compute_charge(context, search, level) if search.is_charged else 0.0


@rule
def update_best(frame: Any, value: float) -> None:
    """Note what the option of a frame brings that was taken last, and go on to the next one."""
    frame.best = max(frame.best, value - frame.charge)
    frame.place += 1
