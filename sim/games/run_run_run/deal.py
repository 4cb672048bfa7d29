"""The set-up, and the afresh dealing of what a seat cannot know."""

import numpy as np

from hardmode.sim.draws import below, shuffle
from hardmode.sim.games.run_run_run.cards import draw, show_hands
from hardmode.sim.games.run_run_run.maze import begin
from hardmode.sim.games.run_run_run.records import (
    BOSS_CARDS,
    CARDS,
    FIRST_PLAYER,
    HERO_TILES,
    IN_PILE,
    MUMMY_PILE,
    OPEN_HANDS,
    PLAIN_ROOM,
    PRINTING,
    ROOM_DECK,
    SEATS,
    SYMBOL_A,
    TOKEN_PILE,
)
from hardmode.sim.records import rule


@rule
def setup(box, table, hidden, luck):
    """S-1 to S-11, up to the question who starts."""
    table.ending = -1
    table.seats = box.players
    table.round = 1
    table.torches = box.torches
    table.torch_tokens = box.torch_tokens
    table.doors = box.doors
    table.regroups = box.regroups
    table.pile_n = 4
    table.waking = table.boss = -1
    for m in range(5):
        table.at[m] = -1
    for m in range(4):
        hidden.pile[m] = m
    shuffle(luck, MUMMY_PILE, 0, hidden.pile, 4)
    for i in range(box.tokens):
        hidden.tokens[i] = i
    table.tokens_n = box.tokens
    shuffle(luck, TOKEN_PILE, 0, hidden.tokens, box.tokens)
    hidden.boss = box.boss if box.boss >= 0 else below(luck, BOSS_CARDS, 0, 0, 0, 3)
    begin(table, box.vault_exits)
    print_rooms(box, table, luck)
    deal(box, table, hidden, luck)
    table.kind = FIRST_PLAYER
    table.seat = 0


@rule
def print_rooms(box, table, luck):
    """What the Rooms bear: as listed, or drawn apart from their exits for decks of another make-up."""
    for c in range(box.cards):
        table.mark[c] = box.mark[c]
        table.lit[c] = box.lit[c]
    if not box.drawn_features:
        return
    order = np.empty(CARDS, np.int64)
    for kind in range(2):
        for c in range(box.cards):
            order[c] = c
        shuffle(luck, PRINTING, kind, order, box.cards)
        for i in range(box.cards):
            if kind:
                table.lit[order[i]] = i < box.lit_rooms
            elif i < box.sarcophagi:
                table.mark[order[i]] = 0
            else:
                k = i - box.sarcophagi
                table.mark[order[i]] = SYMBOL_A + k // box.symbols if k < 3 * box.symbols else PLAIN_ROOM


@rule
def deal(box, table, hidden, luck):
    """Rooms, heroes, Cats."""
    for c in range(box.cards):
        hidden.deck[c] = c
    shuffle(luck, ROOM_DECK, 0, hidden.deck, box.cards)
    table.deck_n = box.cards
    order = np.empty(SEATS, np.int64)
    for h in range(SEATS):
        order[h] = h
    shuffle(luck, HERO_TILES, 0, order, SEATS)
    taken = 0
    for s in range(box.players):
        if box.hero[s] >= 0:
            taken |= 1 << box.hero[s]
    i = 0
    for s in range(box.players):
        table.reserved[s] = -1
        draw(table, hidden, s, box.hand)
        hero = box.hero[s]
        while hero < 0:
            if not taken >> order[i] & 1:
                hero = order[i]
            i += 1
        table.hero[s] = hero
    if box.communication == OPEN_HANDS:
        show_hands(table, hidden)


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
    shuffle(luck, MUMMY_PILE, 0, hidden.pile, n)
    n = 0
    for i in range(box.tokens):
        if table.token_at[i] == IN_PILE:
            hidden.tokens[n] = i
            n += 1
    shuffle(luck, TOKEN_PILE, 0, hidden.tokens, n)
    known = table.boss if table.boss >= 0 else box.boss
    hidden.boss = known if known >= 0 else below(luck, BOSS_CARDS, 0, 0, 0, 3)


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
        if s != me and box.communication == OPEN_HANDS:
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
    shuffle(luck, ROOM_DECK, 0, left, n)
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
