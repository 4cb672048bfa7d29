"""What flashback actions and skill tiles are worth to a strategy with weights."""

from __future__ import annotations

from sim.games.vengeance.components import (
    BASIC,
    BONUS,
    COLLECT,
    FLASH,
    FOCUS,
    KO,
    LOOT,
    SKILLS,
    V_BUY,
    V_CLEAN,
    V_COLLECT,
    V_FOCUS,
    V_SKILL,
    V_SLOT,
    V_TRAIN,
    WOUNDS,
    XP,
    first_of,
    focus_marks,
    row_of,
    second_of,
    verb_of,
)
from sim.games.vengeance.judge import (
    W_BUY_SKILL,
    W_CARE_CLEAN,
    W_CARE_SLOT,
    W_COLLECT,
    W_FOCUS,
    W_HALF_FOCUS,
    W_ITEM,
    W_TRAIN,
    W_TRAIN_FADE,
    slack,
    stock,
    worth_of,
)
from sim.games.vengeance.scoring import (
    track,
)
from sim.records import rule


@rule
def dice_price(box, row, w):
    """How dear a group is: rarer faces cost more."""
    price = 0.0
    group = box.filling[row, 0]
    for face in range(4):
        price += (group >> (4 * face) & 15) * (0.5 + 0.1 / box.chance[face]) if box.chance[face] > 0.0 else 9.0
    return price


@rule
def skill_value(box, board, row, w):
    """What it is worth to own a skill: its actions, less its dice."""
    if box.size[row] == 0:
        return 0.5
    contents = box.contents[row]
    if contents == 0:
        return 0.2
    return worth_of(contents, 0, board, w) - 0.5 * dice_price(box, row, w)


@rule
def focus_sources(box, board):
    return board[FLASH + FOCUS] + board[FLASH + COLLECT] + board[BONUS]


@rule
def focus_value(box, board, skill, total, w):
    row = row_of(board, skill)
    value = w[W_FOCUS] * worth_of(box.contents[row], total, board, w)
    missing = box.slots[row] - focus_marks(board, skill)
    if missing <= 1:
        return value
    return value * w[W_HALF_FOCUS] if focus_sources(box, board) >= missing else 0.0


@rule
def action_value(box, table, board, option, total, w):
    """The worth of one flashback action."""
    verb, what = verb_of(option), second_of(option)
    left = box.rounds - table.round
    if verb == V_COLLECT:
        now = track(box, box.loot_track, box.loot_n, board[LOOT])
        return w[W_COLLECT] + track(box, box.loot_track, box.loot_n, board[LOOT] + 1) - now
    if verb == V_TRAIN:
        now = track(box, box.training_track, box.training_n, board[XP])
        then = track(box, box.training_track, box.training_n, min(box.training_n, board[XP] + box.train))
        return then - now + w[W_TRAIN] * left / box.rounds + w[W_TRAIN_FADE]
    if verb == V_BUY:
        return w[W_ITEM] * worth_of(box.contents[row_of(board, SKILLS + what)], total, board, w)
    if verb == V_FOCUS:
        return focus_value(box, board, what, total, w)
    if verb == V_SLOT:
        return w[W_CARE_SLOT] * (1.0 if slack(board) <= 3 else 0.5)
    if verb == V_CLEAN:
        return w[W_CARE_CLEAN] * min(2, board[WOUNDS]) * (1.0 if left or board[KO] else 0.3)
    return 0.0


@rule
def best_action(box, table, options, n, w):
    """A skill tile that is worth having, else the best action."""
    board = table.board[table.seat]
    total = stock(box, board)
    best, most = 0, -1e9
    for i in range(n):
        if verb_of(options[i]) == V_SKILL:
            value = -1e8
            if second_of(options[i]) == 0:
                gain = skill_value(box, board, row_of(board, BASIC + first_of(options[i])), w)
                if gain > w[W_BUY_SKILL]:
                    value = 100.0 + gain
        else:
            value = action_value(box, table, board, options[i], total, w)
        if value > most:
            best, most = i, value
    return best
