"""The final score and the winners."""

from __future__ import annotations

from hardmode.sim.games.vengeance.den import boss_alive, exit_rooms
from hardmode.sim.games.vengeance.names import Den, Ending, Slot
from hardmode.sim.games.vengeance.switches import EliminatedScore, FullTrack
from hardmode.sim.records import rule


@rule
def track(box, numbers, n, at):
    """The number of the leftmost free box of a track of n boxes; `at` are filled."""
    points = 0
    if at < n:
        points = numbers[at]
    elif box.full_track == FullTrack.END_VALUE:
        points = numbers[n]
    elif box.full_track == FullTrack.LAST_PRINTED:
        points = numbers[n - 1]
    return points


@rule
def loot_points(box, board):
    return track(box, box.loot_track, box.loot_n, board[Slot.LOOT])


@rule
def training_points(box, board):
    slots = board[Slot.XP] - board[Slot.SPENT] if box.spent_xp_scores else board[Slot.XP]
    return track(box, box.training_track, box.training_n, slots)


@rule
def boss_points(box, den, board):
    return box.den[den, Den.BOSS_POINTS + board[Slot.DAMAGE]]


@rule
def kill_points(box, board):
    return 0 if boss_alive(board) else box.kill_points


@rule
def objective_points(box, den, board):
    points = 0
    for room in range(box.den[den, Den.ROOMS]):
        if (board[Slot.MARKED_OBJECTIVES] >> room) & 1:
            points += box.den[den, Den.GOAL_POINTS + room]
    return points


@rule
def score(box, den, board):
    """The score that the board shows now; an eliminated player has none unless the switch says so."""
    if board[Slot.OUT] and box.eliminated_score == EliminatedScore.NONE:
        return 0
    return (loot_points(box, board) + training_points(box, board) + boss_points(box, den, board)
            + kill_points(box, board) + objective_points(box, den, board)
            - box.exit_points * exit_rooms(box, den, board))


@rule
def rank_key(box, table, seat):
    """What players are ranked by: alive, then score, then uncrossed life slots."""
    board = table.board[seat]
    alive = 0 if board[Slot.OUT] and box.eliminated_score == EliminatedScore.NONE else 1
    return alive * 1000000 + (score(box, board[Slot.DEN], board) + 1000) * 100 + board[Slot.LIFE] - board[Slot.WOUNDS]


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
        if not table.board[seat][Slot.OUT]:
            return False
    return True


@rule
def ending_of(box, table):
    """How a finished game ended."""
    if table.seats == 1:
        board = table.board[0]
        if board[Slot.OUT]:
            return Ending.ELIMINATED
        return Ending.REACHED if score(box, board[Slot.DEN], board) >= box.target else Ending.MISSED
    if everybody_out(table) and box.eliminated_score == EliminatedScore.NONE:
        return Ending.NOBODY
    mask = winners(box, table)
    return Ending.WON if mask & (mask - 1) == 0 else Ending.SHARED
