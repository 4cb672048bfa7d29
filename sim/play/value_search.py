"""Search by a value function: options are tried, and the positions after them judged.

A position is judged at the next decision of any seat. A game may declare fields that tell the
positions of a turn apart. Then the search goes on within the turn, and only positions at the end of
the turn are judged; the value of a position within it is that of its best option (sparse sampling;
Kearns, Mansour and Ng 2002). Two positions of a turn in which these fields are equal are the same
position to the search, and the first value found is used for both.

The positions between the real one and the trial are kept in *frames*, the real one in frame 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardmode.sim.draws import GOLD, bits, bounded, lucky, mix64
from hardmode.sim.play.candidates import sort_by_gain
from hardmode.sim.play.values import N_FIELDS, N_TURN_FIELDS, evaluate_trial, read_field
from hardmode.sim.play.workspace import (
    DRAW_RANGES,
    MAX_DRAWS,
    MAX_FRAMES,
    MEMO_SIZE,
    REAL,
    ROLLOUTS,
    TRIAL,
)
from hardmode.sim.records import rule

MIN_TRIALS = 12  # of an option of the real position, before any is dropped
TURN_TRIALS = 6  # of an option of a later position, in each stage
# Of so many keys the one with the rarest draws is tried; fewer if there are several draws.
MAX_KEYS, MIN_KEYS = 32, 4


@rule
def is_turn_over(table: Any, model: Any, seat: int, first_round: int) -> Any:
    """Return whether a position is judged, and not searched, in a turn of a seat in a round."""
    is_same_turn = table.seat == seat and table.round == first_round
    return model[N_TURN_FIELDS] == 0 or table.ending >= 0 or not is_same_turn


@rule
def collect_draws(frame: Any, luck: Any) -> None:
    """Add the whole numbers that were logged to the draws of a frame that are known."""
    for i in range(min(luck.log_n, MAX_DRAWS)):
        is_new = frame.n_draws < MAX_DRAWS and luck.log[i, 4] > 1
        for j in range(frame.n_draws):
            is_same = True
            for k in range(4):
                is_same = is_same and frame.draws[j, k] == luck.log[i, k]
            is_new = is_new and not is_same
        if is_new:
            for k in range(5):
                frame.draws[frame.n_draws, k] = luck.log[i, k]
            for r in range(DRAW_RANGES):
                frame.draw_counts[frame.n_draws, r] = 0
            frame.n_draws += 1
            count_draw(frame, luck, frame.n_draws - 1)


@rule
def find_draw_range(frame: Any, luck: Any, j: int) -> int:
    """Return in which of `DRAW_RANGES` ranges a known draw falls."""
    draw = frame.draws[j]
    size = draw[4]
    result = bounded(bits(luck, draw[0], draw[1], draw[2], draw[3]), size)
    return result if size <= DRAW_RANGES else result * DRAW_RANGES // size


@rule
def count_draw(frame: Any, luck: Any, j: int) -> None:
    """Count the range in which a known draw falls."""
    frame.draw_counts[j, find_draw_range(frame, luck, j)] += 1


@rule
def choose_balanced_key(frame: Any, luck: Any, key: Any) -> Any:
    """Return a key under which the known draws have results that were rare so far.

    So the results are spread evenly over few trials. Each result is as likely as any other, since
    the same is done for all results of a draw.
    """
    n_draws = frame.n_draws
    least = 0
    for j in range(n_draws):
        rarest = frame.draw_counts[j, 0]
        for r in range(1, min(DRAW_RANGES, frame.draws[j, 4])):
            rarest = min(rarest, frame.draw_counts[j, r])
        least += rarest
    best_key = mix64(key)
    best = -1
    for c in range(max(MIN_KEYS, MAX_KEYS // n_draws) if n_draws > 0 else 0):
        candidate = mix64(key + np.uint64(c) * GOLD)
        lucky(luck, candidate)
        count = 0
        for j in range(n_draws):
            count += frame.draw_counts[j, find_draw_range(frame, luck, j)]
        if best < 0 or count < best:
            best = count
            best_key = candidate
        if best == least:
            break
    lucky(luck, best_key)
    for j in range(n_draws):
        count_draw(frame, luck, j)
    return best_key


@rule
def open_frame(context: Any, seat: int, level: int, n: int, key: Any) -> None:
    """Begin the search of a position, whose n options stand in its frame.

    Args:
        context: The context of the decision.
        seat: The seat that searches.
        level: The number of the frame.
        n: The number of options.
        key: The key from which trials are sampled.
    """
    workspace = context.workspace
    source = TRIAL if level else REAL
    workspace.frame_tables[level] = workspace.tables[source]
    workspace.frame_hiddens[level] = workspace.hiddens[source]
    frame = workspace.frames[level]
    for i in range(n):
        frame.candidates[i] = i
        frame.values[i] = 0.0
    stages = 1
    while (1 << stages) < n:
        stages += 1
    frame.budget = 0 if level else context.policies.seats.rollout_budget[seat] // stages
    frame.key = key
    frame.left = n
    frame.place = frame.trials = frame.stop = frame.n_draws = 0
    frame.is_random = frame.varies = 0
    add_stage(frame, level)


@rule
def add_stage(frame: Any, level: int) -> None:
    """Let the candidates that are left be tried more often."""
    least = TURN_TRIALS if level else MIN_TRIALS
    frame.stop += max(least, frame.budget // frame.left)


@rule
def play_trial(context: Any, seat: int, level: int) -> None:
    """Take the next option of a frame in the trial."""
    workspace = context.workspace
    frame = workspace.frames[level]
    luck = workspace.lucks[TRIAL]
    hidden = workspace.hiddens[TRIAL]
    if frame.place == 0:
        key = mix64(frame.key + np.uint64(frame.trials) * GOLD)
        frame.trial_key = choose_balanced_key(frame, luck, key)
    workspace.tables[TRIAL] = workspace.frame_tables[level]
    table = workspace.tables[TRIAL]
    lucky(luck, frame.trial_key)
    luck.log_on = frame.trials == 0
    context.rules.redeal(context.box, table, workspace.frame_hiddens[level].own[seat], hidden, luck)
    n_redealt = luck.log_n
    luck.log_n = 0
    option = workspace.frame_options[level, frame.candidates[frame.place]]
    context.rules.take(context.box, table, hidden, luck, option)
    luck.log_on = 0
    if n_redealt + luck.log_n > 0:
        frame.is_random = 1
        collect_draws(frame, luck)
    workspace.totals[ROLLOUTS] += 1


@rule
def add_value(frame: Any, level: int, value: float) -> None:
    """Count the value of the option that was tried last, and go on to the next.

    Where nothing is drawn, one trial is enough. Later positions whose options are worth the same in
    two trials are not tried again.
    """
    i = frame.candidates[frame.place]
    frame.values[i] += value
    if frame.trials == 0:
        frame.first_values[i] = value
    elif value != frame.first_values[i]:
        frame.varies = 1
    frame.place += 1
    if frame.place < frame.left:
        return
    frame.place = 0
    frame.trials += 1
    is_settled = level > 0 and frame.trials == 2 and frame.varies == 0
    if frame.is_random == 0 or is_settled:
        frame.stop = frame.trials
        sort_by_gain(frame.candidates, frame.left, frame.values)
        frame.left = 1


@rule
def hash_turn_position(context: Any, model: Any, seat: int, key: Any) -> Any:
    """Return a key that is the same for positions of the trial that agree in the turn's fields."""
    first = np.int64(model[N_FIELDS])
    for f in range(first, first + np.int64(model[N_TURN_FIELDS])):
        number = read_field(context.workspace, model, f, seat)
        key = mix64(key + np.uint64(number) * GOLD)
    return mix64(key) | np.uint64(1)


@rule
def open_next_frame(context: Any, seat: int, level: int, key: Any) -> Any:
    """Begin the search of the position of the trial, and return whether there are frames for it."""
    workspace = context.workspace
    if level + 1 == MAX_FRAMES:
        return False
    options = workspace.frame_options[level + 1]
    hidden = workspace.hiddens[TRIAL]
    n = context.rules.options(context.box, workspace.tables[TRIAL], hidden, options)
    if n < 1:
        return False
    open_frame(context, seat, level + 1, n, key)
    return True


@rule
def search_with_values(context: Any, seat: int, n: int, default: int, key: Any) -> int:
    """Return the option after which the seat's value function expects most.

    All options are tried in the same determinizations. After each stage the worse half of the
    options is dropped. The mean value of the option is left in `root_value` of the workspace.

    Args:
        context: The context of the decision.
        seat: The seat that searches.
        n: The number of options.
        default: The option that the strategy chose, which wins ties.
        key: The key of the players' randomness at this decision.
    """
    workspace = context.workspace
    model = context.policies.seats.values[seat]
    root = workspace.frames[0]
    for i in range(n):
        workspace.frame_options[0, i] = workspace.lists[REAL, i]
    open_frame(context, seat, 0, n, key)
    if 0 < default < n:
        root.candidates[0] = default
        for i in range(default):
            root.candidates[i + 1] = i
    if model[N_TURN_FIELDS] > 0:
        workspace.memo_keys[:] = 0
    first_round = workspace.tables[REAL].round
    level = 0
    while True:
        frame = workspace.frames[level]
        if frame.trials < frame.stop:
            play_trial(context, seat, level)
            position = np.uint64(0)
            if not is_turn_over(workspace.tables[TRIAL], model, seat, first_round):
                position = hash_turn_position(context, model, seat, key)
            slot = np.int64(position & np.uint64(MEMO_SIZE - 1))
            if position != np.uint64(0) and workspace.memo_keys[slot] == position:
                add_value(frame, level, workspace.memo_values[slot])
            elif position != np.uint64(0) and open_next_frame(context, seat, level, position):
                level += 1
            else:
                add_value(frame, level, evaluate_trial(context, model, seat, first_round))
            continue
        sort_by_gain(frame.candidates, frame.left, frame.values)
        if frame.left > 2:
            frame.left = (frame.left + 1) // 2
            add_stage(frame, level)
            continue
        best = frame.candidates[0]
        value = frame.values[best] / frame.trials
        if level == 0:
            workspace.root_value = value
            return best
        slot = np.int64(frame.key & np.uint64(MEMO_SIZE - 1))
        workspace.memo_keys[slot] = frame.key
        workspace.memo_values[slot] = value
        level -= 1
        add_value(workspace.frames[level], level, value)
