"""Entering a tile: brambles first, then what is turned over, then the event."""

from hardmode.sim.draws import below
from hardmode.sim.games.woodlands.agenda import Task, push
from hardmode.sim.games.woodlands.boss import reveal_boss
from hardmode.sim.games.woodlands.effects import FROM_BRAMBLES, draw_event, lay_out
from hardmode.sim.games.woodlands.heroes import heal, here, is_active, standing
from hardmode.sim.games.woodlands.monsters import fire_heals, monsters_at, reveal
from hardmode.sim.games.woodlands.names import PAIR, SEATS, TOKENS, Chance, Effect, Hero, Reveal, Special, Stall
from hardmode.sim.games.woodlands.switches import AgilityRoll, BrambleScope, Campfire, PassengerEffects, SecondBramble
from hardmode.sim.records import rule


@rule
def enter(box, table, p):
    """The active hero has come to a place; all that this sets off, in order."""
    table.at[table.active] = p
    table.entries += 1
    table.visit += 1
    table.fought_here = 0
    if table.special[p] == Special.INN:
        push(table, Task.INN, p, 0, 0)
    push(table, Task.EVENT_HERE, p, 0, 0)
    push(table, Task.MEET, 0, 0, 0)
    if table.chapter:
        push(table, Task.CHAPTER_ENTER, p, 0, 0)
    push(table, Task.FLIP, p, 1, 0)
    if table.bramble[p]:
        push(table, Task.BRAMBLES, p, 0, 0)
        if box.passenger_effects == PassengerEffects.FULL:
            for t in range(table.seats):
                if table.aboard[t]:
                    push(table, Task.BRAMBLES, p, 0, 0)


@rule
def brambles(box, table, luck, p):
    """One roll for all heroes on the tile, a second one if the hero who enters is entangled."""
    s = table.active
    agile = is_active(table, s, Hero.XYLIA) and table.agility > 0
    if agile and box.agility_roll == AgilityRoll.NONE:
        return
    touched = 0
    for t in range(table.seats):
        if standing(table, t) and here(table, t, p) and not (agile and t == s):
            if t == s or box.bramble_scope == BrambleScope.TILE:
                touched |= 1 << t
    second = 0
    if table.entangled[s] and not agile:
        second = touched if box.second_bramble == SecondBramble.ALL else touched & entangled(table)
    bramble_rolls(box, table, luck, touched, second)


@rule
def entangled(table):
    """The heroes that hold a bramble marker, as a mask of seats."""
    mask = 0
    for t in range(table.seats):
        mask |= table.entangled[t] << t
    return mask


@rule
def bramble_rolls(box, table, luck, touched, second):
    """A roll for those touched, and a second one for some of them."""
    table.bramble_n += 1
    if second:
        bramble_face(box, table, roll_bramble(box, table, luck, 1), second)
    if touched:
        bramble_face(box, table, roll_bramble(box, table, luck, 0), touched)


@rule
def roll_bramble(box, table, luck, second):
    return below(luck, Chance.BRAMBLE_DIE, table.day, table.active, table.bramble_n * 2 + second, 6)


@rule
def bramble_face(box, table, face, touched):
    """Push the effects of a face of the bramble card; an event is drawn once, by the active hero."""
    row = table.brambles * 6 + face
    for i in range(PAIR - 1, -1, -1):
        effect, amount = box.bramble_face[row, i, 0], box.bramble_face[row, i, 1]
        if effect == Effect.EVENT:
            push(table, Task.EFFECT, effect, amount, table.active)
        elif effect != Effect.NOTHING:
            for t in range(SEATS - 1, -1, -1):
                if (touched >> t) & 1:
                    push(table, Task.EFFECT, effect, amount, t + FROM_BRAMBLES)


@rule
def turn_over(box, table, hidden, luck, p, entering):
    """Monsters, a boss and a merchant's stock are seen at the first entry."""
    for m in range(TOKENS):
        if table.mon_at[m] >= 0 and table.spot[table.mon_at[m]] == table.spot[p]:
            reveal(box, table, hidden, m)
    if p == table.boss_at and table.boss_shown == 0:
        reveal_boss(box, table, hidden, Reveal.BY_ENTRY)
    if table.special[p] == Special.MERCHANT and table.stock_at[Stall.MERCHANT] == 0:
        lay_out(box, table, hidden, luck, Stall.MERCHANT, p, 3)
    if entering and box.campfire == Campfire.ON_ENTRY and fire_heals(box, table, p):
        heal(box, table, table.active, box.max_hearts)


@rule
def event_here(box, table, hidden, luck, p):
    """The event marker of a tile, once no monster is left."""
    s = table.active
    if standing(table, s) and table.at[s] == p and table.events[p] and monsters_at(table, p) == 0:
        table.events[p] = 0
        draw_event(box, table, hidden, luck, s)
