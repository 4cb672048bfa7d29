"""A round begins: who stands where, who is cursed, who faces the monster, what all cards do together."""

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.games.trapwords.curses import bits_set, draw_against, turn_up
from hardmode.sim.games.trapwords.monster import meet, monster_card, monster_draws
from hardmode.sim.games.trapwords.names import A, B
from hardmode.sim.records import rule


@rule
def begin_round(box, table, hidden, luck):
    """Curses are turned up, monsters faced; then both teams write their lists."""
    for team in range(2):
        room = table.position[team]
        if table.lie[room]:
            turn_up(box, table, hidden, room)
        table.active[team] = table.shown[room]
        table.drawn[team] = 0
        table.faces[team] = room == table.monster_at
        table.attempts[team] += table.faces[team]
    table.first = who_begins(table)
    if table.faces[A] or table.faces[B]:
        meet(box, table)
        monster_draws(box, table, hidden, luck)
    if box.per_team and table.active[A] and table.position[A] == table.position[B]:
        draw_own_curse(box, table, hidden, luck, 1 - table.first)
    for team in range(2):
        what_holds(box, table, team)
        table.cursed[team] += (table.active[team] | table.drawn[team]) != 0
        if table.active[team] and table.seen[1] == 0:
            meet_curses(table, table.active[team])
        table.advanced[team] = 0
        table.stood[team] = table.position[team]
    table.played = 0
    table.kind = n.Kind.TRAPS
    table.seat = A


@rule
def who_leads(table):
    if table.position[A] == table.position[B]:
        return n.NOBODY
    return A if table.position[A] > table.position[B] else B


@rule
def who_begins(table):
    """The team further back plays first; in the same room the one that receives the glowing book."""
    leader = who_leads(table)
    return table.glow if leader == n.NOBODY else 1 - leader


@rule
def draw_own_curse(box, table, hidden, luck, team):
    """By the reading that one card is for one team, the team that plays second draws in place of the room's."""
    card = draw_against(box, table, hidden, luck, table.position[team], bits_set(table.active[team]))
    if card:
        table.active[team] = 0
        table.drawn[team] |= card


@rule
def meet_curses(table, cards):
    """Note which curse of a room was the first to be at work in this game, and which the second."""
    number = 1
    while cards:
        if cards & 1 and table.seen[0] != number:
            if table.seen[0] == 0:
                table.seen[0] = number
            elif table.seen[1] == 0:
                table.seen[1] = number
        cards >>= 1
        number += 1


@rule
def what_holds(box, table, team):
    """All that cards do to a team in this round, and the length of the trap list against it."""
    room = box.rooms[table.position[team]]
    curses = table.active[team] | table.drawn[team]
    if not (curses or table.faces[team]):
        if not table.plain[team]:
            table.effect[team] = box.card[n.NO_CARD]
            table.plain[team] = 1
        table.length[team] = room
        return
    table.plain[team] = 0
    number = monster_card(table) if table.faces[team] else next_curse(curses, n.NO_CARD)
    table.effect[team] = box.card[number]
    more = more_traps(box, 0, box.card[number], room)
    if not table.faces[team]:
        curses &= curses - 1
    number = n.NO_CARD
    while curses:
        number = next_curse(curses, number)
        lay_over(box, table.effect[team], box.card[number])
        more = more_traps(box, more, box.card[number], room)
        curses &= curses - 1
    table.length[team] = min(n.MOST_TRAPS, room + more)


@rule
def next_curse(curses, number):
    """The card of the lowest bit, none of which stands before the given number."""
    number = max(number, n.FIRST_CURSE)
    while not curses >> (number - n.FIRST_CURSE) & 1:
        number += 1
    return number


@rule
def more_traps(box, have, card, room):
    """How many traps are added once this card is counted."""
    more = card.traps + int(card.share * room)
    return max(have, more) if box.most_traps else have + more


@rule
def lay_over(box, effect, card):
    """Put a card's effect over what already holds."""
    if box.add_up:
        effect.timer = max(0.05, effect.timer + card.timer - 1)
        effect.clue_time = max(0.05, effect.clue_time + card.clue_time - 1)
        effect.success = max(0.0, effect.success + card.success - 1)
    else:
        effect.timer *= card.timer
        effect.clue_time *= card.clue_time
        effect.success *= card.success
    effect.guesses = min(effect.guesses, card.guesses)
    effect.sand = min(effect.sand, card.sand)
    effect.sentence = min(effect.sentence, card.sentence)
    effect.word_time = min(effect.word_time, card.word_time)
    effect.style = min(effect.style, card.style)
    effect.budget = min(effect.budget, card.budget)
    effect.hold = max(effect.hold, card.hold)
    effect.freeze |= card.freeze
    effect.invalid += card.invalid
    effect.back |= card.back
