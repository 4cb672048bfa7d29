"""A seat's combat and resolution, stage by stage, and what is decided in them."""

from __future__ import annotations

from hardmode.sim.games.vengeance.actions import aimless, alike, targets_of
from hardmode.sim.games.vengeance.combat import (
    begin_use,
    choices,
    clear_groups,
    current_action,
    drop_groups,
    pass_step,
    resolve_step,
    usable,
)
from hardmode.sim.games.vengeance.den import check_objective
from hardmode.sim.games.vengeance.flashback import do_action
from hardmode.sim.games.vengeance.life_bar import is_knocked_out, knock_out
from hardmode.sim.games.vengeance.names import SKILLS, Action, Kind, Moment, Slot, Stage, Timing, Verb
from hardmode.sim.games.vengeance.packing import first_of, lowest, pack, verb_of
from hardmode.sim.games.vengeance.player_board import loaded
from hardmode.sim.games.vengeance.resolution import clean_focus, finish_resolution, loot_icons, take_wounds
from hardmode.sim.games.vengeance.rolling import move_dice
from hardmode.sim.games.vengeance.switches import FinalResolution
from hardmode.sim.records import rule


@rule
def list_tiles(box, den, board, timing, out):
    """Every tile that can be used now, by each kind of use that lies ready, and the end."""
    n = 0
    tiles = loaded(board)
    while tiles:
        tile = lowest(tiles)
        tiles &= tiles - 1
        uses = usable(box, den, board, tile, timing)
        while uses:
            out[n] = pack(Verb.GROUP + lowest(uses), tile, 0)
            uses &= uses - 1
            n += 1
    out[n] = pack(Verb.END, 0, 0)
    return n + 1


@rule
def any_tile(box, den, board, timing):
    tiles = loaded(board)
    uses = 0
    while tiles and not uses:
        uses = usable(box, den, board, lowest(tiles), timing)
        tiles &= tiles - 1
    return uses != 0


@rule
def list_targets(box, den, board, out):
    """The targets of the action that the tile in use has come to; enemies that are alike count once."""
    action = current_action(box, board)
    n = 0
    if aimless(action):
        out[0] = pack(Verb.AT, 0, 0)
        n = 1
    else:
        mask = targets_of(box, den, board, action)
        while mask:
            target = lowest(mask)
            if action == Action.MOVE or action == Action.LEAP:
                out[n] = pack(Verb.GO, target, 0)
                mask &= mask - 1
            else:
                out[n] = pack(Verb.AT, target, 0)
                mask &= ~alike(box, den, board, target, mask)
            n += 1
    if box.optional_actions and board[Slot.STEP] + board[Slot.EXTRA_HIT] > 0:
        out[n] = pack(Verb.DECLINE, 0, 0)
        n += 1
    return n


@rule
def timing_of(stage):
    return Timing.START if stage == Stage.START else Timing.COMBAT if stage == Stage.MAIN else Timing.RESOLUTION


@rule
def lying(board):
    return board[Slot.ASSIGNED] + board[Slot.LIFE_DICE]


@rule
def wound_life_dice(box, table, board):
    """Step C1: life dice become wounds and go back to the pool."""
    dice = board[Slot.LIFE_DICE]
    board[Slot.LIFE_DICE] = 0
    board[Slot.WOUNDS] += dice
    move_dice(box, table, board, -dice)
    if box.ko_immediate and is_knocked_out(board):
        knock_out(box, board)
    return dice


@rule
def leave_stage(box, table, seat):
    """A stage of a seat's combat and resolution is over: do what comes between it and the next."""
    board = table.board[seat]
    den = board[Slot.DEN]
    final = box.final_resolution if table.round == box.rounds else FinalResolution.YES
    before = lying(board)
    board[Slot.LAST] = 0
    if board[Slot.OUT]:
        clear_groups(board)
        board[Slot.LIFE_DICE] = 0
        table.stage = Stage.OVER
    elif table.stage == Stage.START:
        table.count[seat].wounds_taken += wound_life_dice(box, table, board)
        before = lying(board)
        table.stage = Stage.MAIN
    elif table.stage == Stage.MAIN:
        drop_groups(box, board)
        check_objective(box, den, board, Moment.END)
        table.stage = Stage.LOOT
        if final == FinalResolution.NO:
            skip_resolution(board)
            table.stage = Stage.OVER
        else:
            clean_focus(box, board)
            board[Slot.ICONS] = loot_icons(box, den, board)
    elif table.stage == Stage.LOOT:
        table.stage = Stage.RESOLUTION
        if final == FinalResolution.LOOT_ONLY:
            skip_resolution(board)
            table.stage = Stage.OVER
        else:
            table.count[seat].wounds_taken += take_wounds(box, den, board)
    else:
        finish_resolution(box, den, board)
        table.stage = Stage.OVER
    move_dice(box, table, board, lying(board) - before)


@rule
def skip_resolution(board):
    """The game ends without (the rest of) a resolution."""
    clear_groups(board)
    board[Slot.SLIPPED] = board[Slot.EVADED]
    board[Slot.EVADED] = 0


@rule
def fight(box, table):
    """Go on with combat and resolution, seat by seat; True at a decision."""
    while table.seat < table.seats:
        board = table.board[table.seat]
        den = board[Slot.DEN]
        if table.stage == Stage.OVER:
            table.seat += 1
            table.stage = Stage.START
            continue
        if board[Slot.TILE] and choices(box, den, board):
            table.kind = Kind.TARGET
            return True
        if not board[Slot.OUT]:
            if table.stage == Stage.LOOT:
                if board[Slot.ICONS] > 0:
                    table.kind = Kind.LOOT
                    return True
            elif any_tile(box, den, board, timing_of(table.stage)):
                table.kind = Kind.TILE
                return True
        leave_stage(box, table, table.seat)
    return False


@rule
def take_fight(box, table, option):
    seat = table.seat
    board = table.board[seat]
    den = board[Slot.DEN]
    verb = verb_of(option)
    wounds, life, kos = board[Slot.WOUNDS], board[Slot.LIFE], board[Slot.KO]
    if verb == Verb.END:
        leave_stage(box, table, seat)
        return
    if verb == Verb.GO or verb == Verb.AT:
        resolve_step(box, den, board, current_action(box, board), first_of(option))
    elif verb == Verb.DECLINE:
        pass_step(board)
    elif Verb.GROUP <= verb <= Verb.ITEM:
        tile = first_of(option)
        before = lying(board)
        begin_use(box, board, tile, verb)
        move_dice(box, table, board, lying(board) - before)
        if tile < SKILLS:
            table.count[seat].skill_used[tile] += 1
        else:
            table.count[seat].item_used[tile - SKILLS] += 1
    else:
        do_action(box, den, board, option)
        board[Slot.ICONS] -= 1
        check_objective(box, den, board, Moment.OTHER)
        return
    choices(box, den, board)
    if board[Slot.KO] > kos:
        wounds -= life
    table.count[seat].wounds_taken += max(0, board[Slot.WOUNDS] - wounds)
