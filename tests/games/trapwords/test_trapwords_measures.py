"""Every measure of a game: a table laid by hand, on which no two of them are alike wherever that is possible."""


import numpy as np
import pytest
from trapwords_case import Board

from hardmode.sim.games.trapwords import GAME
from hardmode.sim.games.trapwords.measures import outcome
from hardmode.sim.games.trapwords.names import A, B, Cause, Curse, Ending, Monster
from hardmode.sim.records import Cells, blank

pytestmark = pytest.mark.plain


def row_of(b):
    """The row of a table by the names of its columns."""
    rows = blank(GAME.row)
    for _ in range(2):  # it is written anew after every round
        outcome(b.box, b.table, rows.view(Cells)[0])
    return dict(zip(GAME.columns, rows.view(np.ndarray).view(np.int64).tolist(), strict=True))


def laid():
    """Team B has won in round 7, after it had received the glowing book in round 1."""
    b = Board(turn__reading=3.0, turn__between_turns=200.0)
    t = b.table
    t.ending, t.round, t.glow = Ending.B_WINS, 7, B
    t.position[A], t.position[B], t.monster_at = 2, 5, 19
    t.stalls, t.attempts[A], t.attempts[B] = 23, 11, 17
    t.monster, t.starred, t.met_by, t.met_room, t.met_round = Monster.DEMON, 1, 2, 10, 8
    t.seen[0], t.seen[1] = 1 + Curse.HASTE, 1 + Curse.FLOOD
    for i, leader in enumerate((1, 2, 0, 2)):
        t.leads[i] = leader
    t.lead_changes, t.talk = 24, 345.9
    t.cursed[A], t.cursed[B], t.cursed_wins[A], t.cursed_wins[B] = 31, 32, 33, 34
    for cause in Cause:
        t.ends[cause, A], t.ends[cause, B] = 41 + 2 * cause, 42 + 2 * cause
    return b


def test_every_measure():
    assert row_of(laid()) == {
        "ending": 1, "rounds": 7, "winners": 2, "score 1": 2, "score 2": 6,
        "rounds without advance": 23, "lead": 3, "distance to the monster": 14, "fights": 28,
        "monster": 4, "starred": 1, "first book": 1, "first curse": 9, "second curse": 1, "first to face": 2,
        "room of the first fight": 10,
        "leader after round 1": 1, "leader after round 2": 2, "leader after round 3": 0, "leader after round 4": 2,
        "round of the first fight": 8, "lead changes": 24,
        "seconds of talk": 345, "seconds at the table": 345 + 7 * 206,
        "attempts at the monster 1": 11, "attempts at the monster 2": 17,
        "cursed turns 1": 31, "cursed turns 2": 32, "cursed successes 1": 33, "cursed successes 2": 34,
        "successes 1": 41, "successes 2": 42, "failed: trap 1": 43, "failed: trap 2": 44,
        "failed: invalid clue 1": 45, "failed: invalid clue 2": 46,
        "failed: wrong guesses 1": 47, "failed: wrong guesses 2": 48, "failed: timer 1": 49, "failed: timer 2": 50,
        "failed: card or odds 1": 51, "failed: card or odds 2": 52, "failed: on purpose 1": 53,
        "failed: on purpose 2": 54,
    }


@pytest.mark.parametrize("ending, winners, scores", [
    (Ending.A_WINS, 1, (3, 5)), (Ending.B_WINS, 2, (2, 6)), (Ending.BOTH_WIN, 3, (3, 6)),
    (Ending.MONSTER_WINS, 0, (2, 5)), (len(Ending), 0, (2, 5))])
def test_a_win_is_one_room_more(ending, winners, scores):
    b = laid()
    b.table.ending = ending
    row = row_of(b)
    assert (row["ending"], row["winners"], row["score 1"], row["score 2"]) == (ending, winners, *scores)


def test_in_the_middle_of_a_game_factors_and_what_is_followed_are_known():
    b = laid()
    at_the_end = row_of(b)
    b.table.ending = -1
    row = row_of(b)
    followed = [m.name for m in GAME.measures if m.curve]
    assert [row[name] for name in followed] == [23, 3, 14, 28]
    for measure in GAME.measures:
        if measure.factor:
            assert row[measure.name] == at_the_end[measure.name]
    assert not any(row[name] for name in list(row)[list(row).index("round of the first fight"):])


@pytest.mark.parametrize("book, first", [("team_a", A), ("team_b", B)])
def test_the_monster_and_the_first_book_are_known_from_the_deal_on(book, first):
    b = Board({"monster": "dragon", "starred": "starred"}, switches__first_book=book)
    for round_ in (1, 2, 3):
        row = row_of(b)
        assert (b.table.round, row["monster"], row["starred"], row["first book"]) == (round_, Monster.DRAGON, 1, first)
        b.round("FF")


@pytest.mark.parametrize("limit", [1, 4, 8, 12])
@pytest.mark.parametrize("last_round, ending", [
    ("monster_wins", Ending.MONSTER_WINS), ("leader_wins", Ending.BOTH_WIN)])
def test_the_rounds_told_at_the_limit_are_those_that_were_played(limit, last_round, ending):
    b = Board(dungeon__rounds=limit, switches__last_round=last_round)
    played = 0
    while b.table.ending < 0:
        played += 1
        assert row_of(b)["rounds"] == played
        b.round("FF")
    assert (b.table.ending, played, row_of(b)["rounds"]) == (ending, limit, limit)


def test_the_book_of_round_1_is_found_again_in_any_round():
    for book, first in (("team_a", A), ("team_b", B)):
        b = Board(switches__first_book=book)
        for _ in range(8):
            now = b.table.ending
            b.table.ending = Ending.MONSTER_WINS
            assert row_of(b)["first book"] == first
            b.table.ending = now
            b.round("FF")


def test_a_game_that_was_played_is_counted():
    """The trailing team fails at everything; the leader beats the monster alone in room 7."""
    b = Board()
    for _ in range(4):
        b.round("SF")
    row = row_of(b.round("SF"))
    wanted = {"ending": 0, "rounds": 5, "winners": 1, "score 1": 5, "score 2": 0, "rounds without advance": 0,
              "lead": 4, "distance to the monster": 0, "fights": 1, "first to face": 1, "room of the first fight": 7,
              "leader after round 1": 1, "leader after round 4": 1, "round of the first fight": 5, "lead changes": 0,
              "attempts at the monster 1": 1, "cursed turns 1": 2, "cursed successes 1": 2, "cursed turns 2": 0,
              "successes 1": 5, "successes 2": 0, "failed: trap 1": 0, "failed: trap 2": 5}
    assert {name: row[name] for name in wanted} == wanted and row["first curse"] and row["second curse"]
