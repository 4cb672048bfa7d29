"""Positions from which value functions are learned, each with what the seat gained from it on.

Games are played as the kernel plays them. After each decision of a learner, the position at the
next decision is recorded as the seat sees it; if the search goes on to the end of a turn, only the
position after the turn. Its target mixes what the game brought with what the
search of the next decision expected (lambda returns; Sutton and Barto, Reinforcement Learning,
2018, chapter 12).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from hardmode.sim.compile.cache import compile_cached
from hardmode.sim.contract import Game
from hardmode.sim.draws import FRACTION, bounded, game_key, lucky, mix64
from hardmode.sim.play import kernel
from hardmode.sim.play.decisions import (
    Context,
    Policies,
    Rules,
    choose_and_verify,
    make_player_key,
    search_as_configured,
)
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.turn_search import expect_after_option, is_judged
from hardmode.sim.play.values import (
    DISCOUNT,
    N_FIELDS,
    N_TURN_FIELDS,
    ROUNDS,
    compute_utility,
    raise_to_rounds,
    read_field,
)
from hardmode.sim.play.workspace import (
    BLANK,
    MAX_LEVELS,
    REAL,
    SAMPLE_ARGS,
    TRIAL,
    Workspace,
    as_cells,
)
from hardmode.sim.records import PLAIN, blank, rule

# Of one decision: the last two are what search expects from the position after it, if it does.
SEAT, OLD_UTILITY, OLD_ROUND, EXPECTED, IS_RANDOM, UTILITY, ROUND, KNOWN, TARGET = range(9)
N_NOTES = 9
_VIEWER = np.uint64(0x7C3F2E5A91B04D68)
_EXPLORE = np.uint64(0x3E9A1D0F7C25B64B)


@rule
def explores(key: Any, share: float) -> Any:
    """Return whether a decision is made at random."""
    return np.float64(mix64(key ^ _EXPLORE) >> np.uint64(11)) * FRACTION < share


@rule
def is_sampled(table: Any, model: Any, seat: int, first_round: int) -> Any:
    """Return whether a position is recorded: a search judges it, or positions after a round."""
    if model[ROUNDS] > 0:
        return table.ending >= 0 or table.round != first_round
    return is_judged(table, model, seat, first_round)


@rule
def choose_viewer(learners: Any, seats: int, key: Any) -> int:
    """Return one of the learners, all alike, for whom the position after a round is recorded."""
    seat = bounded(mix64(key ^ _VIEWER), seats)
    while learners[seat] == 0:
        seat = (seat + 1) % seats
    return seat


@rule
def copy_to_trial(workspace):
    """Copy the real position to the trial."""
    workspace.tables[TRIAL] = workspace.tables[REAL]
    workspace.hiddens[TRIAL] = workspace.hiddens[REAL]


@rule
def choose_as_learner(context, args, learners, model, n, key, note, is_first):
    """Return the choice of a learner, and note what it expects at its first decision of a turn."""
    workspace = context.workspace
    table = workspace.tables[REAL]
    i = choose_and_verify(context, search_as_configured, n, key, False)
    if is_first:
        copy_to_trial(workspace)
        seat = table.seat
        if model[ROUNDS] > 0:
            seat = choose_viewer(learners, table.seats, key)
        note[SEAT] = seat
        note[OLD_UTILITY] = compute_utility(context, model, seat)
        note[OLD_ROUND] = table.round
        note[EXPECTED] = workspace.root_value - note[OLD_UTILITY]
        note[IS_RANDOM] = 0.0
    if explores(key, args.exploration):
        note[IS_RANDOM] = 1.0
        i = bounded(mix64(key + _EXPLORE), n)
    return i


@rule
def record_position(context, model, note, position):
    """Record the position at the next decision, as the seat of a note sees it."""
    workspace = context.workspace
    seat = np.int64(note[SEAT])
    copy_to_trial(workspace)
    note[UTILITY] = compute_utility(context, model, seat)
    note[ROUND] = workspace.tables[TRIAL].round
    for f in range(np.int64(model[N_FIELDS])):
        number = read_field(workspace, model, f, seat)
        position[f] = min(max(number, -(1 << 31)), (1 << 31) - 1)


@rule
def add_target(context, model, note, option, key):
    """Note what the search of the next turn expects, if it is the seat's own and not yet over."""
    table = context.workspace.tables[REAL]
    seat = np.int64(note[SEAT])
    note[KNOWN] = 0.0
    if not context.policies.seats.has_values[seat] or table.seat != seat or table.ending >= 0:
        return
    if model[N_TURN_FIELDS] > 0:
        mean, n = expect_after_option(context, seat, option, key)
        note[KNOWN] = np.float64(n > 0)
        note[TARGET] = mean - note[UTILITY]


@rule
def compute_targets(context, args, model, notes, targets, follows, first, n):
    """Write what was gained from each position of a game on, from the last to the first."""
    workspace = context.workspace
    copy_to_trial(workspace)
    last_round = workspace.tables[TRIAL].round
    gained = 0.0
    for k in range(n - 1, first - 1, -1):
        note = notes[k]
        if k == n - 1 or model[ROUNDS] > 0:
            final = compute_utility(context, model, np.int64(note[SEAT]))
            factor = raise_to_rounds(model[DISCOUNT], last_round - np.int64(note[ROUND]))
            gained = factor * (final - note[UTILITY])
        else:
            later = notes[k + 1]
            rounds = np.int64(later[ROUND] - later[OLD_ROUND])
            played = later[UTILITY] - later[OLD_UTILITY]
            played += raise_to_rounds(model[DISCOUNT], rounds) * gained
            share = 0.0 if later[IS_RANDOM] else args.trace_share
            if args.is_searching == 0:
                share = 1.0
            gained = share * played + (1.0 - share) * later[EXPECTED]
            rounds = np.int64(later[OLD_ROUND] - note[ROUND])
            gained *= raise_to_rounds(model[DISCOUNT], rounds)
            if later[SEAT] == note[SEAT]:
                gained += later[OLD_UTILITY] - note[UTILITY]
        follows[k] = 0
        if note[KNOWN]:
            gained = note[TARGET]
            follows[k] = 1 if k < n - 1 else 0
        targets[k] = gained


def sample_kernel(
    boxes,
    workspaces,
    rule_tuple,
    choose,
    stand_ins,
    seat_configs,
    sample_args,
    learners,
    model,
    positions,
    targets,
    follows,
):
    """Play games, record positions of the learners, and return how many there are.

    Records are passed as arrays of one item.

    Args:
        boxes: The box of the game.
        workspaces: The workspace of this thread.
        rule_tuple: The fields of `Rules`; numba converts functions only in plain tuples.
        choose: The strategy of each seat.
        stand_ins: The other strategies, as in `decisions.Policies`.
        seat_configs: The settings of all seats.
        sample_args: Which games to play, and how.
        learners: 1 for each seat whose positions are recorded.
        model: The header of a value function, and the lines of the fields to record.
        positions: Receives the fields of each position, until it is full.
        targets: Receives what the seat gained from each position on.
        follows: Receives 1 where a search of the next turn is the target, after which the next
            position follows.
    """
    box = boxes[0]
    workspace = workspaces[0]
    args = sample_args[0]
    rules = Rules(*rule_tuple)
    policies = Policies(choose, stand_ins, seat_configs[0])
    context = Context(box, workspace, rules, policies, args.max_steps)
    table = workspace.tables[REAL]
    hidden = workspace.hiddens[REAL]
    luck = workspace.lucks[REAL]
    offered = workspace.lists[0]
    notes = np.zeros((positions.shape[0], N_NOTES))
    n_rows = 0
    for game in range(args.start, args.stop):
        first_row = n_rows
        workspace.tables[REAL] = workspace.tables[BLANK]
        workspace.hiddens[REAL] = workspace.hiddens[BLANK]
        lucky(luck, game_key(args.seed, game))
        rules.setup(box, table, hidden, luck)
        step = 0
        is_open = False  # whether a learner has begun a turn
        is_recorded = False
        while table.ending < 0 and step < args.max_steps and n_rows < positions.shape[0]:
            n = rules.options(box, table, hidden, offered)
            if n < 1:
                break
            i = 0
            if n > 1:
                key = make_player_key(luck.key, step)
                if learners[table.seat] != 0:
                    note = notes[n_rows]
                    is_first = not is_open
                    i = choose_as_learner(context, args, learners, model, n, key, note, is_first)
                    is_open = True
                else:
                    i = choose_and_verify(context, search_as_configured, n, key, False)
            option = offered[i if 0 <= i < n else 0]
            workspace.level_tables[MAX_LEVELS] = table
            workspace.level_hiddens[MAX_LEVELS] = hidden
            rules.take(box, table, hidden, luck, option)
            step += 1
            is_recorded = False
            if is_open:
                seat = np.int64(notes[n_rows, SEAT])
                first_round = np.int64(notes[n_rows, OLD_ROUND])
                is_recorded = is_sampled(table, model, seat, first_round)
            if is_recorded:
                note = notes[n_rows]
                record_position(context, model, note, positions[n_rows])
                add_target(context, model, note, option, make_player_key(luck.key, step))
                n_rows += 1
                is_open = False
        if table.ending < 0:
            n_rows = first_row  # a game that did not end says nothing
            break
        compute_targets(context, args, model, notes, targets, follows, first_row, n_rows)
        if is_recorded:
            n_rows -= 1  # the last position, at which the game is over, needs no value
            if n_rows > first_row:
                follows[n_rows - 1] = 0
    return n_rows


@cache
def _compile_sampler(game: Game) -> Callable:
    signature = None if PLAIN else kernel.make_signatures(game)["sample_kernel"]
    return compile_cached(sample_kernel, signature, name=f"{game.name} samples")


def sample_positions(
    engine: Engine,
    workspace: Workspace,
    learners: Sequence[int],
    layout: np.ndarray,
    games: tuple[int, int, int],
    capacity: int,
    trace_share: float,
    exploration: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play games and return the positions of the learners, and what was gained from each.

    Args:
        engine: The game and its players.
        workspace: A workspace to play in.
        learners: The seats of the learners.
        layout: What to record, as `values.make_layout` returns it.
        games: The seed, the first game, and the game after the last.
        capacity: The number of positions after which no more games are played.
        trace_share: How much of what the games brought counts, and not only the search.
        exploration: The share of decisions that are made at random.

    Returns:
        The fields of each position in a row, the targets, and 1 for each target that depends on
        the value of the next position in this list.
    """
    positions = np.zeros((capacity, int(layout[N_FIELDS])), np.int32)
    targets = np.zeros(capacity)
    follows = np.zeros(capacity, np.int64)
    seats = np.zeros(engine.game.seats, np.int64)
    seats[list(learners)] = 1
    is_searching = any(engine.seat_players[seat].values for seat in learners)
    args = blank(SAMPLE_ARGS)
    how = engine.max_steps, trace_share, exploration, is_searching
    args.view(np.ndarray)[0] = (*games, *how)
    arrays = [as_cells(array) for array in (seats, layout, positions, targets, follows)]
    n = engine.run_samples(_compile_sampler(engine.game), workspace, args, arrays)
    return positions[:n], targets[:n], follows[:n]
