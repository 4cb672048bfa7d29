"""The answer of `history`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardmode.reports.json.parts import (
    AnswerRecord,
    CommitRecord,
    End,
    GameCount,
    Seat,
    Share,
    StrategyName,
)

if TYPE_CHECKING:
    from hardmode.studies.history.history import HistoryEntry, ScenarioHistory


@dataclass(kw_only=True)
class HistoryRate(CommitRecord):
    """A win rate that a baseline or a result held in a commit."""

    cell: str
    seat: Seat | None
    plays: list[StrategyName]
    games: GameCount
    rate: Share
    low: End
    high: End
    reason: str


@dataclass(kw_only=True)
class UnreadableCommit(CommitRecord):
    """A commit in which the file cannot be read."""

    why: str


@dataclass(kw_only=True)
class ScenarioHistoryRecord(AnswerRecord):
    """All that commits hold about a scenario."""

    scenario: str
    held: list[HistoryRate]
    unread: list[UnreadableCommit]


@dataclass
class HistoryAnswer(AnswerRecord):
    """The histories of scenarios."""

    scenarios: list[ScenarioHistoryRecord]


def build_history_answer(histories: Sequence[ScenarioHistory]) -> HistoryAnswer:
    """Return the answer of `history`."""
    return HistoryAnswer([_encode_history(history) for history in histories])


def _encode_history(history: ScenarioHistory) -> ScenarioHistoryRecord:
    unread = [
        UnreadableCommit(**vars(CommitRecord.from_commit(commit)), why=why)
        for commit, why in history.unreadable
    ]
    return ScenarioHistoryRecord(
        scenario=history.name,
        held=[_encode_entry(entry) for entry in history.entries],
        unread=unread,
    )


def _encode_entry(entry: HistoryEntry) -> HistoryRate:
    return HistoryRate(
        **vars(CommitRecord.from_commit(entry.commit)),
        cell=entry.cell,
        seat=None if entry.seat is None else entry.seat + 1,
        plays=list(entry.plays),
        games=entry.rate.n,
        rate=entry.rate.value,
        low=entry.rate.low,
        high=entry.rate.high,
        reason=entry.reason,
    )
