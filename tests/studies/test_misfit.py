"""Plays that no level of the model explains: shown by all numbers together, or by results that the forecast denies."""

import numpy as np
import pytest
from played_tables import SOLO

from hardmode.scenarios.load import load_scenario
from hardmode.sim.contract import ROUNDS, SCORES
from hardmode.sim.files.yaml_io.errors import Location
from hardmode.sim.play.workspace import allocate_rows
from hardmode.studies.playtests.fit.goodness_of_fit import JOINT_MEASURE, WON_MEASURE
from hardmode.studies.playtests.fit.goodness_of_fit import test_measures as measure_fit
from hardmode.studies.playtests.fit.likelihood import compute_loglik, summarize_plays
from hardmode.studies.playtests.fit.posterior import sample_posterior
from hardmode.studies.playtests.fit.simulation import SIMULATED_LEVELS, SimulatedGames
from hardmode.studies.playtests.records import PlayRecord

COLUMNS = [ROUNDS, SCORES]
NAMES = ["rounds", "score"]
GAMES = 400


def draw_games(rng, level, games, tilt=0.0):
    """Two numbers that go together, around a mean that the level moves; the level decides who wins."""
    common = rng.normal(0, 10, games)
    rounds = 100 + 80 * level + common + rng.normal(0, 2, games) + tilt
    score = 100 + 60 * level + common + rng.normal(0, 2, games) - tilt
    return np.stack([rounds, score]).round(), rng.random(games) < 0.9 * (1 - level)


@pytest.fixture(scope="module")
def simulated():
    cell, rng = load_scenario(SOLO).cells[0], np.random.default_rng(1)
    sums = SimulatedGames.zeros(cell, 1, len(SIMULATED_LEVELS), len(COLUMNS))
    for i, level in enumerate(SIMULATED_LEVELS):
        numbers, won = draw_games(rng, level, GAMES)
        rows = np.asarray(allocate_rows(cell.game, GAMES))
        rows[COLUMNS] = numbers
        sums.add_rows((0, i), rows, won, COLUMNS)
    return sums


def judge(simulated, numbers, won):
    """The test of each measure by its name."""
    plays = []
    for (rounds, score), is_won in zip(numbers.T, won, strict=True):
        values = {ROUNDS: float(rounds), SCORES: float(score)}
        plays.append(PlayRecord(Location("plays.csv", len(plays) + 2), bool(is_won), None, values))
    stats = summarize_plays(plays, 0, 0, simulated, COLUMNS, [0, 1])
    posterior = sample_posterior(compute_loglik(stats, simulated)[None], 1)
    tests = measure_fit([stats], [simulated], NAMES, COLUMNS, 3, None, posterior)
    return {test.measure: test for test in tests}


def test_plays_of_the_model_fit(simulated):
    """Two hundred tables: at most one in twenty is told apart from the games that it is made of."""
    rng, alarms = np.random.default_rng(2), 0
    for _ in range(200):
        tests = judge(simulated, *draw_games(rng, 0.6 * rng.random(), 30))
        alarms += any(test.is_misfit for test in tests.values())
    assert alarms <= 17  # ten are expected at most; more than 17 happen once in a hundred times


def test_numbers_that_no_level_moves_so_are_found_together_and_not_alone(simulated):
    """A shift of 3 where each number varies by 10: far along what both vary in, and much across it."""
    rng, together, alone = np.random.default_rng(3), 0, 0
    for _ in range(40):
        tests = judge(simulated, *draw_games(rng, 0.2, 40, tilt=3.0))
        together += tests.pop(JOINT_MEASURE).is_misfit
        alone += any(test.is_misfit for test in tests.values())
    assert together >= 36 and alone <= 20


def test_results_that_the_forecast_denies_are_a_misfit(simulated):
    """Numbers as of players who win four games of five, and not one game won: their level says what is not true."""
    rng = np.random.default_rng(4)
    numbers, _ = draw_games(rng, 0.1, 24)
    tests = judge(simulated, numbers, np.zeros(24, bool))
    found = tests[WON_MEASURE]
    assert found.is_misfit and found.observed == 0 and found.predicted["5"] > 0.2
    assert "at the level that all measures together suggest" in found.given
    fair = judge(simulated, *draw_games(rng, 0.1, 24))
    assert not fair[WON_MEASURE].is_misfit


def test_a_shift_as_large_as_is_called_detectable_is_found_in_nine_of_ten_tables(simulated):
    rng = np.random.default_rng(5)
    clear = judge(simulated, *draw_games(rng, 0.2, 40))["rounds"]
    assert clear.game_sd == pytest.approx(np.hypot(10, 2), rel=0.1)
    found = {1.0: 0, 0.4: 0}
    for part in found:
        for _ in range(60):
            numbers, won = draw_games(rng, 0.2, 40)
            numbers[0] += part * clear.detectable
            found[part] += judge(simulated, numbers, won)["rounds"].is_misfit
    assert found[1.0] >= 47 and found[0.4] <= 20, found
