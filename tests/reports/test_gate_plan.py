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
from hardmode.studies.gate.baselines import Accepted, Baseline
from hardmode.studies.gate.checks import Expected, Unmoved, looks_of, margin_of
from hardmode.studies.gate.run import Terms, prepare
from hardmode.studies.stats.sequential import Gate, schedule

GATES = 3000


def agrees(count, n, p, error=0.0):
    low, high = stats.binom.ppf([5e-5, 1 - 5e-5], n, np.clip([p - error, p + error], 0, 1))
    return low <= count <= high


class Drawn:
    """Games of which only the winners matter, drawn at random."""

    cell = SimpleNamespace(label={})
    seconds = played = 0

    def rest(self):
        pass

    def __init__(self, won):
        self._won = np.atleast_2d(won)  # a row for each seat

    @property
    def sides(self):
        return len(self._won)

    def won(self, n, side=0):
        return self._won[side, :n]

    def wins(self, n, side=0):
        return int(self.won(n, side).sum())

    def digest(self, n):
        return "another"


class Question(Unmoved):
    since, libraries = ("rules",), ()


def baseline(was, paired):
    looks = schedule(paired)
    was = np.atleast_2d(was)
    seats = {f"seat {i + 1}": int(row.sum()) for i, row in enumerate(was)} if len(was) > 1 else {}
    cell = Accepted("", {}, [], 0.0, int(was[0].sum()), {}, seats, {}, 1.0, {}, {}, was[:, :paired])
    return Baseline("x", "x", "x", 1, "x", "x", "x", 1, was.shape[1], 50, looks, {}, (cell,))


def held(draw, difference, flips, paired, games, rate, margin=0.01, cells=1):
    """The verdict of one gate on builds that flip this share of games and differ by this much."""
    was = draw.random(games) < rate
    gain, lose = (flips + difference) / 2 / (1 - rate), (flips - difference) / 2 / rate
    turn = draw.random(games) < np.where(was, lose, gain)
    base = baseline(was, paired)
    fresh = Drawn(draw.random(games) < rate + difference)
    looks = looks_of(base, None)
    question = Question("x", "", {}, base, base.cells[0], Drawn(was ^ turn), fresh, looks, margin)
    return question.answer(Gate(looks=looks, margin=margin, cells=cells))


def counted(seed, n=GATES, **how):
    draw = np.random.default_rng(seed)
    words = [held(draw, **how).word for _ in range(n)]
    return {word: words.count(word) for word in ("CHANGED", "EQUIVALENT", "INCONCLUSIVE")}


@pytest.mark.parametrize(("difference", "flips", "games"), [
    (0.0, 0.02, 4000), (0.01, 0.02, 4000), (-0.02, 0.1, 3000), (0.05, 0.1, 1000)])
def test_pairs_do_what_the_plan_foretells(difference, flips, games):
    seen = counted(int(1e4 * abs(difference)) + games, difference=difference, flips=flips, paired=games,
                   games=games, rate=0.4)
    row = power.odds(Gate(looks=schedule(games)), abs(difference), flips, games, 0, games)
    assert row.error == 0  # it is computed exactly
    for word, chance in (("CHANGED", row.changed), ("EQUIVALENT", row.equivalent), ("INCONCLUSIVE", row.inconclusive)):
        assert agrees(seen[word], GATES, chance), (word, seen, row)


def test_games_beyond_the_pairs_do_what_the_plan_foretells():
    how = {"difference": 0.02, "flips": 0.3, "paired": 1000, "games": 6000, "rate": 0.4, "margin": 0.05}
    seen = counted(3, 1000, **how)
    base = baseline(np.ones(6000, bool), 1000)
    gate = Gate(looks=looks_of(base, None), margin=0.05)
    assert gate.looks[-1] == 6000 and 1000 in gate.looks
    row = power.odds(gate, 0.02, 0.3, 1000, 2400, 6000)
    assert 0.05 < row.equivalent < 0.95  # a case that could go either way
    for word, chance in (("CHANGED", row.changed), ("EQUIVALENT", row.equivalent), ("INCONCLUSIVE", row.inconclusive)):
        assert agrees(seen[word], 1000, chance, row.error), (word, seen, row)


@pytest.mark.parametrize(("flips", "paired", "games"), [(0.02, 2000, 2000), (0.3, 500, 2000)])
def test_as_many_wins_fail_no_more_often_than_alpha(flips, paired, games):
    seen = counted(11, difference=0.0, flips=flips, paired=paired, games=games, rate=0.3)
    assert seen["CHANGED"] <= stats.binom.ppf(1 - 1e-4, GATES, 0.01)


@pytest.mark.parametrize(("margin", "flips", "paired", "games"), [
    (0.01, 0.0101, 2000, 2000), (0.05, 0.2, 500, 2000)])
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
            question = Question("x", "", {}, base, base.cells[0], Drawn(was ^ turn), Drawn(was), base.looks, 0.01)
            found.append(question.answer(Gate(alpha=0.2, looks=base.looks, cells=10)).word)
        failed += "CHANGED" in found
    assert failed <= stats.binom.ppf(1 - 1e-4, 300, 0.2)


def rivals(draw, shares, games):
    """Who of several wins each game, a row for each seat."""
    return draw.choice(len(shares), games, p=shares) == np.arange(len(shares))[:, None]


@pytest.mark.parametrize(("then", "now", "told"), [
    ((0.4, 0.3, 0.3), (0.4, 0.36, 0.24), ("seat 2", "seat 3")), ((0.4, 0.3, 0.3), (0.46, 0.27, 0.27), ("seat 1",))])
@pytest.mark.parametrize("paired", [500, 6000])
def test_a_shift_between_any_seats_is_a_change(then, now, told, paired):
    """The first seat may win as often as before while others trade places."""
    draw = np.random.default_rng(16)
    was, shifted, fresh = (rivals(draw, shares, 6000) for shares in (then, now, now))
    base = baseline(was, paired)
    question = Question("x", "", {}, base, base.cells[0], Drawn(shifted), Drawn(fresh), looks_of(base, None), 0.01)
    found = question.answer(Gate(looks=question.looks, cells=question.sides))
    assert question.sides == 3 and found.word == "CHANGED"
    assert found.text.startswith(told) and "of all 3" in found.text


def test_seats_that_trade_no_games_fail_together_no_more_often_than_alpha():
    """Three seats judged on the same games, which one plays otherwise by luck alone; at alpha 20 %."""
    draw, failed = np.random.default_rng(17), 0
    for _ in range(400):
        base = baseline(rivals(draw, (0.4, 0.3, 0.3), 1500), 1500)
        question = Question("x", "", {}, base, base.cells[0], Drawn(rivals(draw, (0.4, 0.3, 0.3), 1500)),
                            Drawn(base.cells[0].won), base.looks, 0.01)
        failed += question.answer(Gate(alpha=0.2, looks=base.looks, cells=3)).word == "CHANGED"
    assert failed <= stats.binom.ppf(1 - 1e-4, 400, 0.2)


@pytest.mark.parametrize(("rate", "band"), [
    (0.47, "40% .. 55%"), (0.41, "40% .. 55%"), (0.40, "40% .. 55%"), (0.38, "40% .. 55%"), (0.62, "> 60%")])
def test_expectations_do_what_the_plan_foretells(rate, band):
    from hardmode.studies.stats.bounds import Rate
    span, gate, draw = expect.rate(band), Gate(looks=schedule(3000)), np.random.default_rng(14)
    words, games = [], []
    for _ in range(GATES):
        drawn = Drawn(draw.random(3000) < rate)
        question = Expected("x", "", {}, "win rate", span, lambda n, d=drawn: Rate(d.wins(n), n), drawn, gate.looks)
        found = question.answer(gate)
        words.append(found.word)
        games.append(found.games)
    met, missed, mean_games = power.expectation(gate, span.low, span.high, rate)
    assert agrees(words.count("MET"), GATES, met) and agrees(words.count("MISSED"), GATES, missed)
    assert abs(np.mean(games) - mean_games) < 4 * np.std(games) / np.sqrt(GATES) + 1e-9
    inside = span.low <= rate <= span.high
    assert (missed <= 0.01) if inside else (met <= 0.05)


def test_margins_that_few_games_hold_keep_beta():
    """With 100 games the margin is 4.5 points: a change of so much passes in at most 5 of 100 runs."""
    margin = margin_of(schedule(100), 0.05, None)
    assert margin == 0.045
    seen = counted(15, difference=margin, flips=margin, paired=100, games=100, rate=0.3, margin=margin)
    assert seen["EQUIVALENT"] <= stats.binom.ppf(1 - 1e-4, GATES, 0.05)


def test_the_plan_plays_nothing_and_says_all(home, hardmode, monkeypatch):  # noqa: F811
    accepting.accept("lantern/grid", "first", games=2000)
    accepting.accept("lantern/home", "first", games=2000)
    monkeypatch.setattr("hardmode.studies.gate.lazy_games.Games.upto", lambda *_: pytest.fail("it played"))
    said = hardmode("check", "--plan")
    assert said.code == 0
    assert "Nothing changed: IDENTICAL, fails in 0 of 100 runs" in said.out
    assert all(f"+{d}.00 pt" in said.out for d in (0, 1, 2, 5)) and "computed exactly" in said.out
    assert "All cells differ by 5 points" in said.out and "At most 38,000 games" in said.out
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
    accepting.accept("lantern/light", "first", games=1000)
    run = prepare(["lantern/light"], Terms(alpha=0.02))
    foreseen = power.foreseen(run, 0.1)
    assert [g.gate.cells for g in foreseen.groups] == [4]
    assert foreseen.false_alarm <= 0.02
