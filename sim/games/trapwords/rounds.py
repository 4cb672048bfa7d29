"""The course of the game: set-up, round after round, who has won."""

from sim.contract import ENDING, ROUNDS, SCORES, WINNERS
from sim.draws import below
from sim.games.trapwords.cards import monster_draws, what_holds
from sim.games.trapwords.dungeon import (
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
from sim.games.trapwords.tables import (
    A,
    A_WINS,
    B,
    B_WINS,
    BACK_ON_FAIL,
    BACK_ON_HIT,
    BOTH_WIN,
    CAUSES,
    CLUES,
    CURSE_CARD,
    FAIL,
    GIVERS,
    GLOW,
    IN_BOX,
    MIND,
    MONSTER_CARD,
    MONSTER_WINS,
    MONSTERS,
    MOST_ROOMS,
    NOBODY,
    SET_BACK,
    SKILL,
    SPREAD,
    SUCCESS,
    TRAP,
    TRAPPERS,
    TRAPS,
)
from sim.games.trapwords.turn import play_turn
from sim.records import rule

ANY_MONSTER, ANY_STAR = len(MONSTERS), 2


@rule
def deal_skill(box, hidden, luck):
    """How good each player is at giving clues; nobody knows it for certain."""
    for team in range(2):
        for member in range(box.size[team]):
            hidden.skill[team, member] = box.skill[below(luck, SKILL, team, member, 0, SPREAD)]


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
    if table.faces[A] or table.faces[B]:
        meet(box, table)
        monster_draws(box, table, hidden, luck)
    for team in range(2):
        what_holds(box, table, team)
        table.cursed[team] += (table.active[team] | table.drawn[team]) != 0
        meet_curses(table, table.active[team])
        table.cause[team] = NOBODY
        table.advanced[team] = 0
        table.stood[team] = table.position[team]
        table.seconds[team] = 0.0
        table.clues[team] = 0
        table.wrong[team] = 0
    table.first = who_begins(table)
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
    """Trappers choose how to fill the list; the clue-giver's team how to speak, or to fail on purpose."""
    n = len(TRAPPERS) if table.kind == TRAPS else len(GIVERS)
    for i in range(n):
        out[i] = i
    if table.kind == CLUES and box.may_fail:
        out[n] = FAIL
        n += 1
    return n


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
    table.ends[team, cause] += 1
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
    if not box.clear_room_last:
        discard_active(box, table, hidden)
    monster_walks(box, table, hidden)
    if box.clear_room_last:
        clear_cursed_rooms(table, hidden)
    table.discard |= table.drawn[A] | table.drawn[B]
    if table.round == box.rounds:
        time_is_up(box, table)
        return
    table.glow = 1 - table.glow
    table.round += 1
    begin_round(box, table, hidden, luck)


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
    won = winners(table.ending)
    row[ENDING] = table.ending
    row[ROUNDS] = table.round
    row[WINNERS] = won
    for team in range(2):
        row[SCORES + team] = table.position[team] + (won >> team & 1)
    m = SCORES + 2
    row[m] = table.stalls
    row[m + 1] = abs(table.position[A] - table.position[B])
    row[m + 2] = table.monster_at - max(table.position[A], table.position[B])
    row[m + 3] = table.attempts[A] + table.attempts[B]
    if table.ending >= 0:  # the rest is asked for only at the end
        set_up_facts(box, table, row, m + 4)


@rule
def set_up_facts(box, table, row, m):
    row[m] = table.monster
    row[m + 1] = table.starred
    row[m + 2] = table.glow ^ (table.round + 1) & 1
    row[m + 3] = table.seen[0]
    row[m + 4] = table.seen[1]
    row[m + 5] = table.met_by
    row[m + 6] = table.met_room
    for i in range(len(table.leads)):
        row[m + 7 + i] = table.leads[i]
    m += 7 + len(table.leads)
    row[m] = table.met_round
    row[m + 1] = table.lead_changes
    row[m + 2] = int(table.talk)
    row[m + 3] = int(table.talk + table.round * (box.between + 2 * box.reading))
    m += 4
    for team in range(2):
        row[m + team] = table.attempts[team]
        row[m + 2 + team] = table.cursed[team]
        row[m + 4 + team] = table.cursed_wins[team]
        for cause in range(len(CAUSES)):
            row[m + 6 + 2 * cause + team] = table.ends[team, cause]
