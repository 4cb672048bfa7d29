"""Expected means and quantiles keep the promises of the gate for skewed amounts, where Student's bounds break them.

Simulated gates, seeded; a count of errors must lie where one of the stated chance lies with probability 1 - 1e-4.
"""

import math

import numpy as np
import pytest
from scipy import stats

from hardmode.scenarios.schema import Expect
from hardmode.studies.stats import estimates
from hardmode.studies.stats.betting_bounds import MIN_GAMES_FOR_RANGE, MeanBounds, QuantileBounds
from hardmode.studies.stats.bounds import IntervalBounds
from hardmode.studies.stats.sequential import Gate, plan_looks

GATE = Gate(looks=plan_looks(4000))
RUNS = 400
# Amounts and their chances: a length with a long tail, a rare huge score, and nearly always nothing.
SKEWED = {
    "rounds": (np.arange(3, 61), stats.geom.pmf(np.arange(1, 59), 0.35) / stats.geom.cdf(58, 0.35)),
    "a score of 200 in half a percent": (np.array([8, 12, 200]), np.array([0.4, 0.595, 0.005])),
    "mostly nothing": (np.array([0, 1, 50]), np.array([0.95, 0.045, 0.005])),
}


class Student(IntervalBounds):
    """What the bounds of a mean would be by the central limit theorem."""

    def __init__(self, values, *_):
        self.values = values

    games = property(lambda self: len(self.values))
    value = property(lambda self: self.values.mean())

    def bounds(self, level):
        x = self.values
        e = estimates.student_t_mean(len(x), int(x.sum()), int((x * x).sum()), 1 - 2 * level)
        return e.low, e.high


def verdicts(kind, amounts, chances, ends, seed, runs=RUNS):
    """How often each word is the gate's, on games drawn anew for each run."""
    draw, words = np.random.default_rng(seed), []
    for _ in range(runs):
        games = draw.choice(amounts, GATE.looks[-1], p=chances)
        found = (GATE.judge_band(look, kind(games[:n]), *ends) for look, n in enumerate(GATE.looks))
        words.append(next(v.decision for v in found if v))
    return {word: words.count(word) for word in ("MET", "MISSED", "INCONCLUSIVE")}


def at_most(chance, runs=RUNS):
    return stats.binom.ppf(1 - 1e-4, runs, chance)


def ranged(kind, amounts):
    return lambda games: kind(games, int(amounts.min()), int(amounts.max()))


@pytest.mark.parametrize("what", SKEWED)
def test_a_mean_that_lies_inside_is_seldom_missed_and_one_outside_seldom_met(what):
    amounts, chances = SKEWED[what]
    mean, kind = float(amounts @ chances), ranged(MeanBounds, amounts)
    for edge in ((mean, math.inf), (-math.inf, mean)):  # inside, and at the edge of the outside
        found = verdicts(kind, amounts, chances, edge, 1)
        assert found["MISSED"] <= at_most(GATE.alpha) and found["MET"] <= at_most(GATE.beta)


def test_by_the_central_limit_theorem_they_would_not_hold():
    amounts, chances = SKEWED["a score of 200 in half a percent"]
    found = verdicts(Student, amounts, chances, (float(amounts @ chances), math.inf), 2)
    assert found["MISSED"] > at_most(GATE.alpha)


@pytest.mark.parametrize("what", SKEWED)
def test_a_mean_well_inside_is_met_and_one_well_outside_missed(what):
    amounts, chances = SKEWED[what]
    mean, kind = float(amounts @ chances), ranged(MeanBounds, amounts)
    wide = 8 * math.sqrt((amounts**2 @ chances - mean**2) / GATE.looks[-1])
    assert verdicts(kind, amounts, chances, (mean - wide, mean + wide), 3, 60)["MET"] >= 55
    assert verdicts(kind, amounts, chances, (mean + wide, math.inf), 4, 60)["MISSED"] >= 55


def test_bounds_and_statements_are_the_same():
    games = np.random.default_rng(5).choice(*SKEWED["rounds"][:1], 700, p=SKEWED["rounds"][1])
    seen = MeanBounds(games, 3, 60)
    low, high = seen.bounds(0.001)
    assert low < seen.value < high
    assert seen.is_within(low - 1e-3, high + 1e-3, 0.001) and seen.is_outside(-math.inf, low - 1e-3, 0.001)
    assert not seen.is_within(low + 1e-3, math.inf, 0.001) and not seen.is_outside(high - 1e-3, math.inf, 0.001)
    nothing = MeanBounds(np.zeros(50, int), 0, 9)
    assert nothing.bounds(0.01)[0] == 0 < nothing.bounds(0.01)[1] < 2 and not nothing.is_outside(0, 0, 0.01)


def test_without_a_range_a_mean_is_not_known_before_many_games():
    games = np.resize([8, 12], MIN_GAMES_FOR_RANGE)
    assert MeanBounds(games[:-1]).bounds(0.01) == (-math.inf, math.inf) and not MeanBounds(games[:-1]).is_outside(
        50, 60, 0.01
    )
    low, high = MeanBounds(games).bounds(0.01)
    known = MeanBounds(games, 0, 120).bounds(0.01)
    assert (low, high) == known and 9 < low < 10 < high < 11


@pytest.mark.parametrize("q", [0.5, 0.9])
@pytest.mark.parametrize("what", SKEWED)
def test_quantiles_keep_their_promises(what, q):
    amounts, chances = SKEWED[what]
    true = int(amounts[np.searchsorted(chances.cumsum(), q)])

    def kind(games):
        found, counts = np.unique(games, return_counts=True)
        return QuantileBounds(dict(zip(found.tolist(), counts.tolist(), strict=True)), q)

    inside = verdicts(kind, amounts, chances, (true, true), 6, 150)
    assert inside["MISSED"] <= at_most(GATE.alpha, 150)
    outside = verdicts(kind, amounts, chances, (true + 1, math.inf), 7, 150)
    assert outside["MET"] <= at_most(GATE.beta, 150) and outside["MISSED"] >= 100


@pytest.mark.parametrize("level", [0.02, 0.001, 1e-5])
@pytest.mark.parametrize(("n", "q"), [(60, 0.5), (500, 0.9), (7, 0.9)])
def test_the_bounds_of_a_quantile_are_exact(level, n, q):
    """Over all numbers of games up to the quantile: each end misses with at most the level."""
    low_misses = high_misses = 0.0
    for up_to, chance in enumerate(stats.binom.pmf(np.arange(n + 1), n, q)):
        low, high = QuantileBounds({k: v for k, v in ((1, up_to), (2, n - up_to)) if v}, q).bounds(level)
        low_misses += chance * (low > 1)  # the share up to 1 is q, so that 1 is the quantile
        high_misses += chance * (high < 2)  # were it a hair less, it would be 2
    assert max(low_misses, high_misses) <= level * (1 + 1e-9)


def test_what_is_expected_is_read():
    found = Expect.model_validate({"rounds": {"median": "< 9", "90%": "4 .. 12"}, "score": "> 3"})
    assert found.rounds.mean is None and [q for q, _ in found.rounds.quantiles] == [0.5, 0.9]
    assert found.rounds.quantiles[0][1].high == 8 and found.score.mean.text == "> 3"
