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
from hardmode.sim.games.vengeance.components import (
    ASSIGNED,
    AT_START,
    DEN,
    EVADED,
    EXTRA_HIT,
    ICONS,
    IN_COMBAT,
    IN_RESOLUTION,
    KO,
    LAST,
    LEAP,
    LIFE,
    LIFE_DICE,
    LOOTING,
    MOVE,
    OUT,
    SKILLS,
    SLIPPED,
    STEP,
    TARGETING,
    TILE,
    TILING,
    USED_ITEM,
    USED_SKILL,
    V_AT,
    V_DECLINE,
    V_END,
    V_GO,
    V_GROUP,
    V_ITEM,
    WOUNDS,
    WOUNDS_TAKEN,
    first_of,
    loaded,
    lowest,
    pack,
    verb_of,
)
from hardmode.sim.games.vengeance.den import (
    AT_END,
    BY_OTHER,
    check_objective,
)
from hardmode.sim.games.vengeance.flashback import (
    do_action,
)
from hardmode.sim.games.vengeance.resolution import (
    clean_focus,
    finish_resolution,
    loot_icons,
    take_wounds,
)
from hardmode.sim.games.vengeance.rolling import (
    move_dice,
)
from hardmode.sim.games.vengeance.wounds import (
    is_knocked_out,
    knock_out,
)
from hardmode.sim.records import rule

START_TILES, MAIN_TILES, LOOT_STEP, END_TILES, OVER = 0, 1, 2, 3, 4  # stages of a seat's combat and resolution


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
            out[n] = pack(V_GROUP + lowest(uses), tile, 0)
            uses &= uses - 1
            n += 1
    out[n] = pack(V_END, 0, 0)
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
        out[0] = pack(V_AT, 0, 0)
        n = 1
    else:
        mask = targets_of(box, den, board, action)
        while mask:
            target = lowest(mask)
            if action == MOVE or action == LEAP:
                out[n] = pack(V_GO, target, 0)
                mask &= mask - 1
            else:
                out[n] = pack(V_AT, target, 0)
                mask &= ~alike(box, den, board, target, mask)
            n += 1
    if box.optional_actions and board[STEP] + board[EXTRA_HIT] > 0:
        out[n] = pack(V_DECLINE, 0, 0)
        n += 1
    return n


@rule
def timing_of(stage):
    return AT_START if stage == START_TILES else IN_COMBAT if stage == MAIN_TILES else IN_RESOLUTION


@rule
def lying(board):
    return board[ASSIGNED] + board[LIFE_DICE]


@rule
def wound_life_dice(box, table, board):
    """Step C1: life dice become wounds and go back to the pool."""
    dice = board[LIFE_DICE]
    board[LIFE_DICE] = 0
    board[WOUNDS] += dice
    move_dice(box, table, board, -dice)
    if box.ko_immediate and is_knocked_out(board):
        knock_out(box, board)
    return dice


@rule
def leave_stage(box, table, seat):
    """A stage of a seat's combat and resolution is over: do what comes between it and the next."""
    board = table.board[seat]
    den = board[DEN]
    final = box.final_resolution if table.round == box.rounds else 0
    before = lying(board)
    board[LAST] = 0
    if board[OUT]:
        clear_groups(board)
        board[LIFE_DICE] = 0
        table.stage = OVER
    elif table.stage == START_TILES:
        table.count[seat, WOUNDS_TAKEN] += wound_life_dice(box, table, board)
        before = lying(board)
        table.stage = MAIN_TILES
    elif table.stage == MAIN_TILES:
        drop_groups(box, board)
        check_objective(box, den, board, AT_END)
        table.stage = LOOT_STEP
        if final == 1:
            skip_resolution(board)
            table.stage = OVER
        else:
            clean_focus(box, board)
            board[ICONS] = loot_icons(box, den, board)
    elif table.stage == LOOT_STEP:
        table.stage = END_TILES
        if final == 2:
            skip_resolution(board)
            table.stage = OVER
        else:
            table.count[seat, WOUNDS_TAKEN] += take_wounds(box, den, board)
    else:
        finish_resolution(box, den, board)
        table.stage = OVER
    move_dice(box, table, board, lying(board) - before)


@rule
def skip_resolution(board):
    """The game ends without (the rest of) a resolution."""
    clear_groups(board)
    board[SLIPPED] = board[EVADED]
    board[EVADED] = 0


@rule
def fight(box, table):
    """Go on with combat and resolution, seat by seat; True at a decision."""
    while table.seat < table.seats:
        board = table.board[table.seat]
        den = board[DEN]
        if table.stage == OVER:
            table.seat += 1
            table.stage = START_TILES
            continue
        if board[TILE] and choices(box, den, board):
            table.kind = TARGETING
            return True
        if not board[OUT]:
            if table.stage == LOOT_STEP:
                if board[ICONS] > 0:
                    table.kind = LOOTING
                    return True
            elif any_tile(box, den, board, timing_of(table.stage)):
                table.kind = TILING
                return True
        leave_stage(box, table, table.seat)
    return False


@rule
def take_fight(box, table, option):
    seat = table.seat
    board = table.board[seat]
    den = board[DEN]
    verb = verb_of(option)
    wounds, life, kos = board[WOUNDS], board[LIFE], board[KO]
    if verb == V_END:
        leave_stage(box, table, seat)
        return
    if verb == V_GO or verb == V_AT:
        resolve_step(box, den, board, current_action(box, board), first_of(option))
    elif verb == V_DECLINE:
        pass_step(board)
    elif V_GROUP <= verb <= V_ITEM:
        tile = first_of(option)
        before = lying(board)
        begin_use(box, board, tile, verb)
        move_dice(box, table, board, lying(board) - before)
        table.count[seat, (USED_SKILL if tile < SKILLS else USED_ITEM - SKILLS) + tile] += 1
    else:
        do_action(box, den, board, option)
        board[ICONS] -= 1
        check_objective(box, den, board, BY_OTHER)
        return
    choices(box, den, board)
    if board[KO] > kos:
        wounds -= life
    table.count[seat, WOUNDS_TAKEN] += max(0, board[WOUNDS] - wounds)
