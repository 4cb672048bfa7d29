"""Planning a combat: a beam of boards, each a line of play tried out with the rules of the game itself."""

from __future__ import annotations

import numpy as np

from hardmode.sim.games.vengeance.combat import alike, begin_use, choices, current_action, resolve_step, usable
from hardmode.sim.games.vengeance.den import boss_alive, exit_rooms, lootable
from hardmode.sim.games.vengeance.names import BOARD_SIZE, Action, Den, Kind, Minion, Slot, Timing, Verb
from hardmode.sim.games.vengeance.packing import first_of, lowest, size_of, verb_of
from hardmode.sim.games.vengeance.player_board import loaded
from hardmode.sim.games.vengeance.scoring import boss_points, kill_points, objective_points
from hardmode.sim.records import rule
from hardmode.strategies.vengeance.evaluation import danger, distance, threat

DEEPEST = 40
NODE, FIRST = 0, 1


@rule
def prospects(box, den, board, last, w, plan):
    """What a board is worth when combat ends like this: points, and what promises points."""
    if board[Slot.OUT]:
        return -40.0
    value = 1.0 * (boss_points(box, den, board) + kill_points(box, board) + objective_points(box, den, board))
    active = board[Slot.ALIVE] & ~board[Slot.EVADED]
    incoming = threat(box, den, active, board[Slot.ROOM], 0, boss_alive(board))
    free, final = board[Slot.LIFE] - board[Slot.WOUNDS], board[Slot.KO] + 1 >= box.ko_slots
    value -= danger(free, final, incoming, last, w.wound_cost, w.ko_cost)
    icons = 0
    for room in range(box.den[den, Den.ROOMS]):
        if box.den[den, Den.ICONS_IN + room] and lootable(box, den, board, room):
            icons += box.den[den, Den.ICONS_IN + room]
    value += plan.icon * icons - 6.0 * board[Slot.KO]
    if last:
        value -= box.exit_points * exit_rooms(box, den, board)
        return value - 0.01 * board[Slot.WOUNDS]
    fallen = box.den[den, Den.MINION_MASK] & ~board[Slot.ALIVE]
    value += plan.crossed * size_of(fallen) + plan.visited * size_of(board[Slot.VISITED])
    lair = box.den[den, Den.BOSS_ROOM]
    value += plan.grunt * size_of(fallen & box.den[den, Den.INSIDE + lair] & box.den[den, Den.OF_KIND + Minion.GRUNT])
    if boss_alive(board):
        value -= plan.boss_step * distance(box, den, board[Slot.ROOM], lair)
    return value - plan.wound * board[Slot.WOUNDS]


@rule
def same(one, other):
    for i in range(BOARD_SIZE):
        if one[i] != other[i]:
            return False
    return True


@rule
def put(boards, firsts, values, count, width, board, first, value):
    """Keep a board among the best `width`, the best first; boards that are equal count once."""
    if count == width and value <= values[count - 1]:
        return count
    at = count if count < width else count - 1
    while at > 0 and values[at - 1] < value:
        at -= 1
    i = at - 1
    while i >= 0 and values[i] == value:
        if same(boards[i], board):
            return count
        i -= 1
    for j in range(min(count, width - 1), at, -1):
        boards[j, :] = boards[j - 1]
        firsts[j] = firsts[j - 1]
        values[j] = values[j - 1]
    boards[at, :] = board
    firsts[at] = first
    values[at] = value
    return min(count + 1, width)


@rule
def widen(box, den, board, first, child, boards, firsts, values, count, width, best, last, w, plan):
    """Try every way on from a board. `best` holds the value and the first choice of the best line so far."""
    if board[Slot.TILE]:
        action = current_action(box, board)
        mask = choices(box, den, board)
        while mask:
            target = lowest(mask)
            goes = action == Action.MOVE or action == Action.LEAP
            mask &= mask - 1 if goes else ~alike(box, den, board, target, mask)
            child[:] = board
            resolve_step(box, den, child, action, target)
            count = judge_child(box, den, child, first, boards, firsts, values, count, width, best, last, w, plan)
        return count
    tiles = loaded(board)
    while tiles:
        tile = lowest(tiles)
        tiles &= tiles - 1
        uses = usable(box, den, board, tile, Timing.COMBAT)
        while uses:
            child[:] = board
            begin_use(box, child, tile, Verb.GROUP + lowest(uses))
            uses &= uses - 1
            count = judge_child(box, den, child, first, boards, firsts, values, count, width, best, last, w, plan)
    return count


@rule
def judge_child(box, den, child, first, boards, firsts, values, count, width, best, last, w, plan):
    open_end = choices(box, den, child)
    value = prospects(box, den, child, last, w, plan)
    if not open_end:
        if value > best[NODE] + 1e-9:
            best[NODE], best[FIRST] = value, float(first)
    return put(boards, firsts, values, count, width, child, first, value)


@rule
def start_child(box, den, table, child, board, option):
    child[:] = board
    if table.kind == Kind.TARGET:
        resolve_step(box, den, child, current_action(box, board), first_of(option))
    else:
        begin_use(box, child, first_of(option), verb_of(option))


@rule
def best_line(box, table, options, n, w, plan):
    """The first choice of the best line of play that a beam of this width finds."""
    board = table.board[table.seat]
    den = board[Slot.DEN]
    last = table.round == box.rounds
    width = int(plan.width)
    boards, more = np.empty((width, BOARD_SIZE), np.int64), np.empty((width, BOARD_SIZE), np.int64)
    firsts, more_firsts = np.empty(width, np.int64), np.empty(width, np.int64)
    values, more_values = np.empty(width), np.empty(width)
    child = np.empty(BOARD_SIZE, np.int64)
    best = np.empty(2)
    best[NODE], best[FIRST] = -1e9, 0.0
    for i in range(n):
        if verb_of(options[i]) == Verb.END:
            best[NODE], best[FIRST] = prospects(box, den, board, last, w, plan), float(i)
    count = 0
    for i in range(n):
        if verb_of(options[i]) == Verb.END:
            continue
        start_child(box, den, table, child, board, options[i])
        count = judge_child(box, den, child, i, boards, firsts, values, count, width, best, last, w, plan)
    depth = 0
    while count > 0 and depth < DEEPEST:
        found = 0
        for i in range(count):
            found = widen(box, den, boards[i], firsts[i], child, more, more_firsts, more_values, found, width, best,
                          last, w, plan)
        boards, more = more, boards
        firsts, more_firsts = more_firsts, firsts
        values, more_values = more_values, values
        count = found
        depth += 1
    return int(best[FIRST])
