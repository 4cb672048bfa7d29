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
    free_slots,
    row_of,
    second_of,
    verb_of,
)
from sim.games.vengeance.judge import (
    stock,
    worth_of,
)
from sim.games.vengeance.scoring import (
    track,
)
from sim.records import rule


@rule
def dice_price(box, row):
    """How dear a group is: rarer faces cost more."""
    price = 0.0
    group = box.filling[row, 0]
    for face in range(4):
        price += (group >> (4 * face) & 15) * (1.5 - 2.0 * box.chance[face])
    return price


@rule
def skill_value(box, board, row, w):
    """What it is worth to own a skill: its actions, less its dice."""
    value = 0.2 if box.size[row] else 0.5
    if box.contents[row]:
        value = worth_of(box.contents[row], 0, board, w) - 0.5 * dice_price(box, row)
    return value


@rule
def focus_sources(board):
    return board[FLASH + FOCUS] + board[FLASH + COLLECT] + board[BONUS]


@rule
def focus_value(box, board, skill, total, w):
    row = row_of(board, skill)
    missing = box.slots[row] - focus_marks(board, skill)
    share = 1.0
    if missing > 1:
        share = w.half_focus if focus_sources(board) >= missing else 0.0
    return share * w.focus * worth_of(box.contents[row], total, board, w)


@rule
def loot_gain(box, board):
    """What the next loot box adds to the score."""
    then = track(box, box.loot_track, box.loot_n, board[LOOT] + 1)
    return then - track(box, box.loot_track, box.loot_n, board[LOOT])


@rule
def training_gain(box, board):
    """What training adds to the score."""
    then = track(box, box.training_track, box.training_n, min(box.training_n, board[XP] + box.train))
    return then - track(box, box.training_track, box.training_n, board[XP])


@rule
def action_value(box, table, board, verb, what, total, w):
    """The worth of one flashback action."""
    left = box.rounds - table.round
    value = 0.0
    if verb == V_COLLECT:
        value = w.collect + loot_gain(box, board)
    elif verb == V_TRAIN:
        value = training_gain(box, board) + w.train * left / 4.0 + w.train_fade
    elif verb == V_BUY:
        value = w.item * worth_of(box.contents[row_of(board, SKILLS + what)], total, board, w)
    elif verb == V_FOCUS:
        value = focus_value(box, board, what, total, w)
    elif verb == V_SLOT:
        value = w.care_slot * (1.0 if free_slots(board) <= 3 else 0.5)
    elif verb == V_CLEAN:
        value = w.care_clean * min(2, board[WOUNDS]) * (1.0 if left or board[KO] else 0.3)
    return value


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
                if gain > w.buy_skill:
                    value = 100.0 + gain
        else:
            value = action_value(box, table, board, verb_of(options[i]), second_of(options[i]), total, w)
        if value > most:
            best, most = i, value
    return best
