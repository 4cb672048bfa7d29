"""The command `uncertainty`: what the assumed numbers of a box leave open."""

from __future__ import annotations

from typing import Annotated

import typer

from hardmode.reports.cli_types import number_between
from hardmode.reports.commands.common import (
    choose_seed,
    format_scenario_arguments,
    load_scenario_with_notes,
    print_json,
    stop_if_interrupted,
)
from hardmode.reports.commands.options import (
    BoxOption,
    ConfidenceOption,
    DetailsOption,
    JsonOption,
    MistakesOption,
    PlayersOption,
    RetrainOption,
    ScenarioArgument,
    SecondsOption,
    SeedOption,
    SetOption,
    StrategyOption,
    ThreadsOption,
)

PriorCorrectOption = Annotated[
    float,
    typer.Option(
        "--prior-correct",
        help="The probability that an assumed reading of the rules is right, where the box does "
        "not give one. At 1, only readings for which the box gives one are doubted.",
        parser=number_between(0.0, 1.0),
        metavar="SHARE",
    ),
]


def measure_uncertainty(
    scenario: ScenarioArgument,
    seconds: SecondsOption = 175.0,
    seed: SeedOption = None,
    sets: SetOption = None,
    strategy: StrategyOption = None,
    mistakes: MistakesOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    confidence: ConfidenceOption = 0.95,
    prior_correct: PriorCorrectOption = 0.9,
    retrain: RetrainOption = 0,
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Measure how uncertain the win rate is because numbers of the box are assumed.

    The answer is a band over plausible boxes, what decides its width, and how robust the
    conclusions are.

    Example: [bold]hardmode uncertainty run_run_run/standard[/bold]
    """
    from hardmode.reports.console import uncertainty as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.core.run import Effort
    from hardmode.studies.uncertainty import analysis, leading_readings

    loaded = load_scenario_with_notes(scenario, sets, strategy, players, mistakes, box)
    effort = Effort(
        analysis.MAX_HEADLINE_GAMES, 0, choose_seed(seed, loaded), None, confidence, threads
    )
    with show_progress(f"uncertainty of {loaded.title}") as step:
        uncertainty = analysis.analyze_uncertainty(
            loaded,
            effort,
            seconds,
            strategy or (),
            step,
            reading_correct=prior_correct,
        )
        leading_readings.play_leading_readings(uncertainty, retrain, effort, step)
    if as_json:
        from hardmode.reports.json.uncertainty import build_uncertainty_answer

        answer = build_uncertainty_answer(uncertainty)
        answer.summary = console.make_verdict(uncertainty, seconds=seconds).text
        print_json("doubts", answer)
    else:
        arguments = format_scenario_arguments(scenario, sets, strategy, players, mistakes, box)
        console.print_uncertainty(uncertainty, arguments, details, seconds)
    stop_if_interrupted(uncertainty)
