"""Planning a combat: a beam of boards, each a line of play tried out with the rules of the game itself."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hardmode.sim.games.vengeance.combat import (
    alike,
    begin_use,
    choices,
    current_action,
    resolve_step,
    usable,
)
from hardmode.sim.games.vengeance.den import boss_alive, exit_rooms, is_cleared
from hardmode.sim.games.vengeance.names import (
    BOARD_SIZE,
    Action,
    Den,
    Kind,
    Minion,
    Slot,
    Timing,
    Verb,
)
from hardmode.sim.games.vengeance.packing import first_of, lowest, size_of, verb_of
from hardmode.sim.games.vengeance.player_board import loaded, row_of
from hardmode.sim.games.vengeance.scoring import boss_points, kill_points
from hardmode.sim.records import rule
from hardmode.strategies.vengeance.evaluation import danger, distance, in_use, stock, threat
from hardmode.strategies.vengeance.hopes import hope, worthwhile

NODE, FIRST = 0, 1
# Behind each board: the actions of tiles not yet in use, its first choice, the targets that are open.
READY, CHOICE, OPEN = BOARD_SIZE, BOARD_SIZE + 1, BOARD_SIZE + 2
ROW = BOARD_SIZE + 3


class Beam(NamedTuple):
    """The boards of one depth. `order` names their rows, the best first, and behind them one that is free."""

    boards: Any
    values: Any
    order: Any


@rule
def harm(box, den, board, last, w):
    """What the wounds that await at the end of the round cost, if combat ends here."""
    active = board[Slot.ALIVE] & ~board[Slot.EVADED]
    incoming = threat(box, den, active, board[Slot.ROOM], 0, boss_alive(board))
    free, final = board[Slot.LIFE] - board[Slot.WOUNDS], board[Slot.KO] + 1 >= box.ko_slots
    return danger(free, final, incoming, last, w.wound_cost, w.ko_cost)


@rule
def prospects(box, den, board, cost, last, rooms, plan):
    """What a board is worth when combat ends like this: points, and what promises points, less what wounds cost; in the
    last round without the way out."""
    if board[Slot.OUT]:
        return -40.0
    value = 1.0 * (boss_points(box, den, board) + kill_points(box, board))
    marked = board[Slot.MARKED_OBJECTIVES]
    while marked:
        value += box.den[den, Den.GOAL_POINTS + lowest(marked)]
        marked &= marked - 1
    value -= cost
    icons = 0
    rooms &= board[Slot.VISITED] & ~board[Slot.TAKEN]
    while rooms:
        room = lowest(rooms)
        rooms &= rooms - 1
        if is_cleared(box, den, board, room):
            icons += box.den[den, Den.ICONS_IN + room]
    value += plan.icon * icons - 6.0 * board[Slot.KO]
    if last:
        return value
    fallen = box.den[den, Den.MINION_MASK] & ~board[Slot.ALIVE]
    value += plan.crossed * size_of(fallen) + plan.visited * size_of(board[Slot.VISITED])
    lair = box.den[den, Den.BOSS_ROOM]
    value += plan.grunt * size_of(fallen & box.den[den, Den.INSIDE + lair] & box.den[den, Den.OF_KIND + Minion.GRUNT])
    if boss_alive(board):
        value -= plan.boss_step * distance(box, den, board[Slot.ROOM], lair)
    return value - plan.wound * board[Slot.WOUNDS]


@rule
def at_last(box, den, board, value):
    """What is left of it in the last round, in which there is a way out to go; few wounds break ties."""
    return value - box.exit_points * exit_rooms(box, den, board) - 0.01 * board[Slot.WOUNDS]


@rule
def same(one, other):
    for i in range(BOARD_SIZE):
        if one[i] != other[i]:
            return False
    return True


@rule
def copied(child, board):
    for i in range(ROW):
        child[i] = board[i]


@rule
def put(beam, count, width, value):
    """Rank the board in the free row among the best `width`; boards that are equal count once."""
    order, values = beam.order, beam.values
    if count == width and value <= values[order[count - 1]]:
        return count
    row, at = order[count], count
    while at > 0 and values[order[at - 1]] < value:
        at -= 1
    i = at - 1
    while i >= 0 and values[order[i]] == value:
        if same(beam.boards[order[i]], beam.boards[row]):
            return count
        i -= 1
    for j in range(count, at, -1):
        order[j] = order[j - 1]
    order[at] = row
    values[row] = value
    return min(count + 1, width)


@rule
def widen(box, den, board, before, beam, count, width, best, last, rooms, w, plan):
    """Try every way on from a board. `best` holds the value and the first choice of the best line so far."""
    if board[Slot.TILE]:
        action, mask = current_action(box, board), board[OPEN]
        while mask:
            target = lowest(mask)
            goes = action == Action.MOVE or action == Action.LEAP
            mask &= mask - 1 if goes else ~alike(box, den, board, target, mask)
            child = beam.boards[beam.order[count]]
            copied(child, board)
            resolve_step(box, den, child, action, target)
            count = judge_child(box, den, child, before, beam, count, width, best, last, rooms, w, plan)
        return count
    tiles = loaded(board)
    while tiles:
        tile = lowest(tiles)
        tiles &= tiles - 1
        uses = usable(box, den, board, tile, Timing.COMBAT)
        while uses:
            child = beam.boards[beam.order[count]]
            copied(child, board)
            begin(box, child, tile, Verb.GROUP + lowest(uses))
            uses &= uses - 1
            count = judge_child(box, den, child, before, beam, count, width, best, last, rooms, w, plan)
    return count


@rule
def begin(box, child, tile, verb):
    """Take a tile in use, whose actions then lie ready no more."""
    row = row_of(child, tile)
    child[READY] -= box.sharp_contents[row] if verb == Verb.SHARP else box.contents[row]
    begin_use(box, child, tile, verb)


@rule
def judge_child(box, den, child, before, beam, count, width, best, last, rooms, w, plan):
    """A line that may end here is judged by what it has won, and one that goes on by what it hopes for, too.

    Where a tile was taken in use, and its first target is still open, nothing has changed yet.
    """
    value = before
    open_end = choices(box, den, child)
    child[OPEN] = open_end
    if not open_end or child[Slot.STEP]:
        cost = harm(box, den, child, last, w)
        value, more = prospects(box, den, child, cost, last, rooms, plan), 0.0
        if not child[Slot.OUT]:
            more = onward(box, den, child, child[READY] + in_use(box, child), cost, rooms, plan)
        full = count == width and value + more <= beam.values[beam.order[count - 1]]
        if full and (open_end or value <= best[NODE] + 1e-9):
            return count
        if last and not child[Slot.OUT]:
            value = at_last(box, den, child, value)
        if not open_end and value > best[NODE] + 1e-9:
            best[NODE], best[FIRST] = value, float(child[CHOICE])
        value += more
    return put(beam, count, width, value)


@rule
def onward(box, den, board, left, cost, rooms, plan):
    """What a line that goes on is worth beside what it has won: wounds may be averted, and more be won."""
    value = (1.0 - plan.fear) * cost
    if plan.hope > 0.0:
        value += hope(box, den, board, left, rooms, plan)
    return value


@rule
def start_child(box, den, table, child, board, left, option, choice):
    for i in range(BOARD_SIZE):
        child[i] = board[i]
    child[READY], child[CHOICE] = left, choice
    if table.kind == Kind.TARGET:
        resolve_step(box, den, child, current_action(box, board), first_of(option))
    else:
        begin(box, child, first_of(option), verb_of(option))


@rule
def best_line(box, table, options, n, w, plan):
    """The first choice of the best line of play that a beam of this width finds."""
    width = int(plan.width) + 1
    cells, numbers = np.empty((2 * width, ROW + 1), np.int64), np.empty(2 * width + 2)
    return line_in(box, table, options, n, Beam(cells[:width], numbers[:width], cells[:width, ROW]),
                   Beam(cells[width:], numbers[width:2 * width], cells[width:, ROW]), numbers[2 * width:], w, plan)


@rule
def begun(box, den, table, options, n, beam, width, best, last, rooms, w, plan):
    """Rank every first choice; to end here is the first line."""
    board = table.board[table.seat]
    left, _ = stock(box, board)
    cost = harm(box, den, board, last, w)
    value = prospects(box, den, board, cost, last, rooms, plan)
    if last:
        value = at_last(box, den, board, value)
    before = value + onward(box, den, board, left + in_use(box, board), cost, rooms, plan)
    count, best[NODE], best[FIRST] = 0, -1e9, 0.0
    for i in range(n):
        if verb_of(options[i]) == Verb.END:
            best[NODE], best[FIRST] = value, float(i)
    for i in range(n):
        if verb_of(options[i]) != Verb.END:
            child = beam.boards[beam.order[count]]
            start_child(box, den, table, child, board, left, options[i], i)
            count = judge_child(box, den, child, before, beam, count, width, best, last, rooms, w, plan)
    return count


@rule
def line_in(box, table, options, n, beam, deeper, best, w, plan):
    """The same with the arrays at hand: where none is made the compiler need not count who holds one."""
    board = table.board[table.seat]
    den, last, width = board[Slot.DEN], table.round == box.rounds, int(plan.width)
    rooms = worthwhile(box, den, board)
    for i in range(width + 1):
        beam.order[i] = deeper.order[i] = i
    count, depth = begun(box, den, table, options, n, beam, width, best, last, rooms, w, plan), 0
    while count > 0 and depth < plan.depth:
        found, depth = 0, depth + 1
        width = max(1, int(plan.width - plan.narrowing * depth))
        for i in range(count):
            row = beam.order[i]
            found = widen(box, den, beam.boards[row], beam.values[row], deeper, found, width, best, last, rooms, w,
                          plan)
        beam, deeper = deeper, beam
        count = found
    if count > 0 and beam.values[beam.order[0]] > best[NODE]:  # cut off: what it hopes for counts
        return beam.boards[beam.order[0], CHOICE]
    return int(best[FIRST])
