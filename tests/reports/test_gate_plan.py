"""The plan is true: what it foretells is what thousands of gates do, and no error is larger than stated.

Gates are run on tallies drawn at random, not on games, through the same questions that `check` asks. All is
seeded; a realised count must lie where a binomial of the foretold chance lies with probability 1 - 1e-4.
"""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from gatehouse import hardmode, home  # noqa: F401
from scipy import stats

from hardmode.scenarios import expect
from hardmode.studies.gate import accept as accepting
from hardmode.studies.gate import power
from hardmode.studies.gate.baseline_check import BaselineCheck, choose_margin, list_looks
from hardmode.studies.gate.baselines import Baseline, BaselineCell
from hardmode.studies.gate.expectation_checks import ExpectationCheck
from hardmode.studies.gate.prepare import prepare_run
from hardmode.studies.gate.run import GateConfig
from hardmode.studies.stats.sequential import Gate, plan_looks
from hardmode.studies.stats.verdict_chances import compute_band_chances

GATES = 3000


def agrees(count, n, p, error=0.0):
    low, high = stats.binom.ppf([5e-5, 1 - 5e-5], n, np.clip([p - error, p + error], 0, 1))
    return low <= count <= high


class Drawn:
    """Games of which only the winners matter, drawn at random."""

    cell = SimpleNamespace(label={})
    seconds = played = 0

    def release(self):
        pass

    def __init__(self, won):
        self._won = np.atleast_2d(won)  # a row for each seat

    @property
    def sides(self):
        return len(self._won)

    def is_won(self, n, side=0):
        return self._won[side, :n]

    def count_wins(self, n, side=0):
        return int(self.is_won(n, side).sum())

    def outcome_digest(self, n):
        return "another"


class Question(BaselineCheck):
    changed_inputs, libraries = ("rules",), ()


def make_check(base, games, fresh, looks, margin):
    return Question(
        scenario="x",
        cell="",
        label={},
        subject="baseline",
        baseline=base,
        accepted=base.cells[0],
        games=games,
        fresh_games=fresh,
        looks=looks,
        margin=margin,
    )


def baseline(was, paired):
    looks = plan_looks(paired)
    was = np.atleast_2d(was)
    seats = {f"seat {i + 1}": int(row.sum()) for i, row in enumerate(was)} if len(was) > 1 else {}
    cell = BaselineCell("", {}, [], 0.0, int(was[0].sum()), {}, seats, {}, 1.0, {}, {}, was[:, :paired])
    return Baseline("x", "x", "x", 1, "x", "x", "x", 1, was.shape[1], 50, looks, {}, (cell,))


def held(draw, difference, flips, paired, games, rate, margin=0.01, cells=1):
    """The verdict of one gate on builds that flip this share of games and differ by this much."""
    was = draw.random(games) < rate
    gain, lose = (flips + difference) / 2 / (1 - rate), (flips - difference) / 2 / rate
    turn = draw.random(games) < np.where(was, lose, gain)
    base = baseline(was, paired)
    fresh = Drawn(draw.random(games) < rate + difference)
    looks = list_looks(base, None)
    question = make_check(base, Drawn(was ^ turn), fresh, looks, margin)
    return question.evaluate(Gate(looks=looks, margin=margin, cells=cells))


def counted(seed, n=GATES, **how):
    draw = np.random.default_rng(seed)
    words = [held(draw, **how).verdict for _ in range(n)]
    return {word: words.count(word) for word in ("CHANGED", "EQUIVALENT", "INCONCLUSIVE")}


@pytest.mark.parametrize(
    ("difference", "flips", "games"), [(0.0, 0.02, 4000), (0.01, 0.02, 4000), (-0.02, 0.1, 3000), (0.05, 0.1, 1000)]
)
def test_pairs_do_what_the_plan_foretells(difference, flips, games):
    seen = counted(
        int(1e4 * abs(difference)) + games, difference=difference, flips=flips, paired=games, games=games, rate=0.4
    )
    row = power.compute_cell_chances(Gate(looks=plan_looks(games)), abs(difference), flips, games, 0, games)
    assert row.error == 0  # it is computed exactly
    for word, chance in (("CHANGED", row.changed), ("EQUIVALENT", row.equivalent), ("INCONCLUSIVE", row.inconclusive)):
        assert agrees(seen[word], GATES, chance), (word, seen, row)


def test_games_beyond_the_pairs_do_what_the_plan_foretells():
    how = {"difference": 0.02, "flips": 0.3, "paired": 1000, "games": 6000, "rate": 0.4, "margin": 0.05}
    seen = counted(3, 1000, **how)
    base = baseline(np.ones(6000, bool), 1000)
    gate = Gate(looks=list_looks(base, None), margin=0.05)
    assert gate.looks[-1] == 6000 and 1000 in gate.looks
    row = power.compute_cell_chances(gate, 0.02, 0.3, 1000, 2400, 6000)
    assert 0.05 < row.equivalent < 0.95  # a case that could go either way
    for word, chance in (("CHANGED", row.changed), ("EQUIVALENT", row.equivalent), ("INCONCLUSIVE", row.inconclusive)):
        assert agrees(seen[word], 1000, chance, row.error), (word, seen, row)


@pytest.mark.parametrize(("flips", "paired", "games"), [(0.02, 2000, 2000), (0.3, 500, 2000)])
def test_as_many_wins_fail_no_more_often_than_alpha(flips, paired, games):
    seen = counted(11, difference=0.0, flips=flips, paired=paired, games=games, rate=0.3)
    assert seen["CHANGED"] <= stats.binom.ppf(1 - 1e-4, GATES, 0.01)


@pytest.mark.parametrize(("margin", "flips", "paired", "games"), [(0.01, 0.0101, 2000, 2000), (0.05, 0.2, 500, 2000)])
def test_a_change_of_the_margin_passes_no_more_often_than_beta(margin, flips, paired, games):
    seen = counted(12, difference=margin, flips=flips, paired=paired, games=games, rate=0.3, margin=margin)
    assert seen["EQUIVALENT"] <= stats.binom.ppf(1 - 1e-4, GATES, 0.05)


def test_many_cells_together_fail_no_more_often_than_alpha():
    """300 runs of ten cells each that play otherwise and win as often; at alpha 20 %, so that it could be seen."""
    draw, failed = np.random.default_rng(13), 0
    for _ in range(300):
        found = []
        for _ in range(10):
            was = draw.random(1500) < 0.4
            base = baseline(was, 1500)
            turn = draw.random(1500) < np.where(was, 0.05 / 0.4, 0.05 / 0.6)
            question = make_check(base, Drawn(was ^ turn), Drawn(was), base.looks, 0.01)
            found.append(question.evaluate(Gate(alpha=0.2, looks=base.looks, cells=10)).verdict)
        failed += "CHANGED" in found
    assert failed <= stats.binom.ppf(1 - 1e-4, 300, 0.2)


def rivals(draw, shares, games):
    """Who of several wins each game, a row for each seat."""
    return draw.choice(len(shares), games, p=shares) == np.arange(len(shares))[:, None]


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [((0.4, 0.3, 0.3), (0.4, 0.36, 0.24), ("seat 2", "seat 3")), ((0.4, 0.3, 0.3), (0.46, 0.27, 0.27), ("seat 1",))],
)
@pytest.mark.parametrize("paired", [500, 6000])
def test_a_shift_between_any_seats_is_a_change(then, now, told, paired):
    """The first seat may win as often as before while others trade places."""
    draw = np.random.default_rng(16)
    was, shifted, fresh = (rivals(draw, shares, 6000) for shares in (then, now, now))
    base = baseline(was, paired)
    question = make_check(base, Drawn(shifted), Drawn(fresh), list_looks(base, None), 0.01)
    found = question.evaluate(Gate(looks=question.looks, cells=question.judged_sides))
    assert question.judged_sides == 3 and found.verdict == "CHANGED"
    assert found.text.startswith(told) and "of all 3" in found.text


def test_seats_that_trade_no_games_fail_together_no_more_often_than_alpha():
    """Three seats judged on the same games, which one plays otherwise by luck alone; at alpha 20 %."""
    draw, failed = np.random.default_rng(17), 0
    for _ in range(400):
        base = baseline(rivals(draw, (0.4, 0.3, 0.3), 1500), 1500)
        question = make_check(
            base, Drawn(rivals(draw, (0.4, 0.3, 0.3), 1500)), Drawn(base.cells[0].won), base.looks, 0.01
        )
        failed += question.evaluate(Gate(alpha=0.2, looks=base.looks, cells=3)).verdict == "CHANGED"
    assert failed <= stats.binom.ppf(1 - 1e-4, 400, 0.2)


@pytest.mark.parametrize(
    ("rate", "band"),
    [(0.47, "40% .. 55%"), (0.41, "40% .. 55%"), (0.40, "40% .. 55%"), (0.38, "40% .. 55%"), (0.62, "> 60%")],
)
def test_expectations_do_what_the_plan_foretells(rate, band):
    from hardmode.studies.stats.bounds import RateBounds

    span, gate, draw = expect.parse_rate(band), Gate(looks=plan_looks(3000)), np.random.default_rng(14)
    words, games = [], []
    for _ in range(GATES):
        drawn = Drawn(draw.random(3000) < rate)
        question = ExpectationCheck(
            scenario="x",
            cell="",
            label={},
            subject="win rate",
            band=span,
            games=drawn,
            looks=gate.looks,
            bounds_of_first=lambda n, d=drawn: RateBounds(d.count_wins(n), n),
        )
        found = question.evaluate(gate)
        words.append(found.verdict)
        games.append(found.games)
    met, missed, mean_games = compute_band_chances(gate, span.low, span.high, rate)
    assert agrees(words.count("MET"), GATES, met) and agrees(words.count("MISSED"), GATES, missed)
    assert abs(np.mean(games) - mean_games) < 4 * np.std(games) / np.sqrt(GATES) + 1e-9
    inside = span.low <= rate <= span.high
    assert (missed <= 0.01) if inside else (met <= 0.05)


def test_margins_that_few_games_hold_keep_beta():
    """With 100 games the margin is 4.5 points: a change of so much passes in at most 5 of 100 runs."""
    margin = choose_margin(plan_looks(100), 0.05, None)
    assert margin == 0.045
    seen = counted(15, difference=margin, flips=margin, paired=100, games=100, rate=0.3, margin=margin)
    assert seen["EQUIVALENT"] <= stats.binom.ppf(1 - 1e-4, GATES, 0.05)


def test_the_plan_plays_nothing_and_says_all(home, hardmode, monkeypatch):  # noqa: F811
    accepting.accept_scenario("lantern/grid", "first", games=2000)
    accepting.accept_scenario("lantern/home", "first", games=2000)
    monkeypatch.setattr("hardmode.studies.gate.lazy_games.LazyGames.play_until", lambda *_: pytest.fail("it played"))
    said = hardmode("check", "--plan")
    assert said.code == 0
    assert "If nothing changed: IDENTICAL, fails in 0 of 100 runs" in said.out
    assert all(f"+{d}.00 pt" in said.out for d in (0, 1, 2, 5)) and "computed exactly" in said.out
    assert "If all cells differ by 5 points" in said.out and "At most 38,000 games" in said.out
    assert "lantern/home, win rate 40% .. 55%, if it is" in said.out
    data = json.loads(hardmode("check", "--plan", "--json", "--flips", "3%").out)
    assert data["questions"] == 19 + 18 + 2 and data["flips"] == 0.03
    assert data["unchanged"]["fails"] == 0 and data["unchanged"]["games"] > 0
    rows = {r["difference"]: r for g in data["groups"] for r in g["rows"]}
    assert rows[0.05]["changed"] > 0.99 and rows[0.0]["changed"] < 0.01 / 39
    assert data["largest"]["games"] == 19 * 2000


def test_the_plan_of_what_is_refused_is_refused(home, hardmode):  # noqa: F811
    said = hardmode("check", "--plan", "lantern/home")
    assert said.code == 2 and "no baseline" in said.out


def test_the_plan_shares_alpha_like_the_run(home):  # noqa: F811
    accepting.accept_scenario("lantern/light", "first", games=1000)
    run = prepare_run(["lantern/light"], GateConfig(alpha=0.02))
    foreseen = power.forecast_power(run, 0.1)
    assert [g.gate.cells for g in foreseen.groups] == [4]
    assert foreseen.false_alarm <= 0.02
