"""Who plays a study: trained players where nobody was named, `steady` beside, and a word where the two disagree."""

import json
import re

import numpy as np
import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports.console import choices
from hardmode.reports.json.choices import build_choices_answer
from hardmode.scenarios.load import load_scenario
from hardmode.strategies import player_file
from hardmode.studies.choices.analysis import ALWAYS, FORBIDDEN, ChoiceAnalysis, OptionEffect, OptionFrequencies
from hardmode.studies.comparison import adapt
from hardmode.studies.comparison.adapt import compare_adapted
from hardmode.studies.core.reference_players import (
    choose_training_start,
    describe_players,
    pair_with_trained,
    players_disagree,
    with_steady,
    with_trained,
)
from hardmode.studies.sensitivity.paired_effects import ParameterEffect, PerturbedParameter
from hardmode.studies.stats.estimates import Estimate

TRAINED = "player: trained\ngame: pig\nbase: hold_at\nweights:\n  threshold: 26\n"


@pytest.fixture(autouse=True)
def trained(tmp_path_factory, monkeypatch):
    """Pig has a trained player."""
    folder = tmp_path_factory.mktemp("players")
    (folder / "trained.yaml").write_text(TRAINED)
    monkeypatch.setattr(player_file, "find_players_folder", lambda game: folder if game == "pig" else folder / "none")


def who(*strategies, **how):
    return describe_players(with_trained(load_scenario("pig/classic", strategies=strategies, **how).cells[0]))


def test_trained_players_sit_where_the_scenario_names_steady_or_nobody():
    assert who() == who("steady") == "trained"
    assert who("beginner") == "beginner" and who("steady", "beginner") == "trained, beginner"
    assert who({"name": "steady", "weights": {"threshold": 19}}) == "steady (threshold 19)"


def test_they_slip_as_was_asked_and_whoever_was_asked_for_plays():
    assert who(slips=["20%"]) == "trained with 20% slips"
    cell = load_scenario("pig/classic").cells[0]
    assert with_trained(cell, ["steady"]) is cell


def test_a_grid_over_players_keeps_them():
    found = load_scenario({"game": "pig", "sweep": {"strategies": ["steady", "beginner"]}})
    assert describe_players(with_trained(found.cells[0])) == "steady"


def test_steady_sits_beside_the_trained_alone():
    cell = with_trained(load_scenario("pig/classic", ["target=60"], strategies=["steady", "beginner"]).cells[0])
    other = with_steady(cell)
    assert describe_players(other) == "steady, beginner" and other.values == cell.values
    assert with_steady(other) is None


@pytest.mark.parametrize(
    ("one", "other", "says"),
    [
        ((-0.16, -0.17, -0.15), (-0.024, -0.03, -0.02), True),
        ((0.02, 0.01, 0.03), (-0.02, -0.03, -0.01), True),
        ((0.10, 0.09, 0.11), (0.07, 0.06, 0.08), False),
        ((0.02, -0.03, 0.07), (-0.02, -0.07, 0.03), False),
    ],
)
def test_they_disagree_by_sign_or_by_half_and_not_by_chance(one, other, says):
    a, b = (Estimate(*x, 1000) for x in (one, other))
    assert players_disagree(a, b) is says and players_disagree(b, a) is says


def answer(*words):
    done = CliRunner().invoke(app, [*words])
    assert done.exit_code == 0, done.output
    return done.output


def pair(a, b, *requested):
    pig = {"game": "pig", "players": 2}
    sides = pair_with_trained(load_scenario({**pig, **a}), load_scenario({**pig, **b}), requested)
    return [describe_players(cell) for side in sides for cell in side.cells]


def test_a_comparison_is_played_by_the_trained_unless_it_is_about_strategies():
    longer = {"rules": {"target": 60}}
    assert pair({}, longer) == ["trained", "trained"]
    assert pair({}, {"mistakes": "20%"}) == ["trained", "trained with 20% slips"]
    assert pair({}, longer, "steady") == ["steady", "steady"]
    assert pair({"strategies": ["steady"]}, {"strategies": ["beginner"]}) == ["steady", "beginner"]
    assert pair({"strategies": ["steady", "beginner"]}, longer) == ["steady, beginner", "steady"]


def test_the_command_compares_by_trained_and_by_whoever_is_named():
    words = ("compare", "pig/classic", "--set-b", "target=60", "--games", "200")
    assert answer(*words).count("played by trained") == 2
    assert answer(*words, "--strategy", "steady").count("played by steady") == 2
    told = answer(*words, "--strategy-b", "beginner")
    assert "played by steady" in told and "played by beginner" in told


def test_training_for_a_comparison_starts_from_the_trained(monkeypatch):
    pig = load_scenario("pig/classic")
    assert str(choose_training_start(pig)) == "trained"
    assert choose_training_start(pig, ["steady"]) is None
    assert choose_training_start(load_scenario("pig/classic", strategies=["keep_pace"])) is None
    assert str(choose_training_start(load_scenario("pig/classic", strategies=["beginner"]))) == "trained", "no weights"
    assert choose_training_start(pig, ["beginner"]) is None, "whom the user names"
    started = []

    def train_and_note(*args, **terms):
        found = compare_adapted(*args, **terms)
        started.extend(training.start_weights["threshold"] for side in found.trainings for training in side)
        return found

    monkeypatch.setattr(adapt, "compare_adapted", train_and_note)
    answer("compare", "pig/classic", "--adapt", "--generations", "1", "--games", "200")
    assert started == 6 * [26]
    answer("compare", "pig/classic", "--adapt", "--generations", "1", "--games", "200", "--strategy", "steady")
    assert started[6:] == 6 * [20]


QUESTIONS = {
    "luck": ("--games", "400", "--details"),
    "sensitivity": ("--games", "20000"),
    "solve": ("--games", "2000", "--target", "seat 1=30..70%", "--by", "target=60..80"),
}


@pytest.mark.parametrize("command", QUESTIONS)
def test_the_first_line_names_the_player_and_steady_is_shown_beside(command):
    told = answer(command, "pig/classic", *QUESTIONS[command])
    assert "played by trained" in told.split("\n")[0] and re.search(r"\bsteady\b", told)
    told = answer(command, "pig/classic", *QUESTIONS[command], "--strategy", "beginner")
    assert "played by beginner" in told.split("\n")[0]
    assert "with steady" not in told.partition("Among unequals")[0].lower()


@pytest.mark.parametrize(("command", "rows"), [("luck", "sources"), ("sensitivity", "numbers"), ("solve", "answers")])
def test_json_holds_steady_beside_what_the_answer_leads_with(command, rows):
    told = json.loads(answer(command, "pig/classic", *QUESTIONS[command], "--json"))
    assert any("steady_disagrees" in row for row in told[rows])


def test_what_a_choice_is_worth_says_early_where_steady_disagrees(capsys):
    def number(gained, lost):
        return ParameterEffect(PerturbedParameter("roll", 0, FORBIDDEN), games=1000, wins_gained=gained, wins_lost=lost)

    cell = with_trained(load_scenario("pig/classic").cells[0])
    habit = OptionFrequencies(10, *(np.ones(1) for _ in range(7)))
    one = OptionEffect(0, "roll", number(300, 20), ParameterEffect(PerturbedParameter("roll", 0, ALWAYS)))
    found = ChoiceAnalysis(
        cell, 1, 0.95, {"trained": habit}, [one], [], steady_effects={("roll", FORBIDDEN): number(20, 300)}
    )
    choices.print_choices(found)
    _, _, certainty, *_ = capsys.readouterr().out.split("\n")
    assert "steady disagrees, in sign or by more than half, on roll forbidden" in certainty
    assert build_choices_answer(found).choices[0].steady_disagrees
    found.steady_effects["roll", FORBIDDEN] = number(290, 20)
    assert not build_choices_answer(found).choices[0].steady_disagrees


def test_where_they_disagree_that_is_said_first(monkeypatch):
    """Those who hold at 200 race: who holds the dice first wins far more often; a target of 30 is nothing to them."""
    (player_file.list_shipped_players("pig")["trained"]).write_text(TRAINED.replace("26", "4000"))
    told = answer("solve", "pig/classic", "--games", "20000", "--target", "rounds=1..60", "--by", "target=50..60")
    head, _, rest = told.partition("\n\n")
    assert "With steady players, the effect differs" in " ".join(head.split()) and rest.startswith("steady disagrees")
