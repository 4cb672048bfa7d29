"""What `train` prints, and its JSON."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

from hardmode.reports.console.terminal import out
from hardmode.studies.training.result import ExistingPlayer, TrainingResult


def show(made: TrainingResult | ExistingPlayer, file: Path) -> None:
    if made.interrupted:
        out.print("interrupted: the best so far is kept; the same command goes on")
    out.print(escape(str(made)))
    if isinstance(made, TrainingResult):
        out.print(
            f"[dim]it plays wherever a strategy is named, as in --strategy {escape(str(file))}; intervals hold "
            f"at {100 * made.terms.confidence:g} %; {made.seconds:.0f} s[/dim]"
        )


