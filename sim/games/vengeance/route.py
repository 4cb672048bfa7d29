"""Combat for a strategy with weights: where to go, what to use, whom to strike; and the choices of set-up."""

from __future__ import annotations

from sim.games.vengeance.combat import (
    current_action,
)
from sim.games.vengeance.components import (
    BOSS,
    BOSS_ROOM,
    CHOOSE_SIDE,
    DEN,
    EVADE,
    GOAL_POINTS,
    HIT,
    ICONS_IN,
    KILL,
    LEAP,
    LEAPS,
    MOVE,
    ROOM,
    ROOMS,
    SHOT,
    V_GO,
    V_ITEM,
    V_SHARP,
    first_of,
    row_of,
    verb_of,
)
from sim.games.vengeance.judge import (
    best_room,
    blows_ready,
    distance,
    pinned,
    prey,
    steps_ready,
    stock,
)
from sim.records import rule

# --- combat --------------------------------------------------------------------------------------


@rule
def heading(box, table, seat, w):
    """The room that the pawn makes for."""
    board = table.board[seat]
    goal = board[ROOM]
    if not pinned(box, board[DEN], board):
        total = stock(box, board)
        goal = best_room(box, table, seat, steps_ready(total), blows_ready(total), table.round == box.rounds, w)
    return goal


@rule
def tile_value(action, length, is_item, far, lands):
    """How well it suits to use a tile now that begins with this action, so far from where the pawn is heading;
    `lands`: a LEAP leads there."""
    value = 2.0
    if action == MOVE:
        value = 5.0 + (0.3 if (far == 1) == (length > 1) else 0.0) if far > 0 else -1.0
    elif action == LEAP:
        value = 5.5 if far > 0 and lands else 4.5 if far > 2 else -1.0
    elif action == HIT or action == KILL:
        value = (4.0 if far == 0 else 1.0) + 0.1 * length - (0.5 if is_item else 0.0)
    elif action == SHOT:
        value = 3.0
    elif action == EVADE:
        value = 1.5
    return value


@rule
def best_tile(box, table, options, n, w):
    board = table.board[table.seat]
    den, here = board[DEN], board[ROOM]
    goal = heading(box, table, table.seat, w)
    far = distance(box, den, here, goal)
    lands = (box.den[den, LEAPS + here] >> goal) & 1 == 1
    best, most = n - 1, 0.0
    for i in range(n - 1):  # the last option ends it
        verb = verb_of(options[i])
        row = row_of(board, first_of(options[i]))
        length = box.sharp_length[row] if verb == V_SHARP else box.length[row]
        value = tile_value(box.effect[row, 0], length, verb == V_ITEM, far, lands)
        if value > most:
            best, most = i, value
    return best


@rule
def best_target(box, table, options, n, w):
    board = table.board[table.seat]
    den = board[DEN]
    action = current_action(box, board)
    best, most = 0, -1e9
    goal = heading(box, table, table.seat, w) if action == MOVE or action == LEAP else 0
    for i in range(n):
        what = first_of(options[i])
        if verb_of(options[i]) == V_GO:
            value = -float(distance(box, den, what, goal))
        elif what == BOSS:
            value = 50.0
        else:
            value = prey(box, den, board, what, action)
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
