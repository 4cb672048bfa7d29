"""The cells of a grid for a reader who lays two of them side by side: what each came to, and what both won.

The games that both cells of a pair won come from the ranking, which played all cells on the same luck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hardmode.reports.console import wording
from hardmode.reports.page.chapters import how_hard
from hardmode.scenarios.labels import STRATEGIES_LABEL
from hardmode.studies.core.metric import compute_quantile
from hardmode.studies.report_run.data import PlayedVariant, ReportData
from hardmode.studies.stats import estimates, formatting

MOST = 2000  # cells


def data(g: ReportData) -> dict[str, Any] | None:
    """What the page's own script reads; nothing where there is no grid, or no game that all cells share."""
    found = g.ranking
    if found is None or not 2 <= len(g.cells) <= MOST or found.cells != len(g.cells):
        return None
    values = {path: _values(g.cells, path) for path in g.scenario.sweep}
    return {
        "win": g.metric.win_rate_label,
        "unit": g.scenario.game.unit,
        "games": found.games,
        "pairs": found.pairs,
        "confidence": g.effort.confidence,
        "z": estimates.two_sided_z(found.level),
        "paths": [
            {
                "name": "strategy" if path == STRATEGIES_LABEL else wording.path(path),
                "values": list(named.values()),
                "number": all(type(v) in (int, float) for v in _raw(g.cells, path)),
            }
            for path, named in values.items()
        ],
        "cells": [_cell(g, item, values) for item in g.cells],
        "figure": "grid" if len(g.scenario.sweep) > 1 else "win-rate",
        "fields": [g.cells.index(item) for item in how_hard.fields(g)],
        "both": found.both[np.triu_indices(found.cells)].tolist(),
    }


def _raw(cells: Sequence[PlayedVariant], path: str) -> list[Any]:
    return [item.result.label[path] for item in cells]


def _values(cells: Sequence[PlayedVariant], path: str) -> dict[str, str]:
    """The values of a path by their texts: numbers as they grow, names as the scenario has them."""
    raw = _raw(cells, path)
    if all(type(v) in (int, float) for v in raw):
        raw = sorted(raw)
    return {str(v): wording.value(v) for v in raw}


def _cell(g: ReportData, item: PlayedVariant, values: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    ends = item.tally.count_endings()
    return {
        "at": [list(values[path]).index(str(item.result.label[path])) for path in values],
        "won": formatting.format_rate(g.metric.estimate_win_rate(item.tally)),
        "games": item.result.games,
        "length": compute_quantile(item.tally.count_values("rounds"), 0.5),
        "ending": max(ends, key=lambda e: ends[e]),
    }
