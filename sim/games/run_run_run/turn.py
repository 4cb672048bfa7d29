"""The turn: what comes after what, from one decision to the next."""

import hardmode.sim.games.run_run_run.attacks as attacks
import hardmode.sim.games.run_run_run.cooperate as cooperate
import hardmode.sim.games.run_run_run.explore as explore
import hardmode.sim.games.run_run_run.fight as fight
import hardmode.sim.games.run_run_run.mechanisms as mechanisms
import hardmode.sim.games.run_run_run.mummies as mummies
import hardmode.sim.games.run_run_run.tokens as tokens
from hardmode.sim.games.run_run_run.cards import draw, show_hands
from hardmode.sim.games.run_run_run.maze import walk_from
from hardmode.sim.games.run_run_run.names import NO_DECISION, Ending, Kind, Phase
from hardmode.sim.games.run_run_run.switches import Communication
from hardmode.sim.records import rule

NOBODY = NO_DECISION


@rule
def run(box, table, hidden, luck):
    """On to the next decision, or to the ending."""
    while table.ending < 0 and table.kind == NOBODY:
        if table.phase <= Phase.PHASE_END:
            mummy_phase(box, table, hidden, luck)
        elif table.phase <= Phase.FEET:
            action_phase(box, table, hidden, luck)
        else:
            turn_end(box, table, hidden, luck)
    if table.ending >= 0:
        table.boss_drawn = 1 + hidden.boss
    if box.communication == Communication.OPEN_HANDS:
        show_hands(table, hidden)


@rule
def mummy_phase(box, table, hidden, luck):
    phase = table.phase
    if phase == Phase.TURN:
        begin_turn(box, table)
    elif phase == Phase.START:
        tokens.window(table, Phase.ROLL)
    elif phase == Phase.ROLL:
        mummies.roll(box, table, luck)
    elif phase == Phase.BEAT:
        if box.token_in_mummy_phase and table.beat > table.paused and table.beat % 2 == 0:
            table.paused = table.beat
            tokens.window(table, Phase.BEAT)
        else:
            mummies.beat(box, table, hidden)
    elif phase == Phase.STEP:
        mummies.step(box, table)
    elif phase == Phase.ATTACK:
        attacks.attack(box, table)
    elif phase == Phase.SHIELDS:
        attacks.shields(box, table)
    elif phase == Phase.WOUNDS:
        attacks.wounds(box, table, hidden, luck)
    elif phase == Phase.WAKE:
        mummies.wake(box, table, luck)
    else:
        mummies.phase_end(box, table, Phase.ACT)


@rule
def begin_turn(box, table):
    """Begin a turn, and with the first player's turn a round, unless no turn is left."""
    if table.turn >= box.max_turns:
        table.ending = Ending.TURN_LIMIT
        return
    table.turn += 1
    table.round = 1 + (table.turn - 1) // table.seats
    table.wounds = 0
    table.remote = 0
    table.paused = 0
    table.phase = Phase.START


@rule
def action_phase(box, table, hidden, luck):
    phase = table.phase
    if phase == Phase.ACT:
        walk_from(table, table.cat[table.active])
        table.kind = Kind.ACTION
        table.seat = table.active
    elif phase == Phase.DARK:
        table.phase = Phase.LIGHT
        if explore.penalty_is_due(box, table):
            tokens.window(table, Phase.LIGHT)
    elif phase == Phase.LIGHT:
        explore.light(box, table, hidden)
    elif phase == Phase.DRAW:
        explore.reap(box, table, hidden)
    elif phase == Phase.DIG_ROOM:
        explore.dig_room(box, table, hidden)
    elif phase in (Phase.TORCH_MECHANISM, Phase.DOOR_MECHANISM):
        mechanisms.look_for_mechanism(box, table)
    elif phase == Phase.DOOR:
        table.kind = Kind.DOORWAY
        table.seat = table.active
    elif phase == Phase.ROLL_COMBAT:
        fight.roll(box, table, luck)
    elif phase == Phase.DAMAGE:
        fight.damage(table)
    elif phase == Phase.FACES_DONE:
        fight.faces(box, table, hidden)
    else:
        fight.feet(table)


@rule
def turn_end(box, table, hidden, luck):
    phase = table.phase
    if phase == Phase.GATHER:
        cooperate.gather(table)
    elif phase == Phase.OFFERS:
        cooperate.offers(box, table)
    elif phase == Phase.TORCHES_BURNT:
        cooperate.burn(box, table)
    elif phase == Phase.POOL:
        cooperate.fill_pool(box, table, hidden, luck)
    elif phase == Phase.SHARES:
        cooperate.shares(box, table)
    elif phase == Phase.GIFTS:
        cooperate.gifts(table)
    elif phase == Phase.ACTED:
        acted(box, table, hidden)
    elif phase == Phase.END:
        tokens.window(table, Phase.SIGNAL)
    elif phase == Phase.SIGNAL:
        table.phase = Phase.BETWEEN
        if box.communication == Communication.INTENTS and table.seats > 1:
            table.kind = Kind.RESERVE
            table.seat = table.active
    else:
        between_turns(table)


@rule
def acted(box, table, hidden):
    """A hand that is empty after all draws loses the game."""
    draw(table, hidden, table.active, box.end_draw)
    table.phase = Phase.END
    if table.hand_n[table.active] == 0 and not box.empty_hand_after_place_ok:
        table.ending = Ending.EMPTY


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
    table.phase = Phase.TURN
