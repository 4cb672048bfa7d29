"""The set-up."""

import numpy as np

from hardmode.sim.draws import below, shuffle
from hardmode.sim.games.run_run_run.cards import draw, show_hands
from hardmode.sim.games.run_run_run.maze import begin
from hardmode.sim.games.run_run_run.names import CARDS, DRAWN, SEATS, Hero, Kind, Mark, Source
from hardmode.sim.games.run_run_run.switches import Communication
from hardmode.sim.records import rule

HEROES = len(Hero)


@rule
def setup(box, table, hidden, luck):
    """All that lies on the table, up to the question who starts."""
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
    shuffle(luck, Source.MUMMY_PILE, 0, hidden.pile, 4)
    for i in range(box.tokens):
        hidden.tokens[i] = i
    table.tokens_n = box.tokens
    shuffle(luck, Source.TOKEN_PILE, 0, hidden.tokens, box.tokens)
    hidden.boss = box.boss if box.boss >= 0 else below(luck, Source.BOSS_CARDS, 0, 0, 0, box.bosses)
    begin(table, box.vault_exits)
    print_rooms(box, table, luck)
    for c in range(box.cards):
        hidden.deck[c] = c
    shuffle(luck, Source.ROOM_DECK, 0, hidden.deck, box.cards)
    table.deck_n = box.cards
    draw_heroes(box, table, luck)
    choose_heroes(box, table, hidden)


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
        shuffle(luck, Source.PRINTING, kind, order, box.cards)
        for i in range(box.cards):
            if kind:
                table.lit[order[i]] = i < box.lit_rooms
            elif i < box.sarcophagi:
                table.mark[order[i]] = 0
            else:
                k = i - box.sarcophagi
                table.mark[order[i]] = Mark.A + k // box.symbols if k < 3 * box.symbols else Mark.PLAIN


@rule
def draw_heroes(box, table, luck):
    """The heroes that are drawn or given; those that are chosen stay free."""
    order = np.empty(SEATS, np.int64)
    for h in range(SEATS):
        order[h] = h
    shuffle(luck, Source.HERO_TILES, 0, order, SEATS)
    taken = 0
    for s in range(box.players):
        if box.hero[s] >= 0:
            taken |= 1 << box.hero[s]
    i = 0
    for s in range(box.players):
        table.reserved[s] = -1
        hero = box.hero[s]
        while hero == DRAWN:
            if not taken >> order[i] & 1:
                hero = order[i]
            i += 1
        table.hero[s] = max(hero, -1)


@rule
def choose_heroes(box, table, hidden):
    """The next player without a hero chooses one; then the Rooms are dealt."""
    for s in range(table.seats):
        if table.hero[s] < 0:
            table.kind = Kind.HERO
            table.seat = s
            return
    deal(box, table, hidden)


@rule
def free_heroes(table, out):
    n = 0
    for h in range(HEROES):
        free = True
        for s in range(table.seats):
            free &= table.hero[s] != h
        if free:
            out[n] = h
            n += 1
    return n


@rule
def deal(box, table, hidden):
    """The Rooms; then the players agree who starts."""
    for s in range(table.seats):
        draw(table, hidden, s, box.hand)
    if box.communication == Communication.OPEN_HANDS:
        show_hands(table, hidden)
    table.kind = Kind.FIRST_PLAYER
    table.seat = 0
