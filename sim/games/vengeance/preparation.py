"""What players choose at set-up, and how a den is laid out."""

from __future__ import annotations

from hardmode.sim.draws import below
from hardmode.sim.games.vengeance.names import (
    ANY,
    CHOOSE,
    SIDES,
    Choice,
    Den,
    Kind,
    Power,
    Slot,
    Source,
    Verb,
)
from hardmode.sim.games.vengeance.packing import first_of, pack, verb_of
from hardmode.sim.records import rule


@rule
def set_up_seat(box, table, hidden, luck):
    """Go through the set-up choices in order; True at one that a player makes."""
    while table.stage < Choice.DONE * table.seats:
        step = table.stage // table.seats
        seat = table.stage % table.seats
        board = table.board[seat]
        table.seat = seat
        if step == Choice.HERO:
            table.kind = Kind.HERO
            if board[Slot.HERO] == CHOOSE:
                return True
        elif step == Choice.BOSS:
            table.kind = Kind.BOSS
            if table.offer[seat, 1] >= 0:
                return True
            if box.side_after_boss:
                board[Slot.BOSS_CARD] = hidden.boss[seat]
        else:
            table.kind = Kind.SIDE
            if box.seat_side[seat] == CHOOSE:
                return True
            side = box.seat_side[seat]
            if side == ANY:
                side = below(luck, Source.SIDE_DEAL, seat, 0, 0, 2)
            lay_den(box, table, hidden, seat, side)
        table.stage += 1
    return False


@rule
def lay_den(box, table, hidden, seat, side):
    """The side is chosen: the boss card is looked at, the board made ready."""
    board = table.board[seat]
    if board[Slot.BOSS_CARD] < 0:
        board[Slot.BOSS_CARD] = hidden.boss[seat]
    boss = board[Slot.BOSS_CARD]
    board[Slot.DEN] = table.board_of[seat] * 2 + side + SIDES * box.addition[boss]
    den = board[Slot.DEN]
    board[Slot.HEALTH] = box.health[boss]
    board[Slot.POWER] = box.trait[board[Slot.HERO]] | box.boss_power[boss]
    board[Slot.ALIVE] = box.den[den, Den.MINION_MASK]
    board[Slot.VISITED] = box.den[den, Den.PREVISITED]
    board[Slot.LIFE] = box.life_base
    board[Slot.WOUNDS] = 1 if board[Slot.POWER] & Power.START_WOUND else 0
    board[Slot.XP] = box.start_xp
    for skill in range(box.start_focus):
        board[Slot.FOCUSED] |= box.slots[skill] << (2 * skill)


@rule
def take_setup(box, table, hidden, option):
    seat, what = table.seat, first_of(option)
    board = table.board[seat]
    verb = verb_of(option)
    if verb == Verb.HERO:
        board[Slot.HERO] = what
    elif verb == Verb.BOSS:
        board[Slot.BOSS_CARD] = what
    else:
        lay_den(box, table, hidden, seat, what)
    table.stage += 1


@rule
def list_heroes(box, table, out):
    n = 0
    for hero in range(box.heroes):
        free = True
        for seat in range(table.seats):
            if table.board[seat][Slot.HERO] == hero:
                free = False
        if free:
            out[n] = pack(Verb.HERO, hero, 0)
            n += 1
    return n
