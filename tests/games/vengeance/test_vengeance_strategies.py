"""Strategies are ranked as intended, and the levels of the solo challenge are a ladder."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from playing import column, engine, play
from vengeance_case import GR, Case, alive

from hardmode.scenarios.load import create_variant
from hardmode.sim.games.vengeance import GAME
from hardmode.sim.games.vengeance.names import Basic, Den, Kind, Slot, Verb
from hardmode.sim.games.vengeance.packing import first_of, verb_of
from hardmode.sim.records import Cells
from hardmode.strategies.vengeance import WEIGHTS, first_fit, steady

LADDER = ("random", "beginner", "steady", "planner")


def scores(who, games, **setup):
    v = create_variant("vengeance", players=1, setup=setup)
    return column(GAME, play(engine("vengeance", v.box, who), games, seed=3), "score 1").astype(float)


def apart(low, high):
    """The mean of the one lies below that of the other by more than four standard errors."""
    return high.mean() - low.mean() > 4 * (low.var() / len(low) + high.var() / len(high)) ** 0.5


def test_better_strategies_score_more():
    found = [scores(who, 400 if who == "planner" else 3000) for who in LADDER]
    assert all(apart(low, high) for low, high in pairwise(found)), [s.mean() for s in found]


def eliminated(who, games=4000):
    v = create_variant("vengeance", players=1)
    return column(GAME, play(engine("vengeance", v.box, who), games, seed=5), "eliminated 1").astype(float)


def test_a_beginner_lives_longer_than_somebody_who_plays_at_random():
    """The rulebook calls a second KO before the last round extremely improbable."""
    beginner, random = eliminated("beginner"), eliminated("random")
    assert beginner.mean() < random.mean() / 2 and apart(beginner, random)


def test_the_three_levels_are_a_ladder():
    """Scores on the same luck, and the chance to reach each level's own target."""
    levels = ("easy", "medium", "hard")
    means = [scores("steady", 3000, pool=x, timer=x, target=x) for x in levels]
    assert apart(means[1], means[0]) and apart(means[2], means[1])
    reached = [(s >= target).mean() for s, target in zip(means, (18, 23, 28), strict=True)]
    assert reached[0] > reached[1] > reached[2]


@pytest.mark.parametrize(("level", "mean"), [("easy", 20.9), ("medium", 17.6), ("hard", 13.7)])
def test_steady_scores_as_the_tracks_were_calibrated(level, mean):
    """The numbers on the tracks were set so that a fair heuristic scores about this much."""
    assert abs(scores("steady", 4000, pool=level, timer=level).mean() - mean) < 2


@pytest.mark.parametrize("who", ["boss_rush", "clear_and_loot", "engine_builder", "pool_hog"])
def test_strategies_with_a_bent_of_their_own_play_better_than_a_beginner(who):
    games = 400 if who == "pool_hog" else 2000
    assert scores(who, games).mean() > scores("beginner", 2000).mean() + 2


def test_every_hero_scores():
    for hero in ("shadowman", "bruiser", "gunslinger", "acrobat"):
        assert 14 < scores("steady", 1000, heroes=[hero]).mean() < 21
    assert np.isfinite(scores("random_legal", 50)).all()


# --- single decisions ----------------------------------------------------------------------------


def chosen(case):
    """What `steady` takes at a decision, as (verb, number)."""
    listed = case.options()
    weights = np.array(list(WEIGHTS["steady"].values())).view(Cells)
    option = listed[steady(case.box, case.table, None, listed, len(listed), case.luck, weights)]
    return Verb.labels()[verb_of(option)], first_of(option)


@pytest.mark.plain
def test_the_last_step_leads_where_something_is_to_be_had():
    """From room 1 three doors lead on; behind the second, nobody stands beside the loot."""
    case = Case().at_combat(room=1, SPRINT=1)
    alive(case.board, GR)
    case.board[Slot.TAKEN] = 1 << 1
    assert chosen(case) == ("use group", Basic.labels().index("SPRINT"))
    case.take(Verb.GROUP)
    case.next()
    assert case.table.kind == Kind.TARGET and chosen(case) == ("go to", 2)


@pytest.mark.plain
@pytest.mark.parametrize(("kos", "bold"), [(0, True), (1, False)])
def test_who_would_die_of_it_does_not_walk_in_on_the_boss(kos, bold):
    """With one free life slot left he costs a KO, and the second KO is the end."""
    case = Case().at_combat(room=2, SPRINT=1, STRIKE=5)
    alive(case.board)
    case.board[Slot.KO], case.board[Slot.WOUNDS], case.board[Slot.TAKEN] = kos, 2, 1 << 2
    case.board[Slot.HEALTH] = 8
    case.take(Verb.GROUP, 0)
    case.next()
    assert (chosen(case) == ("go to", 3)) is bold


def beginners(case):
    """What a beginner takes at a decision, as (verb, number)."""
    listed = case.options()
    option = listed[first_fit(case.box, case.table, None, listed, len(listed), case.luck, ())]
    return Verb(verb_of(option)).label, first_of(option)


@pytest.mark.plain
@pytest.mark.parametrize(("wounds", "goes"), [(0, "use group"), (1, "end")])
def test_a_beginner_does_not_walk_into_a_ko(wounds, goes):
    """Next door the Boss would give a wound; of two free slots that would leave one."""
    case = Case().at_combat(room=2, SPRINT=1)
    case.board[Slot.ALIVE] &= case.box.den[case.den, Den.INSIDE + 3]
    case.board[Slot.VISITED] |= 0b11
    case.board[Slot.WOUNDS] = wounds
    assert beginners(case)[0] == goes


@pytest.mark.plain
def test_a_beginner_cares_when_hurt():
    case = Case()
    board = case.board
    board[Slot.FLASH:Slot.FLASH + 5] = [1, 0, 1, 0, 1]
    assert beginners(case)[0] == "collect"
    board[Slot.WOUNDS] = 1
    assert beginners(case)[0] == "clean wounds"


@pytest.mark.plain
@pytest.mark.parametrize(("wounds", "does"), [(0, "place on life bar"), (1, "stop")])
def test_a_beginner_stops_rolling_in_danger(wounds, does):
    case = Case().at_roll("WWWW", pool=0)
    case.board[Slot.WOUNDS] = wounds
    assert beginners(case)[0] == does
