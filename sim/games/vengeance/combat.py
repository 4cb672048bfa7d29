"""The combat phase: when a tile may be used, and how it is worked through action by action."""

from __future__ import annotations

from hardmode.sim.games.vengeance.actions import act, aimless, alike, resolvable, targets_of
from hardmode.sim.games.vengeance.names import SKILLS, Action, Slot, Timing, Verb
from hardmode.sim.games.vengeance.packing import lowest
from hardmode.sim.games.vengeance.player_board import focus_marks, hand_cap, row_of
from hardmode.sim.games.vengeance.switches import FocusedStrike
from hardmode.sim.records import rule


@rule
def focus_ready(box, board, skill, row):
    """All focus slots of the skill are marked, and it may be used that way."""
    slots = box.slots[row]
    ready = slots > 0 and focus_marks(board, skill) >= slots
    if ready and box.ko_blocks_focus4:
        ready = box.size[row] <= hand_cap(box, board)
    return ready


@rule
def can_start(box, den, board, row):
    return box.allow_null_use or resolvable(box, den, board, box.effect[row, 0])


@rule
def uses_of(box, board, tile, row):
    """The kinds of use of a tile that lie ready, a bit for each: group, group with a D, focus, item."""
    uses = 0
    if tile >= SKILLS:
        modifies = box.modifies[row]
        if board[Slot.STORED + tile - SKILLS] > 0 and (modifies == 0 or modifies == board[Slot.LAST]):
            uses = 1 << (Verb.ITEM - Verb.GROUP)
    elif not board[Slot.USED_ONCE] >> tile & 1:
        if board[Slot.GROUPS + tile] > board[Slot.SHARPS + tile]:
            uses = 1
        if board[Slot.SHARPS + tile] > 0:
            uses |= 1 << (Verb.SHARP - Verb.GROUP)
        if focus_ready(box, board, tile, row):
            uses |= 1 << (Verb.FOCUSED - Verb.GROUP)
    return uses


@rule
def usable(box, den, board, tile, timing):
    """The kinds of use of a tile that can be begun at this time, a bit for each."""
    row = row_of(board, tile)
    uses = 0
    if box.timing[row] == timing:
        uses = uses_of(box, board, tile, row)
        if uses and not can_start(box, den, board, row):
            uses = 0
    return uses


@rule
def begin_use(box, board, tile, verb):
    """Take a tile in use: pay for it and stand before its first action."""
    row = row_of(board, tile)
    sharp = verb == Verb.SHARP or (verb == Verb.FOCUSED and box.focused_strike_hits == FocusedStrike.TWO_HITS)
    board[Slot.TILE] = tile + 1
    board[Slot.STEP] = 0
    board[Slot.LIMIT] = box.sharp_length[row] if sharp else box.length[row]
    last = board[Slot.LAST]
    board[Slot.LAST] = 0
    if verb == Verb.ITEM:
        if box.several_modifiers and box.modifies[row]:
            board[Slot.LAST] = last
        board[Slot.STORED + tile - SKILLS] -= 1
        board[Slot.SPENT_USES + tile - SKILLS] += 1
        return
    board[Slot.LAST] = tile + 1
    if box.once[row]:
        board[Slot.USED_ONCE] |= 1 << tile
    if verb == Verb.FOCUSED:
        board[Slot.FOCUSED] &= ~(3 << (2 * tile))
        return
    board[Slot.GROUPS + tile] -= 1
    board[Slot.ASSIGNED] -= box.size[row]
    if verb == Verb.SHARP:
        board[Slot.SHARPS + tile] -= 1


@rule
def current_action(box, board):
    """The action that the tile in use has come to, or -1 when it is done."""
    if board[Slot.TILE] == 0:
        return -1
    if board[Slot.EXTRA_HIT]:
        return Action.HIT
    if board[Slot.STEP] >= board[Slot.LIMIT]:
        return -1
    return box.effect[row_of(board, board[Slot.TILE] - 1), board[Slot.STEP]]


@rule
def end_use(board):
    board[Slot.TILE] = 0
    board[Slot.EXTRA_HIT] = 0


@rule
def pass_step(board):
    if board[Slot.EXTRA_HIT]:
        board[Slot.EXTRA_HIT] = 0
    else:
        board[Slot.STEP] += 1


@rule
def resolve_step(box, den, board, action, target):
    """Resolve the current action of the tile in use and go on to its next."""
    pass_step(board)
    act(box, den, board, action, target)
    if board[Slot.OUT]:
        end_use(board)


@rule
def legal(box, den, board, action):
    """The targets that an action of the tile in use may have, as a mask; the first bit for one without a target."""
    if aimless(action):
        return 1 if resolvable(box, den, board, action) else 0
    return targets_of(box, den, board, action)


@rule
def asks(box, den, board, action, mask):
    """Whether the player chooses: among rooms, among enemies that are not alike, or whether to go on at all."""
    if box.optional_actions and board[Slot.STEP] + board[Slot.EXTRA_HIT] > 0:
        return True
    if aimless(action) or action == Action.MOVE or action == Action.LEAP:
        return mask & (mask - 1) != 0
    return mask != alike(box, den, board, lowest(mask), mask)


@rule
def choices(box, den, board):
    """Work a tile through until a target must be chosen: the mask of legal targets, or 0 when it is done."""
    while True:
        action = current_action(box, board)
        mask = 0 if action < 0 else legal(box, den, board, action)
        if mask == 0:
            if board[Slot.EXTRA_HIT]:
                board[Slot.EXTRA_HIT] = 0
                continue
            end_use(board)
            return 0
        if asks(box, den, board, action, mask):
            return mask
        resolve_step(box, den, board, action, lowest(mask))


# --- the phase -----------------------------------------------------------------------------------


@rule
def clear_groups(board):
    """The dice of groups that were not used leave the tiles."""
    for tile in range(SKILLS):
        board[Slot.GROUPS + tile] = 0
        board[Slot.SHARPS + tile] = 0
    board[Slot.ASSIGNED] = 0


@rule
def drop_groups(box, board):
    """At the end of Combat the dice of unused groups go back, but those of Resolution tiles stay."""
    for tile in range(SKILLS):
        if board[Slot.GROUPS + tile] and box.timing[row_of(board, tile)] != Timing.RESOLUTION:
            board[Slot.ASSIGNED] -= board[Slot.GROUPS + tile] * box.size[row_of(board, tile)]
            board[Slot.GROUPS + tile] = 0
            board[Slot.SHARPS + tile] = 0
    board[Slot.DOTTED] = 0
