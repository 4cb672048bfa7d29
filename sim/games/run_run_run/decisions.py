"""The decisions: which options there are, and what taking one does."""

import hardmode.sim.games.run_run_run.attacks as attacks
import hardmode.sim.games.run_run_run.cooperate as cooperate
import hardmode.sim.games.run_run_run.explore as explore
import hardmode.sim.games.run_run_run.fight as fight
import hardmode.sim.games.run_run_run.mechanisms as mechanisms
import hardmode.sim.games.run_run_run.mummies as mummies
import hardmode.sim.games.run_run_run.tokens as tokens
from hardmode.sim.games.run_run_run.cards import discard, first_of_print, holdings, spend
from hardmode.sim.games.run_run_run.cards import held as held_token
from hardmode.sim.games.run_run_run.maze import sides_in
from hardmode.sim.games.run_run_run.names import ARGUMENTS, NO_DECISION, Flag, Kind, Phase, Token, Verb
from hardmode.sim.games.run_run_run.setup import choose_heroes, free_heroes
from hardmode.sim.games.run_run_run.turn import run
from hardmode.sim.records import rule

FLAGS = len(Flag)


@rule
def options(box, table, hidden, out):
    """The legal options of the present decision."""
    kind, own = table.kind, hidden.own[table.seat]
    if kind == Kind.ACTION:
        return actions(box, table, own, out)
    if kind <= Kind.DROP:
        return reactions(box, table, own, out)
    if kind == Kind.SIDES:
        return explore.passage_sides(box, table, own, out)
    if kind == Kind.CARD:
        return explore.placements(box, table, own, out)
    if kind == Kind.FUEL:
        return explore.fuels(box, table, own, out)
    if kind == Kind.COMMIT:
        return fight.commitments(box, table, own, out)
    if kind == Kind.STRIKE:
        return fight.opponents(table, out)
    if kind == Kind.FOOTSTEP:
        return fight.footsteps(table, out)
    if kind == Kind.MECHANISM:
        return mechanisms.triggerable(box, table, out)
    if kind == Kind.DOORWAY:
        return mechanisms.doorways(table, out)
    return together(box, table, own, out)


@rule
def actions(box, table, own, out):
    """What the active player can do; a pass only where no action is legal."""
    n = explore.explorable(box, table, own, out, 0)
    n = fight.targets(box, table, own, out, n)
    if box.move_only_action:
        n = fight.walks(box, table, own, out, n)
    if cooperate.can_cooperate(box, table):
        out[n] = Verb.COOPERATE * ARGUMENTS
        n += 1
    if n == 0:
        out[0] = Verb.PASS * ARGUMENTS
        n = 1
    return tokens.uses(box, table, out, n)


@rule
def reactions(box, table, own, out):
    """The decisions of the set-up, of the mummy phase, and of tokens."""
    kind = table.kind
    if kind == Kind.HERO:
        return free_heroes(table, out)
    if kind == Kind.FIRST_PLAYER:
        return numbers(out, table.seats)
    if kind == Kind.WINDOW:
        out[0] = Verb.DONE * ARGUMENTS
        return tokens.uses(box, table, out, 1)
    if kind == Kind.TELEPORT:
        return tokens.other_tiles(table, out)
    if kind == Kind.OPENING:
        return tokens.walls(table, out)
    if kind == Kind.PATH:
        return mummies.paths(table, table.mover, out)
    if kind == Kind.WAKING:
        return mummies.waking_rooms(box, table, out)
    if kind == Kind.SPLIT:
        return attacks.splits(box, table, out)
    if kind == Kind.SHIELDING:
        return numbers(out, 2)
    return hand_cards(box, table, own, out)


@rule
def hand_cards(box, table, own, out):
    n = 0
    for i in range(table.hand_n[table.seat]):
        if first_of_print(box, table, own.hand, i):
            out[n] = own.hand[i]
            n += 1
    return n


@rule
def numbers(out, n):
    for i in range(n):
        out[i] = i
    return n


@rule
def together(box, table, own, out):
    """The decisions of a Cooperate, of intents, and the Digger's."""
    kind = table.kind
    if kind in (Kind.DIG, Kind.JOIN):
        return numbers(out, 2)
    if kind == Kind.OFFER:
        return cooperate.offerable(box, table, own, out)
    if kind == Kind.BURN:
        return numbers(out, 1 + cooperate.most_torches(box, table))
    if kind == Kind.GIFT:
        return cooperate.gift_choices(box, table, out)
    if kind == Kind.SHARE:
        return cooperate.participants(table, out)
    if kind == Kind.FLAG:
        return numbers(out, FLAGS)
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
    table.kind = NO_DECISION
    if kind == Kind.ACTION:
        act(box, table, hidden, luck, option // ARGUMENTS, option % ARGUMENTS)
    elif kind <= Kind.DROP:
        react(box, table, hidden, kind, option)
    elif kind <= Kind.DOORWAY:
        carry_on(box, table, hidden, luck, kind, option)
    else:
        confer(box, table, hidden, kind, option)
    run(box, table, hidden, luck)


@rule
def act(box, table, hidden, luck, what, argument):
    """Start the action chosen, or use a token before it."""
    if what == Verb.EXPLORE:
        table.moving = Verb.EXPLORE
        table.place = argument
        table.sides = 0
        table.kind = Kind.SIDES if holdings(box, table, table.active, Token.PASSAGE) else Kind.CARD
    elif what in (Verb.FIGHT, Verb.MOVE):
        table.moving = what
        table.target = argument
        table.laid = -1
        table.need = table.walk[argument] - box.base_move
        ask_fuel(box, table, hidden)
    elif what == Verb.COOPERATE:
        cooperate.call(box, table, hidden, luck)
    elif what == Verb.PASS:
        table.phase = Phase.ACTED
    else:
        table.after_window = Phase.ACT
        tokens.use(box, table, hidden, what, argument)


@rule
def ask_fuel(box, table, hidden):
    if table.need > 0:
        table.kind = Kind.FUEL
    else:
        go(box, table, hidden, -1)


@rule
def go(box, table, hidden, fuel):
    """The walk is paid for: go, and do there what was chosen."""
    if table.moving == Verb.EXPLORE:
        explore.place(box, table, hidden, fuel)
        table.phase = Phase.DARK
        return
    if fuel >= 0:
        table.fuelled += 1
        discard(table, hidden, table.active, fuel)
    if table.moving == Verb.FIGHT:
        fight.arrive(table)
    else:
        table.cat[table.active] = table.target
        table.phase = Phase.ACTED


@rule
def react(box, table, hidden, kind, option):
    """The decisions of the set-up, of the mummy phase, and of tokens."""
    if kind == Kind.HERO:
        table.hero[table.seat] = option
        choose_heroes(box, table, hidden)
    elif kind == Kind.FIRST_PLAYER:
        table.active = option
        table.phase = Phase.TURN
    elif kind == Kind.WINDOW:
        tokens.use(box, table, hidden, option // ARGUMENTS, option % ARGUMENTS)
    elif kind == Kind.TELEPORT:
        tokens.teleport(table, option)
    elif kind == Kind.OPENING:
        tokens.open_wall(table, option)
    elif kind == Kind.PATH:
        mummies.enter(box, table, table.mover, option)
    elif kind == Kind.WAKING:
        mummies.stand_up(box, table, option)
    elif kind == Kind.SPLIT:
        attacks.take_split(table, option)
    elif kind == Kind.SHIELDING:
        if option:
            spend(table, held_token(box, table, table.seat, Token.SHIELD))
            table.share[table.seat] = 0
    else:
        table.share[table.seat] -= 1
        table.wounded += 1
        discard(table, hidden, table.seat, option)


@rule
def carry_on(box, table, hidden, luck, kind, option):
    """The further choices of an Explore or a Fight."""
    if kind == Kind.SIDES:
        if option != explore.NO_MORE:
            table.sides |= 1 << option
        done = option == explore.NO_MORE or sides_in(table.sides) == holdings(box, table, table.active, Token.PASSAGE)
        table.kind = Kind.CARD if done else Kind.SIDES
    elif kind == Kind.CARD:
        explore.choose_card(box, table, option)
        ask_fuel(box, table, hidden)
    elif kind == Kind.FUEL:
        go(box, table, hidden, option)
    elif kind == Kind.COMMIT:
        fight.commit(box, table, hidden, option)
    elif kind == Kind.STRIKE:
        fight.strike(table, hidden, luck, option)
    elif kind == Kind.DIG:
        if option:
            explore.unearth(box, table, hidden, Phase.FACES_DONE)
    elif kind == Kind.FOOTSTEP:
        fight.footstep(table, option)
    elif kind == Kind.MECHANISM:
        mechanisms.trigger(box, table, option)
    else:
        mechanisms.open_door(box, table, hidden, option)


@rule
def confer(box, table, hidden, kind, option):
    """The choices of a Cooperate, and what a player lets the others know."""
    seat = table.seat
    if kind == Kind.JOIN:
        cooperate.come(table, option)
    elif kind == Kind.OFFER:
        cooperate.offer(box, table, hidden, option)
    elif kind == Kind.BURN:
        table.burnt = option
    elif kind == Kind.SHARE:
        cooperate.give_card(box, table, hidden, option)
    elif kind == Kind.GIFT:
        cooperate.give_token(table, option)
    elif kind == Kind.RESERVE:
        table.reserved[seat] = option
        table.kind = Kind.FLAG
    else:
        table.flag[seat] = option
