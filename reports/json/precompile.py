"""The answer of `precompile`, whose name in JSON is "warm"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardmode.reports.json.parts import AnswerRecord


@dataclass(kw_only=True)
class CompiledGame(AnswerRecord):
    """A game, and how many functions were compiled for it."""

    game: str
    compiled: int
    seconds: float


@dataclass
class PrecompileAnswer(AnswerRecord):
    """All games that were compiled, and the folder of the compiled code."""

    games: list[CompiledGame]
    cache: str | None


def build_precompile_answer(
    games: Sequence[dict[str, Any]], cache: Path | None
) -> PrecompileAnswer:
    """Return the answer of `precompile`."""
    compiled = [CompiledGame(**game) for game in games]
    return PrecompileAnswer(compiled, str(cache) if cache else None)
