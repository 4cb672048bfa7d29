"""Bounds of what any player can win: which of them are given, and what is said where there is none."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports.console.bound import make_verdict
from hardmode.scenarios.load import resolve_scenario
from hardmode.sim.play.hindsight.solver import HindsightSolver
from hardmode.studies.bound import analysis as study
from hardmode.studies.bound import searches
from hardmode.studies.bound.analysis import analyze_bound
from hardmode.studies.core.budget import FakeClock, use_clock
from hardmode.studies.core.run import Effort

PIG = {"game": "pig", "rules": {"target": 20}}
ONE_THREAD = Effort(seed=1, threads=1)


@pytest.fixture(scope="module")
def found():
    return analyze_bound(PIG, ONE_THREAD, games=48)


def test_both_bounds_hold_and_are_kept_apart(found):
    assert found.games == 48 == found.winnable + found.unwinnable and found.open == 0
    assert found.free.value == pytest.approx(found.winnable / 48) == pytest.approx(found.foresight.value)
    assert found.charged.high < found.free.value, "who does not know the draws wins less often"
    assert found.bound is found.charged and found.charged_by == "expert" and not found.charged_problem
    assert found.charged.high - found.charged.low < 0.03
    assert set(found.players) == {"steady", "expert"} and all(rate.n == 48 for rate in found.players.values())


def test_the_lower_of_two_bounds_is_as_certain_as_one(found, monkeypatch):
    """Two intervals at 97.5 % hold together at 95 %; a bound that is tried alone needs 95 %."""
    assert found.confidence == 0.95 and found.bound_confidence == pytest.approx(0.975)
    assert found.free.confidence == found.charged.confidence == found.bound_confidence
    assert found.foresight.confidence == 0.95, "an estimate beside the answer"
    assert "both hold together at 95 %" in make_verdict(found).certainty
    monkeypatch.setattr(searches.registry, "find_player_file", lambda game, name: None)
    alone = analyze_bound(PIG, ONE_THREAD, games=48)
    assert alone.free.confidence == alone.bound_confidence == 0.95 and alone.free.value == found.free.value
    assert alone.free.high < found.free.high and "together" not in make_verdict(alone).certainty


def test_it_is_said_in_a_sentence(found):
    verdict = make_verdict(found, "pig/classic")
    assert verdict.answer.startswith("No player can win more than ") and " in seat 1; " in verdict.answer
    assert f"a win was found in {found.winnable} of 48 games, and {found.unwinnable} cannot" in verdict.certainty


def test_a_game_whose_search_was_left_counts_as_winnable(monkeypatch):
    monkeypatch.setattr(study, "ATTEMPTS", 0)
    left = analyze_bound(PIG, ONE_THREAD, games=16, nodes=4)
    assert left.open > 0 and left.unwinnable == 0, "five decisions lose no game"
    assert left.free.value == 1 and left.bound is None and left.charged is None
    verdict = make_verdict(left, "pig/classic")
    assert "no bound below 100 % was found" in verdict.answer and verdict.answer.startswith("Nothing is known above")
    assert "the tree of a game has more than 4 positions" in verdict.certainty
    assert verdict.next_step == "hardmode bound pig/classic --nodes 40 searches larger trees"


def test_one_tree_that_is_too_large_leaves_no_bound_with_charges(monkeypatch):
    """A mean over the other games would be no bound."""
    solve = HindsightSolver.solve

    def leave_one(self, seed, start, stop):
        gains = solve(self, seed, start, stop)
        if start <= 11 < stop:
            gains[11 - start] = np.nan
        return gains

    monkeypatch.setattr(HindsightSolver, "solve", leave_one)
    found = analyze_bound(PIG, ONE_THREAD, games=24)
    assert found.charged is None and "more than" in found.charged_problem and found.open == 1


def test_without_values_only_foresight_bounds(monkeypatch):
    monkeypatch.setattr(searches.registry, "find_player_file", lambda game, name: None)
    found = analyze_bound(PIG, ONE_THREAD, games=16)
    assert found.charged is None and "no player of this game has learned values" in found.charged_problem


def test_a_draw_that_is_read_at_two_steps_cannot_be_charged_for(monkeypatch):
    scenario = resolve_scenario(PIG)
    assert not searches.reads_a_draw_twice(scenario.cells[0], ONE_THREAD)
    log = [[-1, 0, 0, 1, 2, 0], [0, 1, 0, 0, 6, 3], [-1, 1, 0, 1, 2, 0], [0, 1, 0, 0, 6, 3]]
    monkeypatch.setattr(searches, "logged", lambda workspace: np.array(log))
    assert searches.reads_a_draw_twice(scenario.cells[0], ONE_THREAD)


def test_the_time_decides_without_a_number_of_games():
    with use_clock(FakeClock(step=0.5)):
        short = analyze_bound(PIG, ONE_THREAD, seconds=20)
    assert 0 < short.games < 200 and short.games % study.BATCH == 0


def test_the_answer_names_the_kind_of_each_result():
    line = "bound pig/classic --set target=20 --games 16 --threads 1 --json"
    answer = json.loads(CliRunner().invoke(app, line.split()).stdout)
    assert answer["bound"] == answer["bound_no_draws_known"] and answer["measure"] == "win_rate"
    assert answer["winnable"] + answer["unwinnable"] + answer["open"] == answer["games"] == 16
    assert answer["estimate_draws_known"]["value"] == answer["winnable"] / 16
    assert answer["summary"].startswith("No player can win more than")
