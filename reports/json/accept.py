"""The answer of `accept`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardmode.reports.json.parts import AnswerRecord, Cell, GameCount

if TYPE_CHECKING:
    from hardmode.studies.gate.accept import AcceptResult


@dataclass(kw_only=True)
class AcceptedCell(AnswerRecord):
    """A cell, as it was accepted."""

    cell: str
    label: Cell
    wins: GameCount
    win_percent: float
    outcome_digest: str


@dataclass(kw_only=True)
class AcceptedScenario(AnswerRecord):
    """A scenario, and the baseline that was recorded."""

    scenario: str
    file: str
    what: str
    games: GameCount
    cells: list[AcceptedCell]


@dataclass
class AcceptAnswer(AnswerRecord):
    """All baselines that were recorded."""

    accepted: list[AcceptedScenario]


def build_accept_answer(results: Sequence[AcceptResult]) -> AcceptAnswer:
    """Return the answer of `accept`."""
    return AcceptAnswer([_encode_result(result) for result in results])


def _encode_result(result: AcceptResult) -> AcceptedScenario:
    games = result.after.games
    cells = [
        AcceptedCell(
            cell=cell.cell,
            label=cell.label,
            wins=cell.wins,
            win_percent=cell.win_percent,
            outcome_digest=cell.outcomes[str(games)],
        )
        for cell in result.after.cells
    ]
    return AcceptedScenario(
        scenario=result.scenario,
        file=str(result.path),
        what=result.status,
        games=games,
        cells=cells,
    )
