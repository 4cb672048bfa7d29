"""The player board: its tiles, the life bar, the hand beside it."""

from __future__ import annotations

from hardmode.sim.games.vengeance.names import BASIC, ITEMS, OWN_SKILLS, ROW_ITEM, ROW_SKILL, SKILLS, Slot
from hardmode.sim.games.vengeance.packing import faces_in
from hardmode.sim.records import rule


@rule
def row_of(board, tile):
    """The row of the box's tile table that a seat's tile stands for."""
    if tile < BASIC:
        return tile
    if tile < SKILLS:
        return ROW_SKILL + board[Slot.HERO] * OWN_SKILLS + tile - BASIC
    return ROW_ITEM + board[Slot.HERO] * ITEMS + tile - SKILLS


@rule
def focus_marks(board, skill):
    return (board[Slot.FOCUSED] >> (2 * skill)) & 3


@rule
def skills_of(board):
    """The skills of a seat as a mask: the basic ones and those bought."""
    return (1 << BASIC) - 1 | board[Slot.OWNED] << BASIC


@rule
def loaded(board):
    """The tiles, as a mask, on which a group, a focus mark or a stored use lies."""
    mask = 0
    if board[Slot.ASSIGNED]:
        for tile in range(SKILLS):
            if board[Slot.GROUPS + tile]:
                mask |= 1 << tile
    marks, tile = board[Slot.FOCUSED], 0
    while marks:
        if marks & 3:
            mask |= 1 << tile
        marks >>= 2
        tile += 1
    for item in range(ITEMS):
        if board[Slot.STORED + item]:
            mask |= 1 << (SKILLS + item)
    return mask


@rule
def free_slots(board):
    """Life slots that are neither crossed nor hold a die."""
    return board[Slot.LIFE] - board[Slot.WOUNDS] - board[Slot.LIFE_DICE]


@rule
def hand_cap(box, board):
    return box.hand_cap if board[Slot.KO] == 0 else box.hand_cap_ko


@rule
def in_hand(board):
    return faces_in(board[Slot.HAND]) + board[Slot.LOCKED] + board[Slot.FRESH] + board[Slot.AIR]
