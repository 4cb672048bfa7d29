"""The roll phase as a race: events in the order of time, and whose player is asked next."""

from __future__ import annotations

from hardmode.sim.draws import below
from hardmode.sim.games.vengeance.clock import (
    place,
    timeless,
)
from hardmode.sim.games.vengeance.components import (
    AIR,
    BANKED,
    BY_CHOICE,
    BY_LOCK,
    BY_POOL,
    BY_TIMER,
    CAPPED,
    DICE_USED,
    DRAWN,
    EVENT,
    FIRST_DICE,
    FRESH,
    GRABS,
    GROUP,
    HAND,
    HELD,
    LOCKED,
    OUT,
    PHASE_TIME,
    PLACED,
    POOL_LEFT,
    STUCK_DICE,
    THROW,
    TIE,
    TIME_LEFT,
    V_ASSIGN,
    V_DRAW,
    V_LIFE,
    V_THROW,
    V_UNLOCK,
    first_of,
    in_hand,
    second_of,
    verb_of,
)
from hardmode.sim.games.vengeance.rolling import (
    ASSIGNING,
    DONE,
    DRAWING,
    GRABBING,
    THROWING,
    can_go_on,
    finish_assign,
    finish_draw,
    finish_grab,
    finish_throw,
    move_dice,
    out_of_throws,
    reserve,
    rung,
    start_assign,
    start_draw,
    start_place,
    start_throw,
    throw_unlocked,
    unlock,
)
from hardmode.sim.records import rule


@rule
def lot(table, luck, seat):
    """What settles a tie in time: drawn once for an event."""
    if table.lot[seat] < 0:
        board = table.board[seat]
        table.lot[seat] = below(luck, TIE, place(table, seat), board[THROW] * 1024 + board[GROUP],
                                (board[GRABS] << 24) + board[DRAWN] * 1024 + board[PLACED], 1 << 30)
    return table.lot[seat]


@rule
def next_seat(table, luck):
    """The seat whose event ends first, or -1 when all are done. Equal times are settled by lot: without a
    clock everybody takes a step in turn, in an order that is drawn for every turn."""
    best = -1
    for seat in range(table.seats):
        if table.board[seat][EVENT] == DONE:
            continue
        if best < 0 or table.clock[seat] < table.clock[best]:
            best = seat
        elif table.clock[seat] == table.clock[best] and lot(table, luck, seat) < lot(table, luck, best):
            best = seat
    return best


@rule
def start_rolling(box, table, luck):
    """Everybody throws all the dice of the hand at once."""
    for seat in range(table.seats):
        board = table.board[seat]
        table.clock[seat] = 0.0
        board[EVENT] = DONE
        for i in (THROW, DRAWN, PLACED, GROUP, BANKED, GRABS):
            board[i] = 0
        if not board[OUT] and board[FRESH] > 0:
            start_throw(box, table, luck, seat, 0)
        elif not board[OUT]:
            retire(box, table, seat, False)  # others took the last dice


@rule
def retire(box, table, seat, stopped):
    """A player is done; say why."""
    board = table.board[seat]
    board[EVENT] = DONE
    count = table.count[seat]
    if reserve(box, table, board) == 0:
        count[BY_POOL] += 1
    elif rung(box, table, seat) or out_of_throws(box, board):
        count[BY_TIMER] += 1
    elif stopped:
        count[BY_CHOICE] += 1
    else:
        count[BY_LOCK] += 1
    count[STUCK_DICE] += board[LOCKED]
    if board[LOCKED] > 0 and board[HAND] + board[FRESH] == 0 and not stopped:
        count[HELD] += 1
    if not timeless(box):
        count_time(box, table, seat, count)
    if board[THROW] >= box.throw_cap:
        count[CAPPED] += 1


@rule
def count_time(box, table, seat, count):
    count[PHASE_TIME] += int(10.0 * table.clock[seat])
    if box.timer >= 0.0 and table.clock[seat] < box.timer:
        count[TIME_LEFT] += int(10.0 * (box.timer - table.clock[seat]))


@rule
def run_events(box, table, luck):
    """Complete events in the order of time up to the next decision: 1 a step, 2 an unlock, 0 all are done."""
    while True:
        seat = next_seat(table, luck)
        if seat < 0:
            return 0
        table.seat = seat
        event = table.board[seat][EVENT]
        if event == THROWING:
            finish_throw(box, table, luck, seat)
        elif event == DRAWING:
            finish_draw(box, table, seat)
        elif event == GRABBING:
            if finish_grab(box, table, luck, seat):
                continue
        elif event == ASSIGNING:
            if finish_assign(box, table, luck, seat):
                return 2
            if throw_unlocked(box, table, luck, seat):
                continue
        elif throw_unlocked(box, table, luck, seat):
            continue
        if can_go_on(box, table, seat):
            return 1
        retire(box, table, seat, False)


@rule
def decide_unlock(box, table, luck, seat, verb):
    """After a group: unlock one W or leave it. True when the player goes on to a step."""
    if verb == V_UNLOCK:
        unlock(box, table.board[seat], 1)
        if throw_unlocked(box, table, luck, seat):
            return False
    return True


@rule
def do_step(box, table, luck, seat, option):
    """A player's step in the roll phase. True when the player is asked again at once."""
    verb = verb_of(option)
    board = table.board[seat]
    if verb == V_ASSIGN:
        start_assign(box, table, luck, seat, first_of(option), second_of(option))
    elif verb == V_LIFE:
        start_place(box, table, luck, seat)
    elif verb == V_DRAW:
        start_draw(box, table, luck, seat)
    elif verb == V_THROW:
        start_throw(box, table, luck, seat, second_of(option))
    elif verb == V_UNLOCK:
        board[BANKED] -= 1
        unlock(box, board, 1)
        return not throw_unlocked(box, table, luck, seat)
    else:
        retire(box, table, seat, True)
    return False


@rule
def end_rolling(box, table):
    """Dice that were not assigned go back to the pool, W included, with no effect."""
    for seat in range(table.seats):
        board = table.board[seat]
        if board[OUT]:
            continue
        table.count[seat, POOL_LEFT] += reserve(box, table, board)
        if table.round == 1:
            table.count[seat, FIRST_DICE] = table.count[seat, DICE_USED]
    for seat in range(table.seats):
        board = table.board[seat]
        move_dice(box, table, board, -in_hand(board))
        board[HAND] = 0
        board[LOCKED] = 0
        board[FRESH] = 0
        board[AIR] = 0
        board[EVENT] = DONE
