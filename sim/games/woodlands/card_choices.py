"""Choices about cards outside combat: what to discard, the travelling merchant, the lantern, the inn."""

from hardmode.sim.draws import shuffle
from hardmode.sim.games.woodlands.actions import buy, buy_options
from hardmode.sim.games.woodlands.agenda import Task, ask, option, push
from hardmode.sim.games.woodlands.effects import clear_stall, push_pair
from hardmode.sim.games.woodlands.forest import draw_tile, put_under
from hardmode.sim.games.woodlands.heroes import lose_orbs
from hardmode.sim.games.woodlands.loot import kind_in
from hardmode.sim.games.woodlands.names import SLOTS, CardPlace, Chance, Kind, Stall, Use, Verb
from hardmode.sim.games.woodlands.switches import EventMerchant
from hardmode.sim.records import rule

INN_CARDS = 5


@rule
def discard_options(table, out):
    """Any card of the hero; the drawn one itself where one was drawn."""
    s = table.seat
    n = 0
    for i in range(SLOTS):
        if table.loot[s, i]:
            out[n] = option(Verb.DISCARD, i, 0)
            n += 1
    if table.drawn:
        out[n] = option(Verb.DISCARD, SLOTS, 0)
        n += 1
    return n


@rule
def take_discard(box, table, i):
    s = table.seat
    if i < SLOTS:
        table.loot_where[table.loot[s, i] - 1] = CardPlace.DISCARD
        table.loot[s, i] = table.drawn
        table.used[s, i] = 0
    else:
        table.loot_where[table.drawn - 1] = CardPlace.DISCARD
    table.drawn = 0


@rule
def ask_exhaust(box, table, s):
    table.seat = s
    if exhaust_count(box, table, s):
        ask(table, Kind.EXHAUST, s)


@rule
def exhaust_count(box, table, s):
    n = 0
    for i in range(SLOTS):
        kind = kind_in(box, table, s, i)
        if kind >= 0 and table.used[s, i] == 0 and box.l_use[kind] == Use.EXHAUST:
            n += 1
    return n


@rule
def exhaust_options(box, table, out):
    n = 0
    for i in range(SLOTS):
        kind = kind_in(box, table, table.seat, i)
        if kind >= 0 and table.used[table.seat, i] == 0 and box.l_use[kind] == Use.EXHAUST:
            out[n] = option(Verb.DISCARD, i, 0)
            n += 1
    return n


@rule
def ask_market(table, s):
    """The travelling merchant; what is not bought is discarded, or stays where it was laid out."""
    if table.hp[s] > 0:
        ask(table, Kind.MARKET, s)


@rule
def market_options(box, table, out):
    out[0] = option(Verb.STOP, 0, 0)
    return buy_options(box, table, Stall.TRAVELLER, out, 1)


@rule
def take_market(box, table, verb, a, b):
    if verb == Verb.BUY:
        push(table, Task.MARKET, table.seat, 0, 0)
        buy(box, table, a, b)
    elif box.event_merchant == EventMerchant.DISCARD:
        clear_stall(table, Stall.TRAVELLER)


@rule
def light_lantern(table, hidden):
    """Look at the top tile; all see it."""
    if table.top_n == 0:
        table.top_n = 1
        table.top[0] = hidden.stack[table.stack_n - 1]
    ask(table, Kind.LANTERN, table.active)


@rule
def lantern_options(out):
    out[0] = option(Verb.ON_TOP, 0, 0)
    out[1] = option(Verb.PUT_UNDER, 0, 0)
    return 2


@rule
def take_lantern(table, hidden, verb):
    if verb == Verb.PUT_UNDER:
        put_under(table, hidden, draw_tile(table, hidden))


@rule
def ask_inn(table, p):
    """The inn is for the hero that came to it and did not flee; monsters that it did not beat are no hindrance."""
    if table.hp[table.active] > 0 and table.at[table.active] == p:
        ask(table, Kind.INN, table.active)


@rule
def draw_inn(box, table, hidden, luck):
    """Draw a card of the inn; one that asks for more orbs than the hero has does nothing."""
    if table.inn_n == 0:
        shuffle_inn(table, hidden, luck)
    table.inn_n -= 1
    card = hidden.inn[table.inn_n]
    table.inn_gone[card] = 1
    s = table.active
    if table.orbs[s] >= box.inn_price[card]:
        lose_orbs(table, s, box.inn_price[card])
        push_pair(table, box.inn_card[card], s)


@rule
def shuffle_inn(table, hidden, luck):
    for i in range(INN_CARDS):
        hidden.inn[i] = i
        table.inn_gone[i] = 0
    table.inn_n = INN_CARDS
    table.inn_shuffles += 1
    shuffle(luck, Chance.INN_DECK, table.attempt * 1000 + table.inn_shuffles, hidden.inn, INN_CARDS)


@rule
def look_ahead(table, hidden, n, done):
    """See the next tiles, then put them back one by one, the last one ending on top."""
    n = min(n, table.stack_n)
    if done == 0:
        for i in range(n):
            table.top[i] = hidden.stack[table.stack_n - 1 - i]
        table.top_n = n
    if n - done > 1:
        push(table, Task.STACK, n, done + 1, 0)
        table.ordered = done
        ask(table, Kind.ORDER_TILES, table.active)


@rule
def stack_options(table, out):
    """Which of the tiles seen comes next, from the top down."""
    n = 0
    for i in range(table.ordered, table.top_n):
        out[n] = option(Verb.PUT_TOP, i, 0)
        n += 1
    return n


@rule
def take_stack(table, hidden, i):
    k = table.ordered
    table.top[k], table.top[i] = table.top[i], table.top[k]
    for j in range(table.top_n):
        hidden.stack[table.stack_n - 1 - j] = table.top[j]


