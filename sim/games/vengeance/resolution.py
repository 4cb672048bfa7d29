"""The resolution phase: focus off, loot, wounds, Resolution tiles, KO, evades off."""

from __future__ import annotations

from hardmode.sim.games.vengeance.combat import clear_groups
from hardmode.sim.games.vengeance.components import (
    ALIVE,
    AROUND,
    BASIC,
    BOSS_ROOM,
    DOTTED,
    EVADED,
    FOCUS_KEPT,
    FOCUSED,
    GUN_WOUNDS,
    GUNMAN,
    HENCHMAN,
    ICON,
    IN_RESOLUTION,
    INSIDE,
    OF_KIND,
    OUT,
    ROOM,
    SKILLS,
    SLIPPED,
    V_NOTHING,
    focus_marks,
    pack,
    row_of,
    size_of,
)
from hardmode.sim.games.vengeance.den import AT_END, boss_alive, check_objective, take_icons
from hardmode.sim.games.vengeance.flashback import EVERY, list_actions
from hardmode.sim.games.vengeance.wounds import is_knocked_out, knock_out, wound
from hardmode.sim.records import rule

SAME_PHASE, ANY_PHASE, LOST = 0, 1, 2  # focus marks made with loot


@rule
def clean_focus(box, board):
    """Step 1: unused focus is lost; complete marks of Resolution tiles may be kept to step 4."""
    kept = 0
    if box.focus_resolution_skill:
        for skill in range(BASIC, SKILLS):
            row = row_of(board, skill)
            if box.timing[row] == IN_RESOLUTION and focus_marks(board, skill) >= box.slots[row]:
                kept |= 3 << (2 * skill)
    board[FOCUSED] &= kept
    board[FOCUS_KEPT] = kept


@rule
def loot_icons(box, den, board):
    """Step 2: how many icons are collected now, wherever the pawn is."""
    if box.collect_mode == 1:
        return 0
    return take_icons(box, den, board)


@rule
def list_icon(box, den, board, out):
    """What one loot icon may be used for; it goes unused when nothing can be done."""
    n = list_actions(box, den, board, ICON, EVERY, out, 0)
    if n == 0:
        out[0] = pack(V_NOTHING, ICON, 0)
        n = 1
    return n


@rule
def gunman_wounds(box, den, board):
    active = board[ALIVE] & ~board[EVADED] & box.den[den, OF_KIND + GUNMAN]
    return size_of(active & (box.den[den, INSIDE + board[ROOM]] | box.den[den, AROUND + board[ROOM]]))


@rule
def incoming_wounds(box, den, board):
    """One for each active Boss and HENCHMAN in the pawn's room and for each active GUNMAN in or next to it."""
    room = board[ROOM]
    active = board[ALIVE] & ~board[EVADED]
    henchmen = size_of(active & box.den[den, INSIDE + room] & box.den[den, OF_KIND + HENCHMAN])
    wounds = henchmen + gunman_wounds(box, den, board)
    if room == box.den[den, BOSS_ROOM] and boss_alive(board):
        wounds += 1
    return wounds


@rule
def take_wounds(box, den, board):
    """Step 3. Returns how many slots were crossed."""
    guns = gunman_wounds(box, den, board)
    crossed = wound(box, board, incoming_wounds(box, den, board))
    board[GUN_WOUNDS] = min(guns, crossed)
    if box.ko_immediate and is_knocked_out(board):
        knock_out(box, board)
    return crossed


@rule
def settle_focus(box, board):
    """After step 4: which marks live on into the next round."""
    board[FOCUSED] &= ~board[FOCUS_KEPT]
    if box.focus_from_loot == LOST:
        board[FOCUSED] = 0
    elif box.focus_from_loot == SAME_PHASE:
        for skill in range(SKILLS):
            if focus_marks(board, skill) < box.slots[row_of(board, skill)]:
                board[FOCUSED] &= ~(3 << (2 * skill))


@rule
def finish_resolution(box, den, board):
    """The dice of Resolution tiles go back; KO check; evaded minions come back."""
    clear_groups(board)
    settle_focus(box, board)
    board[DOTTED] = 0
    check_objective(box, den, board, AT_END)
    if is_knocked_out(board) and not board[OUT]:
        knock_out(box, board)
    board[SLIPPED] = board[EVADED]
    board[EVADED] = 0
    board[GUN_WOUNDS] = 0
