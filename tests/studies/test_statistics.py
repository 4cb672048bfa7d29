"""Statistics that are written by hand are those of statsmodels and scipy, over a grid."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests

from hardmode.studies.stats.estimates import binomial_cdf, binomial_ppf
from hardmode.studies.stats.multiple_testing import benjamini_hochberg
from hardmode.studies.stats.regression import (
    fit_least_squares_hc2,
    fit_logistic_regression,
    fit_weighted_least_squares,
)


@pytest.mark.parametrize("rows", [6, 20, 200])
@pytest.mark.parametrize("columns", [1, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_weighted_least_squares(rows, columns, seed):
    draw = np.random.default_rng(seed)
    x = np.column_stack([np.ones(rows), draw.normal(size=(rows, columns - 1))])
    y, weights = draw.normal(size=rows), draw.integers(1, 5000, rows).astype(float)
    theirs = sm.WLS(y, x, weights=weights).fit().params
    assert fit_weighted_least_squares(x, y, weights) == pytest.approx(theirs, rel=1e-8, abs=1e-10)


@pytest.mark.parametrize("rows", [12, 60, 3000])
@pytest.mark.parametrize("kind, close", [(np.float64, 1e-9), (np.float32, 1e-4)])
@pytest.mark.parametrize("seed", range(3))
def test_least_squares_with_hc2_errors(rows, kind, close, seed):
    draw = np.random.default_rng(seed)
    x = np.column_stack([np.ones(rows), draw.random((rows, 4)) < 0.4]).astype(kind)
    y = draw.random(rows) * (1 + x[:, 1])
    theirs = sm.OLS(y, x.astype(float)).fit(cov_type="HC2")
    coefficients, errors = fit_least_squares_hc2(x, y)
    assert coefficients == pytest.approx(theirs.params, rel=close, abs=close)
    assert errors == pytest.approx(theirs.bse, rel=close)


@pytest.mark.parametrize("steepness", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("games", [20, 500, 100_000])
@pytest.mark.parametrize("seed", range(3))
def test_logistic_regression(steepness, games, seed):
    draw = np.random.default_rng(seed)
    x = np.column_stack([np.ones(40), draw.uniform(-1, 1, size=(40, 3))])
    rates = 1 / (1 + np.exp(-x @ draw.normal(scale=steepness, size=4)))
    wins = draw.binomial(games, rates) + 0.5
    losses = games + 1 - wins
    theirs = sm.GLM(np.column_stack([wins, losses]), x, sm.families.Binomial()).fit(tol=1e-12).params
    assert fit_logistic_regression(x, wins, losses) == pytest.approx(theirs, rel=1e-6, abs=1e-8)


def test_logistic_regression_of_rates_that_are_all_0_or_1():
    x = np.column_stack([np.ones(4), np.arange(4.0)])
    wins = np.array([0.0, 0.0, 1000.0, 1000.0]) + 0.5
    theirs = sm.GLM(np.column_stack([wins, 1001 - wins]), x, sm.families.Binomial()).fit(tol=1e-12).params
    assert fit_logistic_regression(x, wins, 1001 - wins) == pytest.approx(theirs, rel=1e-5)


@pytest.mark.filterwarnings("ignore:The design matrix is rank-deficient")
def test_a_column_that_never_varies_gives_the_solution_of_smallest_norm():
    x = np.column_stack([np.ones(9), np.arange(9.0), np.ones(9)])
    wins = np.arange(9) * 100.0 + 0.5
    theirs = sm.GLM(np.column_stack([wins, 901 - wins]), x, sm.families.Binomial()).fit(tol=1e-12).params
    mine = fit_logistic_regression(x, wins, 901 - wins)
    assert mine == pytest.approx(theirs, rel=1e-6) and mine[0] == pytest.approx(mine[2])


@pytest.mark.parametrize("n", [1, 2, 9, 40, 300])
@pytest.mark.parametrize("error", [0.01, 0.05, 0.2])
def test_benjamini_hochberg(n, error):
    draw = np.random.default_rng(n)
    seen = set()
    for power in (1, 3, 8):
        p_values = (draw.random(n) ** power).tolist()
        theirs = multipletests(p_values, error, method="fdr_bh")[0].tolist()
        assert benjamini_hochberg(p_values, error) == theirs
        seen |= set(theirs)
    assert True in seen or n < 9


def test_benjamini_hochberg_without_hypotheses():
    assert benjamini_hochberg([], 0.05) == []


@pytest.mark.parametrize("n", [1, 2, 10, 1000, 1_000_000])
@pytest.mark.parametrize("p", [0.001, 0.3, 0.5, 0.99])
def test_binomial_distribution(n, p):
    for k in sorted({-1, 0, int(n * p), min(n, int(n * p) + 2), n - 1, n}):
        assert binomial_cdf(k, n, p) == pytest.approx(stats.binom.cdf(k, n, p), rel=1e-9, abs=1e-300)
    for probability in (0.001, 0.025, 0.5, 0.975, 0.999):
        assert binomial_ppf(probability, n, p) == stats.binom.ppf(probability, n, p)
