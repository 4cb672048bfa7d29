"""Combat for a strategy with weights: where to go, what to use, whom to strike; and the choices of set-up."""

from __future__ import annotations

from hardmode.sim.games.vengeance.combat import current_action
from hardmode.sim.games.vengeance.names import BOSS, Action, Den, Kind, Minion, Power, Slot, Verb
from hardmode.sim.games.vengeance.packing import first_of, verb_of
from hardmode.sim.games.vengeance.player_board import row_of
from hardmode.sim.records import rule
from hardmode.strategies.vengeance.evaluation import (
    best_room,
    distance,
    in_use,
    pinned,
    prey,
    stock,
)

# --- combat --------------------------------------------------------------------------------------


@rule
def heading(box, table, seat, w):
    """The room that the pawn makes for."""
    board = table.board[seat]
    if pinned(box, board[Slot.DEN], board[Slot.POWER], board[Slot.ROOM], board[Slot.ALIVE] & ~board[Slot.EVADED]):
        return board[Slot.ROOM]
    total, carried = stock(box, board)
    return best_room(box, table, seat, total + in_use(box, board), carried, table.round == box.rounds, w)


@rule
def stride(action, far, length, lands):
    """How well a MOVE or LEAP suits a pawn so far from where it is heading; `lands`: a LEAP leads there."""
    value = -1.0
    if far > 0 and action == Action.MOVE:
        value = 5.0 + (0.3 if (far == 1) == (length > 1) else 0.0)
    elif far > 0:
        value = 5.5 if lands else 4.5 if far > 2 else -1.0
    elif action == Action.LEAP and length > 1 and lands:
        value = 3.5  # there and back, to strike again
    return value


@rule
def tile_value(box, row, length, is_item, far, lands, leap_strikes):
    """How well it suits to use a tile now, so far from where the pawn is heading."""
    action = box.effect[row, 0]
    moves = box.contents[row] & 63
    value = 2.0
    if action == Action.MOVE or action == Action.LEAP:
        value = stride(action, far, length + leap_strikes, lands)
    elif moves:
        value = 5.1 if far == 1 else 4.9 if far > 0 else -1.0
    elif action == Action.HIT or action == Action.KILL:
        value = (4.0 if far == 0 else 1.0) + 0.1 * length - (0.5 if is_item else 0.0)
    elif action == Action.SHOT:
        value = 3.0
    elif action == Action.EVADE:
        value = 4.2 if far == 0 else 1.5
    return value


@rule
def best_tile(box, table, options, n, w):
    board = table.board[table.seat]
    den, here = board[Slot.DEN], board[Slot.ROOM]
    goal = heading(box, table, table.seat, w)
    far = distance(box, den, here, goal)
    lands = (box.den[den, Den.LEAPS + here] >> goal) & 1 == 1
    leap_strikes = 1 if board[Slot.POWER] & Power.LEAP_HIT else 0
    best, most = 0, -1e9
    for i in range(n):
        verb = verb_of(options[i])
        if verb == Verb.END:
            if most <= 0.0:
                best, most = i, 0.0
            continue
        row = row_of(board, first_of(options[i]))
        length = box.sharp_length[row] if verb == Verb.SHARP else box.length[row]
        value = tile_value(box, row, length, verb == Verb.ITEM, far, lands, leap_strikes)
        if value > most:
            best, most = i, value
    return best


@rule
def way_value(box, table, seat, room, goal):
    """A step on the way to where the pawn is heading, around those who would hold it."""
    board = table.board[seat]
    den = board[Slot.DEN]
    value = -1.0 * distance(box, den, room, goal)
    bouncers = box.den[den, Den.INSIDE + room] & box.den[den, Den.OF_KIND + Minion.BOUNCER]
    if room != goal and bouncers & board[Slot.ALIVE] & ~board[Slot.EVADED]:
        value -= 0.5
    if not (board[Slot.VISITED] >> room) & 1:
        value += 0.2
    return value


@rule
def best_target(box, table, options, n, w):
    action = current_action(box, table.board[table.seat])
    best, most = 0, -1e9
    goal = 0
    if action == Action.MOVE or action == Action.LEAP:
        goal = heading(box, table, table.seat, w)
    for i in range(n):
        what = first_of(options[i])
        if verb_of(options[i]) == Verb.GO:
            value = way_value(box, table, table.seat, what, goal)
        elif what == BOSS:
            value = 50.0
        else:
            value = prey(box, table, table.seat, what, action)
        if value > most:
            best, most = i, value
    return best


# --- set-up --------------------------------------------------------------------------------------


@rule
def side_value(box, table, side):
    """Loot and objectives of a side, and how near its Boss is."""
    den = table.board_of[table.seat] * 2 + side
    value = -1.0 * distance(box, den, 0, box.den[den, Den.BOSS_ROOM])
    for room in range(box.den[den, Den.ROOMS]):
        value += 0.5 * box.den[den, Den.ICONS_IN + room] + 0.4 * box.den[den, Den.GOAL_POINTS + room]
    return value


@rule
def set_up(box, table, options, n):
    """The better side; of two bosses the one of more health; the first hero."""
    best, most = 0, -1e9
    for i in range(n):
        what = first_of(options[i])
        value = side_value(box, table, what) if table.kind == Kind.SIDE else 0.0
        if table.kind < Kind.SIDE and verb_of(options[i]) == Verb.BOSS:
            value = float(box.health[what])
        if value > most:
            best, most = i, value
    return best
