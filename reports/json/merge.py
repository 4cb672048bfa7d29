"""The answer of `merge`, which is that of `run`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardmode.reports.json.run import GridAnswer, RunAnswer, build_cell_answer
from hardmode.studies.stats.estimates import DEFAULT_CONFIDENCE

if TYPE_CHECKING:
    from hardmode.studies.core.results import Results


def build_merge_answer(results: Results) -> RunAnswer | GridAnswer:
    """Return the answer of `merge`: one cell, or all cells of a grid."""
    cells = [build_cell_answer(result, DEFAULT_CONFIDENCE) for result in results]
    return cells[0] if len(cells) == 1 else GridAnswer(cells=cells)
