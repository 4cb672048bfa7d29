"""The roll phase: throws, locked dice, groups, the life bar, and the pool.

Every seat has one event under way, which ends at its clock. Dice drawn leave the pool when the drawing starts.
"""

from __future__ import annotations

import numpy as np

from hardmode.sim.draws import below
from hardmode.sim.games.vengeance.clock import event_time, place, timeless
from hardmode.sim.games.vengeance.names import MAX_OPTIONS, Contention, Event, Face, Slot, Source, Timing, Verb
from hardmode.sim.games.vengeance.packing import faces_in, holds, lowest, pack, second_of
from hardmode.sim.games.vengeance.player_board import focus_marks, free_slots, hand_cap, in_hand, row_of, skills_of
from hardmode.sim.games.vengeance.switches import DrawDeadline, UnlockThrow
from hardmode.sim.records import rule

FREE_W = 1 << (4 * Face.WOUND)

# --- the pool ------------------------------------------------------------------------------------


@rule
def reserve(box, table, board):
    """How many dice a seat can draw from."""
    return board[Slot.SHARE] if box.contention == Contention.EQUAL_SHARE else table.pool


@rule
def move_dice(box, table, board, n):
    """Take n dice from the pool, or give them back."""
    if box.contention == Contention.EQUAL_SHARE:
        board[Slot.SHARE] -= n
    table.pool -= n


@rule
def rung(box, table, seat):
    """The timer has run out for what this seat would start now."""
    return box.timer >= 0.0 and table.since[seat] >= box.timer and not timeless(box)


# --- what may be done ----------------------------------------------------------------------------


@rule
def can_draw(box, table, seat):
    board = table.board[seat]
    return in_hand(board) < hand_cap(box, board) and reserve(box, table, board) > 0 and not rung(box, table, seat)


@rule
def out_of_throws(box, board):
    most = min(box.throw_cap, box.budget) if box.contention == Contention.BUDGET else box.throw_cap
    return board[Slot.THROW] >= most


@rule
def may_throw(box, table, seat):
    board = table.board[seat]
    if out_of_throws(box, board):
        return False
    return not (box.pool_empty_stops and (reserve(box, table, board) == 0 or rung(box, table, seat)))


@rule
def can_place(board):
    return (board[Slot.LOCKED] > 0 or board[Slot.HAND] >= FREE_W) and free_slots(board) > 0


@rule
def takes_group(box, board, skill, row):
    """Whether a skill of the seat may receive a (further) group in this phase."""
    takes = box.size[row] > 0 and box.timing[row] != Timing.PASSIVE
    if takes and box.once[row]:
        marks = focus_marks(board, skill)
        takes = board[Slot.GROUPS + skill] == 0 and not marks >= box.slots[row] > 0
        if marks > 0 and box.once_partial_focus_blocks:
            takes = False
    return takes


@rule
def list_groups(box, board, out, n):
    """Add every distinct group of the hand that fills a skill."""
    hand = board[Slot.HAND]
    dice = faces_in(hand & (FREE_W - 1))
    skills = skills_of(board) if dice else 0
    while skills:
        skill = lowest(skills)
        skills &= skills - 1
        row = row_of(board, skill)
        for i in range(box.fillings[row] if box.size[row] <= dice else 0):
            if holds(hand, box.filling[row, i]) and takes_group(box, board, skill, row):
                out[n] = pack(Verb.ASSIGN, skill, i)
                n += 1
    return n


@rule
def list_throws(box, board, out, n):
    """Add every set of dice that may be kept while all others are thrown; equal faces count once."""
    hand = board[Slot.HAND]
    free = hand >> 16 if box.no_lock else 0
    for w in range(free + 1):
        for d in range((hand >> 12 & 15) + 1):
            for k in range((hand >> 8 & 15) + 1):
                for g in range((hand >> 4 & 15) + 1):
                    base = w << 16 | d << 12 | k << 8 | g << 4
                    for r in range((hand & 15) + 1):
                        out[n] = pack(Verb.THROW, 0, base | r)
                        n += 1
    if board[Slot.FRESH] == 0 and n > 0 and second_of(out[n - 1]) == hand:
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
            out[n] = pack(Verb.LIFE, 0, 0)
            n += 1
        if board[Slot.BANKED] > 0 and board[Slot.LOCKED] > 0:
            out[n] = pack(Verb.UNLOCK, 0, 0)
            n += 1
    if drawable:
        out[n] = pack(Verb.DRAW, 0, 0)
        n += 1
    if not (drawable and box.forced_draw):
        if board[Slot.HAND] + board[Slot.FRESH] > 0 and may_throw(box, table, seat):
            n = list_throws(box, board, out, n)
        out[n] = pack(Verb.STOP, 0, 0)
        n += 1
    return n


@rule
def can_go_on(box, table, seat):
    """Whether anything but stopping is left."""
    board = table.board[seat]
    if board[Slot.HAND] + board[Slot.FRESH] > 0 and may_throw(box, table, seat):
        return True
    if can_place(board) or can_draw(box, table, seat) or (board[Slot.BANKED] > 0 and board[Slot.LOCKED] > 0):
        return True
    return list_groups(box, board, np.empty(MAX_OPTIONS, np.int64), 0) > 0


# --- steps begin ---------------------------------------------------------------------------------


@rule
def begin(box, table, hidden, luck, seat, event, usual):
    """An event of a seat begins that usually takes so many seconds."""
    table.board[seat][Slot.EVENT] = event
    table.usual[seat] = usual
    hidden.ends[seat] = table.since[seat] + event_time(box, table, luck, seat, hidden.own[seat].pace, 0.0)
    hidden.lot[seat] = -1


@rule
def start_throw(box, table, hidden, luck, seat, keep):
    board = table.board[seat]
    board[Slot.AIR] = faces_in(board[Slot.HAND]) - faces_in(keep) + board[Slot.FRESH]
    board[Slot.HAND] = keep
    board[Slot.FRESH] = 0
    board[Slot.EAGER] = 0
    board[Slot.THROW] += 1
    begin(box, table, hidden, luck, seat, Event.THROWING, box.roll_base + box.roll_each * board[Slot.AIR])


@rule
def start_assign(box, table, hidden, luck, seat, skill, nth):
    board = table.board[seat]
    row = row_of(board, skill)
    group = box.filling[row, nth]
    board[Slot.HAND] -= group
    board[Slot.ASSIGNED] += box.size[row]
    board[Slot.GROUPS + skill] += 1
    if box.sharp_length[row] > box.length[row] and group >> (4 * Face.DOUBLE) & 15:
        board[Slot.SHARPS + skill] += 1
    board[Slot.GROUP] += 1
    begin(box, table, hidden, luck, seat, Event.ASSIGNING, box.assign_base + box.assign_each * box.size[row])
    table.count[seat].groups += 1
    table.count[seat].dice_used += box.size[row]


@rule
def start_place(box, table, hidden, luck, seat):
    """One W goes to the life bar; all other W are unlocked."""
    board = table.board[seat]
    if board[Slot.LOCKED] > 0:
        board[Slot.LOCKED] -= 1
    else:
        board[Slot.HAND] -= FREE_W
    board[Slot.LIFE_DICE] += 1
    board[Slot.PLACED] += 1
    unlock(box, board, board[Slot.LOCKED])
    begin(box, table, hidden, luck, seat, Event.PLACING, box.life_time)
    table.count[seat].life_dice += 1
    table.count[seat].dice_used += 1


@rule
def start_draw(box, table, hidden, luck, seat):
    board = table.board[seat]
    n = min(hand_cap(box, board) - in_hand(board), reserve(box, table, board))
    board[Slot.DRAWN] += 1
    if box.contention == Contention.PER_DIE:
        board[Slot.GRABS] = n
        begin(box, table, hidden, luck, seat, Event.GRABBING, box.draw_base + box.draw_each)
        return
    move_dice(box, table, board, n)
    board[Slot.AIR] = n
    begin(box, table, hidden, luck, seat, Event.DRAWING, box.draw_base + box.draw_each * n)


@rule
def unlock(box, board, n):
    board[Slot.LOCKED] -= n
    board[Slot.EAGER] = n if box.unlock_throw == UnlockThrow.IMMEDIATE else 0
    if box.unlocked_w_placeable:
        board[Slot.HAND] += n * FREE_W
    else:
        board[Slot.FRESH] += n


@rule
def throw_unlocked(box, table, hidden, luck, seat):
    """Under `unlock_throw = immediate` what was unlocked is thrown at once, alone."""
    board = table.board[seat]
    if board[Slot.EAGER] > 0 and may_throw(box, table, seat):
        keep = board[Slot.HAND] if box.no_lock else board[Slot.HAND] & (FREE_W - 1)
        start_throw(box, table, hidden, luck, seat, keep)
        return True
    return False


# --- steps end -----------------------------------------------------------------------------------


@rule
def show(box, board, face):
    """A thrown die shows a face."""
    if face != Face.WOUND or box.no_lock:
        board[Slot.HAND] += 1 << (4 * face)
    else:
        board[Slot.LOCKED] += 1


@rule
def finish_throw(box, table, luck, seat):
    board = table.board[seat]
    dice = board[Slot.AIR]
    board[Slot.AIR] = 0
    where = place(table, seat)
    for i in range(dice):
        show(box, board, box.die[below(luck, Source.COMBAT_DIE, where, board[Slot.THROW], i, 6)])
    table.count[seat].throws += 1


@rule
def finish_draw(box, table, seat):
    board = table.board[seat]
    if box.draw_deadline == DrawDeadline.END and rung(box, table, seat):
        move_dice(box, table, board, -board[Slot.AIR])
    else:
        board[Slot.FRESH] += board[Slot.AIR]
    board[Slot.AIR] = 0


@rule
def finish_grab(box, table, hidden, luck, seat):
    """One die of a draw comes to hand; True while the next is being reached for."""
    board = table.board[seat]
    if reserve(box, table, board) > 0 and not (box.draw_deadline == DrawDeadline.END and rung(box, table, seat)):
        move_dice(box, table, board, 1)
        board[Slot.FRESH] += 1
    board[Slot.GRABS] -= 1
    if board[Slot.GRABS] > 0 and reserve(box, table, board) > 0 and not rung(box, table, seat):
        begin(box, table, hidden, luck, seat, Event.GRABBING, box.draw_each)
        return True
    board[Slot.GRABS] = 0
    return False


@rule
def finish_assign(box, table, luck, seat):
    """The right to unlock one W; True when the player has to say whether to use it."""
    board = table.board[seat]
    if box.unlock_all_on_assign:
        unlock(box, board, board[Slot.LOCKED])
        return False
    if box.unlock_bankable:
        board[Slot.BANKED] += 1
        return False
    return board[Slot.LOCKED] > 0
