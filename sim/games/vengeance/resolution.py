"""The resolution phase: focus off, loot, wounds, Resolution tiles, KO, evades off."""

from __future__ import annotations

from hardmode.sim.games.vengeance.combat import clear_groups
from hardmode.sim.games.vengeance.den import boss_alive, check_objective, take_icons
from hardmode.sim.games.vengeance.flashback import EVERY, list_actions
from hardmode.sim.games.vengeance.life_bar import is_knocked_out, knock_out, wound
from hardmode.sim.games.vengeance.names import BASIC, SKILLS, Den, FlashSource, Minion, Moment, Slot, Timing, Verb
from hardmode.sim.games.vengeance.packing import pack, size_of
from hardmode.sim.games.vengeance.player_board import focus_marks, row_of
from hardmode.sim.games.vengeance.switches import CollectMode, FocusFromLoot, FocusResolutionSkill, GunWounds
from hardmode.sim.records import rule


@rule
def clean_focus(box, board):
    """Step 1: unused focus is lost; complete marks of Resolution tiles may be kept to step 4."""
    kept = 0
    if box.focus_resolution_skill == FocusResolutionSkill.KEPT_TO_STEP_4:
        for skill in range(BASIC, SKILLS):
            row = row_of(board, skill)
            if box.timing[row] == Timing.RESOLUTION and focus_marks(board, skill) >= box.slots[row]:
                kept |= 3 << (2 * skill)
    board[Slot.FOCUSED] &= kept
    board[Slot.FOCUS_KEPT] = kept


@rule
def loot_icons(box, den, board):
    """Step 2: how many icons are collected now, wherever the pawn is."""
    if box.collect_mode == CollectMode.ROOMS:
        return 0
    return take_icons(box, den, board)


@rule
def list_icon(box, den, board, out):
    """What one loot icon may be used for; it goes unused when nothing can be done."""
    n = list_actions(box, den, board, FlashSource.ICON, EVERY, out, 0)
    if n == 0:
        out[0] = pack(Verb.NOTHING, FlashSource.ICON, 0)
        n = 1
    return n


@rule
def gunman_wounds(box, den, board):
    active = board[Slot.ALIVE] & ~board[Slot.EVADED] & box.den[den, Den.OF_KIND + Minion.GUNMAN]
    return size_of(active & (box.den[den, Den.INSIDE + board[Slot.ROOM]] | box.den[den, Den.AROUND + board[Slot.ROOM]]))


@rule
def incoming_wounds(box, den, board):
    """One for each active Boss and HENCHMAN in the pawn's room and for each active GUNMAN in or next to it."""
    room = board[Slot.ROOM]
    active = board[Slot.ALIVE] & ~board[Slot.EVADED]
    henchmen = size_of(active & box.den[den, Den.INSIDE + room] & box.den[den, Den.OF_KIND + Minion.HENCHMAN])
    wounds = henchmen + gunman_wounds(box, den, board)
    if room == box.den[den, Den.BOSS_ROOM] and boss_alive(board):
        wounds += 1
    return wounds


@rule
def take_wounds(box, den, board):
    """Step 3. Returns how many slots were crossed."""
    guns, incoming = gunman_wounds(box, den, board), incoming_wounds(box, den, board)
    crossed = wound(box, board, incoming)
    first = box.gun_wounds == GunWounds.FIRST
    board[Slot.GUN_WOUNDS] = min(guns, crossed) if first else max(0, crossed - incoming + guns)
    if box.ko_immediate and is_knocked_out(board):
        knock_out(box, board)
    return crossed


@rule
def settle_focus(box, board):
    """After step 4: which marks live on into the next round."""
    board[Slot.FOCUSED] &= ~board[Slot.FOCUS_KEPT]
    if box.focus_from_loot == FocusFromLoot.LOST:
        board[Slot.FOCUSED] = 0
    elif box.focus_from_loot == FocusFromLoot.SURVIVES_SAME_PHASE:
        for skill in range(SKILLS):
            if focus_marks(board, skill) < box.slots[row_of(board, skill)]:
                board[Slot.FOCUSED] &= ~(3 << (2 * skill))


@rule
def finish_resolution(box, den, board):
    """The dice of Resolution tiles go back; KO check; evaded minions come back."""
    clear_groups(board)
    settle_focus(box, board)
    board[Slot.DOTTED] = 0
    check_objective(box, den, board, Moment.END)
    if is_knocked_out(board) and not board[Slot.OUT]:
        knock_out(box, board)
    board[Slot.SLIPPED] = board[Slot.EVADED]
    board[Slot.EVADED] = 0
    board[Slot.GUN_WOUNDS] = 0
