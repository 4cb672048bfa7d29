"""The roll phase: throws, locked dice, groups, the life bar, and the pool.

Every seat has one event under way, which ends at its clock. Dice drawn leave the pool when the drawing starts.
"""

from __future__ import annotations

import numpy as np

from hardmode.sim.draws import below
from hardmode.sim.games.vengeance.clock import (
    assign_time,
    draw_time,
    life_time,
    place,
    throw_time,
    timeless,
)
from hardmode.sim.games.vengeance.components import (
    AIR,
    ASSIGNED,
    BANKED,
    BUDGET,
    COMBAT_DIE,
    DICE_USED,
    DOUBLE,
    DRAWN,
    EAGER,
    EQUAL_SHARE,
    EVENT,
    FRESH,
    GRABS,
    GROUP,
    GROUPS,
    GROUPS_MADE,
    HAND,
    LIFE_DICE,
    LIFE_USED,
    LOCKED,
    MAX_OPTIONS,
    PASSIVE,
    PER_DIE,
    PLACED,
    SHARE,
    SHARPS,
    THROW,
    THROWS,
    V_ASSIGN,
    V_DRAW,
    V_LIFE,
    V_STOP,
    V_THROW,
    V_UNLOCK,
    WOUND_FACE,
    faces_in,
    focus_marks,
    free_slots,
    hand_cap,
    holds,
    in_hand,
    lowest,
    pack,
    row_of,
    second_of,
    skills_of,
)
from hardmode.sim.records import rule

DONE, THROWING, ASSIGNING, PLACING, DRAWING, GRABBING = 0, 1, 2, 3, 4, 5  # the event under way
FREE_W = 1 << (4 * WOUND_FACE)

# --- the pool ------------------------------------------------------------------------------------


@rule
def reserve(box, table, board):
    """How many dice a seat can draw from."""
    return board[SHARE] if box.contention == EQUAL_SHARE else table.pool


@rule
def move_dice(box, table, board, n):
    """Take n dice from the pool, or give them back."""
    if box.contention == EQUAL_SHARE:
        board[SHARE] -= n
    table.pool -= n


@rule
def rung(box, table, seat):
    """The timer has run out for what this seat would start now."""
    return box.timer >= 0.0 and table.clock[seat] >= box.timer and not timeless(box)


# --- what may be done ----------------------------------------------------------------------------


@rule
def can_draw(box, table, seat):
    board = table.board[seat]
    return in_hand(board) < hand_cap(box, board) and reserve(box, table, board) > 0 and not rung(box, table, seat)


@rule
def out_of_throws(box, board):
    return board[THROW] >= box.throw_cap or (box.contention == BUDGET and board[THROW] >= box.budget)


@rule
def may_throw(box, table, seat):
    board = table.board[seat]
    if out_of_throws(box, board):
        return False
    return not (box.pool_empty_stops and (reserve(box, table, board) == 0 or rung(box, table, seat)))


@rule
def can_place(board):
    return (board[LOCKED] > 0 or board[HAND] >= FREE_W) and free_slots(board) > 0


@rule
def takes_group(box, board, skill, row):
    """Whether a skill of the seat may receive a (further) group in this phase."""
    takes = box.size[row] > 0 and box.timing[row] != PASSIVE
    if takes and box.once[row]:
        marks = focus_marks(board, skill)
        takes = board[GROUPS + skill] == 0 and not marks >= box.slots[row] > 0
        if marks > 0 and box.once_partial_focus_blocks:
            takes = False
    return takes


@rule
def list_groups(box, board, out, n):
    """Add every distinct group of the hand that fills a skill."""
    hand = board[HAND]
    dice = faces_in(hand & (FREE_W - 1))
    skills = skills_of(board) if dice else 0
    while skills:
        skill = lowest(skills)
        skills &= skills - 1
        row = row_of(board, skill)
        for i in range(box.fillings[row] if box.size[row] <= dice else 0):
            if holds(hand, box.filling[row, i]) and takes_group(box, board, skill, row):
                out[n] = pack(V_ASSIGN, skill, i)
                n += 1
    return n


@rule
def list_throws(box, board, out, n):
    """Add every set of dice that may be kept while all others are thrown; equal faces count once."""
    hand = board[HAND]
    free = hand >> 16 if box.no_lock else 0
    for w in range(free + 1):
        for d in range((hand >> 12 & 15) + 1):
            for k in range((hand >> 8 & 15) + 1):
                for g in range((hand >> 4 & 15) + 1):
                    base = w << 16 | d << 12 | k << 8 | g << 4
                    for r in range((hand & 15) + 1):
                        out[n] = pack(V_THROW, 0, base | r)
                        n += 1
    if board[FRESH] == 0 and n > 0 and second_of(out[n - 1]) == hand:
        n -= 1  # nothing would be thrown
    return n


@rule
def list_steps(box, table, seat, out):
    """All that a player may do next in the roll phase."""
    board = table.board[seat]
    drawable = can_draw(box, table, seat)
    n = 0
    if not (drawable and box.forced_draw):
        n = list_groups(box, board, out, n)
        if can_place(board):
            out[n] = pack(V_LIFE, 0, 0)
            n += 1
        if board[BANKED] > 0 and board[LOCKED] > 0:
            out[n] = pack(V_UNLOCK, 0, 0)
            n += 1
    if drawable:
        out[n] = pack(V_DRAW, 0, 0)
        n += 1
    if not (drawable and box.forced_draw):
        if board[HAND] + board[FRESH] > 0 and may_throw(box, table, seat):
            n = list_throws(box, board, out, n)
        out[n] = pack(V_STOP, 0, 0)
        n += 1
    return n


@rule
def can_go_on(box, table, seat):
    """Whether anything but stopping is left."""
    board = table.board[seat]
    if board[HAND] + board[FRESH] > 0 and may_throw(box, table, seat):
        return True
    if can_place(board) or can_draw(box, table, seat) or (board[BANKED] > 0 and board[LOCKED] > 0):
        return True
    return list_groups(box, board, np.empty(MAX_OPTIONS, np.int64), 0) > 0


# --- steps begin ---------------------------------------------------------------------------------


@rule
def begin(table, seat, event, seconds):
    """An event of a seat begins; it ends so many seconds later."""
    table.board[seat][EVENT] = event
    table.clock[seat] += seconds
    table.lot[seat] = -1


@rule
def start_throw(box, table, luck, seat, keep):
    board = table.board[seat]
    board[AIR] = faces_in(board[HAND]) - faces_in(keep) + board[FRESH]
    board[HAND] = keep
    board[FRESH] = 0
    board[EAGER] = 0
    board[THROW] += 1
    begin(table, seat, THROWING, throw_time(box, table, luck, seat, board[THROW], board[AIR]))


@rule
def start_assign(box, table, luck, seat, skill, nth):
    board = table.board[seat]
    row = row_of(board, skill)
    group = box.filling[row, nth]
    board[HAND] -= group
    board[ASSIGNED] += box.size[row]
    board[GROUPS + skill] += 1
    if box.sharp_length[row] > box.length[row] and group >> (4 * DOUBLE) & 15:
        board[SHARPS + skill] += 1
    board[GROUP] += 1
    begin(table, seat, ASSIGNING, assign_time(box, table, luck, seat, board[GROUP], box.size[row]))
    table.count[seat, GROUPS_MADE] += 1
    table.count[seat, DICE_USED] += box.size[row]


@rule
def start_place(box, table, luck, seat):
    """One W goes to the life bar; all other W are unlocked."""
    board = table.board[seat]
    if board[LOCKED] > 0:
        board[LOCKED] -= 1
    else:
        board[HAND] -= FREE_W
    board[LIFE_DICE] += 1
    board[PLACED] += 1
    unlock(box, board, board[LOCKED])
    begin(table, seat, PLACING, life_time(box, table, luck, seat, board[PLACED]))
    table.count[seat, LIFE_USED] += 1
    table.count[seat, DICE_USED] += 1


@rule
def start_draw(box, table, luck, seat):
    board = table.board[seat]
    n = min(hand_cap(box, board) - in_hand(board), reserve(box, table, board))
    board[DRAWN] += 1
    if box.contention == PER_DIE:
        board[GRABS] = n
        seconds = draw_time(box, table, luck, seat, board[DRAWN], n, box.draw_base + box.draw_each)
        begin(table, seat, GRABBING, seconds)
        return
    move_dice(box, table, board, n)
    board[AIR] = n
    begin(table, seat, DRAWING, draw_time(box, table, luck, seat, board[DRAWN], 0, box.draw_base + box.draw_each * n))


@rule
def unlock(box, board, n):
    board[LOCKED] -= n
    board[EAGER] = n if box.unlock_throw else 0
    if box.unlocked_w_placeable:
        board[HAND] += n * FREE_W
    else:
        board[FRESH] += n


@rule
def throw_unlocked(box, table, luck, seat):
    """Under `unlock_throw = immediate` what was unlocked is thrown at once, alone."""
    board = table.board[seat]
    if board[EAGER] > 0 and may_throw(box, table, seat):
        keep = board[HAND] if box.no_lock else board[HAND] & (FREE_W - 1)
        start_throw(box, table, luck, seat, keep)
        return True
    return False


# --- steps end -----------------------------------------------------------------------------------


@rule
def show(box, board, face):
    """A thrown die shows a face."""
    if face != WOUND_FACE or box.no_lock:
        board[HAND] += 1 << (4 * face)
    else:
        board[LOCKED] += 1


@rule
def finish_throw(box, table, luck, seat):
    board = table.board[seat]
    dice = board[AIR]
    board[AIR] = 0
    where = place(table, seat)
    for i in range(dice):
        show(box, board, box.die[below(luck, COMBAT_DIE, where, board[THROW], i, 6)])
    table.count[seat, THROWS] += 1


@rule
def finish_draw(box, table, seat):
    board = table.board[seat]
    if box.draw_deadline == 1 and rung(box, table, seat):
        move_dice(box, table, board, -board[AIR])
    else:
        board[FRESH] += board[AIR]
    board[AIR] = 0


@rule
def finish_grab(box, table, luck, seat):
    """One die of a draw comes to hand; True while the next is being reached for."""
    board = table.board[seat]
    if reserve(box, table, board) > 0 and not (box.draw_deadline == 1 and rung(box, table, seat)):
        move_dice(box, table, board, 1)
        board[FRESH] += 1
    board[GRABS] -= 1
    if board[GRABS] > 0 and reserve(box, table, board) > 0 and not rung(box, table, seat):
        seconds = draw_time(box, table, luck, seat, board[DRAWN], board[GRABS], box.draw_each)
        begin(table, seat, GRABBING, seconds)
        return True
    board[GRABS] = 0
    return False


@rule
def finish_assign(box, table, luck, seat):
    """The right to unlock one W; True when the player has to say whether to use it."""
    board = table.board[seat]
    if box.unlock_all_on_assign:
        unlock(box, board, board[LOCKED])
        return False
    if box.unlock_bankable:
        board[BANKED] += 1
        return False
    return board[LOCKED] > 0
