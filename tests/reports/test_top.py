"""What is known of the best possible play: declared by a scenario, and said beside its skill levels."""

import pytest

from hardmode.reports.console.top import describe_top, estimate_gap_closed
from hardmode.scenarios.load import load_scenario
from hardmode.scenarios.schema import KnownTop
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.studies.stats.estimates import Estimate, wilson_rate

pytestmark = pytest.mark.plain

TOP = KnownTop(best=0.6, source="solved exactly")
LEVELS = {"steady": wilson_rate(50_000, 100_000), "expert": wilson_rate(59_000, 100_000)}
UNKNOWN = "It is not known how much better the best possible play would be."


def test_the_gap_closed_is_named_with_its_interval():
    gap = estimate_gap_closed(LEVELS["steady"], LEVELS["expert"], 0.6)
    assert gap.value == pytest.approx(0.9) and gap.low < 0.87 < 0.93 < gap.high
    assert describe_top(TOP, LEVELS, "rate").startswith(
        "The best possible play gets 60 % (solved exactly); of what it gains over steady players, experts reach 90 % ("
    )
    assert describe_top(TOP, {}, "rate") == "The best possible play gets 60 % (solved exactly)."
    assert estimate_gap_closed(Estimate(0.59, 0.55, 0.63, 100, 0.95), LEVELS["expert"], 0.6) is None


def test_a_bound_is_no_best_play():
    bound = KnownTop(bound=0.99, source="hardmode bound, 400 games")
    assert describe_top(bound, LEVELS, "rate") == "No player can exceed 99 % (hardmode bound, 400 games)."
    both = KnownTop(best=0.6, bound=0.601, source="both")
    assert describe_top(both, LEVELS, "rate").endswith("; no player can exceed 60.1 %.")


def test_elsewhere_it_is_unknown():
    assert describe_top(None, LEVELS, "rate") == UNKNOWN
    assert describe_top(KnownTop(source="nothing"), LEVELS, "rate") == UNKNOWN
    score = KnownTop(measure="score", best=254.5896, source="Glenn 2006")
    assert describe_top(score, LEVELS, "rate") == UNKNOWN
    scores = {"steady": Estimate(210, 209, 211, 999, 0.95), "expert": Estimate(240, 239, 241, 999, 0.95)}
    assert describe_top(score, scores, "mean").startswith("The best possible play gets 254.59 points (Glenn 2006); of")


def test_it_is_forgotten_where_anything_is_changed(tmp_path):
    assert load_scenario("pig/classic").top.best == 0.58737
    for change in ({"sets": ["target=50"]}, {"players": 2}, {"strategies": ["beginner"]}, {"mistakes": ["10%"]}):
        assert load_scenario("pig/classic", **change).top is None, change
    mine = tmp_path / "mine.yaml"
    mine.write_text("extends: pig/classic\nrules: {target: 50}\n")
    assert load_scenario(mine).top is None
    mine.write_text("extends: pig/classic\nrules: {target: 50}\ntop: {best: 0.5, source: me}\n")
    assert load_scenario(mine).top.source == "me"


def test_a_number_needs_a_source(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("game: pig\ntop: {best: 0.6}\n")
    with pytest.raises(ScenarioError, match="source"):
        load_scenario(mine)
