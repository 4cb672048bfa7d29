"""The decisions: how to fill the trap list, how to give clues."""

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.games.trapwords.end_of_round import end_round
from hardmode.sim.games.trapwords.names import A, B
from hardmode.sim.games.trapwords.turn import play_turn, result
from hardmode.sim.records import rule


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
    if table.kind == n.Kind.TRAPS:
        return n.TRAPPERS
    out[9] = 9
    out[10] = 10
    out[11] = 11
    out[12] = 12
    return n.GIVERS + box.may_fail


@rule
def take(box, table, hidden, luck, option):
    team = table.seat
    if table.kind == n.Kind.TRAPS:
        hidden.own[team].list = option
        if team == A:
            table.seat = B
        else:
            table.kind = n.Kind.CLUES
            table.seat = table.first
        return
    result(box, table, hidden, luck, team, play_turn(box, table, hidden, luck, team, option))
    table.played += 1
    if table.played == 1:
        table.seat = 1 - team
    else:
        end_round(box, table, hidden, luck)
