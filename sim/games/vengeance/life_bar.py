"""The life bar: wounds, healing, KO."""

from __future__ import annotations

from hardmode.sim.games.vengeance.names import Slot
from hardmode.sim.games.vengeance.player_board import free_slots
from hardmode.sim.records import rule


@rule
def knock_out(box, board):
    """Clean all wounds, lose the extra slots, cross a KO slot; the last one is death."""
    board[Slot.WOUNDS] = 0
    board[Slot.LIFE] = box.life_base
    board[Slot.KO] += 1
    if board[Slot.KO] >= box.ko_slots:
        board[Slot.OUT] = 1


@rule
def is_knocked_out(board):
    return board[Slot.WOUNDS] >= board[Slot.LIFE]


@rule
def wound(box, board, n):
    """Cross up to n free life slots; wounds in excess are ignored. Returns how many were crossed."""
    n = min(n, max(0, free_slots(board)))
    board[Slot.WOUNDS] += n
    return n


@rule
def wound_in_combat(box, board, n):
    taken = wound(box, board, n)
    if box.ko_immediate and is_knocked_out(board):
        knock_out(box, board)
    return taken


@rule
def heal(board, n):
    n = min(n, board[Slot.WOUNDS])
    board[Slot.WOUNDS] -= n
    return n
