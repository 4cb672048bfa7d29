"""The decision loop: the one piece of compiled code that plays every game.

A game's rules and its strategies enter it as first-class functions, compiled on their own, so the
kernel knows no game. It plays a range of games, writes one row for each into columns, follows a
script of choices where one is given (replay), and stops after `stop` steps where asked.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types

from hardmode.sim.contract import ENDING, SCORES, Game
from hardmode.sim.draws import COINS, DECISION, GOLD, LUCK, game_key, lucky, mix64, note
from hardmode.sim.play.decisions import HAS_WRITTEN, Rules, coin_key
from hardmode.sim.play.workspace import (
    BLANK,
    COIN,
    DECISIONS,
    JOB,
    OFFERED,
    REAL,
    STEPS,
    desk_of,
    seats_of,
)
from hardmode.sim.records import rule

# What goes wrong in a kernel, by its code in `fault[0]`; fault[1:] are game, step, kind, seat, index, n.
FINE, NO_OPTION, ILLEGAL, TOO_MANY, WROTE, NOT_SET_UP, NO_ENDING = range(7)

ASKED = ("setup", "options", "take", "outcome")  # the rules that the loop asks for itself

UNSET = -2  # the ending of a table that nobody has set up, and of a row that nobody has written

OUTCOMES = "ending, rounds, winners, scores, options taken"  # what the outcome digest is of
NOTHING_TAKEN = GOLD
_ODD, _HALF = np.uint64(0x9FB21C651E98DF25), np.uint64(32)
_COINS = np.uint64(COINS)
WATCHED = 16  # of the games of a watched strategy, one in so many is looked at


@rule
def mixed(x: Any, number: int) -> Any:
    """A hash with one more number in it: half of a finaliser, since it is asked for at every step."""
    x = (x ^ np.uint64(np.int64(number))) * _ODD
    return x ^ (x >> _HALF)


@rule
def outcome_hash(row: Any, seats: int, game: int, taken: Any) -> Any:
    """What tells one outcome of a game from another: ending, rounds, winners, scores, and the options taken.

    The measures are not in it, so that a new one moves no digest.
    """
    x = mixed(taken, game)
    for i in range(SCORES + seats):
        x = mixed(x, row[i])
    return mix64(x)


@rule
def keep_round(box, table, desk, outcome, at):
    """Write the measures that are followed over time at the end of a round."""
    if at < desk.lines.shape[0]:
        outcome(box, table, desk.row)
        for j in range(desk.picks_n):
            desk.lines[at, j] = desk.cells[desk.picks[j]]


@rule
def close(box, table, desk, outcome, first, last, out, at):
    """Write the finished game's row, and add what was followed over its rounds, first to last, to the sums.

    False where the row has no ending that there is.
    """
    keep_round(box, table, desk, outcome, last)
    cells = desk.cells
    cells[ENDING] = UNSET
    outcome(box, table, desk.row)
    if cells[ENDING] < 0 or cells[ENDING] >= desk.alive.shape[0]:
        return False
    for m in range(out.shape[0]):
        out[m, at] = cells[m]
    for r in range(first, min(last + 1, desk.lines.shape[0])):
        desk.alive[cells[ENDING], r] += 1
        for j in range(desk.picks_n):
            desk.curves[cells[ENDING], r, j] += desk.lines[r, j]
    return True


@rule
def blame(fault, code, game, step, table, i, n):
    """Note what went wrong, and where."""
    fault[0] = code
    fault[1], fault[2], fault[3], fault[4], fault[5], fault[6] = (
        game,
        step,
        table.kind,
        table.seat,
        i,
        n,
    )


def play(
    boxes,
    desks,
    setup,
    options,
    take,
    redeal,
    outcome,
    label,
    decide,
    choose,
    careless,
    players,
    jobs,
    script,
    trace,
    out,
    marks,
    at,
):
    """Play the games of a job, one column of `out` each from column `at` on; returns how many were played.

    The outcome of each game is hashed into `marks`, where that has room, and into the digest. The choices of a
    script are followed, those that are made are traced. A game that is stopped leaves its position in the desk and its
    options, `totals[OFFERED]` of them, in the first list. `decide` comes as a function of its own, so that nothing
    of it is written into the loop.
    """
    box, desk, seats, job = boxes[0], desks[0], players[0], jobs[0]
    table, hidden, luck, coins = (
        desk.tables[REAL],
        desk.hiddens[REAL],
        desk.lucks[REAL],
        desk.lucks[COIN],
    )
    offered = desk.lists[0]
    for game in range(job.lo, job.hi):
        desk.tables[REAL] = desk.tables[BLANK]
        desk.hiddens[REAL] = desk.hiddens[BLANK]
        luck.key = game_key(job.seed, game)
        luck.other = game_key(job.other, game)
        luck.log_n = 0
        coined = luck.other if np.uint64(luck.redrawn) >> _COINS else luck.key
        setup(box, table, hidden, luck)
        if table.ending == UNSET:
            blame(desk.fault, NOT_SET_UP, game, 0, table, 0, 0)
            return game - job.lo
        first = table.round
        step, reached, taken = 0, first, NOTHING_TAKEN
        while table.ending < 0:
            n = options(box, table, hidden, offered)
            if step == job.stop:
                desk.totals[OFFERED] = n
                break
            if n < 1 or n > offered.shape[0]:
                blame(desk.fault, NO_OPTION if n < 1 else TOO_MANY, game, step, table, 0, n)
                return game - job.lo
            seat, i = table.seat, 0
            if step < script.shape[0]:
                i = script[step]
            elif n > 1:
                desk.totals[DECISIONS] += 1
                desk.totals[OFFERED] += n
                key = coin_key(coined, step)
                if seats.special[seat]:
                    i = decide(
                        box,
                        desk,
                        setup,
                        options,
                        take,
                        redeal,
                        outcome,
                        label,
                        choose,
                        careless,
                        seats,
                        n,
                        key,
                        job.limit,
                        (game - job.lo) % WATCHED == 0,
                    )
                else:
                    lucky(coins, key)
                    i = choose[seat](
                        box,
                        table,
                        hidden.own[seat],
                        offered,
                        n,
                        coins,
                        seats.weights[seat, : seats.weights_n[seat]],
                    )
            if i < 0 or i >= n:
                blame(desk.fault, WROTE if i == HAS_WRITTEN else ILLEGAL, game, step, table, i, n)
                return game - job.lo
            if step < trace.shape[0]:
                trace[step] = i
            if luck.log_on:
                note(luck, DECISION, step, table.kind, table.round, n, offered[i])
            taken = mixed(taken, offered[i])
            take(box, table, hidden, luck, offered[i])
            step += 1
            while reached < table.round:
                keep_round(box, table, desk, outcome, reached)
                reached += 1
            if step >= job.limit and table.ending < 0:
                table.ending = desk.curves.shape[0] - 1
        desk.totals[STEPS] += step
        if table.ending >= 0:
            if not close(box, table, desk, outcome, first, reached, out, at):
                blame(desk.fault, NO_ENDING, game, step, table, desk.cells[ENDING], 0)
                return game - job.lo
            mark = outcome_hash(desk.cells, seats.special.shape[0], game, taken)
            desk.digest += mark
            if at < marks.shape[0]:
                marks[at] = mark
            at += 1
    return job.hi - job.lo


@cache
def signatures(game: Game) -> dict[str, Any]:
    """The explicit signature of each kind of entry of a game."""
    i8, f8, u8 = numba.int64, numba.float64, numba.uint64
    box, table, hidden, own, luck, row, desk, seats, job = (
        numba.from_dtype(d)
        for d in (
            game.box,
            game.table,
            game.hidden,
            game.own,
            LUCK,
            game.row,
            desk_of(game),
            seats_of(game),
            JOB,
        )
    )
    codes, numbers = i8[::1], f8[::1]
    made = {
        "setup": types.void(box, table, hidden, luck),
        "options": i8(box, table, hidden, codes),
        "take": types.void(box, table, hidden, luck, i8),
        "redeal": types.void(box, table, own, hidden, luck),
        "outcome": types.void(box, table, row),
        "label": i8(box, table, own, i8),
        "choose": i8(box, table, own, codes, i8, luck, numbers),
    }
    first = {name: types.FunctionType(sign) for name, sign in made.items()}
    rules = [first[name] for name in Rules._fields]
    who = types.UniTuple(first["choose"], game.seats)
    others = types.UniTuple(first["choose"], 2 * game.seats)
    made["decide"] = i8(box, desk, *rules, who, others, seats, i8, u8, i8, types.boolean)
    made["play"] = i8(
        box[::1],
        desk[::1],
        *rules,
        types.FunctionType(made["decide"]),
        who,
        others,
        seats[::1],
        job[::1],
        codes,
        codes,
        numba.int32[:, ::1],
        u8[::1],
        i8,
    )
    return made
