"""The command `choices`: what every kind of option is worth."""

from __future__ import annotations

from typing import Annotated

import typer

from hardmode.reports.cli_types import parse_game_count
from hardmode.reports.commands.common import (
    choose_seed,
    format_scenario_arguments,
    load_scenario_with_notes,
    print_json,
    stop_if_interrupted,
    take_first_cell,
)
from hardmode.reports.commands.options import (
    BoxOption,
    ConfidenceOption,
    DetailsOption,
    JsonOption,
    MistakesOption,
    PlayersOption,
    ScenarioArgument,
    SecondsOption,
    SeedOption,
    SetOption,
    StrategyOption,
    ThreadsOption,
)


def measure_choices(
    scenario: ScenarioArgument,
    seconds: SecondsOption = 40.0,
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The largest number of games played for each change.",
        ),
    ] = None,
    seed: SeedOption = None,
    sets: SetOption = None,
    strategy: StrategyOption = None,
    mistakes: MistakesOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    confidence: ConfidenceOption = 0.95,
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Measure what every kind of option is worth, by forbidding it and by always taking it.

    The components of the box are measured too: each is removed, or put in the place of the
    component that is drawn. All changes are played with the same random draws.

    Example: [bold]hardmode choices run_run_run/standard[/bold]
    """
    from hardmode.reports.console import choices as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.choices import analysis
    from hardmode.studies.core.reference_players import with_trained
    from hardmode.studies.core.run import Effort
    from hardmode.studies.sensitivity.analysis import MAX_GAMES

    loaded = load_scenario_with_notes(scenario, sets, strategy, players, mistakes, box)
    cell = with_trained(take_first_cell(loaded), strategy or ())
    effort = Effort(games or MAX_GAMES, 0, choose_seed(seed, loaded), None, confidence, threads)
    with show_progress(f"choices of {loaded.title}") as step:
        choices = analysis.analyze_choices(cell, effort, seconds, step)
    if as_json:
        from hardmode.reports.json.choices import build_choices_answer

        answer = build_choices_answer(choices)
        answer.summary = console.make_verdict(choices).text
        print_json("choices", answer)
    else:
        arguments = format_scenario_arguments(scenario, sets, strategy, players, mistakes, box)
        console.print_choices(choices, arguments, details)
    stop_if_interrupted(choices)
