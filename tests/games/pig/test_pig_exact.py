"""Pig against what is known of it, and against its own Markov chain, solved exactly."""

import pytest
from pig_chain import GOAL, chances, hold_at_20, keep_pace, turn_of
from playing import pig_engine, play
from scipy import stats

from hardmode.studies.luck import luck
from hardmode.studies.play import Effort

ALPHA = 1e-5  # for each of the comparisons with an exact value below


def first_wins(first, second):
    """The chance that the first player wins."""
    return chances(first, second)[0][0, 0]


def test_a_turn_of_hold_at_20_is_the_published_one():
    """Neller and Presser, Optimal Play of the Dice Game Pig (2004): 8.14 points, nothing in 62.45 %."""
    adds = turn_of(hold_at_20, 0, 0)
    assert sum(adds.values()) == pytest.approx(1)
    assert sum(k * p for k, p in adds.items()) == pytest.approx(8.14, abs=0.005)
    assert adds[0] == pytest.approx(0.6245, abs=0.00005)


def test_the_chain_is_right_where_the_answer_is_known():
    """Who moves first against himself wins more than half; both chances of a pair of players add up."""
    both = first_wins(hold_at_20, hold_at_20)
    assert 0.53 < both < 0.54
    assert first_wins(keep_pace, hold_at_20) > both > 1 - first_wins(keep_pace, hold_at_20)


@pytest.mark.parametrize("names, players", [(("steady", "steady"), (hold_at_20, hold_at_20)),
                                            (("keep_pace", "steady"), (keep_pace, hold_at_20)),
                                            (("steady", "keep_pace"), (hold_at_20, keep_pace))])
def test_played_games_are_won_as_often_as_the_chain_says(names, players):
    games = 200_000
    won = int((play(pig_engine(*names), games)[0] == 0).sum())
    assert stats.binomtest(won, games, first_wins(*players)).pvalue > ALPHA


def test_turns_score_what_they_should():
    """One player alone: points at the first round's end follow the chances of a turn."""
    games = 100_000
    rounds = play(pig_engine(players=1, target=20), games)[1]  # a turn of 20 or more ends the game
    adds = turn_of(hold_at_20, GOAL - 20, 0)
    assert stats.binomtest(int((rounds == 1).sum()), games, 1 - adds[0]).pvalue > ALPHA


@pytest.mark.parametrize("better, worse", [("beginner", "random"), ("steady", "beginner"), ("keep_pace", "steady")])
def test_the_strategies_rank_as_they_should(better, worse):
    games = 20_000
    won = int((play(pig_engine(better, worse), games)[0] == 0).sum())
    won += int((play(pig_engine(worse, better), games)[0] == 1).sum())
    assert stats.binomtest(won, 2 * games).proportion_ci(0.999, "wilson").low > 0.5


def test_the_first_roll_decides_as_much_as_the_chain_says():
    """Alone, it holds the variance of the first player's chance over its six faces."""
    waits = chances(hold_at_20, hold_at_20)[1]
    after = [waits[0, 0]] + [sum(p * waits[k, 0] for k, p in turn_of(hold_at_20, 0, 0, face).items())
                             for face in range(2, 7)]
    p = first_wins(hold_at_20, hold_at_20)
    assert sum(after) / 6 == pytest.approx(p)
    truth = sum((x - p) ** 2 for x in after) / 6 / (p * (1 - p))
    found = luck("pig/classic", Effort(confidence=1 - ALPHA), games=60_000, draw="die 1 0 0")
    share = found.share(found.win, found.more[0])
    assert share.first.low < truth < share.first.high and share.first.low > 0
    assert share.first.half_width < 0.005 < share.total.low
