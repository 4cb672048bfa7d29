"""The order of play: set-up, the four phases of a round, and what is decided when."""

from __future__ import annotations

from sim.draws import below, priority
from sim.games.vengeance.clock import person
from sim.games.vengeance.combat import (
    aimless,
    alike,
    begin_use,
    can_start,
    choices,
    clear_groups,
    cross_life_dice,
    current_action,
    drop_groups,
    has_use,
    pass_step,
    resolve_step,
    targets_of,
)
from sim.games.vengeance.components import (
    ACTIONS,
    ALIVE,
    ANY,
    ASSIGNED,
    AT_START,
    BONUS,
    BOSS_CARD,
    BOSS_DEAL,
    CHOOSE,
    CHOOSE_BOSS,
    CHOOSE_HERO,
    CHOOSE_SIDE,
    DAWN,
    DEN,
    DEN_DEAL,
    EQUAL_SHARE,
    EVADED,
    EXTRA_HIT,
    FLASH,
    FLASHBACK,
    FLASHBACK_DIE,
    FOCUSED,
    FRESH,
    HEALTH,
    HERO,
    HERO_DEAL,
    ICONS,
    IN_COMBAT,
    IN_RESOLUTION,
    LEAP,
    LEFTOVER,
    LIFE,
    LIFE_DICE,
    LOOTING,
    MAX_BOARDS,
    MINION_MASK,
    MOVE,
    OUT,
    POWER,
    PREVISITED,
    ROLLING,
    SHARE,
    SIDE_DEAL,
    SKILLS,
    SLIPPED,
    START_WOUND,
    STEP,
    TARGETING,
    TILE,
    TILES,
    TILING,
    TRAINED,
    UNLOCKING,
    USED_ITEM,
    USED_SKILL,
    V_AT,
    V_BOSS,
    V_DECLINE,
    V_DONE,
    V_END,
    V_FOCUSED,
    V_GO,
    V_GROUP,
    V_HERO,
    V_ITEM,
    V_LEAVE,
    V_SIDE,
    V_SKILL,
    V_UNLOCK,
    VISITED,
    WOUNDS,
    WOUNDS_TAKEN,
    XP,
    first_of,
    hand_cap,
    lowest,
    pack,
    row_of,
    second_of,
    verb_of,
)
from sim.games.vengeance.den import AT_END, BY_OTHER, check_objective
from sim.games.vengeance.flashback import (
    actions_left,
    can_purchase,
    do_action,
    list_flashback,
    purchase,
    spend_source,
)
from sim.games.vengeance.resolution import clean_focus, finish_resolution, list_icon, loot_icons, take_wounds
from sim.games.vengeance.rolling import (
    decide_unlock,
    do_step,
    end_rolling,
    list_steps,
    move_dice,
    reserve,
    run_events,
    start_rolling,
)
from sim.games.vengeance.scoring import ending_of, everybody_out
from sim.games.vengeance.wounds import is_knocked_out, knock_out
from sim.records import rule

SETTING, FLASHING, THROWING, FIGHTING = 0, 1, 2, 3  # phases
START_TILES, MAIN_TILES, LOOT_STEP, END_TILES, OVER = 0, 1, 2, 3, 4  # stages of a seat's combat and resolution
HERO_STEP, BOSS_STEP, SIDE_STEP, READY = 0, 1, 2, 3  # steps of the set-up, each for every seat in turn
SIDES = 2 * MAX_BOARDS

# --- set-up --------------------------------------------------------------------------------------


@rule
def deal(luck, source, wanted, seats, n, dealt):
    """Give every seat that asks for `any` one of n cards by lot; cards that are asked for stay out of the lot."""
    taken = 0
    for seat in range(seats):
        dealt[seat] = wanted[seat]
        if wanted[seat] >= 0:
            taken |= 1 << wanted[seat]
    for seat in range(seats):
        if wanted[seat] == ANY:
            best, least = -1, 0
            for card in range(n):
                if not (taken >> card) & 1:
                    key = priority(luck, source, 0, card, 0)
                    if best < 0 or key < least:
                        best, least = card, key
            dealt[seat] = best
            taken |= 1 << best
    return taken


@rule
def deal_bosses(box, table, hidden, luck):
    """A boss card for every seat, face down; under `boss_choice` a second one to choose from."""
    taken = deal(luck, BOSS_DEAL, box.seat_boss, table.seats, box.bosses, hidden.boss)
    for seat in range(table.seats):
        table.offer[seat, 0] = -1
        table.offer[seat, 1] = -1
        if box.boss_choice and box.seat_boss[seat] == ANY:
            second, least = -1, 0
            for card in range(box.bosses):
                if not (taken >> card) & 1:
                    key = priority(luck, BOSS_DEAL, 0, card, 0)
                    if second < 0 or key < least:
                        second, least = card, key
            taken |= 1 << second
            table.offer[seat, 0] = hidden.boss[seat]
            table.offer[seat, 1] = second


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
def share_out(box, table, luck):
    """Private pools of equal size; what is left over goes to seats by lot."""
    for seat in range(table.seats):
        table.board[seat][SHARE] = box.pool // table.seats
        ahead = 0
        for other in range(table.seats):
            if priority(luck, LEFTOVER, other, 0, 0) < priority(luck, LEFTOVER, seat, 0, 0):
                ahead += 1
        if ahead < box.pool % table.seats:
            table.board[seat][SHARE] += 1


@rule
def set_up_seat(box, table, hidden, luck):
    """Go through the set-up choices in order; True at one that a player makes."""
    while table.stage < READY * table.seats:
        step = table.stage // table.seats
        seat = table.stage % table.seats
        board = table.board[seat]
        table.seat = seat
        if step == HERO_STEP:
            table.kind = CHOOSE_HERO
            if board[HERO] == CHOOSE:
                return True
        elif step == BOSS_STEP:
            table.kind = CHOOSE_BOSS
            if table.offer[seat, 1] >= 0:
                return True
            if box.side_after_boss:
                board[BOSS_CARD] = hidden.boss[seat]
        else:
            table.kind = CHOOSE_SIDE
            if box.seat_side[seat] == CHOOSE:
                return True
            side = box.seat_side[seat]
            if side == ANY:
                side = below(luck, SIDE_DEAL, seat, 0, 0, 2)
            lay_den(box, table, hidden, seat, side)
        table.stage += 1
    return False


@rule
def lay_den(box, table, hidden, seat, side):
    """The side is chosen: the boss card is looked at, the board made ready."""
    board = table.board[seat]
    if board[BOSS_CARD] < 0:
        board[BOSS_CARD] = hidden.boss[seat]
    boss = board[BOSS_CARD]
    board[DEN] = table.board_of[seat] * 2 + side + SIDES * box.addition[boss]
    den = board[DEN]
    board[HEALTH] = box.health[boss]
    board[POWER] = box.trait[board[HERO]] | box.boss_power[boss]
    board[ALIVE] = box.den[den, MINION_MASK]
    board[VISITED] = box.den[den, PREVISITED]
    board[LIFE] = box.life_base
    board[WOUNDS] = 1 if board[POWER] & START_WOUND else 0
    board[XP] = box.start_xp
    for skill in range(box.start_focus):
        board[FOCUSED] |= box.slots[skill] << (2 * skill)


@rule
def take_setup(box, table, hidden, option):
    seat, what = table.seat, first_of(option)
    board = table.board[seat]
    verb = verb_of(option)
    if verb == V_HERO:
        board[HERO] = what
    elif verb == V_BOSS:
        board[BOSS_CARD] = what
    else:
        lay_den(box, table, hidden, seat, what)
    table.stage += 1


@rule
def list_heroes(box, table, out):
    n = 0
    for hero in range(box.heroes):
        free = True
        for seat in range(table.seats):
            if table.board[seat][HERO] == hero:
                free = False
        if free:
            out[n] = pack(V_HERO, hero, 0)
            n += 1
    return n


# --- flashback -----------------------------------------------------------------------------------


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
    table.phase = THROWING
    start_rolling(box, table, luck)


# --- combat and resolution -----------------------------------------------------------------------


@rule
def list_tiles(box, den, board, timing, out):
    """Every tile that can be used now, by each kind of use that lies ready, and the end."""
    n = 0
    for tile in range(TILES):
        row = row_of(board, tile)
        if box.timing[row] != timing:
            continue
        first, last = (V_ITEM, V_ITEM) if tile >= SKILLS else (V_GROUP, V_FOCUSED)
        ready = False
        for verb in range(first, last + 1):
            if has_use(box, board, tile, verb, row):
                if not ready and not can_start(box, den, board, row):
                    break
                ready = True
                out[n] = pack(verb, tile, 0)
                n += 1
    out[n] = pack(V_END, 0, 0)
    return n + 1


@rule
def any_tile(box, den, board, timing):
    for tile in range(TILES):
        row = row_of(board, tile)
        if box.timing[row] == timing:
            first, last = (V_ITEM, V_ITEM) if tile >= SKILLS else (V_GROUP, V_FOCUSED)
            for verb in range(first, last + 1):
                if has_use(box, board, tile, verb, row):
                    if can_start(box, den, board, row):
                        return True
                    break
    return False


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
    cross_life_dice(box, board, dice)
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
        if table.stage == OVER or (board[OUT] and table.stage == START_TILES):
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
    wounds, kos = board[WOUNDS], board[OUT]
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
    if board[WOUNDS] > wounds and kos == board[OUT]:
        table.count[seat, WOUNDS_TAKEN] += board[WOUNDS] - wounds


@rule
def end_round(box, table):
    """The next round, or the ending."""
    if table.round >= box.rounds or everybody_out(table):
        table.ending = ending_of(box, table)
        table.seat = 0
        return
    table.round += 1


# --- the machine ---------------------------------------------------------------------------------


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
        elif table.phase == THROWING:
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
    if kind == ROLLING:
        return list_steps(box, table, table.seat, out)
    if kind == UNLOCKING:
        out[0] = pack(V_UNLOCK, 0, 0)
        out[1] = pack(V_LEAVE, 0, 0)
        return 2
    if kind == FLASHBACK:
        return list_flashback(box, den, board, out)
    if kind == TILING:
        return list_tiles(box, den, board, timing_of(table.stage), out)
    if kind == TARGETING:
        return list_targets(box, den, board, out)
    if kind == LOOTING:
        return list_icon(box, den, board, out)
    if kind == CHOOSE_HERO:
        return list_heroes(box, table, out)
    for i in range(2):
        out[i] = pack(V_SIDE, i, 0) if kind == CHOOSE_SIDE else pack(V_BOSS, table.offer[table.seat, i], 0)
    return 2


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


@rule
def redeal(box, table, own, hidden, luck):
    """Deal the boss cards that nobody has looked at afresh."""
    hidden.own[table.seat] = own
    taken = 0
    for seat in range(table.seats):
        known = table.board[seat][BOSS_CARD]
        hidden.boss[seat] = known if known >= 0 else box.seat_boss[seat]
        for i in range(2):
            if table.offer[seat, i] >= 0:
                taken |= 1 << table.offer[seat, i]
        if hidden.boss[seat] >= 0:
            taken |= 1 << hidden.boss[seat]
    for seat in range(table.seats):
        if hidden.boss[seat] < 0:
            best, least = -1, 0
            for card in range(box.bosses):
                key = priority(luck, BOSS_DEAL, 1, card, 0)
                if not (taken >> card) & 1 and (best < 0 or key < least):
                    best, least = card, key
            hidden.boss[seat] = best
            taken |= 1 << best
