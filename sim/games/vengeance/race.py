"""The roll phase as a race: events in the order of time, and whose player is asked next."""

from __future__ import annotations

from hardmode.sim.draws import below
from hardmode.sim.games.vengeance.clock import place, timeless
from hardmode.sim.games.vengeance.names import Event, Slot, Source, Verb
from hardmode.sim.games.vengeance.packing import first_of, second_of, verb_of
from hardmode.sim.games.vengeance.player_board import in_hand
from hardmode.sim.games.vengeance.rolling import (
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
def lot(table, hidden, luck, seat):
    """What settles a tie in time: drawn once for an event."""
    if hidden.lot[seat] < 0:
        board = table.board[seat]
        hidden.lot[seat] = below(luck, Source.TIE, place(table, seat), board[Slot.THROW] * 1024 + board[Slot.GROUP],
                                (board[Slot.GRABS] << 24) + board[Slot.DRAWN] * 1024 + board[Slot.PLACED], 1 << 30)
    return hidden.lot[seat]


@rule
def next_seat(table, hidden, luck):
    """The seat whose event ends first, or -1 when all are done. Equal times are settled by lot: without a
    clock everybody takes a step in turn, in an order that is drawn for every turn."""
    best = -1
    for seat in range(table.seats):
        if table.board[seat][Slot.EVENT] == Event.DONE:
            continue
        if best < 0 or hidden.ends[seat] < hidden.ends[best]:
            best = seat
        elif hidden.ends[seat] == hidden.ends[best] and lot(table, hidden, luck, seat) < lot(table, hidden, luck, best):
            best = seat
    return best


@rule
def start_rolling(box, table, hidden, luck):
    """Everybody throws all the dice of the hand at once."""
    for seat in range(table.seats):
        board = table.board[seat]
        table.since[seat] = hidden.ends[seat] = 0.0
        board[Slot.EVENT] = Event.DONE
        for i in (Slot.THROW, Slot.DRAWN, Slot.PLACED, Slot.GROUP, Slot.BANKED, Slot.GRABS):
            board[i] = 0
        if not board[Slot.OUT] and board[Slot.FRESH] > 0:
            start_throw(box, table, hidden, luck, seat, 0)
        elif not board[Slot.OUT]:
            retire(box, table, seat, False)  # others took the last dice


@rule
def retire(box, table, seat, stopped):
    """A player is done; say why."""
    board = table.board[seat]
    board[Slot.EVENT] = Event.DONE
    count = table.count[seat]
    if reserve(box, table, board) == 0:
        count.ended_by_pool += 1
    elif rung(box, table, seat) or out_of_throws(box, board):
        count.ended_by_timer += 1
    elif stopped:
        count.ended_by_choice += 1
    else:
        count.ended_stuck += 1
    count.dice_lost += board[Slot.LOCKED]
    if board[Slot.LOCKED] > 0 and board[Slot.HAND] + board[Slot.FRESH] == 0 and not stopped:
        count.hands_stuck += 1
    if not timeless(box):
        count_time(box, table, seat, count)
    if board[Slot.THROW] >= box.throw_cap:
        count.cap_hit += 1


@rule
def count_time(box, table, seat, count):
    count.time_rolled += int(10.0 * table.since[seat])
    if box.timer >= 0.0 and table.since[seat] < box.timer:
        count.time_left += int(10.0 * (box.timer - table.since[seat]))


@rule
def run_events(box, table, hidden, luck):
    """Complete events in the order of time up to the next decision: 1 a step, 2 an unlock, 0 all are done."""
    while True:
        seat = next_seat(table, hidden, luck)
        if seat < 0:
            return 0
        table.seat = seat
        table.since[seat] = hidden.ends[seat]
        event = table.board[seat][Slot.EVENT]
        if event == Event.THROWING:
            finish_throw(box, table, luck, seat)
        elif event == Event.DRAWING:
            finish_draw(box, table, seat)
        elif event == Event.GRABBING:
            if finish_grab(box, table, hidden, luck, seat):
                continue
        elif event == Event.ASSIGNING:
            if finish_assign(box, table, luck, seat):
                return 2
            if throw_unlocked(box, table, hidden, luck, seat):
                continue
        elif throw_unlocked(box, table, hidden, luck, seat):
            continue
        if can_go_on(box, table, seat):
            return 1
        retire(box, table, seat, False)


@rule
def decide_unlock(box, table, hidden, luck, seat, verb):
    """After a group: unlock one W or leave it. True when the player goes on to a step."""
    if verb == Verb.UNLOCK:
        unlock(box, table.board[seat], 1)
        if throw_unlocked(box, table, hidden, luck, seat):
            return False
    return True


@rule
def do_step(box, table, hidden, luck, seat, option):
    """A player's step in the roll phase. True when the player is asked again at once."""
    verb = verb_of(option)
    board = table.board[seat]
    if verb == Verb.ASSIGN:
        start_assign(box, table, hidden, luck, seat, first_of(option), second_of(option))
    elif verb == Verb.LIFE:
        start_place(box, table, hidden, luck, seat)
    elif verb == Verb.DRAW:
        start_draw(box, table, hidden, luck, seat)
    elif verb == Verb.THROW:
        start_throw(box, table, hidden, luck, seat, second_of(option))
    elif verb == Verb.UNLOCK:
        board[Slot.BANKED] -= 1
        unlock(box, board, 1)
        return not throw_unlocked(box, table, hidden, luck, seat)
    else:
        retire(box, table, seat, True)
    return False


@rule
def end_rolling(box, table):
    """Dice that were not assigned go back to the pool, W included, with no effect."""
    for seat in range(table.seats):
        board = table.board[seat]
        if board[Slot.OUT]:
            continue
        table.count[seat].pool_left += reserve(box, table, board)
        if table.round == 1:
            table.count[seat].dice_used_in_round_1 = table.count[seat].dice_used
    for seat in range(table.seats):
        board = table.board[seat]
        move_dice(box, table, board, -in_hand(board))
        board[Slot.HAND] = 0
        board[Slot.LOCKED] = 0
        board[Slot.FRESH] = 0
        board[Slot.AIR] = 0
        board[Slot.EVENT] = Event.DONE
