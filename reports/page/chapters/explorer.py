"""Data for the comparison of two cells of a grid in the page: their results and shared wins.

The number of games that both cells of a pair won comes from the ranking, in which all cells were
played with the same random numbers.
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

MAX_CELLS = 2000


def make_explorer_data(report: ReportData) -> dict[str, Any] | None:
    """Return the data that the script of the page reads.

    Returns:
        None without a grid, or if the cells were not all ranked with the same games.
    """
    ranking, cells = report.ranking, report.cells
    if ranking is None or not 2 <= len(cells) <= MAX_CELLS or ranking.cells != len(cells):
        return None
    values = {path: _list_values(cells, path) for path in report.scenario.sweep}
    rates = [report.metric.estimate_win_rate(item.tally) for item in cells]
    decimals = formatting.choose_common_decimals(rates, "rate")
    described = []
    for item, rate in zip(cells, rates, strict=True):
        won = formatting.format_with_interval(rate, "rate", decimals)
        described.append({**_describe_cell(item, values), "won": won})
    upper_triangle = np.triu_indices(ranking.cells)
    return {
        "win": report.metric.win_rate_label,
        "unit": report.scenario.game.unit,
        "games": ranking.games,
        "pairs": ranking.pairs,
        "confidence": report.effort.confidence,
        "z": estimates.two_sided_z(ranking.level),
        "paths": [_describe_path(cells, path, labels) for path, labels in values.items()],
        "cells": described,
        "figure": "grid" if len(report.scenario.sweep) > 1 else "win-rate",
        "fields": [cells.index(item) for item in how_hard.list_cells_in_plot_order(report)],
        "both": ranking.both[upper_triangle].tolist(),
    }


def _describe_path(
    cells: Sequence[PlayedVariant], path: str, labels: Mapping[str, str]
) -> dict[str, Any]:
    name = "strategy" if path == STRATEGIES_LABEL else wording.format_path_end(path)
    is_number = how_hard.are_numbers(_list_raw_values(cells, path))
    return {"name": name, "values": list(labels.values()), "number": is_number}


def _list_raw_values(cells: Sequence[PlayedVariant], path: str) -> list[Any]:
    return [item.result.label[path] for item in cells]


def _list_values(cells: Sequence[PlayedVariant], path: str) -> dict[str, str]:
    """Return words for the values of a path: numbers sorted, names in the scenario's order."""
    raw = _list_raw_values(cells, path)
    if how_hard.are_numbers(raw):
        raw = sorted(raw)
    return {str(value): wording.format_setup_value(value) for value in raw}


def _describe_cell(item: PlayedVariant, values: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    endings = item.tally.count_endings()
    position = []
    for path, labels in values.items():
        position.append(list(labels).index(str(item.result.label[path])))
    return {
        "at": position,
        "games": item.result.games,
        "length": compute_quantile(item.tally.count_values("rounds"), 0.5),
        "ending": max(endings, key=lambda e: endings[e]),
    }
