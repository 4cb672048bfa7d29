"""What flashback actions and skill tiles are worth to a strategy with weights."""

from __future__ import annotations

from hardmode.sim.games.vengeance.names import BASIC, SKILLS, FlashAction, Slot, Verb
from hardmode.sim.games.vengeance.packing import first_of, second_of, verb_of
from hardmode.sim.games.vengeance.player_board import focus_marks, free_slots, row_of
from hardmode.sim.games.vengeance.scoring import track
from hardmode.sim.records import rule
from hardmode.strategies.vengeance.evaluation import prices_of, stock, worth_of


@rule
def dice_price(box, row):
    """How dear a group is: rarer faces cost more."""
    price = 0.0
    group = box.filling[row, 0]
    for face in range(4):
        price += (group >> (4 * face) & 15) * (1.5 - 2.0 * box.chance[face])
    return price


@rule
def skill_value(box, row, prices, w):
    """What it is worth to own a skill: its actions, less its dice."""
    value = 0.2 if box.size[row] else 0.5
    if box.contents[row]:
        value = worth_of(box.contents[row], prices, w) - 0.5 * dice_price(box, row)
    return value


@rule
def focus_sources(board):
    return board[Slot.FLASH + FlashAction.FOCUS] + board[Slot.FLASH + FlashAction.COLLECT] + board[Slot.BONUS]


@rule
def focus_value(box, table, seat, skill, prices, w):
    board = table.board[seat]
    row = row_of(board, skill)
    missing = box.slots[row] - focus_marks(board, skill)
    share = 1.0
    if missing > 1:
        share = w.half_focus if focus_sources(board) >= missing else 0.0
    return share * w.focus * worth_of(box.contents[row], prices, w)


@rule
def loot_gain(box, board):
    """What the next loot box adds to the score."""
    then = track(box, box.loot_track, box.loot_n, board[Slot.LOOT] + 1)
    return then - track(box, box.loot_track, box.loot_n, board[Slot.LOOT])


@rule
def training_gain(box, board):
    """What training adds to the score."""
    then = track(box, box.training_track, box.training_n, min(box.training_n, board[Slot.XP] + box.train))
    return then - track(box, box.training_track, box.training_n, board[Slot.XP])


@rule
def action_value(box, table, seat, verb, what, prices, w):
    """The worth of one flashback action."""
    board = table.board[seat]
    left = box.rounds - table.round
    value = 0.0
    if verb == Verb.COLLECT:
        value = w.collect + loot_gain(box, board)
    elif verb == Verb.TRAIN:
        value = training_gain(box, board) + w.train * left / 4.0 + w.train_fade
    elif verb == Verb.BUY:
        value = w.item * worth_of(box.contents[row_of(board, SKILLS + what)], prices, w)
    elif verb == Verb.FOCUS:
        value = focus_value(box, table, seat, what, prices, w)
    elif verb == Verb.SLOT:
        value = w.care_slot * (1.0 if free_slots(board) <= 3 else 0.5)
    elif verb == Verb.CLEAN:
        value = w.care_clean * min(2, board[Slot.WOUNDS]) * (1.0 if left or board[Slot.KO] else 0.3)
    return value


@rule
def best_skill(box, table, options, n, w):
    """The skill tile that is most worth having, where no other must make room for it; -1 when there is none."""
    board = table.board[table.seat]
    prices = prices_of(0, board[Slot.POWER], board[Slot.WOUNDS], w)
    best, most = -1, w.buy_skill
    for i in range(n - 1, -1, -1):
        if verb_of(options[i]) == Verb.SKILL and second_of(options[i]) == 0:
            gain = skill_value(box, row_of(board, BASIC + first_of(options[i])), prices, w)
            if gain > most:
                best, most = i, gain
    return best


@rule
def best_action(box, table, options, n, w):
    """A skill tile that is worth having, else the best action; a die that shows it comes first in the list."""
    best = best_skill(box, table, options, n, w)
    if best >= 0:
        return best
    board = table.board[table.seat]
    total, _ = stock(box, board)
    prices = prices_of(total, board[Slot.POWER], board[Slot.WOUNDS], w)
    best, most, judged = 0, -1e8, 0
    for i in range(n):
        verb, what = verb_of(options[i]), second_of(options[i])
        bit = 1 << (what + (32 if verb == Verb.FOCUS else 48 if verb == Verb.BUY else verb))
        if verb == Verb.SKILL or judged & bit:
            continue
        judged |= bit
        value = action_value(box, table, table.seat, verb, what, prices, w)
        if value > most:
            best, most = i, value
    return best
