"""The order of play: the four phases of a round, and what is decided when."""

from __future__ import annotations

from hardmode.sim.draws import below
from hardmode.sim.games.vengeance.clock import (
    person,
)
from hardmode.sim.games.vengeance.components import (
    ACTIONS,
    ALIVE,
    BONUS,
    BOSS_CARD,
    CHOOSE_HERO,
    CHOOSE_SIDE,
    DAWN,
    DEN,
    DEN_DEAL,
    EQUAL_SHARE,
    FLASH,
    FLASHBACK,
    FLASHBACK_DIE,
    FRESH,
    HERO,
    HERO_DEAL,
    LOOTING,
    OUT,
    ROLLING,
    TARGETING,
    TILING,
    TRAINED,
    UNLOCKING,
    USED_ONCE,
    V_BOSS,
    V_DONE,
    V_LEAVE,
    V_SIDE,
    V_SKILL,
    V_UNLOCK,
    first_of,
    hand_cap,
    pack,
    second_of,
    verb_of,
)
from hardmode.sim.games.vengeance.deal import (
    deal,
    deal_bosses,
    list_heroes,
    set_up_seat,
    share_out,
    take_setup,
)
from hardmode.sim.games.vengeance.den import (
    AT_END,
    BY_OTHER,
    check_objective,
)
from hardmode.sim.games.vengeance.fight import (
    START_TILES,
    fight,
    list_targets,
    list_tiles,
    take_fight,
    timing_of,
)
from hardmode.sim.games.vengeance.flashback import (
    actions_left,
    can_purchase,
    do_action,
    list_flashback,
    purchase,
    spend_source,
)
from hardmode.sim.games.vengeance.race import (
    decide_unlock,
    do_step,
    end_rolling,
    run_events,
    start_rolling,
)
from hardmode.sim.games.vengeance.resolution import (
    list_icon,
)
from hardmode.sim.games.vengeance.rolling import (
    list_steps,
    move_dice,
    reserve,
)
from hardmode.sim.games.vengeance.scoring import (
    ending_of,
    everybody_out,
)
from hardmode.sim.records import rule

SETTING, FLASHING, RACING, FIGHTING = 0, 1, 2, 3  # phases


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = box.players
    table.round = 1
    table.pool = box.pool
    table.phase = SETTING
    table.stage = 0
    deal(luck, DEN_DEAL, box.seat_board, table.seats, box.boards, table.board_of)
    for seat in range(table.seats):
        table.pace[seat] = person(box, luck, seat)
    deal(luck, HERO_DEAL, box.seat_hero, table.seats, box.heroes, table.hero_of)
    for seat in range(table.seats):
        table.board[seat][HERO] = table.hero_of[seat]
        table.board[seat][BOSS_CARD] = -1
    deal_bosses(box, table, hidden, luck)
    if box.contention == EQUAL_SHARE:
        share_out(box, table, luck)
    go_on(box, table, hidden, luck)


@rule
def roll_flashback(box, table, luck):
    """Three dice for the table or, by a switch, for each seat; those who are out get nothing of it."""
    for seat in range(table.seats):
        for face in range(len(ACTIONS)):
            table.board[seat][FLASH + face] = 0
    for whose in range(1 if box.flashback_shared else table.seats):
        for die in range(3):
            face = box.flashback[die, below(luck, FLASHBACK_DIE, table.round, whose, die, 6)]
            for seat in range(table.seats):
                if not table.board[seat][OUT] and (box.flashback_shared or seat == whose):
                    table.board[seat][FLASH + face] += 1


@rule
def start_round(box, table, luck):
    """Everybody takes dice; the flashback dice are rolled."""
    table.phase = FLASHING
    table.seat = 0
    roll_flashback(box, table, luck)
    for seat in range(table.seats):
        board = table.board[seat]
        board[BONUS] = 0
        if board[OUT]:
            continue
        board[DAWN] = board[ALIVE]
        board[TRAINED] = 0
        board[USED_ONCE] = 0
        board[BONUS] = 1
        dice = min(hand_cap(box, board), reserve(box, table, board))
        move_dice(box, table, board, dice)
        board[FRESH] = dice


@rule
def flash_seat(box, table):
    """The next seat that has something to do in the flashback phase; False when none is left."""
    while table.seat < table.seats:
        board = table.board[table.seat]
        if not board[OUT] and (actions_left(board) > 0 or can_purchase(box, board)):
            table.kind = FLASHBACK
            return True
        table.seat += 1
    return False


@rule
def take_flashback(box, table, option):
    board = table.board[table.seat]
    den = board[DEN]
    verb = verb_of(option)
    if verb == V_DONE:
        table.seat += 1
    elif verb == V_SKILL:
        purchase(box, board, table.count[table.seat], first_of(option), second_of(option))
    else:
        spend_source(board, first_of(option))
        do_action(box, den, board, option)
        check_objective(box, den, board, BY_OTHER)


@rule
def end_flashback(box, table, luck):
    for seat in range(table.seats):
        board = table.board[seat]
        check_objective(box, board[DEN], board, AT_END)
    table.phase = RACING
    start_rolling(box, table, luck)


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
        if table.phase == SETTING:
            if set_up_seat(box, table, hidden, luck):
                return
            start_round(box, table, luck)
        elif table.phase == FLASHING:
            if flash_seat(box, table):
                return
            end_flashback(box, table, luck)
        elif table.phase == RACING:
            asked = run_events(box, table, luck)
            if asked:
                table.kind = ROLLING if asked == 1 else UNLOCKING
                return
            end_rolling(box, table)
            table.phase = FIGHTING
            table.seat = 0
            table.stage = START_TILES
        else:
            if fight(box, table):
                return
            end_round(box, table)
            if table.ending < 0:
                start_round(box, table, luck)


@rule
def options(box, table, hidden, out):
    board = table.board[table.seat]
    den = board[DEN]
    kind = table.kind
    n = 2
    if kind == ROLLING:
        n = list_steps(box, table, table.seat, out)
    elif kind == UNLOCKING:
        out[0] = pack(V_UNLOCK, 0, 0)
        out[1] = pack(V_LEAVE, 0, 0)
    elif kind == FLASHBACK:
        n = list_flashback(box, den, board, out)
    elif kind == TILING:
        n = list_tiles(box, den, board, timing_of(table.stage), out)
    elif kind == TARGETING:
        n = list_targets(box, den, board, out)
    elif kind == LOOTING:
        n = list_icon(box, den, board, out)
    elif kind == CHOOSE_HERO:
        n = list_heroes(box, table, out)
    else:
        for i in range(2):
            out[i] = pack(V_SIDE, i, 0) if kind == CHOOSE_SIDE else pack(V_BOSS, table.offer[table.seat, i], 0)
    return n


@rule
def take(box, table, hidden, luck, option):
    kind, seat = table.kind, table.seat
    if kind == ROLLING:
        if do_step(box, table, luck, seat, option):
            return
    elif kind == UNLOCKING:
        if decide_unlock(box, table, luck, seat, verb_of(option)):
            table.kind = ROLLING
            return
    elif kind == FLASHBACK:
        take_flashback(box, table, option)
    elif kind <= CHOOSE_SIDE:
        take_setup(box, table, hidden, option)
    else:
        take_fight(box, table, option)
    go_on(box, table, hidden, luck)
