"""Combat for a strategy with weights: where to go, what to use, whom to strike; and the choices of set-up."""

from __future__ import annotations

from hardmode.sim.games.vengeance.combat import (
    current_action,
)
from hardmode.sim.games.vengeance.components import (
    ALIVE,
    BOSS,
    BOSS_ROOM,
    BOUNCER,
    CHOOSE_SIDE,
    DEN,
    EVADE,
    EVADED,
    GOAL_POINTS,
    HIT,
    ICONS_IN,
    INSIDE,
    KILL,
    LEAP,
    LEAP_HIT,
    LEAPS,
    MOVE,
    OF_KIND,
    POWER,
    ROOM,
    ROOMS,
    SHOT,
    V_GO,
    V_ITEM,
    V_SHARP,
    VISITED,
    first_of,
    row_of,
    verb_of,
)
from hardmode.sim.games.vengeance.judge import (
    best_room,
    distance,
    in_use,
    pinned,
    prey,
    stock,
)
from hardmode.sim.records import rule

# --- combat --------------------------------------------------------------------------------------


@rule
def heading(box, table, seat, w):
    """The room that the pawn makes for."""
    board = table.board[seat]
    if pinned(box, board[DEN], board[POWER], board[ROOM], board[ALIVE] & ~board[EVADED]):
        return board[ROOM]
    total, carried = stock(box, table, seat)
    return best_room(box, table, seat, total + in_use(box, table, seat), carried, table.round == box.rounds, w)


@rule
def stride(action, far, length, lands):
    """How well a MOVE or LEAP suits a pawn so far from where it is heading; `lands`: a LEAP leads there."""
    value = -1.0
    if far > 0 and action == MOVE:
        value = 5.0 + (0.3 if (far == 1) == (length > 1) else 0.0)
    elif far > 0:
        value = 5.5 if lands else 4.5 if far > 2 else -1.0
    elif action == LEAP and length > 1 and lands:
        value = 3.5  # there and back, to strike again
    return value


@rule
def tile_value(box, row, length, is_item, far, lands, leap_strikes):
    """How well it suits to use a tile now, so far from where the pawn is heading."""
    action = box.effect[row, 0]
    moves = box.contents[row] & 63
    value = 2.0
    if action == MOVE or action == LEAP:
        value = stride(action, far, length + leap_strikes, lands)
    elif moves:
        value = 5.1 if far == 1 else 4.9 if far > 0 else -1.0
    elif action == HIT or action == KILL:
        value = (4.0 if far == 0 else 1.0) + 0.1 * length - (0.5 if is_item else 0.0)
    elif action == SHOT:
        value = 3.0
    elif action == EVADE:
        value = 4.2 if far == 0 else 1.5
    return value


@rule
def best_tile(box, table, options, n, w):
    board = table.board[table.seat]
    den, here = board[DEN], board[ROOM]
    goal = heading(box, table, table.seat, w)
    far = distance(box, den, here, goal)
    lands = (box.den[den, LEAPS + here] >> goal) & 1 == 1
    leap_strikes = 1 if board[POWER] & LEAP_HIT else 0
    best, most = n - 1, 0.0
    for i in range(n - 1):  # the last option ends it
        verb = verb_of(options[i])
        row = row_of(board, first_of(options[i]))
        length = box.sharp_length[row] if verb == V_SHARP else box.length[row]
        value = tile_value(box, row, length, verb == V_ITEM, far, lands, leap_strikes)
        if value > most:
            best, most = i, value
    return best


@rule
def way_value(box, table, seat, room, goal):
    """A step on the way to where the pawn is heading, around those who would hold it."""
    board = table.board[seat]
    den = board[DEN]
    value = -1.0 * distance(box, den, room, goal)
    if room != goal and box.den[den, INSIDE + room] & box.den[den, OF_KIND + BOUNCER] & board[ALIVE] & ~board[EVADED]:
        value -= 0.5
    if not (board[VISITED] >> room) & 1:
        value += 0.2
    return value


@rule
def best_target(box, table, options, n, w):
    action = current_action(box, table.board[table.seat])
    best, most = 0, -1e9
    goal = 0
    if action == MOVE or action == LEAP:
        goal = heading(box, table, table.seat, w)
    for i in range(n):
        what = first_of(options[i])
        if verb_of(options[i]) == V_GO:
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
    value = -1.0 * distance(box, den, 0, box.den[den, BOSS_ROOM])
    for room in range(box.den[den, ROOMS]):
        value += 0.5 * box.den[den, ICONS_IN + room] + 0.4 * box.den[den, GOAL_POINTS + room]
    return value


@rule
def set_up(box, table, options, n):
    """The better side; of two bosses the one of more health; the first hero."""
    best, most = 0, -1e9
    for i in range(n):
        what = first_of(options[i])
        value = side_value(box, table, what) if table.kind == CHOOSE_SIDE else 0.0
        if table.kind < CHOOSE_SIDE and verb_of(options[i]) == 1:
            value = float(box.health[what])
        if value > most:
            best, most = i, value
    return best
