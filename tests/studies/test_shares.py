"""Shares of a variance whose truth is known, and intervals that hold as often as they say."""

import numpy as np
import pytest

from hardmode.studies.stats.sobol import JACKKNIFE_GROUPS, LevelVarianceSums, PickFreezeSums

N = 800


def swaps(function, factors, rng, n=N):
    """A function of so many fair coins, each of them a part."""
    a, b = rng.integers(0, 2, (2, n, factors)).astype(float)
    found = PickFreezeSums(factors, range(factors))
    swapped = []
    for k in range(factors):
        ab, ba = a.copy(), b.copy()
        ab[:, k], ba[:, k] = b[:, k], a[:, k]
        swapped.append((function(ab), function(ba)))
    found.add(0, function(a), function(b), swapped)
    return found


FUNCTIONS = {  # of coins x, y, z: first, total
    "sum": (lambda x: 3 * x[:, 0] + 2 * x[:, 1] + x[:, 2], [9 / 14, 4 / 14, 1 / 14], [9 / 14, 4 / 14, 1 / 14]),
    "agree": (lambda x: (x[:, 0] == x[:, 1]).astype(float), [0, 0, 0], [1, 1, 0]),
    "both": (lambda x: x[:, 0] * x[:, 1], [1 / 3, 1 / 3, 0], [2 / 3, 2 / 3, 0]),
    "most": (lambda x: (x.sum(axis=1) >= 2).astype(float), [1 / 4] * 3, [1 / 2] * 3),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_intervals_hold_as_often_as_they_say(name):
    function, first, total = FUNCTIONS[name]
    repeats, held = 300, []
    for seed in range(repeats):
        found = swaps(function, 3, np.random.default_rng(seed)).estimate_indices(0.95)
        for part, x, y in zip(found.indices, first, total, strict=True):
            held.append(
                [
                    part.first.low - 1e-9 <= x <= part.first.high + 1e-9,
                    part.total.low - 1e-9 <= y <= part.total.high + 1e-9,
                ]
            )
        held[-1].append(found.first_order_sum.low - 1e-9 <= sum(first) <= found.first_order_sum.high + 1e-9)
    rates = [np.mean([h[i] for h in held if len(h) > i]) for i in range(3)]
    assert min(rates) > 0.925, rates
    if name == "most":
        assert max(rates) < 0.985, rates


def test_what_counts_for_nothing_has_exactly_nothing_and_what_is_all_has_all():
    found = swaps(lambda x: x[:, 1], 2, np.random.default_rng(1)).estimate_indices()
    nothing, everything = found.indices
    assert nothing.first.value == nothing.total.value == 0 and 0 < nothing.total.high < 0.02
    assert everything.first.value == everything.total.value == 1 and 0.98 < everything.total.low < 1
    assert found.first_order_sum.value == 1 and found.interaction.value == 0


def test_the_total_is_never_below_the_first_order():
    for seed in range(20):
        found = swaps(
            lambda x: (x.sum(axis=1) >= 2) * (1 + x[:, 0]), 4, np.random.default_rng(seed), n=50
        ).estimate_indices()
        assert all(part.interaction.value >= 0 for part in found.indices)


def test_where_every_game_ends_alike_there_is_nothing_to_share():
    found = swaps(lambda x: np.ones(len(x)), 2, np.random.default_rng(1)).estimate_indices()
    assert not found.has_variance and np.isnan(found.indices[0].total.value)


def test_pieces_of_the_games_add_up():
    whole, pieces = LevelVarianceSums(2), LevelVarianceSums(2)
    x, y = np.random.default_rng(3).integers(0, 2, (2, 300)).astype(float)
    whole.add(0, [x, y])
    for lo in range(0, 300, 70):
        pieces.add(lo, [x[lo : lo + 70], y[lo : lo + 70]])
    assert (whole.sums == pieces.sums).all() and whole.sums.shape[0] == JACKKNIFE_GROUPS


def test_the_variance_over_levels_is_divided_as_it_should():
    """The first level never wins, the second with its coin, the third always or when luck and coin agree."""
    held = []
    for seed in range(300):
        luck, coin = np.random.default_rng(seed).integers(0, 2, (2, 600)).astype(float)
        found = LevelVarianceSums(3)
        found.add(0, [np.zeros(600), coin, luck])
        got = found.estimate_variance(0.95)
        # Means 0, 1/2, 1/2; all variance 2/9; of the mean of three, (1/4 + 1/4) / 9 by luck.
        truth = np.array([2 / 36, 2 / 36, 1 / 6 - 2 / 36]) / (2 / 36 + 1 / 6)
        held.append(
            [e.low <= t <= e.high for e, t in zip((got.players, got.luck, got.interaction), truth, strict=True)]
        )
        assert got.players.value + got.luck.value + got.interaction.value == pytest.approx(1)
    assert np.mean(held, axis=0).min() > 0.91


def test_an_estimate_that_strays_below_nothing_keeps_an_interval():
    for seed in range(200):
        found = swaps(FUNCTIONS["agree"][0], 3, np.random.default_rng(seed), n=100).estimate_indices()
        assert all(0 <= part.first.low <= part.first.value < part.first.high for part in found.indices)
