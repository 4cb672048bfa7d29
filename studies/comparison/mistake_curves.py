"""The scale of slips over the cells of a grid: which cells stand side by side, and where their win rates cross."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from hardmode.scenarios.load import Scenario, Variant
from hardmode.scenarios.variant import SLIPS, STRATEGIES
from hardmode.sim.results.tally import Tally
from hardmode.studies.core.metric import wins
from hardmode.studies.stats import estimates

MOST = 5  # curves in one picture
Curve = Mapping[float, Tally]  # by the share of slips


def beside(scenario: Scenario) -> list[Variant]:
    """The cells that stand beside the first: those that differ from it in what is swept first, a few of many."""
    first, rest = scenario.cells[0], scenario.sweep[1:]
    if not scenario.sweep or {SLIPS, STRATEGIES} & set(scenario.sweep):
        return []
    alike = [
        cell for cell in scenario.cells[1:] if all(cell.label[p] == first.label[p] for p in rest)
    ]
    at = np.linspace(0, len(alike) - 1, min(MOST - 1, len(alike))).round().astype(int)
    return [alike[i] for i in at]


@dataclass(frozen=True)
class Crossing:
    """Of two cells, the one is won more often by the careful and the other by the careless."""

    careful: str
    careless: str
    few: float  # a share of slips with which the one is clearly won more often
    many: float  # and the least with which the other is


def crossings(curves: Mapping[str, Curve], confidence: float) -> list[Crossing]:
    """All pairs of cells that cross beyond doubt; the bounds of all differences hold together."""
    pairs = list(combinations(curves, 2))
    shares = sorted(set.intersection(*map(set, curves.values()))) if curves else []
    level = 1 - (1 - confidence) / max(1, len(pairs) * len(shares))
    found = []
    for a, b in pairs:
        leads = [(share, _lead(curves[a][share], curves[b][share], level)) for share in shares]
        ahead = {a: [s for s, lead in leads if lead > 0], b: [s for s, lead in leads if lead < 0]}
        if ahead[a] and ahead[b]:
            careful, careless = (a, b) if min(ahead[a]) < min(ahead[b]) else (b, a)
            few, many = ahead[careful], ahead[careless]
            later = [share for share in many if share > min(few)]
            if later:
                found.append(
                    Crossing(careful, careless, max(s for s in few if s < later[0]), later[0])
                )
    return found


def _lead(a: Tally, b: Tally, level: float) -> int:
    """1 if a is clearly won more often, -1 if b is, 0 in doubt."""
    gap = estimates.difference(wins(a), a.games, wins(b), b.games, level)
    return int(gap.low > 0) - int(gap.high < 0)
