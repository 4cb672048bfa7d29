"""Who plays a rule that the trained player was not trained for: the best of steady, trained and retrained."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from hardmode.reports.console.uncertainty import describe_leading_readings
from hardmode.reports.json.uncertainty import build_uncertainty_answer
from hardmode.scenarios.load import load_scenario
from hardmode.sim.contract import discovery
from hardmode.sim.files.cache_folder import CACHE_VARIABLE
from hardmode.strategies import player_file
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.core.reference_players import with_trained
from hardmode.studies.core.run import Effort
from hardmode.studies.report_run import codec
from hardmode.studies.training import reference_choice
from hardmode.studies.training.reference_choice import can_choose, choose_reference_player, is_trained_for
from hardmode.studies.uncertainty import analysis as study
from hardmode.studies.uncertainty.leading_readings import play_leading_readings, select_leading_readings

TOYS = Path(__file__).parent / "toys"
TRAINED = "player: trained\ngame: aim\nbase: aimed\nweights: {place: 2.0}\n"
CERTIFICATE = """certificate: {scenario: aim/standard, rules: "1", strategy: "1", draws: splitmix-addressed-1, seed: 1,
  generations: 1, trained_on: 1, measured_on: 1, rate: 0.9, low: 0.8, high: 1.0, start_rate: 0.5, hardmode: "0"}
"""


@pytest.fixture(autouse=True)
def cell(tmp_path, monkeypatch):
    """The standard scenario of Aim, whose trained player hits the mark of the default reading."""
    monkeypatch.setenv(discovery.PATH, os.pathsep.join([str(TOYS), os.environ[discovery.PATH]]))
    (tmp_path / "trained.yaml").write_text(TRAINED + CERTIFICATE)
    other = tmp_path / "none"
    monkeypatch.setattr(player_file, "find_players_folder", lambda game: tmp_path if game == "aim" else other)
    return with_trained(load_scenario("aim/standard").cells[0])


def choose(cell, mark, **terms):
    variant = cell.with_values({"switches.mark": mark}, label={})
    return choose_reference_player(load_scenario("aim/standard"), variant, cell, 1, 0.95, threads=1, **terms)


def test_retraining_wins_where_the_mark_is_far_and_the_gain_has_the_exact_value_in_it(cell):
    """Trained aims 5 places beside (40 %), steady 2 (70 %), and one who is retrained hits the mark (90 %)."""
    choice = choose(cell, "far")
    assert choice.name == "retrained"
    for name, exact in (("trained", 0.4), ("steady", 0.7), ("retrained", 0.9)):
        assert choice.rates[name].low < exact < choice.rates[name].high
    assert choice.retraining_gain == choice.gain and choice.gain.low < 0.5 < choice.gain.high
    assert choice.change.low < 0 < choice.change.high, "as easy as the shipped rule, for those who know it"


def test_steady_is_chosen_if_it_plays_best_and_nothing_was_learnt(cell, monkeypatch):
    monkeypatch.setattr(reference_choice, "train", _fail)
    choice = choose(cell, "far")
    assert choice.name == "steady" and set(choice.rates) == {"steady", "trained"}
    assert choice.retraining_gain.value == 0 and choice.gain.low < 0.3 < choice.gain.high


def _fail(*args, **terms):
    raise reference_choice.TrainingError("nothing can be learnt")


def test_the_same_seed_gives_the_same_choice_with_the_cache_and_without(cell, tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    first = choose(cell, "nearly", generations=3)
    [file] = (tmp_path / "cache" / reference_choice.FOLDER).iterdir()
    written = file.stat().st_ino
    assert choose(cell, "nearly", generations=3) == first
    assert [kept.stem for kept in file.parent.iterdir()] == [file.stem] and written
    monkeypatch.setenv(CACHE_VARIABLE, "off")
    assert choose(cell, "nearly", generations=3) == first


def test_there_is_a_choice_only_for_trained_players_who_win_together(cell):
    assert can_choose(cell)
    assert not can_choose(load_scenario("aim/standard").cells[0])
    assert not can_choose(with_trained(load_scenario("pig/classic").cells[0]))


def test_the_certificate_says_which_boxes_it_was_trained_for(cell):
    assert is_trained_for(cell) and not is_trained_for(cell.with_values({"switches.mark": "far"}))


def test_uncertainty_tells_the_leading_readings_by_the_best_player(cell):
    effort = Effort(4000, threads=1)
    found = study.analyze_uncertainty(load_scenario("aim/standard"), effort, 0.0, (), ignore_progress, 220)
    play_leading_readings(found, 1, effort, ignore_progress)
    [reading] = found.leading_readings
    assert (reading.path, reading.value, reading.choice.name) == ("switches.mark", "far", "retrained")
    [told] = describe_leading_readings(found)
    assert told.startswith("With switches.mark=far, trained wins 39.8 % (38.9 .. 40.8)")
    assert "Played best, by retrained" in told
    [record] = build_uncertainty_answer(found).leading_readings
    assert record.player == "retrained" and record.retraining_gain.low < 0.5 < record.retraining_gain.high
    assert [effect.value for effect in select_leading_readings(found.singles, 5)] == ["far", "nearly"]
    without = replace(found, leading_readings=[])
    assert not describe_leading_readings(without)
    scenario, cells = found.scenario, {found.cell.digests["scenario"]: found.cell}
    kept = codec.decode_study(codec.encode_study(found.leading_readings), scenario, cells)
    assert kept == found.leading_readings
