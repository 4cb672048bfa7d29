"""How a beginner plays: what fits first, whoever stands near."""

from __future__ import annotations

from hardmode.sim.games.vengeance.names import BASIC, Action, Den, Slot, Verb
from hardmode.sim.games.vengeance.packing import faces_in, first_of, lowest, second_of, verb_of
from hardmode.sim.games.vengeance.player_board import free_slots, row_of, skills_of
from hardmode.sim.games.vengeance.rolling import takes_group
from hardmode.sim.records import rule
from hardmode.strategies.vengeance.evaluation import distance
from hardmode.strategies.vengeance.rolling import common, throw_index


@rule
def first_action(box, table, options, n):
    """The cheapest skill tile; else care with two wounds; else training; else whatever comes first."""
    board = table.board[table.seat]
    best, least = -1, 99
    for i in range(n):
        if verb_of(options[i]) == Verb.SKILL and second_of(options[i]) == 0:
            cost = box.cost[row_of(board, BASIC + first_of(options[i]))]
            if cost < least:
                best, least = i, cost
    if best >= 0:
        return best
    for verb in (Verb.CLEAN, Verb.TRAIN):
        if verb == Verb.TRAIN or board[Slot.WOUNDS] >= 2:
            for i in range(n):
                if verb_of(options[i]) == verb:
                    return i
    return 0


@rule
def smallest_group(box, board, options):
    best, least, i = -1, 99, 0
    while verb_of(options[i]) == Verb.ASSIGN:
        size = box.size[row_of(board, first_of(options[i]))]
        if size < least:
            best, least = i, size
        i += 1
    return best


@rule
def fewest_missing(box, board):
    """The dice to keep for the group that lacks the fewest dice, or -1."""
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
                if 0 < missing < least:
                    keep, least = held, missing
    return keep


@rule
def first_step(box, table, options, n, hasty):
    """Assign what is complete, smallest first; draw; throw toward the nearest group; the life bar when stuck."""
    board = table.board[table.seat]
    group = smallest_group(box, board, options)
    if group >= 0:
        return group
    stuck = board[Slot.HAND] + board[Slot.FRESH] == 0
    for i in range(n):
        verb = verb_of(options[i])
        if verb == Verb.LIFE and (stuck or (hasty and free_slots(board) > 1)):
            return i
        if verb == Verb.DRAW or verb == Verb.UNLOCK:
            return i
        if verb == Verb.THROW:
            keep = fewest_missing(box, board)
            return throw_index(options, i, board[Slot.HAND], keep) if keep >= 0 else n - 1
    return n - 1


@rule
def first_tile(box, table, options, n):
    """Strike whoever is near, else move."""
    board = table.board[table.seat]
    for wanted in (Action.HIT, Action.KILL, Action.SHOT, Action.MOVE, Action.LEAP):
        for i in range(n - 1):
            if box.effect[row_of(board, first_of(options[i])), 0] == wanted:
                return i
    return 0


@rule
def first_target(box, table, options, n):
    """The first enemy; among rooms the one nearest to the Boss."""
    den = table.board[table.seat][Slot.DEN]
    best, least = 0, 99
    for i in range(n):
        if verb_of(options[i]) == Verb.GO:
            far = distance(box, den, first_of(options[i]), box.den[den, Den.BOSS_ROOM])
            if far < least:
                best, least = i, far
    return best
