"""What a seat cannot know, dealt afresh: boss cards, how fast its rivals are, when what they do will end."""

from __future__ import annotations

from hardmode.sim.draws import priority
from hardmode.sim.games.vengeance.clock import event_time, person
from hardmode.sim.games.vengeance.names import Event, Phase, Slot, Source
from hardmode.sim.records import rule


@rule
def redeal_bosses(box, table, hidden, luck):
    """Deal the boss cards that nobody has looked at; any of those that are left is as likely as another."""
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


@rule
def redeal_end(box, table, hidden, luck, seat, now):
    """The end of what a seat does is dealt by its speed, among the ends that are still to come."""
    began = table.since[seat]
    hidden.ends[seat] = began
    if table.phase == Phase.ROLL and table.board[seat][Slot.EVENT] != Event.DONE:
        seconds = event_time(box, table, luck, seat, hidden.own[seat].pace, now - began)
        hidden.ends[seat] = max(now, began + seconds)


@rule
def redeal_rival(box, table, hidden, luck, seat, now):
    """A rival's speed is dealt as at set-up, whatever was seen of it, and with it the end of what the rival does."""
    hidden.own[seat].pace = person(box, luck, seat)
    redeal_end(box, table, hidden, luck, seat, now)


@rule
def redeal(box, table, own, hidden, luck):
    me = table.seat
    hidden.own[me] = own
    hidden.ends[me] = table.since[me]
    redeal_bosses(box, table, hidden, luck)
    for seat in range(table.seats):
        hidden.lot[seat] = -1
        if seat != me:
            redeal_rival(box, table, hidden, luck, seat, table.since[me])


@rule
def redeal_for(box, table, view, hidden, luck):
    """Everybody knows the own speed, and nobody when the throw under way will end; together all speeds are known."""
    acts, now = table.seat, table.since[table.seat]
    hidden.ends[acts] = now
    redeal_bosses(box, table, hidden, luck)
    for seat in range(table.seats):
        hidden.lot[seat] = -1
        if view >= 0 and seat != view:
            hidden.own[seat].pace = person(box, luck, seat)
        if seat != acts:
            redeal_end(box, table, hidden, luck, seat, now)
