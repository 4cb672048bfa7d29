"""Rolling for a strategy with weights: which group to make, which dice to keep, when to risk a wound."""

from __future__ import annotations

from sim.games.vengeance.components import (
    FRESH,
    HAND,
    KO,
    LOCKED,
    SKILLS,
    V_ASSIGN,
    V_DRAW,
    V_LIFE,
    V_THROW,
    V_UNLOCK,
    faces_in,
    first_of,
    row_of,
    second_of,
    verb_of,
)
from sim.games.vengeance.judge import (
    W_DIE,
    W_SLACK,
    W_SLACK_STUCK,
    slack,
    stock,
    worth_of,
)
from sim.games.vengeance.rolling import (
    takes_group,
)
from sim.records import rule


@rule
def common(hand, group):
    """The dice of a group that the hand holds already."""
    found = 0
    for shift in (0, 4, 8, 12):
        found |= min(hand >> shift & 15, group >> shift & 15) << shift
    return found


@rule
def likely(box, missing, dice):
    """About how likely one throw of so many dice shows all that is missing."""
    p = 1.0
    for face in range(4):
        q = box.chance[face]
        if face == 2:
            q += box.chance[3]
        for _ in range(missing >> (4 * face) & 15):
            fail = 1.0
            for _ in range(dice):
                fail *= 1.0 - q
            p *= 1.0 - fail
            dice -= 1
    return p


@rule
def aim(box, board, total, w):
    """The dice to keep for the group with the best prospect, or -1 when none can be made."""
    hand = board[HAND] & 0xFFFF
    dice = faces_in(hand) + board[FRESH]
    keep, most = -1, 0.0
    for skill in range(SKILLS):
        row = row_of(board, skill)
        if not takes_group(box, board, skill, row) or box.size[row] > dice:
            continue
        value = worth_of(box.contents[row], total, board, w) + 0.5
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
def throw_index(options, n, hand, keep):
    """Where the throw that keeps these dice stands in the list."""
    i = 0
    while verb_of(options[i]) != V_THROW:
        i += 1
    g, k = hand >> 4 & 15, hand >> 8 & 15
    at = (keep >> 12 & 15) * (k + 1) + (keep >> 8 & 15)
    return i + (at * (g + 1) + (keep >> 4 & 15)) * ((hand & 15) + 1) + (keep & 15)


@rule
def best_group(box, board, options, total, w):
    """The most valuable group that is complete; -1 when there is none worth its dice."""
    best, most, i = -1, 0.0, 0
    while verb_of(options[i]) == V_ASSIGN:
        row = row_of(board, first_of(options[i]))
        group = box.filling[row, second_of(options[i])]
        doubles = group >> 12 & 15
        contents = box.sharp_contents[row] if doubles else box.contents[row]
        value = worth_of(contents, total, board, w) - w[W_DIE] * box.size[row] - 0.05 * doubles + 0.5
        if value > most:
            best, most = i, value
        i += 1
    return best


@rule
def risk_a_wound(box, table, board, w):
    """Whether a W may go to the life bar: enough slots stay free, or a KO no longer matters."""
    if table.round == box.rounds and board[KO] + 1 < box.ko_slots:
        return True
    few = faces_in(board[HAND]) + board[FRESH] <= 1
    return slack(board) > (w[W_SLACK_STUCK] if few else w[W_SLACK])


@rule
def next_step(box, table, options, n, w):
    board = table.board[table.seat]
    total = stock(box, board)
    if verb_of(options[0]) == V_ASSIGN:
        group = best_group(box, board, options, total, w)
        if group >= 0:
            return group
    throw = False
    i = 0
    while i < n:
        verb = verb_of(options[i])
        if verb == V_UNLOCK:
            return i
        if verb == V_LIFE and board[LOCKED] >= 1 and risk_a_wound(box, table, board, w):
            return i
        if verb == V_DRAW:
            return i
        if verb == V_THROW:
            throw = True
            break
        i += 1
    if throw:
        keep = aim(box, board, total, w)
        if keep >= 0:
            return throw_index(options, n, board[HAND], keep)
    return n - 1
