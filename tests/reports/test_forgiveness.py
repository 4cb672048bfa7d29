"""How much may go wrong: the curve over slips in a report's chapter "For whom?"."""

from types import SimpleNamespace

import pytest

from hardmode.reports.page.chapters import skill_levels
from hardmode.reports.page.chapters.skill_levels import _reaches
from hardmode.scenarios.load import load
from hardmode.studies import surveyor
from hardmode.studies.headline import Headline
from hardmode.studies.play import Effort
from hardmode.studies.progress import silent


@pytest.fixture(scope="module")
def survey():
    return surveyor.survey(load("pig/classic", ["setup.players=2"]), Effort(1000), None, silent)


def test_the_curve_runs_from_the_rung_to_random(survey):
    assert sorted(survey.slips) == [0.0, *surveyor.SLIPS, 1.0]
    assert survey.slips[0.0] is survey.ladder["steady"] and survey.slips[1.0] is survey.ladder["random"]
    rates = [survey.measure.won(survey.slips[share].tally).value for share in sorted(survey.slips)]
    assert rates[0] > 0.45 and rates[-1] < 0.05 and rates[0] > rates[3] > rates[6]
    item = survey.slips[0.2]
    assert "--strategy steady --slips 20% --slips 0%" in item.command and item in survey.items


def test_it_is_drawn_and_said(survey):
    made = skill_levels.section(survey)
    [figure] = [f for f in made.figures if f.name == "forgiveness"]
    assert figure.data["series"][0]["x"][:3] == [0, 5, 10] and len(figure.data["series"][0]["estimates"]) == 10
    assert sum("may be a blunder and the first seat still wins half" in told for told in made.sentences) == 1


@pytest.mark.parametrize(("rates", "said"), [
    ((.9, .6, .4, 0), "One decision in 7 may be a blunder and players still win half of the games"),  # at 15 %
    ((.4, .3, .1, 0), "One decision in 7 may be a blunder and players still win half as many games as without"),
    ((.9, .9, .9, .1), "60 % of all decisions may be a blunder"),
    ((0, 0, 0, 0), ""),
])
def test_the_sentence(rates, said):
    shares = (0.0, 0.1, 0.2, 1.0)
    tallies = {share: SimpleNamespace(tally=rate) for share, rate in zip(shares, rates, strict=True)}
    measure = SimpleNamespace(won=lambda rate: Headline(False, False).rate(round(100 * rate), 100), rivals=False)
    told = skill_levels._forgives(SimpleNamespace(slips=tallies, measure=measure))
    assert told == [] if not said else told[0].startswith(said)


def test_the_share_is_read_straight_between_what_was_played():
    assert _reaches([0, .5, 1], [.8, .6, .2], .5) == pytest.approx(.625)
    assert _reaches([0, 1], [.8, .6], .5) is None
