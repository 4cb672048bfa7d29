"""The decisions: which options there are, and what taking one does."""

import hardmode.sim.games.run_run_run.attacks as attacks
import hardmode.sim.games.run_run_run.cooperate as cooperate
import hardmode.sim.games.run_run_run.explore as explore
import hardmode.sim.games.run_run_run.fight as fight
import hardmode.sim.games.run_run_run.mummies as mummies
import hardmode.sim.games.run_run_run.tokens as tokens
from hardmode.sim.games.run_run_run.cards import discard, holdings, spend
from hardmode.sim.games.run_run_run.cards import held as held_token
from hardmode.sim.games.run_run_run.maze import sides_in
from hardmode.sim.games.run_run_run.records import (
    ACT,
    ACTED,
    ACTION,
    ARGUMENTS,
    BURN,
    CARD,
    COMMIT,
    COOPERATE,
    DARK,
    DIG,
    DONE,
    DOORWAY,
    DROP,
    EXPLORE,
    FACES_DONE,
    FIGHT,
    FIRST_PLAYER,
    FLAG,
    FLAGS,
    FOOTSTEP,
    FUEL,
    GIFT,
    JOIN,
    MECHANISM,
    MOVE,
    OFFER,
    OPENING,
    PASS,
    PASSAGE,
    PATH,
    RESERVE,
    SHARE,
    SHIELD,
    SHIELDING,
    SIDES,
    SPLIT,
    STRIKE,
    TELEPORT,
    TURN,
    WAKING,
    WINDOW,
)
from hardmode.sim.games.run_run_run.turn import run
from hardmode.sim.records import rule


@rule
def options(box, table, hidden, out):
    """The legal options of the present decision."""
    kind, own = table.kind, hidden.own[table.seat]
    if kind == ACTION:
        return actions(box, table, own, out)
    if kind <= DROP:
        return reactions(box, table, own, out)
    if kind == SIDES:
        return explore.passage_sides(box, table, own, out)
    if kind == CARD:
        return explore.placements(box, table, own, out)
    if kind == FUEL:
        return explore.fuels(box, table, own, out)
    if kind == COMMIT:
        return fight.commitments(box, table, own, out)
    if kind == STRIKE:
        return fight.opponents(table, out)
    if kind == FOOTSTEP:
        return fight.footsteps(table, out)
    if kind == MECHANISM:
        return explore.mechanisms(box, table, out)
    if kind == DOORWAY:
        return explore.doorways(table, out)
    return together(box, table, own, out)


@rule
def actions(box, table, own, out):
    """P6: what the active player can do; a pass only where no action is legal."""
    n = explore.explorable(box, table, own, out, 0)
    n = fight.targets(box, table, own, out, n)
    if box.move_only:
        n = fight.walks(box, table, own, out, n)
    if cooperate.can_cooperate(box, table):
        out[n] = COOPERATE * ARGUMENTS
        n += 1
    if n == 0:
        out[0] = PASS * ARGUMENTS
        n = 1
    return tokens.uses(box, table, out, n)


@rule
def reactions(box, table, own, out):
    """The decisions of the mummy phase, of tokens, and who starts."""
    kind = table.kind
    if kind == FIRST_PLAYER:
        return numbers(out, table.seats)
    if kind == WINDOW:
        out[0] = DONE * ARGUMENTS
        return tokens.uses(box, table, out, 1)
    if kind == TELEPORT:
        return tokens.other_tiles(table, out)
    if kind == OPENING:
        return tokens.walls(table, out)
    if kind == PATH:
        return mummies.paths(table, table.mover, out)
    if kind == WAKING:
        return mummies.waking_rooms(box, table, out)
    if kind == SPLIT:
        return attacks.splits(box, table, out)
    if kind == SHIELDING:
        return numbers(out, 2)
    return hand_cards(table, own, out)


@rule
def hand_cards(table, own, out):
    for i in range(table.hand_n[table.seat]):
        out[i] = own.hand[i]
    return table.hand_n[table.seat]


@rule
def numbers(out, n):
    for i in range(n):
        out[i] = i
    return n


@rule
def together(box, table, own, out):
    """The decisions of a Cooperate, of intents, and the Digger's."""
    kind = table.kind
    if kind in (DIG, JOIN):
        return numbers(out, 2)
    if kind == OFFER:
        return cooperate.offerable(box, table, own, out)
    if kind == BURN:
        return numbers(out, 1 + cooperate.most_torches(box, table))
    if kind == GIFT:
        return cooperate.gift_choices(table, out)
    if kind == SHARE:
        return cooperate.participants(table, out)
    if kind == FLAG:
        return numbers(out, len(FLAGS))
    return open_hexes(table, out)


@rule
def open_hexes(table, out):
    """The hexes that can be reserved: none, or one that some exit opens onto."""
    out[0] = -1
    n = 1
    for e in range(table.edges_n):
        if table.edge_open[e]:
            out[n] = table.edge_hex[e]
            n += 1
    return n


@rule
def take(box, table, hidden, luck, option):
    """Apply an option and run on."""
    kind = table.kind
    table.kind = mummies.NO_DECISION
    if kind == ACTION:
        act(box, table, hidden, luck, option // ARGUMENTS, option % ARGUMENTS)
    elif kind <= DROP:
        react(box, table, hidden, kind, option)
    elif kind <= DOORWAY:
        carry_on(box, table, hidden, luck, kind, option)
    else:
        confer(box, table, hidden, kind, option)
    run(box, table, hidden, luck)


@rule
def act(box, table, hidden, luck, what, argument):
    """Start the action chosen, or use a token before it."""
    if what == EXPLORE:
        table.moving = EXPLORE
        table.place = argument
        table.sides = 0
        table.kind = SIDES if holdings(box, table, table.active, PASSAGE) else CARD
    elif what in (FIGHT, MOVE):
        table.moving = what
        table.target = argument
        table.laid = -1
        table.need = table.walk[argument] - box.base_move
        ask_fuel(box, table, hidden)
    elif what == COOPERATE:
        cooperate.call(box, table, hidden, luck)
    elif what == PASS:
        table.phase = ACTED
    else:
        table.after_window = ACT
        tokens.use(box, table, hidden, what, argument)


@rule
def ask_fuel(box, table, hidden):
    if table.need > 0:
        table.kind = FUEL
    else:
        go(box, table, hidden, -1)


@rule
def go(box, table, hidden, fuel):
    """The walk is paid for: go, and do there what was chosen."""
    if table.moving == EXPLORE:
        explore.place(box, table, hidden, fuel)
        table.phase = DARK
        return
    if fuel >= 0:
        table.fuelled += 1
        discard(table, hidden, table.active, fuel)
    if table.moving == FIGHT:
        fight.arrive(table)
    else:
        table.cat[table.active] = table.target
        table.phase = ACTED


@rule
def react(box, table, hidden, kind, option):
    """The decisions of the mummy phase, of tokens, and who starts."""
    if kind == FIRST_PLAYER:
        table.first = table.active = option
        table.phase = TURN
    elif kind == WINDOW:
        tokens.use(box, table, hidden, option // ARGUMENTS, option % ARGUMENTS)
    elif kind == TELEPORT:
        tokens.teleport(table, option)
    elif kind == OPENING:
        tokens.open_wall(table, option)
    elif kind == PATH:
        mummies.enter(box, table, table.mover, option)
    elif kind == WAKING:
        mummies.stand_up(box, table, option)
    elif kind == SPLIT:
        attacks.take_split(table, option)
    elif kind == SHIELDING:
        if option:
            spend(table, held_token(box, table, table.seat, SHIELD))
            table.share[table.seat] = 0
    else:
        table.share[table.seat] -= 1
        table.wounded += 1
        discard(table, hidden, table.seat, option)


@rule
def carry_on(box, table, hidden, luck, kind, option):
    """The further choices of an Explore or a Fight."""
    if kind == SIDES:
        if option != explore.NO_MORE:
            table.sides |= 1 << option
        done = option == explore.NO_MORE or sides_in(table.sides) == holdings(box, table, table.active, PASSAGE)
        table.kind = CARD if done else SIDES
    elif kind == CARD:
        explore.choose_card(box, table, option)
        ask_fuel(box, table, hidden)
    elif kind == FUEL:
        go(box, table, hidden, option)
    elif kind == COMMIT:
        fight.commit(box, table, hidden, option)
    elif kind == STRIKE:
        fight.strike(table, hidden, luck, option)
    elif kind == DIG:
        if option:
            explore.unearth(box, table, hidden, FACES_DONE)
    elif kind == FOOTSTEP:
        fight.footstep(table, option)
    elif kind == MECHANISM:
        explore.trigger(box, table, option)
    else:
        explore.open_door(box, table, hidden, option)


@rule
def confer(box, table, hidden, kind, option):
    """The choices of a Cooperate, and what a player lets the others know."""
    seat = table.seat
    if kind == JOIN:
        cooperate.come(table, option)
    elif kind == OFFER:
        cooperate.offer(box, table, hidden, option)
    elif kind == BURN:
        table.burnt = option
    elif kind == SHARE:
        cooperate.give_card(box, table, hidden, option)
    elif kind == GIFT:
        cooperate.give_token(table, option)
    elif kind == RESERVE:
        table.reserved[seat] = option
        table.kind = FLAG
    else:
        table.flag[seat] = option
