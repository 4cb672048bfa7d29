"""A round: flashback, roll, combat, resolution; and what comes after which."""

from __future__ import annotations

from hardmode.sim.draws import below
from hardmode.sim.games.vengeance.den import check_objective
from hardmode.sim.games.vengeance.flashback import (
    actions_left,
    can_purchase,
)
from hardmode.sim.games.vengeance.names import (
    FlashAction,
    Kind,
    Moment,
    Phase,
    Slot,
    Source,
    Stage,
)
from hardmode.sim.games.vengeance.player_board import hand_cap
from hardmode.sim.games.vengeance.preparation import set_up_seat
from hardmode.sim.games.vengeance.race import end_rolling, run_events, start_rolling
from hardmode.sim.games.vengeance.rolling import move_dice, reserve
from hardmode.sim.games.vengeance.scoring import ending_of, everybody_out
from hardmode.sim.games.vengeance.stages import fight
from hardmode.sim.records import rule


@rule
def roll_flashback(box, table, luck):
    """Three dice for the table or, by a switch, for each seat; those who are out get nothing of it."""
    for seat in range(table.seats):
        for face in range(FlashAction.COLLECT + 1):
            table.board[seat][Slot.FLASH + face] = 0
    for whose in range(1 if box.flashback_shared else table.seats):
        for die in range(3):
            face = box.flashback[die, below(luck, Source.FLASHBACK_DIE, table.round, whose, die, 6)]
            for seat in range(table.seats):
                if not table.board[seat][Slot.OUT] and (box.flashback_shared or seat == whose):
                    table.board[seat][Slot.FLASH + face] += 1


@rule
def start_round(box, table, luck):
    """Everybody takes dice; the flashback dice are rolled."""
    table.phase = Phase.FLASHBACK
    table.seat = 0
    roll_flashback(box, table, luck)
    for seat in range(table.seats):
        board = table.board[seat]
        board[Slot.BONUS] = 0
        if board[Slot.OUT]:
            continue
        board[Slot.DAWN] = board[Slot.ALIVE]
        board[Slot.TRAINED] = 0
        board[Slot.USED_ONCE] = 0
        board[Slot.BONUS] = 1
        dice = min(hand_cap(box, board), reserve(box, table, board))
        move_dice(box, table, board, dice)
        board[Slot.FRESH] = dice


@rule
def flash_seat(box, table):
    """The next seat that has something to do in the flashback phase; False when none is left."""
    while table.seat < table.seats:
        board = table.board[table.seat]
        if not board[Slot.OUT] and (actions_left(board) > 0 or can_purchase(box, board)):
            table.kind = Kind.FLASHBACK
            return True
        table.seat += 1
    return False


@rule
def end_flashback(box, table, hidden, luck):
    for seat in range(table.seats):
        board = table.board[seat]
        check_objective(box, board[Slot.DEN], board, Moment.END)
    table.phase = Phase.ROLL
    start_rolling(box, table, hidden, luck)


@rule
def end_round(box, table):
    """The next round, or the ending."""
    if table.round >= box.rounds or everybody_out(table):
        table.ending = ending_of(box, table)
        table.seat = 0
        return
    table.round += 1


@rule
def go_on(box, table, hidden, luck):
    """Run to the next decision or the ending."""
    while table.ending < 0:
        if table.phase == Phase.SETUP:
            if set_up_seat(box, table, hidden, luck):
                return
            start_round(box, table, luck)
        elif table.phase == Phase.FLASHBACK:
            if flash_seat(box, table):
                return
            end_flashback(box, table, hidden, luck)
        elif table.phase == Phase.ROLL:
            asked = run_events(box, table, hidden, luck)
            if asked:
                table.kind = Kind.ROLL if asked == 1 else Kind.UNLOCK
                return
            end_rolling(box, table)
            table.phase = Phase.COMBAT
            table.seat = 0
            table.stage = Stage.START
        else:
            if fight(box, table):
                return
            end_round(box, table)
            if table.ending < 0:
                start_round(box, table, luck)
