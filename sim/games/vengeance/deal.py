"""Set-up: boards, heroes and Bosses are dealt, sides chosen, dens laid out."""

from __future__ import annotations

from hardmode.sim.draws import below, priority
from hardmode.sim.games.vengeance.components import (
    ALIVE,
    ANY,
    BOSS_CARD,
    BOSS_DEAL,
    CHOOSE,
    CHOOSE_BOSS,
    CHOOSE_HERO,
    CHOOSE_SIDE,
    DEN,
    FOCUSED,
    HEALTH,
    HERO,
    LEFTOVER,
    LIFE,
    MAX_BOARDS,
    MINION_MASK,
    POWER,
    PREVISITED,
    SHARE,
    SIDE_DEAL,
    START_WOUND,
    V_BOSS,
    V_HERO,
    VISITED,
    WOUNDS,
    XP,
    first_of,
    pack,
    verb_of,
)
from hardmode.sim.records import rule

HERO_STEP, BOSS_STEP, SIDE_STEP, READY = 0, 1, 2, 3  # steps of the set-up, each for every seat in turn
SIDES = 2 * MAX_BOARDS


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

