"""The answer of `reproduce`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardmode.reports.json.parts import AnswerRecord, GameCount

if TYPE_CHECKING:
    from hardmode.studies.core.saved_results import Reproduction


@dataclass(kw_only=True)
class ReproducedCell(AnswerRecord):
    """A cell, and the digests of its outcomes as they were saved and as they are now."""

    name: str
    games: GameCount
    saved: str
    now: str
    same: bool
    changed_since: list[str]


@dataclass(kw_only=True)
class ReproduceAnswer(AnswerRecord):
    """A result that was played again."""

    reproduced: bool
    cells: list[ReproducedCell]


def build_reproduce_answer(reproductions: Sequence[Reproduction]) -> ReproduceAnswer:
    """Return the answer of `reproduce`."""
    cells = [
        ReproducedCell(
            name=cell.name,
            games=cell.games,
            saved=cell.saved_digest,
            now=cell.new_digest,
            same=cell.is_same,
            changed_since=cell.changed_inputs,
        )
        for cell in reproductions
    ]
    return ReproduceAnswer(reproduced=all(cell.same for cell in cells), cells=cells)
