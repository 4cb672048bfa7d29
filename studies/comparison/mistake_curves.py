"""Win rates by how often players make mistakes: cells to compare, and where their curves cross."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.scenarios.variant import MISTAKES_LABEL, STRATEGIES_LABEL
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.metric import count_wins
from hardmode.studies.stats import estimates

MAX_CURVES = 5  # in one picture
Curve = Mapping[float, Tally]  # by the rate of mistakes


def find_comparable_cells(scenario: Scenario) -> list[Variant]:
    """Return the cells that differ from the first in what is swept first; a few of many."""
    first, rest = scenario.cells[0], scenario.sweep[1:]
    if not scenario.sweep or {MISTAKES_LABEL, STRATEGIES_LABEL} & set(scenario.sweep):
        return []
    cells = [
        cell
        for cell in scenario.cells[1:]
        if all(cell.label[path] == first.label[path] for path in rest)
    ]
    places = np.linspace(0, len(cells) - 1, min(MAX_CURVES - 1, len(cells))).round().astype(int)
    return [cells[i] for i in places]


@dataclass(frozen=True)
class CurveCrossing:
    """Two cells of which one is won more often with few mistakes, the other with many.

    Attributes:
        careful: Label of the cell that is won more often with few mistakes.
        careless: Label of the other.
        careful_until: A rate of mistakes at which the first is significantly easier.
        careless_from: The lowest rate at which the other is.
    """

    careful: str
    careless: str
    careful_until: float
    careless_from: float


def find_crossings(curves: Mapping[str, Curve], confidence: float) -> list[CurveCrossing]:
    """Return all significant crossings; the intervals of all differences hold together.

    Args:
        curves: Tallies by cell and rate of mistakes.
        confidence: Confidence of all intervals together.
    """
    pairs = list(combinations(curves, 2))
    rates = sorted(set.intersection(*map(set, curves.values()))) if curves else []
    level = 1 - (1 - confidence) / max(1, len(pairs) * len(rates))
    crossings = []
    for a, b in pairs:
        leads: list[tuple[float, int]] = []
        for rate in rates:
            if lead := _find_leader(curves[a][rate], curves[b][rate], level):
                leads.append((rate, lead))
        for (until, lead), (start, next_lead) in pairwise(leads):
            if lead != next_lead:
                careful, careless = (a, b) if lead > 0 else (b, a)
                crossings.append(CurveCrossing(careful, careless, until, start))
                break
    return crossings


def _find_leader(a: Tally, b: Tally, level: float) -> int:
    """Return 1 if A is significantly easier, -1 if B is, 0 if neither."""
    difference = estimates.newcombe_difference(
        count_wins(a), a.games, count_wins(b), b.games, level
    )
    return int(difference.low > 0) - int(difference.high < 0)
