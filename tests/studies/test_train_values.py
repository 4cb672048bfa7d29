"""Training of values: better than the strategy below, the same for a seed, resumed, and written to a file."""

import re
import threading
from pathlib import Path

import numpy as np
import pytest
from playing import column, engine, play
from typer.testing import CliRunner

import hardmode
from hardmode import cli
from hardmode.scenarios.load import load_scenario, resolve_scenario
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.play.player import StrategyError
from hardmode.sim.play.value_network import UNITS, Network, select_fields
from hardmode.sim.play.values import ValueFunction
from hardmode.strategies import player_file, registry
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.training import train as study
from hardmode.studies.training import train_values
from hardmode.studies.training.optimizer import FINAL_FACTOR, MEASURE, VALUES, TrainingTerms, derive_seed
from hardmode.studies.training.replay_log import ReplayLog
from hardmode.studies.training.train import TrainingError, train
from hardmode.studies.training.train_values import Sample, ValueTraining

SHORT_PIG = {"game": "pig", "rules": {"target": 30}, "strategies": ["roll_twice", "steady"]}
TERMS = {"method": VALUES, "generations": 2, "games": 200, "seed": 3}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("players")


@pytest.fixture(scope="module")
def found(folder):
    return train(SHORT_PIG, **TERMS, threads=1, out=folder / "mine.yaml")


def test_it_is_better_than_the_strategy_below(found):
    assert found.is_better and found.gain.low > 0.05, "rolling twice is far from the best"
    assert found.player.values and found.evaluation.games == 200


def test_the_file_plays_the_same_player(found, folder):
    player = registry.create_player("pig", str(folder / "mine.yaml"))
    assert player.values == found.player.values and player.rollout_budget == 256
    assert registry.create_player("pig", f"search:40:{folder}/mine.yaml").rollout_budget == 40
    file = player_file.read_player_file(folder / "mine.yaml")
    assert file.certificate.outcomes != "" and file.base == "roll_twice"
    again = folder / "again.yaml"
    again.write_text(player_file.format_player_file(file))
    assert player_file.read_player_file(again) == file


def test_positions_may_be_judged_after_rollouts_of_some_rounds(folder):
    """One generation finds the values; who plays the rollouts, and the score of a switch, may be written by hand."""
    path = folder / "rounds.yaml"
    found = train(SHORT_PIG, **{**TERMS, "generations": 1}, rounds=2, trials=64, threads=1, out=path)
    assert found.is_better and found.player.values.rounds == 2
    made = registry.create_player("pig", str(path))
    assert (made.values, made.rollout_policy, made.switch_score) == (found.player.values, None, 2.7)
    path.write_text(path.read_text().replace("rounds: 2", "rounds: 2\n  rollout_policy: steady\n  switch_score: 0.5"))
    made = registry.create_player("pig", str(path))
    assert (made.rollout_policy.name, made.switch_score) == ("steady", 0.5)


def test_the_same_seed_gives_the_same_player_on_any_number_of_threads(found):
    two = train(SHORT_PIG, **TERMS, threads=2)
    assert two.player.values == found.player.values and two.rate == found.rate
    assert train(SHORT_PIG, **{**TERMS, "seed": 4}).player.values != found.player.values


def test_an_interrupted_training_ends_where_it_would_have_ended(found, folder):
    """One generation is logged; the other is trained by the same command, to the same file."""
    path = folder / "slow.yaml"
    terms = TrainingTerms(games=200, seed=3, method=VALUES)
    base, task = study._plan_training(resolve_scenario(SHORT_PIG), terms, None)
    digest = study.compute_training_digest(task, base, terms)
    log = ReplayLog(path.with_suffix(".training"), f"{digest} {study._compute_code_digest(task)}")
    begun = ValueTraining(task, terms, ignore_progress, threading.Event(), log)
    begun._run_generation()
    games = []
    original = train_values.ValueTraining._compute_generation

    def count(self):
        games.append(self.generations)
        return original(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(train_values.ValueTraining, "_compute_generation", count)
        done = train(SHORT_PIG, **TERMS, out=path)
    assert games == [1] and done.player.values == found.player.values
    assert not path.with_suffix(".training").exists()


def test_the_network_learns_a_function_of_two_fields():
    rng = np.random.default_rng(5)
    positions = rng.integers(0, 40, size=(20_000, 3)).astype(np.int32)
    wanted = np.sin(positions[:, 0] / 8) * positions[:, 1] / 10
    network = Network.begin(["a", "b", "c"], positions, wanted)
    network.fit(positions, wanted + rng.normal(0, 0.5, wanted.size), 4.0, 0, 6)
    text = network.to_text()
    assert Network.from_text(text).to_text() == text
    before = estimate(network, positions)
    assert network.predict(positions) == pytest.approx(before, abs=1e-4)
    assert np.mean((before - wanted) ** 2) < 0.02 * wanted.var(), "far below the noise of 0.25"
    network.place_knots_anew(np.concatenate([positions, [[60, 60, 60]]]))
    assert np.corrcoef(estimate(network, positions), before)[0, 1] > 0.99


def estimate(network, positions):
    """The results of a network, by NumPy alone."""
    values = network.make_values(ValueFunction((), b""))
    offset, scale, *weights = np.frombuffer(values.weights, "<f4").astype(float)
    n = sum(len(knots) for _, knots in values.knots)
    rows, hidden = np.array(weights[:-2 * UNITS]).reshape(n, UNITS + 1), np.reshape(weights[-2 * UNITS:], (2, UNITS))
    shares = [[np.interp(column, knots, one) for one in np.eye(len(knots))]
              for column, (_, knots) in zip(positions.T, values.knots, strict=True)]
    *units, direct = (np.concatenate(shares).T @ rows).T
    x = np.array(units).T + hidden[0]
    return offset + scale * (direct + (x / np.sqrt(1 + x * x)) @ hidden[1])


def test_only_fields_that_vary_are_read():
    positions = np.array([[1, 2, 7, 2], [1, 3, 7, 3], [1, 4, 8, 4]], np.int32)
    names = ["constant", "b", "c", "copy of b"]
    assert select_fields(names, positions) in (["b", "c"], ["c", "copy of b"])
    assert select_fields(names, positions, keep_constant=True) in (names[:3], ["constant", "c", "copy of b"])


def test_a_best_response_is_measured_against_the_rival_that_is_named():
    """Who rolls twice and holds loses more often to who was trained against it than to a steady player."""
    steady = hardmode.play({"game": "pig", "strategies": ["steady", "roll_twice"]}, games=2000)[0]
    found = train("pig/classic", **{**TERMS, "games": 400}, strategy="steady", against="roll_twice")
    assert found.scenario == "pig/classic against roll_twice"
    assert found.start.low < steady.tally.count_wins_by_seat()[0] / 2000 < found.start.high
    with pytest.raises(TrainingError, match="do not compete"):
        train("woodlands/classic", against="steady", generations=1)


def test_a_game_may_say_which_fields_matter(monkeypatch):
    module = registry.load_shipped_module("pig")
    monkeypatch.setattr(module, "VALUE_FIELDS", ("table.score", "own"))
    assert registry.list_value_fields("pig") == ["table.score[+0]", "table.score[+1]", "own.nothing"]
    monkeypatch.delattr(module, "VALUE_FIELDS")
    assert {"viewer", "table.rolls", "table.score[+1]"} <= set(registry.list_value_fields("pig"))
    no_field, no_list = "names table.fuel; there is no such field", "must be a list of names"
    for wrong, said in ((("table.fuel",), no_field), ("table", no_list)):
        monkeypatch.setattr(module, "VALUE_FIELDS", wrong, raising=False)
        with pytest.raises(StrategyError, match=said):
            registry.list_value_fields("pig")
    monkeypatch.setattr(module, "TURN_FIELDS", ("table.turn", "table.score"), raising=False)
    assert registry.list_turn_fields("pig") == ["table.score[+0]", "table.score[+1]", "table.turn"]
    assert registry.list_judged_kinds("pig") == []
    monkeypatch.setattr(module, "JUDGED_KINDS", ("roll or hold",), raising=False)
    assert registry.list_judged_kinds("pig") == ["roll or hold"]
    monkeypatch.setattr(module, "JUDGED_KINDS", ("a duel",))
    with pytest.raises(StrategyError, match="JUDGED_KINDS of pig names 'a duel'; its kinds are 'roll or hold'"):
        registry.list_judged_kinds("pig")


def test_the_certificate_of_a_game_with_scores_has_the_mean_score(tmp_path, found, monkeypatch):
    """It is that of the games by which the player was measured, played again."""
    monkeypatch.setenv("HARDMODE_PATH", str(Path(__file__).parents[2] / "examples"))
    train("kuhn_poker/classic", strategy="steady", generations=1, games=50, seed=2, goal="score", threads=1,
          out=tmp_path / "mine.yaml")
    score = player_file.read_player_file(tmp_path / "mine.yaml").certificate.score
    players = [str(tmp_path / "mine.yaml"), "steady"]
    made = engine("kuhn_poker", load_scenario("kuhn_poker/classic").cells[0].box, *players)
    rows = play(made, FINAL_FACTOR * 50, seed=derive_seed(2, MEASURE))
    assert score.mean == pytest.approx(column(made.game, rows, "score 1").mean())
    assert score.low < score.mean < score.high
    assert found.make_player_file("mine", tmp_path).certificate.score is None, "Pig has no scores"


def make_sample(number, follows=0):
    return Sample(np.full((10, 3), number), np.zeros(10), np.full(10, follows))


@pytest.mark.plain
@pytest.mark.parametrize("follows", [0, 1])
def test_positions_are_kept_as_far_as_there_is_room(monkeypatch, follows):
    """All whose targets can be renewed, and otherwise those of the latest half of the generations."""
    training = ValueTraining.__new__(ValueTraining)
    training._kept = []
    kept = []
    for training.generations in range(9):
        training._keep(make_sample(training.generations, follows))
        kept.append([int(sample.positions[0, 0]) for sample in training._kept])
    assert kept[4] == ([0, 1, 2, 3, 4] if follows else [3, 4])
    assert kept[8] == (list(range(9)) if follows else [5, 6, 7, 8])
    monkeypatch.setattr(train_values, "MAX_KEPT_NUMBERS", 70)
    training._keep(make_sample(9, follows))
    assert len(training._kept) == 2


@pytest.mark.plain
def test_targets_follow_the_value_of_the_next_position():
    positions = np.arange(8, dtype=np.int32).reshape(4, 2)
    network = Network.begin(["table.turn", "table.score[+0]"], positions, np.array([1.0, 2.0, 3.0, 4.0]))
    sample = Sample(positions, np.array([5.0, 6.0, 7.0, 8.0]), np.array([1, 0, 1, 0]))
    assert sample.compute_targets(network) == pytest.approx([7.5, 6, 9.5, 8]), "it expects 2.5 everywhere at first"
    rests = sample._replace(rests=sample.compute_targets(network, -1.0))
    assert rests.compute_targets(network) == pytest.approx(sample.rests)


@pytest.mark.parametrize("case", [
    ({"weights": ["threshold"]}, "values are trained without weights"),
    ({"goal": "seat_share"}, "values are trained without weights"),
    ({"against": "nobody"}, "nobody"),
    ({"strategy": "search:8:steady"}, "searches already"),
    ({"method": "magic"}, "a method is one of weights, values"),
    ({"method": "weights", "rounds": 2}, "only a player with values judges positions"),
])
def test_what_cannot_be_trained_ends_in_a_line(case):
    change, said = case
    with pytest.raises((TrainingError, StrategyError), match=said):
        train("pig/classic", **{**TERMS, **change})


@pytest.mark.parametrize("case", [
    (r"network: .*", 'network: "?"', "is not a list of 32-bit floats in base 64"),
    (r"network: .*", 'network: "AADAfw=="', "has a weight that is no finite number"),
    (r"discount: 1", "discount: 0", "discount"),
])
def test_a_wrong_file_is_refused_at_its_line(found, folder, case):
    old, new, said = case
    text = (folder / "mine.yaml").read_text()
    wrong = folder / "wrong.yaml"
    wrong.write_text(re.sub(old, new, text))
    with pytest.raises(ScenarioError, match=said):
        player_file.read_player_file(wrong)


def test_a_shipped_expert_takes_the_place_of_the_search(found, folder, monkeypatch):
    monkeypatch.setattr(registry, "list_shipped_players", lambda game: {"expert": folder / "mine.yaml"})
    assert registry.create_player("pig", "expert").values == found.player.values
    assert "by learned values" in registry.list_strategies("pig")["expert"]
    assert registry.find_player_file("pig", "expert") == folder / "mine.yaml"


def test_the_command_says_what_it_found(folder, tmp_path):
    made = CliRunner().invoke(cli.app, ["train", "pig/classic", "--method", "values", "--generations", "1", "--games",
                                        "100", "--set", "target=20", "-o", str(tmp_path / "a.yaml")])
    said = re.sub(r"\s+", " ", made.output)
    assert made.exit_code == 0 and "training steady, which wins" in said
    assert "points in 100 games, so the player stays as it was" in said, "one generation is too little"
