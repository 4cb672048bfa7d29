"""What a seat cannot know, dealt afresh."""

import numpy as np

from hardmode.sim.draws import below, shuffle
from hardmode.sim.games.run_run_run.names import CARDS, IN_PILE, SEATS, Source
from hardmode.sim.games.run_run_run.switches import Communication
from hardmode.sim.records import rule


@rule
def redeal(box, table, own, hidden, luck):
    """All that this seat cannot know, dealt afresh: other hands, the piles, the Boss."""
    me = table.seat
    place = np.zeros(CARDS, np.int64)  # 0: unknown, else known to lie elsewhere than in the deck or an unseen hand
    for i in range(table.discard_n):
        place[table.discard[i]] = 1
    for t in range(table.tiles_n):
        if table.card[t] >= 0:
            place[table.card[t]] = 1
    hidden.own[me] = own
    for i in range(table.hand_n[me]):
        place[own.hand[i]] = 1
    for i in range(table.pool_n):
        hidden.pool[i] = table.pool[i]
        if table.pool[i] >= 0:
            place[table.pool[i]] = 1
    redeal_cards(box, table, own, hidden, luck, place)
    n = 0
    for m in range(4):
        if table.at[m] < 0 and not table.gone >> m & 1 and table.waking != m and n < table.pile_n:
            hidden.pile[n] = m
            n += 1
    shuffle(luck, Source.MUMMY_PILE, 0, hidden.pile, n)
    n = 0
    for i in range(box.tokens):
        if table.token_at[i] == IN_PILE:
            hidden.tokens[n] = i
            n += 1
    shuffle(luck, Source.TOKEN_PILE, 0, hidden.tokens, n)
    known = table.boss if table.boss >= 0 else box.boss
    hidden.boss = known if known >= 0 else below(luck, Source.BOSS_CARDS, 0, 0, 0, box.bosses)


@rule
def redeal_for(box, table, view, hidden, luck):
    """What the team cannot know when all lay their hands open: the piles and the Boss. As they play together, there is
    no other point of view."""
    shuffle(luck, Source.ROOM_DECK, 0, hidden.deck, table.deck_n)
    shuffle(luck, Source.MUMMY_PILE, 0, hidden.pile, table.pile_n)
    shuffle(luck, Source.TOKEN_PILE, 0, hidden.tokens, table.tokens_n)
    if table.boss < 0 and box.boss < 0:
        hidden.boss = below(luck, Source.BOSS_CARDS, 0, 0, 0, 3)


@rule
def redeal_cards(box, table, own, hidden, luck, place):
    """Cards seen go to the hands they were seen to enter, the others where there is room for them."""
    me = table.seat
    filled = np.zeros(SEATS, np.int64)
    for s in range(table.seats):
        for c in range(box.cards):
            if s != me and table.seen_n and own.seen[c] == 1 + s and place[c] == 0 and filled[s] < table.hand_n[s]:
                hidden.own[s].hand[filled[s]] = c
                filled[s] += 1
                place[c] = 1
        if s != me and box.communication == Communication.OPEN_HANDS:
            filled[s] = table.hand_n[s]
            for i in range(table.hand_n[s]):
                hidden.own[s].hand[i] = table.open_hand[s, i]
                place[table.open_hand[s, i]] = 1
    left = np.empty(CARDS, np.int64)
    n = 0
    for c in range(box.cards):
        if place[c] == 0:
            left[n] = c
            n += 1
    shuffle(luck, Source.ROOM_DECK, 0, left, n)
    for s in range(table.seats):
        while s != me and filled[s] < table.hand_n[s]:
            n -= 1
            hidden.own[s].hand[filled[s]] = left[n]
            filled[s] += 1
        for i in range(table.given[s]):
            if s != me:
                hidden.own[s].give[i] = hidden.own[s].hand[i]
        for c in range(box.cards):
            if s != me:
                hidden.own[s].seen[c] = own.seen[c]
    for i in range(table.pool_n):
        if table.pool[i] < 0:
            n -= 1
            hidden.pool[i] = left[n]
    for i in range(n):
        hidden.deck[i] = left[i]
