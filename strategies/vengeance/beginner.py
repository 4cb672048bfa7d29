"""How a beginner plays, by what the rulebook says: what fits first, whoever stands near, and not to be knocked out."""

from __future__ import annotations

from hardmode.sim.games.vengeance.actions import exits
from hardmode.sim.games.vengeance.den import boss_alive
from hardmode.sim.games.vengeance.names import BASIC, BOSS, Action, Den, Minion, Slot, Verb
from hardmode.sim.games.vengeance.packing import (
    faces_in,
    first_of,
    lowest,
    second_of,
    size_of,
    verb_of,
)
from hardmode.sim.games.vengeance.player_board import free_slots, row_of, skills_of
from hardmode.sim.games.vengeance.rolling import takes_group
from hardmode.sim.records import rule
from hardmode.strategies.vengeance.evaluation import blows_ready, hits_needed, ready, stock, threat
from hardmode.strategies.vengeance.rolling import common, throw_index


@rule
def first_of_verb(options, n, verb):
    for i in range(n):
        if verb_of(options[i]) == verb:
            return i
    return -1


@rule
def cheapest_skill(box, board, options, n):
    """The cheapest skill tile for which no other must make room, or -1."""
    best, least = -1, 99
    for i in range(n):
        if verb_of(options[i]) == Verb.SKILL and second_of(options[i]) == 0:
            cost = box.cost[row_of(board, BASIC + first_of(options[i]))]
            if cost < least:
                best, least = i, cost
    return best


@rule
def first_action(box, table, options, n):
    """The cheapest skill tile; care when hurt; else what scores, loot before training; else whatever comes first."""
    board = table.board[table.seat]
    best = cheapest_skill(box, board, options, n)
    if best < 0 and board[Slot.WOUNDS] > 0:
        best = first_of_verb(options, n, Verb.CLEAN)
    for verb in (Verb.COLLECT, Verb.TRAIN, Verb.SLOT):
        if best < 0:
            best = first_of_verb(options, n, verb)
    return max(best, 0)


@rule
def smallest_group(box, board, options, n):
    best, least, i = -1, 99, 0
    while i < n and verb_of(options[i]) == Verb.ASSIGN:
        size = box.size[row_of(board, first_of(options[i]))]
        if size < least:
            best, least = i, size
        i += 1
    return best


@rule
def rarest_group(board, options, n):
    """A complete group for the skill that has the fewest yet, or -1: one wants to go as well as to strike."""
    best, least, i = -1, 99, 0
    while i < n and verb_of(options[i]) == Verb.ASSIGN:
        groups = board[Slot.GROUPS + first_of(options[i])]
        if groups < least:
            best, least = i, groups
        i += 1
    return best


@rule
def fewest_missing(box, board, varied):
    """The dice to keep for the group that lacks the fewest dice, or -1. One who wants groups that are `varied`
    counts those that the skill has already as if they were missing."""
    hand = board[Slot.HAND] & 0xFFFF
    dice = faces_in(hand) + board[Slot.FRESH]
    keep, least = -1, 99
    skills = skills_of(board)
    while skills:
        skill = lowest(skills)
        skills &= skills - 1
        row = row_of(board, skill)
        if takes_group(box, board, skill, row) and box.size[row] <= dice:
            for i in range(box.fillings[row]):
                held = common(hand, box.filling[row, i])
                missing = box.size[row] - faces_in(held)
                far = missing + board[Slot.GROUPS + skill] if varied else missing
                if 0 < missing and far < least:
                    keep, least = held, far
    return keep


@rule
def toward(box, board, options, n, group, place, varied):
    """Assign the group; else place a W where that may be; else draw; else throw toward the nearest group."""
    choice, i = group, 0
    while choice < 0 and i < n:
        verb = verb_of(options[i])
        if (verb == Verb.LIFE and place) or verb == Verb.DRAW or verb == Verb.UNLOCK:
            choice = i
        elif verb == Verb.THROW:
            keep = fewest_missing(box, board, varied)
            choice = throw_index(options, i, n, board[Slot.HAND], keep) if keep >= 0 else n - 1
        i += 1
    return choice if choice >= 0 else n - 1


@rule
def stuck(board):
    """Only locked dice are left."""
    return board[Slot.HAND] + board[Slot.FRESH] == 0


@rule
def first_step(box, table, options, n):
    """Assign what is complete, to the skill that has the fewest; the life bar when stuck, while two slots stay free."""
    board = table.board[table.seat]
    place = stuck(board) and free_slots(board) > 2
    return toward(box, board, options, n, rarest_group(board, options, n), place, True)


@rule
def hasty_step(box, table, options, n):
    """Assign what is complete, smallest first; the life bar freely."""
    board = table.board[table.seat]
    place = stuck(board) or free_slots(board) > 1
    return toward(box, board, options, n, smallest_group(box, board, options, n), place, False)


@rule
def prize(box, table, room, blows):
    """Whether there is something to be had in a room by so many blows: loot, where they beat all who stand there; the
    Boss, where they get through to him."""
    board = table.board[table.seat]
    den, active = board[Slot.DEN], board[Slot.ALIVE] & ~board[Slot.EVADED]
    there = box.den[den, Den.INSIDE + room] & active
    if room == box.den[den, Den.BOSS_ROOM] and boss_alive(board):
        return blows > size_of(there & box.den[den, Den.OF_KIND + Minion.GRUNT])
    loot = box.den[den, Den.ICONS_IN + room] > 0 and not board[Slot.TAKEN] >> room & 1
    if there == 0 and board[Slot.VISITED] >> room & 1:
        return False  # what lies there is won already
    return loot and hits_needed(box, den, board[Slot.DOTTED], board[Slot.POWER], there) <= blows


@rule
def appeal(box, table, room, blows):
    """How gladly the pawn would end in a room: not where wounds would leave it a single free slot; where there is
    something to be had; where it has not been; where few wounds await."""
    board = table.board[table.seat]
    active = board[Slot.ALIVE] & ~board[Slot.EVADED]
    wounds = threat(box, board[Slot.DEN], active, room, blows, boss_alive(board))
    if wounds > 0 and wounds + 1 >= free_slots(board):
        return -100 - wounds
    new = not board[Slot.VISITED] >> room & 1
    return (20 if prize(box, table, room, blows) else 0) + (10 if new else 0) - wounds


@rule
def most_appealing(box, table, rooms, blows):
    """How gladly the pawn would end in the best of some rooms (a mask)."""
    most = -1000
    while rooms:
        most = max(most, appeal(box, table, lowest(rooms), blows))
        rooms &= rooms - 1
    return most


@rule
def suits(box, table, row, action, blows):
    """Whether a beginner uses a tile that begins with this action now."""
    board = table.board[table.seat]
    if ready(box.contents[row], Action.WOUND) and free_slots(board) <= 2:
        return False
    if action == Action.MOVE or action == Action.LEAP:
        rooms = exits(box, board[Slot.DEN], board, action)
        return most_appealing(box, table, rooms, blows) > appeal(box, table, board[Slot.ROOM], 0)
    return True


@rule
def first_tile(box, table, options, n):
    """Heal; strike whoever is near; else go where it is safe and new, or away from where it is not."""
    board = table.board[table.seat]
    total, _ = stock(box, board)
    for wanted in (Action.HEAL, Action.HIT, Action.KILL, Action.SHOT, Action.EVADE, Action.MOVE, Action.LEAP):
        for i in range(n):
            row = row_of(board, first_of(options[i]))
            fits = verb_of(options[i]) != Verb.END and box.effect[row, 0] == wanted
            if fits and suits(box, table, row, wanted, blows_ready(total)):
                return i
    return max(first_of_verb(options, n, Verb.END), 0)


@rule
def first_target(box, table, options, n):
    """The Boss, else the first enemy; the room that is safe and new."""
    total, _ = stock(box, table.board[table.seat])
    best, most = 0, -1000
    for i in range(n):
        if verb_of(options[i]) == Verb.AT and first_of(options[i]) == BOSS:
            best = i
        if verb_of(options[i]) == Verb.GO:
            value = appeal(box, table, first_of(options[i]), blows_ready(total))
            if value > most:
                best, most = i, value
    return best
