"""What a seat cannot know, dealt afresh."""

from __future__ import annotations

from hardmode.sim.draws import priority
from hardmode.sim.games.vengeance.names import (
    Slot,
    Source,
)
from hardmode.sim.records import rule


@rule
def redeal(box, table, own, hidden, luck):
    """Deal the boss cards that nobody has looked at afresh."""
    hidden.own[table.seat] = own
    taken = 0
    for seat in range(table.seats):
        known = table.board[seat][Slot.BOSS_CARD]
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
                key = priority(luck, Source.BOSS_DEAL, 1, card, 0)
                if not (taken >> card) & 1 and (best < 0 or key < least):
                    best, least = card, key
            hidden.boss[seat] = best
            taken |= 1 << best
