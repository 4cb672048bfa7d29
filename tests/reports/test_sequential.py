"""The gate keeps its promises: exact error rates where they can be computed, simulated gates elsewhere.

Tests with chance in them are seeded; a realised count must lie where a binomial of the stated chance
lies with probability 1 - 1e-4, so all of them together (fewer than 30 such checks) would fail a correct
gate under one other seed in 300.
"""

import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import xlogy

from hardmode.reports.console.check_plan import format_plan_table
from hardmode.studies.gate.power import SIMULATIONS, compute_cell_chances
from hardmode.studies.stats import estimates as e
from hardmode.studies.stats import sequential as s
from hardmode.studies.stats import verdict_chances as chances_of
from hardmode.studies.stats.betting_bounds import MeanBounds, QuantileBounds
from hardmode.studies.stats.bounds import PairedBounds, RateBounds, UnpairedBounds

GATE = s.Gate(looks=s.plan_looks(50_000))
SLACK = 1 + 1e-6  # mass left out of the sums below
DISCORDANCES = (0.003, 0.0055, 0.0101, 0.0102, 0.0115, 0.013, 0.016, 0.021, 0.03, 0.05, 0.1, 0.3, 0.6, 1.0)


def plausible(n, p):
    """Counts in n games that are not quite impossible, and their chances."""
    low, high = stats.binom.ppf([1e-14, 1 - 1e-14], n, min(p, 1 - 1e-12))
    counts = np.arange(int(low), int(high) + 1)
    return counts, stats.binom.pmf(counts, n, p)


# Bounds: wrong with at most the stated chance, whatever the rates


@pytest.mark.parametrize("n", [60, 500, 3000])
@pytest.mark.parametrize("true", [0.0, 0.005, 0.01, 0.05])
def test_bounds_of_pairs_hold_for_every_discordance(n, true):
    """The exact chance that each bound excludes the truth, at levels that looks really spend."""
    levels = (0.02, 0.001, 1e-5)
    worst = dict.fromkeys(itertools.product(levels, ("above", "below")), 0.0)
    for psi in (d for d in DISCORDANCES if d > true):
        differ, mass = plausible(n, psi)
        gained = np.arange(differ[-1] + 1)[:, None]
        mass = mass * stats.binom.pmf(gained, differ, (psi + true) / (2 * psi))
        seen = PairedBounds(n, gained, np.maximum(differ - gained, 0))
        for level in levels:
            wrong = {"above": seen.is_outside(-1, true, level), "below": seen.is_outside(true, 1, level)}
            for side, where in wrong.items():
                worst[level, side] = max(worst[level, side], mass[where].sum())
    assert all(chance <= level * SLACK for (level, _), chance in worst.items()), worst
    assert n < 500 or worst[0.02, "below"] > 0.015  # and not by being blind


@pytest.mark.parametrize(("n", "base"), [(200, 200), (200, 3000), (2000, 100), (2000, 2000), (800, 20_000)])
@pytest.mark.parametrize("true", [0.0, 0.01, 0.05])
def test_bounds_against_a_tally_hold_for_every_rate(n, base, true):
    levels, worst = (0.02, 0.001, 1e-5), {}
    for p in (0.0005, 0.002, 0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.94, 0.97, 0.987, 0.9895):
        if p + true >= 1:
            continue
        (new, new_mass), (old, old_mass) = plausible(n, p + true), plausible(base, p)
        seen = UnpairedBounds(new[:, None], n, old, base)
        for level in levels:
            for side, where in enumerate((seen.is_outside(-2, true, level), seen.is_outside(true, 2, level))):
                chance = new_mass @ where @ old_mass
                worst[level, side] = max(worst.get((level, side), 0.0), chance)
    assert all(chance <= level * SLACK for (level, _), chance in worst.items()), worst
    assert worst[0.02, 1] > 0.01


def test_bounds_of_a_rate_are_clopper_pearson():
    for k, n in ((0, 40), (13, 40), (40, 40)):
        theirs = stats.binomtest(k, n).proportion_ci(0.95, "exact")
        assert RateBounds(k, n).bounds(0.025) == pytest.approx((theirs.low, theirs.high))


def tango(n, gained, lost, z, corrected):
    """Tango's interval the long way: likelihood maximised and score solved numerically."""

    def score(x, side):
        def minus_log(discordance):
            g, k, same = (discordance + x) / 2, (discordance - x) / 2, 1 - discordance
            return -(xlogy(gained, g) + xlogy(lost, k) + xlogy(n - gained - lost, same))

        best = optimize.minimize_scalar(
            minus_log, bounds=(abs(x) + 1e-12, 1 - 1e-12), method="bounded", options={"xatol": 1e-12}
        )
        spread = best.x - x * x
        correction = 0.0
        if corrected:
            skewness = side * x * (1 - 3 * best.x + 2 * x * x) / spread
            correction = 1 + max(skewness, 0) * (z * z - 1) / 6
        return (side * (gained - lost - n * x) - correction) / math.sqrt(n * spread) - z

    middle = (gained - lost) / n
    return (
        optimize.brentq(score, -0.999, middle, args=(1,)),
        optimize.brentq(score, middle, 0.999, args=(-1,)),
    )


@pytest.mark.parametrize(
    ("n", "gained", "lost", "digits", "published"),
    [
        (21, 1, 7, 3, (-0.517, -0.026)),  # Bentur et al. (2009), in Fagerland et al. (2014)
        (161, 6, 16, 4, (-0.1240, -0.0054)),  # Cavo et al. (2012), R's contingencytables
    ],
)
def test_bounds_of_pairs_are_tangos_with_corrections(n, gained, lost, digits, published):
    z = stats.norm.isf(0.025)
    plain = tango(n, gained, lost, z, corrected=False)
    assert tuple(round(x, digits) for x in plain) == published
    found = PairedBounds(n, gained, lost).bounds(0.025)
    assert found == pytest.approx(tango(n, gained, lost, z, corrected=True), abs=1e-6)
    assert found[0] < plain[0] and plain[1] < found[1]


def test_bounds_mirror_and_narrow():
    here, there = PairedBounds(4000, 130, 70).bounds(0.01), PairedBounds(4000, 70, 130).bounds(0.01)
    assert here == pytest.approx((-there[1], -there[0]))
    assert here[0] < PairedBounds(4000, 130, 70).value < here[1]
    wider = PairedBounds(4000, 130, 70).bounds(0.001)
    assert wider[0] < here[0] and here[1] < wider[1]


# Verdicts


def test_a_schedule_grows_to_the_budget():
    assert s.plan_looks(50_000) == (578, 867, 1301, 1951, 2926, 4390, 6584, 9877, 14815, 22222, 33333, 50000)
    assert s.plan_looks(100) == (100,)


def test_the_looks_spend_the_permitted_error_and_no_more():
    for gate in (GATE, s.Gate(cells=8, looks=(100, 1000))):
        spent = np.array([gate.error_levels(k) for k in range(len(gate.looks))]).sum(axis=0)
        assert spent == pytest.approx((gate.alpha / gate.cells, gate.beta))


def judged(gate, *tallies, ask="judge_difference", **more):
    """The verdict when these are seen one after the other at the gate's looks."""
    for look, seen in enumerate(tallies):
        verdict = getattr(gate, ask)(look, seen, **more)
        if verdict:
            return verdict
    return None


def test_the_four_verdicts():
    gate = s.Gate(looks=(1500, 6000, 20_000))
    same = judged(gate, PairedBounds(1500, 0, 0))
    assert (same.decision, same.games, same.estimate.value) == ("IDENTICAL", 1500, 0)
    assert judged(gate, PairedBounds(1500, 0, 0, games_changed=3)).decision == "EQUIVALENT"
    assert judged(gate, PairedBounds(1500, 6, 9), PairedBounds(6000, 22, 31)).decision == "EQUIVALENT"
    worse = judged(gate, PairedBounds(1500, 40, 130))
    assert worse.decision == "CHANGED" and worse.estimate.high < 0 and worse.estimate.confidence == 0.99
    assert worse.estimate.value == pytest.approx(-0.06)
    shaky = [PairedBounds(n, int(0.10 * n), int(0.106 * n)) for n in gate.looks]
    assert judged(gate, *shaky[:2]) is None and judged(gate, *shaky).decision == "INCONCLUSIVE"


def test_a_real_change_within_the_margin_is_equivalent():
    verdict = judged(s.Gate(looks=(100_000,)), PairedBounds(100_000, 400, 200))
    assert verdict.decision == "EQUIVALENT" and 0 < verdict.estimate.low and verdict.estimate.high < 0.01


def test_too_few_games_cannot_show_even_identical_builds_equivalent():
    assert judged(s.Gate(looks=(300,)), PairedBounds(300, 0, 0)).decision == "INCONCLUSIVE"


def test_against_a_tally_the_baseline_counts_as_an_estimate():
    gate = s.Gate(looks=(20_000,))
    assert judged(gate, UnpairedBounds(8100, 20_000, 410_000, 1_000_000)).decision == "INCONCLUSIVE"
    assert judged(gate, UnpairedBounds(7400, 20_000, 410_000, 1_000_000)).decision == "CHANGED"
    assert judged(gate, UnpairedBounds(7400, 20_000, 164, 400)).decision == "INCONCLUSIVE"
    big = s.Gate(looks=(200_000,))
    assert judged(big, UnpairedBounds(82_000, 200_000, 410_000, 1_000_000)).decision == "EQUIVALENT"


def test_the_interval_and_the_word_never_disagree():
    draw, seen_words = np.random.default_rng(8), set()
    for _ in range(300):
        psi = draw.choice([0.01, 0.1, 0.4])
        d = draw.uniform(-0.03, 0.03) * (psi > 0.05)
        chances = [(psi + d) / 2, (psi - d) / 2, 1 - psi]
        steps = [draw.multinomial(n, chances) for n in np.diff(GATE.looks, prepend=0)]
        counts = np.cumsum(steps, axis=0)
        tallies = [PairedBounds(n, int(g), int(k)) for n, (g, k, _) in zip(GATE.looks, counts, strict=True)]
        verdict = judged(GATE, *tallies)
        low, high = verdict.estimate.low, verdict.estimate.high
        seen_words.add(verdict.decision)
        assert low <= verdict.estimate.value <= high
        assert (verdict.decision == "CHANGED") <= (low > -1e-12 or high < 1e-12)
        assert (verdict.decision in ("EQUIVALENT", "IDENTICAL")) <= (-0.01 - 1e-12 < low and high < 0.01 + 1e-12)
        assert verdict.decision != "INCONCLUSIVE" or low <= 0 <= high
    assert {"CHANGED", "EQUIVALENT", "INCONCLUSIVE"} <= seen_words


def test_expectations():
    gate = s.Gate(looks=(1000, 10_000))

    def asked(seen, low=None, high=None):
        verdict = judged(gate, *seen, ask="judge_band", low=low, high=high)
        return verdict and verdict.decision

    assert asked([RateBounds(480, 1000)], 0.40, 0.55) == "MET"
    assert asked([RateBounds(300, 1000)], 0.40, 0.55) == "MISSED"
    assert asked([RateBounds(410, 1000)], 0.40, 0.55) is None
    assert asked([RateBounds(410, 1000), RateBounds(4020, 10_000)], 0.40, 0.55) == "INCONCLUSIVE"
    assert (
        asked([RateBounds(20, 1000)], high=0.05) == "MET" and asked([RateBounds(0, 1000)], low=0.0, high=0.05) == "MET"
    )
    sevens, nines = (np.resize([mean - 2, mean, mean + 2], 1000) for mean in (7, 9))
    assert asked([MeanBounds(sevens, 0, 60)], 6.0, 8.0) == "MET"
    assert (
        asked([MeanBounds(nines, 0, 60)], 6.0, 8.0) == "MISSED" and asked([MeanBounds(nines, 0, 60)], low=8.0) == "MET"
    )
    assert asked([QuantileBounds({5: 400, 7: 200, 9: 400}, 0.5)], 7, 8) == "MET"
    assert asked([QuantileBounds({5: 400, 7: 200, 9: 400}, 0.9)], high=8) == "MISSED"


def test_order():
    gate = s.Gate(looks=(5000,))
    better, worse, even = PairedBounds(5000, 300, 100), PairedBounds(5000, 100, 300), PairedBounds(5000, 105, 100)
    assert gate.judge_order(0, [better, better]).decision == "MET"
    broken = gate.judge_order(0, [better, worse])
    assert broken.decision == "MISSED" and broken.estimate.high < 0
    assert gate.judge_order(0, [better, even]).decision == "INCONCLUSIVE"


def test_cells_are_settled_one_by_one():
    gate, asked = s.Gate(looks=(1500, 6000), cells=3), []

    def tallies(games):
        asked.append(games)
        return {
            "snake": PairedBounds(games, 0, 0),
            "bear": PairedBounds(games, games // 20, games // 100 if games > 2000 else games // 20),
            "owl": PairedBounds(0, 0, 0),
        }

    found = s.judge_until_settled(gate.looks, gate.judge_difference, tallies)
    assert {cell: v.decision for cell, v in found.items()} == {"snake": "IDENTICAL", "bear": "CHANGED"}
    assert found["snake"].games == 1500 and found["bear"].games == 6000 and asked == [1500, 6000]


def test_a_gate_refuses_nonsense():
    for wrong in ({"alpha": 0}, {"margin": 1.0}, {"looks": (500, 400)}, {"looks": ()}, {"cells": 0}):
        with pytest.raises(ValueError):
            s.Gate(**wrong)
    with pytest.raises(ValueError, match="differ"):
        chances_of.compute_verdict_chances(GATE, [0.02], discordance=0.01)


# Plans: what the gate promises, and what gates really do


@pytest.mark.parametrize("discordance", [0.0101, 0.0125, 0.02, 0.05, 0.1])
def test_error_rates_are_kept_for_every_discordance(discordance):
    """Exactly, over all looks: no change is CHANGED with at most alpha, the margin EQUIVALENT with beta."""
    for gate in (GATE, s.Gate(alpha=0.05, beta=0.1, looks=s.plan_looks(20_000, growth=1.2))):
        unchanged, by_margin = chances_of.compute_verdict_chances(gate, [0, gate.margin], discordance=discordance)
        assert unchanged.error == by_margin.error == 0
        assert unchanged.changed <= gate.alpha and by_margin.equivalent <= gate.beta
        for row in (unchanged, by_margin):
            assert row.changed + row.equivalent + row.inconclusive == pytest.approx(1, abs=1e-9)


def test_an_exact_plan_is_the_sum_over_all_games():
    """On a toy gate, against every path of counts there is."""
    gate = s.Gate(alpha=0.2, beta=0.2, margin=0.3, looks=(6, 12, 25))
    gained, lost = 0.3, 0.2
    chances = {}
    states = {(0, 0): 1.0}
    for look, step in enumerate(np.diff(gate.looks, prepend=0)):
        after = {}
        for (g, k), p in states.items():
            for a, b in itertools.product(range(step + 1), repeat=2):
                if a + b <= step:
                    ways = math.comb(step, a) * math.comb(step - a, b)
                    q = p * ways * gained**a * lost**b * (1 - gained - lost) ** (step - a - b)
                    after[g + a, k + b] = after.get((g + a, k + b), 0) + q
        states = {}
        for (g, k), p in after.items():
            verdict = gate.judge_difference(look, PairedBounds(gate.looks[look], g, k))
            if verdict is None:
                states[g, k] = p
            else:
                chances[verdict.decision] = chances.get(verdict.decision, 0) + p
    (row,) = chances_of.compute_verdict_chances(gate, [gained - lost], discordance=gained + lost)
    assert row.changed == pytest.approx(chances["CHANGED"], abs=1e-10)
    settled = chances.get("EQUIVALENT", 0) + chances.get("IDENTICAL", 0)
    assert row.equivalent == pytest.approx(settled, abs=1e-10)
    assert row.inconclusive == pytest.approx(chances["INCONCLUSIVE"], abs=1e-10) and row.changed > 0.01


@pytest.mark.parametrize("difference", [0.0, 0.005, 0.01])
def test_thousands_of_gates_do_what_the_plan_says(difference):
    """Gates played tally by tally through `judge`, against the exact plan."""
    runs, psi, gate = 3000, 0.02, s.Gate(looks=s.plan_looks(10_000))
    (row,) = chances_of.compute_verdict_chances(gate, [difference], discordance=psi)
    draw = np.random.default_rng((9, int(1000 * difference)))
    chances = [(psi + difference) / 2, (psi - difference) / 2, 1 - psi]
    steps = np.array([draw.multinomial(n, chances, runs) for n in np.diff(gate.looks, prepend=0)])
    words, games = [], 0
    for counts in steps.cumsum(axis=0).transpose(1, 0, 2).tolist():
        verdict = judged(gate, *(PairedBounds(n, g, k) for n, (g, k, _) in zip(gate.looks, counts, strict=True)))
        words.append(verdict.decision)
        games += verdict.games
    for word, chance in (("CHANGED", row.changed), ("INCONCLUSIVE", row.inconclusive)):
        assert likely(words.count(word), runs, chance), (word, words.count(word), chance * runs)
    assert games / runs == pytest.approx(row.games, rel=0.04)
    if difference == 0:
        assert stats.binom.sf(words.count("CHANGED") - 1, runs, gate.alpha) > 1e-4
    if difference == gate.margin:
        assert stats.binom.sf(runs - words.count("CHANGED") - 1, runs, gate.beta) > 1e-4


def likely(count, runs, chance):
    low, high = stats.binom.ppf([5e-5, 1 - 5e-5], runs, min(max(chance, 0.0), 1.0))
    return low <= count <= high


def test_a_simulated_plan_agrees_with_the_exact_one(monkeypatch):
    exact = chances_of.compute_verdict_chances(GATE, [0.0, 0.01], discordance=0.1)
    monkeypatch.setattr(chances_of, "MAX_LATTICE_SIZE", 0)
    for row, guess in zip(exact, chances_of.compute_verdict_chances(GATE, [0.0, 0.01], discordance=0.1), strict=True):
        assert guess.error > 0 and likely(round(guess.changed * 20_000), 20_000, row.changed)
        assert guess.games == pytest.approx(row.games, rel=0.02)


@pytest.mark.parametrize(("rate", "baseline"), [(0.4, 20_000), (0.6, 20_000), (0.02, 5000), (0.97, 5000)])
def test_gates_against_a_tally_keep_their_error_rates(rate, baseline):
    """No game is paired, so each is judged against the tally; rates above a half mirror a change downward."""
    gate = s.Gate(looks=s.plan_looks(20_000))
    unchanged, changed = (
        compute_cell_chances(gate, difference, 0.03, 0, round(rate * baseline), baseline) for difference in (0, 0.01)
    )
    assert stats.binom.sf(round(unchanged.changed * SIMULATIONS) - 1, SIMULATIONS, gate.alpha) > 1e-4
    assert stats.binom.sf(round(changed.equivalent * SIMULATIONS) - 1, SIMULATIONS, gate.beta) > 1e-4


def test_expectations_keep_their_error_rates():
    """A rate at the very edge of its band is MET or MISSED only by error."""
    gate, runs, draw = s.Gate(looks=s.plan_looks(5000)), 2000, np.random.default_rng(10)
    steps = np.array([draw.binomial(n, 0.4, runs) for n in np.diff(gate.looks, prepend=0)])
    words = []
    for wins in steps.cumsum(axis=0).T.tolist():
        seen = [RateBounds(k, n) for k, n in zip(wins, gate.looks, strict=True)]
        words.append(judged(gate, *seen, ask="judge_band", low=0.4, high=0.55).decision)
    assert stats.binom.sf(words.count("MISSED") - 1, runs, gate.alpha) > 1e-4
    assert stats.binom.sf(words.count("MET") - 1, runs, gate.beta) > 1e-4
    assert words.count("MET") > 10  # the edge is where beta is really spent


class Peeking(s.Gate):
    """What everybody does: a 95 % interval at every look, stop when it excludes 0. The wrong way."""

    def error_levels(self, look):
        return 0.05, 1e-300


def test_uncorrected_peeking_is_what_the_gate_avoids():
    wide = {"alpha": 0.05, "margin": 1e-6, "looks": GATE.looks}  # no look is spared by EQUIVALENT
    peeking, honest = (
        chances_of.compute_verdict_chances(gate, [0.0], discordance=0.1)[0]
        for gate in (Peeking(**wide), s.Gate(**wide))
    )
    assert f"{100 * peeking.changed:.0f} % of all runs" in page()
    assert 0.02 < honest.changed < 0.05


def test_what_adding_up_the_looks_costs():
    """With bounds closer by 3.5 % (7 % fewer games) the looks together would err more than alpha."""
    n, draw = np.array(GATE.looks), np.random.default_rng(11)
    walk = draw.standard_normal((200_000, len(n))) * np.sqrt(np.diff(n, prepend=0))
    sigmas = np.abs(walk.cumsum(axis=1)) / np.sqrt(n)
    bounds = stats.norm.isf([GATE.error_levels(look)[0] / 2 for look in range(len(n))])
    assert (sigmas > bounds).any(axis=1).mean() < GATE.alpha
    assert (sigmas > bounds * math.sqrt(0.93)).any(axis=1).mean() > GATE.alpha


# The page


def page():
    """The page, with its plain text on one line (tables of code keep theirs)."""
    text = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")
    return text + re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("discordance", [0.1])
def test_the_tables_of_the_page_are_what_the_gate_computes(discordance):
    differences = [d for d in (0, 0.005, 0.01, 0.02, 0.05) if d <= discordance]
    rows = chances_of.compute_verdict_chances(GATE, differences, discordance=discordance)
    assert format_plan_table(rows) in page()


def test_the_figures_of_the_page():
    text = page()
    figures = [
        ", ".join(f"{n:,}" for n in GATE.looks),
        f"{e.plan_games_for_precision(0.01):,}",
        f"{e.plan_games_for_precision(0.002):,}",
        f"{e.plan_unpaired_games(0.41, 0.43):,} games a side",
        f"{e.plan_paired_games(100, 300, 10_000):,} with it",
        f"{judged(GATE, *(PairedBounds(n, 0, 0) for n in GATE.looks)).games:,} games: fewer",
        *(points(e.wilson_rate(k, n)) for k, n in ((410, 1000), (41_000, 100_000))),
        points(e.newcombe_difference(4100, 10_000, 4300, 10_000)),
        points(e.newcombe_paired_difference(4000, 100, 300, 5600)),
    ]
    assert [figure for figure in figures if figure not in text] == []


def points(estimate):
    return f"{100 * estimate.low:.1f} .. {100 * estimate.high:.1f}".replace("-", "−")
