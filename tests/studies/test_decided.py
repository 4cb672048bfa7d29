"""When games are decided: Pig by its chain, and by hand."""

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports.console.decided import list_disputed_measures, print_decided
from hardmode.scenarios.load import load_scenario
from hardmode.sim.play.rollouts import Determinizer
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.replay import choices
from hardmode.studies.core.run import Effort, make_engine
from hardmode.studies.game_flow.decision_point import (
    DECIDED_LIMITS,
    LOST_LIMITS,
    DecisionPointAnalysis,
    GameTrace,
    PositionEstimate,
    analyze_decision_points,
    find_round_starts,
    find_winning_sides,
    run_sequential_ratio_test,
    trace_game,
)
from tests.oracles.pig import chance, hold_at_20

GAMES = [
    "run_run_run/standard",
    "woodlands/classic",
    "trapwords/standard",
    "vengeance/solo-medium",
    "vengeance/three-players",
]


def exact(worlds, desk, number, side):
    """The chance of the side that won, after each round of a game of Pig."""
    script, _ = choices(worlds.engine, desk, worlds.seed, number, log=True)
    found = []
    for _, step in find_round_starts(worlds, desk, number, script):
        worlds.seek(desk, number, script, step)
        first = chance(hold_at_20, hold_at_20, desk.tables.view(np.ndarray)["score"][0].tolist(), 0)
        found.append(1 - first if side else first)
    return found


def test_games_of_pig_are_decided_when_the_chain_says():
    """Where no chance lies within three points of 90 %, nor of 10 %, nothing is left open."""
    from hardmode.scenarios.load import load_scenario

    worlds = Determinizer(make_engine(load_scenario("pig/classic").cells[0]), 1)
    desk, clear, alike, near = Workspace(worlds.engine.game), 0, 0, []
    for number in range(60):
        seen = trace_game(worlds, desk, number, 2)
        truth = exact(worlds, desk, number, seen.winning_side)
        assert len(truth) == len(seen.estimates) == seen.rounds
        near += [
            abs(one.win_probability - p) / np.sqrt(p * (1 - p) / one.worlds)
            for one, p in zip(seen.estimates, truth, strict=True)
        ]
        if all(not low < p < high for p in truth for low, high in (DECIDED_LIMITS, LOST_LIMITS)):
            clear += 1
            after = next((r for r in range(len(truth)) if min(truth[r:]) > 0.9), len(truth))
            alike += seen.decided_after == after and seen.is_comeback == (min(truth) < 0.1)
    assert clear > 30 and alike >= 0.95 * clear
    assert np.mean(np.array(near) < 2) > 0.9


@pytest.mark.parametrize("share, says", [(0.5, -1), (0.85, -1), (0.95, 1), (0.99, 1)])
def test_a_settled_test_errs_in_one_of_a_hundred_at_most(share, says):
    rng, wrong = np.random.default_rng(1), 0
    for _ in range(1000):
        won = np.cumsum(rng.random(20_000) < share)
        verdict = next(
            v for n in range(64, 20_000, 64) if (v := run_sequential_ratio_test(int(won[n - 1]), n, *DECIDED_LIMITS))
        )
        wrong += verdict != says
    assert wrong <= 10


def game(*looks, rounds, side=0):
    """A game by (chance beyond, lost, leader) of each look."""
    made = tuple(PositionEstimate(r, 100, 0.5, beyond, lost, leader) for r, (beyond, lost, leader) in enumerate(looks))
    return GameTrace(0, side == 0, side, rounds, made, None)


def test_a_game_is_decided_from_where_the_chance_stays():
    open_, beyond, lost = (False, False, -1), (True, False, 0), (False, True, 1)
    assert game(open_, beyond, open_, beyond, beyond, rounds=5).decided_after == 3
    assert game(beyond, beyond, rounds=2).decided_after == 0 and game(beyond, beyond, rounds=2).rounds_after == 2
    assert game(open_, open_, rounds=2).decided_after == 2 and game(open_, open_, rounds=2).rounds_after == 0
    assert game(open_, lost, beyond, rounds=3).is_comeback and not game(open_, beyond, rounds=2).is_comeback


def test_the_lead_changes_when_another_side_leads_and_not_while_none_does():
    mine, none, theirs = (False, False, 0), (False, False, -1), (False, False, 1)
    assert game(mine, none, mine, rounds=3).lead_changes == 0
    assert game(mine, none, theirs, mine, rounds=4).lead_changes == 2
    assert game(mine, none, none, rounds=3, side=1).lead_changes == 1


def test_the_side_that_wins():
    import hardmode.sim.contract as contract

    pig, together = contract.load_game("pig"), contract.load_game("run_run_run")
    assert find_winning_sides(pig, 2, np.array([1, 2, 3, 0])).tolist() == [0, 1, 0, 2]
    assert find_winning_sides(together, 2, np.array([3, 1, 0])).tolist() == [0, 0, 1]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_watched_and_the_same_on_any_number_of_threads(name):
    one, two = (analyze_decision_points(name, Effort(threads=n), games=2, strategies=["steady"])[0] for n in (1, 2))
    assert one.games == two.games and len(one.games) == 2
    for seen in one.games:
        assert 0 <= seen.decided_after <= seen.rounds
        assert [x.rounds_played for x in seen.estimates] == sorted({x.rounds_played for x in seen.estimates})
    by = one.estimate_shares_by_round()
    assert all(d.value >= e.value for _, d, e in by) and by[-1][1].value == by[-1][2].value == 1


def test_a_grid_is_watched_cell_by_cell_and_trained_plays_with_steady_beside():
    found = analyze_decision_points({"game": "run_run_run", "sweep": {"torches.start": ["-1", "+1"]}}, games=1)
    assert [d.players[0] for d in found] == ["trained", "trained"]
    assert [d.steady.players[0] for d in found] == ["steady", "steady"]


def test_what_steady_tells_otherwise_is_said_first(capsys):
    """Games of one length, decided at once where trained players sit and never where steady ones do."""
    cell, at_once = load_scenario("run_run_run/quick").cells[0], PositionEstimate(1, 99, 0.99, True, False, 0)
    one, other = (
        DecisionPointAnalysis(cell, [who], 1, 0.95, [GameTrace(i, True, 0, 12 + i % 2, looks, None) for i in range(40)])
        for who, looks in (("trained", (at_once,)), ("steady", ()))
    )
    assert list_disputed_measures(one) == [] and list_disputed_measures(replace(one, steady=one)) == []
    assert list_disputed_measures(replace(one, steady=other)) == ["decided", "dead", "dragging", "narrow"]
    print_decided([replace(one, steady=other)])
    head = " ".join(capsys.readouterr().out.partition("Next: ")[0].split())
    assert "steady disagrees, by more than half, on decided after (median), from the decision to" in head


def test_the_command_tells_each_cell_and_prints_one_object():
    done = CliRunner().invoke(app, ["decided", "trapwords/standard", "--games", "6", "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    [cell] = told["cells"]
    every = cell["groups"]["all"]
    assert cell["games"] == every["games"] == 6 and "won" not in cell["groups"]
    for name in ("decided", "length", "dead", "dragging", "changes", "turned", "narrow"):
        assert every[name]["low"] <= every[name]["value"] <= every[name]["high"]
    assert [by["round"] for by in every["by"]] == list(range(len(every["by"])))
    assert every["by"][-1]["over"]["value"] == 1
    words = CliRunner().invoke(app, ["decided", "vengeance/solo-medium", "--games", "6", "--strategy", "steady"])
    assert words.exit_code == 0 and "Half of the lost games are decided after" in words.output
    assert words.output.index("Half of the lost games") < words.output.index("number of games")
