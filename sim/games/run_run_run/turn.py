"""The turn: what comes after what, from one decision to the next."""

import hardmode.sim.games.run_run_run.attacks as attacks
import hardmode.sim.games.run_run_run.cooperate as cooperate
import hardmode.sim.games.run_run_run.explore as explore
import hardmode.sim.games.run_run_run.fight as fight
import hardmode.sim.games.run_run_run.mummies as mummies
import hardmode.sim.games.run_run_run.tokens as tokens
from hardmode.sim.games.run_run_run.cards import draw, show_hands
from hardmode.sim.games.run_run_run.maze import walk_from
from hardmode.sim.games.run_run_run.records import (
    ACT,
    ACTED,
    ACTION,
    ATTACK,
    BEAT,
    BETWEEN,
    DAMAGE,
    DARK,
    DIG_ROOM,
    DOOR,
    DOOR_MECHANISM,
    DOORWAY,
    DRAW,
    EMPTY,
    END,
    FACES_DONE,
    FEET,
    GATHER,
    GIFTS,
    INTENTS,
    LIGHT,
    OFFERS,
    OPEN_HANDS,
    PHASE_END,
    POOL,
    RESERVE,
    ROLL,
    ROLL_COMBAT,
    SHARES,
    SHIELDS,
    SIGNAL,
    START,
    STEP,
    TORCH_MECHANISM,
    TORCHES_BURNT,
    TURN,
    TURN_LIMIT,
    WAKE,
    WOUNDS,
)
from hardmode.sim.records import rule

NOBODY = mummies.NO_DECISION


@rule
def run(box, table, hidden, luck):
    """On to the next decision, or to the ending."""
    while table.ending < 0 and table.kind == NOBODY:
        if table.phase <= PHASE_END:
            mummy_phase(box, table, hidden, luck)
        elif table.phase <= FEET:
            action_phase(box, table, hidden, luck)
        else:
            turn_end(box, table, hidden, luck)
    if table.ending >= 0:
        table.boss_drawn = 1 + hidden.boss
    if box.communication == OPEN_HANDS:
        show_hands(table, hidden)


@rule
def mummy_phase(box, table, hidden, luck):
    phase = table.phase
    if phase == TURN:
        begin_turn(box, table)
    elif phase == START:
        tokens.window(table, ROLL)
    elif phase == ROLL:
        mummies.roll(box, table, luck)
    elif phase == BEAT:
        if box.phase_tokens and table.beat > table.paused and table.beat % 2 == 0:
            table.paused = table.beat
            tokens.window(table, BEAT)
        else:
            mummies.beat(box, table, hidden)
    elif phase == STEP:
        mummies.step(box, table)
    elif phase == ATTACK:
        attacks.attack(box, table)
    elif phase == SHIELDS:
        attacks.shields(box, table)
    elif phase == WOUNDS:
        attacks.wounds(box, table, hidden, luck)
    elif phase == WAKE:
        mummies.wake(box, table, luck)
    else:
        mummies.phase_end(box, table, ACT)


@rule
def begin_turn(box, table):
    if table.turn >= box.max_turns:
        table.ending = TURN_LIMIT
        return
    table.turn += 1
    table.wounds = 0
    table.remote = 0
    table.paused = 0
    table.phase = START


@rule
def action_phase(box, table, hidden, luck):
    phase = table.phase
    if phase == ACT:
        walk_from(table, table.cat[table.active])
        table.kind = ACTION
        table.seat = table.active
    elif phase == DARK:
        table.phase = LIGHT
        if explore.penalty_is_due(box, table):
            tokens.window(table, LIGHT)
    elif phase == LIGHT:
        explore.light(box, table, hidden)
    elif phase == DRAW:
        explore.reap(box, table, hidden)
    elif phase == DIG_ROOM:
        explore.dig_room(box, table, hidden)
    elif phase in (TORCH_MECHANISM, DOOR_MECHANISM):
        explore.look_for_mechanism(box, table)
    elif phase == DOOR:
        table.kind = DOORWAY
        table.seat = table.active
    elif phase == ROLL_COMBAT:
        fight.roll(box, table, luck)
    elif phase == DAMAGE:
        fight.damage(table)
    elif phase == FACES_DONE:
        fight.faces(box, table, hidden)
    else:
        fight.feet(table)


@rule
def turn_end(box, table, hidden, luck):
    phase = table.phase
    if phase == GATHER:
        cooperate.gather(table)
    elif phase == OFFERS:
        cooperate.offers(box, table)
    elif phase == TORCHES_BURNT:
        cooperate.burn(box, table)
    elif phase == POOL:
        cooperate.fill_pool(box, table, hidden, luck)
    elif phase == SHARES:
        cooperate.shares(table)
    elif phase == GIFTS:
        cooperate.gifts(table)
    elif phase == ACTED:
        acted(box, table, hidden)
    elif phase == END:
        tokens.window(table, SIGNAL)
    elif phase == SIGNAL:
        table.phase = BETWEEN
        if box.communication == INTENTS and table.seats > 1:
            table.kind = RESERVE
            table.seat = table.active
    else:
        between_turns(table)


@rule
def acted(box, table, hidden):
    """X-15: a hand that is empty after all draws loses the game."""
    draw(table, hidden, table.active, box.end_draw)
    table.phase = END
    if table.hand_n[table.active] == 0 and not box.empty_ok:
        table.ending = EMPTY


@rule
def between_turns(table):
    """The next player's turn, unless a mummy has had its grace in the Vault."""
    inside = -1
    for m in range(5):
        if table.at[m] == 0:
            inside = m
    if inside < 0:
        table.grace = 0
    elif 0 < table.grace <= table.turn:
        mummies.reach_vault(table, inside)
        return
    table.active = (table.active + 1) % table.seats
    if table.active == table.first:
        table.round += 1
    table.phase = TURN
