"""What played games say: found again where it is known, wide where plays are few, and no fit where a rule is broken."""

import json
import os
import re
from datetime import date, timedelta
from math import comb
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from played_tables import EFFORT, GAMES, SOLO, fitted, rows_of, simulated, written
from scipy import stats
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.scenarios.load import ScenarioError, load_scenario
from hardmode.sim.contract import ROUNDS, discovery
from hardmode.sim.files.yaml_io.errors import Location
from hardmode.sim.play.engine import Engine
from hardmode.studies.core.run import Effort
from hardmode.studies.playtests.fit import fit_file, fit_model
from hardmode.studies.playtests.fit.ending_outcomes import find_winning_endings
from hardmode.studies.playtests.fit.free_parameters import choose_free_parameters
from hardmode.studies.playtests.fit.likelihood import (
    POOLED_GAMES,
    MeanStats,
    SufficientStats,
    compute_loglik,
    dirichlet_multinomial_loglik,
    student_t_loglik,
)
from hardmode.studies.playtests.fit.next_playtests import estimate_more_plays, mutual_information
from hardmode.studies.playtests.fit.posterior import compute_band, effective_sample_size, sample_posterior
from hardmode.studies.playtests.fit.posterior_predictive import build_covariates, estimate_denoised_band, forecast_cell
from hardmode.studies.playtests.fit.prior_samples import PriorSamples
from hardmode.studies.playtests.fit.setup_matching import MAX_POOLED_GAMES as DEAL_BORROWED
from hardmode.studies.playtests.fit.setup_matching import MatchedGames, SetupMatcher, mix_deals, pool_with_base
from hardmode.studies.playtests.fit.simulation import (
    COARSE_LEVELS,
    FINE_LEVELS,
    SIMULATED_LEVELS,
    SimulatedGames,
    Simulator,
    interpolate_levels,
    seat_players_at_level,
)
from hardmode.studies.playtests.records import PlayRecord, load_play_records
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.sobol import SobolIndex
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis, UncertaintySource

# -- the parts ------------------------------------------------------------------------------------


def test_what_is_counted_is_a_beta_binomial_draw():
    """Of two kinds, the likelihood is scipy's beta-binomial, but for the order of the plays."""
    for x, n, m, games in ((3, 10, 40, 100), (2, 5, 1, 60), (7, 7, 55, 60)):
        ours = dirichlet_multinomial_loglik(np.array([n - x, x], float), np.array([[[games - m, m]]], float))[0, 0]
        theirs = stats.betabinom.logpmf(x, n, m + 0.5, games - m + 0.5)
        assert ours == pytest.approx(theirs - np.log(comb(n, x)))


def test_a_mean_is_believed_as_surely_as_simulated_games_tell_its_covariance():
    """Of two numbers at one point: scipy's Student distribution, but for what all points have in common."""
    rng = np.random.default_rng(4)
    values = rng.multivariate_normal([3, 5], [[2, 0.5], [0.5, 1]], 30)
    sums = SimulatedGames.zeros(load_scenario(SOLO).cells[0], 1, len(SIMULATED_LEVELS), 2)
    sums.side_games[..., 1], sums.totals[..., 1, :] = 30, values.sum(axis=0)
    sums.products[..., 1, :, :] = values.T @ values
    at, mean = np.array([2.5, 5.5]), values.mean(axis=0)
    n = 30 + POOLED_GAMES
    cov = (values.T @ values / 30 - np.outer(mean, mean)) * (1 / 8 + 1 / n) * n / (n - 2)
    ours = student_t_loglik(MeanStats(1, (0, 1), 8, at), sums)[0]
    theirs = [stats.multivariate_t.logpdf(x, mean, cov, df=28 + POOLED_GAMES) for x in (at, mean)]
    at_mean = student_t_loglik(MeanStats(1, (0, 1), 8, mean), sums)[0]
    assert ours[40] - at_mean[40] == pytest.approx(theirs[0] - theirs[1], rel=5e-3)


def test_between_two_levels_sums_lie_straight():
    at = np.stack([SIMULATED_LEVELS, SIMULATED_LEVELS ** 2])[:, :, None]
    fine = interpolate_levels(at)
    assert fine[0, :, 0] == pytest.approx(FINE_LEVELS)
    for level, place in ((0.2, 20), (0.45, 45), (1.0, 100)):
        assert fine[1, place, 0] == pytest.approx(level ** 2)


def test_one_group_is_believed_as_its_likelihood_says():
    log = stats.norm.logpdf(FINE_LEVELS, 0.3, 0.05)[None, None, :]
    found = compute_band(FINE_LEVELS[sample_posterior(log, 1).levels[:, 0]])
    assert (found["5"], found["50"], found["95"]) == pytest.approx((0.218, 0.3, 0.382), abs=0.011)


def test_groups_of_few_plays_borrow_from_the_others():
    """A group of which nothing is known is believed to lie near the others, and less surely than they."""
    sure = stats.norm.logpdf(FINE_LEVELS, 0.3, 0.03)
    log = np.stack([sure, sure, sure, np.zeros_like(sure)])[:, None, :]
    levels = FINE_LEVELS[sample_posterior(log, 1).levels]
    known, guessed = compute_band(levels[:, 0]), compute_band(levels[:, 3])
    assert guessed["50"] == pytest.approx(0.3, abs=0.05)
    assert known["95"] - known["5"] < guessed["95"] - guessed["5"] < 0.7


def test_one_box_alone_is_not_believed():
    """Boxes stand for numbers from 0 to 47, plays know the number, 18.4, to within a tenth, and the level goes with it:
    the truth lies between two boxes, and the band must not be that of the nearest."""
    at, levels = np.arange(48)[:, None], FINE_LEVELS[None, :]
    log = (stats.norm.logpdf(at, 18.4, 0.1) + stats.norm.logpdf(levels, 0.02 * at - 0.058, 0.003))[None]
    found = sample_posterior(log, 1)
    few = compute_band(FINE_LEVELS[found.levels[:, 0]])
    assert found.effective_boxes == effective_sample_size(log) == pytest.approx(1, abs=0.01)
    assert len(set(found.boxes)) >= 4
    assert few["5"] <= 0.29 and few["95"] >= 0.33, "and not 0.30, which box 18 says"
    assert sample_posterior(np.zeros((1, 48, 101)), 1).effective_boxes == pytest.approx(48)


def test_the_chance_of_few_games_is_taken_off():
    rng = np.random.default_rng(1)
    nothing = np.zeros((64, 0))
    alike = estimate_denoised_band(rng.random((64, 50)) < 0.3, nothing)
    assert alike["95"] - alike["5"] < 0.08  # and not the 0.21 of 50 games each
    rates = np.linspace(0.1, 0.6, 64)
    apart = estimate_denoised_band(rng.random((64, 400)) < rates[:, None], nothing)
    assert apart["5"] == pytest.approx(0.125, abs=0.04) and apart["95"] == pytest.approx(0.575, abs=0.04)
    few = estimate_denoised_band(rng.random((64, 20)) < rates[:, None], build_covariates([(1 - r, {}) for r in rates]))
    assert few["5"] == pytest.approx(0.125, abs=0.05) and few["95"] == pytest.approx(0.575, abs=0.05)


def test_a_variant_tells_what_it_tells():
    """One bit where a game shows which of two levels it is, none where all win as often."""
    assert mutual_information(np.array([0.0, 1.0]), 10**6) == pytest.approx(1, abs=1e-3)
    assert mutual_information(np.full(20, 0.4), 200) == 0


def test_as_many_more_plays_are_said_as_halve_the_band():
    """Where each level wins as often as it has no slips: the exact mean width of a beta distribution after m more
    plays, over all that they might be, is half of what it is."""
    n, won, games = 12, 5, 10**7
    sums = SimulatedGames.zeros(load_scenario(SOLO).cells[0], 1, len(SIMULATED_LEVELS), 0)
    sums.wins[:] = sums.endings[..., 0] = games * (1 - SIMULATED_LEVELS)
    sums.endings[..., 1] = games * SIMULATED_LEVELS
    one = SufficientStats(0, 0, np.zeros(3), *[np.array([n - won, won], float)] * 2, ())
    table = compute_loglik(one, sums)[None]
    found = estimate_more_plays([one], table, [sums], [{}], sample_posterior(table, 1), SimpleNamespace(
        won=np.ones((64, 9)), covariates=np.zeros((64, 0))), 1)

    def wide(k, plays):
        return np.subtract(*stats.beta.ppf([[0.95], [0.05]], k + 1, plays - k + 1))

    def after(more):
        k = np.arange(more + 1)
        return (stats.betabinom.pmf(k, more, won + 1, n - won + 1) * wide(won + k, n + more)).sum()

    exact = next(more for more in range(1, 200) if after(more) <= wide(won, n)[0] / 2)
    assert found == pytest.approx(exact, rel=0.2)


class Number(NamedTuple):
    path: str

    def encode(self, value):
        return float(value)


def test_numbers_that_decide_are_those_with_which_the_win_rate_goes():
    """Of forty numbers two decide most of the win rate, in sixty worlds: they are found, and seldom another."""
    rng, names = np.random.default_rng(3), [f"n{i}" for i in range(40)]
    numbers, right, wrong = [Number(name) for name in names], 0, 0
    for _ in range(60):
        drawn = rng.random((48, 40))
        wins = rng.binomial(60, 0.2 + 0.4 * drawn[:, 0] + 0.28 * drawn[:, 1])[:, None].astype(float)
        boxes = [dict(zip(names, row, strict=True)) for row in drawn]
        played = SimpleNamespace(wins=wins, games=np.full((48, 1), 60.0))
        found = PriorSamples(played, boxes, numbers).find_main_sources(0.5)
        right, wrong = right + len({"n0", "n1"} & set(found)), wrong + len(set(found) - {"n0", "n1"})
    assert right >= 0.85 * 120 and wrong <= 0.5 * 60, (right, wrong)


def test_what_is_decisive_is_what_doubts_calls_so():
    """The order is that of the share with all else, and what decides next to nothing is no part of it."""
    shares = {"a": 0.5, "b": 0.3, "c": 0.2, "d": 0.14, "e": 0.05}
    parts = [UncertaintySource(path, 1, SobolIndex.from_estimates(*[Estimate(x, x, x, 9)] * 3), {})
             for path, x in shares.items()]
    cell = load_scenario(SOLO).cells[0]
    known = UncertaintyAnalysis(load_scenario(SOLO), cell, 1, 0.95, Estimate(0.5, 0.4, 0.6, 9), 5, [], 9,
                                parameters=parts)
    assert known.list_main_sources(0.25) == ["a", "b"] and known.list_main_sources(0.12) == ["a", "b", "c", "d"]


def test_means_are_believed_as_rejection_would_believe_them():
    """The same as approximate Bayesian computation by rejection, which knows of no normal distribution: of 6060 tables
    played at levels of all kinds those stay whose games won, and rounds of games won and lost, are nearest."""
    cell, n = load_scenario(SOLO).cells[0], 24
    plays = simulated(cell, 0.25, n, 4 * 10**7)
    made = fitted(plays, games=400)
    rows = np.stack([rows_of(cell, share, 60 * n, 5 * 10**7) for share in FINE_LEVELS])[:, [2, ROUNDS]]
    won, rounds = (rows[:, 0] & 1).reshape(-1, n), rows[:, 1].reshape(-1, n).astype(float)

    def told(won, rounds):
        means = [(rounds * side).sum(axis=1) / np.maximum(side.sum(axis=1), 1) for side in (won, 1 - won)]
        return np.stack([won.mean(axis=1), *means], axis=1)

    seen = told(np.array([[int(p.won) for p in plays]]), np.array([[p.numbers[ROUNDS] for p in plays]]))
    away = np.square((told(won, rounds) - seen) / told(won, rounds).std(axis=0)).sum(axis=1)
    stay = np.repeat(FINE_LEVELS, 60)[np.argsort(away)[:180]]
    for q in (5, 50, 95):
        assert made.level[str(q)] == pytest.approx(np.percentile(stay, q), abs=0.08), q


# -- the whole ------------------------------------------------------------------------------------


def test_a_level_that_is_known_is_found_and_many_plays_know_it_better():
    cell = load_scenario(SOLO).cells[0]
    few, many = (fitted(simulated(cell, 0.3, n)) for n in (10, 200))
    truth = rows_of(cell, 0.3, 4000, 10**8)[2]
    rate = float(((truth & 1) != 0).mean())
    for made in (few, many):
        assert made.level["5"] <= 0.3 <= made.level["95"] and made.win_rate["5"] <= rate <= made.win_rate["95"]
    assert few.is_wide and many.win_rate["95"] - many.win_rate["5"] < (few.win_rate["95"] - few.win_rate["5"]) / 1.5
    assert not many.is_wide and (few.more_plays is None or few.more_plays >= 10)


def test_an_unknown_number_is_found_beside_the_level():
    """With a target of 60 games are shorter than with 100: rounds tell."""
    cell = load_scenario(SOLO).cells[0]
    plays = simulated(cell, 0.1, 60, drawn={"target": 60})
    made = fitted(plays, free=["target"], games=60)
    assert made.unknowns["target"]["5"] <= 60 <= made.unknowns["target"]["95"] < 90
    assert fitted(plays, free=["none"], games=60).unknowns == {}


def test_groups_and_learning():
    cell, day = load_scenario(SOLO).cells[0], date(2026, 1, 1)
    plays = [*simulated(cell, 0.05, 60, group="old"), *simulated(cell, 0.8, 60, 2 * 10**7, group="new")]
    made = fitted(plays)
    assert made.group_levels["old"]["95"] < made.group_levels["new"]["5"]
    assert made.group_plays == {"old": 60, "new": 60} and made.learning is None
    learnt = [*simulated(cell, 0.95, 40, day=day), *simulated(cell, 0.0, 40, 2 * 10**7, day=day + timedelta(100))]
    found = fitted(learnt)
    assert found.learning.is_clear and found.learning.probability_fewer > 0.97
    assert found.learning.first["50"] > found.learning.last["50"]
    assert found.is_latest and found.forecast_level == found.learning.last
    skilled, middling = (float((rows_of(cell, s, 2000, 10**9)[2] & 1).mean()) for s in (0.0, 0.475))
    assert found.win_rate["5"] <= skilled <= found.win_rate["95"] + 0.02 and found.win_rate["5"] > middling
    steady = fitted(simulated(cell, 0.3, 80, 10**6, day=day))
    assert not steady.learning.is_clear and not steady.is_latest and steady.forecast_level == steady.level


def test_a_broken_rule_does_not_fit_and_says_so(tmp_path):
    """Played with a die of four sides where the box has six: games take more rounds than any level makes them."""
    cell = load_scenario(SOLO).cells[0]
    file = written(tmp_path, cell, 0.1, 60, drawn={"die.sides": 4})
    done = CliRunner().invoke(app, ["fit", SOLO, str(file), "--games", str(GAMES), "--threads", "1", "--json"])
    said = json.loads(done.stdout)
    assert done.exit_code == 1 and not said["fits"]
    [found] = [one for one in said["misfit"] if one["measure"] == "rounds"]
    assert found["p"] < 0.05 and not found["model"]["5"] <= found["seen"] <= found["model"]["95"]
    assert "The model does not fit these plays" in said["words"][0]


def test_a_fit_is_a_file_that_others_take(tmp_path):
    cell = load_scenario(SOLO).cells[0]
    file, kept = written(tmp_path, cell, 0.3, 30), tmp_path / "fit.yaml"
    words = [str(file), "--games", str(GAMES), "--threads", "1", "--free", "target", "--json"]
    said = json.loads(CliRunner().invoke(app, ["fit", SOLO, *words, "-o", str(kept)]).stdout)
    again = json.loads(CliRunner().invoke(app, ["fit", SOLO, *words]).stdout)
    assert said == again, "with a number of games, nothing depends on the machine"
    assert set(said) >= {"level", "free", "forecast", "misfit", "plays"} and set(said["level"]) == {"rung", "slips"}
    saved = fit_file.read_fit(kept, load_scenario(SOLO))
    assert saved.level == said["level"]["slips"] and saved.plays == 30 and len(saved.beliefs) == 64
    assert all(50 <= drawn["target"] <= 200 for _, drawn in saved.beliefs)
    run = json.loads(CliRunner().invoke(app, ["run", SOLO, "--as", str(kept), "--games", "3200", "--threads", "1",
                                              "--json"]).stdout)
    assert run["low"] <= run["win_rate"] <= run["high"] and run["as"]["plays"] == 30
    assert run["win_rate"] == pytest.approx(said["forecast"]["rate"]["50"], abs=0.06)
    both = json.loads(CliRunner().invoke(app, ["compare", SOLO, "--set-b", "die.sides=8", "--as", str(kept), "--games",
                                               "1280", "--threads", "1", "--json"]).stdout)
    assert both["low"] <= both["difference"] <= both["high"] and 0 <= both["harder"] <= 1
    same = json.loads(CliRunner().invoke(app, ["compare", SOLO, "--as", str(kept), "--games", "640", "--threads", "1",
                                               "--json"]).stdout)
    assert (same["difference"], same["low"], same["high"]) == (0, 0, 0)


@pytest.mark.parametrize("text, said", [
    ("game: pig\n", "is not a fit"), ('hardmode: "fit"\ngame: pig\n', "mine.yaml:1: scenario: is missing"),
    ("hardmode: fit\ngame: pig\ndigests: true\n", "mine.yaml:3: digests: must be a mapping of names to values"),
    ("hardmode: fit\ngame: pig\ndigests: {code: 3}\n", r"mine.yaml:3: digests.code: must be a text"),
    ("hardmode: fit\ngame: pig\nplays: -1\n", "mine.yaml:3: plays: must be at least 0"),
    ("hardmode: fit\ngame: pig\nfits: 1\n", "mine.yaml:3: fits: must be true or false"),
    ("hardmode: fit\ngame: pig\nlevel: {'5': 0, '50': 0}\n", "mine.yaml:3: level: has no percentile 95"),
    ("hardmode: fit\ngame: pig\nlevel: {'5': 0.2, '50': 0.1, '95': 0.3}\n", "mine.yaml:3: level: .* do not ascend"),
    ("hardmode: fit\ngame: pig\nrate: {'5': 2}\n", "mine.yaml:3: rate.5: must be at most 1"),
    ("hardmode: fit\ngame: pig\nrate: {'5': '= 0'}\n", "mine.yaml:3: rate.5: must be a number"),
    ("hardmode: fit\ngame: pig\nbeliefs: []\n", "mine.yaml:3: beliefs: must not be empty"),
    ("hardmode: fit\ngame: pig\nbeliefs: [{slips: .1}]\nbeliefs: []\n", "mine.yaml:4: beliefs: is given twice"),
    ("hardmode: fit\ngame: pig\nmood: 3\n", "mine.yaml:3: mood: no such key"),
    ('hardmode: "fit"\ngame: none\nscenario: x\nplays: 3\nlevel: {"5": 0, "50": 0, "95": 0}\nrung: steady\n'
     'rate: {"5": 0, "50": 0, "95": 0}\nfits: true\nbeliefs: [{slips: 0.1, numbers: {}}]\n', "is a fit of none"),
    ('hardmode: "fit"\ngame: pig\nscenario: x\nplays: 3\nlevel: {"5": 0, "50": 0, "95": 0}\nrung: steady\n'
     'rate: {"5": 0, "50": 0, "95": 0}\nfits: true\nbeliefs: [{slips: 1.1, numbers: {}}]\n',
     "slips: must be at most 1"),
    ('hardmode: "fit"\ngame: pig\nscenario: x\nplays: 3\nlevel: {"5": 0, "50": 0, "95": 0}\nrung: steady\n'
     'rate: {"5": 0, "50": 0, "95": 0}\nfits: true\nbeliefs: [{slips: 0.1, numbers: {target: [true]}}]\n',
     "target: is .*; it must be a whole number"),
    *(('hardmode: "fit"\ngame: pig\nscenario: x\nplays: 3\nlevel: {"5": 0, "50": 0, "95": 0}\nrung: steady\n'
       f'rate: {{"5": 0, "50": 0, "95": 0}}\nfits: true\nbeliefs: [{{slips: 0.1, numbers: {{target: "{text}"}}}}]\n',
       f"target: is the change {re.escape(text)}; a fit holds values") for text in ("+1", "=60", "x2", "-3")),
    ('hardmode: "fit"\ngame: pig\nscenario: x\nplays: 3\nlevel: {"5": 0, "50": 0, "95": 0}\nrung: steady\n'
     'rate: {"5": 0, "50": 0, "95": 0}\nfits: true\nbeliefs: [{slips: 0.1, numbers: {rooms: 3}}]\n',
     "has values of")])
def test_a_file_that_is_no_fit_is_refused(tmp_path, text, said):
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    with pytest.raises(ScenarioError, match=said):
        fit_file.read_fit(file, load_scenario(SOLO))


def test_what_cannot_be_asked_is_said(tmp_path):
    cell = load_scenario(SOLO).cells[0]
    play = PlayRecord(Location("plays.csv", 7), won=True, settings=(("target", 80),))
    with pytest.raises(ScenarioError, match="--free: targit: no such number; did you mean target"):
        fitted([play], free=["targit"])
    file = written(tmp_path, cell, 0.3, 3)
    assert CliRunner().invoke(app, ["run", SOLO, "--as", str(file), "--strategy", "random"]).exit_code == 2
    kept = tmp_path / "mine.yaml"
    kept.write_text("mine: 1\n")
    done = CliRunner().invoke(app, ["fit", SOLO, str(file), "-o", str(kept)])
    assert "not a fit that hardmode wrote" in str(done.exception) and kept.read_text() == "mine: 1\n"


def test_variants_that_were_played_are_fitted_together():
    cell = load_scenario(SOLO).cells[0]
    shorter = [PlayRecord(p.place, p.won, p.ending, p.numbers, settings=(("target", 50),))
               for p in simulated(cell, 0.3, 30, drawn={"target": 50})]
    made = fitted([*simulated(cell, 0.3, 30, 3 * 10**7), *shorter])
    assert made.fits and made.plays == 60
    with pytest.raises(ScenarioError, match=r"plays\.csv:7: target"):
        fitted([PlayRecord(Location("plays.csv", 7), won=True, settings=(("target", -5),))])


def test_the_forecast_is_that_of_the_beliefs():
    cell = load_scenario(SOLO).cells[0]
    made = forecast_cell(cell, [(0.0, {})] * 8, Effort(games=1600, seed=3, threads=1))
    alone = rows_of(cell, 0.0, 4000)[2]
    rate = ((alone & 1) != 0).mean()
    assert made.win_rate["5"] <= rate + 0.02 and made.win_rate["95"] >= rate - 0.02


# -- what was dealt -------------------------------------------------------------------------------


@pytest.fixture
def lots(monkeypatch):
    """A toy in which an easy hand wins five games of six, and a hard one one: if the right option is taken."""
    toys = os.pathsep.join([str(Path(__file__).parent / "toys"), os.environ[discovery.PATH]])
    monkeypatch.setenv(discovery.PATH, toys)
    return load_scenario("tosses/standard", ["setup.rule=lot"]).cells[0]


def dealt_plays(cell, hand, share, n, said=True, first=10**7):
    """Games of one hand; `said` tells it."""
    game, rows = cell.game, rows_of(cell, share, 3 * n, first)
    column = game.columns.index("dealt")
    those = np.flatnonzero(rows[column] == hand)[:n]
    assert len(those) == n
    return [PlayRecord(Location("plays.csv", i + 2), won=bool(rows[2, k]), factors={column: hand} if said else {})
            for i, k in enumerate(those)]


def test_plays_are_held_against_games_that_were_dealt_the_same(lots):
    """Plays with easy hands, at 60 % slips: who does not know that they were easy believes the table to play almost
    without a slip."""
    share = 0.6
    scenario = load_scenario("tosses/standard", ["setup.rule=lot"])
    found, blind = (fit_model(scenario, dealt_plays(lots, 1, share, 120, said), EFFORT, games=GAMES)
                    for said in (True, False))
    assert found.setup_factors == {"used": ["dealt"], "left": [], "in_play": []}
    assert found.level["5"] <= share <= found.level["95"] and blind.level["95"] < share
    rate = float((rows_of(lots, share, 4000, 10**8)[2] != 0).mean())  # of all hands: the forecast is of the scenario
    assert found.win_rate["5"] <= rate <= found.win_rate["95"] < blind.win_rate["50"]


def borrowed(cell, games, hand, *names):
    """The games of a hand by themselves, and with what they borrow."""
    numbers, deal = [cell.game.columns.index(name) for name in names], ((cell.game.columns.index("dealt"), hand),)
    whole, told = (Simulator([cell], numbers, EFFORT, n, 1, [], levels).simulate(deals=[[deal]])[0]
                   for n, levels in ((games, SIMULATED_LEVELS), (4000, COARSE_LEVELS)))
    return whole, whole.by_deal[0], pool_with_base(whole.by_deal[0], whole, told.by_deal[0], told)


@pytest.mark.parametrize("hand, exact", [(0, 1 / 6), (1, 5 / 6)])
def test_what_the_games_of_a_deal_borrow_is_as_they_are(lots, hand, exact):
    """Of few games of each hand at each level, the rate of a hand is nearer to what it is than by them alone."""
    whole, own, made = borrowed(lots, 40, hand)
    truth = exact * (1 - SIMULATED_LEVELS / 2)  # half of the slips are right by chance
    assert made.games == pytest.approx(whole.games) and made.side_games.sum(axis=-1) == pytest.approx(made.games)
    assert np.abs(made.wins - made.endings[..., 0]).max() < 0.01 and made.wins == pytest.approx(made.side_games[..., 1])
    alone, better = own.wins[0] / own.games[0], made.wins[0] / made.games[0]
    assert np.square(better - truth).sum() < np.square(alone - truth).sum()
    assert np.square(better - truth).mean() < np.square(whole.wins[0] / whole.games[0] - truth).mean() / 4


def test_plays_of_several_deals_are_worth_no_more_games_than_there_were(lots):
    """A play with a hard hand and three with easy ones are held against as many games of each, and against no more
    than were played at a point: what both hands borrow counts once."""
    whole, hard, made_hard = borrowed(lots, 40, 0)
    _, easy, made_easy = borrowed(lots, 40, 1)
    both = mix_deals(whole, [(MatchedGames(hard, made_hard), 1), (MatchedGames(easy, made_easy), 3)])
    rates = [made.wins / made.games for made in (made_hard, made_easy)]
    assert both.games == pytest.approx(whole.games) and both.side_games.sum(axis=-1) == pytest.approx(whole.games)
    assert both.wins / both.games == pytest.approx((rates[0] + 3 * rates[1]) / 4)
    alone = mix_deals(whole, [(MatchedGames(easy, made_easy), 7)])
    assert alone.games == pytest.approx(np.minimum(whole.games, easy.games + DEAL_BORROWED))


def test_what_never_came_may_come():
    """Of 64 beliefs none won in 6,400 games: a win in ten thousand is not ruled out."""
    never = estimate_denoised_band(np.zeros((64, 100), bool), np.zeros((64, 0)), is_share=True)
    assert never["5"] == 0 and 1e-4 < never["95"] < 1e-3
    assert estimate_denoised_band(np.zeros((64, 100)), np.zeros((64, 0)))["95"] == 0  # of a difference that is none


def test_means_of_a_deal_are_borrowed_with_it(lots):
    """The score of a game is 4 where it is won and 0 where not, whatever was dealt; the die that was cast is told by
    the hand: a hard one wins with a six alone."""
    whole, _, made = borrowed(lots, 60, 0, "score 1", "cast")
    mean = made.totals.sum(axis=(0, 1)) / made.side_games.sum(axis=(0, 1))[:, None]
    assert mean[:, 0] == pytest.approx([0, 4], abs=0.02)
    every = whole.totals.sum(axis=(0, 1)) / whole.side_games.sum(axis=(0, 1))[:, None]
    assert mean[1, 1] == pytest.approx(5, abs=0.4) and every[1, 1] < 4


def test_what_comes_about_in_play_is_no_deal_and_what_is_never_dealt_is_refused(lots):
    found, (column, cast) = load_scenario("tosses/standard", ["setup.rule=lot"]), map(
        lots.game.columns.index, ("dealt", "cast"))
    plays = [PlayRecord(Location("plays.csv", i), won=bool(i % 3), factors={cast: 2, column: i % 2}) for i in range(12)]
    made = fit_model(found, plays, EFFORT, games=60)
    assert made.setup_factors == {"used": ["dealt"], "left": [], "in_play": ["cast"]}
    with pytest.raises(ScenarioError, match=r"plays\.csv:7: dealt: '5' was dealt in none of 400 games"):
        undealt = PlayRecord(Location("plays.csv", 7), won=True, factors={column: 5})
        fit_model(found, [*plays, undealt], EFFORT, games=60)


def test_too_few_games_of_a_deal_are_said(lots):
    deals = SetupMatcher.from_trial(lots, [play := dealt_plays(lots, 1, 0.2, 1)[0]], [], EFFORT)
    assert deals.match_plays([play], 150) == [] and deals.name_columns(deals.dropped) == ["dealt"]
    assert deals.match_plays([play], 1000) == [((lots.game.columns.index("dealt"), 1),)]


@pytest.mark.parametrize("scenario, wins, open", [
    (SOLO, {"first player wins"}, set()), ("run_run_run/standard", {"won"}, set()),
    ("trapwords/standard", {"team A wins", "both teams win"}, set()),
    pytest.param(
        "woodlands/classic", {"boss beaten", "chapter won", "campaign finished"}, set(), marks=pytest.mark.soak
    ),
    ("vengeance/solo-medium", {"target reached", "one winner", "shared victory"}, set()),
    ("vengeance/two-players", {"target reached"}, {"one winner", "shared victory"})])
def test_an_ending_is_won_as_the_rules_say(scenario, wins, open):
    """Those that no trial reaches too; where who has won hangs on more than the ending, nothing is said."""
    cell = next(c for c in load_scenario(scenario).cells if not open or c.players > 1)
    names, engines = cell.game.all_endings, [Engine(cell.game, cell.box, seat_players_at_level(cell, 0.2))]
    found = find_winning_endings(engines, 1, set(range(len(names))))
    assert {names[e] for e in found if found[e]} == wins
    assert {names[e] for e in range(len(names)) if e not in found} == open


@pytest.mark.parametrize("scenario, rows, said", [
    ("run_run_run/standard", "no,won\nyes,turn limit\n", r"csv:2: won: no, but a game that ends with 'won' is won"),
    ("run_run_run/standard", "yes,won\nyes,turn limit\n", "3: won: yes, but .* ends with 'turn limit' is lost"),
    ("trapwords/standard", "no,the monster wins\nyes,cap reached\n",
     "3: won: seat 1 won by this, but it loses a game that ends with 'cap reached'")])
def test_an_ending_that_no_trial_reaches_is_checked_too(tmp_path, scenario, rows, said):
    (tmp_path / "plays.csv").write_text("won,ending\n" + rows)
    found = load_scenario(scenario)
    with pytest.raises(ScenarioError, match=said):
        fit_model(found, load_play_records(tmp_path / "plays.csv", found.cells[0])[0], EFFORT, free=["none"], games=60)


def test_a_number_that_no_rule_reads_here_is_not_freed():
    """Odds of a room matter in another reading of the rules alone: neither asked for nor found is it set free."""
    found = load_scenario("trapwords/standard")
    with pytest.raises(ScenarioError, match=r"odds\.team_a: no rule reads it here: it needs switches\.turns odds"):
        fit_model(found, [PlayRecord(Location("plays.csv", 2), won=True)], EFFORT, free=["odds.team_a"], games=60)
    said = SimpleNamespace(list_main_sources=lambda least: ["odds.team_a", "team_a.success"])
    assert choose_free_parameters(found.cells[0], said, None, 0.5) == ["team_a.success"]


def test_a_play_that_contradicts_itself_is_refused_before_anything_else(tmp_path):
    file = tmp_path / "plays.csv"
    file.write_text("won,ending\nyes,first player wins\nno,first player wins\n")
    done = CliRunner().invoke(app, ["fit", SOLO, str(file), "--threads", "1"])
    said = "plays.csv:3: won: seat 1 lost by this, but it wins a game that ends with 'first player wins'"
    assert said in str(done.exception)

