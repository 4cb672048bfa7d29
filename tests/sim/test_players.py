"""What players may not do, and what happens when they slip."""

import math
import tracemalloc
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from playing import engine, pig_box, pig_engine, play

from hardmode.sim.draws import game_key
from hardmode.sim.play import decisions
from hardmode.sim.play.decisions import make_player_key, makes_mistake
from hardmode.sim.play.player import Player, StrategyError
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.replay import choices
from hardmode.strategies import registry

pytestmark = pytest.mark.filterwarnings("ignore:overflow")  # keys are asked for in plain Python
GAMES = 60
TURN = 15


def to_the_ending(box, table, own, options, n, luck, weights):
    table.ending = 0
    return table.turn > TURN


def to_the_score(box, table, own, options, n, luck, weights):
    if table.score[0] > 60:
        table.score[0] += 1
    return table.turn > TURN


def to_its_own_part(box, table, own, options, n, luck, weights):
    own.nothing += 1
    return table.turn > TURN


def to_the_options(box, table, own, options, n, luck, weights):
    taken = table.turn > TURN
    options[0], options[1] = options[1], options[0]
    return taken


def to_the_weights(box, table, own, options, n, luck, weights):
    weights[0] += 1e-9
    return table.turn > weights[0]


def to_the_box(box, table, own, options, n, luck, weights):
    box.target = 30
    return table.turn > TURN


@pytest.mark.parametrize(
    "writes", [to_the_ending, to_the_score, to_its_own_part, to_the_options, to_the_weights, to_the_box]
)
@pytest.mark.parametrize("budget", [0, 2])
def test_a_users_strategy_that_writes_is_refused(writes, budget):
    made = Player("sly", writes, (20.0,), budget, "sly.py:1", is_user_strategy=True)
    with pytest.raises(StrategyError, match=r"sly.*wrote to"):
        play(engine("pig", pig_box(), made), GAMES)


def test_one_that_writes_nothing_plays_the_same_watched_or_not():
    fair = registry.create_player("pig", "steady")
    watched = Player("mine", fair.choose, fair.weights, 0, "mine.py:1", is_user_strategy=True)
    assert (play(pig_engine(fair), GAMES) == play(pig_engine(watched), GAMES)).all()


# -- slips ------------------------------------------------------------------------------------------


def careless(slips, other="random"):
    steady = registry.create_player("pig", "steady")
    return Player(
        "steady", steady.choose, steady.weights, mistake_rate=slips, mistake_player=registry.create_player("pig", other)
    )


def test_no_slips_change_nothing_and_nothing_but_slips_is_the_other_player():
    assert (play(pig_engine(careless(0.0)), GAMES) == play(pig_engine("steady"), GAMES)).all()
    assert (play(pig_engine(careless(1.0)), GAMES) == play(pig_engine("random"), GAMES)).all()
    assert (play(pig_engine(careless(1.0, "beginner")), GAMES) == play(pig_engine("beginner"), GAMES)).all()


def test_a_slip_at_a_smaller_share_is_one_at_a_larger():
    keys = [make_player_key(game_key(3, game), step) for game in range(200) for step in range(20)]
    few, many = (np.array([makes_mistake(k, share) for k in keys]) for share in (0.1, 0.35))
    assert (many | ~few).all()
    assert few.mean() == pytest.approx(0.1, abs=0.02) and many.mean() == pytest.approx(0.35, abs=0.03)


def test_until_the_first_slip_the_game_is_the_same():
    steady, other, desk = pig_engine("steady"), pig_engine(careless(0.15)), Workspace(pig_engine().game)
    for game in range(30):
        a, b = (choices(made, desk, 8, game)[0] for made in (steady, other))
        for step, (x, y) in enumerate(zip(a, b, strict=False)):
            if x != y:
                assert makes_mistake(make_player_key(game_key(8, game), step), 0.15)
                break


def test_seats_slip_each_for_itself():
    won = [
        play(pig_engine(*seats), 3000)[0]
        for seats in (("steady", "steady"), (careless(0.5), "steady"), ("steady", careless(0.5)))
    ]
    first = [(w == 0).mean() for w in won]
    assert first[1] < first[0] - 0.1 and first[2] > first[0] + 0.1


# -- who plays on in playouts -----------------------------------------------------------------------


def searching(plays_on=None, **more):
    return replace(
        registry.create_player("pig", "hold_at", {"threshold": 20.0}),
        rollout_budget=32,
        rollout_policy=plays_on,
        **more,
    )


def test_whoever_plays_on_is_asked_in_playouts_and_nowhere_else():
    usual, hasty = (registry.create_player("pig", "hold_at", {"threshold": t}) for t in (20.0, 3.0))
    same = play(pig_engine(searching()), GAMES)
    assert (play(pig_engine(searching(usual)), GAMES) == same).all()
    assert (play(pig_engine(searching(hasty)), GAMES) != same).any()
    slips = searching(hasty, mistake_rate=1.0, mistake_player=registry.create_player("pig", "beginner"))
    assert (play(pig_engine(slips), GAMES) == play(pig_engine("beginner"), GAMES)).all()
    assert len({who.compute_digest() for who in (searching(), searching(usual), searching(hasty))}) == 3


# -- how long a search looks ------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("score", "found", "worlds", "chosen"),
    [
        (2.7, lambda w: 0.0, [8], 0),  # it makes no difference
        (2.7, lambda w: 1.0 if w == 0 else 0.0, [8, 8], 0),  # once in sixteen worlds is no likely gain
        (2.7, lambda w: 1.0 if w < 3 else 0.0, [8, 8, 16, 32], 1),  # three gains and no loss are taken in the end
        (2.7, lambda w: 1.0 if w < 3 else -float(w in (17, 18, 19)), [8, 8, 16], 0),  # lost again at the second look
        (2.7, lambda w: 1.0 if w < 3 else -float(w in (33, 40)), [8, 8, 16, 32], 0),  # and last: one gain is too few
        (0.6, lambda w: 0.0, [8], 0),  # who asks for less
        (0.6, lambda w: 1.0 if w == 0 else 0.0, [8, 8, 16, 32], 1),  # takes it for one gain, if there is no loss
        (0.6, lambda w: float(w < 3) - float(w in (33, 40)), [8, 8, 16, 32], 0),
    ],
)
def test_what_may_be_better_is_looked_at_again_before_it_is_taken(monkeypatch, score, found, worlds, chosen):
    """Two options and 32 playouts: what the other one gains is scripted, world by world."""
    asked = []

    def compete(context, seat, first, left, more, world):
        assert (first, left, desk.lists[2][0]) == (0, 1, 1)
        gains = [found(sum(asked) + w) for w in range(more)]
        desk.gains[1] += sum(gains)
        desk.squared_gains[1] += sum(g * g for g in gains)
        asked.append(more)

    monkeypatch.setattr(decisions, "evaluate_candidates", compete)
    desk = SimpleNamespace(lists=np.zeros((3, 2), np.int64), gains=np.ones(2), squared_gains=np.ones(2))
    policies = decisions.Policies(None, None, SimpleNamespace(rollout_budget=[32], switch_score=[score]))
    context = decisions.Context(None, desk, None, policies, 100)
    i = decisions.search_with_rollouts(context, 0, 2, 0, np.uint64(5))
    assert (asked, i) == (worlds, chosen)


def test_a_player_who_asks_for_more_than_there_is_never_leaves_the_strategy():
    usual, sure, bold = (searching(switch_score=score) for score in (2.7, math.inf, 0.3))
    base = play(pig_engine(replace(usual, rollout_budget=0)), GAMES)
    assert (play(pig_engine(sure), GAMES) == base).all()
    assert (play(pig_engine(usual), GAMES) != base).any()
    assert (play(pig_engine(usual), GAMES) != play(pig_engine(bold), GAMES)).any()
    assert len({who.compute_digest() for who in (usual, sure, bold)}) == 3
    assert usual.compute_digest() == searching().compute_digest()


def test_a_hundred_boxes_that_the_same_players_play_take_the_memory_of_the_boxes():
    pig_engine()
    tracemalloc.start()
    held = [pig_engine() for _ in range(100)]
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert taken < 100_000 * len(held)
