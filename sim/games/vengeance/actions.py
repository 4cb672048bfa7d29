"""The eight actions of the combat phase: who can be reached, and what is done to them.

All of it acts on a den (a row of the box) and a board (a row of integers) alone, so that a planner
can play a combat out on a copy.
"""

from __future__ import annotations

from hardmode.sim.games.vengeance.components import (
    ALIVE,
    AROUND,
    BOSS,
    BOSS_BIT,
    BOSS_ROOM,
    BOUNCER,
    COUNTER_HIT,
    CROWD_WOUND,
    DAMAGE,
    DOORS,
    DOTTED,
    ENTRY_WOUND,
    EVADE,
    EVADED,
    EXTRA_HIT,
    GRUNT,
    GUN_WOUNDS,
    GUNMAN,
    HEAL,
    HIT,
    IGNORE_BOUNCER,
    INSIDE,
    KILL,
    KIND_OF,
    LEAP,
    LEAP_HIT,
    LEAPS,
    MOVE,
    NO_SHOT,
    OF_KIND,
    POWER,
    ROOM,
    ROOM_OF,
    SHOOT_OWN_ROOM,
    SHOT,
    SHOT_ONLY_GRUNT,
    SHOTS_EVADE,
    STRUCK,
    TOUGH,
    TOUGH_ONE_HIT,
    VISITED,
    WOUND,
    WOUNDS,
    free_slots,
    size_of,
)
from hardmode.sim.games.vengeance.den import BY_ACTION, boss_alive, check_objective
from hardmode.sim.games.vengeance.wounds import heal, wound_in_combat
from hardmode.sim.records import rule

# --- who can be reached --------------------------------------------------------------------------


@rule
def exits(box, den, board, action):
    """The rooms that a MOVE or LEAP can lead to."""
    room = board[ROOM]
    blocked = box.den[den, INSIDE + room] & box.den[den, OF_KIND + BOUNCER] & board[ALIVE] & ~board[EVADED]
    if board[POWER] & IGNORE_BOUNCER or (action == LEAP and box.leap_ignores_start_bouncer):
        blocked = 0
    rooms = box.den[den, DOORS + room]
    if action == LEAP:
        rooms = box.den[den, LEAPS + room] & (-1 if box.leap_return else ~(1 << room))
    return 0 if blocked else rooms


@rule
def boss_exposed(box, den, board):
    """The Boss lives and no GRUNT shields him."""
    grunts = box.den[den, INSIDE + box.den[den, BOSS_ROOM]] & box.den[den, OF_KIND + GRUNT] & board[ALIVE]
    if not box.evaded_grunt_shields:
        grunts &= ~board[EVADED]
    return grunts == 0 and boss_alive(board)


@rule
def shot_targets(box, den, board):
    room = board[ROOM]
    power = board[POWER]
    targets = box.den[den, AROUND + room] & board[ALIVE]
    rooms = box.den[den, DOORS + room]
    if power & SHOOT_OWN_ROOM:
        targets |= box.den[den, INSIDE + room] & board[ALIVE]
        rooms |= 1 << room
    evading = power & SHOTS_EVADE and box.shadow_mode == 0
    if evading:
        targets &= ~board[EVADED]
    if power & SHOT_ONLY_GRUNT:
        if box.zemun_target == 0:
            targets &= box.den[den, OF_KIND + GRUNT]
    elif (rooms >> box.den[den, BOSS_ROOM]) & 1 and not evading and not power & NO_SHOT:
        if boss_exposed(box, den, board):
            targets |= BOSS_BIT
    return targets


@rule
def targets_of(box, den, board, action):
    """The legal targets of an action as a mask: rooms of a MOVE or LEAP, else enemies."""
    mask = 0
    if action == MOVE or action == LEAP:
        mask = exits(box, den, board, action)
    elif action == SHOT:
        mask = shot_targets(box, den, board)
    else:
        room = board[ROOM]
        mask = box.den[den, INSIDE + room] & board[ALIVE]
        if action == HIT:
            if room == box.den[den, BOSS_ROOM] and boss_exposed(box, den, board):
                mask |= BOSS_BIT
        elif action == EVADE:
            mask = (mask | box.den[den, AROUND + room] & board[ALIVE]) & ~board[EVADED]
    return mask


@rule
def aimless(action):
    """An action that has no target: WOUND, HEAL and the like."""
    return action == WOUND or action == HEAL or action > KILL


@rule
def resolvable(box, den, board, action):
    """Whether an action can be resolved now."""
    able = False
    if action == WOUND:
        able = free_slots(board) > 0 or box.wound_full == 1
    elif action == HEAL:
        able = board[WOUNDS] > 0 or box.heal_none == 1
    elif action > KILL:
        able = min(board[GUN_WOUNDS], board[WOUNDS]) > 0
    else:
        able = targets_of(box, den, board, action) != 0
    return able


@rule
def alike(box, den, board, enemy, mask):
    """The enemies of a mask that cannot be told from one of them."""
    if enemy == BOSS:
        return BOSS_BIT
    bit = 1 << enemy
    room, kind = box.den[den, ROOM_OF + enemy], box.den[den, KIND_OF + enemy]
    same = mask & box.den[den, INSIDE + room] & box.den[den, OF_KIND + kind]
    same &= board[DOTTED] if board[DOTTED] & bit else ~board[DOTTED]
    same &= board[EVADED] if board[EVADED] & bit else ~board[EVADED]
    return same


# --- what actions do -----------------------------------------------------------------------------


@rule
def enter(box, den, board, room):
    """The pawn comes into a room."""
    board[ROOM] = room
    board[VISITED] |= 1 << room
    power = board[POWER]
    if power & (ENTRY_WOUND | CROWD_WOUND):
        active = box.den[den, INSIDE + room] & board[ALIVE] & ~board[EVADED]
        if power & ENTRY_WOUND and active & box.den[den, OF_KIND + GUNMAN]:
            wound_in_combat(box, board, 1)
        if power & CROWD_WOUND and size_of(active) >= 3:
            wound_in_combat(box, board, 1)


@rule
def damage(box, den, board, enemy, by_hit):
    """One damage to an enemy."""
    if enemy == BOSS:
        board[DAMAGE] += 1
        if by_hit:
            board[STRUCK] |= 1 | 2 << board[ROOM]
            if board[POWER] & COUNTER_HIT:
                wound_in_combat(box, board, 1)
        return
    bit = 1 << enemy
    if box.tough > 1 and box.den[den, KIND_OF + enemy] == TOUGH and not board[POWER] & TOUGH_ONE_HIT:
        if not board[DOTTED] & bit:
            board[DOTTED] |= bit
            return
    cross(board, bit)


@rule
def cross(board, bit):
    board[ALIVE] &= ~bit
    board[DOTTED] &= ~bit
    board[EVADED] &= ~bit


@rule
def shoot(box, den, board, enemy):
    if board[POWER] & SHOTS_EVADE and enemy != BOSS:
        if box.shadow_mode == 0:
            board[EVADED] |= 1 << enemy
            return
        damage(box, den, board, enemy, False)
        board[EVADED] |= board[ALIVE] & 1 << enemy
        return
    damage(box, den, board, enemy, False)


@rule
def act(box, den, board, action, target):
    """Resolve one action on its target."""
    if action == MOVE or action == LEAP:
        enter(box, den, board, target)
        if action == LEAP and board[POWER] & LEAP_HIT:
            board[EXTRA_HIT] = 1
    elif action == HIT:
        damage(box, den, board, target, True)
    elif action == SHOT:
        shoot(box, den, board, target)
    elif action == KILL:
        cross(board, 1 << target)
    elif action == EVADE:
        board[EVADED] |= 1 << target
    elif action == WOUND:
        wound_in_combat(box, board, 1)
    elif action == HEAL:
        heal(board, 1)
    else:
        board[GUN_WOUNDS] -= heal(board, board[GUN_WOUNDS])
    check_objective(box, den, board, BY_ACTION)
