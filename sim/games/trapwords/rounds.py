"""The course of the game: set-up, round after round, who has won."""

from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS
from hardmode.sim.draws import below, bits
from hardmode.sim.games.trapwords.cards import draw_own_curse, monster_draws, what_holds
from hardmode.sim.games.trapwords.dungeon import (
    advance,
    bits_set,
    clear_cursed_rooms,
    discard_active,
    draw_curse,
    lay_curse,
    monster_walks,
    nth_bit,
    send_back,
    turn_up,
    who_begins,
    who_leads,
)
from hardmode.sim.games.trapwords.tables import (
    A_WINS,
    B_WINS,
    BACK_ON_FAIL,
    BACK_ON_HIT,
    BOTH_WIN,
    CLUES,
    CURSE_CARD,
    GIVERS,
    GLOW,
    GUESSES,
    IN_BOX,
    INVALID,
    MIND,
    MONSTER_CARD,
    MONSTER_WINS,
    MONSTERS,
    MOST_ROOMS,
    NOBODY,
    OTHER,
    PURPOSE,
    SET_BACK,
    SKILL,
    SUCCESS,
    TIMER,
    TRAP,
    TRAPPERS,
    TRAPS,
    A,
    B,
)
from hardmode.sim.games.trapwords.turn import note_parts, part, play_turn
from hardmode.sim.records import rule

ANY_MONSTER, ANY_STAR = len(MONSTERS), 2
SKILL_BITS = 8
SKILL_PARTS = SKILL_BITS * 0o101010101010101  # of eight members, as many as a team can have

# Where the measures stand in a row.
FOLLOWED = SCORES + 2
FACTS = FOLLOWED + 4
LENGTHS = FACTS + 11
FOR_TEAMS = LENGTHS + 4


@rule
def deal_skill(box, hidden, luck):
    """How good each player is at giving clues; nobody knows it for certain. One draw for a team, shared out."""
    for team in range(2):
        word = bits(luck, SKILL, team, 0, 0)
        if luck.log_on:
            note_parts(luck, word, SKILL, team, 0, 0, SKILL_PARTS & ((1 << 6 * box.size[team]) - 1))
        for member in range(box.size[team]):
            hidden.skill[team, member] = box.skill[part(word, SKILL_BITS * member, SKILL_BITS)]


@rule
def setup(box, table, hidden, luck):
    table.ending = -1
    table.seats = 2
    table.round = 1
    table.monster = box.monster
    if box.monster == ANY_MONSTER:
        table.monster = below(luck, MONSTER_CARD, 0, 0, 0, IN_BOX)
    table.starred = box.starred
    if box.starred == ANY_STAR:
        table.starred = below(luck, MONSTER_CARD, 1, 0, 0, 2)
    table.monster_at = box.n_rooms - 1
    table.glow = box.glow - 1
    if box.glow == 0:
        table.glow = below(luck, GLOW, 0, 0, 0, 2)
    table.leader = NOBODY
    table.cause[A] = NOBODY
    table.cause[B] = NOBODY
    hidden.pile = box.curses
    for room in range(box.n_rooms):
        for _ in range(box.slots[room]):
            lay_curse(table, hidden, room, draw_curse(box, table, hidden, luck))
    deal_skill(box, hidden, luck)
    begin_round(box, table, hidden, luck)


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
    table.kind = TRAPS
    table.seat = A


@rule
def meet(box, table):
    """Note the first time that somebody stands before the monster."""
    if table.met_round == 0:
        table.met_round = table.round
        table.met_room = box.rooms[table.monster_at]
        table.met_by = table.faces[A] + 2 * table.faces[B]
    if box.frozen_monster:
        table.frozen = 1


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
def options(box, table, hidden, out):
    """Trappers choose how to fill the list; the clue-giver's team how to speak, or to fail on purpose.

    Every option is its own number. No loop: with one, the compiler counts references to `out` at each call.
    """
    out[0] = 0
    out[1] = 1
    out[2] = 2
    out[3] = 3
    out[4] = 4
    out[5] = 5
    out[6] = 6
    out[7] = 7
    out[8] = 8
    if table.kind == TRAPS:
        return len(TRAPPERS)
    out[9] = 9
    out[10] = 10
    out[11] = 11
    out[12] = 12
    return len(GIVERS) + box.may_fail


@rule
def take(box, table, hidden, luck, option):
    team = table.seat
    if table.kind == TRAPS:
        hidden.own[team].list = option
        if team == A:
            table.seat = B
        else:
            table.kind = CLUES
            table.seat = table.first
        return
    result(box, table, hidden, luck, team, play_turn(box, table, hidden, luck, team, option))
    table.played += 1
    if table.played == 1:
        table.seat = 1 - team
    else:
        end_round(box, table, hidden, luck)


@rule
def result(box, table, hidden, luck, team, cause):
    """The figure moves at once: one room on, or back where a card says so."""
    table.cause[team] = cause
    table.ends[cause, team] += 1
    table.talk += table.seconds[team]
    cursed = (table.active[team] | table.drawn[team]) != 0
    if cause == SUCCESS:
        table.cursed_wins[team] += cursed
        if not table.faces[team]:
            advance(box, table, hidden, team)
    elif box.full and table.effect[team].back and sends_back(box, table, luck, team, cause):
        send_back(table, team)


@rule
def sends_back(box, table, luck, team, cause):
    """Whether a failure under the Forbidden Word costs a room: its word is one of the list."""
    if box.back == BACK_ON_HIT and cause == TRAP:
        return below(luck, SET_BACK, table.round, team, 0, table.length[team]) == 0
    return box.back == BACK_ON_FAIL


@rule
def beats(box, table):
    """Who has beaten the monster in this round, one bit a team; by the variant only the faster of two."""
    a = table.faces[A] and table.cause[A] == SUCCESS
    b = table.faces[B] and table.cause[B] == SUCCESS
    if a and b and box.fastest:  # the second had only the sand of the first, and made it
        return 1 << (1 - table.first)
    return a + 2 * b


@rule
def note_lead(table):
    leader = who_leads(table)
    if table.round <= len(table.leads):
        table.leads[table.round - 1] = leader + 1
    if leader != NOBODY:
        table.lead_changes += table.leader == 1 - leader
        table.leader = leader


@rule
def time_is_up(box, table):
    """The last list is written: the monster wins, or the team further on by the house rule."""
    table.ending = MONSTER_WINS
    if box.leader_wins:
        leader = who_leads(table)
        table.ending = BOTH_WIN if leader == NOBODY else A_WINS if leader == A else B_WINS


@rule
def end_round(box, table, hidden, luck):
    """Who has beaten the monster; otherwise curses go, the monster walks, torches and books go round."""
    note_lead(table)
    beaten = beats(box, table)
    if beaten:
        table.ending = A_WINS if beaten == 1 else B_WINS if beaten == 2 else BOTH_WIN
        return
    cursed = table.active[A] | table.active[B]
    if cursed and not box.clear_room_last:
        discard_active(box, table, hidden)
    monster_walks(box, table, hidden)
    if cursed and box.clear_room_last:
        clear_cursed_rooms(table, hidden)
    table.discard |= table.drawn[A] | table.drawn[B]
    if table.round == box.rounds:
        time_is_up(box, table)
        return
    pass_on(box, table)
    begin_round(box, table, hidden, luck)


@rule
def pass_on(box, table):
    """Torches go to the next in the team, books to the other team."""
    for team in range(2):
        table.torch[team] += 1
        if table.torch[team] == box.size[team]:
            table.torch[team] = 0
    table.glow = 1 - table.glow
    table.round += 1


@rule
def redeal(box, table, own, hidden, luck):
    """Face-down curses, the other team's list and everybody's skill are anybody's guess."""
    hidden.own[1 - table.seat].list = below(luck, MIND, 0, 0, 0, len(TRAPPERS))
    hidden.own[table.seat] = own
    deal_skill(box, hidden, luck)
    unseen = box.curses & ~(table.discard | table.drawn[A] | table.drawn[B])
    for room in range(MOST_ROOMS):
        unseen &= ~table.shown[room]
    for room in range(MOST_ROOMS):
        hidden.beside[room] = table.shown[room]
        for i in range(table.lie[room] - bits_set(table.shown[room])):
            card = nth_bit(unseen, below(luck, CURSE_CARD, room, i, 1, bits_set(unseen)))
            hidden.beside[room] |= card
            unseen &= ~card
    hidden.pile = unseen


@rule
def winners(ending):
    return 1 if ending == A_WINS else 2 if ending == B_WINS else 3 if ending == BOTH_WIN else 0


@rule
def outcome(box, table, row):
    """What is followed over the rounds; the rest only at the end. (No loops: see `options`.)"""
    won = winners(table.ending)
    a, b = table.position[A], table.position[B]
    row[ENDING] = table.ending
    row[ROUNDS] = table.round
    row[WINNERS] = won
    row[SCORES] = a + (won & 1)
    row[SCORES + 1] = b + (won >> 1)
    row[FOLLOWED] = table.stalls
    row[FOLLOWED + 1] = abs(a - b)
    row[FOLLOWED + 2] = table.monster_at - max(a, b)
    row[FOLLOWED + 3] = table.attempts[A] + table.attempts[B]
    if table.ending >= 0:
        what_was_what(table, row)
        how_long(box, table, row)
        pair(row, FOR_TEAMS, table.attempts)
        pair(row, FOR_TEAMS + 2, table.cursed)
        pair(row, FOR_TEAMS + 4, table.cursed_wins)
        pair(row, FOR_TEAMS + 6, table.ends[SUCCESS])
        pair(row, FOR_TEAMS + 8, table.ends[TRAP])
        pair(row, FOR_TEAMS + 10, table.ends[INVALID])
        pair(row, FOR_TEAMS + 12, table.ends[GUESSES])
        pair(row, FOR_TEAMS + 14, table.ends[TIMER])
        pair(row, FOR_TEAMS + 16, table.ends[OTHER])
        pair(row, FOR_TEAMS + 18, table.ends[PURPOSE])


@rule
def pair(row, m, teams):
    row[m] = teams[A]
    row[m + 1] = teams[B]


@rule
def what_was_what(table, row):
    """The facts by which games are told apart."""
    row[FACTS] = table.monster
    row[FACTS + 1] = table.starred
    row[FACTS + 2] = table.glow ^ (table.round + 1) & 1
    row[FACTS + 3] = table.seen[0]
    row[FACTS + 4] = table.seen[1]
    row[FACTS + 5] = table.met_by
    row[FACTS + 6] = table.met_room
    row[FACTS + 7] = table.leads[0]
    row[FACTS + 8] = table.leads[1]
    row[FACTS + 9] = table.leads[2]
    row[FACTS + 10] = table.leads[3]


@rule
def how_long(box, table, row):
    row[LENGTHS] = table.met_round
    row[LENGTHS + 1] = table.lead_changes
    row[LENGTHS + 2] = int(table.talk)
    row[LENGTHS + 3] = int(table.talk + table.round * (box.between + 2 * box.reading))
