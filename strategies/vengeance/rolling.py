"""Rolling for a strategy with weights: which group to make, which dice to keep, when to risk a wound."""

from __future__ import annotations

from hardmode.sim.games.vengeance.names import Slot, Verb
from hardmode.sim.games.vengeance.packing import (
    faces_in,
    first_of,
    lowest,
    pack,
    second_of,
    verb_of,
)
from hardmode.sim.games.vengeance.player_board import free_slots, row_of, skills_of
from hardmode.sim.games.vengeance.rolling import takes_group
from hardmode.sim.records import rule
from hardmode.strategies.vengeance.evaluation import prices_of, stock, worth_of


@rule
def common(hand, group):
    """The dice of a group that the hand holds already: of each face the fewer, in all four places at once."""
    enough = ((hand | 0x8888) - group & 0x8888) >> 3
    enough *= 15
    return group & enough | hand & ~enough


@rule
def likely(box, missing, dice):
    """About how likely one throw of so many dice shows all that is missing."""
    p = 1.0
    for face in range(4):
        for _ in range(missing >> (4 * face) & 15):
            p *= 1.0 - box.miss[face, dice]
            dice -= 1
    return p


@rule
def aim(box, table, seat, prices, w):
    """The dice to keep for the group with the best prospect, or -1 when none can be made."""
    board = table.board[seat]
    hand = board[Slot.HAND] & 0xFFFF
    dice = faces_in(hand) + board[Slot.FRESH]
    keep, most = -1, 0.0
    skills = skills_of(board)
    while skills:
        skill = lowest(skills)
        skills &= skills - 1
        row = row_of(board, skill)
        if box.size[row] > dice or (box.once[row] and not takes_group(box, board, skill, row)):
            continue
        value = worth_of(box.contents[row], prices, w) + 0.5
        if value <= most:
            continue
        for i in range(box.fillings[row]):
            group = box.filling[row, i]
            held = common(hand, group)
            missing = group - held
            thrown = dice - faces_in(held)
            if missing == 0 or faces_in(missing) > thrown:
                continue
            prospect = value * likely(box, missing, thrown)
            if prospect > most:
                keep, most = held, prospect
    return keep


@rule
def throw_index(options, i, n, hand, keep):
    """Where the throw that keeps these dice stands in the list, in which `i` is the first throw; else the last option.

    All throws stand in a known order, which is tried before they are searched through.
    """
    g, k = hand >> 4 & 15, hand >> 8 & 15
    at = (keep >> 12 & 15) * (k + 1) + (keep >> 8 & 15)
    at = i + (at * (g + 1) + (keep >> 4 & 15)) * ((hand & 15) + 1) + (keep & 15)
    wanted = pack(Verb.THROW, 0, keep)
    if at < n and options[at] == wanted:
        return at
    for j in range(n):
        if options[j] == wanted:
            return j
    return n - 1


@rule
def best_group(box, table, options, n, prices, w):
    """The most valuable group that is complete; -1 when there is none worth its dice."""
    board = table.board[table.seat]
    best, most, i = -1, 0.0, 0
    while i < n and verb_of(options[i]) == Verb.ASSIGN:
        row = row_of(board, first_of(options[i]))
        doubles = box.filling[row, second_of(options[i])] >> 12 & 15
        contents = box.sharp_contents[row] if doubles else box.contents[row]
        value = worth_of(contents, prices, w) - w.die * box.size[row] - 0.05 * doubles + 0.5
        if value > most:
            best, most = i, value
        i += 1
    return best


@rule
def risk_a_wound(box, table, seat, w):
    """Whether a W may go to the life bar: enough slots stay free, or a KO no longer matters."""
    board = table.board[seat]
    few = faces_in(board[Slot.HAND]) + board[Slot.FRESH] <= 1
    harmless = table.round == box.rounds and board[Slot.KO] + 1 < box.ko_slots
    return harmless or free_slots(board) > (w.slack_stuck if few else w.slack)


@rule
def prices_now(box, table, seat, w):
    board = table.board[seat]
    total, _ = stock(box, board)
    return prices_of(total, board[Slot.POWER], board[Slot.WOUNDS], w)


@rule
def next_step(box, table, options, n, w):
    """A group that is worth its dice; else the life bar, a draw, a throw toward the best group, or the end."""
    board = table.board[table.seat]
    choice, i = -1, 0
    if verb_of(options[0]) == Verb.ASSIGN:
        choice = best_group(box, table, options, n, prices_now(box, table, table.seat, w), w)
    while choice < 0 and i < n:
        verb = verb_of(options[i])
        if verb == Verb.UNLOCK or verb == Verb.DRAW or verb == Verb.STOP:
            choice = i
        elif verb == Verb.LIFE and board[Slot.LOCKED] > 0 and risk_a_wound(box, table, table.seat, w):
            choice = i
        elif verb == Verb.THROW:
            keep = aim(box, table, table.seat, prices_now(box, table, table.seat, w), w)
            choice = throw_index(options, i, n, board[Slot.HAND], keep) if keep >= 0 else n - 1
        i += 1
    return choice if choice >= 0 else n - 1
