"""A response surface: what a few numbers together are thought to do, from the settings that were played."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from hardmode.studies.solve.design_variables import Lever
from hardmode.studies.solve.targets import Target
from hardmode.studies.stats.estimates import Estimate

Values = tuple[Any, ...]
CLEAR = 0.25  # what lies too near to an end of a target takes too long to prove
SINGLES = 4  # values of each number that are played alone


class Surface:
    """Logistic for rates, linear for means; squares and products of the numbers included."""

    def __init__(self, levers: Sequence[Lever], wanted: Sequence[Target]) -> None:
        self.levers, self.wanted = levers, wanted
        self.fitted: list[np.ndarray] = []

    def design(self, count: int, seed: int) -> list[Values]:
        """Each number alone at a few values, then so many settings that fill the space evenly."""
        from scipy.stats import qmc

        now = tuple(lever.now for lever in self.levers)
        alone = [
            (*now[:i], v, *now[i + 1 :]) for i, lever in enumerate(self.levers) for v in _few(lever)
        ]
        points = qmc.Sobol(len(self.levers), seed=seed % 2**32).random(count)
        spread = [
            tuple(
                lever.values[int(x * len(lever.values))]
                for lever, x in zip(self.levers, row, strict=True)
            )
            for row in points
        ]
        return list(dict.fromkeys([*alone, *spread]))

    def fit(self, played: Sequence[tuple[Values, int, Mapping[str, Estimate]]]) -> None:
        import statsmodels.api as sm
        from statsmodels.tools.sm_exceptions import ModelWarning

        x = self._terms([values for values, _, _ in played])
        games = np.array([n for _, n, _ in played], float)
        self.fitted = []
        for target in self.wanted:
            seen = np.array([found[target.name].value for _, _, found in played])
            if (
                target.logistic
            ):  # half a game to each side: a rate of 0 has a finite logarithm of its odds
                counts = np.column_stack([seen * games + 0.5, (1 - seen) * games + 0.5])
                model, how = sm.GLM(counts, x, sm.families.Binomial()), {"maxiter": 50}
            else:
                model, how = sm.WLS(seen, x, weights=games), {}
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore", ModelWarning
                )  # as of a number of which one value was played
                self.fitted.append(np.asarray(model.fit(**how).params))

    def lightest(
        self, every: Sequence[Values], known: Collection[Values], count: int
    ) -> list[Values]:
        """What to play next: half the lightest that are thought to reach, half those nearest to the targets."""
        new = [v for v in every if v not in known]
        if not new:
            return []
        miss = self._miss(new)
        burden = [self._burden(v) for v in new]
        light = sorted(np.flatnonzero(miss <= 0), key=lambda i: burden[i])[: count // 2]
        close = set(np.argsort(miss, kind="stable")[: 10 * count]) - set(light)
        near = sorted(close, key=lambda i: (miss[i], burden[i]))
        return [new[i] for i in [*light, *near[: count - len(light)]]]

    def _miss(self, settings: Sequence[Values]) -> np.ndarray:
        x, total = self._terms(settings), np.zeros(len(settings))
        for target, params in zip(self.wanted, self.fitted, strict=True):
            y = x @ params
            value = 1 / (1 + np.exp(-np.clip(y, -50, 50))) if target.logistic else y
            total += [target.miss(v, CLEAR) for v in value.tolist()]
        return total

    def _burden(self, values: Values) -> tuple[int, float]:
        costs = [lever.cost(v) for lever, v in zip(self.levers, values, strict=True)]
        return sum(c > 0 for c in costs), sum(costs)

    def _terms(self, settings: Sequence[Values]) -> np.ndarray:
        groups = [
            np.array([lever.code(v[i]) for v in settings]) for i, lever in enumerate(self.levers)
        ]
        squares = [
            g * g
            for g, lever in zip(groups, self.levers, strict=True)
            if lever.numeric and len(lever.values) > 2
        ]
        products = [
            a[:, [i]] * b[:, [j]]
            for a, b in combinations(groups, 2)
            for i in range(a.shape[1])
            for j in range(b.shape[1])
        ]
        return np.column_stack([np.ones(len(settings)), *groups, *squares, *products])


def _few(lever: Lever) -> list[Any]:
    others = [v for v in lever.values if v != lever.now]
    at = np.linspace(0, len(others) - 1, min(SINGLES, len(others))).round().astype(int)
    return [others[i] for i in sorted(set(at.tolist()))]
