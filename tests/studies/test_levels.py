"""What a change does to whom: by level of play, and after players have adapted."""

import json
import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
from games.pig.test_pig_exact import first_wins, hold_at_20
from typer.testing import CliRunner

from hardmode import cli
from hardmode.reports.console import effects
from hardmode.reports.exit_codes import run_command
from hardmode.scenarios.load import load_scenario
from hardmode.studies.comparison import adapt
from hardmode.studies.comparison.adapt import A, Adaptation, B, compare_adapted
from hardmode.studies.comparison.levels import MISTAKE_RATES, LevelComparison, LevelComparisons, compare_levels
from hardmode.studies.core.budget import FakeClock, use_clock
from hardmode.studies.core.run import Effort
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.training.optimizer import TooLittleTimeError, TrainingRun
from hardmode.studies.training.search_space import TrainingError

PIG, LONGER = load_scenario("pig/classic"), load_scenario("pig/classic", ["die.sides=8"])


def told(*words):
    done = CliRunner().invoke(cli.app, [*map(str, words), "--json"])
    assert done.exit_code == 0, done.output or done.exception
    return json.loads(done.stdout)


def level(name, low, high, slips=0.0, same=False):
    comparison = SimpleNamespace(
        difference=Estimate((low + high) / 2, low, high, 100), games=100, identical_games=100 if same else 0
    )
    return LevelComparison(name, slips, comparison)


@pytest.mark.parametrize(
    ("spans", "verdict"),
    [
        ([(-0.3, -0.2), (-0.2, -0.1), (-0.1, -0.05)], "harder at every level"),
        ([(0.02, 0.1), (0.02, 0.1), (0.01, 0.1)], "easier at every level"),
        ([(-0.3, -0.2), (-0.005, 0.005), (-0.001, 0.009)], "harder for beginners only"),
        ([(-0.3, -0.2), (-0.2, -0.1), (-0.1, 0.1)], "harder for beginners and steady players; undecided for experts"),
        (
            [(-0.3, -0.2), (-0.1, 0.1), (0.1, 0.2)],
            "harder for beginners; easier for experts; undecided for steady players",
        ),
        ([(-0.1, 0.1)] * 3, "undecided at every level"),
    ],
)
def test_the_verdict_in_words(spans, verdict):
    rungs = [level(name, *span) for name, span in zip(("beginner", "steady", "expert"), spans, strict=True)]
    assert LevelComparisons(rungs, []).verdict == verdict


def test_rates_that_cross_along_the_slips_are_told():
    found = LevelComparisons(
        [level("steady", 0.1, 0.2), level("steady", -0.1, 0.1, 0.2), level("steady", -0.2, -0.1, 0.7)], []
    )
    assert (
        found.mistake_verdict
        == "the win rates cross as players make more mistakes: easier at 0 %; undecided at 20 %; harder at 70 %"
    )
    assert "rung" not in found.verdict and found.verdict == "easier at every level"


def test_levels_are_the_rungs_and_the_scale_and_nothing_but_slips_is_random():
    with use_clock(FakeClock()):  # every level is fast enough
        [found] = compare_levels(PIG, LONGER, Effort(1500))
    assert [(one.name, one.mistake_rate) for one in found.levels] == [
        *((rung, 0.0) for rung in ("random", "beginner", "steady", "expert")),
        *(("steady", share) for share in MISTAKE_RATES),
    ]
    by = {(one.name, one.mistake_rate): one for one in found.levels}
    assert (by["steady", 1.0].comparison.outcome_pairs == by["random", 0.0].comparison.outcome_pairs).all()
    steady, beginner = by["steady", 0.0], by["beginner", 0.0]
    assert beginner.verdict == "harder" and steady.difference.value > beginner.difference.high
    assert [one.mistake_rate for one in found.mistake_scale] == [0.0, *MISTAKE_RATES]
    alone = told("compare", "pig/classic", "--set-b", "die.sides=8", "--games", 1500)
    d = by["steady", 0.0].difference
    assert d.value == alone["difference"] and d.low < alone["low"] and d.high > alone["high"]


def test_a_rung_that_is_too_slow_is_left_out_with_words():
    with use_clock(FakeClock(step=60)):  # a minute passes between two readings
        [found] = compare_levels(PIG, LONGER, Effort(10**6), seconds=1)
    assert not found.levels and "too few games fit into its 0.1 of 1 seconds" in found.left_out[0]
    assert re.search(r"about [\d,]+ seconds are needed", found.left_out[0])


@pytest.mark.parametrize("part", ["adapt.compare_adapted", "levels.compare_levels"])
@pytest.mark.parametrize(
    ("error", "code", "words"), [(KeyboardInterrupt(), 130, ""), (TrainingError("too few"), 2, "too few")]
)
def test_the_comparison_is_printed_first_and_never_lost(monkeypatch, capsys, part, error, code, words):
    def stop(*_, **__):
        raise error

    monkeypatch.setattr(f"hardmode.studies.comparison.{part}", stop)
    args = ["compare", "pig/classic", "--set-b", "die.sides=8", "--games", "300", "--adapt", "--levels", "--seconds=1"]
    assert run_command(lambda: cli.app([*args, "--json"])) == code
    said = capsys.readouterr()
    assert json.loads(said.out)["difference"] and words in said.err
    assert "about 1 second for the skill levels and about 1 second for 3 trainings for each side" in said.err


def test_too_little_time_to_adapt_is_told_with_the_time_it_takes(caplog, monkeypatch):
    tried = []

    def train(a, b, base, terms, *_):
        tried.append(terms["seconds"])
        if terms["seconds"] < 20:
            raise TooLittleTimeError(50.0, "too few")
        raise KeyboardInterrupt

    monkeypatch.setattr(adapt, "_train_both", train)
    with pytest.raises(TrainingError, match=r"12 seconds are too few to adapt: 3 trainings .* about 600 seconds"):
        compare_adapted(PIG, LONGER, Effort(100), seconds=12.0)
    with pytest.raises(KeyboardInterrupt):
        compare_adapted(PIG, LONGER, Effort(100))
    assert tried == [2.0, 10.0, 100.0] and "3 trainings for each side take about 600 seconds" in caplog.text


def test_an_effect_after_adapting_that_is_not_settled_is_called_so(capsys):
    for spread, is_open in ((0.2, True), (0.002, False)):
        won = np.zeros((2, 2, 3, 100))
        won[B, B] = np.array([0, spread, 0])[:, None]
        effects.print_level_effects([], Adaptation(won, [], [], 0.95))
        text = " ".join(capsys.readouterr().out.split())
        assert ("too few generations to settle the effect after adapting to ± 4 points" in text) is is_open


def test_rates_after_adapting_stay_rates():
    won = np.ones((2, 2, 3, 100))
    won[A, A, 0] = 0  # a training that failed
    found = Adaptation(won, [], [], 0.95)
    rate = found.estimate_win_rate(A, A)
    assert rate.value == pytest.approx(2 / 3) and (rate.low, rate.high) == (0, 1)
    assert found.adapted_effect.high == 1


def test_the_command_prints_levels_and_adapt(tmp_path):
    for name, threshold in (("a", 20), ("b", 30)):
        (tmp_path / f"{name}.yaml").write_text(
            f"player: {name}\ngame: pig\nbase: hold_at\nweights: {{threshold: {threshold}}}\n"
        )
    found = told(
        "compare",
        "pig/classic",
        "--set-b",
        "die.sides=8",
        "--games",
        300,
        "--levels",
        "--adapted",
        tmp_path / "a.yaml",
        tmp_path / "b.yaml",
    )
    assert {"name", "slips", "difference", "low", "high"} <= set(found["levels"][0]) and found["verdict"]
    assert all(found["adapt"][name]["low"] <= found["adapt"][name]["high"] for name in ("direct", "after", "back"))
    assert found["adapt"]["weights"] == [{"name": "threshold", "a": 20.0, "b": 30.0, "moved": pytest.approx(1 / 3)}]


# -- adapting ---------------------------------------------------------------------------------------


def hold_at(n):
    return lambda mine, theirs, turn: turn >= n or mine + turn >= 100


def test_two_player_files_give_the_effects_of_the_chain(tmp_path):
    """Only the target differs: for B nothing changes but who sits at seat 1, so the exact values are the chain's."""
    files = []
    for name, threshold in (("a", 10), ("b", 25)):
        files.append(tmp_path / f"{name}.yaml")
        files[-1].write_text(f"player: {name}\ngame: pig\nbase: hold_at\nweights: {{threshold: {threshold}}}\n")
    found = compare_adapted(PIG, PIG, Effort(20_000), files=files)
    better = first_wins(hold_at(25), hold_at_20) - first_wins(hold_at(10), hold_at_20)
    assert found.direct_effect.value == 0 and not found.trainings and found.repeats == 1
    assert found.recovered.low < better < found.recovered.high and found.adapted_effect == found.recovered


def test_training_for_each_side_adapts():
    found = compare_adapted(PIG, LONGER, Effort(4000), generations=6)
    assert found.repeats == 3 and found.won.shape == (2, 2, 3, 4000) and len(found.trainings) == 3
    assert found.adapted_effect.value == pytest.approx(found.direct_effect.value + found.recovered.value)
    assert found.recovered.value > 0 and found.weight_changes[0].b > found.weight_changes[0].a
    assert {one.generations for pair in found.trainings for one in pair} == {6}


def test_players_that_were_kept_are_not_trained_again(tmp_path, monkeypatch):
    first = compare_adapted(PIG, LONGER, Effort(1000), generations=2, players_folder=tmp_path / "kept")
    assert {p.name for p in (tmp_path / "kept").iterdir()} == {f"{s}-{r}.yaml" for s in "ab" for r in (1, 2, 3)}
    monkeypatch.setattr(TrainingRun, "run", None)
    again = compare_adapted(PIG, LONGER, Effort(1000), generations=2, players_folder=tmp_path / "kept")
    assert (again.won == first.won).all() and again.weight_changes == first.weight_changes and again.repeats == 3


def test_the_interval_holds_the_spread_between_trainings():
    won = np.zeros((2, 2, 3, 1000))
    won[B, A] = np.array([0, 0.1, 0])[:, None]  # one training of three was lucky
    found = Adaptation(won, [], [], 0.95)
    assert found.direct_effect.value == pytest.approx(0.1 / 3)
    assert found.direct_effect.half_width == pytest.approx(0.43027 * math.sqrt(1 / 3 / 3), rel=1e-3)
    assert Adaptation(won[:, :, :1], [], [], 0.95).direct_effect.half_width == 0
