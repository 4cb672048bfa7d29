"""The eight actions of the combat phase: who can be reached, and what is done to them.

All of it acts on a den (a row of the box) and a board (a row of integers) alone, so that a planner
can play a combat out on a copy.
"""

from __future__ import annotations

from hardmode.sim.games.vengeance.den import boss_alive, check_objective
from hardmode.sim.games.vengeance.life_bar import heal, wound_in_combat
from hardmode.sim.games.vengeance.names import BOSS, BOSS_BIT, Action, Den, Minion, Moment, Power, Slot
from hardmode.sim.games.vengeance.packing import size_of
from hardmode.sim.games.vengeance.player_board import free_slots
from hardmode.sim.games.vengeance.switches import HealNone, ShadowMode, WoundFull, ZemunTarget
from hardmode.sim.records import rule

# --- who can be reached --------------------------------------------------------------------------


@rule
def exits(box, den, board, action):
    """The rooms that a MOVE or LEAP can lead to."""
    room = board[Slot.ROOM]
    bouncers = box.den[den, Den.INSIDE + room] & box.den[den, Den.OF_KIND + Minion.BOUNCER]
    blocked = bouncers & board[Slot.ALIVE] & ~board[Slot.EVADED]
    if board[Slot.POWER] & Power.IGNORE_BOUNCER or (action == Action.LEAP and box.leap_ignores_start_bouncer):
        blocked = 0
    rooms = box.den[den, Den.DOORS + room]
    if action == Action.LEAP:
        rooms = box.den[den, Den.LEAPS + room] & (-1 if box.leap_return else ~(1 << room))
    return 0 if blocked else rooms


@rule
def boss_exposed(box, den, board):
    """The Boss lives and no GRUNT shields him."""
    beside = box.den[den, Den.INSIDE + box.den[den, Den.BOSS_ROOM]]
    grunts = beside & box.den[den, Den.OF_KIND + Minion.GRUNT] & board[Slot.ALIVE]
    if not box.evaded_grunt_shields:
        grunts &= ~board[Slot.EVADED]
    return grunts == 0 and boss_alive(board)


@rule
def shot_targets(box, den, board):
    room = board[Slot.ROOM]
    power = board[Slot.POWER]
    targets = box.den[den, Den.AROUND + room] & board[Slot.ALIVE]
    rooms = box.den[den, Den.DOORS + room]
    if power & Power.SHOOT_OWN_ROOM:
        targets |= box.den[den, Den.INSIDE + room] & board[Slot.ALIVE]
        rooms |= 1 << room
    evading = power & Power.SHOTS_EVADE and box.shadow_mode == ShadowMode.INSTEAD
    if evading:
        targets &= ~board[Slot.EVADED]
    if power & Power.SHOT_ONLY_GRUNT:
        if box.zemun_target == ZemunTarget.GRUNT:
            targets &= box.den[den, Den.OF_KIND + Minion.GRUNT]
    elif (rooms >> box.den[den, Den.BOSS_ROOM]) & 1 and not evading and not power & Power.NO_SHOT:
        if boss_exposed(box, den, board):
            targets |= BOSS_BIT
    return targets


@rule
def targets_of(box, den, board, action):
    """The legal targets of an action as a mask: rooms of a MOVE or LEAP, else enemies."""
    mask = 0
    if action == Action.MOVE or action == Action.LEAP:
        mask = exits(box, den, board, action)
    elif action == Action.SHOT:
        mask = shot_targets(box, den, board)
    else:
        room = board[Slot.ROOM]
        mask = box.den[den, Den.INSIDE + room] & board[Slot.ALIVE]
        if action == Action.HIT:
            if room == box.den[den, Den.BOSS_ROOM] and boss_exposed(box, den, board):
                mask |= BOSS_BIT
        elif action == Action.EVADE:
            mask = (mask | box.den[den, Den.AROUND + room] & board[Slot.ALIVE]) & ~board[Slot.EVADED]
    return mask


@rule
def aimless(action):
    """An action that has no target: WOUND, HEAL and the like."""
    return action == Action.WOUND or action == Action.HEAL or action > Action.KILL


@rule
def resolvable(box, den, board, action):
    """Whether an action can be resolved now."""
    able = False
    if action == Action.WOUND:
        able = free_slots(board) > 0 or box.wound_full == WoundFull.IGNORED
    elif action == Action.HEAL:
        able = board[Slot.WOUNDS] > 0 or box.heal_none == HealNone.SKIP
    elif action > Action.KILL:
        able = min(board[Slot.GUN_WOUNDS], board[Slot.WOUNDS]) > 0
    else:
        able = targets_of(box, den, board, action) != 0
    return able


@rule
def alike(box, den, board, enemy, mask):
    """The enemies of a mask that cannot be told from one of them."""
    if enemy == BOSS:
        return BOSS_BIT
    bit = 1 << enemy
    room, kind = box.den[den, Den.ROOM_OF + enemy], box.den[den, Den.KIND_OF + enemy]
    same = mask & box.den[den, Den.INSIDE + room] & box.den[den, Den.OF_KIND + kind]
    same &= board[Slot.DOTTED] if board[Slot.DOTTED] & bit else ~board[Slot.DOTTED]
    same &= board[Slot.EVADED] if board[Slot.EVADED] & bit else ~board[Slot.EVADED]
    return same


# --- what actions do -----------------------------------------------------------------------------


@rule
def enter(box, den, board, room):
    """The pawn comes into a room."""
    board[Slot.ROOM] = room
    board[Slot.VISITED] |= 1 << room
    power = board[Slot.POWER]
    if power & (Power.ENTRY_WOUND | Power.CROWD_WOUND):
        active = box.den[den, Den.INSIDE + room] & board[Slot.ALIVE] & ~board[Slot.EVADED]
        if power & Power.ENTRY_WOUND and active & box.den[den, Den.OF_KIND + Minion.GUNMAN]:
            wound_in_combat(box, board, 1)
        if power & Power.CROWD_WOUND and size_of(active) >= 3:
            wound_in_combat(box, board, 1)


@rule
def damage(box, den, board, enemy, by_hit):
    """One damage to an enemy."""
    if enemy == BOSS:
        board[Slot.DAMAGE] += 1
        if by_hit:
            board[Slot.STRUCK] |= 1 | 2 << board[Slot.ROOM]
            if board[Slot.POWER] & Power.COUNTER_HIT:
                wound_in_combat(box, board, 1)
        return
    bit = 1 << enemy
    tough = box.tough > 1 and box.den[den, Den.KIND_OF + enemy] == Minion.TOUGH
    if tough and not board[Slot.POWER] & Power.TOUGH_ONE_HIT and not board[Slot.DOTTED] & bit:
        board[Slot.DOTTED] |= bit
        return
    cross(board, bit)


@rule
def cross(board, bit):
    board[Slot.ALIVE] &= ~bit
    board[Slot.DOTTED] &= ~bit
    board[Slot.EVADED] &= ~bit


@rule
def shoot(box, den, board, enemy):
    if board[Slot.POWER] & Power.SHOTS_EVADE and enemy != BOSS:
        if box.shadow_mode == ShadowMode.INSTEAD:
            board[Slot.EVADED] |= 1 << enemy
            return
        damage(box, den, board, enemy, False)
        board[Slot.EVADED] |= board[Slot.ALIVE] & 1 << enemy
        return
    damage(box, den, board, enemy, False)


@rule
def act(box, den, board, action, target):
    """Resolve one action on its target."""
    if action == Action.MOVE or action == Action.LEAP:
        enter(box, den, board, target)
        if action == Action.LEAP and board[Slot.POWER] & Power.LEAP_HIT:
            board[Slot.EXTRA_HIT] = 1
    elif action == Action.HIT:
        damage(box, den, board, target, True)
    elif action == Action.SHOT:
        shoot(box, den, board, target)
    elif action == Action.KILL:
        cross(board, 1 << target)
    elif action == Action.EVADE:
        board[Slot.EVADED] |= 1 << target
    elif action == Action.WOUND:
        wound_in_combat(box, board, 1)
    elif action == Action.HEAL:
        heal(board, 1)
    else:
        board[Slot.GUN_WOUNDS] -= heal(board, board[Slot.GUN_WOUNDS])
    check_objective(box, den, board, Moment.ACTION)
