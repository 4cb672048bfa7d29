"""What holds at every step of Vengeance."""

from hardmode.sim.games.vengeance import components as c
from hardmode.sim.games.vengeance.scoring import score


def check(box, table, hidden):
    boards = [table.board[s] for s in range(table.seats)]
    lying = sum(c.in_hand(b) + b[c.ASSIGNED] + b[c.LIFE_DICE] for b in boards)
    assert table.pool >= 0 and table.pool + lying == box.pool, "a die is lost or made"
    if box.contention == c.EQUAL_SHARE:
        assert sum(b[c.SHARE] for b in boards) == table.pool
    heroes = [b[c.HERO] for b in boards if b[c.HERO] >= 0]
    assert len(set(heroes)) == len(heroes), "two seats have one hero"
    assert len({hidden.boss[s] for s in range(table.seats)}) == table.seats, "two seats have one Boss"
    for board in boards:
        if board[c.HEALTH]:
            _board(box, table, board)


def _board(box, table, board):
    den = box.den[board[c.DEN]]
    assert 0 <= board[c.ROOM] < den[c.ROOMS] and board[c.VISITED] >> board[c.ROOM] & 1
    for mask in (board[c.EVADED], board[c.DOTTED], board[c.SLIPPED] if table.ending < 0 else 0):
        assert mask & ~den[c.MINION_MASK] == 0
    assert (board[c.EVADED] | board[c.DOTTED]) & ~board[c.ALIVE] == 0, "a crossed minion bears a mark"
    assert 0 <= board[c.DAMAGE] <= board[c.HEALTH] <= 8
    assert 0 <= board[c.WOUNDS] and board[c.WOUNDS] + board[c.LIFE_DICE] <= board[c.LIFE]
    assert box.life_base <= board[c.LIFE] <= box.life_base + box.life_extra
    assert 0 <= board[c.SPENT] <= board[c.XP] <= box.training_n and 0 <= board[c.LOOT] <= box.loot_n
    assert board[c.KO] <= box.ko_slots and board[c.OUT] == (board[c.KO] >= box.ko_slots)
    assert c.size_of(board[c.OWNED]) <= box.skill_limit
    assert c.in_hand(board) <= c.hand_cap(box, board) or table.phase != 2
    for skill in range(c.SKILLS):
        row = c.row_of(board, skill)
        assert c.focus_marks(board, skill) <= box.slots[row] and 0 <= board[c.SHARPS + skill] <= board[c.GROUPS + skill]
        assert not box.once[row] or board[c.GROUPS + skill] <= 1
    for item in range(c.ITEMS):
        kept = board[c.STORED + item] + board[c.SPENT_USES + item]
        assert 0 <= board[c.STORED + item] and kept <= box.capacity[c.row_of(board, c.SKILLS + item)]
    most = (max(box.loot_track) + max(box.training_track) + den[c.BOSS_POINTS + board[c.HEALTH]] + box.kill_points
            + sum(den[c.GOAL_POINTS + room] for room in range(den[c.ROOMS])))
    assert -box.exit_points * den[c.ROOMS] <= score(box, board[c.DEN], board) <= most
