"""How much may go wrong: the curve over slips in a report's chapter "For whom?"."""

from types import SimpleNamespace

import pytest

from hardmode.reports.page.chapters import forgiveness, skill_levels
from hardmode.reports.page.chapters.forgiveness import find_crossing_share
from hardmode.scenarios.load import load_scenario
from hardmode.studies.comparison import mistake_curves
from hardmode.studies.core.metric import DifficultyMetric
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.core.run import Effort
from hardmode.studies.report_run import runner, variant_parts


@pytest.fixture(scope="module")
def survey():
    return runner.play_report(load_scenario("pig/classic", ["setup.players=2"]), Effort(1000), None, ignore_progress)


def test_the_curve_runs_from_the_rung_to_random(survey):
    [curve] = survey.mistake_curves.values()
    assert sorted(curve) == [0.0, *variant_parts.MISTAKE_RATES, 1.0]
    assert curve[0.0] is survey.skill_levels["steady"] and curve[1.0] is survey.skill_levels["random"]
    rates = [survey.metric.estimate_win_rate(curve[share].tally).value for share in sorted(curve)]
    assert rates[0] > 0.45 and rates[-1] < 0.05 and rates[0] > rates[3] > rates[6]
    item = curve[0.2]
    assert "--strategy steady --mistakes 20% --mistakes 0%" in item.command and item in survey.played_variants


def test_it_is_drawn_and_said(survey):
    made = skill_levels.make_skill_level_section(survey)
    [figure] = [f for f in made.figures if f.name == "forgiveness"]
    assert figure.data["series"][0]["x"][:3] == [0, 5, 10] and len(figure.data["series"][0]["estimates"]) == 10
    assert (
        sum("the first seat still wins half" in told.lower() and "is a mistake" in told for told in made.sentences) == 1
    )


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        (
            (0.9, 0.6, 0.4, 0),
            "Players still win half of the games if one decision in 7 (between one in 10 and one in 5) is a mistake",
        ),
        (
            (0.4, 0.3, 0.1, 0),
            "Players still win half as many games as without mistakes if one decision in 7 "
            "(between one in 9 and one in 5) is",
        ),
        ((0.9, 0.9, 0.9, 0.1), "Players still win half of the games if 60 % of all decisions (54 .. 66) are mistakes"),
        ((0, 0, 0, 0), ""),
    ],
)
def test_the_sentence(rates, said):
    shares = (0.0, 0.1, 0.2, 1.0)
    tallies = {share: SimpleNamespace(tally=rate) for share, rate in zip(shares, rates, strict=True)}
    metric = SimpleNamespace(
        estimate_win_rate=lambda rate: DifficultyMetric(False, False).estimate_rate(round(100 * rate), 100),
        competitive=False,
        win_rate_label="win rate",
    )
    told = forgiveness.describe_curve(SimpleNamespace(metric=metric), tallies, "")
    assert told == "" if not said else told.startswith(said), told


def test_the_share_is_read_straight_between_what_was_played():
    assert find_crossing_share([0, 0.5, 1], [0.8, 0.6, 0.2], 0.5) == pytest.approx(0.625)
    assert find_crossing_share([0, 1], [0.8, 0.6], 0.5) is None


# -- a grid: the curves side by side, and where they cross -------------------------------------------------------------


def tallies(rates, games=10_000):
    return {share: SimpleNamespace(counted=round(games * rate), games=games) for share, rate in rates.items()}


def test_curves_that_cross_are_told_with_both_sides(monkeypatch):
    monkeypatch.setattr(mistake_curves, "count_wins", lambda tally: tally.counted)
    steep, flat = {0.0: 0.9, 0.2: 0.5, 0.5: 0.2, 1.0: 0.1}, {0.0: 0.7, 0.2: 0.5, 0.5: 0.4, 1.0: 0.1}
    [found] = mistake_curves.find_crossings({"steep": tallies(steep), "flat": tallies(flat)}, 0.95)
    assert (found.careful, found.careless, found.careful_until, found.careless_from) == ("steep", "flat", 0.0, 0.5)
    assert mistake_curves.find_crossings({"flat": tallies(flat), "steep": tallies(steep)}, 0.95) == [found]
    lower = {share: rate - 0.05 for share, rate in flat.items()}
    assert mistake_curves.find_crossings({"flat": tallies(flat), "lower": tallies(lower)}, 0.95) == []
    assert mistake_curves.find_crossings({"a": tallies(steep, 20), "b": tallies(flat, 20)}, 0.95) == []  # in doubt


def test_a_grid_has_a_curve_for_each_cell():
    grid = load_scenario({"game": "pig", "sweep": {"target": [30, 100], "die.sides": [6, 8]}})
    assert [cell.label["target"] for cell in mistake_curves.find_comparable_cells(grid)] == [100]
    made = runner.play_report(grid, Effort(300), None, ignore_progress)
    assert [list(curve) for curve in made.mistake_curves.values()] == [
        list(next(iter(made.mistake_curves.values())))
    ] * 2
    [drawn] = [f for f in skill_levels.make_skill_level_section(made).figures if f.name == "forgiveness"]
    assert [s["name"] for s in drawn.data["series"]] == list(made.mistake_curves) and len(drawn.data["series"]) == 2
    assert (
        mistake_curves.find_comparable_cells(
            load_scenario({"game": "pig", "sweep": {"strategies": ["steady", "beginner"]}})
        )
        == []
    )


def test_of_many_cells_a_few_stand_side_by_side():
    many = load_scenario({"game": "pig", "sweep": {"target": list(range(20, 120, 10))}})
    assert [cell.label["target"] for cell in mistake_curves.find_comparable_cells(many)] == [30, 60, 80, 110]
