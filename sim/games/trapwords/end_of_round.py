"""The end of a round: who has won, the monster walks, torches and books go round."""

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.games.trapwords.curses import clear_cursed_rooms, discard_active
from hardmode.sim.games.trapwords.monster import beats, monster_walks
from hardmode.sim.games.trapwords.names import A, B
from hardmode.sim.games.trapwords.round import begin_round, who_leads
from hardmode.sim.records import rule


@rule
def end_round(box, table, hidden, luck):
    """Who has beaten the monster; otherwise curses go, the monster walks, torches and books go round."""
    note_lead(table)
    beaten = beats(box, table)
    if beaten:
        table.ending = n.Ending.A_WINS if beaten == 1 else n.Ending.B_WINS if beaten == 2 else n.Ending.BOTH_WIN
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
def note_lead(table):
    leader = who_leads(table)
    if table.round <= len(table.leads):
        table.leads[table.round - 1] = leader + 1
    if leader != n.NOBODY:
        table.lead_changes += table.leader == 1 - leader
        table.leader = leader


@rule
def time_is_up(box, table):
    """The last list is written: the monster wins, or the team further on by the house rule."""
    table.ending = n.Ending.MONSTER_WINS
    if box.leader_wins:
        leader = who_leads(table)
        table.ending = n.Ending.BOTH_WIN
        if leader != n.NOBODY:
            table.ending = n.Ending.A_WINS if leader == A else n.Ending.B_WINS


@rule
def pass_on(box, table):
    """Torches go to the next in the team, books to the other team."""
    for team in range(2):
        table.torch[team] += 1
        if table.torch[team] == box.size[team]:
            table.torch[team] = 0
    table.glow = 1 - table.glow
    table.round += 1
