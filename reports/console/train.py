"""Output of `train`."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

from hardmode.reports.console.terminal import out
from hardmode.studies.training.result import ExistingPlayer, TrainingResult


def print_training(training: TrainingResult | ExistingPlayer, path: Path) -> None:
    """Print the result of a training, and how to use the player file."""
    if training.interrupted:
        out.print("interrupted: the best player so far is kept; the same command continues")
    out.print(escape(str(training)))
    if isinstance(training, TrainingResult):
        confidence = 100 * training.terms.confidence
        out.print(
            "[dim]Use it wherever a strategy is named, for example --strategy "
            f"{escape(str(path))}. Intervals hold at {confidence:g} %; "
            f"{training.seconds:.0f} s[/dim]"
        )
