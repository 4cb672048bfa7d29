"""Setting up: rooms, curses, the monster, the books, and how good everybody is."""

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.draws import below, bits
from hardmode.sim.games.trapwords.clues import note_parts, part
from hardmode.sim.games.trapwords.curses import draw_curse, lay_curse
from hardmode.sim.games.trapwords.names import A, B
from hardmode.sim.games.trapwords.round import begin_round
from hardmode.sim.records import rule

SKILL_BITS = 8
SKILL_PARTS = SKILL_BITS * 0o101010101010101  # of eight members, as many as a team can have


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = 2
    table.round = 1
    table.monster = box.monster
    if box.monster == n.ANY_MONSTER:
        table.monster = which_monster(below(luck, n.Source.MONSTER_CARD, 0, 0, 0, n.IN_BOX + box.new_monsters))
    table.starred = box.starred
    if box.starred == n.ANY_DECK:
        table.starred = below(luck, n.Source.MONSTER_CARD, 1, 0, 0, 2)
    table.monster_at = box.n_rooms - 1
    table.glow = A if box.first_book == n.FirstBook.TEAM_A else B
    if box.first_book == n.FirstBook.RANDOM:
        table.glow = below(luck, n.Source.GLOW, 0, 0, 0, 2)
    table.leader = n.NOBODY
    table.cause[A] = n.NOBODY
    table.cause[B] = n.NOBODY
    hidden.pile = box.curses
    for room in range(box.n_rooms):
        for _ in range(box.slots[room]):
            lay_curse(table, hidden, room, draw_curse(box, table, hidden, luck))
    deal_skill(box, hidden, luck)
    begin_round(box, table, hidden, luck)


@rule
def which_monster(card):
    """The monster of a card: those of the box, then one's own, which stand behind what is no monster of the box."""
    return card if card < n.IN_BOX else card - n.IN_BOX + n.Monster.NONE + 1


@rule
def deal_skill(box, hidden, luck):
    """How good each player is at giving clues; nobody knows it for certain. One draw for a team, shared out."""
    for team in range(2):
        word = bits(luck, n.Source.SKILL, team, 0, 0)
        if luck.log_on:
            note_parts(luck, word, n.Source.SKILL, team, 0, 0, SKILL_PARTS & ((1 << 6 * box.size[team]) - 1))
        for member in range(box.size[team]):
            hidden.skill[team, member] = box.skill[part(word, SKILL_BITS * member, SKILL_BITS)]
