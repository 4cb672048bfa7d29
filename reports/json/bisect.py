"""The answer of `bisect`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from hardmode.reports.console import bisect as console
from hardmode.reports.json.parts import (
    ABSENT,
    AnswerRecord,
    CommitRecord,
    Difference,
    End,
    GameCount,
    Seat,
    Share,
)
from hardmode.studies.history.bisect import MOVED

if TYPE_CHECKING:
    from hardmode.studies.history.bisect import BisectSearch, CommitVerdict


@dataclass(kw_only=True)
class BisectStep(CommitRecord):
    """A commit that was played, and its verdict."""

    word: str
    moved: bool
    why: str
    cell: str
    seat: Seat | None
    difference: Difference = ABSENT
    low: End = ABSENT
    high: End = ABSENT
    games: GameCount = ABSENT
    was: Share = ABSENT
    now: Share = ABSENT


@dataclass(kw_only=True)
class BisectAnswer(AnswerRecord):
    """The commit that moved a win rate."""

    scenario: str
    good: CommitRecord
    bad: CommitRecord
    found: CommitRecord | None
    left: list[CommitRecord]
    moved: Annotated[Any, Field(description="whether any commit moved it")]
    words: Annotated[Any, Field(description="the answer in words")]
    steps: list[BisectStep]


def build_bisect_answer(search: BisectSearch) -> BisectAnswer:
    """Return the answer of `bisect`."""
    return BisectAnswer(
        scenario=search.scenario,
        good=CommitRecord.from_commit(search.good),
        bad=CommitRecord.from_commit(search.commits[-1]),
        found=CommitRecord.from_commit(search.culprit) if search.culprit else None,
        left=[CommitRecord.from_commit(commit) for commit in search.suspects],
        moved=search.has_moved,
        words=console.describe_search(search),
        steps=[_encode_verdict(verdict) for verdict in search.steps],
    )


def _encode_verdict(verdict: CommitVerdict) -> BisectStep:
    step = BisectStep(
        **vars(CommitRecord.from_commit(verdict.commit)),
        word=verdict.verdict,
        moved=verdict.verdict == MOVED,
        why=verdict.reason,
        cell=verdict.cell,
        seat=None if verdict.seat is None else verdict.seat + 1,
    )
    if verdict.difference:
        step.difference = verdict.difference.value
        step.low = verdict.difference.low
        step.high = verdict.difference.high
        step.games = verdict.difference.n
        step.was = verdict.rate_before
        step.now = verdict.rate_after
    return step
