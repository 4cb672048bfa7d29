"""What is decided when: the options of the present decision, and taking one."""

from __future__ import annotations

from hardmode.sim.games.vengeance.den import check_objective
from hardmode.sim.games.vengeance.flashback import (
    do_action,
    list_flashback,
    purchase,
    spend_source,
)
from hardmode.sim.games.vengeance.names import (
    Kind,
    Moment,
    Slot,
    Verb,
)
from hardmode.sim.games.vengeance.packing import first_of, pack, second_of, verb_of
from hardmode.sim.games.vengeance.preparation import list_heroes, take_setup
from hardmode.sim.games.vengeance.race import decide_unlock, do_step
from hardmode.sim.games.vengeance.resolution import list_icon
from hardmode.sim.games.vengeance.rolling import list_steps
from hardmode.sim.games.vengeance.rounds import go_on
from hardmode.sim.games.vengeance.stages import list_targets, list_tiles, take_fight, timing_of
from hardmode.sim.records import rule


@rule
def options(box, table, hidden, out):
    board = table.board[table.seat]
    den = board[Slot.DEN]
    kind = table.kind
    n = 2
    if kind == Kind.ROLL:
        n = list_steps(box, table, table.seat, out)
    elif kind == Kind.UNLOCK:
        out[0] = pack(Verb.UNLOCK, 0, 0)
        out[1] = pack(Verb.LEAVE, 0, 0)
    elif kind == Kind.FLASHBACK:
        n = list_flashback(box, den, board, out)
    elif kind == Kind.TILE:
        n = list_tiles(box, den, board, timing_of(table.stage), out)
    elif kind == Kind.TARGET:
        n = list_targets(box, den, board, out)
    elif kind == Kind.LOOT:
        n = list_icon(box, den, board, out)
    elif kind == Kind.HERO:
        n = list_heroes(box, table, out)
    else:
        for i in range(2):
            out[i] = pack(Verb.SIDE, i, 0) if kind == Kind.SIDE else pack(Verb.BOSS, table.offer[table.seat, i], 0)
    return n


@rule
def take(box, table, hidden, luck, option):
    kind, seat = table.kind, table.seat
    if kind == Kind.ROLL:
        if do_step(box, table, hidden, luck, seat, option):
            return
    elif kind == Kind.UNLOCK:
        if decide_unlock(box, table, hidden, luck, seat, verb_of(option)):
            table.kind = Kind.ROLL
            return
    elif kind == Kind.FLASHBACK:
        take_flashback(box, table, option)
    elif kind <= Kind.SIDE:
        take_setup(box, table, hidden, option)
    else:
        take_fight(box, table, option)
    go_on(box, table, hidden, luck)


@rule
def take_flashback(box, table, option):
    board = table.board[table.seat]
    den = board[Slot.DEN]
    verb = verb_of(option)
    if verb == Verb.DONE:
        table.seat += 1
    elif verb == Verb.SKILL:
        purchase(box, board, table.count[table.seat], first_of(option), second_of(option))
    else:
        spend_source(board, first_of(option))
        do_action(box, den, board, option)
        check_objective(box, den, board, Moment.OTHER)
