"""COOPERATE: join, offer cards, burn torches, share the pool, pass tokens on."""

import numpy as np

from hardmode.sim.draws import shuffle
from hardmode.sim.games.run_run_run.cards import first_token, give_up, like, receive, recover, tokens_of
from hardmode.sim.games.run_run_run.maze import sides_in, walk_from
from hardmode.sim.games.run_run_run.names import CARDS, FAR, TOKENS, Ending, Kind, Phase, Source
from hardmode.sim.games.run_run_run.switches import EmptyDeck
from hardmode.sim.records import rule

NO_MORE = CARDS  # among the offers
KEEP = TOKENS * 8  # among the gifts


@rule
def can_cooperate(box, table):
    return table.regroups > 0 and (table.deck_n > 0 or box.cooperate_when_deck_empty != EmptyDeck.NOTHING)


@rule
def gives_discards(box, table):
    """A Cooperate brings cards out of the discard pile, where there are any."""
    return table.deck_n > 0 or box.cooperate_when_deck_empty == EmptyDeck.ALL


@rule
def call(box, table, hidden, luck):
    """The active player spends a Regroup tile."""
    table.regroups -= 1
    table.cooperations += 1
    table.joined = 1 << table.active
    table.asked = table.joined
    table.pool_n = 0
    table.recovered = 0
    table.burnt = 0
    for s in range(table.seats):
        table.given[s] = 0
    if box.coop_draw_first and gives_discards(box, table):
        recover(table, hidden, luck, box.coop_cards)
        show_pool(box, table, hidden)
    table.phase = Phase.GATHER


@rule
def show_pool(box, table, hidden):
    """Lay the pool open, where the rules say so."""
    for i in range(table.pool_n):
        table.pool[i] = hidden.pool[i] if box.coop_reveal else -1


@rule
def next_asked(table, mask):
    """The next of these seats, clockwise from the active player, that has not been asked; or -1."""
    s = table.active
    for _ in range(table.seats):
        if mask >> s & 1 and not table.asked >> s & 1:
            return s
        s = (s + 1) % table.seats
    return -1


@rule
def gather(table):
    """Ask each other player who can come."""
    s = next_asked(table, (1 << table.seats) - 1)
    if s < 0:
        table.asked = 0
        table.phase = Phase.OFFERS
        return
    table.asked |= 1 << s
    walk_from(table, table.cat[s])
    if table.walk[table.cat[table.active]] < FAR:
        table.kind = Kind.JOIN
        table.seat = s


@rule
def come(table, joins):
    if joins:
        table.joined |= 1 << table.seat
        table.cat[table.seat] = table.cat[table.active]


@rule
def offers(box, table):
    """Each participant lays cards face down; alone there is nobody to offer them to."""
    s = next_asked(table, table.joined)
    if s < 0 or sides_in(table.joined) == 1:
        table.asked = 0
        table.phase = Phase.TORCHES_BURNT
        return
    table.kind = Kind.OFFER
    table.seat = s


@rule
def offered(own, n, card):
    for i in range(n):
        if own.give[i] == card:
            return True
    return False


@rule
def offerable(box, table, own, out):
    """No more, or a card that has not been laid down yet; one of several alike stands for all."""
    seat, given = table.seat, table.given[table.seat]
    out[0] = NO_MORE
    n = 1
    if given == box.coop_offer:
        return n
    for i in range(table.hand_n[seat]):
        card = np.int64(own.hand[i])
        known = offered(own, given, card)
        for j in range(1, n):
            known |= like(box, table, out[j], card)
        if not known:
            out[n] = card
            n += 1
    return n


@rule
def offer(box, table, hidden, code):
    s = table.seat
    if code == NO_MORE:
        table.asked |= 1 << s
        return
    hidden.own[s].give[table.given[s]] = code
    table.given[s] += 1
    if table.given[s] == box.coop_offer:
        table.asked |= 1 << s


@rule
def base_cards(box):
    """The cards that come without a torch, unless they were drawn before the offers."""
    return 0 if box.coop_draw_first else box.coop_cards


@rule
def most_torches(box, table):
    """More torches than this would find no further card in the discard pile."""
    left = table.discard_n - base_cards(box)
    if left <= 0 or box.coop_per_torch == 0 or not gives_discards(box, table):
        return 0
    return min(table.torches, -(-left // box.coop_per_torch))


@rule
def burn(box, table):
    table.phase = Phase.POOL
    if most_torches(box, table) > 0:
        table.kind = Kind.BURN
        table.seat = table.active


@rule
def fill_pool(box, table, hidden, luck):
    """The offers and the cards out of the discard pile come together."""
    for s in range(table.seats):
        for i in range(table.given[s]):
            card = np.int64(hidden.own[s].give[i])
            give_up(table, hidden, s, card)
            hidden.pool[table.pool_n] = card
            table.pool_n += 1
        table.given[s] = 0
    table.torches -= table.burnt
    if gives_discards(box, table):
        recover(table, hidden, luck, base_cards(box) + box.coop_per_torch * table.burnt)
    if not box.coop_reveal:
        shuffle(luck, Source.POOL_ORDER, table.turn, hidden.pool, table.pool_n)
    show_pool(box, table, hidden)
    table.phase = Phase.SHARES


@rule
def shares(box, table):
    """The caller gives out the pool card by card. A participant without a card loses the game for all, unless an
    empty hand after an action loses nothing."""
    if table.pool_n > 0:
        table.kind = Kind.SHARE
        table.seat = table.active
        return
    for s in range(table.seats):
        if table.joined >> s & 1 and table.hand_n[s] == 0 and not box.empty_hand_after_place_ok:
            table.ending = Ending.REGROUPED
    table.asked = 0
    table.phase = Phase.GIFTS


@rule
def participants(table, out):
    n = 0
    for s in range(table.seats):
        if table.joined >> s & 1:
            out[n] = s
            n += 1
    return n


@rule
def give_card(box, table, hidden, seat):
    """The last card of the pool goes to a participant; all of them have seen it."""
    table.pool_n -= 1
    card = np.int64(hidden.pool[table.pool_n])
    receive(table, hidden, seat, card)
    if box.coop_reveal and sides_in(table.joined) > 1:
        table.seen_n = 1
        for s in range(table.seats):
            if table.joined >> s & 1:
                hidden.own[s].seen[card] = 1 + seat


@rule
def gifts(table):
    """Each participant may pass tokens on."""
    s = next_asked(table, table.joined)
    if s < 0 or sides_in(table.joined) == 1:
        table.phase = Phase.ACTED
    elif tokens_of(table, s) == 0:
        table.asked |= 1 << s
    else:
        table.kind = Kind.GIFT
        table.seat = s


@rule
def gift_choices(box, table, out):
    """Keep the tokens, or pass one on; one of several alike stands for all."""
    out[0] = KEEP
    n = 1
    for i in range(TOKENS):
        if table.token_at[i] == 1 + table.seat and first_token(box, table, i):
            for s in range(table.seats):
                if table.joined >> s & 1 and s != table.seat:
                    out[n] = i * 8 + s
                    n += 1
    return n


@rule
def give_token(table, code):
    if code == KEEP:
        table.asked |= 1 << table.seat
    else:
        table.token_at[code // 8] = 1 + code % 8
