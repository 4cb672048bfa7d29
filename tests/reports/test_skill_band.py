"""Beside the headline: the band from steady players to experts, and for whom a target is met."""

from types import SimpleNamespace

from hardmode.reports.page.chapters import skill_band
from hardmode.scenarios.expect import ExpectedRange
from hardmode.studies.core.metric import DifficultyMetric

GAMES = 1000


def survey(band=None, games=GAMES, rivals=False, standing=0, **rates):
    ladder = {rung: SimpleNamespace(tally=rate) for rung, rate in rates.items()}
    measure = SimpleNamespace(
        competitive=rivals,
        win_rate_label="win rate",
        estimate_win_rate=lambda rate: DifficultyMetric(False, False).estimate_rate(round(rate * games), games),
    )
    assumed = SimpleNamespace(unchanged=standing, parameters=40)
    return SimpleNamespace(
        skill_levels=ladder,
        metric=measure,
        cells=[1],
        uncertainty=None,
        first_cell=SimpleNamespace(assumption_count=assumed),
        scenario=SimpleNamespace(expect=SimpleNamespace(win_rate=band) if band else None),
    )


def test_an_interval_wider_than_ten_points_is_in_no_headline():
    assert list(skill_band.get_precise_levels(survey(steady=0.5, expert=0.9))) == ["steady", "expert"]
    assert list(skill_band.get_precise_levels(survey(steady=0.5, expert=0.97, games=150))) == ["expert"]
    assert skill_band.get_precise_levels(survey(steady=0.5, expert=0.8, games=90)) == {}


def test_the_band_stands_beside_the_headline():
    assert skill_band.list_skill_band_facts(survey(random=0, steady=0.57, trained=0.92)) == [
        ("steady to trained", "57 to 92 %", "steady 57 %, trained 92.0 %")
    ]
    assert skill_band.list_skill_band_facts(survey(random=0, steady=0.57)) == []


def test_for_which_rungs_a_target_is_met():
    found = survey(ExpectedRange(0.4, 0.6), random=0.01, steady=0.5, trained=0.6, expert=0.9)
    assert skill_band.describe_target_by_level(found) == [
        "The target of 40 .. 60 % is met by steady players; missed from below by random play; exceeded by "
        "experts; not settled for trained players."
    ]
    assert skill_band.describe_target_by_level(survey(steady=0.5)) == []
