"""Output of `train`: what training gained, and how to use the player."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

from hardmode.reports.console.terminal import out
from hardmode.reports.console.verdict import (
    PLACEHOLDER,
    POINTS,
    Verdict,
    print_details,
    print_verdict,
)
from hardmode.reports.console.wording import format_count, format_games
from hardmode.studies.stats.formatting import format_rate, format_with_interval
from hardmode.studies.training.result import ExistingPlayer, TrainingResult


def print_training(
    training: TrainingResult | ExistingPlayer,
    path: Path,
    arguments: str = PLACEHOLDER,
    details: bool = False,
) -> None:
    """Print a verdict, and what is known of the trained player.

    Args:
        training: The result of a training, or the player that it wrote before.
        path: The player file.
        arguments: The scenario and its changes, as the user gave them.
        details: Print how this was measured.
    """
    if isinstance(training, ExistingPlayer):
        out.print(escape(str(training)))
        return
    print_verdict(make_verdict(training, path, arguments))
    if training.interrupted:
        out.print("interrupted: the best player so far is kept; the same command continues")
    for line in training.list_remarks():
        out.print(escape(line))
    print_details(
        [
            f"Intervals hold at {POINTS * training.terms.confidence:g} %; "
            f"{training.seconds:.0f} s; seed {training.terms.seed}"
        ],
        details,
    )


def describe_training(training: TrainingResult | ExistingPlayer, path: Path) -> str:
    """Return the verdict on a training as a text."""
    if isinstance(training, ExistingPlayer):
        return str(training)
    return make_verdict(training, path).text


def make_verdict(training: TrainingResult, path: Path, arguments: str = PLACEHOLDER) -> Verdict:
    """Return what training gained, how certain that is, and how to use the player.

    Args:
        training: The result of the training.
        path: The player file.
        arguments: The scenario and its changes, as the user gave them.
    """
    cell = training.task.scenario.cells[0]
    title = (
        f"{cell.game.title}: {training.task.scenario.title}, training {training.base}, which wins "
        f"{format_rate(training.start)}"
    )
    gain = format_with_interval(training.gain, "points")
    games = format_games(training.evaluation.games)
    generations = format_count(training.generations, "generation")
    next_step = f"hardmode run {arguments} --strategy {path} plays it"
    if training.is_better:
        answer = f"Training gained {gain} points: the player now wins {format_rate(training.rate)}."
        certainty = (
            f"This was measured in {games} that it was not trained on, after {generations} of "
            f"training with {format_games(training.games)}."
        )
    else:
        kept = "the player stays as it was"
        if not training.trained_player:
            kept = "the weights stay as they were"
        answer = f"Training found nothing better: {gain} points in {games}, so {kept}."
        certainty = f"After only {generations}, this says little about what more training finds."
        next_step = f"more --seconds, or --strategy with another beginning; {next_step}"
    return Verdict(title, answer, certainty, next_step)
