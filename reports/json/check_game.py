"""The answer of `check-game`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardmode.reports.json.parts import AnswerRecord

if TYPE_CHECKING:
    from hardmode.studies.conformance.checks import ConformanceReport


@dataclass(kw_only=True)
class CheckRecord(AnswerRecord):
    """One check, and the problems that it found."""

    name: str
    ok: bool
    found: list[str]


@dataclass(kw_only=True)
class CheckGameAnswer(AnswerRecord):
    """All checks of one game."""

    game: str
    sound: bool
    checks: list[CheckRecord]
    lacks: list[str]


@dataclass
class CheckGamesAnswer(AnswerRecord):
    """All checks of several games."""

    games: list[CheckGameAnswer]


def build_check_game_answer(
    reports: Sequence[ConformanceReport],
) -> CheckGameAnswer | CheckGamesAnswer:
    """Return the answer of `check-game`."""
    games = [_encode_report(report) for report in reports]
    return games[0] if len(games) == 1 else CheckGamesAnswer(games)


def _encode_report(report: ConformanceReport) -> CheckGameAnswer:
    checks = [
        CheckRecord(name=result.name, ok=result.ok, found=result.problems)
        for result in report.results
    ]
    return CheckGameAnswer(
        game=report.game, sound=report.is_sound, checks=checks, lacks=report.missing
    )
