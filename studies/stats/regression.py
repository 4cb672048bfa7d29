"""Regression models, fitted with numpy alone.

statsmodels offers the same models. It takes half a second to import and 65 MB of disk, so hardmode
uses it in tests only.
"""

from __future__ import annotations

import numpy as np

MAX_ITERATIONS = 50
TOLERANCE = 1e-10  # of the largest change of a linear predictor in one iteration
MAX_LOG_ODDS = 30.0


def fit_weighted_least_squares(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the coefficients of a linear model with weighted observations.

    If several sets of coefficients fit equally well, the one of the smallest norm is returned.

    Args:
        x: Design matrix, one row per observation.
        y: Observed values.
        weights: Weight of each observation.

    Example:
        >>> x = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
        >>> fit_weighted_least_squares(x, np.array([1.0, 3.0, 5.0]), np.ones(3)).round(6).tolist()
        [1.0, 2.0]
    """
    roots = np.sqrt(weights)
    coefficients, *_ = np.linalg.lstsq(x * roots[:, None], y * roots, rcond=None)
    return coefficients


def fit_least_squares_hc2(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the coefficients of a linear model and their HC2 standard errors.

    The errors hold although observations vary by different amounts (MacKinnon and White 1985,
    Journal of Econometrics 29, 305-325). The same as `OLS(y, x).fit(cov_type="HC2")`
    of statsmodels.

    Args:
        x: Design matrix, one row per observation; in single precision it takes half the time.
        y: Observed values.

    Raises:
        numpy.linalg.LinAlgError: The columns of the design are linearly dependent.
    """
    projection = x @ np.linalg.inv((x.T @ x).astype(float)).astype(x.dtype)
    coefficients = y @ projection
    leverage = np.einsum("ij,ij->i", projection, x)
    squares = (y - x @ coefficients) ** 2 / (1 - leverage)
    variances = np.einsum("i,ij,ij->j", squares, projection, projection)
    return coefficients, np.sqrt(variances)


def fit_logistic_regression(
    x: np.ndarray, successes: np.ndarray, failures: np.ndarray
) -> np.ndarray:
    """Return the coefficients of a logistic model of rates by maximum likelihood.

    Iteratively reweighted least squares (McCullagh and Nelder, Generalized Linear Models, 1989,
    section 4.4).

    Args:
        x: Design matrix, one row per observation.
        successes: Number of successes of each observation, which need not be whole.
        failures: Number of failures of each observation.
    """
    trials = successes + failures
    rates = (successes + 0.5) / (trials + 1)
    predictor = np.log(rates / (1 - rates))
    for _ in range(MAX_ITERATIONS):
        rates = 1 / (1 + np.exp(-predictor))
        weights = trials * rates * (1 - rates)
        response = predictor + (successes - trials * rates) / weights
        coefficients = fit_weighted_least_squares(x, response, weights)
        previous = predictor
        predictor = np.clip(x @ coefficients, -MAX_LOG_ODDS, MAX_LOG_ODDS)
        if np.abs(predictor - previous).max() < TOLERANCE:
            break
    return coefficients
