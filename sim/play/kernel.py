"""The kernel: the compiled loop that plays every game, decision by decision.

Rules and strategies enter it as first-class functions that are compiled on their own, so that the
kernel depends on no game. It plays a range of games and writes one row for each. It can follow a
script of choices (replay), record the choices that are made, and leave a game at a given step.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types

from hardmode.sim.compile.cache import ignore_experimental_warning
from hardmode.sim.contract import ENDING, SCORES, Game
from hardmode.sim.draws import COINS, DECISION, GOLD, LUCK, game_key, lucky, mix64, note
from hardmode.sim.play.decisions import WROTE_TO_STATE, Policies, Rules, make_player_key
from hardmode.sim.play.workspace import (
    BLANK,
    COIN,
    DECISIONS,
    OFFERED,
    REAL,
    ROLLOUT_ARGS,
    RUN_ARGS,
    SAMPLE_ARGS,
    STEPS,
    UNSET,
    make_seat_config_dtype,
    make_workspace_dtype,
)
from hardmode.sim.records import rule

# Codes of faults, in `fault[0]`; `fault[1:]` are game, step, kind, seat, index and n.
NO_FAULT, NO_OPTION, ILLEGAL_OPTION, TOO_MANY_OPTIONS, STATE_WRITTEN, NOT_SET_UP, NO_ENDING = range(
    7
)

KERNEL_RULES = ("setup", "options", "take", "outcome")  # the rules that the loop itself calls

OUTCOME_HASH_CONTENT = "ending, rounds, winners, scores, options taken"
INITIAL_HASH = GOLD  # of the options taken, before the first
WATCH_INTERVAL = 16  # a watched strategy is checked in one of so many games
_ODD, _HALF = np.uint64(0x9FB21C651E98DF25), np.uint64(32)
_COINS = np.uint64(COINS)


@rule
def mix_number(x: Any, number: int) -> Any:
    """Return the hash x with one more number mixed in.

    This is half of a finaliser only, since it is called at every step.
    """
    x = (x ^ np.uint64(np.int64(number))) * _ODD
    return x ^ (x >> _HALF)


@rule
def hash_outcome(row: Any, seats: int, game: int, taken: Any) -> Any:
    """Return the hash of a game's outcome: ending, rounds, winners, scores, options taken.

    Measures are left out, so that a game can get new ones without changing any digest.

    Args:
        row: The row of the game.
        seats: The number of seats.
        game: The number of the game.
        taken: The hash of the options taken.
    """
    x = mix_number(taken, game)
    for i in range(SCORES + seats):
        x = mix_number(x, row[i])
    return mix64(x)


@rule
def record_round(box, table, workspace, outcome, at):
    """Record the measures with a curve at the end of round `at`."""
    if at < workspace.round_values.shape[0]:
        outcome(box, table, workspace.row)
        for j in range(workspace.n_curves):
            workspace.round_values[at, j] = workspace.cells[workspace.curve_columns[j]]


@rule
def finish_game(box, table, workspace, outcome, first_round, last_round, rows, column):
    """Write the row of a finished game and add its curves; return False without a valid ending."""
    record_round(box, table, workspace, outcome, last_round)
    cells = workspace.cells
    cells[ENDING] = UNSET
    outcome(box, table, workspace.row)
    ending = cells[ENDING]
    if ending < 0 or ending >= workspace.alive.shape[0]:
        return False
    for m in range(rows.shape[0]):
        rows[m, column] = cells[m]
    for r in range(first_round, min(last_round + 1, workspace.round_values.shape[0])):
        workspace.alive[ending, r] += 1
        for j in range(workspace.n_curves):
            workspace.curves[ending, r, j] += workspace.round_values[r, j]
    return True


@rule
def set_fault(fault, code, game, step, table, i, n):
    """Record the code and the place of a fault."""
    fault[0] = code
    fault[1] = game
    fault[2] = step
    fault[3] = table.kind
    fault[4] = table.seat
    fault[5] = i
    fault[6] = n


def play(
    boxes,
    workspaces,
    rule_tuple,
    decide,
    choose,
    stand_ins,
    seat_configs,
    run_args,
    script,
    trace,
    rows,
    outcome_hashes,
    first_column,
):
    """Play a range of games and return how many were played before a fault.

    Records are passed as arrays of one item. A game that is left at `stop_step` leaves its
    position in the workspace, and its `totals[OFFERED]` options in the first list.

    Args:
        boxes: The box of the game.
        workspaces: The workspace of this thread.
        rule_tuple: The fields of `Rules`; numba converts functions only in plain tuples.
        decide: `decisions.decide`, compiled on its own so that the loop stays small.
        choose: The strategy of each seat.
        stand_ins: The other strategies, as in `decisions.Policies`.
        seat_configs: The settings of all seats.
        run_args: Which games to play.
        script: The choices to follow in each game, as far as they reach.
        trace: Receives the choices of the game, as far as it has room.
        rows: Receives the row of each game in a column.
        outcome_hashes: Receives the hash of each outcome, if it has room.
        first_column: The column of the first game.
    """
    box = boxes[0]
    workspace = workspaces[0]
    seats = seat_configs[0]
    args = run_args[0]
    rules = Rules(*rule_tuple)
    policies = Policies(choose, stand_ins, seats)
    table = workspace.tables[REAL]
    hidden = workspace.hiddens[REAL]
    luck = workspace.lucks[REAL]
    coins = workspace.lucks[COIN]
    offered = workspace.lists[0]
    column = first_column
    for game in range(args.start, args.stop):
        workspace.tables[REAL] = workspace.tables[BLANK]
        workspace.hiddens[REAL] = workspace.hiddens[BLANK]
        luck.key = game_key(args.seed, game)
        luck.other = game_key(args.resample_seed, game)
        luck.log_n = 0
        coin_source = luck.other if np.uint64(luck.redrawn) >> _COINS else luck.key
        rules.setup(box, table, hidden, luck)
        if table.ending == UNSET:
            set_fault(workspace.fault, NOT_SET_UP, game, 0, table, 0, 0)
            return game - args.start
        first_round = table.round
        step = 0
        reached = first_round
        taken = INITIAL_HASH
        while table.ending < 0:
            n = rules.options(box, table, hidden, offered)
            if step == args.stop_step:
                workspace.totals[OFFERED] = n
                break
            if n < 1 or n > offered.shape[0]:
                code = NO_OPTION if n < 1 else TOO_MANY_OPTIONS
                set_fault(workspace.fault, code, game, step, table, 0, n)
                return game - args.start
            seat = table.seat
            i = 0
            if step < script.shape[0]:
                i = script[step]
            elif n > 1:
                workspace.totals[DECISIONS] += 1
                workspace.totals[OFFERED] += n
                key = make_player_key(coin_source, step)
                if seats.is_special[seat]:
                    is_watching = (game - args.start) % WATCH_INTERVAL == 0
                    i = decide(box, workspace, rules, policies, n, key, args.max_steps, is_watching)
                else:
                    lucky(coins, key)
                    weights = seats.weights[seat, : seats.n_weights[seat]]
                    own = hidden.own[seat]
                    i = choose[seat](box, table, own, offered[:n], n, coins, weights)
            if i < 0 or i >= n:
                code = STATE_WRITTEN if i == WROTE_TO_STATE else ILLEGAL_OPTION
                set_fault(workspace.fault, code, game, step, table, i, n)
                return game - args.start
            if step < trace.shape[0]:
                trace[step] = i
            if luck.log_on:
                note(luck, DECISION, step, table.kind, table.round, n, offered[i])
            taken = mix_number(taken, offered[i])
            rules.take(box, table, hidden, luck, offered[i])
            step += 1
            while reached < table.round:
                record_round(box, table, workspace, rules.outcome, reached)
                reached += 1
            if step >= args.max_steps and table.ending < 0:
                table.ending = workspace.curves.shape[0] - 1
        workspace.totals[STEPS] += step
        if table.ending >= 0:
            if not finish_game(
                box, table, workspace, rules.outcome, first_round, reached, rows, column
            ):
                set_fault(workspace.fault, NO_ENDING, game, step, table, workspace.cells[ENDING], 0)
                return game - args.start
            outcome_hash = hash_outcome(workspace.cells, seats.is_special.shape[0], game, taken)
            workspace.digest += outcome_hash
            if column < outcome_hashes.shape[0]:
                outcome_hashes[column] = outcome_hash
            column += 1
    return args.stop - args.start


@cache
@ignore_experimental_warning()
def make_signatures(game: Game) -> dict[str, Any]:
    """Return the numba signatures of a game's compiled functions, by the names of the functions."""
    i8 = numba.int64
    u8 = numba.uint64
    box = numba.from_dtype(game.box)
    table = numba.from_dtype(game.table)
    hidden = numba.from_dtype(game.hidden)
    own = numba.from_dtype(game.own)
    luck = numba.from_dtype(LUCK)
    row = numba.from_dtype(game.row)
    workspace = numba.from_dtype(make_workspace_dtype(game))
    seats = numba.from_dtype(make_seat_config_dtype(game))
    codes = i8[::1]
    weights = numba.float64[::1]
    signatures = {
        "setup": types.void(box, table, hidden, luck),
        "options": i8(box, table, hidden, codes),
        "take": types.void(box, table, hidden, luck, i8),
        "redeal": types.void(box, table, own, hidden, luck),
        "redeal_for": types.void(box, table, i8, hidden, luck),
        "outcome": types.void(box, table, row),
        "label": i8(box, table, own, i8),
        "choose": i8(box, table, own, codes, i8, luck, weights),
    }
    functions = {name: types.FunctionType(sign) for name, sign in signatures.items()}
    rule_types = [functions[name] for name in Rules._fields]
    rules = types.NamedTuple(rule_types, Rules)
    choose = types.UniTuple(functions["choose"], game.seats)
    stand_ins = types.UniTuple(functions["choose"], 2 * game.seats)
    policies = types.NamedTuple([choose, stand_ins, seats], Policies)
    decide = i8(box, workspace, rules, policies, i8, u8, i8, types.boolean)
    players = (choose, stand_ins, seats[::1])
    run_args = numba.from_dtype(RUN_ARGS)
    rows = numba.int32[:, ::1]
    signatures["decide"] = decide
    signatures["play"] = i8(
        box[::1],
        workspace[::1],
        types.Tuple(rule_types),
        types.FunctionType(decide),
        *players,
        run_args[::1],
        codes,
        codes,
        rows,
        u8[::1],
        i8,
    )
    signatures["rollout_kernel"] = types.void(
        box[::1],
        workspace[::1],
        types.Tuple(rule_types),
        functions["redeal_for"],
        *players,
        numba.from_dtype(ROLLOUT_ARGS)[::1],
        codes,
        codes,
    )
    signatures["sample_kernel"] = i8(
        box[::1],
        workspace[::1],
        types.Tuple(rule_types),
        *players,
        numba.from_dtype(SAMPLE_ARGS)[::1],
        codes,
        weights,
        numba.int32[:, ::1],
        weights,
        codes,
    )
    return signatures
