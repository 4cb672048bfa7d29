"""The command `sensitivity`: which numbers of the box matter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import number_between, parse_game_count
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
    DetailsOption,
    JointConfidenceOption,
    JsonOption,
    MistakesOption,
    PlayersOption,
    ScenarioArgument,
    SeedOption,
    SetOption,
    StrategyOption,
    ThreadsOption,
)
from hardmode.reports.exit_codes import print_message


def measure_sensitivity(
    scenario: ScenarioArgument,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="How long to play at most, in seconds. (default: 60, or 120 with more than 1,200 "
            "steps; no limit if --games is given)",
            parser=number_between(1, 10**7),
            metavar="S",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The largest number of games played for each number.",
        ),
    ] = None,
    seed: SeedOption = None,
    sets: SetOption = None,
    strategy: StrategyOption = None,
    mistakes: MistakesOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    confidence: JointConfidenceOption = 0.95,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FOLDER",
            help="Write the table as Markdown, CSV and Parquet, and the tornado chart as a plot.",
        ),
    ] = None,
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Measure which numbers of the box matter, by moving each one plausible step up and down.

    All changes are played with the same random draws.

    Example: [bold]hardmode sensitivity trapwords/standard[/bold]
    """
    from hardmode.reports.console import sensitivity as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.core.reference_players import with_trained
    from hardmode.studies.core.run import Effort
    from hardmode.studies.sensitivity import analysis

    loaded = load_scenario_with_notes(scenario, sets, strategy, players, mistakes, box)
    cell = with_trained(take_first_cell(loaded), strategy or ())
    effort = Effort(
        games or analysis.MAX_GAMES, 0, choose_seed(seed, loaded), None, confidence, threads
    )
    limit = seconds
    if limit is None and not games:
        limit = analysis.choose_seconds(cell)
    with show_progress(loaded.title) as step:
        sensitivity = analysis.analyze_sensitivity(cell, effort, limit, step)
    if out:
        from hardmode.reports.console.sensitivity_files import write_sensitivity

        print_message(f"{write_sensitivity(sensitivity, out)}")
    if as_json:
        from hardmode.reports.json.sensitivity import build_sensitivity_answer

        answer = build_sensitivity_answer(sensitivity)
        answer.summary = console.make_verdict(sensitivity).text
        print_json("sensitivity", answer)
    else:
        arguments = format_scenario_arguments(scenario, sets, strategy, players, mistakes, box)
        console.print_sensitivity(sensitivity, arguments, details)
    stop_if_interrupted(sensitivity)
