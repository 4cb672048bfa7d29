"""What a combat that goes on may still bring: the best that the actions left can reach."""

from __future__ import annotations

from hardmode.sim.games.vengeance.den import boss_alive
from hardmode.sim.games.vengeance.names import Action, Den, Minion, Power, Slot
from hardmode.sim.games.vengeance.packing import lowest, size_of
from hardmode.sim.records import rule
from hardmode.strategies.vengeance.evaluation import blows_ready, ready, steps_ready


@rule
def worthwhile(box, den, board):
    """The rooms, as a mask, in which something can still be won: loot, an objective, the living Boss."""
    rooms = 0
    for room in range(box.den[den, Den.ROOMS]):
        loot = box.den[den, Den.ICONS_IN + room] > 0 and not board[Slot.TAKEN] >> room & 1
        goal = box.den[den, Den.GOAL + room] > 0 and not board[Slot.MARKED_OBJECTIVES] >> room & 1
        if loot or goal:
            rooms |= 1 << room
    if boss_alive(board):
        rooms |= 1 << box.den[den, Den.BOSS_ROOM]
    return rooms


@rule
def boss_hope(box, den, board, strikes, active):
    """The points for the Boss that so many strikes in his room bring."""
    lair = box.den[den, Den.BOSS_ROOM]
    shields = size_of(active & box.den[den, Den.INSIDE + lair] & box.den[den, Den.OF_KIND + Minion.GRUNT])
    damage, health = board[Slot.DAMAGE], board[Slot.HEALTH]
    then = min(health, damage + strikes - shields)
    if then <= damage:
        return 0.0
    points = box.den[den, Den.BOSS_POINTS + then] - box.den[den, Den.BOSS_POINTS + damage]
    return 1.0 * (points + (box.kill_points if then == health else 0))


@rule
def room_hope(box, den, board, room, reach, active, plan):
    """What a room would bring to a pawn that can strike or evade so many minions."""
    need = size_of(box.den[den, Den.INSIDE + room] & active)
    value = 0.0
    if not board[Slot.TAKEN] >> room & 1 and (need or not board[Slot.VISITED] >> room & 1):
        value = plan.icon * box.den[den, Den.ICONS_IN + room]
    if not board[Slot.MARKED_OBJECTIVES] >> room & 1:
        value += plan.goal * box.den[den, Den.GOAL_POINTS + room]
    return value if need <= reach else value * plan.part


@rule
def hope(box, den, board, left, rooms, plan):
    """The best that the actions left can reach, and what it is worth to have them still."""
    if left == 0:
        return 0.0
    power, active = board[Slot.POWER], board[Slot.ALIVE] & ~board[Slot.EVADED]
    steps, strikes, quiet = steps_ready(left), blows_ready(left), ready(left, Action.EVADE)
    if power & Power.LEAP_HIT:
        strikes += ready(left, Action.LEAP)
    shots = ready(left, Action.SHOT)
    if power & Power.SHOTS_EVADE:
        quiet += shots
    else:
        strikes += shots
    lair, ways, most = box.den[den, Den.BOSS_ROOM], box.den[den, Den.STEPS + board[Slot.ROOM]], 0.0
    while rooms:
        room = lowest(rooms)
        rooms &= rooms - 1
        far = ways >> 4 * room & 15
        if far <= steps:
            value = room_hope(box, den, board, room, strikes + quiet, active, plan) - plan.road * far
            if room == lair and strikes:
                value += boss_hope(box, den, board, strikes, active)
            most = max(most, value)
    return plan.hope * most + plan.steps * steps + plan.blows * (strikes + quiet)
