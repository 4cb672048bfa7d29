"""The decision loop: the one piece of compiled code that plays every game.

A game's rules and its strategies enter it as first-class functions, compiled on their own, so the
kernel knows no game. It plays a range of games, writes one row for each into columns, follows a
script of choices where one is given (replay), and stops after `stop` steps where asked.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from hardmode.sim.contract import ENDING, SCORES, WINNERS, Game
from hardmode.sim.draws import DECISION, GOLD, LUCK, game_key, lucky, mix64, note
from hardmode.sim.records import rule

REAL, TRIAL, COIN = 0, 1, 2  # the places of records: the game itself, search's trial, a strategy's coins

# What goes wrong in a kernel, by its code in `fault[0]`; fault[1:] are game, step, kind, seat, index, n.
FINE, NO_OPTION, ILLEGAL, TOO_MANY, NOT_SET_UP, NO_ENDING = 0, 1, 2, 3, 4, 5

UNSET = -2  # the ending of a table that nobody has set up, and of a row that nobody has written

# Where totals stand.
STEPS, DECISIONS, OFFERED = 0, 1, 2

SURE = 2.7  # search leaves its strategy's choice for a gain this many squared errors from none: 19 in 20

_STRATEGY = np.uint64(0x5EED0F57A7E6135)


class Rules(NamedTuple):
    """A game's rules as first-class functions."""

    setup: Any
    options: Any
    take: Any
    redeal: Any
    outcome: Any


class Players(NamedTuple):
    """What plays at each seat: a strategy, its weights, and how many playouts search may spend."""

    choose: Any
    weights: Any
    budgets: Any


class Workspace(NamedTuple):
    """The records and arrays that one thread plays with; the last table and hidden stay blank."""

    tables: Any
    hiddens: Any
    lucks: Any
    lists: Any  # of options: the game's, the trial's, the rivals left
    gains: Any
    squares: Any


class Pad(NamedTuple):
    """Where a thread writes down how a game stands."""

    rows: Any  # one record, and
    row: Any  # the same memory as numbers
    picks: Any  # the columns that are followed over the rounds, and
    lines: Any  # what they were at the end of each


class Sums(NamedTuple):
    """What a thread adds up while it plays, and what went wrong."""

    curves: Any
    alive: Any
    digest: Any
    totals: Any
    fault: Any


class Job(NamedTuple):
    """Which games are played, how far each may go, where to stop, whose choices are followed and where they go."""

    seed: Any
    lo: Any
    hi: Any
    limit: Any
    stop: Any
    script: Any
    trace: Any


@rule
def coin_key(key: Any, step: int) -> Any:
    """The key of a strategy's own chance at one step, from which no draw of the game can be told."""
    return mix64(mix64(np.uint64(key) ^ _STRATEGY) + np.uint64(step) * GOLD)


@rule
def row_hash(row: Any, n: int, game: int) -> Any:
    x = mix64(np.uint64(game) + GOLD)
    for i in range(n):
        x = mix64((x ^ np.uint64(row[i] & 0xFFFFFFFF)) + GOLD)
    return x


@rule
def worth(row: Any, seat: int) -> float:
    """What an outcome is worth to a seat: a win first, then the score."""
    return np.float64((row[WINNERS] >> seat) & 1) + 1e-4 * row[SCORES + seat]


@rule
def playout(box, space, pad, rules, players, seat, limit):
    """Play the trial to its end with the strategies that search is built on."""
    table, hidden, luck, coins = space.tables[TRIAL], space.hiddens[TRIAL], space.lucks[TRIAL], space.lucks[COIN]
    codes = space.lists[1]
    step = 0
    while table.ending < 0 and step < limit:
        n = rules.options(box, table, hidden, codes)
        i = 0
        if n > 1:
            s = table.seat
            lucky(coins, coin_key(luck.key, step))
            i = players.choose[s](box, table, hidden.own[s], codes, n, coins, players.weights[s])
            if i < 0 or i >= n:
                i = 0
        elif n < 1:
            break
        rules.take(box, table, hidden, luck, codes[i])
        step += 1
    rules.outcome(box, table, pad.rows[0])
    return worth(pad.row, seat)


@rule
def trial(box, space, pad, rules, players, seat, i, key, limit):
    """What taking option i is worth in one world that the seat cannot tell from the real one."""
    space.tables[TRIAL] = space.tables[REAL]
    table, hidden, luck = space.tables[TRIAL], space.hiddens[TRIAL], space.lucks[TRIAL]
    lucky(luck, key)
    rules.redeal(box, table, space.hiddens[REAL].own[seat], hidden, luck)
    rules.take(box, table, hidden, luck, space.lists[0][i])
    return playout(box, space, pad, rules, players, seat, limit)


@rule
def own_choice(box, space, players, seat, n, key):
    """What the strategy of a seat chooses."""
    lucky(space.lucks[COIN], key)
    return players.choose[seat](box, space.tables[REAL], space.hiddens[REAL].own[seat], space.lists[0], n,
                                space.lucks[COIN], players.weights[seat])


@rule
def best_first(rivals, left, gains):
    """Put the rivals in the order of what they gained; earlier options win ties."""
    for j in range(1, left):
        i, k = rivals[j], j
        while k > 0 and gains[rivals[k - 1]] < gains[i]:
            rivals[k] = rivals[k - 1]
            k -= 1
        rivals[k] = i


@rule
def compete(box, space, pad, rules, players, seat, first, left, worlds, world, limit):
    """Try the strategy's own choice and each rival left in `worlds` more worlds, and add up what they gain."""
    for w in range(1, worlds + 1):
        key = mix64(world + np.uint64(w) * GOLD)
        par = trial(box, space, pad, rules, players, seat, first, key, limit)
        for j in range(left):
            i = space.lists[2][j]
            gain = trial(box, space, pad, rules, players, seat, i, key, limit) - par
            space.gains[i] += gain
            space.squares[i] += gain * gain


@rule
def deliberate(box, space, pad, rules, players, seat, n, key, limit):
    """Search: what the strategy below would choose, unless another option is clearly better.

    All options left are tried in the same worlds, and judged by what they gain over the strategy's own
    choice; then the better half stays. The last one must gain more than chance would explain.
    """
    first = own_choice(box, space, players, seat, n, key)
    if first < 0 or first >= n:
        return first
    rivals, gains, squares = space.lists[2], space.gains, space.squares
    left, halvings, worlds = 0, 1, 0
    for i in range(n):
        if i != first:
            gains[i] = squares[i] = 0.0
            rivals[left] = i
            left += 1
    while (1 << halvings) < n:
        halvings += 1
    while True:
        more = max(1, players.budgets[seat] // (halvings * (left + 1)))
        world = key + np.uint64(worlds) * GOLD
        compete(box, space, pad, rules, players, seat, first, left, more, world, limit)
        worlds += more
        best_first(rivals, left, gains)
        if left == 1:
            break
        left = (left + 1) // 2
    best = rivals[0]
    mean = gains[best] / worlds
    spread = squares[best] / worlds - mean * mean
    return best if mean > 0 and mean * mean * (worlds - 1) > SURE * spread else first


@rule
def keep_round(box, table, pad, outcome, at):
    """Write the measures that are followed over time at the end of a round."""
    if at < pad.lines.shape[0]:
        outcome(box, table, pad.rows[0])
        for j in range(pad.picks.shape[0]):
            pad.lines[at, j] = pad.row[pad.picks[j]]


@rule
def close(box, table, pad, outcome, sums, first, last, out, at):
    """Write the finished game's row, and add what was followed over its rounds, first to last, to the sums.

    False where the row has no ending that there is.
    """
    keep_round(box, table, pad, outcome, last)
    row = pad.row
    row[ENDING] = UNSET
    outcome(box, table, pad.rows[0])
    if row[ENDING] < 0 or row[ENDING] >= sums.alive.shape[0]:
        return False
    for m in range(out.shape[0]):
        out[m, at] = row[m]
    for r in range(first, min(last + 1, pad.lines.shape[0])):
        sums.alive[row[ENDING], r] += 1
        for j in range(pad.picks.shape[0]):
            sums.curves[row[ENDING], r, j] += pad.lines[r, j]
    return True


@rule
def blame(fault, code, game, step, table, i, n):
    """Note what went wrong, and where."""
    fault[0] = code
    fault[1], fault[2], fault[3], fault[4], fault[5], fault[6] = game, step, table.kind, table.seat, i, n


def play(boxes, space, pad, setup, options, take, redeal, outcome, players, sums, job, out, at):
    """Play the games of a job, one column of `out` each from column `at` on; returns how many were played.

    A game that is stopped leaves its position in the records and its options, `totals[OFFERED]` of them,
    in the first list. The rules come one by one because numba takes a compiled function for a first-class
    one as an argument of its own, and not within a record. What is done at every step is written out: handing
    over a workspace means handing over all that is in it.
    """
    rules = Rules(setup, options, take, redeal, outcome)
    box, table, hidden, luck = boxes[0], space.tables[REAL], space.hiddens[REAL], space.lucks[REAL]
    offered, coins, totals = space.lists[0], space.lucks[COIN], sums.totals
    choose, weights, budgets = players.choose, players.weights, players.budgets
    script, trace, stop, limit = job.script, job.trace, job.stop, job.limit
    blank = space.tables.shape[0] - 1
    for game in range(job.lo, job.hi):
        space.tables[REAL] = space.tables[blank]
        space.hiddens[REAL] = space.hiddens[blank]
        luck.key = game_key(job.seed, game)
        luck.log_n = 0
        setup(box, table, hidden, luck)
        if table.ending == UNSET:
            blame(sums.fault, NOT_SET_UP, game, 0, table, 0, 0)
            return game - job.lo
        first = table.round
        step, reached = 0, first
        while table.ending < 0:
            n = options(box, table, hidden, offered)
            if step == stop:
                totals[OFFERED] = n
                break
            if n < 1 or n > offered.shape[0]:
                blame(sums.fault, NO_OPTION if n < 1 else TOO_MANY, game, step, table, 0, n)
                return game - job.lo
            seat, i = table.seat, 0
            if step < script.shape[0]:
                i = script[step]
            elif n > 1:
                totals[DECISIONS] += 1
                totals[OFFERED] += n
                key = coin_key(luck.key, step)
                if budgets[seat] > 0:
                    i = deliberate(box, space, pad, rules, players, seat, n, key, limit)
                else:
                    lucky(coins, key)
                    i = choose[seat](box, table, hidden.own[seat], offered, n, coins, weights[seat])
            if i < 0 or i >= n:
                blame(sums.fault, ILLEGAL, game, step, table, i, n)
                return game - job.lo
            if step < trace.shape[0]:
                trace[step] = i
            if luck.log_on:
                note(luck, DECISION, step, table.kind, table.round, n, offered[i])
            take(box, table, hidden, luck, offered[i])
            step += 1
            while reached < table.round:
                keep_round(box, table, pad, outcome, reached)
                reached += 1
            if step >= limit and table.ending < 0:
                table.ending = sums.curves.shape[0] - 1
        totals[STEPS] += step
        if table.ending >= 0:
            if not close(box, table, pad, outcome, sums, first, reached, out, at):
                blame(sums.fault, NO_ENDING, game, step, table, pad.row[ENDING], 0)
                return game - job.lo
            sums.digest[0] += row_hash(pad.row, out.shape[0], game)
            at += 1
    return job.hi - job.lo


def signatures(game: Game) -> dict[str, Any]:
    """The explicit signature of each kind of entry of a game."""
    i8, f8, u8 = numba.int64, numba.float64, numba.uint64
    box, table, hidden, own, luck, row = (
        numba.from_dtype(d) for d in (game.box, game.table, game.hidden, game.own, LUCK, game.row))
    codes, numbers = i8[::1], f8[::1]
    wide, deep = i8[:, ::1], i8[:, :, ::1]
    rules = {
        "setup": types.void(box, table, hidden, luck),
        "options": i8(box, table, hidden, codes),
        "take": types.void(box, table, hidden, luck, i8),
        "redeal": types.void(box, table, own, hidden, luck),
        "outcome": types.void(box, table, row),
        "choose": i8(box, table, own, codes, i8, luck, numbers),
    }
    first = {k: types.FunctionType(s) for k, s in rules.items()}
    rules["play"] = i8(
        box[::1],
        _named(Workspace, table[::1], hidden[::1], luck[::1], wide, numbers, numbers),
        _named(Pad, row[::1], codes, codes, wide),
        *(first[name] for name in Rules._fields),
        _named(Players, types.UniTuple(first["choose"], game.seats), f8[:, ::1], codes),
        _named(Sums, deep, wide, u8[::1], codes, codes),
        _named(Job, i8, i8, i8, i8, i8, codes, codes),
        numba.int32[:, ::1], i8)
    return rules


def _named(kind: type, *fields: Any) -> Any:
    return types.BaseTuple.from_types(fields, kind)
