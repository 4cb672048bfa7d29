"""Set-up: boards, heroes and Bosses are dealt."""

from __future__ import annotations

from hardmode.sim.draws import priority
from hardmode.sim.games.vengeance.clock import person
from hardmode.sim.games.vengeance.names import (
    ANY,
    Contention,
    Phase,
    Slot,
    Source,
)
from hardmode.sim.games.vengeance.rounds import go_on
from hardmode.sim.records import rule


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = box.players
    table.round = 1
    table.pool = box.pool
    table.phase = Phase.SETUP
    table.stage = 0
    deal(luck, Source.DEN_DEAL, box.seat_board, table.seats, box.boards, table.board_of)
    for seat in range(table.seats):
        hidden.own[seat].pace = person(box, luck, seat)
    deal(luck, Source.HERO_DEAL, box.seat_hero, table.seats, box.heroes, table.hero_of)
    for seat in range(table.seats):
        table.board[seat][Slot.HERO] = table.hero_of[seat]
        table.board[seat][Slot.BOSS_CARD] = -1
    deal_bosses(box, table, hidden, luck)
    if box.contention == Contention.EQUAL_SHARE:
        share_out(box, table, luck)
    go_on(box, table, hidden, luck)


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
    taken = deal(luck, Source.BOSS_DEAL, box.seat_boss, table.seats, box.bosses, hidden.boss)
    for seat in range(table.seats):
        table.offer[seat, 0] = -1
        table.offer[seat, 1] = -1
        if box.boss_choice and box.seat_boss[seat] == ANY:
            second, least = -1, 0
            for card in range(box.bosses):
                if not (taken >> card) & 1:
                    key = priority(luck, Source.BOSS_DEAL, 0, card, 0)
                    if second < 0 or key < least:
                        second, least = card, key
            taken |= 1 << second
            table.offer[seat, 0] = hidden.boss[seat]
            table.offer[seat, 1] = second


@rule
def share_out(box, table, luck):
    """Private pools of equal size; what is left over goes to seats by lot."""
    for seat in range(table.seats):
        table.board[seat][Slot.SHARE] = box.pool // table.seats
        ahead = 0
        for other in range(table.seats):
            if priority(luck, Source.LEFTOVER, other, 0, 0) < priority(luck, Source.LEFTOVER, seat, 0, 0):
                ahead += 1
        if ahead < box.pool % table.seats:
            table.board[seat][Slot.SHARE] += 1
