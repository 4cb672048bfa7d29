"""Group sequential tests: verdicts with stated error rates although one looks several times.

A gate looks at the games at numbers fixed beforehand, stops at the first look that settles the
matter, and never plays more than its budget. Looking often would make chance differences likely, so
every look spends a share of the permitted error, and the shares add up to the whole (Bonferroni
over looks). Each look has half as many games again as the one before; to take into account that
they overlap would save at most 7 % of the games.

A look rests on one-sided bounds of a value, each wrong with at most the permitted probability
whatever the true rates are (`studies.stats.bounds`, `studies.stats.betting_bounds`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, TypeVar

import numpy as np

from hardmode.studies.stats.bounds import PairedBounds, UnpairedBounds, ValueBounds
from hardmode.studies.stats.estimates import Estimate

IDENTICAL, EQUIVALENT, CHANGED = "IDENTICAL", "EQUIVALENT", "CHANGED"
MET, MISSED, INCONCLUSIVE = "MET", "MISSED", "INCONCLUSIVE"

T = TypeVar("T")


def plan_looks(budget: int, first: int = 500, growth: float = 1.5) -> tuple[int, ...]:
    """Return the numbers of games at which to look; the last is the budget.

    Args:
        budget: The most games to play.
        first: No look but the last has fewer games.
        growth: Ratio of the games of a look to those of the look before.

    Example:
        >>> plan_looks(3000)
        (593, 889, 1333, 2000, 3000)
    """
    looks = [budget]
    games = budget / growth
    while games >= first and round(games) < looks[-1]:
        looks.append(round(games))
        games /= growth
    return tuple(reversed(looks))


@dataclass(frozen=True)
class Verdict:
    """Verdict of a gate.

    Attributes:
        decision: IDENTICAL, EQUIVALENT or CHANGED; MET or MISSED; or INCONCLUSIVE.
        estimate: The value that was judged, with the interval that the verdict rests on.
        look: Number of the look that settled it, from 0.
    """

    decision: str
    estimate: Estimate
    look: int

    @property
    def games(self) -> int:
        """Number of games that it rests on."""
        return self.estimate.n


@dataclass(frozen=True)
class Gate:
    """Rules by which a build is judged.

    What is judged at look i is made of the first `looks[i]` games, or of those of them that belong
    to a cell.

    Attributes:
        alpha: Permitted probability that, with nothing changed, any cell is CHANGED or, of an
            expectation that holds, MISSED.
        beta: Permitted probability that a cell changed by the margin or more is EQUIVALENT, or, of
            an expectation that does not hold, MET. A build passes only if all its cells pass, so
            beta is not shared by the cells.
        margin: Smallest change that matters.
        looks: Growing numbers of games at which to look.
        cells: Number of cells (scenarios, seats) that share alpha.
    """

    alpha: float = 0.01
    beta: float = 0.05
    margin: float = 0.01
    looks: tuple[int, ...] = plan_looks(100_000)
    cells: int = 1

    def __post_init__(self) -> None:
        errors_are_valid = 0 < self.alpha < 0.5 and 0 < self.beta < 0.5
        if not (errors_are_valid and 0 < self.margin < 1 and self.cells >= 1):
            raise ValueError(
                "alpha and beta lie between 0 and 0.5, the margin between 0 and 1; cells >= 1"
            )
        if not self.looks or self.looks[0] < 1 or any(np.diff(self.looks) <= 0):
            raise ValueError(f"looks are growing numbers of games, not {self.looks}")

    def error_levels(self, look: int) -> tuple[float, float]:
        """Return the errors that a look may spend: more, the more games it has.

        Returns:
            The alpha of one cell, and the beta.
        """
        k = len(self.looks)
        share = 2 * (look + 1) / (k * (k + 1))
        return self.alpha * share / self.cells, self.beta * share

    def check_zones(self, look: int, bounds: PairedBounds | UnpairedBounds) -> tuple[Any, Any]:
        """Test a difference at a look.

        Returns:
            Whether it is shown to be within the margin, and whether it is shown not to be 0.
        """
        alpha, beta = self.error_levels(look)
        within = bounds.is_within(-self.margin, self.margin, beta)
        return within, bounds.is_outside(0.0, 0.0, alpha / 2)

    def judge_difference(self, look: int, bounds: PairedBounds | UnpairedBounds) -> Verdict | None:
        """Return the verdict on a new build against its baseline, or None to play on.

        A change that is real, but shown to be within the margin, is EQUIVALENT.

        Args:
            look: Number of the look, from 0.
            bounds: The games seen at this look.
        """
        alpha, beta = self.error_levels(look)
        within, changed = self.check_zones(look, bounds)
        if within:
            decision = IDENTICAL if bounds.identical else EQUIVALENT
            return self._make_verdict(decision, look, bounds, beta)
        return self._decide(CHANGED if changed else None, look, bounds, alpha / 2)

    def judge_band(
        self, look: int, bounds: ValueBounds, low: float | None = None, high: float | None = None
    ) -> Verdict | None:
        """Return the verdict on whether a value lies in low .. high, or None to play on.

        Args:
            look: Number of the look, from 0.
            bounds: The games seen at this look.
            low: Lower end of the band, or None.
            high: Upper end of the band, or None.
        """
        alpha, beta = self.error_levels(look)
        band = (-inf if low is None else low, inf if high is None else high)
        if bounds.is_within(*band, beta):
            return self._make_verdict(MET, look, bounds, beta)
        missed = bounds.is_outside(*band, alpha / 2)
        return self._decide(MISSED if missed else None, look, bounds, alpha / 2)

    def judge_order(self, look: int, steps: Sequence[ValueBounds]) -> Verdict | None:
        """Return the verdict on whether a > b > c ..., or None to play on.

        Args:
            look: Number of the look, from 0.
            steps: The differences a - b, b - c, ...; the verdict shows the smallest.
        """
        alpha, beta = self.error_levels(look)
        alpha /= len(steps)
        smallest = min(steps, key=lambda step: step.value)
        if all(step.is_within(0.0, inf, beta) for step in steps):
            return self._make_verdict(MET, look, smallest, beta)
        for step in steps:
            if step.is_outside(0.0, inf, alpha / 2):
                return self._make_verdict(MISSED, look, step, alpha / 2)
        return self._decide(None, look, smallest, alpha / 2)

    def _decide(
        self, decision: str | None, look: int, bounds: ValueBounds, level: float
    ) -> Verdict | None:
        """Return the verdict of a decision; without one, INCONCLUSIVE at the last look or None."""
        if decision is None:
            if look < len(self.looks) - 1:
                return None
            decision = INCONCLUSIVE
        return self._make_verdict(decision, look, bounds, level)

    def _make_verdict(self, decision: str, look: int, bounds: ValueBounds, level: float) -> Verdict:
        """Return a verdict with the interval that it rests on, so that the two never disagree.

        Its confidence is that of the whole procedure: of all looks, and for alpha of all cells.
        """
        low, high = bounds.bounds(level)
        spends_beta = decision in (IDENTICAL, EQUIVALENT, MET)
        confidence = 1 - (2 * self.beta if spends_beta else self.alpha)
        value = Estimate(float(bounds.value), float(low), float(high), bounds.games, confidence)
        return Verdict(decision, value, look)


def judge_until_settled(
    looks: Sequence[int],
    judge: Callable[[int, Any], Verdict | None],
    get_bounds: Callable[[int], Mapping[T, Any]],
) -> dict[T, Verdict]:
    """Look again and again until every cell or seat has its verdict.

    A cell keeps its first verdict. One without any games, such as a boss that never came, has none.

    Args:
        looks: Numbers of games at which to look.
        judge: Returns the verdict at a look on the bounds of a cell, or None to play on.
        get_bounds: Returns the bounds of every cell after this number of games.
    """
    verdicts: dict[T, Verdict] = {}
    for look, games in enumerate(looks):
        bounds_by_cell = get_bounds(games)
        for cell, bounds in bounds_by_cell.items():
            if cell not in verdicts and bounds.games:
                verdict = judge(look, bounds)
                if verdict:
                    verdicts[cell] = verdict
        if len(verdicts) == len(bounds_by_cell):
            break
    return verdicts
