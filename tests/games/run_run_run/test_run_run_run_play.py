"""Run Run Run!: whole games, compiled. Intervals are those of the samples at 4.5 standard errors; seeds are fixed."""

import math
from itertools import pairwise

import numpy as np
import pytest
from playing import column, engine, play

from hardmode.scenarios.load import create_variant
from hardmode.sim.games.run_run_run import GAME
from hardmode.sim.games.run_run_run.names import Ending

SEED = 20261118


def games(who, n, *, players=2, setup=None, seed=SEED, **rules):
    box = create_variant("run_run_run", players=players, setup=setup or {}, rules=rules).box
    return play(engine("run_run_run", box, who), n, seed=seed)


def rate(rows):
    won = column(GAME, rows, "ending") == Ending.WON
    return won.mean(), math.sqrt(max(won.mean() * (1 - won.mean()), 1 / len(won)) / len(won))


def apart(low, high):
    (a, s), (b, t) = rate(low), rate(high)
    return b - a > 4.5 * math.hypot(s, t)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_ranks_are_apart(players):
    ranks = [games(w, 1500, players=players) for w in ("random", "beginner", "steady", "veteran")]
    assert all(apart(low, high) for low, high in pairwise(ranks))


@pytest.mark.soak
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_expert_is_better_than_steady(players):
    assert apart(games("steady", 4000, players=players), games("expert", 100, players=players))


def test_random_play_does_not_win():
    assert rate(games("random", 5000))[0] <= 0.002


def test_steady_does_not_lose_to_a_trap_before_the_game_has_begun():
    rows = games("steady", 3000)
    early = (column(GAME, rows, "rounds") <= 2) & (column(GAME, rows, "ending") != Ending.WON)
    assert early.mean() < 0.02


def test_the_seats_do_not_matter():
    """Two heroes in either order win alike."""
    a, b = (rate(games("steady", 4000, setup={"heroes": h}))
            for h in (["brawler", "drawer"], ["drawer", "brawler"]))
    assert abs(a[0] - b[0]) < 4.5 * math.hypot(a[1], b[1])


def test_open_hands_alone_change_nothing_for_those_who_do_not_look():
    closed, opened = (games("steady", 300, **{"switches.communication": c}) for c in ("none", "open_hands"))
    assert (closed == opened).all()


@pytest.mark.parametrize(("harder", "easier"), [
    ({"mummy_dice.faces": [1, 1, 1, 1, 0, 0]}, {"mummy_dice.faces": [1, 1, 0, 0, 0, 0]}),
    ({"mummies.brute.hp": 9, "mummies.runner.hp": 9}, {}),
    ({}, {"switches.bonus_step_needs_symbol": True}),
    ({"hand.start": 3}, {"hand.start": 6}),
    ({"switches.spawn_rule": "random"}, {}),
    ({}, {"combat_dice.faces": ["hit", "hit", "hit", "hit", "ability", "card"]})])
def test_what_must_be_harder_is(harder, easier):
    assert apart(games("steady", 2000, **harder), games("steady", 2000, **easier))


def test_the_measures_fit_together():
    rows = games("steady", 1000, players=3)
    of = {name: rows[i] for i, name in enumerate(GAME.columns)}
    won = of["ending"] == Ending.WON
    assert (of["boss reached"][won] == 1).all() and (of["mummies in play"][won] == 0).all()
    assert (of["door mechanisms"] == 3).sum() == of["boss reached"].sum()
    assert (of["mummies woken"] + of["boss reached"] >= of["mummies killed"]).all()
    assert (of["turns"] - of["rooms placed"] >= of["fights"] + of["cooperations"]).all()
    assert ((of["first woken"] > 0) == (of["mummies woken"] > 0)).all()
    assert set(np.unique(of["boss"])) == {1, 2, 3} and (of["score 1"][won] == 1000).all()
    heroes = np.stack([of[f"hero {s}"] for s in (1, 2, 3)])
    assert (np.diff(np.sort(heroes, axis=0), axis=0) > 0).all() and (of["hero 4"] == -1).all()
