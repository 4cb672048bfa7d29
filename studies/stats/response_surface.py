"""Response surface: a regression model of what several design variables do together.

Reference:
    Box and Wilson (1951), On the experimental attainment of optimum conditions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from hardmode.studies.solve.design_variables import DesignVariable
from hardmode.studies.solve.targets import Target
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.stats.regression import fit_logistic_regression, fit_weighted_least_squares

Values = tuple[Any, ...]  # one value of each design variable
TARGET_MARGIN = 0.25  # share of a target's band near its ends, where proof would take too long
SINGLE_VALUES = 4  # values of each variable that are played with all others unchanged


class ResponseSurface:
    """Quadratic model of every target: logistic for rates, linear for means.

    Args:
        variables: The design variables.
        targets: What is to be reached.
    """

    def __init__(self, variables: Sequence[DesignVariable], targets: Sequence[Target]) -> None:
        self.variables = variables
        self.targets = targets
        self.coefficients: list[np.ndarray] = []

    def make_design(self, count: int, seed: int) -> list[Values]:
        """Return the settings to play first, without duplicates.

        These are a few values of each variable alone, and `count` points of a Sobol sequence, which
        fills the space evenly.

        Args:
            count: Number of points of the sequence.
            seed: Seed of the sequence.
        """
        from scipy.stats import qmc

        current = tuple(variable.current_value for variable in self.variables)
        settings = []
        for i, variable in enumerate(self.variables):
            for value in _choose_single_values(variable):
                settings.append((*current[:i], value, *current[i + 1 :]))
        for point in qmc.Sobol(len(self.variables), seed=seed).random(count):
            pairs = zip(self.variables, point, strict=True)
            settings.append(tuple(v.values[int(x * len(v.values))] for v, x in pairs))
        return list(dict.fromkeys(settings))

    def fit(self, played: Sequence[tuple[Values, int, Mapping[str, Estimate]]]) -> None:
        """Fit the models to the settings played so far.

        Args:
            played: The values of each setting, its games, and the estimate of each target.
        """
        x = self._make_terms([values for values, _, _ in played])
        games = np.array([n for _, n, _ in played], float)
        coefficients = []
        for target in self.targets:
            observed = np.array([estimates[target.name].value for _, _, estimates in played])
            coefficients.append(_fit_model(x, observed, games, target.is_logistic))
        self.coefficients = coefficients

    def propose(
        self, candidates: Sequence[Values], known: Collection[Values], count: int
    ) -> list[Values]:
        """Return the settings to play next.

        These are the smallest changes that are predicted to reach all targets, and then those whose
        predictions are nearest to the targets.

        Args:
            candidates: All settings.
            known: Settings that were played.
            count: Number of settings to return.
        """
        new = [values for values in candidates if values not in known]
        if not new:
            return []
        violations = self._predict_violations(new)
        costs = [self._compute_cost(values) for values in new]
        order = sorted(range(len(new)), key=lambda i: (violations[i], costs[i]))
        return [new[i] for i in order[:count]]

    def _predict_violations(self, settings: Sequence[Values]) -> np.ndarray:
        """Return for each setting by how much its predictions miss the targets, in all."""
        from scipy.special import expit

        x = self._make_terms(settings)
        total = np.zeros(len(settings))
        for target, coefficients in zip(self.targets, self.coefficients, strict=True):
            y = x @ coefficients
            predicted = expit(y) if target.is_logistic else y
            total += [target.compute_violation(v, TARGET_MARGIN) for v in predicted.tolist()]
        return total

    def _compute_cost(self, values: Values) -> tuple[int, float]:
        """Return how many variables are changed, and by how much in all."""
        pairs = zip(self.variables, values, strict=True)
        costs = [variable.compute_cost(value) for variable, value in pairs]
        return sum(cost > 0 for cost in costs), sum(costs)

    def _make_terms(self, settings: Sequence[Values]) -> np.ndarray:
        """Return the design matrix: a constant, all variables, their squares and products."""
        groups = []
        squares = []
        for i, variable in enumerate(self.variables):
            codes = np.array([variable.encode(values[i]) for values in settings])
            groups.append(codes)
            if variable.is_numeric and len(variable.values) > 2:
                squares.append(codes * codes)
        products = []
        for a, b in combinations(groups, 2):
            for i in range(a.shape[1]):
                products += [a[:, [i]] * b[:, [j]] for j in range(b.shape[1])]
        return np.column_stack([np.ones(len(settings)), *groups, *squares, *products])


def _fit_model(
    x: np.ndarray, observed: np.ndarray, games: np.ndarray, is_logistic: bool
) -> np.ndarray:
    if not is_logistic:
        return fit_weighted_least_squares(x, observed, games)
    # Half a game is added to wins and losses so that a rate of 0 has finite log odds.
    return fit_logistic_regression(x, observed * games + 0.5, (1 - observed) * games + 0.5)


def _choose_single_values(variable: DesignVariable) -> list[Any]:
    """Return a few values of a variable, evenly spread, without the current one."""
    others = [value for value in variable.values if value != variable.current_value]
    count = min(SINGLE_VALUES, len(others))
    indices = np.linspace(0, len(others) - 1, count).round().astype(int)
    return [others[i] for i in sorted(set(indices.tolist()))]
