"""How firm conclusions are: the share of plausible boxes in which one variant is won more often than another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from hardmode.scenarios.expectations import slices
from hardmode.scenarios.load import Scenario, Variant
from hardmode.scenarios.variant import label_text
from hardmode.studies.core.budget import Clock
from hardmode.studies.core.progress import Progress, silent
from hardmode.studies.core.run import Effort, players
from hardmode.studies.stats.estimates import Estimate
from hardmode.studies.uncertainty.box_evaluator import BoxCells, Seated
from hardmode.studies.uncertainty.design import BoxPair, BoxPairs, of_cell
from hardmode.studies.uncertainty.priors import Unknowns
from hardmode.studies.uncertainty.sobol_from_halves import sign_holds

MOST_CELLS = 12  # of a grid, whose pairs are judged
FEWEST = 4  # boxes
FIRM = 0.95  # of boxes, for a conclusion to be called established
SECONDS = 30.0


@dataclass(frozen=True)
class Firm:
    """A conclusion, and the share of plausible boxes in which it holds."""

    statement: str
    share: Estimate

    @property
    def established(self) -> bool:
        return self.share.value >= FIRM


def judged(scenario: Scenario) -> list[Variant]:
    """The cells of which conclusions are judged."""
    return scenario.cells[:MOST_CELLS]


def firm(scenario: Scenario, rows: Sequence[BoxPair], confidence: float) -> list[Firm]:
    """Each step of an expected order, and each other pair of cells the way round in which it holds more often."""
    cells = judged(scenario)
    names = [label_text(cell.label) for cell in cells]
    expected = list(_expected(scenario, cells))
    known = {frozenset(pair) for pair in expected}
    others = [pair for pair in combinations(range(len(cells)), 2) if frozenset(pair) not in known]
    found = [_holds(names, rows, *pair, confidence) for pair in expected]
    found += [_holds(names, rows, *_turned(rows, *pair), confidence) for pair in others]
    return [one for one in found if one]


def between(
    a: Variant, b: Variant, effort: Effort, seconds: float = SECONDS, progress: Progress = silent
) -> Firm | None:
    """How firm the difference of two variants is, A and B; nothing where nothing is assumed or too little played."""
    unknowns, clock = Unknowns([a, b]), Clock(seconds, progress)
    if not unknowns.drawn:
        return None
    rows = BoxPairs(
        BoxCells([Seated(cell, players(cell)) for cell in (a, b)], effort), unknowns, effort.seed
    )
    found = rows.until(clock, "plausible boxes", 1.0)
    return _holds(["A", "B"], found, *_turned(found, 0, 1), effort.confidence)


def _expected(scenario: Scenario, cells: Sequence[Variant]) -> Iterator[tuple[int, int]]:
    for order in (
        scenario.expect.order if scenario.expect and len(cells) == len(scenario.cells) else ()
    ):
        for _, some in slices(order, range(len(cells)), lambda i: cells[i].label):
            yield from pairwise(some)


def _turned(rows: Sequence[BoxPair], i: int, j: int) -> tuple[int, int]:
    apart = _apart(rows, i, j)
    return (j, i) if len(apart) and apart.mean() < 0 else (i, j)


def _holds(
    names: Sequence[str], rows: Sequence[BoxPair], i: int, j: int, confidence: float
) -> Firm | None:
    apart = _apart(rows, i, j)
    if len(apart) < FEWEST:
        return None
    return Firm(f"{names[i]} is won more often than {names[j]}", sign_holds(apart, confidence))


def _apart(rows: Sequence[BoxPair], i: int, j: int) -> Any:
    """By how much the one is won more often, by box and half; without the boxes that are no game for one of them."""
    apart = of_cell(rows, i) - of_cell(rows, j)
    return apart[~np.isnan(apart).any(axis=1)]
