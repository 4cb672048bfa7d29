"""The campaign: five chapters, what is carried over, retries, and the forest that wakes."""

from hardmode.sim.draws import below
from hardmode.sim.games.woodlands.agenda import Task, ask, option, push
from hardmode.sim.games.woodlands.combat_result import push_reward_of
from hardmode.sim.games.woodlands.layout import begin
from hardmode.sim.games.woodlands.loot import cards_of
from hardmode.sim.games.woodlands.names import (
    KINDS_OF_MONSTER,
    SEATS,
    SLOTS,
    CardPlace,
    Chance,
    Effect,
    Ending,
    Kind,
    Verb,
)
from hardmode.sim.games.woodlands.switches import EnrageTie, RetryState
from hardmode.sim.games.woodlands.tasks import go_on
from hardmode.sim.records import rule

LAST = 5  # chapter
MOST_TRADES = 8
FRESH, RETRY = 1, 0


@rule
def run(box, table, hidden, luck):
    """Go on to the next decision, through the end of a chapter where one ends."""
    while table.ending < 0 and not (table.asking and not table.over and not table.cut):
        if table.over:
            settle(box, table, luck)
        elif between(table):
            between_task(box, table, hidden, luck)
        else:
            go_on(box, table, hidden, luck)


@rule
def settle(box, table, luck):
    """What the end of a game or of a chapter leads to."""
    ending = table.over - 1
    if table.reached:  # three camps were clear: whatever came after, the chapter is won
        ending = Ending.CHAPTER_WON
    if not table.campaign:
        table.ending = ending
        return
    table.over, table.cut, table.asking, table.todo_n, table.in_lair = 0, 0, 0, 0, 0
    table.tries_of[table.chapter] += 1
    table.rounds_of[table.chapter] += table.chapter_round
    table.attempt += 1
    table.round += 1
    if ending == Ending.CHAPTER_WON:
        succeed(box, table, luck)
    else:
        fail(box, table)


@rule
def succeed(box, table, luck):
    """Hearts and orbs for the next chapter, the boss's treasure, the waking of the forest, the exchange."""
    if table.chapter == LAST:
        table.ending = Ending.CAMPAIGN_DONE
        return
    if table.chapter == 4:
        table.ch_level2 = count_looted(table) == 4
    wake(box, table, luck)
    for s in range(table.seats):
        if table.chapter == 2:
            table.hp[s] = min(box.max_hearts, table.hp[s] + 1)
        else:
            table.hp[s] = box.max_hearts
            table.orbs[s] = box.start_orbs
    table.chapter += 1
    table.trades = 0
    push(table, Task.CHAPTER, FRESH, 0, 0)
    push(table, Task.TRADE, 0, 0, 0)
    if table.treasure_n:
        for s in range(SEATS):
            table.joined[s] = table.treasure[s]
        push_reward_of(table, Effect.LOOT, table.treasure_n)
        table.treasure_n = 0
    if table.woken_n > 1:
        ask(table, Kind.WAKE, 0)


@rule
def count_looted(table):
    n = 0
    for p in range(table.places):
        n += table.looted[p]
    return n


@rule
def wake(box, table, luck):
    """The most beaten type becomes enraged; if it already is, one of the others by lot."""
    most = 0
    for k in range(KINDS_OF_MONSTER):
        most = max(most, table.beaten[k])
    table.woken = candidates(table, most)
    if table.woken == 0:
        table.woken = candidates(table, -1)
    table.woken_n = 0
    for k in range(KINDS_OF_MONSTER):
        table.woken_n += (table.woken >> k) & 1
    if table.woken_n and (table.woken_n == 1 or box.enrage_tie == EnrageTie.RANDOM or most == 0):
        pick_woken(table, below(luck, Chance.ENRAGE, table.chapter, 0, 0, table.woken_n))
        table.woken_n = 1


@rule
def candidates(table, beaten):
    """Types not yet enraged that were beaten so often, or (-1) all of them, as a mask."""
    mask = 0
    for k in range(KINDS_OF_MONSTER):
        if table.enraged[k] == 0 and (beaten < 0 or table.beaten[k] == beaten):
            mask |= 1 << k
    return mask


@rule
def pick_woken(table, nth):
    for k in range(KINDS_OF_MONSTER):
        if (table.woken >> k) & 1:
            if nth == 0:
                table.enraged[k] = 1
            nth -= 1


@rule
def fail(box, table):
    """Back to what the heroes had at the end of the last chapter, less a loot card each."""
    if table.tries_of[table.chapter] >= box.tries_limit:
        table.ending = Ending.CAMPAIGN_STALLED
        return
    table.treasure_n = 0
    for card in range(box.loot_total):
        table.loot_where[card] = CardPlace.DECK
    for s in range(table.seats):
        table.hp[s] = table.kept_hp[s]
        table.orbs[s] = table.kept_orbs[s]
        if box.retry_state == RetryState.RESTORED:
            table.powers[s] = table.kept_powers[s]
        for i in range(SLOTS):
            table.loot[s, i] = table.kept_loot[s, i]
            if table.loot[s, i]:
                table.loot_where[table.loot[s, i] - 1] = CardPlace.HELD
    push(table, Task.CHAPTER, RETRY, 0, 0)
    for s in range(table.seats):
        push(table, Task.GIVE_UP, s, 0, 0)


@rule
def keep(table):
    """Note what the heroes hold, for a chapter that has to be played again."""
    for s in range(table.seats):
        table.kept_hp[s] = table.hp[s]
        table.kept_orbs[s] = table.orbs[s]
        table.kept_powers[s] = table.powers[s]
        for i in range(SLOTS):
            table.kept_loot[s, i] = table.loot[s, i]


@rule
def between(table):
    """The task on top of the agenda belongs between two chapters."""
    return not table.cut and table.todo[table.todo_n - 1, 0] >= Task.GIVE_UP


@rule
def between_task(box, table, hidden, luck):
    n = table.todo_n - 1
    table.todo_n = n
    task, a = table.todo[n, 0] + 0, table.todo[n, 1] + 0
    if task == Task.CHAPTER:
        if a == FRESH:
            keep(table)
        begin(box, table, hidden, luck)
    elif task == Task.GIVE_UP:
        if cards_of(table, a):
            ask(table, Kind.GIVE_UP, a)
    elif table.trades < MOST_TRADES:
        push(table, Task.TRADE, 0, 0, 0)
        ask(table, Kind.TRADE, 0)


@rule
def campaign_options(box, table, out):
    kind = table.kind
    if kind == Kind.GIVE_UP:
        return card_options(table, table.seat, out)
    if kind == Kind.TRADE:
        return trade_options(box, table, out)
    if kind == Kind.WAKE:
        n = 0
        for k in range(KINDS_OF_MONSTER):
            if (table.woken >> k) & 1:
                out[n] = option(Verb.TARGET, k, 0)
                n += 1
        return n
    return 0


@rule
def card_options(table, s, out):
    n = 0
    for i in range(SLOTS):
        if table.loot[s, i]:
            out[n] = option(Verb.DISCARD, i, 0)
            n += 1
    return n


@rule
def trade_options(box, table, out):
    """Any card from any hero to any other with a free slot."""
    out[0] = option(Verb.STOP, 0, 0)
    n = 1
    for s in range(table.seats):
        for i in range(SLOTS):
            if table.loot[s, i]:
                for t in range(table.seats):
                    if t != s and cards_of(table, t) < box.slots:
                        out[n] = option(Verb.GIVE, s * SLOTS + i, t)
                        n += 1
    return n


@rule
def take_campaign(table, kind, verb, a, b):
    if kind == Kind.WAKE:
        table.enraged[a] = 1
    elif kind == Kind.GIVE_UP:
        table.loot_where[table.loot[table.seat, a] - 1] = CardPlace.DECK
        table.loot[table.seat, a] = 0
    elif verb == Verb.STOP:
        table.trades = MOST_TRADES
    else:
        table.trades += 1
        s, i = a // SLOTS, a % SLOTS
        j = 0
        while table.loot[b, j]:
            j += 1
        table.loot[b, j] = table.loot[s, i]
        table.used[b, j] = 0
        table.loot[s, i] = 0


