"""What curses and monsters do to a team's turn: all its cards together make one effect."""

from hardmode.sim.games.trapwords.dungeon import bits_set, draw_curse
from hardmode.sim.games.trapwords.tables import (
    FIRST_CURSE,
    FIRST_MONSTER,
    FORBIDDEN_WORD,
    MOST_TRAPS,
    NO_CARD,
    A,
    B,
)
from hardmode.sim.records import rule


@rule
def monster_card(table):
    return FIRST_MONSTER + 2 * table.monster + table.starred


@rule
def draw_against(box, table, hidden, luck, room, count):
    """The curses that the monster throws at those who face it: their bits."""
    got, again = 0, box.redraw  # there is one Forbidden Word, so one more draw makes up for it
    while count > 0:
        card = draw_curse(box, table, hidden, luck)
        if card == 0:
            break
        if card == 1 << FORBIDDEN_WORD and room == 0:
            table.discard |= card
            if again:
                again = 0
                continue
        else:
            got |= card
        count -= 1
    return got


@rule
def monster_draws(box, table, hidden, luck):
    """New curses for each round against such a monster; both teams share one draw."""
    count = box.card[monster_card(table)].curses
    if table.faces[A] and table.faces[B] and not box.draw_each:
        table.drawn[A] = draw_against(box, table, hidden, luck, table.monster_at, count)
        table.drawn[B] = table.drawn[A]
        return
    for team in range(2):
        if table.faces[team]:
            table.drawn[team] = draw_against(box, table, hidden, luck, table.monster_at, count)


@rule
def draw_own_curse(box, table, hidden, luck, team):
    """By the reading that one card is for one team, the team that plays second draws in place of the room's."""
    card = draw_against(box, table, hidden, luck, table.position[team], bits_set(table.active[team]))
    if card:
        table.active[team] = 0
        table.drawn[team] |= card


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


@rule
def more_traps(box, have, card, room):
    """How many traps are added once this card is counted."""
    more = card.traps + int(card.share * room)
    return max(have, more) if box.most_traps else have + more


@rule
def what_holds(box, table, team):
    """All that cards do to a team in this round, and the length of the trap list against it."""
    room = box.rooms[table.position[team]]
    curses = table.active[team] | table.drawn[team]
    if not (curses or table.faces[team]):
        if not table.plain[team]:
            table.effect[team] = box.card[NO_CARD]
            table.plain[team] = 1
        table.length[team] = room
        return
    table.plain[team] = 0
    number = monster_card(table) if table.faces[team] else next_curse(curses, NO_CARD)
    table.effect[team] = box.card[number]
    more = more_traps(box, 0, box.card[number], room)
    if not table.faces[team]:
        curses &= curses - 1
    number = NO_CARD
    while curses:
        number = next_curse(curses, number)
        lay_over(box, table.effect[team], box.card[number])
        more = more_traps(box, more, box.card[number], room)
        curses &= curses - 1
    table.length[team] = min(MOST_TRAPS, room + more)


@rule
def next_curse(curses, number):
    """The card of the lowest bit, none of which stands before the given number."""
    number = max(number, FIRST_CURSE)
    while not curses >> (number - FIRST_CURSE) & 1:
        number += 1
    return number
