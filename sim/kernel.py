"""The decision loop: the one piece of compiled code that plays every game.

A game's rules and its strategies enter it as first-class functions, compiled on their own, so the
kernel knows no game. It plays a range of games, writes one row for each into columns, follows a
script of choices where one is given (replay), and stops after `stop` steps where asked.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from hardmode.sim.contract import ENDING, SCORES, WINNERS, Game
from hardmode.sim.draws import DECISION, GOLD, LUCK, game_key, lucky, mix64, note
from hardmode.sim.records import rule

REAL, TRIAL, COIN = 0, 1, 2  # the places of records: the game itself, search's trial, a strategy's coins

# What goes wrong in a kernel, by its code in `fault[0]`; fault[1:] are game, step, kind, seat, index, n.
FINE, NO_OPTION, ILLEGAL, TOO_MANY = 0, 1, 2, 3

# Where totals stand.
STEPS, DECISIONS, OFFERED = 0, 1, 2

SURE = 2.7  # search leaves its strategy's choice for a gain this many squared errors from none: 19 in 20

_STRATEGY = np.uint64(0x5EED0F57A7E6135)


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
def playout(box, tables, hiddens, lucks, lists, options, take, outcome, choose, weights, row, seat, limit):
    """Play the trial to its end with the strategies that search is built on."""
    table, hidden, codes = tables[TRIAL], hiddens[TRIAL], lists[1]
    step = 0
    while table.ending < 0 and step < limit:
        n = options(box, table, hidden, codes)
        i = 0
        if n > 1:
            s = table.seat
            lucky(lucks[COIN], coin_key(lucks[TRIAL].key, step))
            i = choose[s](box, table, hidden.own[s], codes, n, lucks[COIN], weights[s])
            if i < 0 or i >= n:
                i = 0
        elif n < 1:
            break
        take(box, table, hidden, lucks[TRIAL], codes[i])
        step += 1
    outcome(box, table, row)
    return worth(row, seat)


@rule
def trial(box, tables, hiddens, lucks, lists, options, take, redeal, outcome, choose, weights, row, seat, i, key,
          limit):
    """What taking option i is worth in one world that the seat cannot tell from the real one."""
    tables[TRIAL] = tables[REAL]
    lucky(lucks[TRIAL], key)
    redeal(box, tables[TRIAL], hiddens[REAL].own[seat], hiddens[TRIAL], lucks[TRIAL])
    take(box, tables[TRIAL], hiddens[TRIAL], lucks[TRIAL], lists[0][i])
    return playout(box, tables, hiddens, lucks, lists, options, take, outcome, choose, weights, row, seat, limit)


@rule
def deliberate(box, tables, hiddens, lucks, lists, options, take, redeal, outcome, choose, weights, row,
               gains, squares, seat, n, key, budget, limit):
    """Search: what the strategy below would choose, unless another option is clearly better.

    All options left are tried in the same worlds, and judged by what they gain over the strategy's own
    choice; then the better half stays. The last one must gain more than chance would explain.
    """
    lucky(lucks[COIN], key)
    first = choose[seat](box, tables[REAL], hiddens[REAL].own[seat], lists[0], n, lucks[COIN], weights[seat])
    if first < 0 or first >= n:
        return first
    rivals, left, halvings, worlds = lists[2], 0, 1, 0
    for i in range(n):
        if i != first:
            gains[i] = squares[i] = 0.0
            rivals[left] = i
            left += 1
    while (1 << halvings) < n:
        halvings += 1
    while True:
        for _ in range(max(1, budget // (halvings * (left + 1)))):
            worlds += 1
            world = mix64(key + np.uint64(worlds) * GOLD)
            par = trial(box, tables, hiddens, lucks, lists, options, take, redeal, outcome, choose, weights, row,
                        seat, first, world, limit)
            for j in range(left):
                i = rivals[j]
                gain = trial(box, tables, hiddens, lucks, lists, options, take, redeal, outcome, choose, weights,
                             row, seat, i, world, limit) - par
                gains[i] += gain
                squares[i] += gain * gain
        for j in range(1, left):  # the best first; earlier options win ties
            i, k = rivals[j], j
            while k > 0 and gains[rivals[k - 1]] < gains[i]:
                rivals[k] = rivals[k - 1]
                k -= 1
            rivals[k] = i
        if left == 1:
            break
        left = (left + 1) // 2
    best = rivals[0]
    mean = gains[best] / worlds
    spread = squares[best] / worlds - mean * mean
    return best if mean > 0 and mean * mean * (worlds - 1) > SURE * spread else first


@rule
def keep_round(box, table, outcome, row, picks, lines, at):
    """Write the measures that are followed over time at the end of a round."""
    if at < lines.shape[0]:
        outcome(box, table, row)
        for j in range(picks.shape[0]):
            lines[at, j] = row[picks[j]]


@rule
def close(box, table, outcome, row, picks, lines, first, last, out, at, curves, alive):
    """Write the finished game's row, and add what was followed over its rounds, first to last, to the sums."""
    keep_round(box, table, outcome, row, picks, lines, last)
    outcome(box, table, row)
    for m in range(out.shape[0]):
        out[m, at] = row[m]
    for r in range(first, min(last + 1, lines.shape[0])):
        alive[row[ENDING], r] += 1
        for j in range(picks.shape[0]):
            curves[row[ENDING], r, j] += lines[r, j]


@rule
def blame(fault, code, game, step, table, i, n):
    """Note what went wrong, and where."""
    fault[0] = code
    fault[1], fault[2], fault[3], fault[4], fault[5], fault[6] = game, step, table.kind, table.seat, i, n


def play(boxes, tables, hiddens, lucks, lists, setup, options, take, redeal, outcome, choose, weights, budgets,
         seed, lo, hi, limit, stop, script, trace, row, gains, squares, picks, lines, out, at, curves, alive,
         digest, totals, fault):
    """Play games lo..hi-1, one column of `out` each from column `at` on; returns how many were played.

    A game that is stopped leaves its position in the records and its options, `totals[OFFERED]` of them,
    in the first list.
    """
    box, table, hidden, luck = boxes[0], tables[REAL], hiddens[REAL], lucks[REAL]
    offered, coins = lists[0], lucks[COIN]
    cap = curves.shape[0] - 1
    for game in range(lo, hi):
        tables[REAL] = tables[tables.shape[0] - 1]
        hiddens[REAL] = hiddens[hiddens.shape[0] - 1]
        luck.key = game_key(seed, game)
        luck.log_n = 0
        setup(box, table, hidden, luck)
        first = table.round
        step, reached = 0, first
        while table.ending < 0:
            n = options(box, table, hidden, offered)
            if step == stop:
                totals[OFFERED] = n
                break
            if n < 1 or n > lists.shape[1]:
                blame(fault, NO_OPTION if n < 1 else TOO_MANY, game, step, table, 0, n)
                return game - lo
            seat = table.seat
            i = 0
            if step < script.shape[0]:
                i = script[step]
            elif n > 1:
                key = coin_key(luck.key, step)
                totals[DECISIONS] += 1
                totals[OFFERED] += n
                if budgets[seat] > 0:
                    i = deliberate(box, tables, hiddens, lucks, lists, options, take, redeal, outcome, choose,
                                   weights, row, gains, squares, seat, n, key, budgets[seat], limit)
                else:
                    lucky(coins, key)
                    i = choose[seat](box, table, hidden.own[seat], offered, n, coins, weights[seat])
            if i < 0 or i >= n:
                blame(fault, ILLEGAL, game, step, table, i, n)
                return game - lo
            if step < trace.shape[0]:
                trace[step] = i
            if luck.log_on:
                note(luck, DECISION, step, table.kind, table.round, n, offered[i])
            take(box, table, hidden, luck, offered[i])
            step += 1
            while reached < table.round:
                keep_round(box, table, outcome, row, picks, lines, reached)
                reached += 1
            if step >= limit and table.ending < 0:
                table.ending = cap
        totals[STEPS] += step
        if table.ending >= 0:
            close(box, table, outcome, row, picks, lines, first, reached, out, at, curves, alive)
            digest[0] += row_hash(row, out.shape[0], game)
            at += 1
    return hi - lo


def signatures(game: Game) -> dict[str, Any]:
    """The explicit signature of each kind of entry of a game."""
    i8, f8, u8 = numba.int64, numba.float64, numba.uint64
    box, table, hidden, own, luck = (numba.from_dtype(d) for d in (game.box, game.table, game.hidden, game.own, LUCK))
    codes, numbers = i8[::1], f8[::1]
    rules = {
        "setup": types.void(box, table, hidden, luck),
        "options": i8(box, table, hidden, codes),
        "take": types.void(box, table, hidden, luck, i8),
        "redeal": types.void(box, table, own, hidden, luck),
        "outcome": types.void(box, table, codes),
        "choose": i8(box, table, own, codes, i8, luck, numbers),
    }
    first = {k: types.FunctionType(s) for k, s in rules.items()}
    wide, deep = i8[:, ::1], i8[:, :, ::1]
    rules["play"] = i8(
        box[::1], table[::1], hidden[::1], luck[::1], wide,
        first["setup"], first["options"], first["take"], first["redeal"], first["outcome"],
        types.UniTuple(first["choose"], game.seats), f8[:, ::1], codes,
        i8, i8, i8, i8, i8, codes, codes, codes, numbers, numbers, codes, wide,
        numba.int32[:, ::1], i8, deep, wide, u8[::1], codes, codes)
    return rules
