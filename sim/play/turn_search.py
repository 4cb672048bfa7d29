"""Search to the end of a turn by a value function, which judges only positions there.

Where turns are long, a game may name kinds of decisions before which positions are judged, too.
A game declares fields that tell the positions of a turn apart. The value of a position within the
turn is that of its best option (expectimax; sparse sampling, Kearns, Mansour and Ng 2002, where not
all results of the draws can be tried).

Options with the same draws are tried under the same keys, the *scheme* of these draws. Under these
keys each combination of results occurs equally often, and once if all fit into the trials of an
option: then its value is exact. What was found is remembered: positions that agree in the fields of
the turn are the same to the search, and so are options with the same code that lead to the same
position under one key.

A *level* is the number of decisions after the real one, with the position that is searched there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hardmode.sim.draws import GOLD, bits, bounded, lucky, mix64
from hardmode.sim.play.value_search import take_in_trial
from hardmode.sim.play.values import (
    DISCOUNT,
    JUDGED_KINDS,
    N_FIELDS,
    N_TURN_FIELDS,
    compute_utility,
    predict,
    raise_to_rounds,
    read_field,
)
from hardmode.sim.play.workspace import (
    MAX_DRAWS,
    MAX_LEVELS,
    MAX_SCHEMES,
    MAX_TURN_TRIALS,
    MEMO_SIZE,
    REAL,
    TRIAL,
)
from hardmode.sim.records import rule

SETTLING_TRIALS = 6  # of an option that ends the turn, after which equal values need no more
UNKNOWN = -1  # trials of an option of which it is not known how often it is to be tried


@rule
def is_turn_over(table: Any, seat: int, first_round: int) -> Any:
    """Return whether the turn of a seat in a round is over."""
    return table.ending >= 0 or table.seat != seat or table.round != first_round


@rule
def is_of_judged_kind(table: Any, model: Any) -> Any:
    """Return whether a position is one of those within a turn that a value function judges."""
    return (np.int64(model[JUDGED_KINDS]) >> table.kind) & 1 != 0


@rule
def is_judged(table: Any, model: Any, seat: int, first_round: int) -> Any:
    """Return whether a value function judges a position in a turn of a seat in a round."""
    is_searched = model[N_TURN_FIELDS] > 0 and not is_of_judged_kind(table, model)
    return not is_searched or is_turn_over(table, seat, first_round)


@rule
def hash_fields(workspace: Any, model: Any, seat: int, first: int, n: int, key: Any) -> Any:
    """Return a key, never 0, that is the same for trials that agree in n fields of a model."""
    for f in range(first, first + n):
        number = read_field(workspace, model, f, seat)
        key = mix64(key + np.uint64(number) * GOLD)
    return mix64(key) | np.uint64(1)


@rule
def hash_turn_position(context: Any, model: Any, seat: int, key: Any) -> Any:
    """Return a key that is the same for positions of the trial that agree in the turn's fields."""
    first = np.int64(model[N_FIELDS])
    n = np.int64(model[N_TURN_FIELDS])
    return hash_fields(context.workspace, model, seat, first, n, key)


@rule
def is_known(workspace: Any, key: Any) -> Any:
    """Return whether a value is remembered under a key."""
    return workspace.memo_keys[np.int64(key & np.uint64(MEMO_SIZE - 1))] == key


@rule
def recall(workspace: Any, key: Any) -> float:
    """Return the value that is remembered under a key."""
    return workspace.memo_values[np.int64(key & np.uint64(MEMO_SIZE - 1))]


@rule
def remember(workspace: Any, key: Any, value: float) -> None:
    """Remember a value under a key, in place of another one if need be."""
    slot = np.int64(key & np.uint64(MEMO_SIZE - 1))
    workspace.memo_keys[slot] = key
    workspace.memo_values[slot] = value


@rule
def judge_trial(context: Any, model: Any, seat: int, first_round: int, key: Any) -> float:
    """Return the same as `evaluate_trial`; the network is asked once for equal positions."""
    workspace = context.workspace
    utility = compute_utility(context, model, seat)
    table = workspace.tables[TRIAL]
    if table.ending >= 0:
        return utility
    n_fields = np.int64(model[N_FIELDS])
    position = hash_fields(workspace, model, seat, 0, n_fields, mix64(key))
    if not is_known(workspace, position):
        remember(workspace, position, predict(workspace, model, seat))
    factor = raise_to_rounds(model[DISCOUNT], table.round - first_round)
    return utility + factor * recall(workspace, position)


@rule
def find_stratum(scheme: Any, luck: Any, n: int) -> int:
    """Return the number of the combination of results of the first n draws of a scheme."""
    stratum = 0
    for j in range(n):
        draw = scheme.draws[j]
        word = bits(luck, draw[0], draw[1], draw[2], draw[3])
        stratum = stratum * draw[4] + bounded(word, draw[4])
    return stratum


@rule
def find_scheme(workspace: Any, trials: int, key: Any) -> int:
    """Return the number of the scheme of keys for the draws in the log of the trial.

    Options with the same draws have the same scheme, and so the same trials.

    Args:
        workspace: The workspace.
        trials: The most trials of an option.
        key: The key of the decision.
    """
    luck = workspace.lucks[TRIAL]
    for i in range(min(luck.log_n, MAX_DRAWS)):
        for k in range(5):
            key = mix64(key + np.uint64(np.int64(luck.log[i, k])) * GOLD)
    key = mix64(key + np.uint64(luck.log_n))
    for s in range(MAX_SCHEMES):
        scheme = workspace.schemes[s]
        if scheme.key == key:
            return s
        if scheme.n_keys == 0 or s == MAX_SCHEMES - 1:
            scheme.key = key
            choose_keys(workspace, s, trials)
            return s
    return 0


@rule
def choose_keys(workspace: Any, s: int, trials: int) -> None:
    """Choose the keys of a scheme, equally many for each combination of results of first draws.

    If these are all draws, one for each combination is enough.
    """
    scheme = workspace.schemes[s]
    luck = workspace.lucks[TRIAL]
    n_draws = 0
    strata = 1
    while n_draws < min(luck.log_n, MAX_DRAWS):
        size = luck.log[n_draws, 4]
        if size < 1 or strata * size > trials:
            break
        scheme.draws[n_draws] = luck.log[n_draws, :5]
        strata *= size
        n_draws += 1
    each = 1 if n_draws == luck.log_n else trials // strata
    for i in range(strata):
        workspace.stratum_counts[i] = 0
    candidate = scheme.key
    scheme.n_keys = 0
    while scheme.n_keys < each * strata:
        candidate = mix64(candidate + GOLD)
        lucky(luck, candidate)
        i = find_stratum(scheme, luck, n_draws)
        if workspace.stratum_counts[i] < each:
            workspace.stratum_counts[i] += 1
            workspace.trial_keys[s, scheme.n_keys] = candidate
            scheme.n_keys += 1


@rule
def open_level(level: Any, n: int, key: Any, is_drawn: Any) -> None:
    """Begin the search of a position with n options.

    Args:
        level: The level.
        n: The number of options.
        key: The key under which the value of the position is remembered.
        is_drawn: Whether anything was drawn on the way to it.
    """
    level.position_key = key
    level.is_drawn = is_drawn
    level.n_options = n
    level.option = -1
    level.best = -1
    begin_next_option(level)


@rule
def begin_next_option(level: Any) -> None:
    """Go on to the next option of a position."""
    level.option += 1
    level.trials = UNKNOWN
    level.total = 0.0


@rule
def end_option(level: Any, value: float) -> None:
    """Compare an option with the best so far, and go on to the next."""
    if level.best < 0 or value > level.best_value:
        level.best = level.option
        level.best_value = value
    begin_next_option(level)


@rule
def add_value(workspace: Any, level: Any, value: float, is_final: Any) -> None:
    """Count the value of a trial, and end the option if it was the last one.

    An option that ends the turn, always with the same value, needs no more than a few trials.
    """
    if level.trials == 0:
        level.first_value = value
        level.varies = 0
    if value != level.first_value or not is_final:
        level.varies = 1
    level.total += value
    level.trials += 1
    is_settled = level.trials == SETTLING_TRIALS and level.varies == 0
    if level.trials == level.n_trials or is_settled:
        mean = level.total / level.trials
        remember(workspace, level.option_key, mean)
        end_option(level, mean)


@rule
def probe_option(context: Any, model: Any, seat: int, depth: int, key: Any, trials: int) -> Any:
    """Take the option of a level once, and decide how often it is tried.

    Returns:
        Whether nothing was drawn, so that this was the only trial. All positions of a level use the
        same key here. So an option that was taken elsewhere, and led to the same position in the
        turn, is known by this position.
    """
    workspace = context.workspace
    level = workspace.levels[depth]
    option = workspace.level_options[depth, level.option]
    n_draws = take_in_trial(context, seat, depth, option, mix64(key), True)
    level.trials = 0
    level.n_trials = 1
    level.n_draws = n_draws
    start = mix64(key + np.uint64(option) * GOLD) + np.uint64(n_draws)
    level.option_key = hash_turn_position(context, model, seat, start)
    if n_draws == 0:
        return True
    level.scheme = find_scheme(workspace, trials, key)
    level.n_trials = workspace.schemes[level.scheme].n_keys
    return False


@rule
def open_trial(context: Any, depth: int, key: Any, is_drawn: Any) -> Any:
    """Begin the search of the trial's position at a level, and return whether it has options."""
    workspace = context.workspace
    options = workspace.level_options[depth]
    table = workspace.tables[TRIAL]
    n = context.rules.options(context.box, table, workspace.hiddens[TRIAL], options)
    workspace.level_tables[depth] = table
    workspace.level_hiddens[depth] = workspace.hiddens[TRIAL]
    open_level(workspace.levels[depth], n, key, is_drawn)
    return n > 0


@rule
def search_levels(context: Any, seat: int, first_round: int, trials: int, key: Any) -> None:
    """Search the position of level 0 to the end of the turn, which began in a round.

    Positions of judged kinds are judged once something was drawn on the way to them.
    """
    workspace = context.workspace
    model = context.policies.seats.values[seat]
    depth = 0
    while True:
        level = workspace.levels[depth]
        if level.option == level.n_options:
            remember(workspace, level.position_key, level.best_value)
            if depth == 0:
                return
            depth -= 1
            add_value(workspace, workspace.levels[depth], level.best_value, False)
            continue
        is_tried = level.trials != UNKNOWN
        if is_tried:
            trial_key = workspace.trial_keys[level.scheme, level.trials]
            option = workspace.level_options[depth, level.option]
            take_in_trial(context, seat, depth, option, trial_key, False)
        else:
            is_tried = probe_option(context, model, seat, depth, key, trials)
        table = workspace.tables[TRIAL]
        is_drawn = level.is_drawn != 0 or level.n_draws > 0
        is_final = is_turn_over(table, seat, first_round)
        is_final = is_final or (is_drawn and is_of_judged_kind(table, model))
        if not is_tried:
            if not is_final and is_known(workspace, level.option_key):
                end_option(level, recall(workspace, level.option_key))
            continue
        position = np.uint64(0)
        if not is_final:
            position = hash_turn_position(context, model, seat, key)
        if not is_final and is_known(workspace, position):
            add_value(workspace, level, recall(workspace, position), False)
            continue
        can_go_on = not is_final and depth + 1 < MAX_LEVELS
        if can_go_on and open_trial(context, depth + 1, position, is_drawn):
            depth += 1
        else:
            value = judge_trial(context, model, seat, first_round, key)
            add_value(workspace, level, value, is_final)


@rule
def begin_search(context: Any, seat: int, key: Any) -> int:
    """Forget the schemes of a search with another key, and return the most trials of an option."""
    workspace = context.workspace
    if workspace.search_key != key:
        workspace.search_key = key
        for i in range(MAX_SCHEMES):
            workspace.schemes[i].n_keys = 0
    budget = context.policies.seats.rollout_budget[seat]
    return max(SETTLING_TRIALS, min(MAX_TURN_TRIALS, budget))


@rule
def search_turn(context: Any, seat: int, n: int, default: int, key: Any) -> int:
    """Return the option after which the value function expects most at the end of the turn.

    The value of the option is left in `root_value` of the workspace.

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
    trials = begin_search(context, seat, key)
    default = default if 0 <= default < n else 0
    for i in range(n):  # the default is tried first, and so wins ties
        workspace.level_options[0, i] = workspace.lists[REAL, (default + i) % n]
    open_level(workspace.levels[0], n, mix64(key), False)
    search_levels(context, seat, workspace.tables[REAL].round, trials, key)
    workspace.root_value = workspace.levels[0].best_value
    return (default + workspace.levels[0].best) % n


@rule
def expect_after_option(context: Any, seat: int, option: int, key: Any) -> Any:
    """Search the next turn in many trials of the option that led to the real position.

    The position in which it was taken is the last of `level_tables`. Trials count only if they
    agree with the real position in all that the value function reads.

    Returns:
        The mean of what the search expects, and the number of trials.
    """
    workspace = context.workspace
    model = context.policies.seats.values[seat]
    n_fields = np.int64(model[N_FIELDS])
    first_round = workspace.tables[REAL].round
    trials = begin_search(context, seat, key)
    workspace.tables[TRIAL] = workspace.tables[REAL]
    workspace.hiddens[TRIAL] = workspace.hiddens[REAL]
    wanted = hash_fields(workspace, model, seat, 0, n_fields, key)
    take_in_trial(context, seat, MAX_LEVELS, option, mix64(key), True)
    scheme = find_scheme(workspace, trials, key)
    total = 0.0
    n = 0
    for t in range(workspace.schemes[scheme].n_keys):
        trial_key = workspace.trial_keys[scheme, t]
        take_in_trial(context, seat, MAX_LEVELS, option, trial_key, False)
        table = workspace.tables[TRIAL]
        is_same = hash_fields(workspace, model, seat, 0, n_fields, key) == wanted
        if not is_same or is_turn_over(table, seat, first_round):
            continue
        position = hash_turn_position(context, model, seat, key)
        if not is_known(workspace, position) and open_trial(context, 0, position, True):
            search_levels(context, seat, first_round, trials, key)
        total += recall(workspace, position)
        n += 1
    return total / max(1, n), n
