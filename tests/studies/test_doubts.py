"""What the assumptions decide: shares without the noise of games, bands, firmness, and what is settled."""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports.console import uncertainty as told
from hardmode.reports.json.uncertainty import build_uncertainty_answer
from hardmode.scenarios.load import ScenarioError, load_scenario
from hardmode.scenarios.parameter import Parameter
from hardmode.studies.core.budget import Budget, FakeClock, use_clock
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.core.run import Effort, make_players
from hardmode.studies.uncertainty import analysis as study
from hardmode.studies.uncertainty.box_evaluator import BoxEvaluator, CellPlayers
from hardmode.studies.uncertainty.design import SamplePairs, UncertaintyError, select_cell
from hardmode.studies.uncertainty.priors import Prior, Priors
from hardmode.studies.uncertainty.robustness import assess_difference
from hardmode.studies.uncertainty.sobol_from_halves import SobolSums, denoise, estimate_band, estimate_sign_share
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


def test_the_reading_that_is_assumed_is_as_likely_as_all_others_together():
    drawn = some(Parameter("switches.a", "b", "assumed", choices=("a", "b", "c")))
    assert [drawn.count(x) / len(drawn) for x in "abc"] == [0.25, 0.5, 0.25]
    assert np.mean(some(Parameter("x", True, "assumed"))) == 0.5


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


def test_the_band_is_that_of_the_boxes_and_not_of_the_games():
    dice = np.random.default_rng(3)
    boxes = dice.uniform(0.3, 0.6, 2000)
    halves = dice.binomial(GAMES, boxes[:, None], (2000, 2)) / GAMES
    found = estimate_band(halves, 0.95)
    assert found.low == pytest.approx(0.315, abs=0.03) and found.high == pytest.approx(0.585, abs=0.03)
    assert np.quantile(halves.mean(axis=1), 0.95) > 0.61  # with the noise of the games it would be wider
    assert denoise(halves).std() == pytest.approx(boxes.std(), abs=0.01)


def test_a_band_that_covers_everything_is_said_to():
    halves = np.repeat(np.linspace(0, 1, 101)[:, None], 2, axis=1)
    assert estimate_band(halves, 0.95).covers_everything and not estimate_band(halves * 0.5, 0.95).covers_everything


def test_knowing_all_leaves_the_median_and_knowing_nothing_the_band():
    found = estimate_band(np.repeat(np.linspace(0.2, 0.6, 101)[:, None], 2, axis=1), 0.95)
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


def test_the_band_of_the_worked_example_narrows_as_its_page_says(tmp_path):
    page = (Path(__file__).parents[2] / "docs/designing.md").read_text()
    (tmp_path / "mybox.yaml").write_text(page.partition("```yaml\n")[2].partition("```")[0])
    bands, left = [], []
    for box in (None, tmp_path / "mybox.yaml"):
        cell = load_scenario("run_run_run/standard", box=box, strategies=["trained"]).cells[0]
        unknowns = Priors([cell])
        table = BoxEvaluator([CellPlayers(cell, make_players(cell))], Effort(seed=1, threads=1), 12)
        stage = Schedule(Budget(), ignore_progress, 60).start_stage("plausible boxes", 1.0)
        rows = SamplePairs(table, unknowns, 1).collect_pairs(stage)
        bands.append(estimate_band(select_cell(rows, 0), 0.95))
        left.append(len(unknowns.entries))
    wide, narrow = bands
    assert f"{left[0]} unknown numbers" in page and f"{left[1]} are left" in page
    assert wide.covers_everything and narrow.high - narrow.low < 0.6 and narrow.low > 0.35


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
    run = study.Runner.run

    def stopped(runner, played, *asked, **more):
        run(runner, played, *asked, **more).interrupted = True

    monkeypatch.setattr(study.Runner, "run", stopped)
    found = study.analyze_uncertainty(load_scenario("pig/classic", box=unsure), Effort(2000, seed=1, threads=1), 2.0)
    assert found.interrupted and found.headline.n == 2000 and not found.band and not found.conclusions


def test_cells_of_a_grid_and_variants_are_held_against_each_other(unsure):
    Path("grid.yaml").write_text("game: pig\nbox: unsure.yaml\nsweep: {strategies: [steady, random]}\n")
    found = study.analyze_uncertainty(load_scenario("grid.yaml"), Effort(2000, seed=1, threads=1), turns=60)
    [one] = found.conclusions
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
    asked = ["doubts", "pig/classic", "--box", unsure, "--seconds", "2", "--threads", "1"]
    data = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    assert {"rate", "low", "high"} <= set(data["headline"]) and set(data["band"]) == {"5", "50", "95"}
    assert {"path", "first", "total", "low", "high"} <= set(data["shares"][0])
    assert set(data["knowing"][0]) == {"path", "band"} and data["firm"] == []
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


def test_odds_that_are_none(unsure):
    for odds, why in (
        ("[1, 2, 3]", "has 3 odds for 0 readings"),
        ("[0, 0]", "must be a list of numbers"),
    ):
        Path("bad.yaml").write_text(f"game: pig\n.source: assumed\ntarget: {{value: 90, odds: {odds}}}\n")
        with pytest.raises(ScenarioError, match=why):
            load_scenario("pig/classic", box="bad.yaml")
