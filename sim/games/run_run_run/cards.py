"""Hands, the deck and the discard pile, torches, and sarcophagus tokens."""

import numpy as np

from hardmode.sim.draws import priority
from hardmode.sim.games.run_run_run.names import TOKENS, USED, Source, Token
from hardmode.sim.records import rule


@rule
def like(box, table, a, b):
    """Two Rooms bear the same print."""
    return box.pattern[a] == box.pattern[b] and table.mark[a] == table.mark[b] and table.lit[a] == table.lit[b]


@rule
def first_of_print(box, table, hand, i):
    """No card before place i of a hand bears the same print: one of several alike stands for all."""
    for j in range(i):
        if like(box, table, np.int64(hand[j]), np.int64(hand[i])):
            return False
    return True


@rule
def receive(table, hidden, seat, card):
    hidden.own[seat].hand[table.hand_n[seat]] = card
    table.hand_n[seat] += 1


@rule
def give_up(table, hidden, seat, card):
    """Take a card out of a hand; whoever knew of it there has seen it go."""
    hand = hidden.own[seat].hand
    last = table.hand_n[seat] - 1
    i = 0
    while hand[i] != card:
        i += 1
    hand[i] = hand[last]
    table.hand_n[seat] = last
    if table.seen_n:
        for s in range(table.seats):
            hidden.own[s].seen[card] = 0


@rule
def discard(table, hidden, seat, card):
    give_up(table, hidden, seat, card)
    table.discard[table.discard_n] = card
    table.discard_n += 1


@rule
def draw(table, hidden, seat, n):
    """Draw Rooms while the deck lasts; it is never shuffled again."""
    for _ in range(n):
        if table.deck_n == 0:
            return
        table.deck_n -= 1
        receive(table, hidden, seat, np.int64(hidden.deck[table.deck_n]))


@rule
def show_hands(table, hidden):
    """Lay all hands open, where players have agreed on that."""
    for s in range(table.seats):
        for i in range(table.hand_n[s]):
            table.open_hand[s, i] = hidden.own[s].hand[i]


@rule
def wound(table, hidden, luck, seat):
    """Discard one card of a hand at random."""
    hand = hidden.own[seat].hand
    chosen, least = np.int64(-1), 0
    for i in range(table.hand_n[seat]):
        card = np.int64(hand[i])
        key = priority(luck, Source.WOUND, table.turn, card, table.wounds)
        if chosen < 0 or key < least:
            chosen, least = card, key
    table.wounds += 1
    discard(table, hidden, seat, chosen)


@rule
def recover(table, hidden, luck, n):
    """Pick Rooms at random out of the discard pile into the pool, as many as there are."""
    pile = table.discard
    for _ in range(min(n, table.discard_n)):
        best, least = 0, 0
        for i in range(table.discard_n):
            key = priority(luck, Source.DISCARDS, table.turn, np.int64(pile[i]), table.recovered)
            if i == 0 or key < least:
                best, least = i, key
        hidden.pool[table.pool_n] = pile[best]
        table.pool_n += 1
        table.recovered += 1
        table.discard_n -= 1
        pile[best] = pile[table.discard_n]


@rule
def gain_torches(box, table, n):
    """Torches out of the bank into the supply."""
    table.torches += max(min(n, box.bank - table.torches - table.torches_laid), 0)


@rule
def draw_token(box, table, hidden, seat):
    """Take the top sarcophagus token and reveal it; returns it, or -1. A Trap is used up at once."""
    if table.tokens_n == 0:
        return -1
    table.tokens_n -= 1
    token = np.int64(hidden.tokens[table.tokens_n])
    table.tokens_drawn += 1
    table.token_at[token] = USED if box.token_kind[token] == Token.TRAP else 1 + seat
    return token


@rule
def held(box, table, seat, kind):
    """The first token of a kind that a seat holds, or -1."""
    for i in range(box.tokens):
        if table.token_at[i] == 1 + seat and box.token_kind[i] == kind:
            return i
    return -1


@rule
def holdings(box, table, seat, kind):
    """How many tokens of a kind a seat holds."""
    n = 0
    for i in range(box.tokens):
        n += table.token_at[i] == 1 + seat and box.token_kind[i] == kind
    return n


@rule
def first_token(box, table, token):
    """No token before this one in the same hands is like it."""
    for i in range(token):
        if (table.token_at[i] == table.token_at[token] and box.token_kind[i] == box.token_kind[token]
                and box.token_value[i] == box.token_value[token]):
            return False
    return True


@rule
def tokens_of(table, seat):
    """How many tokens a seat holds."""
    n = 0
    for i in range(TOKENS):
        n += table.token_at[i] == 1 + seat
    return n


@rule
def spend(table, token):
    table.token_at[token] = USED
