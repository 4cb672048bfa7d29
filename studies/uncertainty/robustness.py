"""Robustness of conclusions: the share of plausible boxes in which one variant beats another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from hardmode.scenarios.expectations import group_cells
from hardmode.scenarios.labels import format_label
from hardmode.scenarios.load import Scenario, Variant
from hardmode.studies.core.budget import Budget
from hardmode.studies.core.progress import Progress, ignore_progress
from hardmode.studies.core.run import Effort, make_players
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.uncertainty.box_evaluator import BoxEvaluator, CellPlayers
from hardmode.studies.uncertainty.design import SamplePair, SamplePairs, select_cell
from hardmode.studies.uncertainty.priors import Priors
from hardmode.studies.uncertainty.sobol_from_halves import estimate_sign_share
from hardmode.studies.uncertainty.stages import Schedule

MAX_CELLS = 12  # variants of a grid whose pairs are compared
LEAST_PAIRS = 24  # of boxes, for the difference of two variants
MIN_BOXES = 4  # boxes from which a conclusion is assessed
ROBUST_SHARE = 0.95  # of boxes, for a conclusion to be called robust
DEFAULT_SECONDS = 30.0


@dataclass(frozen=True)
class RobustConclusion:
    """A conclusion, and the share of plausible boxes in which it holds."""

    statement: str
    share: Estimate

    @property
    def is_robust(self) -> bool:
        """True if it holds in nearly all plausible boxes."""
        return self.share.value >= ROBUST_SHARE


def select_cells(scenario: Scenario) -> list[Variant]:
    """Return the variants whose conclusions are assessed."""
    return scenario.cells[:MAX_CELLS]


def assess_conclusions(
    scenario: Scenario,
    pairs: Sequence[SamplePair],
    confidence: float,
) -> list[RobustConclusion]:
    """Return how robust the order of each two variants is.

    Each step of an expected order comes first, then each other pair of variants, in the order in
    which it holds more often.

    Args:
        scenario: The variants, and the orders that it expects.
        pairs: Sampled boxes, played in all variants.
        confidence: Confidence of the intervals.
    """
    cells = select_cells(scenario)
    names = [format_label(cell.label) for cell in cells]
    orders = list(_list_expected_orders(scenario, cells))
    expected = {frozenset(order) for order in orders}
    for i, j in combinations(range(len(cells)), 2):
        if frozenset((i, j)) not in expected:
            orders.append(_order_by_mean(pairs, i, j))
    conclusions = [
        _assess_order(
            names,
            pairs,
            i,
            j,
            confidence,
        )
        for i, j in orders
    ]
    return [conclusion for conclusion in conclusions if conclusion]


def assess_difference(
    a: Variant,
    b: Variant,
    effort: Effort,
    seconds: float = DEFAULT_SECONDS,
    progress: Progress = ignore_progress,
) -> RobustConclusion | None:
    """Return how robust the difference of two variants is.

    Args:
        a: The first variant, called A.
        b: The second variant, called B.
        effort: Seed, threads and confidence.
        seconds: Time limit.
        progress: Notified of the share that is done.

    Returns:
        The conclusion, or None if nothing is uncertain or too few boxes were played.
    """
    priors, budget = Priors([a, b]), Budget(seconds)
    if not priors.entries:
        return None
    evaluator = BoxEvaluator([CellPlayers(cell, make_players(cell)) for cell in (a, b)], effort)
    stage = Schedule(budget, progress).start_stage("plausible boxes", 1.0)
    pairs = SamplePairs(evaluator, priors, effort.seed).collect_pairs(
        stage, LEAST_PAIRS, for_band=False
    )
    i, j = _order_by_mean(pairs, 0, 1)
    return _assess_order(
        ["A", "B"],
        pairs,
        i,
        j,
        effort.confidence,
    )


def _list_expected_orders(
    scenario: Scenario, cells: Sequence[Variant]
) -> Iterator[tuple[int, int]]:
    """Yield each two neighbours in the orders that the scenario expects."""
    if not scenario.expect or len(cells) != len(scenario.cells):
        return
    for order in scenario.expect.order:
        for _, members in group_cells(order, range(len(cells)), lambda i: cells[i].label):
            yield from pairwise(members)


def _order_by_mean(
    pairs: Sequence[SamplePair],
    i: int,
    j: int,
) -> tuple[int, int]:
    """Return two variants, the one that is won more often on average first."""
    differences = _compute_differences(pairs, i, j)
    return (j, i) if len(differences) and differences.mean() < 0 else (i, j)


def _assess_order(
    names: Sequence[str],
    pairs: Sequence[SamplePair],
    i: int,
    j: int,
    confidence: float,
) -> RobustConclusion | None:
    differences = _compute_differences(pairs, i, j)
    if len(differences) < MIN_BOXES:
        return None
    statement = f"{names[i]} is won more often than {names[j]}"
    return RobustConclusion(statement, estimate_sign_share(differences, confidence))


def _compute_differences(
    pairs: Sequence[SamplePair],
    i: int,
    j: int,
) -> np.ndarray:
    """Return the differences of win rates (box, half) of boxes that both variants accept."""
    differences = select_cell(pairs, i) - select_cell(pairs, j)
    return differences[~np.isnan(differences).any(axis=1)]
