"""The den: rooms and who stands in them, Cleared, objectives, the way out."""

from __future__ import annotations

from hardmode.sim.games.vengeance.names import Den, Moment, Objective, Slot
from hardmode.sim.games.vengeance.packing import lowest, size_of
from hardmode.sim.games.vengeance.switches import ClearLatch, ObjectiveCheck
from hardmode.sim.records import rule


@rule
def counted(box, den):
    """The minions that count for Cleared and objectives: all, or the printed ones only."""
    return box.den[den, Den.MINION_MASK] if box.added_count else box.den[den, Den.PRINTED]


@rule
def boss_alive(board):
    return board[Slot.DAMAGE] < board[Slot.HEALTH]


@rule
def boss_bars(box, den, board, room):
    """By a switch the living Boss keeps his room from being Cleared."""
    return box.boss_blocks_clear and room == box.den[den, Den.BOSS_ROOM] and boss_alive(board)


@rule
def is_cleared(box, den, board, room):
    """Every minion of the room is crossed or, for this round, evaded."""
    minions = box.den[den, Den.INSIDE + room] & counted(box, den)
    cleared = minions & board[Slot.ALIVE] & ~board[Slot.EVADED] == 0 and (minions != 0 or box.empty_is_cleared)
    return cleared and not boss_bars(box, den, board, room)


@rule
def cleared_at_once(box, den, board, room):
    """The room was cleared within this very round."""
    minions = box.den[den, Den.INSIDE + room] & counted(box, den)
    standing = minions & board[Slot.ALIVE]
    if box.o2_evade_counts:
        standing &= ~board[Slot.EVADED]
    at_dawn = minions & board[Slot.DAWN]
    if standing != 0 or at_dawn == 0 or boss_bars(box, den, board, room):
        return False
    return at_dawn == minions or not box.o2_all_same_round


@rule
def note_clearing(box, den, board):
    """Remember which rooms were cleared within one round; only `any_later_round` asks for it."""
    if box.o2_latch == ClearLatch.ANY_LATER_ROUND:
        for room in range(box.den[den, Den.ROOMS]):
            if box.den[den, Den.GOAL + room] == Objective.CLEAR and cleared_at_once(box, den, board, room):
                board[Slot.CLEARED_AT_ONCE] |= 1 << room


@rule
def fulfilled(box, den, board, room):
    """Whether the condition of the objective in a room holds, wherever it came from."""
    goal = box.den[den, Den.GOAL + room]
    kind = box.den[den, Den.OF_KIND + box.den[den, Den.GOAL_TYPE + room]]
    done = False
    if goal == Objective.KILL:
        done = size_of(kind & counted(box, den) & ~board[Slot.ALIVE]) >= box.den[den, Den.GOAL_COUNT + room]
    elif goal == Objective.CLEAR:
        done = cleared_at_once(box, den, board, room) or (board[Slot.CLEARED_AT_ONCE] >> room) & 1 == 1
    elif goal == Objective.LIFE:
        done = board[Slot.LIFE] >= box.life_goal
    elif goal == Objective.VISIT_ADJ:
        done = box.den[den, Den.DOORS + room] & ~board[Slot.VISITED] == 0
    elif goal == Objective.HIT_BOSS:
        done = (board[Slot.STRUCK] >> (1 + room if box.o5_same_time else 0)) & 1 == 1
    elif goal == Objective.VISIT:
        seen = board[Slot.VISITED] if box.o6_counts_start else board[Slot.VISITED] & ~1
        done = size_of(seen) >= box.den[den, Den.GOAL_COUNT + room]
    elif goal == Objective.KILL_ADJ:
        done = box.den[den, Den.AROUND + room] & kind & counted(box, den) & board[Slot.ALIVE] == 0
    return done


@rule
def check_objective(box, den, board, moment):
    """Mark the objective of the pawn's room when its condition holds."""
    note_clearing(box, den, board)
    if moment == Moment.ACTION:
        asked = box.obj_check != ObjectiveCheck.END_OF_PHASE
    elif moment == Moment.OTHER:
        asked = box.obj_check == ObjectiveCheck.ALWAYS
    else:
        asked = box.obj_check != ObjectiveCheck.COMBAT_ONLY
    room = board[Slot.ROOM]
    marked = (board[Slot.MARKED_OBJECTIVES] >> room) & 1
    if asked and box.den[den, Den.GOAL + room] and not marked and not board[Slot.OUT]:
        if fulfilled(box, den, board, room):
            board[Slot.MARKED_OBJECTIVES] |= 1 << room


@rule
def lootable(box, den, board, room):
    """A room that is visited and Cleared and whose icons still lie there."""
    there = box.den[den, Den.ICONS_IN + room] > 0 and (board[Slot.TAKEN] >> room) & 1 == 0
    return (there and (board[Slot.VISITED] >> room) & 1 == 1
            and is_cleared(box, den, board, room))


@rule
def take_icons(box, den, board):
    """Cross the icons of all rooms that are visited and Cleared; returns how many."""
    icons = 0
    for room in range(box.den[den, Den.ROOMS]):
        if lootable(box, den, board, room):
            board[Slot.TAKEN] |= 1 << room
            icons += box.den[den, Den.ICONS_IN + room]
    return icons


@rule
def hostile_rooms(box, den, board):
    """The rooms that count for the way out: those with an enemy that is not crossed."""
    standing = board[Slot.ALIVE]
    if not box.exit_counts_evaded:
        standing &= ~board[Slot.SLIPPED] & ~board[Slot.EVADED]
    rooms = 0
    for room in range(box.den[den, Den.ROOMS]):
        if box.den[den, Den.INSIDE + room] & standing:
            rooms |= 1 << room
    if box.exit_counts_boss and boss_alive(board):
        rooms |= 1 << box.den[den, Den.BOSS_ROOM]
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
        fresh = box.den[den, Den.DOORS + room] & through & ~reached
        reached |= fresh
        edge |= fresh
    return reached


@rule
def exit_rooms(box, den, board):
    """The fewest rooms with an enemy on a way from the pawn's room to START, its own room included."""
    hostile = hostile_rooms(box, den, board)
    here = board[Slot.ROOM]
    cost = (hostile >> here) & 1
    reached = spread(box, den, 1 << here, ~hostile)
    while reached & 1 == 0:
        edge = 0
        rest = reached
        while rest:
            edge |= box.den[den, Den.DOORS + lowest(rest)]
            rest &= rest - 1
        edge &= ~reached
        if edge == 0:
            return cost
        cost += 1
        reached |= spread(box, den, edge, ~hostile)
    return cost
