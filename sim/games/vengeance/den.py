"""The den: rooms and who stands in them, Cleared, objectives, the way out."""

from __future__ import annotations

from hardmode.sim.games.vengeance.components import (
    ALIVE,
    AROUND,
    BOSS_ROOM,
    CLEARED_AT_ONCE,
    DAMAGE,
    DAWN,
    DOORS,
    EVADED,
    GOAL,
    GOAL_COUNT,
    GOAL_TYPE,
    HEALTH,
    ICONS_IN,
    INSIDE,
    LIFE,
    MARKED_OBJECTIVES,
    MINION_MASK,
    O_CLEAR,
    O_HIT_BOSS,
    O_KILL,
    O_KILL_ADJ,
    O_LIFE,
    O_VISIT,
    O_VISIT_ADJ,
    OF_KIND,
    OUT,
    PRINTED,
    ROOM,
    ROOMS,
    SLIPPED,
    STRUCK,
    TAKEN,
    VISITED,
    lowest,
    size_of,
)
from hardmode.sim.records import rule

BY_ACTION, BY_OTHER, AT_END = 0, 1, 2  # when objectives are looked at


@rule
def counted(box, den):
    """The minions that count for Cleared and objectives: all, or the printed ones only."""
    return box.den[den, MINION_MASK] if box.added_count else box.den[den, PRINTED]


@rule
def boss_alive(board):
    return board[DAMAGE] < board[HEALTH]


@rule
def boss_bars(box, den, board, room):
    """By a switch the living Boss keeps his room from being Cleared."""
    return box.boss_blocks_clear and room == box.den[den, BOSS_ROOM] and boss_alive(board)


@rule
def is_cleared(box, den, board, room):
    """Every minion of the room is crossed or, for this round, evaded."""
    minions = box.den[den, INSIDE + room] & counted(box, den)
    cleared = minions & board[ALIVE] & ~board[EVADED] == 0 and (minions != 0 or box.empty_is_cleared == 1)
    return cleared and not boss_bars(box, den, board, room)


@rule
def cleared_at_once(box, den, board, room):
    """The room was cleared within this very round."""
    minions = box.den[den, INSIDE + room] & counted(box, den)
    standing = minions & board[ALIVE]
    if box.o2_evade_counts:
        standing &= ~board[EVADED]
    at_dawn = minions & board[DAWN]
    if standing != 0 or at_dawn == 0 or boss_bars(box, den, board, room):
        return False
    return at_dawn == minions or box.o2_all_same_round == 0


@rule
def note_clearing(box, den, board):
    """Remember which rooms were cleared within one round; only `any_later_round` asks for it."""
    if box.o2_latch:
        for room in range(box.den[den, ROOMS]):
            if box.den[den, GOAL + room] == O_CLEAR and cleared_at_once(box, den, board, room):
                board[CLEARED_AT_ONCE] |= 1 << room


@rule
def fulfilled(box, den, board, room):
    """Whether the condition of the objective in a room holds, wherever it came from."""
    goal = box.den[den, GOAL + room]
    kind = box.den[den, OF_KIND + box.den[den, GOAL_TYPE + room]]
    done = False
    if goal == O_KILL:
        done = size_of(kind & counted(box, den) & ~board[ALIVE]) >= box.den[den, GOAL_COUNT + room]
    elif goal == O_CLEAR:
        done = cleared_at_once(box, den, board, room) or (board[CLEARED_AT_ONCE] >> room) & 1 == 1
    elif goal == O_LIFE:
        done = board[LIFE] >= box.life_goal
    elif goal == O_VISIT_ADJ:
        done = box.den[den, DOORS + room] & ~board[VISITED] == 0
    elif goal == O_HIT_BOSS:
        done = (board[STRUCK] >> (1 + room if box.o5_same_time else 0)) & 1 == 1
    elif goal == O_VISIT:
        seen = board[VISITED] if box.o6_counts_start else board[VISITED] & ~1
        done = size_of(seen) >= box.den[den, GOAL_COUNT + room]
    elif goal == O_KILL_ADJ:
        done = box.den[den, AROUND + room] & kind & counted(box, den) & board[ALIVE] == 0
    return done


@rule
def check_objective(box, den, board, moment):
    """Mark the objective of the pawn's room when its condition holds."""
    note_clearing(box, den, board)
    asked = (moment == BY_ACTION and box.obj_check != 2) or (moment == BY_OTHER and box.obj_check == 0)
    if moment == AT_END and box.obj_check != 1:
        asked = True
    room = board[ROOM]
    if asked and box.den[den, GOAL + room] and not (board[MARKED_OBJECTIVES] >> room) & 1 and not board[OUT]:
        if fulfilled(box, den, board, room):
            board[MARKED_OBJECTIVES] |= 1 << room


@rule
def lootable(box, den, board, room):
    """A room that is visited and Cleared and whose icons still lie there."""
    return (box.den[den, ICONS_IN + room] > 0 and (board[VISITED] >> room) & 1 == 1 and (board[TAKEN] >> room) & 1 == 0
            and is_cleared(box, den, board, room))


@rule
def take_icons(box, den, board):
    """Cross the icons of all rooms that are visited and Cleared; returns how many."""
    icons = 0
    for room in range(box.den[den, ROOMS]):
        if lootable(box, den, board, room):
            board[TAKEN] |= 1 << room
            icons += box.den[den, ICONS_IN + room]
    return icons


@rule
def hostile_rooms(box, den, board):
    """The rooms that count for the way out: those with an enemy that is not crossed."""
    standing = board[ALIVE]
    if not box.exit_counts_evaded:
        standing &= ~board[SLIPPED] & ~board[EVADED]
    rooms = 0
    for room in range(box.den[den, ROOMS]):
        if box.den[den, INSIDE + room] & standing:
            rooms |= 1 << room
    if box.exit_counts_boss and boss_alive(board):
        rooms |= 1 << box.den[den, BOSS_ROOM]
    if not box.exit_counts_start:
        rooms &= ~1
    return rooms


@rule
def spread(box, den, rooms, through):
    """All rooms that can be reached from a set of rooms by way of another set."""
    reached = rooms
    edge = rooms
    while edge:
        room = lowest(edge)
        edge &= edge - 1
        fresh = box.den[den, DOORS + room] & through & ~reached
        reached |= fresh
        edge |= fresh
    return reached


@rule
def exit_rooms(box, den, board):
    """The fewest rooms with an enemy on a way from the pawn's room to START, its own room included."""
    hostile = hostile_rooms(box, den, board)
    here = board[ROOM]
    cost = (hostile >> here) & 1
    reached = spread(box, den, 1 << here, ~hostile)
    while reached & 1 == 0:
        edge = 0
        rest = reached
        while rest:
            edge |= box.den[den, DOORS + lowest(rest)]
            rest &= rest - 1
        edge &= ~reached
        if edge == 0:
            return cost
        cost += 1
        reached |= spread(box, den, edge, ~hostile)
    return cost
