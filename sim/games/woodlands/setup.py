"""Setting out: heroes with their hearts, the bramble card, and the table laid for the first decision."""

from hardmode.sim.draws import below, shuffle
from hardmode.sim.games.woodlands.campaign import keep, run
from hardmode.sim.games.woodlands.layout import begin
from hardmode.sim.games.woodlands.names import KINDS_OF_MONSTER, SEATS, Chance, Mode
from hardmode.sim.records import rule

BRAMBLE_DRAW = 9  # part of the address under which a bramble card is drawn


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = box.players
    table.round = 1
    table.brambles = box.bramble
    if box.bramble < 0:
        table.brambles = below(luck, Chance.HERO_DRAW, 0, 0, BRAMBLE_DRAW, 3)
    draw_heroes(box, table, luck)
    for k in range(KINDS_OF_MONSTER):
        table.enraged[k] = box.enraged[k]
    for s in range(table.seats):
        table.hp[s] = box.max_hearts
        table.orbs[s] = box.start_orbs
    table.campaign = box.mode == Mode.CAMPAIGN
    table.chapter = 1 if table.campaign else box.mode
    if table.campaign:
        keep(table)
    begin(box, table, hidden, luck)
    run(box, table, hidden, luck)


@rule
def draw_heroes(box, table, luck):
    """Seats without a named hero draw from those that are left."""
    order = table.scratch
    n = 0
    for h in range(SEATS):
        named = False
        for s in range(table.seats):
            named = named or box.hero_choice[s] == h
        if not named:
            order[n] = h
            n += 1
    shuffle(luck, Chance.HERO_DRAW, 1, order, n)
    n = 0
    for s in range(table.seats):
        if box.hero_choice[s] >= 0:
            table.hero[s] = box.hero_choice[s]
        else:
            table.hero[s] = order[n]
            n += 1
