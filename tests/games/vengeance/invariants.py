"""What holds at every step of Vengeance."""

from hardmode.sim.games.vengeance.names import ITEMS, SKILLS, Contention, Den, Event, Phase, Slot
from hardmode.sim.games.vengeance.packing import size_of
from hardmode.sim.games.vengeance.player_board import focus_marks, hand_cap, in_hand, row_of
from hardmode.sim.games.vengeance.scoring import score


def check(box, table, hidden):
    boards = [table.board[s] for s in range(table.seats)]
    lying = sum(in_hand(b) + b[Slot.ASSIGNED] + b[Slot.LIFE_DICE] for b in boards)
    assert table.pool >= 0 and table.pool + lying == box.pool, "a die is lost or made"
    if box.contention == Contention.EQUAL_SHARE:
        assert sum(b[Slot.SHARE] for b in boards) == table.pool
    heroes = [b[Slot.HERO] for b in boards if b[Slot.HERO] >= 0]
    assert len(set(heroes)) == len(heroes), "two seats have one hero"
    assert len({hidden.boss[s] for s in range(table.seats)}) == table.seats, "two seats have one Boss"
    for seat in range(table.seats):
        assert hidden.own[seat].pace > 0 or box.factor[seat] == 0
        if table.phase == Phase.ROLL and boards[seat][Slot.EVENT] != Event.DONE:
            assert hidden.ends[seat] >= table.since[seat], "an event ends before it begins"
    for board in boards:
        if board[Slot.HEALTH]:
            _board(box, table, board)


def _board(box, table, board):
    den = box.den[board[Slot.DEN]]
    assert 0 <= board[Slot.ROOM] < den[Den.ROOMS] and board[Slot.VISITED] >> board[Slot.ROOM] & 1
    for mask in (board[Slot.EVADED], board[Slot.DOTTED], board[Slot.SLIPPED] if table.ending < 0 else 0):
        assert mask & ~den[Den.MINION_MASK] == 0
    assert (board[Slot.EVADED] | board[Slot.DOTTED]) & ~board[Slot.ALIVE] == 0, "a crossed minion bears a mark"
    assert 0 <= board[Slot.DAMAGE] <= board[Slot.HEALTH] <= 8
    assert 0 <= board[Slot.WOUNDS] and board[Slot.WOUNDS] + board[Slot.LIFE_DICE] <= board[Slot.LIFE]
    assert box.life_base <= board[Slot.LIFE] <= box.life_base + box.life_extra
    assert 0 <= board[Slot.SPENT] <= board[Slot.XP] <= box.training_n and 0 <= board[Slot.LOOT] <= box.loot_n
    assert board[Slot.KO] <= box.ko_slots and board[Slot.OUT] == (board[Slot.KO] >= box.ko_slots)
    assert size_of(board[Slot.OWNED]) <= box.skill_limit
    assert in_hand(board) <= hand_cap(box, board) or table.phase != Phase.ROLL
    for skill in range(SKILLS):
        row = row_of(board, skill)
        assert focus_marks(board, skill) <= box.slots[row]
        assert 0 <= board[Slot.SHARPS + skill] <= board[Slot.GROUPS + skill]
        assert not box.once[row] or board[Slot.GROUPS + skill] <= 1
    for item in range(ITEMS):
        kept = board[Slot.STORED + item] + board[Slot.SPENT_USES + item]
        assert 0 <= board[Slot.STORED + item] and kept <= box.capacity[row_of(board, SKILLS + item)]
    most = (max(box.loot_track) + max(box.training_track) + den[Den.BOSS_POINTS + board[Slot.HEALTH]] + box.kill_points
            + sum(den[Den.GOAL_POINTS + room] for room in range(den[Den.ROOMS])))
    assert -box.exit_points * den[Den.ROOMS] <= score(box, board[Slot.DEN], board) <= most
