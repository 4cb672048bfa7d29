"""What the assumptions decide: shares without the noise of games, bands, firmness, and what is settled."""

import json
from dataclasses import replace
from itertools import chain, islice, pairwise, repeat
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import beta, chisquare, ks_2samp
from typer.testing import CliRunner

import hardmode
from hardmode.cli import app
from hardmode.reports.console import uncertainty as told
from hardmode.reports.json.uncertainty import build_uncertainty_answer
from hardmode.scenarios.load import ScenarioError, load_scenario
from hardmode.scenarios.parameter import Parameter
from hardmode.studies.core.budget import Budget, FakeClock, use_clock
from hardmode.studies.core.metric import estimate_win_rate
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.core.run import Effort, make_players
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.uncertainty import analysis as study
from hardmode.studies.uncertainty import assumed_box
from hardmode.studies.uncertainty.band import AGREEMENT, MAX_END_ERROR, UncertaintyBand, estimate_band
from hardmode.studies.uncertainty.box_evaluator import BoxEvaluator, BoxJob, CellPlayers
from hardmode.studies.uncertainty.design import SamplePairs, UncertaintyError, select_cell
from hardmode.studies.uncertainty.priors import Prior, Priors
from hardmode.studies.uncertainty.robustness import assess_difference
from hardmode.studies.uncertainty.single_effects import SingleSource, find_lookup_order
from hardmode.studies.uncertainty.sobol_from_halves import SobolSums, estimate_sign_share
from hardmode.studies.uncertainty.stages import Schedule

UNSURE = """
game: pig
.source: assumed
target: {value: 100, range: [50, 150], note: nobody knows}
die: {sides: {value: 6, range: [4, 20], note: nobody knows}}
"""
GAMES = 30  # of each half


@pytest.fixture
def unsure(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("unsure.yaml").write_text(UNSURE)
    return "unsure.yaml"


def some(leaf, n=4000):
    """What is drawn for a leaf at evenly spaced numbers."""
    return [Prior(leaf).compute_quantile([(i + 0.5) / n] * Prior(leaf).dimensions) for i in range(n)]


# What is drawn


def test_an_assumed_reading_is_right_nine_times_in_ten_and_else_each_alternative_by_its_weight():
    drawn = some(Parameter("switches.a", "b", "assumed", choices=("a", "b", "c")))
    assert [drawn.count(x) / len(drawn) for x in "abc"] == [0.05, 0.9, 0.05]
    assert np.mean(some(Parameter("x", True, "assumed"))) == 0.9
    weighed = Parameter("switches.a", "b", "assumed", choices=("a", "b", "c"), weights=(3, 1), prior_correct=0.6)
    assert [some(weighed).count(x) / 4000 for x in "abc"] == [0.3, 0.6, 0.1]
    less_sure = Prior(Parameter("x", True, "assumed"), 0.8)
    assert np.mean([less_sure.compute_quantile([(i + 0.5) / 100]) for i in range(100)]) == 0.8
    component = some(Parameter("die", [1, 2], "assumed", doubt=([2, 2], [3, 2])))
    assert [component.count(x) / 4000 for x in ([1, 2], [2, 2], [3, 2])] == [0.5, 0.25, 0.25]


def test_a_number_that_is_likely_right_is_drawn_from_its_range_only_else():
    drawn = some(Parameter("flag", 0, "assumed", range=(0, 1), prior_correct=0.4, prior="uniform"))
    assert np.mean(drawn) == pytest.approx(0.3, abs=0.001)


def test_examples_out_of_a_range_are_no_alternatives_to_a_number_and_choices_are():
    assert not Prior(Parameter("x", 1.0, "assumed", range=(0, 4), doubt=(0.5, 3.0))).alternatives
    assert Prior(Parameter("x", 1, "assumed", range=(0, 4), choices=(1, 2))).alternatives == [2]


def draw_many(priors, n, seed):
    rng = np.random.default_rng(seed)
    return [priors.draw_box(rng) for _ in range(n)]


@pytest.mark.parametrize(
    "game", ["run_run_run/standard", "vengeance/solo-medium", "woodlands/classic", "trapwords/standard"]
)
def test_readings_of_the_shipped_boxes_are_drawn_with_their_probabilities_and_independently(game):
    """Chi-square of each parameter with alternatives, and of pairs of neighbours, at a fixed seed."""
    priors = Priors(load_scenario(game).cells)
    boxes, p_values, wrong = draw_many(priors, 3000, 20), [], []
    for prior in priors.entries:
        if not prior.alternatives:
            continue
        values = [prior.parameter.value, *prior.alternatives]
        expected = 3000 * np.array([prior.probability_correct, *prior.alternative_probabilities])
        counts = np.zeros(len(values))
        for box in boxes:
            counts[values.index(box[prior.path])] += 1
        assert not counts[expected == 0].any()
        p_values.append(chisquare(counts[expected > 0], expected[expected > 0]).pvalue)
        wrong.append(np.array([box[prior.path] != prior.parameter.value for box in boxes]))
    assert min(p_values) > 0.05 / len(p_values) / 5 and 0.3 < np.mean(np.array(p_values) > 0.5) < 0.8
    both = [np.corrcoef(a, b)[0, 1] for a, b in pairwise(wrong)]
    assert max(map(abs, both)) < 4.5 / np.sqrt(3000)


def test_house_rules_models_and_variants_of_all_games_are_marked_and_never_drawn():
    marked = {
        "run_run_run/standard": [
            "switches.rules_language", "switches.spawn_rule", "switches.communication", "rooms.features",
        ],
        "vengeance/solo-medium": [
            "switches.unlock_all_on_assign", "switches.no_lock", "switches.boss_choice", "switches.side_after_boss",
            "house.traits", "time.contention", "setup.speeds",
        ],
        "trapwords/standard": [
            "switches.turns", "switches.last_round", "team_a.success", "team_b.kappa", "model.scenes", "odds.cursed",
            "curse.unknown.in_box", "monster.own.normal.freeze",
        ],
        "woodlands/classic": ["limit.rounds", "limit.tries", "setup.inn", "setup.enraged_boss"],
    }  # fmt: skip
    for game, paths in marked.items():
        cell = load_scenario(game).cells[0]
        priors = Priors([cell])
        drawn = {prior.path for prior in priors.entries}
        for path in paths:
            assert cell.parameters[path].role in ("house_rule", "model", "variant"), path
            assert path in priors.fixed_paths or path.startswith("setup."), path
        for path, parameter in cell.parameters.items():
            if parameter.role not in ("", "assumption") or "house rule" in parameter.note:
                assert path not in drawn, path
    assert "setup.tracks" in {prior.path for prior in Priors(load_scenario("vengeance/solo-medium").cells).entries}


def test_a_reason_is_asked_for_and_a_wrong_number_of_weights_refused(unsure):
    for keys, why in (
        ("prior_correct: 0.5", "so it needs a prior_reason"),
        ("prior_correct: 1.5", "must be a probability from 0 to 1"),
        ("weights: [1, 2], prior_reason: why", "has 2 weights for 0 alternatives"),
        ("role: rumour", "must be one of assumption, house_rule, model, variant"),
        ("prior: even", "must be one of triangle, uniform"),
        ("prior: uniform, shape: even", "give only one of them"),
    ):
        Path("bad.yaml").write_text(f"game: pig\n.source: assumed\ntarget: {{value: 90, note: x, {keys}}}\n")
        with pytest.raises(ScenarioError, match=why):
            load_scenario("pig/classic", box="bad.yaml")


def test_what_was_known_of_the_alternatives_does_not_outlive_another_value(tmp_path):
    box = tmp_path / "mine.yaml"
    box.write_text("game: run_run_run\nswitches: {attack_timing: {value: phase_end, source: assumed}}\n")
    parameter = load_scenario("run_run_run/standard", box=box).cells[0].parameters["switches.attack_timing"]
    assert parameter.prior_correct is None and not parameter.weights
    assert Prior(parameter).alternative_probabilities == pytest.approx([0.05, 0.05])


def test_odds_of_a_box_are_kept_to():
    drawn = some(Parameter("x", "b", "assumed", choices=("a", "b", "c"), odds=(1, 0, 3)))
    assert [drawn.count(x) / len(drawn) for x in "abc"] == [0.25, 0, 0.75]


def test_a_number_lies_in_a_triangle_with_its_peak_at_what_is_assumed():
    drawn = np.array(some(Parameter("x", 1.0, "assumed", range=(0, 4))))
    assert drawn.mean() == pytest.approx((0 + 1 + 4) / 3, abs=0.002)
    assert drawn.var() == pytest.approx((0 + 1 + 16 - 0 - 0 - 4) / 18, abs=0.002)
    even = np.array(some(Parameter("x", 1.0, "assumed", range=(0, 4), shape="even")))
    assert even.mean() == pytest.approx(2, abs=0.002)


def test_whole_numbers_reach_both_ends_and_no_further():
    drawn = some(Parameter("x", 3, "assumed", range=(1, 6), min=2))
    assert set(drawn) == {2, 3, 4, 5, 6} and max(set(drawn), key=drawn.count) == 3


def test_lists_of_numbers_are_drawn_item_by_item_and_doubted_lists_whole():
    by_item = Prior(Parameter("x", [1, 2], "assumed", range=(0, 4)))
    assert by_item.dimensions == 2 and by_item.compute_quantile([0.0, 0.999]) == [0, 4]
    whole = Prior(Parameter("x", [1, 2], "assumed", doubt=([3, 3],)))
    assert whole.dimensions == 1 and [whole.compute_quantile([u]) for u in (0.4, 0.6)] == [[1, 2], [3, 3]]


def test_names_of_content_and_numbers_without_a_range_stay():
    assert not Prior.exists_for(Parameter("monster.a.weak", "red", "assumed", choices=("red", "blue")))
    assert Prior.exists_for(Parameter("switches.a", "red", "assumed", choices=("red", "blue")))
    assert not Prior.exists_for(Parameter("x", 3, "assumed", min=1, max=9, note="why"))


def test_what_a_scenario_sets_is_known_and_what_it_shifts_is_not(unsure):
    def drawn(*sets):
        return [one.path for one in Priors(load_scenario("pig/classic", sets, box=unsure).cells).entries]

    assert drawn() == ["target", "die.sides"]
    assert drawn("target=60") == ["die.sides"] and drawn("target=+5") == ["target", "die.sides"]


def test_a_shift_is_laid_over_what_is_drawn(unsure):
    cell = load_scenario("pig/classic", ["target=+5"], box=unsure).cells[0]
    table = BoxEvaluator([CellPlayers(cell, make_players(cell))], Effort(seed=1, threads=1), GAMES)
    assert table.resolve_values({"target": 70}) == {"target": 75}


# Shares, with the noise of games


def shares(rows, noise):
    """Rows of boxes of which one number decides a fifth of the variance, two more together the rest, one nothing."""
    dice = np.random.default_rng(5)

    def win(x):
        return 0.5 + 0.1 * x[0] + 0.2 * x[1] * x[2]

    def played(x):
        return dice.binomial(GAMES, win(x), 2) / GAMES if noise else np.full(2, win(x))

    found = SobolSums(4)
    for a, b in dice.choice([-1.0, 1.0], (rows, 2, 4)):
        mixes = []
        for i in range(4):
            ab, ba = a.copy(), b.copy()
            ab[i], ba[i] = b[i], a[i]
            mixes.append((played(ab), played(ba)))
        found.add(played(a), played(b), mixes)
    return found.estimate_indices(0.95)


@pytest.mark.parametrize("noise", [False, True])
def test_the_shares_of_a_function_that_can_be_computed(noise):
    """Variances 0.01 and 0.04: alone 0.2, 0, 0, 0; with all else 0.2, 0.8, 0.8, 0; the noise adds 0.008 to each."""
    found = shares(1200, noise)
    for share, first, total in zip(found, (0.2, 0, 0, 0), (0.2, 0.8, 0.8, 0), strict=True):
        assert share.first.value == pytest.approx(first, abs=0.06)
        assert share.total.value == pytest.approx(total, abs=0.06)
        assert share.total.low <= total + 1e-9 and share.total.high >= total - 1e-9


def test_a_mix_that_is_no_game_is_left_out():
    found = SobolSums(2)
    for i in range(80):
        a, b = (np.array([float(i % 2), float(i % 2)]), np.array([float(1 - i % 2)] * 2))
        found.add(a, b, [(b, a), None if i % 4 == 0 else (b, a)])
    assert [s.first.value for s in found.estimate_indices(0.95)] == [1, 1]


def play_boxes(rng, rates, half_games):
    return rng.binomial(half_games, rates[:, None], (len(rates), 2)) / half_games


def test_the_band_is_that_of_the_boxes_and_not_of_the_games():
    dice = np.random.default_rng(3)
    halves = play_boxes(dice, dice.uniform(0.3, 0.6, 4000), GAMES)
    found = estimate_band(halves, GAMES, 0.95, 0.5)
    assert found.low == pytest.approx(0.315, abs=0.02) and found.high == pytest.approx(0.585, abs=0.02)
    assert np.quantile(halves.mean(axis=1), 0.95) > 0.61  # with the noise of the games it would be wider
    assert found.share_below_headline.low < 2 / 3 < found.share_below_headline.high and found.box_count == 4000


def test_the_intervals_of_the_ends_hold_and_have_width():
    """The ends of boxes whose win rates follow a beta distribution, with 25 games a half as in the study."""
    truth, inside = beta.ppf([0.05, 0.5, 0.95], 3, 2), np.zeros(3)
    for seed in range(100):
        rng = np.random.default_rng(seed)
        found = estimate_band(play_boxes(rng, rng.beta(3, 2, 400), 25), 25, 0.95)
        ends = found.percentiles.values()
        assert all(0 <= e.low < e.high <= 1 for e in ends)
        inside += [e.low <= exact <= e.high for e, exact in zip(ends, truth, strict=True)]
    assert inside.min() >= 88


def test_bands_that_are_called_reproducible_agree_within_three_points_over_three_seeds():
    """Boxes drawn until the band is reproducible, as the study does; and before that, it says how many are missing."""
    agree, trials = 0, 6
    for trial in range(trials):
        ends = []
        for seed in range(3):
            rng, n = np.random.default_rng([trial, seed]), 1000
            rates = rng.beta(2, 3, 40_000)
            halves = play_boxes(rng, rates, 50)
            found = estimate_band(halves[:n], 50, 0.95)
            while not found.is_reproducible:
                assert found.missing_boxes > 0
                n += max(200, found.missing_boxes)
                found = estimate_band(halves[:n], 50, 0.95)
            assert found.missing_boxes == 0 and n <= 20_000
            ends.append((found.low, found.high))
        agree += np.ptp(ends, axis=0).max() <= AGREEMENT
    assert agree >= trials - 1


def test_a_band_of_few_boxes_says_how_many_more_another_seed_needs_to_agree(unsure):
    found = study.analyze_uncertainty(
        load_scenario("pig/classic", box=unsure), Effort(2000, seed=1, threads=1), turns=30
    )
    rough = replace(found.band, end_error=2 * MAX_END_ERROR)
    assert rough.missing_boxes == 3 * rough.box_count
    text = " ".join(told.describe_uncertainty(replace(found, band=rough)))
    assert "an end of the band over all boxes may move by 6 points" in text
    assert f"about {rough.missing_boxes:,} more plausible boxes would bring that down to 3" in text
    assert build_uncertainty_answer(replace(found, band=rough)).missing_boxes == rough.missing_boxes
    fine = replace(found.band, end_error=0.5 * MAX_END_ERROR)
    settled = replace(found, band=fine, numbers_band=fine, steady_band=None)
    assert "more plausible boxes" not in " ".join(told.describe_uncertainty(settled))
    by_steady = replace(settled, steady_band=(found.headline, rough))
    assert told.count_missing_boxes(by_steady) == rough.missing_boxes, "the page shows the band by steady"


def test_a_band_narrower_than_the_noise_of_the_games_is_not_widened_by_it():
    """Boxes that differ by a hundredth, in games that differ by a tenth."""
    rng = np.random.default_rng(8)
    found = estimate_band(play_boxes(rng, rng.normal(0.5, 0.02, 4000), 25), 25, 0.95)
    assert found.low == pytest.approx(0.467, abs=0.012) and found.high == pytest.approx(0.533, abs=0.012)
    inside = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        low = estimate_band(play_boxes(rng, rng.normal(0.5, 0.04, 800), 25), 25, 0.95).percentiles[5]
        inside += low.low <= 0.4342 <= low.high
    assert inside >= 52


def test_an_end_at_which_many_boxes_tie_has_an_interval_within_zero_and_one():
    halves = np.zeros((400, 2))
    found = estimate_band(halves, 25, 0.95)
    assert all(0 == e.low <= e.value < e.high < 0.001 for e in found.percentiles.values())
    found = estimate_band(1 - halves, 25, 0.95)
    assert all(0.999 < e.low < e.value == e.high == 1 for e in found.percentiles.values())


def test_a_band_that_covers_everything_is_said_to():
    halves = np.repeat(np.linspace(0, 1, 101)[:, None], 2, axis=1)
    assert estimate_band(halves, 1000, 0.95).covers_everything
    assert not estimate_band(halves * 0.5, 1000, 0.95).covers_everything


def test_knowing_all_leaves_the_median_and_knowing_nothing_the_band():
    found = estimate_band(np.repeat(np.linspace(0.2, 0.6, 101)[:, None], 2, axis=1), 1000, 0.95)
    assert set(found.narrow(1.0).values()) == {found.percentiles[50].value}
    assert found.narrow(0.0) == {p: e.value for p, e in found.percentiles.items()}


def test_the_share_of_boxes_in_which_a_sign_holds():
    dice = np.random.default_rng(4)
    apart = np.where(np.arange(2000) < 1400, 0.2, -0.2)[:, None] + dice.normal(0, 0.1, (2000, 2))
    assert estimate_sign_share(apart, 0.95).value == pytest.approx(0.7, abs=0.02)
    assert (
        estimate_sign_share(dice.normal(0.05, 0.1, (2000, 2)), 0.95).value > 0.96
    )  # the boxes do not differ, the games do
    assert estimate_sign_share(np.full((50, 2), 0.1), 0.95).value == 1


@pytest.mark.parametrize(
    ("mean", "spread", "boxes", "truth"), [(0.01, 0.03, 400, 0.631), (0.08, 0.2, 160, 0.655), (0.05, 0.02, 200, 0.994)]
)
def test_the_interval_of_that_share_holds_however_few_games_tell_of_a_box(mean, spread, boxes, truth):
    """A dozen games a half tell no box's small difference; so not all are said to be as they are on average."""
    dice = np.random.default_rng(5)
    found = [
        estimate_sign_share(dice.normal(mean, spread, (boxes, 1)) + dice.normal(0, 0.16, (boxes, 2)), 0.95)
        for _ in range(100)
    ]
    assert sum(e.low <= truth <= e.high for e in found) >= 85
    assert truth > 0.95 or sum(e.value >= 0.95 for e in found) <= 2


# The study


def test_what_decides_pig(unsure):
    found = study.analyze_uncertainty(
        load_scenario("pig/classic", box=unsure), Effort(4000, seed=1, threads=1), turns=150
    )
    assert found.sampled_count == 2 and {p.path for p in found.parameters} == {"target", "die.sides"}
    assert 0.5 < found.band.low <= found.band.high < 0.7 and found.band.box_count > 20
    assert found.headline.low < 0.54 < found.headline.high


def test_what_a_box_of_ones_own_settles_leaves_the_doubt(unsure):
    Path("known.yaml").write_text(
        UNSURE.replace(
            "target: {value: 100, range: [50, 150], note: nobody knows}", "target: {value: 100, source: rulebook}"
        )
    )
    found = Priors(load_scenario("pig/classic", box="known.yaml").cells)
    assert [one.path for one in found.entries] == ["die.sides"]


def test_the_band_of_the_worked_example_narrows_as_its_page_says():
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "designing.md").read_text()
    bands, left = [], []
    for box in (None, docs / "known-box.yaml"):
        cell = load_scenario("run_run_run/standard", box=box, strategies=["trained"]).cells[0]
        unknowns = Priors([cell])
        table = BoxEvaluator([CellPlayers(cell, make_players(cell))], Effort(seed=1, threads=1), 12)
        stage = Schedule(Budget(), ignore_progress, 60).start_stage("plausible boxes", 1.0)
        rows = SamplePairs(table, unknowns, 1).collect_pairs(stage)
        bands.append(estimate_band(select_cell(rows, 0), table.half_games, 0.95))
        left.append(len(unknowns.entries))
    wide, narrow = bands
    assert f"{left[0]} unknown numbers" in page and f"{left[1]} are left" in page
    assert wide.low < 0.4 and wide.low + 0.08 < narrow.low < narrow.high < 0.97


def test_nothing_assumed_is_an_answer():
    found = study.analyze_uncertainty(load_scenario("pig/classic"), Effort(2000, seed=1, threads=1), 1.0)
    assert found.band is None and found.sampled_count == 0


def test_boxes_that_are_no_games_are_drawn_again_and_counted(unsure, monkeypatch):
    cell = load_scenario("pig/classic", box=unsure).cells[0]
    table, unknowns = (
        BoxEvaluator([CellPlayers(cell, make_players(cell))], Effort(seed=1, threads=1), 5),
        Priors([cell]),
    )
    numbers = table.resolve_values
    monkeypatch.setattr(
        table, "resolve_values", lambda drawn, c=0: numbers(drawn, c) if drawn["target"] > 100 else None
    )
    rows = SamplePairs(table, unknowns, 1)
    assert (
        all(min(r.a["target"], r.b["target"]) > 100 for r in islice(rows.generate_pairs(), 20))
        and rows.rejected_boxes > 10
    )
    drawn = {row.a["target"] for row in islice(rows.generate_pairs(), 200)}
    assert len(drawn) > 35 and min(drawn) == 101
    monkeypatch.setattr(table, "resolve_values", lambda drawn, c=0: None)
    rows = SamplePairs(table, unknowns, 1)
    with pytest.raises(UncertaintyError, match="rejects all"):
        next(rows.generate_pairs())


def test_which_row_has_which_boxes_does_not_hang_on_how_many_play(unsure, monkeypatch):
    cell = load_scenario("pig/classic", box=unsure).cells[0]

    def rows(size):
        table = BoxEvaluator([CellPlayers(cell, make_players(cell))], Effort(seed=1, threads=1), 5)
        numbers, table.backend.workers = table.resolve_values, size
        monkeypatch.setattr(
            table, "resolve_values", lambda drawn, c=0: numbers(drawn, c) if drawn["target"] > 90 else None
        )
        made = SamplePairs(table, Priors([cell]), 1)
        found = [*islice(made.generate_pairs(), 10), *islice(made.generate_pairs(in_all_cells=False), 15)]
        mixes = list(made.swap_groups(found[:5], [["target"], ["die.sides"]]))
        return repr((found, mixes, made.rejected_boxes))

    assert rows(1) == rows(11) and "rates_a" in rows(1)


def test_who_plays_is_heard_to_the_end_so_that_no_ctrl_c_is_lost(unsure, monkeypatch):
    cell = load_scenario("pig/classic", box=unsure).cells[0]
    table, ended = BoxEvaluator([CellPlayers(cell, make_players(cell))], Effort(seed=1, threads=1), 5), []
    each = table.backend.map_jobs

    def heard(*asked):
        yield from each(*asked)
        ended.append(True)

    monkeypatch.setattr(table.backend, "map_jobs", heard)
    next(SamplePairs(table, Priors([cell]), 1).generate_pairs())
    assert ended


def test_ctrl_c_gives_what_is_known(unsure, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(SamplePairs, "swap_groups", stopped)
    found = study.analyze_uncertainty(load_scenario("pig/classic", box=unsure), Effort(2000, seed=1, threads=1), 2.0)
    assert found.interrupted and found.band and not found.groups


def test_ctrl_c_while_the_box_itself_is_played_gives_its_rate(unsure, monkeypatch):
    run = assumed_box.Runner.run

    def stopped(runner, played, *asked, **more):
        run(runner, played, *asked, **more).interrupted = True

    monkeypatch.setattr(assumed_box.Runner, "run", stopped)
    found = study.analyze_uncertainty(load_scenario("pig/classic", box=unsure), Effort(2000, seed=1, threads=1), 2.0)
    assert found.interrupted and found.headline.n == 2000 and not found.band and not found.conclusions


def test_cells_of_a_grid_and_variants_are_held_against_each_other(unsure):
    Path("grid.yaml").write_text("game: pig\nbox: unsure.yaml\nsweep: {strategies: [steady, random]}\n")
    found = study.analyze_uncertainty(load_scenario("grid.yaml"), Effort(2000, seed=1, threads=1), turns=60)
    [one] = found.conclusions
    assert found.numbers_band is found.band and not found.reading_count
    assert "is won more often than" in one.statement and one.share.n == found.band.box_count
    a, b = (
        load_scenario("pig/classic", box=unsure, strategies=[who, "steady"]).cells[0] for who in ("steady", "random")
    )
    with use_clock(FakeClock(step=0.01)):
        held = assess_difference(a, b, Effort(seed=1, threads=1), 2.0)
    assert held.statement == "A is won more often than B" and held.share.value > 0.99 and held.is_robust
    assert (
        assess_difference(
            *[replace(load_scenario("pig/classic").cells[0]) for _ in "ab"], Effort(seed=1, threads=1), 1.0
        )
        is None
    )


def test_the_answer_as_json_and_as_text(unsure):
    asked = ["doubts", "pig/classic", "--box", unsure, "--seconds", "2", "--threads", "1", "--prior-correct", "0.8"]
    data = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    assert {"rate", "low", "high"} <= set(data["headline"]) and set(data["band"]) == {"5", "50", "95"}
    assert {"path", "first", "total", "low", "high"} <= set(data["shares"][0])
    assert set(data["knowing"][0]) == {"path", "band"} and data["firm"] == []
    assert {"readings", "prior_correct", "band_if_readings_right", "impossible_share", "singles"} <= set(data)
    assert data["prior_correct"] == 0.8 and set(data["look_up_first"]) == {"first", "tied"}
    assert data["box"]["file"] == unsure and "triangular" in data["assumed_about_assumptions"]


def test_where_steady_disagrees_that_is_said_first(unsure):
    found = study.analyze_uncertainty(
        load_scenario("pig/classic", box=unsure), Effort(2000, seed=1, threads=1), turns=30
    )
    steady = replace(found.headline, value=0.1, low=0.09, high=0.11)
    assert (
        "steady disagrees" not in told.describe_uncertainty(replace(found, steady_band=(found.headline, found.band)))[0]
    )
    found = replace(found, steady_band=(steady, found.band))
    assert told.describe_uncertainty(found)[0].startswith("steady disagrees, by more than half: it wins 10.0 %")
    assert build_uncertainty_answer(found).steady.disagrees


TOY = """
game: pig
.source: assumed
target: {value: 60, range: [20, 100], prior: uniform, note: nobody knows}
die: {sides: {value: 6, doubt: [4, 10], prior_correct: 0.5, weights: [1, 3], prior_reason: for this test, note: why}}
"""


def sample_as_the_page_says(rng):
    """A sampler of one's own for the box above, from docs/how/uncertainty.md alone."""
    target = min(max(round(rng.uniform(19.5, 100.5)), 20), 100)
    sides = 6 if rng.random() < 0.5 else (4 if rng.random() < 0.25 else 10)
    return {"target": target, "die.sides": sides}


def test_a_sampler_of_ones_own_gives_the_same_band(unsure):
    Path("toy.yaml").write_text(TOY)
    cell = load_scenario("pig/classic", box="toy.yaml").cells[0]
    evaluator = BoxEvaluator([CellPlayers(cell, make_players(cell))], Effort(seed=5, threads=1), 200)
    rng = np.random.default_rng(77)
    rates = evaluator.evaluate_boxes([BoxJob(0, 9000 + i, sample_as_the_page_says(rng)) for i in range(1200)])
    own = np.quantile(np.array(rates).mean(axis=1), [0.05, 0.5, 0.95])
    found = study.analyze_uncertainty(
        load_scenario("pig/classic", box="toy.yaml"), Effort(4000, seed=3, threads=1), turns=400
    )
    theirs = [e.value for e in found.band.percentiles.values()]
    assert np.abs(own - theirs).max() < 0.03 and found.band.box_count >= 400
    drawn = [Priors([cell]).build_box(u) for u in np.random.default_rng(1).random((4000, 2))]
    mine = [sample_as_the_page_says(rng) for _ in range(4000)]
    for path in ("target", "die.sides"):
        assert ks_2samp([box[path] for box in drawn], [box[path] for box in mine]).pvalue > 0.001


def test_at_least_400_boxes_are_played_however_short_the_time(unsure):
    with use_clock(FakeClock(step=10.0)):
        found = study.analyze_uncertainty(
            load_scenario("pig/classic", box=unsure), Effort(2000, seed=1, threads=1), 1.0
        )
    assert found.band.box_count >= 400


def test_the_band_of_the_numbers_alone_is_played_with_the_same_boxes_and_games(monkeypatch):
    cell = load_scenario("run_run_run/standard").cells[0]
    priors = Priors([cell])
    box = priors.draw_box(np.random.default_rng(1))
    assumed = priors.assume_readings(box)
    changed = {path for path in box if box[path] != assumed[path]}
    assert changed and changed <= {prior.path for prior in priors.readings}
    assert all(assumed[prior.path] == prior.parameter.value for prior in priors.readings)
    table = BoxEvaluator([CellPlayers(cell, make_players(cell))], Effort(seed=1, threads=1), 5)
    pairs = SamplePairs(table, priors, 1)
    jobs = []

    def note(asked):
        jobs.extend(asked)
        return [np.array([0.5, 0.5])] * len(asked)

    monkeypatch.setattr(table, "evaluate_boxes", note)
    played = pairs.collect_pairs(Schedule(Budget(), ignore_progress, 200).start_stage("boxes", 1.0))
    drawn, jobs[:] = {(job.row, repr(priors.assume_readings(job.box))) for job in jobs}, []
    stage = Schedule(Budget(), ignore_progress, 200).start_stage("readings right", 1.0)
    assert len(pairs.play_with_assumed_readings(played, stage)) >= 400
    assert {(job.row, repr(job.box)) for job in jobs} <= drawn


def test_the_band_of_the_numbers_alone_draws_further_boxes_where_it_needs_more(monkeypatch):
    answers = chain([True, False, False], repeat(True))
    monkeypatch.setattr(SamplePairs, "_is_reproducible", lambda pairs, halves: next(answers))
    monkeypatch.setattr(BoxEvaluator, "evaluate_boxes", lambda table, jobs: [np.array([0.5, 0.5])] * len(jobs))
    monkeypatch.setattr(study, "_play_singles", lambda *_: [])
    monkeypatch.setattr(study, "_analyze_sources", lambda *_: None)
    with use_clock(FakeClock(step=0.01)):
        found = study.analyze_uncertainty(
            load_scenario("run_run_run/standard"), Effort(2000, seed=1, threads=1), 1000.0
        )
    assert found.band.box_count == 400 and found.numbers_band.box_count >= 600


def source(path, variance, low, high):
    return SingleSource(path, True, Estimate(variance, low, high, 1000))


def test_what_to_look_up_first_is_named_only_as_far_as_it_is_told_apart():
    a, b, c, d = source("a", 9, 8, 10), source("b", 5, 4, 6), source("c", 2, 1, 3), source("d", 1.5, 1, 2)
    told_apart = find_lookup_order([a, b, c, d])
    assert (told_apart.first, told_apart.tied) == (["a", "b"], [])
    near = replace(b, path="near", variance=Estimate(4.5, 3.5, 5.5, 1000))
    tied = find_lookup_order([a, b, near, c])
    assert (tied.first, tied.tied) == (["a"], ["b", "near"])
    level = find_lookup_order([a, replace(a, path="level"), b])
    assert (level.first, level.tied) == (["a", "level"], [])
    wide, third = source("wide", 7, 4, 10), source("third", 4, 3.5, 4.5)
    chained = find_lookup_order([a, wide, third])
    assert (chained.first, chained.tied) == ([], ["a", "wide", "third"])
    close = find_lookup_order([source("top", 9, 7, 11), source("next", 6.5, 5, 6.9), source("last", 5.5, 5, 6)])
    assert (close.first, close.tied) == (["top"], ["next", "last"])
    nothing = find_lookup_order([source("none", 0, 0, 0)])
    assert (nothing.first, nothing.tied) == ([], [])


def test_each_assumption_alone_has_the_variance_that_its_probabilities_give(unsure):
    """The change of an alternative, measured by many games of its own, weighed by its probability."""
    Path("toy.yaml").write_text(TOY)
    found = study.analyze_uncertainty(
        load_scenario("pig/classic", box="toy.yaml"), Effort(4000, seed=3, threads=1), turns=8
    )
    die = next(one for one in found.singles if one.path == "die.sides")
    cells = [load_scenario("pig/classic", [f"die.sides={n}"], box="toy.yaml") for n in (6, 4, 10)]
    rates = [estimate_win_rate(hardmode.play(cell, games=40_000)[0].tally, 0.95).value for cell in cells]
    changes = np.array([0, rates[1] - rates[0], rates[2] - rates[0]])
    weights = np.array([0.5, 0.125, 0.375])
    exact = weights @ changes**2 - (weights @ changes) ** 2
    assert die.variance.low <= exact * 1.1 and die.variance.high >= exact * 0.9
    assert [(e.value, e.probability) for e in die.effects] == [(4, 0.125), (10, 0.375)]
    for effect, change in zip(die.effects, changes[1:], strict=True):
        assert effect.change.low - 0.01 <= change <= effect.change.high + 0.01


def test_a_headline_outside_its_band_is_never_told_without_a_reason(unsure):
    found = study.analyze_uncertainty(
        load_scenario("pig/classic", box=unsure), Effort(2000, seed=1, threads=1), turns=30
    )
    percentiles = {p: Estimate(x, x - 0.01, x + 0.01, 400) for p, x in ((5, 0.1), (50, 0.2), (95, 0.3))}
    band = UncertaintyBand(percentiles, 400, Estimate(0.99, 0.98, 1.0, 400))
    outside = replace(found, band=band)
    text = " ".join(told.describe_uncertainty(outside))
    assert "lies above its own band" in text and "favours seat 1 more than 99 of 100" in text
    assert build_uncertainty_answer(outside).headline_outside_band
    assert build_uncertainty_answer(outside).headline_position == "easy"
    inside = replace(found, headline=replace(found.headline, value=0.2))
    inside = replace(inside, band=band)
    assert "own band" not in " ".join(told.describe_uncertainty(inside))
    assert build_uncertainty_answer(inside).headline_outside_band == ""


def test_odds_that_are_none(unsure):
    for odds, why in (
        ("[1, 2, 3]", "has 3 odds for 0 readings"),
        ("[0, 0]", "must be a list of numbers"),
    ):
        Path("bad.yaml").write_text(f"game: pig\n.source: assumed\ntarget: {{value: 90, odds: {odds}}}\n")
        with pytest.raises(ScenarioError, match=why):
            load_scenario("pig/classic", box="bad.yaml")
