"""The combat phase: when a tile may be used, and how it is worked through action by action."""

from __future__ import annotations

from hardmode.sim.games.vengeance.actions import act, aimless, alike, resolvable, targets_of
from hardmode.sim.games.vengeance.components import (
    ASSIGNED,
    DOTTED,
    EXTRA_HIT,
    FOCUSED,
    GROUPS,
    HIT,
    IN_RESOLUTION,
    LAST,
    LEAP,
    LIMIT,
    MOVE,
    OUT,
    SHARPS,
    SKILLS,
    SPENT_USES,
    STEP,
    STORED,
    TILE,
    USED_ONCE,
    V_FOCUSED,
    V_GROUP,
    V_ITEM,
    V_SHARP,
    focus_marks,
    hand_cap,
    lowest,
    row_of,
)
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
        if board[STORED + tile - SKILLS] > 0 and (modifies == 0 or modifies == board[LAST]):
            uses = 1 << (V_ITEM - V_GROUP)
    elif not board[USED_ONCE] >> tile & 1:
        if board[GROUPS + tile] > board[SHARPS + tile]:
            uses = 1
        if board[SHARPS + tile] > 0:
            uses |= 1 << (V_SHARP - V_GROUP)
        if focus_ready(box, board, tile, row):
            uses |= 1 << (V_FOCUSED - V_GROUP)
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
    sharp = verb == V_SHARP or (verb == V_FOCUSED and box.focused_strike_hits == 1)
    board[TILE] = tile + 1
    board[STEP] = 0
    board[LIMIT] = box.sharp_length[row] if sharp else box.length[row]
    board[LAST] = 0
    if verb == V_ITEM:
        board[STORED + tile - SKILLS] -= 1
        board[SPENT_USES + tile - SKILLS] += 1
        return
    board[LAST] = tile + 1
    if box.once[row]:
        board[USED_ONCE] |= 1 << tile
    if verb == V_FOCUSED:
        board[FOCUSED] &= ~(3 << (2 * tile))
        return
    board[GROUPS + tile] -= 1
    board[ASSIGNED] -= box.size[row]
    if verb == V_SHARP:
        board[SHARPS + tile] -= 1


@rule
def current_action(box, board):
    """The action that the tile in use has come to, or -1 when it is done."""
    if board[TILE] == 0:
        return -1
    if board[EXTRA_HIT]:
        return HIT
    if board[STEP] >= board[LIMIT]:
        return -1
    return box.effect[row_of(board, board[TILE] - 1), board[STEP]]


@rule
def end_use(board):
    board[TILE] = 0
    board[EXTRA_HIT] = 0


@rule
def pass_step(board):
    if board[EXTRA_HIT]:
        board[EXTRA_HIT] = 0
    else:
        board[STEP] += 1


@rule
def resolve_step(box, den, board, action, target):
    """Resolve the current action of the tile in use and go on to its next."""
    pass_step(board)
    act(box, den, board, action, target)
    if board[OUT]:
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
    if box.optional_actions and board[STEP] + board[EXTRA_HIT] > 0:
        return True
    if aimless(action) or action == MOVE or action == LEAP:
        return mask & (mask - 1) != 0
    return mask != alike(box, den, board, lowest(mask), mask)


@rule
def choices(box, den, board):
    """Work a tile through until a target must be chosen: the mask of legal targets, or 0 when it is done."""
    while True:
        action = current_action(box, board)
        mask = 0 if action < 0 else legal(box, den, board, action)
        if mask == 0:
            if board[EXTRA_HIT]:
                board[EXTRA_HIT] = 0
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
        board[GROUPS + tile] = 0
        board[SHARPS + tile] = 0
    board[ASSIGNED] = 0


@rule
def drop_groups(box, board):
    """At the end of Combat the dice of unused groups go back, but those of Resolution tiles stay."""
    for tile in range(SKILLS):
        if board[GROUPS + tile] and box.timing[row_of(board, tile)] != IN_RESOLUTION:
            board[ASSIGNED] -= board[GROUPS + tile] * box.size[row_of(board, tile)]
            board[GROUPS + tile] = 0
            board[SHARPS + tile] = 0
    board[DOTTED] = 0
