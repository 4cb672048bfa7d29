"""Search by a value function: options are tried, and the positions after them judged.

A position is judged at the next decision of any seat. How a search goes on to the end of a turn is
in `turn_search`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardmode.sim.draws import GOLD, bits, bounded, lucky, mix64
from hardmode.sim.play.candidates import sort_by_gain
from hardmode.sim.play.values import evaluate_trial
from hardmode.sim.play.workspace import DRAW_RANGES, MAX_DRAWS, REAL, ROLLOUTS, TRIAL
from hardmode.sim.records import rule

MIN_TRIALS = 12  # of an option, before any is dropped
# Of so many keys the one with the rarest draws is tried; fewer if there are several draws.
MAX_KEYS, MIN_KEYS = 32, 4


@rule
def collect_draws(balance: Any, luck: Any) -> None:
    """Add the whole numbers that were logged to the draws of a balance that are known."""
    for i in range(min(luck.log_n, MAX_DRAWS)):
        is_new = balance.n_draws < MAX_DRAWS and luck.log[i, 4] > 1
        for j in range(balance.n_draws):
            is_same = True
            for k in range(4):
                is_same = is_same and balance.draws[j, k] == luck.log[i, k]
            is_new = is_new and not is_same
        if is_new:
            for k in range(5):
                balance.draws[balance.n_draws, k] = luck.log[i, k]
            for r in range(DRAW_RANGES):
                balance.draw_counts[balance.n_draws, r] = 0
            balance.n_draws += 1
            count_draw(balance, luck, balance.n_draws - 1)


@rule
def find_draw_range(balance: Any, luck: Any, j: int) -> int:
    """Return in which of `DRAW_RANGES` ranges a known draw falls."""
    draw = balance.draws[j]
    size = draw[4]
    result = bounded(bits(luck, draw[0], draw[1], draw[2], draw[3]), size)
    return result if size <= DRAW_RANGES else result * DRAW_RANGES // size


@rule
def count_draw(balance: Any, luck: Any, j: int) -> None:
    """Count the range in which a known draw falls."""
    balance.draw_counts[j, find_draw_range(balance, luck, j)] += 1


@rule
def choose_balanced_key(balance: Any, luck: Any, key: Any) -> Any:
    """Return a key under which the known draws have results that were rare so far.

    So the results are spread evenly over few trials. Each result is as likely as any other, since
    the same is done for all results of a draw.
    """
    n_draws = balance.n_draws
    least = 0
    for j in range(n_draws):
        rarest = balance.draw_counts[j, 0]
        for r in range(1, min(DRAW_RANGES, balance.draws[j, 4])):
            rarest = min(rarest, balance.draw_counts[j, r])
        least += rarest
    best_key = mix64(key)
    best = -1
    for c in range(max(MIN_KEYS, MAX_KEYS // n_draws) if n_draws > 0 else 0):
        candidate = mix64(key + np.uint64(c) * GOLD)
        lucky(luck, candidate)
        count = 0
        for j in range(n_draws):
            count += balance.draw_counts[j, find_draw_range(balance, luck, j)]
        if best < 0 or count < best:
            best = count
            best_key = candidate
        if best == least:
            break
    lucky(luck, best_key)
    for j in range(n_draws):
        count_draw(balance, luck, j)
    return best_key


@rule
def take_in_trial(context, seat, depth, option, key, is_logged):
    """Take an option of the position of a level in the trial, and return the number of draws.

    Draws are counted only if they are logged.
    """
    workspace = context.workspace
    luck = workspace.lucks[TRIAL]
    hidden = workspace.hiddens[TRIAL]
    workspace.tables[TRIAL] = workspace.level_tables[depth]
    table = workspace.tables[TRIAL]
    lucky(luck, key)
    luck.log_on = is_logged
    context.rules.redeal(context.box, table, workspace.level_hiddens[depth].own[seat], hidden, luck)
    n_redealt = luck.log_n
    luck.log_n = 0
    context.rules.take(context.box, table, hidden, luck, option)
    luck.log_on = 0
    workspace.totals[ROLLOUTS] += 1
    return n_redealt + luck.log_n


@rule
def search_one_step(context: Any, seat: int, n: int, default: int, key: Any) -> int:
    """Return the option after which the value function expects most at the next decision.

    All options are tried in the same determinizations. After each stage the worse half is dropped.
    The mean value of the option is left in `root_value` of the workspace.

    Args:
        context: The context of the decision.
        seat: The seat that searches.
        n: The number of options.
        default: The option that the strategy chose, which wins ties.
        key: The key of the players' randomness at this decision.
    """
    workspace = context.workspace
    workspace.level_tables[0] = workspace.tables[REAL]
    workspace.level_hiddens[0] = workspace.hiddens[REAL]
    workspace.balance.n_draws = 0
    model = context.policies.seats.values[seat]
    candidates = workspace.lists[2]
    values = workspace.gains
    first_round = workspace.tables[REAL].round
    for i in range(n):
        candidates[i] = i
        values[i] = 0.0
    if 0 < default < n:
        candidates[0] = default
        for i in range(default):
            candidates[i + 1] = i
    stages = 1
    while (1 << stages) < n:
        stages += 1
    budget = context.policies.seats.rollout_budget[seat] // stages
    left = n
    trials = stop = 0
    is_random = False
    while True:
        stop += max(MIN_TRIALS, budget // left)
        while trials < stop:
            mixed = mix64(key + np.uint64(trials) * GOLD)
            trial_key = choose_balanced_key(workspace.balance, workspace.lucks[TRIAL], mixed)
            for j in range(left):
                i = candidates[j]
                option = workspace.lists[REAL, i]
                n_draws = take_in_trial(context, seat, 0, option, trial_key, trials == 0)
                if n_draws > 0:
                    is_random = True
                    collect_draws(workspace.balance, workspace.lucks[TRIAL])
                values[i] += evaluate_trial(context, model, seat, first_round)
            trials += 1
            if not is_random:
                stop = trials
        sort_by_gain(candidates, left, values)
        if left <= 2 or not is_random:
            break
        left = (left + 1) // 2
    workspace.root_value = values[candidates[0]] / trials
    return candidates[0]
