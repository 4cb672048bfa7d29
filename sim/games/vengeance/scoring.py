"""The final score and the winners."""

from __future__ import annotations

from hardmode.sim.games.vengeance.components import (
    BOSS_POINTS,
    DAMAGE,
    DEN,
    GOAL_POINTS,
    LIFE,
    LOOT,
    MARKED_OBJECTIVES,
    OUT,
    ROOMS,
    SPENT,
    WOUNDS,
    XP,
)
from hardmode.sim.games.vengeance.den import boss_alive, exit_rooms
from hardmode.sim.records import rule

REACHED, MISSED, ELIMINATED, WON, SHARED, NOBODY = range(6)
ENDINGS = ("target reached", "target missed", "eliminated", "one winner", "shared victory", "nobody left")


@rule
def track(box, numbers, n, at):
    """The number of the leftmost free box of a track of n boxes; `at` are filled."""
    full = numbers[n] if box.full_track == 0 else numbers[n - 1] if box.full_track == 1 else 0
    return numbers[at] if at < n else full


@rule
def loot_points(box, board):
    return track(box, box.loot_track, box.loot_n, board[LOOT])


@rule
def training_points(box, board):
    slots = board[XP] - board[SPENT] if box.spent_xp_scores else board[XP]
    return track(box, box.training_track, box.training_n, slots)


@rule
def boss_points(box, den, board):
    return box.den[den, BOSS_POINTS + board[DAMAGE]]


@rule
def kill_points(box, board):
    return 0 if boss_alive(board) else box.kill_points


@rule
def objective_points(box, den, board):
    points = 0
    for room in range(box.den[den, ROOMS]):
        if (board[MARKED_OBJECTIVES] >> room) & 1:
            points += box.den[den, GOAL_POINTS + room]
    return points


@rule
def score(box, den, board):
    """The score that the board shows now; an eliminated player has none unless the switch says so."""
    if board[OUT] and box.eliminated_score == 0:
        return 0
    return (loot_points(box, board) + training_points(box, board) + boss_points(box, den, board)
            + kill_points(box, board) + objective_points(box, den, board)
            - box.exit_points * exit_rooms(box, den, board))


@rule
def rank_key(box, table, seat):
    """What players are ranked by: alive, then score, then uncrossed life slots."""
    board = table.board[seat]
    alive = 0 if board[OUT] and box.eliminated_score == 0 else 1
    return alive * 1000000 + (score(box, board[DEN], board) + 1000) * 100 + board[LIFE] - board[WOUNDS]


@rule
def winners(box, table):
    best = -1
    mask = 0
    for seat in range(table.seats):
        key = rank_key(box, table, seat)
        if key > best:
            best = key
            mask = 0
        if key == best:
            mask |= 1 << seat
    return mask


@rule
def everybody_out(table):
    for seat in range(table.seats):
        if not table.board[seat][OUT]:
            return False
    return True


@rule
def ending_of(box, table):
    """How a finished game ended."""
    if table.seats == 1:
        board = table.board[0]
        if board[OUT]:
            return ELIMINATED
        return REACHED if score(box, board[DEN], board) >= box.target else MISSED
    if everybody_out(table) and box.eliminated_score == 0:
        return NOBODY
    mask = winners(box, table)
    return WON if mask & (mask - 1) == 0 else SHARED
