"""What a search is charged for foresight, and how the values are learned by which it is measured.

A charge compares the position to which an option led with all those to which it could have led. So
values are needed at every step. The value function of a player judges only the ends of turns if the
game declares fields of a turn (see `turn_search`). The values of all other positions are then
learned from those of the positions that may follow (value iteration): the value of a position is
the mean over the draws of its best option, or of the option that a rival chooses.

Positions count as the same if they agree in all that the value function reads, in the fields of the
turn, and in the seat to move. They are listed as they are found, from the first position of a game
that is not searched itself: charges must not depend on the draws of a game that is searched.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardmode.sim.draws import GOLD, mix64
from hardmode.sim.play.hindsight.positions import (
    compute_gain,
    find_slot,
    open_frame,
    take_in_trial,
)
from hardmode.sim.play.turn_search import find_scheme, hash_fields
from hardmode.sim.play.values import N_FIELDS, N_TURN_FIELDS, SCORE_WEIGHT, evaluate_trial
from hardmode.sim.play.workspace import REAL, TRIAL
from hardmode.sim.records import rule

MAX_TRIALS = 36  # of an option, to find the mean over its draws: all results of two dice

_FRESH = np.uint64(0x6A09E667F3BCC908)


@rule
def compute_charge(context: Any, search: Any, level: int) -> float:
    """Return the charge for the option that led from the position at a depth to the real one."""
    workspace = context.workspace
    workspace.tables[TRIAL] = workspace.tables[REAL]
    workspace.hiddens[TRIAL] = workspace.hiddens[REAL]
    value = judge_trial(context, search)
    return value - estimate_mean(context, search, level)


@rule
def estimate_mean(context: Any, search: Any, level: int) -> float:
    """Return the mean value of the positions to which the present option of a frame may lead.

    It is exact if all results of its draws fit into the trials, and otherwise right on average (see
    `turn_search`). The draws of the trials are independent of those of the game.
    """
    workspace = context.workspace
    frame = search.frames[level]
    option = search.options[level, frame.place]
    key = mix64(np.uint64(workspace.lucks[REAL].key) ^ _FRESH)
    key = mix64(key ^ frame.key) + np.uint64(option) * GOLD
    take_in_trial(context, search, level, option, key)
    scheme = find_scheme(workspace, MAX_TRIALS, key)
    n = workspace.schemes[scheme].n_keys
    total = 0.0
    for t in range(n):
        take_in_trial(context, search, level, option, workspace.trial_keys[scheme, t])
        total += judge_trial(context, search)
    return total / n


@rule
def judge_trial(context: Any, search: Any) -> float:
    """Return what the position of the trial is worth to the solver.

    This is its gain if the game is over, the value that was learned for it, or what the value
    function expects. While values are learned, a new position is added to the list.
    """
    workspace = context.workspace
    table = workspace.tables[TRIAL]
    if table.ending >= 0:
        return compute_gain(context, search, TRIAL)
    key = hash_trial(context, search)
    slot = find_slot(search.learned_keys, key)
    if search.learned_keys[slot] == key:
        return search.learned_values[slot]
    # As if this were the round of the end, so that nothing is discounted.
    value = evaluate_trial(context, search.model, max(0, search.seat), table.round)
    if search.is_score:
        value /= search.model[SCORE_WEIGHT]
    n = search.n_learned[0]
    if search.is_learning and n < search.learned_tables.shape[0]:
        search.learned_keys[slot] = key
        search.learned_values[slot] = value
        search.learned_tables[n] = table
        search.learned_hiddens[n] = workspace.hiddens[TRIAL]
        search.n_learned[0] = n + 1
    return value


@rule
def hash_trial(context: Any, search: Any) -> Any:
    """Return a hash of the seat to move in the trial, and of all fields of the value function."""
    model = search.model
    n = np.int64(model[N_FIELDS] + model[N_TURN_FIELDS])
    key = mix64(np.uint64(context.workspace.tables[TRIAL].seat) + GOLD)
    return hash_fields(context.workspace, model, max(0, search.seat), 0, n, key)


@rule
def learn_values(context: Any, search: Any) -> float:
    """Learn the value of every position in the list once, and return the largest change of one.

    At first, all positions are listed that may follow the real one, as far as there is room. They
    are learned from the last one to the first, since each needs the values of those after it.
    """
    workspace = context.workspace
    if search.n_learned[0] == 0:
        workspace.tables[TRIAL] = workspace.tables[REAL]
        workspace.hiddens[TRIAL] = workspace.hiddens[REAL]
        judge_trial(context, search)
        i = 0
        while i < search.n_learned[0]:
            learn_value(context, search, i)
            i += 1
    change = 0.0
    for i in range(search.n_learned[0] - 1, -1, -1):
        change = max(change, learn_value(context, search, i))
    return change


@rule
def learn_value(context: Any, search: Any, i: int) -> float:
    """Learn the value of position i in the list from those that may follow; return its change."""
    workspace = context.workspace
    for place in (REAL, TRIAL):
        workspace.tables[place] = search.learned_tables[i]
        workspace.hiddens[place] = search.learned_hiddens[i]
    key = hash_trial(context, search)
    open_frame(context, search, 0, key)
    frame = search.frames[0]
    while frame.place < frame.n:
        frame.best = max(frame.best, estimate_mean(context, search, 0))
        frame.place += 1
    slot = find_slot(search.learned_keys, key)
    change = abs(frame.best - search.learned_values[slot])
    search.learned_values[slot] = frame.best
    return change
