"""Decisions of players who search, make mistakes, are watched, restricted or counted.

The kernel calls plain strategies itself. For all other players it calls `decide`, which is compiled
on its own, so that the kernel's loop stays small.

Search is a one-ply search with rollouts (`search_with_rollouts`): every option is tried in sampled
determinizations, which are positions that the seat cannot tell from the real one, and the number
of candidates is reduced by successive halving. A player with a value function searches by that
(`sim.play.value_search`, `sim.play.turn_search`). This is compiled only where such a player is
seated, in `decide_with_values`, as it takes longer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hardmode.sim.contract import SCORES, WINNERS
from hardmode.sim.draws import FRACTION, GOLD, lucky, mix64
from hardmode.sim.play.candidates import count_survivors, sort_by_gain
from hardmode.sim.play.player import DEFAULT_SWITCH_SCORE
from hardmode.sim.play.turn_search import search_turn
from hardmode.sim.play.value_search import search_one_step
from hardmode.sim.play.values import N_TURN_FIELDS, ROUNDS, evaluate_trial, is_familiar
from hardmode.sim.play.workspace import COIN, MAX_WEIGHTS, REAL, ROLLOUT_STEPS, ROLLOUTS, TRIAL
from hardmode.sim.records import rule

CONFIRMATION_ROUNDS = 2  # each doubles the number of rollouts of the last candidate
WROTE_TO_STATE = -(1 << 62)  # returned in place of an index
NO_ROUND = 1 << 62  # after which rollouts are not left
_STRATEGY = np.uint64(0x5EED0F57A7E6135)
_MISTAKE = np.uint64(0x0B0BB1E5F1CE2C0D)


class Rules(NamedTuple):
    """Rules of a game as first-class functions."""

    setup: Any
    options: Any
    take: Any
    redeal: Any
    outcome: Any
    label: Any


class Policies(NamedTuple):
    """Strategies of all seats as first-class functions, with their settings.

    `choose` has one strategy per seat. `stand_ins` has, for each seat, the strategy that chooses
    where the player makes a mistake, and then for each seat its rollout policy. `seats` is the
    record of `make_seat_config_dtype`.
    """

    choose: Any
    stand_ins: Any
    seats: Any


class Context(NamedTuple):
    """Arguments that all functions of a decision share."""

    box: Any
    workspace: Any
    rules: Rules
    policies: Policies
    max_steps: int


@rule
def make_player_key(key: Any, step: int) -> Any:
    """Return the key of the players' own randomness at one step of a game.

    It differs from the key of the game, so that a strategy does not by accident draw what the game
    is going to draw. It is not secret: the game's key can be computed from it.
    """
    return mix64(mix64(np.uint64(key) ^ _STRATEGY) + np.uint64(step) * GOLD)


@rule
def makes_mistake(key: Any, rate: float) -> Any:
    """Return whether a player makes a mistake, monotonically: also at any higher rate."""
    return np.float64(mix64(key ^ _MISTAKE) >> np.uint64(11)) * FRACTION < rate


@rule
def compute_checksum(words: Any, n: int) -> int:
    """Return a sum of the first n numbers that changes when any one of them does."""
    total = 0
    for i in range(n):
        total += words[i] * (2 * i + 1)
    return total


@rule
def compute_visible_checksum(workspace: Any, seats: Any, player: int, n: int) -> int:
    """Return a checksum of all that a strategy is shown and may only read."""
    first = player * MAX_WEIGHTS
    n_weights = seats.n_weights[player]
    return (
        compute_checksum(workspace.table_words, workspace.table_words.shape[0])
        ^ compute_checksum(workspace.lists[0], n)
        ^ compute_checksum(workspace.hidden_words, workspace.hidden_words.shape[0])
        ^ compute_checksum(seats.weight_words[first : first + n_weights], n_weights)
    )


@rule
def evaluate_outcome(row: Any, seat: int) -> float:
    """Return the utility of an outcome to a seat: 1 for a win, and a small share of the score."""
    return np.float64((row[WINNERS] >> seat) & 1) + 1e-4 * row[SCORES + seat]


# The next two functions differ in who chooses. They share no code, since rollouts of search are 4 %
# faster when the compiler can inline all of `choose_in_rollout`.


@rule
def choose_as_player(context, place, n, key):
    """Return the choice of the player to move, or of the one who chooses by mistake.

    Args:
        context: The context of the decision.
        place: The records that the player sees, `REAL` or `TRIAL`.
        n: The number of options.
        key: The key of the players' randomness.
    """
    workspace = context.workspace
    seats = context.policies.seats
    table = workspace.tables[place]
    choose = context.policies.choose[table.seat]
    player = table.seat
    if seats.mistake_rate[table.seat] > 0 and makes_mistake(key, seats.mistake_rate[table.seat]):
        choose = context.policies.stand_ins[table.seat]
        player = table.seat + seats.is_special.shape[0]
    coins = workspace.lucks[COIN]
    lucky(coins, key)
    own = workspace.hiddens[place].own[table.seat]
    weights = seats.weights[player, : seats.n_weights[player]]
    return choose(context.box, table, own, workspace.lists[place][:n], n, coins, weights)


@rule
def choose_in_rollout(context, n, key):
    """Return the choice of the rollout policy of the player to move in the trial."""
    workspace = context.workspace
    seats = context.policies.seats
    table = workspace.tables[TRIAL]
    policy = seats.is_special.shape[0] + table.seat
    choose = context.policies.stand_ins[policy]
    player = seats.is_special.shape[0] + policy
    coins = workspace.lucks[COIN]
    lucky(coins, key)
    own = workspace.hiddens[TRIAL].own[table.seat]
    weights = seats.weights[player, : seats.n_weights[player]]
    return choose(context.box, table, own, workspace.lists[TRIAL][:n], n, coins, weights)


@rule
def play_rollout(context, first_step, are_players, last_round):
    """Play the trial from a step to its end or past a round without search, and write its row.

    Args:
        context: The context of the decision.
        first_step: The step from which the trial is played.
        are_players: Whether the players choose, or their rollout policies.
        last_round: The round after which the trial is left.
    """
    workspace = context.workspace
    rules = context.rules
    step = first_step
    table = workspace.tables[TRIAL]
    hidden = workspace.hiddens[TRIAL]
    luck = workspace.lucks[TRIAL]
    codes = workspace.lists[TRIAL]
    while table.ending < 0 and step < context.max_steps and table.round <= last_round:
        n = rules.options(context.box, table, hidden, codes)
        i = 0
        if n > 1:
            key = make_player_key(luck.key, step)
            if are_players:
                i = choose_as_player(context, TRIAL, n, key)
            else:
                i = choose_in_rollout(context, n, key)
            if i < 0 or i >= n:
                i = 0
        elif n < 1:
            break
        rules.take(context.box, table, hidden, luck, codes[i])
        step += 1
    workspace.totals[ROLLOUT_STEPS] += step - first_step
    rules.outcome(context.box, table, workspace.row)


@rule
def sample_option_value(context, seat, i, key):
    """Return the utility of taking option i in one determinization, which the key selects."""
    workspace = context.workspace
    rules = context.rules
    workspace.tables[TRIAL] = workspace.tables[REAL]
    table = workspace.tables[TRIAL]
    hidden = workspace.hiddens[TRIAL]
    luck = workspace.lucks[TRIAL]
    lucky(luck, key)
    rules.redeal(context.box, table, workspace.hiddens[REAL].own[seat], hidden, luck)
    first_round = table.round
    model = context.policies.seats.values[seat]
    rounds = np.int64(model[ROUNDS])
    is_left = rounds > 0 and is_familiar(workspace, model, seat)
    last_round = first_round + rounds - 1 if is_left else NO_ROUND
    rules.take(context.box, table, hidden, luck, workspace.lists[REAL][i])
    play_rollout(context, 0, False, last_round)
    workspace.totals[ROLLOUTS] += 1
    if rounds > 0:
        return evaluate_trial(context, model, seat, first_round)
    return evaluate_outcome(workspace.cells, seat)


@rule
def evaluate_candidates(context, seat, default, n, rollouts, key):
    """Try the default option and n candidates in the same determinizations, and add up the gains.

    Args:
        context: The context of the decision.
        seat: The seat that searches.
        default: The option that the strategy chose, against which gains are counted.
        n: The number of candidates left in the third list of the workspace.
        rollouts: The number of determinizations.
        key: The key from which they are sampled.
    """
    workspace = context.workspace
    for w in range(1, rollouts + 1):
        trial_key = mix64(key + np.uint64(w) * GOLD)
        default_value = sample_option_value(context, seat, default, trial_key)
        for j in range(n):
            i = workspace.lists[2][j]
            gain = sample_option_value(context, seat, i, trial_key) - default_value
            workspace.gains[i] += gain
            workspace.squared_gains[i] += gain * gain


@rule
def is_significantly_better(workspace, i, rollouts, min_score):
    """Return whether the mean gain of an option is positive and its squared t value is large."""
    mean = workspace.gains[i] / rollouts
    variance = workspace.squared_gains[i] / rollouts - mean * mean
    return mean > 0 and mean * mean * (rollouts - 1) > min_score * variance


@rule
def search_with_rollouts(context, seat, n, default, key):
    """Return the default option, or another one that rollouts show to be significantly better.

    Successive halving (Karnin, Koren and Somekh 2013) with common determinizations: in each stage
    all candidates are tried in the same positions and judged by their gain over the default
    option; those without a gain and half of the others are dropped. The last one must stay
    significantly better while its number of rollouts is doubled twice.

    Args:
        context: The context of the decision.
        seat: The seat that searches.
        n: The number of options.
        default: The option that the strategy chose.
        key: The key of the players' randomness at this decision.
    """
    if default < 0 or default >= n:
        return default
    workspace = context.workspace
    candidates = workspace.lists[2]
    gains = workspace.gains
    score_to_switch = context.policies.seats.switch_score[seat]
    score_to_continue = score_to_switch / DEFAULT_SWITCH_SCORE
    left = 0
    stages = 2
    rollouts = 0
    for i in range(n):
        if i != default:
            gains[i] = workspace.squared_gains[i] = 0.0
            candidates[left] = i
            left += 1
    while (1 << (stages - 1)) < n:
        stages += 1
    while True:
        more = max(1, context.policies.seats.rollout_budget[seat] // (stages * (left + 1)))
        stage_key = key + np.uint64(rollouts) * GOLD
        evaluate_candidates(context, seat, default, left, more, stage_key)
        rollouts += more
        sort_by_gain(candidates, left, gains)
        if left == 1 and rollouts > more:
            break
        left = count_survivors(candidates, left, gains)
        if left == 0:
            return default
    best = candidates[0]
    for _ in range(CONFIRMATION_ROUNDS):
        if not is_significantly_better(workspace, best, rollouts, score_to_continue):
            return default
        stage_key = key + np.uint64(rollouts) * GOLD
        evaluate_candidates(context, seat, default, 1, rollouts, stage_key)
        rollouts *= 2
    is_better = is_significantly_better(workspace, best, rollouts, score_to_switch)
    return best if is_better else default


@rule
def search_as_configured(context, seat, n, default, key):
    """Return the choice of a search by the value function of the seat alone, or by rollouts."""
    seats = context.policies.seats
    if not seats.has_values[seat] or seats.values[seat, ROUNDS] > 0:
        return search_with_rollouts(context, seat, n, default, key)
    if seats.values[seat, N_TURN_FIELDS] > 0:
        return search_turn(context, seat, n, default, key)
    return search_one_step(context, seat, n, default, key)


@rule
def choose_and_verify(context, search, n, key, is_watching):
    """Return the choice of the player to move; WROTE_TO_STATE if the player wrote to records.

    Args:
        context: The context of the decision.
        search: The rule by which a player with a budget searches.
        n: The number of options.
        key: The key of the players' randomness at this decision.
        is_watching: Whether a watched player is checked in this game.
    """
    workspace = context.workspace
    seats = context.policies.seats
    seat = workspace.tables[REAL].seat
    is_mistake = seats.mistake_rate[seat] > 0 and makes_mistake(key, seats.mistake_rate[seat])
    player = seat + seats.is_special.shape[0] if is_mistake else seat
    is_watching = is_watching and seats.is_watched[player] != 0
    before = compute_visible_checksum(workspace, seats, player, n) if is_watching else 0
    i = choose_as_player(context, REAL, n, key)
    if is_watching and compute_visible_checksum(workspace, seats, player, n) != before:
        return WROTE_TO_STATE
    if is_mistake or seats.rollout_budget[seat] == 0:
        return i
    return search(context, seat, n, i, key)


@rule
def get_label(context, seat, i):
    """Return the label of an option in the first list; 0 if the game returns an invalid one."""
    workspace = context.workspace
    own = workspace.hiddens[REAL].own[seat]
    code = workspace.lists[0][i]
    label = context.rules.label(context.box, workspace.tables[REAL], own, code)
    return label if 0 <= label < workspace.label_stamps.shape[0] else 0


@rule
def restrict_options(context, seat, n):
    """Keep in the first list only options with allowed labels, and return how many these are."""
    options = context.workspace.lists[0]
    left = 0
    for i in range(n):
        if context.policies.seats.allowed_labels[seat, get_label(context, seat, i)]:
            options[left] = options[i]
            left += 1
    return left


@rule
def is_allowed_choice(context, seat, n, i):
    """Return whether a choice can stand: its label is allowed, or it is no legal index anyway."""
    seats = context.policies.seats
    return (
        seats.is_restricted[seat] == 0
        or i < 0
        or i >= n
        or seats.allowed_labels[seat, get_label(context, seat, i)]
    )


@rule
def find_full_index(context, i):
    """Return the index, among all options, of entry i of the restricted list.

    The first list is filled with all options again. A negative index is returned as it is.
    """
    if i < 0:
        return i
    workspace = context.workspace
    options = workspace.lists[0]
    index = 0
    code = options[i]
    n = context.rules.options(context.box, workspace.tables[REAL], workspace.hiddens[REAL], options)
    while index < n and options[index] != code:
        index += 1
    return index


@rule
def count_label(workspace, key, kind, is_taken, label):
    """Count one decision in which a label was offered (0) or taken (1), and its game once."""
    workspace.label_counts[is_taken, label, kind] += 1
    if workspace.last_keys[is_taken, label] != key:
        workspace.last_keys[is_taken, label] = key
        workspace.label_games[is_taken, label] += 1


@rule
def count_labels(context, seat, n, i):
    """Count the labels offered and the label taken, if options of several labels were offered."""
    workspace = context.workspace
    kind = workspace.tables[REAL].kind
    key = workspace.lucks[REAL].key
    offered = workspace.lists[2]
    if i < 0 or i >= n or kind < 0 or kind >= workspace.kind_counts.shape[0]:
        return
    workspace.kind_counts[kind] += 1
    workspace.stamp += 1
    n_offered = 0
    for j in range(n):
        label = get_label(context, seat, j)
        if workspace.label_stamps[label] != workspace.stamp:
            workspace.label_stamps[label] = workspace.stamp
            offered[n_offered] = label
            n_offered += 1
    if n_offered > 1:
        for j in range(n_offered):
            count_label(workspace, key, kind, 0, offered[j])
        count_label(workspace, key, kind, 1, get_label(context, seat, i))


@rule
def choose_within_limits(context, search, n, key, is_watching):
    """Return the choice of a player for whom `Player.needs_decide` holds.

    A restricted player first chooses among all options. If the choice is not allowed, it chooses
    again among the allowed options, if there are any.

    Args:
        context: The context of the decision.
        search: The rule by which a player with a budget searches.
        n: The number of options, which stand in the first list.
        key: The key of the players' randomness at this decision.
        is_watching: Whether a watched player is checked in this game.
    """
    seat = context.workspace.tables[REAL].seat
    left = n
    i = 0
    while True:
        if left > 1:
            i = choose_and_verify(context, search, left, key, is_watching)
        if left < n or is_allowed_choice(context, seat, n, i):
            break
        allowed = restrict_options(context, seat, n)
        if allowed == 0:
            break
        left = allowed
        i = 0
    if left < n:
        i = find_full_index(context, i) if i < left else n
    if context.policies.seats.counts_choices[seat]:
        count_labels(context, seat, n, i)
    return i


def decide(box, workspace, rules, policies, n, key, max_steps, is_watching):
    """Return the choice of a player for whom `Player.needs_decide` holds, and who has no values.

    Args:
        box: The box of the game.
        workspace: The record of the thread's workspace.
        rules: The rules of the game.
        policies: The strategies of all seats.
        n: The number of options, which stand in the first list.
        key: The key of the players' randomness at this decision.
        max_steps: The number of steps after which a rollout is left.
        is_watching: Whether a watched player is checked in this game.
    """
    context = Context(box, workspace, rules, policies, max_steps)
    return choose_within_limits(context, search_with_rollouts, n, key, is_watching)


def decide_with_values(box, workspace, rules, policies, n, key, max_steps, is_watching):
    """Return the same as `decide`, also of a player who searches by a value function."""
    context = Context(box, workspace, rules, policies, max_steps)
    return choose_within_limits(context, search_as_configured, n, key, is_watching)
