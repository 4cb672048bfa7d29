"""What must hold over many games: nobody is favoured by the seat, and slower hands do not score more."""

from __future__ import annotations

import pytest
from playing import column, engine, play

from hardmode.scenarios.load import create_variant
from hardmode.sim.games.vengeance import GAME
from hardmode.sim.games.vengeance.names import Contention

GAMES = 6000


def rows_of(players, games=GAMES, seed=11, who="steady", **rules):
    v = create_variant("vengeance", players=players, rules=rules)
    return play(engine("vengeance", v.box, who), games, seed=seed)


@pytest.mark.parametrize("mode", Contention.labels())
def test_no_seat_is_favoured(mode):
    rows = rows_of(3, **{"time.contention": mode})
    for measure in ("score", "dice used", "dice used in round 1"):
        seats = [column(GAME, rows, f"{measure} {s}").astype(float) for s in (1, 2, 3)]
        for one, other in ((0, 1), (0, 2), (1, 2)):
            gap = seats[one] - seats[other]
            assert abs(gap.mean()) < 4 * gap.std() / len(gap) ** 0.5


def test_slower_hands_score_less():
    means = [column(GAME, rows_of(1, **{"time.factor": [f, 1.0, 1.0, 1.0]}), "score 1").mean() for f in (0.6, 1.0, 1.6)]
    assert means[0] > means[1] + 0.3 and means[1] > means[2] + 0.3


def test_every_roll_phase_ends_by_one_cause():
    rows = rows_of(2)
    ends = sum(column(GAME, rows, f"phases ended {how} 1") for how in ("by timer", "by pool", "stuck", "by choice"))
    whole = column(GAME, rows, "rounds")
    assert (ends <= whole).all() and (ends[column(GAME, rows, "eliminated 1") == 0] == 4).all()
    assert (column(GAME, rows, "phases ended by timer 1") == 0).all()
    assert (column(GAME, rows, "hands stuck 1") >= column(GAME, rows, "phases ended stuck 1")).all()


def test_alone_a_share_of_the_pool_is_the_pool():
    assert (rows_of(1, 1000) == rows_of(1, 1000, **{"time.contention": "equal_share"})).all()


@pytest.mark.parametrize("mode", ["round_robin", "budget"])
def test_models_without_a_clock_leave_out_the_timer(mode):
    """Neither the durations nor the timer move a game, and no phase is ended by the bell."""
    rows = rows_of(1, 500, **{"time.contention": mode})
    slow = {"time.factor": [9.0, 1.0, 1.0, 1.0], "solo.timer.medium": 1.0, "time.contention": mode}
    assert (rows == rows_of(1, 500, **slow)).all()
    assert mode == "budget" or not column(GAME, rows, "phases ended by timer 1").any()


@pytest.mark.parametrize("limit", [1, 2, 4, 8])
def test_the_rounds_told_at_the_limit_are_those_in_which_dice_were_rolled(limit):
    """Nobody can be eliminated with so many KO slots, so that every game reaches the limit."""
    rows = rows_of(1, 500, **{"game.rounds": limit, "life.ko_slots": 20})
    ends = sum(column(GAME, rows, f"phases ended {how} 1") for how in ("by timer", "by pool", "stuck", "by choice"))
    assert (column(GAME, rows, "rounds") == limit).all() and (ends == limit).all()


def test_the_rounds_told_of_an_eliminated_player_are_those_in_which_dice_were_rolled():
    rows = rows_of(1, 3000, who="random", **{"game.rounds": 8, "life.ko_slots": 1})
    ends = sum(column(GAME, rows, f"phases ended {how} 1") for how in ("by timer", "by pool", "stuck", "by choice"))
    out = column(GAME, rows, "eliminated 1") == 1
    assert (column(GAME, rows, "rounds") == ends).all() and 0 < out.sum() and (ends[out] < 8).any()


def test_uses_of_items_do_not_exceed_what_was_bought():
    rows = rows_of(1)
    for k in range(1, 5):
        assert (column(GAME, rows, f"item {k} used 1") <= column(GAME, rows, f"item {k} bought 1")).all()
        assert column(GAME, rows, f"item {k} bought 1").max() <= 3
